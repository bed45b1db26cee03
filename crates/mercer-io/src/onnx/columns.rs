//! From raw columns to features, as the encoder does it.

use mercer::data::{Affine, ColumnEncoder, Encoding, Missing};

use super::graph::{Builder, MACHINES, Wire};
use super::message::{Element, Setting};
use super::{dates, words};

/// Code of a category that training rows did not have.
const UNSEEN: i64 = -1;
/// Code of a missing category.
const MISSING: i64 = -2;

/// Rows as kernels compare them.
#[derive(Debug)]
pub(super) struct Encoded {
    /// The features, \[N, width\]; `None` where there are none.
    pub(super) features: Option<Wire>,
    /// The kind of their entries.
    pub(super) element: Element,
    /// Codes of categories and booleans, \[N, 1\] each, with the name of their column;
    /// negative where they equal nothing.
    pub(super) codes: Vec<(String, Wire)>,
    /// Some input, from which the number of rows can be read.
    pub(super) rows: Wire,
    /// Whether what is missing stays missing, for models that take it as it is.
    pub(super) keeps: bool,
}

/// Adds the inputs and what turns them into features; `None` where no column is read.
///
/// `element` is the kind of the one input of a model of bare vectors.
pub(super) fn encode(
    graph: &mut Builder,
    columns: &[ColumnEncoder],
    element: Element,
) -> Option<Encoded> {
    let mut encoding = Columns {
        graph,
        blocks: Vec::new(),
        plain: Vec::new(),
        codes: Vec::new(),
        first: None,
        element: Element::Double,
    };
    // No kernel that a graph can express reads texts; their words are features as others are.
    let read: Vec<&ColumnEncoder> = columns.iter().filter(|c| c.group().is_some()).collect();
    let alone = read.len() == 1;
    for column in read {
        encoding.add(column, alone, element);
    }
    encoding.flush();
    let (blocks, codes, element) = (encoding.blocks, encoding.codes, encoding.element);
    let rows = encoding.first?;
    let features = (!blocks.is_empty()).then(|| graph.beside(&blocks));
    Some(Encoded {
        features,
        element,
        codes,
        rows,
        keeps: columns.iter().any(ColumnEncoder::keeps_missing),
    })
}

/// A numeric column that waits for its neighbours, to be scaled with them.
struct Plain {
    input: Wire,
    map: Affine,
    fill: f64,
}

/// Computes the share of a circle at which points in time lie.
type Share = fn(&mut Builder, &Wire) -> Wire;

struct Columns<'g> {
    graph: &'g mut Builder,
    blocks: Vec<Wire>,
    plain: Vec<Plain>,
    codes: Vec<(String, Wire)>,
    first: Option<Wire>,
    /// The kind of the features' entries.
    element: Element,
}

impl Columns<'_> {
    fn input(&mut self, name: &str, element: Element, width: usize, meaning: &str) -> Wire {
        let meaning = format!("column `{name}`: {meaning}");
        let wire = self.graph.input(name, element, width, meaning);
        self.first.get_or_insert_with(|| wire.clone());
        wire
    }

    fn add(&mut self, column: &ColumnEncoder, alone: bool, element: Element) {
        let name = &column.name;
        match &column.encoding {
            Encoding::Numeric { map, fill, missing } => {
                let input = self.input(name, Element::Double, 1, "numbers, NaN is missing");
                let fill = filling(*missing, *fill);
                let flagged = *missing == Missing::Flag;
                let gone = flagged.then(|| self.graph.step("IsNaN", [&input]));
                let map = *map;
                self.plain.push(Plain { input, map, fill });
                if let Some(gone) = gone {
                    self.flush();
                    self.flag(&gone);
                }
            }
            Encoding::Boolean { fill, missing, .. } => {
                self.flush();
                self.boolean(name, *fill, *missing);
            }
            Encoding::Categorical {
                levels,
                fill,
                missing,
            } => {
                self.flush();
                self.categorical(name, levels, *fill, *missing);
            }
            Encoding::Date {
                map,
                fill,
                missing,
                time_of_day,
                weekday,
                day_of_year,
            } => {
                self.flush();
                let circles = [*time_of_day, *weekday, *day_of_year];
                self.date(name, *map, *fill, *missing, circles);
            }
            Encoding::Text | Encoding::Graph { .. } | Encoding::Node { .. } => {}
            Encoding::Words(list) => {
                self.flush();
                let input = self.input(name, Element::Text, 1, "texts, an empty one is missing");
                self.blocks
                    .extend(words::features(self.graph, &input, list));
            }
            Encoding::Vectors {
                width,
                fill,
                shift,
                scale,
                offset,
                ..
            } => {
                self.flush();
                let (name, element) = if alone {
                    ("X", element)
                } else {
                    (name.as_str(), Element::Double)
                };
                let mut raw = self.input(name, element, *width, "numbers");
                let plain = fill.is_empty() && shift.is_empty() && scale.is_empty();
                if plain && *offset == 0.0 {
                    self.element = element;
                    self.blocks.push(raw);
                    return;
                }
                if element != Element::Double {
                    raw = self.graph.cast(&raw, Element::Double);
                }
                let given = |list: &[f64], instead: f64| {
                    if list.is_empty() {
                        vec![instead; *width]
                    } else {
                        list.to_vec()
                    }
                };
                let block = self.scaled(
                    &raw,
                    given(fill, f64::NAN),
                    given(shift, 0.0),
                    given(scale, 1.0),
                    vec![*offset; *width],
                );
                self.blocks.push(block);
            }
        }
    }

    /// Scales the numeric columns that wait, side by side.
    fn flush(&mut self) {
        let waiting = std::mem::take(&mut self.plain);
        if waiting.is_empty() {
            return;
        }
        let inputs: Vec<Wire> = waiting.iter().map(|p| p.input.clone()).collect();
        let raw = self.graph.beside(&inputs);
        let list = |value: fn(&Plain) -> f64| waiting.iter().map(value).collect();
        let block = self.scaled(
            &raw,
            list(|p| p.fill),
            list(|p| p.map.shift),
            list(|p| p.map.scale),
            list(|p| p.map.offset),
        );
        self.blocks.push(block);
    }

    /// (x − shift)/scale + offset, x filled in where it is NaN; a NaN fills nothing in.
    fn scaled(
        &mut self,
        raw: &Wire,
        fill: Vec<f64>,
        shift: Vec<f64>,
        scale: Vec<f64>,
        offset: Vec<f64>,
    ) -> Wire {
        let graph = &mut *self.graph;
        let mut value = raw.clone();
        if fill.iter().any(|f| !f.is_nan()) {
            let missing = graph.step("IsNaN", [raw]);
            let fill = graph.row(fill);
            value = graph.step("Where", [&missing, &fill, raw]);
        }
        for (operator, numbers, nothing) in [
            ("Sub", shift, 0.0),
            ("Div", scale, 1.0),
            ("Add", offset, 0.0),
        ] {
            if numbers.iter().any(|n| *n != nothing) {
                let numbers = graph.row(numbers);
                value = graph.step(operator, [&value, &numbers]);
            }
        }
        value
    }

    fn flag(&mut self, missing: &Wire) {
        let flag = self.graph.indicator(missing);
        self.blocks.push(flag);
    }

    fn boolean(&mut self, name: &str, fill: bool, missing: Missing) {
        let input = self.input(
            name,
            Element::Double,
            1,
            "0 is false, other numbers are true, NaN is missing",
        );
        let graph = &mut *self.graph;
        let gone = graph.step("IsNaN", [&input]);
        let zero = graph.number(0.0);
        let wrong = graph.step("Equal", [&input, &zero]);
        let truth = graph.step("Not", [&wrong]);
        let value = graph.indicator(&truth);
        let fill = graph.number(filling(missing, f64::from(u8::from(fill))));
        let filled = graph.step("Where", [&gone, &fill, &value]);
        let code = graph.cast(&truth, Element::Int64);
        let nothing = graph.integer(MISSING);
        let code = graph.step("Where", [&gone, &nothing, &code]);
        self.codes.push((name.to_owned(), code));
        // What stays missing is read by code alone.
        if missing == Missing::Keep {
            return;
        }
        self.blocks.push(filled);
        if missing == Missing::Flag {
            self.flag(&gone);
        }
    }

    fn categorical(&mut self, name: &str, levels: &[String], fill: u32, missing: Missing) {
        let input = self.input(name, Element::Text, 1, "texts, an empty one is missing");
        let graph = &mut *self.graph;
        let mut keys = levels.to_vec();
        let mut values: Vec<i64> = (0..levels.len() as i64).collect();
        if !levels.iter().any(String::is_empty) {
            keys.push(String::new());
            values.push(MISSING);
        }
        let code = graph.node(
            MACHINES,
            "LabelEncoder",
            &[&input],
            vec![
                ("keys_strings", Setting::Texts(keys)),
                ("values_int64s", Setting::Ints(values)),
                ("default_int64", Setting::Int(UNSEEN)),
            ],
            1,
        );
        let code = &code[0];
        if missing == Missing::Keep {
            self.codes.push((name.to_owned(), code.clone()));
            return;
        }
        let nothing = graph.integer(MISSING);
        let gone = graph.step("Equal", [code, &nothing]);
        let fill = graph.integer(i64::from(fill));
        let filled = graph.step("Where", [&gone, &fill, code]);
        let all = graph.integers((0..levels.len() as i64).collect());
        let equal = graph.step("Equal", [&filled, &all]);
        let mut block = graph.indicator(&equal);
        if missing == Missing::Refuse {
            let no_number = graph.number(f64::NAN);
            block = graph.step("Where", [&gone, &no_number, &block]);
        }
        self.codes.push((name.to_owned(), code.clone()));
        self.blocks.push(block);
        if missing == Missing::Flag {
            self.flag(&gone);
        }
    }

    fn date(
        &mut self,
        name: &str,
        map: Affine,
        fill: f64,
        missing: Missing,
        [time_of_day, weekday, day_of_year]: [bool; 3],
    ) {
        let input = self.input(
            name,
            Element::Double,
            1,
            "seconds since 1970-01-01 UTC, NaN is missing",
        );
        let gone = self.graph.step("IsNaN", [&input]);
        let days = dates::days(self.graph, &input);
        let trend = self.scaled(
            &days,
            vec![filling(missing, fill)],
            vec![map.shift],
            vec![map.scale],
            vec![map.offset],
        );
        self.blocks.push(trend);
        let circles: [(bool, Share); 3] = [
            (time_of_day, dates::time_of_day),
            (weekday, dates::weekday),
            (day_of_year, dates::day_of_year),
        ];
        // A missing date is at the centre of its circles, or nowhere.
        let instead = if missing == Missing::Keep {
            f64::NAN
        } else {
            0.0
        };
        for (_, share) in circles.into_iter().filter(|c| c.0) {
            let share = share(self.graph, &input);
            self.blocks
                .extend(dates::on_circle(self.graph, &share, &gone, instead));
        }
        if missing == Missing::Flag {
            self.flag(&gone);
        }
    }
}

/// What replaces a missing number; NaN where the model refuses it or takes it as it is.
fn filling(missing: Missing, fill: f64) -> f64 {
    if matches!(missing, Missing::Refuse | Missing::Keep) {
        f64::NAN
    } else {
        fill
    }
}
