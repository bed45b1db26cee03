//! Two ways to bring a kernel of your own.
//!
//! ```sh
//! cargo run --release -p mercer --example custom_kernel
//! ```
//!
//! 1. **A family.** A function of two rows and a declaration of its parameters make a kernel that
//!    expressions can name, add and multiply, that every method takes and whose hyperparameters are
//!    found like those of built-in ones. Model files name it, too: a program that registers the
//!    family before loading can use them.
//! 2. **A matrix.** Values that come from elsewhere, or that compare things that are no columns, are
//!    given as they are. Every prediction needs the values of new rows with all rows of the
//!    training set, in their order, and a file of such a model is of use only beside them.
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::collections::BTreeSet;

use mercer::data::{Block, ClassTargets, Dataset, Records, Targets, Task};
use mercer::fit::FitContext;
use mercer::kernel::{
    self, Allowed, Compare, Definiteness, Fallback, Family, Input, KernelSpec, Pairwise, Parameter,
    Rule, Settings,
};
use mercer::learn::margin::Svc;
use mercer::learn::{AnyEstimator, Estimator};
use mercer::linalg::{Matrix, SharedMatrix};
use mercer::model::{Answers, Form};
use mercer::{Error, Result};

fn main() -> Result<()> {
    kernel::register(&PERIODIC)?;
    for kernel in ["periodic(period=24) + linear", "rbf + linear"] {
        println!(
            "{kernel}: error {:.3} on the days to come",
            forecast(kernel)?
        );
    }
    for (dish, kitchen) in kitchens()? {
        println!("{dish}: {kitchen}");
    }
    Ok(())
}

// 1. A family: k(x, z) = exp(−2 Σ sin²(π(x − z)/period)/length²)

/// Positions of the parameters in the declaration below.
const PERIOD: usize = 0;
const LENGTH: usize = 1;

static PERIODIC: Family = Family {
    name: "periodic",
    summary: "functions that repeat themselves",
    formula: "exp(−2 Σ sin²(π(x−z)/period)/length²)",
    parameters: &[
        Parameter {
            name: "period",
            meaning: "the distance after which functions repeat",
            allowed: Allowed::Number(Rule::Positive),
            fallback: Fallback::Number(1.0),
            default: "1",
            instead_of: None,
        },
        Parameter {
            name: "length",
            meaning: "how smooth a period is",
            allowed: Allowed::Number(Rule::Positive),
            fallback: Fallback::Number(1.0),
            default: "1",
            instead_of: None,
        },
    ],
    parameter_kind: "parameter of `periodic`",
    input: Input::Vectors,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, records| dense(records).map(drop),
    bind: |settings, records| {
        Ok(Box::new(Pairwise::try_new(
            Periodic::of(settings),
            records,
        )?))
    },
};

struct Periodic {
    period: f64,
    length: f64,
}

impl Periodic {
    fn of(settings: &Settings) -> Self {
        Self {
            period: settings.number(PERIOD).unwrap_or(1.0),
            length: settings.number(LENGTH).unwrap_or(1.0),
        }
    }
}

impl Compare for Periodic {
    type Rows = SharedMatrix<f64>;

    fn take(&self, records: &Records) -> Result<Self::Rows> {
        dense(records)
    }

    fn matches(&self, bound: &Self::Rows, new: &Self::Rows) -> Result<()> {
        if bound.columns() == new.columns() {
            return Ok(());
        }
        Err(Error::Length {
            what: "a new row".to_owned(),
            found: new.columns(),
            expected: bound.columns(),
            unit: "columns",
        })
    }

    // The sine of x − z and of z − x differ in sign only: the value is symmetric to the last bit.
    fn value(&self, left: &Self::Rows, i: usize, right: &Self::Rows, j: usize) -> f64 {
        let angle = |x: f64, z: f64| (std::f64::consts::PI * (x - z) / self.period).sin();
        let pairs = left.row(i).iter().zip(right.row(j));
        let sum: f64 = pairs.map(|(x, z)| angle(*x, *z).powi(2)).sum();
        (-2.0 * sum / self.length.powi(2)).exp()
    }
}

fn dense(records: &Records) -> Result<SharedMatrix<f64>> {
    match records.features.points.widened() {
        Block::Dense(rows) if rows.columns() > 0 => Ok(rows),
        _ => Err(Error::Kernel {
            kernel: "periodic".to_owned(),
            problem: "rows are sparse, or have no numbers".to_owned(),
            cure: "give numeric columns".into(),
        }),
    }
}

/// Learns ten days of an hourly load from every third hour, and returns the root mean squared error
/// over the four days after them. The noise of the load is about 0.1.
fn forecast(kernel: &str) -> Result<f64> {
    let load = |hour: f64| {
        let day = std::f64::consts::TAU * hour / 24.0;
        let noise = 0.14 * (57.0 * hour * hour).sin();
        day.sin() + 0.6 * (2.0 * day + 1.0).cos() + 0.01 * hour + noise
    };
    let hours: Vec<f64> = (0..80).map(|i| f64::from(3 * i)).collect();
    let later: Vec<f64> = (240..336).map(f64::from).collect();
    let rows =
        |hours: &[f64]| Records::from_points(Matrix::from_vec(hours.len(), 1, hours.to_vec()));
    let targets = Targets::Real(hours.iter().map(|h| load(*h)).collect());
    let data = Dataset::try_new(rows(&hours), targets)?;

    // A Gaussian process: the evidence finds the size of the noise.
    let mut process = AnyEstimator::for_task("gp", Task::Regress)?;
    process.set_kernel(kernel.parse()?);
    let context = FitContext::default();
    let model = process.fit(&data, &context, None)?.model;
    let Answers::Values(found) = model.predict(&rows(&later), &context)?.answers else {
        unreachable!("a regression predicts numbers");
    };
    let squares = later
        .iter()
        .zip(&found)
        .map(|(h, f)| (load(*h) - f).powi(2));
    Ok((squares.sum::<f64>() / later.len() as f64).sqrt())
}

// 2. A matrix: the share of ingredients that two dishes have in common

const DISHES: [(&str, &str, &str); 8] = [
    (
        "tikka masala",
        "chicken yoghurt tomato garam-masala ginger garlic",
        "indian",
    ),
    (
        "dal",
        "lentils turmeric cumin ginger garlic onion",
        "indian",
    ),
    (
        "palak paneer",
        "spinach paneer garam-masala ginger onion",
        "indian",
    ),
    (
        "chana masala",
        "chickpeas tomato garam-masala cumin turmeric",
        "indian",
    ),
    (
        "carbonara",
        "spaghetti egg pecorino pancetta pepper",
        "italian",
    ),
    ("arrabbiata", "penne tomato chilli garlic basil", "italian"),
    ("caprese", "mozzarella tomato basil olive-oil", "italian"),
    (
        "cacio e pepe",
        "spaghetti pecorino pepper olive-oil",
        "italian",
    ),
];
const NEW: [(&str, &str); 2] = [
    ("amatriciana", "spaghetti tomato pancetta pecorino"),
    ("aloo gobi", "potato cauliflower turmeric cumin ginger"),
];

/// |A ∩ B| / |A ∪ B|, which is positive semidefinite (Jaccard).
fn in_common(a: &str, b: &str) -> f64 {
    let [a, b] = [a, b].map(|text| text.split(' ').collect::<BTreeSet<_>>());
    a.intersection(&b).count() as f64 / a.union(&b).count() as f64
}

/// Tells which kitchen the new dishes come from.
fn kitchens() -> Result<Vec<(&'static str, String)>> {
    let known = |i: usize| DISHES[i].1;
    let gram = Matrix::from_fn(DISHES.len(), DISHES.len(), |i, j| {
        in_common(known(i), known(j))
    });
    let labels = ClassTargets::from_labels(&DISHES.map(|(_, _, kitchen)| kitchen));
    let data = Dataset::try_new(Records::from_points(gram), Targets::Classes(labels))?;
    let machine = Svc::default().kernel(KernelSpec::precomputed()).c(10.0);
    let context = FitContext::default();
    let model = Form::from(machine.fit(&data, &context)?.model);

    // A row per new dish, a column per dish of the training set.
    let values = Matrix::from_fn(NEW.len(), DISHES.len(), |i, j| {
        in_common(NEW[i].1, known(j))
    });
    let answers = model
        .predict(&Records::from_points(values), &context)?
        .answers;
    let Answers::Classes { labels, codes, .. } = answers else {
        unreachable!("the targets are classes");
    };
    let named = NEW.iter().zip(codes);
    Ok(named
        .map(|((dish, _), code)| (*dish, labels[code as usize].clone()))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_runs() {
        main().expect("both ways work");
    }

    #[test]
    fn a_kernel_that_knows_the_period_forecasts_better() {
        kernel::register(&PERIODIC).unwrap();
        let own = forecast("periodic(period=24) + linear").unwrap();
        let smooth = forecast("rbf + linear").unwrap();
        assert!(own < 0.2 && own < 0.5 * smooth, "{own} {smooth}");
    }

    #[test]
    fn dishes_are_told_apart_by_what_is_in_them() {
        let found = kitchens().unwrap();
        assert_eq!(found[0].1, "italian");
        assert_eq!(found[1].1, "indian");
    }
}
