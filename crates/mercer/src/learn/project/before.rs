//! A projection before a method: what is learnt from are its coordinates.

use serde_json::{Map, Value, json};

use super::{Ica, KernelPca, Pca};
use crate::data::{Dataset, Records, Targets, Task};
use crate::fit::{FitContext, FitReport};
use crate::kernel::KernelSpec;
use crate::learn::AnyEstimator;
use crate::learn::features::{Nystroem, RandomFeatures};
use crate::model::{Chain, Form};
use crate::{Error, Result};

/// Rows in the coordinates of a projection that was fitted to them.
pub(crate) struct Projected {
    /// The projection.
    pub(crate) form: Form,
    /// The rows.
    pub(crate) data: Dataset,
    /// How the projection went.
    pub(crate) report: FitReport,
}

/// Fits a projection to the records of a data set, without a look at its targets.
///
/// # Errors
/// What the projection refuses; a method that gives no coordinates.
pub(crate) fn projected(
    estimator: &AnyEstimator,
    data: &Dataset,
    context: &FitContext,
) -> Result<Projected> {
    check(estimator)?;
    let rows = Dataset {
        records: data.records.clone(),
        targets: Targets::None,
        weights: data.weights.clone(),
    };
    let fitted = estimator.fit(&rows, context, None)?;
    let records = coordinates(&fitted.model, &data.records, context)?;
    Ok(Projected {
        form: fitted.model,
        data: Dataset {
            records,
            targets: data.targets.clone(),
            weights: data.weights.clone(),
        },
        report: fitted.report,
    })
}

/// Rows in the coordinates of a projection.
pub(crate) fn coordinates(form: &Form, records: &Records, context: &FitContext) -> Result<Records> {
    let found = context.install(|| form.predict(records, context))??;
    Ok(Chain::records(found.decisions))
}

/// Puts a model of coordinates behind the projection that gives them.
pub(crate) fn chained(projection: Form, model: Form) -> Form {
    Form::from(Chain {
        projection: Box::new(projection),
        model: Box::new(model),
        left_out: None,
    })
}

/// Refuses a method that gives no coordinates.
pub(crate) fn check(estimator: &AnyEstimator) -> Result<()> {
    if estimator.suits(Task::Embed) {
        return Ok(());
    }
    Err(Error::Conflict {
        what: format!("`{}` gives no coordinates to learn from", estimator.name()),
        cure: "use `pca`, `kpca`, `ica`, `nystroem` or `rff`".into(),
    })
}

/// Reads a projection as users write it: `pca=10`, `whiten`, `kpca=20`, `ica=3`, `nystroem=200`, `rff=500`; without a number as
/// many coordinates as there are. The kernel of `kpca`, `nystroem` and `rff` is `rbf`.
///
/// # Errors
/// A name that is none of these, and numbers below 1.
pub fn projection_named(text: &str) -> Result<AnyEstimator> {
    let (name, number) = match text.split_once('=') {
        Some((name, number)) => (name.trim(), Some(number.trim())),
        None => (text.trim(), None),
    };
    let count = number
        .map(|number| {
            let count = number.parse::<usize>().ok().filter(|count| *count > 0);
            let rule = "a whole number of at least 1";
            count.ok_or_else(|| Error::setting(name, number, rule))
        })
        .transpose()?;
    Ok(match name {
        "pca" => Pca::default().components(count).into(),
        "whiten" => Pca::default().components(count).whiten(true).into(),
        "kpca" => KernelPca::default()
            .kernel(KernelSpec::rbf_auto())
            .components(count)
            .into(),
        "ica" => Ica::default().components(count).into(),
        "nystroem" => Nystroem::default().components(count).into(),
        "rff" => RandomFeatures::default().components(count).into(),
        _ => {
            return Err(Error::Unknown {
                kind: "projection",
                name: name.to_owned(),
                known: ["pca", "whiten", "kpca", "ica", "nystroem", "rff"]
                    .map(str::to_owned)
                    .to_vec(),
            });
        }
    })
}

/// Returns a projection as reports tell of it.
pub(crate) fn described(estimator: &AnyEstimator) -> String {
    let settings: Map<String, Value> = estimator.chosen().settings;
    let plain = AnyEstimator::named(estimator.name()).map(|own| own.chosen().settings);
    let changed = settings.iter().filter(|(name, value)| {
        let usual = plain.as_ref().ok().and_then(|own| own.get(*name));
        usual.unwrap_or(&json!(null)) != *value
    });
    let changed: Vec<String> = changed
        .map(|(name, value)| format!("{name} = {}", crate::learn::plain(value)))
        .collect();
    if changed.is_empty() {
        estimator.name().to_owned()
    } else {
        format!("{} with {}", estimator.name(), changed.join(", "))
    }
}
