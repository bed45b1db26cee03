//! A model file, loaded once and used from a function.
//!
//! ```sh
//! cargo run --release -p mercer-io --example saved_model                  # learns, saves, loads, prices
//! cargo run --release -p mercer-io --example saved_model -- flats.mercer  # keeps the file, or uses it
//! ```
//!
//! The file is the same that `mercer fit` and Python write and read: columns are matched by name,
//! and all encoding is part of the model.
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::path::{Path, PathBuf};

use mercer::data::{Categories, Column, Origin, Roles, Table, Values};
use mercer::fit::FitContext;
use mercer::linalg::Precision;
use mercer::model::{Answers, Predictor};
use mercer::recipe::Recipe;
use mercer_io::{ReadOptions, Result, Source, model, read};

fn main() -> Result<()> {
    let folder = tempfile::tempdir().map_err(|e| mercer_io::Error::Io {
        file: "a temporary folder".to_owned(),
        source: e,
    })?;
    let named = std::env::args_os().nth(1).map(PathBuf::from);
    let path = named.unwrap_or_else(|| folder.path().join("flats.mercer"));
    show(&path)
}

/// Prices flats with the model of a file, which is learnt first where there is none.
fn show(path: &Path) -> Result<()> {
    if !path.exists() {
        learn(path)?;
    }
    let pricer = Pricer::load(path)?;
    let flats = [
        Flat {
            area: 65.0,
            floor: Some(3),
            district: "harbour",
        },
        Flat {
            area: 65.0,
            floor: Some(3),
            district: "hill",
        },
        Flat {
            area: 120.0,
            floor: None,
            district: "hill",
        },
    ];
    for flat in &flats {
        println!("{flat:?}: {:.0}", pricer.price(flat)?);
    }
    Ok(())
}

/// What is known of a flat.
#[derive(Debug)]
struct Flat<'a> {
    area: f64,
    floor: Option<u8>,
    district: &'a str,
}

/// A model that is ready to predict. Threads may share it: a server makes one and keeps it.
struct Pricer {
    predictor: Predictor,
    context: FitContext,
}

impl Pricer {
    /// Loads a model file; checksum and contents are checked, nothing in it is run.
    fn load(path: &Path) -> Result<Self> {
        let trained = model::load(path)?;
        if !trained.targets.iter().eq(["price"]) {
            return Err(mercer_io::Error::Unsupported {
                file: path.display().to_string(),
                problem: "the model does not predict a price".to_owned(),
                cure: "give a model of flats".into(),
            });
        }
        Ok(Self {
            predictor: trained.predictor(Precision::F64)?,
            context: FitContext::default(),
        })
    }

    fn price(&self, flat: &Flat<'_>) -> Result<f64> {
        let row = Table::try_new(
            vec![
                Column::new("area", Values::Numeric(vec![flat.area])),
                Column::new(
                    "floor",
                    Values::Numeric(vec![flat.floor.map_or(f64::NAN, f64::from)]),
                ),
                Column::new(
                    "district",
                    Values::Categorical(Categories::from_names([Some(flat.district)])),
                ),
            ],
            Origin::default(),
        )?;
        match self.predictor.predict(&row, &self.context)?.answers {
            Answers::Values(values) => Ok(values[0]),
            _ => unreachable!("a price is a number, and the model was asked when it was loaded"),
        }
    }
}

/// Learns from a file of flats and saves the model.
fn learn(path: &Path) -> Result<()> {
    let source = Source::bytes("flats.csv", flats().into_bytes());
    let table = read(&source, &ReadOptions::default())?;
    let recipe = Recipe::new(Roles {
        targets: vec!["price".to_owned()],
        ..Roles::default()
    });
    let fitted = recipe.fit(table, &FitContext::default())?;
    model::save(&fitted.model, path)
}

/// A CSV file of invented flats; the floor of some is not known.
fn flats() -> String {
    const DISTRICTS: [(&str, f64); 3] =
        [("harbour", 5200.0), ("hill", 4100.0), ("station", 2900.0)];
    let flat = |i: u32| {
        let area = 30.0 + f64::from(i * 37 % 110);
        let floor = i * 7 % 9;
        let (district, worth) = DISTRICTS[(i % 3) as usize];
        let noise = 1000.0 * (f64::from(i * 31 % 17) - 8.0);
        let price = worth * area * (1.0 + 0.02 * f64::from(floor)) + noise;
        let floor = if i % 12 == 5 {
            String::new()
        } else {
            floor.to_string()
        };
        format!("{area},{floor},{district},{price:.0}")
    };
    let lines = std::iter::once("area,floor,district,price".to_owned()).chain((0..150).map(flat));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loaded_model_prices_flats() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("flats.mercer");
        assert!(Pricer::load(&path).is_err());
        learn(&path).unwrap();
        let pricer = Pricer::load(&path).unwrap();
        for (district, worth) in [("harbour", 5200.0), ("station", 2900.0)] {
            let flat = Flat {
                area: 80.0,
                floor: Some(4),
                district,
            };
            let truth = worth * 80.0 * 1.08;
            let price = pricer.price(&flat).unwrap();
            // The noise has a standard deviation of 5,000.
            assert!(
                (price - truth).abs() < 15_000.0,
                "{district}: {price}, not {truth}"
            );
        }
        let flat = Flat {
            area: 50.0,
            floor: None,
            district: "hill",
        };
        let price = || pricer.price(&flat).unwrap();
        let there = std::thread::scope(|scope| scope.spawn(price).join().unwrap());
        assert_eq!(there.to_bits(), price().to_bits());
    }

    #[test]
    fn the_example_runs() {
        let folder = tempfile::tempdir().unwrap();
        show(&folder.path().join("flats.mercer")).expect("a model");
    }
}
