//! Hebb's weights.

use mercer_linalg::{Matrix, Op, gemm};
use serde::{Deserialize, Serialize};

use crate::data::{Block, Dataset, Records};
use crate::fit::{FitContext, FitReport, Fitted, Note, SolverReport};
use crate::learn::{Estimator, Settings};
use crate::model::Memory;
use crate::{Error, Result};

/// Share of the columns up to which random patterns are recalled with few errors (Amit, Gutfreund and Sompolinsky, 1985).
const CAPACITY: f64 = 0.138;

/// A Hopfield network: stores rows of ±1 and recalls the one that a new row is most like.
///
/// The weights are W_ij = (1/n) Σ_p w_p x_pi x_pj over the patterns, with zeros on the diagonal. A row s is recalled by turning over
/// states whose field Σ_j W_ij s_j has the other sign, one after another in the order of the columns, until none is left: the energy
/// E(s) = −½ sᵀWs never rises. What a row falls into may also be the negative of a pattern or a mixture of several.
///
/// Use it to see an associative memory at work; to store takes time p·n² for p patterns of n columns, to recall n² a pass. Above
/// 0.138 n patterns recall fails, and the report warns. Weights mean copies.
///
/// # Examples
/// ```
/// use mercer::data::{Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::learn::Estimator;
/// use mercer::learn::memory::Hopfield;
/// use mercer_linalg::Matrix;
///
/// let patterns = vec![1., 1., 1., -1., -1., -1., 1., -1., 1., -1., 1., -1.];
/// let data = Dataset::try_new(Records::from_points(Matrix::from_vec(2, 6, patterns)), Targets::None)?;
/// let memory = Hopfield::default().fit(&data, &FitContext::default())?.model;
/// let mut states = [-1., 1., 1., -1., -1., -1.];
/// assert!((memory.energy(&states) + 1.0 / 3.0).abs() < 1e-12);
/// memory.recall(&mut states);
/// assert_eq!(states, [1., 1., 1., -1., -1., -1.]);
/// assert!((memory.energy(&states) + 7.0 / 3.0).abs() < 1e-12);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Hopfield, Neural networks and physical systems with emergent collective computational abilities, 1982.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct Hopfield {
    /// Most passes over the columns when a row is recalled.
    #[setting(count, python = "max_iter")]
    pub passes: usize,
}

impl Default for Hopfield {
    fn default() -> Self {
        Self { passes: 100 }
    }
}

impl Estimator for Hopfield {
    type Model = Memory;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<Memory>> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        Error::collect(errors)?;
        let context = context.restarted();
        let (patterns, copies) = patterns(data)?;
        let (p, n) = (patterns.rows(), patterns.columns());
        let needed = 8 * (2 * (n as u64) * (n as u64) + (p as u64) * (n as u64));
        if needed > context.most_memory() {
            return Err(Error::Memory {
                what: format!("the weights between {n} columns"),
                needed,
                limit: context.most_memory(),
            });
        }
        context.check()?;
        let mut weights = Matrix::zeros(n, n);
        let weighted = Matrix::from_fn(p, n, |i, j| copies[i] * patterns[(i, j)]);
        context.install(|| {
            let (left, right) = (weighted.as_ref(), patterns.as_ref());
            let (par, out) = (context.par(), weights.as_mut());
            gemm(1.0, left, Op::Transpose, right, Op::None, 0.0, out, par);
        })?;
        // Sums of copies are whole numbers as a rule, and exact.
        for i in 0..n {
            for j in 0..i {
                let weight = weights[(i, j)] / n as f64;
                (weights[(i, j)], weights[(j, i)]) = (weight, weight);
            }
            weights[(i, i)] = 0.0;
        }
        let model = Memory::new(weights, data.records.features.groups.clone(), self.passes);
        let mut kept = 0;
        let mut energy = 0.0;
        for row in 0..p {
            context.check()?;
            let mut states = patterns.row(row).to_vec();
            energy += model.energy(&states);
            model.recall(&mut states);
            kept += usize::from(states == patterns.row(row));
        }
        let report = FitReport {
            distinct_rows: p,
            solver: Some(SolverReport::of_objective(energy, 1)),
            ..FitReport::of_rows(data.len(), notes(p, n, kept), &context)
        };
        Ok(Fitted { model, report })
    }
}

/// What is to be known of so many patterns in so many columns, of which some are recalled as they are.
fn notes(patterns: usize, columns: usize, kept: usize) -> Vec<Note> {
    let mut notes = Vec::new();
    let share = patterns as f64 / columns as f64;
    if share > CAPACITY {
        notes.push(Note::Alert(format!(
            "{patterns} patterns in {columns} columns are beyond the capacity of a Hopfield network, {CAPACITY} patterns a column: recall may fail"
        )));
    }
    if kept < patterns {
        notes.push(Note::Alert(format!(
            "{} of {patterns} patterns are not recalled: the network leads from them to something else",
            patterns - kept
        )));
    }
    notes
}

/// Distinct patterns in an order of their own, with their copies.
fn patterns(data: &Dataset) -> Result<(Matrix<f64>, Vec<f64>)> {
    let rows = dense(&data.records);
    if rows.columns() == 0 {
        return Err(Error::rows(
            "the rows have no numeric columns",
            "give columns of the numbers 1 and −1",
        ));
    }
    for i in 0..rows.rows() {
        if let Some(j) = rows.row(i).iter().position(|v| v.abs() != 1.0) {
            return Err(Error::Cell {
                place: format!("row {}", i + 1),
                column: data.records.features.name(j),
                problem: format!("`{}` is no state of a pattern", rows[(i, j)]),
                cure: "write patterns in the numbers 1 and −1, without scaling".into(),
            });
        }
    }
    let weight = |row: usize| data.weights.as_ref().map_or(1.0, |w| w[row]);
    let mut order: Vec<usize> = (0..rows.rows()).filter(|&row| weight(row) > 0.0).collect();
    if order.is_empty() {
        return Err(Error::rows(
            "there are no rows to learn from",
            "give at least one row with a positive weight",
        ));
    }
    // Of ±1 the larger comes first.
    let compare = |a: usize, b: usize| {
        let (a, b) = (rows.row(a), rows.row(b));
        b.partial_cmp(a).unwrap_or(std::cmp::Ordering::Equal)
    };
    order.sort_by(|&a, &b| compare(a, b));
    let (mut kept, mut copies): (Vec<usize>, Vec<f64>) = (Vec::new(), Vec::new());
    for row in order {
        match (kept.last(), copies.last_mut()) {
            (Some(&last), Some(sum)) if compare(last, row).is_eq() => *sum += weight(row),
            _ => {
                kept.push(row);
                copies.push(weight(row));
            }
        }
    }
    Ok((rows.select_rows(&kept), copies))
}

fn dense(records: &Records) -> Matrix<f64> {
    match records.features.points.widened() {
        Block::Dense(rows) => Matrix::from_fn(rows.rows(), rows.columns(), |i, j| rows.row(i)[j]),
        Block::Sparse(rows) => rows.to_dense(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Targets;

    fn data(rows: usize, columns: usize, values: Vec<f64>) -> Dataset {
        let records = Records::from_points(Matrix::from_vec(rows, columns, values));
        Dataset::try_new(records, Targets::None).expect("rows")
    }

    fn fit(data: &Dataset) -> Fitted<Memory> {
        Hopfield::default()
            .fit(data, &FitContext::default())
            .expect("a memory")
    }

    /// Signs that look random.
    fn signs(rows: usize, columns: usize, seed: u64) -> Vec<f64> {
        use rand_chacha::ChaCha8Rng;
        use rand_chacha::rand_core::{Rng, SeedableRng};
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let sign = |_| if rng.next_u64() % 2 == 0 { 1.0 } else { -1.0 };
        (0..rows * columns).map(sign).collect()
    }

    #[test]
    fn the_worked_patterns_are_beyond_the_capacity() {
        let both = vec![
            1.0, 1.0, 1.0, -1.0, -1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0,
        ];
        let fitted = fit(&data(2, 6, both));
        let mut states = [-1.0, 1.0, 1.0, -1.0, -1.0, -1.0];
        let mut energies = vec![fitted.model.energy(&states)];
        let memory = &fitted.model;
        assert!(memory.recall_watched(&mut states, |s| energies.push(memory.energy(s))));
        assert_eq!(states, [1.0, 1.0, 1.0, -1.0, -1.0, -1.0]);
        assert!((energies[0] + 1.0 / 3.0).abs() < 1e-12);
        assert!((energies[energies.len() - 1] + 7.0 / 3.0).abs() < 1e-12);
        assert!(energies.windows(2).all(|pair| pair[1] < pair[0]));
        let warned = |note: &Note| note.is_alert() && note.text().contains("capacity");
        assert!(fitted.report.notes.iter().any(warned));
    }

    #[test]
    fn energy_never_rises_and_few_patterns_are_recalled() {
        let (p, n) = (6, 100);
        let patterns = signs(p, n, 1);
        let fitted = fit(&data(p, n, patterns.clone()));
        assert!(fitted.report.notes.is_empty(), "{:?}", fitted.report.notes);
        let noise = signs(20, n, 2);
        for start in noise.chunks(n) {
            let mut states = start.to_vec();
            let mut last = fitted.model.energy(&states);
            fitted.model.recall_watched(&mut states.clone(), |s| {
                let energy = fitted.model.energy(s);
                assert!(energy < last + 1e-12, "{energy} after {last}");
                last = energy;
            });
            assert!(fitted.model.recall(&mut states));
        }
        for pattern in patterns.chunks(n) {
            let mut states = pattern.to_vec();
            for state in states.iter_mut().step_by(7) {
                *state = -*state;
            }
            fitted.model.recall(&mut states);
            assert_eq!(states, pattern);
        }
    }

    #[test]
    fn order_and_copies_do_not_matter_and_other_numbers_are_refused() {
        let (p, n) = (5, 40);
        let patterns = signs(p, n, 3);
        let plain = data(p, n, patterns.clone());
        let turned = plain.select(&[3, 1, 4, 0, 2, 2]);
        let weighted = plain.clone().with_weights(vec![1.0, 1.0, 2.0, 1.0, 1.0]);
        let weighted = weighted.expect("weights");
        assert_eq!(fit(&turned).model, fit(&weighted).model);
        let wrong = data(2, 2, vec![1.0, -1.0, 0.5, 1.0]);
        let error = Hopfield::default().fit(&wrong, &FitContext::default());
        assert!(matches!(error, Err(Error::Cell { place, .. }) if place == "row 2"));
        let none = plain.with_weights(vec![0.0; 5]).expect("weights");
        assert!(
            Hopfield::default()
                .fit(&none, &FitContext::default())
                .is_err()
        );
    }

    #[test]
    fn broken_memories_are_refused() {
        let memory = fit(&data(1, 3, vec![1.0, -1.0, 1.0])).model;
        let broken = |change: fn(&mut Memory)| {
            let mut model = memory.clone();
            change(&mut model);
            crate::model::Form::from(model).check().is_err()
        };
        assert!(!broken(|_| {}));
        assert!(broken(|m| m.weights[(0, 1)] = 9.0));
        assert!(broken(|m| m.weights[(1, 1)] = 1.0));
        assert!(broken(|m| m.weights[(0, 0)] = f64::NAN));
        assert!(broken(|m| m.passes = 0));
        assert!(broken(|m| m.weights = Matrix::zeros(2, 3)));
    }
}
