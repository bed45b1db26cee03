//! What linear models and penalised fits tell of themselves, on a terminal.

use mercer::fit::{BayesReport, LinearReport};

use mercer_report::bayes_text;

use super::Page;
use crate::style::{number, plural};

/// Weights that are listed, the most certain ones first.
const SHOWN: usize = 12;

impl Page {
    /// Adds rank, condition, noise and how sure the weights are.
    pub(super) fn linear(&mut self, linear: &LinearReport) -> &mut Self {
        let paint = self.paint;
        if let Some(rank) = linear.rank {
            self.item("rank", &rank.to_string());
        }
        if let Some(condition) = linear.condition {
            self.item("condition", &number(condition));
        }
        if let Some(lambda) = linear.lambda {
            let free = paint.dim(&format!(
                "{:.1} parameters that the data determine",
                linear.degrees_of_freedom
            ));
            self.item("lambda", &format!("{}  {free}", number(lambda)));
        }
        if let [noise, ..] = linear.noise_variance[..] {
            self.item(
                "noise",
                &format!(
                    "{}  {}",
                    number(noise.sqrt()),
                    paint.dim("standard deviation")
                ),
            );
        }
        if let [trade, ..] = linear.bias_variance[..] {
            let error = trade.squared_bias + trade.variance;
            let text = format!(
                "{} + {} = {}  {}",
                number(trade.squared_bias),
                number(trade.variance),
                number(error),
                paint.dim(&format!(
                    "least squares: {}; its weights stand for the true ones",
                    number(trade.least_squares)
                ))
            );
            self.item("bias, variance", &text);
        }
        if let Some(gradient) = &linear.gradient {
            let text = format!(
                "{} steps of {}, {}  {}",
                gradient.solver,
                number(gradient.step),
                plural(gradient.epochs as usize, "epoch"),
                paint.dim(&format!(
                    "constant batch steps are stable below 2/λ_max = {}",
                    number(gradient.limit)
                ))
            );
            self.item("descent", &text);
        }
        let mut weights: Vec<_> = linear.weights.iter().collect();
        let size = |w: &mercer::fit::WeightReport| w.weight.abs() / w.standard_error;
        weights.sort_by(|a, b| size(b).total_cmp(&size(a)));
        for (place, weight) in weights.iter().take(SHOWN).enumerate() {
            let text = format!(
                "{} = {} ± {}  {}",
                weight.name,
                number(weight.weight),
                number(weight.standard_error),
                paint.dim(&format!(
                    "95 % between {} and {}",
                    number(weight.lower),
                    number(weight.upper)
                ))
            );
            self.item(if place == 0 { "weights" } else { "" }, &text);
        }
        if weights.len() > SHOWN {
            let more = format!("and {} more", weights.len() - SHOWN);
            self.item("", &paint.dim(&more));
        }
        self
    }

    /// Adds prior and likelihood.
    pub(super) fn bayes(&mut self, bayes: &BayesReport) -> &mut Self {
        self.item("as posterior", &bayes_text(bayes))
    }
}
