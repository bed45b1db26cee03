//! Every row predicted without itself, from one fit.
//!
//! Where predictions are linear in the targets, f = H y, the residual of a row that is left out is that
//! of the row that is not over 1 − H_ii (Allen's PRESS; for kernels Cawley and Talbot, 2004). With noise of
//! variance σ² the variance of f at a training row is σ² H_ii, so that every model which knows how sure it is
//! knows its own leverages: weights with their covariance, and expansions with a posterior.

use super::Opened;
use crate::data::{Records, Targets, Task};
use crate::fit::{FitContext, Note};
use crate::model::{Answers, Form, Predictions, Trained};
use crate::{Error, Result};

/// A leverage so near to 1 that the row alone decides about a parameter: without it there is no
/// prediction.
const ALONE: f64 = 1.0 - 1e-8;

/// Predicts every row without itself in closed form, where the method has one and nothing is left to chance: a
/// linear model or a function of a kernel that was learnt with the squared loss. `None` elsewhere.
///
/// What is found from the data beside the function stays that of all rows: scaling of columns, parameters of
/// the kernel and the weight of the penalty that were left open.
///
/// # Errors
/// Rows that cannot be learnt from; cancellation.
pub fn leave_one_out(
    opened: &Opened<'_>,
    context: &FitContext,
) -> Result<Option<(Predictions, Trained)>> {
    let Targets::Real(targets) = &opened.targets else {
        return Ok(None);
    };
    // `lssvm` and `gp` are other names of `ls_svr`.
    let squared = ["ols", "ridge", "krr", "ls_svr"];
    if opened.task != Task::Regress || opened.steps().is_some() {
        return Ok(None);
    }
    let prepared = opened.clone().prepare()?;
    let is_squared = match &prepared.way {
        super::Way::Method(method) => squared.contains(&method.name()),
        super::Way::Auto(_) => false,
    };
    if !is_squared || prepared.project.is_some() || prepared.earlier.is_some() {
        return Ok(None);
    }
    let trained = prepared.fit(&context.restarted())?.model;
    let records = trained.encode(&opened.features)?.records;
    let Some(leverages) = leverages(&trained.form, &records, context)? else {
        return Ok(None);
    };
    let weight = |row: usize| opened.weights.as_ref().map_or(1.0, |w| w[row]);
    let mut predictions = trained.answers(&opened.features, context)?;
    let Answers::Values(values) = &mut predictions.answers else {
        return Ok(None);
    };
    for (row, value) in values.iter_mut().enumerate() {
        let share = weight(row) * leverages[row];
        if !(0.0..ALONE).contains(&share) {
            return Ok(None);
        }
        *value = targets[row] - (targets[row] - *value) / (1.0 - share);
    }
    predictions.notes.push(Note::Choice(
        "rows are left out in closed form; scaling of columns and settings that were left open are those of \
         all rows"
            .to_owned(),
    ));
    Ok(Some((predictions, trained)))
}

/// Var f/σ² of every record; `None` for models that do not know how sure they are.
fn leverages(form: &Form, records: &Records, context: &FitContext) -> Result<Option<Vec<f64>>> {
    let par = context.par();
    if let Some(linear) = form.linear() {
        return match &linear.spread {
            Some(spread) => Ok(Some(spread.unscaled_variances(records, par)?)),
            None => Ok(None),
        };
    }
    let Some(expansion) = form.expansion() else {
        return Ok(None);
    };
    let Some(certainty) = expansion.certainty(par)? else {
        return Ok(None);
    };
    let noise = certainty.noise_variances();
    let [noise] = noise[..] else {
        return Ok(None);
    };
    let variances = certainty.variances(records, par)?;
    if !(noise > 0.0 && noise.is_finite()) {
        return Ok(None);
    }
    context.check().or_else(|error| match error {
        Error::OutOfTime => Ok(()),
        other => Err(other),
    })?;
    let rows = 0..records.len();
    Ok(Some(rows.map(|row| variances[(row, 0)] / noise).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Origin, Roles, Table, Values};
    use crate::recipe::{Recipe, Wish};
    use crate::select::folds::predictions;

    fn table() -> Table {
        let x: Vec<f64> = (0..25).map(|i| f64::from(i) / 24.0).collect();
        let z: Vec<f64> = (0..25).map(|i| f64::from(i * 7 % 11)).collect();
        let y =
            (0..25).map(|i| (6.0 * x[i]).sin() + 0.05 * z[i] + 0.1 * f64::from(i as u32 * 5 % 7));
        let y: Vec<f64> = y.collect();
        let columns = [("x", x), ("z", z), ("y", y)]
            .map(|(name, values)| Column::new(name, Values::Numeric(values)));
        Table::try_new(columns.to_vec(), Origin::default()).unwrap()
    }

    /// The largest difference between the closed form and one fit per row.
    fn difference(method: &str, settings: &[(&str, serde_json::Value)]) -> f64 {
        let mut recipe = Recipe::new(Roles {
            targets: vec!["y".to_owned()],
            ..Roles::default()
        });
        recipe.wish = Wish::Named(method.to_owned());
        for (name, value) in settings {
            recipe.settings.push(((*name).to_owned(), value.clone()));
        }
        let opened = recipe.open(table()).unwrap();
        let context = FitContext::default();
        let (closed, _) = leave_one_out(&opened, &context)
            .unwrap()
            .expect("a closed form");
        let split = opened.folds(25, 0).unwrap();
        let by_fits = predictions(&opened, &split, |fold| {
            let test = fold.test();
            let trained = fold.train.prepare()?.fit(&context)?.model;
            trained.answers(&test.features, &context)
        })
        .unwrap();
        let (Answers::Values(a), Answers::Values(b)) = (closed.answers, by_fits.answers) else {
            panic!("numbers");
        };
        let pairs = a.iter().zip(&b);
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn closed_forms_are_one_fit_per_row() {
        assert!(difference("ols", &[]) < 1e-9);
        assert!(difference("ridge", &[("lambda", 0.7.into())]) < 1e-9);
        let kernel = ("kernel", serde_json::Value::from("rbf(gamma=0.5)"));
        for (method, strength, value) in [
            ("gp", "c", 20.0),
            ("lssvm", "c", 20.0),
            ("krr", "lambda", 0.05),
        ] {
            let found = difference(method, &[kernel.clone(), (strength, value.into())]);
            assert!(found < 1e-7, "{method}: {found}");
        }
    }

    #[test]
    fn other_methods_have_none() {
        let mut recipe = Recipe::new(Roles {
            targets: vec!["y".to_owned()],
            ..Roles::default()
        });
        recipe.wish = Wish::Named("svr".to_owned());
        let opened = recipe.open(table()).unwrap();
        let found = leave_one_out(&opened, &FitContext::default()).unwrap();
        assert!(found.is_none());
    }
}
