//! Kernels for what is no number: texts, graphs, nodes of a network.

use crate::data::{ColumnRef, Records};
use crate::kernel::KernelSpec;

/// Symbols up to which texts of one length look like aligned sequences over a small alphabet.
const SMALL_ALPHABET: usize = 30;

/// Kernels for texts, the most useful first. Three letters are most of a word and tell language
/// and topic; whole words tell topics; longer words need more rows.
const TEXTS: [&str; 4] = [
    "normalise(spectrum(length=3, lower=true))",
    "normalise(spectrum(length=1, over=words, lower=true))",
    "normalise(spectrum(length=5, lower=true))",
    "normalise(substring(decay=0.5, max=8, lower=true))",
];
/// Kernels for sequences of one length, where a place has a meaning of its own.
const ALIGNED: [&str; 4] = [
    "normalise(weighted_degree(length=6))",
    "normalise(spectrum(length=3))",
    "normalise(mismatch(length=5, mismatches=1))",
    "normalise(weighted_degree(length=2))",
];
/// Kernels for graphs.
const GRAPHS: [&str; 4] = [
    "normalise(wl(iterations=3))",
    "normalise(wl(iterations=1))",
    "normalise(shortest_path)",
    "normalise(wl(iterations=5))",
];
/// Kernels for nodes of a network.
const NODES: [&str; 3] = ["regularised_laplacian", "diffusion", "commute"];

/// Kernels for all columns of records that are no numbers, the most useful first; nothing where
/// there are none. Several columns add up.
pub(crate) fn structured(records: &Records) -> Vec<KernelSpec> {
    let columns = columns(records);
    let most = columns.iter().map(|(_, kernels)| kernels.len()).max();
    let option = |rank: usize| {
        let terms: Vec<KernelSpec> = columns
            .iter()
            .map(|(name, kernels)| {
                // A column with fewer kernels keeps its first.
                let text = kernels.get(rank).unwrap_or(&kernels[0]);
                let kernel = KernelSpec::parse(text).expect("a kernel of the list");
                kernel.on([ColumnRef::Name(name.clone())])
            })
            .collect();
        match <[KernelSpec; 1]>::try_from(terms) {
            Ok([only]) => only,
            Err(terms) => KernelSpec::Sum(terms),
        }
    };
    (0..most.unwrap_or(0)).map(option).collect()
}

/// A kernel for records where none is named: of every kind of column the usual one.
pub(crate) fn usual_kernel(records: &Records) -> KernelSpec {
    let numbers = records.features.points.columns() > 0;
    match structured(records).into_iter().next() {
        None => KernelSpec::rbf_auto(),
        Some(kernel) if numbers => KernelSpec::rbf_auto() + kernel,
        Some(kernel) => kernel,
    }
}

fn columns(records: &Records) -> Vec<(String, &'static [&'static str])> {
    let texts = records.texts.iter().map(|column| {
        let kernels = if is_aligned(&column.texts) {
            &ALIGNED
        } else {
            &TEXTS
        };
        (column.source.clone(), &kernels[..])
    });
    let graphs = records
        .graphs
        .iter()
        .map(|c| (c.source.clone(), &GRAPHS[..]));
    let nodes = records.nodes.iter().map(|c| (c.source.clone(), &NODES[..]));
    texts.chain(graphs).chain(nodes).collect()
}

/// Whether texts are sequences of one length over a small alphabet, without spaces.
fn is_aligned(texts: &[std::sync::Arc<str>]) -> bool {
    let Some(length) = texts.first().map(|t| t.len()) else {
        return false;
    };
    let mut seen = [false; 128];
    for text in texts {
        if text.len() != length || !text.is_ascii() || text.contains(' ') {
            return false;
        }
        text.bytes().for_each(|b| seen[usize::from(b)] = true);
    }
    length > 1 && seen.iter().filter(|s| **s).count() <= SMALL_ALPHABET
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_follow_the_kind_of_columns() {
        let prose = Records::from_texts(["to be or", "not to be, that is"]);
        assert_eq!(
            usual_kernel(&prose).to_string(),
            "normalise(spectrum(length=3, lower=true))@text"
        );
        let genes = Records::from_texts(["acgt", "ttga"]);
        assert!(usual_kernel(&genes).to_string().contains("weighted_degree"));
        let numbers = Records::from_points(mercer_linalg::Matrix::<f64>::zeros(2, 1));
        assert_eq!(usual_kernel(&numbers), KernelSpec::rbf_auto());
        assert!(structured(&numbers).is_empty());
        for kernel in structured(&prose) {
            kernel.resolve(&prose, None).expect("a kernel for texts");
        }
    }

    #[test]
    fn columns_of_several_kinds_add_up() {
        let mut both = Records::from_texts(["to be or", "not to be, that is"]);
        let graphs = Records::from_graphs([]).graphs;
        both.graphs = graphs;
        let text = structured(&both)[0].to_string();
        assert_eq!(
            text,
            "normalise(spectrum(length=3, lower=true))@text + normalise(wl(iterations=3))@graph"
        );
    }
}
