//! Tables as people have them: titles, comments, blanks, indices from zero, and what is no table.

use crate::harness::{Done, Folder, clouds, line};

/// The columns that a model learnt from, by name.
fn columns(folder: &Folder, words: &str) -> Vec<String> {
    folder.run(&format!("fit {words} -o m.mercer")).ok();
    let found = folder.run("inspect m.mercer --json").json();
    let columns = found["columns"].as_array().expect("columns").iter();
    columns
        .map(|c| c["name"].as_str().expect("a name").to_owned())
        .collect()
}

#[test]
fn lines_above_the_table_are_told() {
    let folder = Folder::new();
    folder
        .put("plain.csv", clouds(60))
        .put(
            "titled.csv",
            format!("# made in May\nClouds of points\n{}", clouds(60)),
        )
        .put("odd.csv", format!("Clouds, of points\n{}", clouds(60)));
    let plain = folder.run("fit plain.csv --target kind --model svc -o m.mercer --json");
    let titled = folder.run("fit titled.csv --target kind --model svc -o m.mercer --json");
    let objective = |done: &Done| {
        done.json()["report"]["objective"]
            .as_f64()
            .expect("a number")
    };
    assert_eq!(objective(&plain), objective(&titled));
    let told = "the table begins in line 3; what stands above it is passed over";
    assert!(titled.err.contains(told), "{}", titled.err);
    folder
        .run("fit odd.csv --target kind")
        .fails(1, &["line 2", "`--skip-rows`"]);
    assert_eq!(
        columns(&folder, "odd.csv --target kind --model svc --skip-rows 1"),
        ["a", "b"]
    );
    let told = folder.run("predict m.mercer titled.csv");
    assert_eq!(told.ok().lines().count(), 61);
    assert!(
        told.err.contains("the table begins in line 3"),
        "{}",
        told.err
    );
}

#[test]
fn comments_and_blanks_are_flags_too() {
    let folder = Folder::new();
    let blanks = line(40)
        .replace(',', "   ")
        .replace("x   y", "% made\n x  y");
    folder.put("d.txt", blanks);
    let words = "d.txt --target y --model krr --comment % --delimiter space";
    assert_eq!(columns(&folder, words), ["x"]);
    assert_eq!(
        columns(&folder, "d.txt --target y --model krr --comment %"),
        ["x"]
    );
    folder
        .run("fit d.txt --target y --comment ab")
        .fails(2, &["ASCII character"]);
}

#[test]
fn edges_and_nodes_have_their_own_delimiters() {
    let folder = Folder::new();
    folder
        .put(
            "ties.txt",
            "ann bob\nbob cid\ncid ann\ndan eve\neve fay\nfay dan\ncid dan\n",
        )
        .put(
            "people.csv",
            "who;club\nann;x\nbob;x\ncid;x\ndan;y\neve;y\nfay;y\n",
        );
    let fit = "fit ties.txt --nodes people.csv --target club --model svc -o m.mercer";
    folder.run(fit).ok();
    folder.run(&format!("{fit} --delimiter space")).ok();
    folder
        .run(&format!(
            "{fit} --delimiter space --nodes-delimiter semicolon"
        ))
        .ok();
    folder
        .run("fit people.csv --target club --nodes-delimiter comma")
        .fails(2, &["--nodes"]);
}

#[test]
fn indices_may_start_at_zero() {
    let folder = Folder::new();
    let row = |i: usize| format!("{} 0:{} 1:{}\n", i % 2, i % 5, 3 * (i % 2));
    let text = (0..20).map(row).collect::<Vec<_>>().concat();
    folder.put("d.svm", text);
    folder
        .run("fit d.svm --target y --model svc")
        .fails(1, &["has index 0", "`--zero-based`"]);
    folder
        .run("fit d.svm --target y --model svc --zero-based -o m.mercer")
        .ok();
    let told = folder.run("predict m.mercer d.svm --zero-based");
    assert_eq!(told.ok().lines().nth(2), Some("1"));
}

#[test]
fn what_is_no_table_is_named() {
    let folder = Folder::new();
    folder
        .put("d.csv", clouds(40))
        .put(
            "page.csv",
            "<!DOCTYPE html>\n<html><body>404</body></html>\n",
        )
        .put("data.pkl", b"\x80\x04\x95\x10\0\0\0\0\0\0\0}\x94.");
    folder
        .run("fit d.csv --target kind --model svc -o m.mercer")
        .ok();
    folder
        .run("fit page.csv --target y")
        .fails(1, &["this is an HTML page", "save the table in it as CSV"]);
    folder
        .run("fit data.pkl --target y")
        .fails(1, &["this is a Python pickle", "to_parquet"]);
    folder
        .run("fit s3://store/d.csv --target y")
        .fails(1, &["this is an address", "`aws s3 cp s3://store/d.csv .`"]);
    folder
        .run("fit hdfs://store/d.csv --target y")
        .fails(1, &["this is an address", "copy it to a file here first"]);
    folder
        .run("fit https://example.org/d.csv --target y")
        .fails(
            1,
            &["this is an address", "curl -LO https://example.org/d.csv"],
        );
    folder
        .run("fit m.mercer --target y -o n.mercer")
        .fails(1, &["this is a model of mercer"]);
    for command in ["predict", "score", "explain"] {
        let swapped = folder.run(&format!("{command} d.csv m.mercer"));
        swapped.fails(1, &["did you swap the two?", "`m.mercer d.csv`"]);
        let tables = folder.run(&format!("{command} d.csv d.csv"));
        tables.fails(1, &["this looks like a table (csv)", "mercer fit d.csv"]);
    }
}

#[test]
fn wide_characters_are_decoded() {
    let folder = Folder::new();
    let units = std::iter::once(0xfeff).chain(clouds(40).encode_utf16().collect::<Vec<_>>());
    let bytes: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
    folder.put("d.csv", bytes);
    assert_eq!(
        columns(&folder, "d.csv --target kind --model svc"),
        ["a", "b"]
    );
}

#[test]
fn rows_from_standard_input_are_called_so() {
    let folder = Folder::new();
    for command in [
        "cv - --target kind --model svc --folds 3",
        "compare - --target kind --models svc,krr --folds 3 --as-is",
        "select - --target kind",
    ] {
        let done = folder.run_with_stdin(command, clouds(60).as_bytes());
        let told = "60 rows of standard input";
        assert!(done.ok().contains(told), "{command}: {}", done.out);
    }
}
