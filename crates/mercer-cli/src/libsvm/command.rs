//! The frame of a command: arguments in, exit code out.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::args::LimitArgs;
use crate::failure::{Failure, Fault, Result};
use crate::interrupt;
use crate::output::{Output, warn};
use crate::session::Session;

use super::flags::Flags;

/// Runs `work` with the arguments; help is printed here.
pub(super) fn run(
    usage: &'static str,
    args: Vec<OsString>,
    work: impl FnOnce(Flags, &Session) -> Result<()>,
) -> ExitCode {
    let output = Output::new(false);
    let asked = args.iter().any(|a| a == "--help");
    if asked || args.is_empty() {
        if asked {
            return code(output, output.text(usage));
        }
        warn(usage.trim_end());
        return ExitCode::from(2);
    }
    let session = Session::start(output, LimitArgs::default());
    let result = work(Flags::new(args), &session);
    session.meter.finish();
    code(output, result.and_then(|()| session.check()))
}

fn code(output: Output, result: Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if failure.fault != Fault::Interrupted || interrupt::first_to_tell() {
                output.failure(&failure);
            }
            failure.exit_code()
        }
    }
}

/// Settings were checked before: what a fit still refuses is the data's fault.
pub(super) fn blame_data<T>(result: mercer::Result<T>) -> Result<T> {
    result.map_err(|e| Failure::from(e).of_data())
}
