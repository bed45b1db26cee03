//! `mercer import` and `mercer export`.

use crate::harness::{Folder, fitted};

const LIBSVM: &str = "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0\n\
                      label 1 -1\nnr_sv 1 1\nSV\n0.5 1:1 \n-0.5 1:-1 \n";

#[test]
fn libsvm_models_come_in() {
    let folder = Folder::new();
    folder
        .put("small.model", LIBSVM)
        .put("d.svm", "1 1:2\n-1 1:-3\n1 1:0.5\n");
    folder.run("import small.model").ok();
    assert!(folder.has("small.mercer"));
    let answers = folder.run("predict small.mercer d.svm --decision");
    assert_eq!(answers.ok(), "prediction,decision\n1,2\n-1,-3\n1,0.5\n");
    let object = folder.run("score small.mercer d.svm --json").json();
    assert_eq!(object["metrics"]["accuracy"]["value"], 1.0);
    let object = folder.run("import small.model -o b.mercer --json").json();
    assert_eq!(object["file"], "b.mercer");
}

#[test]
fn libsvm_models_go_out_and_come_back() {
    let folder = Folder::new();
    folder.put(
        "d.svm",
        "1 1:2 2:1\n-1 1:-3\n1 1:0.5\n-1 1:-1 2:-2\n1 1:1\n-1 2:-3\n",
    );
    folder
        .run("fit d.svm --target y --model svc --kernel rbf(gamma=0.5) -o m.mercer")
        .ok();
    folder.run("export m.mercer --to libsvm -o m.model").ok();
    assert!(folder.get("m.model").starts_with("svm_type c_svc\n"));
    folder.run("import m.model -o back.mercer").ok();
    let answers = |model: &str| -> Vec<(String, f64)> {
        let done = folder.run(&format!("predict {model} d.svm --decision"));
        let cut = |line: &str| {
            let (answer, decision) = line.rsplit_once(',').expect("two");
            (answer.to_owned(), decision.parse().expect("number"))
        };
        done.ok().lines().skip(1).map(cut).collect()
    };
    let (ours, back) = (answers("m.mercer"), answers("back.mercer"));
    assert_eq!((ours.len(), back.len()), (6, 6));
    for ((class, a), (other, b)) in ours.iter().zip(&back) {
        assert_eq!(class, other);
        // LIBSVM's first label may be our second: the sign of decisions turns with it.
        assert!((a.abs() - b.abs()).abs() < 1e-9, "{a} {b}");
    }
}

#[test]
fn json_is_one_document() {
    let folder = fitted("--model svc");
    let done = folder.run("export m.mercer --to json");
    let object = done.object();
    assert_eq!(object["method"], "svc");
    assert!(object["decision"]["coefficients"].is_array());
    folder.run("export m.mercer --to json -o m.json").ok();
    assert_eq!(folder.get("m.json"), done.out);
}

#[test]
fn onnx_models_go_out() {
    let folder = fitted("--model svc --kernel laplace --proba");
    folder.run("export m.mercer --to onnx").ok();
    let bytes = std::fs::read(folder.path("m.onnx")).expect("written beside the model");
    let has = |word: &str| bytes.windows(word.len()).any(|w| w == word.as_bytes());
    assert!(
        ["mercer_labels", "probabilities", "decision"]
            .into_iter()
            .all(has)
    );
    let object = folder
        .run("export m.mercer --to onnx --form plain -o plain.onnx --json")
        .json();
    assert_eq!(object["file"], "plain.onnx");
    assert_eq!(
        std::fs::read(folder.path("plain.onnx")).expect("written"),
        bytes
    );
}

#[test]
fn onnx_refusals_leave_no_file() {
    let folder = fitted("--model svc --kernel laplace");
    folder
        .run("export m.mercer --to onnx --form operators -o o.onnx")
        .fails(2, &["by its operators", "hint: write the plain form"]);
    folder
        .run("export m.mercer --to onnx --form plan")
        .fails(2, &["did you mean `plain`?"]);
    folder
        .run("export m.mercer --to json --form plain")
        .fails(2, &["`--form` is for ONNX files"]);
    let both = folder.run("export m.mercer --to onnx -o - --json");
    assert_eq!(both.code, 2);
    assert_eq!(both.object()["error"]["code"], "usage");
    assert_eq!(folder.names(), ["d.csv", "m.mercer"]);
}

#[test]
fn what_cannot_be_exported_says_why() {
    let folder = fitted("--model svc");
    folder
        .run("export m.mercer --to libsvm")
        .fails(2, &["the label `inner`", "hint:"]);
    folder
        .run("export m.mercer --to libsvn")
        .fails(2, &["did you mean `libsvm`?"]);
    folder.put("bad.model", LIBSVM.replace("total_sv 2", "total_sv 3"));
    folder.run("import bad.model").fails(1, &["bad.model"]);
    assert!(!folder.has("bad.mercer"));
}

#[test]
fn class_factors_that_libsvm_cannot_hold_are_told_of() {
    let folder = Folder::new();
    let row = |i: usize| format!("{} 1:{}\n", if i.is_multiple_of(2) { 1 } else { -1 }, i % 7);
    let rows: Vec<String> = (0..20).map(row).collect();
    folder.put("d.svm", rows.concat());
    for (flags, told) in [("--class-weight 1=3", true), ("", false)] {
        let fit = format!("fit d.svm --target y --model svc --proba {flags} -o m.mercer");
        folder.run(&fit).ok();
        let done = folder.run("export m.mercer --to libsvm -o m.model");
        done.ok();
        assert_eq!(done.err.contains("class factors"), told, "{}", done.err);
    }
}
