//! Runs one hot loop a number of times, for `scripts/instructions` to count its instructions.
//!
//! Everything happens on one thread and with the same numbers every time, so that the count
//! depends on the code alone.
#![expect(clippy::print_stderr, reason = "a command")]

use std::hint::black_box;
use std::process::ExitCode;

use mercer::data::{ClassTargets, Dataset, Records, Targets};
use mercer::fit::{Cancel, FitContext};
use mercer::kernel::KernelSpec;
use mercer::learn::Estimator;
use mercer::learn::margin::Svc;
use mercer_linalg::{
    CsrBuilder, DenseRows, Epilogue, Matrix, Par, Precision, Rows, SparseRows, exp_in_place,
    sparse_tile, tile,
};

const RBF: Epilogue = Epilogue::Rbf { gamma: 0.1 };

/// A name, and the loop as a function of how often it runs.
type Loop = (&'static str, fn(usize));

const LOOPS: [Loop; 5] = [
    ("dense tile", dense),
    ("sparse tile", sparse),
    ("exponential", exponential),
    ("fit", fit),
    ("predict", predict),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let named = |name: &str| LOOPS.iter().find(|(known, _)| *known == name);
    if let [name, repeats] = &arguments[..]
        && let (Some((_, work)), Ok(repeats)) = (named(name), repeats.parse())
    {
        work(repeats);
        return ExitCode::SUCCESS;
    }
    let names: Vec<&str> = LOOPS.iter().map(|(name, _)| *name).collect();
    eprintln!("usage: hot_loops LOOP REPEATS; loops: {}", names.join(", "));
    ExitCode::FAILURE
}

/// Numbers between -½ and ½, the same every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 40) as f64 / f64::from(1u32 << 24) - 0.5
    }
}

fn random(seed: u64, rows: usize, columns: usize) -> Matrix<f64> {
    let mut numbers = Numbers(seed);
    Matrix::from_fn(rows, columns, |_, _| numbers.next())
}

/// 256 rows of 64 columns against themselves.
fn dense(repeats: usize) {
    let rows = DenseRows::<f32>::new(random(1, 256, 64).as_ref(), None, None);
    let mut out = Matrix::zeros(256, 256);
    for _ in 0..repeats {
        let all = Rows::Range(0..256);
        let rows = black_box(&rows);
        let columns = all.clone();
        tile(
            rows,
            all,
            rows,
            columns,
            &RBF,
            out.as_mut(),
            Par::Sequential,
        );
    }
    black_box(out);
}

/// 256 rows of 14 ones in 123 columns, as in the set a9a, against themselves.
fn sparse(repeats: usize) {
    let mut numbers = Numbers(2);
    let mut builder = CsrBuilder::new(123);
    for _ in 0..256 {
        let mut columns: Vec<u32> = (0..14)
            .map(|_| ((numbers.next() + 0.5) * 123.0) as u32)
            .collect();
        columns.sort_unstable();
        columns.dedup();
        let row: Vec<(u32, f64)> = columns.into_iter().map(|column| (column, 1.0)).collect();
        builder
            .push_row(&row)
            .expect("columns ascend and are below 123");
    }
    let rows = SparseRows::<f32>::new(&builder.finish(), None);
    let mut out = Matrix::zeros(256, 256);
    for _ in 0..repeats {
        let all = Rows::Range(0..256);
        let rows = black_box(&rows);
        let columns = all.clone();
        sparse_tile(
            rows,
            all,
            rows,
            columns,
            &RBF,
            out.as_mut(),
            Par::Sequential,
        );
    }
    black_box(out);
}

fn exponential(repeats: usize) {
    for _ in 0..repeats {
        let mut values: Vec<f32> = (0..4096u16).map(|i| -0.005 * f32::from(i)).collect();
        exp_in_place(black_box(&mut values));
        black_box(values);
    }
}

/// 200 rows in 10 columns, of two classes with a curved border.
fn two_classes() -> Dataset {
    let rows = random(3, 200, 10);
    let label = |row: &[f64]| {
        if row[0] + row[1] * row[2] * 3.0 > 0.0 {
            "a"
        } else {
            "b"
        }
    };
    let labels: Vec<&str> = (0..200).map(|row| label(rows.row(row))).collect();
    let targets = Targets::Classes(ClassTargets::from_labels(&labels));
    Dataset::try_new(Records::from_points(rows), targets).expect("as many labels as rows")
}

fn machine() -> Svc {
    Svc::default().kernel(KernelSpec::rbf(1.0)).c(10.0)
}

fn fit(repeats: usize) {
    let data = two_classes();
    for _ in 0..repeats {
        let fitted = machine().fit(black_box(&data), &FitContext::default().threads(1));
        black_box(fitted.expect("two classes can be learnt from"));
    }
}

/// Binding the kernel to the support vectors is part of it, as in a first prediction.
fn predict(repeats: usize) {
    let fitted = machine().fit(&two_classes(), &FitContext::default().threads(1));
    let model = fitted.expect("two classes can be learnt from").model;
    let rows = Records::from_points(random(4, 100, 10));
    for _ in 0..repeats {
        let predictor = model.predictor(Precision::F64);
        let predictor = predictor.expect("the kernel was bound before");
        let decisions = predictor.decisions(black_box(&rows), Par::Sequential, &Cancel::default());
        black_box(decisions.expect("rows like those of the fit"));
    }
}
