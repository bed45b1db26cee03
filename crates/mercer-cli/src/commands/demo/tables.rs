//! The bundled tables; the README beside them names their sources.

/// A table with a question that it answers.
pub(super) struct Demo {
    /// What `mercer demo NAME` calls it: what its columns hold.
    pub(super) name: &'static str,
    /// The question, and what answers it.
    pub(super) question: &'static str,
    /// Where it comes from, in two words.
    pub(super) title: &'static str,
    /// What a row is, in the plural.
    pub(super) unit: &'static str,
    /// The file that is learnt from, as `--write` names it, and its text.
    pub(super) file: &'static str,
    pub(super) text: &'static str,
    /// The nodes, where the file has the edges of a network.
    pub(super) nodes: Option<&'static str>,
    pub(super) target: &'static str,
    pub(super) positive: Option<&'static str>,
    /// The column that names rows.
    pub(super) id: Option<&'static str>,
    /// Share of the rows that the model is evaluated on.
    pub(super) held_out: f64,
    /// A line to go on with.
    pub(super) line: &'static str,
}

const TUMOURS: &str = include_str!("../../../data/breast_cancer_wdbc.csv");
const PEOPLE: &str = include_str!("../../../data/people.csv");

/// Rows of [`TUMOURS`] that `--write` keeps apart as new ones: each fifth.
const NEW: usize = 5;
/// Members of the club whose side is known in the file that `--write` makes to learn from.
const KNOWN: [&str; 6] = [
    "member1", "member2", "member3", "member24", "member33", "member34",
];

/// One table of every kind, the first as the plain demo.
pub(super) const TABLES: [Demo; 5] = [
    Demo {
        name: "numbers",
        question: "is a tumour malignant? 30 measurements of cell nuclei tell",
        title: "Breast Cancer Wisconsin",
        unit: "cases",
        file: "tumours.csv",
        text: TUMOURS,
        nodes: None,
        target: "class",
        positive: Some("malignant"),
        id: None,
        held_out: 1.0 / 3.0,
        line: "mercer fit tumours.csv --target class --holdout 0.3",
    },
    Demo {
        name: "categories",
        question: "has cross won? the nine squares of noughts and crosses tell",
        title: "Ends of games",
        unit: "boards",
        file: "games.csv",
        text: include_str!("../../../data/games.csv"),
        nodes: None,
        target: "winner",
        positive: Some("cross"),
        id: None,
        held_out: 1.0 / 3.0,
        line: "mercer fit games.csv --target winner --folds 5",
    },
    Demo {
        name: "text",
        question: "does a gene begin here? 57 letters of DNA tell",
        title: "Promoters of E. coli",
        unit: "sequences",
        file: "promoters.csv",
        text: include_str!("../../../data/promoters.csv"),
        nodes: None,
        target: "promoter",
        positive: Some("yes"),
        id: None,
        held_out: 1.0 / 3.0,
        line: "mercer fit promoters.csv --target promoter --kernel \"spectrum(length=3)\"",
    },
    Demo {
        name: "molecules",
        question: "at how many degrees does it boil? its structure tells",
        title: "Boiling points",
        unit: "molecules",
        file: "molecules.csv",
        text: include_str!("../../../data/molecules.csv"),
        nodes: None,
        target: "boiling_point",
        positive: None,
        id: Some("name"),
        held_out: 1.0 / 3.0,
        line: "mercer fit molecules.csv --target boiling_point --id name",
    },
    Demo {
        name: "network",
        question: "on whose side is a member? seven others and all ties tell",
        title: "Zachary's karate club",
        unit: "members",
        file: "ties.csv",
        text: include_str!("../../../data/ties.csv"),
        nodes: Some(PEOPLE),
        target: "club",
        positive: None,
        id: None,
        held_out: 0.8,
        line: "mercer fit ties.csv --nodes people.csv --target club",
    },
];

/// The files that lines of the README use, with their names.
pub(super) fn files() -> Vec<(&'static str, String)> {
    let mut files: Vec<(&str, String)> = Vec::new();
    for table in &TABLES {
        match table.name {
            "numbers" => {
                files.push((table.file, rows(table.text, |row| row % NEW != 0)));
                files.push(("tumours_new.csv", rows(table.text, |row| row % NEW == 0)));
            }
            _ => files.push((table.file, table.text.to_owned())),
        }
    }
    files.push(("people.csv", few_known(PEOPLE)));
    files.push(("members.csv", PEOPLE.to_owned()));
    files
}

/// The header and some of the rows, counted from 0.
fn rows(text: &str, keep: impl Fn(usize) -> bool) -> String {
    let mut lines = text.lines();
    let header = lines.next().unwrap_or_default();
    let kept = lines.enumerate().filter(|(row, _)| keep(*row));
    let mut all = format!("{header}\n");
    for (_, line) in kept {
        all.push_str(line);
        all.push('\n');
    }
    all
}

/// The members, without the side of all but a few.
fn few_known(people: &str) -> String {
    let mut all = String::new();
    for (number, line) in people.lines().enumerate() {
        let (name, club) = line.split_once(',').unwrap_or((line, ""));
        let club = if number == 0 || KNOWN.contains(&name) {
            club
        } else {
            ""
        };
        all.extend([name, ",", club, "\n"]);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_rows_are_others() {
        let files = files();
        let text = |name: &str| &files.iter().find(|(n, _)| *n == name).expect("a file").1;
        let learnt: Vec<&str> = text("tumours.csv").lines().skip(1).collect();
        let new: Vec<&str> = text("tumours_new.csv").lines().skip(1).collect();
        assert_eq!(learnt.len() + new.len(), 569);
        assert!(new.iter().all(|row| !learnt.contains(row)));
        let known = text("people.csv").lines().filter(|l| !l.ends_with(','));
        assert_eq!(known.count(), 1 + KNOWN.len());
    }
}
