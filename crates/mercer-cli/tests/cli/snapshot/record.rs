//! Names that users and programs rely on: those that were recorded, and those of this build.
//!
//! A recorded file has one name per line with the kinds it stands for, such as `null|number`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Readers survive a value that is always there now, and data decide whether one is missing.
const ABSENT: &str = "null";

/// Names, each with its kinds.
#[derive(Debug, Default)]
pub(crate) struct Names(BTreeMap<String, BTreeSet<String>>);

impl Names {
    pub(crate) fn add(&mut self, name: impl Into<String>, kind: &str) {
        let kinds = self.0.entry(name.into()).or_default();
        kinds.insert(kind.to_owned());
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (name, kinds) in &other.0 {
            let own = self.0.entry(name.clone()).or_default();
            own.extend(kinds.iter().cloned());
        }
    }

    fn parse(text: &str) -> Self {
        let mut names = Self::default();
        for line in text.lines() {
            let (name, kinds) = line.rsplit_once(' ').expect("a name and its kinds");
            for kind in kinds.split('|') {
                names.add(name, kind);
            }
        }
        names
    }

    pub(super) fn text(&self) -> String {
        let kinds = |kinds: &BTreeSet<String>| Vec::from_iter(kinds.clone()).join("|");
        let lines = self
            .0
            .iter()
            .map(|(name, k)| format!("{name} {}\n", kinds(k)));
        lines.collect()
    }

    /// Every name with a kind that `other` does not know.
    fn beyond(&self, other: &Self) -> Vec<String> {
        let unknown =
            |name: &str, kind: &String| other.0.get(name).is_none_or(|k| !k.contains(kind));
        let pairs = self.0.iter().flat_map(|(name, kinds)| {
            let kinds = kinds.iter().filter(move |kind| unknown(name, kind));
            kinds.map(move |kind| (name, kind))
        });
        pairs.map(|(name, kind)| format!("{name} {kind}")).collect()
    }
}

/// Compares with the file under `tests/data/net`; with `MERCER_RECORD=1` adds to it first.
///
/// Recording never takes a line away: that somebody loses a name is decided by hand.
pub(crate) fn compare(file: &str, found: &Names) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/data/net")
        .join(file);
    let mut recorded = Names::parse(&std::fs::read_to_string(&path).unwrap_or_default());
    if std::env::var_os("MERCER_RECORD").is_some_and(|v| v == "1") {
        recorded.merge(found);
        std::fs::write(&path, recorded.text()).expect("written");
    }
    let mut gone = recorded.beyond(found);
    gone.retain(|line| {
        let (name, kind) = line.rsplit_once(' ').expect("a name and its kind");
        kind != ABSENT || !found.0.contains_key(name)
    });
    let new = found.beyond(&recorded);
    let gone = told(
        "removed or renamed; users rely on it: keep it or add an alias; see tests/data/README.md",
        &gone,
    );
    let new = told(
        "new; record it by `MERCER_RECORD=1 cargo test --workspace snapshot`",
        &new,
    );
    assert!(
        gone.is_empty() && new.is_empty(),
        "tests/data/net/{file}{gone}{new}"
    );
}

/// What is the matter with some lines; nothing where there are none.
fn told(matter: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    format!("\n{matter}:\n  {}", lines.join("\n  "))
}
