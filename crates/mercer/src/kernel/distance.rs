//! Kernels of the Euclidean distance: one way to bind them all.

use mercer_linalg::Epilogue;

use super::additive::Additive;
use super::pairwise::{Pairwise, UNIT};
use super::tiled::{Plan, SINGLE_RADIUS, Tiled, means, norms, roundings};
use super::{BoundKernel, Settings, Value};
use crate::Result;
use crate::data::Records;

/// Largest error of fused f64 tiles that is accepted; beyond it rows are compared one by
/// one, which costs a hundred times as much and has no cancellation.
pub(super) const ACCEPTED_ERROR: f64 = 2e-6;

/// Half the distance from 1 to the next f64.
pub(super) const UNIT_DOUBLE: f64 = f64::EPSILON / 2.0;

/// Largest rate whose square is far from overflow.
pub(super) const LARGEST_RATE: f64 = 1e150;

/// Largest rate whose square f32 holds.
const LARGEST_SINGLE_RATE: f64 = 1e15;

/// What differences are multiplied with before they are squared.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Rates {
    /// The same for every feature.
    One(f64),
    /// One per feature.
    Each(Vec<f64>),
}

impl Rates {
    /// Reads rates from a parameter through a function of each number.
    pub(super) fn of(settings: &Settings, parameter: usize, rate: fn(f64) -> f64) -> Option<Self> {
        // A width of 5e-324 has no finite inverse, and infinity times 0 is no number.
        let rate = |number| rate(number).clamp(f64::MIN_POSITIVE, f64::MAX);
        match settings.value(parameter) {
            Value::Number(number) => Some(Self::One(rate(*number))),
            Value::Numbers(numbers) => Some(Self::Each(numbers.iter().map(|n| rate(*n)).collect())),
            _ => None,
        }
    }

    /// Returns rate and scales: the scales go into the packed rows, the rate into the epilogue.
    pub(super) fn split(&self) -> (f64, Option<&[f64]>) {
        match self {
            Self::One(rate) => (*rate, None),
            Self::Each(rates) => (1.0, Some(rates)),
        }
    }

    /// Returns the rate of a feature.
    pub(super) fn at(&self, feature: usize) -> f64 {
        match self {
            Self::One(rate) => *rate,
            Self::Each(rates) => rates[feature],
        }
    }
}

/// How steep a kernel is as a function of s², the squared distance after the rates.
#[derive(Debug, Clone, Copy)]
pub(super) enum Slope {
    /// |dk/ds²| is at most this.
    Square(f64),
    /// |dk/ds| is at most 1, and |dk/ds²| has no bound near 0.
    Root,
}

/// A kernel of the Euclidean distance.
pub(super) struct Radial<P> {
    /// The family, for errors.
    pub(super) name: &'static str,
    /// The inverse lengths.
    pub(super) rates: Rates,
    /// The fused function, given the rate that is not in the rows.
    pub(super) epilogue: Epilogue,
    /// k as a function of s²; 0 at infinity.
    pub(super) profile: P,
    /// How steep k is.
    pub(super) slope: Slope,
    /// Units of rounding the function itself adds.
    pub(super) extra: f64,
}

impl<P: Fn(f64) -> f64 + Send + Sync + 'static> Radial<P> {
    /// Binds the kernel to rows.
    pub(super) fn bind(self, records: &Records) -> Result<Box<dyn BoundKernel>> {
        let points = &records.features.points;
        let shift = means(points);
        let (rate, scale) = self.rates.split();
        let norms = norms(points, shift.as_deref(), scale);
        let radius = norms.into_iter().fold(0.0, f64::max);
        let reach = (rate * radius).powi(2);
        // Two norms, twice a dot product, their sum, and rounded rows.
        let units = (4.0 * roundings(points) + 20.0) * reach;
        let error = |unit: f64| match self.slope {
            Slope::Square(slope) => (slope * units + 6.0 + self.extra) * unit,
            Slope::Root => (units * unit).sqrt() + (6.0 + self.extra) * unit,
        };
        let fused = error(UNIT_DOUBLE) <= ACCEPTED_ERROR
            && radius <= LARGEST_RATE
            && rate <= LARGEST_RATE
            && scale.is_none_or(|s| s.iter().all(|rate| *rate <= LARGEST_RATE));
        if !fused {
            let (rates, finish) = (self.rates, self.profile);
            let term = move |c, x: f64, z: f64| ((x - z) * rates.at(c)).powi(2);
            let compare = Additive {
                name: self.name,
                term,
                finish,
            };
            return Ok(Box::new(Pairwise::try_new(compare, records)?));
        }
        let single = radius <= SINGLE_RADIUS && rate <= LARGEST_SINGLE_RATE;
        let rounding = if single {
            error(UNIT).min(1.0)
        } else {
            error(UNIT_DOUBLE) + UNIT
        };
        let plan = Plan {
            name: self.name,
            shift,
            scale: scale.map(<[f64]>::to_vec),
            epilogue: self.epilogue,
            single,
            rounding,
            norm_limit: None,
            level: false,
        };
        Ok(Box::new(Tiled::new(plan, records)))
    }
}
