//! What would help, and the learning curve that says so.

use mercer::recipe::{LearningCurve, LearningPoint, Spread};
use mercer_plot::page::{Section, list, prose};
use mercer_plot::{Figure, Scale, Trace, TracePoint, Traces};

use crate::help::what_helps;
use crate::input::Input;

/// Lists what would make the model better.
pub(in super::super) fn help(input: &Input<'_>) -> Option<Section> {
    let learning = input.more.learning;
    let found = what_helps(
        input.trained,
        input.evaluation,
        learning.map(|curve| &curve.verdict),
    );
    if found.is_empty() {
        return None;
    }
    let items = found.iter().map(|text| prose(text));
    let mut section = Section::new("help", "What would help").body(list("", items));
    if let Some(curve) = learning {
        section = section.body(traces(curve).to_markup());
    }
    Some(section)
}

/// The picture of a learning curve.
pub fn traces(curve: &LearningCurve) -> Traces {
    let metric = curve.metric.title();
    let line = |name: &str, of: fn(&LearningPoint) -> &Spread| Trace {
        name: name.to_owned(),
        points: curve
            .points
            .iter()
            .map(|point| TracePoint {
                x: point.rows as f64,
                y: of(point).mean,
                deviation: of(point).deviation,
            })
            .collect(),
    };
    let last = curve.points.last().map_or(0, |point| point.rows);
    Traces {
        title: format!("{metric} over rows"),
        note: "Bands are the standard deviation over the folds.".to_owned(),
        x_name: "rows that are learnt from".to_owned(),
        y_name: metric.to_owned(),
        scale: Scale::Log,
        lines: vec![
            line("training rows", |p| &p.training),
            line("held-out rows", |p| &p.held_out),
        ],
        expected: curve.verdict.expected.map(|y| [2.0 * last as f64, y]),
        ..Traces::default()
    }
}
