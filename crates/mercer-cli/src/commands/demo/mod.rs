//! `mercer demo`: the first thing anyone sees.
//!
//! [`tables`] has what is bundled, [`show`] learns from one of them, [`files`] lists and writes them.

mod files;
mod show;
mod tables;

use self::tables::TABLES;
use crate::args::DemoArgs;
use crate::failure::{Failure, Result};
use crate::session::Session;

pub(super) fn run(args: &DemoArgs, session: &Session) -> Result<()> {
    if args.list {
        return files::list(session);
    }
    if let Some(folder) = &args.write {
        return files::write(folder, session);
    }
    let table = match &args.name {
        None => &TABLES[0],
        Some(name) => TABLES.iter().find(|t| t.name == name).ok_or_else(|| {
            let known: Vec<&str> = TABLES.iter().map(|t| t.name).collect();
            Failure::unknown("demo", name, &known)
        })?,
    };
    show::run(table, args, session)
}
