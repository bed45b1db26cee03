//! Hostile models and files: refused for a reason, soon, and in little memory.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::harness::{Done, Folder};
use crate::peak::measured;

fn hostile() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/models/hostile")
}

#[test]
fn crafted_models_are_refused() {
    let folder = Folder::new();
    let rows = hostile().join("rows.libsvm");
    let entries = std::fs::read_dir(hostile()).expect("a folder").flatten();
    let models = entries.map(|e| e.path());
    for model in models.filter(|p| p.extension().is_some_and(|e| e == "mercer")) {
        let model = model.display().to_string();
        let data = rows.display().to_string();
        for args in [
            vec!["predict", &model, &data],
            vec!["inspect", &model],
            vec!["score", &model, &data],
            vec!["explain", &model, &data, "--row", "1"],
            vec!["export", &model, "--to", "onnx", "-o", "x.onnx"],
        ] {
            let started = Instant::now();
            let (done, peak) = measured(folder.command(&args));
            done.fails(1, &[]);
            assert!(peak < 64_000_000, "{args:?}: {peak} bytes");
            // A busy machine takes longer than the second it is.
            assert!(started.elapsed() < Duration::from_secs(4), "{args:?}");
        }
    }
}

fn gzip(path: &Path, block: &[u8], times: usize) {
    let file = std::fs::File::create(path).expect("a file");
    let mut encoder = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    for _ in 0..times {
        encoder.write_all(block).expect("written");
    }
    encoder.finish().expect("written");
}

#[test]
fn bombs_stop_at_the_limit() {
    let folder = Folder::new();
    gzip(&folder.path("zeros.gz"), &vec![0; 1 << 20], 600);
    for (format, reason) in [
        ("sdf", "longer than"),
        ("parquet", "the Parquet data cannot be read"),
        ("csv", "longer than"),
        ("npy", ""),
        ("idx", ""),
    ] {
        let line = format!("fit zeros.gz --format {format} --target y --memory 50MB");
        let (done, peak) = measured(folder.command(line.split_whitespace()));
        done.fails(1, &[reason]);
        assert!(peak < 260_000_000, "{format}: {peak} bytes");
    }
    gzip(&folder.path("rows.csv.gz"), &b"1,0\n".repeat(1 << 16), 300);
    // Where no model is named, one is learnt from parts; this one needs all rows.
    let line = "fit rows.csv.gz --no-header --target column_2 --model svr --memory 50MB";
    let (done, peak) = measured(folder.command(line.split_whitespace()));
    done.fails(
        1,
        &[
            "the data take more than 100 MB",
            "with a memory of 50 MB",
            "--memory",
        ],
    );
    assert!(peak < 260_000_000, "{peak} bytes");
    // The time limit holds while reading too.
    let started = Instant::now();
    let line = "fit rows.csv.gz --no-header --target column_2 --max-seconds 0.2";
    let (done, _) = measured(folder.command(line.split_whitespace()));
    done.fails(1, &["the time limit was reached while reading"]);
    assert!(started.elapsed() < Duration::from_secs(4));
}

/// Runs a command in an address space of so many kilobytes.
#[cfg(target_os = "linux")]
pub(crate) fn within(folder: &Folder, kilobytes: u32, line: &str) -> (Done, u64) {
    let binary = env!("CARGO_BIN_EXE_mercer");
    let script = format!("ulimit -v {kilobytes}; exec {binary} {line}");
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", &script])
        .current_dir(folder.path("."))
        .env("MERCER_NUM_THREADS", "2")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    measured(command)
}

#[cfg(target_os = "linux")]
#[test]
fn the_address_space_is_looked_at() {
    let folder = Folder::new();
    folder.put("d.csv", crate::harness::clouds(6000));
    for line in [
        "fit d.csv --target kind --model klr",
        // What is not there cannot be allowed.
        "fit d.csv --target kind --model klr --memory 8GB",
    ] {
        let (done, _) = within(&folder, 500_000, line);
        done.fails(1, &["the kernel matrix of", "memory limit"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_made_of_a_table_is_counted_before_it_is_made() {
    use std::fmt::Write;
    let folder = Folder::new();
    // A few kilobytes that become a table for which there is room, and encoded rows for which
    // there is none.
    gzip(
        &folder.path("rows.csv.gz"),
        &b"1,0\n2,1\n".repeat(1 << 15),
        120,
    );
    let line = "fit rows.csv.gz --no-header --target column_2 --model svc";
    let (done, peak) = within(&folder, 600_000, line);
    done.fails(1, &["7864320 rows × 2 columns", "fewer rows or columns"]);
    assert!(peak < 500_000_000, "{peak} bytes");
    // 30,000 categories of 3,000 kinds are 720 MB as features.
    let mut text = String::from("c,y\n");
    for row in 0..30_000 {
        writeln!(text, "kind{},{}", row % 3000, row % 2).expect("a string");
    }
    folder.put("names.csv", &text);
    let line = "fit names.csv --target y --kind c=categorical --model svc";
    let (done, peak) = within(&folder, 800_000, line);
    done.fails(1, &["30000 rows × 3000 features", "half of what"]);
    assert!(peak < 100_000_000, "{peak} bytes");
}

#[cfg(target_os = "linux")]
#[test]
fn little_memory_leaves_what_needs_less() {
    let folder = Folder::new();
    folder.put("d.csv", crate::harness::clouds(5000));
    // Least squares would take 600 MB; a support vector machine takes little.
    let line = "fit d.csv --target kind --budget 0.2 --json";
    let (done, _) = within(&folder, 700_000, line);
    let told = done.json().to_string();
    assert!(told.contains("least squares did not take part"), "{told}");
    assert!(
        told.contains("half of what this process may take"),
        "{told}"
    );
    // Searches that cannot hold a matrix solve every point by itself.
    let line = "tune d.csv --target kind --model svc --folds 2 --grid C=1 --grid gamma=1";
    within(&folder, 400_000, line).0.ok();
}
