//! Tables of molecules and graphs.

use std::path::Path;
use std::sync::Arc;

use mercer::data::molecule::{GraphOptions, bond_names, to_graph};
use mercer::data::{Categories, Column, Graph, GraphList, LabelNames, Origin, Table, Values};
use mercer::hint::Hint;

use super::sdf::SdfReader;
use super::tu::{self, TuFiles};
use super::{ReadFault, TextLines};
use crate::read::cells::{Cells, Column as Reader};
use crate::read::convert;
use crate::read::{Opened, ReadOptions, Source};
use crate::{Error, Result};

/// Reads an SDF or MOL file: a column of graphs, the names of molecules and their fields.
pub(crate) fn molecules(opened: Opened, options: &ReadOptions) -> Result<Table> {
    let file = opened.name;
    let mut reader = SdfReader::new(TextLines::new(opened.reader, options.max_field));
    let mut list = GraphList {
        edge_labels: bond_names().names().to_vec(),
        ..GraphList::default()
    };
    let mut vertices = LabelNames::default();
    let (mut names, mut lines) = (Vec::new(), Vec::new());
    let mut fields = Fields::default();
    loop {
        let record = reader.next_record();
        options.check_cancel()?;
        let Some(record) = record.map_err(|e| placed(e, &file))? else {
            break;
        };
        let graph = to_graph(&record.molecule, &mut vertices, GraphOptions::default()).graph;
        list.graphs.push(Some(Arc::new(graph)));
        let name = record.name.trim().to_owned();
        names.push((!name.is_empty()).then_some(name));
        lines.push(u32::try_from(record.line).unwrap_or(u32::MAX));
        fields.add(record.fields);
    }
    if lines.is_empty() {
        return Err(Error::Empty {
            file,
            problem: "there are no records".to_owned(),
        });
    }
    list.vertex_labels = vertices.names().to_vec();
    let mut columns = vec![Column::new("molecule", Values::Graphs(list))];
    if names.iter().any(Option::is_some) && !fields.has("name") {
        columns.push(Column::new("name", Values::Text(names)));
    }
    columns.extend(fields.columns(lines.len(), &file, &lines, options)?);
    convert::table(columns, Origin { name: file, lines }, options)
}

/// The fields of records, by name; records may lack some.
#[derive(Default)]
struct Fields {
    names: Vec<String>,
    /// Per field the record and the text.
    values: Vec<Vec<(usize, String)>>,
    records: usize,
}

impl Fields {
    fn add(&mut self, fields: Vec<(String, String)>) {
        for (name, text) in fields {
            // The molecule itself has its name already.
            let name = if name == "molecule" {
                "molecule field".to_owned()
            } else {
                name
            };
            let place = self.names.iter().position(|n| *n == name);
            let place = place.unwrap_or_else(|| {
                self.names.push(name);
                self.values.push(Vec::new());
                self.names.len() - 1
            });
            self.values[place].push((self.records, text));
        }
        self.records += 1;
    }

    fn has(&self, name: &str) -> bool {
        self.names.iter().any(|n| n == name)
    }

    /// Columns whose kinds are recognised as those of a CSV file.
    fn columns(
        self,
        rows: usize,
        file: &str,
        lines: &[u32],
        options: &ReadOptions,
    ) -> Result<Vec<Column>> {
        let missing = options.missing_texts();
        let named = self.names.into_iter().zip(self.values).enumerate();
        named
            .map(|(position, (name, values))| {
                let mut cells = Cells::default();
                let mut values = values.into_iter().peekable();
                for row in 0..rows {
                    let own = values.next_if(|(record, _)| *record == row);
                    match own {
                        Some((_, text)) => cells.push(text.trim().as_bytes()),
                        None => cells.push_missing(),
                    }
                }
                let reader = Reader {
                    name: &name,
                    position: position + 1,
                    file,
                    lines,
                    missing: &missing,
                    options,
                    comma: false,
                };
                reader.read(&cells, None)
            })
            .collect()
    }
}

/// Reads a TU folder: a column of graphs, and `class` or numbers to be predicted.
pub(crate) fn graphs(path: &Path, options: &ReadOptions) -> Result<Table> {
    let name = path.display().to_string();
    let files = TuFiles::find(path).map_err(|e| placed(e, &name))?;
    let (watch, limit) = (options.watch(), options.limit);
    let open = |path: &Path| match Source::from_argument(path).open_within(&watch, limit) {
        Ok(opened) => Ok(TextLines::new(opened.reader, options.max_field)),
        Err(error) => {
            let cure = Hint::join(error.hints());
            Err(ReadFault::new(0, error.to_string(), cure))
        }
    };
    let found = tu::read(&files, open);
    options.check_cancel()?;
    let found = found.map_err(|e| placed(e, &name))?;
    let mut columns = vec![Column::new(
        "graph",
        graph_values(found.graphs, &found.vertex_names, &found.edge_names),
    )];
    let single = found.graph_attributes.len() == 1;
    for (k, values) in found.graph_attributes.into_iter().enumerate() {
        let name = if single {
            "y".to_owned()
        } else {
            format!("y{}", k + 1)
        };
        columns.push(Column::new(name, Values::Numeric(values)));
    }
    if let Some(labels) = found.graph_labels {
        columns.push(Column::new(
            "class",
            Values::Categorical(categories(&labels)),
        ));
    }
    let origin = Origin {
        name,
        lines: Vec::new(),
    };
    convert::table(columns, origin, options)
}

fn graph_values(graphs: Vec<Graph>, vertices: &LabelNames, edges: &LabelNames) -> Values {
    Values::Graphs(GraphList {
        graphs: graphs.into_iter().map(|g| Some(Arc::new(g))).collect(),
        vertex_labels: vertices.names().to_vec(),
        edge_labels: edges.names().to_vec(),
    })
}

fn categories(labels: &[String]) -> Categories {
    let targets = mercer::data::ClassTargets::from_labels(labels);
    Categories {
        codes: targets.codes,
        levels: targets.labels,
    }
}

/// A fault with the name of its file.
fn placed(fault: ReadFault, file: &str) -> Error {
    let file = if fault.file.is_empty() {
        file.to_owned()
    } else {
        fault.file
    };
    if fault.line == 0 {
        return Error::Unsupported {
            file,
            problem: fault.problem,
            cure: fault.cure,
        };
    }
    Error::Syntax {
        file,
        line: fault.line,
        column: fault.column,
        problem: fault.problem,
        cure: fault.cure,
    }
}
