//! A whole model as one readable JSON document.

use mercer::data::{Block, Graph, Records};
use mercer::model::expansion::KernelExpansion;
use mercer::model::readout::Readout;
use mercer::model::{FORMAT_VERSION, Form, NeighbourModel, Trained, TreeColumn, TreeModel};
use mercer_linalg::MatrixRef;
use serde_json::{Map, Value, json};

/// Returns the whole model as one JSON document.
///
/// Numbers are written so that they read back as the same number. The fields:
///
/// | field | holds |
/// |---|---|
/// | `format` | `mercer-json` |
/// | `format_version` | layout version, as in model files |
/// | `task`, `method`, `target`, `targets` | what is predicted, and how it was learnt |
/// | `form` | `expansion`, `linear`, `layers`, `prototypes`, `tree`, `projection` or `chain` |
/// | `kernel` | the kernel expression, of an expansion |
/// | `encoder` | how columns become features |
/// | `features` | the name of every feature; absent for vectors known by number only |
/// | `decision.kind` | `classifier`, `regressor`, `novelty`, `clusters` or `coordinates` |
/// | `decision.labels` | labels of a classifier; their order is the class code |
/// | `decision.scheme` | `one_vs_one` (pairs (0,1), (0,2), …) `one_vs_rest`, or `softmax` |
/// | `decision.class_sizes` | support vectors of each class; they are sorted by class |
/// | `decision.coefficients` | of an expansion: rows of one number per support vector |
/// | `decision.weights` | of a linear model: rows of one number per feature |
/// | `decision.biases` | constant of each decision |
/// | `decision.layers` | of a network: `weights` (rows of one number per gate, one row per input), `biases` and `activation` of every layer |
/// | `decision.mean`, `decision.components`, `decision.scales` | of a projection: coordinate j is scale j times ⟨component j, x − mean⟩ |
/// | `decision.projection`, `decision.model` | of a chain: `form`, `decision`, `kernel` and `support` of both parts |
/// | `decision.slopes` | weights of features that are part of a kernel's function without a penalty, where there are some |
/// | `decision.sigmoids` | `a`, `b` of each decision's P = 1/(1 + exp(a·f + b)), or null |
/// | `support` | support vectors, or prototypes |
/// | `support.rows`, `support.columns` | size of the numeric block |
/// | `support.dense` | rows of numbers, or |
/// | `support.sparse` | rows of `indices`, from 0, and `values` |
/// | `support.ids` | row numbers, for given kernel matrices |
/// | `support.codes`, `support.texts` | categories and texts by column |
/// | `support.graphs` | by column: `vertices` are labels, `edges` are both ends and a label |
/// | `support.nodes` | nodes of the encoder's network by column |
/// | `report` | how the fit went |
///
/// A decision is Σ coefficient·k(support vector, x) + bias. One-vs-one with k classes has
/// k − 1 rows of coefficients: for a vector of class a, row j counts against the j-th of the
/// other classes, and the decision of a pair (a, b) sums the vectors of both.
///
/// # Errors
/// Numbers that JSON cannot hold.
pub fn export_json(model: &Trained) -> Result<Value, serde_json::Error> {
    let mut document = json!({
        "format": "mercer-json",
        "format_version": FORMAT_VERSION,
        "written_by": concat!("mercer ", env!("CARGO_PKG_VERSION")),
        "task": serde_json::to_value(model.task)?,
        "method": model.method,
        "target": model.target(),
        "targets": model.targets,
        "form": model.form.kind(),
        "encoder": serde_json::to_value(&model.encoder)?,
        "decision": decision(&model.form)?,
        "report": serde_json::to_value(&model.report)?,
    });
    if let Some(kernel) = model.kernel_text() {
        document["kernel"] = json!(kernel);
    }
    if let Some(kept) = model.form.rows_kept() {
        document["support"] = support(kept);
        if let Some(names) = feature_names(kept) {
            document["features"] = json!(names);
        }
    }
    Ok(document)
}

/// The names of the features, unless all are mere numbers of a vector.
fn feature_names(records: &Records) -> Option<Vec<String>> {
    let features = &records.features;
    let numbered =
        |g: &mercer::data::FeatureGroup| matches!(g.parts, mercer::data::Parts::Numbered(_));
    if features.groups.iter().any(numbered) {
        return None;
    }
    Some(
        (0..features.points.columns())
            .map(|f| features.name(f))
            .collect(),
    )
}

fn decision(form: &Form) -> Result<Value, serde_json::Error> {
    let mut fields = Map::new();
    let kind = match form.readout() {
        Readout::Classes(classes) => {
            fields.insert("labels".to_owned(), json!(classes.labels));
            fields.insert("scheme".to_owned(), serde_json::to_value(classes.scheme)?);
            let sigmoids = serde_json::to_value(&classes.sigmoids)?;
            fields.insert("sigmoids".to_owned(), sigmoids);
            if let Some(factors) = &classes.factors {
                fields.insert("class_factors".to_owned(), json!(factors));
            }
            "classifier"
        }
        Readout::Values => "regressor",
        Readout::Novelty => "novelty",
        Readout::Clusters => "clusters",
        Readout::Coordinates => "coordinates",
    };
    fields.insert("kind".to_owned(), json!(kind));
    match form {
        Form::Expansion(model) => expansion(model, &mut fields),
        Form::Linear(model) => {
            fields.insert("weights".to_owned(), rows(model.weights.as_ref()));
            fields.insert("biases".to_owned(), json!(model.biases));
        }
        Form::Layers(model) => {
            let layers = model.layers.iter().map(|layer| {
                json!({
                    "weights": rows(layer.weights.as_ref()),
                    "biases": layer.biases,
                    "activation": layer.activation.name(),
                })
            });
            fields.insert("layers".to_owned(), layers.collect());
        }
        Form::Prototypes(model) => {
            if let Some(grid) = &model.grid {
                fields.insert("grid".to_owned(), serde_json::to_value(grid)?);
            }
            if let Some(classes) = &model.classes {
                fields.insert("classes".to_owned(), json!(classes));
            }
        }
        Form::Memory(model) => {
            fields.insert("weights".to_owned(), rows(model.weights.as_ref()));
        }
        Form::Nearest(_) | Form::Features(_) => {}
        Form::Residual(model) => {
            expansion(&model.components, &mut fields);
            fields.insert("threshold".to_owned(), json!(model.threshold));
        }
        Form::Tree(model) => tree(model, &mut fields),
        Form::Projection(model) => {
            fields.insert("mean".to_owned(), json!(model.mean));
            fields.insert("components".to_owned(), rows(model.components.as_ref()));
            fields.insert("scales".to_owned(), json!(model.scales));
        }
        Form::Chain(model) => {
            fields.insert("projection".to_owned(), part(&model.projection)?);
            fields.insert("model".to_owned(), part(&model.model)?);
        }
        Form::Neighbours(model) => neighbours(model, &mut fields),
    }
    Ok(Value::Object(fields))
}

/// One of the forms of a chain.
fn part(form: &Form) -> Result<Value, serde_json::Error> {
    let mut fields = json!({ "form": form.kind(), "decision": decision(form)? });
    if let Some(kernel) = form.kernel_text() {
        fields["kernel"] = json!(kernel);
    }
    if let Some(kept) = form.rows_kept() {
        fields["support"] = support(kept);
    }
    Ok(fields)
}

/// How neighbours are found and asked; the rows themselves are in the tensors.
fn neighbours(model: &NeighbourModel, fields: &mut Map<String, Value>) {
    fields.insert("neighbours".to_owned(), json!(model.neighbours));
    fields.insert("votes".to_owned(), json!(model.votes));
    fields.insert("rule".to_owned(), json!(model.rule));
    fields.insert("rows".to_owned(), json!(model.rows.len()));
    if let Some(frame) = model.frame() {
        fields.insert("distance".to_owned(), json!(frame.metric.text()));
        fields.insert("scaling".to_owned(), json!(frame.scaling.name()));
        fields.insert("column_weights".to_owned(), json!(model.column_weights()));
    }
    if let Some(kernel) = model.kernel() {
        fields.insert("kernel".to_owned(), json!(kernel.to_string()));
    }
}

/// The nodes of a tree, level by level: tested column (or null), threshold, children, class counts.
fn tree(model: &TreeModel, fields: &mut Map<String, Value>) {
    let names: Vec<String> = (0..model.columns.len()).map(|c| model.name(c)).collect();
    fields.insert("columns".to_owned(), json!(names));
    let nodes = &model.nodes;
    let listed = (0..nodes.len()).map(|node| {
        let counts = nodes.counts.row(node);
        if nodes.is_leaf(node) {
            return json!({ "counts": counts });
        }
        let column = nodes.columns[node] as usize;
        let children: Vec<usize> = nodes.children(node).collect();
        let mut shown = json!({
            "column": names[column],
            "children": children,
            "missing_branch": nodes.missing_branches[node] == 1,
            "counts": counts,
        });
        if matches!(model.columns[column], TreeColumn::Number { .. }) {
            shown["threshold"] = json!(nodes.thresholds[node]);
        }
        shown
    });
    fields.insert("nodes".to_owned(), Value::Array(listed.collect()));
}

fn expansion(model: &KernelExpansion, fields: &mut Map<String, Value>) {
    if model.readout.classes().is_some() {
        fields.insert("class_sizes".to_owned(), json!(model.class_sizes));
    }
    fields.insert("biases".to_owned(), json!(model.biases));
    if let Some(slopes) = &model.slopes {
        fields.insert("slopes".to_owned(), rows(slopes.as_ref()));
    }
    let coefficients = rows(model.coefficients.as_ref());
    fields.insert("coefficients".to_owned(), coefficients);
}

fn support(records: &Records) -> Value {
    let points = &records.features.points;
    let mut fields = Map::new();
    fields.insert("rows".to_owned(), json!(records.len()));
    fields.insert("columns".to_owned(), json!(points.columns()));
    match points.widened() {
        Block::Dense(matrix) => fields.insert("dense".to_owned(), rows(matrix.as_ref())),
        Block::Sparse(csr) => {
            let list: Vec<Value> = (0..csr.rows())
                .map(|row| {
                    let (indices, values) = csr.row(row);
                    json!({ "indices": indices, "values": values })
                })
                .collect();
            fields.insert("sparse".to_owned(), Value::Array(list))
        }
    };
    fields.insert("ids".to_owned(), json!(records.ids));
    let codes = records
        .codes
        .iter()
        .map(|c| (c.source.clone(), json!(c.codes)));
    fields.insert("codes".to_owned(), Value::Object(codes.collect()));
    let texts = records
        .texts
        .iter()
        .map(|t| (t.source.clone(), json!(strings(&t.texts))));
    fields.insert("texts".to_owned(), Value::Object(texts.collect()));
    let graphs = records.graphs.iter().map(|column| {
        let list: Vec<Value> = column.graphs.iter().map(|g| graph(g)).collect();
        (column.source.clone(), Value::Array(list))
    });
    fields.insert("graphs".to_owned(), Value::Object(graphs.collect()));
    let nodes = records
        .nodes
        .iter()
        .map(|n| (n.source.clone(), json!(n.nodes)));
    fields.insert("nodes".to_owned(), Value::Object(nodes.collect()));
    Value::Object(fields)
}

fn strings(texts: &[std::sync::Arc<str>]) -> Vec<&str> {
    texts.iter().map(AsRef::as_ref).collect()
}

fn graph(graph: &Graph) -> Value {
    let edges: Vec<[u32; 3]> = graph.edges().map(|e| [e.from, e.to, e.label]).collect();
    json!({ "vertices": graph.labels(), "edges": edges })
}

fn rows(matrix: MatrixRef<'_, f64>) -> Value {
    (0..matrix.rows())
        .map(|row| json!(matrix.row(row)))
        .collect()
}
