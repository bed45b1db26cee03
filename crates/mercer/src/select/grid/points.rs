//! From axes to estimators: every combination of values, and a grid where none was given.

use super::Axis;
use super::axis::Spacing;
use super::tunable::{self, Tunable};
use crate::Result;
use crate::data::Targets;
use crate::kernel::KernelSpec;
use crate::learn::{AnyEstimator, Grid as Values};
use crate::{Error, data};

/// More points than this are a slip of the keyboard.
const MOST_POINTS: usize = 100_000;
/// Kernel parameters that an automatic grid varies at most.
const MOST_OPEN: usize = 2;

/// Axes with the settings they turn.
pub(super) struct Grid {
    pub(super) axes: Vec<Axis>,
    tunables: Vec<Tunable>,
    base: AnyEstimator,
}

impl Grid {
    /// Checks axes against an estimator whose kernel is resolved.
    pub(super) fn try_new(axes: Vec<Axis>, base: AnyEstimator) -> Result<Self> {
        let mut tunables: Vec<Tunable> = Vec::new();
        for axis in &axes {
            let tunable = tunable::find(axis, &base)?;
            if tunables.contains(&tunable) {
                return Err(Error::Conflict {
                    what: format!("`{}` is on the grid twice", axis.name),
                    cure: "give all its values at once".into(),
                });
            }
            tunables.push(tunable);
        }
        let points = axes
            .iter()
            .try_fold(1_usize, |n, a| n.checked_mul(a.values.len()));
        if points.is_none_or(|n| n > MOST_POINTS) {
            let rule = format!("at most {MOST_POINTS} points");
            let found = points.map_or("too large".to_owned(), |n| n.to_string());
            return Err(Error::setting("grid", found, &rule));
        }
        Ok(Self {
            axes,
            tunables,
            base,
        })
    }

    /// Returns every combination of values, the last axis fastest.
    pub(super) fn points(&self) -> Vec<Vec<f64>> {
        product(
            &self
                .axes
                .iter()
                .map(|a| a.values.clone())
                .collect::<Vec<_>>(),
        )
    }

    /// Returns the combinations around a point at half the distance of its neighbours, and adds
    /// their values to the axes.
    pub(super) fn refine(&mut self, best: &[f64]) -> Vec<Vec<f64>> {
        let mut values: Vec<Vec<f64>> = Vec::new();
        for (k, axis) in self.axes.iter_mut().enumerate() {
            let fits = |value: &f64| {
                let mut probe = self.base.clone();
                let whole = !self.tunables[k].is_whole(&self.base) || value.fract() == 0.0;
                whole && self.tunables[k].set(&mut probe, *value).is_ok()
            };
            let around: Vec<f64> = axis.around(best[k]).into_iter().filter(fits).collect();
            axis.values.extend(&around);
            axis.values.sort_by(f64::total_cmp);
            axis.values.dedup();
            values.push(around);
        }
        product(&values)
    }

    /// Returns the kernel parameters on the grid as notes name them, such as "`gamma` of rbf".
    pub(super) fn parameters(&self) -> Vec<String> {
        let families = self.base.kernel().map(KernelSpec::families);
        let families = families.unwrap_or_default();
        let names = self.tunables.iter().filter_map(|tunable| match tunable {
            Tunable::Parameter { base, index } => {
                let family = families[*base];
                let name = family.parameters[*index].name;
                // `sigma` stands for `gamma`.
                let name = family.parameters[*index].instead_of.unwrap_or(name);
                Some(format!("`{name}` of {} is", family.name))
            }
            _ => None,
        });
        names.collect()
    }

    /// Returns the estimator at a point.
    pub(super) fn machine(&self, values: &[f64]) -> Result<AnyEstimator> {
        let mut machine = self.base.clone();
        for (tunable, value) in self.tunables.iter().zip(values) {
            tunable.set(&mut machine, *value)?;
        }
        Ok(machine)
    }

    /// Returns what orders points of equal score: smaller C first, then smoother kernels.
    pub(super) fn roughness(&self, values: &[f64]) -> Vec<f64> {
        let mut pairs: Vec<(u8, f64)> = self
            .tunables
            .iter()
            .zip(values)
            .map(|(tunable, v)| (u8::from(!tunable.is_c()), tunable.roughness(&self.base, *v)))
            .collect();
        pairs.sort_by_key(|(first, _)| *first);
        pairs.into_iter().map(|(_, v)| v).collect()
    }

    /// Returns the key by which estimators of one kernel stand next to each other: everything but
    /// C, then C.
    pub(super) fn order(&self, values: &[f64]) -> Vec<f64> {
        let of = |wanted: bool| {
            let pairs = self.tunables.iter().zip(values);
            pairs
                .filter(move |(k, _)| k.is_c() == wanted)
                .map(|(_, v)| *v)
        };
        of(false).chain(of(true)).collect()
    }
}

fn product(values: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut points = vec![Vec::new()];
    for axis in values {
        points = points
            .iter()
            .flat_map(|point: &Vec<f64>| {
                axis.iter().map(move |v| {
                    let mut longer = point.clone();
                    longer.push(*v);
                    longer
                })
            })
            .collect();
    }
    points
}

/// A grid for what the user left open: the method's own settings, as its table says, and kernel
/// parameters that have no value yet.
pub(super) fn automatic(
    asked: &AnyEstimator,
    resolved: &AnyEstimator,
    targets: &data::Targets,
) -> Result<Vec<Axis>> {
    let mut axes = Vec::new();
    for setting in asked.settings() {
        let name = tunable::axis_name(setting.name);
        // Of settings that say the same thing one is searched.
        let is_said = |axis: &Axis| {
            setting
                .rivals
                .iter()
                .any(|r| tunable::axis_name(r) == axis.name)
        };
        if axes.iter().any(is_said) {
            continue;
        }
        axes.extend(match setting.search.map(|search| search.grid) {
            None | Some(Values::Fixed) => None,
            Some(Values::Linear(low, high, count)) => {
                Some(Axis::range(name, low, high, count, Spacing::Linear)?)
            }
            Some(Values::Log(low, high, count)) => {
                Some(Axis::range(name, low, high, count, Spacing::Log)?)
            }
            Some(Values::Regularisation) => Some(match targets {
                Targets::Real(_) | Targets::Several(_) => {
                    let unit = unit(targets);
                    Axis::range(name, 0.1 * unit, 1000.0 * unit, 5, Spacing::Log)?
                }
                Targets::Classes(_) | Targets::None => {
                    Axis::range(name, 0.01, 10_000.0, 7, Spacing::Log)?
                }
            }),
        });
    }
    let open = tunable::open_parameters(asked, resolved);
    for parameter in open.iter().filter(|p| p.from_data).take(MOST_OPEN) {
        // Two powers of ten to either side of the data's own choice, in half steps.
        let (low, high) = (parameter.value / 100.0, parameter.value * 100.0);
        axes.push(Axis::range(&parameter.name, low, high, 9, Spacing::Log)?);
    }
    for parameter in open.iter().filter(|p| p.whole).take(1) {
        axes.push(Axis::list(&parameter.name, [2.0, 3.0, 4.0])?);
    }
    Ok(axes)
}

/// The power of ten nearest to the standard deviation of real targets.
fn unit(targets: &Targets) -> f64 {
    let Targets::Real(values) = targets else {
        return 1.0;
    };
    let n = values.len().max(1) as f64;
    let mean = values.iter().map(|v| v / n).sum::<f64>();
    let spread = values.iter().map(|v| (v - mean).abs() / n).sum::<f64>();
    if spread > 0.0 && spread.is_finite() {
        10_f64.powf(spread.log10().round())
    } else {
        1.0
    }
}
