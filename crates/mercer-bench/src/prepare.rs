//! Data sets as arrays on disk, made once.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

use crate::case::Case;
use crate::environment::succeed;
use crate::error::{Error, Result};
use crate::paths;
use crate::record::Shape;

#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Missing {
        name: String,
        missing: String,
    },
    Made {
        name: String,
        #[serde(flatten)]
        shape: Shape,
    },
}

/// The shape of every set the cases need, or the file that is missing for it.
pub(crate) fn prepare(
    cases: &[Case],
    data: &Path,
) -> Result<BTreeMap<String, std::result::Result<Shape, String>>> {
    let mut sets: Vec<&str> = cases.iter().map(|case| case.set.as_str()).collect();
    sets.sort_unstable();
    sets.dedup();
    let text = succeed(
        Command::new(paths::python())
            .arg(paths::script("prepare.py"))
            .arg("--data")
            .arg(data)
            .arg("--out")
            .arg(paths::target("bench-data"))
            .args(&sets),
    )?;
    text.lines()
        .map(|line| match serde_json::from_str(line) {
            Ok(Answer::Missing { name, missing }) => Ok((name, Err(missing))),
            Ok(Answer::Made { name, shape }) => Ok((name, Ok(shape))),
            Err(source) => Err(Error::Json {
                place: "the output of `prepare.py`".to_owned(),
                source,
            }),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_answers_are_understood() {
        let made = r#"{"name": "iris", "version": 1, "rows": 100, "columns": 4, "test_rows": 50,
            "sparse": false, "stored": 400, "classes": 3}"#;
        assert!(matches!(
            serde_json::from_str(made).unwrap(),
            Answer::Made { shape, .. } if shape.classes == 3
        ));
        let missing = r#"{"name": "a9a", "missing": "libsvm/a9a.gz"}"#;
        assert!(matches!(
            serde_json::from_str(missing).unwrap(),
            Answer::Missing { missing, .. } if missing == "libsvm/a9a.gz"
        ));
    }
}
