//! Equal rows, which are one support vector, and what came to files with them: factors of classes,
//! words for truth values, columns of one value.

use mercer::data::Scaling;
use mercer::kernel::KernelSpec;
use mercer::learn::AnyEstimator;
use mercer::learn::least_squares::{LsSvc, Strength};
use mercer::learn::margin::{ClassWeights, Svc};
use mercer::recipe::{Recipe, Wish};

use crate::case::Case;
use crate::sets::stalls;

pub(super) fn cases() -> Vec<Case> {
    let factors = || ClassWeights::Given([("full".to_owned(), 3.0)].into());
    let kernel = || KernelSpec::rbf(0.2);
    let by = |estimator: AnyEstimator| {
        move |recipe: &mut Recipe| {
            recipe.wish = Wish::Given(estimator);
            recipe.scaling = Some(Scaling::Standard);
        }
    };
    vec![
        stalls::moods().by_recipe(
            "svc_copies",
            "rows that come twice, words for truth values, a column of one value",
            by(AnyEstimator::Svc(Svc::default().kernel(kernel()).c(2.0))),
        ),
        stalls::weighted().by_recipe(
            "svc_weighted_copies",
            "rows that come twice with weights, factors of classes, probabilities",
            by(AnyEstimator::Svc(
                Svc::default()
                    .kernel(kernel())
                    .class_weights(factors())
                    .probability(true),
            )),
        ),
        stalls::weighted().by_recipe(
            "lssvm_weighted_copies",
            "the same by least squares, whose rows share by weight",
            by(AnyEstimator::LsSvc(
                LsSvc::default()
                    .kernel(kernel())
                    .strength(Strength::Gamma(4.0))
                    .class_weights(factors())
                    .probability(true),
            )),
        ),
    ]
}
