//! `--model c45`.

use serde_json::Value;

use crate::harness::Folder;

/// Trees as Weka's J48 prints them; `tests/data/oracle/j48.py` made them.
const J48: &str = include_str!("../../../../tests/data/oracle/j48.json");

const SETS: [(&str, &str, &str); 4] = [
    (
        "weather_nominal",
        "play",
        include_str!("../../../../tests/data/sets/weather_nominal.csv"),
    ),
    (
        "weather_numeric",
        "play",
        include_str!("../../../../tests/data/sets/weather_numeric.csv"),
    ),
    (
        "contact_lenses",
        "contact-lenses",
        include_str!("../../../../tests/data/sets/contact_lenses.csv"),
    ),
    (
        "vote",
        "Class",
        include_str!("../../../../tests/data/sets/vote.csv"),
    ),
];

#[test]
fn trees_are_those_of_j48() {
    let recorded: Value = serde_json::from_str(J48).expect("recorded trees");
    for (name, target, rows) in SETS {
        let folder = Folder::new();
        folder.put("rows.csv", rows);
        let told = folder.run(&format!(
            "fit rows.csv -t {target} --model c45 -o m.mercer -v"
        ));
        let expected = recorded["trees"][name].as_str().expect("a tree");
        let printed: Vec<&str> = told.ok().lines().map(str::trim_end).collect();
        let lines: Vec<String> = expected.lines().map(|line| format!("  {line}")).collect();
        let found = printed
            .windows(lines.len())
            .any(|window| window.iter().zip(&lines).all(|(a, b)| a == b));
        assert!(found, "{name}: expected\n{expected}\nin\n{}", told.out);
    }
}

#[test]
fn a_tree_is_fitted_reported_saved_and_asked() {
    let folder = Folder::new();
    folder.put("rows.csv", SETS[1].2).put(
        "new.csv",
        "outlook,temperature,humidity,windy\nsunny,70,60,FALSE\nsnow,,,\n",
    );
    let object = folder
        .run("fit rows.csv -t play --model c45 -o m.mercer --json --report r.html")
        .json();
    assert_eq!(object["report"]["tree"]["leaves"], 5);
    assert_eq!(object["report"]["tree"]["training_errors"], 0.0);
    let page = folder.get("r.html");
    for words in ["outlook = sunny", "As rules", "best single test"] {
        assert!(page.contains(words), "{words}");
    }
    let answers = folder.run("predict m.mercer new.csv --proba");
    let lines: Vec<&str> = answers.ok().lines().collect();
    assert!(lines[1].starts_with("yes"), "{lines:?}");
    // Nothing is known of the second row: it gets the shares of all training rows, 9 to 5, and half a row more of each.
    assert!(
        lines[2].starts_with("yes") && lines[2].contains("0.63"),
        "{lines:?}"
    );
    for form in ["auto", "plain", "operators"] {
        let file = format!("{form}.onnx");
        folder
            .run(&format!(
                "export m.mercer --to onnx --form {form} -o {file}"
            ))
            .ok();
        let bytes = std::fs::read(folder.path(&file)).expect("a file");
        let operator = b"TreeEnsembleRegressor";
        let found = bytes.windows(operator.len()).any(|w| w == operator);
        // By choice rows with gaps get the results of all branches.
        assert_eq!(found, form == "operators", "{form}");
    }
}

#[test]
fn settings_of_a_tree_are_flags_and_are_checked() {
    let folder = Folder::new();
    folder.put("rows.csv", SETS[1].2);
    let shallow = folder
        .run("fit rows.csv -t play --model c45 --set max_depth=1 --set min_rows=1 -o m.mercer --json")
        .json();
    let depth = shallow["report"]["tree"]["depth"].as_u64();
    assert!(depth.is_some_and(|depth| depth <= 1), "{shallow}");
    let wrong = folder.run("fit rows.csv -t play --model c45 --set confidence=0.7 -o m.mercer");
    assert!(wrong.err.contains("at most 0.5"), "{}", wrong.err);
    let number = folder.run("fit rows.csv -t temperature --model c45 --task regress -o m.mercer");
    assert!(number.err.contains("classify"), "{}", number.err);
}

/// A column that no test asks carries nothing; the one that decides carries all.
#[test]
fn a_tree_and_a_network_say_what_carries_a_prediction() {
    let folder = Folder::new();
    let mut text = String::from("colour,size,kind\n");
    for row in 0..40 {
        let (colour, kind) = if row % 2 == 0 {
            ("red", "a")
        } else {
            ("blue", "b")
        };
        text += &format!("{colour},{},{kind}\n", (row * 7) % 11);
    }
    folder.put("d.csv", &text);
    for model in ["c45", "mlp"] {
        folder
            .run(&format!("fit d.csv -t kind --model {model} -o m.mercer"))
            .ok();
        let told = folder.run("explain m.mercer d.csv --row 1 --json").json();
        let parts = told["parts"].as_array().expect("a list").clone();
        let of = |name: &str| {
            let part = parts.iter().find(|p| p["column"] == name);
            part.map_or(0.0, |p| p["influence"].as_f64().expect("a number").abs())
        };
        assert!(of("colour") > 5.0 * of("size"), "{model}: {parts:?}");
    }
    folder
        .run("fit d.csv --drop kind --model kmeans --clusters 2 -o k.mercer")
        .ok();
    folder
        .run("explain k.mercer d.csv --row 1")
        .fails(1, &["explanations are of classes"]);
}
