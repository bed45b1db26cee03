//! smartcore: an online solver that passes over the rows twice, for classes; SMO for numbers.

use std::collections::{HashMap, VecDeque};

use mercer_bench_rust_peers::{Answers, Job, Peer, Set, Task, serve};
use serde_json::Value;
use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::svm::Kernels;
use smartcore::svm::svc::{SVC, SVCParameters};
use smartcore::svm::svr::{SVR, SVRParameters};

type Rows = DenseMatrix<f64>;
type Classes = SVC<'static, f64, i32, Rows, Vec<i32>>;
type Numbers = SVR<'static, f64, Rows, Vec<f64>>;

enum Machine {
    Classes(Classes),
    Numbers(Numbers),
}

/// Everything a model borrows lives as long as the process.
struct Smartcore {
    job: Job,
    set: Set,
    x: &'static Rows,
    xt: &'static Rows,
    /// 1 for class 0, -1 for class 1: the sorted second label is its positive one.
    labels: &'static Vec<i32>,
    numbers: &'static Vec<f64>,
    classes: &'static SVCParameters<f64, i32, Rows, Vec<i32>>,
    regression: &'static SVRParameters<f64>,
    machine: Option<Machine>,
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

impl Smartcore {
    fn machine(&self) -> Result<&Machine, String> {
        self.machine.as_ref().ok_or_else(|| "not fitted".to_owned())
    }

    fn predict_rows(&self, rows: &'static Rows) -> Result<Vec<f64>, String> {
        match self.machine()? {
            Machine::Classes(machine) => {
                let labels = machine.predict(rows).map_err(|error| error.to_string())?;
                Ok(labels
                    .iter()
                    .map(|&label| if label > 0.0 { 0.0 } else { 1.0 })
                    .collect())
            }
            Machine::Numbers(machine) => machine.predict(rows).map_err(|error| error.to_string()),
        }
    }
}

impl Peer for Smartcore {
    fn load(job: &Job, set: &Set) -> Result<Self, String> {
        let matrix = |values: &Vec<f64>| {
            DenseMatrix::new(
                values.len() / set.columns,
                set.columns,
                values.clone(),
                false,
            )
            .map_err(|error| error.to_string())
        };
        let kernel = || Kernels::rbf().with_gamma(job.gamma);
        let labels = set
            .y
            .iter()
            .map(|&code| if code == 0.0 { 1 } else { -1 })
            .collect();
        Ok(Self {
            x: leak(matrix(&set.x)?),
            xt: leak(matrix(&set.xt)?),
            labels: leak(labels),
            numbers: leak(set.y.clone()),
            classes: leak(
                SVCParameters::default()
                    .with_c(job.c)
                    .with_tol(1e-3)
                    .with_kernel(kernel())
                    .with_seed(Some(0)),
            ),
            regression: leak(
                SVRParameters::default()
                    .with_c(job.c)
                    .with_eps(job.epsilon)
                    .with_tol(1e-3)
                    .with_kernel(kernel()),
            ),
            set: set.clone(),
            job: job.clone(),
            machine: None,
        })
    }

    fn fit(&mut self) -> Result<(), String> {
        let machine = match self.job.task {
            Task::Regress => SVR::fit(self.x, self.numbers, self.regression).map(Machine::Numbers),
            Task::Classify | Task::Latency => {
                SVC::fit(self.x, self.labels, self.classes).map(Machine::Classes)
            }
            Task::Novelty | Task::Tune => return Err("not offered".to_owned()),
        };
        self.machine = Some(machine.map_err(|error| error.to_string())?);
        Ok(())
    }

    fn predict(&self) -> Result<Vec<f64>, String> {
        self.predict_rows(self.xt)
    }

    fn predict_one(&self, row: usize) -> Result<f64, String> {
        let width = self.set.columns;
        let values = self.set.xt[row * width..(row + 1) * width].to_vec();
        let one = DenseMatrix::new(1, width, values, false).map_err(|error| error.to_string())?;
        Ok(self.predict_rows(leak(one))?[0])
    }

    /// The fields are private; the serialised model has them.
    fn answers(&self) -> Result<Answers, String> {
        let value = match self.machine()? {
            Machine::Classes(machine) => serde_json::to_value(machine),
            Machine::Numbers(machine) => serde_json::to_value(machine),
        };
        let value = value.map_err(|error| error.to_string())?;
        let coefficients = numbers(&value["w"])?;
        let vectors = value["instances"].as_array().ok_or("no support vectors")?;
        let positive = |row: usize| self.set.y[row] == 0.0;
        let classify = self.job.task != Task::Regress;
        let mut places: HashMap<(Vec<u64>, bool), VecDeque<usize>> = HashMap::new();
        for (row, values) in self.set.x.chunks(self.set.columns).enumerate() {
            let key = (bits(values), classify && positive(row));
            places.entry(key).or_default().push_back(row);
        }
        let mut rows = Vec::with_capacity(vectors.len());
        for (vector, &coefficient) in vectors.iter().zip(&coefficients) {
            let key = (bits(&numbers(vector)?), classify && coefficient > 0.0);
            let place = places.get_mut(&key).and_then(VecDeque::pop_front);
            rows.push(place.ok_or("a support vector that is no training row")?);
        }
        let intercept = value["b"].as_f64().ok_or("no intercept")?;
        Ok(Answers {
            rows,
            coefficients,
            intercept,
        })
    }
}

fn numbers(value: &Value) -> Result<Vec<f64>, String> {
    let list = value.as_array().ok_or("not a list")?;
    list.iter()
        .map(|entry| entry.as_f64().ok_or_else(|| "not a number".to_owned()))
        .collect()
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| (value + 0.0).to_bits()).collect()
}

fn main() -> Result<(), String> {
    serve::<Smartcore>()
}
