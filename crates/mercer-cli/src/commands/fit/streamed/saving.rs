//! Checkpoints of a fit: written from time to time, looked for at the start.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use mercer::fit::Note;
use mercer::state::State;
use mercer_io::Identity;
use mercer_io::state::Checkpoint;

use super::file::RowFile;
use super::passes::Meanwhile;
use crate::args::FitArgs;
use crate::failure::{Failure, Result};
use crate::session::Session;
use crate::wording::told;

/// Writes a checkpoint when it is time to.
pub(super) struct Saving<'a> {
    path: &'a Path,
    every: Duration,
    last: Instant,
    data: Identity,
    settings: BTreeMap<String, String>,
    rows: u64,
    /// Whether a user was told that it cannot be written.
    failed: bool,
    session: &'a Session,
}

impl<'a> Saving<'a> {
    pub(super) fn start(
        args: &'a FitArgs,
        path: &'a Path,
        file: &RowFile,
        rows: u64,
        session: &'a Session,
    ) -> Self {
        Self {
            path,
            every: args.checkpoint_every,
            last: Instant::now(),
            data: file.identity.clone(),
            settings: settings(args),
            rows,
            failed: false,
            session,
        }
    }

    /// Writes the checkpoint now.
    pub(super) fn save(&mut self, state: &State) {
        let checkpoint = Checkpoint {
            data: self.data.clone(),
            settings: self.settings.clone(),
            rows: self.rows,
            state: state.clone(),
        };
        let saved = checkpoint.save(self.path);
        self.last = Instant::now();
        match saved {
            Ok(()) if self.failed => {
                self.failed = false;
                let text = "the checkpoint can be written again".to_owned();
                self.session.output.notes(&[Note::Choice(text)]);
            }
            // A fit that runs for hours does not end for want of disk space; the last checkpoint is whole.
            Err(error) if !self.failed => {
                self.failed = true;
                let note = Note::Alert(format!(
                    "the checkpoint is not written, and the fit goes on without: {error}"
                ));
                self.session.output.notes(&[note]);
            }
            _ => {}
        }
    }
}

impl Meanwhile for Saving<'_> {
    fn look(&mut self, state: &State) {
        if self.last.elapsed() >= self.every {
            self.save(state);
        }
    }
}

/// Loads the checkpoint of the same fit; `None` where there is none yet.
pub(super) fn resume(args: &FitArgs, path: &Path, file: &RowFile) -> Result<Option<Checkpoint>> {
    if !path.exists() {
        return Ok(None);
    }
    let checkpoint = Checkpoint::load(path)?;
    let refused = |what: String| {
        Failure::data(
            "checkpoint",
            format!(
                "`{}` is the checkpoint of another fit: {what}",
                path.display()
            ),
            "name another file with `--checkpoint`, or delete this one to start anew",
        )
    };
    if let Some(difference) = checkpoint.data.difference(&file.identity) {
        return Err(refused(format!(
            "`{}` is not the file it was made of, {difference}",
            file.path().display()
        )));
    }
    let now = settings(args);
    let names = checkpoint.settings.keys().chain(now.keys());
    for name in names {
        let (then, now) = (checkpoint.settings.get(name), now.get(name));
        if then != now {
            let shown =
                |value: Option<&String>| value.map_or("not given", String::as_str).to_owned();
            return Err(refused(format!(
                "{name} was {}, and is {}",
                shown(then),
                shown(now)
            )));
        }
    }
    Ok(Some(checkpoint))
}

/// Tells that a fit goes on.
pub(super) fn tell(checkpoint: &Checkpoint, path: &Path, session: &Session) {
    let rows = checkpoint.state.spans().rows();
    let note = Note::Choice(format!(
        "goes on from `{}` after {rows} of {} rows",
        path.display(),
        checkpoint.rows
    ));
    if !session.output.json {
        crate::output::warn(&told(&note));
    }
}

/// Everything that decides what is learnt from the rows, by the name of its flag.
fn settings(args: &FitArgs) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let mut add = |name: &str, value: String| {
        all.insert(format!("`--{name}`"), format!("`{value}`"));
    };
    let (columns, model) = (&args.columns, &args.model);
    let named = [
        ("target", &columns.target),
        ("weights", &columns.weights),
        ("groups", &columns.groups),
        ("id", &columns.id),
        ("positive", &columns.positive),
        ("kernel", &model.kernel),
    ];
    for (name, value) in named {
        if let Some(value) = value {
            add(name, value.clone());
        }
    }
    for (name, list) in [("drop", &columns.drop), ("use", &columns.used)] {
        if !list.is_empty() {
            add(name, list.join(","));
        }
    }
    if columns.drop_unlabelled {
        add("drop-unlabelled", "yes".to_owned());
    }
    add("model", model.model.clone());
    if let Some(task) = model.task {
        add("task", task.to_string());
    }
    add("scale", format!("{:?}", model.scale).to_lowercase());
    for (name, value) in &model.set {
        add(&format!("set {name}"), value.clone());
    }
    for given in &model.settings.0 {
        add(given.flag, mercer::learn::plain(&given.value));
    }
    add("seed", args.running.seed.to_string());
    // How cells are read is seldom changed; what of it is need not be named.
    all.insert(
        "how the file is read".to_owned(),
        format!("{:?}", args.reading),
    );
    all
}
