//! Machines with a margin.

use std::collections::BTreeMap;

use mercer::data::Scaling;
use mercer::kernel::KernelSpec;
use mercer::learn::AnyEstimator;
use mercer::learn::margin::{Bias, ClassWeights, NuSvc, NuSvr, OneClass, Svc, Svr};
use mercer::model::readout::Scheme;
use mercer::recipe::Wish;
use mercer_io::Result;

use super::kernel;
use crate::case::Case;
use crate::sets::{flowers, points, shops, sparse};

pub(super) fn cases() -> Result<Vec<Case>> {
    let mut cases = classes()?;
    cases.extend(numbers()?);
    cases.extend(novelty());
    Ok(cases)
}

fn classes() -> Result<Vec<Case>> {
    let svc = |machine: Svc| AnyEstimator::Svc(machine);
    let weights = [("far", 3.0), ("near", 0.5)].map(|(label, w)| (label.to_owned(), w));
    let weights = ClassWeights::Given(BTreeMap::from(weights));
    Ok(vec![
        points::many_points("zone").learnt(
            "svc_one_vs_one",
            "three classes, asked about more rows than a block has",
            svc(Svc::default().kernel(KernelSpec::rbf(0.3)).c(4.0)),
        ),
        points::points("side").learnt(
            "svc_hard_margin",
            "two classes that a plane divides, and no row inside the margin",
            svc(Svc::default().kernel(KernelSpec::linear()).hard()),
        ),
        points::points("side").learnt(
            "svc_two_classes",
            "two classes without probabilities",
            svc(Svc::default().kernel(KernelSpec::rbf(0.5)).c(10.0)),
        ),
        points::points("side").learnt(
            "svc_platt",
            "two classes with a sigmoid of left-out decisions",
            svc(Svc::default()
                .kernel(KernelSpec::rbf(0.2))
                .probability(true)),
        ),
        points::points("side").learnt(
            "svc_no_bias",
            "a decision without a constant",
            svc(Svc::default()
                .kernel(KernelSpec::poly(3, 1.0, 0.2))
                .bias(Bias::None)),
        ),
        points::points("zone").learnt(
            "svc_regularised_bias",
            "constants that are paid for, one decision per class",
            svc(Svc::default()
                .kernel(KernelSpec::laplace(1.5))
                .bias(Bias::Regularised)
                .scheme(Scheme::OneVsRest)),
        ),
        points::points("zone").learnt(
            "svc_class_weights",
            "classes of unequal weight, with coupled probabilities",
            svc(Svc::default().class_weights(weights).probability(true)),
        ),
        points::weighted("side").by_recipe(
            "svc_row_weights",
            "rows that count as copies, a column of names, the second label as the positive one",
            |recipe| {
                let machine = Svc::default().lambda(0.01);
                let balanced = machine.class_weights(ClassWeights::Balanced);
                recipe.wish = Wish::Given(AnyEstimator::Svc(balanced));
                recipe.scaling = Some(Scaling::MinMax {
                    low: -1.0,
                    high: 1.0,
                });
                recipe.positive = Some("right".to_owned());
            },
        ),
        shops::moods().by_recipe(
            "svc_dates",
            "dates, names, truth values and numbers with gaps in all, standardised",
            |recipe| {
                recipe.wish = Wish::Given(AnyEstimator::Svc(Svc::default().probability(true)));
                recipe.scaling = Some(Scaling::Standard);
            },
        ),
        flowers::kinds().learnt(
            "svc_categories",
            "categories compared as such, and an unseen one",
            svc(Svc::default().kernel(kernel("overlap(share=true) + 0.2*linear@size")?)),
        ),
        points::points("side").learnt(
            "nu_svc_two_classes",
            "a share of margin errors, two classes",
            AnyEstimator::NuSvc(NuSvc::default().nu(0.3).kernel(KernelSpec::rbf(0.4))),
        ),
        flowers::kinds().learnt(
            "nu_svc_one_vs_one",
            "a share of margin errors, three classes with probabilities",
            AnyEstimator::NuSvc(NuSvc::default().nu(0.2).probability(true)),
        ),
        sparse::labels().by_recipe(
            "svc_sparse_scaled",
            "sparse vectors brought to one scale, with probabilities",
            |recipe| {
                let machine = Svc::default().kernel(KernelSpec::rbf_auto());
                recipe.wish = Wish::Given(AnyEstimator::Svc(machine.probability(true)));
                recipe.scaling = Some(Scaling::Standard);
            },
        ),
    ])
}

fn numbers() -> Result<Vec<Case>> {
    Ok(vec![
        shops::visitors().by_recipe("svr_dates", "numbers by date", |recipe| {
            recipe.wish = Wish::Given(AnyEstimator::Svr(Svr::default().c(50.0).epsilon(2.0)));
            recipe.scaling = Some(Scaling::Standard);
        }),
        points::points("height").learnt(
            "svr_no_bias",
            "a tube without a constant",
            AnyEstimator::Svr(
                Svr::default()
                    .kernel(KernelSpec::matern(1.5, 2.0))
                    .c(20.0)
                    .epsilon(0.2)
                    .bias(Bias::None),
            ),
        ),
        points::weighted("height").learnt(
            "svr_row_weights",
            "a tube around rows that count as copies, its constant paid for",
            AnyEstimator::Svr(
                Svr::default()
                    .kernel(kernel("sigmoid(scale=0.05, offset=0.1)")?)
                    .c(5.0)
                    .epsilon(0.3)
                    .bias(Bias::Regularised),
            ),
        ),
        flowers::prices().learnt(
            "nu_svr",
            "a tube as wide as a share of rows asks",
            AnyEstimator::NuSvr(
                NuSvr::default()
                    .kernel(KernelSpec::rational_quadratic(1.0, 3.0))
                    .c(10.0)
                    .nu(0.4),
            ),
        ),
    ])
}

fn novelty() -> Vec<Case> {
    vec![sparse::vectors().learnt(
        "one_class_sparse",
        "novelty among sparse vectors",
        AnyEstimator::OneClass(OneClass::default().nu(0.3).kernel(KernelSpec::rbf(0.8))),
    )]
}
