//! Intervals and sets hold what they promise, in simulations whose truth is known.

use mercer::data::{Column, Origin, Roles, Table, Targets, Values};
use mercer::fit::FitContext;
use mercer::judge::{Banded, Coverage};
use mercer::model::Trained;
use mercer::recipe::{Recipe, Wish};

/// Numbers between 0 and 1, and about normal ones.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.next()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.next()).cos()
    }
}

fn table(columns: Vec<(&str, Vec<f64>)>) -> Table {
    let column = |(name, values): (&str, Vec<f64>)| Column::new(name, Values::Numeric(values));
    let columns = columns.into_iter().map(column).collect();
    Table::try_new(columns, Origin::default()).expect("a table")
}

fn learnt(method: &str, settings: &[(&str, serde_json::Value)], table: Table) -> Trained {
    let mut recipe = Recipe::new(Roles {
        targets: vec!["y".to_owned()],
        ..Roles::default()
    });
    recipe.wish = Wish::Named(method.to_owned());
    let own = |(name, value): &(&str, serde_json::Value)| ((*name).to_owned(), value.clone());
    recipe.settings = settings.iter().map(own).collect();
    recipe
        .fit(table, &FitContext::default())
        .expect("fits")
        .model
}

/// Whether the intervals of a model hold the targets of new rows.
fn held(trained: &Trained, features: &Table, truth: Vec<f64>, level: f64) -> Coverage {
    let context = FitContext::default();
    let predictions = trained.answers(features, &context).expect("answers");
    let banded = Banded::of(trained, features, &predictions, level, 1e12, &context)
        .expect("bands")
        .expect("a model that knows its errors");
    let targets = Targets::Real(truth);
    banded.coverage(&targets).expect("alike").expect("numbers")
}

#[test]
fn least_squares_keeps_95_of_100_over_2000_draws() {
    let mut numbers = Numbers(1);
    let mut inside = 0;
    for _ in 0..2000 {
        let mut rows = |count: usize| {
            let x: Vec<f64> = (0..count).map(|_| numbers.normal()).collect();
            let z: Vec<f64> = (0..count).map(|_| numbers.next()).collect();
            let y = (0..count).map(|i| 2.0 * x[i] - z[i] + 0.7 * numbers.normal());
            let y: Vec<f64> = y.collect();
            (x, z, y)
        };
        let (x, z, y) = rows(12);
        let trained = learnt("ols", &[], table(vec![("x", x), ("z", z), ("y", y)]));
        let (x, z, y) = rows(1);
        let found = held(&trained, &table(vec![("x", x), ("z", z)]), y, 0.95);
        inside += usize::from(found.covered == 1.0);
    }
    let share = inside as f64 / 2000.0;
    assert!((share - 0.95).abs() <= 0.015, "{share}");
}

#[test]
fn conformal_intervals_keep_90_of_100_and_do_so_for_every_width() {
    const DRAWS: usize = 40;
    const KNOWN: usize = 90;
    const NEW: usize = 600;
    let mut numbers = Numbers(2);
    let mut tenths = [0_usize; 10];
    for _ in 0..DRAWS {
        let mut rows = |count: usize, spread: f64| {
            // Few rows at the right end, so that widths differ.
            let x = (0..count).map(|_| spread * numbers.next().powi(2));
            let x: Vec<f64> = x.collect();
            let y = x.iter().map(|x| (4.0 * x).sin() + 0.3 * numbers.normal());
            let y: Vec<f64> = y.collect();
            (x, y)
        };
        let (x, y) = rows(KNOWN, 1.5);
        let trained = learnt("gp", &[], table(vec![("x", x), ("y", y)]));
        let (x, truth) = rows(NEW, 1.5);
        let features = table(vec![("x", x)]);
        let context = FitContext::default();
        let predictions = trained.answers(&features, &context).expect("answers");
        let bands = trained.bands(0.9, context.par()).expect("bands");
        let records = trained.encode(&features).expect("encodes").records;
        let spreads = bands.spreads(&records, context.par()).expect("alike");
        let spreads = spreads.expect("a posterior");
        let mercer::model::Answers::Values(values) = predictions.answers else {
            panic!("numbers");
        };
        let band = |(row, y): (usize, &f64)| {
            let (low, high) = bands.interval(values[row], Some(spreads[row]));
            (high - low, (low..=high).contains(y))
        };
        let mut held: Vec<(f64, bool)> = truth.iter().enumerate().map(band).collect();
        // Widths of one model: those of all would sort by how lucky its training rows were, which no interval
        // knows of.
        held.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (count, part) in tenths.iter_mut().zip(held.chunks(NEW / 10)) {
            *count += part.iter().filter(|row| row.1).count();
        }
    }
    // What a model holds of all new rows is Beta(82, 9) over its training rows, of variance 0.09/92; new rows are
    // drawn besides. Three standard errors of a tenth, two of all.
    let by_models = 0.09 / (KNOWN + 2) as f64 / DRAWS as f64;
    let all = tenths.iter().sum::<usize>() as f64 / (DRAWS * NEW) as f64;
    assert!((all - 0.9).abs() <= 0.01, "{all}");
    let rows = DRAWS * NEW / 10;
    let bound = 3.0 * (by_models + 0.09 / rows as f64).sqrt();
    for (tenth, count) in tenths.iter().enumerate() {
        let share = *count as f64 / rows as f64;
        assert!((share - 0.9).abs() <= bound, "{share} in tenth {tenth}");
    }
}
