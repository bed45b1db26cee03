//! linfa-svm: stores the whole kernel matrix in double precision.

use linfa::prelude::{Fit, Predict};
use linfa::{Dataset, DatasetBase};
use linfa_svm::Svm;
use mercer_bench_rust_peers::{Answers, Job, Peer, Set, Task, serve};
use ndarray::{Array1, Array2};

enum Machine {
    Classes(Svm<f64, bool>),
    Numbers(Svm<f64, f64>),
}

struct Linfa {
    job: Job,
    x: Array2<f64>,
    y: Array1<f64>,
    xt: Array2<f64>,
    machine: Option<Machine>,
}

impl Linfa {
    fn machine(&self) -> Result<&Machine, String> {
        self.machine.as_ref().ok_or_else(|| "not fitted".to_owned())
    }
}

impl Peer for Linfa {
    fn load(job: &Job, set: &Set) -> Result<Self, String> {
        let matrix = |values: &Vec<f64>| {
            let shape = (values.len() / set.columns, set.columns);
            Array2::from_shape_vec(shape, values.clone()).map_err(|error| error.to_string())
        };
        Ok(Self {
            job: job.clone(),
            x: matrix(&set.x)?,
            y: Array1::from(set.y.clone()),
            xt: matrix(&set.xt)?,
            machine: None,
        })
    }

    fn fit(&mut self) -> Result<(), String> {
        let job = &self.job;
        // Its Gaussian divides the squared distance.
        let width = 1.0 / job.gamma;
        let machine = match job.task {
            Task::Regress => {
                let set = Dataset::new(self.x.clone(), self.y.clone());
                let settings = Svm::<f64, f64>::params()
                    .c_svr(job.c, Some(job.epsilon))
                    .eps(1e-3)
                    .gaussian_kernel(width);
                settings.fit(&set).map(Machine::Numbers)
            }
            Task::Novelty => {
                let set = DatasetBase::new(self.x.clone(), Array1::from_elem(self.y.len(), ()));
                let settings = Svm::<f64, linfa::dataset::Pr>::params()
                    .nu_weight(job.nu)
                    .eps(1e-3)
                    .gaussian_kernel(width);
                settings.fit(&set).map(Machine::Classes)
            }
            _ => {
                let set = Dataset::new(self.x.clone(), self.y.mapv(|code| code == 0.0));
                let settings = Svm::<f64, bool>::params()
                    .pos_neg_weights(job.c, job.c)
                    .eps(1e-3)
                    .gaussian_kernel(width);
                settings.fit(&set).map(Machine::Classes)
            }
        };
        self.machine = Some(machine.map_err(|error| error.to_string())?);
        Ok(())
    }

    fn predict(&self) -> Result<Vec<f64>, String> {
        Ok(match self.machine()? {
            Machine::Classes(machine) => {
                let first = machine.predict(&self.xt);
                first.iter().map(|&first| self.code(first)).collect()
            }
            Machine::Numbers(machine) => machine.predict(&self.xt).to_vec(),
        })
    }

    fn predict_one(&self, row: usize) -> Result<f64, String> {
        let row = self.xt.row(row);
        Ok(match self.machine()? {
            Machine::Classes(machine) => self.code(machine.predict(row)),
            Machine::Numbers(machine) => machine.predict(row),
        })
    }

    fn answers(&self) -> Result<Answers, String> {
        let (alpha, rho) = match self.machine()? {
            Machine::Classes(machine) => (&machine.alpha, machine.rho),
            Machine::Numbers(machine) => (&machine.alpha, machine.rho),
        };
        let used = alpha.iter().enumerate().filter(|(_, value)| **value != 0.0);
        let (rows, coefficients) = used.map(|(row, &value)| (row, value)).unzip();
        Ok(Answers {
            rows,
            coefficients,
            intercept: -rho,
        })
    }
}

impl Linfa {
    fn code(&self, first: bool) -> f64 {
        match (self.job.task, first) {
            (Task::Novelty, false) => -1.0,
            (Task::Novelty, true) => 1.0,
            (_, first) => f64::from(u8::from(!first)),
        }
    }
}

fn main() -> Result<(), String> {
    serve::<Linfa>()
}
