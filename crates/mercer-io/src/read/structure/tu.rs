//! TU folders: many graphs in a handful of text files.
//!
//! `NAME_A.txt` lists edges as two numbers of vertices, `NAME_graph_indicator.txt` gives the graph
//! of every vertex, `NAME_graph_labels.txt` the class of every graph, and
//! `NAME_graph_attributes.txt` numbers to be predicted. Labels of vertices and edges are optional.
//! All numbers count from one, and vertices through all graphs. Attributes of vertices and edges
//! are not read, which is noted. A graph without vertices is kept where the labels list it.
//!
//! Morris, C. et al.: TUDataset: A collection of benchmark datasets for learning with graphs.
//! ICML workshop on graph representation learning (2020).

use std::path::Path;

use mercer::data::{Edge, Graph, LabelNames};

use super::fault::shorten;
use super::{LineSource, ReadFault};

pub(crate) use super::tu_files::TuFiles;

/// The name of the label of vertices and edges that have none.
pub(crate) const UNLABELLED: &str = "0";

/// The graphs of a folder.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TuGraphs {
    /// The name of the data set.
    pub(crate) name: String,
    /// One graph after the other.
    pub(crate) graphs: Vec<Graph>,
    /// The class of every graph, as it is written.
    pub(crate) graph_labels: Option<Vec<String>>,
    /// Columns of numbers, one number a graph.
    pub(crate) graph_attributes: Vec<Vec<f64>>,
    /// Names of the labels of vertices.
    pub(crate) vertex_names: LabelNames,
    /// Names of the labels of edges.
    pub(crate) edge_names: LabelNames,
    /// What the user should know.
    pub(crate) notes: Vec<String>,
}

/// Reads a folder; `open` gives the lines of a file, decompressed.
///
/// # Errors
/// A vertex or graph out of range, an edge between two graphs, files whose lengths differ, and
/// what `open` and its lines report.
pub(crate) fn read<S: LineSource>(
    files: &TuFiles,
    mut open: impl FnMut(&Path) -> Result<S, S::Error>,
) -> Result<TuGraphs, S::Error> {
    let mut open = |path: &Path| {
        let lines = open(path)?;
        Ok::<_, S::Error>(Part::new(path, lines))
    };
    let mut notes = Vec::new();
    for file in &files.ignored {
        notes.push(format!(
            "`{file}` is not read: kernels on graphs use labels only"
        ));
    }
    let mut indicator = open(&files.indicator)?;
    let mut graph_of: Vec<u32> = Vec::new();
    while indicator.next()? {
        graph_of.push(indicator.positive(0, indicator.line.trim())?);
    }
    let largest = graph_of.iter().copied().max().unwrap_or(0) as usize;
    let graph_labels = match &files.graph_labels {
        None => None,
        Some(path) => Some(texts(&mut open(path)?)?),
    };
    let graph_attributes = match &files.graph_attributes {
        None => Vec::new(),
        Some(path) => columns(&mut open(path)?)?,
    };
    let listed = match (&graph_labels, graph_attributes.first()) {
        (Some(labels), _) => Some((labels.len(), &files.graph_labels)),
        (None, Some(column)) => Some((column.len(), &files.graph_attributes)),
        (None, None) => None,
    };
    let count = match listed {
        Some((count, path)) if count < largest => {
            let file = path.as_deref().map(file_name).unwrap_or_default();
            let at = graph_of
                .iter()
                .position(|&g| g as usize > count)
                .unwrap_or(0);
            let problem = format!(
                "vertex {} belongs to graph {}, and `{file}` lists {count} graphs",
                at + 1,
                graph_of[at]
            );
            let cure = "the files of a folder must belong together";
            return Err(indicator.fault(at + 1, 1, problem, cure));
        }
        Some((count, _)) => count,
        // Numbers far beyond the vertices are no numbers of graphs.
        None if largest > graph_of.len() => {
            let at = graph_of
                .iter()
                .position(|&g| g as usize == largest)
                .unwrap_or(0);
            let problem = format!("graph {largest} of {} vertices in all", graph_of.len());
            return Err(indicator.fault(at + 1, 1, problem, "number graphs from one"));
        }
        None => largest,
    };
    if let (Some(column), Some(path)) = (graph_attributes.first(), &files.graph_attributes)
        && column.len() != count
    {
        return Err(differ(path, column.len(), count, "graphs"));
    }
    let mut vertex_names = LabelNames::default();
    let mut vertex_labels = Vec::with_capacity(graph_of.len());
    if let Some(path) = &files.vertex_labels {
        let mut part = open(path)?;
        while part.next()? {
            vertex_labels.push(vertex_names.code(&joined(&part.line)));
        }
        if vertex_labels.len() != graph_of.len() {
            return Err(differ(
                path,
                vertex_labels.len(),
                graph_of.len(),
                "vertices",
            ));
        }
    } else {
        vertex_labels.resize(graph_of.len(), vertex_names.code(UNLABELLED));
    }
    let mut own_number = vec![0_u32; graph_of.len()];
    let mut labels: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (vertex, &graph) in graph_of.iter().enumerate() {
        let list = &mut labels[graph as usize - 1];
        own_number[vertex] = list.len() as u32;
        list.push(vertex_labels[vertex]);
    }
    let mut edge_names = LabelNames::default();
    let mut edge_labels = match &files.edge_labels {
        Some(path) => Some(open(path)?),
        None => None,
    };
    let mut edges: Vec<Vec<Edge>> = vec![Vec::new(); count];
    let mut part = open(&files.edges)?;
    let mut read = 0;
    while part.next()? {
        read += 1;
        let (from, to) = part.pair(graph_of.len())?;
        let (first, second) = (graph_of[from], graph_of[to]);
        if first != second {
            let problem = format!(
                "an edge joins vertex {} of graph {first} to vertex {} of graph {second}",
                from + 1,
                to + 1
            );
            let cure = "edges stay within a graph; check the graph indicator";
            return Err(part.fault(part.lines.number(), 1, problem, cure));
        }
        let label = match &mut edge_labels {
            None => edge_names.code(UNLABELLED),
            Some(labels) => {
                if !labels.next()? {
                    let problem =
                        format!("there are labels for {} edges; the edges go on", read - 1);
                    let cure = "give every line of edges a line of labels";
                    return Err(labels.fault(0, 1, problem, cure));
                }
                edge_names.code(&joined(&labels.line))
            }
        };
        edges[first as usize - 1].push(Edge {
            from: own_number[from],
            to: own_number[to],
            label,
        });
    }
    if let Some(labels) = &mut edge_labels
        && labels.next()?
    {
        let line = labels.lines.number();
        let problem = format!("there are labels for more than {read} edges");
        return Err(labels.fault(
            line,
            1,
            problem,
            "give every line of edges a line of labels",
        ));
    }
    let graphs = labels.into_iter().zip(&edges).map(|(labels, edges)| {
        Graph::try_new(labels, edges).expect("edges between vertices of the graph")
    });
    let graphs: Vec<Graph> = graphs.collect();
    let empty = graphs.iter().filter(|g| g.is_empty()).count();
    if empty > 0 {
        notes.push(format!("{empty} graphs have no vertices"));
    }
    Ok(TuGraphs {
        name: files.name.clone(),
        graphs,
        graph_labels,
        graph_attributes,
        vertex_names,
        edge_names,
        notes,
    })
}

/// One file, read line by line; empty lines may stand at its end only.
struct Part<S> {
    file: String,
    lines: S,
    line: String,
    empty: Option<usize>,
}

impl<S: LineSource> Part<S> {
    fn new(path: &Path, lines: S) -> Self {
        Self {
            file: file_name(path),
            lines,
            line: String::new(),
            empty: None,
        }
    }

    fn next(&mut self) -> Result<bool, S::Error> {
        while self.lines.next(&mut self.line)? {
            if self.line.trim().is_empty() {
                self.empty.get_or_insert(self.lines.number());
                continue;
            }
            if let Some(line) = self.empty {
                let problem = "an empty line between others".to_owned();
                return Err(self.fault(
                    line,
                    1,
                    problem,
                    "every line stands for one item; fill it",
                ));
            }
            return Ok(true);
        }
        Ok(false)
    }

    fn fault(&self, line: usize, column: usize, problem: String, cure: &str) -> S::Error {
        let fault = ReadFault::new(line, problem, cure);
        fault.column(column).file(&self.file).into()
    }

    /// A number of a vertex or graph, counted from one.
    fn positive(&self, at: usize, word: &str) -> Result<u32, S::Error> {
        match word.parse::<u32>() {
            Ok(number) if number > 0 => Ok(number),
            _ => {
                let column = self.line[..at].chars().count() + 1;
                let problem = format!("`{}` is not a number from one on", shorten(word));
                let cure = "vertices and graphs are numbered from one";
                Err(self.fault(self.lines.number(), column, problem, cure))
            }
        }
    }

    /// The two vertices of an edge, counted from zero.
    fn pair(&self, count: usize) -> Result<(usize, usize), S::Error> {
        let number = self.lines.number();
        let Some((first, second)) = self.line.split_once(',') else {
            let problem = format!("`{}` is no pair of vertices", shorten(self.line.trim()));
            return Err(self.fault(number, 1, problem, "write two numbers with a comma between"));
        };
        let second_at = first.len() + 1;
        let first = self.positive(0, first.trim())? as usize;
        let second = self.positive(second_at, second.trim())? as usize;
        for (vertex, at) in [(first, 0), (second, second_at)] {
            if vertex > count {
                let column = self.line[..at].chars().count() + 1;
                let problem = format!("an edge names vertex {vertex}, and there are {count}");
                let cure = "every vertex needs a line in the graph indicator";
                return Err(self.fault(number, column, problem, cure));
            }
        }
        Ok((first - 1, second - 1))
    }
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

fn differ<E: From<ReadFault>>(path: &Path, found: usize, expected: usize, unit: &str) -> E {
    let problem = format!("the file has {found} lines; there are {expected} {unit}");
    let cure = "give one line for each";
    ReadFault::new(0, problem, cure)
        .file(&file_name(path))
        .into()
}

fn texts<S: LineSource>(part: &mut Part<S>) -> Result<Vec<String>, S::Error> {
    let mut texts = Vec::new();
    while part.next()? {
        texts.push(part.line.trim().to_owned());
    }
    Ok(texts)
}

/// Several labels of one item, without the spaces between them.
fn joined(line: &str) -> String {
    line.split(',').map(str::trim).collect::<Vec<_>>().join(",")
}

fn columns<S: LineSource>(part: &mut Part<S>) -> Result<Vec<Vec<f64>>, S::Error> {
    let mut columns: Vec<Vec<f64>> = Vec::new();
    let mut rows = 0;
    while part.next()? {
        let words: Vec<&str> = part.line.split(',').map(str::trim).collect();
        if rows == 0 {
            columns.resize(words.len(), Vec::new());
        }
        let number = part.lines.number();
        if words.len() != columns.len() {
            let problem = format!(
                "the line has {} numbers; {} expected",
                words.len(),
                columns.len()
            );
            return Err(part.fault(number, 1, problem, "give every graph as many numbers"));
        }
        for (column, word) in columns.iter_mut().zip(words) {
            match word.parse::<f64>() {
                // What is no number is missing.
                Ok(value) if value.is_finite() || value.is_nan() => column.push(value),
                _ => {
                    let problem = format!("`{}` is not a finite number", shorten(word));
                    return Err(part.fault(number, 1, problem, "give a number, or `nan`"));
                }
            }
        }
        rows += 1;
    }
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::structure::TextLines;
    use crate::read::structure::tu_files::data_set_name;
    use std::collections::HashMap;
    use std::io::Cursor;
    use std::path::PathBuf;

    fn files(parts: &[(&str, &str)]) -> TuFiles {
        let has = |part: &str| parts.iter().any(|(p, _)| *p == part);
        let path = |part: &str| PathBuf::from(format!("T_{part}.txt"));
        let optional = |part: &str| has(part).then(|| path(part));
        TuFiles {
            name: "T".to_owned(),
            edges: path("A"),
            indicator: path("graph_indicator"),
            graph_labels: optional("graph_labels"),
            graph_attributes: optional("graph_attributes"),
            vertex_labels: optional("node_labels"),
            edge_labels: optional("edge_labels"),
            ignored: Vec::new(),
        }
    }

    fn graphs(parts: &[(&str, &str)]) -> Result<TuGraphs, ReadFault> {
        let texts: HashMap<PathBuf, String> = parts
            .iter()
            .map(|(part, text)| (PathBuf::from(format!("T_{part}.txt")), (*text).to_owned()))
            .collect();
        read(&files(parts), |path| {
            let text = texts.get(path).cloned().expect("a file of the list");
            Ok(TextLines::new(Cursor::new(text), 1 << 20))
        })
    }

    fn message(parts: &[(&str, &str)]) -> String {
        graphs(parts).expect_err("refused").to_string()
    }

    #[test]
    fn a_folder_is_read() {
        let found = graphs(&[
            ("A", "1, 2\n2, 1\n4,3\r\n3,4\n\n"),
            ("graph_indicator", "1\n1\n3\n3\n"),
            ("graph_labels", "1\n-1\n1\n"),
            ("graph_attributes", "0.5, 1\n-1, nan\n2,3\n"),
            ("node_labels", "7\n8\n8\n7"),
            ("edge_labels", "2\n2\n0\n0\n"),
        ])
        .expect("three graphs");
        assert_eq!(
            found.graphs.iter().map(Graph::len).collect::<Vec<_>>(),
            [2, 0, 2]
        );
        assert_eq!(
            found.graph_labels.as_deref(),
            Some(&["1", "-1", "1"].map(str::to_owned)[..])
        );
        assert_eq!(found.graph_attributes[0], [0.5, -1.0, 2.0]);
        assert!(found.graph_attributes[1][1].is_nan());
        assert_eq!(found.vertex_names.names(), ["7", "8"]);
        assert_eq!(found.graphs[2].labels(), [1, 0]);
        let edges: Vec<Edge> = found.graphs[2].edges().collect();
        assert_eq!(
            edges,
            [Edge {
                from: 0,
                to: 1,
                label: 1
            }]
        );
        assert_eq!(found.edge_names.names(), ["2", "0"]);
        assert_eq!(found.notes, ["1 graphs have no vertices"]);
    }

    #[test]
    fn faults_name_file_and_line() {
        let base = [("graph_indicator", "1\n1\n2\n"), ("graph_labels", "a\nb\n")];
        let with = |edges: &'static str| {
            let mut parts = base.to_vec();
            parts.push(("A", edges));
            message(&parts)
        };
        assert_eq!(
            with("1,2\n1, 9\n"),
            "T_A.txt, line 2, column 3: an edge names vertex 9, and there are 3"
        );
        assert_eq!(
            with("1,3\n"),
            "T_A.txt, line 1, column 1: an edge joins vertex 1 of graph 1 to vertex 3 of graph 2"
        );
        assert_eq!(
            with("0,1\n"),
            "T_A.txt, line 1, column 1: `0` is not a number from one on"
        );
        assert_eq!(
            with("1 2\n"),
            "T_A.txt, line 1, column 1: `1 2` is no pair of vertices"
        );
        assert_eq!(
            with("1,2\n\n2,1\n"),
            "T_A.txt, line 2, column 1: an empty line between others"
        );
        let wrong = |part: &'static str, text: &'static str| {
            let mut parts = base.to_vec();
            parts.retain(|(name, _)| *name != part);
            parts.push(("A", "1,2\n2,1\n"));
            parts.push((part, text));
            message(&parts)
        };
        assert_eq!(
            wrong("node_labels", "1\n2\n"),
            "T_node_labels.txt: the file has 2 lines; there are 3 vertices"
        );
        assert_eq!(
            wrong("edge_labels", "1\n"),
            "T_edge_labels.txt: there are labels for 1 edges; the edges go on"
        );
        assert_eq!(
            wrong("edge_labels", "1\n1\n1\n"),
            "T_edge_labels.txt, line 3, column 1: there are labels for more than 2 edges"
        );
        assert_eq!(
            wrong("graph_labels", "a\n"),
            "T_graph_indicator.txt, line 3, column 1: vertex 3 belongs to graph 2, and `T_graph_labels.txt` lists 1 graphs"
        );
        assert_eq!(
            wrong("graph_attributes", "1\n"),
            "T_graph_attributes.txt: the file has 1 lines; there are 2 graphs"
        );
        assert_eq!(
            wrong("graph_attributes", "1\nx\n"),
            "T_graph_attributes.txt, line 2, column 1: `x` is not a finite number"
        );
        let huge = [("A", ""), ("graph_indicator", "4000000000\n")];
        assert_eq!(
            message(&huge),
            "T_graph_indicator.txt, line 1, column 1: graph 4000000000 of 1 vertices in all"
        );
    }

    #[test]
    fn names_of_files_are_known() {
        assert_eq!(data_set_name("MUTAG_A.txt"), Some("MUTAG"));
        assert_eq!(data_set_name("A_B_graph_labels.txt.gz"), Some("A_B"));
        assert_eq!(data_set_name("README.txt"), None);
        let fault = TuFiles::find(Path::new("nowhere/x.csv")).expect_err("no such file");
        assert_eq!(
            fault.to_string(),
            "nowhere/x.csv: this is no file of a TU folder"
        );
    }
}
