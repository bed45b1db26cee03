//! Kernel k-means: parameters, runs and the best of them.

use mercer_linalg::Matrix;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

use crate::data::{Dataset, Targets};
use crate::fit::{FitContext, FitReport, Fitted, KernelReport, Note, SolverReport, StopReason};
use crate::gram::{Gram, KernelSource, StoredGram, StreamedGram};
use crate::kernel::KernelSpec;
use crate::learn::canonical::{Canonical, Found};
use crate::learn::margin::Bias;
use crate::learn::{Estimator, Settings};
use crate::model::expansion::KernelExpansion;
use crate::model::readout::Readout;
use crate::solver::kernel_kmeans::{KernelRun, first_labels, kernel_lloyd};
use crate::{Error, Result};

/// Kernel k-means: minimises Σ w_i ‖φ(x_i) − m_{a(i)}‖² over the assignment a of rows to the means m of their clusters in
/// the space of a kernel.
///
/// Use it for clusters that no centre describes (rings, moons), and for texts, graphs and nodes of a network. Every run finds
/// a local minimum, so that more starts can only help. An iteration takes a row of the kernel matrix for every row that
/// changes its cluster; all rows stay in the model. A new row belongs to the nearest mean: its
/// decisions are ‖φ(x) − m_c‖² − k(x, x), a function of the kernel for every cluster.
///
/// Weights mean copies. A cluster that loses all rows takes the row farthest from its mean. With a kernel that is not
/// positive semidefinite a run ends where the objective would rise, and says so.
///
/// # Examples
/// ```
/// use mercer::data::{Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::learn::Estimator;
/// use mercer::learn::cluster::KernelKMeans;
///
/// let words = Records::from_texts(["banana", "bananas", "ananas", "kernel", "kernels"]);
/// let data = Dataset::try_new(words, Targets::None)?;
/// let method = KernelKMeans::default().clusters(2).kernel("normalise(spectrum(length=2))".parse()?);
/// let fitted = method.fit(&data, &FitContext::default())?;
/// assert_eq!(fitted.model.decisions(), 2);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Girolami, Mercer kernel-based clustering in feature space, 2002; Dhillon, Guan and Kulis, Kernel k-means, spectral clustering
/// and normalized cuts, 2004.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct KernelKMeans {
    /// Number of clusters.
    #[setting(count, python = "n_clusters")]
    pub clusters: usize,
    /// Kernel expression.
    #[setting(kernel)]
    pub kernel: KernelSpec,
    /// Runs from different first means, the best of which counts.
    #[setting(count, python = "n_init")]
    pub starts: usize,
    /// Most iterations of a run.
    #[setting(count, python = "max_iter")]
    pub max_iterations: u64,
}

impl Default for KernelKMeans {
    fn default() -> Self {
        Self {
            clusters: 8,
            kernel: KernelSpec::rbf_auto(),
            starts: 10,
            max_iterations: 300,
        }
    }
}

impl Estimator for KernelKMeans {
    type Model = KernelExpansion;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<KernelExpansion>> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        Error::collect(errors)?;
        let context = context.restarted();
        context.install(|| self.fit_installed(data, &context))?
    }
}

impl KernelKMeans {
    fn fit_installed(
        &self,
        data: &Dataset,
        context: &FitContext,
    ) -> Result<Fitted<KernelExpansion>> {
        let data = &Dataset {
            targets: Targets::None,
            ..data.clone()
        };
        let mut rows = Canonical::try_new(data, &self.kernel)?;
        let counting = data.weights.as_ref().map_or(data.len(), |weights| {
            weights.iter().filter(|w| **w > 0.0).count()
        });
        if counting < self.clusters {
            return Err(Error::setting(
                "clusters",
                self.clusters,
                &format!("at most {counting}, the number of rows"),
            ));
        }
        let (kernel, mut notes) = rows.resolve(&self.kernel, Bias::None)?;
        let bound = kernel.bind(&rows.records)?;
        let source = || KernelSource::whole(bound.as_ref(), 0.0);
        let stored = StoredGram::<f64>::try_new(source(), context.memory_limit, context.par());
        let streamed;
        let gram: &dyn Gram<f64> = if let Some(gram) = &stored {
            gram
        } else {
            streamed = StreamedGram::<f64>::new(source(), context.par());
            &streamed
        };
        let (best, stop_reason) = self.runs(gram, &rows, &mut notes, context)?;
        self.tell(&best, stop_reason, rows.len(), &mut notes);
        // A cluster without rows has no mean, and nothing is near it.
        let kept: Vec<usize> = (0..self.clusters)
            .filter(|&cluster| best.weights[cluster] > 0.0)
            .collect();
        let coefficients = Matrix::from_fn(kept.len(), rows.len(), |place, row| {
            if best.labels[row] as usize == kept[place] {
                -2.0 * rows.weights[row] / best.weights[kept[place]]
            } else {
                0.0
            }
        });
        let cost = KernelReport {
            support_vectors: rows.len(),
            kernel_evaluations: gram.evaluations(),
            kernel_bytes: gram.peak_bytes(),
        };
        let model = rows.expansion(Found {
            kernel,
            support: (0..rows.len()).collect(),
            coefficients,
            biases: kept.iter().map(|&cluster| best.squares[cluster]).collect(),
            readout: Readout::Clusters,
            prices: Vec::new(),
        });
        let report = FitReport {
            stop_reason,
            distinct_rows: rows.len(),
            solver: Some(SolverReport::of_objective(best.objective, best.iterations)),
            kernel: Some(cost),
            ..FitReport::of_rows(data.len(), notes, context)
        };
        Ok(Fitted { model, report })
    }

    /// The best of all runs.
    fn runs(
        &self,
        gram: &dyn Gram<f64>,
        rows: &Canonical,
        notes: &mut Vec<Note>,
        context: &FitContext,
    ) -> Result<(KernelRun, StopReason)> {
        let mut rng = ChaCha8Rng::seed_from_u64(context.seed);
        let mut best: Option<KernelRun> = None;
        let mut done = 0;
        for number in 1..=self.starts {
            let run = first_labels(gram, &rows.weights, self.clusters, &mut rng, context).and_then(
                |labels| {
                    kernel_lloyd(
                        gram,
                        &rows.weights,
                        labels,
                        self.clusters,
                        self.max_iterations,
                        context,
                    )
                },
            );
            let run = match run {
                Err(Error::OutOfTime) if best.is_some() => break,
                run => run?,
            };
            done = number;
            let is_cut = run.stop_reason == StopReason::TimeLimit;
            if best
                .as_ref()
                .is_none_or(|best| run.objective < best.objective)
            {
                best = Some(run);
            }
            if is_cut {
                break;
            }
        }
        let best = best.expect("one run at least");
        let mut stop_reason = best.stop_reason;
        if done < self.starts {
            stop_reason = stop_reason.worse(StopReason::TimeLimit);
            notes.push(Note::Alert(format!(
                "the time limit came after {done} of {} starts",
                self.starts
            )));
        }
        Ok((best, stop_reason))
    }

    /// Reasons for care.
    fn tell(
        &self,
        best: &KernelRun,
        stop_reason: StopReason,
        distinct: usize,
        notes: &mut Vec<Note>,
    ) {
        if stop_reason != StopReason::Converged {
            notes.push(Note::Alert(format!(
                "not converged ({stop_reason}): another iteration would move rows"
            )));
        }
        let found = best.weights.iter().filter(|w| **w > 0.0).count();
        if found < self.clusters {
            let cause = if distinct < self.clusters {
                format!(": there are only {distinct} distinct rows")
            } else {
                String::new()
            };
            notes.push(Note::Alert(format!(
                "{found} of {} clusters have rows{cause}",
                self.clusters
            )));
        }
    }
}
