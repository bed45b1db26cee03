//! `--model ols`, `ridge` and `risk`: what they tell, their options, and models of every loss.

use std::fmt::Write as _;

use serde_json::Value;

use crate::harness::{Done, Folder, clouds};

const LINE: &str = "x,y\n0,1\n1,3\n2,5\n";

fn numbers(done: &Done, column: usize) -> Vec<f64> {
    let lines = done.ok().lines().skip(1);
    let cell = |line: &str| {
        let text = line.split(',').nth(column).expect("a cell");
        text.parse().expect("a number")
    };
    lines.map(cell).collect()
}

fn near(found: &Value, expected: f64, bound: f64) {
    let number = found.as_f64().expect("a number");
    assert!(
        (number - expected).abs() < bound,
        "{number} is not {expected}"
    );
}

#[test]
fn least_squares_tells_errors_intervals_and_condition() {
    let folder = Folder::new();
    folder.put("r.csv", "x,y\n0,1\n1,2\n2,2\n");
    let fit = "fit r.csv -t y --task regress --model ols --scale none -o r.mercer";
    let object = folder.run(&format!("{fit} --json")).json();
    let linear = &object["report"]["linear"];
    let weights = linear["weights"].as_array().expect("weights");
    assert_eq!(
        (&weights[0]["name"], &weights[1]["name"]),
        (&"x".into(), &"constant".into())
    );
    near(&weights[0]["weight"], 0.5, 1e-9);
    near(&weights[0]["standard_error"], 0.288_675, 5e-7);
    near(&weights[1]["standard_error"], 0.372_678, 5e-7);
    near(&weights[0]["upper"], 0.5 + 12.706_204_7 * 0.288_675_1, 1e-5);
    near(&linear["condition"], 1.0, 1e-6);
    let told = folder.run(&format!("{fit} -v"));
    for word in ["condition", "weights", "95 % between", "±"] {
        assert!(told.ok().contains(word), "{word}: {}", told.out);
    }
    folder.run(&format!("{fit} --report r.html")).ok();
    let page = std::fs::read_to_string(folder.path("r.html")).expect("a page");
    assert!(page.contains("standard error"));
    // A new target at the mean: s√(1 + 1/3), Student's with one degree of freedom.
    folder.put("at.csv", "x\n1\n");
    let answers = folder.run("predict r.mercer at.csv --interval --level 0.95");
    let half = 12.706_204_7 * (1.0_f64 / 6.0 * (4.0 / 3.0)).sqrt();
    let (low, high) = (numbers(&answers, 1)[0], numbers(&answers, 2)[0]);
    assert!((high - low - 2.0 * half).abs() < 1e-3, "{}", answers.out);
}

#[test]
fn dependent_columns_and_few_rows_are_warned_of() {
    let folder = Folder::new();
    folder.put("r.csv", "a,b,y\n1,1,1\n1,1,2\n2,2,3\n4,4,3\n");
    let object = folder
        .run("fit r.csv -t y --task regress --model ols --scale none -o r.mercer --json")
        .json();
    let notes = object["report"]["notes"].as_array().expect("notes");
    let found = notes.iter().find(|n| n["code"] == "collinear");
    let found = found.expect("a warning");
    assert!(
        found["text"]
            .as_str()
            .is_some_and(|t| t.contains("follows from")),
        "{found}"
    );
    folder.put("w.csv", "a,b,y\n1,3,1\n2,1,2\n");
    let object = folder
        .run("fit w.csv -t y --task regress --model ols --scale none -o w.mercer --json")
        .json();
    let notes = object["report"]["notes"].as_array().expect("notes");
    assert!(notes.iter().any(|n| n["code"] == "few_rows"), "{notes:?}");
    assert!(!object.to_string().contains("VC"));
}

#[test]
fn descent_steps_converges_and_diverges() {
    let folder = Folder::new();
    folder.put("r.csv", LINE).put("at.csv", "x\n0\n1\n");
    let fit = "fit r.csv -t y --task regress --model ols --scale none -o r.mercer --json";
    let object = folder
        .run(&format!(
            "{fit} --set solver=batch --set step=0.1 --set epochs=1"
        ))
        .json();
    near(
        &object["report"]["linear"]["gradient"]["limit"],
        0.279_240_78,
        5e-9,
    );
    assert_eq!(object["report"]["stop_reason"], "iteration_limit");
    let at = numbers(&folder.run("predict r.mercer at.csv"), 0);
    assert!(
        (at[0] - 0.9).abs() < 1e-4 && (at[1] - 2.2).abs() < 1e-4,
        "{at:?}"
    );
    let object = folder
        .run(&format!(
            "{fit} --set solver=online --set step=0.1 --set epochs=1 --set shuffle=false"
        ))
        .json();
    assert_eq!(object["report"]["linear"]["gradient"]["solver"], "online");
    let at = numbers(&folder.run("predict r.mercer at.csv"), 0);
    assert!(
        (at[0] - 0.793).abs() < 1e-4 && (at[1] - 1.889).abs() < 1e-4,
        "{at:?}"
    );
    let object = folder
        .run(&format!("{fit} --set solver=batch --set step=0.282"))
        .json();
    assert_eq!(object["report"]["stop_reason"], "diverged");
    let plain = fit.trim_end_matches(" --json");
    folder
        .run(&format!("{plain} --set solver=batch --set step=-1"))
        .fails(2, &["step", "positive"]);
    folder
        .run(&format!("{plain} --set solver=newton"))
        .fails(2, &["solver", "factors, conjugate, batch, online"]);
}

#[test]
fn ridge_finds_its_penalty_and_knows_its_posterior() {
    let folder = Folder::new();
    folder.put("r.csv", "a,b,y\n1,0,1\n0,1,2\n1,1,3\n");
    let fit = "fit r.csv -t y --task regress --model ridge --scale none -o r.mercer";
    let object = folder
        .run(&format!(
            "{fit} --bias none --lambda 2 --set noise=1 --json"
        ))
        .json();
    let report = &object["report"];
    near(&report["bayes"]["prior_variance"][0], 0.5, 1e-12);
    near(&report["linear"]["weights"][0]["weight"], 0.733_333_3, 5e-8);
    near(
        &report["linear"]["weights"][0]["standard_error"],
        (4.0_f64 / 15.0).sqrt(),
        1e-9,
    );
    near(
        &report["linear"]["bias_variance"][0]["variance"],
        52.0 / 225.0,
        1e-9,
    );
    let told = folder.run(&format!("{fit} -v"));
    for word in ["λ = σ²/τ²", "w ~ N(0, τ²)", "bias, variance"] {
        assert!(told.ok().contains(word), "{word}: {}", told.out);
    }
    for rule in ["evidence", "leave_one_out", "gcv"] {
        let object = folder.run(&format!("{fit} --set by={rule} --json")).json();
        assert!(
            object["report"]["linear"]["lambda"]
                .as_f64()
                .is_some_and(|l| l > 0.0)
        );
    }
    folder
        .run(&format!("{fit} --lambda 1 --set by=gcv"))
        .fails(2, &["lambda", "by"]);
    folder.run("predict r.mercer r.csv --interval").ok();
}

#[test]
fn every_loss_is_learnt_saved_and_read_again() {
    let folder = Folder::new();
    folder
        .put("two.csv", clouds(40))
        .put("r.csv", "x,y\n0,1\n1,3\n2,4\n3,2\n4,7\n");
    for loss in ["hinge", "squared_hinge", "logistic"] {
        let line = format!("fit two.csv -t kind --model risk --loss {loss} -o m.mercer --json");
        let object = folder.run(&line).json();
        assert_eq!(object["report"]["bayes"].is_object(), loss == "logistic");
        folder.run("predict m.mercer two.csv").ok();
        folder.run("inspect m.mercer").ok();
    }
    for loss in ["squared", "epsilon", "insensitive", "huber", "ranking"] {
        let line = format!("fit r.csv -t y --task regress --model risk --loss {loss} -o m.mercer");
        folder.run(&line).ok();
        assert_eq!(
            numbers(&folder.run("predict m.mercer r.csv"), 0).len(),
            5,
            "{loss}"
        );
        folder.run("inspect m.mercer").ok();
    }
    let scores = numbers(&folder.run("predict m.mercer r.csv"), 0);
    assert!(scores[4] > scores[0], "{scores:?}");
    folder
        .run(
            "fit r.csv -t y --task regress --model risk --loss squared --set power=1.5 -o m.mercer",
        )
        .ok();
    folder
        .run("fit r.csv -t y --task regress --model risk --loss squared --set power=0.5")
        .fails(2, &["power", "at least 1"]);
    folder
        .run("fit two.csv -t kind --model risk --loss ranking")
        .fails(1, &["numeric target"]);
}

#[test]
fn free_columns_make_a_smoothing_spline() {
    let folder = Folder::new();
    let mut rows = String::from("x,y\n");
    for i in 0..15 {
        let x = f64::from(i) / 14.0;
        let y = (std::f64::consts::TAU * x).sin() + 0.05 * (f64::from((7 * i) % 11) - 5.0);
        writeln!(rows, "{x},{y}").expect("text");
    }
    folder.put("r.csv", rows).put("at.csv", "x\n0.25\n");
    folder
        .run("fit r.csv -t y --task regress --model krr --kernel bent_spline --lambda 0.001 --set unpenalised=columns --scale none -o r.mercer")
        .ok();
    let found = numbers(&folder.run("predict r.mercer at.csv"), 0);
    assert!((found[0] - 0.961_755_44).abs() < 5e-5, "{found:?}");
    folder
        .run("fit r.csv -t y --task regress --model krr --kernel bent_spline --set by=gcv --set unpenalised=columns --scale none")
        .fails(2, &["penalty"]);
}
