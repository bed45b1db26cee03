//! Where a model decides.

use mercer::data::{Kind, Records, Table, Targets, Task, sample};
use mercer::explain::{Permutation, importance};
use mercer::fit::{FitContext, Note};
use mercer::judge::Truth;
use mercer::learn::Method;
use mercer::model::{Answers, Predictions, Predictor, Trained};
use mercer::{Error, Result};
use mercer_plot::lattice::{Crossings, Edge, Lattice};
use mercer_plot::text::count;
use mercer_plot::{Boundary, BoundaryRow};

use super::sheet::Sheet;
use super::support::{has_margin, support_rows};

/// Places that the model is asked at, along each axis.
const PLACES: [usize; 2] = [97, 73];
/// How often the search for a border between two places is halved: to a part of a pixel.
const HALVINGS: usize = 5;
/// Rows that are drawn: more would only blacken the picture.
const ROWS: usize = 1500;
/// Multiplications that the choice of two columns may take.
const CHOICE_WORK: f64 = 2e9;
/// Methods that ask of every row to be at a distance of the border, so that f = ±1 means something.
const UNIT: [&str; 4] = ["svc", "nu_svc", "linear_svc", "lssvm"];

/// Which plane is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cut {
    /// The two numeric columns that matter most, or two projections where there are no such columns.
    Best,
    /// Two numeric columns by name; the others are held at their median or most frequent value.
    Columns([String; 2]),
    /// The two directions of largest variance.
    Projections,
}

/// Draws what a model predicts over a plane, with rows: their class, whether it is predicted, and whether
/// they are support vectors. `truth` has the rows' own classes, where they are known.
///
/// # Errors
/// Models that tell no regions apart, columns that are not there or no numbers, rows without two
/// directions; what predictions fail with; cancellation.
pub fn boundary(
    trained: &Trained,
    rows: &Table,
    truth: Option<&Truth>,
    cut: &Cut,
    context: &FitContext,
) -> Result<(Boundary, Vec<Note>)> {
    check(trained, rows)?;
    let mut notes = Vec::new();
    let none = Targets::None;
    let targets = match truth {
        Some(Truth::Targets(targets)) => targets,
        _ => &none,
    };
    let drawn = sample(rows.rows(), targets, ROWS, context.seed);
    let shown = rows.select(&drawn);
    let records = trained.encode(&shown)?.records;
    let sheet = sheet(trained, rows, &records, truth, cut, &mut notes, context)?;
    let predictor = trained.predictor(trained.usual_precision())?;
    let at = sheet.places(&shown, &records)?;
    let ends = [0, 1].map(|axis| ends(at.iter().map(|place| place[axis])));
    let lattice = Lattice::over(ends, PLACES);
    let asked = Asked {
        sheet: &sheet,
        predictor: &predictor,
        context,
    };
    let found = asked.at(&lattice.places())?;
    let labels = codes(&found.answers)?;
    let crossings = asked.crossings(&lattice, &labels)?;
    let classes = names(trained, &found.answers);
    let of_rows = codes(&predictor.answers(&shown, context)?.answers)?;
    let true_codes = truth.and_then(|truth| true_codes(truth, &drawn, &classes));
    let support = support_rows(trained, &records);
    let each = at.iter().enumerate().map(|(row, place)| {
        let said = of_rows[row] as usize;
        let class = true_codes.as_ref().map_or(said, |codes| codes[row]);
        BoundaryRow {
            at: *place,
            class,
            is_wrong: class != said,
            is_support: support.contains(&row),
        }
    });
    let each = each.filter(|row| row.at.iter().all(|v| v.is_finite()));
    let figure = Boundary {
        title: title(trained),
        names: sheet.names(),
        ends,
        rows: each.collect(),
        regions: lattice.regions(&labels, &crossings),
        border: lattice.border(&labels, &crossings),
        margins: margins(trained, &lattice, &found, classes.len()),
        classes,
        note: [sheet.note(), drawn_note(trained, drawn.len(), rows.rows())]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" "),
    };
    Ok((figure, notes))
}

fn check(trained: &Trained, rows: &Table) -> Result<()> {
    if !matches!(trained.task, Task::Classify | Task::Novelty | Task::Cluster) {
        return Err(Error::Unsupported {
            what: format!(
                "a model for the task `{}` has no border between predictions",
                trained.task
            ),
            cure: "give a model that predicts classes, novelty or clusters".into(),
        });
    }
    if trained.series.is_some() {
        return Err(Error::Unsupported {
            what: "a model of a series looks at windows, which are no points of a plane".to_owned(),
            cure: "give a model that was learnt from single rows".into(),
        });
    }
    if rows.rows() == 0 {
        return Err(Error::rows(
            "there are no rows to draw",
            "give rows, which also say how far the axes go",
        ));
    }
    Ok(())
}

/// The plane that is asked for, or the one that shows most.
fn sheet<'a>(
    trained: &Trained,
    rows: &'a Table,
    records: &Records,
    truth: Option<&Truth>,
    cut: &Cut,
    notes: &mut Vec<Note>,
    context: &FitContext,
) -> Result<Sheet<'a>> {
    let unread = trained.optional_columns();
    match cut {
        Cut::Columns(names) => {
            for name in names {
                let column = rows.column(name)?;
                if unread.contains(&column.name) {
                    notes.push(Note::Alert(format!(
                        "the model does not read `{name}`: predictions do not change along it"
                    )));
                }
            }
            return Sheet::of_columns(rows, names.clone());
        }
        Cut::Projections => return Sheet::of_projections(records),
        Cut::Best => {}
    }
    let inputs = trained.encoder.input_columns();
    let mut numeric: Vec<String> = inputs
        .into_iter()
        .filter(|(_, kind)| *kind == Kind::Numeric)
        .map(|(name, _)| name)
        .filter(|name| rows.find(name).is_some_and(|c| c.kind() == Kind::Numeric))
        .collect();
    // What has no say comes last.
    numeric.sort_by_key(|name| unread.contains(name));
    if numeric.len() < 2 {
        notes.push(Note::Choice(
            "the plane is that of the two directions of largest variance: there are no two numeric columns"
                .to_owned(),
        ));
        return Sheet::of_projections(records);
    }
    if numeric.len() == 2 {
        return Sheet::of_columns(rows, [numeric[0].clone(), numeric[1].clone()]);
    }
    let mut order = numeric.clone();
    let mut why = "the first of";
    if let Some(truth @ Truth::Targets(_)) = truth {
        let settings = Permutation::default().repeats(2).work(CHOICE_WORK);
        // Too few rows say nothing of a score: then the order is that of the table.
        if let Ok(found) = importance(trained, rows, truth, None, &settings, context) {
            let place = |name: &String| {
                let mut columns = found.columns.iter();
                let place = columns.position(|worth| worth.column == *name);
                place.unwrap_or(usize::MAX)
            };
            order.sort_by_key(place);
            if !found.columns.is_empty() {
                why = "the most important of";
            }
        }
        context.check()?;
    }
    notes.push(Note::Choice(format!(
        "the axes are `{}` and `{}`, {why} {} numeric columns",
        order[0],
        order[1],
        numeric.len()
    )));
    Sheet::of_columns(rows, [order[0].clone(), order[1].clone()])
}

/// A model that is asked at places of a plane.
struct Asked<'a> {
    sheet: &'a Sheet<'a>,
    predictor: &'a Predictor,
    context: &'a FitContext,
}

impl Asked<'_> {
    fn at(&self, places: &[[f64; 2]]) -> Result<Predictions> {
        self.context.check()?;
        self.sheet.answers(self.predictor, places, self.context)
    }

    /// Where predictions change along the edges of the grid, by halving: right for every model, whatever
    /// its decisions are.
    fn crossings(&self, lattice: &Lattice, labels: &[u32]) -> Result<Crossings> {
        let edges: Vec<Edge> = lattice.crossed(labels);
        let mut between = vec![[0.0, 1.0]; edges.len()];
        for _ in 0..HALVINGS {
            if edges.is_empty() {
                break;
            }
            let middles: Vec<[f64; 2]> = edges
                .iter()
                .zip(&between)
                .map(|(edge, [low, high])| lattice.between(*edge, f64::midpoint(*low, *high)))
                .collect();
            let said = codes(&self.at(&middles)?.answers)?;
            for ((edge, ends), label) in edges.iter().zip(&mut between).zip(said) {
                let middle = f64::midpoint(ends[0], ends[1]);
                ends[usize::from(label != labels[edge[0]])] = middle;
            }
        }
        let each = edges.into_iter().zip(between).map(|(edge, [low, high])| {
            let place = lattice.between(edge, f64::midpoint(low, high));
            (edge, place)
        });
        Ok(each.collect())
    }
}

/// Predictions as codes.
fn codes(answers: &Answers) -> Result<Vec<u32>> {
    match answers {
        Answers::Classes { codes, .. } | Answers::Clusters { codes, .. } => Ok(codes.clone()),
        Answers::Novelty { novel } => Ok(novel.iter().map(|n| u32::from(*n)).collect()),
        Answers::Values(_) | Answers::Several(_) => Err(Error::Unsupported {
            what: "numbers have no border between them".to_owned(),
            cure: "give a model that predicts classes, novelty or clusters".into(),
        }),
    }
}

/// What the codes of predictions stand for.
fn names(trained: &Trained, answers: &Answers) -> Vec<String> {
    match answers {
        Answers::Classes { labels, .. } => labels.clone(),
        Answers::Clusters { count, .. } => (0..*count).map(|k| format!("cluster {k}")).collect(),
        Answers::Novelty { .. } => vec!["known".to_owned(), "novel".to_owned()],
        Answers::Values(_) | Answers::Several(_) => trained.targets.clone(),
    }
}

/// The places of the rows' own classes among names; `None` where they are of another kind. A class that
/// the model does not know has a place behind the others, and no mark.
fn true_codes(truth: &Truth, rows: &[usize], names: &[String]) -> Option<Vec<usize>> {
    match truth {
        Truth::Targets(Targets::Classes(classes)) => {
            let place = |label: &String| names.iter().position(|name| name == label);
            let places: Vec<usize> = classes
                .labels
                .iter()
                .map(|label| place(label).unwrap_or(names.len()))
                .collect();
            let code = |row: &usize| places.get(*classes.codes.get(*row)? as usize).copied();
            rows.iter().map(code).collect()
        }
        Truth::Novel(novel) => {
            let code = |row: &usize| novel.get(*row).map(|n| usize::from(*n));
            rows.iter().map(code).collect()
        }
        Truth::Targets(_) => None,
    }
}

/// Lines at which the only decision of a classifier with a margin is −1 or 1.
fn margins(
    trained: &Trained,
    lattice: &Lattice,
    found: &Predictions,
    classes: usize,
) -> Vec<Vec<[f64; 2]>> {
    let decisions = &found.decisions;
    if !UNIT.contains(&trained.method.as_str()) || classes != 2 || decisions.columns() != 1 {
        return Vec::new();
    }
    let values: Vec<f64> = (0..decisions.rows()).map(|k| decisions[(k, 0)]).collect();
    [-1.0, 1.0]
        .into_iter()
        .flat_map(|level| lattice.level(&values, level))
        .collect()
}

/// Ends of an axis around values, with some room.
fn ends(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
    for value in values.filter(|v| v.is_finite()) {
        ends = [ends[0].min(value), ends[1].max(value)];
    }
    let [low, high] = ends;
    if low > high {
        return [0.0, 1.0];
    }
    let room = 0.06 * (high - low);
    // One value alone has as much room as it is large.
    let room = if room > 0.0 && room.is_finite() {
        room
    } else {
        (0.1 * low.abs()).max(1.0)
    };
    [(low - room).max(f64::MIN), (high + room).min(f64::MAX)]
}

fn title(trained: &Trained) -> String {
    let method = Method::shown_name(&trained.method);
    match trained.target() {
        Some(target) => format!("Where {method} decides on {target}"),
        None => format!("Where {method} decides"),
    }
}

fn drawn_note(trained: &Trained, drawn: usize, rows: usize) -> String {
    let mut parts = Vec::new();
    if drawn < rows {
        parts.push(format!(
            "{} of {} rows are drawn.",
            count(drawn as u64),
            count(rows as u64)
        ));
    }
    let expansion = trained.form.expansion();
    if let Some(model) = expansion.filter(|_| has_margin(trained)) {
        parts.push(format!(
            "The model has {} support vectors.",
            count(model.support.len() as u64)
        ));
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_have_room_and_are_finite() {
        assert_eq!(ends([].into_iter()), [0.0, 1.0]);
        assert_eq!(ends([5.0].into_iter()), [4.0, 6.0]);
        let [low, high] = ends([0.0, f64::NAN, 10.0].into_iter());
        assert!(low < 0.0 && high > 10.0);
        let wide = ends([f64::MIN, f64::MAX].into_iter());
        assert!(wide.iter().all(|v| v.is_finite()));
    }

    #[test]
    fn classes_are_found_by_name() {
        let truth = Truth::Targets(Targets::Classes(mercer::data::ClassTargets {
            codes: vec![0, 1, 2, 1],
            labels: vec!["b".to_owned(), "a".to_owned(), "strange".to_owned()],
        }));
        let names = ["a".to_owned(), "b".to_owned()];
        assert_eq!(true_codes(&truth, &[0, 1, 2], &names), Some(vec![1, 0, 2]));
        let novel = Truth::Novel(vec![true, false]);
        assert_eq!(true_codes(&novel, &[1, 0], &names), Some(vec![0, 1]));
        assert_eq!(true_codes(&novel, &[2], &names), None);
    }
}
