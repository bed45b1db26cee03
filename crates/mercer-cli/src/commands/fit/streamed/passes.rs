//! The two passes over a file.

use std::sync::Arc;

use mercer::data::{EncoderSums, Kind, Task};
use mercer::fit::{FitContext, Note};
use mercer::learn::features::MadePlan;
use mercer::recipe::Recipe;
use mercer::recipe::survey::{Parts, Survey};
use mercer::state::{Place, Plan, State};
use mercer_io::ReadOptions;
use serde_json::Value;

use super::file::{Pace, RowFile};
use crate::failure::{Failure, Result};
use crate::session::Session;

/// Rows of a block in the first pass.
const BLOCK: usize = EncoderSums::BLOCK;
/// A plan, and what the pass that made it has seen.
pub(in crate::commands) struct Planned {
    pub(in crate::commands) plan: Arc<Plan>,
    /// Rows of the file.
    pub(in crate::commands) rows: u64,
    /// Rows that were drawn for kernel and landmarks.
    pub(in crate::commands) drawn: usize,
    /// Seconds, and rows per second.
    pub(in crate::commands) pace: (f64, f64),
}

/// Looks at all rows, and fixes what has to be known of them beforehand.
pub(in crate::commands) fn plan(
    file: &RowFile,
    recipe: impl FnOnce(&mercer::data::Table) -> Result<Recipe>,
    session: &Session,
    context: &FitContext,
) -> Result<Planned> {
    let blocks = file.blocks(BLOCK)?;
    session.output.notes(&blocks.layout().notes);
    let recipe = recipe(blocks.head())?;
    let components = recipe
        .settings
        .iter()
        .find(|(name, _)| name == "components");
    let components = components.and_then(|(_, value)| Value::as_u64(value));
    let components = components.map(|count| usize::try_from(count).unwrap_or(usize::MAX));
    let pool = MadePlan::rows_for(components);
    let mut survey = Survey::new(&recipe, blocks.head(), pool, context.seed)?;
    let mut parts = Parts::new(survey.roles().clone(), BLOCK);
    let pace = Pace::start(session, "first pass");
    let mut blocks = blocks.ahead();
    while let Some(block) = blocks.next() {
        session.check()?;
        context.check()?;
        for part in parts.add(block?)? {
            survey.add(&part)?;
        }
        pace.tell(parts.seen(), &blocks);
    }
    if let Some(part) = parts.end()? {
        survey.add(&part)?;
    }
    file.check()?;
    let rows = parts.seen();
    let surveyed = survey.finish()?;
    let drawn = surveyed.drawn.rows();
    let pace = pace.end(rows);
    session.meter.stage("landmarks", None);
    let plan = Plan::of_survey(surveyed, &context.restarted())?;
    session.check()?;
    Ok(Planned {
        plan: Arc::new(plan),
        rows,
        drawn,
        pace,
    })
}

/// What is done from time to time while rows are added.
pub(in crate::commands) trait Meanwhile {
    /// Looks at a state, after a block.
    fn look(&mut self, state: &State);
}

impl Meanwhile for () {
    fn look(&mut self, _: &State) {}
}

/// How a second pass ended.
pub(in crate::commands) struct Added {
    /// Rows of the file that were read.
    pub(in crate::commands) rows: u64,
    /// Whether the time was up before the end of the file.
    pub(in crate::commands) is_cut: bool,
    /// Seconds, and rows per second.
    pub(in crate::commands) pace: (f64, f64),
}

/// Which rows of a file are added, and where they stand.
pub(in crate::commands) struct Wanted {
    /// Rows that were added before, which are passed over.
    pub(in crate::commands) skip: u64,
    /// Where the first row of the file stands.
    pub(in crate::commands) place: Place,
    /// All rows of the file, where their number is known.
    pub(in crate::commands) of: Option<u64>,
}

/// Adds the rows of a file to a state.
pub(in crate::commands) fn add(
    file: &RowFile,
    state: &mut State,
    wanted: &Wanted,
    meanwhile: &mut dyn Meanwhile,
    session: &Session,
    context: &FitContext,
) -> Result<Added> {
    let place = wanted.place;
    let mut blocks = file.blocks(state.plan().block())?;
    let skip = usize::try_from(wanted.skip).unwrap_or(usize::MAX);
    if skip > 0 {
        session.meter.stage("passing over rows", None);
        blocks.pass_over(skip)?;
    }
    let mut rows = wanted.skip;
    let mut pace = Pace::start(session, "second pass");
    if let Some(of) = wanted.of {
        pace = pace.of(of, rows);
    }
    // A block is added whole, and time is looked at in between.
    let mut inner = context.clone().time_limit(None);
    inner.progress = None;
    let mut blocks = blocks.after(place.row + rows).ahead();
    let mut is_cut = false;
    while let Some(block) = blocks.next() {
        session.check()?;
        if !context.goes_on() {
            is_cut = true;
            break;
        }
        let block = match block {
            Err(mercer_io::Error::Limit { is_time: true, .. }) => {
                is_cut = true;
                break;
            }
            block => block?,
        };
        let here = place.after(block.before());
        let count = block.rows() as u64;
        crate::data::blame_data(state.add(block, here, &inner))?;
        rows += count;
        meanwhile.look(state);
        pace.tell(rows, &blocks);
    }
    session.check()?;
    file.check()?;
    if let Some(of) = wanted.of.filter(|of| !is_cut && *of != rows) {
        return Err(Failure::data(
            "changed",
            format!(
                "{}: there were {of} rows in the first pass and {rows} in the second",
                file.path().display()
            ),
            "start again once nothing writes to the file, or read a copy of it",
        ));
    }
    Ok(Added {
        rows,
        is_cut,
        pace: pace.end(rows),
    })
}

/// Tells the reader what a plan knows of columns.
pub(in crate::commands) fn known(plan: &Plan, options: ReadOptions) -> ReadOptions {
    let unnamed = |name: &String| options.kinds.iter().all(|(given, _)| given != name);
    let mut schema = plan.encoder.input_columns();
    if plan.task == Task::Regress {
        let targets = plan.roles.targets.iter().cloned();
        schema.extend(targets.map(|name| (name, Kind::Numeric)));
    }
    schema.retain(|(name, _)| unnamed(name));
    let spellings = plan.encoder.spellings().clone();
    ReadOptions {
        schema,
        for_model: true,
        spellings: spellings.into_iter().collect(),
        ..options
    }
}

/// What a user is told about rows that were not all read.
pub(in crate::commands) fn cut(added: &Added, of: u64) -> Note {
    Note::Alert(format!(
        "the time limit came after {} of {of} rows: the model is learnt from those",
        added.rows
    ))
}
