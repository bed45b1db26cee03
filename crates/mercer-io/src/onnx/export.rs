//! From trained models to files.

use std::path::Path;

use mercer::data::Encoding;
use mercer::kernel::Input;
use mercer::model::expansion::KernelExpansion;
use mercer::model::readout::Readout;
use mercer::model::{Form, Layers, LinearModel, Outputs, Trained};

use super::answers::{Decided, answer, outputs};
use super::columns::encode;
use super::decisions;
use super::graph::{Builder, MACHINES, RUNTIME, Wire};
use super::kernel;
use super::layers;
use super::message::{Element, Model};
use super::operators::{self, Known};
use super::precision::single_is_enough;
use super::refusal::refuse;
use super::sides::Sides;
use crate::{Error, Result, write_atomically};

/// Version of the operators of `ai.onnx`.
const OPERATORS: i64 = 17;
/// Version of the operators of `ai.onnx.ml`.
const MACHINE_OPERATORS: i64 = 3;
/// Version of the operators of onnxruntime.
const RUNTIME_OPERATORS: i64 = 1;
/// Most bytes that a file may have: a protocol buffer's length is a signed 32-bit number.
const LARGEST_FILE: usize = i32::MAX as usize;

/// How the decisions are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// By operators for support vector machines where they give mercer's answers, by plain
    /// operators otherwise.
    #[default]
    Auto,
    /// By `SVMClassifier` or `SVMRegressor`, in single precision.
    Operators,
    /// By matrix products and elementary functions, in double precision.
    Plain,
}

impl Style {
    /// All styles with the names that users write.
    pub const ALL: [(&'static str, Self); 3] = [
        ("auto", Self::Auto),
        ("operators", Self::Operators),
        ("plain", Self::Plain),
    ];
}

/// Returns a model as the contents of an ONNX file; the same model gives the same bytes.
///
/// # Errors
/// [`mercer::Error::Unsupported`] for what no graph can express: given kernel matrices, kernels
/// of texts, hashed words, and support vectors that pass the 2 GiB of a file.
pub fn to_bytes(trained: &Trained) -> Result<Vec<u8>> {
    to_bytes_as(trained, Style::Auto)
}

/// Like [`to_bytes`], in a style.
///
/// # Errors
/// Those of [`to_bytes`], and with [`Style::Operators`] what the operators do not have: other
/// kernels than `linear`, `poly`, `rbf` with one width and `sigmoid`, one decision per class,
/// numbers beyond single precision.
pub fn to_bytes_as(trained: &Trained, style: Style) -> Result<Vec<u8>> {
    if trained.form.outputs() != (Outputs::Values { count: 1 })
        && matches!(trained.form.readout(), Readout::Values)
    {
        return Err(refuse(
            "a model of several numbers",
            "learn one model per number",
        ));
    }
    refuse_hashed(trained)?;
    match &trained.form {
        Form::Expansion(model) => expansion(trained, model, style),
        Form::Linear(model) => linear(trained, model, style),
        Form::Layers(model) => network(trained, model, style),
        Form::Projection(model) => linear(trained, &model.as_linear(), style),
        Form::Prototypes(_)
        | Form::Tree(_)
        | Form::Chain(_)
        | Form::Neighbours(_)
        | Form::Memory(_)
        | Form::Nearest(_)
        | Form::Features(_) => Err(refuse(
            &format!("a model of the form `{}`", trained.form.kind()),
            "predict with mercer itself, or learn a function of a kernel or a linear one",
        )),
    }
}

/// A kernel expansion.
fn expansion(trained: &Trained, model: &KernelExpansion, style: Style) -> Result<Vec<u8>> {
    refuse_structures(model)?;
    let known = chosen(model, style)?;
    let mut graph = Builder::new(outputs(&model.readout));
    let element = match known {
        Some(_) => Element::Float,
        None => Element::Double,
    };
    let encoded = encode(&mut graph, trained.encoder.columns(), element)
        .ok_or_else(|| refuse("a model that reads texts only", TEXT_CURE))?;
    let single = encoded.element == Element::Float;
    let sides = Sides::new(encoded, &model.support)?;
    let decided = if let Some(kernel) = known {
        let mut features = sides
            .features()
            .ok_or_else(|| refuse("a model that reads texts only", TEXT_CURE))?
            .clone();
        if !single {
            features = graph.cast(&features, Element::Float);
        }
        let support = sides.support();
        operators::decide(&mut graph, &features, support, model, kernel)
    } else {
        Decided {
            decisions: plain(&mut graph, &sides, model)?,
            element: Element::Double,
            label: None,
        }
    };
    answer(&mut graph, &model.readout, model.decisions(), &decided);
    finish(trained, graph, known)
}

/// A linear function: one product.
fn linear(trained: &Trained, model: &LinearModel, style: Style) -> Result<Vec<u8>> {
    if style == Style::Operators {
        let what = "a linear model by operators for support vector machines";
        return Err(refuse(what, "write the plain form"));
    }
    let mut graph = Builder::new(outputs(&model.readout));
    let encoded = encode(&mut graph, trained.encoder.columns(), Element::Double)
        .and_then(|encoded| encoded.features)
        .ok_or_else(|| refuse("a model that reads texts only", TEXT_CURE))?;
    let decided = Decided {
        decisions: decisions::linear(&mut graph, &encoded, model),
        element: Element::Double,
        label: None,
    };
    answer(&mut graph, &model.readout, model.biases.len(), &decided);
    finish(trained, graph, None)
}

/// Layers of gates: a product and a function each.
fn network(trained: &Trained, model: &Layers, style: Style) -> Result<Vec<u8>> {
    if style == Style::Operators {
        let what = "a network by operators for support vector machines";
        return Err(refuse(what, "write the plain form"));
    }
    let mut graph = Builder::new(outputs(&model.readout));
    let encoded = encode(&mut graph, trained.encoder.columns(), Element::Double)
        .and_then(|encoded| encoded.features)
        .ok_or_else(|| refuse("a model that reads texts only", TEXT_CURE))?;
    let decided = Decided {
        decisions: layers::decide(&mut graph, &encoded, model),
        element: Element::Double,
        label: None,
    };
    answer(&mut graph, &model.readout, trained.form.width(), &decided);
    finish(trained, graph, None)
}

/// Computes the decisions by plain operators.
fn plain(graph: &mut Builder, sides: &Sides, model: &KernelExpansion) -> Result<Wire> {
    if model.support.is_empty() {
        return Ok(decisions::constant(graph, sides.rows(), &model.biases));
    }
    let values = kernel::values(graph, sides, model.kernel.spec(), &sides.whole())?;
    let decisions = decisions::from_kernel(graph, &values, model);
    let Some(slopes) = &model.slopes else {
        return Ok(decisions);
    };
    let features = sides
        .features()
        .ok_or_else(|| refuse("a model that reads texts only", TEXT_CURE))?
        .clone();
    Ok(decisions::with_slopes(graph, &decisions, &features, slopes))
}

/// Refuses words that are known by hash: graphs have lists of words and no hash.
fn refuse_hashed(trained: &Trained) -> Result<()> {
    for column in trained.encoder.columns() {
        if let Encoding::Words(words) = &column.encoding
            && words.terms().is_none()
        {
            return Err(refuse(
                &format!("the hashed words of column `{}`", column.name),
                "learn from words that are in several texts, such as `tfidf(min=5)`: there are fewer, and they have names",
            ));
        }
    }
    Ok(())
}

/// Refuses kernels of anything but numbers and categories, wherever they stand in the expression.
fn refuse_structures(model: &KernelExpansion) -> Result<()> {
    for family in model.kernel.spec().families() {
        let (what, cure) = match family.input {
            Input::Texts => ("string kernels", TEXT_CURE),
            Input::Graphs => ("graph kernels", TEXT_CURE),
            Input::Nodes => ("kernels of networks", TEXT_CURE),
            Input::Vectors | Input::Codes | Input::Matrix => continue,
        };
        return Err(refuse(&format!("{what} such as `{}`", family.name), cure));
    }
    Ok(())
}

const TEXT_CURE: &str = "fit with columns of numbers, categories or dates";

/// Returns the kernel for the operators where the form and the model ask for them.
fn chosen(model: &KernelExpansion, style: Style) -> Result<Option<Known>> {
    match style {
        Style::Plain => Ok(None),
        Style::Operators => operators::expressible(model).map(Some),
        Style::Auto => {
            if model.readout.has_probabilities() {
                return Ok(None);
            }
            let Ok(kernel) = operators::expressible(model) else {
                return Ok(None);
            };
            Ok(single_is_enough(model, kernel)?.then_some(kernel))
        }
    }
}

fn finish(trained: &Trained, graph: Builder, known: Option<Known>) -> Result<Vec<u8>> {
    let too_large = || {
        refuse(
            "a model of more than 2 GiB",
            "fit with fewer features, or with settings that keep fewer support vectors",
        )
    };
    if graph.constant_bytes() > LARGEST_FILE {
        return Err(too_large());
    }
    let mut operators = vec![("", OPERATORS)];
    if graph.uses(MACHINES) {
        operators.push((MACHINES, MACHINE_OPERATORS));
    }
    if graph.uses(RUNTIME) {
        operators.push((RUNTIME, RUNTIME_OPERATORS));
    }
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let form = if known.is_some() {
        "operators"
    } else {
        "plain"
    };
    let mut metadata = vec![
        ("mercer_version", version.clone()),
        ("mercer_method", trained.method.clone()),
        ("mercer_form", form.to_owned()),
    ];
    if let Some(kernel) = trained.kernel_text() {
        metadata.insert(2, ("mercer_kernel", kernel));
    }
    if let Some(target) = trained.target() {
        metadata.push(("mercer_target", target.to_owned()));
    }
    if let Some(labels) = trained.labels() {
        let list = serde_json::Value::from(labels);
        metadata.push(("mercer_labels", list.to_string()));
    }
    let bytes = Model {
        graph: graph.finish(),
        operators,
        version,
        meaning: match trained.kernel_text() {
            Some(kernel) => format!("mercer model `{}`, kernel {kernel}", trained.method),
            None => format!("mercer model `{}`", trained.method),
        },
        metadata,
    }
    .encode();
    if bytes.len() > LARGEST_FILE {
        return Err(too_large());
    }
    Ok(bytes)
}

/// Writes a model as an ONNX file; an old file of that name survives any failure.
///
/// # Errors
/// Those of [`to_bytes`], and the operating system's refusal.
pub fn save(trained: &Trained, path: &Path) -> Result<()> {
    let bytes = to_bytes(trained)?;
    write_atomically(path, |writer| {
        writer
            .write_all(&bytes)
            .map_err(|e| Error::from_io(path, e))
    })
}
