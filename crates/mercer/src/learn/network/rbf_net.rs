//! Networks of radial basis functions.

use mercer_linalg::{Csr, Matrix, exp_in_place, squared_distance};
use serde::{Deserialize, Serialize};

use crate::data::{Dataset, Points, Records, Targets};
use crate::fit::{
    FitContext, FitReport, Fitted, LinearReport, Note, SolverReport, StopReason, WarningCode,
};
use crate::kernel::ResolvedKernel;
use crate::learn::cluster::KMeans;
use crate::learn::linear::{LinearSolution, Ols, Ridge};
use crate::learn::{Estimator, Settings};
use crate::model::expansion::KernelExpansion;
use crate::model::readout::{Readout, Scheme};
use crate::solver::kmeans::{Prepared, distances};
use crate::{Error, Result};

/// A network of radial basis functions: f(x) = b + Σ_j v_j exp(−‖x − c_j‖²/(2σ²)), the centres c_j by k-means,
/// the weights v and the constant b by least squares.
///
/// Minimises Σ w_i (y_i − f(x_i))² + λ‖v‖² over v and b; classes are learnt as targets ±1, more than
/// two of them one against the rest. Use it for smooth functions of few columns of one scale:
/// a fit takes time n·m·(d + m) for m centres, and a prediction m·d. Where σ is left open it is the
/// mean distance of a centre from the nearest other one. What comes out is a function of
/// the kernel `rbf` with the centres as support vectors.
///
/// # Examples
/// ```
/// use mercer::data::{Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::learn::network::RbfNet;
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_vec(4, 1, vec![0.0, 1.0, 2.0, 3.0]);
/// let data = Dataset::try_new(Records::from_points(x), Targets::Real(vec![0.0, 1.0, 0.0, 1.0]))?;
/// let centres = Matrix::from_vec(2, 1, vec![0.0, 2.0]);
/// let net = RbfNet::default().width(Some(1.0));
/// let fitted = net.fit_at(&data, centres, &FitContext::default())?;
/// assert!((fitted.model.biases[0] - 1.44861358).abs() < 1e-8);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Moody and Darken, Fast learning in networks of locally-tuned processing units, 1989.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct RbfNet {
    /// Number of centres.
    #[setting(count, python = "n_centers", search(smaller, Log(2.0, 64.0, 6)))]
    pub centres: usize,
    /// Width σ of the Gaussians; the mean distance of a centre from the nearest other one where
    /// it is left open.
    #[serde(default)]
    #[setting(positive)]
    pub width: Option<f64>,
    /// Weight of the penalty on squared weights.
    #[setting(not_negative, python = "alpha")]
    pub lambda: f64,
    /// Runs of k-means, the best of which counts.
    #[setting(count, python = "n_init")]
    pub starts: usize,
}

impl Default for RbfNet {
    fn default() -> Self {
        Self {
            centres: 10,
            width: None,
            lambda: 0.0,
            starts: 1,
        }
    }
}

impl Estimator for RbfNet {
    type Model = KernelExpansion;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<KernelExpansion>> {
        self.check_all()?;
        let context = &context.restarted();
        // Copies of a row are one centre's at most.
        let weights = data.weights.as_deref();
        let distinct = || Prepared::try_new(&data.records, weights, context).map(|p| p.0.len());
        let rows = context.install(distinct)??;
        let mut notes = Vec::new();
        let clusters = self.centres.min(rows.max(1));
        if clusters < self.centres {
            notes.push(Note::Choice(format!(
                "{clusters} centres: there are no more distinct rows"
            )));
        }
        let means = KMeans::default()
            .clusters(clusters)
            .starts(Some(self.starts));
        let found = means.solve(&data.records, weights, None, context)?;
        let mut fitted = self.weigh(data, found.centres, notes, context)?;
        fitted.report.stop_reason = found.stop_reason;
        if found.stop_reason != StopReason::Converged {
            fitted.report.notes.push(Note::Alert(format!(
                "not converged ({}): another iteration would move the centres",
                found.stop_reason
            )));
        }
        Ok(fitted)
    }
}

impl RbfNet {
    /// Learns the weights of Gaussians around given centres, a row each.
    ///
    /// # Errors
    /// Every bad setting at once; rows and targets that cannot be learnt from, centres of
    /// another width; cancellation.
    pub fn fit_at(
        &self,
        data: &Dataset,
        centres: Matrix<f64>,
        context: &FitContext,
    ) -> Result<Fitted<KernelExpansion>> {
        self.check_all()?;
        let expected = data.records.features.points.columns();
        if centres.columns() != expected || centres.rows() == 0 {
            return Err(Error::Length {
                what: "the table of centres".to_owned(),
                found: centres.columns(),
                expected,
                unit: "columns",
            });
        }
        self.weigh(data, centres, Vec::new(), &context.restarted())
    }

    fn check_all(&self) -> Result<()> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        Error::collect(errors)
    }

    fn weigh(
        &self,
        data: &Dataset,
        centres: Matrix<f64>,
        mut notes: Vec<Note>,
        context: &FitContext,
    ) -> Result<Fitted<KernelExpansion>> {
        let (targets, readout) = outputs(data)?;
        let apart = context
            .install(|| distances(&centres, &data.records, context.par(), &context.cancel))??;
        let width = self.width.unwrap_or_else(|| {
            let width = usual_width(&centres, &apart);
            notes.push(Note::Choice(format!("width of the Gaussians: {width:.6}")));
            width
        });
        let scale = -0.5 / (width * width);
        let mut features = apart;
        for value in features.as_mut_slice() {
            *value = *value * *value * scale;
        }
        exp_in_place(features.as_mut_slice());
        let solution = self.solve(features, &targets, data, context)?;
        let shape = (data.len(), centres.rows());
        let rank = solution.rank.filter(|rank| *rank < centres.rows());
        let own = |note| of_gaussians(note, rank, solution.condition, shape);
        notes.extend(solution.notes.into_iter().map(own));
        let kernel: ResolvedKernel = format!("rbf(sigma={width})").parse()?;
        let centres = if data.records.features.points.is_sparse() {
            Points::from(Csr::from_dense(centres.as_ref()))
        } else {
            Points::from(centres)
        };
        let mut support = Records::from_points(centres);
        support
            .features
            .groups
            .clone_from(&data.records.features.groups);
        let count = support.len();
        let labels = readout.labels().map_or(1, <[String]>::len);
        let (weights, biases) = (solution.weights, solution.biases);
        let model = KernelExpansion::new(kernel, support, weights, biases, readout);
        let mut sizes = vec![0; labels];
        sizes[0] = count;
        let report = FitReport {
            solver: Some(SolverReport {
                objective: solution.objective.iter().sum(),
                dual_gap: f64::NAN,
                kkt_violation: solution.violation,
                iterations: 1,
                problems: Vec::new(),
            }),
            linear: Some(LinearReport {
                rank: solution.rank,
                condition: Some(solution.condition),
                degrees_of_freedom: solution.degrees_of_freedom,
                ..LinearReport::default()
            }),
            ..FitReport::of_rows(data.len(), notes, context)
        };
        Ok(Fitted {
            model: model.sorted_by_class(sizes),
            report,
        })
    }

    fn solve(
        &self,
        features: Matrix<f64>,
        targets: &Matrix<f64>,
        data: &Dataset,
        context: &FitContext,
    ) -> Result<LinearSolution> {
        let features = Records::from_points(features);
        let weights = data.weights.as_deref();
        if self.lambda > 0.0 {
            let ridge = Ridge::default().lambda(self.lambda);
            ridge.solve(&features, targets, weights, context)
        } else {
            Ols::default().solve(&features, targets, weights, context)
        }
    }
}

/// What least squares warns of, in words of Gaussians: the columns that it saw are no columns of the
/// table, and what helps is another network. `rank` is given where not all Gaussians count.
fn of_gaussians(
    note: Note,
    rank: Option<usize>,
    condition: f64,
    (rows, centres): (usize, usize),
) -> Note {
    const HELP: &str = "fewer centres, another width or a penalty would help";
    let Note::Warning(warning) = &note else {
        return note;
    };
    match (warning.code, rank) {
        (WarningCode::Collinear, Some(rank)) => Note::Alert(format!(
            "{} of {centres} Gaussians are combinations of the others on these rows: the weights are \
             those of least norm among many that fit equally well; {HELP}",
            centres - rank
        )),
        (WarningCode::Collinear, None) => Note::Alert(format!(
            "Gaussians are nearly combinations of each other (condition number {condition:.1e}): weights \
             change much with little changes of the data; {HELP}"
        )),
        (WarningCode::FewRows, _) => Note::Alert(format!(
            "there are {rows} rows for the weights of {centres} Gaussians: the residuals say nothing \
             about new rows; {HELP}"
        )),
        _ => note,
    }
}

/// The mean distance of a centre from the nearest other one; that of rows from the nearest centre
/// where there is one centre, and 1 where nothing is apart.
fn usual_width(centres: &Matrix<f64>, apart: &Matrix<f64>) -> f64 {
    let count = centres.rows();
    let nearest = |j: usize| {
        let others = (0..count).filter(|&k| k != j);
        let squares = others.map(|k| squared_distance(centres.row(j), centres.row(k)));
        squares.fold(f64::INFINITY, f64::min).sqrt()
    };
    let mean = (0..count).map(nearest).sum::<f64>() / count as f64;
    if mean.is_finite() && mean > 0.0 {
        return mean;
    }
    let rows = apart.as_slice().iter().sum::<f64>() / apart.as_slice().len().max(1) as f64;
    if rows.is_finite() && rows > 0.0 {
        rows
    } else {
        1.0
    }
}

/// Targets, a row for each output, and what outputs stand for.
fn outputs(data: &Dataset) -> Result<(Matrix<f64>, Readout)> {
    match &data.targets {
        Targets::Real(values) => Ok((
            Matrix::from_vec(1, values.len(), values.clone()),
            Readout::Values,
        )),
        Targets::Several(values) => Ok((values.clone(), Readout::Values)),
        Targets::Classes(classes) => {
            let first = classes.codes.first();
            if classes.labels.len() < 2 || classes.codes.iter().all(|c| Some(c) == first) {
                return Err(Error::rows(
                    "all rows are of one class",
                    "classification needs rows of at least two classes",
                ));
            }
            let labels = &classes.labels;
            let scheme = Scheme::one_or_rest(labels.len());
            let decisions = scheme.decisions(labels.len());
            let targets = Matrix::from_fn(decisions, classes.codes.len(), |k, i| {
                if classes.codes[i] as usize == k {
                    1.0
                } else {
                    -1.0
                }
            });
            Ok((targets, Readout::of_classes(labels, scheme)))
        }
        Targets::None => Err(Error::rows(
            "a network needs a class or a number for every row",
            "give a target column",
        )),
    }
}
