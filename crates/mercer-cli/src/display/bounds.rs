//! Slack, bounds and the reject option.

use mercer::fit::FitReport;
use mercer::judge::RejectPoint;
use mercer::judge::bounds::{FitBound, Interval};

use super::Page;
use crate::style::{count, number, plural};

/// Shares of rows left without a prediction that are shown.
const SHOWN: [f64; 6] = [0.0, 0.05, 0.1, 0.2, 0.3, 0.5];

impl Page {
    /// Adds how many rows are inside the margin, over all decisions of a model that has one.
    pub(super) fn slack(&mut self, report: &FitReport) -> &mut Self {
        let problems = &report.solver().problems;
        let found: Vec<_> = problems.iter().filter_map(|p| p.slack.as_ref()).collect();
        let weight: f64 = found.iter().map(|slack| slack.weight).sum();
        if found.is_empty() || !(weight > 0.0) {
            return self;
        }
        let hinge: f64 = found.iter().map(|s| s.weight * s.mean_hinge).sum();
        let inside: f64 = found.iter().map(|s| s.above_zero).sum();
        let wrong: f64 = found.iter().map(|s| s.above_one).sum();
        let over = match found.len() {
            1 => String::new(),
            several => format!(" over {several} decisions"),
        };
        let aside = format!(
            "{} on the wrong side, mean hinge {}",
            rows(wrong),
            number(hinge / weight)
        );
        let text = format!("{}{over}  {}", rows(inside), self.paint.dim(&aside));
        self.item("slack", &text)
    }

    /// Adds the laws behind an error rate, with what the margins promise.
    pub(crate) fn error_bounds(
        &mut self,
        laws: &[(&str, Interval)],
        promised: &[FitBound],
    ) -> &mut Self {
        /// Decisions shown one by one.
        const MOST: usize = 3;
        if laws.is_empty() && promised.is_empty() {
            return self;
        }
        self.heading("Bounds on the error", "the interval above is the exact one");
        for (name, interval) in laws {
            let text = format!("{:>9}{:.4} to {:.4}", "", interval.low, interval.high);
            self.item(name, &text);
        }
        for bound in promised.iter().take(MOST) {
            let value = if bound.vacuous {
                format!("{} (vacuous)", number(bound.bound))
            } else {
                format!("at most {}", number(bound.bound))
            };
            let sure = match bound.confidence {
                Some(_) => "by the margin of training",
                None => "in the mean, by the slack of training",
            };
            let name = bound.kind.replace('_', " ");
            let text = format!("{value}  {}", self.paint.dim(sure));
            self.item(&name, &text);
            if bound.assumes_radius {
                let radius = format!("if no row is longer than {}", number(bound.radius));
                let radius = self.paint.dim(&radius);
                self.item("", &radius);
            }
        }
        if promised.len() > MOST {
            let more = plural(promised.len() - MOST, "decision");
            self.item("", &format!("and {more} more; --json has all"));
        }
        self
    }

    /// Adds what it costs to predict only where the model is sure.
    pub(crate) fn reject(&mut self, curve: &[RejectPoint]) -> &mut Self {
        self.heading("Reject option", "the least sure rows get no prediction");
        let mut last = None;
        for share in SHOWN {
            let Some(point) = curve.iter().find(|p| p.rejected >= share - 1e-12) else {
                continue;
            };
            if last == Some(point.rejected) {
                continue;
            }
            last = Some(point.rejected);
            let (Some(error), Some(threshold)) = (point.error, point.threshold) else {
                continue;
            };
            let name = format!("{:.1} % rejected", 100.0 * point.rejected);
            let aside = format!(
                "of others wrong, {:.4} of all rows; from {}",
                point.wrong,
                number(threshold)
            );
            let text = format!("{error:.4}  {}", self.paint.dim(&aside));
            self.item(&name, &text);
        }
        self
    }
}

/// A number of rows, copies counted.
fn rows(weight: f64) -> String {
    if weight.fract() == 0.0 {
        plural(weight as usize, "row")
    } else {
        format!("{} rows", count(weight.round() as u64))
    }
}
