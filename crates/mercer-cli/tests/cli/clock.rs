//! `--max-seconds` is one clock from the start to the written file, and nothing runs for ever.

use std::time::{Duration, Instant};

use crate::harness::{Done, Folder, bundled};

/// Points without any order: every row becomes a support vector, and hours pass.
fn endless(rows: usize, classes: bool) -> String {
    let mut text = String::from("a,b,c,d,y\n");
    let mut state = 99_u64;
    let mut random = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    for _ in 0..rows {
        let [a, b, c, d, y] = std::array::from_fn(|_| random());
        let target = match (classes, y < 0.5) {
            (false, _) => y.to_string(),
            (true, true) => "p".to_owned(),
            (true, false) => "q".to_owned(),
        };
        text += &format!("{a},{b},{c},{d},{target}\n");
    }
    text
}

/// Runs a command that would take minutes for two seconds; it may take one more, and some on a
/// busy machine.
#[track_caller]
fn two_seconds(rows: usize, classes: bool, line: &str) -> Done {
    let folder = Folder::new();
    folder.put("d.csv", endless(rows, classes));
    let started = Instant::now();
    let done = folder.run(&format!("{line} --max-seconds 2 --json"));
    let took = started.elapsed();
    assert!(took < Duration::from_secs(5), "{took:?}: {}", done.out);
    let object = done.object();
    if done.code == 0 {
        let reason = object
            .get("stop_reason")
            .unwrap_or(&object["report"]["stop_reason"]);
        assert_eq!(reason, "time_limit", "{}", done.out);
    } else {
        assert_eq!(done.code, 1, "{} {}", done.out, done.err);
        assert_eq!(object["error"]["code"], "time_limit", "{}", done.out);
    }
    done
}

#[test]
fn the_automatic_model_keeps_the_time() {
    for (rows, classes) in [(3000, true), (3000, false)] {
        let done = two_seconds(rows, classes, "fit d.csv --target y");
        // Support vector machines have a result at any time.
        assert_eq!(done.code, 0, "{}", done.out);
        assert!(done.out.contains("the time limit"), "{}", done.out);
    }
    // A build for tests may not get through one pass over so many.
    two_seconds(12_000, true, "fit d.csv --target y");
}

#[test]
fn a_ranking_of_kernels_keeps_the_time() {
    let done = two_seconds(6000, true, "select d.csv --target y");
    assert_eq!(done.code, 0, "{}", done.out);
}

#[test]
fn least_squares_keeps_the_time() {
    two_seconds(12_000, true, "fit d.csv --target y --model lssvm");
    two_seconds(6000, false, "fit d.csv --target y --model gp");
    two_seconds(6000, true, "fit d.csv --target y --model klr");
    two_seconds(6000, true, "tune d.csv --target y --model lssvm");
}

#[test]
fn margin_machines_keep_the_time() {
    let done = two_seconds(
        12_000,
        true,
        "fit d.csv --target y --model svc --proba --c 1e4",
    );
    assert_eq!(done.code, 0, "{}", done.out);
    two_seconds(6000, true, "tune d.csv --target y --model svc");
}

#[test]
fn reading_counts() {
    let folder = Folder::new();
    let started = Instant::now();
    let mut command = folder.command(["fit", "-", "--target", "y", "--max-seconds", "1", "--json"]);
    let mut child = command
        .stdin(std::process::Stdio::piped())
        .spawn()
        .expect("started");
    let held_open = child.stdin.take();
    let done = crate::harness::finish(child, None);
    drop(held_open);
    assert!(started.elapsed() < Duration::from_secs(4));
    assert_eq!(done.object()["error"]["code"], "time_limit");
}

/// Runs a command that must end by itself.
#[track_caller]
fn ends(folder: &Folder, args: &[&str], seconds: u64) -> Done {
    let started = Instant::now();
    let done = folder.run_args(args);
    let took = started.elapsed();
    assert!(took < Duration::from_secs(seconds), "{took:?}: {args:?}");
    done
}

#[test]
fn hopeless_kernels_end_as_stalled() {
    let folder = Folder::new();
    let iris = bundled("iris.csv").display().to_string();
    let args = [
        "fit",
        &iris,
        "--target",
        "class",
        "--model",
        "svc",
        "--kernel",
        "exp(linear)",
        "-o",
        "m.mercer",
        "--json",
    ];
    let done = ends(&folder, &args, 20);
    assert_ne!(done.json()["report"]["stop_reason"], "iteration_limit");
}

#[test]
fn a_tolerance_below_rounding_is_raised_to_it() {
    let folder = Folder::new();
    let iris = bundled("iris.csv").display().to_string();
    let args = [
        "fit",
        &iris,
        "--target",
        "class",
        "--model",
        "svc",
        "--tolerance",
        "1e-308",
        "-o",
        "m.mercer",
        "--json",
    ];
    let done = ends(&folder, &args, 10);
    let report = done.json()["report"].clone();
    assert_ne!(report["stop_reason"], "iteration_limit");
    assert!(report["notes"].to_string().contains("rounding allows"));
}

#[test]
fn nested_division_takes_no_longer_than_its_depth() {
    let folder = Folder::new();
    for (open, close) in [
        ("normalise(", ")"),
        ("normalise(2*", ")"),
        ("normalise(1*exp(0.01*", "))"),
    ] {
        let text = format!("{}rbf(gamma=1){}", open.repeat(14), close.repeat(14));
        let done = ends(&folder, &["kernel", &text, "1,2", "3,4"], 5);
        assert_eq!(done.code, 0, "{text}: {}", done.err);
    }
}

#[test]
fn targets_of_any_scale_are_learnt() {
    let folder = Folder::new();
    for scale in ["1e-20", "1e14", "1e20", "1e150"] {
        let factor: f64 = scale.parse().expect("a number");
        let mut text = String::from("x,y\n");
        for i in 0..30 {
            let x = f64::from(i) / 3.0;
            text += &format!(
                "{x},{:e}\n",
                factor * (x.sin() + 0.1 * f64::from(i * 7 % 5))
            );
        }
        folder.put("d.csv", text);
        ends(
            &folder,
            &["fit", "d.csv", "--target", "y", "-o", "m.mercer"],
            10,
        )
        .ok();
    }
}

#[test]
fn a_table_of_categories_ends() {
    // All combinations of six columns of names, labelled by a rule with many exceptions.
    let levels = [3, 4, 3, 3, 2, 3];
    let rows: u32 = levels.iter().product();
    let mut text = String::from("a,b,c,d,e,f,kind\n");
    for row in 0..rows {
        let mut rest = row;
        let mut codes = Vec::new();
        for level in levels {
            codes.push(rest % level);
            rest /= level;
        }
        let sum: u32 = codes.iter().sum::<u32>() + codes[0] * codes[1] + codes[2] * codes[5];
        let kind = ["no", "some", "much"][(sum as usize / 4).min(2)];
        let cells: Vec<String> = codes.iter().map(|c| format!("v{c}")).collect();
        text += &format!("{},{kind}\n", cells.join(","));
    }
    let folder = Folder::new();
    folder.put("d.csv", text);
    ends(
        &folder,
        &["fit", "d.csv", "--target", "kind", "-o", "m.mercer"],
        20,
    )
    .ok();
}
