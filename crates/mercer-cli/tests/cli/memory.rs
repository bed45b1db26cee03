//! `--memory` is kept by every command: at most what the command takes for a few rows, twice the
//! encoded rows, and the limit.

use crate::harness::{Folder, clouds};
use crate::peak::measured;

/// What the limit is, in every case.
const LIMIT: u64 = 32_000_000;

/// Packed blocks of matrix products and stacks, two threads of them: few rows need none.
const THREADS: u64 = 4_000_000;

fn peak(folder: &Folder, line: &str) -> u64 {
    let (done, peak) = measured(folder.command(line.split_whitespace()));
    done.ok();
    peak
}

/// Runs a command on few rows without a limit, and on many with it.
fn check(folder: &Folder, line: &str, rows: u64) {
    let base = peak(folder, &line.replace("many", "few"));
    let line = format!("{line} --memory 32MB");
    let found = peak(folder, &line);
    // Two features of eight bytes.
    let allowed = base + THREADS + 2 * rows * 16 + LIMIT;
    assert!(
        found <= allowed,
        "`{line}` takes {found} bytes; {allowed} allowed, {base} for few rows"
    );
}

/// Tables of many rows and of few: classes in `many.csv`, numbers in `many_numbers.csv`.
fn folder(rows: usize) -> Folder {
    let folder = Folder::new();
    for (name, rows) in [("many", rows), ("few", 60)] {
        let text = clouds(rows);
        let numbers = text.replace("inner", "1.5").replace("outer", "-0.5");
        folder.put(&format!("{name}.csv"), &text);
        folder.put(&format!("{name}_numbers.csv"), numbers);
    }
    folder
}

#[test]
fn margin_machines_keep_the_limit() {
    let folder = folder(6000);
    for line in [
        "fit many.csv --target kind --model svc",
        "fit many.csv --target kind --model svc --proba",
        "fit many_numbers.csv --target kind --model svr",
        "fit many.csv --drop kind --model one_class",
        "cv many.csv --target kind --model svc --folds 2",
        "gram many.csv --target kind --kernel rbf -o many.npy",
    ] {
        check(&folder, line, 6000);
    }
}

#[test]
fn distances_keep_the_least_limit() {
    let folder = folder(6000);
    for line in [
        "fit many.csv --drop kind --model nearest -o n.mercer",
        "predict n.mercer many.csv -o many.out",
        "fit many.csv --target kind --model knn -o k.mercer",
    ] {
        let base = peak(&folder, &line.replace("many", "few"));
        let found = peak(&folder, &format!("{line} --memory 16MB"));
        // Rows, sorted ones and those that distances are taken from.
        let allowed = base + THREADS + 4 * 6000 * 16 + 16_000_000;
        assert!(
            found <= allowed,
            "`{line}`: {found} bytes; {allowed} allowed"
        );
    }
}

#[test]
fn lists_of_all_rows_are_short() {
    // Rows themselves, a copy in the order of the solver and one in single precision with its
    // norms, and the lists that `list_bytes` counts.
    const ROW: u64 = 2 * 16 + 20 + 121;
    let [few, many] = [20_000, 60_000].map(folder);
    for (line, variables) in [
        ("fit many.csv --target kind --model svc", 1),
        ("fit many_numbers.csv --target kind --model svr", 2),
    ] {
        // What is held is held from the first round on.
        let line = format!("{line} --memory 32MB --max-iterations 3000");
        let found = peak(&many, &line) - peak(&few, &line);
        let row = ROW + (variables - 1) * 49;
        // Lists end at powers of two, pages are whole, and the system counts them in batches.
        let allowed = 40_000 * row + 2_000_000;
        assert!(
            found <= allowed,
            "`{line}`: {found} bytes; {allowed} allowed"
        );
    }
}

#[test]
fn least_squares_keeps_the_limit() {
    // Three matrices of 1,150 rows are 31.7 MB.
    let folder = folder(1150);
    for line in [
        "fit many.csv --target kind --model lssvm",
        "fit many_numbers.csv --target kind --model lssvm",
        "fit many_numbers.csv --target kind --model gp",
        "fit many_numbers.csv --target kind --model krr",
        "fit many.csv --target kind --model klr",
        "cv many.csv --target kind --model lssvm --folds 2",
    ] {
        check(&folder, line, 1150);
    }
    let narrow = self::folder(800);
    let line = "gram many.csv --target kind --kernel rbf --check";
    check(&narrow, line, 800);
    // No factor of so many rows fits: they are solved by products with the kernel matrix.
    let folder = self::folder(3000);
    check(&folder, "fit many.csv --target kind --model lssvm", 3000);
}

#[test]
fn choices_keep_the_limit() {
    let rows = folder(1600);
    for line in [
        "fit many.csv --target kind",
        "tune many.csv --target kind --model svc --folds 2",
        // A grid for what is chosen without a name.
        "tune many.csv --target kind --folds 2",
    ] {
        check(&rows, line, 1600);
    }
    let rows = folder(1000);
    let line = "tune many_numbers.csv --target kind --model svr --folds 2 --grid C=1,10 --grid gamma=0.1,1";
    check(&rows, line, 1000);
    // What does not fit twice is solved one after the other.
    let line = "tune many.csv --target kind --model lssvm --folds 3 --grid gamma=0.1,1";
    check(&rows, line, 1000);
    // Seven matrices of 600 rows are 20 MB: kernels are weighed one after the other.
    let line = "select many.csv --target kind --candidate rbf --candidate linear";
    check(&folder(600), line, 600);
}

#[test]
fn answering_keeps_the_limit() {
    let folder = folder(12_000);
    folder
        .run("fit few.csv --target kind -o m.mercer --model lssvm")
        .ok();
    for line in [
        "predict m.mercer many.csv --proba --decision -o many.out",
        "score m.mercer many.csv",
        "explain m.mercer many.csv --row 5",
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
