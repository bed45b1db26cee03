//! Anderson's extrapolation of the iterates of a slow linear iteration.
//!
//! Of the last iterates v_0 … v_K the combination Σ c_k v_{k+1} with Σ c = 1 and least
//! ‖Σ c_k (v_{k+1} − v_k)‖ is taken. Coordinate descent is linear once signs are settled.

use mercer_linalg::dot;

/// Differences in a combination; both papers use 5.
pub(super) const DEPTH: usize = 5;

/// The last iterates, oldest first.
#[derive(Default)]
pub(super) struct History {
    points: Vec<Vec<f64>>,
}

impl History {
    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.points.clear();
    }

    /// Takes the next iterate.
    pub(super) fn push(&mut self, point: &[f64]) {
        let mut place = if self.points.len() > DEPTH {
            self.points.remove(0)
        } else {
            Vec::new()
        };
        place.clear();
        place.extend_from_slice(point);
        self.points.push(place);
    }

    /// Coefficients of the combination, where there are enough iterates and they still move.
    pub(super) fn coefficients(&self) -> Option<[f64; DEPTH]> {
        if self.points.len() <= DEPTH {
            return None;
        }
        let differences: Vec<Vec<f64>> = self
            .points
            .windows(2)
            .map(|pair| {
                let values = pair[1].iter().zip(&pair[0]);
                values.map(|(b, a)| b - a).collect()
            })
            .collect();
        let mut matrix = [[0.0; DEPTH + 1]; DEPTH];
        for a in 0..DEPTH {
            for b in 0..=a {
                let product = dot(&differences[a], &differences[b]);
                matrix[a][b] = product;
                matrix[b][a] = product;
            }
            matrix[a][DEPTH] = 1.0;
        }
        let trace: f64 = (0..DEPTH).map(|a| matrix[a][a]).sum();
        if trace == 0.0 {
            return None;
        }
        let solved = eliminate(&mut matrix)?;
        let sum: f64 = solved.iter().sum();
        let scaled = solved.map(|z| z / sum);
        scaled.iter().all(|c| c.is_finite()).then_some(scaled)
    }

    /// Σ c_k v_{k+1}.
    pub(super) fn combine(&self, coefficients: &[f64; DEPTH]) -> Vec<f64> {
        let mut mixed = vec![0.0; self.points[0].len()];
        for (c, point) in coefficients.iter().zip(&self.points[1..]) {
            mercer_linalg::axpy(*c, point, &mut mixed);
        }
        mixed
    }
}

/// Gauss with the largest pivot of each column; the last column is the right-hand side.
fn eliminate(matrix: &mut [[f64; DEPTH + 1]; DEPTH]) -> Option<[f64; DEPTH]> {
    for k in 0..DEPTH {
        let pivot =
            (k..DEPTH).max_by(|&a, &b| matrix[a][k].abs().total_cmp(&matrix[b][k].abs()))?;
        matrix.swap(k, pivot);
        let row = matrix[k];
        if row[k] == 0.0 || !row[k].is_finite() {
            return None;
        }
        for other in &mut matrix[k + 1..] {
            let share = other[k] / row[k];
            for (value, from) in other.iter_mut().zip(row).skip(k) {
                *value -= share * from;
            }
        }
    }
    let mut solution = [0.0; DEPTH];
    for k in (0..DEPTH).rev() {
        let known: f64 = (k + 1..DEPTH).map(|l| matrix[k][l] * solution[l]).sum();
        solution[k] = (matrix[k][DEPTH] - known) / matrix[k][k];
    }
    Some(solution)
}
