//! Columns that hold a whole vector per row.

use mercer_linalg::{Csr, Matrix, SharedMatrix};

use super::arrive::{Faults, cell};
use super::moments::{Sum, moments, unit_factor};
use super::{Affine, EncodeOptions, Encoding, Scaling, Storage};
use crate::data::{Block, Table};
use crate::fit::Note;
use crate::{Error, Result};

/// Refuses infinite values, and NaN where `missing` does not allow it.
pub(super) fn check_finite(
    table: &Table,
    column: &str,
    points: &Block<f64>,
    fillable: bool,
    faults: &mut Faults,
) -> Result<()> {
    // A sparse vector leaves values out; one that is stored must be a number.
    let fillable = fillable && matches!(points, Block::Dense(_));
    let bad = |v: f64| v.is_infinite() || (v.is_nan() && !fillable);
    if points.first(bad).is_none() {
        return Ok(());
    }
    for row in 0..points.rows() {
        let feature = match points {
            Block::Dense(matrix) => matrix.row(row).iter().position(|v| bad(*v)),
            Block::Sparse(matrix) => {
                let (indices, values) = matrix.row(row);
                let at = values.iter().position(|v| bad(*v));
                at.map(|at| indices[at] as usize)
            }
        };
        if let Some(feature) = feature {
            let problem = format!("feature {} is not a finite number", feature + 1);
            let cure = "correct the value or drop the row";
            faults.add(row, cell(table, column, row, problem, cure))?;
        }
    }
    Ok(())
}

/// Learns how vectors are scaled; also returns the standard deviation of each feature.
pub(super) fn learn(
    table: &Table,
    name: &str,
    points: &Block<f64>,
    weights: Option<&[f64]>,
    options: &EncodeOptions,
    notes: &mut Vec<Note>,
) -> Result<(Encoding, Vec<f64>)> {
    check_finite(table, name, points, options.impute, &mut Faults::learning())?;
    match points {
        Block::Dense(matrix) => Ok(learn_dense(name, matrix, weights, options, notes)),
        Block::Sparse(matrix) => Ok((learn_sparse(matrix, weights, options.scaling), Vec::new())),
    }
}

fn learn_dense(
    name: &str,
    matrix: &SharedMatrix<f64>,
    weights: Option<&[f64]>,
    options: &EncodeOptions,
    notes: &mut Vec<Note>,
) -> (Encoding, Vec<f64>) {
    let width = matrix.columns();
    let (mut fill, mut deviations) = (Vec::with_capacity(width), Vec::with_capacity(width));
    let mut maps = Vec::with_capacity(width);
    let (mut constant, mut missing) = (0, 0);
    for feature in 0..width {
        let values = (0..matrix.rows()).map(|row| matrix[(row, feature)]);
        if let Some(found) = moments(values, weights) {
            constant += usize::from(found.is_constant());
            fill.push(found.mean);
            deviations.push(found.deviation);
            maps.push(Affine::from_moments(&found, options.scaling));
        } else {
            missing += 1;
            fill.push(0.0);
            deviations.push(0.0);
            maps.push(Affine::IDENTITY);
        }
    }
    if constant > 0 {
        let text = format!("{constant} of the {width} features of column `{name}` are constant");
        notes.push(Note::Alert(text));
    }
    if missing > 0 {
        notes.push(Note::Alert(format!(
            "{missing} of the {width} features of column `{name}` are missing in every row and become 0"
        )));
    }
    let scaled = options.scaling != Scaling::None;
    let list = |value: fn(&Affine) -> f64| -> Vec<f64> {
        if scaled {
            maps.iter().map(value).collect()
        } else {
            Vec::new()
        }
    };
    let offset = match options.scaling {
        Scaling::MinMax { low, .. } => low,
        _ => 0.0,
    };
    let encoding = Encoding::Vectors {
        width,
        storage: Storage::Dense,
        shift: list(|m| m.shift),
        scale: list(|m| m.scale),
        fill: if options.impute { fill } else { Vec::new() },
        offset,
    };
    (encoding, deviations)
}

/// Scales only. Standard: the standard deviation, zeros counted. A range: the largest
/// magnitude over that of the range.
fn learn_sparse(matrix: &Csr<f64>, weights: Option<&[f64]>, scaling: Scaling) -> Encoding {
    let width = matrix.columns();
    let mut largest = vec![0.0_f64; width];
    for (&j, v) in matrix.indices().iter().zip(matrix.values()) {
        let at = &mut largest[j as usize];
        *at = at.max(v.abs());
    }
    let usable = |s: f64| if s.is_finite() && s > 0.0 { s } else { 1.0 };
    let scale = match scaling {
        Scaling::None => Vec::new(),
        Scaling::MinMax { low, high } => {
            let range = low.abs().max(high.abs());
            largest.iter().map(|l| usable(l / range)).collect()
        }
        Scaling::Standard => sparse_deviations(matrix, weights, &largest)
            .into_iter()
            .zip(&largest)
            // Equal stored values give rounding noise, not a scale.
            .map(|(d, l)| usable(if d <= 10.0 * f64::EPSILON * l { 1.0 } else { d }))
            .collect(),
    };
    Encoding::Vectors {
        width,
        storage: Storage::Sparse,
        fill: Vec::new(),
        shift: Vec::new(),
        scale,
        offset: 0.0,
    }
}

/// √((Σw(v−m)² + (W − Σw)·m²)/W) per feature, m = Σwv/W; sums run over stored values, W over all
/// rows.
fn sparse_deviations(matrix: &Csr<f64>, weights: Option<&[f64]>, largest: &[f64]) -> Vec<f64> {
    let weight = |row: usize| weights.map_or(1.0, |w| w[row]);
    let mut total = Sum::default();
    (0..matrix.rows()).for_each(|row| total.add(weight(row)));
    let total = total.value();
    let factor: Vec<f64> = largest.iter().map(|&l| unit_factor(l)).collect();
    // Without the carried errors a constant feature of some thousand rows seems to vary.
    let mut sums = vec![Sum::default(); largest.len()];
    let mut stored = vec![Sum::default(); largest.len()];
    for row in 0..matrix.rows() {
        let (indices, values) = matrix.row(row);
        for (&j, v) in indices.iter().zip(values) {
            let j = j as usize;
            sums[j].add(weight(row) * v * factor[j]);
            stored[j].add(weight(row));
        }
    }
    let mean: Vec<f64> = sums.iter().map(|sum| sum.value() / total).collect();
    let mut squares: Vec<f64> = (0..largest.len())
        .map(|j| (total - stored[j].value()).max(0.0) * mean[j] * mean[j])
        .collect();
    for row in 0..matrix.rows() {
        let (indices, values) = matrix.row(row);
        for (&j, v) in indices.iter().zip(values) {
            let j = j as usize;
            squares[j] += weight(row) * (v * factor[j] - mean[j]).powi(2);
        }
    }
    (0..largest.len())
        .map(|j| (squares[j] / total).sqrt() / factor[j])
        .collect()
}

/// Brings arriving vectors to the width and storage of the training ones.
///
/// A sparse file does not tell its width: features beyond the training ones are dropped and
/// noted, as LIBSVM does, and absent ones are zero. Dense vectors must have the width.
pub(super) fn adapt(
    column: &str,
    points: Block<f64>,
    width: usize,
    storage: Storage,
    notes: &mut Vec<Note>,
) -> Result<Block<f64>> {
    if points.columns() == width {
        return Ok(match (points, storage) {
            (Block::Sparse(m), Storage::Dense) => Block::Dense(m.to_dense().into()),
            (points, _) => points,
        });
    }
    let Block::Sparse(matrix) = points else {
        return Err(Error::Length {
            what: format!("column `{column}`"),
            found: points.columns(),
            expected: width,
            unit: "features",
        });
    };
    let beyond = matrix
        .indices()
        .iter()
        .filter(|&&j| j as usize >= width)
        .count();
    if beyond > 0 {
        notes.push(Note::Alert(format!(
            "column `{column}`: {beyond} values of features beyond the {width} of training are left out"
        )));
    }
    if storage == Storage::Dense {
        let mut dense = Matrix::zeros(matrix.rows(), width);
        for row in 0..matrix.rows() {
            let (indices, values) = matrix.row(row);
            for (&j, &v) in indices.iter().zip(values) {
                if (j as usize) < width {
                    dense[(row, j as usize)] = v;
                }
            }
        }
        return Ok(Block::Dense(dense.into()));
    }
    let (mut starts, mut kept, mut numbers) = (vec![0], Vec::new(), Vec::new());
    for row in 0..matrix.rows() {
        let (indices, values) = matrix.row(row);
        for (&j, &v) in indices.iter().zip(values) {
            if (j as usize) < width {
                kept.push(j);
                numbers.push(v);
            }
        }
        starts.push(kept.len());
    }
    let narrowed = Csr::try_new(width, starts, kept, numbers)
        .expect("ascending columns stay ascending when some are left out");
    Ok(Block::Sparse(narrowed))
}
