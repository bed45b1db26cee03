//! `mercer look`.

use mercer::data::look::TableLook;

use crate::args::LookArgs;
use crate::data::read_quietly;
use crate::failure::Result;
use crate::session::Session;
use crate::wording::Flags;

pub(super) fn run(args: &LookArgs, session: &Session) -> Result<()> {
    let table = read_quietly(&args.data, &args.reading, session)?;
    let look = TableLook::of(&table, args.target.as_deref())?;
    session.meter.finish();
    session.check()?;
    if session.output.json {
        return session.output.object(&look);
    }
    session.output.text(&look.text(&Flags))
}
