//! Files that are broken, empty or strange: a right model, or an error with place and cure.

use crate::harness::{Folder, clouds};

fn fit(name: &str, contents: impl AsRef<[u8]>, flags: &str) -> (Folder, crate::harness::Done) {
    let folder = Folder::new();
    folder.put(name, contents);
    let done = folder.run(&format!("fit {name} -o m.mercer {flags}"));
    assert!(!done.err.contains("panicked"), "{}", done.err);
    if done.code != 0 {
        assert!(!folder.has("m.mercer"), "a failed fit left a model");
    }
    (folder, done)
}

#[test]
fn an_empty_file() {
    fit("d.csv", "", "--target y")
        .1
        .fails(1, &["d.csv", "hint:"]);
}

#[test]
fn a_header_only() {
    fit("d.csv", "a,y\n", "--target y")
        .1
        .fails(1, &["there is a header but no row", "hint:"]);
}

#[test]
fn one_row() {
    fit("d.csv", "a,y\n1,p\n", "--target y")
        .1
        .fails(1, &["one class", "hint:"]);
    let (_, done) = fit("d.csv", "a,y\n1,p\n", "--target y --holdout 0.5");
    done.fails(1, &["one class", "hint:"]);
}

#[test]
fn one_class() {
    let (_, done) = fit("d.csv", "a,y\n1,p\n2,p\n3,p\n", "--target y");
    done.fails(1, &["`y` has one class only, `p`", "--task novelty"]);
}

#[test]
fn a_constant_column() {
    let text = clouds(60).replace('\n', ",7\n").replacen(",7", ",same", 1);
    fit("d.csv", text, "--target kind").1.ok();
}

#[test]
fn an_all_missing_column() {
    let text = clouds(60)
        .replace('\n', ",\n")
        .replacen(",\n", ",void\n", 1);
    let (folder, done) = fit("d.csv", text, "--target kind");
    done.ok();
    folder
        .put("new.csv", "a,b\n0,0\n")
        .run("predict m.mercer new.csv")
        .ok();
}

#[test]
fn duplicate_rows_with_opposite_labels() {
    let text = "a,b,y\n0,0,p\n0,0,q\n1,1,p\n2,2,q\n";
    let (_, soft) = fit("d.csv", text, "--target y --model svc --json");
    assert_eq!(soft.json()["report"]["stop_reason"], "converged");
    let (_, hard) = fit(
        "d.csv",
        text,
        "--target y --model svc --hard --kernel linear",
    );
    hard.fails(1, &["no hard margin", "row", "hint:", "--c"]);
}

#[test]
fn the_hard_margin_of_separable_rows() {
    let text = "a,b,y\n0,0,p\n0,1,p\n2,0,q\n2,1,q\n";
    let (_, done) = fit(
        "d.csv",
        text,
        "--target y --model svc --hard --kernel linear --json",
    );
    let margin = done.json()["report"]["problems"][0]["margin"]
        .as_f64()
        .expect("number");
    assert!((margin - 1.0).abs() < 1e-3, "{margin}");
}

#[test]
fn missing_values_are_filled_and_told() {
    let text = clouds(60).replacen("\n-", "\nNaN,0,inner\n-", 3);
    let (_, done) = fit("d.csv", text, "--target kind --verbose");
    assert!(done.ok().contains("missing"), "{}", done.out);
}

#[test]
fn infinities_are_named() {
    for bad in ["inf", "-Infinity", "1e400"] {
        let text = format!("a,y\n1,p\n{bad},q\n3,p\n4,q\n");
        let (_, done) = fit("d.csv", text, "--target y --kind a=numeric");
        done.fails(1, &["line 3", "`a`", "hint:"]);
    }
}

#[test]
fn a_field_of_a_million_characters() {
    let text = format!(
        "a,note,y\n1,{},p\n2,b,q\n3,c,p\n4,d,q\n",
        "x".repeat(1_000_000)
    );
    let (_, done) = fit("d.csv", text, "--target y");
    done.ok();
    assert!(
        done.err.len() + done.out.len() < 20_000,
        "the field is printed in full"
    );
}

#[test]
fn broken_utf8() {
    let (_, done) = fit("d.csv", b"a,y\n1,p\n2,\xff\xfe\n3,q\n", "--target y");
    done.fails(1, &["line 3", "UTF-8", "hint:"]);
}

#[test]
fn unbalanced_quotes() {
    let (_, done) = fit("d.csv", "a,y\n1,\"p\n2,q\n3,p\n", "--target y");
    done.fails(1, &["line 2", "quote", "hint:"]);
}

#[test]
fn rows_of_different_lengths() {
    let (_, done) = fit("d.csv", "a,b,y\n1,2,p\n1,q\n1,2,q\n", "--target y");
    done.fails(1, &["line 3", "2 fields", "3 expected"]);
}

#[test]
fn a_name_twice() {
    let (_, done) = fit("d.csv", "a,a,y\n1,2,p\n2,3,q\n", "--target y");
    done.fails(2, &["columns 1 and 2", "`a`", "hint:"]);
}

#[test]
fn a_target_that_is_missing_somewhere() {
    let text = "a,y\n1,p\n2,\n3,q\n4,p\n5,q\n";
    fit("d.csv", text, "--target y")
        .1
        .fails(1, &["line 3", "`y`", "missing"]);
    let (_, done) = fit("d.csv", text, "--target y --drop-unlabelled --json");
    assert_eq!(done.json()["report"]["rows"], 4);
}

#[test]
fn negative_weights() {
    let text = "a,w,y\n1,1,p\n2,-2,q\n3,1,p\n4,1,q\n";
    fit("d.csv", text, "--target y --weights w")
        .1
        .fails(1, &["line 3", "`w`", "-2", "hint:"]);
}

#[test]
fn libsvm_lines_that_break_the_rules() {
    for (bad, part) in [
        ("1 0:5", "0"),
        ("1 -3:5", "-3"),
        ("1 99999999999999999999:1", "99999"),
        ("1 2:x", "x"),
        ("1 1:2 1:3", "1"),
        ("x 1:1", "x"),
        ("1 1:1e400", "1e400"),
    ] {
        let text = format!("1 1:1 2:1\n-1 1:2\n{bad}\n-1 2:2\n");
        let (_, done) = fit("d.svm", text, "--target y --format libsvm");
        done.fails(1, &["line 3", part, "hint:"]);
    }
    let text = "1 2:1 1:5\n-1 1:2\n1 2:3\n-1 1:2 2:2\n";
    let (_, done) = fit("d.svm", text, "--target y --format libsvm");
    done.fails(1, &["line 1", "indices must ascend", "hint:"]);
    let text = "1 1:1\n-1 4000000000:1\n";
    let (_, done) = fit("d.svm", text, "--target y --format libsvm");
    done.fails(1, &["line 2", "2147483646", "hint:"]);
}

/// Rows fifty million features wide in one gigabyte of address space: a number per feature fits,
/// the four rows written out do not.
#[cfg(unix)]
#[test]
fn a_huge_index_takes_no_huge_memory() {
    let folder = Folder::new();
    folder.put("d.svm", "1 1:1\n-1 50000000:1\n1 1:2\n-1 50000000:2\n");
    let mercer = env!("CARGO_BIN_EXE_mercer");
    for line in [
        "fit d.svm --target y --format libsvm --model svc -o m.mercer",
        "predict m.mercer d.svm -o p.csv",
    ] {
        let script = format!("ulimit -v 1000000 && exec '{mercer}' {line}");
        let mut limited = std::process::Command::new("sh");
        let limited = limited.args(["-c", &script]).current_dir(folder.path(""));
        let done = limited.output().expect("started");
        let told = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{line}: {told}");
    }
    assert_eq!(folder.get("p.csv"), "prediction\n1\n-1\n1\n-1\n");
}

#[test]
fn folders_archives_and_nothing() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("sub")).expect("made");
    folder
        .put("d.zip", b"PK\x03\x04junk")
        .put("d.gz", b"\x1f\x8b\x08junk");
    folder.run("fit sub --target y").fails(1, &["folder"]);
    folder.run("fit d.zip --target y").fails(1, &["d.zip"]);
    folder.run("fit d.gz --target y").fails(1, &["d.gz"]);
    folder
        .run_with_stdin("fit - --target y", b"")
        .fails(1, &["standard input"]);
}

#[test]
fn errors_are_json_when_asked() {
    let (_, done) = fit("d.csv", "a,y\n1,p\n2,p\n", "--target y --json");
    assert_eq!(done.code, 1);
    let error = &done.object()["error"];
    assert_eq!(error["code"], "rows");
    assert!(
        error["message"]
            .as_str()
            .expect("text")
            .contains("one class")
    );
    assert!(!error["hints"].as_array().expect("list").is_empty());
}

#[test]
fn models_for_the_other_kind_of_target_are_named() {
    let folder = Folder::new();
    let mut text = String::from("x,number,kind\n");
    for i in 0..40 {
        text += &format!("{},{}.5,{}\n", i * 7 % 11, i * i, ["p", "q"][i % 2]);
    }
    folder.put("d.csv", text);
    let told = folder.run("fit d.csv --target number --drop kind --model svc -o n.mercer");
    told.fails(1, &["40 different numbers", "`--model svr`"]);
    assert!(!told.err.contains("--kind"), "{}", told.err);
    folder
        .run("fit d.csv --target number --drop kind --model svr -o n.mercer")
        .ok();
    folder
        .run("fit d.csv --target kind --drop number --model svr -o k.mercer")
        .fails(
            1,
            &[
                "column `kind` is categorical",
                "`--model svc`",
                "`--target`",
            ],
        );
    folder
        .run("fit d.csv --target kind --drop number --model svc -o k.mercer")
        .ok();
}
