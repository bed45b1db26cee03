//! Distances of rows to centres.
//!
//! A block of distances is one matrix product, ‖x‖² + ‖c‖² − 2⟨x, c⟩. Its rounding is known
//! ([`Space::slack`]), so that where the two nearest centres are closer than that the squares of
//! differences decide.

use mercer_linalg::{
    DenseRows, Epilogue, Matrix, MatrixMut, Par, Rows, SparseRows, axpy, column_minima, gram,
    sparse_gram, sparse_tile, squared_distance, tile,
};

/// Values of one block of distances: 64 KiB stay in the second-level cache beside the rows.
const BLOCK_VALUES: usize = 8192;

/// Terms that a tile adds up in one chain.
const CHAIN: usize = 256;

/// Below this share of ‖c‖² a distance of sparse rows is computed from all columns.
const LOST: f64 = 1e-6;

/// Rows in double precision.
pub(crate) enum Space {
    Dense(DenseRows<f64>),
    Sparse(SparseRows<f64>),
}

/// Centres, prepared for blocks of distances.
pub(crate) struct Centres {
    matrix: Matrix<f64>,
    /// Squared norms.
    norms: Vec<f64>,
    largest_norm: f64,
    side: Side,
}

enum Side {
    Dense(DenseRows<f64>),
    Sparse(SparseRows<f64>),
}

/// The nearest centre of one row.
#[derive(Clone, Copy)]
pub(crate) struct Nearest {
    pub(crate) centre: u32,
    /// The squared distance, up to the slack of the row.
    pub(crate) squared: f64,
    /// The squared distance of all other centres, at least, up to the slack.
    pub(crate) others: f64,
}

/// Memory for blocks of distances, used again and again.
#[derive(Default)]
pub(crate) struct Scratch {
    values: Vec<f64>,
    places: Vec<u32>,
    smallest: Vec<f64>,
    second: Vec<f64>,
}

impl Space {
    pub(crate) fn columns(&self) -> usize {
        match self {
            Self::Dense(rows) => rows.columns(),
            Self::Sparse(rows) => rows.columns(),
        }
    }

    pub(crate) fn is_dense(&self) -> bool {
        matches!(self, Self::Dense(_))
    }

    /// The squared norm of a row.
    pub(crate) fn norm(&self, row: usize) -> f64 {
        match self {
            Self::Dense(rows) => rows.squared_norms()[row],
            Self::Sparse(rows) => rows.squared_norms()[row],
        }
    }

    /// Prepares rows for many calls with runs of them.
    pub(crate) fn pack(&self, par: Par) {
        if let Self::Dense(rows) = self {
            rows.prepare_right(par);
        }
    }

    /// Prepares centres.
    pub(crate) fn centres(&self, matrix: Matrix<f64>) -> Centres {
        Centres::new(matrix, self.is_dense())
    }

    /// A row with all its zeros.
    pub(crate) fn dense_row(&self, row: usize, out: &mut [f64]) {
        match self {
            Self::Dense(rows) => out.copy_from_slice(rows.row(row)),
            Self::Sparse(rows) => {
                out.fill(0.0);
                let (indices, values) = rows.row(row);
                for (&j, &value) in indices.iter().zip(values) {
                    out[j as usize] = value;
                }
            }
        }
    }

    /// Adds a multiple of a row to a sum.
    pub(crate) fn add(&self, row: usize, weight: f64, sum: &mut [f64]) {
        match self {
            Self::Dense(rows) => axpy(weight, rows.row(row), sum),
            Self::Sparse(rows) => {
                let (indices, values) = rows.row(row);
                for (&j, &value) in indices.iter().zip(values) {
                    sum[j as usize] += weight * value;
                }
            }
        }
    }

    /// The squared distance of a row to a centre from the differences of their values.
    pub(crate) fn squared(&self, row: usize, centres: &Centres, centre: usize) -> f64 {
        let point = centres.matrix.row(centre);
        match self {
            Self::Dense(rows) => squared_distance(rows.row(row), point),
            Self::Sparse(rows) => {
                // Columns that the row lacks add c² each: together ‖c‖² without the others.
                let (indices, values) = rows.row(row);
                let mut sum = 0.0;
                for (&j, &value) in indices.iter().zip(values) {
                    let c = point[j as usize];
                    sum += (value - c) * (value - c) - c * c;
                }
                let squared = sum + centres.norms[centre];
                if squared > LOST * centres.norms[centre] {
                    return squared;
                }
                let mut stored = indices.iter().zip(values).peekable();
                let mut sum = 0.0;
                for (j, c) in point.iter().enumerate() {
                    let here = stored.next_if(|(at, _)| **at as usize == j);
                    let difference = here.map_or(0.0, |(_, value)| *value) - c;
                    sum += difference * difference;
                }
                sum
            }
        }
    }

    /// A bound on the error of a block's squared distances to this row.
    ///
    /// A chain of m products of x and c is wrong by at most mε Σ|x c| ≤ mε‖x‖‖c‖, and a squared
    /// norm by mε‖x‖²; together they are below 2mε(‖x‖² + ‖c‖²).
    pub(crate) fn slack(&self, row: usize, centres: &Centres) -> f64 {
        let terms = match self {
            Self::Dense(rows) => rows.columns(),
            Self::Sparse(rows) => rows.row(row).0.len(),
        };
        let chain = match self {
            Self::Dense(_) => terms.min(CHAIN) + terms / CHAIN,
            Self::Sparse(_) => terms.max(centres.matrix.columns().min(CHAIN)),
        };
        2.0 * (chain + 4) as f64 * f64::EPSILON * (self.norm(row) + centres.largest_norm)
    }

    /// Writes squared distances, a line per centre and a place per row.
    pub(crate) fn block(&self, centres: &Centres, rows: Rows<'_>, out: MatrixMut<'_, f64>) {
        let all = Rows::Range(0..centres.len());
        let epilogue = &Epilogue::SquaredDistance;
        match (self, &centres.side) {
            (Self::Dense(right), Side::Dense(left)) => {
                tile(left, all, right, rows, epilogue, out, Par::Sequential);
            }
            (Self::Sparse(right), Side::Sparse(left)) => {
                sparse_tile(left, all, right, rows, epilogue, out, Par::Sequential);
            }
            _ => unreachable!("centres are prepared by the space of their rows"),
        }
    }

    /// Rows that one block of distances takes.
    pub(crate) fn block_rows(centres: usize) -> usize {
        (BLOCK_VALUES / centres.max(1)).clamp(64, 256) / 16 * 16
    }

    /// Finds the nearest centre of rows and hands it out with the row's place in the list.
    ///
    /// Of centres at one distance the first is the nearest.
    pub(crate) fn nearest(
        &self,
        centres: &Centres,
        rows: &Rows<'_>,
        scratch: &mut Scratch,
        mut found: impl FnMut(usize, Nearest),
    ) {
        let k = centres.len();
        let step = Self::block_rows(k);
        for start in (0..rows.len()).step_by(step) {
            let part = rows.slice(start..(start + step).min(rows.len()));
            let n = part.len();
            scratch.values.resize(k * step, 0.0);
            scratch.places.resize(step, 0);
            scratch.smallest.resize(step, 0.0);
            scratch.second.resize(step, 0.0);
            let values = &mut scratch.values[..k * n];
            self.block(
                centres,
                part.clone(),
                MatrixMut::from_slice(k, n, &mut *values),
            );
            let values = mercer_linalg::MatrixRef::from_slice(k, n, values);
            let (places, smallest, second) = (
                &mut scratch.places[..n],
                &mut scratch.smallest[..n],
                &mut scratch.second[..n],
            );
            column_minima(values, places, smallest, second);
            for (at, row) in part.iter().enumerate() {
                let slack = 2.0 * self.slack(row, centres);
                let mut nearest = Nearest {
                    centre: places[at],
                    squared: smallest[at],
                    others: second[at],
                };
                let limit = nearest.squared + slack;
                // Also where nothing is finite.
                if nearest.others <= limit && k > 1 {
                    let column = (0..k).map(|c| values.row(c)[at]);
                    let near = column
                        .enumerate()
                        .filter(|(_, v)| *v <= limit || v.is_nan());
                    let squares = near.map(|(c, _)| (c, self.squared(row, centres, c)));
                    let best = squares.reduce(|a, b| if b.1 < a.1 { b } else { a });
                    if let Some((centre, squared)) = best {
                        nearest = Nearest {
                            centre: centre as u32,
                            squared,
                            others: nearest.squared,
                        };
                    }
                }
                found(start + at, nearest);
            }
        }
    }
}

impl Centres {
    /// Prepares centres for dense or for sparse rows.
    pub(crate) fn new(matrix: Matrix<f64>, is_dense: bool) -> Self {
        let side = if is_dense {
            Side::Dense(DenseRows::from_matrix(matrix.clone()))
        } else {
            Side::Sparse(SparseRows::from_dense(matrix.as_ref(), None))
        };
        let norms: Vec<f64> = match &side {
            Side::Dense(rows) => rows.squared_norms().to_vec(),
            Side::Sparse(rows) => rows.squared_norms().to_vec(),
        };
        Self {
            largest_norm: norms.iter().copied().fold(0.0, f64::max),
            matrix,
            norms,
            side,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.matrix.rows()
    }

    pub(crate) fn matrix(&self) -> &Matrix<f64> {
        &self.matrix
    }

    /// The squared norm of a centre.
    pub(crate) fn norm(&self, centre: usize) -> f64 {
        self.norms[centre]
    }

    /// Half the distance of every centre to the nearest other one, at most.
    pub(crate) fn half_gaps(&self, par: Par) -> Vec<f64> {
        let k = self.len();
        let mut squares = Matrix::zeros(k, k);
        match &self.side {
            Side::Dense(rows) => gram(rows, &Epilogue::SquaredDistance, squares.as_mut(), par),
            Side::Sparse(rows) => {
                sparse_gram(rows, &Epilogue::SquaredDistance, squares.as_mut(), par);
            }
        }
        for c in 0..k {
            squares[(c, c)] = f64::INFINITY;
        }
        let (mut places, mut second) = (vec![0; k], vec![0.0; k]);
        let mut smallest = vec![0.0; k];
        column_minima(squares.as_ref(), &mut places, &mut smallest, &mut second);
        // The bound of `slack` for two centres, with one chain over all columns.
        let share = 4.0 * (self.matrix.columns() + 4) as f64 * f64::EPSILON;
        let slack = share * self.largest_norm;
        let half = |squared: f64| 0.5 * (squared - slack).max(0.0).sqrt();
        smallest.into_iter().map(half).collect()
    }
}
