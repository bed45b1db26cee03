//! The kernel families as steps of a graph.

use mercer::hint::{Act, Hint, Word};
use mercer::kernel::{Family, Settings, Value};
use mercer_linalg::Matrix;

use super::distance::{Rates, Slope, absolute, spread, squared};
use super::graph::{Builder, Wire};
use super::product::{product, scale};
use super::refusal::refuse;
use super::sides::{Side, Sides, View};
use crate::{Error, Result};

/// Beyond this a power loses more than six digits, and the logarithm's series is exact enough.
const LARGEST_POWER: f64 = 1e6;
/// Distances from which on the Matérn kernels are 0; infinity times 0 is no number.
const FARTHEST: f64 = 1e3;

/// One kernel of a family between new rows and support vectors.
pub(super) struct Base<'a> {
    pub(super) family: &'static Family,
    pub(super) settings: &'a Settings,
    pub(super) view: &'a View,
}

/// Returns a message for a family that no graph expresses.
fn unknown(family: &Family) -> Error {
    let cure = match family.name {
        "precomputed" => "fit with a kernel of the columns themselves, such as `rbf`".into(),
        _ => Hint::from("fit with a kernel of numbers or categories; ")
            .word(Word::Act(Act::ListKernels)),
    };
    refuse(&format!("the kernel `{}`", family.name), cure)
}

impl Base<'_> {
    fn number(&self, name: &str) -> Result<f64> {
        let found = self.settings.number(self.family.parameter(name)?);
        found.ok_or_else(|| {
            let text = format!("`{name}` of {} is not one number", self.family.name);
            mercer::Error::model(text).into()
        })
    }

    fn rates(&self, name: &str, rate: fn(f64) -> f64) -> Result<Option<Rates>> {
        let parameter = self.family.parameter(name)?;
        Ok(Rates::of(self.settings, parameter, rate))
    }

    fn required_rates(&self, name: &str, rate: fn(f64) -> f64) -> Result<Rates> {
        self.rates(name, rate)?.ok_or_else(|| {
            let text = format!("`{name}` of {} is not given", self.family.name);
            mercer::Error::model(text).into()
        })
    }

    /// Returns the kernel's values, \[N, count\].
    pub(super) fn values(&self, graph: &mut Builder, sides: &Sides) -> Result<Wire> {
        if self.family.name == "overlap" && !self.view.codes.is_empty() {
            return self.equal_codes(graph, sides.count(), |graph, column| {
                let new = sides.codes_of(graph, column, Side::New);
                let support = sides.support_codes(graph, column);
                graph.step("Equal", [&new, &support])
            });
        }
        let support = sides.support_of(self.view);
        let known = [
            "linear",
            "poly",
            "sigmoid",
            "cosine",
            "rbf",
            "laplace",
            "matern",
            "rq",
            "chi2",
            "spline",
            "bent_spline",
            "overlap",
        ];
        if !known.contains(&self.family.name) {
            return Err(unknown(self.family));
        }
        let rows = sides.rows_of(graph, self.view, Side::New)?;
        match self.family.name {
            "cosine" => Ok(cosine(graph, &rows, &support)),
            "rbf" => {
                let rates = match self.rates("gamma", f64::sqrt)? {
                    Some(rates) => rates,
                    None => self
                        .required_rates("sigma", |sigma| std::f64::consts::FRAC_1_SQRT_2 / sigma)?,
                };
                let square = squared(graph, &rows, &support, &rates, Slope::Square(1.0));
                Ok(decay(graph, &square))
            }
            "laplace" => {
                let rates = self.required_rates("scale", f64::recip)?;
                let sum = absolute(graph, &rows, &support, &rates);
                Ok(decay(graph, &sum))
            }
            "matern" => self.matern(graph, &rows, &support),
            "rq" => self.rational_quadratic(graph, &rows, &support),
            "chi2" => {
                let gamma = graph.number(self.number("gamma")?);
                let sum = chi2(graph, &rows, &support);
                let sum = graph.step("Mul", [&sum, &gamma]);
                Ok(decay(graph, &sum))
            }
            "spline" => Ok(spline(graph, &rows, &support, false)),
            "bent_spline" => Ok(spline(graph, &rows, &support, true)),
            "overlap" => {
                let [rows, others] = spread(graph, &rows, &support);
                let equal = graph.step("Equal", [&rows, &others]);
                let equal = graph.indicator(&equal);
                let weights = graph.row(self.weights(support.columns()));
                let counted = graph.step("Mul", [&equal, &weights]);
                Ok(graph.sum(&counted, 2, false))
            }
            _ => {
                // The factor of the dot product goes into the constant.
                let factor = self.factor()?;
                let across = Matrix::from_fn(support.columns(), support.rows(), |i, j| {
                    factor * support[(j, i)]
                });
                let dots = product(graph, &rows, &across);
                self.of_product(graph, &dots)
            }
        }
    }

    /// Returns k(x, x) of the rows of a side: \[rows, 1\], or one number for all.
    pub(super) fn diagonal(&self, graph: &mut Builder, sides: &Sides, side: Side) -> Result<Wire> {
        match self.family.name {
            "rbf" | "laplace" | "matern" | "rq" | "chi2" => Ok(graph.number(1.0)),
            "linear" | "poly" | "sigmoid" => {
                let rows = sides.rows_of(graph, self.view, side)?;
                let squares = graph.reduce("ReduceSumSquare", &rows, 1, true);
                let scaled = affine(graph, &squares, self.factor()?, 0.0);
                self.of_product(graph, &scaled)
            }
            "cosine" => {
                let rows = sides.rows_of(graph, self.view, side)?;
                let size = graph.step("Abs", [&rows]);
                let size = graph.reduce("ReduceMax", &size, 1, true);
                let zero = graph.number(0.0);
                let some = graph.step("Greater", [&size, &zero]);
                Ok(graph.indicator(&some))
            }
            "spline" => {
                let rows = sides.rows_of(graph, self.view, side)?;
                // 1 + x² + x³/3: both values are the same.
                let (one, third) = (graph.number(1.0), graph.number(1.0 / 3.0));
                let square = graph.step("Mul", [&rows, &rows]);
                let slope = graph.step("Mul", [&rows, &third]);
                let slope = graph.step("Add", [&slope, &one]);
                let factor = graph.step("Mul", [&square, &slope]);
                let factor = graph.step("Add", [&factor, &one]);
                Ok(graph.reduce("ReduceProd", &factor, 1, true))
            }
            "bent_spline" => {
                let rows = sides.rows_of(graph, self.view, side)?;
                let third = graph.number(1.0 / 3.0);
                let square = graph.step("Mul", [&rows, &rows]);
                let cube = graph.step("Mul", [&square, &rows]);
                let factor = graph.step("Mul", [&cube, &third]);
                Ok(graph.reduce("ReduceProd", &factor, 1, true))
            }
            "overlap" if self.view.codes.is_empty() => {
                let sum = self.weights(self.view.features.len()).iter().sum();
                Ok(graph.number(sum))
            }
            "overlap" => self.equal_codes(graph, 1, |graph, column| {
                let codes = sides.codes_of(graph, column, side);
                let zero = graph.integer(0);
                graph.step("GreaterOrEqual", [&codes, &zero])
            }),
            _ => Err(unknown(self.family)),
        }
    }

    fn is_logistic(&self) -> Result<bool> {
        let form = self.family.parameter("form")?;
        Ok(self.settings.is_word(form, "logistic"))
    }

    /// What a kernel of the dot product multiplies it with.
    fn factor(&self) -> Result<f64> {
        match self.family.name {
            "sigmoid" if self.is_logistic()? => Ok(0.5 * self.number("scale")?),
            "poly" | "sigmoid" => self.number("scale"),
            _ => Ok(1.0),
        }
    }

    /// The kernels of the dot product as functions of it, once multiplied with the factor.
    fn of_product(&self, graph: &mut Builder, dots: &Wire) -> Result<Wire> {
        match self.family.name {
            "poly" => {
                let base = affine(graph, dots, 1.0, self.number("offset")?);
                Ok(power(graph, &base, self.number("degree")?))
            }
            "sigmoid" => {
                let logistic = self.is_logistic()?;
                let half = if logistic { 0.5 } else { 1.0 };
                let inner = affine(graph, dots, 1.0, half * self.number("offset")?);
                let tanh = graph.step("Tanh", [&inner]);
                Ok(if logistic {
                    affine(graph, &tanh, 0.5, 0.5)
                } else {
                    tanh
                })
            }
            _ => Ok(dots.clone()),
        }
    }

    fn matern(&self, graph: &mut Builder, rows: &Wire, support: &Matrix<f64>) -> Result<Wire> {
        let rates = self.required_rates("length", f64::recip)?;
        let twice = (2.0 * self.number("nu")?) as u8;
        let slope = match twice {
            1 => Slope::Root,
            3 => Slope::Square(1.5),
            _ => Slope::Square(5.0 / 6.0),
        };
        let square = squared(graph, rows, support, &rates, slope);
        let s = graph.step("Sqrt", [&square]);
        let farthest = graph.number(FARTHEST);
        let s = graph.step("Min", [&s, &farthest]);
        let t = affine(graph, &s, f64::from(twice).sqrt(), 0.0);
        let fall = decay(graph, &t);
        let polynomial = match twice {
            1 => return Ok(fall),
            3 => affine(graph, &t, 1.0, 1.0),
            _ => {
                // 1 + t·(1 + t/3).
                let inner = affine(graph, &t, 1.0 / 3.0, 1.0);
                let inner = graph.step("Mul", [&t, &inner]);
                affine(graph, &inner, 1.0, 1.0)
            }
        };
        Ok(graph.step("Mul", [&polynomial, &fall]))
    }

    fn rational_quadratic(
        &self,
        graph: &mut Builder,
        rows: &Wire,
        support: &Matrix<f64>,
    ) -> Result<Wire> {
        let rates = self.required_rates("length", f64::recip)?;
        let alpha = self.number("alpha")?;
        let square = squared(graph, rows, support, &rates, Slope::Square(0.5));
        let (two, alpha_wire) = (graph.number(2.0), graph.number(alpha));
        let half = graph.step("Div", [&square, &two]);
        let share = graph.step("Div", [&half, &alpha_wire]);
        if alpha <= LARGEST_POWER {
            let largest = graph.number(f64::MAX);
            let share = graph.step("Min", [&share, &largest]);
            let base = affine(graph, &share, 1.0, 1.0);
            let exponent = graph.number(-alpha);
            return Ok(graph.step("Pow", [&base, &exponent]));
        }
        // ln(1 + t) = t·(1 − t/2 + t²/3 − …); where t is not tiny the value is 0.
        let inner = affine(graph, &share, 1.0 / 3.0, -0.5);
        let inner = graph.step("Mul", [&share, &inner]);
        let inner = affine(graph, &inner, 1.0, 1.0);
        let logarithm = graph.step("Mul", [&half, &inner]);
        Ok(decay(graph, &logarithm))
    }

    /// The weights of `overlap`, divided by their sum where it asks for shares.
    fn weights(&self, width: usize) -> Vec<f64> {
        let parameter = |name| self.family.parameter(name).unwrap_or(usize::MAX);
        let mut weights = match self.settings.value(parameter("weights")) {
            Value::Numbers(weights) => weights.clone(),
            _ => vec![1.0; width],
        };
        if self.settings.flag(parameter("share")) {
            let sum: f64 = weights.iter().sum();
            for weight in &mut weights {
                *weight /= sum;
            }
        }
        weights
    }

    /// Adds up the weights of the code columns for which a condition holds, in a block of
    /// some columns.
    fn equal_codes(
        &self,
        graph: &mut Builder,
        columns: usize,
        condition: impl Fn(&mut Builder, usize) -> Wire,
    ) -> Result<Wire> {
        let weights = self.weights(self.view.codes.len());
        let mut total: Option<Wire> = None;
        for (column, weight) in self.view.codes.iter().zip(weights) {
            let holds = condition(graph, *column);
            let counted = graph.indicator(&holds);
            let counted = scale(graph, &counted, weight, columns);
            total = Some(match total {
                None => counted,
                Some(total) => graph.step("Add", [&total, &counted]),
            });
        }
        total.ok_or_else(|| mercer::Error::model("`overlap` has no column").into())
    }
}

/// factor·value + offset, without the parts that change nothing.
pub(super) fn affine(graph: &mut Builder, value: &Wire, factor: f64, offset: f64) -> Wire {
    let mut value = value.clone();
    if factor != 1.0 {
        let factor = graph.number(factor);
        value = graph.step("Mul", [&value, &factor]);
    }
    if offset != 0.0 {
        let offset = graph.number(offset);
        value = graph.step("Add", [&value, &offset]);
    }
    value
}

/// A whole power.
pub(super) fn power(graph: &mut Builder, value: &Wire, exponent: f64) -> Wire {
    if exponent == 1.0 {
        return value.clone();
    }
    let exponent = graph.number(exponent);
    graph.step("Pow", [value, &exponent])
}

/// exp(−value).
fn decay(graph: &mut Builder, value: &Wire) -> Wire {
    let negative = graph.step("Neg", [value]);
    graph.step("Exp", [&negative])
}

/// ⟨x, z⟩/(‖x‖·‖z‖), 0 where a row is 0.
fn cosine(graph: &mut Builder, rows: &Wire, support: &Matrix<f64>) -> Wire {
    let zero = graph.number(0.0);
    let one = graph.number(1.0);
    // Rows of any size have an angle: the largest entry becomes 1 before squares are taken.
    let size = graph.step("Abs", [rows]);
    let size = graph.reduce("ReduceMax", &size, 1, true);
    let level = divide_by(graph, rows, &size, [&zero, &one]);
    let norm = graph.reduce("ReduceSumSquare", &level, 1, true);
    let norm = graph.step("Sqrt", [&norm]);
    let unit = divide_by(graph, &level, &norm, [&zero, &one]);
    let mut others = support.clone();
    for i in 0..others.rows() {
        let row = others.row_mut(i);
        divide_all(row, row.iter().fold(0.0, |m, v| v.abs().max(m)));
        divide_all(row, row.iter().map(|v| v * v).sum::<f64>().sqrt());
    }
    product(graph, &unit, &others.transposed())
}

/// Divides every value, unless by 0.
fn divide_all(values: &mut [f64], by: f64) {
    if by > 0.0 {
        for value in values {
            *value /= by;
        }
    }
}

/// value/by, and value itself where `by` is 0.
fn divide_by(graph: &mut Builder, value: &Wire, by: &Wire, [zero, one]: [&Wire; 2]) -> Wire {
    let some = graph.step("Greater", [by, zero]);
    let by = graph.step("Where", [&some, by, one]);
    graph.step("Div", [value, &by])
}

/// Σ (x − z)²/(x + z) over columns with a positive sum.
fn chi2(graph: &mut Builder, rows: &Wire, support: &Matrix<f64>) -> Wire {
    let [rows, support] = spread(graph, rows, support);
    let gap = graph.step("Sub", [&rows, &support]);
    let sum = graph.step("Add", [&rows, &support]);
    let (zero, one) = (graph.number(0.0), graph.number(1.0));
    let counts = graph.step("Greater", [&sum, &zero]);
    let divisor = graph.step("Where", [&counts, &sum, &one]);
    let share = graph.step("Div", [&gap, &divisor]);
    let term = graph.step("Mul", [&gap, &share]);
    let term = graph.step("Where", [&counts, &term, &zero]);
    graph.sum(&term, 2, false)
}

/// Π (1 + xz + min²·(3·max − min)/6).
/// Products over the columns of 1 + xz + min²(3max − min)/6, or of the last term alone.
fn spline(graph: &mut Builder, rows: &Wire, support: &Matrix<f64>, bent: bool) -> Wire {
    let [rows, support] = spread(graph, rows, support);
    let low = graph.step("Min", [&rows, &support]);
    let high = graph.step("Max", [&rows, &support]);
    let high = affine(graph, &high, 3.0, 0.0);
    let gap = graph.step("Sub", [&high, &low]);
    let square = graph.step("Mul", [&low, &low]);
    let bend = graph.step("Mul", [&square, &gap]);
    if bent {
        let bend = affine(graph, &bend, 1.0 / 6.0, 0.0);
        return graph.reduce("ReduceProd", &bend, 2, false);
    }
    let bend = affine(graph, &bend, 1.0 / 6.0, 1.0);
    let product = graph.step("Mul", [&rows, &support]);
    let factor = graph.step("Add", [&product, &bend]);
    graph.reduce("ReduceProd", &factor, 2, false)
}
