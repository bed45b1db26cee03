//! What is told of data before anything is believed, and what trials are compared by.

use serde_json::Value;

use crate::harness::Folder;

/// A number in [0, 1) that looks like chance.
fn chance(i: usize, k: usize) -> f64 {
    let mut z = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ ((k as u64 + 1) << 32);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// A customer: income, age, country, whether they left.
struct Customer {
    income: f64,
    age: usize,
    country: &'static str,
    left: bool,
}

fn customers(rows: usize) -> Vec<Customer> {
    let customer = |i: usize| {
        let income = 20_000.0 + 40_000.0 * chance(i, 0);
        let age = 18 + (60.0 * chance(i, 1)) as usize;
        let country = ["France", "Germany", "Spain"][(3.0 * chance(i, 2)) as usize];
        let z = income / 10_000.0 - 4.0 - (age as f64 - 48.0) / 20.0 + 2.0 * chance(i, 3) - 1.0;
        Customer {
            income,
            age,
            country,
            left: z > 0.0,
        }
    };
    (0..rows).map(customer).collect()
}

/// A table of customers with one more column in front.
fn table(customers: &[Customer], name: &str, cell: impl Fn(usize, &Customer) -> String) -> String {
    let mut text = format!("{name},income,age,country,const,churn\n");
    for (i, c) in customers.iter().enumerate() {
        let churn = if c.left { "yes" } else { "no" };
        text.push_str(&format!(
            "{},{:.2},{},{},A,{churn}\n",
            cell(i, c),
            c.income,
            c.age,
            c.country
        ));
    }
    text
}

fn warnings(object: &Value) -> Vec<(String, String)> {
    let warnings = object["warnings"].as_array().expect("warnings");
    let text = |w: &Value, key: &str| w[key].as_str().expect("text").to_owned();
    let told = |w: &Value| (text(w, "code"), text(w, "text"));
    warnings.iter().map(told).collect()
}

fn has(object: &Value, code: &str, text: &str) -> bool {
    let found = warnings(object);
    found.iter().any(|w| w.0 == code && w.1.contains(text))
}

fn accuracy(object: &Value) -> f64 {
    let value = &object["scores"]["metrics"]["accuracy"]["value"];
    value.as_f64().expect("accuracy")
}

#[test]
fn row_numbers_are_left_out_unless_they_are_used() {
    let folder = Folder::new();
    let mut sorted = customers(200);
    sorted.sort_by_key(|c| c.left);
    let ids = table(&sorted, "customer_id", |i, _| (100_000 + i).to_string());
    folder.put("d.csv", ids);
    let fit = "fit d.csv --target churn --holdout 0.3 --json -o m.mercer";
    let object = folder.run(fit).json();
    assert!(has(
        &object,
        "left_out",
        "`customer_id` counts rows: left out"
    ));
    assert!(has(&object, "constant", "`const` is constant"));
    let of_ids = |w: &&Value| w["columns"][0] == "customer_id";
    let all = object["warnings"].as_array().expect("warnings");
    let hints = &all.iter().find(of_ids).expect("told")["hints"];
    assert_eq!(hints[0], "keep it: `--use customer_id`");
    // The file can do without the column.
    folder.put("new.csv", "income,age,country,const\n31000,40,Spain,A\n");
    folder.run("predict m.mercer new.csv").ok();
    let used = folder.run(&format!("{fit} --use customer_id")).json();
    assert!(!has(&used, "left_out", ""));
    assert!(accuracy(&used) > 0.97, "{}", accuracy(&used));
    assert!(accuracy(&object) < accuracy(&used));
    // What is named is not taken away, but told of.
    let named = folder
        .run(&format!("{fit} --model svc --scale standard"))
        .json();
    assert!(has(&named, "identifier", "`customer_id` counts rows"));
    folder
        .run("fit d.csv --target churn --use custmer_id")
        .fails(2, &["did you mean `customer_id`?"]);
}

#[test]
fn an_index_without_a_name_and_unique_names_are_left_out() {
    let folder = Folder::new();
    folder.put("i.csv", table(&customers(120), "", |i, _| i.to_string()));
    let object = folder.run("fit i.csv --target churn --json").json();
    assert!(has(&object, "left_out", "`column_1` counts rows"));
    folder.put(
        "n.csv",
        table(&customers(120), "customer", |i, _| {
            format!("C{}", 10_000 + i)
        }),
    );
    let object = folder.run("fit n.csv --target churn --json").json();
    assert!(has(&object, "left_out", "`customer` names rows"));
    // A sequence beside a number that only counts: the sequence is learnt from.
    let mut dna = "id,sequence,site\n".to_owned();
    for i in 0..120 {
        let letter = |k: usize| ['A', 'C', 'G', 'T'][(4.0 * chance(i, k)) as usize];
        let ends: String = (0..14).map(letter).collect();
        let (site, middle) = if i < 60 {
            ("donor", "GTAAGT")
        } else {
            ("none", "ATCTGA")
        };
        dna.push_str(&format!(
            "{i},{}{middle}{},{site}\n",
            &ends[..7],
            &ends[7..]
        ));
    }
    folder.put("dna.csv", dna);
    let object = folder
        .run("fit dna.csv --target site --holdout 0.3 --json")
        .json();
    assert!(has(&object, "left_out", "`id` counts rows"));
    assert!(
        object["kernel"]
            .as_str()
            .expect("text")
            .contains("sequence")
    );
}

#[test]
fn a_column_that_gives_the_target_away_is_named() {
    let folder = Folder::new();
    let fee = |_: usize, c: &Customer| if c.left { "25" } else { "0" }.to_owned();
    folder.put("d.csv", table(&customers(150), "cancel_fee", fee));
    let done = folder.run("fit d.csv --target churn --holdout 0.3");
    assert!(done.ok().contains("cancel_fee"), "{}", done.out);
    let object = folder.run("fit d.csv --target churn --json").json();
    assert!(has(
        &object,
        "gives_target_away",
        "`cancel_fee` alone predicts `churn` for 100 %"
    ));
    let iris = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/sets/iris.csv"
    );
    let args = ["fit", iris, "--target", "class", "--json", "-o", "i.mercer"];
    let object = folder.run_args(args).json();
    assert!(
        !has(&object, "gives_target_away", ""),
        "{:?}",
        warnings(&object)
    );
}

#[test]
fn small_classes_and_contradictions_are_told() {
    let folder = Folder::new();
    let rare = table(&customers(80), "z", |i, _| format!("{:.3}", chance(i, 9)));
    let rare = rare.replacen(",yes\n", ",maybe\n", 1);
    folder.put("rare.csv", rare);
    let object = folder
        .run("fit rare.csv --target churn --json --folds 3")
        .json();
    assert!(has(
        &object,
        "rare_class",
        "class `maybe` of `churn` has 1 row"
    ));
    let of_class = warnings(&object)
        .into_iter()
        .filter(|w| w.0 == "rare_class");
    assert_eq!(of_class.count(), 1);
    folder.put("c.csv", "x,y\n0,a\n0,a\n0,b\n1,b\n");
    let object = folder.run("fit c.csv --target y --model svc --json").json();
    let text = "no model can be wrong on fewer than 1 of the 4 rows (25 %)";
    assert!(
        has(&object, "contradiction", text),
        "{:?}",
        warnings(&object)
    );
    // Every row twice: some of both copies are on both sides.
    let once = table(&customers(60), "z", |i, _| format!("{:.3}", chance(i, 9)));
    let rows = once.split_once('\n').expect("a header").1;
    folder.put("twice.csv", format!("{once}{rows}"));
    let object = folder
        .run("fit twice.csv --target churn --holdout 0.3 --json")
        .json();
    assert!(has(
        &object,
        "seen_rows",
        "equal a row that was learnt from"
    ));
}

/// Few leavers, whom the columns tell apart only in part.
fn imbalanced(rows: usize) -> String {
    let mut text = "a,b,c,churn\n".to_owned();
    for i in 0..rows {
        let left = i % 20 == 0;
        let shift = if left { 0.35 } else { 0.0 };
        let cells: Vec<String> = (0..3)
            .map(|k| format!("{:.4}", chance(i, k) + shift))
            .collect();
        let churn = if left { "yes" } else { "no" };
        text.push_str(&format!("{},{churn}\n", cells.join(",")));
    }
    text
}

/// Few leavers, who rank above the others and never stand out.
fn blurred(rows: usize) -> String {
    let mut text = "a,b,churn\n".to_owned();
    for i in 0..rows {
        let left = i % 20 == 0;
        let shift = if left { 0.14 } else { 0.0 };
        let bell = |k: usize| (4 * k..4 * k + 4).map(|j| chance(i, j)).sum::<f64>() / 4.0;
        let churn = if left { "yes" } else { "no" };
        text.push_str(&format!(
            "{:.4},{:.4},{churn}\n",
            bell(0) + shift,
            bell(1) + shift
        ));
    }
    text
}

#[test]
fn a_class_that_is_never_predicted_is_told_and_the_hint_helps() {
    let folder = Folder::new();
    folder.put("d.csv", blurred(400));
    let fit = "fit d.csv --target churn --folds 4 --json";
    let object = folder.run(fit).json();
    assert!(has(
        &object,
        "imbalance",
        "95 % of the rows have class `no`"
    ));
    let balanced = |object: &Value| {
        let value = &object["scores"]["metrics"]["balanced_accuracy"]["value"];
        value.as_f64().expect("a number")
    };
    assert!(has(&object, "unheard_class", ""), "{:?}", warnings(&object));
    let followed = folder.run(&format!("{fit} --class-weight balanced")).json();
    assert!(balanced(&followed) > balanced(&object) + 0.1);
    assert!(!has(&followed, "unheard_class", ""));
    let by_metric = folder
        .run(&format!("{fit} --metric balanced_accuracy"))
        .json();
    assert!(balanced(&by_metric) > balanced(&object) + 0.1);
    assert_eq!(by_metric["report"]["metric"], "balanced_accuracy");
}

#[test]
fn trials_are_compared_by_the_metric_that_is_named() {
    let folder = Folder::new();
    folder.put("d.csv", imbalanced(200));
    let first = |metric: &str| {
        let object = folder.run(&format!(
            "fit d.csv --target churn --metric {metric} --json"
        ));
        let object = object.json();
        assert_eq!(object["report"]["metric"], metric.replace("auc", "roc_auc"));
        object["report"]["trials"][0]["loss"]
            .as_f64()
            .expect("a loss")
    };
    // 5 % of surprise at most, better than always the same probability.
    let constant = -(0.05_f64 * 0.05_f64.ln() + 0.95 * 0.95_f64.ln());
    assert!(first("log_loss") < constant, "{}", first("log_loss"));
    assert!(first("auc") < 0.3);
    assert!(first("f1") < 1.0);
    let usual = folder.run("fit d.csv --target churn --json").json();
    let named = folder
        .run("fit d.csv --target churn --metric accuracy --json")
        .json();
    assert_eq!(usual["report"]["trials"], named["report"]["trials"]);
    assert_eq!(usual["kernel"], named["kernel"]);
    folder
        .run("fit d.csv --target churn --metric mae")
        .fails(2, &["not compared by `mae`"]);
    folder
        .run("fit d.csv --target churn --metric f1 --model svc")
        .fails(2, &["`--metric` compares the trials of `auto`"]);
    folder
        .run("cv d.csv --target churn --metric macro_f1 --folds 3")
        .ok();
    let mut numbers = "a,b,y\n".to_owned();
    for i in 0..90 {
        let (a, b) = (chance(i, 0), chance(i, 1));
        let spike = if i % 15 == 0 { 8.0 } else { 0.0 };
        let y = (6.0 * a).sin() + b + spike;
        numbers.push_str(&format!("{a:.4},{b:.4},{y:.4}\n"));
    }
    folder.put("n.csv", numbers);
    let loss = |metric: &str| {
        let object = folder
            .run(&format!("fit n.csv --target y --metric {metric} --json"))
            .json();
        object["report"]["trials"][0]["loss"]
            .as_f64()
            .expect("a loss")
    };
    // A mean absolute error is below the root of a mean square.
    assert!(loss("mae") < loss("rmse").sqrt());
}
