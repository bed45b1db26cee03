//! `mercer fit`.

use std::io::Write;

use crate::harness::{Folder, bundled, clouds, line};

fn folder() -> Folder {
    let folder = Folder::new();
    folder.put("d.csv", clouds(150)).put("line.csv", line(80));
    folder
}

#[test]
fn a_fit_tells_what_it_learnt_and_writes_beside() {
    let folder = folder();
    let done = folder.run("fit d.csv --target kind --verbose");
    for part in [
        "model",
        "inner",
        "support vectors",
        "KKT violation",
        "converged",
        "d.mercer",
    ] {
        assert!(done.ok().contains(part), "{part}: {}", done.out);
    }
    assert!(folder.has("d.mercer"));
}

#[test]
fn json_has_the_pinned_fields() {
    let folder = folder();
    let object = folder.run("fit d.csv --target kind --json").json();
    let model = object["model"].as_str().expect("text");
    assert!(["svc", "lssvm"].contains(&model), "{model}");
    assert_eq!(object["task"], "classify");
    assert!(object["kernel"].as_str().expect("text").contains('('));
    assert_eq!(object["file"], "d.mercer");
    let report = &object["report"];
    for field in [
        "objective",
        "dual_gap",
        "kkt_violation",
        "stop_reason",
        "seconds",
        "notes",
    ] {
        assert!(!report[field].is_null(), "{field}");
    }
    assert_eq!(report["stop_reason"], "converged");
    assert!(
        object["scores"]["metrics"].is_object(),
        "every fit is scored"
    );
}

#[test]
fn every_machine_learns() {
    let folder = folder();
    for line in [
        "fit d.csv --target kind --model svc --c 10 --kernel rbf(gamma=0.5)",
        "fit d.csv --target kind --model svc --lambda 0.01",
        "fit d.csv --target kind --model nu_svc --nu 0.3",
        "fit line.csv --target y --model svr --c 10 --epsilon 0.2",
        "fit line.csv --target y --model svr --lambda 0.001 --bias regularised",
        "fit line.csv --target y --model nu_svr --nu 0.4 --c 5",
        "fit line.csv --target y",
        "fit d.csv --drop kind --task novelty",
        "fit d.csv --drop kind --model one_class --nu 0.2",
        "fit d.csv --target kind --class-weight inner=2 --class-weight outer=1 --multiclass one_vs_rest",
        "fit d.csv --target kind --class-weight balanced --no-shrinking --verify --tolerance 0.0001",
    ] {
        let object = folder.run(&format!("{line} --json -o m.mercer")).json();
        assert_eq!(object["report"]["stop_reason"], "converged", "{line}");
        let data = if line.contains("line.csv") {
            "line.csv"
        } else {
            "d.csv"
        };
        if object["task"] == "novelty" {
            let told = folder.run(&format!("predict m.mercer {data}"));
            let novel = told.ok().lines().filter(|l| *l == "novel").count();
            assert!(novel > 0 && novel < 75, "{line}: {novel} of 150 are novel");
            continue;
        }
        let metrics = folder.run(&format!("score m.mercer {data} --json")).json();
        let value = |name: &str| metrics["metrics"][name]["value"].as_f64();
        // The larger class has 59 % of the rows, and 6 % of all are mislabelled.
        let learnt = value("accuracy").map_or_else(|| value("r2"), Some);
        assert!(learnt.expect("a score") > 0.85, "{line}: {learnt:?}");
    }
}

#[test]
fn lambda_means_c_over_two_n_lambda() {
    let folder = folder();
    let objective = |flags: &str| {
        let line = format!("fit d.csv --target kind --model svc {flags} --json -o m.mercer");
        folder.run(&line).json()["report"]["objective"]
            .as_f64()
            .expect("number")
    };
    let (a, b) = (
        objective("--c 2"),
        objective(&format!("--lambda {}", 1.0 / (2.0 * 2.0 * 150.0))),
    );
    assert!((a - b).abs() < 1e-6 * a, "{a} {b}");
    let svr = |flags: &str| {
        let line = format!("fit line.csv --target y --model svr {flags} --json -o m.mercer");
        folder.run(&line).json()["report"]["objective"]
            .as_f64()
            .expect("number")
    };
    let (a, b) = (
        svr("--c 2"),
        svr(&format!("--lambda {}", 1.0 / (2.0 * 2.0 * 80.0))),
    );
    assert!((a - b).abs() < 1e-6 * a, "{a} {b}");
}

#[test]
fn holdout_and_folds_give_scores() {
    let folder = folder();
    let object = folder
        .run("fit d.csv --target kind --model svc --holdout 0.3 --no-refit --json")
        .json();
    let accuracy = &object["scores"]["metrics"]["accuracy"];
    let [low, value, high] =
        ["low", "value", "high"].map(|k| accuracy[k].as_f64().expect("number"));
    assert!(low < value && value < high && value > 0.7, "{accuracy}");
    assert_eq!(object["scores"]["rows"], 45);
    assert_eq!(object["report"]["rows"], 105);
    let human = folder.run("fit d.csv --target kind --model svc --folds 5 --verbose");
    assert!(human.ok().contains("5 folds") && human.out.contains("true \\ predicted"));
    let object = folder
        .run("fit d.csv --target kind --model svc --folds 5 --json")
        .json();
    assert_eq!(object["scores"]["rows"], 150);
    assert_eq!(object["report"]["rows"], 150);
    let object = folder
        .run("fit line.csv --target y --model svr --c 10 --folds 4 --json")
        .json();
    assert!(
        object["scores"]["metrics"]["r2"]["value"]
            .as_f64()
            .expect("number")
            > 0.95
    );
}

#[test]
fn seeds_choose_the_held_out_rows() {
    let folder = folder();
    let fit = |seed: u32| {
        let line = format!(
            "fit d.csv --target kind --model svc --holdout 0.3 --no-refit --json --seed {seed}"
        );
        folder.run(&line).json()["report"]["objective"].to_string()
    };
    assert_eq!(fit(1), fit(1));
    assert_ne!(fit(1), fit(2));
}

#[test]
fn threads_do_not_change_the_answer() {
    let folder = folder();
    for threads in [1, 2] {
        folder
            .run(&format!(
                "fit d.csv --target kind --threads {threads} -o m{threads}.mercer --json"
            ))
            .ok();
        folder
            .run(&format!(
                "predict m{threads}.mercer d.csv --decision -o p{threads}.csv"
            ))
            .ok();
    }
    assert_eq!(folder.get("p1.csv"), folder.get("p2.csv"));
    let bytes = |name: &str| std::fs::read(folder.path(name)).expect("readable");
    assert!(bytes("m1.mercer") == bytes("m2.mercer"), "equal bytes");
}

#[test]
fn flags_of_other_models_are_usage_errors() {
    let folder = folder();
    folder
        .run("fit d.csv --target kind --model svc --nu 0.5")
        .fails(2, &["`--nu`", "nu_svc, nu_svr, one_class"]);
    folder
        .run("fit d.csv --target kind --model svc --epsilon 0.5")
        .fails(2, &["`--epsilon`", "svr"]);
    folder
        .run("fit line.csv --target y --model svr --proba")
        .fails(2, &["`--proba`", "svc"]);
    folder
        .run("fit line.csv --target y --hard")
        .fails(2, &["`--hard`", "auto"]);
    folder
        .run("fit d.csv --target kind --c 1 --lambda 1")
        .fails(2, &["`--c`", "`--lambda`"]);
    folder
        .run("fit d.csv --target kind --model svr --task classify")
        .fails(2, &["svr", "regress"]);
    folder
        .run("fit d.csv --target kind --holdout 1.5")
        .fails(2, &["between 0 and 1"]);
    folder
        .run("fit d.csv --target kind --folds 1")
        .fails(2, &["folds"]);
    folder
        .run("fit d.csv --drop kind --task novelty --holdout 0.5")
        .fails(2, &["--holdout"]);
    folder
        .run("fit d.csv --target kind --memory lots")
        .fails(2, &["size"]);
    folder
        .run("fit d.csv --target kind --c -1")
        .fails(2, &["`c` is `-1`"]);
    folder
        .run("fit line.csv --target y --positive 3")
        .fails(2, &["--positive"]);
}

#[test]
fn names_are_suggested() {
    let folder = folder();
    folder
        .run("fit d.csv --target knd")
        .fails(2, &["there is no column `knd`", "did you mean `kind`?"]);
    folder
        .run("fit d.csv --target kind --model scv")
        .fails(2, &["did you mean `svc`?"]);
    folder
        .run("fit d.csv --target kind --kernel rfb")
        .fails(2, &["did you mean `rbf`?"]);
    folder
        .run("fit dd.csv --target kind")
        .fails(1, &["there is no file", "did you mean `d.csv`?"]);
    folder
        .run("fit d.csv --target kind --kernel rbf@c")
        .fails(2, &["`c`"]);
    folder
        .run("fit d.csv --target kind --class-weight iner=2")
        .fails(2, &["did you mean `inner`?"]);
}

#[test]
fn methods_follow_from_the_task() {
    let folder = folder();
    // What is for coordinates needs no name: the first method is principal components.
    let told = folder.run("fit d.csv --drop kind --task embed --json -o e.mercer");
    assert_eq!(told.json()["model"], "pca");
}

#[test]
fn a_missing_target_is_asked_for() {
    folder().run("fit d.csv").fails(2, &["--target", "kind"]);
}

#[test]
fn standard_input_and_compression_are_read() {
    let folder = folder();
    folder
        .run_with_stdin(
            "fit - --target kind --model svc --json",
            clouds(60).as_bytes(),
        )
        .json();
    assert!(folder.has("model.mercer"));
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(clouds(60).as_bytes()).expect("packed");
    folder.put("z.csv.gz", gz.finish().expect("packed"));
    let object = folder
        .run("fit z.csv.gz --target kind --model svc --json")
        .json();
    assert_eq!(object["file"], "z.mercer");
    assert_eq!(object["report"]["rows"], 60);
}

#[test]
fn roles_and_reader_flags_are_followed() {
    let folder = Folder::new();
    let mut text = String::new();
    for (i, row) in clouds(88).lines().skip(1).enumerate() {
        let [a, b, kind] = row.split(',').collect::<Vec<_>>()[..] else {
            panic!("three fields")
        };
        text += &format!("{};{a};{b};{kind};{};g{}\n", 1000 + i, 1 + i % 2, i / 4);
    }
    folder.put("d.txt", text);
    let line = "fit d.txt --format csv --delimiter semicolon --no-header --target column_4 --weights column_5 --groups column_6 --id column_1 --model svc --holdout 0.3 --no-refit --json";
    let object = folder.run(line).json();
    assert_eq!(object["task"], "classify");
    // Groups have four rows and stay together; 62 of 88 rows would be left without them.
    let rows = object["report"]["rows"].as_u64().expect("count");
    assert!(rows.is_multiple_of(4) && rows < 80, "{rows}");
    let objective = |object: &serde_json::Value| object["report"]["objective"].as_f64();
    let even = folder.run(&line.replace("--weights column_5", "--drop column_5"));
    assert!(
        objective(&even.json()) < objective(&object),
        "weights count"
    );
    // The identifier is remembered; weights and groups are not asked for again.
    folder.put("new.csv", "column_1,column_2,column_3\n77,0,0\n");
    let done = folder.run("predict d.mercer new.csv");
    assert!(
        done.ok().starts_with("column_1,prediction\n77,"),
        "{}",
        done.out
    );
}

#[test]
fn warm_start_begins_at_the_earlier_answer() {
    let folder = folder();
    let cold = folder
        .run("fit d.csv --target kind --model svc --c 5 -o a.mercer --json")
        .json();
    let warm = folder
        .run("fit d.csv --target kind --model svc --c 5 -o b.mercer --warm-start a.mercer --json")
        .json();
    let steps = |v: &serde_json::Value| v["report"]["iterations"].as_u64().expect("count");
    assert!(
        steps(&warm) < steps(&cold),
        "{} {}",
        steps(&warm),
        steps(&cold)
    );
    folder
        .run("fit d.csv --target kind --model nu_svc --warm-start a.mercer")
        .fails(2, &["nu_svc", "svc"]);
    folder
        .run("fit d.csv --target kind --warm-start none.mercer")
        .fails(1, &["none.mercer"]);
}

#[test]
fn reports_are_written() {
    let folder = folder();
    folder
        .run("fit d.csv --target kind --model svc --report r.html --holdout 0.2")
        .ok();
    let page = folder.get("r.html");
    assert!(page.contains("<html") && page.contains("<section id=\"scores\">"));
}

#[test]
fn limits_are_told() {
    let folder = folder();
    let object = folder
        .run("fit d.csv --target kind --model svc --max-iterations 3 --json")
        .json();
    assert_eq!(object["report"]["stop_reason"], "iteration_limit");
    let human = folder.run("fit d.csv --target kind --model svc --max-iterations 3");
    assert!(
        human.ok().contains("! ") && human.out.contains("not converged"),
        "{}",
        human.out
    );
}

#[test]
fn outputs_are_checked_before_learning() {
    let folder = folder();
    folder
        .run("fit d.csv --target kind -o none/m.mercer")
        .fails(1, &["none"]);
    folder
        .run("fit d.csv --target kind -o d.csv")
        .fails(2, &["is the data and would be overwritten"]);
    folder
        .run("fit d.csv --target kind -o -")
        .fails(2, &["standard output"]);
}

#[test]
fn an_explicit_kernel_is_in_input_units() {
    let folder = Folder::new();
    folder.put("d.csv", line(40));
    // What the encoder does to the only column, and the largest support vector.
    let exported = |flags: &str| {
        folder
            .run(&format!("fit d.csv --target y {flags} -o m.mercer"))
            .ok();
        let object = folder.run("export m.mercer --to json").object();
        let map = &object["encoder"]["columns"][0]["map"];
        let numbers = ["shift", "scale"].map(|name| map[name].as_f64().expect("number"));
        let rows = object["support"]["dense"].as_array().expect("rows");
        let largest = rows.iter().filter_map(|row| row[0].as_f64());
        let kernel = object["kernel"].as_str().expect("text").to_owned();
        (numbers, largest.fold(f64::MIN, f64::max), kernel)
    };
    let (map, largest, kernel) = exported("--kernel rbf(gamma=1)");
    assert_eq!((map, largest), ([0.0, 1.0], 3.9));
    assert_eq!(kernel, "rbf(gamma=1)");
    // Without one, columns are standardised: mean 1.95, deviation 1.15.
    let ([shift, scale], largest, _) = exported("");
    assert!((shift - 1.95).abs() < 1e-12 && (scale - 1.154).abs() < 1e-3);
    assert!(largest < 2.0, "{largest}");
}

#[test]
fn images_take_their_labels_from_a_second_file() {
    let folder = Folder::new();
    let (mut images, mut labels) = (
        vec![0, 0, 8, 3, 0, 0, 0, 20, 0, 0, 0, 2, 0, 0, 0, 2],
        vec![0, 0, 8, 1, 0, 0, 0, 20],
    );
    for i in 0..20_u8 {
        let class = i % 2;
        images.extend([i, 200 * class + i, i, 100]);
        labels.push(class);
    }
    folder
        .put("i-idx3-ubyte", images)
        .put("l-idx1-ubyte", labels);
    let object = folder
        .run("fit i-idx3-ubyte --labels l-idx1-ubyte --model svc --folds 4 --json -o m.mercer")
        .json();
    assert_eq!(object["scores"]["metrics"]["accuracy"]["value"], 1.0);
    folder
        .run("score m.mercer i-idx3-ubyte --labels l-idx1-ubyte")
        .ok();
    assert_eq!(
        folder
            .run("predict m.mercer i-idx3-ubyte")
            .ok()
            .lines()
            .count(),
        21
    );
}

#[test]
fn wine_is_learnt_well() {
    let folder = Folder::new();
    let data = bundled("wine.csv").display().to_string();
    let object = folder
        .run_args([
            "fit", &data, "--target", "class", "--folds", "3", "--json", "-o", "w.mercer",
        ])
        .json();
    let accuracy = object["scores"]["metrics"]["accuracy"]["value"]
        .as_f64()
        .expect("number");
    assert!(accuracy > 0.95, "{accuracy}");
}
