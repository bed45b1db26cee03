//! `--memory` is kept by every command: at most what the command takes for a few rows, twice the
//! encoded rows, and the limit.

use crate::harness::{Folder, clouds};
use crate::peak::measured;

/// What the limit is, in every case.
const LIMIT: u64 = 32_000_000;

/// Buffers of threads, which few rows do not start, and pages that the allocator keeps.
const THREADS: u64 = 12_000_000;

fn peak(folder: &Folder, line: &str) -> u64 {
    let (done, peak) = measured(folder.command(line.split_whitespace()));
    done.ok();
    peak
}

/// Runs a command on few rows and on many.
fn check(folder: &Folder, line: &str, rows: u64) {
    let few = line.replace("many", "few").replace("--memory 32MB", "");
    let base = peak(folder, &few);
    let found = peak(folder, line);
    // Two features of eight bytes.
    let allowed = base + THREADS + 2 * rows * 16 + LIMIT;
    assert!(
        found <= allowed,
        "`{line}` takes {found} bytes; {allowed} allowed, {base} for few rows"
    );
}

fn folder(rows: usize) -> Folder {
    let folder = Folder::new();
    folder.put("many.csv", clouds(rows));
    folder.put("few.csv", clouds(60));
    folder
}

#[test]
fn learning_keeps_the_limit() {
    let folder = folder(6000);
    for line in [
        "fit many.csv --target kind --model svc --memory 32MB",
        "fit many.csv --target kind --model svc --proba --memory 32MB",
        "cv many.csv --target kind --model svc --folds 2 --memory 32MB",
        "gram many.csv --target kind --kernel rbf --memory 32MB -o many.npy",
    ] {
        check(&folder, line, 6000);
    }
}

#[test]
fn least_squares_keeps_the_limit() {
    let folder = folder(1100);
    for line in [
        "fit many.csv --target kind --model lssvm --memory 32MB",
        "cv many.csv --target kind --model lssvm --folds 2 --memory 32MB",
        // `tune` holds matrices of several folds side by side and is not bounded yet.
    ] {
        check(&folder, line, 1100);
    }
    let narrow = self::folder(800);
    let line = "gram many.csv --target kind --kernel rbf --check --memory 32MB";
    check(&narrow, line, 800);
    let folder = self::folder(3000);
    folder
        .run("fit many.csv --target kind --model lssvm --memory 32MB")
        .fails(1, &["the kernel matrix of 3000 rows", "--memory"]);
}

#[test]
fn choices_keep_the_limit() {
    let folder = folder(1600);
    for line in [
        "fit many.csv --target kind --memory 32MB",
        "tune many.csv --target kind --model svc --memory 32MB --folds 2",
    ] {
        check(&folder, line, 1600);
    }
    // Integrals over many rows take long in a build for tests.
    let line = "select many.csv --target kind --candidate rbf --candidate linear --memory 32MB";
    check(&self::folder(500), line, 500);
}

#[test]
fn answering_keeps_the_limit() {
    let folder = folder(12_000);
    folder
        .run("fit few.csv --target kind -o m.mercer --model lssvm")
        .ok();
    for line in [
        "predict m.mercer many.csv --proba --decision --memory 32MB -o many.out",
        "score m.mercer many.csv --memory 32MB",
        "explain m.mercer many.csv --row 5 --memory 32MB",
    ] {
        check(&folder, line, 12_000);
    }
}

#[test]
fn many_classes_are_answered_row_by_row() {
    let folder = Folder::new();
    let mut text = String::from("a,b,kind\n");
    for i in 0..600 {
        text += &format!("{},{},c{}\n", i % 17, i / 17, i % 150);
    }
    folder.put("d.csv", text);
    folder
        .run("fit d.csv --target kind --model svc -o m.mercer")
        .ok();
    let mut rows = String::from("a,b,kind\n");
    for i in 0..6000 {
        rows += &format!("{},{},c{}\n", i % 17, i / 170, i % 150);
    }
    folder.put("many.csv", &rows);
    // 6,000 rows of 11,175 pairs are 536 MB.
    for line in [
        "predict m.mercer many.csv -o many.out",
        "score m.mercer many.csv",
    ] {
        let found = peak(&folder, line);
        assert!(found < 150_000_000, "`{line}` takes {found} bytes");
    }
}

#[test]
fn a_limit_that_holds_nothing_is_refused() {
    let folder = folder(60);
    for command in ["fit", "select", "cv", "tune"] {
        let line = format!("{command} few.csv --target kind --memory 1B");
        folder.run(&line).fails(2, &["16MB"]);
    }
    folder
        .run("gram few.csv --kernel rbf --target kind --memory 1kB")
        .fails(2, &["16MB"]);
}
