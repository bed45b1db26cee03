//! The Python class of k-means.

use crate::data::Task;
use crate::learn::{Parameter, PythonClass};

pub(super) static KMEANS: &[PythonClass] = &[PythonClass {
    name: "KMeans",
    task: Task::Cluster,
    base: "_cluster.CentreClusterer",
    about: "k-means, with scikit-learn's names and meanings.\n\n\
            Minimises Σ ‖x − c‖² over the centres c and the assignment of rows to them, by \
            Lloyd's iteration; bounds on distances spare most of the work and change nothing.",
    signature: "n_clusters=8, *, init=\"k-means++\", n_init=\"auto\", max_iter=300, tol=1e-4, \
                verbose=0, random_state=None, copy_x=True, algorithm=\"lloyd\"",
    parameters: &[
        Parameter {
            name: "init",
            kind: "{\"k-means++\", \"random\"}, array-like or callable",
            annotation: "Any",
            constraint: "[StrOptions({\"k-means++\", \"random\"}), callable, \"array-like\"]",
            doc: "How the first centres are chosen: far apart with high probability, or as \
                  random rows; or the centres themselves, or a function \
                  ``init(X, n_clusters, random_state)`` that returns them.",
        },
        Parameter {
            name: "n_init",
            kind: "\"auto\" or int",
            annotation: "int | Literal[\"auto\"]",
            constraint: "[StrOptions({\"auto\"}), COUNT]",
            doc: "Runs from different first centres, the best of which counts; ``\"auto\"`` is \
                  1 for ``\"k-means++\"`` and given centres, and 10 otherwise.",
        },
        Parameter {
            name: "max_iter",
            kind: "int",
            annotation: "int",
            constraint: "[COUNT]",
            doc: "Most iterations of a run.",
        },
        Parameter {
            name: "random_state",
            kind: "int or RandomState instance",
            annotation: "Any",
            constraint: "[\"random_state\"]",
            doc: "What first centres are drawn with.",
        },
        Parameter {
            name: "copy_x",
            kind: "bool",
            annotation: "bool",
            constraint: "[\"boolean\"]",
            doc: "Accepted for compatibility; rows are never written to.",
        },
        Parameter {
            name: "algorithm",
            kind: "{\"lloyd\", \"elkan\"}",
            annotation: "Literal[\"lloyd\", \"elkan\"]",
            constraint: "[StrOptions({\"lloyd\", \"elkan\"})]",
            doc: "Accepted for compatibility; both have the same solution.",
        },
    ],
    attributes: "\
cluster_centers_ : ndarray of shape (n_clusters, n_features)
    The centres.
labels_ : ndarray of shape (n_samples,)
    The nearest centre of every row.
inertia_ : float
    Σ ‖x − c‖² over rows and their centres, weights counted.
n_iter_ : int
    Iterations of the run that was best.
objective_, stop_reason_, report_
    The inertia, why the run stopped, and the whole account.",
    example: "\
>>> from mercer import KMeans
>>> model = KMeans(2, random_state=0).fit([[0.0], [1.0], [10.0], [11.0]])
>>> sorted(model.cluster_centers_[:, 0].tolist())
[0.5, 10.5]
>>> model.inertia_
1.0",
}];
