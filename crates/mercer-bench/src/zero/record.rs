//! What was measured, a record per set, split and program.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::reliability::Bin;
use crate::error::{Error, Result};
use crate::machine::Machine;

/// The programs, in the script's words.
pub(crate) const PROGRAMS: [&str; 4] = ["mercer", "grid_svc", "grid_svr", "gpr"];

/// Seconds of one part of the work.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Time {
    /// By the clock on the wall.
    pub(crate) seconds: f64,
    /// Of all processors together.
    pub(crate) processor: f64,
}

/// One program on one split of one set.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The set.
    pub(crate) set: String,
    /// The seed of the split.
    pub(crate) split: usize,
    /// The program.
    pub(crate) who: String,
    /// The version of its library.
    pub(crate) version: String,
    /// Rows of the set.
    pub(crate) rows: usize,
    /// Columns once names are numbers.
    pub(crate) columns: usize,
    /// Classes; 0 when numbers are predicted.
    pub(crate) classes: usize,
    /// Rows to train with.
    pub(crate) train_rows: usize,
    /// Whether no rule of the automatic model was settled while looking at the set.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) fresh: bool,
    /// How good the predictions are, by name.
    #[serde(default)]
    pub(crate) measures: BTreeMap<String, f64>,
    /// Probabilities of the second of two classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) bins: Option<Vec<Bin>>,
    /// What the program chose.
    #[serde(default)]
    pub(crate) settings: Value,
    /// Times by part: fit, platt, predict, probabilities.
    #[serde(default)]
    pub(crate) parts: BTreeMap<String, Time>,
    /// An error, in the program's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
}

impl Record {
    /// What makes a record the only one of its kind.
    pub(crate) fn key(&self) -> (&str, usize, &str) {
        (&self.set, self.split, &self.who)
    }

    /// A measure by name.
    pub(crate) fn measure(&self, name: &str) -> Option<f64> {
        self.measures.get(name).copied()
    }

    /// The time of a part; nothing when there is no such part.
    pub(crate) fn time(&self, part: &str) -> Time {
        self.parts.get(part).copied().unwrap_or_default()
    }
}

/// Everything there is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Account {
    /// The machine of the last run.
    pub(crate) machine: Machine,
    /// When mercer was measured last.
    pub(crate) date: String,
    /// The commit of that mercer.
    pub(crate) revision: String,
    /// The records, cheap sets first.
    pub(crate) records: Vec<Record>,
}

impl Account {
    /// Reads the file; none when there is no such file.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>> {
        let Some(text) = text_of(path)? else {
            return Ok(None);
        };
        serde_json::from_str(&text)
            .map(Some)
            .map_err(|source| Error::Json {
                place: path.display().to_string(),
                source,
            })
    }

    /// Puts records in their places. A later one replaces an earlier one, unless it failed.
    pub(crate) fn merge(&mut self, more: Vec<Record>) {
        for record in more {
            let known = self
                .records
                .iter_mut()
                .find(|known| known.key() == record.key());
            match known {
                Some(known) if record.error.is_none() || known.error.is_some() => *known = record,
                Some(_) => {}
                None => self.records.push(record),
            }
        }
        let place = |who: &str| PROGRAMS.iter().position(|&name| name == who);
        self.records.sort_by(|a, b| {
            let order = |record: &Record| (record.classes == 0, record.rows);
            (order(a), &a.set, place(&a.who), a.split).cmp(&(
                order(b),
                &b.set,
                place(&b.who),
                b.split,
            ))
        });
    }

    /// The account of the sets that are fresh, or of those that are not.
    pub(crate) fn of(&self, fresh: bool) -> Self {
        let mut part = self.clone();
        part.records.retain(|record| record.fresh == fresh);
        part
    }

    /// The sets, of classes or of numbers, cheap ones first.
    pub(crate) fn sets(&self, classify: bool) -> Vec<&str> {
        let mut sets: Vec<&str> = self
            .records
            .iter()
            .filter(|record| (record.classes > 0) == classify)
            .map(|record| record.set.as_str())
            .collect();
        sets.dedup();
        sets
    }

    /// The splits of a set that both mercer and a peer have finished: mercer's and the peer's.
    pub(crate) fn pairs(&self, set: &str, peer: &str) -> Vec<(&Record, &Record)> {
        let of = |who: &'static str| self.done(set, who);
        let theirs: Vec<&Record> = self.done(set, peer).collect();
        of("mercer")
            .filter_map(|own| {
                let other = theirs.iter().find(|other| other.split == own.split)?;
                Some((own, *other))
            })
            .collect()
    }

    /// The finished splits of a program.
    pub(crate) fn done<'a>(&'a self, set: &str, who: &str) -> impl Iterator<Item = &'a Record> {
        self.records
            .iter()
            .filter(move |record| record.set == set && record.who == who && record.error.is_none())
    }

    /// The file: a line per record, measured numbers with six digits after the point.
    pub(crate) fn text(&self) -> String {
        let head = |name: &str, value: &Value| format!("  \"{name}\": {value},\n");
        let plain = |text: &str| Value::String(text.to_owned());
        let machine = serde_json::to_value(&self.machine).expect("plain fields are JSON");
        let mut out = String::from("{\n");
        out.push_str(&head("machine", &machine));
        out.push_str(&head("date", &plain(&self.date)));
        out.push_str(&head("revision", &plain(&self.revision)));
        out.push_str("  \"records\": [");
        for (place, record) in self.records.iter().enumerate() {
            let mut value = serde_json::to_value(record).expect("plain fields are JSON");
            for part in ["measures", "parts", "bins"] {
                value.get_mut(part).map(shorten);
            }
            let comma = if place == 0 { "" } else { "," };
            let _ = write!(out, "{comma}\n    {value}");
        }
        out.push_str("\n  ]\n}\n");
        out
    }
}

/// The records in a file of lines; none when there is no such file.
pub(crate) fn read_lines(path: &Path) -> Result<Vec<Record>> {
    let Some(text) = text_of(path)? else {
        return Ok(Vec::new());
    };
    text.lines()
        .enumerate()
        .map(|(place, line)| {
            serde_json::from_str(line).map_err(|source| Error::Json {
                place: format!("`{}`, line {}", path.display(), place + 1),
                source,
            })
        })
        .collect()
}

fn text_of(path: &Path) -> Result<Option<String>> {
    if !path.exists() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(path).map_err(|source| Error::File {
        path: path.to_owned(),
        source,
    })?;
    Ok(Some(text))
}

/// Rounds the numbers of a value that are not whole.
fn shorten(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(long) = number.as_f64().filter(|_| number.is_f64()) {
                *value = Value::from((long * 1e6).round() / 1e6);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(shorten),
        Value::Object(fields) => fields.values_mut().for_each(shorten),
        _ => {}
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A record made up for tests.
    pub(crate) fn record(set: &str, split: usize, who: &str, measures: &[(&str, f64)]) -> Record {
        let classify = measures.iter().any(|(name, _)| *name == "accuracy");
        let time = |seconds, processor| Time { seconds, processor };
        let mut parts = BTreeMap::from([("predict".to_owned(), time(0.1, 0.1))]);
        if who == "mercer" {
            parts.insert("fit".to_owned(), time(0.5, 0.8));
        } else {
            parts.insert("fit".to_owned(), time(12.0, 10.0));
        }
        if who == "grid_svc" {
            parts.insert("platt".to_owned(), time(1.2, 1.0));
        }
        Record {
            set: set.to_owned(),
            split,
            who: who.to_owned(),
            version: "1".to_owned(),
            rows: 300,
            columns: 4,
            classes: if classify { 2 } else { 0 },
            train_rows: 200,
            fresh: false,
            measures: measures
                .iter()
                .map(|&(name, value)| (name.to_owned(), value))
                .collect(),
            bins: classify.then(|| {
                vec![
                    Bin {
                        rows: 60,
                        sum: 12.0,
                        happened: 15,
                    },
                    Bin {
                        rows: 40,
                        sum: 32.0,
                        happened: 30,
                    },
                ]
            }),
            settings: Value::Null,
            parts,
            error: None,
        }
    }

    /// An account made up for tests: three splits of a set of classes and one of numbers, of which
    /// the peers lack the last.
    pub(crate) fn example() -> Account {
        let mut records = Account {
            machine: Machine::example(),
            date: "2026-01-01".to_owned(),
            revision: "abc".to_owned(),
            records: Vec::new(),
        };
        let mut made = Vec::new();
        for split in 0..3 {
            let step = split as f64 / 100.0;
            let scores = |accuracy: f64| {
                [
                    ("accuracy", accuracy + step),
                    ("log_loss", 0.5),
                    ("brier", 0.2),
                ]
            };
            let errors = |nrmse: f64| [("nrmse", nrmse + step), ("nlpd", 1.0), ("coverage", 0.9)];
            made.push(record("sonar", split, "mercer", &scores(0.91)));
            made.push(record("yacht", split, "mercer", &errors(0.30)));
            if split < 2 {
                made.push(record("sonar", split, "grid_svc", &scores(0.90)));
                made.push(record("yacht", split, "gpr", &errors(0.33)));
                made.push(record(
                    "yacht",
                    split,
                    "grid_svr",
                    &[("nrmse", 0.32 - step)],
                ));
            }
        }
        records.merge(made);
        records
    }

    #[test]
    fn the_script_is_understood() {
        let line = r#"{"set": "crabs", "split": 0, "who": "grid_svc", "version": "1.9.1",
            "rows": 200, "columns": 6, "classes": 2, "train_rows": 133,
            "measures": {"accuracy": 1.0, "brier": 0.0136}, "bins": [[30, 0.25, 1]],
            "settings": {"C": 10.0}, "parts": {"fit": {"seconds": 4.5, "processor": 3.5}}}"#;
        let record: Record = serde_json::from_str(line).unwrap();
        assert_eq!(record.measure("accuracy"), Some(1.0));
        assert_eq!(record.measure("nrmse"), None);
        assert_eq!(record.time("fit").processor, 3.5);
        assert_eq!(record.time("platt").processor, 0.0);
        let bin = record.bins.unwrap()[0];
        assert_eq!((bin.rows, bin.sum, bin.happened), (30, 0.25, 1));
    }

    #[test]
    fn later_records_replace_earlier_ones() {
        let mut records = example();
        let count = records.records.len();
        records.merge(vec![record("sonar", 0, "mercer", &[("accuracy", 0.5)])]);
        assert_eq!(records.records.len(), count);
        assert_eq!(records.records[0].measure("accuracy"), Some(0.5));
        let failed = Record {
            error: Some("no".to_owned()),
            ..record("sonar", 0, "mercer", &[("accuracy", 0.0)])
        };
        records.merge(vec![failed]);
        assert_eq!(records.records[0].measure("accuracy"), Some(0.5));
    }

    #[test]
    fn only_common_splits_are_paired() {
        let mut records = example();
        assert_eq!(records.pairs("sonar", "grid_svc").len(), 2);
        assert_eq!(records.pairs("sonar", "gpr").len(), 0);
        records.records[0].error = Some("no".to_owned());
        let pairs = records.pairs("sonar", "grid_svc");
        assert_eq!(pairs.len(), 1);
        assert_eq!((pairs[0].0.split, pairs[0].1.split), (1, 1));
        assert_eq!(pairs[0].1.who, "grid_svc");
    }

    #[test]
    fn classes_come_before_numbers() {
        let records = example();
        assert_eq!(records.sets(true), ["sonar"]);
        assert_eq!(records.sets(false), ["yacht"]);
        assert_eq!(records.records[0].set, "sonar");
    }

    #[test]
    fn json_and_back() {
        let mut records = example();
        records.records[0]
            .measures
            .insert("accuracy".to_owned(), 2.0 / 3.0);
        let text = records.text();
        assert!(text.contains("0.666667"), "{text}");
        let back: Account = serde_json::from_str(&text).unwrap();
        assert_eq!(back.text(), text);
        assert_eq!(text.lines().count(), 7 + records.records.len());
    }
}
