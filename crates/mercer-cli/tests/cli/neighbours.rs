//! `--model knn`, `ib1`, `ib2` and `memorise`.

use crate::harness::Folder;

const WEATHER: &str = include_str!("../../../../tests/data/sets/weather_numeric.csv");
const IRIS: &str = include_str!("../../../../tests/data/sets/iris.csv");

#[test]
fn neighbours_are_fitted_reported_saved_and_asked() {
    let folder = Folder::new();
    folder.put("rows.csv", WEATHER).put(
        "new.csv",
        "outlook,temperature,humidity,windy\nsunny,85,85,FALSE\nsnow,,,\n",
    );
    let object = folder
        .run("fit rows.csv -t play --model knn --neighbours 3 -o m.mercer --json --report r.html")
        .json();
    let told = &object["report"]["neighbours"];
    assert_eq!(told["rows_kept"], 14);
    assert_eq!(told["neighbours"], 3);
    assert_eq!(told["scaling"], "range");
    assert!(folder.get("r.html").contains("The 3 nearest vote"));
    let answers = folder.run("predict m.mercer new.csv --proba");
    let lines: Vec<&str> = answers.ok().lines().collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    let shown = folder.run("inspect m.mercer");
    assert!(shown.ok().contains("knn"), "{}", shown.out);
    folder.run("export m.mercer --to onnx -o m.onnx").ok();
    let refused = folder.run("export m.mercer --to onnx --form operators");
    assert!(refused.err.contains("neighbours"), "{}", refused.err);
    let scored = folder.run("score m.mercer rows.csv --json").json();
    assert!(scored["metrics"].is_object(), "{scored}");
}

#[test]
fn a_column_of_weights_says_how_many_copies_vote() {
    let folder = Folder::new();
    folder
        .put("few.csv", "x,n,y\n0,1,a\n1,3,b\n5,1,a\n9,2,b\n")
        .put("many.csv", "x,y\n0,a\n1,b\n1,b\n1,b\n5,a\n9,b\n9,b\n")
        .put("new.csv", "x\n0.1\n4\n6\n8.5\n");
    let answers = |flags: &str| {
        folder
            .run(&format!(
                "fit {flags} -t y --model knn --neighbours 3 -o m.mercer"
            ))
            .ok();
        folder
            .run("predict m.mercer new.csv --proba")
            .ok()
            .to_owned()
    };
    assert_eq!(answers("few.csv --weights n"), answers("many.csv"));
    let refused = folder.run("fit few.csv --weights n -t y --model ib2 -o m.mercer");
    assert!(refused.err.contains("weights"), "{}", refused.err);
}

#[test]
fn categories_alone_are_tuned_and_compared() {
    let folder = Folder::new();
    let row = |i: usize| {
        format!(
            "{},{}\n",
            ["x", "y", "z"][i % 3],
            ["p", "q"][usize::from(i.is_multiple_of(3))]
        )
    };
    let rows: String = (0..45).map(row).collect();
    folder.put("d.csv", format!("a,kind\n{rows}"));
    folder.run("tune d.csv -t kind --model knn --json").ok();
    folder.run("compare d.csv -t kind --models knn,svc").ok();
}

#[test]
fn the_number_of_neighbours_is_tuned() {
    let folder = Folder::new();
    folder.put("iris.csv", IRIS);
    let object = folder
        .run("tune iris.csv -t class --model knn --grid neighbours=1,3,5,7,9 --json")
        .json();
    let best = object["best"]["params"]["neighbours"]
        .as_f64()
        .expect("a number");
    assert!([1.0, 3.0, 5.0, 7.0, 9.0].contains(&best), "{object}");
    let open = folder
        .run("tune iris.csv -t class --model knn --json")
        .json();
    assert!(
        open["points"].as_array().expect("points").len() >= 8,
        "{open}"
    );
    let wrong = folder.run("tune iris.csv -t class --model knn --grid neighbours=1.5,3");
    assert!(wrong.err.contains("neighbours"), "{}", wrong.err);
}

#[test]
fn all_of_them_are_compared_and_validated() {
    let folder = Folder::new();
    folder.put("iris.csv", IRIS);
    for model in ["knn", "ib1", "ib2", "memorise"] {
        let object = folder
            .run(&format!("cv iris.csv -t class --model {model} --json"))
            .json();
        let text = object.to_string();
        assert!(text.contains("accuracy"), "{text}");
    }
    let compared =
        folder.run("compare iris.csv -t class --models knn,ib2,memorise --as-is --folds 3");
    let text = compared.ok();
    for name in ["knn", "ib2", "memorise"] {
        assert!(text.contains(name), "{text}");
    }
}

#[test]
fn who_memorises_does_not_know_new_rows() {
    let folder = Folder::new();
    folder
        .put("rows.csv", "x,y\n0,a\n1,b\n")
        .put("new.csv", "x\n0\n2\n")
        .put("known.csv", "x,y\n0,a\n2,b\n");
    folder
        .run("fit rows.csv -t y --model memorise -o m.mercer")
        .ok();
    let answers = folder.run("predict m.mercer new.csv");
    let lines: Vec<&str> = answers.ok().lines().collect();
    assert!(
        lines[1].starts_with('a') && lines[2].contains("don't know"),
        "{lines:?}"
    );
    let scored = folder.run("score m.mercer rows.csv --json").json();
    assert!(scored.to_string().contains("\"accuracy\":"), "{scored}");
    let half = folder.run("score m.mercer known.csv");
    assert!(half.ok().contains("50"), "{}", half.out);
}

#[test]
fn odd_rows_are_told_about() {
    let folder = Folder::new();
    folder.put("rows.csv", "x,c,y\n0,red,a\n1,blue,b\n2,red,b\n");
    let told = folder.run("fit rows.csv -t y --model knn --neighbours 9 -o m.mercer -v");
    let text = format!("{}{}", told.out, told.err);
    assert!(
        text.contains("9 neighbours are wanted, and there are 3 rows"),
        "{text}"
    );
    let even = folder.run("fit rows.csv -t y --model knn --neighbours 2 -o m.mercer -v");
    let text = format!("{}{}", even.out, even.err);
    assert!(text.contains("even number of neighbours"), "{text}");
    let zero = folder.run("fit rows.csv -t y --model knn --neighbours 0 -o m.mercer");
    assert_eq!(zero.code, 2, "{}", zero.err);
    let clash = folder.run("fit rows.csv -t y --model knn --kernel rbf --distance manhattan");
    assert!(clash.err.contains("distance"), "{}", clash.err);
}

#[test]
fn texts_have_neighbours_by_a_kernel() {
    let folder = Folder::new();
    let words = [
        ("the cat sat on the mat", "cat"),
        ("a cat and another cat", "cat"),
        ("cats like warm places", "cat"),
        ("stocks fell on monday", "money"),
        ("the market and the stocks", "money"),
        ("money and markets", "money"),
    ];
    let mut rows = "text,topic\n".to_owned();
    for (text, topic) in words {
        rows += &format!("{text},{topic}\n");
    }
    folder.put("rows.csv", &rows);
    let fitted = folder.run(
        "fit rows.csv -t topic --kind text=text --model knn --neighbours 1 --kernel normalise(spectrum(length=3)) -o m.mercer",
    );
    fitted.ok();
    folder.put("new.csv", "text\nthe cat sat\nmarkets and stocks\n");
    let answers = folder.run("predict m.mercer new.csv");
    let lines: Vec<&str> = answers.ok().lines().collect();
    assert!(
        lines[1].starts_with("cat") && lines[2].starts_with("money"),
        "{lines:?}"
    );
}

#[test]
fn more_neighbours_than_rows_are_told() {
    let folder = Folder::new();
    folder.put("sep.csv", "x,y\n0,a\n1,a\n2,a\n4,b\n5,b\n");
    let told = folder.run("fit sep.csv --target y --model knn --neighbours 9 -o m.mercer");
    let text = told.ok().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains(
            "9 neighbours are wanted, and there are 5 rows: all of them are asked about every row"
        ),
        "{text}"
    );
}
