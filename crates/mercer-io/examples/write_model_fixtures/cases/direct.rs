//! Models that a recipe does not make: single precision, several numbers, an earlier model,
//! support vector machines with scores of held-out rows, a model of another program.

use std::collections::BTreeMap;

use mercer::data::{
    Block, Dataset, EncodeOptions, Encoder, Points, Records, Roles, Scaling, Storage, Table,
    Targets, Task, Values, make_targets,
};
use mercer::fit::{FitContext, Fitted};
use mercer::kernel::KernelSpec;
use mercer::learn::AnyEstimator;
use mercer::learn::Estimator;
use mercer::learn::least_squares::{KernelRidge, Strength};
use mercer::learn::margin::{Svc, Svr};
use mercer::model::expansion::KernelExpansion;
use mercer::model::readout::LeftOut;
use mercer::model::{Answers, Trained};
use mercer::recipe::{Recipe, Wish};
use mercer_io::libsvm::read_model;
use mercer_io::{Format, Result};
use mercer_linalg::Matrix;

use crate::case::{Case, file};
use crate::sets::{points, sparse};

/// A model with probabilities that LIBSVM wrote, and rows for it.
const LIBSVM_MODEL: &str =
    include_str!("../../../../../tests/data/libsvm/c_svc_rbf_probability.model");
const LIBSVM_ROWS: &str = include_str!("../../../../../tests/data/libsvm/new.txt");

pub(super) fn cases() -> Vec<Case> {
    vec![
        in_single(
            "single_dense",
            "support vectors in single precision, as arrays of another language bring them",
            Storage::Dense,
        ),
        in_single(
            "single_sparse",
            "sparse support vectors in single precision",
            Storage::Sparse,
        ),
        several_numbers(),
        warm_start(),
        left_out_classes(),
        left_out_numbers(),
        imported(),
    ]
}

/// A model of a machine that was fitted without a recipe.
fn assembled(
    task: Task,
    method: &str,
    encoder: Encoder,
    fitted: Fitted<KernelExpansion>,
) -> Trained {
    Trained {
        attributes: BTreeMap::from([("fixture.language".to_owned(), "none".to_owned())]),
        ..Trained::new(task, method, encoder, fitted.model.into(), fitted.report)
    }
}

fn in_single(name: &'static str, about: &'static str, storage: Storage) -> Case {
    let learn = move |table: Table, _: &Roles, context: &FitContext| -> Result<Trained> {
        let targets = make_targets(table.column("y")?, Task::Classify, None)?;
        let points = single(&table, storage)?;
        let encoder = Encoder::identity(points.columns(), storage);
        let data = Dataset::try_new(Records::from_points(points), targets)?;
        let machine = Svc::default().kernel(KernelSpec::rbf(0.7)).c(3.0);
        let fitted = machine.fit(&data, context)?;
        Ok(assembled(Task::Classify, "svc", encoder, fitted))
    };
    sparse::labels().by(name, about, learn)
}

/// The vectors of a table in single precision.
fn single(table: &Table, storage: Storage) -> Result<Points> {
    let Values::Vectors(points) = &table.column("x")?.values else {
        unreachable!("LIBSVM files hold vectors")
    };
    let block: Block<f32> = points.widened().cast();
    Ok(match (block, storage) {
        (Block::Sparse(rows), Storage::Dense) => Points::from(rows.to_dense()),
        (block, _) => Points::from(block),
    })
}

fn several_numbers() -> Case {
    let both = ["height", "depth"];
    let learn = move |mut table: Table, roles: &Roles, context: &FitContext| -> Result<Trained> {
        let mut numbers = Vec::new();
        for name in both {
            if let Values::Numeric(values) = table.take(name)?.values {
                numbers.extend(values);
            }
        }
        for name in &roles.drop {
            table.take(name)?;
        }
        let targets = Matrix::from_vec(both.len(), table.rows(), numbers);
        let options = EncodeOptions::default().scaling(Scaling::Standard);
        let (encoder, _) = Encoder::fit(&table, &options)?;
        let records = encoder.transform(&table)?.records;
        let machine = KernelRidge::default()
            .kernel(KernelSpec::rbf(0.3))
            .strength(Strength::Evidence)
            .intercept(true);
        let fitted = machine.fit_several(&records, &targets, None, context)?;
        Ok(assembled(Task::Regress, "krr", encoder, fitted))
    };
    let set = points::points("height").without(&["copies", "name", "side", "zone"]);
    set.by("krr_several", "two numbers from one factor", learn)
}

fn warm_start() -> Case {
    let learn = |table: Table, roles: &Roles, context: &FitContext| -> Result<Trained> {
        let mut recipe = Recipe::new(roles.clone());
        let machine = Svc::default().kernel(KernelSpec::rbf(0.4));
        recipe.scaling = Some(Scaling::Standard);
        recipe.wish = Wish::Given(AnyEstimator::Svc(machine.clone().c(1.0)));
        let half: Vec<usize> = (0..table.rows()).step_by(2).collect();
        recipe.earlier = Some(recipe.fit(table.select(&half), context)?.model.into());
        recipe.wish = Wish::Given(AnyEstimator::Svc(machine.c(8.0)));
        Ok(recipe.fit(table, context)?.model)
    };
    points::points("zone").by(
        "svc_warm_start",
        "learnt from an earlier model of half of the rows",
        learn,
    )
}

/// Even rows teach, odd rows tell how wrong the machine is.
fn halves(table: &Table) -> (Table, Table) {
    let half = |start: usize| (start..table.rows()).step_by(2).collect::<Vec<_>>();
    (table.select(&half(0)), table.select(&half(1)))
}

fn left_out_classes() -> Case {
    let learn = |table: Table, roles: &Roles, context: &FitContext| -> Result<Trained> {
        let (taught, other) = halves(&table);
        let mut recipe = Recipe::new(roles.clone());
        let machine = Svc::default().kernel(KernelSpec::rbf(0.3)).c(2.0);
        recipe.wish = Wish::Given(AnyEstimator::Svc(machine));
        let mut trained = recipe.fit(taught, context)?.model;
        let decisions = trained.predict(&other, context)?.decisions;
        let labels = trained.labels().map(<[String]>::to_vec);
        let truth = make_targets(other.column("zone")?, Task::Classify, labels.as_deref())?;
        let model = trained.form.expansion_mut().expect("a kernel expansion");
        if let (Targets::Classes(classes), Some(readout)) = (&truth, model.readout.classes()) {
            let score = |(row, &class): (usize, &u32)| {
                readout.nonconformity(decisions.row(row), class as usize)
            };
            let scores = classes.codes.iter().enumerate().map(score).collect();
            model.left_out = LeftOut::new(scores);
        }
        Ok(trained)
    };
    points::points("zone").by(
        "left_out_classes",
        "sets of classes of a decision per pair",
        learn,
    )
}

fn left_out_numbers() -> Case {
    let learn = |table: Table, _: &Roles, context: &FitContext| -> Result<Trained> {
        let (taught, other) = halves(&table);
        let names = ["a", "b", "c"].map(str::to_owned);
        let encoder = Encoder::unchanged(&names, Storage::Dense);
        let heights = |table: &Table| make_targets(table.column("height")?, Task::Regress, None);
        let records = encoder.transform(&taught)?.records;
        let data = Dataset::try_new(records, heights(&taught)?)?;
        let machine = Svr::default().kernel(KernelSpec::rbf(0.3)).c(5.0);
        let fitted = machine.fit(&data, context)?;
        let mut trained = assembled(Task::Regress, "svr", encoder, fitted);
        let found = trained.predict(&other, context)?.answers;
        let model = trained.form.expansion_mut().expect("a kernel expansion");
        if let (Answers::Values(found), Targets::Real(truth)) = (found, heights(&other)?) {
            let errors = found.iter().zip(truth).map(|(f, y)| (f - y).abs());
            model.left_out = LeftOut::new(errors.collect());
        }
        Ok(trained)
    };
    points::points("height").by(
        "left_out_numbers",
        "intervals without a posterior, of named columns that pass through unchanged",
        learn,
    )
}

fn imported() -> Case {
    Case {
        name: "imported_libsvm",
        about: "a model of LIBSVM with probabilities",
        learn: Box::new(|_| read_model(LIBSVM_MODEL.as_bytes(), "model")?.into_trained(None)),
        asked: file(Format::Libsvm, LIBSVM_ROWS),
    }
}
