//! The free hyperparameters of a kernel expression: positive numbers that can be varied smoothly.

use super::{Allowed, KernelSpec, ResolvedKernel, Rule, Value};
use crate::Result;

/// A positive number inside a kernel expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hyperparameter {
    /// A parameter of a family, or one column's place in its list.
    Parameter {
        /// Place among the families of the text.
        base: usize,
        /// Place among the family's parameters.
        index: usize,
        /// Place in the list, where the parameter has one number per feature.
        column: Option<usize>,
    },
    /// The factor of a term of a sum; the first term has none, it would only scale the whole.
    Weight(usize),
}

impl KernelSpec {
    /// Returns the n-th family of the text with its settings.
    pub(crate) fn base_mut(&mut self, n: usize) -> Option<&mut Self> {
        fn find<'a>(kernel: &'a mut KernelSpec, left: &mut usize) -> Option<&'a mut KernelSpec> {
            match kernel {
                KernelSpec::Base { .. } if *left == 0 => Some(kernel),
                KernelSpec::Base { .. } => {
                    *left -= 1;
                    None
                }
                KernelSpec::Scaled { kernel, .. }
                | KernelSpec::Power { kernel, .. }
                | KernelSpec::Exp(kernel)
                | KernelSpec::Normalise(kernel)
                | KernelSpec::On { kernel, .. } => find(kernel, left),
                KernelSpec::Sum(parts) | KernelSpec::Product(parts) => {
                    parts.iter_mut().find_map(|part| find(part, left))
                }
            }
        }
        find(self, &mut { n })
    }

    /// Sets the factor of a term of a sum.
    pub(crate) fn set_weight(&mut self, term: usize, weight: f64) {
        if let Self::Sum(terms) = self
            && let Some(term) = terms.get_mut(term)
        {
            let bare = match &*term {
                Self::Scaled { kernel, .. } => (**kernel).clone(),
                other => other.clone(),
            };
            *term = bare.scaled(weight);
        }
    }
}

impl ResolvedKernel {
    /// Lists every number that may take any positive value.
    pub fn hyperparameters(&self) -> Vec<Hyperparameter> {
        let mut hyperparameters = Vec::new();
        let mut spec = self.spec().clone();
        for base in 0..spec.families().len() {
            let Some(KernelSpec::Base { family, settings }) = spec.base_mut(base) else {
                continue;
            };
            for (index, parameter) in family.parameters.iter().enumerate() {
                let (Allowed::Number(Rule::Positive) | Allowed::Scale(Rule::Positive)) =
                    parameter.allowed
                else {
                    continue;
                };
                let hyperparameter = |column| Hyperparameter::Parameter {
                    base,
                    index,
                    column,
                };
                match settings.value(index) {
                    Value::Number(_) => hyperparameters.push(hyperparameter(None)),
                    Value::Numbers(list) => {
                        hyperparameters
                            .extend((0..list.len()).map(|column| hyperparameter(Some(column))));
                    }
                    _ => {}
                }
            }
        }
        if let KernelSpec::Sum(terms) = &spec {
            hyperparameters.extend((1..terms.len()).map(Hyperparameter::Weight));
        }
        hyperparameters
    }

    /// Returns the value of a free hyperparameter.
    pub fn hyperparameter_value(&self, hyperparameter: &Hyperparameter) -> f64 {
        let mut spec = self.spec().clone();
        match hyperparameter {
            Hyperparameter::Parameter {
                base,
                index,
                column,
            } => match spec.base_mut(*base) {
                Some(KernelSpec::Base { settings, .. }) => match (settings.value(*index), column) {
                    (Value::Number(number), None) => *number,
                    (Value::Numbers(list), Some(column)) => list[*column],
                    _ => f64::NAN,
                },
                _ => f64::NAN,
            },
            Hyperparameter::Weight(term) => match &spec {
                KernelSpec::Sum(terms) => match &terms[*term] {
                    KernelSpec::Scaled { factor, .. } => *factor,
                    _ => 1.0,
                },
                _ => f64::NAN,
            },
        }
    }

    /// Returns the kernel with other values of some free hyperparameters.
    ///
    /// # Errors
    /// Numbers that are not positive and finite.
    pub fn turned(&self, hyperparameters: &[Hyperparameter], values: &[f64]) -> Result<Self> {
        let mut spec = self.spec().clone();
        for (hyperparameter, &value) in hyperparameters.iter().zip(values) {
            match hyperparameter {
                Hyperparameter::Parameter {
                    base,
                    index,
                    column,
                } => {
                    if let Some(KernelSpec::Base { settings, .. }) = spec.base_mut(*base) {
                        match (settings.value(*index).clone(), column) {
                            (Value::Numbers(mut list), Some(column)) => {
                                list[*column] = value;
                                settings.set(*index, list);
                            }
                            _ => settings.set(*index, value),
                        }
                    }
                }
                Hyperparameter::Weight(term) => spec.set_weight(*term, value),
            }
        }
        Self::try_new(spec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(text: &str) -> ResolvedKernel {
        text.parse().expect("a kernel")
    }

    #[test]
    fn every_positive_number_is_a_dial() {
        let all = kernel("rbf(gamma=[1,2]) + 0.5*poly(degree=2, offset=1, scale=3)@a");
        let hyperparameters = all.hyperparameters();
        let values: Vec<f64> = hyperparameters
            .iter()
            .map(|d| all.hyperparameter_value(d))
            .collect();
        assert_eq!(values, [1.0, 2.0, 3.0, 0.5]);
        let turned = all
            .turned(&hyperparameters, &[4.0, 5.0, 6.0, 7.0])
            .expect("positive");
        assert_eq!(
            turned,
            kernel("rbf(gamma=[4,5]) + 7*poly(degree=2, offset=1, scale=6)@a")
        );
    }

    #[test]
    fn numbers_below_zero_are_refused() {
        let rbf = kernel("rbf(sigma=1)");
        assert_eq!(rbf.hyperparameters().len(), 1);
        assert!(rbf.turned(&rbf.hyperparameters(), &[-1.0]).is_err());
    }
}
