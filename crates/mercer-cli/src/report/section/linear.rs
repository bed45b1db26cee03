//! How sure the weights of a linear model are, and what its penalty means.

use mercer::fit::FitReport;
use mercer_plot::page::{Column, Section, Table, cell};

use crate::display::bayes_text;
use crate::style::number;

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
        lead.push_str(&format!(
            " Summed over the weights, the penalty brings a squared bias of {} and leaves a \
             variance of {}, together {}; least squares has no bias and a variance of {}. Its \
             weights stand for the true ones.",
            number(trade.squared_bias),
            number(trade.variance),
            number(trade.squared_bias + trade.variance),
            number(trade.least_squares)
        ));
    }
    Some(Section::new("bayes", "Prior and likelihood").lead(lead))
}
