//! Numbers of a report that are squares of targets, kept within the range of numbers.

use super::FitReport;

impl FitReport {
    /// Puts the ends of the range in the place of infinite objectives, precisions and variances; returns whether
    /// there was one. Files and `--json` have no infinity.
    pub(crate) fn keep_in_range(&mut self) -> bool {
        let mut numbers: Vec<&mut f64> = Vec::new();
        if let Some(solver) = &mut self.solver {
            numbers.extend([
                &mut solver.objective,
                &mut solver.dual_gap,
                &mut solver.kkt_violation,
            ]);
            for problem in &mut solver.problems {
                numbers.extend([
                    &mut problem.primal,
                    &mut problem.dual,
                    &mut problem.kkt_violation,
                    &mut problem.norm,
                ]);
            }
        }
        if let Some(evidence) = &mut self.evidence {
            numbers.extend(&mut evidence.prior);
            numbers.extend(&mut evidence.noise);
            numbers.push(&mut evidence.leave_one_out);
        }
        if let Some(linear) = &mut self.linear {
            numbers.extend(&mut linear.noise_variance);
            for weight in &mut linear.weights {
                numbers.extend([
                    &mut weight.standard_error,
                    &mut weight.lower,
                    &mut weight.upper,
                ]);
            }
            for trade in &mut linear.bias_variance {
                numbers.extend([
                    &mut trade.squared_bias,
                    &mut trade.variance,
                    &mut trade.least_squares,
                ]);
            }
        }
        if let Some(penalty) = &mut self.penalty {
            numbers.extend(&mut penalty.gaps);
        }
        if let Some(bayes) = &mut self.bayes {
            numbers.extend(&mut bayes.prior_variance);
            numbers.extend(&mut bayes.prior_scale);
            numbers.extend(&mut bayes.noise_variance);
        }
        let mut any = false;
        for number in numbers {
            if number.is_infinite() {
                *number = f64::MAX.copysign(*number);
                any = true;
            }
        }
        any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::{FitContext, SolverReport};

    #[test]
    fn infinite_numbers_stand_at_the_end_of_the_range_and_unknown_ones_stay() {
        let mut report = FitReport::of_rows(3, Vec::new(), &FitContext::default());
        assert!(!report.keep_in_range());
        report.solver = Some(SolverReport {
            objective: f64::INFINITY,
            dual_gap: f64::NAN,
            kkt_violation: 0.5,
            iterations: 1,
            problems: Vec::new(),
        });
        assert!(report.keep_in_range());
        let solver = report.solver();
        assert_eq!((solver.objective, solver.kkt_violation), (f64::MAX, 0.5));
        assert!(solver.dual_gap.is_nan());
    }
}
