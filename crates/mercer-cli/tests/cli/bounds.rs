//! `mercer bounds`, `mercer margin`, distances and the reject option.

use serde_json::Value;

use crate::harness::{Folder, bundled, clouds, fitted};

fn close(value: &Value, expected: f64, tolerance: f64) {
    let found = value.as_f64().expect("a number");
    assert!((found - expected).abs() < tolerance, "{found} {expected}");
}

fn answer(flags: &str) -> Value {
    Folder::new().run(&format!("bounds {flags} --json")).json()
}

#[test]
fn sizes_of_test_sets() {
    let sizes = &answer("--epsilon 0.1 --delta 0.05")["test_sizes"];
    assert_eq!(sizes["two_sided"]["chebyshev"], 500);
    assert_eq!(sizes["two_sided"]["chernoff"], 185);
    assert_eq!(sizes["one_sided"]["chernoff"], 150);
    let text = Folder::new().run("bounds --epsilon 0.1 --delta 0.05");
    for part in ["185 rows", "150 from above only", "500 rows", "0.95"] {
        assert!(text.ok().contains(part), "{part}: {}", text.out);
    }
}

#[test]
fn intervals_of_an_error_rate() {
    let found = answer("--errors 20 --rows 200 --delta 0.05");
    let two = &found["intervals"]["two_sided"];
    close(&two["chebyshev"]["low"], 0.038_874_50, 5e-9);
    close(&two["chebyshev"]["high"], 0.233_852_78, 5e-9);
    close(&two["chernoff"]["high"], 0.1 + 0.096_032_28, 5e-9);
    close(&two["binomial"]["low"], 0.062_159_37, 5e-9);
    close(&two["binomial"]["high"], 0.150_212_79, 5e-9);
    let counts = answer("--rate 0.1 --rows 10 --errors 2");
    close(&counts["errors"]["probability"], 0.193_710_244_5, 5e-11);
    close(&counts["errors"]["mean"], 1.0, 1e-12);
    close(&counts["errors"]["variance"], 0.9, 1e-12);
}

#[test]
fn classes_of_functions() {
    let found = answer("--vc 3 --epsilon 0.1 --delta 0.05 --points 10");
    assert_eq!(found["uniform_convergence"]["guaranteed"], 28_341);
    assert_eq!(found["uniform_convergence"]["heuristic"], 830);
    assert_eq!(found["growth"]["digits"], "176");
    close(
        &answer("--vc 11 --epsilon 0.1")["uniform_convergence"]["guaranteed"],
        96_614.0,
        0.5,
    );
    // Half-planes have VC dimension 3.
    assert_eq!(
        answer("--columns 2 --epsilon 0.1")["uniform_convergence"]["vc"],
        3
    );
    let text = Folder::new().run("bounds --vc 3 --epsilon 0.1 --rows 100");
    assert!(
        text.ok().contains("heuristic (c=1)") && text.out.contains("(vacuous)"),
        "{}",
        text.out
    );
}

#[test]
fn margins_and_features() {
    let found = answer("--margin 0.5 --radius 1 --rows 1000 --delta 0.05");
    close(&found["margin"]["fixed"], 0.212_384_988, 5e-10);
    close(&found["margin"]["measured"], 0.295_929_154, 5e-10);
    let soft = answer("--norm 2 --lambda 0.01 --hinge 0.1 --rows 1000");
    close(&soft["soft_margin"]["lambda"], 0.022_360_679_8, 5e-11);
    close(&soft["soft_margin"]["excess"], 0.178_885_438, 5e-10);
    close(&soft["soft_margin"]["stability"], 0.2, 1e-12);
    close(&soft["soft_margin"]["bound"], 0.3, 1e-12);
    let features = answer("--diameter 2 --columns 2 --sigma 1 --epsilon 0.2 --features 5000");
    close(
        &features["random_features"]["failure"],
        0.190_804_642,
        5e-10,
    );
    assert_eq!(features["random_features"]["needed"], 5536);
    assert!(answer("--margin 0.5 --rows 10 --bias free")["margin"]["fixed"].is_null());
}

#[test]
fn corners_of_a_square_are_not_shattered() {
    let folder = Folder::new();
    folder.put("p.csv", "x,y\n0,0\n1,0\n0,1\n");
    let found = folder.run("bounds shatter p.csv --json").json();
    assert_eq!(
        (&found["shattered"], &found["reached"]),
        (&true.into(), &8.into())
    );
    folder.put("q.csv", "x,y,name\n0,0,a\n1,1,b\n0,1,c\n1,0,d\n");
    let found = folder.run("bounds shatter q.csv --drop name --json").json();
    assert_eq!(
        (&found["shattered"], &found["reached"]),
        (&false.into(), &14.into())
    );
    let text = folder.run("bounds shatter q.csv --drop name");
    let xor = text.ok().contains("++--") || text.out.contains("--++");
    assert!(xor && text.out.contains("14 of 16"), "{}", text.out);
    folder
        .run("bounds shatter q.csv")
        .fails(1, &["`name`", "numeric"]);
    let many: Vec<String> = (0..21).map(|i| format!("{i},{}\n", i * i)).collect();
    folder.put("many.csv", format!("x,y\n{}", many.concat()));
    folder
        .run("bounds shatter many.csv")
        .fails(1, &["21 points", "20"]);
    folder.put("gap.csv", "x,y\n0,0\n1,\n");
    folder
        .run("bounds shatter gap.csv")
        .fails(1, &["line 3", "`y`"]);
}

#[test]
fn bad_numbers_and_combinations_are_named() {
    let folder = Folder::new();
    for (flags, part) in [
        ("--epsilon 0.1 --delta 0", "delta"),
        ("--epsilon 0.1 --delta 1.5", "delta"),
        ("--epsilon -0.1", "epsilon"),
        ("--epsilon nan", "epsilon"),
        ("--errors 300 --rows 200", "at most n = 200"),
        ("--errors 3 --rows 0", "--rows"),
        ("--errors 3", "--rows"),
        ("--rows 3", "--errors"),
        ("--vc 3", "--epsilon"),
        ("--margin -1 --rows 9", "margin"),
        ("--margin 1 --rows 9 --bias some", "regularised"),
        ("--diameter 2", "--columns"),
        ("--rate 2 --rows 9", "rate"),
        ("", "--epsilon 0.1"),
    ] {
        folder.run(&format!("bounds {flags}")).fails(2, &[part]);
    }
    folder
        .run("bounds --epsilon 1e-12")
        .fails(1, &["more than can be counted"]);
}

#[test]
fn pages_are_eighty_columns_wide() {
    let folder = Folder::new();
    folder.put("p.csv", "a,b,y\n3,4,+\n0,0,-\n-1,1,+\n");
    for line in [
        "bounds --epsilon 0.01 --delta 0.05",
        "bounds --errors 20 --rows 200 --rate 0.1",
        "bounds --vc 30 --epsilon 0.01 --rows 1000000 --points 1000",
        "bounds --margin 0.5 --rows 1000 --norm 2 --lambda 0.01 --hinge 0.3",
        "bounds --diameter 2 --columns 2 --epsilon 0.2 --features 10",
        "bounds shatter p.csv --drop y",
        "margin p.csv --target y --weights 3,4 --bias=-5",
    ] {
        let done = folder.run(line);
        let wide = done.ok().lines().find(|l| l.chars().count() > 80);
        assert_eq!(wide, None, "{line}");
    }
}

#[test]
fn the_plane_of_the_course() {
    let folder = Folder::new();
    folder.put("p.csv", "a,b,y\n3,4,+\n0,0,-\n-1,1,+\n");
    let line = "margin p.csv --target y --weights 3,4 --bias=-5";
    let found = folder.run(&format!("{line} --json")).json();
    close(&found["functional"], -4.0, 1e-12);
    close(&found["geometric"], -0.8, 1e-12);
    close(&found["mean_hinge"], 5.0 / 3.0, 1e-12);
    close(&found["error"], 1.0 / 3.0, 1e-12);
    close(&found["distances"][0], 4.0, 1e-12);
    close(&found["distances_with_constant"][0], 2.828_427_12, 5e-9);
    assert_eq!(found["positive"], "+");
    let text = folder.run(line);
    assert!(
        text.ok().contains("-0.8000") && text.out.contains("row 3"),
        "{}",
        text.out
    );
    folder.run(&format!("{line} -o d.csv")).ok();
    assert_eq!(folder.get("d.csv").lines().count(), 4);
    folder
        .run("margin p.csv --target y --weights 3")
        .fails(2, &["1 weight", "2 columns", "a, b"]);
    folder
        .run("margin p.csv --target y --weights 0,0")
        .fails(2, &["not all zero"]);
    folder
        .run("margin p.csv --target y --weights 3,nan")
        .fails(2, &["finite"]);
    folder
        .run("margin p.csv --target y --weights 3,4 --positive ?")
        .fails(2, &["class"]);
    folder
        .run("margin p.csv --target z --weights 3,4")
        .fails(1, &["`z`"]);
}

#[test]
fn distances_from_the_border() {
    let folder = Folder::new();
    // The widest margin between −1 and 1 is the plane at 0: f = x, ‖w‖ = 1 without scaling.
    folder.put("d.csv", "x,y\n-3,low\n-1,low\n1,high\n2,high\n");
    for model in ["svc --kernel linear --hard", "linear_svc --c 1000"] {
        folder
            .run(&format!(
                "fit d.csv --target y --model {model} --scale none -o m.mercer --force"
            ))
            .ok();
        let found = folder
            .run("predict m.mercer d.csv --distance --json")
            .json();
        for (row, expected) in [3.0, 1.0, 1.0, 2.0].into_iter().enumerate() {
            close(&found["distances"][row][0], expected, 0.01);
        }
        let text = folder.run("predict m.mercer d.csv --distance");
        assert!(
            text.ok().starts_with("prediction,distance\n"),
            "{}",
            text.out
        );
    }
    // In the space of a kernel: |f| over the norm that the fit reports.
    folder.put("c.csv", clouds(60));
    let report = folder
        .run("fit c.csv --target kind --model svc --kernel rbf(gamma=0.5) -o r.mercer --json")
        .json();
    let found = folder
        .run("predict r.mercer c.csv --distance --decision --json")
        .json();
    let norm = report["report"]["problems"][0]["norm"]
        .as_f64()
        .expect("a norm");
    for (decision, distance) in found["decisions"]
        .as_array()
        .expect("a list")
        .iter()
        .zip(found["distances"].as_array().expect("a list"))
    {
        let f = decision[0].as_f64().expect("a number");
        close(&distance[0], f.abs() / norm, 1e-4 * f.abs().max(1.0));
    }
}

#[test]
fn distances_are_refused_by_name() {
    let folder = Folder::new();
    folder.put("d.csv", clouds(80));
    for (model, part) in [("c45", "`c45`"), ("mlp --max-iterations 3", "`layers`")] {
        folder
            .run(&format!(
                "fit d.csv --target kind --model {model} -o m.mercer --force"
            ))
            .ok();
        folder
            .run("predict m.mercer d.csv --distance")
            .fails(2, &[part, "hint:"]);
    }
    folder
        .run("fit d.csv --target a --drop kind --model ridge -o m.mercer --force")
        .ok();
    folder
        .run("predict m.mercer d.csv --distance")
        .fails(2, &["`regress` has no border"]);
}

#[test]
fn scores_have_bounds_and_a_reject_option() {
    let folder = fitted("--model lssvm");
    let found = folder.run("score m.mercer d.csv --reject --json").json();
    let error = found["metrics"]["error"]["value"]
        .as_f64()
        .expect("a number");
    let curve = found["reject"].as_array().expect("a curve");
    close(&curve[0]["wrong"], error, 1e-12);
    close(&curve[0]["error"], error, 1e-12);
    assert!(curve[curve.len() - 1]["error"].is_null());
    let wrong: Vec<f64> = curve
        .iter()
        .map(|p| p["wrong"].as_f64().expect("number"))
        .collect();
    assert!(wrong.is_sorted_by(|a, b| a >= b));
    for law in ["chernoff", "chebyshev"] {
        let interval = &found["bounds"]["error"][law];
        let [low, high] = ["low", "high"].map(|end| interval[end].as_f64().expect("number"));
        assert!(low <= error && error <= high && high > low);
    }
    let text = folder.run("score m.mercer d.csv --reject");
    assert!(
        text.ok().contains("Reject option") && text.out.contains("Chernoff"),
        "{}",
        text.out
    );
    let wide = text.out.lines().find(|line| line.chars().count() > 80);
    assert_eq!(wide, None);
    // Three classes without probabilities.
    let iris = bundled("iris.csv");
    let iris = iris.to_string_lossy();
    folder
        .run_args([
            "fit", &iris, "--target", "class", "--model", "svc", "-o", "i.mercer",
        ])
        .ok();
    folder
        .run_args(["score", "i.mercer", &iris, "--reject"])
        .fails(2, &["how sure it is"]);
}

#[test]
fn machines_with_a_margin_tell_slack_and_bounds() {
    let folder = fitted("--model svc --kernel rbf(gamma=0.5) --bias none --c 0.001");
    let line = "fit d.csv --target kind --model svc --kernel rbf(gamma=0.5) --bias none --c 0.001 -o m.mercer --json";
    let report = folder.run(line).json();
    let slack = &report["report"]["problems"][0]["slack"];
    let [hinge, zero, one] =
        ["mean_hinge", "above_zero", "above_one"].map(|key| slack[key].as_f64().expect(key));
    assert!(hinge > 0.0 && zero >= one, "{slack}");
    close(&slack["radius"], 1.0, 1e-6);
    let found = folder.run("score m.mercer d.csv --json").json();
    let bound = &found["bounds"]["fit"][0];
    assert_eq!(bound["kind"], "soft_margin");
    // 2ρ²/(λn) = 4C.
    close(&bound["bound"], hinge + 0.004, 1e-6);
    let text = folder.run("score m.mercer d.csv");
    assert!(text.ok().contains("soft margin"), "{}", text.out);
    let shown = folder.run(&line.replace("--json", "-v"));
    assert!(shown.ok().contains("mean hinge"), "{}", shown.out);
}

#[test]
fn descriptions_of_the_course() {
    let folder = Folder::new();
    let line = "bounds description --prior 0.25,0.75 --likelihood 0.9^9*0.1,0.5^10";
    let found = folder.run(&format!("{line} --json")).json();
    close(&found["hypotheses"][0]["bits"], 6.689_955_94, 5e-9);
    close(&found["hypotheses"][1]["bits"], 10.415_037_50, 5e-9);
    close(&found["hypotheses"][0]["posterior"], 0.929_696_054, 5e-10);
    close(&found["entropy"], 0.811_278, 5e-7);
    assert_eq!(found["shortest"], 1);
    let text = folder.run(line);
    for part in ["hypothesis 1", "6.69", "0.9297", "entropy"] {
        assert!(text.ok().contains(part), "{part}: {}", text.out);
    }
    // Likelihoods that no double holds, and weights as priors.
    let far = folder
        .run("bounds description --prior 1,1 --likelihood 0.5^5000,0.5^5001 --json")
        .json();
    close(&far["hypotheses"][0]["bits"], 5001.0, 1e-9);
    close(&far["hypotheses"][0]["posterior"], 2.0 / 3.0, 1e-9);
    let logs = folder
        .run("bounds description --prior 1,1 --log-likelihood=-10,-12 --json")
        .json();
    assert_eq!(logs["shortest"], 1);
    for wrong in [
        "--prior 0.5,0.5 --likelihood 0.1",
        "--prior 0.5,-0.5 --likelihood 0.1,0.1",
        "--prior 0.5,0.5 --likelihood 1.5,0.1",
        "--prior 0.5,0.5",
    ] {
        let done = folder.run(&format!("bounds description {wrong}"));
        assert_eq!(done.code, 2, "{wrong}: {}", done.err);
    }
    let done = folder.run("bounds description --prior 0.5,0.5 --likelihood 0,0");
    assert!(
        done.code != 0 && done.err.contains("no hypothesis"),
        "{}",
        done.err
    );
}

#[test]
fn finite_classes() {
    let found = answer("--functions 1000 --epsilon 0.1");
    assert_eq!(found["finite_class"]["vc"], 9);
    assert_eq!(
        found["uniform_convergence"],
        answer("--vc 9 --epsilon 0.1")["uniform_convergence"]
    );
    let alone = Folder::new().run("bounds --functions 1000");
    assert!(alone.ok().contains("at most 9"), "{}", alone.out);
    assert!(Folder::new().run("bounds --functions 0").code != 0);
    assert_eq!(Folder::new().run("bounds --functions 8 --vc 3").code, 2);
}
