//! `--model linear_svc`, `linear_svr` and `logistic`.

use crate::harness::{Folder, clouds, line};

#[test]
fn linear_models_of_classes_fit_predict_and_are_searched() {
    let folder = Folder::new();
    folder.put("c.csv", clouds(40));
    for (model, flags) in [("logistic", "--c 2"), ("linear_svc", "--c 2 --loss hinge")] {
        let object = folder
            .run(&format!(
                "fit c.csv -t kind --model {model} {flags} -o {model}.mercer --json"
            ))
            .json();
        assert_eq!(object["report"]["stop_reason"], "converged", "{model}");
        let gap = object["report"]["dual_gap"].as_f64().expect("a number");
        let cost = object["report"]["objective"].as_f64().expect("a number");
        assert!(gap >= 0.0 && gap <= 1e-6 * cost, "{gap} {cost}");
        folder.run(&format!("predict {model}.mercer c.csv")).ok();
        folder
            .run(&format!("cv c.csv -t kind --model {model} --folds 3"))
            .ok();
        folder.run(&format!("export {model}.mercer --to onnx")).ok();
    }
    let answers = folder.run("predict logistic.mercer c.csv --proba");
    let line = answers.ok().lines().nth(1).expect("a row").to_owned();
    let probabilities: Vec<f64> = line
        .split(',')
        .filter_map(|cell| cell.parse().ok())
        .collect();
    let sum: f64 = probabilities.iter().rev().take(2).sum();
    assert!((sum - 1.0).abs() < 1e-3, "{line}");
    let tuned = folder
        .run("tune c.csv -t kind --model logistic --folds 3 --json")
        .json();
    assert!(tuned.to_string().contains("\"C\""), "{tuned}");
}

#[test]
fn linear_regression_with_a_tube_passes_outliers_by() {
    let folder = Folder::new();
    let rows = (0..20).map(|i| format!("{i},{}\n", if i == 7 { 900 } else { 2 * i + 1 }));
    folder.put("r.csv", format!("x,y\n{}", rows.collect::<String>()));
    folder.put("at.csv", "x\n30\n");
    folder
        .run("fit r.csv -t y --task regress --model linear_svr --c 100 --bias free -o r.mercer")
        .ok();
    let answer = folder.run("predict r.mercer at.csv");
    let found: f64 = answer
        .ok()
        .lines()
        .nth(1)
        .and_then(|l| l.split(',').next())
        .expect("a cell")
        .parse()
        .expect("a number");
    assert!((found - 61.0).abs() < 1e-2, "{found}");
}

#[test]
fn separable_classes_without_a_penalty_are_told_of() {
    let folder = Folder::new();
    folder.put("s.csv", "x,y\n0,a\n1,a\n2,a\n7,b\n8,b\n9,b\n");
    let done = folder.run("fit s.csv -t y --model logistic --set penalty=none -o s.mercer");
    let told = format!("{}{}", done.out, done.err);
    assert!(told.contains("separates the classes"), "{told}");
}

#[test]
fn linear_machines_that_stop_early_say_so_like_the_others() {
    let folder = Folder::new();
    folder.put("c.csv", clouds(60)).put("r.csv", line(60));
    let cases = [
        "c.csv -t kind --model linear_svc --loss hinge",
        "c.csv -t kind --model logistic",
        "r.csv -t y --model linear_svr",
        "c.csv -t kind --model mlp",
    ];
    for case in cases {
        let flags = "--max-iterations 1 --tolerance 1e-13 -o z.mercer";
        let done = folder.run(&format!("fit {case} {flags}"));
        // A line of the screen may end inside of the sentence.
        let told = done.ok().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains("(iteration_limit)"), "{case}: {}", done.out);
        assert!(told.contains("more iterations"), "{case}: {}", done.out);
    }
}
