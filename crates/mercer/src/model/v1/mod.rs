//! Version 1 of model files; frozen.
//!
//! `document`, `encoder`, `machine`, `records` and `report` are what version 1 wrote, field by
//! field: a field is never renamed or removed there, whatever the present types are called. They
//! know nothing of the rest of the library. `into/` makes present types of them, and is the only
//! place that follows when those change; `read` puts a model together and checks every rule
//! between the fields; `upright` mends sigmoids of the older ones among these files.
//!
//! Fields that nobody knows are ignored. All files of version 1 say `mercer 0.1.0`; fields that
//! were added on the way are optional, and absent where they say nothing. By the numbers of the
//! change log:
//!
//! | field | since | absent means |
//! |---|---|---|
//! | `id`, `encoder.dropped`, `fill`, `shift` and `scale` of vectors | #2, the first files | no such column; not refilled, not shifted, not scaled |
//! | `attributes` | #3 | none |
//! | `posterior`, `report.evidence`, `report.trials`, `report.chosen`, tensor `left_out` | #5 | not known |
//! | `support.graphs`, `support.nodes`, columns of kind `graph` and `node` | #6 | no such column |
//! | `machine.class_factors` | #15 | 1 each |
//! | `words` of boolean columns | #15 | `false` and `true` |
//! | `constant` of columns | #15 | not known to be |
//! | `copies` with `weights` and `prices` | #15 | a row each; weight 1 each; shared by weight |
//!
//! All other fields have been there from the first file on.

mod document;
mod encoder;
mod into;
#[cfg(test)]
mod kept;
mod machine;
mod read;
mod records;
mod report;
mod upright;

pub(super) use read::{VERSION, metadata, read};
