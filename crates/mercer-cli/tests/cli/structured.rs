//! Texts, molecules and networks from the command line.

use crate::harness::Folder;

const MOLECULES: &str = "smiles,logp,ring\n\
    c1ccccc1C(=O)O,1.9,aromatic\nCC(=O)Oc1ccccc1C(=O)O,1.2,aromatic\nCCO,-0.3,none\n\
    CCCCN,1.0,none\nc1ccncc1,0.6,aromatic\nCC(C)CC(=O)O,1.2,none\n\
    c1ccc2ccccc2c1,3.3,aromatic\nCCOC(=O)C,0.7,none\nOc1ccccc1,1.5,aromatic\n\
    NCCO,-1.3,none\nCc1ccccc1N,1.3,aromatic\nCCCCCC,3.9,none\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.put("m.csv", MOLECULES);
    folder
}

#[test]
fn the_table_of_the_course_is_printed() {
    let done = folder().run("kernel subsequence BEERE BERT --table");
    done.ok();
    assert!(
        done.out.contains("BERT  1  2   4    6    12     14"),
        "{}",
        done.out
    );
    let json = folder()
        .run("kernel substring BEERE BERT --table --json")
        .json();
    assert_eq!(json["value"], 8.0);
    assert_eq!(json["table"][4][5], 8.0);
    assert_eq!(json["tables"]["K₀"][2][2], 3.0);
}

#[test]
fn long_texts_have_a_logarithm() {
    let folder = folder();
    folder
        .put("a.txt", "ab".repeat(800))
        .put("b.txt", "ba".repeat(800));
    let json = folder.run("kernel subsequence @a.txt @b.txt --json").json();
    assert!(json["value"].is_null());
    assert!(json["log_value"].as_f64().expect("a number") > 700.0);
    let json = folder
        .run("kernel normalise(subsequence) @a.txt @b.txt --json")
        .json();
    let value = json["value"].as_f64().expect("a number");
    assert!(value > 0.0 && value < 1.0, "{value}");
}

#[test]
fn molecules_are_recognised_learnt_and_explained() {
    let folder = folder();
    folder
        .run("fit m.csv --target ring --model svc --kernel wl@smiles+rbf@logp -o m.mercer")
        .ok();
    let json = folder.run("predict m.mercer m.csv --json").json();
    assert_eq!(json["predictions"][0], "aromatic");
    assert_eq!(json["predictions"][2], "none");
    let done = folder.run("explain m.mercer m.csv --row 2 -o why.html");
    done.ok();
    assert!(done.out.contains("(C) of smiles"), "{}", done.out);
    assert!(folder.get("why.html").contains("<svg"));
    let json = folder.run("explain m.mercer m.csv --row 1 --json").json();
    assert_eq!(json["class"], "aromatic");
    assert!(json["parts"].as_array().expect("parts").len() > 9);
    folder
        .run("explain m.mercer m.csv --row 99")
        .fails(2, &["no row 99"]);
}

#[test]
fn what_is_no_molecule_is_placed() {
    let folder = folder();
    folder.put("bad.csv", "smiles,y\nCCO,a\nC1CC,b\nCCN,a\n");
    folder
        .run("fit bad.csv --target y --kind smiles=molecule --kernel wl --model svc")
        .fails(
            1,
            &[
                "bad.csv, line 3",
                "column `smiles`",
                "character 2",
                "ring 1",
            ],
        );
    folder
        .run("fit m.csv --target ring --model svc --kernel spectrum@logp")
        .fails(1, &["no text column", "--kind"]);
}

#[test]
fn a_network_is_learnt_from_few_members() {
    let folder = folder();
    folder.put(
        "ties.csv",
        "a,b\nann,bob\nbob,cid\nann,cid\ncid,dan\ndan,eve\neve,fay\ndan,fay\n",
    );
    folder.put(
        "people.csv",
        "who,club\nann,x\nbob,\ncid,\ndan,\neve,\nfay,y\n",
    );
    folder
        .run("fit ties.csv --nodes people.csv --target club -o club.mercer")
        .ok();
    let json = folder.run("predict club.mercer people.csv --json").json();
    assert_eq!(
        json["predictions"],
        serde_json::json!(["x", "x", "x", "y", "y", "y"])
    );
    folder.put("new.csv", "who\nzoe\n");
    folder
        .run("predict club.mercer new.csv")
        .fails(1, &["new.csv, line 2", "`zoe` is not in the network"]);
    folder.put("more.csv", "a,b\nann,bob\nbob,zoe\n");
    folder
        .run("fit more.csv --nodes people.csv --target club")
        .fails(1, &["more.csv, line 3", "`zoe` is not in the list"]);
}

/// Rows are nodes, however they are given: alone, or with the edges that the model was learnt from.
#[test]
fn nodes_are_predicted_beside_their_edges_and_with_probabilities() {
    let folder = folder();
    folder
        .put(
            "ties.csv",
            "a,b\nann,bob\nbob,cid\nann,cid\ncid,dan\ndan,eve\neve,fay\ndan,fay\n",
        )
        .put(
            "people.csv",
            "who,club\nann,x\nbob,x\ncid,\ndan,\neve,y\nfay,y\n",
        );
    let fit = "fit ties.csv --nodes people.csv --target club -o club.mercer";
    folder.run(fit).ok();
    let alone = folder.run("predict club.mercer people.csv");
    let beside = folder.run("predict club.mercer ties.csv --nodes people.csv");
    assert_eq!(beside.ok(), alone.ok());
    assert_eq!(alone.out.lines().count(), 7);
    folder
        .run("predict club.mercer people.csv --proba")
        .fails(1, &["without probabilities", "--proba"]);
    // What the hint says leads to probabilities.
    folder.run(&format!("{fit} --proba")).ok();
    let told = folder.run("predict club.mercer people.csv --proba");
    assert!(
        told.ok().starts_with("prediction,probability_x,"),
        "{}",
        told.out
    );
}

#[test]
fn a_folder_of_graphs_is_a_table() {
    let folder = folder();
    std::fs::create_dir(folder.path("T")).expect("a folder");
    let triangle_or_path = |g: usize| {
        if g.is_multiple_of(2) {
            "1, 2\n2, 3\n1, 3\n"
        } else {
            "1, 2\n2, 3\n"
        }
    };
    let (mut arcs, mut indicator, mut labels) = (String::new(), String::new(), String::new());
    for g in 0..12 {
        for arc in triangle_or_path(g).lines() {
            let ends: Vec<usize> = arc
                .split(", ")
                .map(|e| e.parse().expect("a number"))
                .collect();
            arcs += &format!("{}, {}\n", 3 * g + ends[0], 3 * g + ends[1]);
        }
        indicator += &format!("{0}\n{0}\n{0}\n", g + 1);
        labels += if g.is_multiple_of(2) { "1\n" } else { "-1\n" };
    }
    folder
        .put("T/T_A.txt", arcs)
        .put("T/T_graph_indicator.txt", indicator);
    folder.put("T/T_graph_labels.txt", labels);
    folder
        .run("fit T --target class --model svc -o t.mercer")
        .ok();
    let json = folder.run("score t.mercer T --json").json();
    assert_eq!(json["metrics"]["accuracy"]["value"], 1.0);
    folder.put("T/T_graph_labels.txt", "1\n");
    folder.run("fit T --target class").fails(1, &["T_graph"]);
}
