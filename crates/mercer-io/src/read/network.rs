//! A network from a list of edges and a list of its nodes.

use std::collections::HashMap;

use mercer::data::{Link, Network, NodeList, Table, Tie, Values};
use mercer::hint::{Hint, Word};

use crate::Result;

/// Names of the column that says how strong an edge is.
const WEIGHTS: [&str; 3] = ["weight", "weights", "strength"];

/// Joins a list of edges with a list of nodes.
///
/// The first two columns of `edges` name the ends; a numeric column called `weight` says how
/// strong an edge is, otherwise each counts 1. The nodes are named by the first column of
/// `members` that has every end, which becomes the column of network nodes; all others stay.
///
/// # Errors
/// Fewer than two columns, ends that are no node, nodes named twice, weights that are not
/// positive; with file and line.
pub fn join_network(edges: &Table, mut members: Table) -> Result<Table> {
    let [from, to, ..] = edges.columns() else {
        return Err(mercer::Error::rows(
            "a list of edges needs two columns, one for each end",
            apart(),
        )
        .into());
    };
    let ends = [&from.values, &to.values];
    let (column, names) = member_names(&ends, &members)?;
    let codes: HashMap<&str, u32> = names.iter().map(String::as_str).zip(0..).collect();
    let weights = edges
        .columns()
        .iter()
        .find(|c| WEIGHTS.contains(&c.name.to_lowercase().as_str()));
    let mut ties = Vec::with_capacity(edges.rows());
    for row in 0..edges.rows() {
        let end = |which: usize| -> Result<u32> {
            let name = &edges.columns()[which].name;
            let cell = |problem: String, cure: &str| mercer::Error::Cell {
                place: edges.place(row),
                column: name.clone(),
                problem,
                cure: cure.into(),
            };
            let text = ends[which]
                .text(row)
                .ok_or_else(|| cell("the name is missing".to_owned(), "name both ends"))?;
            let code = codes.get(text.as_str()).copied();
            Ok(code.ok_or_else(|| {
                let problem = format!("`{text}` is not in the list of nodes");
                cell(problem, "add a row for it, or correct the name")
            })?)
        };
        let weight = match weights.map(|c| &c.values) {
            Some(Values::Numeric(values)) => values[row],
            _ => 1.0,
        };
        let (from, to) = (end(0)?, end(1)?);
        if !(weight.is_finite() && weight > 0.0) {
            return Err(mercer::Error::Cell {
                place: edges.place(row),
                column: weights.map(|c| c.name.clone()).unwrap_or_default(),
                problem: "the weight is not a positive number".to_owned(),
                cure: "give a positive number, or remove the edge".into(),
            }
            .into());
        }
        ties.push(Tie { from, to, weight });
    }
    let nodes = (0..names.len() as u32).map(Some).collect();
    let network = Network::try_new(names, &ties)?;
    members.replace(&column, Values::Nodes(NodeList { network, nodes }))?;
    Ok(members)
}

/// What to do about rows that are not taken apart.
fn apart() -> Hint {
    let hint = Hint::from(
        "give a table whose rows name two nodes each; where they stand apart by blanks, say so: ",
    );
    hint.word(Word::Set {
        setting: "delimiter",
        to: "space",
    })
}

/// Reads links with a direction: the first two columns name where each leads from and to, and a numeric column
/// called `weight` says how strong it is. Returns the names of all nodes, in the order in which they occur, and the links.
///
/// # Errors
/// Fewer than two columns, missing names, weights that are not positive; with file and line.
pub fn directed_links(edges: &Table) -> Result<(Vec<String>, Vec<Link>)> {
    let [from, to, ..] = edges.columns() else {
        return Err(mercer::Error::rows(
            "a list of links needs two columns, where each leads from and to",
            apart(),
        )
        .into());
    };
    let weights = edges
        .columns()
        .iter()
        .find(|c| WEIGHTS.contains(&c.name.to_lowercase().as_str()));
    let cell = |row: usize, column: &str, problem: &str, cure: &str| mercer::Error::Cell {
        place: edges.place(row),
        column: column.to_owned(),
        problem: problem.to_owned(),
        cure: cure.into(),
    };
    let mut names: Vec<String> = Vec::new();
    let mut codes: HashMap<String, u32> = HashMap::new();
    let mut links = Vec::with_capacity(edges.rows());
    for row in 0..edges.rows() {
        let mut ends = [0; 2];
        for (end, column) in ends.iter_mut().zip([from, to]) {
            let missing = || cell(row, &column.name, "the name is missing", "name both ends");
            let name = column.values.text(row).ok_or_else(missing)?;
            *end = *codes.entry(name.clone()).or_insert_with(|| {
                names.push(name);
                names.len() as u32 - 1
            });
        }
        let weight = match weights.map(|c| &c.values) {
            Some(Values::Numeric(values)) => values[row],
            _ => 1.0,
        };
        if !(weight.is_finite() && weight > 0.0) {
            let column = weights.map_or("weight", |c| c.name.as_str());
            let problem = "the weight is not a positive number";
            let cure = "give a positive number, or remove the link";
            return Err(cell(row, column, problem, cure).into());
        }
        let [from, to] = ends;
        links.push(Link { from, to, weight });
    }
    Ok((names, links))
}

/// The column that names nodes, with the name in every row.
fn member_names(ends: &[&Values; 2], members: &Table) -> Result<(String, Vec<String>)> {
    let all = |values: &Values| -> Option<Vec<String>> {
        (0..values.len()).map(|row| values.text(row)).collect()
    };
    let knows_all = |names: &Vec<String>| {
        let known: std::collections::HashSet<&String> = names.iter().collect();
        let named = |values: &Values| {
            (0..values.len())
                .filter_map(|row| values.text(row))
                .all(|name| known.contains(&name))
        };
        ends.iter().all(|values| named(values))
    };
    let columns = members.columns().iter();
    let mut complete = columns.filter_map(|c| Some((c.name.clone(), all(&c.values)?)));
    let found = complete.clone().find(|(_, names)| knows_all(names));
    // Where no column knows them all, the first one tells which end is unknown.
    found.or_else(|| complete.next()).ok_or_else(|| {
        mercer::Error::rows(
            "the list of nodes has no column with a name in every row",
            "name every node in the first column",
        )
        .into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{ReadOptions, Source, read};

    fn table(name: &str, text: &str) -> Table {
        let source = Source::bytes(name, text.as_bytes());
        read(&source, &ReadOptions::default()).expect("a table")
    }

    #[test]
    fn links_have_a_direction() {
        let edges = table("e.csv", "from,to,weight\na,b,2\nc,a,1\na,a,3\n");
        let (names, links) = directed_links(&edges).expect("links");
        assert_eq!(names, ["a", "b", "c"]);
        let ends: Vec<_> = links.iter().map(|l| (l.from, l.to, l.weight)).collect();
        assert_eq!(ends, [(0, 1, 2.0), (2, 0, 1.0), (0, 0, 3.0)]);
        let bad = directed_links(&table("e.csv", "from,to,weight\na,b,-2\nc,a,1\n"));
        assert!(bad.expect_err("a weight").to_string().contains("e.csv"));
        assert!(directed_links(&table("e.csv", "from\na\nb\n")).is_err());
        assert!(directed_links(&table("e.csv", "from,to\na,b\n,b\n")).is_err());
    }

    #[test]
    fn members_are_found_by_the_column_that_knows_them() {
        let edges = table("e.csv", "a,b,weight\nann,bob,2\nbob,cid,1\n");
        let people = table("p.csv", "club,who\nx,cid\ny,ann\nx,bob\nx,dan\n");
        let joined = join_network(&edges, people).expect("a network");
        let Values::Nodes(list) = &joined.column("who").expect("names").values else {
            panic!("members");
        };
        assert_eq!(list.network.names(), ["cid", "ann", "bob", "dan"]);
        let ties: Vec<(u32, u32, f64)> = list
            .network
            .ties()
            .iter()
            .map(|t| (t.from, t.to, t.weight))
            .collect();
        assert_eq!(ties, [(0, 2, 1.0), (1, 2, 2.0)]);
    }

    #[test]
    fn unknown_ends_are_placed() {
        let edges = table("e.csv", "a,b\nann,bob\nbob,eve\n");
        let people = table("p.csv", "who,club\nann,x\nbob,y\n");
        let error = join_network(&edges, people).expect_err("eve");
        assert_eq!(
            error.to_string(),
            "e.csv, line 3, column `b`: `eve` is not in the list of nodes"
        );
    }
}
