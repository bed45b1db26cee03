//! Log-odds of shares.

use mercer::model::CERTAIN_LOG_ODDS;

use super::graph::{Builder, Wire};

/// ln(p / (1 − p)), within what is certain.
pub(super) fn log_odds(graph: &mut Builder, shares: &Wire) -> Wire {
    let (zero, one) = (graph.number(0.0), graph.number(1.0));
    let some = graph.step("Max", [shares, &zero]);
    let share = graph.step("Min", [&some, &one]);
    let rest = graph.step("Sub", [&one, &share]);
    let ratio = graph.step("Div", [&share, &rest]);
    let ratio = graph.step("Log", [&ratio]);
    let (least, most) = (
        graph.number(-CERTAIN_LOG_ODDS),
        graph.number(CERTAIN_LOG_ODDS),
    );
    let ratio = graph.step("Max", [&ratio, &least]);
    graph.step("Min", [&ratio, &most])
}
