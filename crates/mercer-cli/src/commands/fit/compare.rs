//! `mercer compare`.

use mercer::data::Scaling;
use mercer::fit::Note;
use mercer::recipe::{Compared, Comparing, Comparison, Recipe, Wish, compare};
use serde_json::json;

use super::wish;
use crate::args::{CompareArgs, ScaleArg};
use crate::data::{named, read};
use crate::display::{Page, metric_text};
use crate::failure::{Failure, Result};
use crate::session::Session;
use crate::style::{plural, wrap};
use mercer_plot::text::shorten;

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
        recipe.encode = wish::encodings(&args.columns)?;
        recipe.positive.clone_from(&args.columns.positive);
        recipe.lagging = wish::lagging(&args.columns);
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
        output.notes(&cut(&found).map(Note::Alert).into_iter().collect::<Vec<_>>());
        let mut object = json!(found);
        object["verdict"] = json!(verdict);
        return output.object(&object);
    }
    if let Some(text) = cut(&found) {
        output.notes(&[Note::Alert(text)]);
    }
    let mut page = Page::new(output.paint);
    let aside = format!(
        "{} of {}, {}",
        plural(found.rows, "row"),
        named(&args.data),
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
    let folds = if found.repeats == 1 {
        folds
    } else {
        format!("{folds} dealt {} times", found.repeats)
    };
    if found.folds_done == found.folds * found.repeats {
        folds
    } else {
        format!("{} of {folds}", found.folds_done)
    }
}

/// What the time limit cut short, in a sentence.
fn cut(found: &Comparison) -> Option<String> {
    let all = found.folds * found.repeats;
    if found.folds_done == 0 {
        return Some(
            "the time limit came before all models had finished one fold: scores are of the folds \
             that each has finished, and nothing is compared (time_limit)"
                .to_owned(),
        );
    }
    let mut parts = Vec::new();
    if found.folds_done < all {
        parts.push(format!(
            "the time limit ended the comparison: {} of {} count, those that all models have finished",
            found.folds_done,
            plural(all, "fold")
        ));
    }
    if found.cut {
        parts.push("the time limit cut a search short, so that scores may be too low".to_owned());
    }
    (!parts.is_empty()).then(|| format!("{} (time_limit)", parts.join("; ")))
}

/// Longest name of a model, and of what it is made of, in a table of 80 columns.
const NAME: usize = 11;
const SIZE: usize = 11;

/// One line per model.
fn table_of(found: &Comparison) -> String {
    let names = found.models.iter().map(|m| m.model.chars().count());
    let width = names.max().unwrap_or(0).clamp("model".len(), NAME);
    let line = |cells: [&str; 7]| {
        let [model, score, spread, p, shares, fit, predict] = cells;
        format!(
            "{:<width$} {score:>8} {spread:>7} {p:>7} {shares:>14} {fit:>6} {predict:>7}",
            shorten(model, NAME)
        )
    };
    let metric = shorten(found.metric.entry().short, 8);
    // Two lines of heading: three probabilities share a column.
    let first = line(["", "", "", "", "P(worse, same,", "", ""]);
    let mut lines = vec![first.trim_end().to_owned()];
    lines.push(format!(
        "{} size",
        line(["model", &metric, "±", "p", "better)", "fit", "predict"])
    ));
    for model in &found.models {
        let p = model.p_adjusted.map_or(String::new(), p_text);
        let shares = model.against_best.map_or(String::new(), |a| {
            format!("{:.2} {:.2} {:.2}", a.worse, a.equal, a.better)
        });
        let seconds = |value: f64| {
            if value.is_nan() {
                "-".to_owned()
            } else {
                brief(value)
            }
        };
        let size = if model.size.count.is_nan() {
            String::new()
        } else {
            let parts = match model.size.parts {
                "support vectors" => "SVs",
                parts => parts,
            };
            format!("{} {parts}", model.size.count.round())
        };
        let row = line([
            &model.model,
            &metric_text(model.mean),
            &metric_text(model.deviation),
            &p,
            &shares,
            &seconds(model.fit_seconds),
            &seconds(model.predict_seconds),
        ]);
        lines.push(
            format!("{row} {}", shorten(&size, SIZE))
                .trim_end()
                .to_owned(),
        );
    }
    lines.join("\n")
}

/// Seconds in six letters.
pub(super) fn brief(seconds: f64) -> String {
    match seconds {
        s if s < 0.01 => format!("{:.1} ms", s * 1e3),
        s if s < 0.999_5 => format!("{:.0} ms", s * 1e3),
        s if s < 99.95 => format!("{s:.1} s"),
        s if s < 5970.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.0} h", s / 3600.0),
    }
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
        let folds = if found.folds_done < 3 {
            "so few folds"
        } else {
            "these folds"
        };
        parts.push(format!("about {} {folds} do not decide", quoted(&open)));
    }
    parts.join("; ")
}
