//! Models with a kernel that the program declares.

use mercer::data::{Block, Column, Origin, Records, Roles, Table, Task, Values};
use mercer::fit::FitContext;
use mercer::kernel::{self, Compare, Definiteness, Family, Input, Pairwise};
use mercer::learn::AnyEstimator;
use mercer::linalg::SharedMatrix;
use mercer::recipe::Recipe;
use mercer_io::model;

/// k(x, z) = 1 / (1 + ‖x − z‖²).
struct Cauchy;

impl Compare for Cauchy {
    type Rows = SharedMatrix<f64>;

    fn take(&self, records: &Records) -> mercer::Result<Self::Rows> {
        match records.features.points.widened() {
            Block::Dense(rows) => Ok(rows),
            Block::Sparse(_) => unreachable!("the test has dense rows"),
        }
    }

    fn value(&self, left: &Self::Rows, i: usize, right: &Self::Rows, j: usize) -> f64 {
        let pairs = left.row(i).iter().zip(right.row(j));
        1.0 / (1.0 + pairs.map(|(x, z)| (x - z).powi(2)).sum::<f64>())
    }
}

static CAUCHY: Family = Family {
    name: "cauchy_of_a_test",
    summary: "heavy tails",
    formula: "1/(1 + ‖x−z‖²)",
    parameters: &[],
    parameter_kind: "parameter of `cauchy_of_a_test`",
    input: Input::Vectors,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, _| Ok(()),
    bind: |_, records| Ok(Box::new(Pairwise::try_new(Cauchy, records)?)),
};

#[test]
fn a_model_of_a_registered_kernel_is_saved_and_loaded() {
    kernel::register(&CAUCHY).expect("a new name");
    let x: Vec<f64> = (0..30).map(|i| f64::from(i) / 5.0).collect();
    let y = x.iter().map(|x| x.sin()).collect();
    let columns = vec![
        Column::new("x", Values::Numeric(x)),
        Column::new("y", Values::Numeric(y)),
    ];
    let table = Table::try_new(columns, Origin::default()).expect("equal lengths");
    let mut process = AnyEstimator::for_task("gp", Task::Regress).expect("a method");
    process.set_kernel("cauchy_of_a_test + linear".parse().expect("registered"));
    let roles = Roles {
        targets: vec!["y".to_owned()],
        ..Roles::default()
    };
    let context = FitContext::default();
    let fitted = Recipe::new(roles)
        .with(process)
        .fit(table.clone(), &context);
    let trained = fitted.expect("rows to learn from").model;

    let bytes = model::to_bytes(&trained).expect("a name that reads back");
    let loaded = model::from_bytes(&bytes).expect("registered");
    let kernel = loaded.kernel_text().expect("a kernel");
    assert_eq!(kernel, "cauchy_of_a_test + linear");
    let answers = |model: &mercer::model::Trained| model.predict(&table, &context).expect("rows");
    assert_eq!(answers(&loaded), answers(&trained));

    // A program that does not know the family says so.
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("cauchy_of_a_test"));
    let error = "cauchy_of_another".parse::<mercer::kernel::KernelSpec>();
    assert_eq!(
        error.expect_err("unknown").to_string(),
        "there is no kernel `cauchy_of_another`"
    );
}
