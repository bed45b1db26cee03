//! How many bytes encoded rows take, known before they are made.

use super::{ColumnEncoder, Encoder, Encoding, Missing, Storage};
use crate::Result;
use crate::data::{Block, Column, Points, Table, Values, each, room};

/// Bytes of a value and its column number in sparse rows.
const ENTRY: u64 = 12;
/// Bytes of a text of which nothing is known, with its place in the list.
const TEXT: u64 = 48;

impl Encoder {
    /// Makes sure that the table and its encoded rows have room beside each other.
    ///
    /// # Errors
    /// [`crate::Error::Data`] with the number of rows and features.
    pub(super) fn check_room(&self, table: &Table, sources: &[Option<&Column>]) -> Result<()> {
        let needed = table.bytes() + self.encoded_bytes(table.rows(), sources);
        room::check(needed, || {
            format!(
                "{} rows × {} features and the table they are made of",
                table.rows(),
                self.width()
            )
        })
    }

    /// Returns the bytes that rows take while and after they are encoded from given columns; a
    /// column that is not there is filled.
    fn encoded_bytes(&self, rows: usize, sources: &[Option<&Column>]) -> u64 {
        let storage = self.storage();
        let columns = self.columns().iter().zip(sources);
        let columns: u64 = columns
            .map(|(encoder, source)| encoder.encoded_bytes(rows as u64, *source, storage))
            .sum();
        let starts = match storage {
            Storage::Dense => 0,
            Storage::Sparse => 8 * (rows as u64 + 1),
        };
        // Every row has a number.
        columns + starts + 4 * rows as u64
    }
}

impl ColumnEncoder {
    fn encoded_bytes(&self, rows: u64, source: Option<&Column>, storage: Storage) -> u64 {
        let width = self.group().map_or(0, |g| g.width()) as u64;
        let flag = u64::from(self.encoding.missing() == Some(Missing::Flag));
        let values = source.map(|column| &column.values);
        // What a column becomes on the way, unless it is read where it is.
        let (stored, between) = match &self.encoding {
            Encoding::Numeric { .. } => {
                let as_it_is = matches!(values, Some(Values::Numeric(_)));
                (rows * width, if as_it_is { 0 } else { 8 * rows })
            }
            Encoding::Date { .. } => {
                let as_it_is = matches!(values, Some(Values::Date(_)));
                (rows * width, if as_it_is { 0 } else { 8 * rows })
            }
            // Codes are kept beside the features, and those of categories twice for a while.
            Encoding::Boolean { .. } => (rows * width, 5 * rows),
            Encoding::Categorical { .. } => (rows * (1 + flag), 8 * rows),
            Encoding::Vectors { storage: own, .. } => match values {
                Some(Values::Vectors(points)) => vector_bytes(points, *own, rows * width),
                _ => (0, 8 * (rows + 1)),
            },
            Encoding::Text => match source {
                Some(column) if matches!(column.values, Values::Text(_)) => {
                    (0, column.structured_bytes())
                }
                Some(_) => (0, TEXT * rows),
                None => (0, 16 * rows),
            },
            // Features are made once for the column and once for the block.
            Encoding::Words(words) => {
                let entries = words.entries(values);
                (entries, ENTRY * entries + 8 * (rows + 1))
            }
            Encoding::Graph { .. } => match source {
                Some(column) => (0, column.structured_bytes().max(8 * rows)),
                None => (0, 8 * rows),
            },
            Encoding::Node { .. } => (0, 4 * rows),
        };
        let block = match storage {
            Storage::Dense => 8 * rows * width,
            Storage::Sparse => ENTRY * stored,
        };
        block + between
    }
}

/// Values of vectors that are stored in sparse rows, and the bytes of a copy on the way: in double
/// precision, or in the storage of training.
fn vector_bytes(points: &Points, own: Storage, cells: u64) -> (u64, u64) {
    let stored = each!(points, block => block.values().len()) as u64;
    let widened = match points {
        Points::Single(Block::Dense(_)) => 8 * stored,
        Points::Single(Block::Sparse(_)) => ENTRY * stored,
        Points::Double(_) => 0,
    };
    let spread = if points.is_sparse() && own == Storage::Dense {
        8 * cells
    } else {
        0
    };
    (stored, widened + spread)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Categories, EncodeOptions, Graph, Origin, Records, Truths};

    /// What records take, from the records themselves.
    fn taken(records: &Records) -> u64 {
        let texts = records.texts.iter().flat_map(|c| &c.texts);
        let texts: u64 = texts.map(|t| 16 + room::block(16 + t.len())).sum();
        let graphs = records.graphs.iter().flat_map(|c| &c.graphs);
        let graphs: u64 = graphs.map(|g| 8 + 28 * Graph::len(g) as u64).sum();
        let codes = records.codes.iter().map(|c| 4 * c.codes.len() as u64);
        let ids = 4 * records.ids.len() as u64;
        records.features.points.bytes() + texts + graphs + codes.sum::<u64>() + ids
    }

    fn counted(columns: Vec<Column>) -> (u64, u64) {
        let table = Table::try_new(columns, Origin::default()).expect("a table");
        let (encoder, _) = Encoder::fit(&table, &EncodeOptions::default()).expect("an encoder");
        let sources: Vec<Option<&Column>> = encoder
            .columns()
            .iter()
            .map(|c| table.find(&c.name))
            .collect();
        let counted = encoder.encoded_bytes(table.rows(), &sources);
        let records = encoder.transform(&table).expect("encoded").records;
        (counted, taken(&records))
    }

    #[test]
    fn words_take_no_more_than_counted() {
        let texts: Vec<Option<String>> = (0..80)
            .map(|i| Some(format!("ab{i} cd{} {}", i * 7, "long ".repeat(i % 5))))
            .collect();
        for ngrams in 1..=3 {
            let values = Values::Text(texts.clone());
            let table = Table::try_new(vec![Column::new("t", values)], Origin::default());
            let table = table.expect("a table");
            let how = crate::data::TextEncoding {
                ngrams,
                ..crate::data::TextEncoding::TFIDF
            };
            let options = EncodeOptions::default().text(Some(how));
            let (encoder, _) = Encoder::fit(&table, &options).expect("an encoder");
            let counted = encoder.encoded_bytes(table.rows(), &[table.find("t")]);
            let taken = taken(&encoder.transform(&table).expect("encoded").records);
            assert!(taken <= counted, "{ngrams}: {taken} of {counted}");
            assert!(counted <= 8 * taken, "{ngrams}: {taken} of {counted}");
        }
    }

    fn categories(rows: u32, levels: u32) -> Values {
        Values::Categorical(Categories {
            codes: (0..rows).map(|row| row % levels).collect(),
            levels: (0..levels).map(|level| format!("l{level}")).collect(),
        })
    }

    #[test]
    fn numbers_are_counted_exactly() {
        let numbers = (0..40).map(f64::from).collect();
        let (counted, taken) = counted(vec![Column::new("x", Values::Numeric(numbers))]);
        assert_eq!((counted, taken), (40 * 12, 40 * 12));
    }

    #[test]
    fn one_hot_features_are_counted_as_stored() {
        // Dense: 30 features of eight bytes, and codes, twice while they are made.
        let (dense, taken) = counted(vec![Column::new("c", categories(60, 30))]);
        assert_eq!(dense, 60 * (30 * 8 + 8 + 4));
        assert_eq!(taken, 60 * (30 * 8 + 4 + 4));
        // Sparse from 4,096 categories on: an entry, a start, a code and a number a row.
        let (sparse, taken) = counted(vec![Column::new("c", categories(5000, 5000))]);
        assert_eq!(sparse, 5000 * (12 + 8 + 8 + 4) + 8);
        assert_eq!(taken, 5000 * (12 + 8 + 4 + 4) + 8);
    }

    #[test]
    fn every_kind_takes_no_more_than_counted_and_not_much_less() {
        let truth = |i: i32| (i % 7 != 0).then_some(i % 2 == 0);
        let truths: Vec<Option<bool>> = (0..50).map(truth).collect();
        let gaps = (0..50).map(|i| if i % 5 == 0 { f64::NAN } else { f64::from(i) });
        let dates = (0..50).map(|i| f64::from(i) * 90_000.5).collect();
        let texts = (0..50).map(|i| Some("ab ".repeat(i))).collect();
        let molecules = (0..50).map(|i| Some("C".repeat(i % 9 + 1))).collect();
        let columns = vec![
            Column::new("b", Values::Boolean(Truths::from(truths))),
            Column::new("n", Values::Numeric(gaps.collect())),
            Column::new("d", Values::Date(dates)),
            Column::new("t", Values::Text(texts)),
            Column::new("m", Values::Molecules(molecules)),
        ];
        for column in columns {
            let name = column.name.clone();
            let (counted, taken) = counted(vec![column]);
            assert!(taken <= counted, "{name}: {taken} of {counted}");
            // Graphs of a few atoms are mostly headers, and there are two of each for a while.
            assert!(counted <= 8 * taken, "{name}: {taken} of {counted}");
        }
    }
}
