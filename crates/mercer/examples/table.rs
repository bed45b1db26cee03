//! From typed columns to predictions, with probabilities and scores.
//!
//! ```sh
//! cargo run --release -p mercer --example table
//! ```
//!
//! A table has named columns of numbers, categories, booleans, dates or texts, with gaps. A recipe
//! says which column is to be predicted; method, kernel and settings are chosen from the rows.
#![expect(clippy::print_stdout, reason = "an example prints")]

use mercer::data::{Categories, Column, Origin, Roles, Table, Targets, Values, holdout};
use mercer::fit::FitContext;
use mercer::judge::{ClassAnswers, Scores, score_classification};
use mercer::linalg::Matrix;
use mercer::model::{Answers, Predictions, Trained};
use mercer::recipe::Recipe;

fn main() -> mercer::Result<()> {
    let recipe = Recipe::new(Roles {
        targets: vec!["stays".to_owned()],
        id: Some("customer".to_owned()),
        ..Roles::default()
    });
    let context = FitContext::default();

    // A third of the rows is kept back, to see what the model is worth.
    let opened = recipe.open(customers(360)?)?;
    let split = holdout(opened.rows(), &opened.targets, 1.0 / 3.0, 1, None)?;
    let test = opened.part(&split.test);
    let fitted = opened.part(&split.train).prepare()?.fit(&context)?;
    let model: Trained = fitted.model;
    println!("{} with kernel {}", model.method, kernel(&model));
    for note in &fitted.report.notes {
        println!("  {}", note.text());
    }

    let predictions = model.predict(&test.features, &context)?;
    let scores = score(&predictions, &test.targets, &context)?;
    for (name, metric) in scores.metrics.iter() {
        println!(
            "{name:<18} {:.3}  [{:.3}, {:.3}]",
            metric.value, metric.low, metric.high
        );
    }

    // New rows: raw columns, matched by name. A gap is filled in; a category that was never
    // seen is noted.
    let new = Table::try_new(
        vec![
            Column::new("age", Values::Numeric(vec![23.0, f64::NAN])),
            Column::new("plan", categories(&[Some("basic"), Some("student")])),
            Column::new(
                "newsletter",
                Values::Boolean(vec![Some(false), Some(true)].into()),
            ),
            Column::new("since", Values::Date(vec![1.69e9, 1.4e9])),
        ],
        Origin::default(),
    )?;
    let predictions = model.predict(&new, &context)?;
    for (label, probability) in most_probable(&predictions) {
        println!("stays = {label}, with probability {probability:.2}");
    }
    for note in &predictions.notes {
        println!("  {}", note.text());
    }
    Ok(())
}

/// Customers of whom it is known whether they stayed, invented from a fixed sequence of numbers.
fn customers(count: usize) -> mercer::Result<Table> {
    let mut state = 7_u64;
    let mut draw = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 40) as f64 / f64::from(1_u32 << 24)
    };
    let (mut ages, mut plans, mut newsletter, mut since, mut stays) =
        (vec![], vec![], vec![], vec![], vec![]);
    for _ in 0..count {
        let age = 18.0 + 60.0 * draw();
        let plan = ["basic", "family", "business"][(3.0 * draw()) as usize % 3];
        let reads = draw() < 0.4;
        let joined = 1.4e9 + 3e8 * draw();
        // Middle-aged customers, families and readers are loyal, and so are old ones.
        let loyalty = 1.5 - ((age - 48.0) / 14.0).powi(2)
            + if plan == "family" { 1.0 } else { 0.0 }
            + if reads { 0.8 } else { -0.4 }
            + (1.55e9 - joined) / 2e8;
        stays.push(Some(if loyalty + 1.2 * (draw() - draw()) > 0.0 {
            "yes"
        } else {
            "no"
        }));
        // Some never told their age.
        ages.push(if draw() < 0.05 { f64::NAN } else { age });
        plans.push(Some(plan));
        newsletter.push(Some(reads));
        since.push(joined);
    }
    let names = (1..=count).map(|number| Some(format!("c{number:04}")));
    let columns = vec![
        Column::new("customer", Values::Text(names.collect())),
        Column::new("age", Values::Numeric(ages)),
        Column::new("plan", categories(&plans)),
        Column::new("newsletter", Values::Boolean(newsletter.into())),
        Column::new("since", Values::Date(since)),
        Column::new("stays", categories(&stays)),
    ];
    Table::try_new(columns, Origin::default())
}

fn categories(names: &[Option<&str>]) -> Values {
    Values::Categorical(Categories::from_names(names.iter().copied()))
}

fn kernel(model: &Trained) -> String {
    model.kernel_text().unwrap_or_else(|| "none".to_owned())
}

/// Scores with 95 % confidence intervals.
fn score(
    predictions: &Predictions,
    truth: &Targets,
    context: &FitContext,
) -> mercer::Result<Scores> {
    let (
        Targets::Classes(truth),
        Answers::Classes {
            labels,
            codes,
            probabilities,
        },
    ) = (truth, &predictions.answers)
    else {
        unreachable!("the target has classes, so the model predicts classes");
    };
    let table = probabilities
        .as_ref()
        .map(|rows| Matrix::from_fn(rows.len(), labels.len(), |row, class| rows[row][class]));
    let answers = ClassAnswers {
        truth: &truth.codes,
        predicted: codes,
        labels,
        probabilities: table.as_ref(),
        decisions: None,
        weights: None,
    };
    score_classification(&answers, 0.95, context)
}

/// The predicted label of every row with its probability.
fn most_probable(predictions: &Predictions) -> Vec<(&str, f64)> {
    let Answers::Classes {
        labels,
        codes,
        probabilities: Some(rows),
    } = &predictions.answers
    else {
        return Vec::new();
    };
    let each = codes.iter().zip(rows);
    each.map(|(&code, row)| (labels[code as usize].as_str(), row[code as usize]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_runs() {
        main().expect("invented rows can be learnt from");
    }

    #[test]
    fn the_model_knows_who_stays() {
        let recipe = Recipe::new(Roles {
            targets: vec!["stays".to_owned()],
            id: Some("customer".to_owned()),
            ..Roles::default()
        });
        let context = FitContext::default();
        let opened = recipe.open(customers(360).unwrap()).unwrap();
        let split = holdout(opened.rows(), &opened.targets, 1.0 / 3.0, 1, None).unwrap();
        let fitted = opened.part(&split.train).prepare().unwrap().fit(&context);
        let test = opened.part(&split.test);
        let predictions = fitted
            .unwrap()
            .model
            .predict(&test.features, &context)
            .unwrap();
        let scores = score(&predictions, &test.targets, &context).unwrap();
        // The rule behind the rows is right for about nine of ten; three quarters is well above
        // the share of either class.
        assert!(scores.metrics.get("accuracy").unwrap().value > 0.75);
        assert!(scores.metrics.get("roc_auc").unwrap().value > 0.85);
        assert_eq!(most_probable(&predictions).len(), 120);
        assert!(most_probable(&predictions).iter().all(|(_, p)| *p >= 0.5));
    }
}
