//! Columns of graphs: labels become codes of training, new labels codes beyond them.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::Encoding;
use super::arrive::{Faults, cell};
use crate::data::labels::list;
use crate::data::{Column, Graph, GraphList, Kind, LabelNames, Network, Table, Values, molecule};
use crate::fit::Note;
use crate::hint::{Act, Hint, Word};
use crate::{Error, Result};

/// Learns which labels there are.
///
/// Their order does not depend on the order of rows.
pub(super) fn learn(table: &Table, column: &Column) -> Result<Encoding> {
    let list = read(table, column, None)?;
    let (mut vertices, mut edges) = (BTreeSet::new(), BTreeSet::new());
    for graph in list.graphs.iter().flatten() {
        vertices.extend(graph.labels().iter().copied());
        edges.extend(graph.edges().map(|edge| edge.label));
    }
    let names = |codes: BTreeSet<u32>, all: &[String]| {
        let mut names: Vec<String> = codes.iter().map(|&c| all[c as usize].clone()).collect();
        names.sort();
        names.dedup();
        names
    };
    Ok(Encoding::Graph {
        molecule: matches!(column.values, Values::Molecules(_)),
        vertices: names(vertices, &list.vertex_labels),
        edges: names(edges, &list.edge_labels),
    })
}

/// Labels the graphs of a column as in training.
pub(super) fn apply(
    table: &Table,
    column: &Column,
    vertices: &[String],
    edges: &[String],
    faults: &mut Faults,
    notes: &mut Vec<Note>,
) -> Result<Vec<Arc<Graph>>> {
    let list = read(table, column, Some(faults))?;
    let vertex_codes = translate(&list.vertex_labels, vertices);
    let edge_codes = translate(&list.edge_labels, edges);
    let mut unseen = Unseen::default();
    let nothing = Arc::new(Graph::try_new(Vec::new(), &[]).expect("no edge"));
    let relabelled = list.graphs.iter().map(|graph| {
        let Some(graph) = graph else {
            return nothing.clone();
        };
        unseen.look(graph, &vertex_codes, vertices.len(), &list.vertex_labels);
        Arc::new(graph.relabelled(
            |code| vertex_codes[code as usize],
            |code| edge_codes[code as usize],
        ))
    });
    let graphs = relabelled.collect();
    unseen.note(&column.name, notes);
    Ok(graphs)
}

/// The code of each given name; names unknown to training follow behind.
fn translate(given: &[String], known: &[String]) -> Vec<u32> {
    let codes: HashMap<&str, u32> = known.iter().map(String::as_str).zip(0..).collect();
    let mut next = known.len() as u32;
    let code = |name: &String| {
        codes.get(name.as_str()).copied().unwrap_or_else(|| {
            next += 1;
            next - 1
        })
    };
    given.iter().map(code).collect()
}

/// Rows with labels that training did not have.
#[derive(Default)]
struct Unseen {
    rows: usize,
    names: BTreeSet<String>,
}

impl Unseen {
    fn look(&mut self, graph: &Graph, codes: &[u32], known: usize, names: &[String]) {
        let labels = graph.labels().iter().map(|&label| label as usize);
        let new: Vec<usize> = labels.filter(|&l| codes[l] as usize >= known).collect();
        self.rows += usize::from(!new.is_empty());
        self.names.extend(new.into_iter().map(|l| names[l].clone()));
    }

    fn note(self, column: &str, notes: &mut Vec<Note>) {
        if self.rows > 0 {
            let names: Vec<String> = self.names.into_iter().collect();
            let rows = if self.rows == 1 {
                "row has"
            } else {
                "rows have"
            };
            notes.push(Note::Alert(format!(
                "{} {rows} vertices with labels unseen in training in column `{column}`: {}",
                self.rows,
                list(&names)
            )));
        }
    }
}

/// Reads a column as graphs; texts are read as SMILES. Rows to learn from have no place for
/// faults: all must be read.
fn read<'a>(
    table: &Table,
    column: &'a Column,
    mut faults: Option<&mut Faults>,
) -> Result<std::borrow::Cow<'a, GraphList>> {
    let values = &column.values;
    if let Values::Graphs(list) = values {
        return Ok(std::borrow::Cow::Borrowed(list));
    }
    if matches!(values, Values::Vectors(_) | Values::Nodes(_)) {
        return Err(Error::ColumnKind {
            column: column.name.clone(),
            found: column.kind().to_string(),
            expected: Kind::Graph.to_string(),
        });
    }
    let mut vertices = LabelNames::default();
    let mut errors = Vec::new();
    let mut graphs = Vec::with_capacity(values.len());
    for row in 0..values.len() {
        let Some(text) = values.text(row) else {
            graphs.push(None);
            continue;
        };
        match molecule::parse(&text) {
            Ok(found) => {
                let options = molecule::GraphOptions::default();
                let found = molecule::to_graph(&found, &mut vertices, options);
                graphs.push(Some(Arc::new(found.graph)));
            }
            Err(error) => {
                let problem = format!("`{text}` is no SMILES, {error}");
                let mut cure = Hint::from(error.hints().join("; "));
                if faults.is_some() {
                    cure = Hint::join([cure, Act::SkipRows.into()]);
                }
                let fault = cell(table, &column.name, row, problem, cure);
                let kept = match &mut faults {
                    Some(faults) => faults.add(row, fault),
                    None => Err(fault),
                };
                graphs.push(None);
                errors.extend(kept.err());
                // A column of another kind would repeat the same thing for every row.
                if errors.len() == 3 {
                    break;
                }
            }
        }
    }
    Error::collect(errors)?;
    Ok(std::borrow::Cow::Owned(GraphList {
        graphs,
        vertex_labels: vertices.names().to_vec(),
        edge_labels: molecule::bond_names().names().to_vec(),
    }))
}

/// Reads a column as nodes of a network.
pub(super) fn members(
    table: &Table,
    column: &Column,
    network: &Network,
    faults: &mut Faults,
) -> Result<Vec<u32>> {
    if let Values::Nodes(list) = &column.values
        && list.network == *network
        && list.nodes.iter().all(Option::is_some)
    {
        return Ok(list.nodes.iter().flatten().copied().collect());
    }
    if matches!(column.values, Values::Vectors(_) | Values::Graphs(_)) {
        return Err(Error::ColumnKind {
            column: column.name.clone(),
            found: column.kind().to_string(),
            expected: "a column of names".to_owned(),
        });
    }
    let member = |row: usize| {
        let name = column.values.text(row).ok_or_else(|| {
            let problem = "the name is missing".to_owned();
            cell(
                table,
                &column.name,
                row,
                problem,
                "name a node of the network",
            )
        })?;
        network.find(&name).ok_or_else(|| {
            let problem = format!("`{name}` is not in the network");
            let cure = Hint::from(
                "only nodes of the network that was learnt from can be told apart; \
                learn again with an edge list that names this one, or ",
            )
            .word(Word::Act(Act::SkipRows));
            cell(table, &column.name, row, problem, cure)
        })
    };
    let mut members = Vec::with_capacity(column.values.len());
    for row in 0..column.values.len() {
        members.push(match member(row) {
            Ok(node) => node,
            Err(fault) => {
                faults.add(row, fault)?;
                0
            }
        });
    }
    Ok(members)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{EncodeOptions, Encoder, Origin, Tie};

    fn table(values: Values) -> Table {
        let origin = Origin {
            name: "m.csv".to_owned(),
            lines: Vec::new(),
        };
        Table::try_new(vec![Column::new("m", values)], origin).expect("one column")
    }

    fn molecules(texts: &[&str]) -> Table {
        let texts = texts.iter().map(|t| Some((*t).to_owned()));
        table(Values::Molecules(texts.collect()))
    }

    #[test]
    fn labels_are_those_of_training_whatever_the_order() {
        let options = EncodeOptions::default();
        let (encoder, _) = Encoder::fit(&molecules(&["CO", "N"]), &options).expect("molecules");
        let (other, _) = Encoder::fit(&molecules(&["N", "OC"]), &options).expect("molecules");
        assert_eq!(encoder, other);
        let encoded = encoder
            .transform(&molecules(&["OBO", "CN"]))
            .expect("molecules");
        let graphs = &encoded.records.graphs[0].graphs;
        assert_eq!(graphs[0].labels(), [2, 3, 2]);
        assert_eq!(graphs[1].labels(), [0, 1]);
        assert_eq!(encoded.notes.len(), 1, "boron is new: {:?}", encoded.notes);
    }

    #[test]
    fn what_is_no_molecule_is_placed() {
        let (encoder, _) =
            Encoder::fit(&molecules(&["CO", "N"]), &EncodeOptions::default()).expect("molecules");
        let error = encoder
            .transform(&molecules(&["CO", "C1CC"]))
            .expect_err("open ring");
        let text = error.to_string();
        assert!(
            text.starts_with("m.csv, row 2, column `m`: `C1CC` is no SMILES, character 2"),
            "{text}"
        );
    }

    #[test]
    fn members_are_found_by_name() {
        let names = ["ann", "bob", "7"].map(str::to_owned).to_vec();
        let tie = Tie {
            from: 0,
            to: 1,
            weight: 1.0,
        };
        let network = Network::try_new(names, &[tie]).expect("a network");
        let given = table(Values::Numeric(vec![7.0]));
        let find =
            |given: &Table| members(given, &given.columns()[0], &network, &mut Faults::default());
        assert_eq!(find(&given), Ok(vec![2]));
        let given = table(Values::Text(vec![Some("eve".into())]));
        let error = find(&given).expect_err("unknown");
        assert!(
            error
                .to_string()
                .contains("row 1, column `m`: `eve` is not in the network")
        );
    }
}
