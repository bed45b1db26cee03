//! What components explain.

use mercer::fit::FitReport;
use mercer_plot::page::{Column, Section, Table, cell};

use crate::words::number;

/// Components that are listed.
const SHOWN: usize = 40;

/// Lists components with what each explains.
pub(in super::super) fn projection(report: &FitReport) -> Option<Section> {
    let told = report.projection.as_ref()?;
    let mut table = Table::new([
        Column::names("component"),
        Column::number("eigenvalue"),
        Column::number("share"),
        Column::number("shares so far"),
    ])
    .scrolling();
    let mut sum = 0.0;
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    for (k, (value, share)) in told.eigenvalues.iter().zip(told.shares()).enumerate() {
        sum += share;
        if k < SHOWN {
            table.row([
                cell((k + 1).to_string()),
                cell(number(*value)),
                cell(percent(share)),
                cell(percent(sum)),
            ]);
        }
    }
    let more = if told.eigenvalues.len() > SHOWN {
        format!(" The first {SHOWN} are shown.")
    } else {
        String::new()
    };
    let section = Section::new("components", "Components")
        .lead(format!(
            "{} of {} in all is explained by {} components; residuals of their eigenvectors are {} of the largest eigenvalue at most.{more}",
            percent(sum),
            number(told.total),
            told.eigenvalues.len(),
            number(told.residual)
        ))
        .body(table);
    Some(section)
}
