//! The first model files, whose records tell less than those of the others.

use mercer::kernel::KernelSpec;
use mercer::learn::AnyEstimator;
use mercer::learn::margin::{OneClass, Svc, Svr};
use mercer::model::readout::Scheme;

use crate::case::Case;
use crate::sets::{flowers, sparse};

pub(super) fn cases() -> Vec<Case> {
    let kinds = || flowers::first().target("kind").without(&["price"]);
    let prices = flowers::first().target("price").without(&["kind"]);
    let rest = Svc::default().scheme(Scheme::OneVsRest);
    vec![
        kinds().by_recipe(
            "classifier_probabilities",
            "three classes, everything left open",
            |_| {},
        ),
        prices.learnt(
            "regressor",
            "a tube around numbers",
            AnyEstimator::Svr(Svr::default().kernel(KernelSpec::rbf(0.1)).c(5.0)),
        ),
        flowers::first().without(&["kind", "price"]).learnt(
            "one_class",
            "novelty among rows of several kinds of columns",
            AnyEstimator::OneClass(OneClass::default().nu(0.2)),
        ),
        sparse::first().learnt(
            "sparse",
            "three classes of sparse vectors",
            AnyEstimator::Svc(Svc::default().kernel(KernelSpec::poly(2, 1.0, 0.5))),
        ),
        kinds().learnt(
            "one_vs_rest",
            "a decision and a sigmoid per class",
            AnyEstimator::Svc(rest.probability(true)),
        ),
    ]
}
