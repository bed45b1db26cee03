"""Models in and out: `.mercer` files, LIBSVM, scikit-learn, ONNX."""

import json
import os

import numpy as np
import scipy.sparse as sp
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from . import _mercer
from ._account import Accountable
from ._automatic import KernelClassifier, KernelRegressor
from ._classify import MarginClassifier
from ._estimators import CLASSES
from ._fitted import Fitted
from ._kernel_text import is_function, is_precomputed, kernel_text
from ._labels import label_texts
from ._machine import MarginMachine
from ._neighbours import Neighbours
from ._rows import lend
from ._steps import folded, input_names, is_pipeline, last_step
from ._structured import takes_objects
from ._tree import TreeClassifier
from ._trials import Automatic
from .kernels import Kernel

# What a model file remembers of the Python object it was.
PARAMS = "python.params"
LABELS = "python.classes"
COLUMNS = "python.columns"


def save(machine, path):
    """Write a fitted estimator to a ``.mercer`` file.

    The file holds the model, its labels and the parameters, and no code: the command, the
    Rust crate and :func:`load` read it. It replaces an existing file in one step.

    Parameters
    ----------
    machine : estimator or Pipeline
        A fitted estimator of mercer. One whose kernel is a Python function cannot be
        stored: there is no code in these files. Of a pipeline that ends in such an estimator
        the steps become part of the model, which then takes rows as the pipeline
        does: scikit-learn's StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler, SimpleImputer,
        OneHotEncoder, selections of columns, and ColumnTransformers of these. Any other step is
        refused by its name. Columns of arrays are called ``x0``, ``x1``, ….
    path : str or path-like
        Where to write.

    Examples
    --------
    >>> import os, tempfile, mercer
    >>> model = mercer.SVC(C=2).fit([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "small.mercer")
    ...     mercer.save(model, path)
    ...     again = mercer.load(path)
    >>> again
    SVC(C=2)
    >>> again.predict([[0.2]])
    array(['a'], dtype='<U1')
    """
    pipeline = machine if is_pipeline(machine) else None
    model, machine = _model_of(machine, "a `.mercer` file")
    params = {
        name: str(value) if isinstance(value, Kernel) else value
        for name, value in machine.get_params(deep=False).items()
        if _is_plain(value) or isinstance(value, Kernel)
    }
    attributes = {PARAMS: json.dumps(params, default=_plain)}
    if pipeline is not None:
        names, given = input_names(pipeline)
        attributes[COLUMNS] = json.dumps(
            {"count": len(names), "given": names if given else [], "raw": names}
        )
    elif isinstance(machine, (Automatic, TreeClassifier, Neighbours)) or takes_objects(model):
        attributes[COLUMNS] = json.dumps(
            {
                "count": machine.n_features_in_,
                "given": getattr(machine, "feature_names_in_", np.array([])).tolist(),
                "made": machine.__dict__.get("_names"),
            }
        )
    if is_classifier(machine):
        classes = machine.classes_
        if isinstance(classes, list):
            raise ValueError("a file holds one label per row, and this estimator has several")
        attributes[LABELS] = json.dumps(
            {"dtype": classes.dtype.str, "values": classes.tolist()}, default=str
        )
    model.with_attributes(attributes).save(os.fspath(path))


def load(path):
    """Read an estimator from a ``.mercer`` file, whichever program wrote it.

    Parameters
    ----------
    path : str or path-like
        A file of :func:`save`, of the ``mercer`` command or of the Rust crate.

    Returns
    -------
    estimator
        An estimator of the class that was stored, which predicts as it did.
    """
    return _machine_of(_mercer.Model.load(os.fspath(path)))


def from_libsvm(path, *, n_features=None):
    """Read a model file of LIBSVM's ``svm-train``.

    Parameters
    ----------
    path : str or path-like
        The file.
    n_features : int, optional
        Number of features of the rows to predict; the file tells only the largest
        index that a support vector uses.

    Returns
    -------
    estimator
        An estimator that predicts as LIBSVM would, for sparse and dense rows.
    """
    name = os.fspath(path)
    with open(name, "rb") as file:
        text = file.read()
    return _machine_of(_mercer.Model.from_libsvm(text, name, n_features))


def to_libsvm(machine, path=None):
    """Write an estimator as LIBSVM's model file.

    Parameters
    ----------
    machine : estimator
        A fitted estimator with one of LIBSVM's kernels; labels must be whole numbers.
    path : str or path-like, optional
        Where to write; without it the text is returned.

    Returns
    -------
    str or None
        The text, when no path was given.
    """
    text = _storable(machine, "a LIBSVM model").to_libsvm()
    return _give(text, path, lambda data: data.decode("ascii"))


def to_onnx(machine, path=None):
    """Write an estimator as an ONNX model.

    The linear, polynomial, rbf and sigmoid kernels become the standard ``ai.onnx.ml``
    operators, every other kernel that ONNX can express a plain graph in double precision. So do
    linear models, networks, trees, nearest neighbours, prototypes, projections, and chains of a
    projection and a model. Kernels of texts and graphs, given matrices and associative memories
    are refused.

    Parameters
    ----------
    machine : estimator or Pipeline
        A fitted estimator, or a pipeline with steps that :func:`save` can store; the inputs of
        the model are the columns that the pipeline takes.
    path : str or path-like, optional
        Where to write; without it the bytes are returned.

    Returns
    -------
    bytes or None
        The model, when no path was given.
    """
    model, machine = _model_of(machine, "an ONNX model")
    if getattr(machine, "outputs_2d_", False):
        raise ValueError("an ONNX model has one label per row, and this estimator has several")
    data = model.to_onnx()
    return _give(data, path, bytes)


def from_sklearn(machine):
    """Take over a fitted support vector machine of scikit-learn without fitting again.

    Parameters
    ----------
    machine : sklearn.svm.SVC, NuSVC, SVR, NuSVR or OneClassSVM
        A fitted estimator.

    Returns
    -------
    estimator
        mercer's estimator of the same name, which predicts the same.

    Examples
    --------
    >>> import mercer, sklearn.svm
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    >>> theirs = sklearn.svm.SVC().fit(X, y)
    >>> bool(abs(mercer.from_sklearn(theirs).decision_function(X)
    ...          - theirs.decision_function(X)).max() < 1e-6)
    True
    """
    names = {c.__name__: c for c in CLASSES if issubclass(c, MarginMachine)}
    ours = names.get(type(machine).__name__)
    if ours is None or not type(machine).__module__.startswith(("sklearn.", "sklearnex.")):
        raise TypeError(
            f"expected a support vector machine of scikit-learn ({', '.join(names)}), "
            f"got {type(machine).__name__}"
        )
    check_is_fitted(machine)
    params = {k: v for k, v in machine.get_params(deep=False).items() if _takes(ours, k)}
    taken = ours(**params)
    function = is_function(machine.kernel)
    if function or is_precomputed(machine.kernel):
        # Only the columns of the support vectors are ever looked at.
        support = sp.csr_matrix((len(machine.support_), machine.shape_fit_[0]))
    else:
        support = machine.support_vectors_
    gamma = getattr(machine, "_gamma", machine.gamma)
    kernel = kernel_text(machine.kernel, float(gamma), machine.degree, machine.coef0, 1)
    coefficients = machine.dual_coef_
    coefficients = coefficients.toarray() if sp.issparse(coefficients) else coefficients
    biases = np.asarray(machine.intercept_, dtype=np.float64)
    facts = {}
    if is_classifier(taken):
        facts = _sklearn_classes(machine)
        if len(machine.classes_) == 2:
            coefficients, biases = -coefficients, -biases
    feature_names = getattr(machine, "feature_names_in_", None)
    model = _mercer.model_from_parts(
        ours._method,
        kernel,
        lend(support),
        np.asarray(machine.support_, dtype=np.int64),
        np.ascontiguousarray(coefficients, dtype=np.float64),
        biases.ravel().tolist(),
        names=None if feature_names is None or function else [str(n) for n in feature_names],
        note="taken over from scikit-learn, which does not tell how its fit went",
        **facts,
    )
    taken._take(Fitted(model))
    for name in ("classes_", "class_weight_", "shape_fit_", "n_features_in_", "fit_status_"):
        if hasattr(machine, name):
            setattr(taken, name, getattr(machine, name))
    taken.n_iter_ = machine.n_iter_
    if feature_names is not None:
        taken.feature_names_in_ = feature_names
    if function:
        # scikit-learn keeps all training rows of a Python kernel under a private name.
        rows = machine._BaseLibSVM__Xfit
        taken._support_rows = [rows[i] for i in machine.support_] if isinstance(
            rows, list
        ) else rows[machine.support_]
    return taken


def _sklearn_classes(machine):
    slopes, offsets = machine.probA_, machine.probB_
    return {
        "labels": label_texts(machine.classes_),
        "class_sizes": [int(n) for n in machine.n_support_],
        "sigmoids": (slopes.tolist(), offsets.tolist()) if len(slopes) else None,
    }


def _machine_of(model):
    """Dress a model of the extension module as the estimator it belongs to."""
    ours = _class_of(model)
    stored = json.loads(model.attributes.get(PARAMS, "{}"))
    params = {k: v for k, v in stored.items() if _takes(ours, k)}
    if not issubclass(ours, Automatic) and _takes(ours, "kernel"):
        params.setdefault("kernel", model.kernel)
    if model.sigmoids is not None and issubclass(ours, MarginClassifier):
        params["probability"] = True
    machine = ours(**params)
    if isinstance(machine, Automatic):
        machine._fitted = Fitted(model)
        _restore_columns(machine, model)
    else:
        machine._take(Fitted(model))
        if COLUMNS in model.attributes:
            _restore_columns(machine, model)
        else:
            machine.n_features_in_ = model.input_width
            if model.column_names is not None:
                machine.feature_names_in_ = np.array(model.column_names, dtype=object)
        machine._restore(model)
    if machine._several_targets:
        machine._one_target = len(model.biases) == 1
    if is_classifier(machine):
        machine.classes_ = _classes(model)
        machine.class_weight_ = np.ones(len(machine.classes_))
    return machine


def _class_of(model):
    """Return the class a model belongs to; one that was chosen belongs to those that choose."""
    on_features = model.method in ("nystroem", "rff") and model.task in ("classify", "regress")
    if on_features or "chosen" in json.loads(model.report):
        return KernelRegressor if model.labels is None else KernelClassifier
    found = [c for c in CLASSES if c._method == model.method]
    if not found:
        raise ValueError(f"there is no estimator for the method `{model.method}`")
    found = [c for c in found if c._task == model.task] or found
    # Of classes for one method, such as those with and without a kernel, the one with such parameters.
    stored = json.loads(model.attributes.get(PARAMS, "{}"))
    needed = {*stored, *(["kernel"] if model.kernel else [])}
    return next((c for c in found if all(_takes(c, name) for name in needed)), found[0])


def _restore_columns(machine, model):
    """Give back what was known of the columns; the command knows them by name alone."""
    columns = json.loads(model.attributes.get(COLUMNS, "{}"))
    machine.n_features_in_ = columns.get("count", model.input_width)
    if columns.get("raw"):
        machine._raw_names = columns["raw"]
    if columns.get("made"):
        machine._names = columns["made"]
    if columns.get("given"):
        machine.feature_names_in_ = np.array(columns["given"], dtype=object)


def _classes(model):
    """Return labels in the type they had, or the simplest type that holds their texts."""
    stored = model.attributes.get(LABELS)
    if stored is not None:
        stored = json.loads(stored)
        return np.array(stored["values"], dtype=np.dtype(stored["dtype"]))
    if {label.lower() for label in model.labels} <= {"false", "true"}:
        # However a file spells them: pandas reads them as booleans too.
        return np.array([label.lower() == "true" for label in model.labels])
    for kind in (np.int64, np.float64):
        try:
            return np.array(model.labels).astype(kind)
        except ValueError:
            pass
    return np.array(model.labels)


def _model_of(machine, form):
    """Return the model of an estimator or of a whole pipeline, and the estimator."""
    if not is_pipeline(machine):
        return _storable(machine, form), machine
    last = last_step(machine)
    return folded(machine, _storable(last, form)), last


def _storable(machine, form):
    if not isinstance(machine, Accountable):
        raise TypeError(f"expected an estimator of mercer, got {type(machine).__name__}")
    check_is_fitted(machine)
    if "estimators_" in machine.__dict__:
        raise ValueError(
            f"{form} has one output, and this estimator has learnt several; store each of its "
            "`estimators_`"
        )
    if is_function(getattr(machine, "kernel", None)):
        raise ValueError(
            f"{form} holds no code, and the kernel is a Python function; give the kernel as "
            "an expression, or pickle the estimator"
        )
    if isinstance(machine, Neighbours) and machine._is_given():
        raise ValueError(
            f"{form} computes distances itself, and this estimator was given them, a function or a "
            "distance that only scikit-learn has; give a metric such as \"euclidean\", or pickle the "
            "estimator"
        )
    return machine._fitted.model


def _give(data, path, form):
    if path is None:
        return form(data)
    _mercer.write_atomically(os.fspath(path), data)
    return None


def _takes(machine, name):
    return name in machine._get_param_names()


def _is_plain(value):
    return value is None or isinstance(
        value, (bool, int, float, str, dict, list, np.generic, np.ndarray)
    )


def _plain(value):
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be stored")
