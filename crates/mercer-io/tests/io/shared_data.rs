//! Real files: one that is bundled, the others in the folder `MERCER_DATA`.

use std::path::PathBuf;

use mercer::data::{Block, Kind, Points, Table, Values};
use mercer_io::{Format, ReadOptions, Source, join_labels, read, stream};

/// A file or folder of the larger sets.
fn shared(name: &str) -> PathBuf {
    let folder = std::env::var_os("MERCER_DATA").expect("MERCER_DATA names the folder of the sets");
    PathBuf::from(folder).join(name)
}

fn table(name: &str) -> Table {
    let source = Source::Path(shared(name));
    read(&source, &ReadOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// The files of a folder; at least one.
fn files(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(shared(folder)).unwrap_or_else(|e| panic!("{folder}: {e}"));
    let files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    assert!(!files.is_empty(), "{folder} is empty");
    files
}

fn kinds(table: &Table) -> Vec<(&str, Kind)> {
    let columns = table.columns().iter();
    columns.map(|c| (c.name.as_str(), c.kind())).collect()
}

#[test]
fn iris() {
    let bundled = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/sets/iris.csv"
    );
    let table = read(&Source::Path(bundled.into()), &ReadOptions::default()).expect("readable");
    assert_eq!(table.rows(), 150);
    assert_eq!(kinds(&table)[4], ("class", Kind::Categorical));
    assert!(kinds(&table)[..4].iter().all(|(_, k)| *k == Kind::Numeric));
    let Values::Categorical(class) = &table.columns()[4].values else {
        panic!("categorical");
    };
    assert_eq!(class.levels, ["setosa", "versicolor", "virginica"]);
}

#[test]
#[ignore = "needs MERCER_DATA"]
fn adult() {
    let table = table("mixed/adult_train.csv.gz");
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
#[ignore = "needs MERCER_DATA"]
fn adult_in_chunks() {
    let path = shared("mixed/adult_train.csv.gz");
    let chunks = stream(&Source::Path(path), &ReadOptions::default(), 5000).expect("opened");
    let rows: Vec<usize> = chunks.map(|t| t.expect("readable").rows()).collect();
    assert_eq!((rows.len(), rows.iter().sum::<usize>()), (7, 32_561));
}

#[test]
#[ignore = "needs MERCER_DATA"]
fn a9a() {
    let table = table("libsvm/a9a.gz");
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
#[ignore = "needs MERCER_DATA"]
fn every_libsvm_file() {
    for path in files("libsvm") {
        let table = read(&Source::Path(path.clone()), &ReadOptions::default());
        let table = table.unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(table.names(), ["y", "x"], "{}", path.display());
    }
}

#[test]
#[ignore = "needs MERCER_DATA"]
fn every_csv_file_has_its_header() {
    for folder in ["vector", "mixed", "regression", "lssvm", "strings", "unsup"] {
        let is_csv = |path: &PathBuf| Format::from_path(path) == Some(Format::Csv);
        let csv: Vec<PathBuf> = files(folder).into_iter().filter(is_csv).collect();
        assert!(!csv.is_empty(), "{folder} has no CSV file");
        for path in csv {
            let name = path.file_name().expect("a name").to_string_lossy();
            let table = read(&Source::Path(path.clone()), &ReadOptions::default());
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
    let promoters = table("strings/promotergene.csv");
    assert_eq!(
        kinds(&promoters),
        [("class", Kind::Categorical), ("sequence", Kind::Text)]
    );
}

#[test]
#[ignore = "needs MERCER_DATA"]
fn mnist() {
    let images = table("vector/mnist-t10k-images-idx3-ubyte.gz");
    let labels = table("vector/mnist-t10k-labels-idx1-ubyte.gz");
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
#[ignore = "needs MERCER_DATA"]
fn scop() {
    let table = table("strings/scop_1.53_1e-25.fasta");
    assert_eq!((table.rows(), table.columns().len()), (4352, 3));
    let Values::Text(ids) = &table.column("id").expect("id").values else {
        panic!("text");
    };
    assert_eq!(ids[0].as_deref(), Some("d3sdha_"));
}

#[test]
#[ignore = "needs MERCER_DATA"]
fn a_large_file() {
    let table = table("big/airline_flights_3m.csv.gz");
    assert_eq!((table.rows(), table.columns().len()), (3_000_000, 5));
}

/// Columns that number or name rows, and no other one, are found in all tables.
#[test]
#[ignore = "needs MERCER_DATA"]
fn identifiers_of_real_tables() {
    let folders = [
        "lssvm",
        "mixed",
        "regression",
        "strings",
        "tables",
        "unsup",
        "vector",
    ];
    let mut found: Vec<String> = Vec::new();
    let mut tables = 0;
    for folder in folders {
        for path in files(folder) {
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            if !name.contains(".csv") || name.contains(".types.") {
                continue;
            }
            let read = read(&Source::Path(path), &ReadOptions::default());
            let table = read.unwrap_or_else(|e| panic!("{name}: {e}"));
            tables += 1;
            let columns = mercer::data::warnings::identities(&table);
            found.extend(
                columns
                    .iter()
                    .map(|(column, _)| format!("{name}: {column}")),
            );
        }
    }
    found.sort();
    assert!(tables > 80, "{tables}");
    let expected = [
        "breast_cancer_wisconsin_orig.csv: Id",
        "flags.csv.gz: name",
        "usarrests.csv: state",
    ];
    assert_eq!(found, expected);
}
