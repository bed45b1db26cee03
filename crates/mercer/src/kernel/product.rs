//! Kernels of the dot product: one way to bind them all.

use mercer_linalg::Epilogue;

use super::BoundKernel;
use super::pairwise::{LARGEST_SINGLE, SMALLEST_SINGLE, UNIT};
use super::tiled::{Plan, SINGLE_RADIUS, Tiled, norms, roundings};
use crate::data::Records;
use crate::{Error, Result};

/// Largest norm whose square is far from overflow.
const LARGEST_NORM: f64 = 1e150;

/// What a kernel of the dot product says of itself for rows of a given size.
pub(super) struct Reach {
    /// Largest |k| of these rows.
    pub(super) largest: f64,
    /// Error of an f32 entry, relative to the largest diagonal entry.
    pub(super) rounding: f64,
}

/// Binds a kernel of the dot product.
///
/// `reach` is given the largest squared norm and the error of an f32 dot product relative to it.
pub(super) fn bind(
    name: &'static str,
    epilogue: Epilogue,
    records: &Records,
    reach: impl Fn(f64, f64) -> Reach,
) -> Result<Box<dyn BoundKernel>> {
    let points = &records.features.points;
    let norms = norms(points, None, None);
    let (row, radius) =
        norms.iter().enumerate().fold(
            (0, 0.0),
            |top, (row, &norm)| if norm > top.1 { (row, norm) } else { top },
        );
    let square = radius * radius;
    let Reach { largest, rounding } = reach(square, (roundings(points) + 4.0) * UNIT);
    if radius > LARGEST_NORM || !largest.is_finite() {
        return Err(Error::Kernel {
            kernel: name.to_owned(),
            problem: format!(
                "row {} is so large that its kernel values overflow",
                row + 1
            ),
            cure: "scale the columns, or use `cosine`".into(),
        });
    }
    let tiny = square > 0.0 && square < SMALLEST_SINGLE;
    let single = radius <= SINGLE_RADIUS && !tiny && largest < LARGEST_SINGLE;
    let rounding = if single || square == 0.0 {
        rounding
    } else if (SMALLEST_SINGLE..LARGEST_SINGLE).contains(&largest) {
        // Computed in f64 and rounded once.
        2.0 * UNIT
    } else {
        f64::INFINITY
    };
    // New rows as large as 1e150 times the bound ones still have finite products.
    let norm_limit = LARGEST_NORM.min(1e300 / radius.max(1.0));
    let plan = Plan {
        name,
        shift: None,
        scale: None,
        epilogue,
        single,
        rounding,
        norm_limit: Some(norm_limit),
        level: false,
    };
    Ok(Box::new(Tiled::new(plan, records)))
}
