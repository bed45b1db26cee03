//! The first screen of a fit: its size, its verdicts, what it proposes.

use crate::harness::{Done, Folder, bundled};

/// A number between 0 and 1 that looks like chance.
fn noise(i: usize, salt: usize) -> f64 {
    // The last steps of SplitMix64.
    let mut mixed = (1000 * i as u64 + salt as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((mixed ^ (mixed >> 31)) >> 40) as f64 / (1_u64 << 24) as f64
}

/// Rows with three columns and a target.
fn table(rows: usize, target: impl Fn(usize, [f64; 3]) -> String) -> String {
    let mut text = "a,b,c,y\n".to_owned();
    for i in 0..rows {
        let x = [1, 2, 3].map(|salt| 4.0 * noise(i, salt) - 2.0);
        text.push_str(&format!("{},{},{},{}\n", x[0], x[1], x[2], target(i, x)));
    }
    text
}

fn assert_fits(done: &Done, name: &str) {
    let text = done.ok();
    assert!(text.lines().count() <= 24, "{name}:\n{text}");
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{name}: {line}\n{text}");
    }
    assert!(!text.contains('\x1b'), "{name}: colours in a pipe");
}

#[test]
fn the_screen_is_a_terminal_for_every_bundled_table() {
    for (file, target) in [
        ("breast_cancer_wdbc.csv", "class"),
        ("iris.csv", "class"),
        ("wine.csv", "class"),
        ("diabetes_efron.csv", "target"),
        ("sonar.csv", "class"),
    ] {
        let folder = Folder::new();
        std::fs::copy(bundled(file), folder.path(file)).expect("copied");
        let done = folder.run(&format!("fit {file} --target {target}"));
        assert_fits(&done, file);
        for part in [
            "Good:",
            "score",
            "95 % confidence interval",
            "baseline",
            "Columns",
            "Tried",
            "files",
            "next",
        ] {
            let told = done.out.contains(part);
            let fair = part == "Good:" && done.out.contains("Fair:");
            assert!(told || fair, "{file}: {part}\n{}", done.out);
        }
        for word in ["KKT", "duality", "objective", "sure:", "chance"] {
            assert!(!done.out.contains(word), "{file}: {word}\n{}", done.out);
        }
    }
}

#[test]
fn long_names_and_many_warnings_stay_on_the_screen() {
    let folder = Folder::new();
    let long = "a_column_whose_name_is_longer_than_any_terminal_is_wide_".repeat(3);
    let label = "a label of more letters than one would like to read in a sentence";
    let mut text = format!("{long},\"{label}\",y");
    for k in 0..12 {
        text.push_str(&format!(",constant_{k}"));
    }
    text.push('\n');
    for i in 0..60 {
        let x = noise(i, 1);
        let y = if x > 0.6 { "no" } else { label };
        text.push_str(&format!("{x},{},\"{y}\"{}\n", noise(i, 2), ",1".repeat(12)));
    }
    folder.put("d.csv", text);
    assert_fits(&folder.run("fit d.csv --target y"), "long names");
    assert_fits(
        &folder.run("fit d.csv --target y --holdout 0.3"),
        "held out",
    );
}

#[test]
fn noise_is_called_no_better_than_a_constant() {
    let folder = Folder::new();
    let text = table(300, |i, _| {
        let word = if noise(i, 9) < 0.3 { "bad" } else { "good" };
        word.to_owned()
    });
    folder.put("d.csv", text);
    for flags in ["", "--holdout 0.3", "--folds 5"] {
        let done = folder.run(&format!("fit d.csv --target y {flags}"));
        assert_fits(&done, flags);
        assert!(
            done.out.contains(" better than always saying `good`"),
            "{}",
            done.out
        );
        let object = folder
            .run(&format!("fit d.csv --target y --json {flags}"))
            .json();
        assert_eq!(object["baseline"]["verdict"], "not_better", "{flags}");
        assert_eq!(object["baseline"]["prediction"], "good");
    }
}

#[test]
fn a_signal_is_good_and_its_column_is_found() {
    let folder = Folder::new();
    let text = table(300, |_, x| if x[1] > 0.3 { "yes" } else { "no" }.to_owned());
    folder.put("d.csv", text);
    for (flags, by, unbiased) in [
        ("", "folds_of_chosen", false),
        ("--holdout 0.3", "held_out", true),
        ("--folds 4", "folds", true),
    ] {
        let done = folder.run(&format!("fit d.csv --target y {flags}"));
        assert_fits(&done, flags);
        assert!(
            done.out.contains("Good: `y` is predicted right"),
            "{}",
            done.out
        );
        let object = folder
            .run(&format!("fit d.csv --target y --json {flags}"))
            .json();
        assert_eq!(object["baseline"]["verdict"], "better");
        assert_eq!(object["evaluated"]["by"], by);
        assert_eq!(object["evaluated"]["unbiased"], unbiased);
        let columns = object["importance"]["columns"].as_array().expect("columns");
        assert_eq!(columns[0]["column"], "b", "{flags}: {columns:?}");
        let first = columns[0]["loss"].as_f64().expect("a number");
        for other in &columns[1..] {
            assert!(other["loss"].as_f64().expect("a number") < 0.2 * first);
        }
    }
}

#[test]
fn a_rare_class_that_is_never_found_is_told_with_a_cure() {
    let folder = Folder::new();
    // Every column is noise, and so is the rare class.
    let text = table(391, |i, _| (i % 49 == 7).to_string());
    folder.put("d.csv", text);
    let done = folder.run("fit d.csv --target y --holdout 0.3");
    assert_fits(&done, "rare");
    assert!(
        done.out.contains(" better than always saying `false`"),
        "{}",
        done.out
    );
    assert!(done.out.contains("0.0 % of `true`"), "{}", done.out);
    let proposed = "mercer fit d.csv --target y --holdout 0.3 --class-weight balanced";
    assert!(done.out.contains(proposed), "{}", done.out);
    let words = proposed.split_whitespace().skip(1);
    folder.run_args(words).ok();
}

#[test]
fn proposed_commands_work() {
    let folder = Folder::new();
    folder.put(
        "my table.csv",
        table(80, |_, x| (x[0] + 0.1 * x[1]).to_string()),
    );
    let done = folder.run_args(["fit", "my table.csv", "--target", "y"]);
    assert_fits(&done, "a space");
    let again = "mercer fit 'my table.csv' --target y --folds 5";
    assert!(done.out.contains(again), "{}", done.out);
    let done = folder.run_args(["fit", "my table.csv", "--target", "y", "--folds", "5"]);
    let report = "mercer fit 'my table.csv' --target y --folds 5 --report 'my table.html'";
    assert!(
        done.out.replace(" \\\n            ", " ").contains(report),
        "{}",
        done.out
    );
}

#[test]
fn numbers_beside_their_mean() {
    let folder = Folder::new();
    folder.put(
        "good.csv",
        table(200, |_, x| (3.0 * x[0] - x[2]).to_string()),
    );
    let done = folder.run("fit good.csv --target y");
    assert_fits(&done, "good");
    assert!(
        done.out.contains("of the variance of `y` is explained"),
        "{}",
        done.out
    );
    folder.put(
        "noise.csv",
        table(60, |i, _| (10.0 * noise(i, 9)).to_string()),
    );
    let done = folder.run("fit noise.csv --target y --holdout 0.3");
    assert_fits(&done, "noise");
    let bad = [
        "Worse than always predicting the mean",
        " better than always predicting",
    ];
    assert!(
        bad.iter().any(|words| done.out.contains(words)),
        "{}",
        done.out
    );
    // A model that was told to follow every row.
    let done = folder.run(
        "fit noise.csv --target y --model krr --kernel rbf(gamma=50) --lambda 1e-6 --holdout 0.3",
    );
    assert_fits(&done, "worse");
    assert!(
        done.out.contains("Worse than always predicting the mean."),
        "{}",
        done.out
    );
    assert!(done.out.contains("−"), "R² below 0: {}", done.out);
}

#[test]
fn many_rows_are_scored_by_the_search() {
    let folder = Folder::new();
    folder.put(
        "d.csv",
        table(800, |_, x| {
            if x[0] * x[1] > 0.0 { "p" } else { "q" }.to_owned()
        }),
    );
    let object = folder.run("fit d.csv --target y --json").json();
    assert_eq!(object["evaluated"]["by"], "search");
    assert_eq!(object["scores"]["rows"], 800);
    let value = object["scores"]["metrics"]["accuracy"]["value"].as_f64();
    let trial = object["report"]["trials"][0]["loss"]
        .as_f64()
        .expect("a loss");
    assert!((value.expect("a score") - 1.0 + trial).abs() < 1e-12);
    let columns = object["importance"]["columns"].as_array().expect("columns");
    let last = columns.last().expect("columns");
    assert_eq!(last["column"], "c", "{columns:?}");
}

#[test]
fn columns_that_go_together_are_told() {
    let folder = Folder::new();
    let mut text = "a,twin,c,y\n".to_owned();
    for i in 0..120 {
        let x = noise(i, 1);
        let twin = x + 0.01 * noise(i, 2);
        text.push_str(&format!("{x},{twin},{},{}\n", noise(i, 3), (7.0 * x).sin()));
    }
    folder.put("d.csv", text);
    let done = folder.run("fit d.csv --target y");
    assert!(
        done.out.contains("`a` and `twin` go together"),
        "{}",
        done.out
    );
}

#[test]
fn tiny_tables_have_a_screen_too() {
    let folder = Folder::new();
    folder.put("two.csv", "x,y\n1,a\n2,b\n");
    assert_fits(&folder.run("fit two.csv --target y"), "two");
    folder.put("six.csv", "x,y\n1,a\n2,a\n3,a\n7,b\n8,b\n9,b\n");
    assert_fits(&folder.run("fit six.csv --target y"), "six");
    folder.put(
        "words.csv",
        table(40, |i, _| ["u", "v", "w"][i % 3].to_owned()),
    );
    assert_fits(&folder.run("fit words.csv --target y"), "three classes");
    assert_fits(
        &folder.run("fit words.csv --task novelty --drop y"),
        "novelty",
    );
}

#[test]
fn what_is_not_evaluated_says_so() {
    let folder = Folder::new();
    folder.put("d.csv", "a,b,y\n1,2,p\n2,1,q\n");
    let done = folder.run("fit d.csv --target y");
    assert_fits(&done, "two rows");
    let told = "not evaluated: 2 rows are too few to hold some out of learning";
    assert!(done.out.contains(told), "{}", done.out);
    folder.put("d.csv", table(60, |_, x| format!("{}", x[0])));
    let done = folder.run("fit d.csv --target y --force");
    assert!(!done.ok().contains("not evaluated"), "{}", done.out);
}

#[test]
fn no_sentence_about_a_simpler_model_is_cut() {
    let folder = Folder::new();
    let chance = |i: usize, _: [f64; 3]| ["good", "bad"][usize::from(noise(i, 9) < 0.3)].to_owned();
    folder.put("d.csv", table(500, chance));
    let done = folder.run("fit d.csv --target y --holdout 0.3");
    assert_fits(&done, "noise");
    let simpler = done.out.split_once("simpler");
    let (_, rest) = simpler.expect("a simpler model is as good on noise");
    let sentence = rest.split("\nintervals").next().expect("a sentence");
    assert!(
        sentence.contains("folds") && !sentence.contains('…'),
        "{}",
        done.out
    );
}
