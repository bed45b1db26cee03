//! The files of a TU folder.

use std::path::{Path, PathBuf};

use super::ReadFault;

/// What a file of the folder holds, by the end of its name.
const PARTS: [&str; 8] = [
    "_A.txt",
    "_graph_indicator.txt",
    "_graph_labels.txt",
    "_graph_attributes.txt",
    "_node_labels.txt",
    "_node_attributes.txt",
    "_edge_labels.txt",
    "_edge_attributes.txt",
];

/// Endings of compressed files.
const PACKED: [&str; 3] = ["", ".gz", ".zst"];

/// Where the files of one data set are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TuFiles {
    /// The name of the data set, which starts every file's name.
    pub(crate) name: String,
    /// Edges.
    pub(crate) edges: PathBuf,
    /// The graph of every vertex.
    pub(crate) indicator: PathBuf,
    /// The class of every graph.
    pub(crate) graph_labels: Option<PathBuf>,
    /// Numbers for every graph.
    pub(crate) graph_attributes: Option<PathBuf>,
    /// The label of every vertex.
    pub(crate) vertex_labels: Option<PathBuf>,
    /// The label of every edge.
    pub(crate) edge_labels: Option<PathBuf>,
    /// Files that are there and not read, by name.
    pub(crate) ignored: Vec<String>,
}

/// Returns the data set's name if a file name is one of a TU folder.
pub(crate) fn data_set_name(file: &str) -> Option<&str> {
    let plain = PACKED.iter().rev().find_map(|end| file.strip_suffix(end))?;
    PARTS.iter().find_map(|part| plain.strip_suffix(part))
}

/// Returns whether a folder has a file of a data set.
pub(crate) fn has_graphs(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.any(|name| data_set_name(&name).is_some())
}

impl TuFiles {
    /// Finds the files of a data set from its folder or any one of its files.
    ///
    /// # Errors
    /// A folder that cannot be listed, holds no data set or several, or lacks the edges or the
    /// graphs of the vertices.
    pub(crate) fn find(path: &Path) -> Result<Self, ReadFault> {
        let whole = |problem: String, cure: &str| {
            ReadFault::new(0, problem, cure).file(&path.display().to_string())
        };
        let (folder, wanted) = if path.is_dir() {
            (path.to_owned(), None)
        } else {
            let file = path.file_name().map(|n| n.to_string_lossy().into_owned());
            let name = file.as_deref().and_then(data_set_name).map(str::to_owned);
            let Some(name) = name else {
                let problem = "this is no file of a TU folder".to_owned();
                return Err(whole(problem, "name the folder, or its file `..._A.txt`"));
            };
            let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
            (folder.unwrap_or(Path::new(".")).to_owned(), Some(name))
        };
        let listing = std::fs::read_dir(&folder);
        let listing = listing.map_err(|e| whole(e.to_string(), "check the path"))?;
        let mut files: Vec<String> = listing
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        files.sort_unstable();
        let name = match wanted {
            Some(name) => name,
            None => only_name(&files).map_err(|(problem, cure)| whole(problem, &cure))?,
        };
        let find = |part: &str| {
            let packed = PACKED.iter().map(|end| format!("{name}{part}{end}"));
            let mut packed = packed.filter(|file| files.contains(file));
            packed.next().map(|file| folder.join(file))
        };
        let need = |part: &str| {
            let missing = || {
                let problem = format!("the file `{name}{part}` is missing");
                ReadFault::new(0, problem, "add the file to the folder")
                    .file(&folder.display().to_string())
            };
            find(part).ok_or_else(missing)
        };
        let ignored = ["_node_attributes.txt", "_edge_attributes.txt"];
        let ignored = ignored.into_iter().filter_map(find);
        let ignored = ignored.filter_map(|p| Some(p.file_name()?.to_string_lossy().into_owned()));
        Ok(Self {
            edges: need("_A.txt")?,
            indicator: need("_graph_indicator.txt")?,
            graph_labels: find("_graph_labels.txt"),
            graph_attributes: find("_graph_attributes.txt"),
            vertex_labels: find("_node_labels.txt"),
            edge_labels: find("_edge_labels.txt"),
            ignored: ignored.collect(),
            name,
        })
    }
}

/// The name of the one data set among some files.
fn only_name(files: &[String]) -> Result<String, (String, String)> {
    let mut names: Vec<&str> = files.iter().filter_map(|f| data_set_name(f)).collect();
    names.dedup();
    names.sort_unstable();
    names.dedup();
    match names[..] {
        [name] => Ok(name.to_owned()),
        [] => Err((
            "the folder holds no graphs".to_owned(),
            "give a folder with files `NAME_A.txt` and `NAME_graph_indicator.txt`".to_owned(),
        )),
        [first, ..] => Err((
            format!("the folder holds several data sets: {}", names.join(", ")),
            format!("name one of their files, such as `{first}_A.txt`"),
        )),
    }
}
