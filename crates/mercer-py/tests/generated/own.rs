//! Parameters that are Python's own, or that Python words in another way than the settings do.

use mercer::learn::{Method, Parameter};

/// Finds what is said of a parameter in all classes.
pub(crate) fn find(name: &str, method: &Method) -> Option<&'static Parameter> {
    if name == "warm_start" && !method.able.warm_start {
        return Some(&NEVER_WARM);
    }
    OWN.iter().find(|parameter| parameter.name == name)
}

/// Accepted where scikit-learn's classes, or others of this package, have it.
static NEVER_WARM: Parameter = Parameter {
    name: "warm_start",
    kind: "bool",
    annotation: "bool",
    constraint: "[\"boolean\"]",
    doc: "Accepted; every fit starts afresh.",
};

static OWN: &[Parameter] = &[
    Parameter {
        name: "kernel",
        kind: "str, Kernel or callable",
        annotation: "_KernelLike",
        constraint: "[str, Kernel, callable]",
        doc: "As in :class:`SVC`.",
    },
    Parameter {
        name: "degree",
        kind: "int",
        annotation: "int",
        constraint: "[Interval(Integral, 0, None, closed=\"left\")]",
        doc: "Degree of ``\"poly\"``.",
    },
    Parameter {
        name: "gamma",
        kind: "{\"scale\", \"auto\"} or float",
        annotation: "float | Literal[\"scale\", \"auto\"]",
        constraint: "[StrOptions({\"scale\", \"auto\"}), NOT_NEGATIVE]",
        doc: "Coefficient of ``\"rbf\"``, ``\"poly\"`` and ``\"sigmoid\"``; ``\"scale\"`` is \
              1 / (n_features * X.var()), with weights as copies.",
    },
    Parameter {
        name: "coef0",
        kind: "float",
        annotation: "float",
        constraint: "[FINITE]",
        doc: "Constant of ``\"poly\"`` and ``\"sigmoid\"``.",
    },
    Parameter {
        name: "class_weight",
        kind: "dict or \"balanced\"",
        annotation: "_ClassWeight",
        constraint: "[StrOptions({\"balanced\"}), dict, None]",
        doc: "Factors on C by class, and on the probabilities where they choose a label.",
    },
    Parameter {
        name: "fit_intercept",
        kind: "bool",
        annotation: "bool",
        constraint: "[\"boolean\"]",
        doc: "Whether a constant without penalty is part of the function.",
    },
    Parameter {
        name: "cache_size",
        kind: "float",
        annotation: "float",
        constraint: "[POSITIVE]",
        doc: "Accepted for compatibility; ``memory_limit`` is what counts.",
    },
    Parameter {
        name: "verbose",
        kind: "bool",
        annotation: "bool | int",
        constraint: "[\"verbose\"]",
        doc: "Whether a progress bar is drawn on stderr.",
    },
    Parameter {
        name: "max_iter",
        kind: "int",
        annotation: "int",
        constraint: "[Interval(Integral, -1, None, closed=\"left\")]",
        doc: "Largest number of solver steps per problem; -1 sets no limit in practice.",
    },
    Parameter {
        name: "decision_function_shape",
        kind: "{\"ovr\", \"ovo\"}",
        annotation: "Literal[\"ovr\", \"ovo\"]",
        constraint: "[StrOptions({\"ovr\", \"ovo\"})]",
        doc: "Form of :meth:`decision_function` with more than two classes.",
    },
    Parameter {
        name: "break_ties",
        kind: "bool",
        annotation: "bool",
        constraint: "[\"boolean\"]",
        doc: "Whether ties between votes are broken by :meth:`decision_function`.",
    },
    Parameter {
        name: "random_state",
        kind: "int or RandomState instance",
        annotation: "Any",
        constraint: "[\"random_state\"]",
        doc: "Accepted for compatibility; nothing here is random.",
    },
    Parameter {
        name: "max_seconds",
        kind: "float",
        annotation: "float | None",
        constraint: "[POSITIVE, None]",
        doc: "Time limit; the fit stops with what it has.",
    },
    Parameter {
        name: "callback",
        kind: "callable",
        annotation: "Callable[[Progress], Any] | None",
        constraint: "[callable, None]",
        doc: "Called with a :class:`mercer.Progress` some twenty times a second; ``True`` in \
              return stops the fit with what it has.",
    },
    Parameter {
        name: "n_jobs",
        kind: "int",
        annotation: "int | None",
        constraint: "[Integral, None]",
        doc: "Threads; all cores by default, one inside workers of joblib and Dask.",
    },
    Parameter {
        name: "warm_start",
        kind: "bool",
        annotation: "bool",
        constraint: "[\"boolean\"]",
        doc: "Whether a second ``fit`` starts from the solution of the first.",
    },
    Parameter {
        name: "encode",
        kind: "dict of str to str, or str",
        annotation: "dict[str, str] | str | None",
        constraint: "[dict, str, None]",
        doc: "How texts become numbers: ``\"tfidf\"``, ``\"bag\"``, ``\"tfidf(ngrams=2, min=3)\"``, ``\"bag(binary)\"``, \
              by name of the columns of a data frame, or in one word where X is a list of texts. The other columns of such a \
              frame may be of any kind: categories are one-hot encoded, missing values filled in and marked, numbers stay \
              as they are. By default X is numbers.",
    },
    Parameter {
        name: "verify",
        kind: "bool",
        annotation: "bool",
        constraint: "[\"boolean\"]",
        doc: "Whether kernel values are double precision throughout. Otherwise single precision \
              serves where it is good enough: predictions then have three reliable digits.",
    },
    Parameter {
        name: "memory_limit",
        kind: "int",
        annotation: "float | None",
        constraint: "[POSITIVE, None]",
        doc: "Bytes for kernel values; a quarter of the machine's memory by default.",
    },
];
