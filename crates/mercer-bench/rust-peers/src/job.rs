//! What a worker is asked to do, and the rows it does it with.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::npy;

/// The kind of model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// Two classes.
    Classify,
    /// A number.
    Regress,
    /// Inlier or outlier.
    Novelty,
    /// Two classes, a row at a time.
    Latency,
    /// A search over parameters, which no Rust peer offers.
    Tune,
}

/// A job, as mercer-bench writes it.
#[derive(Debug, Clone, Deserialize)]
pub struct Job {
    /// The kind of model.
    pub task: Task,
    /// Folder of the prepared arrays.
    pub folder: PathBuf,
    /// Training rows to use; all of them when absent.
    pub rows: Option<usize>,
    /// Regularisation parameter C.
    pub c: f64,
    /// Coefficient of the Gaussian kernel.
    pub gamma: f64,
    /// Half-width of the tube.
    pub epsilon: f64,
    /// Share of new rows.
    pub nu: f64,
}

/// Dense rows with their targets.
#[derive(Debug, Clone)]
pub struct Set {
    /// Number of columns.
    pub columns: usize,
    /// Training rows, one after the other.
    pub x: Vec<f64>,
    /// Their targets.
    pub y: Vec<f64>,
    /// Test rows, one after the other.
    pub xt: Vec<f64>,
}

#[derive(Deserialize)]
struct About {
    columns: usize,
}

impl Job {
    /// Reads the prepared arrays; sparse rows become dense, which is all these peers take.
    pub fn load(&self) -> Result<Set, String> {
        let text = std::fs::read_to_string(self.folder.join("about.json"))
            .map_err(|error| error.to_string())?;
        let about: About = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        let columns = about.columns;
        let mut x = rows(&self.folder, "x", columns)?;
        let mut y = npy::read(&self.folder.join("y.npy"))?.values;
        if let Some(rows) = self.rows {
            x.truncate(rows * columns);
            y.truncate(rows);
        }
        let xt = rows(&self.folder, "xt", columns)?;
        Ok(Set { columns, x, y, xt })
    }
}

fn rows(folder: &Path, name: &str, columns: usize) -> Result<Vec<f64>, String> {
    let dense = folder.join(format!("{name}.npy"));
    if dense.exists() {
        let array = npy::read(&dense)?;
        return match array.shape[..] {
            [_, width] if width == columns => Ok(array.values),
            _ => Err(format!("{}: another shape than expected", dense.display())),
        };
    }
    let part = |part: &str| npy::read(&folder.join(format!("{name}_{part}.npy")));
    let (values, places, starts) = (part("values")?, part("columns")?, part("starts")?);
    let starts: Vec<usize> = starts.values.iter().map(|&start| start as usize).collect();
    let mut out = vec![0.0; (starts.len() - 1) * columns];
    for (row, ends) in out.chunks_mut(columns).zip(starts.windows(2)) {
        for k in ends[0]..ends[1] {
            row[places.values[k] as usize] = values.values[k];
        }
    }
    Ok(out)
}
