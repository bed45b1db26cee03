//! A plane through the space of rows, on which a model is asked.

use std::collections::BTreeMap;

use mercer::data::{Block, Column, Origin, Points, Records, Table, Values};
use mercer::fit::FitContext;
use mercer::hint::{Hint, Word};
use mercer::model::{Predictions, Predictor};
use mercer::{Error, Result};
use mercer_linalg::{Matrix, SymmetricEigen};
use mercer_plot::text::{percent, short, shorten};

/// Rows that principal axes are found from.
const ENOUGH: usize = 400;
/// Held columns that are told of.
const TOLD: usize = 5;

/// Where a picture cuts through the space of rows.
pub(super) enum Sheet<'a> {
    /// Two columns vary and the others stay at a usual value: that of a row, by number.
    Columns {
        table: &'a Table,
        varied: [String; 2],
        held: Vec<usize>,
    },
    /// The plane through the mean along the two directions of largest variance, among features.
    Projection {
        usual: Box<Records>,
        mean: Vec<f64>,
        axes: [Vec<f64>; 2],
        shares: [f64; 2],
    },
}

impl<'a> Sheet<'a> {
    /// A plane of two numeric columns.
    pub(super) fn of_columns(table: &'a Table, varied: [String; 2]) -> Result<Self> {
        if varied[0] == varied[1] {
            return Err(Error::Conflict {
                what: format!("`{}` cannot be both axes", varied[0]),
                cure: "name two different columns".into(),
            });
        }
        for name in &varied {
            numbers(table.column(name)?)?;
        }
        let held = table
            .columns()
            .iter()
            .map(|c| usual_row(&c.values))
            .collect();
        Ok(Self::Columns {
            table,
            varied,
            held,
        })
    }

    /// The plane along which encoded rows vary most.
    pub(super) fn of_projections(records: &Records) -> Result<Self> {
        let others =
            records.codes.len() + records.texts.len() + records.graphs.len() + records.nodes.len();
        let Block::Dense(points) = records.features.points.widened() else {
            return Err(no_projection("the rows are sparse"));
        };
        if others > 0 {
            return Err(no_projection("some columns are no numbers"));
        }
        let (rows, width) = (points.rows().min(ENOUGH), points.columns());
        // Rows are taken evenly, whatever their order means.
        let row = |k: usize| points.row(k * points.rows() / rows);
        let mut mean = vec![0.0; width];
        for k in 0..rows {
            for (sum, value) in mean.iter_mut().zip(row(k)) {
                *sum += value / rows as f64;
            }
        }
        let centred = Matrix::from_fn(rows, width, |k, j| row(k)[j] - mean[j]);
        let products = Matrix::from_fn(rows, rows, |a, b| dot(centred.row(a), centred.row(b)));
        let total: f64 = (0..rows).map(|k| products[(k, k)]).sum();
        let eigen = SymmetricEigen::new(products.as_ref())
            .map_err(|_| no_projection("the rows are not finite"))?;
        // Eigenvalues ascend.
        let found =
            [1, 2].map(|k| {
                let place = rows.checked_sub(k)?;
                let value = eigen.values[place];
                let floor = total * f64::EPSILON * rows as f64;
                (value > floor).then(|| {
                    let scale = value.sqrt();
                    let mut axis = vec![0.0; width];
                    for i in 0..rows {
                        let weight = eigen.vectors[(i, place)] / scale;
                        for (sum, x) in axis.iter_mut().zip(centred.row(i)) {
                            *sum += weight * x;
                        }
                    }
                    // Signs are arbitrary otherwise.
                    let largest = axis.iter().copied().fold(0.0_f64, |most, x| {
                        if x.abs() > most.abs() { x } else { most }
                    });
                    if largest < 0.0 {
                        axis.iter_mut().for_each(|x| *x = -*x);
                    }
                    (axis, value / total)
                })
            });
        let [Some((first, a)), Some((second, b))] = found else {
            return Err(no_projection(
                "the rows vary along fewer than two directions",
            ));
        };
        Ok(Self::Projection {
            usual: Box::new(records.slice(0..1)),
            mean,
            axes: [first, second],
            shares: [a, b],
        })
    }

    /// Names of both axes.
    pub(super) fn names(&self) -> [String; 2] {
        match self {
            Self::Columns { varied, .. } => varied.clone(),
            Self::Projection { shares, .. } => {
                let name = |which: &str, share: f64| {
                    format!(
                        "{which} principal component ({} of the variance)",
                        percent(share)
                    )
                };
                [name("first", shares[0]), name("second", shares[1])]
            }
        }
    }

    /// What is true of the plane and not seen in it.
    pub(super) fn note(&self) -> String {
        let Self::Columns {
            table,
            varied,
            held,
        } = self
        else {
            return "A plane through the mean of the rows; these lie before and behind it."
                .to_owned();
        };
        let others = table.columns().iter().zip(held);
        let others = others.filter(|(column, _)| !varied.contains(&column.name));
        let told: Vec<String> = others
            .map(|(column, &row)| {
                let shown = match &column.values {
                    Values::Numeric(values) => short(values[row]),
                    values => values
                        .shown(row)
                        .unwrap_or_else(|| "as in one row".to_owned()),
                };
                format!("{} = {}", shorten(&column.name, 24), shorten(&shown, 16))
            })
            .collect();
        if told.is_empty() {
            return String::new();
        }
        let more = match told.len().saturating_sub(TOLD) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let first = &told[..told.len().min(TOLD)];
        format!(
            "Held at their median or most frequent value: {}{more}.",
            first.join(", ")
        )
    }

    /// Where rows lie, or are projected to.
    pub(super) fn places(&self, rows: &Table, records: &Records) -> Result<Vec<[f64; 2]>> {
        match self {
            Self::Columns { varied, .. } => {
                let [x, y] =
                    [&varied[0], &varied[1]].map(|name| rows.column(name).and_then(numbers));
                Ok(x?.iter().zip(y?).map(|(x, y)| [*x, *y]).collect())
            }
            Self::Projection { mean, axes, .. } => {
                let Block::Dense(points) = records.features.points.widened() else {
                    return Err(no_projection("the rows are sparse"));
                };
                let place = |row: usize| {
                    let centred: Vec<f64> = points
                        .row(row)
                        .iter()
                        .zip(mean)
                        .map(|(x, m)| x - m)
                        .collect();
                    [dot(&centred, &axes[0]), dot(&centred, &axes[1])]
                };
                Ok((0..points.rows()).map(place).collect())
            }
        }
    }

    /// What a model says of places.
    pub(super) fn answers(
        &self,
        predictor: &Predictor,
        at: &[[f64; 2]],
        context: &FitContext,
    ) -> Result<Predictions> {
        match self {
            Self::Columns {
                table,
                varied,
                held,
            } => {
                let columns = table.columns().iter().zip(held).map(|(column, &row)| {
                    let axis = varied.iter().position(|name| *name == column.name);
                    let values = match axis {
                        Some(axis) => Values::Numeric(at.iter().map(|p| p[axis]).collect()),
                        None => column.values.select(&vec![row; at.len()]),
                    };
                    Column::new(column.name.clone(), values)
                });
                let asked = Table::try_new(columns.collect(), Origin::default())?;
                predictor.answers(&asked, context)
            }
            Self::Projection {
                usual, mean, axes, ..
            } => {
                let rows = Matrix::from_fn(at.len(), mean.len(), |i, j| {
                    mean[j] + at[i][0] * axes[0][j] + at[i][1] * axes[1][j]
                });
                let mut records = usual.select(&vec![0; at.len()]);
                records.features.points = Points::from(rows);
                predictor.answers_for(&records, context)
            }
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn no_projection(why: &str) -> Error {
    Error::Unsupported {
        what: format!("there are no two directions to project on: {why}"),
        cure: Hint::from("name two numeric columns with ").word(Word::Setting("columns")),
    }
}

/// The numbers of a column.
fn numbers(column: &Column) -> Result<&[f64]> {
    match &column.values {
        Values::Numeric(values) => Ok(values),
        other => Err(Error::ColumnKind {
            column: column.name.clone(),
            found: other.kind().name().to_owned(),
            expected: "numeric".to_owned(),
        }),
    }
}

/// The row whose value is the median of numbers and the most frequent of anything else.
fn usual_row(values: &Values) -> usize {
    if let Values::Numeric(numbers) | Values::Date(numbers) = values {
        let mut known: Vec<usize> = (0..numbers.len())
            .filter(|&row| numbers[row].is_finite())
            .collect();
        known.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
        return known
            .get(known.len().saturating_sub(1) / 2)
            .copied()
            .unwrap_or(0);
    }
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for row in 0..values.len() {
        if let Some(text) = values.text(row) {
            counts.entry(text).or_insert((0, row)).0 += 1;
        }
    }
    let most = counts
        .values()
        .max_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
    most.map_or(0, |(_, row)| *row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mercer::data::Categories;

    #[test]
    fn a_usual_row_is_the_median_or_the_most_frequent() {
        let numbers = Values::Numeric(vec![9.0, 1.0, f64::NAN, 5.0, 4.0]);
        assert_eq!(usual_row(&numbers), 4);
        let names = ["b", "a", "a", "b", "c"].map(Some);
        let names = Values::Categorical(Categories::from_names(names));
        assert_eq!(usual_row(&names), 0);
        assert_eq!(usual_row(&Values::Numeric(Vec::new())), 0);
    }

    #[test]
    fn directions_are_those_of_the_largest_variance() {
        // Along (1, 1, 0) by 10, along (0, 0, 1) by 1.
        let rows = Matrix::from_fn(20, 3, |i, j| match j {
            2 => f64::from(u8::from(i % 2 == 0)),
            _ => i as f64,
        });
        let records = Records::from_points(rows);
        let Ok(Sheet::Projection { axes, shares, .. }) = Sheet::of_projections(&records) else {
            panic!("there are two directions");
        };
        let half = 0.5_f64.sqrt();
        for (found, wanted) in axes[0].iter().zip([half, half, 0.0]) {
            assert!((found - wanted).abs() < 0.05, "{axes:?}");
        }
        assert!(shares[0] > 0.95 && shares[1] > 0.0);
        let flat = Records::from_points(Matrix::from_fn(5, 2, |i, _| i as f64));
        assert!(Sheet::of_projections(&flat).is_err());
    }
}
