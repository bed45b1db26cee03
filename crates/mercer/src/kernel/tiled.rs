//! Kernels of dot products and distances, evaluated by fused tiles.

use std::sync::OnceLock;

use mercer_linalg::{
    Csr, DenseRows, Epilogue, Matrix, MatrixMut, Par, Precision, Real, Rows, SparseRows,
    sparse_tile, tile,
};

use super::additive::same_width;
use super::resolve::admit_vectors;
use super::{BoundKernel, QuerySide, TileMut, fill};
use crate::data::{Block, Points, Records, each};
use crate::{Error, Result};

/// Entries of new rows are cut to this size in distance kernels: their squares stay finite,
/// and such rows are infinitely far from every bound one already.
const FARTHEST: f64 = 1e150;

/// Largest norm of rows in single precision; squares leave its range near 1.8e19.
pub(super) const SINGLE_RADIUS: f64 = 1e18;

/// Rows of a block that is computed from these rows alone, and rows from which on that pays.
const SAMPLE: usize = 64;
const MANY: usize = 4096;

/// How rows become what the tiles multiply, and what they write.
pub(super) struct Plan {
    /// The family, for errors.
    pub(super) name: &'static str,
    /// Subtracted from every dense row.
    pub(super) shift: Option<Vec<f64>>,
    /// Multiplied with every row, after the shift.
    pub(super) scale: Option<Vec<f64>>,
    /// The function the tiles write.
    pub(super) epilogue: Epilogue,
    /// Whether single precision can hold the rows; otherwise values are rounded from f64.
    pub(super) single: bool,
    /// Bound on the error of an f32 entry, relative to the largest diagonal entry.
    pub(super) rounding: f64,
    /// Largest norm new rows may have, for kernels of dot products.
    pub(super) norm_limit: Option<f64>,
    /// Whether each row is first divided by a power of two near its largest entry.
    pub(super) level: bool,
}

/// A plan bound to rows.
pub(super) struct Tiled {
    plan: Plan,
    sides: Sides,
}

impl Tiled {
    pub(super) fn new(plan: Plan, records: &Records) -> Self {
        let points = &records.features.points;
        let points = if plan.level {
            leveled(points)
        } else {
            points.clone()
        };
        let sides = Sides::new(points, plan.single);
        Self { plan, sides }
    }
}

/// Rows in both precisions, each made on first use.
struct Sides {
    points: Points,
    /// Whether single precision can hold the rows.
    fits_single: bool,
    /// Rows beyond single precision among others that are not, in ascending order.
    wide: Vec<usize>,
    single: OnceLock<Side<f32>>,
    double: OnceLock<Side<f64>>,
}

impl Sides {
    fn new(points: Points, fits_single: bool) -> Self {
        Self {
            points,
            fits_single,
            wide: Vec::new(),
            single: OnceLock::new(),
            double: OnceLock::new(),
        }
    }

    fn single(&self, plan: &Plan) -> &Side<f32> {
        self.single.get_or_init(|| Side::new(&self.points, plan))
    }

    fn double(&self, plan: &Plan) -> &Side<f64> {
        self.double.get_or_init(|| Side::new(&self.points, plan))
    }

    fn diagonal(&self, plan: &Plan, precision: Precision, out: &mut [f64]) {
        match precision {
            Precision::F32 if self.fits_single => {
                self.single(plan).diagonal(&plan.epilogue, out);
                if !self.wide.is_empty() {
                    let mut double = vec![0.0; out.len()];
                    self.double(plan).diagonal(&plan.epilogue, &mut double);
                    self.wide.iter().for_each(|&row| out[row] = double[row]);
                }
            }
            _ => self.double(plan).diagonal(&plan.epilogue, out),
        }
        fill::round(out, precision);
    }

    /// Writes a block of these rows against bound ones.
    fn tile(
        &self,
        bound: &Self,
        plan: &Plan,
        rows: Rows<'_>,
        columns: Rows<'_>,
        out: TileMut<'_>,
        par: Par,
    ) {
        match out {
            TileMut::F32(mut out) if self.fits_single => {
                let (left, right) = (self.single(plan), bound.single(plan));
                let whole = out.reborrow();
                let epilogue = &plan.epilogue;
                write(
                    left,
                    rows.clone(),
                    right,
                    columns.clone(),
                    epilogue,
                    whole,
                    par,
                );
                if self.wide.is_empty() {
                    return;
                }
                for (k, row) in rows.iter().enumerate() {
                    if self.wide.binary_search(&row).is_ok() {
                        let line = out.reborrow().submatrix(k..k + 1, 0..columns.len());
                        let row = Rows::Range(row..row + 1);
                        self.rounded(bound, plan, row, columns.clone(), line, par);
                    }
                }
            }
            TileMut::F32(out) => self.rounded(bound, plan, rows, columns, out, par),
            TileMut::F64(out) => {
                if let Some([left, right]) = self.sample(bound, plan, &rows, &columns) {
                    let (rows, columns) = (0..rows.len(), 0..columns.len());
                    let (rows, columns) = (Rows::Range(rows), Rows::Range(columns));
                    write(&left, rows, &right, columns, &plan.epilogue, out, par);
                    return;
                }
                let (left, right) = (self.double(plan), bound.double(plan));
                write(left, rows, right, columns, &plan.epilogue, out, par);
            }
        }
    }

    /// The rows of a small block by themselves, where nobody needed double precision so far:
    /// solvers in single precision look at a sample of its errors, and all rows take more memory
    /// than they do in single precision. An entry is the same either way.
    fn sample(
        &self,
        bound: &Self,
        plan: &Plan,
        rows: &Rows<'_>,
        columns: &Rows<'_>,
    ) -> Option<[Side<f64>; 2]> {
        let is_small = |side: &Self, rows: &Rows<'_>| {
            matches!(rows, Rows::Ids(ids) if ids.len() <= SAMPLE)
                && side.points.rows() >= MANY
                && side.double.get().is_none()
        };
        let of = |side: &Self, rows: &Rows<'_>| {
            let rows: Vec<usize> = rows.iter().collect();
            Side::new(&side.points.select(&rows), plan)
        };
        (is_small(self, rows) && is_small(bound, columns))
            .then(|| [of(self, rows), of(bound, columns)])
    }

    /// Writes a block computed in double precision.
    fn rounded(
        &self,
        bound: &Self,
        plan: &Plan,
        rows: Rows<'_>,
        columns: Rows<'_>,
        mut out: MatrixMut<'_, f32>,
        par: Par,
    ) {
        let mut wide = Matrix::zeros(rows.len(), columns.len());
        let (left, right) = (self.double(plan), bound.double(plan));
        let epilogue = &plan.epilogue;
        write(left, rows, right, columns, epilogue, wide.as_mut(), par);
        for row in 0..out.rows() {
            for (to, from) in out.row_mut(row).iter_mut().zip(wide.row(row)) {
                *to = *from as f32;
            }
        }
    }
}

/// Rows prepared in one precision.
enum Side<T> {
    Dense(DenseRows<T>),
    Sparse(SparseRows<T>),
}

impl<T: Real> Side<T> {
    fn new(points: &Points, plan: &Plan) -> Self {
        each!(points, block => Self::of_block(block, plan))
    }

    fn of_block<U: Real>(block: &Block<U>, plan: &Plan) -> Self {
        let scale = plan.scale.as_deref();
        match block {
            Block::Dense(m) => Self::Dense(DenseRows::from_shared(m, plan.shift.as_deref(), scale)),
            Block::Sparse(m) => Self::Sparse(SparseRows::new(m, scale)),
        }
    }

    fn diagonal(&self, epilogue: &Epilogue, out: &mut [f64]) {
        let mut values = vec![T::ZERO; out.len()];
        match self {
            Self::Dense(rows) => rows.diagonal(epilogue, &mut values),
            Self::Sparse(rows) => rows.diagonal(epilogue, &mut values),
        }
        for (out, value) in out.iter_mut().zip(values) {
            *out = value.to_f64();
        }
    }
}

fn write<T: Real>(
    left: &Side<T>,
    rows: Rows<'_>,
    right: &Side<T>,
    columns: Rows<'_>,
    epilogue: &Epilogue,
    out: MatrixMut<'_, T>,
    par: Par,
) {
    match (left, right) {
        (Side::Dense(left), Side::Dense(right)) => {
            tile(left, rows, right, columns, epilogue, out, par);
        }
        (Side::Sparse(left), Side::Sparse(right)) => {
            sparse_tile(left, rows, right, columns, epilogue, out, par);
        }
        _ => unreachable!("new rows are brought into the form of the bound ones"),
    }
}

impl BoundKernel for Tiled {
    fn len(&self) -> usize {
        self.sides.points.rows()
    }

    fn tile(&self, rows: Rows<'_>, columns: Rows<'_>, out: TileMut<'_>, par: Par) {
        self.sides
            .tile(&self.sides, &self.plan, rows, columns, out, par);
    }

    fn diagonal(&self, precision: Precision, out: &mut [f64]) {
        self.sides.diagonal(&self.plan, precision, out);
    }

    fn query<'a>(&'a self, rows: &Records) -> Result<Box<dyn QuerySide + 'a>> {
        admit_vectors(self.plan.name, rows)?;
        let bound = &self.sides.points;
        let new = &rows.features.points;
        same_width(bound.columns(), new.columns())?;
        let mut points = in_form(new, bound.is_sparse());
        let mut wide = Vec::new();
        if self.plan.level {
            points = leveled(&points);
        } else {
            let limit = self.plan.norm_limit.unwrap_or(FARTHEST);
            // Most rows are far below every limit, and one pass over the values tells.
            if largest_norm(&points, &self.plan) > limit.min(SINGLE_RADIUS) {
                let (shift, scale) = (self.plan.shift.as_deref(), self.plan.scale.as_deref());
                let norms = norms(&points, shift, scale);
                wide = (0..norms.len())
                    .filter(|&row| norms[row] > SINGLE_RADIUS)
                    .collect();
                match self.plan.norm_limit {
                    Some(limit) => refuse_large(self.plan.name, &norms, limit)?,
                    None => points = cut(&points, &self.plan),
                }
            }
        }
        let mut sides = Sides::new(points, self.plan.single);
        sides.wide = wide;
        Ok(Box::new(TiledQuery { bound: self, sides }))
    }

    fn rounding_error(&self) -> f64 {
        self.plan.rounding
    }
}

struct TiledQuery<'a> {
    bound: &'a Tiled,
    sides: Sides,
}

impl QuerySide for TiledQuery<'_> {
    fn len(&self) -> usize {
        self.sides.points.rows()
    }

    fn tile(&self, rows: Rows<'_>, columns: Rows<'_>, out: TileMut<'_>, par: Par) {
        let plan = &self.bound.plan;
        self.sides
            .tile(&self.bound.sides, plan, rows, columns, out, par);
    }

    fn diagonal(&self, precision: Precision, out: &mut [f64]) {
        self.sides.diagonal(&self.bound.plan, precision, out);
    }
}

/// Returns the points with zeros stored or left out.
fn in_form(points: &Points, sparse: bool) -> Points {
    fn convert<T: Real>(block: &Block<T>, sparse: bool) -> Block<T> {
        match block {
            Block::Dense(m) if sparse => Block::Sparse(Csr::from_dense(m.as_ref())),
            Block::Sparse(m) if !sparse => Block::Dense(m.to_dense().into()),
            same => same.clone(),
        }
    }
    match points {
        Points::Double(block) => convert(block, sparse).into(),
        Points::Single(block) => convert(block, sparse).into(),
    }
}

/// Returns a bound on the norm of every row after shift and scale.
fn largest_norm(points: &Points, plan: &Plan) -> f64 {
    let most = |values: Option<&Vec<f64>>, none: f64| {
        values.map_or(none, |v| v.iter().fold(0.0, |m: f64, v| m.max(v.abs())))
    };
    let value = each!(points, block => block.largest()) + most(plan.shift.as_ref(), 0.0);
    let root = (points.columns() as f64).sqrt();
    value * most(plan.scale.as_ref(), 1.0) * root * (1.0 + 1e-9)
}

/// Applies a function to every value with its row and column; the result is in double
/// precision, which holds what becomes of single values too.
fn map(points: &Points, value: impl Fn(usize, usize, f64) -> f64) -> Points {
    match points.widened() {
        Block::Dense(m) => {
            let value = |row, column| value(row, column, m[(row, column)]);
            Matrix::from_fn(m.rows(), m.columns(), value).into()
        }
        Block::Sparse(m) => {
            let mut row = 0;
            let mut seen = 0;
            let starts = m.row_starts();
            let mapped = m.map(|column, v| {
                while starts[row + 1] <= seen {
                    row += 1;
                }
                seen += 1;
                value(row, column as usize, v)
            });
            mapped.into()
        }
    }
}

fn cut(points: &Points, plan: &Plan) -> Points {
    map(points, |_, column, value| {
        let scale = plan.scale.as_ref().map_or(1.0, |s| s[column]);
        let shift = plan.shift.as_ref().map_or(0.0, |s| s[column]);
        let most = FARTHEST / scale.max(f64::MIN_POSITIVE);
        if (value - shift).abs() > most {
            shift + most.copysign(value - shift)
        } else {
            value
        }
    })
}

/// Divides each row by a power of two near its largest entry, which changes no digit.
fn leveled(points: &Points) -> Points {
    let factors: Vec<(f64, f64)> = each!(points, block => {
        (0..block.rows()).map(|row| level(block.row_values(row))).collect()
    });
    if factors.iter().all(|factors| *factors == (1.0, 1.0)) {
        return points.clone();
    }
    map(points, |row, _, v| v * factors[row].0 * factors[row].1)
}

/// Returns two factors, as the inverse of the smallest numbers is beyond f64 in one.
fn level<T: Real>(values: &[T]) -> (f64, f64) {
    let largest = values.iter().fold(0.0_f64, |m, v| m.max(v.to_f64().abs()));
    if largest == 0.0 {
        return (1.0, 1.0);
    }
    let exponent = -largest.log2().floor() as i32;
    let half = exponent / 2;
    (2.0_f64.powi(half), 2.0_f64.powi(exponent - half))
}

fn refuse_large(name: &str, norms: &[f64], limit: f64) -> Result<()> {
    let Some(row) = norms.iter().position(|norm| *norm > limit) else {
        return Ok(());
    };
    Err(Error::Kernel {
        kernel: name.to_owned(),
        problem: format!(
            "row {} is so large that its kernel values overflow",
            row + 1
        ),
        cure: "scale the columns".into(),
    })
}

/// Returns the Euclidean norm of every row after shift and scale.
///
/// Only a norm beyond f64 is infinite, though its square may be.
pub(super) fn norms(points: &Points, shift: Option<&[f64]>, scale: Option<&[f64]>) -> Vec<f64> {
    each!(points, block => block_norms(block, shift, scale))
}

fn block_norms<T: Real>(
    block: &Block<T>,
    shift: Option<&[f64]>,
    scale: Option<&[f64]>,
) -> Vec<f64> {
    let shift = |c: usize| shift.map_or(0.0, |s| s[c]);
    let scale = |c: usize| scale.map_or(1.0, |s| s[c]);
    (0..block.rows())
        .map(|row| match block {
            Block::Dense(m) => {
                let values = m.row(row).iter().enumerate();
                norm(values.map(|(c, v)| (v.to_f64() - shift(c)) * scale(c)))
            }
            Block::Sparse(m) => {
                let (indices, values) = m.row(row);
                let pairs = indices.iter().zip(values);
                norm(pairs.map(|(&c, v)| v.to_f64() * scale(c as usize)))
            }
        })
        .collect()
}

fn norm(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let square: f64 = values.clone().map(|v| v * v).sum();
    if (1e-280..1e300).contains(&square) {
        return square.sqrt();
    }
    let largest = values.clone().fold(0.0_f64, |m, v| m.max(v.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    largest * values.map(|v| (v / largest).powi(2)).sum::<f64>().sqrt()
}

/// Returns the column means of dense rows; sparse rows are not shifted.
pub(super) fn means(points: &Points) -> Option<Vec<f64>> {
    each!(points, block => block_means(block))
}

fn block_means<T: Real>(block: &Block<T>) -> Option<Vec<f64>> {
    let Block::Dense(m) = block else {
        return None;
    };
    let share = 1.0 / m.rows().max(1) as f64;
    let mut means = vec![0.0; m.columns()];
    for row in 0..m.rows() {
        for (mean, value) in means.iter_mut().zip(m.row(row)) {
            // Multiplying first keeps the sum of 1e308s finite.
            *mean += value.to_f64() * share;
        }
    }
    Some(means)
}

/// Returns how many roundings a dot product of these rows can pile up.
///
/// Dense tiles add at most 256 products in a row before they start a new sum. Errors of many
/// roundings partly cancel: Higham and Mary (2019, theorem 2.4) bound n of them by λ√n
/// units except with probability 2n·exp(−λ²/2); λ = 6 leaves one in ten million.
pub(super) fn roundings(points: &Points) -> f64 {
    let chain = if points.is_sparse() {
        each!(points, block => {
            let stored = (0..block.rows()).map(|row| block.row_values(row).len());
            stored.max().unwrap_or(0)
        })
    } else {
        points.columns().min(256) + points.columns().div_ceil(256)
    } as f64;
    chain.min(6.0 * chain.sqrt())
}
