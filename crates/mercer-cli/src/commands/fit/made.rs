//! How a model was made: lines that make it again, and what the data were.

use std::path::Path;

use mercer::data::Task;
use mercer::learn::{AnyEstimator, Kind};
use mercer::model::Trained;
use mercer_report::Made;
use serde_json::Value;

use super::line;
use crate::args::FitArgs;

/// Files up to this size are hashed: a second of work.
const MOST_BYTES: u64 = 1 << 30;

/// Says how a fit was made.
pub(super) fn of(args: &FitArgs, trained: &Trained) -> Made {
    let chosen = trained.report.selection.as_ref().and_then(|selection| {
        let value = serde_json::to_value(&selection.chosen).ok()?;
        serde_json::from_value::<AnyEstimator>(value).ok()
    });
    let series = args.columns.lags.is_some();
    Made {
        command: Some(line::given()),
        settled: chosen
            .as_ref()
            .filter(|_| !series)
            .map(|method| line::settled(method, trained.task)),
        python: (!series).then(|| python(args, trained)).flatten(),
        checksum: checksum(&args.data),
    }
}

/// The file of the data and its hash.
pub(in super::super) fn checksum(data: &Path) -> Option<(String, String)> {
    let size = std::fs::metadata(data)
        .ok()
        .filter(std::fs::Metadata::is_file)?
        .len();
    let name = data.file_name()?.to_string_lossy().into_owned();
    let hash = (size <= MOST_BYTES).then(|| mercer_io::model::file_hash(data).ok());
    Some((name, hash.flatten()?))
}

/// The fit in Python, for tables that pandas reads as the command does.
fn python(args: &FitArgs, trained: &Trained) -> Option<String> {
    let name = args.data.to_string_lossy();
    let read = match args.data.extension()?.to_str()? {
        "csv" => "read_csv",
        "parquet" => "read_parquet",
        _ => return None,
    };
    let [target] = &trained.targets[..] else {
        return None;
    };
    let estimator = if args.model.model == "auto" && args.model.settings.0.is_empty() {
        automatic(args, trained.task)?
    } else {
        named(args, trained.task)?
    };
    let mut dropped = vec![text(target)];
    dropped.extend(args.columns.drop.iter().map(|name| text(name.trim())));
    dropped.extend(args.columns.id.iter().map(|name| text(name)));
    Some(format!(
        "import mercer\nimport pandas as pd\n\ntable = pd.{read}({})\nX, y = table.drop(columns=[{}]), table[{}]\n\
         model = mercer.{estimator}.fit(X, y)\nmercer.report(model)",
        text(&name),
        dropped.join(", "),
        text(target)
    ))
}

fn automatic(args: &FitArgs, task: Task) -> Option<String> {
    let class = match task {
        Task::Classify => "KernelClassifier",
        Task::Regress => "KernelRegressor",
        _ => return None,
    };
    let kernel = args.model.kernel.as_deref().map(text);
    let kernel = kernel.map_or(String::new(), |kernel| format!("kernel={kernel}"));
    Some(format!("{class}({kernel})"))
}

/// The class of a named method with the settings that were given.
fn named(args: &FitArgs, task: Task) -> Option<String> {
    let estimator = AnyEstimator::for_task(&args.model.model, task).ok()?;
    let method = estimator.method();
    let class = method.python.iter().find(|class| class.task == task)?;
    let mut words = Vec::new();
    if let Some(kernel) = &args.model.kernel {
        words.push(format!("kernel={}", text(kernel)));
    }
    let given = args.model.settings.0.iter();
    let given = given.map(|g| (g.name.to_owned(), g.value.clone()));
    let set = args.model.set.iter().filter_map(|(name, value)| {
        let setting = method.setting(name)?;
        let value = setting.kind.parse(name, value, setting.optional).ok()?;
        Some((name.clone(), value))
    });
    for (name, value) in given.chain(set) {
        let setting = method.setting(&name)?;
        let known = class.signature.split(',').any(|part| {
            let part = part.trim().trim_start_matches('*');
            part.split('=').next() == Some(setting.python)
        });
        // A setting that Python says in another way leaves the line out, rather than wrong.
        if !known || setting.kind == Kind::ClassWeights {
            return None;
        }
        words.push(format!("{}={}", setting.python, literal(&value)?));
    }
    Some(format!("{}({})", class.name, words.join(", ")))
}

/// A value as Python writes it.
fn literal(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some("None".to_owned()),
        Value::Bool(true) => Some("True".to_owned()),
        Value::Bool(false) => Some("False".to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::String(words) => Some(text(words)),
        _ => None,
    }
}

/// A text as Python writes it.
fn text(words: &str) -> String {
    format!("{words:?}")
}
