//! Rows of features from columns that are checked and of the right kind.

use std::borrow::Cow;
use std::sync::Arc;

use mercer_linalg::Csr;

use super::arrive::{self, Faults, UNSEEN_CODE, cell};
use super::cycle::{DAY, day_of_year, on_circle, time_of_day, weekday};
use super::{Affine, ColumnEncoder, Encoding, Missing, Storage, graphs, vectors};
use crate::data::labels::list;
use crate::data::print::number_text;
use crate::data::recognise::Spelling;
use crate::data::{Block, Column, Graph, MISSING_CODE, Network, Table, Values};
use crate::fit::Note;
use crate::{Error, Result};

/// The share of a circle at which a point in time lies.
type Circle = fn(f64) -> f64;

/// One column's values, ready to be written feature by feature.
pub(super) enum Ready<'a> {
    Numeric {
        values: Cow<'a, [f64]>,
        map: Affine,
        fill: f64,
        flag: bool,
    },
    Boolean {
        values: Cow<'a, [Option<bool>]>,
        fill: bool,
        flag: bool,
    },
    Categorical {
        codes: Vec<u32>,
        width: usize,
        fill: u32,
        flag: bool,
    },
    Date {
        values: Cow<'a, [f64]>,
        map: Affine,
        fill: f64,
        flag: bool,
        circles: Vec<Circle>,
    },
    /// Categories or booleans without features.
    Kept {
        codes: Vec<u32>,
    },
    Text {
        texts: Vec<Arc<str>>,
    },
    Graph {
        graphs: Vec<Arc<Graph>>,
    },
    Node {
        network: &'a Network,
        nodes: Vec<u32>,
    },
    Words {
        rows: Csr<f64>,
    },
    Vectors {
        points: Block<f64>,
        fill: &'a [f64],
        shift: &'a [f64],
        scale: &'a [f64],
        offset: f64,
    },
}

/// Brings a column to the kind its encoder needs, and notes what had to be filled in.
pub(super) fn prepare<'a>(
    table: &Table,
    encoder: &'a ColumnEncoder,
    column: &'a Column,
    spelling: Option<&Spelling>,
    faults: &mut Faults,
    notes: &mut Vec<Note>,
) -> Result<Ready<'a>> {
    let flag = encoder.encoding.missing() == Some(Missing::Flag);
    match &encoder.encoding {
        Encoding::Numeric { map, fill, missing } => {
            let values = arrive::numbers(table, column, spelling, faults)?;
            let gone = |row: usize| values[row].is_nan();
            let shown = format!("the training mean {}", rounded(*fill));
            note_missing(table, encoder, *missing, gone, &shown, faults, notes)?;
            let (map, fill) = (*map, filling(*missing, *fill));
            Ok(Ready::Numeric {
                values,
                map,
                fill,
                flag,
            })
        }
        Encoding::Boolean {
            words,
            fill,
            missing,
        } => {
            let values = arrive::booleans(table, column, words.as_ref(), faults)?;
            let gone = |row: usize| values[row].is_none();
            let word = match words {
                Some(words) => words[usize::from(*fill)].clone(),
                None => fill.to_string(),
            };
            let shown = format!("the most frequent value `{word}`");
            note_missing(table, encoder, *missing, gone, &shown, faults, notes)?;
            let fill = *fill;
            if encoder.keeps_missing() {
                let codes = truth_codes(&values);
                return Ok(Ready::Kept { codes });
            }
            Ok(Ready::Boolean { values, fill, flag })
        }
        Encoding::Categorical {
            levels,
            fill,
            missing,
        } => {
            let codes = arrive::codes(column, levels)?;
            let gone = |row: usize| codes[row] == MISSING_CODE;
            let shown = format!("the most frequent category `{}`", levels[*fill as usize]);
            note_missing(table, encoder, *missing, gone, &shown, faults, notes)?;
            note_unseen(&encoder.name, column, &codes, notes);
            if encoder.keeps_missing() {
                let codes = seen_codes(&codes);
                return Ok(Ready::Kept { codes });
            }
            Ok(Ready::Categorical {
                codes,
                width: levels.len(),
                fill: *fill,
                flag,
            })
        }
        Encoding::Date {
            map,
            fill,
            missing,
            time_of_day: by_time,
            weekday: by_weekday,
            day_of_year: by_day,
        } => {
            let values = arrive::dates(table, column, spelling, faults)?;
            let gone = |row: usize| values[row].is_nan();
            note_missing(
                table,
                encoder,
                *missing,
                gone,
                "the mean training date",
                faults,
                notes,
            )?;
            Ok(Ready::Date {
                values,
                map: *map,
                fill: filling(*missing, *fill),
                flag,
                circles: circles(*by_time, *by_weekday, *by_day),
            })
        }
        Encoding::Text => Ok(Ready::Text {
            texts: arrive::texts(column)?,
        }),
        Encoding::Words(words) => {
            arrive::check_texts(column)?;
            let (rows, strange) = words.rows(&column.values);
            note_strange(&encoder.name, strange, notes);
            Ok(Ready::Words { rows })
        }
        Encoding::Graph {
            vertices, edges, ..
        } => Ok(Ready::Graph {
            graphs: graphs::apply(table, column, vertices, edges, faults, notes)?,
        }),
        Encoding::Node { network } => Ok(Ready::Node {
            network,
            nodes: graphs::members(table, column, network, faults)?,
        }),
        Encoding::Vectors {
            width,
            storage,
            fill,
            shift,
            scale,
            offset,
        } => {
            let Values::Vectors(points) = &column.values else {
                return Err(Error::ColumnKind {
                    column: column.name.clone(),
                    found: column.kind().to_string(),
                    expected: "a column of vectors".to_owned(),
                });
            };
            let points = points.widened();
            vectors::check_finite(table, &column.name, &points, !fill.is_empty(), faults)?;
            let points = vectors::adapt(&column.name, points, *width, *storage, notes)?;
            Ok(Ready::Vectors {
                points,
                fill,
                shift,
                scale,
                offset: *offset,
            })
        }
    }
}

/// What stands in for a column that is not there.
pub(super) fn absent(encoder: &ColumnEncoder, rows: usize) -> Ready<'_> {
    let flag = false;
    match &encoder.encoding {
        Encoding::Boolean { .. } | Encoding::Categorical { .. } if encoder.keeps_missing() => {
            Ready::Kept {
                codes: vec![MISSING_CODE; rows],
            }
        }
        Encoding::Numeric { map, fill, missing } => {
            let fill = filling(*missing, *fill);
            Ready::Numeric {
                values: vec![fill; rows].into(),
                map: *map,
                fill,
                flag,
            }
        }
        Encoding::Boolean { fill, .. } => Ready::Boolean {
            values: vec![Some(*fill); rows].into(),
            fill: *fill,
            flag,
        },
        Encoding::Categorical { levels, fill, .. } => Ready::Categorical {
            codes: vec![*fill; rows],
            width: levels.len(),
            fill: *fill,
            flag,
        },
        Encoding::Date {
            map,
            fill,
            missing,
            time_of_day: by_time,
            weekday: by_weekday,
            day_of_year: by_day,
        } => {
            let fill = filling(*missing, *fill);
            Ready::Date {
                values: vec![fill * DAY; rows].into(),
                map: *map,
                fill,
                flag,
                circles: circles(*by_time, *by_weekday, *by_day),
            }
        }
        Encoding::Text => Ready::Text {
            texts: vec![Arc::from(""); rows],
        },
        Encoding::Words(words) => Ready::Words {
            rows: Csr::try_new(words.width(), vec![0; rows + 1], Vec::new(), Vec::new())
                .expect("rows without values"),
        },
        Encoding::Graph { .. } => {
            let empty = Arc::new(Graph::try_new(Vec::new(), &[]).expect("no vertex, no edge"));
            Ready::Graph {
                graphs: vec![empty; rows],
            }
        }
        Encoding::Node { network } => Ready::Node {
            network,
            nodes: vec![0; rows],
        },
        Encoding::Vectors {
            width,
            fill,
            shift,
            scale,
            offset,
            ..
        } => Ready::Vectors {
            points: Block::Sparse(
                Csr::try_new(*width, vec![0; rows + 1], Vec::new(), Vec::new())
                    .expect("rows without values"),
            ),
            fill,
            shift,
            scale,
            offset: *offset,
        },
    }
}

/// What stands in for a missing number; NaN where it stays missing.
fn filling(missing: Missing, fill: f64) -> f64 {
    if missing == Missing::Keep {
        f64::NAN
    } else {
        fill
    }
}

fn truth_codes(values: &[Option<bool>]) -> Vec<u32> {
    let code = |v: &Option<bool>| v.map_or(MISSING_CODE, u32::from);
    values.iter().map(code).collect()
}

/// Codes in which a category unseen in training is missing.
fn seen_codes(codes: &[u32]) -> Vec<u32> {
    let seen = |&c: &u32| if c == UNSEEN_CODE { MISSING_CODE } else { c };
    codes.iter().map(seen).collect()
}

/// The circles that a date is laid on.
fn circles(by_time: bool, by_weekday: bool, by_day: bool) -> Vec<Circle> {
    let all: [(bool, Circle); 3] = [
        (by_time, time_of_day),
        (by_weekday, weekday),
        (by_day, day_of_year),
    ];
    all.iter().filter(|c| c.0).map(|c| c.1).collect()
}

/// Prints a number to six digits, enough for a note.
fn rounded(value: f64) -> String {
    let short = format!("{value:.5e}").parse().unwrap_or(value);
    number_text(short)
}

fn note_missing(
    table: &Table,
    encoder: &ColumnEncoder,
    missing: Missing,
    gone: impl Fn(usize) -> bool,
    fill: &str,
    faults: &mut Faults,
    notes: &mut Vec<Note>,
) -> Result<()> {
    let name = &encoder.name;
    match missing {
        Missing::Fill | Missing::Flag | Missing::Keep => Ok(()),
        Missing::Refuse => {
            for row in (0..table.rows()).filter(|&row| gone(row)) {
                let problem = "the value is missing".to_owned();
                let cure = "fill it in, drop the row, or let missing values be imputed";
                faults.add(row, cell(table, name, row, problem, cure))?;
            }
            Ok(())
        }
        Missing::Unexpected => {
            let count = (0..table.rows()).filter(|&row| gone(row)).count();
            if count > 0 {
                let rows = if count == 1 { "row lacks" } else { "rows lack" };
                notes.push(Note::Alert(format!(
                    "{count} {rows} column `{name}`, which was complete in training; {fill} stands in"
                )));
            }
            Ok(())
        }
    }
}

fn note_unseen(name: &str, column: &Column, codes: &[u32], notes: &mut Vec<Note>) {
    let mut count = 0;
    let mut unseen: Vec<String> = Vec::new();
    for (row, _) in codes.iter().enumerate().filter(|(_, c)| **c == UNSEEN_CODE) {
        count += 1;
        // Eleven names tell that there are more than the ten shown.
        if unseen.len() <= 10
            && let Some(text) = column.values.text(row)
            && !unseen.contains(&text)
        {
            unseen.push(text);
        }
    }
    if count > 0 {
        let rows = if count == 1 {
            "row has a category"
        } else {
            "rows have categories"
        };
        notes.push(Note::Alert(format!(
            "{count} {rows} unseen in training in column `{name}`: {}",
            list(&unseen)
        )));
    }
}

/// Tells of texts of which a model knows no word.
fn note_strange(name: &str, count: usize, notes: &mut Vec<Note>) {
    let rows = match count {
        0 => return,
        1 => "row has",
        _ => "rows have",
    };
    notes.push(Note::Alert(format!(
        "{count} {rows} none of the words of training in column `{name}`"
    )));
}

impl Ready<'_> {
    /// Hands out the features of a row by ascending number; those left out are zero.
    pub(super) fn emit(&self, row: usize, mut out: impl FnMut(usize, f64)) {
        match self {
            Self::Numeric {
                values,
                map,
                fill,
                flag,
            } => {
                let value = values[row];
                let missing = value.is_nan();
                out(0, map.apply(if missing { *fill } else { value }));
                if *flag && missing {
                    out(1, 1.0);
                }
            }
            Self::Boolean { values, fill, flag } => {
                if values[row].unwrap_or(*fill) {
                    out(0, 1.0);
                }
                if *flag && values[row].is_none() {
                    out(1, 1.0);
                }
            }
            Self::Categorical {
                codes,
                width,
                fill,
                flag,
            } => {
                let missing = codes[row] == MISSING_CODE;
                let code = if missing { *fill } else { codes[row] };
                if code != UNSEEN_CODE {
                    out(code as usize, 1.0);
                }
                if *flag && missing {
                    out(*width, 1.0);
                }
            }
            Self::Date {
                values,
                map,
                fill,
                flag,
                circles,
            } => {
                let missing = values[row].is_nan();
                out(
                    0,
                    map.apply(if missing { *fill } else { values[row] / DAY }),
                );
                for (index, part) in circles.iter().enumerate() {
                    if !missing {
                        let (sine, cosine) = on_circle(part(values[row]));
                        out(1 + 2 * index, sine);
                        out(2 + 2 * index, cosine);
                    } else if fill.is_nan() {
                        out(1 + 2 * index, f64::NAN);
                        out(2 + 2 * index, f64::NAN);
                    }
                }
                if *flag && missing {
                    out(1 + 2 * circles.len(), 1.0);
                }
            }
            Self::Words { rows } => {
                let (indices, values) = rows.row(row);
                for (&feature, &value) in indices.iter().zip(values) {
                    out(feature as usize, value);
                }
            }
            Self::Kept { .. } | Self::Text { .. } | Self::Graph { .. } | Self::Node { .. } => {}
            Self::Vectors {
                points,
                fill,
                shift,
                scale,
                offset,
            } => {
                let feature = |j: usize, v: f64| {
                    let map = Affine {
                        shift: shift.get(j).copied().unwrap_or(0.0),
                        scale: scale.get(j).copied().unwrap_or(1.0),
                        offset: *offset,
                    };
                    map.apply(if v.is_nan() { fill[j] } else { v })
                };
                match points {
                    Block::Dense(m) => {
                        for (j, &v) in m.row(row).iter().enumerate() {
                            out(j, feature(j, v));
                        }
                    }
                    Block::Sparse(m) => {
                        let (indices, values) = m.row(row);
                        for (&j, &v) in indices.iter().zip(values) {
                            out(j as usize, feature(j as usize, v));
                        }
                    }
                }
            }
        }
    }

    /// Numbers or points in time as the rows have them; NaN where missing.
    pub(super) fn numbers(&self) -> Option<&[f64]> {
        match self {
            Self::Numeric { values, .. } | Self::Date { values, .. } => Some(values),
            _ => None,
        }
    }

    /// Codes of categories and booleans, for kernels that compare them.
    pub(super) fn codes(&self) -> Option<Vec<u32>> {
        match self {
            Self::Kept { codes } => Some(codes.clone()),
            Self::Categorical { codes, .. } => Some(seen_codes(codes)),
            Self::Boolean { values, .. } => Some(truth_codes(values)),
            _ => None,
        }
    }
}

/// Chooses the storage of the whole block.
///
/// `words_filled` is how many features of words a row has in the mean.
pub(super) fn block_storage(columns: &[ColumnEncoder], words_filled: f64) -> Storage {
    let (mut width, mut filled) = (0, words_filled.ceil() as usize);
    let (mut levels_in_all, mut words_in_all) = (0, 0);
    for column in columns {
        let own = column.group().map_or(0, |g| g.width());
        width += own;
        match &column.encoding {
            Encoding::Vectors {
                storage: Storage::Sparse,
                ..
            } => return Storage::Sparse,
            Encoding::Categorical { levels, .. } if own > 0 => {
                levels_in_all += levels.len();
                filled += 1;
            }
            Encoding::Words(words) if words.terms().is_none() => return Storage::Sparse,
            Encoding::Words(words) => words_in_all += words.width(),
            _ => filled += own,
        }
    }
    // A dense block of 4096 levels costs 32 KiB a row, nearly all zeros; sparse rows cost
    // 12 bytes per value and win once fewer than a tenth are filled.
    // Words are as rare from the start, and there are always more of them with more rows.
    if (levels_in_all > 4096 || words_in_all > 256) && 10 * filled < width {
        Storage::Sparse
    } else {
        Storage::Dense
    }
}
