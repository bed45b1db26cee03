//! Kernels that take part.

use crate::Result;
use crate::data::Records;
use crate::kernel::{Hyperparameter, KernelSpec, ResolvedKernel, Value};

use super::structured;

/// Columns up to which a width per column is tried by default.
const FEW_COLUMNS: usize = 60;

/// A kernel expression with a prior weight.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// What the ranking calls it.
    pub name: String,
    /// The expression: free hyperparameters are fitted, and factors of a sum that are 1.
    pub kernel: KernelSpec,
    /// How likely the kernel is before the data are seen, relative to the others.
    pub prior: f64,
    /// Whether numbers that the expression gives are fitted as well, from there on.
    pub is_open: bool,
}

impl Candidate {
    /// A kernel as likely as any other.
    pub fn new(name: &str, kernel: KernelSpec) -> Self {
        Self {
            name: name.to_owned(),
            kernel,
            prior: 1.0,
            is_open: false,
        }
    }

    /// Reads an expression; `rbf(columns)` is the Gaussian (RBF) kernel with a width per column.
    ///
    /// # Errors
    /// Text that is no expression.
    pub fn parse(text: &str, records: &Records) -> Result<Self> {
        if text.replace(' ', "") == PER_COLUMN {
            return Ok(Self {
                is_open: true,
                ..Self::new(PER_COLUMN, per_column(records)?)
            });
        }
        Ok(Self::new(text, text.parse()?))
    }
}

impl Candidate {
    /// Lists the hyperparameters of the resolved kernel that are to be fitted.
    pub(super) fn hyperparameters(&self, resolved: &ResolvedKernel) -> Vec<Hyperparameter> {
        let mut hyperparameters = resolved.hyperparameters();
        if !self.is_open {
            let mut spec = self.kernel.clone();
            hyperparameters.retain(|hyperparameter| is_open(&mut spec, hyperparameter));
        }
        hyperparameters
    }
}

/// Whether an expression leaves a number open: without a value, or a factor that is 1.
fn is_open(spec: &mut KernelSpec, hyperparameter: &Hyperparameter) -> bool {
    match hyperparameter {
        Hyperparameter::Parameter { base, index, .. } => match spec.base_mut(*base) {
            Some(KernelSpec::Base { settings, .. }) => settings.value(*index).is_open(),
            _ => false,
        },
        Hyperparameter::Weight(term) => match spec {
            KernelSpec::Sum(terms) => !matches!(terms.get(*term), Some(KernelSpec::Scaled { .. })),
            _ => false,
        },
    }
}

const PER_COLUMN: &str = "rbf(columns)";

/// A Gaussian kernel with a width per column, all equal to the data's guess at first.
fn per_column(records: &Records) -> Result<KernelSpec> {
    let columns = records.features.points.columns();
    let (one, _) = KernelSpec::rbf_auto().resolve(records, None)?;
    let gamma = one.hyperparameters().first().map_or(1.0, |hyperparameter| {
        let value = one.hyperparameter_value(hyperparameter);
        // The guess may be written as σ.
        match hyperparameter {
            Hyperparameter::Parameter { index: 0, .. } => value,
            _ => 0.5 / (value * value),
        }
    });
    Ok(KernelSpec::rbf(Value::Numbers(vec![gamma; columns])))
}

/// The kernels tried where none are named.
///
/// # Errors
/// None for records with numbers; the expressions are fixed.
pub fn default_candidates(records: &Records) -> Result<Vec<Candidate>> {
    let structured = structured(records);
    let columns = records.features.points.columns();
    if !structured.is_empty() {
        let named = |kernel: KernelSpec| Candidate::new(&kernel.to_string(), kernel);
        let with_numbers = structured.clone().into_iter().filter(|_| columns > 0);
        let mut all: Vec<Candidate> = structured.into_iter().map(named).collect();
        for kernel in with_numbers {
            all.push(named(KernelSpec::rbf_auto() + kernel));
        }
        if columns > 0 {
            all.push(Candidate::parse("rbf", records)?);
            all.push(Candidate::parse("linear", records)?);
        }
        return Ok(all);
    }
    let mut texts = vec![
        "linear",
        "poly(degree=2)",
        "poly(degree=3)",
        "rbf",
        "laplace",
        "matern(nu=1.5)",
        "matern(nu=2.5)",
        "rbf + linear",
    ];
    if columns > 1 && columns <= FEW_COLUMNS && !records.features.points.is_sparse() {
        texts.push(PER_COLUMN);
    }
    texts
        .into_iter()
        .map(|text| Candidate::parse(text, records))
        .collect()
}
