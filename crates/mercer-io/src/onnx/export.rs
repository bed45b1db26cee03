//! From trained models to files.

use std::path::Path;

use mercer::data::Encoding;
use mercer::kernel::{Input, ResolvedKernel};
use mercer::model::expansion::KernelExpansion;
use mercer::model::{Form, Trained};

use super::answers::{Decided, answer, outputs};
use super::columns::{Encoded, encode};
use super::graph::{Builder, MACHINES, RUNTIME, Wire};
use super::message::{Element, Model};
use super::operators::{self, Known};
use super::precision::single_is_enough;
use super::refusal::refuse;
use super::sides::Sides;
use super::{
    decisions, features, kernel, layers, neighbours, novelty, prototypes, residual, tree,
    tree_operators,
};
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
    /// By operators for support vector machines or trees where they give mercer's predictions, by plain
    /// operators otherwise.
    #[default]
    Auto,
    /// By `SVMClassifier` or `SVMRegressor`, in single precision; trees by `TreeEnsembleRegressor`, which
    /// sends a row with a missing value down one branch.
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
/// of texts, hashed words, associative memories, rows that are looked up as they are, and rows that
/// pass the 2 GiB of a file.
pub fn to_bytes(trained: &Trained) -> Result<Vec<u8>> {
    to_bytes_as(trained, Style::Auto)
}

/// Like [`to_bytes`], in a style.
///
/// # Errors
/// Those of [`to_bytes`], and with [`Style::Operators`] what the operators do not have: other forms than
/// kernel expansions and trees, other kernels than `linear`, `poly`, `rbf` with one width and `sigmoid`,
/// one decision per class, several numbers, numbers beyond single precision.
pub fn to_bytes_as(trained: &Trained, style: Style) -> Result<Vec<u8>> {
    refuse_hashed(trained)?;
    let form = &trained.form;
    let way = chosen(form, style)?;
    let mut graph = Builder::new(outputs(form.readout()));
    let element = match (form, way) {
        (Form::Expansion(_), Way::Machine(_)) => Element::Float,
        _ => Element::Double,
    };
    let encoded = encode(&mut graph, trained.encoder.columns(), element)
        .ok_or_else(|| refuse("a model that reads texts only", TEXT_CURE))?;
    let decided = decide(&mut graph, encoded, form, way)?;
    answer(&mut graph, form.readout(), form.width(), &decided);
    finish(trained, graph, way != Way::Plain)
}

/// By which operators a form decides.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    /// Products and elementary functions.
    Plain,
    /// Those for support vector machines.
    Machine(Known),
    /// Those for ensembles of trees.
    Trees,
}

/// Returns the operators that a style and a model ask for.
fn chosen(form: &Form, style: Style) -> Result<Way> {
    match (form, style) {
        (_, Style::Plain) => Ok(Way::Plain),
        (Form::Chain(chain), style) => chosen(&chain.model, style),
        (Form::Expansion(model), Style::Operators) => {
            operators::expressible(model).map(Way::Machine)
        }
        (Form::Expansion(model), Style::Auto) => {
            if model.readout.has_probabilities() {
                return Ok(Way::Plain);
            }
            let Ok(kernel) = operators::expressible(model) else {
                return Ok(Way::Plain);
            };
            Ok(if single_is_enough(model, kernel)? {
                Way::Machine(kernel)
            } else {
                Way::Plain
            })
        }
        (Form::Tree(_), Style::Operators) => Ok(Way::Trees),
        (Form::Tree(model), Style::Auto) if tree_operators::is_exact(model) => Ok(Way::Trees),
        (_, Style::Auto) => Ok(Way::Plain),
        (_, Style::Operators) => Err(refuse(
            &format!("a model of the form `{}` by its operators", form.kind()),
            "write the plain form",
        )),
    }
}

/// Adds the decisions of a form.
fn decide(graph: &mut Builder, encoded: Encoded, form: &Form, way: Way) -> Result<Decided> {
    let wire = match form {
        Form::Expansion(model) => return expansion(graph, encoded, model, way),
        Form::Chain(chain) => {
            let rows = encoded.rows.clone();
            let coordinates = decide(graph, encoded, &chain.projection, Way::Plain)?;
            let encoded = Encoded {
                features: Some(coordinates.decisions),
                element: coordinates.element,
                codes: Vec::new(),
                rows,
                keeps: false,
            };
            return decide(graph, encoded, &chain.model, way);
        }
        Form::Linear(model) => decisions::linear(graph, &vectors(encoded)?, model),
        Form::Layers(model) => layers::decide(graph, &vectors(encoded)?, model),
        Form::Projection(model) => decisions::projection(graph, &vectors(encoded)?, model),
        Form::Prototypes(model) => prototypes::decide(graph, &vectors(encoded)?, model),
        Form::Tree(model) if way == Way::Trees => tree_operators::decide(graph, &encoded, model)?,
        Form::Tree(model) => tree::decide(graph, &encoded, model)?,
        Form::Neighbours(model) => {
            if let Some(kernel) = model.kernel() {
                refuse_structures(kernel)?;
            }
            neighbours::decide(graph, encoded, model)?
        }
        Form::Nearest(model) => novelty::decide(graph, &vectors(encoded)?, model)?,
        Form::Residual(model) => {
            refuse_structures(&model.components.kernel)?;
            residual::decide(graph, encoded, model)?
        }
        Form::Features(model) => {
            refuse_structures(model.map.kernel())?;
            features::decide(graph, encoded, model)?
        }
        Form::Memory(_) => {
            return Err(refuse(
                "patterns that rows fall into, gate by gate in a random order",
                "recall with mercer itself",
            ));
        }
    };
    Ok(Decided {
        decisions: wire,
        element: Element::Double,
        label: None,
    })
}

/// Returns the features of rows that have some.
fn vectors(encoded: Encoded) -> Result<Wire> {
    let found = encoded.features;
    found.ok_or_else(|| refuse("a model that reads texts only", TEXT_CURE))
}

/// A kernel expansion.
fn expansion(
    graph: &mut Builder,
    encoded: Encoded,
    model: &KernelExpansion,
    way: Way,
) -> Result<Decided> {
    refuse_structures(&model.kernel)?;
    let single = encoded.element == Element::Float;
    let sides = Sides::new(encoded, &model.support)?;
    let Way::Machine(kernel) = way else {
        return Ok(Decided {
            decisions: plain(graph, &sides, model)?,
            element: Element::Double,
            label: None,
        });
    };
    let mut features = sides
        .features()
        .ok_or_else(|| refuse("a model that reads texts only", TEXT_CURE))?
        .clone();
    if !single {
        features = graph.cast(&features, Element::Float);
    }
    let support = sides.support();
    Ok(operators::decide(graph, &features, support, model, kernel))
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
fn refuse_structures(kernel: &ResolvedKernel) -> Result<()> {
    for family in kernel.spec().families() {
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

fn finish(trained: &Trained, graph: Builder, by_operators: bool) -> Result<Vec<u8>> {
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
    let form = if by_operators { "operators" } else { "plain" };
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
