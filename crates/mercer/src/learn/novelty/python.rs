//! The Python class of novelty by neighbours.

use crate::data::Task;
use crate::learn::PythonClass;

pub(super) static NEAREST: &[PythonClass] = &[PythonClass {
    name: "NearestNovelty",
    task: Task::Novelty,
    base: "_nearest_novelty.NearestDetector",
    about: "Novelty by neighbours, with scikit-learn's interface of outlier detectors.\n\n\
            A row is an outlier whose k-th nearest row of the training set is farther away than a \
            threshold; a share of the training rows, each looked at as if it were new, is beyond it. \
            A training row that is predicted again has itself as its first neighbour.",
    signature: "n_neighbors=5, *, share=0.05, n_jobs=None",
    parameters: &[],
    attributes: "\
offset_ : float
    What :meth:`score_samples` has to reach for a row to be an inlier.
n_samples_fit_ : int
    Rows that distances are measured from.
report_
    The whole account of the fit.",
    example: "\
>>> from mercer import NearestNovelty
>>> model = NearestNovelty(1, share=0.2).fit([[0.0], [1.0], [2.0], [3.0], [9.0]])
>>> model.predict([[1.5], [6.0]])
array([ 1, -1])",
}];
