//! `mercer svm-train`, `svm-predict`, `svm-scale`.

use std::fmt::Write as _;

use crate::harness::{Folder, bundled};

/// A bundled set as LIBSVM text; the last column holds the target.
fn libsvm(name: &str, label: impl Fn(&str) -> String) -> String {
    let text = std::fs::read_to_string(bundled(name)).expect("a bundled set");
    let mut out = String::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let (target, values) = fields.split_last().expect("columns");
        out += &label(target);
        for (i, value) in values.iter().enumerate() {
            let _ = write!(out, " {}:{value}", i + 1);
        }
        out.push('\n');
    }
    out
}

fn iris() -> String {
    let names = ["setosa", "versicolor", "virginica"];
    libsvm("iris.csv", |t| {
        names
            .iter()
            .position(|n| *n == t)
            .expect("a class")
            .to_string()
    })
}

fn number_after(text: &str, key: &str) -> f64 {
    let rest = text
        .split(key)
        .nth(1)
        .unwrap_or_else(|| panic!("`{key}` in {text}"));
    let word = rest
        .trim_start()
        .split([' ', '%', ',', '\n'])
        .next()
        .expect("a word");
    word.parse()
        .unwrap_or_else(|_| panic!("a number in `{word}`"))
}

#[test]
fn train_and_predict() {
    let folder = Folder::new();
    folder.put("iris", iris());
    let told = folder.run("svm-train -c 10 iris");
    let text = told.ok();
    assert_eq!(text.matches("optimization finished, #iter = ").count(), 3);
    assert_eq!(text.matches("nu = ").count(), 3);
    assert!(number_after(text, "obj = ") < 0.0);
    let vectors = number_after(text, "Total nSV = ");
    let model = folder.get("iris.model");
    assert!(
        model.starts_with("svm_type c_svc\nkernel_type rbf\ngamma 0.25\nnr_class 3\n"),
        "{model}"
    );
    assert!(model.contains(&format!("total_sv {vectors}\n")) && model.contains("label 0 1 2\n"));
    let told = folder.run("svm-predict iris iris.model out");
    assert!(number_after(told.ok(), "Accuracy = ") > 95.0);
    assert!(
        told.out.ends_with("/150) (classification)\n"),
        "{}",
        told.out
    );
    assert_eq!(folder.get("out").lines().count(), 150);
    assert_eq!(folder.run("svm-predict -q iris iris.model out").ok(), "");
    assert_eq!(folder.run("svm-train -q iris m").ok(), "");
}

#[test]
fn copies_are_support_vectors_of_their_own() {
    let folder = Folder::new();
    folder.put("d", "1 1:1\n-1 1:-1\n".repeat(3));
    // Three copies share a coefficient of 0.5: at most 0.1 each, or 0.2.
    for (c, line) in [("0.1", "nSV = 6, nBSV = 6"), ("0.2", "nSV = 6, nBSV = 4")] {
        let told = folder.run(&format!("svm-train -t 0 -e 1e-9 -c {c} d"));
        let text = told.ok();
        assert!(text.contains(line), "{text}");
        assert!(text.contains("Total nSV = 6"), "{text}");
        let model = folder.get("d.model");
        assert!(model.contains("total_sv 6\n") && model.contains("nr_sv 3 3\n"));
        let vectors = model.split("SV\n").last().expect("vectors");
        assert_eq!(vectors.lines().count(), 6);
    }
    // A sum of 3 over both points, at most 1 for each row.
    let told = folder.run("svm-train -s 2 -n 0.5 d");
    assert!(told.ok().contains("nSV = 4, nBSV = 2"), "{}", told.out);
}

#[test]
fn labels_come_by_first_appearance() {
    let folder = Folder::new();
    folder
        .put("d", "-1 1:-1\n1 1:1\n-1 1:-2\n1 1:2\n")
        .put("e", "7 1:-1\n-3 1:1\n");
    folder.run("svm-train -q -t 0 d").ok();
    assert!(folder.get("d.model").contains("label 1 -1\n"));
    folder.run("svm-train -q -t 0 e").ok();
    assert!(folder.get("e.model").contains("label 7 -3\n"));
    folder.run("svm-predict e e.model out").ok();
    assert_eq!(folder.get("out"), "7\n-3\n");
}

#[test]
fn probabilities_need_a_model_with_them() {
    let folder = Folder::new();
    folder.put("iris", iris());
    folder.run("svm-train -q iris plain.model").ok();
    folder.run("svm-predict -b 1 iris plain.model out").fails(
        1,
        &[
            "plain.model: the model has no probabilities",
            "train with `-b 1`",
        ],
    );
    assert!(!folder.has("out"));
    folder.run("svm-train -q -b 1 iris p.model").ok();
    folder.run("svm-predict -b 1 iris p.model out").ok();
    let text = folder.get("out");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("labels 0 1 2"));
    assert_eq!(lines.clone().count(), 150);
    for line in lines {
        let words: Vec<f64> = line
            .split(' ')
            .map(|w| w.parse().expect("a number"))
            .collect();
        assert!(
            (words[1..].iter().sum::<f64>() - 1.0).abs() < 1e-9,
            "{line}"
        );
        let best = words[1..].iter().copied().fold(0.0, f64::max);
        assert_eq!(words[1 + words[0] as usize], best, "{line}");
    }
    let told = folder.run("svm-predict iris p.model out");
    assert!(told.ok().contains("`-b 1` writes them"));
}

#[test]
fn regression_and_novelty() {
    let folder = Folder::new();
    folder.put("d", libsvm("diabetes_efron.csv", str::to_owned));
    let scaled = folder.run("svm-scale d");
    folder.put("s", scaled.ok());
    for kind in ["-s 3 -p 5 -c 10", "-s 4 -c 10"] {
        folder.run(&format!("svm-train -b 1 {kind} s m")).ok();
        assert!(number_after(&folder.get("m"), "probA ") > 10.0);
        let told = folder.run("svm-predict -b 1 s m out");
        // The constant has a mean squared error of 5,930 on these rows, the models about 3,100.
        assert!(number_after(told.ok(), "Mean squared error = ") < 4000.0);
        assert!(number_after(&told.out, "Squared correlation coefficient = ") > 0.4);
    }
    let told = folder.run("svm-train -s 2 -n 0.2 -b 1 s m");
    assert!(number_after(told.ok(), "obj = ") > 0.0);
    assert!(folder.get("m").contains("prob_density_marks "));
    folder.run("svm-predict -b 1 s m out").ok();
    let text = folder.get("out");
    assert!(text.starts_with("labels normal outlier\n"));
    let new = text.lines().filter(|l| l.starts_with("-1 ")).count() as f64;
    assert!((new / 442.0 - 0.2).abs() < 0.03, "{new}");
}

#[test]
fn cross_validation_prints_one_line() {
    let folder = Folder::new();
    folder.put("iris", iris());
    let told = folder.run("svm-train -v 5 iris");
    let accuracy = number_after(told.ok(), "Cross Validation Accuracy = ");
    assert!(accuracy > 90.0 && told.out.ends_with("%\n"), "{}", told.out);
    assert!(!folder.has("iris.model"));
    folder.put("d", "1 1:1\n2 1:2\n3 1:3\n4 1:4\n5 1:5\n6 1:6\n");
    let told = folder.run("svm-train -s 3 -t 0 -c 100 -p 0.01 -v 100 d");
    assert!(number_after(told.ok(), "Cross Validation Mean squared error = ") < 0.1);
    assert!(
        told.out
            .contains("Cross Validation Squared correlation coefficient = ")
    );
    assert!(told.err.contains("100 folds for 6 rows"));
}

#[test]
fn given_matrices_are_linear_kernels_again() {
    let folder = Folder::new();
    let points = [
        [0.0, 1.0],
        [1.0, 2.5],
        [2.0, 0.5],
        [-1.0, -1.0],
        [-2.0, -0.5],
        [0.5, -2.0],
    ];
    let dot = |a: &[f64; 2], b: &[f64; 2]| a[0] * b[0] + a[1] * b[1];
    let (mut plain, mut given) = (String::new(), String::new());
    for (i, p) in points.iter().enumerate() {
        let label = if i < 3 { 1 } else { -1 };
        let _ = writeln!(plain, "{label} 1:{} 2:{}", p[0], p[1]);
        let _ = write!(given, "{label} 0:{}", i + 1);
        for (j, q) in points.iter().enumerate() {
            let _ = write!(given, " {}:{}", j + 1, dot(p, q));
        }
        given.push('\n');
    }
    folder.put("plain", plain).put("given", given);
    let told = ["-t 0 plain", "-t 4 given"].map(|rest| {
        let told = folder.run(&format!("svm-train -e 1e-6 {rest}"));
        number_after(told.ok(), "obj = ")
    });
    assert!((told[0] - told[1]).abs() < 1e-5, "{told:?}");
    assert!(folder.get("given.model").contains(" 0:"));
    folder.run("svm-predict plain plain.model a").ok();
    folder.run("svm-predict given given.model b").ok();
    assert_eq!(folder.get("a"), folder.get("b"));
    folder.put("bad", "1 1:1\n-1 0:2 1:0 2:1\n");
    folder
        .run("svm-train -t 4 bad")
        .fails(1, &["bad, line 1, column 1", "does not start with `0:`"]);
    folder.put("bad", "1 0:1 1:1\n-1 0:7 1:0 2:1\n");
    folder
        .run("svm-train -t 4 bad")
        .fails(1, &["bad, line 2, column 1", "from 1 to 2"]);
}

#[test]
fn scaling_fills_skips_and_restores() {
    let folder = Folder::new();
    folder.put("train", "1 1:1 2:5 4:0\n2 1:3 2:5 3:2\n1 1:2 2:5 3:4\n");
    folder.put("test", "1 1:1 2:5 5:3\n2 1:5 3:2\n1\n");
    let told = folder.run("svm-scale -s range train");
    // Feature 2 never varies; the absent 3 of the first row is a zero.
    assert_eq!(told.ok(), "1 1:-1 3:-1 \n2 1:1 \n1 3:1 \n");
    assert_eq!(folder.get("range"), "x\n-1 1\n1 1 3\n3 0 4\n");
    let told = folder.run("svm-scale -r range test");
    assert_eq!(told.ok(), "1 1:-1 3:-1 \n2 1:3 \n1 1:-2 3:-1 \n");
    for feature in ["feature 2 ", "feature 5 "] {
        assert!(told.err.contains(feature), "{}", told.err);
    }
    let told = folder.run("svm-scale -l 0.1 -u 0.2 -y -1 1 -s r2 train");
    assert!(
        told.ok()
            .starts_with("-1 1:0.10000000000000001 3:0.10000000000000001 \n1 ")
    );
    assert_eq!(folder.run("svm-scale -r r2 train").ok(), told.ok());
}

#[test]
fn wrong_usage_and_bad_files() {
    let folder = Folder::new();
    folder
        .put("d", "1 1:1\n-1 1:2\n")
        .put("broken", "1 1:1\n-1 1:x\n")
        .put("one", "1 1:1\n1 1:2\n");
    let done = folder.run("svm-train");
    assert_eq!(done.code, 2);
    assert!(done.err.contains("Usage: mercer svm-train"), "{}", done.err);
    assert!(folder.run("svm-scale --help").ok().contains("-r FILE"));
    folder.run("svm-train -s 9 d").fails(2, &["`-s` is `9`"]);
    folder.run("svm-train -c").fails(2, &["`-c` needs a value"]);
    folder
        .run("svm-train -z 1 d")
        .fails(2, &["there is no option `-z`"]);
    folder
        .run("svm-predict d")
        .fails(2, &["the model file is missing"]);
    folder
        .run("svm-scale -l 1 -u 0 d")
        .fails(2, &["the limits of `-l` and `-u`"]);
    folder
        .run("svm-scale -s a -r b d")
        .fails(2, &["exclude each other"]);
    folder
        .run("svm-train broken")
        .fails(1, &["broken, line 2, column 6", "`x` is not a number"]);
    folder
        .run("svm-train absent")
        .fails(1, &["there is no file `absent`"]);
    folder
        .run("svm-train one")
        .fails(1, &["all rows belong to the class `1`"]);
    folder
        .run("svm-train -s 1 -n 0.9 one")
        .fails(1, &["all rows belong to the class `1`"]);
    folder.put("m", "svm_type c_svc\nnonsense\n");
    folder.run("svm-predict d m out").fails(1, &["m, line 2"]);
    folder.put("range", "x\n-1\n");
    folder
        .run("svm-scale -r range d")
        .fails(1, &["range, line 2"]);
    let warned = folder.run("svm-train -q -w5 2 d");
    warned.ok();
    assert!(warned.err.contains("no row has the label 5"));
    assert_eq!(
        folder.names(),
        ["broken", "d", "d.model", "m", "one", "range"]
    );
}

#[test]
fn same_bytes_on_one_and_two_threads() {
    let folder = Folder::new();
    folder.put("iris", iris());
    for threads in ["1", "2"] {
        let mut command = folder.command(["svm-train", "-b", "1", "-q", "iris", threads]);
        let status = command
            .env("MERCER_NUM_THREADS", threads)
            .status()
            .expect("started");
        assert!(status.success());
    }
    assert_eq!(folder.get("1"), folder.get("2"));
}
