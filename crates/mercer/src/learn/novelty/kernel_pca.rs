//! Novelty by what kernel principal components leave of a row.

use serde::{Deserialize, Serialize};

use super::threshold::by_folds;
use crate::data::{Dataset, Targets, number_text};
use crate::fit::{FitContext, FitReport, Fitted, Note};
use crate::kernel::{Input, KernelSpec};
use crate::learn::canonical::Canonical;
use crate::learn::project::KernelPca;
use crate::learn::{Estimator, Settings};
use crate::model::ResidualNovelty;
use crate::model::expansion::KernelExpansion;
use crate::{Error, Result};

/// Rows up to which all components are found at once.
const ALL_AT_ONCE: usize = 300;
/// Components that are found first where their number is left open; then twice as many, until enough is explained.
const FIRST: usize = 64;

/// Novelty by kernel principal components: f(x) = t − r(x), with r the squared distance of φ(x) from their plane.
///
/// The components are those of [`KernelPca`] around the mean of the rows in the space of the kernel,
/// r(x) = ‖φ(x) − m‖² − Σ_j z_j². The threshold t is such that a share of rows is beyond it, each told by components that
/// were found without it, in five folds. Use it where the familiar lies along a curved surface, on rows of any kind that a
/// kernel compares; a row in a gap of that surface is novel, too. Learning takes six times what kernel principal components
/// take, a prediction a kernel value for every row learnt from.
///
/// Weights mean copies, and equal rows are in one fold. Targets are not read.
///
/// # Examples
/// ```
/// use mercer::data::{Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::kernel::KernelSpec;
/// use mercer::learn::Estimator;
/// use mercer::learn::novelty::KernelPcaNovelty;
/// use mercer::model::Form;
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_fn(40, 2, |i, j| {
///     let angle = 0.157 * i as f64;
///     if j == 0 { angle.cos() } else { angle.sin() }
/// });
/// let data = Dataset::try_new(Records::from_points(x), Targets::None)?;
/// let method = KernelPcaNovelty::default().kernel(KernelSpec::rbf(1.0));
/// let form: Form = method.fit(&data, &FitContext::default())?.model.into();
/// let new = Records::from_points(Matrix::from_vec(2, 2, vec![0.6, 0.8, 0.0, 0.0]));
/// let told = form.predict(&new, &FitContext::default())?;
/// assert!(told.decisions[(0, 0)] >= 0.0 && told.decisions[(1, 0)] < 0.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Hoffmann, Kernel PCA for novelty detection, 2007.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct KernelPcaNovelty {
    /// Kernel expression.
    #[setting(kernel)]
    pub kernel: KernelSpec,
    /// Number of components; as few as explain enough where it is left open.
    #[serde(default)]
    #[setting(count, python = "n_components")]
    pub components: Option<usize>,
    /// Share of the spread in the space of the kernel that components are to explain, where their number is left open.
    #[setting(share)]
    pub explained: f64,
    /// Expected share of novel rows: so many of the rows that were held out in folds are beyond the threshold.
    #[setting(share)]
    pub share: f64,
    /// Largest residual ‖K v − λ v‖ of a component, relative to the largest eigenvalue.
    #[setting(not_negative, python = "tol")]
    pub tolerance: f64,
    /// Most products with a block of columns.
    #[serde(default)]
    #[setting(count, python = "max_iter")]
    pub max_iterations: Option<u64>,
}

impl Default for KernelPcaNovelty {
    fn default() -> Self {
        Self {
            kernel: KernelSpec::rbf_auto(),
            components: None,
            explained: 0.95,
            share: 0.05,
            tolerance: 1e-7,
            max_iterations: None,
        }
    }
}

/// Components, and no threshold yet.
#[derive(Debug, Clone)]
struct Residual(KernelPca);

impl Estimator for Residual {
    type Model = ResidualNovelty;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<ResidualNovelty>> {
        let Fitted { model, report } = self.0.fit(data, context)?;
        let model = ResidualNovelty {
            components: model,
            threshold: 0.0,
        };
        Ok(Fitted { model, report })
    }
}

impl KernelPcaNovelty {
    /// The rows as every fit sees them: distinct, in an order that follows from them, copies as weights.
    fn rows(&self, data: &Dataset) -> Result<Dataset> {
        let families = self.kernel.families();
        if families.iter().any(|family| family.input == Input::Matrix) {
            return Err(Error::Unsupported {
                what: "a given kernel matrix does not hold k(x, x) of new rows".to_owned(),
                cure: "use a kernel that is computed from the rows".into(),
            });
        }
        let unlabelled = Dataset {
            records: data.records.clone(),
            targets: Targets::None,
            weights: data.weights.clone(),
        };
        let merged = Canonical::try_new(&unlabelled, &self.kernel)?;
        if merged.len() < 3 {
            return Err(Error::rows(
                format!(
                    "{} distinct rows are too few to hold some out",
                    merged.len()
                ),
                "give at least three rows that differ",
            ));
        }
        Ok(Dataset {
            weights: merged
                .weights
                .iter()
                .any(|w| *w != 1.0)
                .then(|| merged.weights.to_vec()),
            records: merged.records,
            targets: Targets::None,
        })
    }

    /// Finds the components, as many as are asked for or as explain enough.
    fn found(
        &self,
        pca: &KernelPca,
        rows: &Dataset,
        context: &FitContext,
    ) -> Result<Fitted<KernelExpansion>> {
        let n = rows.len();
        let few = if n <= ALL_AT_ONCE { n } else { FIRST };
        let mut count = self.components.unwrap_or(few).min(n);
        loop {
            let pca = pca.clone().components(Some(count));
            let mut fitted = pca.fit(rows, context)?;
            if self.components.is_some() {
                return Ok(fitted);
            }
            let Some(known) = &fitted.model.components else {
                return Ok(fitted);
            };
            let wanted = self.explained * known.trace;
            let mut reached = 0.0;
            let enough = known.eigenvalues.iter().position(|value| {
                reached += value;
                reached >= wanted
            });
            let Some(last) = enough else {
                // Rounding may leave a little of the whole.
                if count >= n || known.eigenvalues.len() < count {
                    return Ok(fitted);
                }
                count = (2 * count).min(n);
                continue;
            };
            fitted.model.keep_components(last + 1);
            if let Some(told) = &mut fitted.report.projection {
                told.eigenvalues.truncate(last + 1);
            }
            let notes = &mut fitted.report.notes;
            notes.push(Note::Choice(format!(
                "{} components explain {} % of the spread in the space of the kernel",
                last + 1,
                number_text(100.0 * self.explained)
            )));
            return Ok(fitted);
        }
    }
}

impl Estimator for KernelPcaNovelty {
    type Model = ResidualNovelty;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<ResidualNovelty>> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        Error::collect(errors)?;
        let context = context.restarted();
        let rows = self.rows(data)?;
        let plain = KernelPca {
            kernel: self.kernel.clone(),
            tolerance: self.tolerance,
            max_iterations: self.max_iterations,
            leave_out_zeros: true,
            ..KernelPca::default()
        };
        let Fitted {
            model: components,
            report,
        } = self.found(&plain, &rows, &context)?;
        // The folds compare rows by the very kernel that new ones will meet.
        let folds = Residual(KernelPca {
            kernel: components.kernel.spec().clone(),
            components: Some(components.decisions()),
            ..plain
        });
        let threshold = -by_folds(&folds, &rows, self.share, &context)?;
        let mut notes = report.notes;
        notes.push(Note::Choice(format!(
            "a row is novel whose squared distance from the components is above {}, as that of {} % of rows that were held out in folds is",
            number_text(format!("{threshold:.3e}").parse().unwrap_or(0.0)),
            number_text(100.0 * self.share)
        )));
        let report = FitReport {
            distinct_rows: rows.len(),
            stop_reason: report.stop_reason,
            solver: report.solver,
            kernel: report.kernel,
            projection: report.projection,
            ..FitReport::of_rows(data.len(), notes, &context)
        };
        let model = ResidualNovelty {
            components,
            threshold,
        };
        Ok(Fitted { model, report })
    }
}

#[cfg(test)]
mod tests {
    use mercer_linalg::Matrix;

    use super::*;
    use crate::data::Records;
    use crate::model::Form;

    fn data(values: &[f64], columns: usize) -> Dataset {
        let x = Matrix::from_vec(values.len() / columns, columns, values.to_vec());
        Dataset::try_new(Records::from_points(x), Targets::None).unwrap()
    }

    /// Points of a bent line.
    fn bent(count: usize) -> Vec<f64> {
        let point = |k: usize| {
            let t = k as f64 / 7.0;
            [t.sin() + 0.01 * (k * k % 13) as f64, t]
        };
        (0..count).flat_map(point).collect()
    }

    fn fitted(method: &KernelPcaNovelty, data: &Dataset) -> ResidualNovelty {
        method.fit(data, &FitContext::default()).unwrap().model
    }

    fn decisions(model: &ResidualNovelty, values: &[f64]) -> Vec<f64> {
        let new = data(values, 2).records;
        let form = Form::from(model.clone());
        let found = form.predict(&new, &FitContext::default()).unwrap();
        found.decisions.into_vec()
    }

    #[test]
    fn one_axis_of_a_plane_leaves_the_other() {
        // Along the first column rows spread most: what is left is the square of the second column.
        let rows = data(
            &[
                -4.0, 0.1, -2.0, -0.1, 0.0, 0.0, 2.0, 0.1, 4.0, -0.1, -4.0, -0.1, -2.0, 0.1, 2.0,
                -0.1, 4.0, 0.1,
            ],
            2,
        );
        let method = KernelPcaNovelty::default()
            .kernel(KernelSpec::linear())
            .components(Some(1));
        let model = fitted(&method, &rows);
        let found = decisions(&model, &[3.0, 0.0, 3.0, 2.0, 100.0, -0.5]);
        for (decision, square) in found.iter().zip([0.0, 4.0, 0.25]) {
            assert!(
                (model.threshold - decision - square).abs() < 1e-9,
                "{found:?}"
            );
        }
        assert!(found[0] > 0.0 && found[1] < 0.0 && found[2] < 0.0);
    }

    #[test]
    fn as_many_components_as_explain_enough() {
        let rows = data(&bent(50), 2);
        let of = |explained| {
            let method = KernelPcaNovelty::default()
                .kernel(KernelSpec::rbf(0.5))
                .explained(explained);
            fitted(&method, &rows).components
        };
        let (less, more) = (of(0.7), of(0.99));
        assert!(less.decisions() < more.decisions());
        for (model, share) in [(&less, 0.7), (&more, 0.99)] {
            let known = model.components.as_ref().unwrap();
            let sum: f64 = known.eigenvalues.iter().sum();
            let last = known.eigenvalues[known.eigenvalues.len() - 1];
            assert!(sum >= share * known.trace && sum - last < share * known.trace);
        }
    }

    #[test]
    fn more_rows_than_are_decomposed_at_once_find_the_same() {
        // Beyond the first block of components, found by products.
        let rows = data(&bent(320), 2);
        let method = KernelPcaNovelty::default()
            .kernel(KernelSpec::rbf(30.0))
            .explained(0.995);
        let model = fitted(&method, &rows);
        assert!(model.components.decisions() > FIRST);
        let given = fitted(
            &method.components(Some(model.components.decisions())),
            &rows,
        );
        let new = [0.0, 0.0, 1.0, 1.0, 5.0, -3.0];
        let pairs = decisions(&model, &new);
        for (a, b) in pairs.iter().zip(decisions(&given, &new)) {
            assert!((a - b).abs() < 1e-5, "{a} {b}");
        }
    }

    #[test]
    fn weights_are_copies_and_order_does_not_matter() {
        let values = bent(40);
        let mut copied = values.clone();
        copied.extend_from_slice(&values[..20]);
        let mut weights = vec![1.0; 40];
        weights[..10].fill(2.0);
        let weighted = data(&values, 2).with_weights(weights).unwrap();
        let mut turned: Vec<[f64; 2]> = copied.chunks(2).map(|p| [p[0], p[1]]).collect();
        turned.reverse();
        let method = KernelPcaNovelty::default();
        let one = fitted(&method, &weighted);
        for rows in [data(&copied, 2), data(&turned.concat(), 2)] {
            let other = fitted(&method, &rows);
            assert_eq!(one.threshold, other.threshold);
            let new = [0.3, 0.3, 9.0, 9.0];
            assert_eq!(decisions(&one, &new), decisions(&other, &new));
        }
    }

    #[test]
    fn the_share_of_new_rows_beyond_is_as_expected() {
        // Numbers of Knuth's generator, twelve of which add up to a normal one.
        let mut state = 7_u64;
        let mut uniform = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let values: Vec<f64> = (0..600)
            .map(|_| (0..12).map(|_| uniform()).sum::<f64>() - 6.0)
            .collect();
        let rows = data(&values, 2);
        let method = KernelPcaNovelty::default()
            .kernel(KernelSpec::rbf(0.2))
            .share(0.2);
        let halves: Vec<usize> = (0..300).filter(|k| k % 2 == 0).collect();
        let others: Vec<usize> = (0..300).filter(|k| k % 2 == 1).collect();
        let model = fitted(&method, &rows.select(&halves));
        let form = Form::from(model);
        let found = form
            .predict(&rows.records.select(&others), &FitContext::default())
            .unwrap();
        let novel = found.decisions.as_slice().iter().filter(|f| **f < 0.0);
        let novel = novel.count();
        // 30 of 150 are expected; a threshold by 150 rows is itself off by three deviations of √(150·0.2·0.8·2) at most.
        assert!((9..=51).contains(&novel), "{novel}");
    }

    #[test]
    fn what_cannot_be_learnt_from_is_refused() {
        let refused = |method: &KernelPcaNovelty, rows: &Dataset| {
            let error = method.fit(rows, &FitContext::default()).unwrap_err();
            error.to_string()
        };
        let method = KernelPcaNovelty::default();
        let equal = data(&[1.0; 20], 2);
        assert!(refused(&method, &equal).contains("1 distinct rows"));
        let bad = data(&[0.0, 1.0, f64::NAN, 1.0, 2.0, 3.0, 4.0, 5.0], 2);
        assert!(refused(&method, &bad).contains("row 2"));
        let told = refused(&method.clone().share(2.0).explained(0.0), &equal);
        assert!(
            told.contains("share") && told.contains("explained"),
            "{told}"
        );
        let given = method.kernel(KernelSpec::parse("precomputed").unwrap());
        assert!(refused(&given, &equal).contains("given kernel matrix"));
    }

    #[test]
    fn threads_change_nothing() {
        let rows = data(&bent(330), 2);
        let with = |threads| {
            let context = FitContext::default().threads(threads);
            KernelPcaNovelty::default().fit(&rows, &context).unwrap()
        };
        assert_eq!(with(1).model, with(2).model);
    }
}
