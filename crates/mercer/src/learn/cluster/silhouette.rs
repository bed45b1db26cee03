//! Silhouettes: how much nearer rows are to their own cluster than to the next one.
//!
//! With a the mean distance of a row from the other rows of its cluster and b the least mean distance from the rows
//! of another, the silhouette is (b − a)/max(a, b), from −1 to 1; 0 for a row that is alone in its cluster.
//! (Rousseeuw, Silhouettes: a graphical aid to the interpretation and validation of cluster analysis, 1987.)

use mercer_linalg::{Matrix, MatrixMut, Rows};

use crate::data::Records;
use crate::fit::FitContext;
use crate::solver::kmeans::{Prepared, check_rows};
use crate::{Error, Result};

/// Rows whose distances from all others are computed at one time.
const TALL: usize = 64;
/// Others in one block: 128 KiB of distances.
const WIDE: usize = 256;
/// Below this share of ‖x‖² + ‖z‖² a squared distance is computed from differences.
const LOST: f64 = 1e-8;

/// Returns the silhouette of every row under a clustering; weights count as copies, and rows of weight 0 have 0.
///
/// Takes n²·d multiplications in blocks, and memory for n rows and one number per row and cluster of a block. It is scikit-learn's
/// `silhouette_samples` where no row has a weight.
///
/// # Errors
/// Labels or weights of another length, values that are not finite, fewer than two clusters; cancellation and
/// the time limit.
///
/// # Examples
/// ```
/// use mercer::data::Records;
/// use mercer::fit::FitContext;
/// use mercer::learn::cluster::silhouette;
/// use mercer_linalg::Matrix;
///
/// let rows = Records::from_points(Matrix::from_vec(4, 1, vec![0.0, 1.0, 10.0, 11.0]));
/// let found = silhouette(&rows, &[0, 0, 1, 1], None, &FitContext::default())?;
/// // The first row: 1 from its own cluster, 10.5 from the other.
/// assert!((found[0] - 9.5 / 10.5).abs() < 1e-12);
/// # Ok::<(), mercer::Error>(())
/// ```
pub fn silhouette(
    records: &Records,
    labels: &[u32],
    weights: Option<&[f64]>,
    context: &FitContext,
) -> Result<Vec<f64>> {
    let n = records.len();
    for (what, found) in [
        ("the list of clusters", Some(labels.len())),
        ("the weight column", weights.map(<[f64]>::len)),
    ] {
        if let Some(found) = found
            && found != n
        {
            return Err(Error::Length {
                what: what.to_owned(),
                found,
                expected: n,
                unit: "rows",
            });
        }
    }
    check_rows(records)?;
    context.install(|| compute(records, labels, weights, context))?
}

/// Rows in the order of their clusters.
struct Sorted {
    rows: Prepared,
    /// The row that each was.
    sources: Vec<u32>,
    /// Where each cluster starts, and where the last ends.
    starts: Vec<usize>,
    /// Copies of every cluster.
    copies: Vec<f64>,
}

fn compute(
    records: &Records,
    labels: &[u32],
    weights: Option<&[f64]>,
    context: &FitContext,
) -> Result<Vec<f64>> {
    let sorted = sort(records, labels, weights, context)?;
    let count = sorted.rows.len();
    let blocks: Vec<usize> = (0..count).step_by(TALL).collect();
    let parts = context.map(blocks, |first| {
        context.check()?;
        Ok(sorted.block(first, (first + TALL).min(count)))
    });
    let mut out = vec![0.0; records.len()];
    let mut place = 0;
    for part in parts {
        let part: Result<Vec<f64>> = part;
        for value in part? {
            out[sorted.sources[place] as usize] = value;
            place += 1;
        }
    }
    Ok(out)
}

fn sort(
    records: &Records,
    labels: &[u32],
    weights: Option<&[f64]>,
    context: &FitContext,
) -> Result<Sorted> {
    let weight = |row: u32| weights.map_or(1.0, |w| w[row as usize]);
    let mut sources: Vec<u32> = (0..labels.len() as u32)
        .filter(|&row| weight(row) > 0.0)
        .collect();
    sources.sort_by_key(|&row| labels[row as usize]);
    let mut starts = Vec::new();
    let mut copies: Vec<f64> = Vec::new();
    let mut last = None;
    for (place, &row) in sources.iter().enumerate() {
        let label = labels[row as usize];
        if last != Some(label) {
            last = Some(label);
            starts.push(place);
            copies.push(0.0);
        }
        if let Some(sum) = copies.last_mut() {
            *sum += weight(row);
        }
    }
    starts.push(sources.len());
    if copies.len() < 2 {
        return Err(Error::rows(
            "silhouettes compare clusters, and the rows are in one",
            "give a clustering into two clusters or more",
        ));
    }
    let own: Vec<f64> = sources.iter().map(|&row| weight(row)).collect();
    Ok(Sorted {
        rows: Prepared::of(&records.features.points, &sources, own, context),
        sources,
        starts,
        copies,
    })
}

impl Sorted {
    /// The silhouettes of a run of rows.
    fn block(&self, first: usize, end: usize) -> Vec<f64> {
        let rows = &self.rows;
        let tall = end - first;
        let mut matrix = Matrix::zeros(tall, rows.space.columns());
        for at in 0..tall {
            rows.space.dense_row(first + at, matrix.row_mut(at));
        }
        let left = rows.space.centres(matrix);
        let clusters = self.copies.len();
        let mut sums = Matrix::zeros(tall, clusters);
        let mut values = vec![0.0; tall * WIDE];
        for (cluster, bounds) in self.starts.windows(2).enumerate() {
            for start in (bounds[0]..bounds[1]).step_by(WIDE) {
                let width = WIDE.min(bounds[1] - start);
                let values = &mut values[..tall * width];
                let out = MatrixMut::from_slice(tall, width, &mut *values);
                rows.space
                    .block(&left, Rows::Range(start..start + width), out);
                for at in 0..tall {
                    let line = &values[at * width..(at + 1) * width];
                    let mut sum = 0.0;
                    for (k, &squared) in line.iter().enumerate() {
                        let other = start + k;
                        if other == first + at {
                            continue;
                        }
                        let lost = LOST * (left.norm(at) + rows.space.norm(other));
                        let squared = if squared > lost {
                            squared
                        } else {
                            rows.space.squared(other, &left, at)
                        };
                        sum += rows.copies(other) * squared.sqrt();
                    }
                    sums[(at, cluster)] += sum;
                }
            }
        }
        let own = |place: usize| self.starts.partition_point(|&start| start <= place) - 1;
        (0..tall)
            .map(|at| self.value(own(first + at), sums.row(at)))
            .collect()
    }

    /// The silhouette of a row of a cluster, from its sums of distances.
    fn value(&self, own: usize, sums: &[f64]) -> f64 {
        let others = self.copies[own] - 1.0;
        if others <= 0.0 {
            return 0.0;
        }
        let inside = sums[own] / others;
        let outside = (0..sums.len())
            .filter(|&cluster| cluster != own)
            .map(|cluster| sums[cluster] / self.copies[cluster])
            .fold(f64::INFINITY, f64::min);
        let largest = inside.max(outside);
        if largest > 0.0 {
            (outside - inside) / largest
        } else {
            0.0
        }
    }
}
