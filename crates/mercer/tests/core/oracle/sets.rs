//! Loads the data sets that cases name.

use std::path::PathBuf;

/// Rows of numbers with a target each.
#[derive(Clone, Default)]
pub(crate) struct Set {
    pub(crate) rows: Vec<Vec<f64>>,
    pub(crate) targets: Vec<String>,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn oracle_file(machine: &str) -> PathBuf {
    root().join(format!("tests/data/oracle/{machine}.json"))
}

/// Reads a bundled CSV: header, target last, no quotes.
pub(crate) fn bundled(name: &str) -> Set {
    let path = root().join("tests/data/sets").join(name);
    let text = std::fs::read_to_string(path).expect("the set is bundled");
    let mut set = Set::default();
    for line in text.lines().skip(1) {
        let mut cells: Vec<&str> = line.split(',').map(|c| c.trim_matches('"')).collect();
        set.targets
            .push(cells.pop().expect("a line has cells").to_owned());
        set.rows.push(cells.iter().map(|c| number(c)).collect());
    }
    set
}

/// Numbers; `FALSE` and `TRUE` count as 0 and 1.
fn number(cell: &str) -> f64 {
    match cell {
        "FALSE" => 0.0,
        "TRUE" => 1.0,
        cell => cell.parse().expect("cells are numbers"),
    }
}

/// Reads a LIBSVM file under `MERCER_DATA`.
pub(crate) fn libsvm(name: &str) -> Set {
    let base = std::env::var_os("MERCER_DATA").expect("MERCER_DATA names the folder of the sets");
    let path = PathBuf::from(base).join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut set = Set::default();
    for line in text.lines() {
        let mut cells = line.split_whitespace();
        let Some(target) = cells.next() else { continue };
        set.targets.push(target.to_owned());
        let mut row = Vec::new();
        for cell in cells {
            let (index, value) = cell.split_once(':').expect("index:value");
            let index: usize = index.parse().expect("an index");
            if row.len() < index {
                row.resize(index, 0.0);
            }
            row[index - 1] = value.parse().expect("a value");
        }
        set.rows.push(row);
    }
    set
}

impl Set {
    pub(crate) fn width(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Pads or cuts every row to a width.
    pub(crate) fn fit_width(&mut self, width: usize) {
        for row in &mut self.rows {
            row.resize(width, 0.0);
        }
    }

    pub(crate) fn select(&self, rows: &[usize]) -> Self {
        Self {
            rows: rows.iter().map(|&r| self.rows[r].clone()).collect(),
            targets: rows.iter().map(|&r| self.targets[r].clone()).collect(),
        }
    }
}
