//! Models of rows without names for their parts, asked about tables: what `mercer.save` writes of an array.

use crate::harness::{Folder, clouds};

/// The same rows as a LIBSVM file and as a table, and a model of the former.
fn learnt() -> Folder {
    let folder = Folder::new();
    let text = clouds(90);
    let mut vectors = String::new();
    let mut first = None;
    for row in text.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let class = 1 + usize::from(cells[2] != *first.get_or_insert(cells[2]));
        vectors += &format!("{class} 1:{} 2:{}\n", cells[0], cells[1]);
    }
    folder.put("d.svm", vectors).put("d.csv", &text);
    folder
        .run("fit d.svm --model svc --kernel rbf(gamma=0.5) -o m.mercer")
        .ok();
    folder
}

#[test]
fn columns_of_numbers_are_taken_in_their_order() {
    let folder = learnt();
    let text = folder.get("d.csv");
    let own = folder.run("predict m.mercer d.svm --decision");
    let columns = |names: &str, from: usize| -> String {
        let rows = text.lines().skip(1).map(|row| {
            let cells: Vec<&str> = row.split(',').collect();
            format!("{},{}\n", cells[from], cells[1 - from])
        });
        format!("{names}\n{}", rows.collect::<String>())
    };
    for names in ["a,b", "x0,x1", "x,y"] {
        folder.put("new.csv", columns(names, 0));
        let told = folder.run("predict m.mercer new.csv --decision");
        assert_eq!(told.ok(), own.ok(), "{names}");
    }
    folder.put("new.csv", columns("b,a", 1));
    let other = folder.run("predict m.mercer new.csv --decision");
    assert_ne!(other.ok(), own.ok(), "places decide, not names");
    folder.put("new.csv", columns("1,2", 0).split_once('\n').unwrap().1);
    let told = folder.run("predict m.mercer new.csv --decision --no-header");
    assert_eq!(told.ok(), own.ok());
    let told = folder.run("explain m.mercer new.csv --no-header --row 3");
    assert!(told.ok().contains("row 3"), "{}", told.out);
}

#[test]
fn targets_and_named_columns_are_no_part_of_the_rows() {
    let folder = learnt();
    let vectors = folder.get("d.svm");
    let mut text = String::from("name,x0,x1,y\n");
    for (i, row) in vectors.lines().enumerate() {
        let cells: Vec<&str> = row.split([' ', ':']).collect();
        text += &format!("r{i},{},{},{}\n", cells[2], cells[4], cells[0]);
    }
    folder.put("known.csv", text);
    let own = folder.run("predict m.mercer d.svm");
    let told = folder.run("predict m.mercer known.csv --id name");
    let last = |text: &str| -> Vec<String> {
        let cells = text.lines().skip(1).map(|l| l.rsplit(',').next().unwrap());
        cells.map(str::to_owned).collect()
    };
    assert_eq!(last(told.ok()), last(own.ok()));
    // A name among the columns makes one too many.
    folder.run("predict m.mercer known.csv").fails(
        1,
        &[
            "rows of 2 numbers without names; the data have 4 columns",
            "in the order in which the model learnt them",
        ],
    );
    folder.put("words.csv", "x0,x1\nlow,1\nhigh,2\n");
    folder
        .run("predict m.mercer words.csv")
        .fails(1, &["column `x0` is categorical", "one of the 2 numbers"]);
}
