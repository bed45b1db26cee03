//! Machines with the squared loss: they know how sure they are.

use mercer::data::Scaling;
use mercer::kernel::KernelSpec;
use mercer::learn::AnyEstimator;
use mercer::learn::least_squares::{KernelRidge, LsSvc, LsSvr, Strength};
use mercer::learn::margin::ClassWeights;
use mercer::model::readout::Scheme;
use mercer::recipe::Wish;
use mercer_io::Result;

use super::kernel;
use crate::case::Case;
use crate::sets::{flowers, points, sparse};

pub(super) fn cases() -> Result<Vec<Case>> {
    let mut cases = classes();
    cases.extend(numbers()?);
    cases.extend(ridge()?);
    Ok(cases)
}

fn classes() -> Vec<Case> {
    let machine = || LsSvc::default().kernel(KernelSpec::rbf(0.2));
    vec![
        points::points("side").learnt(
            "lssvm_two_classes",
            "two classes with a posterior and moderated probabilities",
            AnyEstimator::LsSvc(machine()),
        ),
        points::points("zone").learnt(
            "lssvm_one_vs_one",
            "a system per pair of classes",
            AnyEstimator::LsSvc(machine().scheme(Scheme::OneVsOne)),
        ),
        flowers::kinds().by_recipe(
            "lssvm_one_vs_rest",
            "one factor for three classes, balanced, with a posterior",
            |recipe| {
                let balanced = LsSvc::default().class_weights(ClassWeights::Balanced);
                recipe.wish = Wish::Given(AnyEstimator::LsSvc(balanced));
                recipe.scaling = Some(Scaling::Standard);
            },
        ),
        points::points("zone").learnt(
            "lssvm_pruned",
            "half of the rows kept, and therefore no posterior",
            AnyEstimator::LsSvc(machine().keep(Some(0.5))),
        ),
        sparse::labels().learnt(
            "lssvm_sparse",
            "sparse vectors with a posterior, decisions only",
            AnyEstimator::LsSvc(machine().strength(Strength::Gamma(2.0)).probability(false)),
        ),
    ]
}

fn numbers() -> Result<Vec<Case>> {
    Ok(vec![
        points::points("height").learnt(
            "lssvm_numbers",
            "numbers with the intervals of a posterior",
            AnyEstimator::LsSvr(LsSvr::default().kernel(KernelSpec::rbf(0.2))),
        ),
        points::weighted("height").learnt(
            "lssvm_row_weights",
            "a posterior of rows that count as copies",
            AnyEstimator::LsSvr(LsSvr::default().strength(Strength::Gamma(5.0))),
        ),
        points::points("height").learnt(
            "lssvm_numbers_pruned",
            "half of the rows kept, and therefore no intervals",
            AnyEstimator::LsSvr(
                LsSvr::default()
                    .kernel(KernelSpec::rbf(0.2))
                    .keep(Some(0.5)),
            ),
        ),
        points::points("depth").learnt(
            "gp",
            "a Gaussian process with a length per column",
            AnyEstimator::LsSvr(LsSvr::default().kernel(kernel("matern(nu=2.5, length=[3,3,1])")?)),
        ),
    ])
}

fn ridge() -> Result<Vec<Case>> {
    Ok(vec![
        flowers::prices().learnt(
            "krr",
            "ridge without a constant",
            AnyEstimator::KernelRidge(
                KernelRidge::default()
                    .kernel(kernel("rbf(gamma=0.05)")?)
                    .strength(Strength::Lambda(0.1)),
            ),
        ),
        points::points("depth").learnt(
            "krr_linear",
            "weights of columns with a constant, the penalty by leave-one-out",
            AnyEstimator::KernelRidge(
                KernelRidge::default()
                    .kernel(KernelSpec::linear())
                    .strength(Strength::LeaveOneOut)
                    .intercept(true),
            ),
        ),
        points::points("depth").learnt(
            "krr_primal",
            "a linear kernel solved for its weights, which leaves no posterior",
            AnyEstimator::KernelRidge(
                KernelRidge::default()
                    .kernel(KernelSpec::linear())
                    .strength(Strength::Lambda(0.5)),
            ),
        ),
        points::points("height").learnt(
            "krr_basis",
            "kernels as mere basis functions",
            AnyEstimator::KernelRidge(
                KernelRidge::default()
                    .kernel(KernelSpec::rbf(0.5))
                    .strength(Strength::Lambda(0.5))
                    .basis(true),
            ),
        ),
        sparse::labels().by_recipe(
            "krr_sparse",
            "labels of sparse vectors as numbers",
            |recipe| {
                let machine = KernelRidge::default()
                    .strength(Strength::Gcv)
                    .intercept(true);
                recipe.wish = Wish::Given(AnyEstimator::KernelRidge(machine));
                recipe.scaling = Some(Scaling::None);
            },
        ),
    ])
}
