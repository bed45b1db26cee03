//! Sequences of four letters and one length, some with a motif in the middle.

use mercer::data::Kind;
use mercer_io::Format;

use crate::case::Set;
use crate::stream::Stream;

/// Letters of a sequence.
const LENGTH: usize = 14;

fn text(rows: usize, seed: u64) -> String {
    let mut stream = Stream(seed);
    let mut text = "gene,role,strength\n".to_owned();
    for _ in 0..rows {
        let mut gene = String::new();
        while gene.len() < LENGTH {
            gene.push_str(stream.pick(&["A", "C", "G", "T"]));
        }
        let role = stream.pick(&["promoter", "other"]);
        if role == "promoter" {
            gene.replace_range(5..10, "TATAA");
        }
        let strength = gene.matches(['A', 'T']).count() as f64 + stream.rounded(0.0, 0.5);
        text.extend([format!("{gene},{role},{strength}\n")]);
    }
    text
}

fn genes() -> Set {
    // A letter that training has not.
    let asked = text(9, 62) + "ACGTNTATAANACG,other,0\n";
    Set::new(Format::Csv, text(28, 61), asked).kind("gene", Kind::Text)
}

/// Promoters and others.
pub(crate) fn roles() -> Set {
    genes().target("role").without(&["strength"])
}

/// A number per sequence.
pub(crate) fn strengths() -> Set {
    genes().target("strength").without(&["role"])
}
