//! The rules that tie the fields of a model together.

use super::model::{LibsvmKernel, LibsvmModel, Support, SvmType, pair_count};
use crate::Result;

impl LibsvmModel {
    /// Checks every rule that a file would have to obey.
    ///
    /// # Errors
    /// [`mercer::Error::Model`] naming the broken rule.
    pub fn check(&self) -> Result<()> {
        match self.broken_rule() {
            Some(problem) => Err(mercer::Error::model(problem).into()),
            None => Ok(()),
        }
    }

    fn broken_rule(&self) -> Option<String> {
        let classes = self.labels.len();
        let classifier = self.svm_type.is_classifier();
        let decisions = if classifier {
            pair_count(classes)
        } else {
            Some(1)
        };
        let support = self.support.len();
        let off = |what: &str, found: usize, expected: usize| {
            (found != expected).then(|| format!("{found} {what}; {expected} expected"))
        };
        if classifier && classes < 2 {
            return Some("a classifier needs at least two labels".to_owned());
        }
        let distinct: std::collections::HashSet<i32> = self.labels.iter().copied().collect();
        if distinct.len() != classes {
            return Some("a label occurs twice".to_owned());
        }
        if !classifier && (classes > 0 || !self.class_sizes.is_empty()) {
            return Some(format!(
                "labels in a model of type `{}`",
                self.svm_type.name()
            ));
        }
        let Some(decisions) = decisions else {
            return Some("too many labels".to_owned());
        };
        let sum = self
            .class_sizes
            .iter()
            .try_fold(0_usize, |s, n| s.checked_add(*n));
        if classifier && (self.class_sizes.len() != classes || sum != Some(support)) {
            return Some("the class sizes do not add up to the support vectors".to_owned());
        }
        let lists = [
            Some((&self.rho, "thresholds")),
            self.prob_a.as_ref().map(|p| (p, "slopes")),
            self.prob_b.as_ref().map(|p| (p, "offsets")),
        ];
        for (list, what) in lists.into_iter().flatten() {
            if let Some(problem) = off(what, list.len(), decisions) {
                return Some(problem);
            }
        }
        if classifier && self.prob_a.is_some() != self.prob_b.is_some() {
            return Some("slopes and offsets go together".to_owned());
        }
        if !classifier && self.prob_b.is_some()
            || self.svm_type == SvmType::OneClass && self.prob_a.is_some()
            || self.svm_type != SvmType::OneClass && self.density_marks.is_some()
        {
            return Some(format!(
                "probabilities that `{}` does not have",
                self.svm_type.name()
            ));
        }
        let precomputed = self.kernel == LibsvmKernel::Precomputed;
        if precomputed != matches!(self.support, Support::Serials(_)) {
            return Some("support vectors of another kind than the kernel's".to_owned());
        }
        off(
            "rows of coefficients",
            self.coefficients.rows(),
            self.height(),
        )
        .or_else(|| {
            off(
                "columns of coefficients",
                self.coefficients.columns(),
                support,
            )
        })
        .or_else(|| self.not_finite())
    }

    fn not_finite(&self) -> Option<String> {
        let parameters = match self.kernel {
            LibsvmKernel::Linear | LibsvmKernel::Precomputed => [0.0, 0.0],
            LibsvmKernel::Rbf { gamma } => [gamma, 0.0],
            LibsvmKernel::Polynomial { gamma, coef0, .. }
            | LibsvmKernel::Sigmoid { gamma, coef0 } => [gamma, coef0],
        };
        let vectors = match &self.support {
            Support::Vectors { points, .. } => points.values(),
            Support::Serials(_) => &[],
        };
        let optional = [&self.prob_a, &self.prob_b, &self.density_marks];
        let all = self
            .rho
            .iter()
            .chain(&parameters)
            .chain(self.coefficients.as_slice())
            .chain(vectors)
            .chain(optional.into_iter().flatten().flatten());
        all.into_iter()
            .any(|v| !v.is_finite())
            .then(|| "a number is not finite".to_owned())
    }
}
