//! The fitted encoder of a table.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use mercer_linalg::{CsrBuilder, Matrix};
use serde::{Deserialize, Serialize};

use super::apply::{Ready, absent, block_storage, prepare};
use super::arrive::{Faults, cell};
use super::learn::{Copies, learn, note_identical};
use super::{Affine, ColumnEncoder, EncodeOptions, EncoderSums, Encoding, Missing, Storage};
use crate::data::labels::list;
use crate::data::recognise::{Spelling, spellings};
use crate::data::{
    CodeColumn, Column, FeatureGroup, Features, GraphColumn, Kind, Network, NodeColumn, Points,
    Records, Seen, Table, Targets, TextColumn,
};
use crate::fit::Note;
use crate::hint::{Act, Hint, Word};
use crate::{Error, Result};

/// Turns tables into records the way the training rows were.
///
/// Loading one from a file checks the rules between its fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored")]
pub struct Encoder {
    columns: Vec<ColumnEncoder>,
    storage: Storage,
    /// Training columns without a value; they are neither needed nor reported.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dropped: Vec<String>,
    /// How training columns were written, targets included, where it was in a way of their own.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    spellings: BTreeMap<String, Spelling>,
}

/// An encoder as files hold it, not yet checked.
#[derive(Deserialize)]
struct Stored {
    columns: Vec<ColumnEncoder>,
    storage: Storage,
    #[serde(default)]
    dropped: Vec<String>,
    #[serde(default)]
    spellings: BTreeMap<String, Spelling>,
}

impl TryFrom<Stored> for Encoder {
    type Error = Error;

    fn try_from(stored: Stored) -> Result<Self> {
        for (name, spelling) in &stored.spellings {
            if !spelling.is_sound() {
                let text = format!("column `{name}` has dates in a format that cannot be read");
                return Err(Error::model(text));
            }
        }
        let encoder = Self::try_new(stored.columns, stored.storage, stored.dropped)?;
        Ok(encoder.spelt(stored.spellings))
    }
}

/// Encoded rows, and what a user should know about them.
#[derive(Debug, Clone, PartialEq)]
pub struct Encoded {
    /// The rows.
    pub records: Records,
    /// Values filled in, categories unseen, columns not used.
    pub notes: Vec<Note>,
}

impl Encoder {
    /// Puts an encoder together from what a file holds.
    ///
    /// # Errors
    /// [`Error::Model`] naming the first rule between the fields that is broken.
    pub(crate) fn try_new(
        columns: Vec<ColumnEncoder>,
        storage: Storage,
        dropped: Vec<String>,
    ) -> Result<Self> {
        let mut names = HashSet::new();
        for column in &columns {
            column.check()?;
            if !names.insert(&column.name) {
                let text = format!("column `{}` is encoded twice", column.name);
                return Err(Error::model(text));
            }
        }
        let encoder = Self {
            columns,
            storage,
            dropped,
            spellings: BTreeMap::new(),
        };
        // A width is a bare number in the file: it must not make dense rows of any size.
        if encoder.storage == Storage::Dense && encoder.has_sparse_vectors() {
            let text = "the encoder stores sparse vectors or hashed words densely";
            return Err(Error::model(text));
        }
        let width = encoder.groups().iter().try_fold(0usize, |sum, group| {
            let sum = sum.checked_add(group.width())?;
            u32::try_from(sum).is_ok().then_some(sum)
        });
        if width.is_none() {
            return Err(Error::model("the encoder has more than 2³² features"));
        }
        Ok(encoder)
    }

    /// Learns from training rows, each counted once.
    ///
    /// # Errors
    /// No rows, no usable column, an infinite value, a missing value that may not be filled in.
    pub fn fit(table: &Table, options: &EncodeOptions) -> Result<(Self, Vec<Note>)> {
        options.check()?;
        if table.rows() == 0 {
            return Err(Error::rows(
                "there are no rows to learn from",
                "give a file with at least one row below its header",
            ));
        }
        Self::fit_rows(table, None, options)
    }

    /// Learns from weighted training rows: a weight counts copies, 0 leaves the row out.
    ///
    /// # Errors
    /// Those of [`Encoder::fit`], a wrong number of weights, a weight that is negative or not
    /// finite, and weights that are all 0.
    pub fn fit_weighted(
        table: &Table,
        weights: &[f64],
        options: &EncodeOptions,
    ) -> Result<(Self, Vec<Note>)> {
        options.check()?;
        if weights.len() != table.rows() {
            return Err(Error::Length {
                what: "the weight column".to_owned(),
                found: weights.len(),
                expected: table.rows(),
                unit: "rows",
            });
        }
        if let Some(row) = weights.iter().position(|w| !(w.is_finite() && *w >= 0.0)) {
            return Err(Error::rows(
                format!("{} has weight `{}`", table.place(row), weights[row]),
                "weights must be finite and not negative",
            ));
        }
        let kept: Vec<usize> = (0..weights.len()).filter(|&r| weights[r] > 0.0).collect();
        if kept.is_empty() {
            return Err(Error::rows(
                "there are no rows with a positive weight",
                "give at least one row a positive weight",
            ));
        }
        let largest = weights.iter().copied().fold(0.0, f64::max);
        let positive: Vec<f64> = kept.iter().map(|&r| weights[r] / largest).collect();
        let given: Vec<f64> = kept.iter().map(|&r| weights[r]).collect();
        if given.iter().all(|&w| w == 1.0) {
            return Self::fit_rows(&table.select(&kept), None, options);
        }
        // Beyond f64, rows cannot be counted but by their shares.
        let counted = given.iter().sum::<f64>().is_finite();
        let copies = Copies {
            shares: &positive,
            given: if counted { &given } else { &positive },
        };
        Self::fit_rows(&table.select(&kept), Some(copies), options)
    }

    /// Learns from training rows block by block, as from a file that is read in parts: bit for bit what
    /// [`super::EncoderSums`] of its blocks give. Columns that no sums tell enough of are learnt from at once.
    ///
    /// # Errors
    /// Those of [`Encoder::fit_weighted`]; weights must be above zero.
    pub(crate) fn fit_in_blocks(
        table: &Table,
        weights: Option<&[f64]>,
        options: &EncodeOptions,
    ) -> Result<(Self, Vec<Note>)> {
        if !EncoderSums::suit(table, options) {
            return match weights {
                Some(weights) => Self::fit_weighted(table, weights, options),
                None => Self::fit(table, options),
            };
        }
        let sums = EncoderSums::of(table, weights, options)?;
        let (encoder, mut notes) = sums.encoder(options)?;
        note_identical(table, &mut notes);
        Ok((encoder, notes))
    }

    fn fit_rows(
        table: &Table,
        copies: Option<Copies<'_>>,
        options: &EncodeOptions,
    ) -> Result<(Self, Vec<Note>)> {
        let mut learnt = learn(table, copies, options)?;
        if learnt.columns.is_empty() {
            return Err(Error::rows(
                "there is no column to learn from",
                "give at least one feature column that has values",
            ));
        }
        let storage = block_storage(&learnt.columns, learnt.words_filled);
        let encoder = Self {
            columns: learnt.columns,
            storage,
            dropped: learnt.dropped,
            spellings: spellings(table.columns()),
        };
        let has_words = |c: &ColumnEncoder| matches!(c.encoding, Encoding::Words(_));
        if storage == Storage::Sparse
            && !encoder.has_sparse_vectors()
            && !encoder.columns.iter().any(has_words)
        {
            let text = "features are stored sparsely: nearly all are zeros of categories";
            learnt.notes.push(Note::Choice(text.to_owned()));
        }
        Ok((encoder, learnt.notes))
    }

    /// An encoder that passes bare vectors of a width through, as LIBSVM models need.
    pub fn identity(width: usize, storage: Storage) -> Self {
        Self {
            columns: vec![ColumnEncoder {
                name: "x".to_owned(),
                constant: false,
                range: None,
                encoding: Encoding::Vectors {
                    width,
                    storage,
                    fill: Vec::new(),
                    shift: Vec::new(),
                    scale: Vec::new(),
                    offset: 0.0,
                },
            }],
            storage,
            dropped: Vec::new(),
            spellings: BTreeMap::new(),
        }
    }

    /// An encoder that passes named numeric columns through as they are; a missing value is an
    /// error.
    pub fn unchanged(names: &[String], storage: Storage) -> Self {
        let column = |name: &String| ColumnEncoder {
            name: name.clone(),
            constant: false,
            range: None,
            encoding: Encoding::Numeric {
                map: Affine::IDENTITY,
                fill: 0.0,
                missing: Missing::Refuse,
            },
        };
        Self {
            columns: names.iter().map(column).collect(),
            storage,
            dropped: Vec::new(),
            spellings: BTreeMap::new(),
        }
    }

    /// Remembers how columns were written, such as that of the target.
    #[must_use]
    pub(crate) fn spelt(mut self, more: BTreeMap<String, Spelling>) -> Self {
        self.spellings.extend(more);
        self
    }

    /// Returns how columns were written, by name; readers of new rows follow it.
    pub fn spellings(&self) -> &BTreeMap<String, Spelling> {
        &self.spellings
    }

    /// Returns whether every column is numeric and passes through as it is.
    pub fn is_unchanged(&self) -> bool {
        self.columns.iter().all(|c| match &c.encoding {
            Encoding::Numeric { map, missing, .. } => {
                *map == Affine::IDENTITY && !matches!(missing, Missing::Flag | Missing::Keep)
            }
            Encoding::Vectors {
                shift,
                scale,
                offset,
                ..
            } => shift.is_empty() && scale.is_empty() && *offset == 0.0,
            _ => false,
        })
    }

    /// Whether there are vectors or hashed words, whose rows must not be filled up with zeros.
    fn has_sparse_vectors(&self) -> bool {
        self.columns.iter().any(|c| match &c.encoding {
            Encoding::Vectors { storage, .. } => *storage == Storage::Sparse,
            Encoding::Words(words) => words.terms().is_none(),
            _ => false,
        })
    }

    /// Returns the encoders of the single columns.
    pub fn columns(&self) -> &[ColumnEncoder] {
        &self.columns
    }

    /// Returns the network whose nodes a column names.
    pub fn network(&self, column: &str) -> Option<&Network> {
        let encoder = self.columns.iter().find(|c| c.name == column)?;
        match &encoder.encoding {
            Encoding::Node { network } => Some(network),
            _ => None,
        }
    }

    /// Returns how the numeric block is stored.
    pub fn storage(&self) -> Storage {
        self.storage
    }

    /// Returns names and kinds of the columns needed, for readers to follow.
    pub fn input_columns(&self) -> Vec<(String, Kind)> {
        self.columns
            .iter()
            .map(|c| (c.name.clone(), c.encoding.kind()))
            .collect()
    }

    /// Returns the source of every feature, in order.
    pub fn groups(&self) -> Vec<FeatureGroup> {
        self.columns
            .iter()
            .filter_map(ColumnEncoder::group)
            .collect()
    }

    /// Returns the number of features.
    pub fn width(&self) -> usize {
        self.groups().iter().map(FeatureGroup::width).sum()
    }

    /// Returns the name of every feature: `column`, `column=category` or `column[number]`.
    pub fn feature_names(&self) -> Vec<String> {
        self.groups().iter().flat_map(FeatureGroup::names).collect()
    }

    /// Encodes rows; columns are found by name, in any order.
    ///
    /// # Errors
    /// A missing column, a column that cannot be read as the kind learnt, an infinite value,
    /// dense vectors of another width, a number that overflows once scaled, more rows than there
    /// is room for.
    pub fn transform(&self, table: &Table) -> Result<Encoded> {
        self.transform_for(table, &BTreeSet::new())
    }

    /// Encodes rows that may lack some columns: what stands in for a missing value does for them.
    ///
    /// # Errors
    /// Those of [`Encoder::transform`].
    pub fn transform_for(&self, table: &Table, optional: &BTreeSet<String>) -> Result<Encoded> {
        let mut notes = Vec::new();
        let mut faults = Faults::default();
        let ready = self.ready(table, optional, &mut faults, &mut notes)?;
        notes.extend(self.note_far(table.rows(), &ready));
        let features = self.features(table, &ready, &mut faults)?;
        let mut records = Records::from_features(features);
        for (encoder, ready) in self.columns.iter().zip(ready) {
            let source = encoder.name.clone();
            if let Some(codes) = ready.codes() {
                records.codes.push(CodeColumn { source, codes });
                continue;
            }
            match ready {
                Ready::Text { texts } => records.texts.push(TextColumn { source, texts }),
                Ready::Graph { graphs } => records.graphs.push(GraphColumn { source, graphs }),
                Ready::Node { network, nodes } => records.nodes.push(NodeColumn {
                    source,
                    network: network.clone(),
                    nodes,
                }),
                _ => {}
            }
        }
        Ok(Encoded { records, notes })
    }

    /// Returns a column of numbers as new rows are read; NaN where one is missing.
    ///
    /// # Errors
    /// A column that is not there, or a cell that is no number.
    pub(crate) fn numbers(&self, table: &Table, name: &str) -> Result<Vec<f64>> {
        let column = table.column(name)?;
        let spelling = self.spellings.get(name);
        let values = super::arrive::numbers(table, column, spelling, &mut Faults::default())?;
        Ok(values.into_owned())
    }

    /// Marks the rows of a table by the columns that are encoded.
    pub fn seen(&self, table: &Table, targets: &Targets) -> Seen {
        Seen::of(table, &self.names(), targets)
    }

    /// Returns the share of some rows that are among those marked, as far as that can be told.
    pub fn share_of(&self, seen: &Seen, table: &Table, targets: &Targets) -> Option<f64> {
        seen.share(table, &self.names(), targets)
    }

    fn names(&self) -> Vec<&str> {
        self.columns.iter().map(|c| c.name.as_str()).collect()
    }

    /// Returns the rows that [`Encoder::transform_for`] would refuse, each with what is wrong with
    /// it, in order.
    ///
    /// # Errors
    /// What is wrong with the table as a whole, such as a missing column.
    pub fn unreadable(
        &self,
        table: &Table,
        optional: &BTreeSet<String>,
    ) -> Result<Vec<(usize, Error)>> {
        let mut faults = Faults::listed();
        let ready = self.ready(table, optional, &mut faults, &mut Vec::new())?;
        self.features(table, &ready, &mut faults)?;
        Ok(faults.by_row())
    }

    /// Brings every column to the kind that was learnt.
    fn ready<'a>(
        &'a self,
        table: &'a Table,
        optional: &BTreeSet<String>,
        faults: &mut Faults,
        notes: &mut Vec<Note>,
    ) -> Result<Vec<Ready<'a>>> {
        let sources = self.match_columns(table, optional, notes)?;
        self.check_room(table, &sources)?;
        let columns = self.columns.iter().zip(sources);
        let ready = columns.map(|(encoder, column)| match column {
            Some(column) => {
                let spelling = self.spellings.get(&encoder.name);
                prepare(table, encoder, column, spelling, faults, notes)
            }
            None => Ok(absent(encoder, table.rows())),
        });
        ready.collect()
    }

    /// The numeric block; no value in it is infinite.
    fn features(
        &self,
        table: &Table,
        ready: &[Ready<'_>],
        faults: &mut Faults,
    ) -> Result<Features> {
        let features = Features {
            points: self.assemble(table.rows(), ready),
            groups: self.groups(),
        };
        self.refuse_overflow(table, &features, faults)?;
        Ok(features)
    }

    /// Tells of rows with numbers far from all that was learnt.
    fn note_far(&self, rows: usize, ready: &[Ready<'_>]) -> Option<Note> {
        let mut is_far = vec![false; rows];
        let mut names: Vec<String> = Vec::new();
        for (encoder, ready) in self.columns.iter().zip(ready) {
            let Some(values) = ready.numbers().filter(|_| encoder.range.is_some()) else {
                continue;
            };
            let mut any = false;
            for (far, value) in is_far.iter_mut().zip(values) {
                if encoder.is_far(*value) {
                    (*far, any) = (true, true);
                }
            }
            if any {
                names.push(encoder.name.clone());
            }
        }
        let count = is_far.iter().filter(|far| **far).count();
        let subject = match count {
            0 => return None,
            1 => "row has values",
            _ => "rows have values",
        };
        Some(Note::Alert(format!(
            "{count} {subject} far outside the range of the training rows, where predictions are guesses, in: {}",
            list(&names)
        )))
    }

    /// Finds every column needed, and notes those that are not.
    fn match_columns<'a>(
        &self,
        table: &'a Table,
        optional: &BTreeSet<String>,
        notes: &mut Vec<Note>,
    ) -> Result<Vec<Option<&'a Column>>> {
        let mut found = Vec::with_capacity(self.columns.len());
        let mut missing = Vec::new();
        for encoder in &self.columns {
            match table
                .find(&encoder.name)
                .or_else(|| self.only_vectors(encoder, table))
            {
                Some(column) => found.push(Some(column)),
                None if optional.contains(&encoder.name) => found.push(None),
                None => missing.push(encoder.name.clone()),
            }
        }
        if !missing.is_empty() {
            return Err(Error::Columns {
                missing,
                known: table.names(),
                needed: self.columns.iter().map(|c| c.name.clone()).collect(),
            });
        }
        let present = found.iter().flatten();
        let used: HashSet<&str> = present.map(|c| c.name.as_str()).collect();
        let extra: Vec<String> = table
            .names()
            .into_iter()
            .filter(|n| !used.contains(n.as_str()) && !self.dropped.contains(n))
            .collect();
        if !extra.is_empty() {
            let text = format!("columns not used by the model: {}", list(&extra));
            notes.push(Note::Choice(text));
        }
        Ok(found)
    }

    /// Files of bare vectors name their one column after the format, not after its meaning.
    fn only_vectors<'a>(&self, encoder: &ColumnEncoder, table: &'a Table) -> Option<&'a Column> {
        let is_vectors = |kind: Kind| kind == Kind::Vectors;
        let wanted = self
            .columns
            .iter()
            .filter(|c| is_vectors(c.encoding.kind()));
        if !is_vectors(encoder.encoding.kind()) || wanted.count() != 1 {
            return None;
        }
        let mut given = table.columns().iter().filter(|c| is_vectors(c.kind()));
        let only = given.next()?;
        given.next().is_none().then_some(only)
    }

    /// Writes ready columns side by side.
    pub(super) fn assemble(&self, rows: usize, ready: &[Ready<'_>]) -> Points {
        let mut starts = Vec::with_capacity(self.columns.len());
        let mut width = 0;
        for column in &self.columns {
            starts.push(width);
            width += column.group().map_or(0, |g| g.width());
        }
        match self.storage {
            Storage::Dense => {
                let mut matrix = Matrix::zeros(rows, width);
                for row in 0..rows {
                    let out = matrix.row_mut(row);
                    for (column, &start) in ready.iter().zip(&starts) {
                        column.emit(row, |feature, value| out[start + feature] = value);
                    }
                }
                Points::from(matrix)
            }
            Storage::Sparse => {
                let mut builder = CsrBuilder::new(width);
                let mut out = Vec::new();
                for row in 0..rows {
                    out.clear();
                    for (column, &start) in ready.iter().zip(&starts) {
                        column.emit(row, |feature, value| {
                            if value != 0.0 {
                                out.push(((start + feature) as u32, value));
                            }
                        });
                    }
                    builder
                        .push_row(&out)
                        .expect("columns hand out their features in ascending order");
                }
                Points::from(builder.finish())
            }
        }
    }

    fn refuse_overflow(
        &self,
        table: &Table,
        features: &Features,
        faults: &mut Faults,
    ) -> Result<()> {
        if self.columns.iter().any(ColumnEncoder::keeps_missing) {
            // NaN is a missing value here, and infinite ones do not arrive.
            return Ok(());
        }
        let (mut from, rows) = (0, features.points.rows());
        while let Some((row, feature)) = features.points.slice(from..rows).first_not_finite() {
            let row = from + row;
            let mut end = 0;
            let source = self.groups().into_iter().find(|group| {
                end += group.width();
                feature < end
            });
            let problem = "the value is so far from those of training that scaling it overflows";
            let cure = Hint::from("correct the value, or ").word(Word::Act(Act::SkipRows));
            let name = source.map_or_else(|| features.name(feature), |g| g.source);
            faults.add(row, cell(table, &name, row, problem.to_owned(), cure))?;
            from = row + 1;
        }
        Ok(())
    }
}
