//! `mercer explain --dependence` and `--surface`.

use serde_json::Value;

use crate::harness::Folder;

/// y = 2a + [colour is red] and a little noise; `kind` says whether that is large.
fn rows() -> Folder {
    let mut text = String::from("a,b,colour,y,kind\n");
    for i in 0..80 {
        let a = f64::from((i * 37) % 80) / 20.0;
        let b = f64::from((i * 61) % 80) / 20.0;
        let colour = ["red", "blue"][(i % 2) as usize];
        let noise = f64::from((i * 13) % 7 - 3) / 30.0;
        let y = 2.0 * a + f64::from(u8::from(i % 2 == 0)) + noise;
        let kind = if y > 4.5 { "large" } else { "small" };
        text += &format!("{a},{b},{colour},{y},{kind}\n");
    }
    let folder = Folder::new();
    folder.put("d.csv", text);
    folder
}

fn numbers(list: &Value) -> Vec<f64> {
    let list = list.as_array().expect("a list").iter();
    list.map(|v| v.as_f64().expect("a number")).collect()
}

#[test]
fn curves_bands_and_pictures_of_columns() {
    let folder = rows();
    folder
        .run("fit d.csv -t y --drop kind --model gp --kernel rbf@a+rbf@b+linear@colour -o m.mercer")
        .ok();
    let line =
        "explain m.mercer d.csv --dependence a,colour --resolution 6 --curves 4 --plot p.svg";
    let told = folder.run(&format!("{line} --json")).json();
    let [a, colour] = [0, 1].map(|k| told["dependence"][k].clone());
    assert_eq!(
        (&told["plot"], &told["surface"]),
        (&"p.svg".into(), &Value::Null)
    );
    assert_eq!((&a["column"], &a["rows"]), (&"a".into(), &80.into()));
    let means = numbers(&a["outputs"][0]["average"]);
    let values = numbers(&a["values"]);
    assert_eq!((means.len(), values.len()), (6, 6));
    let slope = (means[4] - means[1]) / (values[4] - values[1]);
    assert!((slope - 2.0).abs() < 0.2, "{slope}");
    let curves = a["outputs"][0]["individual"].as_array();
    assert_eq!(curves.map(Vec::len), Some(4));
    assert_eq!(numbers(&a["curve_rows"]), [1.0, 21.0, 41.0, 61.0]);
    let widths = numbers(&a["shape"]["half_widths"]);
    assert!(widths.iter().all(|w| *w > 0.0), "{widths:?}");
    assert_eq!(colour["levels"], serde_json::json!(["blue", "red"]));
    let means = numbers(&colour["outputs"][0]["average"]);
    assert!((means[1] - means[0] - 1.0).abs() < 0.2, "{means:?}");
    let picture = folder.get("p.svg");
    assert!(picture.contains("single rows") && picture.contains("95 % band"));
    let page = folder.run(line);
    assert!(page.ok().contains("mean y over 80 rows") && page.out.contains('±'));
    let centred = folder
        .run("explain m.mercer d.csv --dependence a --centred --json")
        .json();
    let means = numbers(&centred["dependence"][0]["outputs"][0]["average"]);
    assert_eq!((means.len(), means[0]), (50, 0.0));
}

#[test]
fn two_columns_are_a_map_and_classes_have_probabilities() {
    let folder = rows();
    folder
        .run("fit d.csv -t kind --drop y --model lssvm -o m.mercer")
        .ok();
    let told = folder
        .run("explain m.mercer d.csv --surface a,colour --resolution 5 --plot p.svg --json")
        .json();
    let surface = &told["surface"];
    assert_eq!(surface["response"], "probability");
    // Of two classes the second is told.
    assert_eq!(surface["outputs"][0]["name"], "small");
    let lines = surface["outputs"][0]["average"].as_array().expect("lines");
    assert_eq!(lines.len(), 5);
    let [first, last] = [&lines[0], &lines[4]].map(numbers);
    assert!(first[0] > 0.7 && last[0] < 0.3, "{first:?} {last:?}");
    assert!(folder.get("p.svg").contains("probability of small"));
    let told = folder
        .run("explain m.mercer d.csv --dependence a --decision --json")
        .json();
    assert_eq!(told["dependence"][0]["response"], "decision");
    folder.run("explain m.mercer d.csv --surface a,colour").ok();
}

#[test]
fn what_cannot_be_traced_is_refused_with_a_reason() {
    let folder = rows();
    folder
        .run("fit d.csv -t y --drop kind --model ridge -o m.mercer")
        .ok();
    for (flags, reason) in [
        ("--dependence colours", "did you mean `colour`"),
        ("--surface a", "name two"),
        ("--surface a,a", "twice"),
        ("--dependence a --resolution 1", "at least 2"),
        ("--plot p.svg", "--dependence"),
        ("--dependence a --plot p.pdf", ".svg"),
        (
            "--dependence a --plot d.csv.svg --surface a,b",
            "one after the other",
        ),
        ("--dependence a --row 3", "--row"),
        ("--curves 3", "--dependence"),
    ] {
        let done = folder.run(&format!("explain m.mercer d.csv {flags}"));
        assert!(
            done.code != 0 && done.err.contains(reason),
            "{flags}: {}",
            done.err
        );
    }
    assert!(!folder.has("p.svg"));
}

#[test]
fn pages_show_the_columns_that_matter_most() {
    let folder = rows();
    folder
        .run("fit d.csv -t y --drop kind --model gp --kernel rbf@a+rbf@b+linear@colour --report r.html -o m.mercer")
        .ok();
    let page = folder.get("r.html");
    let importance = page.find("Which columns matter").expect("importance");
    let shapes = page.find("How predictions go with them").expect("shapes");
    assert!(importance < shapes);
    assert!(page.contains("95 % band"));
}
