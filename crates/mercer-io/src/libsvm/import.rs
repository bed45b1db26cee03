//! From LIBSVM's models to mercer's.

use mercer::data::{Encoder, Points, Records, Storage, Task};
use mercer::fit::{FitReport, Note};
use mercer::kernel::{KernelSpec, ResolvedKernel};
use mercer::model::Trained;
use mercer::model::expansion::KernelExpansion;
use mercer::model::readout::{ClassReadout, Readout, Scheme, Sigmoid};
use mercer_linalg::Csr;

use super::model::{LibsvmKernel, LibsvmModel, Support, SvmType};
use crate::Result;

/// The most features a model may have: comparing sparse rows takes 8 bytes for each.
const MAX_WIDTH: usize = 1 << 27;

/// The most kernel values that the support vectors of a given matrix may stand for (2 GiB).
const MAX_CELLS: usize = 1 << 28;

impl LibsvmModel {
    /// Makes a model that predicts rows of LIBSVM files, whose columns are `y` and `x`.
    ///
    /// Labels keep the order of the file. `width` is the number of features of the rows to
    /// predict, where it is known; the support vectors tell only the largest index they
    /// use, and features beyond are left out with a note. The linear, polynomial and sigmoid
    /// kernels do not see such features, the rbf kernel does.
    ///
    /// # Errors
    /// Fields that contradict each other, kernel parameters mercer does not take, and
    /// indices so large that answering would take gigabytes.
    pub fn into_trained(self, width: Option<usize>) -> Result<Trained> {
        self.check()?;
        let mut notes = vec![Note::Alert(
            "imported from a LIBSVM model, which does not tell how its fit went".to_owned(),
        )];
        self.note_losses(&mut notes);
        let kernel = self.kernel.resolve()?;
        let support_vectors = self.support.len();
        let support = records(&self.support, width.unwrap_or(0))?;
        let features = support.features.points.columns();
        let (task, target) = match self.svm_type {
            SvmType::CSvc | SvmType::NuSvc => (Task::Classify, Some("y")),
            SvmType::EpsilonSvr | SvmType::NuSvr => (Task::Regress, Some("y")),
            SvmType::OneClass => (Task::Novelty, None),
        };
        let method = SvmType::ALL
            .iter()
            .find(|(_, kind, _)| *kind == self.svm_type);
        let method = method.map_or("svc", |(_, _, method)| method);
        let biases = match task {
            Task::Classify => self.rho.iter().map(|r| -r).collect(),
            _ => vec![self.rho.first().map_or(0.0, |r| -r)],
        };
        let readout = match task {
            Task::Regress => Readout::Values,
            Task::Novelty => Readout::Novelty,
            _ => Readout::Classes(ClassReadout {
                labels: self.labels.iter().map(i32::to_string).collect(),
                scheme: Scheme::OneVsOne,
                sigmoids: self.prob_a.zip(self.prob_b).map(|(slopes, offsets)| {
                    let pairs = slopes.into_iter().zip(offsets);
                    pairs.map(|(a, b)| Sigmoid { a, b }).collect()
                }),
                // LIBSVM predicts the most probable class, whatever weighed the rows.
                factors: None,
            }),
        };
        let mut model = KernelExpansion::new(kernel, support, self.coefficients, biases, readout);
        if task == Task::Classify {
            model.class_sizes = self.class_sizes;
        }
        model.check()?;
        let encoder = Encoder::identity(features, Storage::Sparse);
        let report = FitReport::of_others(support_vectors, notes);
        Ok(Trained {
            targets: target.map(str::to_owned).into_iter().collect(),
            ..Trained::new(task, method, encoder, model.into(), report)
        })
    }

    fn note_losses(&self, notes: &mut Vec<Note>) {
        if self.svm_type.is_regressor() && self.prob_a.is_some() {
            let text = "the noise scale of the regression (`probA`) is not kept";
            notes.push(Note::Choice(text.to_owned()));
        }
        if self.density_marks.is_some() {
            let text = "the density of the one-class model (`prob_density_marks`) is not kept";
            notes.push(Note::Choice(text.to_owned()));
        }
        if let Support::Vectors {
            zero_based: true, ..
        } = self.support
        {
            let text = "indices of this model start at 0; read data with zero-based indices";
            notes.push(Note::Alert(text.to_owned()));
        }
    }
}

impl LibsvmKernel {
    fn resolve(&self) -> Result<ResolvedKernel> {
        let spec = match *self {
            Self::Linear => KernelSpec::linear(),
            Self::Polynomial {
                degree,
                gamma,
                coef0,
            } => KernelSpec::poly(degree, coef0, gamma),
            Self::Rbf { gamma } => KernelSpec::rbf(gamma),
            Self::Sigmoid { gamma, coef0 } => {
                KernelSpec::sigmoid(gamma, coef0).with("form", "tanh")?
            }
            Self::Precomputed => KernelSpec::precomputed(),
        };
        ResolvedKernel::try_new(spec).map_err(|error| {
            mercer::Error::Unsupported {
                what: format!(
                    "the {} kernel of the LIBSVM model cannot be used: {error}",
                    self.name()
                ),
                cure: "train again with a positive gamma, coef0 from 0 and a degree from 1".into(),
            }
            .into()
        })
    }
}

fn records(support: &Support, width: usize) -> Result<Records> {
    match support {
        Support::Vectors { points, .. } => {
            // Kernels refuse rows without any feature.
            let columns = width.max(points.columns()).max(1);
            if columns > MAX_WIDTH {
                return Err(mercer::Error::Unsupported {
                    what: format!(
                        "the model has an index of {columns}; {MAX_WIDTH} is the largest"
                    ),
                    cure: "number the features without gaps and train again".into(),
                }
                .into());
            }
            let points = Csr::try_new(
                columns,
                points.row_starts().to_vec(),
                points.indices().to_vec(),
                points.values().to_vec(),
            );
            let points = points.expect("a wider matrix holds the same rows");
            Ok(Records::from_points(Points::from(points)))
        }
        Support::Serials(serials) => {
            let largest = serials.iter().copied().max().unwrap_or(1) as usize;
            let columns = width.max(largest);
            if columns.saturating_mul(serials.len()) > MAX_CELLS {
                return Err(mercer::Error::Memory {
                    what: "the kernel matrix of the support vectors".to_owned(),
                    needed: 8 * (columns as u64).saturating_mul(serials.len() as u64),
                    limit: 8 * MAX_CELLS as u64,
                }
                .into());
            }
            let empty =
                Csr::<f64>::try_new(columns, vec![0; serials.len() + 1], Vec::new(), Vec::new());
            let empty = empty.expect("rows without values are sound");
            let mut records = Records::from_points(Points::from(empty));
            records.ids = serials.iter().map(|s| s - 1).collect();
            Ok(records)
        }
    }
}
