//! Novelty detectors and their thresholds.

use crate::harness::Folder;

/// Points of a ring, and some far from it that are marked.
fn ring(rows: usize, marked: bool) -> String {
    let mut text = if marked { "a,b,novel\n" } else { "a,b\n" }.to_owned();
    for k in 0..rows {
        let angle = k as f64 * 0.7;
        let is_novel = marked && k % 10 == 0;
        let radius = if is_novel { 3.0 } else { 1.0 } + 0.05 * ((k * 37 % 11) as f64);
        text += &format!("{:.4},{:.4}", radius * angle.cos(), radius * angle.sin());
        text += match (marked, is_novel) {
            (false, _) => "\n",
            (true, true) => ",novel\n",
            (true, false) => ",known\n",
        };
    }
    text
}

#[test]
fn detectors_share_an_interface() {
    let folder = Folder::new();
    folder
        .put("r.csv", ring(200, false))
        .put("m.csv", ring(100, true));
    for model in [
        "nearest --neighbours 3 --share 0.05",
        "one_class --nu 0.1 --share 0.05",
        "kpca_novelty --kernel rbf(gamma=1) --share 0.05",
    ] {
        let name = model.split(' ').next().unwrap_or_default();
        let run = format!("fit r.csv --task novelty --model {model} -o {name}.mercer --json");
        let object = folder.run(&run).json();
        assert_eq!(object["model"], name);
        assert!(
            object["report"]["notes"].to_string().contains("5 %"),
            "{object}"
        );
        let run = format!("score {name}.mercer m.csv --target novel --json");
        let scores = folder.run(&run).json();
        let rate = |key: &str| scores["metrics"][key]["value"].as_f64().expect("a rate");
        assert!(rate("detection_rate") > 0.9, "{name}: {scores}");
        assert!(rate("false_alarm_rate") < 0.15, "{name}: {scores}");
        let run = format!(
            "score {name}.mercer m.csv --target novel --threshold 0 --save {name}-0.mercer --json"
        );
        let chosen = folder.run(&run).json();
        assert_eq!(chosen["threshold"]["false_alarm_rate"], 0.0);
        let run = format!("score {name}-0.mercer m.csv --target novel --json");
        let again = folder.run(&run).json();
        assert_eq!(again["metrics"]["false_alarm_rate"]["value"], 0.0);
    }
}

#[test]
fn thresholds_are_for_detectors() {
    let folder = Folder::new();
    folder
        .put("r.csv", ring(40, false))
        .put("m.csv", ring(40, true));
    folder.run("fit m.csv --target novel --model svc").ok();
    folder
        .run("score m.mercer m.csv --threshold balanced")
        .fails(2, &["novelty"]);
    folder
        .run("fit r.csv --task novelty --model nearest --neighbours 60")
        .fails(2, &["below the number of rows"]);
    folder
        .run("fit r.csv --task novelty --model nearest --share 2")
        .fails(2, &["share"]);
    folder
        .run("fit r.csv --task novelty --model kpca_novelty --explained 1.5")
        .fails(2, &["explained"]);
    folder
        .put("two.csv", "a,b\n1,2\n1,2\n3,4\n")
        .run("fit two.csv --task novelty --model kpca_novelty")
        .fails(1, &["2 distinct rows are too few"]);
}
