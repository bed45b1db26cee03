//! A network from a list of edges and a list of its nodes.

use std::collections::HashMap;

use mercer::data::{Network, NodeList, Table, Tie, Values};

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
            "give a table whose rows name two nodes each",
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
