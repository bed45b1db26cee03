//! The centres of k-means as landmarks: points that stand for their surroundings (Zhang, Tsang and Kwok 2008).

use mercer_linalg::Csr;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::data::{Points, Records};
use crate::fit::FitContext;
use crate::kernel::{Input, ResolvedKernel};
use crate::solver::kmeans::{Init, Limits, Prepared, lloyd, seeds};
use crate::{Error, Result};

/// Iterations: landmarks need not be a minimum, and the first steps do most.
const ITERATIONS: u64 = 10;

/// Refuses kernels whose rows have no mean.
pub(super) fn check(kernel: &ResolvedKernel) -> Result<()> {
    let families = kernel.spec().families();
    match families.iter().find(|f| f.input != Input::Vectors) {
        None => Ok(()),
        Some(family) => Err(Error::Conflict {
            what: format!(
                "the landmarks `kmeans` are means of rows, and `{}` compares rows that have none",
                family.name
            ),
            cure: "choose the landmarks `pivoted`, which are rows".into(),
        }),
    }
}

/// Returns at most `count` centres; fewer where there are not as many distinct rows.
pub(super) fn centres(
    records: &Records,
    weights: Option<&[f64]>,
    count: usize,
    context: &FitContext,
) -> Result<Records> {
    let (rows, _) = Prepared::try_new(records, weights, context)?;
    let count = count.min(rows.len());
    let mut rng = ChaCha8Rng::seed_from_u64(context.seed);
    let first = seeds(&rows, count, Init::KMeansPlusPlus, &mut rng, context)?;
    let limits = Limits {
        max_iterations: ITERATIONS,
        moves: 1e-4 * rows.mean_variance(context),
    };
    let run = lloyd(&rows, first, limits, "landmarks", context)?;
    let found = rows.outward(&run.centres);
    let points = if records.features.points.is_sparse() {
        Points::from(Csr::from_dense(found.as_ref()))
    } else {
        Points::from(found)
    };
    let mut centres = Records::from_points(points);
    centres.features.groups.clone_from(&records.features.groups);
    Ok(centres)
}
