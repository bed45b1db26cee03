//! The geometric random-walk kernel: pairs of walks that read the same labels.

use super::counting::graphs;
use super::walks::{Options, Walks};
use crate::data::Records;
use crate::kernel::pairwise::{Compare, Pairwise};
use crate::kernel::{
    Allowed, Chosen, Definiteness, Fallback, Family, Input, Parameter, Rule, Sample, Settings,
};
use crate::{Error, Result};

const DECAY: usize = 0;
const LABELS: usize = 1;

/// Share of the largest decay with a finite sum that is taken where none is given: new graphs
/// with somewhat larger hubs still have one.
const SAFE_SHARE: f64 = 0.5;

/// The random-walk family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "random_walk",
    summary: "walks through two graphs that meet the same labels, long ones for less",
    formula: "Σ over pairs of equal walks: decay^length",
    parameters: &[
        Parameter {
            name: "decay",
            meaning: "what one more step counts",
            allowed: Allowed::Number(Rule::Positive),
            fallback: Fallback::Data(safe_decay),
            default: "half of what keeps the sum finite",
            instead_of: None,
        },
        Parameter {
            name: "labels",
            meaning: "`false` leaves all labels out",
            allowed: Allowed::Flag,
            fallback: Fallback::Flag(true),
            default: "true",
            instead_of: None,
        },
    ],
    parameter_kind: "parameter of `random_walk`",
    input: Input::Graphs,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |settings, records| {
        let radii = radii_of(records)?;
        let largest = radii.iter().copied().fold(0.0, f64::max);
        match settings.number(DECAY) {
            Some(decay) => refuse_divergent(decay, largest, &radii),
            None => Ok(()),
        }
    },
    bind: |settings, records| {
        Ok(Box::new(Pairwise::try_new(
            RandomWalk::new(settings),
            records,
        )?))
    },
};

fn radii_of(records: &Records) -> Result<Vec<f64>> {
    let graphs = graphs("random_walk", records)?;
    Ok(graphs.iter().map(|g| super::radius::radius(g)).collect())
}

fn safe_decay(_: &Settings, sample: &Sample<'_>) -> Result<Chosen> {
    let largest = radii_of(sample.records)?.into_iter().fold(0.0, f64::max);
    Ok(Chosen {
        number: SAFE_SHARE / (largest * largest).max(1.0),
        why: format!(
            "half of one over the square of {largest:.4}, the largest adjacency eigenvalue at most"
        ),
    })
}

/// Refuses rows whose walks have no finite sum with a row of this radius.
fn refuse_divergent(decay: f64, largest: f64, radii: &[f64]) -> Result<()> {
    match radii
        .iter()
        .position(|radius| decay * radius * largest >= 1.0)
    {
        None => Ok(()),
        Some(row) => Err(Error::Kernel {
            kernel: "random_walk".to_owned(),
            problem: format!(
                "with decay {decay} the walks of row {} have no finite sum: its adjacency has an eigenvalue of up to {:.4}",
                row + 1,
                radii[row]
            ),
            cure: format!("give a decay below {:.3e}", 1.0 / (radii[row] * largest)).into(),
        }),
    }
}

struct RandomWalk {
    decay: f64,
    options: Options,
}

impl RandomWalk {
    fn new(settings: &Settings) -> Self {
        let labels = settings.flag(LABELS);
        Self {
            decay: settings.number(DECAY).unwrap_or(0.0),
            options: Options {
                vertices: labels,
                edges: labels,
            },
        }
    }
}

impl Compare for RandomWalk {
    type Rows = Vec<Walks>;

    fn take(&self, records: &Records) -> Result<Vec<Walks>> {
        let graphs = graphs("random_walk", records)?;
        Ok(graphs.iter().map(|g| Walks::new(g, self.options)).collect())
    }

    fn matches(&self, bound: &Vec<Walks>, new: &Vec<Walks>) -> Result<()> {
        let bound = bound.iter().map(Walks::radius).fold(0.0, f64::max);
        let radii: Vec<f64> = new.iter().map(Walks::radius).collect();
        let own = radii.iter().copied().fold(bound, f64::max);
        refuse_divergent(self.decay, own, &radii)
    }

    fn value(&self, left: &Vec<Walks>, i: usize, right: &Vec<Walks>, j: usize) -> f64 {
        // Rows are admitted and new ones matched, so that the sum is finite.
        left[i]
            .value(&right[j], self.decay)
            .unwrap_or(f64::INFINITY)
    }

    fn cost(&self, _rows: &Vec<Walks>) -> usize {
        // A graph of 20 vertices takes some ten thousand products.
        10_000
    }
}
