//! Functions that a kernel of one number has: its eigenfunctions, and draws of a Gaussian process with it.

use mercer::data::Records;
use mercer::features::{MercerExpansion, draw_functions};
use mercer::fit::FitContext;
use mercer::kernel::KernelSpec;
use mercer::{Error, Result};
use mercer_linalg::Matrix;
use mercer_plot::text::short;
use mercer_plot::{Axis, Layer, Mark, Plane};

use crate::words::short_numbers;

/// Places at which functions are drawn.
const PLACES: usize = 201;
/// Functions in one picture: more could not be told apart.
const MOST: usize = 50;

/// Functions over an interval, as a picture and as numbers.
pub struct Functions {
    /// The picture.
    pub plane: Plane,
    /// What it shows.
    pub title: String,
    /// How to read it.
    pub note: String,
    /// The places.
    pub at: Vec<f64>,
    /// The functions there.
    pub values: Vec<Vec<f64>>,
    /// Their eigenvalues, where they are eigenfunctions.
    pub eigenvalues: Vec<f64>,
}

/// Draws the leading eigenfunctions of a kernel over an interval, in which all places are equally likely.
///
/// # Errors
/// An interval without a length, no term or too many; kernels that do not compare numbers.
pub fn eigenfunctions(
    kernel: &KernelSpec,
    ends: [f64; 2],
    terms: usize,
    context: &FitContext,
) -> Result<Functions> {
    let at = places(ends, terms)?;
    let rows = line(&at);
    let (kernel, _) = kernel.resolve(&rows, None)?;
    let found = MercerExpansion::try_new(&kernel, &rows, terms, context.par())?;
    let functions = found.functions(&rows, context.par())?;
    let count = found.eigenvalues.len();
    let values: Vec<Vec<f64>> = (0..count)
        .map(|h| {
            let own: Vec<f64> = (0..at.len()).map(|i| functions[(i, h)]).collect();
            // Signs are arbitrary: the largest value is positive.
            let largest = own.iter().fold(
                0.0_f64,
                |most, v| if v.abs() > most.abs() { *v } else { most },
            );
            own.into_iter()
                .map(|v| if largest < 0.0 { -v } else { v })
                .collect()
        })
        .collect();
    let title = format!("Eigenfunctions of {}", short_numbers(&kernel.to_string()));
    let note = format!(
        "k(x, z) = Σ λ φ(x) φ(z); these {count} have {:.1} % of the sum of all λ.",
        100.0 * found.explained()
    );
    let mut plane = Plane::new(&title)
        .note(&note)
        .x(Axis::named("x"))
        .y(Axis::named("φ(x)"));
    for (h, own) in values.iter().enumerate() {
        let name = format!("λ = {}", short(found.eigenvalues[h]));
        plane = plane.layer(Layer::new(&name, h, Mark::Line(points(&at, own))));
    }
    Ok(Functions {
        plane,
        title,
        note,
        at,
        values,
        eigenvalues: found.eigenvalues,
    })
}

/// Draws functions of a Gaussian process with the kernel as covariance over an interval: before anything is known, or
/// with values known at some places up to noise of a variance.
///
/// # Errors
/// An interval without a length, no function or too many, a variance below 0; kernels that do not compare numbers.
pub fn drawn_functions(
    kernel: &KernelSpec,
    ends: [f64; 2],
    known: &[[f64; 2]],
    noise: f64,
    count: usize,
    context: &FitContext,
) -> Result<Functions> {
    let at = places(ends, count)?;
    let mut all: Vec<f64> = known.iter().map(|[x, _]| *x).collect();
    all.extend(&at);
    let (kernel, _) = kernel.resolve(&line(&at), None)?;
    let y: Vec<f64> = known.iter().map(|[_, y]| *y).collect();
    let found = draw_functions(
        &kernel,
        &line(&all),
        &y,
        noise,
        count,
        context.seed,
        context.par(),
    )?;
    let values: Vec<Vec<f64>> = (0..count)
        .map(|k| found.functions.row(k).to_vec())
        .collect();
    let text = short_numbers(&kernel.to_string());
    let (title, note) = match known.len() {
        0 => (
            format!("Functions with {text} as covariance"),
            "Drawn before anything is known.".to_owned(),
        ),
        rows => (
            format!("Functions with {text} as covariance, given {rows} values"),
            format!(
                "Drawn from the posterior; the noise has the variance {}.",
                short(noise)
            ),
        ),
    };
    let mut plane = Plane::new(&title)
        .note(&note)
        .x(Axis::named("x"))
        .y(Axis::named("f(x)"));
    for (k, own) in values.iter().enumerate() {
        plane = plane.layer(Layer::new("", k, Mark::Line(points(&at, own))));
    }
    if !known.is_empty() {
        plane = plane.layer(Layer::new(
            "mean",
            count,
            Mark::Line(points(&at, &found.mean)),
        ));
        let mark = Mark::Points {
            at: known.to_vec(),
            errors: Vec::new(),
            joined: false,
        };
        plane = plane.layer(Layer::new("known values", count + 1, mark));
    }
    Ok(Functions {
        plane,
        title,
        note,
        at,
        values,
        eigenvalues: Vec::new(),
    })
}

fn places([low, high]: [f64; 2], count: usize) -> Result<Vec<f64>> {
    if !(low < high && (high - low).is_finite()) {
        return Err(Error::setting(
            "to",
            high,
            &format!("finite and above {low}"),
        ));
    }
    if count == 0 || count > MOST {
        return Err(Error::setting("count", count, &format!("1 to {MOST}")));
    }
    let step = (high - low) / (PLACES - 1) as f64;
    Ok((0..PLACES).map(|k| low + step * k as f64).collect())
}

fn line(places: &[f64]) -> Records {
    Records::from_points(Matrix::from_vec(places.len(), 1, places.to_vec()))
}

fn points(at: &[f64], values: &[f64]) -> Vec<[f64; 2]> {
    at.iter().zip(values).map(|(x, y)| [*x, *y]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mercer_plot::Figure;

    #[test]
    fn eigenfunctions_are_orthogonal_and_come_in_order() {
        let kernel: KernelSpec = "rbf(sigma=0.3)".parse().expect("a kernel");
        let context = FitContext::default();
        let found = eigenfunctions(&kernel, [0.0, 1.0], 3, &context).expect("drawn");
        assert!(found.eigenvalues.is_sorted_by(|a, b| a > b));
        for (h, own) in found.values.iter().enumerate() {
            for (j, other) in found.values.iter().enumerate() {
                let product: f64 = own.iter().zip(other).map(|(a, b)| a * b).sum();
                let wanted = f64::from(u8::from(h == j));
                assert!((product / PLACES as f64 - wanted).abs() < 1e-8, "{h} {j}");
            }
        }
        assert!(found.plane.to_svg().contains("Eigenfunctions"));
    }

    #[test]
    fn draws_go_through_known_values() {
        let kernel: KernelSpec = "rbf(sigma=1)".parse().expect("a kernel");
        let context = FitContext::default();
        let draw = |known: &[[f64; 2]]| {
            drawn_functions(&kernel, [-2.0, 2.0], known, 0.0, 4, &context).expect("drawn")
        };
        let found = draw(&[[0.0, 5.0]]);
        assert!(
            found
                .values
                .iter()
                .all(|own| (own[PLACES / 2] - 5.0).abs() < 1e-4)
        );
        let before = draw(&[]);
        assert!(
            before
                .values
                .iter()
                .any(|own| (own[PLACES / 2] - 5.0).abs() > 1.0)
        );
        for ends in [[1.0, 1.0], [0.0, f64::NAN], [0.0, f64::INFINITY]] {
            assert!(drawn_functions(&kernel, ends, &[], 0.0, 4, &context).is_err());
        }
        assert!(eigenfunctions(&kernel, [0.0, 1.0], 0, &context).is_err());
    }
}
