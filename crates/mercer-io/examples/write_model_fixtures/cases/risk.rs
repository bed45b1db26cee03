//! Machines with any convex loss.

use std::collections::BTreeMap;

use mercer::kernel::KernelSpec;
use mercer::learn::AnyEstimator;
use mercer::learn::loss::{KernelRisk, Loss};
use mercer::learn::margin::ClassWeights;
use mercer_io::Result;

use super::kernel;
use crate::case::Case;
use crate::sets::{flowers, points};

pub(super) fn cases() -> Result<Vec<Case>> {
    let machine = |loss: Loss| KernelRisk::default().loss(loss);
    let weights = ClassWeights::Given(BTreeMap::from([("rose".to_owned(), 2.0)]));
    Ok(vec![
        points::points("side").learnt(
            "klr_two_classes",
            "log-odds of two classes",
            AnyEstimator::KernelRisk(machine(Loss::Logistic).kernel(KernelSpec::rbf(0.3))),
        ),
        flowers::kinds().learnt(
            "klr_one_vs_rest",
            "log-odds of three classes, one of them weighing more, without constants",
            AnyEstimator::KernelRisk(
                machine(Loss::Logistic)
                    .kernel(kernel("rbf(gamma=0.1)@[size,weight] + overlap@colour")?)
                    .class_weights(weights)
                    .intercept(false),
            ),
        ),
        points::points("height").learnt(
            "risk_huber",
            "numbers by a loss that outliers do not rule",
            AnyEstimator::KernelRisk(
                machine(Loss::Huber { delta: 0.5 })
                    .kernel(KernelSpec::rbf(0.3))
                    .c(10.0),
            ),
        ),
        points::points("zone").learnt(
            "risk_squared_hinge",
            "three classes by the square of the margin machine's loss",
            AnyEstimator::KernelRisk(machine(Loss::SquaredHinge).kernel(KernelSpec::rbf(0.3))),
        ),
    ])
}
