//! The Python classes of the neighbours.

use crate::data::Task;
use crate::learn::{Parameter, PythonClass};

const WEIGHTS: Parameter = Parameter {
    name: "weights",
    kind: "{\"uniform\", \"distance\"} or callable",
    annotation: "Literal[\"uniform\", \"distance\"] | Callable[[Any], Any] | None",
    constraint: "[StrOptions({\"uniform\", \"distance\"}), callable, None]",
    doc: "How neighbours vote: all alike, by the inverse of their distance, or as a function of \
          the distances says, which returns an array of their shape.",
};

const ALGORITHM: Parameter = Parameter {
    name: "algorithm",
    kind: "{\"auto\", \"ball_tree\", \"kd_tree\", \"brute\"}",
    annotation: "Literal[\"auto\", \"ball_tree\", \"kd_tree\", \"brute\"]",
    constraint: "[StrOptions({\"auto\", \"ball_tree\", \"kd_tree\", \"brute\"})]",
    doc: "How neighbours are looked for; what is found is the same. Both trees are k-d trees.",
};

const LEAF: Parameter = Parameter {
    name: "leaf_size",
    kind: "int",
    annotation: "int",
    constraint: "[COUNT]",
    doc: "Accepted for compatibility; leaves of a tree have 32 rows.",
};

const EXPONENT: Parameter = Parameter {
    name: "p",
    kind: "float",
    annotation: "float | None",
    constraint: "[EXPONENT, None]",
    doc: "Exponent of ``\"minkowski\"``: 1 is the Manhattan distance, 2 the Euclidean one.",
};

const METRIC: Parameter = Parameter {
    name: "metric",
    kind: "str, Kernel or callable",
    annotation: "str | _KernelLike",
    constraint: "[str, Kernel, callable]",
    doc: "The distance: ``\"minkowski\"`` (with ``p``), ``\"euclidean\"``, ``\"manhattan\"``, \
          ``\"chebyshev\"``, ``\"cosine\"`` and scikit-learn's other names of these; \
          ``\"precomputed\"`` where X has distances; ``\"mixed\"`` for frames with categories and \
          missing values, and NaN in arrays; a kernel of :mod:`mercer.kernels`, whose \
          distance is √(k(x,x) − 2k(x,z) + k(z,z)); or a function of two rows.",
};

const METRIC_PARAMS: Parameter = Parameter {
    name: "metric_params",
    kind: "dict",
    annotation: "dict[str, Any] | None",
    constraint: "[dict, None]",
    doc: "Further arguments of a function as ``metric``; ``{\"p\": …}`` is read as ``p``.",
};

const SCALING: Parameter = Parameter {
    name: "scaling",
    kind: "{\"none\", \"range\", \"standard\", \"whiten\"}",
    annotation: "Literal[\"none\", \"range\", \"standard\", \"whiten\"]",
    constraint: "[StrOptions({\"none\", \"range\", \"standard\", \"whiten\"})]",
    doc: "How numbers are brought to a common size before they are compared; as they are, as in \
          scikit-learn, where nothing else is said.",
};

const RADIUS: Parameter = Parameter {
    name: "radius",
    kind: "float",
    annotation: "float",
    constraint: "[NOT_NEGATIVE]",
    doc: "The distance within which :meth:`radius_neighbors` finds rows.",
};

const NEIGHBOURS: Parameter = Parameter {
    name: "n_neighbors",
    kind: "int",
    annotation: "int",
    constraint: "[COUNT]",
    doc: "How many neighbours are meant where nothing else is said.",
};

const SAME_METRIC: Parameter = Parameter {
    name: "metric",
    kind: "{\"euclidean\", \"manhattan\", \"chebyshev\", \"cosine\"}",
    annotation: "Literal[\"euclidean\", \"manhattan\", \"chebyshev\", \"cosine\"]",
    constraint: "[StrOptions({\"euclidean\", \"manhattan\", \"chebyshev\", \"cosine\"})]",
    doc: "The distance of two rows.",
};

pub(super) static KNN: &[PythonClass] = &[
    PythonClass {
        name: "KNeighborsClassifier",
        task: Task::Classify,
        base: "_voters.NeighboursClassifier",
        about: "Nearest neighbours vote for a class, with scikit-learn's names and meanings.\n\n\
                Of rows at one distance the first is the nearer, and of classes with equally many \
                votes the first is predicted. Rows come and go by :meth:`add` and :meth:`remove`.",
        signature: "n_neighbors=5, *, weights=\"uniform\", algorithm=\"auto\", leaf_size=30, p=2, \
                    metric=\"minkowski\", metric_params=None, n_jobs=None, scaling=\"none\", \
                    column_weights=False",
        parameters: &[
            WEIGHTS,
            ALGORITHM,
            LEAF,
            EXPONENT,
            METRIC,
            METRIC_PARAMS,
            SCALING,
        ],
        attributes: "\
classes_ : ndarray of shape (n_classes,)
    The labels.
effective_metric_ : str or callable
    The distance.
effective_metric_params_ : dict
    Its further arguments.
n_samples_fit_ : int
    Rows that are kept.
outputs_2d_ : bool
    Whether labels came as a column.
column_weights_ : dict
    The weight of every column, where weights were learnt.
objective_, stop_reason_, report_
    Not a number (nothing is minimised), why the fit ended, and the whole account.",
        example: "\
>>> from mercer import KNeighborsClassifier
>>> model = KNeighborsClassifier(n_neighbors=3).fit([[0], [1], [2], [3]], [0, 0, 1, 1])
>>> model.predict([[1.1]]).tolist()
[0]
>>> model.predict_proba([[0.9]]).round(4).tolist()
[[0.6667, 0.3333]]",
    },
    PythonClass {
        name: "KNeighborsRegressor",
        task: Task::Regress,
        base: "_voters.NeighboursRegressor",
        about: "The mean of the nearest neighbours, with scikit-learn's names and meanings.\n\n\
                Of rows at one distance the first is the nearer. Rows come and go by :meth:`add` \
                and :meth:`remove`.",
        signature: "n_neighbors=5, *, weights=\"uniform\", algorithm=\"auto\", leaf_size=30, p=2, \
                    metric=\"minkowski\", metric_params=None, n_jobs=None, scaling=\"none\", \
                    column_weights=False",
        parameters: &[
            WEIGHTS,
            ALGORITHM,
            LEAF,
            EXPONENT,
            METRIC,
            METRIC_PARAMS,
            SCALING,
        ],
        attributes: "\
effective_metric_ : str or callable
    The distance.
effective_metric_params_ : dict
    Its further arguments.
n_samples_fit_ : int
    Rows that are kept.
column_weights_ : dict
    The weight of every column, where weights were learnt.
objective_, stop_reason_, report_
    Not a number (nothing is minimised), why the fit ended, and the whole account.",
        example: "\
>>> from mercer import KNeighborsRegressor
>>> model = KNeighborsRegressor(n_neighbors=2).fit([[0], [1], [2], [3]], [0, 0, 1, 1])
>>> model.predict([[1.5]]).tolist()
[0.5]",
    },
    PythonClass {
        name: "NearestNeighbors",
        task: Task::Regress,
        base: "_neighbours.NeighboursAlone",
        about: "The nearest rows, without anything to predict, with scikit-learn's names and \
                meanings.\n\n\
                A k-d tree or matrix products find them, whichever is cheaper; what is found is \
                the same. Of rows at one distance the first is the nearer.",
        signature: "*, n_neighbors=5, radius=1.0, algorithm=\"auto\", leaf_size=30, \
                    metric=\"minkowski\", p=2, metric_params=None, n_jobs=None, scaling=\"none\"",
        parameters: &[
            NEIGHBOURS,
            RADIUS,
            ALGORITHM,
            LEAF,
            METRIC,
            EXPONENT,
            METRIC_PARAMS,
            SCALING,
        ],
        attributes: "\
effective_metric_ : str or callable
    The distance.
effective_metric_params_ : dict
    Its further arguments.
n_samples_fit_ : int
    Rows that are kept.
objective_, stop_reason_, report_
    Not a number (nothing is minimised), why the fit ended, and the whole account.",
        example: "\
>>> from mercer import NearestNeighbors
>>> model = NearestNeighbors(n_neighbors=2).fit([[0.0], [1.0], [5.0]])
>>> distances, rows = model.kneighbors([[0.9]])
>>> distances.round(1).tolist(), rows.tolist()
([[0.1, 0.9]], [[1, 0]])",
    },
];

pub(super) static IB1: &[PythonClass] = &[PythonClass {
    name: "IB1Classifier",
    task: Task::Classify,
    base: "_nearest.NearestClassifier",
    about: "The class of the nearest row (IB1).\n\n\
            Frames may have numbers, categories and strings, with cells missing, and arrays may \
            hold NaN: categories differ by 0 or 1, and a missing number is as far away as the \
            training rows allow.",
    signature: "*, scaling=\"range\", metric=\"euclidean\", n_jobs=None",
    parameters: &[SAME_METRIC],
    attributes: "\
classes_ : ndarray of shape (n_classes,)
    The labels.
n_samples_fit_ : int
    Rows that are kept.
objective_, stop_reason_, report_
    Not a number (nothing is minimised), why the fit ended, and the whole account.",
    example: "\
>>> from mercer import IB1Classifier
>>> IB1Classifier().fit([[0.0], [1.0]], [\"a\", \"b\"]).predict([[0.8]]).tolist()
['b']",
}];

pub(super) static IB2: &[PythonClass] = &[PythonClass {
    name: "IB2Classifier",
    task: Task::Classify,
    base: "_nearest.CondensedClassifier",
    about: "The nearest of the rows that were misclassified when they came (IB2).\n\n\
            Rows are visited as they are given; one is kept where the nearest of those kept \
            before is of another class. Rows with wrong labels are misclassified, and so they are \
            kept. Rows may be frames with categories and missing cells, as in \
            :class:`IB1Classifier`.",
    signature: "*, scaling=\"range\", metric=\"euclidean\", n_jobs=None",
    parameters: &[SAME_METRIC],
    attributes: "\
classes_ : ndarray of shape (n_classes,)
    The labels.
n_samples_fit_ : int
    Rows that are kept.
sample_indices_ : ndarray of int
    Their places among the training rows.
objective_, stop_reason_, report_
    Not a number (nothing is minimised), why the fit ended, and the whole account.",
    example: "\
>>> from mercer import IB2Classifier
>>> X, y = [[0], [1], [4], [3], [2.4], [2.6]], list(\"aabbab\")
>>> IB2Classifier().fit(X, y).sample_indices_.tolist()
[0, 2, 4, 5]",
}];

pub(super) static MEMORISE: &[PythonClass] = &[PythonClass {
    name: "MemorisingClassifier",
    task: Task::Classify,
    base: "_nearest.MemoryClassifier",
    about: "The class of an equal row, and \"don't know\" elsewhere.\n\n\
            A baseline: its error on the training rows is that of contradictory rows alone, and \
            it has learnt nothing.",
    signature: "*, abstain=True, n_jobs=None",
    parameters: &[Parameter {
        name: "abstain",
        kind: "bool",
        annotation: "bool",
        constraint: "[\"boolean\"]",
        doc: "Whether rows without an equal one are predicted as ``\"don't know\"``, and \
              with probability 0 for every class; otherwise with the most frequent class.",
    }],
    attributes: "\
classes_ : ndarray of shape (n_classes,)
    The labels.
n_samples_fit_ : int
    Rows that are kept.
objective_, stop_reason_, report_
    Not a number (nothing is minimised), why the fit ended, and the whole account.",
    example: "\
>>> from mercer import MemorisingClassifier
>>> MemorisingClassifier().fit([[0], [1]], [\"a\", \"b\"]).predict([[0], [2]]).tolist()
['a', \"don't know\"]",
}];
