//! The matrix of a kernel, and its spectrum.

use mercer::data::{Records, Targets, sample};
use mercer::fit::{BayesReport, FitContext};
use mercer::kernel::{ResolvedKernel, check_gram};
use mercer::model::Trained;
use mercer::{Error, Result};
use mercer_linalg::{Matrix, symmetric_eigenvalues};
use mercer_plot::text::{count, short};
use mercer_plot::{MatrixMap, Spectrum};

use crate::words::{plural, short_numbers};

/// Rows of a picture: its cells are two pixels wide then.
const DRAWN: usize = 240;
/// Rows whose eigenvalues are found: a second's work.
const DECOMPOSED: usize = 1000;

/// Rows that a kernel compares.
#[derive(Debug, Clone, Copy)]
pub struct Compared<'a> {
    /// The kernel.
    pub kernel: &'a ResolvedKernel,
    /// The rows.
    pub records: &'a Records,
    /// Their targets, which they are sorted by.
    pub targets: &'a Targets,
    /// What the targets are called.
    pub target: Option<&'a str>,
}

impl Compared<'_> {
    /// The matrix of some rows, at most so many and as many as fit into memory, with their numbers.
    fn gram(&self, most: usize, context: &FitContext) -> Result<(Matrix<f64>, Vec<usize>)> {
        let rows = self.records.len();
        if rows == 0 {
            return Err(Error::rows(
                "there are no rows to compare",
                "give a row at least",
            ));
        }
        // The matrix, a copy and what eigenvalues take.
        let fits = (context.most_memory() / 32).isqrt().max(2);
        let most = most.min(usize::try_from(fits).unwrap_or(most));
        let mut drawn = sample(rows, self.targets, most, context.seed);
        match self.targets {
            Targets::Classes(classes) => drawn.sort_by_key(|row| classes.codes[*row]),
            Targets::Real(values) => drawn.sort_by(|a, b| values[*a].total_cmp(&values[*b])),
            Targets::None | Targets::Several(_) => {}
        }
        let records = self.records.select(&drawn);
        let gram =
            context.install(|| self.kernel.gram_within(&records, context.par(), context))??;
        Ok((gram, drawn))
    }

    fn order(&self) -> String {
        let by = self.target.unwrap_or("target");
        match self.targets {
            Targets::Classes(_) => format!("rows, sorted by {by}"),
            Targets::Real(_) => format!("rows, sorted by {by}, the smallest first"),
            Targets::None | Targets::Several(_) => "rows, in the order of the data".to_owned(),
        }
    }
}

/// Draws the kernel matrix of rows, sorted by class or target; at most some hundred rows, drawn at random.
///
/// # Errors
/// Rows that the kernel cannot compare, targets of another length; cancellation.
pub fn kernel_matrix(compared: &Compared<'_>, context: &FitContext) -> Result<MatrixMap> {
    check_length(compared)?;
    let (gram, drawn) = compared.gram(DRAWN, context)?;
    let targets = compared.targets.select(&drawn);
    let mut note: Vec<String> = Vec::new();
    if drawn.len() < compared.records.len() {
        note.push(drawn_words(drawn.len(), compared.records.len()));
    }
    let mut groups = Vec::new();
    if let Targets::Classes(classes) = &targets {
        let counts = classes.counts();
        let labels = classes.labels.iter().cloned();
        groups = labels.zip(counts).filter(|(_, rows)| *rows > 0).collect();
        if let Some([within, between]) = means(&gram, &classes.codes) {
            note.push(format!(
                "Mean within classes {}, between classes {}.",
                short(within),
                short(between)
            ));
        }
    }
    if let Some(alignment) = check_gram(&gram, &targets)?.alignment {
        note.push(format!("Alignment with the target: {}.", short(alignment)));
    }
    Ok(MatrixMap {
        title: format!(
            "Kernel matrix of {}",
            short_numbers(&compared.kernel.to_string())
        ),
        note: note.join(" "),
        name: compared.order(),
        values: gram.as_slice().to_vec(),
        groups,
    })
}

/// Returns λ of a model with a squared loss, which eigenvalues are compared with: variance of the noise over
/// that of the prior.
pub fn known_lambda(trained: &Trained) -> Option<f64> {
    let told = trained.report.bayes.as_ref();
    // Other likelihoods and priors have no variance, and their λ no eigenvalues to be compared with.
    let squares =
        |told: &&BayesReport| !told.noise_variance.is_empty() && !told.prior_variance.is_empty();
    let lambda = told.filter(squares)?.lambda;
    (lambda > 0.0 && lambda.is_finite()).then_some(lambda)
}

/// Draws the eigenvalues of the kernel matrix of rows with their effective dimension: Σ s/(s + λ) where λ is given,
/// (Σ s)²/Σ s² elsewhere. At most a thousand rows, drawn at random; their eigenvalues are then scaled to the number of
/// all rows.
///
/// # Errors
/// Rows that the kernel cannot compare, a λ that is not positive; cancellation.
pub fn kernel_spectrum(
    compared: &Compared<'_>,
    lambda: Option<f64>,
    context: &FitContext,
) -> Result<Spectrum> {
    if let Some(lambda) = lambda.filter(|l| !(*l > 0.0 && l.is_finite())) {
        return Err(Error::setting("lambda", lambda, "positive and finite"));
    }
    check_length(compared)?;
    let (gram, drawn) = compared.gram(DECOMPOSED, context)?;
    context.check()?;
    let values = symmetric_eigenvalues(gram.as_ref()).map_err(|_| {
        Error::rows(
            "the kernel matrix has no eigenvalues: some entry is not finite",
            "scale the columns, or normalise the kernel",
        )
    })?;
    let all = compared.records.len();
    let scale = all as f64 / drawn.len() as f64;
    let mut eigenvalues: Vec<f64> = values.into_iter().map(|v| v * scale).collect();
    eigenvalues.reverse();
    let mut note = Vec::new();
    if drawn.len() < all {
        note.push(format!(
            "{} Eigenvalues are scaled to all of them.",
            drawn_words(drawn.len(), all)
        ));
    }
    let told = Told::of(&eigenvalues, lambda);
    note.extend(told.sentences(lambda));
    // Below the rounding there is nothing to see.
    let kept = eigenvalues.iter().filter(|v| **v > told.rounding).count();
    eigenvalues.truncate(kept);
    Ok(Spectrum {
        title: format!(
            "Spectrum of {}",
            short_numbers(&compared.kernel.to_string())
        ),
        note: note.join(" "),
        eigenvalues,
        level: lambda,
        dimension: told.dimension,
    })
}

/// What is told of a spectrum in descending order.
struct Told {
    /// Eigenvalues up to this size are rounding.
    rounding: f64,
    zeros: usize,
    negative: usize,
    dimension: Option<f64>,
    /// Directions that have nine tenths of the trace, and ninety-nine hundredths.
    shares: [usize; 2],
}

impl Told {
    fn of(values: &[f64], lambda: Option<f64>) -> Self {
        let largest = values.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        let rounding = values.len() as f64 * f64::EPSILON * largest;
        let positive: Vec<f64> = values.iter().copied().filter(|v| *v > rounding).collect();
        let negative = values.iter().filter(|v| **v < -rounding).count();
        let sum: f64 = positive.iter().sum();
        let dimension = match lambda {
            Some(lambda) => positive.iter().map(|s| s / (s + lambda)).sum(),
            // Shares, so that squares stay within range.
            None => positive
                .iter()
                .map(|s| (s / sum).powi(2))
                .sum::<f64>()
                .recip(),
        };
        let shares = [0.9, 0.99].map(|share| {
            let mut left = share * sum;
            let needed = positive.iter().take_while(|value| {
                let goes_on = left > 0.0;
                left -= **value;
                goes_on
            });
            needed.count()
        });
        Self {
            rounding,
            zeros: values.len() - positive.len() - negative,
            negative,
            dimension: (!positive.is_empty()).then_some(dimension),
            shares,
        }
    }

    fn sentences(&self, lambda: Option<f64>) -> Vec<String> {
        let mut told = Vec::new();
        if let Some(dimension) = self.dimension {
            told.push(match lambda {
                Some(lambda) => format!(
                    "Dashed: λ = {} across, the effective dimension Σ s/(s + λ) = {} upright.",
                    short(lambda),
                    short(dimension)
                ),
                None => format!(
                    "Dashed: the effective dimension (Σ s)²/Σ s² = {}.",
                    short(dimension)
                ),
            });
            let [most, nearly_all] = self.shares;
            told.push(format!(
                "90 % of the trace lie in {}, 99 % in {nearly_all}.",
                plural(most, "direction")
            ));
        }
        if self.zeros > 0 {
            told.push(format!(
                "Zero to rounding: {}.",
                plural(self.zeros, "eigenvalue")
            ));
        }
        if self.negative > 0 {
            told.push(format!(
                "Below zero: {}; on these rows it is no kernel.",
                plural(self.negative, "eigenvalue")
            ));
        }
        told
    }
}

fn check_length(compared: &Compared<'_>) -> Result<()> {
    let expected = compared.records.len();
    match compared.targets.len() {
        Some(found) if found != expected => Err(Error::Length {
            what: "the target".to_owned(),
            found,
            expected,
            unit: "rows",
        }),
        _ => Ok(()),
    }
}

fn drawn_words(drawn: usize, all: usize) -> String {
    format!(
        "{} of {} rows, drawn at random.",
        count(drawn as u64),
        count(all as u64)
    )
}

/// Mean entry of two rows of one class and of different classes, without the diagonal; `None` where one of
/// them has no pairs.
fn means(gram: &Matrix<f64>, codes: &[u32]) -> Option<[f64; 2]> {
    let mut sums = [[0.0, 0.0]; 2];
    for (i, a) in codes.iter().enumerate() {
        for (j, b) in codes[..i].iter().enumerate() {
            let sum = &mut sums[usize::from(a != b)];
            sum[0] += gram[(i, j)];
            sum[1] += 1.0;
        }
    }
    let [within, between] = sums;
    (within[1] > 0.0 && between[1] > 0.0).then(|| [within[0] / within[1], between[0] / between[1]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use mercer::data::ClassTargets;

    fn rows() -> Records {
        // Two far clusters, in turn.
        Records::from_points(Matrix::from_fn(40, 2, |i, j| {
            10.0 * (i % 2) as f64 + 0.02 * (i + j) as f64
        }))
    }

    fn kernel(records: &Records) -> ResolvedKernel {
        let spec: mercer::kernel::KernelSpec = "rbf(sigma=2)".parse().unwrap();
        spec.resolve(records, None).unwrap().0
    }

    #[test]
    fn classes_are_blocks() {
        let records = rows();
        let kernel = kernel(&records);
        let labels: Vec<String> = (0..40).map(|i| format!("class {}", i % 2)).collect();
        let targets = Targets::Classes(ClassTargets::from_labels(&labels));
        let compared = Compared {
            kernel: &kernel,
            records: &records,
            targets: &targets,
            target: Some("kind"),
        };
        let map = kernel_matrix(&compared, &FitContext::default()).unwrap();
        assert_eq!(
            map.groups,
            [("class 0".to_owned(), 20), ("class 1".to_owned(), 20)]
        );
        let block = |from: usize, to: usize| -> f64 {
            let of = |i: usize| {
                map.values[i * 40 + to..i * 40 + to + 20]
                    .iter()
                    .sum::<f64>()
            };
            (from..from + 20).map(of).sum::<f64>() / 400.0
        };
        assert!(block(0, 0) > 0.5 && block(20, 20) > 0.5);
        assert!(block(0, 20) < 0.01);
        assert!(map.note.contains("Alignment"), "{}", map.note);
    }

    #[test]
    fn dimensions_follow_from_eigenvalues() {
        let told = Told::of(&[3.0, 1.0, 0.0], Some(1.0));
        assert!((told.dimension.unwrap() - 1.25).abs() < 1e-12);
        assert_eq!((told.zeros, told.negative, told.shares), (1, 0, [2, 2]));
        let even = Told::of(&[2.0; 8], None);
        assert!((even.dimension.unwrap() - 8.0).abs() < 1e-12);
        assert_eq!(Told::of(&[1.0, -1.0], None).negative, 1);
        assert!(Told::of(&[0.0, 0.0], None).dimension.is_none());
    }

    #[test]
    fn drawn_rows_have_the_trace_of_all() {
        let records = Records::from_points(Matrix::from_fn(1200, 1, |i, _| (i % 97) as f64));
        let kernel = kernel(&records);
        let compared = Compared {
            kernel: &kernel,
            records: &records,
            targets: &Targets::None,
            target: None,
        };
        let context = FitContext::default().memory_limit(1 << 20);
        let found = kernel_spectrum(&compared, Some(0.5), &context).unwrap();
        // 2^20/32 is the square of 181.
        assert!(found.eigenvalues.len() <= 181);
        let trace: f64 = found.eigenvalues.iter().sum();
        assert!((trace / 1200.0 - 1.0).abs() < 1e-6, "{trace}");
        assert!(kernel_spectrum(&compared, Some(-1.0), &context).is_err());
    }
}
