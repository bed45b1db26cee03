//! What an axis turns: a setting of the machine or of its kernel expression.

use super::Axis;
use crate::kernel::{Allowed, Fallback, KernelSpec, Rule};
use crate::learn::margin::Softness;
use crate::learn::squared::Strength;
use crate::model::AnyEstimator;
use crate::{Error, Result};

/// A setting that an axis varies.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Knob {
    /// The price of errors.
    C,
    /// The half-width of the tube.
    Epsilon,
    /// The share.
    Nu,
    /// λ = 1/γ of the squared loss.
    Lambda,
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

/// A knob with the names users may call it by.
pub(super) struct Named {
    pub(super) knob: Knob,
    /// The unambiguous name, such as `rbf2.gamma`.
    pub(super) full: String,
    /// The parameter alone, such as `gamma`.
    pub(super) short: String,
}

/// Lists everything that can be varied in a machine.
pub(super) fn knobs(estimator: &AnyEstimator) -> Vec<Named> {
    let own = |knob: Knob, name: &str| Named {
        knob,
        full: name.to_owned(),
        short: name.to_owned(),
    };
    let mut all = match estimator {
        AnyEstimator::Svc(_) | AnyEstimator::KernelRisk(_) => vec![own(Knob::C, "C")],
        AnyEstimator::Svr(_) => vec![own(Knob::C, "C"), own(Knob::Epsilon, "epsilon")],
        AnyEstimator::NuSvc(_) | AnyEstimator::OneClass(_) => vec![own(Knob::Nu, "nu")],
        AnyEstimator::NuSvr(_) => vec![own(Knob::C, "C"), own(Knob::Nu, "nu")],
        AnyEstimator::KernelRidge(_) | AnyEstimator::LsSvc(_) | AnyEstimator::LsSvr(_) => {
            vec![own(Knob::Lambda, "lambda")]
        }
        AnyEstimator::Auto(_) => Vec::new(),
    };
    let families = estimator.kernel().families();
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
                    knob: Knob::Parameter { base, index },
                    full: format!("{}{place}.{}", family.name, parameter.name),
                    short: parameter.name.to_owned(),
                });
            }
        }
    }
    if let KernelSpec::Sum(terms) = estimator.kernel() {
        all.extend((0..terms.len()).map(|t| own(Knob::Weight(t), &format!("weight{}", t + 1))));
    }
    all
}

/// Finds the knob an axis names and checks that every value suits it.
pub(super) fn find(axis: &Axis, estimator: &AnyEstimator) -> Result<Knob> {
    let all = knobs(estimator);
    let name = axis.name.as_str();
    let mut found: Vec<&Named> = all.iter().filter(|n| n.full == name).collect();
    if found.is_empty() {
        // `c` is how the command spells the price elsewhere.
        found = all
            .iter()
            .filter(|n| n.short == name || (name == "c" && n.knob == Knob::C))
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
                one.knob.set(&mut probe, *value)?;
            }
            Ok(one.knob.clone())
        }
        [first, second, ..] => Err(Error::Conflict {
            what: format!("`{name}` may be `{}` or `{}`", first.full, second.full),
            cure: "use the longer name".to_owned(),
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

impl Knob {
    /// Sets the value.
    pub(super) fn set(&self, estimator: &mut AnyEstimator, value: f64) -> Result<()> {
        let positive = |name: &str| {
            let fine = value.is_finite() && value > 0.0;
            fine.then_some(())
                .ok_or_else(|| Error::setting(name, value, "positive and finite"))
        };
        match (self, &mut *estimator) {
            (Self::C, AnyEstimator::Svc(m)) => {
                positive("c")?;
                m.softness = Softness::C(value);
            }
            (Self::C, AnyEstimator::Svr(m)) => {
                positive("c")?;
                m.c = value;
            }
            (Self::C, AnyEstimator::NuSvr(m)) => {
                positive("c")?;
                m.c = value;
            }
            (Self::C, AnyEstimator::KernelRisk(m)) => {
                positive("c")?;
                m.c = value;
            }
            (Self::Epsilon, AnyEstimator::Svr(m)) => {
                if !(value.is_finite() && value >= 0.0) {
                    return Err(Error::setting("epsilon", value, "finite and not negative"));
                }
                m.epsilon = value;
            }
            (Self::Nu, machine) => {
                if !(value > 0.0 && value <= 1.0) {
                    return Err(Error::setting("nu", value, "above 0 and at most 1"));
                }
                match machine {
                    AnyEstimator::NuSvc(m) => m.nu = value,
                    AnyEstimator::NuSvr(m) => m.nu = value,
                    AnyEstimator::OneClass(m) => m.nu = value,
                    _ => {}
                }
            }
            (Self::Lambda, machine) => {
                positive("lambda")?;
                let strength = Strength::Lambda(value);
                match machine {
                    AnyEstimator::KernelRidge(m) => m.strength = strength,
                    AnyEstimator::LsSvc(m) => m.strength = strength,
                    AnyEstimator::LsSvr(m) => m.strength = strength,
                    _ => {}
                }
            }
            (Self::Parameter { base, index }, machine) => {
                if let Some(KernelSpec::Base { family, settings }) =
                    machine.kernel_mut().base_mut(*base)
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
            (Self::Weight(term), machine) => {
                positive("weight")?;
                machine.kernel_mut().set_weight(*term, value);
            }
            (Self::C | Self::Epsilon, _) => {}
        }
        Ok(())
    }

    /// Returns a number that grows as the machine becomes less smooth: ties go to the least.
    pub(super) fn roughness(&self, estimator: &AnyEstimator, value: f64) -> f64 {
        let wide = match self {
            Self::Epsilon | Self::Nu | Self::Lambda => true,
            Self::C | Self::Weight(_) => false,
            Self::Parameter { base, index } => {
                let family = estimator.kernel().families()[*base];
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
        let family = estimator.kernel().families()[*base];
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
    for named in knobs(asked) {
        let Knob::Parameter { base, index } = named.knob else {
            continue;
        };
        let settings = |estimator: &AnyEstimator| {
            let mut kernel = estimator.kernel().clone();
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
        Ok(machine.kernel().to_string())
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
