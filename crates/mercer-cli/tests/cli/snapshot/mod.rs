//! Names that users and programs rely on: `tests/data/net`.

mod json_keys;
mod libsvm_flags;
mod record;
mod scenes;
mod words;
