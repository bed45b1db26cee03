//! Texts, molecules, graphs and members of a network.

use mercer::data::TextEncoding;
use mercer::kernel::KernelSpec;
use mercer::learn::AnyEstimator;
use mercer::learn::least_squares::{KernelRidge, LsSvc, LsSvr, Strength};
use mercer::learn::loss::KernelRisk;
use mercer::learn::margin::{NuSvr, OneClass, Svc, Svr};
use mercer::recipe::Wish;
use mercer_io::Result;

use super::kernel;
use crate::case::Case;
use crate::sets::{genes, graphs, molecules, network, notes};

pub(super) fn cases() -> Result<Vec<Case>> {
    let mut cases = texts()?;
    cases.extend(of_molecules()?);
    cases.extend(of_graphs()?);
    cases.extend(members()?);
    Ok(cases)
}

fn svc(text: &str) -> Result<AnyEstimator> {
    Ok(AnyEstimator::Svc(
        Svc::default().kernel(kernel(text)?).c(5.0),
    ))
}

fn texts() -> Result<Vec<Case>> {
    let words = "normalise(spectrum(length=1, over=words, lower=true))";
    let gaps = "normalise(gap(length=3, decay=0.6))";
    let given = |text: &str| -> Result<AnyEstimator> {
        let machine = LsSvr::default().kernel(kernel(text)?);
        Ok(AnyEstimator::LsSvr(machine.strength(Strength::Gamma(4.0))))
    };
    Ok(vec![
        notes::notes().learnt(
            "text_words",
            "texts by the words they share",
            AnyEstimator::Svc(Svc::default().kernel(kernel(words)?).probability(true)),
        ),
        notes::notes().learnt(
            "text_substrings",
            "texts by all that can be read in both, with moderated probabilities",
            AnyEstimator::LsSvc(
                LsSvc::default().kernel(kernel("normalise(substring(decay=0.5, min=2, max=5))")?),
            ),
        ),
        notes::notes().learnt(
            "text_gaps",
            "texts by sequences with gaps",
            AnyEstimator::KernelRisk(KernelRisk::default().kernel(kernel(gaps)?)),
        ),
        genes::roles().learnt(
            "text_subsequences",
            "sequences by everything that can be read by leaving letters out",
            svc("normalise(subsequence)")?,
        ),
        genes::roles().learnt(
            "text_mismatches",
            "words that may differ in a letter, and words in their place",
            svc("normalise(mismatch(length=3)) + normalise(weighted_degree(length=4))")?,
        ),
        notes::notes().by_recipe(
            "text_tfidf",
            "a linear machine on weights of words and pairs of them",
            |recipe| {
                let machine = Svc::default().kernel(KernelSpec::linear());
                recipe.wish = Wish::Given(AnyEstimator::Svc(machine.probability(true)));
                let how = TextEncoding {
                    ngrams: 2,
                    least: 2,
                    ..TextEncoding::TFIDF
                };
                recipe.encode.insert("note".to_owned(), how);
            },
        ),
        genes::strengths().learnt(
            "text_numbers",
            "a number per text, with intervals",
            given("normalise(spectrum(length=2, over=bytes))")?,
        ),
    ])
}

fn of_molecules() -> Result<Vec<Case>> {
    Ok(vec![
        molecules::boiling_points().learnt(
            "molecule_subtrees",
            "boiling points by subtrees, with intervals",
            AnyEstimator::LsSvr(
                LsSvr::default()
                    .kernel(kernel("normalise(wl(iterations=2))@smiles + linear@atoms")?)
                    .strength(Strength::Gamma(50.0)),
            ),
        ),
        molecules::families().learnt(
            "molecule_paths",
            "acids by shortest paths",
            svc("normalise(shortest_path)@smiles*rbf(gamma=0.02)@atoms")?,
        ),
    ])
}

fn of_graphs() -> Result<Vec<Case>> {
    Ok(vec![
        graphs::shapes().learnt(
            "graph_subtrees",
            "rings and trees by subtrees without the labels of edges",
            svc("normalise(wl(iterations=3, edges=false))")?,
        ),
        graphs::shapes().learnt(
            "graph_walks",
            "rings and trees by walks",
            svc("normalise(random_walk(decay=0.1, labels=false))")?,
        ),
        graphs::sizes().learnt(
            "graph_numbers",
            "a number per graph by small shapes and paths",
            AnyEstimator::Svr(
                Svr::default()
                    .kernel(kernel(
                        "graphlet(size=3) + 0.1*shortest_path(labels=false)",
                    )?)
                    .c(2.0),
            ),
        ),
    ])
}

fn members() -> Result<Vec<Case>> {
    let ridge = KernelRidge::default().strength(Strength::Lambda(0.2));
    Ok(vec![
        network::teams().learnt(
            "network_diffusion",
            "members of a network by heat along ties",
            AnyEstimator::Svc(
                Svc::default()
                    .kernel(kernel("diffusion(beta=0.5)")?)
                    .c(10.0),
            ),
        ),
        network::teams().learnt(
            "network_circles",
            "members by their circles, with moderated probabilities",
            AnyEstimator::LsSvc(LsSvc::default().kernel(kernel("normalise(neighbourhood)")?)),
        ),
        network::ages().learnt(
            "network_commute",
            "a number per member by the way from one to the other",
            AnyEstimator::KernelRidge(ridge.kernel(kernel("commute")?).intercept(true)),
        ),
        network::ages().learnt(
            "network_laplacian",
            "a number per member by the inverse of a Laplacian",
            AnyEstimator::NuSvr(
                NuSvr::default()
                    .kernel(KernelSpec::named("regularised_laplacian")?)
                    .c(30.0),
            ),
        ),
        network::teams()
            .unlabelled()
            .without(&["team", "age"])
            .learnt(
                "network_novelty",
                "members that are unlike the others",
                AnyEstimator::OneClass(
                    OneClass::default()
                        .kernel(kernel("diffusion(beta=1)")?)
                        .nu(0.3),
                ),
            ),
    ])
}
