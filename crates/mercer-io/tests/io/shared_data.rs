//! Real files, where the shared data folder is at hand.

use std::path::PathBuf;
use std::time::Instant;

use mercer::data::{Block, Kind, Points, Table, Values};
use mercer_io::{Format, ReadOptions, Source, join_labels, read, stream};

/// A file of the shared folder, or `None` with a line that says so.
#[expect(clippy::print_stderr, reason = "a skipped test must be seen")]
fn shared(name: &str) -> Option<PathBuf> {
    let workspace = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let folder = std::env::var_os("MERCER_DATA")
        .map_or_else(|| workspace.join("../shared/data"), PathBuf::from);
    let path = folder.join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: the shared data have no {name}; set MERCER_DATA to their folder");
    None
}

#[expect(clippy::print_stderr, reason = "the time is of interest, not asserted")]
fn table(name: &str) -> Option<Table> {
    let source = Source::Path(shared(name)?);
    let started = Instant::now();
    let table = read(&source, &ReadOptions::default()).expect("readable");
    eprintln!(
        "{name}: {} rows in {:.3} s",
        table.rows(),
        started.elapsed().as_secs_f64()
    );
    Some(table)
}

fn kinds(table: &Table) -> Vec<(&str, Kind)> {
    let columns = table.columns().iter();
    columns.map(|c| (c.name.as_str(), c.kind())).collect()
}

#[test]
fn iris() {
    let Some(table) = table("vector/iris.csv") else {
        return;
    };
    assert_eq!(table.rows(), 150);
    assert_eq!(kinds(&table)[4], ("class", Kind::Categorical));
    assert!(kinds(&table)[..4].iter().all(|(_, k)| *k == Kind::Numeric));
    let Values::Categorical(class) = &table.columns()[4].values else {
        panic!("categorical");
    };
    assert_eq!(class.levels, ["setosa", "versicolor", "virginica"]);
}

#[test]
fn adult() {
    let Some(table) = table("mixed/adult_train.csv.gz") else {
        return;
    };
    assert_eq!((table.rows(), table.columns().len()), (32_561, 15));
    let numeric = [
        "age",
        "fnlwgt",
        "education_num",
        "capital_gain",
        "capital_loss",
        "hours_per_week",
    ];
    for (name, kind) in kinds(&table) {
        let expected = if numeric.contains(&name) {
            Kind::Numeric
        } else {
            Kind::Categorical
        };
        assert_eq!(kind, expected, "{name}");
    }
    let missing = |name: &str| {
        let values = &table.column(name).expect("a column").values;
        (0..table.rows()).filter(|&r| values.is_missing(r)).count()
    };
    // The counts that the UCI description gives.
    assert_eq!(missing("workclass"), 1836);
    assert_eq!(missing("occupation"), 1843);
    assert_eq!(missing("native_country"), 583);
    assert_eq!(missing("age"), 0);
}

#[test]
fn adult_in_chunks() {
    let Some(path) = shared("mixed/adult_train.csv.gz") else {
        return;
    };
    let chunks = stream(&Source::Path(path), &ReadOptions::default(), 5000).expect("opened");
    let rows: Vec<usize> = chunks.map(|t| t.expect("readable").rows()).collect();
    assert_eq!((rows.len(), rows.iter().sum::<usize>()), (7, 32_561));
}

#[test]
fn a9a() {
    let Some(table) = table("libsvm/a9a.gz") else {
        return;
    };
    let Values::Vectors(Points::Double(Block::Sparse(x))) = &table.column("x").expect("x").values
    else {
        panic!("sparse vectors");
    };
    assert_eq!((x.rows(), x.columns(), x.nnz()), (32_561, 123, 451_592));
    let Values::Numeric(y) = &table.column("y").expect("y").values else {
        panic!("numbers");
    };
    assert_eq!(y.iter().filter(|v| **v == 1.0).count(), 7841);
}

#[test]
fn every_libsvm_file() {
    let Some(folder) = shared("libsvm") else {
        return;
    };
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let table = read(&Source::Path(entry.path()), &ReadOptions::default());
        let table = table.unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(table.names(), ["y", "x"], "{}", entry.path().display());
    }
}

#[test]
fn every_csv_file_has_its_header() {
    for folder in ["vector", "mixed", "regression", "lssvm", "strings", "unsup"] {
        let Some(folder) = shared(folder) else { return };
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if Format::from_path(&entry.path()) != Some(Format::Csv) {
                continue;
            }
            let table = read(&Source::Path(entry.path()), &ReadOptions::default());
            let table = table.unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(table.origin().lines[0], 2, "{name}: {:?}", table.names());
            if name.contains("reuters") || name == "sms_spam.csv" {
                assert_eq!(
                    table.column("text").expect("text").kind(),
                    Kind::Text,
                    "{name}"
                );
            }
        }
    }
    let promoters = table("strings/promotergene.csv").expect("it is among the files above");
    assert_eq!(
        kinds(&promoters),
        [("class", Kind::Categorical), ("sequence", Kind::Text)]
    );
}

#[test]
fn mnist() {
    let Some(images) = table("vector/mnist-t10k-images-idx3-ubyte.gz") else {
        return;
    };
    let labels = table("vector/mnist-t10k-labels-idx1-ubyte.gz").expect("beside the images");
    let joined = join_labels(&images, &labels).expect("equal lengths");
    assert_eq!(joined.names(), ["y", "x"]);
    let Values::Vectors(Points::Double(Block::Dense(x))) = &joined.columns()[1].values else {
        panic!("dense vectors");
    };
    assert_eq!((x.rows(), x.columns()), (10_000, 784));
    let Values::Numeric(y) = &joined.columns()[0].values else {
        panic!("numbers");
    };
    // The first digits of the test set are known.
    assert_eq!(y[..5], [7.0, 2.0, 1.0, 0.0, 4.0]);
}

#[test]
fn scop() {
    let Some(table) = table("strings/scop_1.53_1e-25.fasta") else {
        return;
    };
    assert_eq!((table.rows(), table.columns().len()), (4352, 3));
    let Values::Text(ids) = &table.column("id").expect("id").values else {
        panic!("text");
    };
    assert_eq!(ids[0].as_deref(), Some("d3sdha_"));
}

#[test]
fn a_large_file() {
    let Some(table) = table("big/airline_flights_3m.csv.gz") else {
        return;
    };
    assert_eq!((table.rows(), table.columns().len()), (3_000_000, 5));
}
