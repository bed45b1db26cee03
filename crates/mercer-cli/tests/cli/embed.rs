//! `mercer embed`, and `--project` before other models.

use serde_json::Value;

use crate::harness::Folder;

/// The worked example of whitening, with a class each side.
const FOUR: &str = "x,y,side\n2,1,up\n1,2,up\n-2,-1,down\n-1,-2,down\n";
/// The worked example of kernel components.
const FIVE: &str = "a,b\n0,0\n2,0\n0,1\n2,1\n1,3\n";

fn numbers(text: &str) -> Vec<Vec<f64>> {
    let rows = text.lines().skip(1);
    let cells = |row: &str| {
        row.split(',')
            .map(|c| c.parse().expect("a number"))
            .collect()
    };
    rows.map(cells).collect()
}

#[test]
fn coordinates_picture_and_model() {
    let folder = Folder::new();
    folder.put("four.csv", FOUR);
    let told = folder.run(
        "embed four.csv --target side --model pca --whiten --divisor rows -o c.csv --plot p.svg --save m.mercer",
    );
    assert!(told.ok().contains("90.00 %"), "{}", told.out);
    let written = numbers(&folder.get("c.csv"));
    assert_eq!(written.len(), 4);
    for value in written.iter().flatten() {
        assert!((value.abs() - 1.0).abs() < 1e-12, "{value}");
    }
    let picture = folder.get("p.svg");
    assert!(picture.contains("up") && picture.contains("down") && picture.contains("coordinate_1"));
    // New rows get theirs by the model.
    let predicted = folder.run("predict m.mercer four.csv -o -");
    let again = numbers(predicted.ok());
    for (a, b) in again.iter().flatten().zip(written.iter().flatten()) {
        assert!((a - b).abs() < 1e-9);
    }
    assert!(
        predicted.out.starts_with("coordinate_1,coordinate_2"),
        "{}",
        predicted.out
    );
}

#[test]
fn components_of_a_kernel() {
    let folder = Folder::new();
    folder.put("five.csv", FIVE).put("new.csv", "a,b\n1,1\n");
    let told =
        folder.run("embed five.csv --model kpca --kernel rbf(gamma=0.25) --save k.mercer --json");
    let told: Value = serde_json::from_str(told.ok()).expect("an object");
    let value = |k: usize| {
        told["components"][k]["eigenvalue"]
            .as_f64()
            .expect("a number")
    };
    assert!((value(0) - 1.124_416_55).abs() < 5e-9 && (value(1) - 1.037_267_1).abs() < 5e-9);
    let share: f64 = (0..2)
        .map(|k| told["components"][k]["share"].as_f64().unwrap())
        .sum();
    assert!((share - 0.844_876_27).abs() < 5e-9);
    let place = numbers(folder.run("predict k.mercer new.csv -o -").ok());
    assert!((place[0][1].abs() - 0.095_592_99).abs() < 6e-9);
    let plain =
        folder.run("embed five.csv --model kpca --kernel rbf(gamma=0.25) --uncentred --json");
    let plain: Value = serde_json::from_str(plain.ok()).expect("an object");
    let first = plain["components"][0]["eigenvalue"]
        .as_f64()
        .expect("a number");
    assert!((first - 2.523_476_73).abs() < 5e-9);
}

#[test]
fn sources_are_taken_apart() {
    let folder = Folder::new();
    let mut rows = String::from("one,two\n");
    for t in 0..600_u32 {
        let a = f64::from(t / 48 % 2) * 2.0 - 1.0;
        let b = f64::from(t % 61) / 30.5 - 1.0;
        rows.push_str(&format!("{},{}\n", a + b, 0.5 * a + 2.0 * b));
    }
    folder.put("mixed.csv", rows);
    folder.run("embed mixed.csv --model ica -o s.csv").ok();
    let sources = numbers(&folder.get("s.csv"));
    assert_eq!((sources.len(), sources[0].len()), (600, 2));
    // One of them has two values only.
    let two_valued = (0..2).any(|k| {
        let near = |v: f64| sources.iter().filter(|r| (r[k] - v).abs() < 0.1).count();
        near(sources[0][k]) + near(sources[50][k]) == 600
    });
    assert!(two_valued);
}

#[test]
fn a_projection_before_a_model() {
    let folder = Folder::new();
    let iris = include_str!("../../../../tests/data/sets/iris.csv");
    folder.put("iris.csv", iris);
    let target = "class";
    let fit = format!(
        "fit iris.csv -t {target} --model svc --project pca=2 --folds 5 -o m.mercer --json"
    );
    let told: Value = serde_json::from_str(folder.run(&fit).ok()).expect("an object");
    let accuracy = told["scores"]["metrics"]["accuracy"]["value"].as_f64();
    assert!(accuracy.is_some_and(|a| a > 0.9), "{told}");
    assert_eq!(
        told["report"]["projection"]["eigenvalues"]
            .as_array()
            .map(Vec::len),
        Some(2)
    );
    folder.run("predict m.mercer iris.csv -o p.csv").ok();
    assert_eq!(folder.get("p.csv").lines().count(), 151);
    let seen = folder.run("inspect m.mercer");
    assert!(seen.ok().contains("chain"), "{}", seen.out);
    for project in ["whiten", "kpca=3", "ica=2"] {
        let cv = format!(
            "cv iris.csv -t {target} --model logistic --project {project} --folds 3 --json"
        );
        let told: Value = serde_json::from_str(folder.run(&cv).ok()).expect("an object");
        let accuracy = told["metrics"]["accuracy"]["value"].as_f64();
        assert!(accuracy.is_some_and(|a| a > 0.8), "{project}: {told}");
    }
    let tuned = folder.run(&format!(
        "tune iris.csv -t {target} --model svc --project pca=2 --grid C=0.1..10:3 --folds 3 -o t.mercer"
    ));
    assert!(tuned.ok().contains("--project pca=2"), "{}", tuned.out);
}

#[test]
fn what_cannot_be_done_is_told() {
    let folder = Folder::new();
    folder
        .put("four.csv", FOUR)
        .put("gap.csv", "x,y\n1,2\n3,inf\n");
    let refusals = [
        (
            "embed four.csv --drop side --model pca --components 3",
            "at most 2",
        ),
        ("embed four.csv --task regress", "embed"),
        ("embed four.csv --model svc", "svc"),
        (
            "fit four.csv -t side --model svc --project svd=2 -o m.mercer",
            "svd",
        ),
        (
            "fit four.csv -t side --model svc --project pca=0 -o m.mercer",
            "at least 1",
        ),
        ("cv four.csv --model pca --drop side", "embed"),
        ("embed gap.csv", "inf"),
    ];
    for (line, part) in refusals {
        let done = folder.run(line);
        assert!([1, 2].contains(&done.code), "{line}: {}", done.out);
        done.fails(done.code, &[part]);
    }
    // One column has one axis.
    folder.put("one.csv", "x\n1\n2\n4\n");
    folder.run("embed one.csv -o c.csv --plot p.svg").ok();
    assert_eq!(folder.get("c.csv").lines().next(), Some("coordinate_1"));
}

/// The heart of a child beats faster than its mother's: of 2,500 samples every 112 and every 185 or so.
#[test]
#[ignore = "needs MERCER_DATA"]
fn the_heart_of_a_child_is_a_source_of_its_own() {
    let folder = Folder::new();
    let data = std::env::var_os("MERCER_DATA").expect("MERCER_DATA names the folder of the sets");
    let leads = std::path::Path::new(&data).join("unsup/foetal_ecg.csv");
    let leads = std::fs::read_to_string(leads).expect("the leads");
    folder.put("leads.csv", &leads);
    folder
        .run("embed leads.csv --drop time --model ica --components 8 -o s.csv --plot s.svg")
        .ok();
    let echo = |rows: &[Vec<f64>], k: usize, lag: usize| {
        let n = rows.len();
        let mean = rows.iter().map(|r| r[k]).sum::<f64>() / n as f64;
        let at = |i: usize| rows[i][k] - mean;
        let sum: f64 = (0..n - lag).map(|i| at(i) * at(i + lag)).sum();
        sum / (0..n).map(|i| at(i).powi(2)).sum::<f64>()
    };
    let child = |rows: &[Vec<f64>], k: usize| {
        let near =
            |lags: std::ops::Range<usize>| lags.map(|l| echo(rows, k, l)).fold(f64::MIN, f64::max);
        near(108..117) > 0.45 && near(178..192) < 0.15
    };
    let sources = numbers(&folder.get("s.csv"));
    assert!((0..8).any(|k| child(&sources, k)));
    let given: Vec<Vec<f64>> = numbers(&leads)
        .into_iter()
        .map(|r| r[1..].to_vec())
        .collect();
    assert!(!(0..8).any(|k| child(&given, k)));
    assert!(folder.get("s.svg").contains("coordinate_8"));
}

/// A grid of places on two circles, with a class each.
fn circles() -> String {
    let mut text = "a,b,side\n".to_owned();
    for k in 0..60 {
        let (radius, side) = if k % 2 == 0 {
            (1.0, "in")
        } else {
            (3.0, "out")
        };
        let angle = f64::from(k) * 0.41;
        text += &format!("{},{},{side}\n", radius * angle.cos(), radius * angle.sin());
    }
    text
}

#[test]
fn features_of_a_kernel() {
    let folder = Folder::new();
    folder.put("rows.csv", circles());
    for (model, width) in [("nystroem", 20), ("rff", 20)] {
        let told = folder.run(&format!(
            "embed rows.csv --target side --model {model} --kernel rbf(gamma=0.5) --components 20 -o c.csv --save m.mercer"
        ));
        assert!(told.ok().contains("off the kernel"), "{}", told.out);
        let written = numbers(&folder.get("c.csv"));
        assert_eq!((written.len(), written[0].len()), (60, width));
        let again = numbers(folder.run("predict m.mercer rows.csv -o -").ok());
        for (a, b) in again.iter().flatten().zip(written.iter().flatten()) {
            assert!((a - b).abs() < 1e-5, "{model}");
        }
        assert!(folder.run("inspect m.mercer").ok().contains("rbf"));
    }
    let refused = folder.run("embed rows.csv --target side --model rff --kernel cosine");
    refused.fails(2, &["cosine", "nystroem"]);
    let rules = folder
        .run("embed rows.csv --target side --model nystroem --components 9 --set landmarks=kmeans");
    rules.ok();
}

#[test]
fn features_of_a_kernel_before_a_linear_model() {
    let folder = Folder::new();
    folder.put("rows.csv", circles());
    for project in ["nystroem=30", "rff=200"] {
        let told = folder.run(&format!(
            "fit rows.csv --target side --model logistic --project {project} -o m.mercer"
        ));
        told.ok();
        let scored = folder.run("score m.mercer rows.csv --json");
        let scored: Value = serde_json::from_str(scored.ok()).expect("an object");
        let accuracy = scored["metrics"]["accuracy"]["value"]
            .as_f64()
            .expect("a number");
        assert!(accuracy > 0.95, "{project}: {accuracy}");
    }
}

#[test]
fn a_map_gives_places_of_units() {
    let folder = Folder::new();
    folder.put("four.csv", FOUR);
    let told = folder.run(
        "embed four.csv --target side --model som --map-rows 2 --map-columns 3 --lattice rectangular -o c.csv --plot p.svg --save m.mercer --json",
    );
    let told: Value = serde_json::from_str(told.ok()).expect("an object");
    assert_eq!(told["components"].as_array().map(Vec::len), Some(2));
    let written = numbers(&folder.get("c.csv"));
    assert_eq!(written.len(), 4);
    for place in &written {
        assert!([0.0, 1.0, 2.0].contains(&place[0]) && [0.0, 1.0].contains(&place[1]));
    }
    // Far rows lie on other units, and the target colours the picture.
    assert_ne!(written[0], written[2]);
    assert!(folder.get("p.svg").contains("down"));
    folder
        .run("embed four.csv --drop side --model som --plot u.svg")
        .ok();
    assert!(folder.get("u.svg").contains("U-matrix"));
}

#[test]
fn a_memory_recalls_and_others_say_where_they_belong() {
    let folder = Folder::new();
    folder.put("four.csv", FOUR).put(
        "patterns.csv",
        "a,b,c,d,e,f\n1,1,1,-1,-1,-1\n1,-1,1,-1,1,-1\n",
    );
    folder
        .run("embed patterns.csv --model hopfield -o states.csv")
        .ok();
    assert_eq!(
        numbers(&folder.get("states.csv"))[0],
        [1.0, 1.0, 1.0, -1.0, -1.0, -1.0]
    );
    folder
        .run("embed four.csv --drop side --model ridge")
        .fails(
            2,
            &[
                "`ridge` is for the task `regress`",
                "mercer fit --model ridge",
                "`pca`",
            ],
        );
    folder
        .run("embed four.csv --drop side --model pcaa")
        .fails(2, &["pcaa"]);
}
