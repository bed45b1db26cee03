//! The options of `svm-train`.

use std::path::PathBuf;

use mercer::kernel::KernelSpec;
use mercer_io::libsvm::SvmType;

use crate::failure::Result;

use super::flags::{Flags, unknown};

/// How `svm-train` is called.
pub(super) const USAGE: &str = "\
Usage: mercer svm-train [options] training_set_file [model_file]

Learns from a file of `label index:value …` lines. The model goes to model_file, or to the
name of the training file with `.model` in the present folder.

Model
  -s 0|1|2|3|4   C-SVC, nu-SVC, one-class SVM, epsilon-SVR, nu-SVR (0)
  -c COST        regularisation parameter C of C-SVC, epsilon-SVR and nu-SVR (1)
  -n NU          share in nu-SVC, one-class SVM and nu-SVR (0.5)
  -p WIDTH       half-width of the tube in epsilon-SVR (0.1)
  -wLABEL FACTOR factor on C for one class, in C-SVC (1)
  -b 0|1         also learn probabilities (0)
Kernel
  -t 0|1|2|3|4   linear, polynomial, radial, sigmoid, given matrix (2)
  -d DEGREE      degree of the polynomial (3)
  -g GAMMA       factor of the product or squared distance (1/largest index)
  -r COEF0       constant of polynomial and sigmoid (0)
Solver
  -e TOLERANCE   largest violation of a finished solution (0.001)
  -h 0|1         set settled rows aside (1)
  -m MB          memory hint for kernel rows (100)
Output
  -v FOLDS       cross-validate; no model is written
  -q             print nothing
";

/// Everything that can be asked for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TrainSettings {
    pub(super) svm_type: SvmType,
    pub(super) kernel: KernelKind,
    pub(super) degree: u32,
    /// Zero means one over the largest index.
    pub(super) gamma: f64,
    pub(super) coef0: f64,
    pub(super) cost: f64,
    pub(super) nu: f64,
    pub(super) tube: f64,
    pub(super) cache_megabytes: f64,
    pub(super) tolerance: f64,
    pub(super) shrinking: bool,
    pub(super) probability: bool,
    /// Factors on the cost by label, in the order given.
    pub(super) weights: Vec<(i32, f64)>,
    pub(super) folds: Option<usize>,
    pub(super) quiet: bool,
    pub(super) data: PathBuf,
    pub(super) model: Option<PathBuf>,
}

/// The kernels of `-t`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KernelKind {
    Linear,
    Polynomial,
    Radial,
    Sigmoid,
    Precomputed,
}

const SVM_TYPES: [SvmType; 5] = [
    SvmType::CSvc,
    SvmType::NuSvc,
    SvmType::OneClass,
    SvmType::EpsilonSvr,
    SvmType::NuSvr,
];
const KERNELS: [KernelKind; 5] = [
    KernelKind::Linear,
    KernelKind::Polynomial,
    KernelKind::Radial,
    KernelKind::Sigmoid,
    KernelKind::Precomputed,
];

impl TrainSettings {
    pub(super) fn parse(mut flags: Flags) -> Result<Self> {
        let mut found = Self {
            svm_type: SvmType::CSvc,
            kernel: KernelKind::Radial,
            degree: 3,
            gamma: 0.0,
            coef0: 0.0,
            cost: 1.0,
            nu: 0.5,
            tube: 0.1,
            cache_megabytes: 100.0,
            tolerance: 1e-3,
            shrinking: true,
            probability: false,
            weights: Vec::new(),
            folds: None,
            quiet: false,
            data: PathBuf::new(),
            model: None,
        };
        let choice = "a whole number from 0 to 4";
        while let Some(flag) = flags.next_flag() {
            let flag = flag.as_str();
            match flag {
                "-s" => {
                    found.svm_type = SVM_TYPES[flags.value(flag, choice, |v: &usize| *v < 5)?];
                }
                "-t" => found.kernel = KERNELS[flags.value(flag, choice, |v: &usize| *v < 5)?],
                "-d" => {
                    found.degree = flags.value(flag, "a whole number from 1", |v: &u32| *v > 0)?;
                }
                "-g" => found.gamma = flags.not_negative(flag)?,
                "-r" => found.coef0 = flags.number(flag)?,
                "-c" => found.cost = flags.positive(flag)?,
                "-n" => {
                    found.nu = flags.value(flag, "above 0 and at most 1", |v: &f64| {
                        *v > 0.0 && *v <= 1.0
                    })?;
                }
                "-p" => found.tube = flags.not_negative(flag)?,
                "-m" => found.cache_megabytes = flags.positive(flag)?,
                "-e" => found.tolerance = flags.positive(flag)?,
                "-h" => found.shrinking = flags.switch(flag)?,
                "-b" => found.probability = flags.switch(flag)?,
                "-q" => found.quiet = true,
                "-v" => {
                    found.folds =
                        Some(flags.value(flag, "a whole number from 2", |v: &usize| *v > 1)?);
                }
                _ => {
                    let label = flag.strip_prefix("-w").and_then(|l| l.parse::<i32>().ok());
                    let label = label.ok_or_else(|| unknown(flag))?;
                    let weight = flags.not_negative(flag)?;
                    found.weights.push((label, weight));
                }
            }
        }
        let mut files = flags
            .files(&["training file", "model file"], 1)?
            .into_iter();
        found.data = files.next().unwrap_or_default();
        found.model = files.next();
        Ok(found)
    }

    /// Returns the kernel for rows whose largest index is `max_index`.
    pub(super) fn kernel(&self, max_index: usize) -> mercer::Result<KernelSpec> {
        let gamma = if self.gamma > 0.0 {
            self.gamma
        } else {
            1.0 / max_index.max(1) as f64
        };
        Ok(match self.kernel {
            KernelKind::Linear => KernelSpec::linear(),
            KernelKind::Polynomial => KernelSpec::poly(self.degree, self.coef0, gamma),
            KernelKind::Radial => KernelSpec::rbf(gamma),
            KernelKind::Sigmoid => KernelSpec::sigmoid(gamma, self.coef0).with("form", "tanh")?,
            KernelKind::Precomputed => KernelSpec::precomputed(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<TrainSettings> {
        TrainSettings::parse(Flags::new(
            line.split_whitespace().map(Into::into).collect(),
        ))
    }

    #[test]
    fn all_options_are_read() {
        let found = parse(
            "-s 3 -t 1 -d 2 -g 0.5 -r 1 -c 10 -n 0.2 -p 0.3 -m 40 -e 0.01 -h 0 -b 1 -w-1 2 -w+3 0.5 -v 5 -q a b",
        )
        .expect("all are known");
        assert_eq!(found.svm_type, SvmType::EpsilonSvr);
        assert_eq!(found.kernel, KernelKind::Polynomial);
        assert_eq!((found.degree, found.gamma, found.coef0), (2, 0.5, 1.0));
        assert_eq!((found.cost, found.nu, found.tube), (10.0, 0.2, 0.3));
        assert_eq!(found.weights, [(-1, 2.0), (3, 0.5)]);
        assert_eq!(found.folds, Some(5));
        assert!(found.quiet && found.probability && !found.shrinking);
        assert_eq!(found.model, Some(PathBuf::from("b")));
    }

    #[test]
    fn wrong_usage_is_refused() {
        for line in [
            "", "-s 5 a", "-t x a", "-c 0 a", "-n 1.5 a", "-v 1 a", "-x 1 a", "-w 1 a", "a b c",
            "-d 0 a",
        ] {
            assert_eq!(parse(line).expect_err(line).exit_number(), 2, "{line}");
        }
    }

    #[test]
    fn gamma_defaults_to_the_inverse_width() {
        let kernel = parse("a").and_then(|s| Ok(s.kernel(4)?)).expect("rbf");
        assert_eq!(kernel, KernelSpec::rbf(0.25));
    }
}
