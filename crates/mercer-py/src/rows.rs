//! Rows as kernels compare them, with the encoder that makes such rows of new ones.

use std::collections::BTreeMap;

use mercer::data::{EncodeOptions, Encoder, Records, Scaling, Storage, Table, TextEncoding};
use mercer::fit::Note;
use mercer::learn::AnyEstimator;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::array;
use crate::failure::raise;

/// Rows to learn from.
pub(crate) struct TrainingRows {
    pub(crate) records: Records,
    pub(crate) encoder: Encoder,
    /// What a user should know about the encoding.
    pub(crate) notes: Vec<Note>,
}

impl TrainingRows {
    /// Takes rows as a method reads them: as [`TrainingRows::unchanged`] does, or with missing
    /// values and categories where it reads those.
    pub(crate) fn for_method(
        x: &Bound<'_, PyAny>,
        names: Option<&[String]>,
        weights: Option<&[f64]>,
        estimator: &AnyEstimator,
    ) -> PyResult<Self> {
        let own = estimator.encoding();
        if own.keep && x.is_instance_of::<PyList>() {
            return Self::encoded(&array::any_table(x)?, weights, &own).map_err(|e| raise(&e));
        }
        Self::unchanged(x, names, weights)
    }

    /// Takes rows as they are: arrays, or columns of any kind without missing numbers.
    pub(crate) fn unchanged(
        x: &Bound<'_, PyAny>,
        names: Option<&[String]>,
        weights: Option<&[f64]>,
    ) -> PyResult<Self> {
        if x.is_instance_of::<PyList>() {
            let options = EncodeOptions::default()
                .scaling(Scaling::None)
                .impute(false);
            return Self::encoded(&array::any_table(x)?, weights, &options).map_err(|e| raise(&e));
        }
        let records = array::records(x, names)?;
        Ok(Self {
            encoder: passing(&records, names),
            records,
            notes: Vec::new(),
        })
    }

    /// Takes columns of which some hold texts that become features of words; the others are one-hot encoded and
    /// filled in, and not scaled.
    pub(crate) fn worded(
        x: &Bound<'_, PyAny>,
        weights: Option<&[f64]>,
        encode: BTreeMap<String, String>,
    ) -> PyResult<Self> {
        let options = EncodeOptions::default()
            .scaling(Scaling::None)
            .texts(text_encodings(encode)?);
        Self::encoded(&array::any_table(x)?, weights, &options).map_err(|e| raise(&e))
    }

    /// Learns how the columns of a table become rows.
    pub(crate) fn encoded(
        table: &Table,
        weights: Option<&[f64]>,
        options: &EncodeOptions,
    ) -> mercer::Result<Self> {
        let (encoder, notes) = match weights {
            Some(weights) => Encoder::fit_weighted(table, weights, options)?,
            None => Encoder::fit(table, options)?,
        };
        let records = encoder.transform(table)?.records;
        Ok(Self {
            records,
            encoder,
            notes,
        })
    }

    /// Takes other rows the same way.
    pub(crate) fn others(
        &self,
        x: &Bound<'_, PyAny>,
        names: Option<&[String]>,
    ) -> PyResult<Records> {
        if !x.is_instance_of::<PyList>() {
            return array::records(x, names);
        }
        let encoded = self.encoder.transform(&array::any_table(x)?);
        Ok(encoded.map_err(|e| raise(&e))?.records)
    }
}

/// Reads how texts of columns become numbers.
pub(crate) fn text_encodings(
    given: BTreeMap<String, String>,
) -> PyResult<BTreeMap<String, TextEncoding>> {
    let read = |(name, how): (String, String)| Ok((name, how.parse()?));
    let read: mercer::Result<_> = given.into_iter().map(read).collect();
    read.map_err(|e| raise(&e))
}

/// The encoder that lets the command read the same columns from a file.
pub(crate) fn passing(records: &Records, names: Option<&[String]>) -> Encoder {
    let points = &records.features.points;
    let storage = if points.is_sparse() {
        Storage::Sparse
    } else {
        Storage::Dense
    };
    match names {
        Some(names) => Encoder::unchanged(names, storage),
        None => Encoder::identity(points.columns(), storage),
    }
}
