//! From mercer's models to LIBSVM's.

use mercer::Error;
use mercer::data::{Affine, Block, ColumnEncoder, Encoding, Kind, Missing, Records};
use mercer::hint::{Hint, Word};
use mercer::kernel::{KernelSpec, Settings};
use mercer::learn::Method;
use mercer::model::Trained;
use mercer::model::expansion::KernelExpansion;
use mercer::model::readout::{Readout, Scheme, Sigmoid};
use mercer_linalg::{Csr, Matrix};

use super::model::{LibsvmKernel, LibsvmModel, Support, SvmType};
use crate::Result;

impl LibsvmModel {
    /// Expresses a trained model in LIBSVM's terms.
    ///
    /// Feature number j of the model becomes index j, counted from 1. Class factors are not
    /// part of such a file: LIBSVM predicts the most probable class alone, or by votes.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for everything that LIBSVM cannot express, all at once: scaled
    /// or encoded columns, other kernels, one-vs-rest with several classes, labels that are
    /// not whole numbers.
    pub fn from_trained(trained: &Trained) -> Result<Self> {
        let model = trained.form.need_expansion("LIBSVM's files hold")?;
        // LIBSVM has a support vector for every row, equal ones as well.
        let model = model.with_copies_apart();
        let model = model.as_ref();
        let mut errors = Vec::new();
        check_columns(trained.encoder.columns(), &mut errors);
        let kernel = gather(kernel(model), &mut errors);
        let decisions = gather(decisions(model), &mut errors);
        let svm_type = gather(svm_type(&trained.method, &model.readout), &mut errors);
        Error::collect(errors)?;
        let (Some(kernel), Some(decisions), Some(svm_type)) = (kernel, decisions, svm_type) else {
            return Err(Error::model("the model has no kernel or no decisions").into());
        };
        let (prob_a, prob_b) = match decisions.sigmoids {
            Some(sigmoids) => (
                Some(sigmoids.iter().map(|s| s.a).collect()),
                Some(sigmoids.iter().map(|s| s.b).collect()),
            ),
            None => (None, None),
        };
        let exported = Self {
            svm_type,
            kernel,
            labels: decisions.labels,
            class_sizes: decisions.class_sizes,
            rho: decisions.biases.iter().map(|b| -b).collect(),
            prob_a,
            prob_b,
            density_marks: None,
            coefficients: decisions.coefficients,
            support: support(&model.support, kernel == LibsvmKernel::Precomputed),
        };
        exported.check()?;
        Ok(exported)
    }
}

fn unsupported(what: &str, cure: impl Into<Hint>) -> Error {
    Error::Unsupported {
        what: format!("LIBSVM cannot express {what}"),
        cure: cure.into(),
    }
}

fn gather<T>(found: Result<T, Error>, errors: &mut Vec<Error>) -> Option<T> {
    found.map_err(|e| errors.push(e)).ok()
}

fn unscaled() -> Hint {
    Hint::from("fit with ").word(Word::Set {
        setting: "scale",
        to: "none",
    })
}

/// Why a column cannot be passed on as it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reason {
    Scaled,
    Flagged,
    Kind(Kind),
}

impl Reason {
    fn of(column: &ColumnEncoder) -> Option<Self> {
        match &column.encoding {
            Encoding::Numeric { map, .. } if *map != Affine::IDENTITY => Some(Self::Scaled),
            Encoding::Numeric { missing, .. } => {
                (*missing == Missing::Flag).then_some(Self::Flagged)
            }
            Encoding::Vectors {
                shift,
                scale,
                offset,
                ..
            } => {
                let plain = shift.iter().all(|s| *s == 0.0) && scale.iter().all(|s| *s == 1.0);
                (!(plain && *offset == 0.0)).then_some(Self::Scaled)
            }
            other => Some(Self::Kind(other.kind())),
        }
    }

    /// What cannot be expressed, in words for some columns.
    fn what(self, names: &[&str]) -> String {
        const SHOWN: usize = 3;
        let mut list: Vec<String> = names
            .iter()
            .take(SHOWN)
            .map(|name| format!("`{name}`"))
            .collect();
        if names.len() > SHOWN {
            list.push(format!("and {} more", names.len() - SHOWN));
        }
        let columns = if names.len() == 1 {
            "column"
        } else {
            "columns"
        };
        let columns = format!("{columns} {}", list.join(", "));
        match self {
            Self::Scaled => format!("the scaling of {columns}"),
            Self::Flagged => format!("the mark for missing values of {columns}"),
            Self::Kind(kind) => format!("the {kind} {columns}"),
        }
    }

    fn cure(self) -> Hint {
        match self {
            Self::Scaled => unscaled(),
            Self::Flagged => "fill in or drop rows with missing values and fit again".into(),
            Self::Kind(_) => "turn such columns into numbers, or drop them, and fit again".into(),
        }
    }
}

/// Refuses columns that are not passed on as they are, all of a reason together.
fn check_columns(columns: &[ColumnEncoder], errors: &mut Vec<Error>) {
    let mut reasons: Vec<(Reason, Vec<&str>)> = Vec::new();
    for column in columns {
        let Some(reason) = Reason::of(column) else {
            continue;
        };
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, names)) => names.push(&column.name),
            None => reasons.push((reason, vec![&column.name])),
        }
    }
    for (reason, names) in reasons {
        errors.push(unsupported(&reason.what(&names), reason.cure()));
    }
}

fn svm_type(method: &str, readout: &Readout) -> Result<SvmType, Error> {
    let found = SvmType::ALL.iter().find(|(_, _, name)| *name == method);
    let kind = found
        .map(|(_, kind, _)| *kind)
        .filter(|kind| match readout {
            Readout::Classes(_) => kind.is_classifier(),
            Readout::Values => kind.is_regressor(),
            Readout::Novelty => *kind == SvmType::OneClass,
            Readout::Clusters | Readout::Coordinates => false,
        });
    kind.ok_or_else(|| {
        const MODELS: &[&str] = &["svc", "nu_svc", "svr", "nu_svr", "one_class"];
        let cure = Hint::from("fit with ").word(Word::Models(MODELS));
        let shown = Method::shown_name(method);
        unsupported(&format!("the method `{shown}`"), cure)
    })
}

fn kernel(model: &KernelExpansion) -> Result<LibsvmKernel, Error> {
    let refuse = || {
        unsupported(
            &format!("the kernel `{}`", model.kernel),
            "fit with `linear`, `poly`, `rbf` with one gamma, `sigmoid` or `precomputed`",
        )
    };
    let KernelSpec::Base { family, settings } = model.kernel.spec() else {
        return Err(refuse());
    };
    let number =
        |name: &str| -> Result<Option<f64>, Error> { Ok(settings.number(family.parameter(name)?)) };
    let given = |name: &str| number(name)?.ok_or_else(refuse);
    match family.name {
        "linear" => Ok(LibsvmKernel::Linear),
        "precomputed" => Ok(LibsvmKernel::Precomputed),
        "rbf" => {
            let gamma = match (number("gamma")?, number("sigma")?) {
                (Some(gamma), _) => gamma,
                (None, Some(sigma)) => 0.5 / (sigma * sigma),
                (None, None) => return Err(refuse()),
            };
            if gamma.is_finite() {
                Ok(LibsvmKernel::Rbf { gamma })
            } else {
                Err(refuse())
            }
        }
        "poly" => Ok(LibsvmKernel::Polynomial {
            degree: given("degree")? as u32,
            gamma: given("scale")?,
            coef0: given("offset")?,
        }),
        "sigmoid" if !is_logistic(settings, family.parameter("form")?) => {
            let gamma = given("scale")?;
            // LIBSVM refuses to train with a negative gamma, and so does the reader here.
            if gamma < 0.0 {
                return Err(refuse());
            }
            Ok(LibsvmKernel::Sigmoid {
                gamma,
                coef0: given("offset")?,
            })
        }
        _ => Err(refuse()),
    }
}

fn is_logistic(settings: &Settings, form: usize) -> bool {
    settings.is_word(form, "logistic")
}

/// The decisions of a model in LIBSVM's layout.
struct Decisions<'a> {
    labels: Vec<i32>,
    class_sizes: Vec<usize>,
    coefficients: Matrix<f64>,
    biases: Vec<f64>,
    sigmoids: Option<&'a [Sigmoid]>,
}

fn decisions(model: &KernelExpansion) -> Result<Decisions<'_>, Error> {
    if model.slopes.is_some() {
        return Err(unsupported(
            "columns without a penalty",
            "fit without them, or predict with mercer itself",
        ));
    }
    let KernelExpansion {
        coefficients,
        biases,
        ..
    } = model;
    let mut decisions = Decisions {
        labels: Vec::new(),
        class_sizes: Vec::new(),
        coefficients: coefficients.clone(),
        biases: biases.clone(),
        sigmoids: None,
    };
    let Some(classes) = model.readout.classes() else {
        return Ok(decisions);
    };
    let numbers: Result<Vec<i32>, Error> = classes.labels.iter().map(|l| label(l)).collect();
    decisions.labels = numbers?;
    decisions.class_sizes.clone_from(&model.class_sizes);
    decisions.sigmoids = classes.sigmoids.as_deref();
    if classes.scheme == Scheme::OneVsRest {
        // With two classes the second decision is the first with the other sign.
        let mirrored = classes.labels.len() == 2
            && classes.sigmoids.is_none()
            && biases[0] == -biases[1]
            && (0..coefficients.columns()).all(|j| coefficients[(0, j)] == -coefficients[(1, j)]);
        if !mirrored {
            return Err(unsupported(
                "one decision per class against the rest",
                "fit with one decision per pair of classes (one-vs-one)",
            ));
        }
        decisions.coefficients = coefficients.select_rows(&[0]);
        decisions.biases.truncate(1);
    }
    Ok(decisions)
}

fn label(text: &str) -> Result<i32, Error> {
    let number = text.parse::<i32>().ok();
    number.filter(|n| n.to_string() == text).ok_or_else(|| {
        unsupported(
            &format!("the label `{text}`; its labels are whole numbers"),
            "number the classes in the training file and fit again",
        )
    })
}

fn support(records: &Records, precomputed: bool) -> Support {
    if precomputed {
        return Support::Serials(records.ids.iter().map(|id| id + 1).collect());
    }
    let points = match records.features.points.widened() {
        Block::Dense(matrix) => Csr::from_dense(matrix.as_ref()),
        Block::Sparse(csr) => csr,
    };
    Support::Vectors {
        points,
        zero_based: false,
    }
}
