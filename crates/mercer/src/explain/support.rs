//! The support vectors that carry a model, as rows of a table.

use std::collections::HashMap;

use serde::Serialize;

use crate::data::{RowKey, Table};
use crate::model::Trained;
use crate::{Error, Result};

/// A support vector among the rows of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SupportRow {
    /// The rows that are equal to it, counted from 0; equal rows of training are one support vector.
    pub rows: Vec<usize>,
    /// Its influence: the length of its coefficients times √k(x, x).
    pub influence: f64,
    /// Its coefficients, one for each decision that it takes part in.
    pub coefficients: Vec<f64>,
    /// Its class, where support vectors have one.
    pub class: Option<String>,
}

impl Trained {
    /// Returns the support vectors of most influence that are among the rows of a table, the most influential one
    /// first.
    ///
    /// # Errors
    /// Models without support vectors, rows that cannot be encoded, kernels that are given as values.
    pub fn support_rows(&self, table: &Table, most: usize) -> Result<Vec<SupportRow>> {
        let Some(model) = self.form.expansion() else {
            return Err(Error::Unsupported {
                what: format!(
                    "a model of the method `{}` has no support vectors",
                    self.method
                ),
                cure: "learn a support vector machine".into(),
            });
        };
        let influences = model.influences()?;
        let mut places: HashMap<RowKey, Vec<usize>> = HashMap::new();
        let records = self.encode(table)?.records;
        let own = records.row_keys(&model.support).into_iter();
        for (row, key) in own.enumerate() {
            places.entry(key).or_default().push(row);
        }
        let labels = self.labels().unwrap_or_default();
        let sizes = &model.class_sizes;
        let class = |i: usize| -> Option<String> {
            let mut end = 0;
            let code = sizes.iter().position(|size| {
                end += size;
                i < end
            })?;
            let known = sizes.len() == labels.len() && labels.len() > 1;
            labels.get(code).filter(|_| known).cloned()
        };
        let mut order: Vec<usize> = (0..influences.len()).collect();
        order.sort_by(|a, b| influences[*b].total_cmp(&influences[*a]).then(a.cmp(b)));
        let keys = model.support.row_keys(&records);
        let found = order.into_iter().filter_map(|i| {
            let rows = places.get(&keys[i])?.clone();
            let decisions = 0..model.coefficients.rows();
            Some(SupportRow {
                rows,
                influence: influences[i],
                coefficients: decisions.map(|d| model.coefficients[(d, i)]).collect(),
                class: class(i),
            })
        });
        Ok(found.take(most).collect())
    }
}
