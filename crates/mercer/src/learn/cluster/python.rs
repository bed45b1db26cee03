//! The Python classes of clusters, maps and prototypes.

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

pub(super) static KERNEL_KMEANS: &[PythonClass] = &[PythonClass {
    name: "KernelKMeans",
    task: Task::Cluster,
    base: "_kernel_cluster.KernelClusterer",
    about: "k-means in the space of a kernel.\n\n\
            Minimises Σ ‖φ(x) − m‖² over the assignment of rows to the means m of their clusters. New rows \
            belong to the nearest mean.",
    signature: "n_clusters=8, *, kernel=\"rbf\", degree=3, gamma=\"scale\", coef0=0.0, n_init=10, \
                max_iter=300, random_state=None, n_jobs=None, memory_limit=None",
    parameters: &[
        Parameter {
            name: "random_state",
            kind: "int or RandomState instance",
            annotation: "Any",
            constraint: "[\"random_state\"]",
            doc: "What first means are drawn with.",
        },
        Parameter {
            name: "max_iter",
            kind: "int",
            annotation: "int",
            constraint: "[COUNT]",
            doc: "Most iterations of a run.",
        },
    ],
    attributes: "\
labels_ : ndarray of shape (n_samples,)
    The cluster of every row.
inertia_ : float
    Σ ‖φ(x) − m‖² over rows and the means of their clusters, weights counted.
n_iter_ : int
    Iterations of the run that was best.
objective_, stop_reason_, report_
    The inertia, why the run stopped, and the whole account.",
    example: "\
>>> from mercer import KernelKMeans
>>> words = [\"banana\", \"bananas\", \"ananas\", \"kernel\", \"kernels\"]
>>> kernel = \"normalise(spectrum(length=2))\"
>>> labels = KernelKMeans(2, kernel=kernel, random_state=0).fit_predict(words)
>>> bool(labels[0] == labels[1] == labels[2] != labels[3] == labels[4])
True",
}];

pub(super) static SOM: &[PythonClass] = &[PythonClass {
    name: "SelfOrganizingMap",
    task: Task::Cluster,
    base: "_map.MapClusterer",
    about: "Kohonen map: units on a grid that follow the rows, so that neighbours are alike.\n\n\
            Batch training moves all units to means of rows, weighted by a Gaussian of distances on the \
            grid whose radius shrinks; online training follows one row after another.",
    signature: "n_rows=None, n_columns=None, *, lattice=\"hexagonal\", training=\"batch\", init=\"pca\", epochs=20, \
                radius=None, last_radius=0.5, learning_rate=0.5, random_state=None, n_jobs=None",
    parameters: &[
        Parameter {
            name: "init",
            kind: "{\"pca\", \"random\"} or array-like",
            annotation: "Any",
            constraint: "[StrOptions({\"pca\", \"random\"}), \"array-like\"]",
            doc: "Where units start: on the plane of the two leading principal directions, at random rows, or \
                  at given vectors, row by row of the grid.",
        },
        Parameter {
            name: "random_state",
            kind: "int or RandomState instance",
            annotation: "Any",
            constraint: "[\"random_state\"]",
            doc: "What random rows, and the order of online visits, are drawn with.",
        },
    ],
    attributes: "\
codebook_ : ndarray of shape (n_units, n_features)
    The units, row by row of the grid.
shape_ : tuple of int
    Rows and columns of the grid.
labels_ : ndarray of shape (n_samples,)
    The best matching unit of every row.
u_matrix_ : ndarray of shape (n_rows, n_columns)
    Mean distance of every unit from its neighbours.
hits_ : ndarray of shape (n_rows, n_columns)
    Rows of every unit, weights counted.
quantization_error_, topographic_error_ : float
    Mean distance of a row from its unit; share of rows whose two nearest units are no
    neighbours.
objective_, stop_reason_, report_
    Σ ‖x − m‖², why training stopped, and the whole account.",
    example: "\
>>> from sklearn.datasets import load_iris
>>> from mercer import SelfOrganizingMap
>>> X = load_iris().data
>>> flowers = SelfOrganizingMap(6, 10).fit(X)
>>> flowers.u_matrix_.shape
(6, 10)
>>> int(flowers.hits_.sum())
150",
}];

pub(super) static LVQ: &[PythonClass] = &[PythonClass {
    name: "LVQClassifier",
    task: Task::Classify,
    base: "_lvq.PrototypeClassifier",
    about: "Learning vector quantisation: a few prototypes for every class.\n\n\
            A row is of the class of the nearest prototype. Rows pull prototypes of their class and push others \
            away, from the centres of k-means inside each class on.",
    signature: "prototypes_per_class=4, *, variant=\"lvq1\", epochs=30, learning_rate=0.1, window=0.3, \
                both_right=0.2, random_state=None, n_jobs=None",
    parameters: &[Parameter {
        name: "random_state",
        kind: "int or RandomState instance",
        annotation: "Any",
        constraint: "[\"random_state\"]",
        doc: "What the order of visits is drawn with.",
    }],
    attributes: "\
classes_ : ndarray of shape (n_classes,)
    The labels.
prototypes_ : ndarray of shape (n_prototypes, n_features)
    The prototypes.
prototype_labels_ : ndarray of shape (n_prototypes,)
    The label of each.
objective_, stop_reason_, report_
    Share of training rows that are wrong, why training stopped, and the whole account.",
    example: "\
>>> from sklearn.datasets import load_iris
>>> from mercer import LVQClassifier
>>> X, y = load_iris(return_X_y=True)
>>> model = LVQClassifier(2, random_state=0).fit(X, y)
>>> model.prototypes_.shape
(6, 4)
>>> bool(model.score(X, y) > 0.9)
True",
}];
