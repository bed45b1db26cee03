//! `mercer compare`.

use mercer::data::Scaling;
use mercer::recipe::{Compared, Comparing, Comparison, Recipe, Wish, compare};
use serde_json::json;

use super::wish;
use crate::args::{CompareArgs, ScaleArg};
use crate::data::read;
use crate::display::{Page, metric_text};
use crate::failure::{Failure, Result};
use crate::session::Session;
use crate::style::{duration, plural, wrap};

/// Probability from which on a sentence is written without a "perhaps".
const SURE: f64 = 0.95;

/// Evaluates several models on the same folds.
pub(in super::super) fn run(args: &CompareArgs, session: &Session) -> Result<()> {
    check(args)?;
    let table = read(&args.data, &args.reading, session)?;
    let labels = args.reading.labels.is_some();
    let mut recipes = Vec::new();
    for name in &args.models {
        let mut recipe = Recipe::new(wish::roles(&args.columns, labels, &table));
        recipe.task = args.task;
        if name != "auto" {
            recipe.wish = Wish::Named(name.clone());
        }
        recipe.scaling = Some(match args.scale {
            ScaleArg::None => Scaling::None,
            ScaleArg::Auto | ScaleArg::Standard => Scaling::Standard,
        });
        recipe.positive.clone_from(&args.columns.positive);
        recipes.push((name.clone(), recipe));
    }
    let how = Comparing {
        folds: args.folds,
        repeats: args.repeats,
        metric: args.metric,
        search: !args.as_is,
        margin: args.margin,
    };
    let context = session.context(&args.running);
    let found = compare(&recipes, &table, &how, &context)?;
    session.check()?;
    session.meter.finish();
    let verdict = verdict(&found);
    let output = session.output;
    if output.json {
        let mut object = json!(found);
        object["verdict"] = json!(verdict);
        return output.object(&object);
    }
    let mut page = Page::new(output.paint);
    let aside = format!(
        "{} of {}, {}",
        plural(found.rows, "row"),
        args.data.display(),
        dealt(&found)
    );
    page.heading(&format!("Models by {}", found.metric.title()), &aside)
        .block(&table_of(&found));
    page.heading("Verdict", "");
    for line in wrap(&verdict, 76) {
        page.block(&output.paint.bold(&line));
    }
    let how = if found.searched {
        "settings of named models are searched inside every training part"
    } else {
        "named models have their default settings"
    };
    let notes = format!(
        "± is the standard deviation over the folds; {how}; p is corrected for overlapping training \
         parts and raised for the number of comparisons; a difference below {} counts as none",
        metric_text(found.margin)
    );
    page.gap();
    for line in wrap(&notes, 76) {
        page.block(&output.paint.dim(&line));
    }
    output.text(&page.finish())
}

/// Checks what can be checked without data.
fn check(args: &CompareArgs) -> Result<()> {
    for (place, name) in args.models.iter().enumerate() {
        wish::check_model(name)?;
        if args.models[..place].contains(name) {
            return Err(Failure::usage(
                format!("`{name}` is named twice"),
                "name every model once",
            ));
        }
    }
    if args.models.len() < 2 {
        return Err(Failure::usage(
            "there is nothing to compare with",
            "name at least two models, such as `--models svc,ridge`; `mercer cv` evaluates one",
        ));
    }
    if args.folds < 2 || args.repeats < 1 {
        return Err(Failure::usage(
            "a comparison needs at least 2 folds, dealt at least once",
            "leave `--folds` and `--repeats` out, or give `--folds 10 --repeats 1`",
        ));
    }
    if args.margin.is_some_and(|m| !(m >= 0.0 && m.is_finite())) {
        return Err(Failure::usage(
            "`--margin` must be finite and not negative",
            "give a difference of scores, such as 0.01",
        ));
    }
    Ok(())
}

fn dealt(found: &Comparison) -> String {
    let folds = plural(found.folds, "fold");
    if found.repeats == 1 {
        folds
    } else {
        format!("{folds} dealt {} times", found.repeats)
    }
}

/// One line per model.
fn table_of(found: &Comparison) -> String {
    let names = found.models.iter().map(|m| m.model.chars().count());
    let width = names.max().unwrap_or(0).max("model".len());
    let mut lines = vec![format!(
        "{:<width$}  {:>8} {:>8}  {:>7}  {:>17}  {:>8}  {:>8}  size",
        "model",
        found.metric.entry().short,
        "±",
        "p",
        "worse/equal/better",
        "fit",
        "predict"
    )];
    lines[0] = lines[0].replace("worse/equal/better", "worse equal better");
    for model in &found.models {
        let p = model.p_adjusted.map_or(String::new(), p_text);
        let shares = model.against_best.map_or(String::new(), |a| {
            format!("{:>5.2} {:>5.2}  {:>5.2}", a.worse, a.equal, a.better)
        });
        lines.push(format!(
            "{:<width$}  {:>8} {:>8}  {p:>7}  {shares:>18}  {:>8}  {:>8}  {} {}",
            model.model,
            metric_text(model.mean),
            metric_text(model.deviation),
            duration(model.fit_seconds),
            duration(model.predict_seconds),
            model.size.count.round(),
            model.size.parts,
        ));
    }
    lines.join("\n")
}

fn p_text(p: f64) -> String {
    if p < 0.001 {
        "< 0.001".to_owned()
    } else {
        format!("{p:.3}")
    }
}

/// What the comparison comes to, in a sentence or two.
fn verdict(found: &Comparison) -> String {
    let best = &found.models[0];
    let quoted = |models: &[&Compared]| {
        let names: Vec<String> = models.iter().map(|m| format!("`{}`", m.model)).collect();
        match names.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => String::new(),
        }
    };
    let others = || found.models[1..].iter();
    let is = |share: fn(&mercer::judge::Paired) -> f64| {
        let sure = |m: &&Compared| m.against_best.as_ref().is_some_and(|a| share(a) >= SURE);
        others().filter(sure).collect::<Vec<_>>()
    };
    let (equal, worse) = (is(|a| a.equal), is(|a| a.worse));
    let open: Vec<&Compared> = others()
        .filter(|m| {
            let settled = |list: &[&Compared]| list.iter().any(|other| other.model == m.model);
            !settled(&equal) && !settled(&worse)
        })
        .collect();
    let mut parts = vec![format!(
        "`{}` has the best mean {} ({})",
        best.model,
        found.metric.title(),
        metric_text(best.mean)
    )];
    let verb = |models: &[&Compared]| if models.len() == 1 { "is" } else { "are" };
    if !equal.is_empty() {
        parts.push(format!(
            "{} {} practically as good",
            quoted(&equal),
            verb(&equal)
        ));
    }
    if !worse.is_empty() {
        parts.push(format!("{} {} worse", quoted(&worse), verb(&worse)));
    }
    if !open.is_empty() {
        parts.push(format!("about {} these folds do not decide", quoted(&open)));
    }
    parts.join("; ")
}
