//! `mercer kernel`.

use crate::harness::Folder;

fn value(line: &str) -> f64 {
    Folder::new().run(line).ok().trim().parse().expect("number")
}

#[test]
fn values_by_hand() {
    assert_eq!(value("kernel linear 1,2 3,4"), 11.0);
    assert!((value("kernel rbf(gamma=0.5) 1,2 2,4") - (-2.5_f64).exp()).abs() < 1e-15);
    assert_eq!(
        value("kernel poly(degree=2,offset=1,scale=1) -1,0 2,5"),
        1.0
    );
    assert_eq!(value("kernel linear -1 -3"), 3.0);
    assert_eq!(
        value("kernel overlap red,round red,square"),
        value("kernel overlap a,b a,c")
    );
}

#[test]
fn the_pairs_of_the_course_are_listed() {
    let folder = Folder::new();
    let done = folder.run("kernel subsequence BERT BEERE --pairs");
    let lines: Vec<&str> = done.ok().lines().collect();
    assert_eq!(lines.len(), 15);
    assert_eq!([lines[0], lines[4]], ["(∅, ∅)", "({2}, {5})  E"]);
    assert_eq!(
        [lines[13], lines[14]],
        ["({1, 2, 3}, {1, 3, 4})  BER", "14"]
    );
    let object = folder
        .run("kernel substring BERT BEERE --pairs --json")
        .json();
    assert_eq!(object["pairs"].as_array().map(Vec::len), Some(8));
    assert_eq!(object["pairs"][7], serde_json::json!([[2, 3], [3, 4]]));
    assert!(folder.run("kernel linear 1 2 --pairs").code != 0);
}

#[test]
fn json_goes_beyond_doubles() {
    let folder = Folder::new();
    let object = folder.run("kernel linear 1,2 3,4 --json").json();
    assert_eq!(object["kernel"], "linear");
    assert_eq!(object["value"], 11.0);
    assert!((object["log_value"].as_f64().expect("number") - 11_f64.ln()).abs() < 1e-12);
    assert!(object.as_object().expect("object").contains_key("table"));
    let object = folder
        .run("kernel exp(linear) 100,100 100,100 --json")
        .json();
    assert!(object["value"].is_null());
    assert_eq!(object["log_value"], 20_000.0);
    let object = folder.run("kernel rbf(gamma=1) 0,0 100,0 --json").json();
    assert_eq!(object["log_value"], -10_000.0);
}

#[test]
fn files_are_read() {
    let folder = Folder::new();
    folder.put("a.csv", "x,y\n1,2\n9,9\n").put("b.txt", "3 4\n");
    assert_eq!(folder.run("kernel linear @a.csv @b.txt").ok(), "11\n");
    folder
        .run("kernel linear @none.csv 1,2")
        .fails(1, &["none.csv"]);
}

#[test]
fn mistakes_are_named() {
    let folder = Folder::new();
    folder
        .run("kernel rfb 1 2")
        .fails(2, &["did you mean `rbf`?"]);
    folder.run("kernel rbf(gama=1) 1 2").fails(2, &["gamma"]);
    folder
        .run("kernel rbf(gamma=-1) 1 2")
        .fails(2, &["gamma", "positive"]);
    folder.run("kernel rbf( 1 2").fails(2, &["character"]);
    folder
        .run("kernel linear 1,2 1")
        .fails(2, &["A has 2", "B has 1"]);
    folder.run("kernel linear 1,,2 1,2,3").fails(2, &["1,,2"]);
    folder.run("kernel linear 1,nan 1,2").fails(2, &["finite"]);
    folder
        .run("kernel linear 1 2 --table")
        .fails(2, &["no table over prefixes"]);
    folder.run("kernel linear").fails(2, &["<A>"]);
}

#[test]
fn the_list_has_every_family() {
    let folder = Folder::new();
    let text = folder.run("kernel --list");
    for name in [
        "linear",
        "poly",
        "rbf",
        "laplace",
        "matern",
        "sigmoid",
        "chi2",
        "gamma",
        "normalise",
    ] {
        assert!(text.ok().contains(name), "{name}");
    }
    let object = folder.run("kernel --list --json").json();
    assert!(object["kernels"].as_array().expect("list").len() >= 12);
}

#[test]
fn features_are_written_out() {
    let folder = Folder::new();
    let found = folder
        .run("kernel poly(degree=2,offset=1,scale=1) 1,2 3,4 --features --json")
        .json();
    let rows = found["features"].as_array().expect("two rows");
    let number = |row: usize, k: usize| rows[row][k].as_f64().expect("a number");
    let count = rows[0].as_array().map_or(0, Vec::len);
    assert_eq!(count, 6);
    let product: f64 = (0..count).map(|k| number(0, k) * number(1, k)).sum();
    assert!((product - 144.0).abs() < 1e-9, "{product}");
    assert_eq!(found["value"], 144.0);
    folder
        .run("kernel laplace(scale=1) 1,2 3,4 --features")
        .fails(2, &["not written out"]);
}

#[test]
fn functions_of_a_kernel_have_inner_products() {
    let folder = Folder::new();
    // Under the linear kernel f is the number Σ f_i x_i: 2·1 − 1·3 = −1, and g = 4·3 = 12.
    folder.put("p.csv", "x,f,g\n1,2,0\n3,-1,4\n5,0,0\n");
    let found = folder
        .run("kernel linear @p.csv --coefficients f,g --json")
        .json();
    assert_eq!(found["inner"], -12.0);
    assert_eq!(found["functions"][0]["norm"], 1.0);
    assert_eq!(found["functions"][1]["norm"], 12.0);
    assert_eq!(found["distance"], 13.0);
    assert_eq!(found["rows"], 3);
    // ‖f‖² = 4 + 1 − 4e⁻⁴ by rbf(gamma=1).
    let one = folder
        .run("kernel rbf(gamma=1) p.csv --coefficients f --drop g --json")
        .json();
    let norm = one["functions"][0]["norm"].as_f64().expect("a number");
    let expected = (5.0 - 4.0 * (-4.0_f64).exp()).sqrt();
    assert!((norm - expected).abs() < 1e-14, "{norm} {expected}");
    assert!(one["distance"].is_null());
    let text = folder.run("kernel linear @p.csv --coefficients f,g");
    for part in ["⟨f, g⟩", "‖f − g‖", "-12", "13"] {
        assert!(text.ok().contains(part), "{part}: {}", text.out);
    }
    folder.put("bad.csv", "x,f\n1,2\n3,\n");
    let bad = folder.run("kernel linear @bad.csv --coefficients f");
    assert!(bad.code == 1 && bad.err.contains("line 3"), "{}", bad.err);
    let none = folder.run("kernel linear @p.csv --coefficients h");
    assert!(none.code != 0 && none.err.contains("`h`"), "{}", none.err);
    assert_eq!(
        folder.run("kernel linear @p.csv 3 --coefficients f").code,
        2
    );
}
