//! Log-odds of shares.

use mercer::model::CERTAIN_LOG_ODDS;

use super::graph::{Builder, Wire};

/// ln(p / (1 − p)), within what is certain.
pub(super) fn log_odds(graph: &mut Builder, shares: &Wire) -> Wire {
    let (zero, one) = (graph.number(0.0), graph.number(1.0));
    let some = graph.step("Max", [shares, &zero]);
    let share = graph.step("Min", [&some, &one]);
    let rest = graph.step("Sub", [&one, &share]);
    let odds = graph.step("Div", [&share, &rest]);
    let odds = graph.step("Log", [&odds]);
    let (least, most) = (
        graph.number(-CERTAIN_LOG_ODDS),
        graph.number(CERTAIN_LOG_ODDS),
    );
    let odds = graph.step("Max", [&odds, &least]);
    graph.step("Min", [&odds, &most])
}
