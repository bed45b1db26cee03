//! What an axis turns: a setting of the method or of its kernel expression.

use super::Axis;
use crate::kernel::{Allowed, Fallback, Family, KernelSpec, Rule};
use crate::learn::AnyEstimator;
use crate::{Error, Result};

/// A setting that an axis varies.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tunable {
    /// A setting of the method, and whether larger values are smoother.
    Setting(&'static str, bool),
    /// A parameter of the n-th family of the expression.
    Parameter {
        /// Place among the families of the text.
        base: usize,
        /// Place among the family's parameters.
        index: usize,
    },
    /// The factor of a term of a sum.
    Weight(usize),
}

/// A hyperparameter with the names users may call it by.
pub(super) struct Named {
    pub(super) tunable: Tunable,
    /// The unambiguous name, such as `rbf2.gamma`.
    pub(super) full: String,
    /// The parameter alone, such as `gamma`.
    pub(super) short: String,
}

/// Lists everything that can be varied in a method.
pub(super) fn tunables(estimator: &AnyEstimator) -> Vec<Named> {
    let own = |tunable: Tunable, name: &str| Named {
        tunable,
        full: name.to_owned(),
        short: name.to_owned(),
    };
    let searched = estimator.settings().into_iter().filter_map(|setting| {
        let search = setting.search?;
        let tunable = Tunable::Setting(setting.name, search.larger_is_smoother);
        Some(own(tunable, axis_name(setting.name)))
    });
    let mut all: Vec<Named> = searched.collect();
    let families = families(estimator);
    for (base, family) in families.iter().enumerate() {
        let before = families[..base].iter().filter(|f| f == &family).count();
        let place = if before == 0 {
            String::new()
        } else {
            (before + 1).to_string()
        };
        for (index, parameter) in family.parameters.iter().enumerate() {
            if matches!(parameter.allowed, Allowed::Number(_) | Allowed::Scale(_)) {
                all.push(Named {
                    tunable: Tunable::Parameter { base, index },
                    full: format!("{}{place}.{}", family.name, parameter.name),
                    short: parameter.name.to_owned(),
                });
            }
        }
    }
    if let Some(KernelSpec::Sum(terms)) = estimator.kernel() {
        all.extend((0..terms.len()).map(|t| own(Tunable::Weight(t), &format!("weight{}", t + 1))));
    }
    all
}

/// The name of a setting's axis: C has its capital.
pub(super) fn axis_name(setting: &'static str) -> &'static str {
    if setting == "c" { "C" } else { setting }
}

/// The families of the kernel; none where there is no kernel.
fn families(estimator: &AnyEstimator) -> Vec<&'static Family> {
    estimator
        .kernel()
        .map(KernelSpec::families)
        .unwrap_or_default()
}

/// Finds the hyperparameter an axis names and checks that every value suits it.
pub(super) fn find(axis: &Axis, estimator: &AnyEstimator) -> Result<Tunable> {
    let all = tunables(estimator);
    let name = axis.name.as_str();
    let mut found: Vec<&Named> = all.iter().filter(|n| n.full == name).collect();
    if found.is_empty() {
        // `c` is how the command spells C elsewhere.
        found = all
            .iter()
            .filter(|n| n.short == name || (name == "c" && n.tunable.is_c()))
            .collect();
    }
    match found[..] {
        [] => Err(Error::Unknown {
            kind: "setting to tune",
            name: name.to_owned(),
            known: names(&all),
        }),
        [one] => {
            let mut probe = estimator.clone();
            for value in &axis.values {
                one.tunable.set(&mut probe, *value)?;
            }
            Ok(one.tunable.clone())
        }
        [first, second, ..] => Err(Error::Conflict {
            what: format!("`{name}` may be `{}` or `{}`", first.full, second.full),
            cure: "use the longer name".into(),
        }),
    }
}

/// Names to choose from: short ones where they are enough.
fn names(all: &[Named]) -> Vec<String> {
    let alone = |n: &Named| all.iter().filter(|m| m.short == n.short).count() == 1;
    let mut names: Vec<String> = Vec::new();
    for named in all {
        if alone(named) && named.short != named.full {
            names.push(named.short.clone());
        }
        names.push(named.full.clone());
    }
    names
}

impl Tunable {
    /// Sets the value.
    pub(super) fn set(&self, estimator: &mut AnyEstimator, value: f64) -> Result<()> {
        match self {
            Self::Setting(name, _) => {
                // Counts are whole numbers on an axis like any other.
                let whole = value.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&value);
                match estimator.set(name, &value.into()) {
                    Err(_) if whole => estimator.set(name, &(value as u64).into())?,
                    set => set?,
                }
            }
            Self::Parameter { base, index } => {
                let kernel = estimator.kernel_mut();
                if let Some(KernelSpec::Base { family, settings }) =
                    kernel.and_then(|kernel| kernel.base_mut(*base))
                {
                    let parameter = &family.parameters[*index];
                    let twins = family.parameters.iter().enumerate().filter(|(_, p)| {
                        p.instead_of == Some(parameter.name) || parameter.instead_of == Some(p.name)
                    });
                    for (twin, _) in twins {
                        settings.set(twin, crate::kernel::Value::Open);
                    }
                    settings.set(*index, value);
                    family.check(settings)?;
                }
            }
            Self::Weight(term) => {
                if !(value.is_finite() && value > 0.0) {
                    return Err(Error::setting("weight", value, "positive and finite"));
                }
                if let Some(kernel) = estimator.kernel_mut() {
                    kernel.set_weight(*term, value);
                }
            }
        }
        Ok(())
    }

    /// Returns whether it is the weight of errors.
    pub(super) fn is_c(&self) -> bool {
        matches!(self, Self::Setting("c", _))
    }

    /// Returns a number that grows as the model becomes less smooth: ties go to the least.
    pub(super) fn roughness(&self, estimator: &AnyEstimator, value: f64) -> f64 {
        let wide = match self {
            Self::Setting(_, larger_is_smoother) => *larger_is_smoother,
            Self::Weight(_) => false,
            Self::Parameter { base, index } => {
                let family = families(estimator)[*base];
                let name = family.parameters[*index].name;
                matches!(
                    (family.name, name),
                    (_, "sigma" | "length") | ("laplace", "scale") | ("matern", "nu")
                )
            }
        };
        if wide { -value } else { value }
    }

    /// Returns whether only whole numbers make sense.
    pub(super) fn is_whole(&self, estimator: &AnyEstimator) -> bool {
        let Self::Parameter { base, index } = self else {
            return false;
        };
        let family = families(estimator)[*base];
        matches!(
            family.parameters[*index].allowed,
            Allowed::Number(Rule::Count(_) | Rule::OneOf(_))
        )
    }
}

/// A parameter that was left open, with the value the data gave it.
pub(super) struct OpenParameter {
    pub(super) name: String,
    pub(super) value: f64,
    pub(super) from_data: bool,
    pub(super) whole: bool,
}

/// Lists the kernel parameters that the user left open, with the values `resolved` has.
pub(super) fn open_parameters(asked: &AnyEstimator, resolved: &AnyEstimator) -> Vec<OpenParameter> {
    let mut found = Vec::new();
    for named in tunables(asked) {
        let Tunable::Parameter { base, index } = named.tunable else {
            continue;
        };
        let settings = |estimator: &AnyEstimator| {
            let mut kernel = estimator.kernel()?.clone();
            match kernel.base_mut(base) {
                Some(KernelSpec::Base { family, settings }) => Some((*family, settings.clone())),
                _ => None,
            }
        };
        let (Some((family, before)), Some((_, after))) = (settings(asked), settings(resolved))
        else {
            continue;
        };
        let parameter = &family.parameters[index];
        let (true, Some(value)) = (before.value(index).is_open(), after.number(index)) else {
            continue;
        };
        found.push(OpenParameter {
            name: named.full,
            value,
            from_data: matches!(parameter.fallback, Fallback::Data(_)),
            whole: matches!(parameter.allowed, Allowed::Number(Rule::Count(_))),
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::margin::Svc;

    fn svc(kernel: &str) -> AnyEstimator {
        AnyEstimator::Svc(Svc::default().kernel(kernel.parse().unwrap()))
    }

    fn turned(kernel: &str, axis: &str) -> Result<String> {
        let mut machine = svc(kernel);
        let axis: Axis = axis.parse().unwrap();
        find(&axis, &machine)?.set(&mut machine, axis.values[0])?;
        Ok(machine.kernel_text())
    }

    #[test]
    fn parameters_are_found_by_name() {
        assert_eq!(turned("rbf", "gamma=2").unwrap(), "rbf(gamma=2)");
        assert_eq!(turned("rbf(gamma=1)", "sigma=2").unwrap(), "rbf(sigma=2)");
        assert_eq!(
            turned("rbf(gamma=1) + rbf(gamma=3)", "rbf2.gamma=5").unwrap(),
            "rbf(gamma=1) + rbf(gamma=5)"
        );
        assert_eq!(
            turned("linear + rbf(gamma=3)", "weight1=0.5").unwrap(),
            "0.5*linear + rbf(gamma=3)"
        );
        assert_eq!(
            turned("normalise(poly)@a", "degree=4").unwrap(),
            "normalise(poly(degree=4))@a"
        );
    }

    #[test]
    fn wrong_names_get_help() {
        let error = turned("rbf", "gama=1").unwrap_err();
        assert_eq!(error.hints(), ["did you mean `gamma`?"]);
        let error = turned("rbf + rbf", "gamma=1").unwrap_err();
        assert!(error.to_string().contains("rbf2.gamma"), "{error}");
        assert!(turned("rbf", "gamma=-1").is_err());
        assert!(turned("poly", "degree=2.5").is_err());
        assert!(turned("rbf", "nu=0.5").is_err());
    }
}
