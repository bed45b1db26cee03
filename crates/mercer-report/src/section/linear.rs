//! How sure the weights of a linear model are, and what its penalty means.

use std::fmt::Write as _;

use mercer::fit::{BayesReport, FitReport};
use mercer_plot::page::{Column, Section, Table, cell};

use crate::words::number;

/// Weights that are listed.
const SHOWN: usize = 40;

/// Lists weights with their intervals.
pub(in super::super) fn weights(report: &FitReport) -> Option<Section> {
    let linear = report.linear.as_ref().filter(|l| !l.weights.is_empty())?;
    let mut table = Table::new([
        Column::names(""),
        Column::number("weight"),
        Column::number("standard error"),
        Column::number("95 % from"),
        Column::number("to"),
    ])
    .scrolling();
    for weight in linear.weights.iter().take(SHOWN) {
        table.row([
            cell(&weight.name),
            cell(number(weight.weight)),
            cell(number(weight.standard_error)),
            cell(number(weight.lower)),
            cell(number(weight.upper)),
        ]);
    }
    let condition = linear.condition.map_or(String::new(), |condition| {
        format!(" The condition number is {}.", number(condition))
    });
    let law = if linear.lambda.is_some() {
        "Intervals are those of the posterior, given the penalty."
    } else {
        "Intervals are Student's, for noise of one variance."
    };
    let more = if linear.weights.len() > SHOWN {
        format!(" The first {SHOWN} of {} are shown.", linear.weights.len())
    } else {
        String::new()
    };
    let section = Section::new("weights", "Weights")
        .lead(format!("{law}{condition}{more}"))
        .body(table);
    Some(section)
}

/// Reads penalty and loss as prior and likelihood.
pub(in super::super) fn bayes(report: &FitReport) -> Option<Section> {
    let bayes = report.bayes.as_ref()?;
    let mut lead = format!(
        "The solution is the most probable one under a prior and a likelihood: {}.",
        bayes_text(bayes)
    );
    let trade = report.linear.as_ref().and_then(|l| l.bias_variance.first());
    if let Some(trade) = trade {
        write!(
            lead,
            " Summed over the weights, the penalty brings a squared bias of {} and leaves a \
             variance of {}, together {}; least squares has no bias and a variance of {}. Its \
             weights stand for the true ones.",
            number(trade.squared_bias),
            number(trade.variance),
            number(trade.squared_bias + trade.variance),
            number(trade.least_squares)
        )
        .expect("text takes all that is written");
    }
    Some(Section::new("bayes", "Prior and likelihood").lead(lead))
}

/// Prior, likelihood and λ in one line.
pub fn bayes_text(bayes: &BayesReport) -> String {
    let first = |name: &str, values: &[f64]| match values {
        [] => String::new(),
        [value] => format!(", {name} = {}", number(*value)),
        [value, ..] => format!(", {name} = {}, …", number(*value)),
    };
    format!(
        "{}{}{}; {}{}; λ = {} = {}",
        bayes.prior,
        first("τ²", &bayes.prior_variance),
        first("τ", &bayes.prior_scale),
        bayes.likelihood,
        first("σ²", &bayes.noise_variance),
        bayes.rule,
        number(bayes.lambda)
    )
}
