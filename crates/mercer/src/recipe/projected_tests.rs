//! A projection before a model: fitted to what is learnt from, and to nothing else.

use mercer_linalg::Matrix;

use super::{Recipe, Wish};
use crate::data::{
    ClassTargets, Column, Dataset, Folds, Origin, Records, Roles, Table, Targets, Values, folds,
};
use crate::fit::FitContext;
use crate::judge::Metric;
use crate::learn::project::{Pca, projection_named};
use crate::learn::{AnyEstimator, Estimator};
use crate::model::{Answers, Chain, Form, Trained};
use crate::select::folds::predictions;
use crate::select::grid::{FoldRule, Tuning};

/// Two classes in six columns, one row far from all others, so that axes hang on what is learnt from.
fn table() -> Table {
    let value = |i: usize, j: usize| {
        let class = if i.is_multiple_of(2) { 1.0 } else { -1.0 };
        let wave = ((i * (2 * j + 3) * 29) % 53) as f64 / 13.0 - 2.0;
        let far = if i == 7 { 40.0 * (j as f64 - 2.0) } else { 0.0 };
        wave + class * (j % 2) as f64 + far
    };
    let mut columns: Vec<Column> = (0..6)
        .map(|j| {
            let values = (0..60).map(|i| value(i, j)).collect();
            Column::new(format!("x{j}"), Values::Numeric(values))
        })
        .collect();
    let labels = (0..60).map(|i| Some(if i % 2 == 0 { "a" } else { "b" }.to_owned()));
    columns.push(Column::new("class", Values::Text(labels.collect())));
    Table::try_new(columns, Origin::default()).expect("columns of one length")
}

fn recipe(project: &str, model: &str) -> Recipe {
    let roles = Roles {
        targets: vec!["class".to_owned()],
        ..Roles::default()
    };
    let mut recipe = Recipe::new(roles);
    recipe.task = Some(crate::data::Task::Classify);
    recipe.wish = Wish::Named(model.to_owned());
    recipe.project = Some(projection_named(project).expect("a projection"));
    recipe
}

fn rows(table: &Table) -> Matrix<f64> {
    Matrix::from_fn(60, 6, |i, j| match &table.columns()[j].values {
        Values::Numeric(values) => values[i],
        _ => unreachable!("the last column is the target"),
    })
}

fn split(targets: &Targets) -> Folds {
    folds(60, targets, 4, 3, None).expect("enough rows")
}

fn coordinates(form: &Form, rows: Matrix<f64>) -> Records {
    let found = form.predict(&Records::from_points(rows), &FitContext::default());
    Chain::records(found.expect("coordinates").decisions)
}

fn select(rows: &Matrix<f64>, chosen: &[usize]) -> Matrix<f64> {
    rows.select_rows(chosen)
}

#[test]
fn folds_project_their_training_part_only() {
    let table = table();
    for (project, model) in [
        ("pca=2", "svc"),
        ("kpca=3", "svc"),
        ("whiten=3", "logistic"),
    ] {
        let recipe = recipe(project, model);
        let opened = recipe.open(table.clone()).expect("a table");
        let split = split(&opened.targets);
        let context = FitContext::default();
        let found = predictions(&opened, &split, |fold| {
            let test = fold.test();
            let trained = fold.train.prepare()?.fit(&context)?.model;
            assert_eq!(trained.form.kind(), "chain");
            trained.answers(&test.features, &context)
        })
        .expect("predictions");
        // The same by hand.
        let whole = rows(&table);
        let classes = opened.targets.classes().expect("classes").clone();
        let mut decisions = vec![0.0; 60];
        for fold in 0..split.test.len() {
            let (train, test) = (split.train(fold), &split.test[fold]);
            let part = select(&whole, &train);
            let data = Dataset::try_new(Records::from_points(part.clone()), Targets::None).unwrap();
            let first: Form = match projection_named(project).unwrap() {
                AnyEstimator::Pca(pca) => pca.fit(&data, &context).unwrap().model.into(),
                AnyEstimator::KernelPca(kpca) => kpca.fit(&data, &context).unwrap().model.into(),
                other => panic!("{other:?}"),
            };
            let codes = train.iter().map(|&r| classes.codes[r]).collect();
            let targets = Targets::Classes(ClassTargets {
                codes,
                labels: classes.labels.clone(),
            });
            let data = Dataset::try_new(coordinates(&first, part), targets).unwrap();
            let machine = AnyEstimator::for_task(model, crate::data::Task::Classify).unwrap();
            let then = machine.fit(&data, &context, None).unwrap().model;
            let new = coordinates(&first, select(&whole, test));
            let answers = then.predict(&new, &context).unwrap();
            for (k, &row) in test.iter().enumerate() {
                decisions[row] = answers.decisions[(k, 0)];
            }
        }
        for (row, by_hand) in decisions.iter().enumerate() {
            let own = found.decisions[(row, 0)];
            assert!(
                (own - by_hand).abs() < 1e-9,
                "{project} {row}: {own} {by_hand}"
            );
        }
        // A projection of all rows would have given other results.
        let all = recipe.fit(table.clone(), &context).expect("a model").model;
        let leaked = all.form.chain().expect("a chain").projection.clone();
        let data = coordinates(&leaked, select(&whole, &split.test[0]));
        let alone = split.train(0);
        let part = select(&whole, &alone);
        let fresh = Dataset::try_new(Records::from_points(part), Targets::None).unwrap();
        let own = projection_named(project)
            .unwrap()
            .fit(&fresh, &context, None)
            .unwrap()
            .model;
        let held = coordinates(&own, select(&whole, &split.test[0]));
        assert_ne!(data, held);
    }
}

#[test]
fn a_search_projects_inside_its_folds() {
    let table = table();
    let recipe = recipe("pca=2", "svc");
    let prepared = recipe.open(table.clone()).unwrap().prepare().unwrap();
    let context = FitContext::default().seed(3);
    let mut svc = AnyEstimator::named("svc").unwrap();
    svc.set_kernel("rbf(gamma=0.1)".parse().unwrap());
    let tuning = Tuning {
        axes: vec!["C=0.1..10:3".parse().unwrap()],
        folds: FoldRule::Count(4),
        metric: Some(Metric::Accuracy),
        race: false,
        project: prepared.project.clone(),
        ..Tuning::default()
    };
    let tuned = tuning.run(&svc, &prepared.data, &context).unwrap();
    let split = split(&prepared.data.targets);
    let whole = rows(&table);
    let classes = prepared.data.targets.classes().unwrap();
    for point in &tuned.points {
        for (fold, score) in point.folds.iter().enumerate() {
            let (train, test) = (split.train(fold), &split.test[fold]);
            let part = select(&whole, &train);
            let data = Dataset::try_new(Records::from_points(part.clone()), Targets::None).unwrap();
            let pca = Pca::default().components(Some(2));
            let first: Form = pca.fit(&data, &context).unwrap().model.into();
            let targets = prepared.data.targets.select(&train);
            let data = Dataset::try_new(coordinates(&first, part), targets).unwrap();
            let mut machine = svc.clone();
            machine.set("c", &point.values[0].into()).unwrap();
            let then = machine.fit(&data, &context, None).unwrap().model;
            let new = coordinates(&first, select(&whole, test));
            let Answers::Classes { codes, .. } = then.predict(&new, &context).unwrap().answers
            else {
                panic!("classes");
            };
            let right = test
                .iter()
                .zip(&codes)
                .filter(|(row, code)| classes.codes[**row] == **code);
            let share = right.count() as f64 / test.len() as f64;
            assert!(
                (share - score).abs() < 1e-12,
                "fold {fold}: {share} {score}"
            );
        }
    }
}

#[test]
fn a_chain_is_stored_and_loaded() {
    let context = FitContext::default();
    for project in ["pca=2", "kpca=3", "whiten", "ica=2"] {
        for model in ["svc", "logistic", "c45"] {
            let trained = recipe(project, model)
                .fit(table(), &context)
                .expect(model)
                .model;
            let parts = trained.to_parts();
            let again = Trained::from_parts(parts).expect("a model");
            let rows = table();
            let (a, b) = (
                trained.predict(&rows, &context).unwrap(),
                again.predict(&rows, &context).unwrap(),
            );
            assert_eq!(a.decisions, b.decisions, "{project} {model}");
            assert!(trained.report.projection.is_some() || project.starts_with("ica"));
        }
    }
    let mut wrong = recipe("pca=2", "svc");
    wrong.project = Some(AnyEstimator::named("svc").unwrap());
    assert!(wrong.fit(table(), &context).is_err());
}

#[test]
fn a_chain_checks_its_parts() {
    let context = FitContext::default();
    let trained = recipe("pca=2", "svc").fit(table(), &context).unwrap().model;
    let chain = trained.form.chain().unwrap().clone();
    let other = recipe("pca=3", "svc").fit(table(), &context).unwrap().model;
    let broken = Chain {
        projection: other.form.chain().unwrap().projection.clone(),
        ..chain.clone()
    };
    assert!(Form::from(broken).check().is_err());
    let nested = Chain {
        projection: Box::new(trained.form.clone()),
        ..chain
    };
    assert!(Form::from(nested).check().is_err());
}
