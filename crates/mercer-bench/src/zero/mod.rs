//! Zero settings: mercer as it comes beside peers that search for their settings.
//!
//! Every set is split many times; a program sees the training rows and is told nothing else.
//! The script `zero_settings.py` measures; here the records are kept, compared and told.

mod comparison;
mod page;
mod picture;
mod record;
mod reliability;
mod run;
mod statistics;

pub(crate) use run::run;
