//! Tables that are read block by block: the same results as in memory, in bounded memory, after any interruption.

use std::io::Write as _;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::harness::{Folder, finish};
use crate::peak::measured;

/// Rows with two numbers, some missing, a category and a target.
fn table(rows: usize, target: fn(f64, f64, usize) -> String) -> String {
    let mut text = String::from("a,b,kind,y\n");
    for i in 0..rows {
        let a = ((i * 7919) % 1000) as f64 / 100.0 - 5.0;
        let b = ((i * 104_729) % 997) as f64 / 300.0;
        let shown = if i % 37 == 5 {
            String::new()
        } else {
            format!("{a}")
        };
        text.push_str(&format!("{shown},{b},k{},{}\n", i % 3, target(a, b, i)));
    }
    text
}

fn number(a: f64, b: f64, i: usize) -> String {
    format!("{:.4}", 3.0 * (a * 0.7).sin() + b * b + (i % 3) as f64)
}

fn class(a: f64, b: f64, i: usize) -> String {
    let side = (a * 0.7).sin() + b - 1.5 + (i % 3) as f64 * 0.2;
    (if side > 0.0 {
        "yes_it_is"
    } else {
        "no_it_is_not"
    })
    .to_owned()
}

/// The document of a model file without the seconds it took, and its tensors.
fn contents(folder: &Folder, name: &str) -> (Value, Vec<(String, Vec<u8>)>) {
    let bytes = std::fs::read(folder.path(name)).expect("a model");
    let length = u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")) as usize;
    let header: Value = serde_json::from_slice(&bytes[8..8 + length]).expect("a header");
    let document = header["__metadata__"]["mercer"]
        .as_str()
        .expect("a document");
    let mut document: Value = serde_json::from_str(document).expect("JSON");
    document["report"]
        .as_object_mut()
        .expect("a report")
        .remove("seconds");
    let tensors = header.as_object().expect("names").iter();
    let tensors = tensors.filter(|(name, _)| *name != "__metadata__");
    let bytes_of = |about: &Value| {
        let place =
            |k: usize| 8 + length + about["data_offsets"][k].as_u64().expect("a place") as usize;
        bytes[place(0)..place(1)].to_vec()
    };
    let tensors = tensors.map(|(name, about)| (name.clone(), bytes_of(about)));
    (document, tensors.collect())
}

fn predictions(folder: &Folder, model: &str, data: &str) -> Vec<f64> {
    let done = folder.run(&format!("predict {model} {data} --decision"));
    let lines = done.ok().lines().skip(1).map(str::to_owned);
    let last = |line: String| line.rsplit(',').next().and_then(|cell| cell.parse().ok());
    lines.map(|line| last(line).expect("a number")).collect()
}

#[test]
fn streams_answer_as_memory_does() {
    let folder = Folder::new();
    folder.put("n.csv", table(9000, number));
    folder.put("c.csv", table(9000, class));
    for (data, model, more) in [
        ("n.csv", "nystroem", "--scale standard"),
        ("n.csv", "rff", "--scale standard"),
        ("c.csv", "nystroem", "--kernel laplace(scale=3)"),
    ] {
        let line = format!("fit {data} --target y --model {model} --components 60 {more} --json");
        folder.run(&format!("{line} -o memory.mercer")).ok();
        let streamed = folder
            .run(&format!("{line} -o stream.mercer --stream"))
            .json();
        assert_eq!(streamed["streamed"]["rows"], 9000);
        assert!(streamed["streamed"]["second_pass"]["rows_per_second"].as_f64() > Some(0.0));
        // The same bits, not only the same to 1e-8.
        assert_eq!(
            contents(&folder, "memory.mercer").1,
            contents(&folder, "stream.mercer").1
        );
        let (memory, stream) = (
            predictions(&folder, "memory.mercer", data),
            predictions(&folder, "stream.mercer", data),
        );
        assert_eq!(memory.len(), 9000);
        assert_eq!(memory, stream, "{data} {model}");
    }
}

#[test]
fn packed_files_and_other_formats_stream_alike() {
    let folder = Folder::new();
    let text = table(9000, number);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text.as_bytes()).expect("memory");
    folder.put("n.csv", &text);
    let packed = packed.finish().expect("memory");
    folder.put("n.csv.gz", &packed);
    folder.put("cut.csv.gz", &packed[..packed.len() / 2]);
    let line = "--target y --model nystroem --components 40 --scale standard --stream";
    folder
        .run(&format!("fit n.csv {line} -o plain.mercer"))
        .ok();
    folder
        .run(&format!("fit n.csv.gz {line} -o packed.mercer"))
        .ok();
    assert_eq!(
        contents(&folder, "plain.mercer").1,
        contents(&folder, "packed.mercer").1
    );
    let cut = folder.run(&format!("fit cut.csv.gz {line} -o cut.mercer"));
    assert_eq!(cut.code, 1);
    assert!(
        cut.err.contains("the gzip data are damaged or cut off"),
        "{}",
        cut.err
    );
    assert!(!folder.has("cut.mercer"));
    let mut sparse = String::new();
    for i in 0..6000 {
        let (class, first) = (i % 2, f64::from(i % 50) - 20.0 * f64::from(i % 2));
        sparse += &format!("{class} 1:{first} {}:1\n", 2 + i % 40);
    }
    folder.put("s.svm", sparse);
    let line =
        "fit s.svm --model nystroem --components 40 --task classify --kernel rbf(gamma=0.01)";
    folder.run(&format!("{line} -o memory.mercer")).ok();
    folder
        .run(&format!("{line} -o stream.mercer --stream"))
        .ok();
    assert_eq!(
        contents(&folder, "memory.mercer").1,
        contents(&folder, "stream.mercer").1
    );
}

#[test]
fn wrong_cells_are_placed_wherever_they_are() {
    let folder = Folder::new();
    let good = table(70_000, number);
    let line = "--target y --model nystroem --components 20 --stream -o m.mercer";
    for (row, says) in [
        (
            "x,1,k1,2\n",
            "late.csv, line 70002, column `a`: `x` is not a number",
        ),
        (
            "1,1,k1\n",
            "late.csv, line 70002: the row has 3 fields; 4 expected",
        ),
        (
            "1,1,k1,\n",
            "late.csv, line 70002, column `y`: the target is missing",
        ),
    ] {
        folder.put("late.csv", format!("{good}{row}1,1,k1,2\n"));
        let done = folder.run(&format!("fit late.csv {line}"));
        assert_eq!(done.code, 1, "{}", done.err);
        assert!(done.err.contains(says), "{}", done.err);
        assert!(done.err.contains("hint:"), "{}", done.err);
        assert!(!folder.has("m.mercer"));
    }
    folder.put("late.csv", format!("{good}n/a,1,k1,2\n1,1,k1,\n"));
    let done = folder.run(&format!(
        "fit late.csv {line} --missing n/a,default --drop-unlabelled"
    ));
    done.ok();
    let text = done.out + &done.err;
    assert!(text.contains("target is missing"), "{text}");
    let refused = folder.run("fit late.csv --target y --model svr --stream");
    assert_eq!(refused.code, 2);
    assert!(
        refused.err.contains("`--model nystroem`"),
        "{}",
        refused.err
    );
    let piped = folder.run("fit - --target y --model rff --stream -o m.mercer");
    assert!(piped.err.contains("standard input"), "{}", piped.err);
}

#[test]
fn a_killed_fit_goes_on_to_the_same_bytes() {
    let folder = Folder::new();
    folder.put("n.csv", table(60_000, number));
    let line = "fit n.csv --target y --model nystroem --components 250 --scale standard --stream --checkpoint c.state --checkpoint-every 0.01 --json";
    folder.run(&format!("{line} -o whole.mercer")).ok();
    assert!(!folder.has("c.state"), "a checkpoint of a fit that is over");
    let whole = contents(&folder, "whole.mercer");
    for wait in [0, 120, 400] {
        let args = format!("{line} -o m.mercer");
        let mut child = folder
            .command(args.split_whitespace())
            .spawn()
            .expect("started");
        let started = Instant::now();
        while !folder.has("c.state") && started.elapsed() < Duration::from_secs(15) {
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_millis(wait));
        let over = child.try_wait().expect("asked").is_some();
        child.kill().expect("killed");
        child.wait().expect("ended");
        assert!(over || !folder.has("m.mercer"));
        let done = folder.run(&args).json();
        if !over {
            let after = done["streamed"]["resumed_after"].as_u64();
            assert!(after.is_some(), "begun anew after {wait} ms: {done}");
        }
        let again = contents(&folder, "m.mercer");
        assert_eq!(again.1, whole.1, "{wait}");
        assert_eq!(again.0, whole.0, "{wait}");
        std::fs::remove_file(folder.path("m.mercer")).expect("a model");
    }
}

#[test]
fn checkpoints_of_other_fits_are_refused() {
    let folder = Folder::new();
    folder.put("n.csv", table(30_000, number));
    let line = "fit n.csv --target y --model nystroem --components 200 --stream --checkpoint c.state --checkpoint-every 0.001 -o m.mercer";
    let mut child = folder
        .command(line.split_whitespace())
        .spawn()
        .expect("started");
    let started = Instant::now();
    while !folder.has("c.state") && started.elapsed() < Duration::from_secs(15) {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
    let other = folder.run(&line.replace("--components 200", "--components 201"));
    assert_eq!(other.code, 1);
    assert!(
        other.err.contains("`--components` was `200`, and is `201`"),
        "{}",
        other.err
    );
    let mut text = table(30_000, number);
    text.push_str("1,1,k1,2\n");
    folder.put("n.csv", text);
    let other = folder.run(line);
    assert_eq!(other.code, 1);
    assert!(other.err.contains("it had "), "{}", other.err);
    folder.put("c.state", "no checkpoint");
    let damaged = folder.run(line);
    assert_eq!(damaged.code, 1);
    assert!(damaged.err.contains("c.state"), "{}", damaged.err);
}

#[test]
fn a_checkpoint_that_cannot_be_written_stops_nothing() {
    let folder = Folder::new();
    folder.put("n.csv", table(12_000, number));
    let line = "fit n.csv --target y --model nystroem --components 100 --stream --checkpoint /dev/full -o m.mercer";
    let done = folder.run(line);
    done.ok();
    assert!(done.err.contains("the fit goes on without"), "{}", done.err);
    assert!(folder.has("m.mercer"));
}

#[test]
fn a_file_that_changes_meanwhile_is_noticed() {
    let folder = Folder::new();
    folder.put("n.csv", table(60_000, number));
    let line = "fit n.csv --target y --model nystroem --components 300 --stream --checkpoint c.state -o m.mercer";
    let child = folder
        .command(line.split_whitespace())
        .spawn()
        .expect("started");
    let started = Instant::now();
    while !folder.has("c.state") && started.elapsed() < Duration::from_secs(15) {
        std::thread::sleep(Duration::from_millis(2));
    }
    let mut file = std::fs::File::options()
        .append(true)
        .open(folder.path("n.csv"))
        .expect("the table");
    file.write_all(b"1,1,k1,2\n").expect("written");
    drop(file);
    let done = finish(child, None);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(
        done.err.contains("the file changed while it was read"),
        "{}",
        done.err
    );
    assert!(!folder.has("m.mercer"));
}

#[test]
fn memory_does_not_grow_with_the_file() {
    let folder = Folder::new();
    let wide = |rows: usize| {
        let mut text = String::from("y,a,b,c,d,e,f,g,h\n");
        for i in 0..rows {
            let x = |k: usize| ((i * (7919 + k)) % 9973) as f64 / 977.0;
            text.push_str(&format!(
                "{:.3},{},{},{},{},{},{},{},{}\n",
                x(1).sin(),
                x(1),
                x(2),
                x(3),
                x(4),
                x(5),
                x(6),
                x(7),
                x(8)
            ));
        }
        text
    };
    let peak = |rows: usize| {
        folder.put("w.csv", wide(rows));
        let line = "fit w.csv --target y --model rff --components 40 --stream --scale standard -o m.mercer --json";
        let (done, peak) = measured(folder.command(line.split_whitespace()));
        assert_eq!(done.json()["report"]["rows"], rows);
        peak
    };
    let (small, large) = (peak(80_000), peak(240_000));
    if small == 0 {
        return;
    }
    // 160,000 more rows are 30 MB of text, and 12 MB of numbers.
    assert!(large < small + (8 << 20), "{small} and {large} bytes");
}

#[test]
fn parts_are_planned_added_and_merged() {
    let folder = Folder::new();
    let text = table(20_000, class);
    let (header, rows) = text.split_once('\n').expect("a header");
    let rows: Vec<&str> = rows.lines().collect();
    let part = |range: std::ops::Range<usize>| format!("{header}\n{}\n", rows[range].join("\n"));
    let model = "--target y --model nystroem --components 50 --scale standard";
    folder.put("all.csv", &text);
    let plan = folder
        .run(&format!("state plan all.csv {model} -o p.state --json"))
        .json();
    assert_eq!(
        (&plan["kind"], &plan["rows"]),
        (&Value::from("plan"), &Value::from(20_000))
    );
    let block = plan["block"].as_u64().expect("a block") as usize;
    folder.put("one.csv", part(0..2 * block));
    folder.put("two.csv", part(2 * block..20_000));
    folder.run("state add p.state one.csv -o a.state").ok();
    let line = format!(
        "state add p.state two.csv --first-row {} -o b.state --json",
        2 * block + 1
    );
    let added = folder.run(&line).json();
    assert_eq!(added["rows"].as_u64(), Some(20_000 - 2 * block as u64));
    folder.run("state merge a.state b.state -o m.mercer").ok();
    folder.run("state merge a.state b.state -o ab.state").ok();
    folder.run("state merge ab.state -o again.mercer").ok();
    folder
        .run(&format!("fit all.csv {model} --stream -o whole.mercer"))
        .ok();
    let close = |one: &str, other: &str| {
        let pairs = predictions(&folder, one, "all.csv").into_iter();
        let pairs = pairs.zip(predictions(&folder, other, "all.csv"));
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    // Sums that are added in another order differ by rounding. A λ that is given leaves it at that; the one of
    // largest evidence is where a curve is flat, which its values tell to half their digits only.
    assert!(close("m.mercer", "whole.mercer") < 1e-6);
    let given = "--lambda 0.08";
    let second = 2 * block + 1;
    for line in [
        format!("state plan all.csv {model} {given} -o p2.state"),
        "state add p2.state one.csv -o a2.state".to_owned(),
        format!("state add p2.state two.csv --first-row {second} -o b2.state"),
    ] {
        folder.run(&line).ok();
    }
    folder
        .run("state merge a2.state b2.state -o given.mercer")
        .ok();
    folder
        .run(&format!(
            "fit all.csv {model} {given} --stream -o whole_given.mercer"
        ))
        .ok();
    assert!(close("given.mercer", "whole_given.mercer") < 1e-8);
    assert_eq!(
        contents(&folder, "m.mercer").1,
        contents(&folder, "again.mercer").1
    );
    // The same rows twice, another plan, a plan without rows.
    let twice = folder.run("state merge a.state a.state -o m2.mercer");
    assert_eq!(twice.code, 1);
    assert!(
        twice.err.contains("some rows would count twice"),
        "{}",
        twice.err
    );
    let other = "--target y --model nystroem --components 51 --scale standard";
    folder
        .run(&format!("state plan all.csv {other} -o q.state"))
        .ok();
    folder
        .run(&format!(
            "state add q.state two.csv --first-row {} -o c.state",
            2 * block + 1
        ))
        .ok();
    let mixed = folder.run("state merge a.state c.state -o m2.mercer");
    assert_eq!(mixed.code, 1);
    assert!(mixed.err.contains("different plans"), "{}", mixed.err);
    let bare = folder.run("state merge p.state -o m2.mercer");
    assert!(bare.err.contains("no rows were added"), "{}", bare.err);
    let named = folder.run("state add p.state one.csv -o a.mercer");
    assert_eq!(named.code, 2);
    folder.put("odd.csv", format!("{header}\n1,1,k1,maybe\n"));
    let odd = folder.run("state add p.state odd.csv -o d.state");
    assert_eq!(odd.code, 1);
    assert!(odd.err.contains("maybe"), "{}", odd.err);
    assert!(!folder.has("d.state") && !folder.has("m2.mercer"));
}

#[test]
fn time_limits_hold() {
    let folder = Folder::new();
    folder.put("n.csv", table(120_000, number));
    let started = Instant::now();
    let line = "fit n.csv --target y --model nystroem --components 600 --stream --max-seconds 3 -o m.mercer --json";
    let done = folder.run(line);
    assert!(
        started.elapsed() < Duration::from_secs(8),
        "{:?}",
        started.elapsed()
    );
    if done.code == 0 {
        // A fast machine is done; a slow one says what it has learnt from.
        let rows = done.json()["report"]["rows"].as_u64();
        let warned = done.err.contains("the time limit came after");
        assert!(rows == Some(120_000) || warned, "{}", done.err);
    } else {
        assert!(done.out.contains("time_limit"), "{}", done.out);
    }
}

#[test]
fn a_stream_without_a_model_chooses_a_kernel() {
    let folder = Folder::new();
    folder.put("c.csv", table(3000, class));
    let line = "fit c.csv --target y --stream --budget 0.05 --components 60 --json";
    let fitted = folder.run(line).json();
    assert_eq!(fitted["model"], "nystroem");
    assert_eq!(fitted["report"]["rows"], 3000);
    assert_eq!(fitted["report"]["features"]["components"], 60);
    let wrong = fitted["report"]["features"]["held_out_wrong"].as_f64();
    assert!(wrong.expect("a share") < 0.2, "{wrong:?}");
    let notes = fitted["report"]["notes"].to_string();
    assert!(notes.contains("no model is named"), "{notes}");
    // Twenty for every feature were drawn.
    assert!(notes.contains("trials on 1200 rows"), "{notes}");
    let first = std::fs::read(folder.path("c.mercer")).expect("a model");
    assert!(!first.is_empty());
    folder
        .run("fit c.csv --target y --stream --class-weight balanced")
        .fails(2, &["weights of classes"]);
    folder
        .run("fit c.csv --target y --stream --model svc")
        .fails(2, &["svc", "nystroem"]);
}

#[test]
fn losses_of_classes_need_rows_in_memory() {
    let folder = Folder::new();
    folder.put("c.csv", table(600, class));
    let line = "fit c.csv --target y --model nystroem --components 40 --scale standard";
    for loss in ["logistic", "squared_hinge"] {
        let fitted = folder.run(&format!("{line} --loss {loss} --json")).json();
        let wrong = fitted["report"]["features"]["held_out_wrong"].as_f64();
        assert!(wrong.expect("a share") < 0.2, "{loss}: {wrong:?}");
    }
    folder
        .run(&format!("{line} --loss logistic --stream"))
        .fails(2, &["logistic", "squared loss"]);
    folder.put("n.csv", table(200, number));
    folder
        .run("fit n.csv --target y --model rff --loss logistic")
        .fails(2, &["logistic", "classes"]);
}
