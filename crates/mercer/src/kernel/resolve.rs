//! Fixes open parameters from the data.

use super::statistics::short;
use super::{
    Allowed, Definiteness, Fallback, Family, KernelSpec, Sample, Settings, Value, columns, families,
};
use crate::data::Records;
use crate::fit::Note;
use crate::{Error, Result};

/// A kernel whose parameters are all fixed; model files store its text.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedKernel(KernelSpec);

impl KernelSpec {
    /// Fixes every open parameter from the rows, and checks that the rows suit the kernel.
    ///
    /// Weights count as copies of their row. Each choice is told in a note.
    ///
    /// # Errors
    /// Parameters outside their range, unknown columns, lists that do not match the
    /// number of features, and rows the kernel cannot compare.
    pub fn resolve(
        &self,
        records: &Records,
        weights: Option<&[f64]>,
    ) -> Result<(ResolvedKernel, Vec<Note>)> {
        let mut notes = Vec::new();
        let resolved = resolve(self, &Sample { records, weights }, &mut notes)?;
        Ok((ResolvedKernel(resolved), notes))
    }
}

impl ResolvedKernel {
    /// Returns the kernel as an expression.
    pub fn spec(&self) -> &KernelSpec {
        &self.0
    }

    /// Takes an expression as it is.
    ///
    /// # Errors
    /// [`Error::Kernel`] when a parameter is open, and parameters outside their range.
    pub fn try_new(spec: KernelSpec) -> Result<Self> {
        require_fixed(&spec)?;
        Ok(Self(spec))
    }

    /// Returns whether nothing in this kernel is known to break positive semidefiniteness.
    pub fn is_definite(&self) -> bool {
        self.0.is_definite()
    }

    /// Returns whether Gram matrices of this kernel are positive semidefinite.
    pub fn definiteness(&self) -> Definiteness {
        self.0.definiteness()
    }
}

impl std::fmt::Display for ResolvedKernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::str::FromStr for ResolvedKernel {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::try_new(KernelSpec::parse(text)?)
    }
}

impl serde::Serialize for ResolvedKernel {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> serde::Deserialize<'de> for ResolvedKernel {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spec = KernelSpec::deserialize(deserializer)?;
        Self::try_new(spec).map_err(serde::de::Error::custom)
    }
}

fn require_fixed(kernel: &KernelSpec) -> Result<()> {
    check_combination(kernel)?;
    if let KernelSpec::Base { family, settings } = kernel {
        families::require_known(family)?;
        family.check(settings)?;
        let open = (0..family.parameters.len())
            .find(|&i| settings.value(i).is_open() && !family.may_stay_open(i, settings));
        if let Some(open) = open {
            return Err(Error::Kernel {
                kernel: kernel.to_string(),
                problem: format!("`{}` is not given", family.parameters[open].name),
                cure: "give every parameter, or fit the kernel to rows first".into(),
            });
        }
    }
    kernel.children().iter().try_for_each(require_fixed)
}

/// Checks the numbers and lists of a combination itself.
fn check_combination(kernel: &KernelSpec) -> Result<()> {
    match kernel {
        KernelSpec::Scaled { factor, .. } if !(factor.is_finite() && *factor > 0.0) => {
            Err(Error::setting("factor", factor, "positive and finite"))
        }
        KernelSpec::Power { exponent: 0, .. } => {
            Err(Error::setting("exponent", 0, "a whole number from 1"))
        }
        KernelSpec::Sum(parts) | KernelSpec::Product(parts) if parts.is_empty() => {
            Err(Error::setting("kernel", "", "at least one kernel"))
        }
        KernelSpec::On { columns, .. } if columns.is_empty() => {
            Err(Error::setting("columns", "[]", "at least one column"))
        }
        _ => Ok(()),
    }
}

fn resolve(kernel: &KernelSpec, sample: &Sample<'_>, notes: &mut Vec<Note>) -> Result<KernelSpec> {
    check_combination(kernel)?;
    let mut part = |k: &KernelSpec| resolve(k, sample, notes);
    Ok(match kernel {
        KernelSpec::Base { family, settings } => KernelSpec::Base {
            family,
            settings: resolve_base(family, settings, sample, notes)?,
        },
        KernelSpec::Scaled { factor, kernel } => part(kernel)?.scaled(*factor),
        KernelSpec::Sum(parts) => KernelSpec::Sum(parts.iter().map(part).collect::<Result<_>>()?),
        KernelSpec::Product(parts) => {
            KernelSpec::Product(parts.iter().map(part).collect::<Result<_>>()?)
        }
        KernelSpec::Power { kernel, exponent } => part(kernel)?.power(*exponent),
        KernelSpec::Exp(kernel) => part(kernel)?.exp(),
        KernelSpec::Normalise(kernel) => part(kernel)?.normalised(),
        KernelSpec::On { columns, kernel } => {
            let narrow = Sample {
                records: &columns::select(sample.records, columns)?,
                weights: sample.weights,
            };
            resolve(kernel, &narrow, notes)?.on(columns.iter().cloned())
        }
    })
}

fn resolve_base(
    family: &'static Family,
    settings: &Settings,
    sample: &Sample<'_>,
    notes: &mut Vec<Note>,
) -> Result<Settings> {
    families::require_known(family)?;
    family.check(settings)?;
    admit(family, settings, sample.records)?;
    let mut fixed = settings.clone();
    for (index, parameter) in family.parameters.iter().enumerate() {
        if !fixed.value(index).is_open() || family.may_stay_open(index, settings) {
            continue;
        }
        let (number, why) = match parameter.fallback {
            Fallback::Number(number) => (number, "the default, as nothing was given".to_owned()),
            Fallback::Data(choose) => {
                let chosen = choose(&fixed, sample)?;
                (chosen.number, chosen.why)
            }
            Fallback::Word(word) => {
                fixed.set(index, word);
                continue;
            }
            Fallback::Flag(flag) => {
                fixed.set(index, flag);
                continue;
            }
            Fallback::Absent => continue,
        };
        fixed.set(index, number);
        notes.push(Note::Choice(format!(
            "`{}` of {} is {}: {why}",
            parameter.name,
            family.name,
            short(number),
        )));
    }
    Ok(fixed)
}

/// Checks that rows suit a family: its own conditions, and one scale per feature.
pub(super) fn admit(family: &Family, settings: &Settings, records: &Records) -> Result<()> {
    (family.admit)(settings, records)?;
    for (index, parameter) in family.parameters.iter().enumerate() {
        let Value::Numbers(numbers) = settings.value(index) else {
            continue;
        };
        let expected = match parameter.allowed {
            Allowed::List(_) if !records.codes.is_empty() => records.codes.len(),
            _ => records.features.points.columns(),
        };
        if numbers.len() != expected {
            return Err(Error::Length {
                what: format!("`{}` of {}", parameter.name, family.name),
                found: numbers.len(),
                expected,
                unit: "values, one per feature",
            });
        }
    }
    Ok(())
}

/// Refuses rows without numeric columns, and values that are missing or infinite.
pub(super) fn admit_vectors(name: &str, records: &Records) -> Result<()> {
    let points = &records.features.points;
    if points.columns() == 0 {
        return Err(Error::Kernel {
            kernel: name.to_owned(),
            problem: "there is no numeric column to compare".to_owned(),
            cure: "name columns with `@`, or use a kernel for the columns there are".into(),
        });
    }
    match points.first_not_finite() {
        None => Ok(()),
        Some((row, column)) => Err(cell(
            records,
            row,
            column,
            "the value is missing or infinite",
            "fill in or drop the row",
        )),
    }
}

/// Builds an error that names a row and a feature.
pub(super) fn cell(
    records: &Records,
    row: usize,
    column: usize,
    problem: impl Into<String>,
    cure: &str,
) -> Error {
    Error::Cell {
        place: format!("row {}", row + 1),
        column: records.features.name(column),
        problem: problem.into(),
        cure: cure.into(),
    }
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;
