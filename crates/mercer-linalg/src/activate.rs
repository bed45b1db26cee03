//! Passes over the gates and weights of networks, compiled for every instruction set.
//!
//! On one machine type the result of an element depends on its values alone, never on its position.

use crate::simd::{Kernel, Simd, dispatch};

struct Sigmoid<'a>(&'a mut [f64]);

impl Kernel for Sigmoid<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        for value in self.0 {
            *value = 1.0 / (1.0 + S::exp(-*value));
        }
    }
}

struct Rectify<'a>(&'a mut [f64]);

impl Kernel for Rectify<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        for value in self.0 {
            // NaN stays what it is.
            *value = if *value < 0.0 { 0.0 } else { *value };
        }
    }
}

/// Which slope of a gate a pass multiplies by, as a function of the gate's output `a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateSlope {
    /// a (1 − a).
    Sigmoid,
    /// 1 − a².
    Tanh,
    /// 1 where a > 0, and 0 elsewhere.
    Rectifier,
}

struct TimesSlope<'a> {
    slope: GateSlope,
    outputs: &'a [f64],
    values: &'a mut [f64],
}

impl Kernel for TimesSlope<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let pairs = self.values.iter_mut().zip(self.outputs);
        match self.slope {
            GateSlope::Sigmoid => pairs.for_each(|(v, a)| *v *= a * (1.0 - a)),
            GateSlope::Tanh => pairs.for_each(|(v, a)| *v *= 1.0 - a * a),
            GateSlope::Rectifier => pairs.for_each(|(v, a)| *v = if *a > 0.0 { *v } else { 0.0 }),
        }
    }
}

/// The numbers of a step with running moments of the gradient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MomentStep {
    /// Length of the step, with the correction of both moments in it.
    pub length: f64,
    /// Share of the first moment that is kept.
    pub first: f64,
    /// Share of the second moment that is kept.
    pub second: f64,
    /// Added to the root of the second moment.
    pub epsilon: f64,
}

struct Moments<'a> {
    step: MomentStep,
    gradient: &'a [f64],
    first: &'a mut [f64],
    second: &'a mut [f64],
    values: &'a mut [f64],
}

impl Kernel for Moments<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let MomentStep {
            length,
            first,
            second,
            epsilon,
        } = self.step;
        let moments = self.first.iter_mut().zip(self.second);
        for ((value, g), (m, v)) in self.values.iter_mut().zip(self.gradient).zip(moments) {
            *m = first * *m + (1.0 - first) * g;
            *v = second * *v + (1.0 - second) * (g * g);
            *value -= length * *m / (v.sqrt() + epsilon);
        }
    }
}

/// Replaces every value x by 1/(1 + exp(−x)); NaN gives NaN.
///
/// # Examples
///
/// ```
/// let mut values = [0.0, f64::INFINITY, -800.0];
/// mercer_linalg::sigmoid_in_place(&mut values);
/// assert_eq!(values, [0.5, 1.0, 0.0]);
/// ```
pub fn sigmoid_in_place(values: &mut [f64]) {
    dispatch(Sigmoid(values));
}

/// Replaces values below zero by zero; NaN gives NaN.
pub fn rectify_in_place(values: &mut [f64]) {
    dispatch(Rectify(values));
}

/// Multiplies every value by the slope of a gate that has given `outputs`.
///
/// # Panics
/// When the lengths differ.
pub fn times_gate_slope(slope: GateSlope, outputs: &[f64], values: &mut [f64]) {
    assert_eq!(outputs.len(), values.len(), "an output for every value");
    dispatch(TimesSlope {
        slope,
        outputs,
        values,
    });
}

/// Moves values against a gradient, by running moments of it (Kingma and Ba, Adam, 2015).
///
/// m ← βm + (1 − β)g, v ← γv + (1 − γ)g², value ← value − length · m/(√v + ε).
///
/// # Panics
/// When the lengths differ.
pub fn moment_step(
    step: MomentStep,
    gradient: &[f64],
    first: &mut [f64],
    second: &mut [f64],
    values: &mut [f64],
) {
    let count = values.len();
    let lengths = [gradient.len(), first.len(), second.len()];
    assert_eq!(lengths, [count; 3], "one of each for every value");
    dispatch(Moments {
        step,
        gradient,
        first,
        second,
        values,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::tests::on_every_isa;

    #[test]
    fn every_instruction_set_follows_the_formulas() {
        on_every_isa(|set| {
            let inputs: Vec<f64> = (0..101).map(|i| f64::from(i) * 0.3 - 15.0).collect();
            let mut found = inputs.clone();
            sigmoid_in_place(&mut found);
            for (x, y) in inputs.iter().zip(&found) {
                let wanted = 1.0 / (1.0 + (-x).exp());
                assert!((y - wanted).abs() <= 4e-16 * wanted, "{set:?} {x}");
            }
            let mut slopes = vec![2.0; found.len()];
            times_gate_slope(GateSlope::Sigmoid, &found, &mut slopes);
            for (a, slope) in found.iter().zip(&slopes) {
                assert!((slope - 2.0 * a * (1.0 - a)).abs() < 1e-15);
            }
            let mut rectified = inputs.clone();
            rectify_in_place(&mut rectified);
            assert!(rectified.iter().zip(&inputs).all(|(a, x)| *a == x.max(0.0)));
            let step = MomentStep {
                length: 0.1,
                first: 0.9,
                second: 0.99,
                epsilon: 1e-8,
            };
            let (mut m, mut v, mut w) = (vec![0.5; 101], vec![0.25; 101], inputs.clone());
            moment_step(step, &inputs, &mut m, &mut v, &mut w);
            for (g, w) in inputs.iter().zip(&w) {
                let (m, v) = (0.45 + 0.1 * g, 0.2475 + 0.01 * g * g);
                let wanted = g - 0.1 * m / (v.sqrt() + 1e-8);
                assert!((w - wanted).abs() < 1e-13, "{set:?} {g}");
            }
        });
    }
}
