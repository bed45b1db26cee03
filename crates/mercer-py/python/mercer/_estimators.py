"""The estimators of the table of methods; what they do is in their base classes.

Written by ``MERCER_RECORD=1 cargo test -p mercer-py --test generated``: change the
table, not this file.
"""

from numbers import Integral, Real

from sklearn.utils._param_validation import Interval, Options, StrOptions

from ._classify import MarginClassifier, NuClassifier
from ._cluster import CentreClusterer
from ._component_novelty import ComponentDetector
from ._constraints import COUNT, EXPONENT, FINITE, FRACTION, NOT_NEGATIVE, POSITIVE, SHARE, WHOLE
from ._features import LandmarkFeatures, RandomFourier
from ._gaussians import GaussianClassifier, GaussianRegressor
from ._ica import SourceProjector
from ._kernel_cluster import KernelClusterer
from ._kernel_project import KernelProjector
from ._lasso import SparseLine
from ._layers import NetworkClassifier, NetworkRegressor
from ._linear import LeastSquaresLine, RidgeLine
from ._linear_classify import LogisticLine, MarginLine, TubeLine
from ._logistic import LogisticClassifier, RiskClassifier, RiskRegressor
from ._lvq import PrototypeClassifier
from ._map import MapClusterer
from ._memory import AssociativeMemory
from ._nearest import CondensedClassifier, MemoryClassifier, NearestClassifier
from ._nearest_novelty import NearestDetector
from ._neighbours import NeighboursAlone
from ._novelty import MarginNovelty
from ._perceptron import KernelPerceptronClassifier, LinearPerceptron
from ._project import AxesProjector
from ._regress import MarginRegressor
from ._ridge import RidgeRegressor
from ._squared import LeastSquaresClassifier, LeastSquaresRegressor
from ._tree import TreeClassifier
from ._voters import NeighboursClassifier, NeighboursRegressor
from .kernels import Kernel

__all__ = [
    "LSSVC",
    "LSSVR",
    "PCA",
    "SVC",
    "SVR",
    "C45Classifier",
    "ElasticNet",
    "FastICA",
    "HopfieldNetwork",
    "IB1Classifier",
    "IB2Classifier",
    "KMeans",
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "KernelKMeans",
    "KernelLogisticRegression",
    "KernelPCA",
    "KernelPCANovelty",
    "KernelPerceptron",
    "KernelRidge",
    "KernelRiskClassifier",
    "KernelRiskRegressor",
    "LVQClassifier",
    "Lasso",
    "LinearRegression",
    "LinearSVC",
    "LinearSVR",
    "LogisticRegression",
    "MLPClassifier",
    "MLPRegressor",
    "MemorisingClassifier",
    "NearestNeighbors",
    "NearestNovelty",
    "NuSVC",
    "NuSVR",
    "Nystroem",
    "OneClassSVM",
    "Perceptron",
    "RBFNetClassifier",
    "RBFNetRegressor",
    "RBFSampler",
    "Ridge",
    "SelfOrganizingMap",
]


class SVC(MarginClassifier):
    """Support vector classification, with scikit-learn's names and meanings.

    Minimises ½‖w‖² + C Σ ξ over the margin errors ξ for every pair of classes, and says how
    far it got: every fit carries its objective, duality gap and KKT violation.

    Parameters
    ----------
    C : float, default=1.0
        Regularisation parameter, the weight of margin errors. ``inf`` asks for the hard
        margin.
    kernel : str, Kernel or callable, default="rbf"
        ``"linear"``, ``"poly"``, ``"rbf"``, ``"sigmoid"`` and ``"precomputed"`` as in
        scikit-learn; or an expression such as ``"rbf(sigma=2) + linear"``; or an object of
        :mod:`mercer.kernels`; or a function ``k(X, Y)`` that returns a matrix. With a
        kernel on strings, graphs or nodes of a network, rows are a list, an array of
        objects or a series of them, or what :func:`mercer.kernels.graphs` and
        :func:`mercer.kernels.network` prepare; ``"spectrum@text + rbf@price"`` reads the
        columns of a frame.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``; ``"scale"`` is 1 /
        (n_features * X.var()), whatever rows weigh. An expression does not read it,
        ``degree`` or ``coef0``, and says so; what it leaves open is chosen with weights as
        copies.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    shrinking : bool, default=True
        Whether variables that sit safely at a bound are set aside.
    probability : bool, default="deprecated"
        Whether :meth:`predict_proba` is wanted; labels then follow the probabilities, and
        without them the votes. The default, scikit-learn 1.9's own placeholder, means no.
    tol : float, default=1e-3
        Largest KKT violation of a converged solution.
    cache_size : float, default=200
        Accepted for compatibility; ``memory_limit`` is what counts.
    class_weight : dict or "balanced", optional
        Factors on C by class, and on the probabilities where they choose a label.
    verbose : bool, default=False
        Whether a progress bar is drawn on stderr.
    max_iter : int, default=-1
        Largest number of solver steps per problem; -1 sets no limit in practice.
    decision_function_shape : {"ovr", "ovo"}, default="ovr"
        Form of :meth:`decision_function` with more than two classes.
    break_ties : bool, default=False
        Whether ties between votes are broken by :meth:`decision_function`.
    random_state : int or RandomState instance, optional
        Accepted for compatibility; nothing here is random.
    max_seconds : float, optional
        Time limit; the fit stops with what it has.
    callback : callable, optional
        Called with a :class:`mercer.Progress` some twenty times a second; ``True`` in
        return stops the fit with what it has.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    warm_start : bool, default=False
        Whether a second ``fit`` starts from the solution of the first.
    verify : bool, default=False
        Whether kernel values are double precision throughout. Otherwise single precision
        serves where it is good enough: predictions then have three reliable digits.
    memory_limit : int, optional
        Bytes for kernel values; a quarter of the machine's memory by default.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    support_, support_vectors_, n_support_, dual_coef_, intercept_, coef_ : ndarray
        The support vectors and their coefficients, arranged as in scikit-learn. Equal rows are
        solved as one and listed apart, each with a coefficient of C times its weight at most;
        one after the other takes what is left.
    class_weight_ : ndarray of shape (n_classes,)
        Factors on C.
    fit_status_ : int
        0 when converged, 1 otherwise.
    n_iter_ : ndarray of shape (n_pairs,)
        Solver steps.
    objective_, dual_gap_, kkt_violation_ : float
        How good the solution is.
    stop_reason_ : str
        Why the solver stopped.
    report_ : Report
        The whole account.
    kernel_ : Kernel
        The kernel with every parameter fixed.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import SVC
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SVC(C=10).fit(X, y)
    >>> round(model.score(X, y), 3)
    0.987
    >>> model.stop_reason_
    'converged'

    Strings, graphs and molecules are rows as well:

    >>> molecules = ["CCO", "CCCO", "c1ccccc1", "Oc1ccccc1"]
    >>> model = SVC(kernel="normalise(wl)").fit(molecules, [0, 0, 1, 1])
    >>> model.predict(["CCCCO", "Nc1ccccc1"])
    array([0, 1])
    """

    _method = "svc"
    _task = "classify"
    _continues = True
    _setting_names = {
        "C": "c",
        "kernel": "kernel",
        "shrinking": "shrinking",
        "probability": "probability",
        "tol": "tolerance",
        "class_weight": "class_weights",
        "max_iter": "max_iterations",
        "verify": "verify",
    }
    _searched = ("C",)
    _parameter_constraints: dict = {
        "C": [Interval(Real, 0.0, None, closed="right")],
        "kernel": [str, Kernel, callable],
        "degree": [Interval(Integral, 0, None, closed="left")],
        "gamma": [StrOptions({"scale", "auto"}), NOT_NEGATIVE],
        "coef0": [FINITE],
        "shrinking": ["boolean"],
        "probability": ["boolean", StrOptions({"deprecated"})],
        "tol": [POSITIVE],
        "cache_size": [POSITIVE],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "verbose": ["verbose"],
        "max_iter": [Interval(Integral, -1, None, closed="left")],
        "decision_function_shape": [StrOptions({"ovr", "ovo"})],
        "break_ties": ["boolean"],
        "random_state": ["random_state"],
        "max_seconds": [POSITIVE, None],
        "callback": [callable, None],
        "n_jobs": [Integral, None],
        "warm_start": ["boolean"],
        "verify": ["boolean"],
        "memory_limit": [POSITIVE, None],
    }

    def __init__(
        self,
        *,
        C=1.0,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        shrinking=True,
        probability="deprecated",
        tol=1e-3,
        cache_size=200,
        class_weight=None,
        verbose=False,
        max_iter=-1,
        decision_function_shape="ovr",
        break_ties=False,
        random_state=None,
        max_seconds=None,
        callback=None,
        n_jobs=None,
        warm_start=False,
        verify=False,
        memory_limit=None,
    ):
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.probability = probability
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state
        self.max_seconds = max_seconds
        self.callback = callback
        self.n_jobs = n_jobs
        self.warm_start = warm_start
        self.verify = verify
        self.memory_limit = memory_limit


class SVR(MarginRegressor):
    """Support vector regression: a tube of half-width ``epsilon`` around a smooth function.

    Minimises ½‖w‖² + C Σ max(0, |y − f(x)| − ε).

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        As in :class:`SVC`.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``; ``"scale"`` is 1 /
        (n_features * X.var()), whatever rows weigh. An expression does not read it,
        ``degree`` or ``coef0``, and says so; what it leaves open is chosen with weights as
        copies.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    tol : float, default=1e-3
        Largest KKT violation of a converged solution.
    C : float, default=1.0
        Regularisation parameter C, the weight of errors.
    epsilon : float, default=0.1
        Half-width of the tube in which errors cost nothing.
    shrinking : bool, default=True
        Whether variables that sit safely at a bound are set aside.
    cache_size : float, default=200
        Accepted for compatibility; ``memory_limit`` is what counts.
    verbose : bool, default=False
        Whether a progress bar is drawn on stderr.
    max_iter : int, default=-1
        Largest number of solver steps per problem; -1 sets no limit in practice.
    max_seconds : float, optional
        Time limit; the fit stops with what it has.
    callback : callable, optional
        Called with a :class:`mercer.Progress` some twenty times a second; ``True`` in
        return stops the fit with what it has.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    warm_start : bool, default=False
        Whether a second ``fit`` starts from the solution of the first.
    verify : bool, default=False
        Whether kernel values are double precision throughout. Otherwise single precision
        serves where it is good enough: predictions then have three reliable digits.
    memory_limit : int, optional
        Bytes for kernel values; a quarter of the machine's memory by default.

    Attributes
    ----------
    support_, support_vectors_, n_support_, dual_coef_, intercept_, coef_ : ndarray
        The support vectors and their coefficients, arranged as in scikit-learn.
    n_iter_ : int
        Solver steps.
    fit_status_ : int
        0 when converged, 1 otherwise.
    objective_, dual_gap_, kkt_violation_, stop_reason_, report_, kernel_
        As in :class:`SVC`.

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import SVR
    >>> x = np.linspace(0, 6, 60)[:, None]
    >>> model = SVR(C=10, epsilon=0.01).fit(x, np.sin(x[:, 0]))
    >>> bool(abs(model.predict([[1.0]])[0] - np.sin(1.0)) < 0.02)
    True
    """

    _method = "svr"
    _task = "regress"
    _continues = True
    _setting_names = {
        "kernel": "kernel",
        "tol": "tolerance",
        "C": "c",
        "epsilon": "epsilon",
        "shrinking": "shrinking",
        "max_iter": "max_iterations",
        "verify": "verify",
    }
    _searched = ("C", "epsilon")
    _parameter_constraints: dict = {
        "kernel": [str, Kernel, callable],
        "degree": [Interval(Integral, 0, None, closed="left")],
        "gamma": [StrOptions({"scale", "auto"}), NOT_NEGATIVE],
        "coef0": [FINITE],
        "tol": [POSITIVE],
        "C": [POSITIVE],
        "epsilon": [NOT_NEGATIVE],
        "shrinking": ["boolean"],
        "cache_size": [POSITIVE],
        "verbose": ["verbose"],
        "max_iter": [Interval(Integral, -1, None, closed="left")],
        "max_seconds": [POSITIVE, None],
        "callback": [callable, None],
        "n_jobs": [Integral, None],
        "warm_start": ["boolean"],
        "verify": ["boolean"],
        "memory_limit": [POSITIVE, None],
    }

    def __init__(
        self,
        *,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        tol=1e-3,
        C=1.0,
        epsilon=0.1,
        shrinking=True,
        cache_size=200,
        verbose=False,
        max_iter=-1,
        max_seconds=None,
        callback=None,
        n_jobs=None,
        warm_start=False,
        verify=False,
        memory_limit=None,
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.C = C
        self.epsilon = epsilon
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.max_seconds = max_seconds
        self.callback = callback
        self.n_jobs = n_jobs
        self.warm_start = warm_start
        self.verify = verify
        self.memory_limit = memory_limit


class NuSVC(NuClassifier):
    """Support vector classification with a share of margin errors.

    ``nu`` bounds the share of margin errors from above and that of support vectors from
    below; otherwise the method is that of :class:`SVC`.

    Parameters
    ----------
    nu : float, default=0.5
        Share of margin errors at most and of support vectors at least, above 0 and at most
        1. Twice the share of the smaller class (weights counted) is the most it can be;
        where it is more it is lowered, with a warning.
    kernel : str, Kernel or callable, default="rbf"
        As in :class:`SVC`.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``; ``"scale"`` is 1 /
        (n_features * X.var()), whatever rows weigh. An expression does not read it,
        ``degree`` or ``coef0``, and says so; what it leaves open is chosen with weights as
        copies.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    shrinking : bool, default=True
        Whether variables that sit safely at a bound are set aside.
    probability : bool, default="deprecated"
        Whether :meth:`predict_proba` is wanted; labels then follow the probabilities, and
        without them the votes. The default, scikit-learn 1.9's own placeholder, means no.
    tol : float, default=1e-3
        Largest KKT violation of a converged solution.
    cache_size : float, default=200
        Accepted for compatibility; ``memory_limit`` is what counts.
    class_weight : dict or "balanced", optional
        Factors by class on the C that ``nu`` stands for, and on the probabilities where
        they choose a label.
    verbose : bool, default=False
        Whether a progress bar is drawn on stderr.
    max_iter : int, default=-1
        Largest number of solver steps per problem; -1 sets no limit in practice.
    decision_function_shape : {"ovr", "ovo"}, default="ovr"
        Form of :meth:`decision_function` with more than two classes.
    break_ties : bool, default=False
        Whether ties between votes are broken by :meth:`decision_function`.
    random_state : int or RandomState instance, optional
        Accepted for compatibility; nothing here is random.
    max_seconds : float, optional
        Time limit; the fit stops with what it has.
    callback : callable, optional
        Called with a :class:`mercer.Progress` some twenty times a second; ``True`` in
        return stops the fit with what it has.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    warm_start : bool, default=False
        Accepted; every fit starts afresh.
    verify : bool, default=False
        Whether kernel values are double precision throughout. Otherwise single precision
        serves where it is good enough: predictions then have three reliable digits.
    memory_limit : int, optional
        Bytes for kernel values; a quarter of the machine's memory by default.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels; all other attributes are those of :class:`SVC`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import NuSVC
    >>> X, y = load_iris(return_X_y=True)
    >>> round(NuSVC(nu=0.1).fit(X, y).score(X, y), 3)
    0.987
    """

    _method = "nu_svc"
    _task = "classify"
    _setting_names = {
        "nu": "nu",
        "kernel": "kernel",
        "shrinking": "shrinking",
        "probability": "probability",
        "tol": "tolerance",
        "class_weight": "class_weights",
        "max_iter": "max_iterations",
        "verify": "verify",
    }
    _searched = ("nu",)
    _parameter_constraints: dict = {
        "nu": [SHARE],
        "kernel": [str, Kernel, callable],
        "degree": [Interval(Integral, 0, None, closed="left")],
        "gamma": [StrOptions({"scale", "auto"}), NOT_NEGATIVE],
        "coef0": [FINITE],
        "shrinking": ["boolean"],
        "probability": ["boolean", StrOptions({"deprecated"})],
        "tol": [POSITIVE],
        "cache_size": [POSITIVE],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "verbose": ["verbose"],
        "max_iter": [Interval(Integral, -1, None, closed="left")],
        "decision_function_shape": [StrOptions({"ovr", "ovo"})],
        "break_ties": ["boolean"],
        "random_state": ["random_state"],
        "max_seconds": [POSITIVE, None],
        "callback": [callable, None],
        "n_jobs": [Integral, None],
        "warm_start": ["boolean"],
        "verify": ["boolean"],
        "memory_limit": [POSITIVE, None],
    }

    def __init__(
        self,
        *,
        nu=0.5,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        shrinking=True,
        probability="deprecated",
        tol=1e-3,
        cache_size=200,
        class_weight=None,
        verbose=False,
        max_iter=-1,
        decision_function_shape="ovr",
        break_ties=False,
        random_state=None,
        max_seconds=None,
        callback=None,
        n_jobs=None,
        warm_start=False,
        verify=False,
        memory_limit=None,
    ):
        self.nu = nu
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.probability = probability
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.random_state = random_state
        self.max_seconds = max_seconds
        self.callback = callback
        self.n_jobs = n_jobs
        self.warm_start = warm_start
        self.verify = verify
        self.memory_limit = memory_limit


class NuSVR(MarginRegressor):
    """Support vector regression whose tube is as wide as a share ``nu`` of rows asks for.

    Parameters
    ----------
    nu : float, default=0.5
        Share of errors at most and of support vectors at least.
    C : float, default=1.0
        Regularisation parameter C, the weight of errors.
    kernel : str, Kernel or callable, default="rbf"
        As in :class:`SVC`.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``; ``"scale"`` is 1 /
        (n_features * X.var()), whatever rows weigh. An expression does not read it,
        ``degree`` or ``coef0``, and says so; what it leaves open is chosen with weights as
        copies.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    shrinking : bool, default=True
        Whether variables that sit safely at a bound are set aside.
    tol : float, default=1e-3
        Largest KKT violation of a converged solution.
    cache_size : float, default=200
        Accepted for compatibility; ``memory_limit`` is what counts.
    verbose : bool, default=False
        Whether a progress bar is drawn on stderr.
    max_iter : int, default=-1
        Largest number of solver steps per problem; -1 sets no limit in practice.
    max_seconds : float, optional
        Time limit; the fit stops with what it has.
    callback : callable, optional
        Called with a :class:`mercer.Progress` some twenty times a second; ``True`` in
        return stops the fit with what it has.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    warm_start : bool, default=False
        Accepted; every fit starts afresh.
    verify : bool, default=False
        Whether kernel values are double precision throughout. Otherwise single precision
        serves where it is good enough: predictions then have three reliable digits.
    memory_limit : int, optional
        Bytes for kernel values; a quarter of the machine's memory by default.

    Attributes
    ----------
    support_, support_vectors_, n_support_, dual_coef_, intercept_, coef_ : ndarray
        The support vectors and their coefficients, arranged as in scikit-learn.
    n_iter_ : int
        Solver steps.
    fit_status_ : int
        0 when converged, 1 otherwise.
    objective_, dual_gap_, kkt_violation_, stop_reason_, report_, kernel_
        As in :class:`SVC`.

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import NuSVR
    >>> x = np.linspace(0, 6, 60)[:, None]
    >>> model = NuSVR(C=10, nu=0.2).fit(x, np.sin(x[:, 0]))
    >>> bool(abs(model.predict([[1.0]])[0] - np.sin(1.0)) < 0.05)
    True
    """

    _method = "nu_svr"
    _task = "regress"
    _setting_names = {
        "nu": "nu",
        "C": "c",
        "kernel": "kernel",
        "shrinking": "shrinking",
        "tol": "tolerance",
        "max_iter": "max_iterations",
        "verify": "verify",
    }
    _searched = ("nu", "C")
    _parameter_constraints: dict = {
        "nu": [SHARE],
        "C": [POSITIVE],
        "kernel": [str, Kernel, callable],
        "degree": [Interval(Integral, 0, None, closed="left")],
        "gamma": [StrOptions({"scale", "auto"}), NOT_NEGATIVE],
        "coef0": [FINITE],
        "shrinking": ["boolean"],
        "tol": [POSITIVE],
        "cache_size": [POSITIVE],
        "verbose": ["verbose"],
        "max_iter": [Interval(Integral, -1, None, closed="left")],
        "max_seconds": [POSITIVE, None],
        "callback": [callable, None],
        "n_jobs": [Integral, None],
        "warm_start": ["boolean"],
        "verify": ["boolean"],
        "memory_limit": [POSITIVE, None],
    }

    def __init__(
        self,
        *,
        nu=0.5,
        C=1.0,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        shrinking=True,
        tol=1e-3,
        cache_size=200,
        verbose=False,
        max_iter=-1,
        max_seconds=None,
        callback=None,
        n_jobs=None,
        warm_start=False,
        verify=False,
        memory_limit=None,
    ):
        self.nu = nu
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.tol = tol
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.max_seconds = max_seconds
        self.callback = callback
        self.n_jobs = n_jobs
        self.warm_start = warm_start
        self.verify = verify
        self.memory_limit = memory_limit


class OneClassSVM(MarginNovelty):
    """Novelty detection: learns where rows lie, and tells outliers.

    Separates the rows from the origin of feature space with the largest margin; ``nu``
    bounds the share of training rows called outliers from above.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        As in :class:`SVC`.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``; ``"scale"`` is 1 /
        (n_features * X.var()), whatever rows weigh. An expression does not read it,
        ``degree`` or ``coef0``, and says so; what it leaves open is chosen with weights as
        copies.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    tol : float, default=1e-3
        Largest KKT violation of a converged solution.
    nu : float, default=0.5
        Share of training rows outside at most and of support vectors at least.
    shrinking : bool, default=True
        Whether variables that sit safely at a bound are set aside.
    cache_size : float, default=200
        Accepted for compatibility; ``memory_limit`` is what counts.
    verbose : bool, default=False
        Whether a progress bar is drawn on stderr.
    max_iter : int, default=-1
        Largest number of solver steps per problem; -1 sets no limit in practice.
    max_seconds : float, optional
        Time limit; the fit stops with what it has.
    callback : callable, optional
        Called with a :class:`mercer.Progress` some twenty times a second; ``True`` in
        return stops the fit with what it has.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    warm_start : bool, default=False
        Accepted; every fit starts afresh.
    verify : bool, default=False
        Whether kernel values are double precision throughout. Otherwise single precision
        serves where it is good enough: predictions then have three reliable digits.
    memory_limit : int, optional
        Bytes for kernel values; a quarter of the machine's memory by default.

    Attributes
    ----------
    offset_ : ndarray of shape (1,)
        What :meth:`score_samples` has to reach for a row to be an inlier.
    support_, support_vectors_, n_support_, dual_coef_, intercept_, coef_ : ndarray
        The support vectors and their coefficients, arranged as in scikit-learn.
    n_iter_ : int
        Solver steps.
    fit_status_ : int
        0 when converged, 1 otherwise.
    objective_, dual_gap_, kkt_violation_, stop_reason_, report_, kernel_
        As in :class:`SVC`.

    Examples
    --------
    >>> from mercer import OneClassSVM
    >>> model = OneClassSVM(gamma=0.5, nu=0.25).fit([[0.0], [0.1], [0.2], [0.3]])
    >>> model.predict([[0.15], [9.0]])
    array([ 1, -1])
    """

    _method = "one_class"
    _task = "novelty"
    _setting_names = {
        "kernel": "kernel",
        "tol": "tolerance",
        "nu": "nu",
        "shrinking": "shrinking",
        "max_iter": "max_iterations",
        "verify": "verify",
    }
    _searched = ("nu",)
    _parameter_constraints: dict = {
        "kernel": [str, Kernel, callable],
        "degree": [Interval(Integral, 0, None, closed="left")],
        "gamma": [StrOptions({"scale", "auto"}), NOT_NEGATIVE],
        "coef0": [FINITE],
        "tol": [POSITIVE],
        "nu": [SHARE],
        "shrinking": ["boolean"],
        "cache_size": [POSITIVE],
        "verbose": ["verbose"],
        "max_iter": [Interval(Integral, -1, None, closed="left")],
        "max_seconds": [POSITIVE, None],
        "callback": [callable, None],
        "n_jobs": [Integral, None],
        "warm_start": ["boolean"],
        "verify": ["boolean"],
        "memory_limit": [POSITIVE, None],
    }

    def __init__(
        self,
        *,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        tol=1e-3,
        nu=0.5,
        shrinking=True,
        cache_size=200,
        verbose=False,
        max_iter=-1,
        max_seconds=None,
        callback=None,
        n_jobs=None,
        warm_start=False,
        verify=False,
        memory_limit=None,
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.nu = nu
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.max_seconds = max_seconds
        self.callback = callback
        self.n_jobs = n_jobs
        self.warm_start = warm_start
        self.verify = verify
        self.memory_limit = memory_limit


class LSSVC(LeastSquaresClassifier):
    """Least-squares support vector classification.

    Regression on labels ±1 with a constant: ½‖w‖² + (C/2) Σ (1 − y f(x))². By default C is
    the one of largest evidence; probabilities come from leave-one-out decisions and cost
    nothing. They grow with f, and labels follow them (:meth:`predict`).

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        As in :class:`SVC`.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``; ``"scale"`` is 1 /
        (n_features * X.var()), with weights as copies.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    C : {"evidence", "loo", "gcv"} or float, default="evidence"
        Regularisation parameter, the weight of errors, or how it is found: by evidence (log
        marginal likelihood), by leave-one-out error, by generalised cross-validation.
    multi_class : {"ovr", "ovo"}, default="ovr"
        Whether several classes are told apart one against the rest, or in pairs.
    probability : {"sigmoid", "moderated"}, default="sigmoid"
        Where probabilities come from: a sigmoid of leave-one-out decisions, or Bayes' rule
        with the variance of the decision, which takes them back to the prior far from all
        rows. Moderated ones need all rows as support vectors and no pairs of classes.
    class_weight : dict or "balanced", optional
        Factors on C by class, and on the probabilities where they choose a label.
    keep : float, optional
        Share of the rows to keep as support vectors.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    memory_limit : int, optional
        Bytes for kernel values; a quarter of the machine's memory by default.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    C_, effective_parameters_, loo_error_ : float
        As in :class:`LSSVR`.
    noise_ : ndarray
        Standard deviation of the labels ±1 around each decision.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import LSSVC
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LSSVC().fit(X, y)
    >>> bool(model.loo_error_ < 0.06)
    True
    """

    _method = "ls_svc"
    _task = "classify"
    _setting_names = {
        "kernel": "kernel",
        "C": "c",
        "multi_class": "scheme",
        "probability": "probability",
        "class_weight": "class_weights",
        "keep": "keep",
    }
    _searched = ("C",)
    _parameter_constraints: dict = {
        "kernel": [str, Kernel, callable],
        "degree": [Interval(Integral, 0, None, closed="left")],
        "gamma": [StrOptions({"scale", "auto"}), NOT_NEGATIVE],
        "coef0": [FINITE],
        "C": [StrOptions({"evidence", "loo", "gcv"}), POSITIVE],
        "multi_class": [StrOptions({"ovr", "ovo"})],
        "probability": [StrOptions({"sigmoid", "moderated"})],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "keep": [SHARE, None],
        "n_jobs": [Integral, None],
        "memory_limit": [POSITIVE, None],
    }

    def __init__(
        self,
        *,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        C="evidence",
        multi_class="ovr",
        probability="sigmoid",
        class_weight=None,
        keep=None,
        n_jobs=None,
        memory_limit=None,
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.C = C
        self.multi_class = multi_class
        self.probability = probability
        self.class_weight = class_weight
        self.keep = keep
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit


class LSSVR(LeastSquaresRegressor):
    """Least-squares support vector regression: a Gaussian process with constant mean.

    Minimises ½‖w‖² + (C/2) Σ (y − f(x))², with a constant that is not penalised. By default
    C is the one of largest evidence.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        As in :class:`SVC`.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``; ``"scale"`` is 1 /
        (n_features * X.var()), with weights as copies.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    C : {"evidence", "loo", "gcv"} or float, default="evidence"
        Regularisation parameter, the weight of errors, or how it is found: by evidence (log
        marginal likelihood), by leave-one-out error, by generalised cross-validation.
    keep : float, optional
        Share of the rows to keep as support vectors.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    memory_limit : int, optional
        Bytes for kernel values; a quarter of the machine's memory by default.

    Attributes
    ----------
    C_ : float
        The regularisation parameter that was used.
    effective_parameters_, loo_error_ : float
        Effective number of parameters, and the leave-one-out error; where C was found.
    noise_ : ndarray of shape (1,)
        Standard deviation of the targets around the function; where C was found.
    report_, kernel_, support_, support_vectors_, dual_coef_, intercept_
        As in :class:`SVC`.

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import LSSVR
    >>> x = np.linspace(0, 6, 60)[:, None]
    >>> model = LSSVR().fit(x, np.sin(x[:, 0]) + 0.1 * np.cos(40 * x[:, 0]))
    >>> mean, std = model.predict([[1.0], [9.0]], return_std=True)
    >>> bool(std[0] < std[1])
    True
    """

    _method = "ls_svr"
    _task = "regress"
    _setting_names = {"kernel": "kernel", "C": "c", "keep": "keep"}
    _searched = ("C",)
    _parameter_constraints: dict = {
        "kernel": [str, Kernel, callable],
        "degree": [Interval(Integral, 0, None, closed="left")],
        "gamma": [StrOptions({"scale", "auto"}), NOT_NEGATIVE],
        "coef0": [FINITE],
        "C": [StrOptions({"evidence", "loo", "gcv"}), POSITIVE],
        "keep": [SHARE, None],
        "n_jobs": [Integral, None],
        "memory_limit": [POSITIVE, None],
    }

    def __init__(
        self,
        *,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        C="evidence",
        keep=None,
        n_jobs=None,
        memory_limit=None,
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.C = C
        self.keep = keep
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit


class KernelRidge(RidgeRegressor):
    """Kernel ridge regression, with scikit-learn's names and meanings.

    Minimises Σ (y − f(x))² + alpha ‖f‖²; the command's ``krr`` is the same function, with
    alpha called lambda. Beyond scikit-learn, ``alpha`` may be found from the data, and a
    constant may be part of f.

    Parameters
    ----------
    alpha : {"evidence", "loo", "gcv"}, float or array-like of shape (n_targets,), default=1
        Weight of the penalty, above 0, for all targets or for each; or how it is found: by
        evidence (log marginal likelihood), by leave-one-out error, by generalised
        cross-validation.
    kernel : str, Kernel or callable, default="linear"
        ``"linear"``, ``"poly"``, ``"rbf"``, ``"laplacian"``, ``"sigmoid"``, ``"cosine"``,
        ``"chi2"`` and ``"precomputed"`` as in scikit-learn; or an expression such as
        ``"rbf(sigma=2) + linear"``; or an object of :mod:`mercer.kernels`; or a function of
        two rows that returns a number.
    gamma : float, optional
        Coefficient of ``"rbf"``, ``"laplacian"``, ``"poly"``, ``"chi2"`` and ``"sigmoid"``;
        1 divided by the number of features by default.
    degree : float, default=3
        Degree of ``"poly"``.
    coef0 : float, default=1
        Constant of ``"poly"`` and ``"sigmoid"``.
    kernel_params : dict, optional
        Keyword arguments of a function as kernel.
    fit_intercept : bool, default=False
        Whether a constant without penalty is part of the function.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    memory_limit : int, optional
        Bytes for kernel values; a quarter of the machine's memory by default.
    unpenalised : {"bias", "constant", "columns"}, default="bias"
        Functions that carry no penalty: what ``fit_intercept`` says, the constant, or the
        constant and the columns themselves. With ``kernel="bent_spline"`` the last is the
        smoothing spline of :func:`scipy.interpolate.make_smoothing_spline`.
    basis : bool, default=False
        Whether kernels at the rows are mere basis functions: alpha Σ c² of their
        coefficients is the penalty, in the place of alpha ‖f‖².

    Attributes
    ----------
    dual_coef_ : ndarray of shape (n_samples,) or (n_samples, n_targets)
        Coefficients of the training rows, in their order: w (y − f(x)) / alpha.
    X_fit_ : {ndarray, sparse matrix} of shape (n_samples, n_features)
        The training rows.
    alpha_ : float or ndarray of shape (n_targets,)
        The weight of the penalty that was used.
    intercept_ : ndarray of shape (n_targets,)
        The constant of each target; 0 without ``fit_intercept``.
    objective_, dual_gap_, kkt_violation_, stop_reason_, report_, kernel_
        As in :class:`SVC`; the objective is Σ (y − f(x))² + alpha ‖f‖².

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import KernelRidge
    >>> x = np.linspace(0, 6, 60)[:, None]
    >>> model = KernelRidge(kernel="rbf", gamma=1.0, alpha="loo").fit(x, np.sin(x[:, 0]))
    >>> bool(abs(model.predict([[1.0]])[0] - np.sin(1.0)) < 1e-3)
    True
    """

    _method = "krr"
    _task = "regress"
    _setting_names = {
        "alpha": "lambda",
        "kernel": "kernel",
        "fit_intercept": "bias",
        "unpenalised": "unpenalised",
        "basis": "basis",
    }
    _searched = ("alpha",)
    _parameter_constraints: dict = {
        "alpha": [StrOptions({"evidence", "loo", "gcv"}), POSITIVE, "array-like"],
        "kernel": [str, Kernel, callable],
        "gamma": [NOT_NEGATIVE, None],
        "degree": [NOT_NEGATIVE],
        "coef0": [FINITE],
        "kernel_params": [dict, None],
        "fit_intercept": ["boolean"],
        "n_jobs": [Integral, None],
        "memory_limit": [POSITIVE, None],
        "unpenalised": [StrOptions({"bias", "constant", "columns"})],
        "basis": ["boolean"],
    }

    def __init__(
        self,
        alpha=1,
        *,
        kernel="linear",
        gamma=None,
        degree=3,
        coef0=1,
        kernel_params=None,
        fit_intercept=False,
        n_jobs=None,
        memory_limit=None,
        unpenalised="bias",
        basis=False,
    ):
        self.alpha = alpha
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.fit_intercept = fit_intercept
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit
        self.unpenalised = unpenalised
        self.basis = basis


class KernelLogisticRegression(LogisticClassifier):
    """Logistic regression in the space of a kernel.

    Minimises ½‖w‖² + C Σ log(1 + exp(−y f(x))), with a constant that is not penalised:
    decisions are log-odds. Probabilities are sigmoids of them, fitted to approximate
    leave-one-out decisions, so that noise is not believed; :class:`LogisticRegression`
    keeps those of the likelihood, as scikit-learn does. Several classes are told apart one
    against the rest. Newton's method takes n³ time a step, about ten of them.

    Parameters
    ----------
    C : float, default=1.0
        Regularisation parameter C, the weight of errors.
    kernel : str, Kernel or callable, default="rbf"
        As in :class:`SVC`.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``; ``"scale"`` is 1 /
        (n_features * X.var()), with weights as copies.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    fit_intercept : bool, default=True
        Whether a constant without penalty is part of the function.
    tol : float, default=1e-8
        Largest violation of the optimality conditions, relative to the largest weighted C.
    class_weight : dict or "balanced", optional
        Factors on C by class; labels are those of largest factor times probability.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    memory_limit : int, optional
        Bytes for kernel values; a quarter of the machine's memory by default.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    n_iter_ : ndarray
        Newton steps of every decision.
    support_, support_vectors_, dual_coef_, intercept_, coef_, report_, kernel_
        As in :class:`SVC`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import KernelLogisticRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> model = KernelLogisticRegression(C=10).fit(X, y)
    >>> model.predict_proba(X[:1]).round(2)
    array([[1., 0., 0.]])
    """

    _method = "klr"
    _task = "classify"
    _setting_names = {
        "C": "c",
        "kernel": "kernel",
        "fit_intercept": "bias",
        "tol": "tolerance",
        "class_weight": "class_weights",
    }
    _searched = ("C",)
    _parameter_constraints: dict = {
        "C": [POSITIVE],
        "kernel": [str, Kernel, callable],
        "degree": [Interval(Integral, 0, None, closed="left")],
        "gamma": [StrOptions({"scale", "auto"}), NOT_NEGATIVE],
        "coef0": [FINITE],
        "fit_intercept": ["boolean"],
        "tol": [POSITIVE],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "n_jobs": [Integral, None],
        "memory_limit": [POSITIVE, None],
    }

    def __init__(
        self,
        *,
        C=1.0,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        fit_intercept=True,
        tol=1e-8,
        class_weight=None,
        n_jobs=None,
        memory_limit=None,
    ):
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit


class KernelRiskClassifier(RiskClassifier):
    """Classification with any convex loss in the space of a kernel.

    Minimises ½‖f‖² + C Σ L(y f(x)) by Newton's method, with classes y = ±1, several one
    against the rest. The logistic loss is that of :class:`KernelLogisticRegression`, the
    hinge loss that of :class:`SVC`.

    Parameters
    ----------
    loss : {"logistic", "hinge", "squared_hinge"}, default="logistic"
        The loss that is minimised: log(1 + exp(−y f)), max(0, 1 − y f) or its square. Only
        the logistic loss gives probabilities.
    C : float, default=1.0
        Regularisation parameter C, the weight of errors.
    kernel : str, Kernel or callable, default="rbf"
        As in :class:`SVC`.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``; ``"scale"`` is 1 /
        (n_features * X.var()), with weights as copies.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    fit_intercept : bool, default=True
        Whether a constant without penalty is part of the function.
    tol : float, default=1e-8
        Largest violation of the optimality conditions, relative to the largest weighted C.
    class_weight : dict or "balanced", optional
        Factors on C by class.
    power : float, default=2.0
        Power p of the penalty ‖f‖^p/p, at least 1; 2 is the usual ½‖f‖².
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    memory_limit : int, optional
        Bytes for kernel values; a quarter of the machine's memory by default.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    n_iter_ : ndarray
        Newton steps of every decision.
    support_, support_vectors_, dual_coef_, intercept_, coef_, report_, kernel_
        As in :class:`SVC`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import KernelRiskClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = KernelRiskClassifier(loss="squared_hinge", C=10).fit(X, y)
    >>> bool(model.score(X, y) > 0.95)
    True
    """

    _method = "risk"
    _task = "classify"
    _setting_names = {
        "loss": "loss",
        "C": "c",
        "kernel": "kernel",
        "fit_intercept": "bias",
        "tol": "tolerance",
        "class_weight": "class_weights",
        "power": "power",
    }
    _searched = ("C",)
    _parameter_constraints: dict = {
        "loss": [StrOptions({"logistic", "hinge", "squared_hinge"})],
        "C": [POSITIVE],
        "kernel": [str, Kernel, callable],
        "degree": [Interval(Integral, 0, None, closed="left")],
        "gamma": [StrOptions({"scale", "auto"}), NOT_NEGATIVE],
        "coef0": [FINITE],
        "fit_intercept": ["boolean"],
        "tol": [POSITIVE],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "power": [POSITIVE],
        "n_jobs": [Integral, None],
        "memory_limit": [POSITIVE, None],
    }

    def __init__(
        self,
        *,
        loss="logistic",
        C=1.0,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        fit_intercept=True,
        tol=1e-8,
        class_weight=None,
        power=2.0,
        n_jobs=None,
        memory_limit=None,
    ):
        self.loss = loss
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.class_weight = class_weight
        self.power = power
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit


class KernelRiskRegressor(RiskRegressor):
    """Regression with any convex loss in the space of a kernel.

    Minimises ½‖f‖² + C Σ L(y − f(x)) by Newton's method. Huber's loss follows the bulk of
    the rows, whatever outliers do.

    Parameters
    ----------
    loss : {"squared", "huber", "insensitive", "epsilon", "ranking"}, default="huber"
        The loss that is minimised: ½(y − f)²; the same up to ``delta`` and linear beyond;
        max(0, |y − f| − ``epsilon``), that of :class:`SVR`, by two names; or Σ max(0, 1 −
        f_i + f_j) over pairs y_i > y_j, of whose predictions the order alone means
        something.
    C : float, default=1.0
        Regularisation parameter C, the weight of errors.
    delta : float, default=1.345
        Where the loss ``"huber"`` bends, in units of the target.
    epsilon : float, default=0.1
        Half-width of the tube in which errors cost nothing; read by the loss
        ``"insensitive"`` alone.
    kernel : str, Kernel or callable, default="rbf"
        As in :class:`SVC`.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``; ``"scale"`` is 1 /
        (n_features * X.var()), with weights as copies.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    fit_intercept : bool, default=True
        Whether a constant without penalty is part of the function.
    tol : float, default=1e-8
        Largest violation of the optimality conditions, relative to the largest weighted C.
    power : float, default=2.0
        Power p of the penalty ‖f‖^p/p, at least 1; 2 is the usual ½‖f‖².
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    memory_limit : int, optional
        Bytes for kernel values; a quarter of the machine's memory by default.

    Attributes
    ----------
    n_iter_ : int
        Newton steps.
    support_, support_vectors_, dual_coef_, intercept_, coef_, report_, kernel_
        As in :class:`SVC`.

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import KernelRiskRegressor
    >>> x = np.linspace(0, 6, 60)[:, None]
    >>> y = np.sin(x[:, 0])
    >>> y[::10] += 5.0
    >>> model = KernelRiskRegressor(delta=0.1, C=10).fit(x, y)
    >>> bool(abs(model.predict([[1.0]])[0] - np.sin(1.0)) < 0.1)
    True
    """

    _method = "risk"
    _task = "regress"
    _setting_names = {
        "loss": "loss",
        "C": "c",
        "delta": "delta",
        "epsilon": "epsilon",
        "kernel": "kernel",
        "fit_intercept": "bias",
        "tol": "tolerance",
        "power": "power",
    }
    _searched = ("C",)
    _parameter_constraints: dict = {
        "loss": [StrOptions({"squared", "huber", "insensitive", "epsilon", "ranking"})],
        "C": [POSITIVE],
        "delta": [POSITIVE],
        "epsilon": [NOT_NEGATIVE],
        "kernel": [str, Kernel, callable],
        "degree": [Interval(Integral, 0, None, closed="left")],
        "gamma": [StrOptions({"scale", "auto"}), NOT_NEGATIVE],
        "coef0": [FINITE],
        "fit_intercept": ["boolean"],
        "tol": [POSITIVE],
        "power": [POSITIVE],
        "n_jobs": [Integral, None],
        "memory_limit": [POSITIVE, None],
    }

    def __init__(
        self,
        *,
        loss="huber",
        C=1.0,
        delta=1.345,
        epsilon=0.1,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        fit_intercept=True,
        tol=1e-8,
        power=2.0,
        n_jobs=None,
        memory_limit=None,
    ):
        self.loss = loss
        self.C = C
        self.delta = delta
        self.epsilon = epsilon
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.power = power
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit


class LinearRegression(LeastSquaresLine):
    """Ordinary least squares, with scikit-learn's names and meanings.

    Minimises Σ (y − ⟨w, x⟩ − b)² by rank-revealing orthogonal factors; where columns depend
    on each other the weights are those of least norm. Beyond scikit-learn, weights come
    with standard errors and Student's intervals, and steps down the slope are a choice.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether a constant without penalty is part of the function.
    copy_X : bool, default=True
        Accepted for compatibility; rows are never written to.
    tol : float, default=1e-6
        Violation of the normal equations at which steps end; factors do not read it.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    positive : bool, default=False
        Accepted for compatibility; ``True`` is refused.
    solver : {"auto", "factors", "conjugate", "batch", "online"}, default="auto"
        ``"factors"`` is exact and knows rank and standard errors; ``"conjugate"`` takes
        steps of conjugate gradients, for many sparse columns; ``"auto"`` chooses between
        them by cost. ``"batch"`` steps down the slope over all rows, ``"online"`` over one
        row after the other.
    step : float, optional
        First step; half the longest that is sure to converge where it is ``None``.
    schedule : {"constant", "inverse", "root"}, default="constant"
        Steps of epoch t are those of the first, divided by 1, 1 + t or √(1 + t).
    epochs : int, default=1000
        Most passes over the rows.
    shuffle : bool, default=True
        Whether ``"online"`` draws the order of the rows anew in every epoch.
    random_state : int or RandomState instance, optional
        Seed of the order of rows.
    encode : dict of str to str, or str, optional
        How texts become numbers: ``"tfidf"``, ``"bag"``, ``"tfidf(ngrams=2, min=3)"``,
        ``"bag(binary)"``, by name of the columns of a data frame, or in one word where X is
        a list of texts. The other columns of such a frame may be of any kind: categories
        are one-hot encoded, missing values filled in and marked, numbers stay as they are.
        By default X is numbers.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
        The weights.
    intercept_ : float or ndarray of shape (n_targets,)
        The constants; 0 without ``fit_intercept``.
    rank_ : int
        How many columns are independent, the constant not counted, where it is known.
    condition_ : float
        Ratio of the largest to the smallest singular value of the centred rows, with columns
        scaled to length one.
    n_iter_ : int
        Passes over the rows, or steps of conjugate gradients; 1 for factors.
    coef_std_, intercept_std_ : ndarray, float
        Standard errors of weights and constant; ``coef_interval(level)`` has intervals.
    sigma_ : ndarray of shape (n_features, n_features)
        Covariance of the weights; one for each target where there are several.
    noise_variance_ : float
        Variance of the targets around the function.
    objective_, kkt_violation_, report_
        Σ (y − f(x))², how far the normal equations are from being met, and the whole account.

    Examples
    --------
    >>> from mercer import LinearRegression
    >>> model = LinearRegression().fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0])
    >>> model.coef_.round(6), round(model.intercept_, 6)
    (array([2.]), 1.0)
    """

    _method = "ols"
    _task = "regress"
    _setting_names = {
        "fit_intercept": "bias",
        "tol": "tolerance",
        "solver": "solver",
        "step": "step",
        "schedule": "schedule",
        "epochs": "epochs",
        "shuffle": "shuffle",
    }
    _parameter_constraints: dict = {
        "fit_intercept": ["boolean"],
        "copy_X": ["boolean"],
        "tol": [NOT_NEGATIVE],
        "n_jobs": [Integral, None],
        "positive": ["boolean"],
        "solver": [StrOptions({"auto", "factors", "conjugate", "batch", "online"})],
        "step": [POSITIVE, None],
        "schedule": [StrOptions({"constant", "inverse", "root"})],
        "epochs": [COUNT],
        "shuffle": ["boolean"],
        "random_state": ["random_state"],
        "encode": [dict, str, None],
    }

    def __init__(
        self,
        *,
        fit_intercept=True,
        copy_X=True,
        tol=1e-6,
        n_jobs=None,
        positive=False,
        solver="auto",
        step=None,
        schedule="constant",
        epochs=1000,
        shuffle=True,
        random_state=None,
        encode=None,
    ):
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.tol = tol
        self.n_jobs = n_jobs
        self.positive = positive
        self.solver = solver
        self.step = step
        self.schedule = schedule
        self.epochs = epochs
        self.shuffle = shuffle
        self.random_state = random_state
        self.encode = encode


class Ridge(RidgeLine):
    """Ridge regression, with scikit-learn's names and meanings.

    Minimises Σ (y − ⟨w, x⟩ − b)² + alpha ‖w‖², by a Cholesky factor of the smaller of the
    two normal equations, by orthogonal factors where rounding asks for them, and by
    conjugate gradients where rows are sparse and columns many. Beyond scikit-learn,
    ``alpha`` may be found from the data, and the model knows the posterior of its weights.

    Parameters
    ----------
    alpha : float, {"evidence", "loo", "gcv"} or array-like of shape (n_targets,), default=1.0
        Weight of the penalty; one for all targets. A list of values is taken where all are
        equal. Or how it is found from the data: by largest evidence, as in
        :class:`sklearn.linear_model.BayesianRidge`, by rows left out one by one in closed
        form, or by generalised cross-validation. ``path`` has many values at once.
    fit_intercept : bool, default=True
        Whether a constant without penalty is part of the function.
    copy_X : bool, default=True
        Accepted for compatibility; rows are never written to.
    max_iter : int, optional
        Accepted for compatibility; the solution is found by factors, not by iteration.
    tol : float, default=1e-4
        Accepted for compatibility; the solution is found by factors, not by iteration.
    solver : str, default="auto"
        Accepted for compatibility; all of scikit-learn's solvers have the same solution.
    positive : bool, default=False
        Accepted for compatibility; ``True`` is refused.
    random_state : int or RandomState instance, optional
        Accepted for compatibility; nothing here is random.
    noise : float, optional
        Variance of the noise, where it is known: standard deviations of weights and
        predictions follow from it.
    encode : dict of str to str, or str, optional
        How texts become numbers: ``"tfidf"``, ``"bag"``, ``"tfidf(ngrams=2, min=3)"``,
        ``"bag(binary)"``, by name of the columns of a data frame, or in one word where X is
        a list of texts. The other columns of such a frame may be of any kind: categories
        are one-hot encoded, missing values filled in and marked, numbers stay as they are.
        By default X is numbers.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
        The weights.
    intercept_ : float or ndarray of shape (n_targets,)
        The constants; 0 without ``fit_intercept``.
    n_iter_ : None
        Factors need no iterations; ``report_.iterations`` has steps of conjugate gradients.
    solver_ : str
        ``"cholesky"``.
    alpha_ : float
        The weight of the penalty that was used.
    coef_std_, intercept_std_ : ndarray, float
        Standard deviations of the posterior, with alpha = σ²/τ² for noise σ² and a prior N(0, τ²)
        of the weights; ``coef_interval(level)`` has intervals.
    sigma_ : ndarray of shape (n_features, n_features)
        Covariance of the weights; one for each target where there are several.
    noise_variance_ : float
        Variance of the targets around the function.
    effective_parameters_ : float
        Trace of the map from targets to predictions, plus 1 for the constant; an estimate after
        conjugate gradients.
    objective_, kkt_violation_, report_
        As in :class:`LinearRegression`, with the penalty in the objective.

    Examples
    --------
    >>> from mercer import Ridge
    >>> model = Ridge(alpha=1.0).fit([[-1.0], [0.0], [1.0]], [-2.0, 0.0, 2.0])
    >>> model.coef_.round(4)
    array([1.3333])
    """

    _method = "ridge"
    _task = "regress"
    _setting_names = {"alpha": "lambda", "fit_intercept": "bias", "noise": "noise"}
    _searched = ("alpha",)
    _parameter_constraints: dict = {
        "alpha": [NOT_NEGATIVE, StrOptions({"evidence", "loo", "gcv"}), "array-like"],
        "fit_intercept": ["boolean"],
        "copy_X": ["boolean"],
        "max_iter": [COUNT, None],
        "tol": [NOT_NEGATIVE],
        "solver": [
            StrOptions({"auto", "svd", "cholesky", "lsqr", "sparse_cg", "sag", "saga", "lbfgs"})
        ],
        "positive": ["boolean"],
        "random_state": ["random_state"],
        "noise": [POSITIVE, None],
        "encode": [dict, str, None],
    }

    def __init__(
        self,
        alpha=1.0,
        *,
        fit_intercept=True,
        copy_X=True,
        max_iter=None,
        tol=1e-4,
        solver="auto",
        positive=False,
        random_state=None,
        noise=None,
        encode=None,
    ):
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.solver = solver
        self.positive = positive
        self.random_state = random_state
        self.noise = noise
        self.encode = encode


class MLPClassifier(NetworkClassifier):
    """A multilayer perceptron that tells classes apart, with scikit-learn's names and meanings.

    Minimises the cross-entropy of classes and a penalty on squared weights. ``solver="cg"``
    are conjugate gradients, ``"lm"`` damped Gauss–Newton steps, which pay for small
    networks; ``n_init`` beginnings are tried.

    Parameters
    ----------
    hidden_layer_sizes : int or array-like of int, default=(100,)
        Gates of every hidden layer, from the inputs on; none makes a linear model.
    activation : {"identity", "logistic", "tanh", "relu"}, default="relu"
        What hidden gates make of their net inputs.
    solver : {"adam", "sgd", "lbfgs", "cg", "lm"}, default="adam"
        How the loss is minimised: in batches (``"adam"``, ``"sgd"``), or on all rows by
        L-BFGS, conjugate gradients or Levenberg–Marquardt.
    alpha : float, default=0.0001
        Weight of the penalty on squared weights.
    batch_size : int or "auto", default="auto"
        Rows of a batch; ``"auto"`` means 200, or all where there are fewer.
    learning_rate : {"constant", "invscaling", "adaptive"}, default="constant"
        How the step of sgd changes.
    learning_rate_init : float, default=0.001
        Length of the first steps of adam and sgd.
    power_t : float, default=0.5
        Power of the schedule invscaling.
    max_iter : int, default=200
        Most epochs, or steps on all rows.
    shuffle : bool, default=True
        Whether rows are put into another order in every epoch.
    random_state : int or RandomState instance, optional
        What first weights, orders of rows and rows to hold out are drawn with.
    tol : float, default=1e-4
        Improvement of the loss or score that counts as one; on all rows, the slope that
        counts as none.
    verbose : bool, default=False
        Whether the loss after every epoch is printed once the fit has ended.
    warm_start : bool, default=False
        Whether a fit begins with the weights of the last one.
    momentum : float, default=0.9
        Share of the last step that counts on in ``"sgd"``.
    nesterovs_momentum : bool, default=True
        Whether momentum looks ahead (Nesterov).
    early_stopping : bool, default=False
        Hold rows out, end when they are predicted no better, and keep the best weights.
    validation_fraction : float, default=0.1
        Share of the rows that early stopping holds out.
    beta_1 : float, default=0.9
        Share of the first moment that ``"adam"`` keeps.
    beta_2 : float, default=0.999
        Share of the second moment that ``"adam"`` keeps.
    epsilon : float, default=1e-8
        Added to the root of adam's second moment.
    n_iter_no_change : int or inf, default=10
        Epochs without improvement after which it ends.
    max_fun : int, default=15000
        Most evaluations of the loss by lbfgs, cg and lm.
    n_init : int, default=1
        Beginnings that are tried; the best end counts.

    Attributes
    ----------
    coefs_ : list of ndarray
        The weights of every layer: a row for each input, a column for each gate.
    intercepts_ : list of ndarray
        The constants of every layer.
    loss_, best_loss_, loss_curve_
        The last loss, the least one (``None`` with early stopping), and that of every epoch.
    validation_scores_, best_validation_score_
        Scores of the rows held out by early stopping, and the best; ``None`` without.
    n_iter_, t_, n_layers_, n_outputs_, out_activation_
        Epochs, rows met by them, layers with the inputs counted, outputs, and what they make of
        their net inputs.
    start_losses_ : ndarray of shape (n_init,)
        The loss at the end of every beginning.
    objective_, stop_reason_, report_
        The loss of all rows, why the fit ended, and the whole account.

    Examples
    --------
    >>> from mercer import MLPClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> model = MLPClassifier((4,), "tanh", solver="lbfgs", n_init=5, random_state=0).fit(X, y)
    >>> model.predict(X)
    array([0, 1, 1, 0])
    """

    _method = "mlp"
    _task = "classify"
    _continues = True
    _setting_names = {
        "hidden_layer_sizes": "hidden",
        "activation": "activation",
        "solver": "solver",
        "alpha": "alpha",
        "batch_size": "batch",
        "learning_rate": "schedule",
        "learning_rate_init": "step",
        "power_t": "power",
        "max_iter": "max_iterations",
        "shuffle": "shuffle",
        "tol": "tolerance",
        "momentum": "momentum",
        "nesterovs_momentum": "nesterov",
        "early_stopping": "early_stopping",
        "validation_fraction": "validation",
        "beta_1": "beta_1",
        "beta_2": "beta_2",
        "epsilon": "epsilon",
        "n_iter_no_change": "patience",
        "max_fun": "max_evaluations",
        "n_init": "starts",
    }
    _searched = ("alpha",)
    _parameter_constraints: dict = {
        "hidden_layer_sizes": [COUNT, "array-like"],
        "activation": [StrOptions({"identity", "logistic", "tanh", "relu"})],
        "solver": [StrOptions({"adam", "sgd", "lbfgs", "cg", "lm"})],
        "alpha": [NOT_NEGATIVE],
        "batch_size": [StrOptions({"auto"}), COUNT],
        "learning_rate": [StrOptions({"constant", "invscaling", "adaptive"})],
        "learning_rate_init": [POSITIVE],
        "power_t": [NOT_NEGATIVE],
        "max_iter": [COUNT],
        "shuffle": ["boolean"],
        "random_state": ["random_state"],
        "tol": [NOT_NEGATIVE],
        "verbose": ["verbose"],
        "warm_start": ["boolean"],
        "momentum": [Interval(Real, 0.0, 1.0, closed="both")],
        "nesterovs_momentum": ["boolean"],
        "early_stopping": ["boolean"],
        "validation_fraction": [Interval(Real, 0.0, 1.0, closed="left")],
        "beta_1": [Interval(Real, 0.0, 1.0, closed="left")],
        "beta_2": [Interval(Real, 0.0, 1.0, closed="left")],
        "epsilon": [POSITIVE],
        "n_iter_no_change": [Interval(Real, 1, float("inf"), closed="both")],
        "max_fun": [COUNT],
        "n_init": [COUNT],
    }

    def __init__(
        self,
        hidden_layer_sizes=(100,),
        activation="relu",
        *,
        solver="adam",
        alpha=0.0001,
        batch_size="auto",
        learning_rate="constant",
        learning_rate_init=0.001,
        power_t=0.5,
        max_iter=200,
        shuffle=True,
        random_state=None,
        tol=1e-4,
        verbose=False,
        warm_start=False,
        momentum=0.9,
        nesterovs_momentum=True,
        early_stopping=False,
        validation_fraction=0.1,
        beta_1=0.9,
        beta_2=0.999,
        epsilon=1e-8,
        n_iter_no_change=10,
        max_fun=15000,
        n_init=1,
    ):
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.solver = solver
        self.alpha = alpha
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.learning_rate_init = learning_rate_init
        self.power_t = power_t
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.random_state = random_state
        self.tol = tol
        self.verbose = verbose
        self.warm_start = warm_start
        self.momentum = momentum
        self.nesterovs_momentum = nesterovs_momentum
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.beta_1 = beta_1
        self.beta_2 = beta_2
        self.epsilon = epsilon
        self.n_iter_no_change = n_iter_no_change
        self.max_fun = max_fun
        self.n_init = n_init


class MLPRegressor(NetworkRegressor):
    """A multilayer perceptron that predicts numbers, with scikit-learn's names and meanings.

    Minimises half the squared error, or the deviance of counts, and a penalty on squared
    weights. ``solver="cg"`` are conjugate gradients, ``"lm"`` damped Gauss–Newton steps,
    which pay for small networks; ``n_init`` beginnings are tried.

    Parameters
    ----------
    loss : {"squared_error", "poisson"}, default="squared_error"
        What is minimised: half the squared error, summed over targets, or half the deviance
        of counts, whose logarithm the network learns.
    hidden_layer_sizes : int or array-like of int, default=(100,)
        Gates of every hidden layer, from the inputs on; none makes a linear model.
    activation : {"identity", "logistic", "tanh", "relu"}, default="relu"
        What hidden gates make of their net inputs.
    solver : {"adam", "sgd", "lbfgs", "cg", "lm"}, default="adam"
        How the loss is minimised: in batches (``"adam"``, ``"sgd"``), or on all rows by
        L-BFGS, conjugate gradients or Levenberg–Marquardt.
    alpha : float, default=0.0001
        Weight of the penalty on squared weights.
    batch_size : int or "auto", default="auto"
        Rows of a batch; ``"auto"`` means 200, or all where there are fewer.
    learning_rate : {"constant", "invscaling", "adaptive"}, default="constant"
        How the step of sgd changes.
    learning_rate_init : float, default=0.001
        Length of the first steps of adam and sgd.
    power_t : float, default=0.5
        Power of the schedule invscaling.
    max_iter : int, default=200
        Most epochs, or steps on all rows.
    shuffle : bool, default=True
        Whether rows are put into another order in every epoch.
    random_state : int or RandomState instance, optional
        What first weights, orders of rows and rows to hold out are drawn with.
    tol : float, default=1e-4
        Improvement of the loss or score that counts as one; on all rows, the slope that
        counts as none.
    verbose : bool, default=False
        Whether the loss after every epoch is printed once the fit has ended.
    warm_start : bool, default=False
        Whether a fit begins with the weights of the last one.
    momentum : float, default=0.9
        Share of the last step that counts on in ``"sgd"``.
    nesterovs_momentum : bool, default=True
        Whether momentum looks ahead (Nesterov).
    early_stopping : bool, default=False
        Hold rows out, end when they are predicted no better, and keep the best weights.
    validation_fraction : float, default=0.1
        Share of the rows that early stopping holds out.
    beta_1 : float, default=0.9
        Share of the first moment that ``"adam"`` keeps.
    beta_2 : float, default=0.999
        Share of the second moment that ``"adam"`` keeps.
    epsilon : float, default=1e-8
        Added to the root of adam's second moment.
    n_iter_no_change : int or inf, default=10
        Epochs without improvement after which it ends.
    max_fun : int, default=15000
        Most evaluations of the loss by lbfgs, cg and lm.
    n_init : int, default=1
        Beginnings that are tried; the best end counts.

    Attributes
    ----------
    coefs_ : list of ndarray
        The weights of every layer: a row for each input, a column for each gate.
    intercepts_ : list of ndarray
        The constants of every layer.
    loss_, best_loss_, loss_curve_
        The last loss, the least one (``None`` with early stopping), and that of every epoch.
    validation_scores_, best_validation_score_
        Scores of the rows held out by early stopping, and the best; ``None`` without.
    n_iter_, t_, n_layers_, n_outputs_, out_activation_
        Epochs, rows met by them, layers with the inputs counted, outputs, and what they make of
        their net inputs.
    start_losses_ : ndarray of shape (n_init,)
        The loss at the end of every beginning.
    objective_, stop_reason_, report_
        The loss of all rows, why the fit ended, and the whole account.

    Examples
    --------
    >>> from mercer import MLPRegressor
    >>> X = [[x / 10] for x in range(20)]
    >>> y = [x[0] ** 2 for x in X]
    >>> model = MLPRegressor(hidden_layer_sizes=5, activation="tanh", solver="lm", random_state=0)
    >>> bool(model.fit(X, y).score(X, y) > 0.999)
    True
    """

    _method = "mlp"
    _task = "regress"
    _continues = True
    _setting_names = {
        "loss": "loss",
        "hidden_layer_sizes": "hidden",
        "activation": "activation",
        "solver": "solver",
        "alpha": "alpha",
        "batch_size": "batch",
        "learning_rate": "schedule",
        "learning_rate_init": "step",
        "power_t": "power",
        "max_iter": "max_iterations",
        "shuffle": "shuffle",
        "tol": "tolerance",
        "momentum": "momentum",
        "nesterovs_momentum": "nesterov",
        "early_stopping": "early_stopping",
        "validation_fraction": "validation",
        "beta_1": "beta_1",
        "beta_2": "beta_2",
        "epsilon": "epsilon",
        "n_iter_no_change": "patience",
        "max_fun": "max_evaluations",
        "n_init": "starts",
    }
    _searched = ("alpha",)
    _parameter_constraints: dict = {
        "loss": [StrOptions({"squared_error", "poisson"})],
        "hidden_layer_sizes": [COUNT, "array-like"],
        "activation": [StrOptions({"identity", "logistic", "tanh", "relu"})],
        "solver": [StrOptions({"adam", "sgd", "lbfgs", "cg", "lm"})],
        "alpha": [NOT_NEGATIVE],
        "batch_size": [StrOptions({"auto"}), COUNT],
        "learning_rate": [StrOptions({"constant", "invscaling", "adaptive"})],
        "learning_rate_init": [POSITIVE],
        "power_t": [NOT_NEGATIVE],
        "max_iter": [COUNT],
        "shuffle": ["boolean"],
        "random_state": ["random_state"],
        "tol": [NOT_NEGATIVE],
        "verbose": ["verbose"],
        "warm_start": ["boolean"],
        "momentum": [Interval(Real, 0.0, 1.0, closed="both")],
        "nesterovs_momentum": ["boolean"],
        "early_stopping": ["boolean"],
        "validation_fraction": [Interval(Real, 0.0, 1.0, closed="left")],
        "beta_1": [Interval(Real, 0.0, 1.0, closed="left")],
        "beta_2": [Interval(Real, 0.0, 1.0, closed="left")],
        "epsilon": [POSITIVE],
        "n_iter_no_change": [Interval(Real, 1, float("inf"), closed="both")],
        "max_fun": [COUNT],
        "n_init": [COUNT],
    }

    def __init__(
        self,
        loss="squared_error",
        hidden_layer_sizes=(100,),
        activation="relu",
        *,
        solver="adam",
        alpha=0.0001,
        batch_size="auto",
        learning_rate="constant",
        learning_rate_init=0.001,
        power_t=0.5,
        max_iter=200,
        shuffle=True,
        random_state=None,
        tol=1e-4,
        verbose=False,
        warm_start=False,
        momentum=0.9,
        nesterovs_momentum=True,
        early_stopping=False,
        validation_fraction=0.1,
        beta_1=0.9,
        beta_2=0.999,
        epsilon=1e-8,
        n_iter_no_change=10,
        max_fun=15000,
        n_init=1,
    ):
        self.loss = loss
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.solver = solver
        self.alpha = alpha
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.learning_rate_init = learning_rate_init
        self.power_t = power_t
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.random_state = random_state
        self.tol = tol
        self.verbose = verbose
        self.warm_start = warm_start
        self.momentum = momentum
        self.nesterovs_momentum = nesterovs_momentum
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.beta_1 = beta_1
        self.beta_2 = beta_2
        self.epsilon = epsilon
        self.n_iter_no_change = n_iter_no_change
        self.max_fun = max_fun
        self.n_init = n_init


class RBFNetRegressor(GaussianRegressor):
    """A network of radial basis functions that predicts numbers.

    f(x) = b + Σ v exp(−‖x − c‖²/(2 width²)) with the centres c by k-means, v and b by least
    squares with the penalty alpha ‖v‖².

    Parameters
    ----------
    n_centers : int, default=10
        Number of centres.
    width : float, optional
        Width σ of the Gaussians; the mean distance of a centre from the nearest other one
        where it is left open.
    alpha : float, default=0.0
        Weight of the penalty on squared weights.
    n_init : int, default=1
        Runs of k-means, the best of which counts.
    random_state : int or RandomState instance, optional
        What the first centres of k-means are drawn with.

    Attributes
    ----------
    centers_ : ndarray of shape (n_centers, n_features)
        The centres of the Gaussians.
    coef_ : ndarray of shape (n_centers,) or (n_decisions, n_centers)
        The weights of the Gaussians.
    intercept_ : float or ndarray of shape (n_decisions,)
        The constants.
    width_ : float
        The width of the Gaussians.
    objective_, kkt_violation_, stop_reason_, report_
        The sum of squares with the penalty, how far the normal equations are from being met, why
        k-means ended, and the whole account.

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import RBFNetRegressor
    >>> X = np.linspace(0, 6, 50)[:, None]
    >>> model = RBFNetRegressor(8, random_state=0).fit(X, np.sin(X[:, 0]))
    >>> bool(model.score(X, np.sin(X[:, 0])) > 0.99)
    True
    """

    _method = "rbf_net"
    _task = "regress"
    _setting_names = {
        "n_centers": "centres",
        "width": "width",
        "alpha": "lambda",
        "n_init": "starts",
    }
    _searched = ("n_centers",)
    _parameter_constraints: dict = {
        "n_centers": [COUNT],
        "width": [POSITIVE, None],
        "alpha": [NOT_NEGATIVE],
        "n_init": [COUNT],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_centers=10,
        *,
        width=None,
        alpha=0.0,
        n_init=1,
        random_state=None,
    ):
        self.n_centers = n_centers
        self.width = width
        self.alpha = alpha
        self.n_init = n_init
        self.random_state = random_state


class RBFNetClassifier(GaussianClassifier):
    """A network of radial basis functions that tells classes apart.

    As :class:`RBFNetRegressor` with targets ±1; more than two classes are told apart one
    against the rest.

    Parameters
    ----------
    n_centers : int, default=10
        Number of centres.
    width : float, optional
        Width σ of the Gaussians; the mean distance of a centre from the nearest other one
        where it is left open.
    alpha : float, default=0.0
        Weight of the penalty on squared weights.
    n_init : int, default=1
        Runs of k-means, the best of which counts.
    random_state : int or RandomState instance, optional
        What the first centres of k-means are drawn with.

    Attributes
    ----------
    centers_ : ndarray of shape (n_centers, n_features)
        The centres of the Gaussians.
    coef_ : ndarray of shape (n_centers,) or (n_decisions, n_centers)
        The weights of the Gaussians.
    intercept_ : float or ndarray of shape (n_decisions,)
        The constants.
    width_ : float
        The width of the Gaussians.
    objective_, kkt_violation_, stop_reason_, report_
        The sum of squares with the penalty, how far the normal equations are from being met, why
        k-means ended, and the whole account.

    Examples
    --------
    >>> from mercer import RBFNetClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> RBFNetClassifier(4, width=0.5, random_state=0).fit(X, y).predict(X)
    array([0, 1, 1, 0])
    """

    _method = "rbf_net"
    _task = "classify"
    _setting_names = {
        "n_centers": "centres",
        "width": "width",
        "alpha": "lambda",
        "n_init": "starts",
    }
    _searched = ("n_centers",)
    _parameter_constraints: dict = {
        "n_centers": [COUNT],
        "width": [POSITIVE, None],
        "alpha": [NOT_NEGATIVE],
        "n_init": [COUNT],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_centers=10,
        *,
        width=None,
        alpha=0.0,
        n_init=1,
        random_state=None,
    ):
        self.n_centers = n_centers
        self.width = width
        self.alpha = alpha
        self.n_init = n_init
        self.random_state = random_state


class LinearSVC(MarginLine):
    """Linear support vector classification, with scikit-learn's names and meanings.

    Minimises ½‖w‖² + C Σ L(y f(x)), or with ‖w‖₁, with the hinge loss or its square, one
    class against the rest or all at once. The solver follows from the shape of the rows,
    and ``report_`` tells which it was.

    Parameters
    ----------
    penalty : {"l1", "l2"}, default="l2"
        What weights cost: ½‖w‖² or, for few weights other than zero, ‖w‖₁, which goes with
        ``loss="squared_hinge"``.
    loss : {"hinge", "squared_hinge"}, default="squared_hinge"
        The loss that is minimised: max(0, 1 − y f) or its square.
    dual : bool or "auto", default="auto"
        Accepted for compatibility; the way to the solution follows from the shape of the
        rows.
    tol : float, default=1e-4
        Largest duality gap of a converged solution, relative to the objective.
    C : float, default=1.0
        Regularisation parameter C, the weight of errors.
    multi_class : {"ovr", "crammer_singer"}, default="ovr"
        One class against the rest, or all at once with one margin between a class and all
        others, ``"crammer_singer"``, which reads neither ``loss`` nor ``penalty``.
    fit_intercept : bool, default=True
        Whether there is a constant; it is penalised like a weight, see
        ``intercept_scaling``.
    intercept_scaling : float, default=1
        Value of the feature that stands for the constant, which is penalised like a weight:
        the larger, the less.
    class_weight : dict or "balanced", optional
        Factors on C by class.
    verbose : int, default=0
        Accepted for compatibility; nothing is printed.
    random_state : int or RandomState instance, optional
        Accepted for compatibility; the order of rows in coordinate descent is always the
        same.
    max_iter : int, default=1000
        Largest number of steps, or of passes over the rows.
    encode : dict of str to str, or str, optional
        How texts become numbers: ``"tfidf"``, ``"bag"``, ``"tfidf(ngrams=2, min=3)"``,
        ``"bag(binary)"``, by name of the columns of a data frame, or in one word where X is
        a list of texts. The other columns of such a frame may be of any kind: categories
        are one-hot encoded, missing values filled in and marked, numbers stay as they are.
        By default X is numbers.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        The weights.
    intercept_ : ndarray of shape (1,) or (n_classes,), or 0.0
        The constants; 0.0 without ``fit_intercept``.
    n_iter_ : int
        The most steps or passes of a class.
    objective_, dual_gap_, kkt_violation_, report_
        What was minimised and how far it got, summed over the classes.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import LinearSVC
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LinearSVC().fit(X, y)
    >>> model.coef_.shape, bool(model.score(X, y) > 0.9)
    ((3, 4), True)
    """

    _method = "linear_svc"
    _task = "classify"
    _setting_names = {
        "penalty": "penalty",
        "loss": "loss",
        "tol": "tolerance",
        "C": "c",
        "multi_class": "multi_class",
        "fit_intercept": "bias",
        "intercept_scaling": "bias_scale",
        "class_weight": "class_weights",
        "max_iter": "max_iterations",
    }
    _searched = ("C",)
    _parameter_constraints: dict = {
        "penalty": [StrOptions({"l1", "l2"})],
        "loss": [StrOptions({"hinge", "squared_hinge"})],
        "dual": ["boolean", StrOptions({"auto"})],
        "tol": [NOT_NEGATIVE],
        "C": [POSITIVE],
        "multi_class": [StrOptions({"ovr", "crammer_singer"})],
        "fit_intercept": ["boolean"],
        "intercept_scaling": [POSITIVE],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "verbose": ["verbose"],
        "random_state": ["random_state"],
        "max_iter": [Interval(Integral, 0, None, closed="left")],
        "encode": [dict, str, None],
    }

    def __init__(
        self,
        penalty="l2",
        loss="squared_hinge",
        *,
        dual="auto",
        tol=1e-4,
        C=1.0,
        multi_class="ovr",
        fit_intercept=True,
        intercept_scaling=1,
        class_weight=None,
        verbose=0,
        random_state=None,
        max_iter=1000,
        encode=None,
    ):
        self.penalty = penalty
        self.loss = loss
        self.dual = dual
        self.tol = tol
        self.C = C
        self.multi_class = multi_class
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.verbose = verbose
        self.random_state = random_state
        self.max_iter = max_iter
        self.encode = encode


class LinearSVR(TubeLine):
    """Linear support vector regression, with scikit-learn's names and meanings.

    Minimises ½‖w‖² + C Σ L(y − f(x)), L being 0 up to ``epsilon`` and linear or quadratic
    beyond. With ``epsilon=0`` and the linear loss it is the least absolute deviation.

    Parameters
    ----------
    epsilon : float, default=0.0
        Half-width of the tube within which errors cost nothing.
    tol : float, default=1e-4
        Largest duality gap of a converged solution, relative to the objective.
    C : float, default=1.0
        Regularisation parameter C, the weight of errors.
    loss : {"epsilon_insensitive", "squared_epsilon_insensitive"}, default="epsilon_insensitive"
        The loss that is minimised: max(0, |y − f| − epsilon) or its square.
    fit_intercept : bool, default=True
        Whether there is a constant; it is penalised like a weight, see
        ``intercept_scaling``.
    intercept_scaling : float, default=1.0
        Value of the feature that stands for the constant, which is penalised like a weight:
        the larger, the less.
    dual : bool or "auto", default="auto"
        Accepted for compatibility; the way to the solution follows from the shape of the
        rows.
    verbose : int, default=0
        Accepted for compatibility; nothing is printed.
    random_state : int or RandomState instance, optional
        Accepted for compatibility; the order of rows in coordinate descent is always the
        same.
    max_iter : int, default=1000
        Largest number of steps, or of passes over the rows.
    encode : dict of str to str, or str, optional
        How texts become numbers: ``"tfidf"``, ``"bag"``, ``"tfidf(ngrams=2, min=3)"``,
        ``"bag(binary)"``, by name of the columns of a data frame, or in one word where X is
        a list of texts. The other columns of such a frame may be of any kind: categories
        are one-hot encoded, missing values filled in and marked, numbers stay as they are.
        By default X is numbers.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The weights.
    intercept_ : ndarray of shape (1,), or 0.0
        The constant; 0.0 without ``fit_intercept``.
    n_iter_ : int
        Steps or passes.
    objective_, dual_gap_, kkt_violation_, report_
        What was minimised and how far it got.

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import LinearSVR
    >>> x = np.arange(5.0)[:, None]
    >>> model = LinearSVR(C=100, intercept_scaling=10).fit(x, [1, 3, 5, 7, 90])
    >>> model.coef_.round(2)
    array([2.])
    """

    _method = "linear_svr"
    _task = "regress"
    _setting_names = {
        "epsilon": "epsilon",
        "tol": "tolerance",
        "C": "c",
        "loss": "loss",
        "fit_intercept": "bias",
        "intercept_scaling": "bias_scale",
        "max_iter": "max_iterations",
    }
    _searched = ("C",)
    _parameter_constraints: dict = {
        "epsilon": [NOT_NEGATIVE],
        "tol": [NOT_NEGATIVE],
        "C": [POSITIVE],
        "loss": [StrOptions({"epsilon_insensitive", "squared_epsilon_insensitive"})],
        "fit_intercept": ["boolean"],
        "intercept_scaling": [POSITIVE],
        "dual": ["boolean", StrOptions({"auto"})],
        "verbose": ["verbose"],
        "random_state": ["random_state"],
        "max_iter": [Interval(Integral, 0, None, closed="left")],
        "encode": [dict, str, None],
    }

    def __init__(
        self,
        *,
        epsilon=0.0,
        tol=1e-4,
        C=1.0,
        loss="epsilon_insensitive",
        fit_intercept=True,
        intercept_scaling=1.0,
        dual="auto",
        verbose=0,
        random_state=None,
        max_iter=1000,
        encode=None,
    ):
        self.epsilon = epsilon
        self.tol = tol
        self.C = C
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.dual = dual
        self.verbose = verbose
        self.random_state = random_state
        self.max_iter = max_iter
        self.encode = encode


class LogisticRegression(LogisticLine):
    """Logistic regression, with scikit-learn's names and meanings.

    Minimises ½‖w‖² − C Σ log P(y), or with another penalty, see ``l1_ratio``; several
    classes have a function each, learnt together by softmax. All solvers have the same
    solution; ``"liblinear"`` penalises the constant, as in scikit-learn. ``C=inf`` is
    maximum likelihood without a penalty.

    Parameters
    ----------
    penalty : {"l1", "l2", "elasticnet", None}, default="deprecated"
        Deprecated in scikit-learn 1.8: ``"l2"`` is ``l1_ratio=0``, ``None`` is ``C=inf``,
        ``"l1"`` is ``l1_ratio=1``.
    C : float, default=1.0
        Regularisation parameter, the weight of errors; ``inf`` for no penalty.
    l1_ratio : float, default=0.0
        Share ρ of absolute values in the penalty ρ‖w‖₁ + ½(1 − ρ)‖w‖²: 1 makes weights
        exactly zero.
    dual : bool, default=False
        Accepted for compatibility; the solution is the same.
    tol : float, default=1e-4
        Largest duality gap of a converged solution, relative to the objective.
    fit_intercept : bool, default=True
        Whether there is a constant; it costs nothing, but with ``solver="liblinear"`` it is
        penalised like a weight.
    intercept_scaling : float, default=1
        With ``solver="liblinear"`` the value of the feature that stands for the constant.
    class_weight : dict or "balanced", optional
        Factors on C by class; probabilities are those of classes that are so much more
        frequent.
    random_state : int or RandomState instance, optional
        Accepted for compatibility; nothing here is random.
    solver : str, default="lbfgs"
        Accepted for compatibility: Newton's method finds what they look for. Only
        ``"liblinear"`` means something else, a penalised constant and two classes.
    max_iter : int, default=100
        Largest number of Newton steps.
    verbose : int, default=0
        Accepted for compatibility; nothing is printed.
    warm_start : bool, default=False
        Accepted; every fit starts afresh.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    encode : dict of str to str, or str, optional
        How texts become numbers: ``"tfidf"``, ``"bag"``, ``"tfidf(ngrams=2, min=3)"``,
        ``"bag(binary)"``, by name of the columns of a data frame, or in one word where X is
        a list of texts. The other columns of such a frame may be of any kind: categories
        are one-hot encoded, missing values filled in and marked, numbers stay as they are.
        By default X is numbers.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        The weights.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        The constants; 0 without ``fit_intercept``.
    n_iter_ : ndarray of shape (1,)
        Newton steps.
    objective_, dual_gap_, kkt_violation_, report_
        What was minimised and how far it got.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import LogisticRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LogisticRegression().fit(X, y)
    >>> model.predict_proba(X[:1]).round(2)
    array([[0.98, 0.02, 0.  ]])
    """

    _method = "logistic"
    _task = "classify"
    _setting_names = {
        "penalty": "penalty",
        "C": "c",
        "l1_ratio": "l1_ratio",
        "tol": "tolerance",
        "fit_intercept": "bias",
        "intercept_scaling": "bias_scale",
        "class_weight": "class_weights",
        "max_iter": "max_iterations",
    }
    _searched = ("C",)
    _parameter_constraints: dict = {
        "penalty": [StrOptions({"l1", "l2", "elasticnet", "deprecated"}), None],
        "C": [Interval(Real, 0, None, closed="right")],
        "l1_ratio": [Interval(Real, 0, 1, closed="both"), None],
        "dual": ["boolean"],
        "tol": [NOT_NEGATIVE],
        "fit_intercept": ["boolean"],
        "intercept_scaling": [POSITIVE],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "random_state": ["random_state"],
        "solver": [
            StrOptions({"lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga"})
        ],
        "max_iter": [Interval(Integral, 0, None, closed="left")],
        "verbose": ["verbose"],
        "warm_start": ["boolean"],
        "n_jobs": [Integral, None],
        "encode": [dict, str, None],
    }

    def __init__(
        self,
        penalty="deprecated",
        *,
        C=1.0,
        l1_ratio=0.0,
        dual=False,
        tol=1e-4,
        fit_intercept=True,
        intercept_scaling=1,
        class_weight=None,
        random_state=None,
        solver="lbfgs",
        max_iter=100,
        verbose=0,
        warm_start=False,
        n_jobs=None,
        encode=None,
    ):
        self.penalty = penalty
        self.C = C
        self.l1_ratio = l1_ratio
        self.dual = dual
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.random_state = random_state
        self.solver = solver
        self.max_iter = max_iter
        self.verbose = verbose
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.encode = encode


class Lasso(SparseLine):
    """LASSO, with scikit-learn's names and meanings.

    Minimises (1 / 2n) Σ (y − ⟨w, x⟩ − b)² + alpha ‖w‖₁, by coordinate descent on working
    sets of columns with gap-safe screening. A fit ends where the duality gap is below
    ``tol`` times the squares of the centred targets.

    Parameters
    ----------
    alpha : float or "cv", default=1.0
        Weight of the penalty; ``"cv"`` takes the best of 100 values on five folds.
    fit_intercept : bool, default=True
        Whether a constant without penalty is part of the function.
    precompute : bool or array-like of shape (n_features, n_features), default=False
        Accepted for compatibility; products of columns are computed where they pay.
    copy_X : bool, default=True
        Accepted for compatibility; rows are never written to.
    max_iter : int, default=1000
        Largest number of solver steps per problem; -1 sets no limit in practice.
    tol : float, default=1e-4
        Largest duality gap, as a share of the squares of the centred targets.
    warm_start : bool, default=False
        Whether a fit starts from the weights of the last one.
    positive : bool, default=False
        Whether weights may not be below zero.
    random_state : int or RandomState instance, optional
        Accepted for compatibility; nothing here is random.
    selection : {"cyclic", "random"}, default="cyclic"
        Accepted for compatibility; coordinates are always taken in turn.
    encode : dict of str to str, or str, optional
        How texts become numbers: ``"tfidf"``, ``"bag"``, ``"tfidf(ngrams=2, min=3)"``,
        ``"bag(binary)"``, by name of the columns of a data frame, or in one word where X is
        a list of texts. The other columns of such a frame may be of any kind: categories
        are one-hot encoded, missing values filled in and marked, numbers stay as they are.
        By default X is numbers.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
        The weights; many are exactly 0.
    sparse_coef_ : sparse matrix of shape (1, n_features) or (n_targets, n_features)
        The same, without the zeros.
    intercept_ : float or ndarray of shape (n_targets,)
        The constants; 0 without ``fit_intercept``.
    alpha_ : float
        The weight of the penalty that was used.
    alpha_max_ : float
        The least ``alpha`` at which all weights are 0.
    dual_gap_ : float or ndarray of shape (n_targets,)
        How far the objective can be from its optimum.
    n_iter_ : int or list of int
        Passes over working sets of columns.
    objective_, report_
        2n times the objective above, and the whole account.

    Examples
    --------
    >>> from mercer import Lasso
    >>> model = Lasso(alpha=0.1).fit([[0.0, 1.0], [1.0, 1.0], [2.0, 0.0]], [0.0, 1.0, 2.0])
    >>> model.coef_.round(4), round(model.intercept_, 4)
    (array([0.85, 0.  ]), 0.15)
    """

    _method = "lasso"
    _task = "regress"
    _continues = True
    _setting_names = {
        "alpha": "alpha",
        "fit_intercept": "bias",
        "max_iter": "max_iterations",
        "tol": "tolerance",
        "positive": "positive",
    }
    _searched = ("alpha",)
    _parameter_constraints: dict = {
        "alpha": [NOT_NEGATIVE, StrOptions({"cv"})],
        "fit_intercept": ["boolean"],
        "precompute": ["boolean", "array-like"],
        "copy_X": ["boolean"],
        "max_iter": [Interval(Integral, -1, None, closed="left")],
        "tol": [NOT_NEGATIVE],
        "warm_start": ["boolean"],
        "positive": ["boolean"],
        "random_state": ["random_state"],
        "selection": [StrOptions({"cyclic", "random"})],
        "encode": [dict, str, None],
    }

    def __init__(
        self,
        alpha=1.0,
        *,
        fit_intercept=True,
        precompute=False,
        copy_X=True,
        max_iter=1000,
        tol=1e-4,
        warm_start=False,
        positive=False,
        random_state=None,
        selection="cyclic",
        encode=None,
    ):
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.encode = encode


class ElasticNet(SparseLine):
    """Elastic net, with scikit-learn's names and meanings.

    Minimises (1 / 2n) Σ (y − ⟨w, x⟩ − b)² + alpha (l1_ratio ‖w‖₁ + ½ (1 − l1_ratio) ‖w‖²),
    as :class:`Lasso` does.

    Parameters
    ----------
    alpha : float or "cv", default=1.0
        Weight of the penalty; ``"cv"`` takes the best of 100 values on five folds.
    l1_ratio : float, default=0.5
        Share of the absolute values in the penalty: 1 is the LASSO, 0 ridge regression.
    fit_intercept : bool, default=True
        Whether a constant without penalty is part of the function.
    precompute : bool or array-like of shape (n_features, n_features), default=False
        Accepted for compatibility; products of columns are computed where they pay.
    max_iter : int, default=1000
        Largest number of solver steps per problem; -1 sets no limit in practice.
    copy_X : bool, default=True
        Accepted for compatibility; rows are never written to.
    tol : float, default=1e-4
        Largest duality gap, as a share of the squares of the centred targets.
    warm_start : bool, default=False
        Whether a fit starts from the weights of the last one.
    positive : bool, default=False
        Whether weights may not be below zero.
    random_state : int or RandomState instance, optional
        Accepted for compatibility; nothing here is random.
    selection : {"cyclic", "random"}, default="cyclic"
        Accepted for compatibility; coordinates are always taken in turn.
    encode : dict of str to str, or str, optional
        How texts become numbers: ``"tfidf"``, ``"bag"``, ``"tfidf(ngrams=2, min=3)"``,
        ``"bag(binary)"``, by name of the columns of a data frame, or in one word where X is
        a list of texts. The other columns of such a frame may be of any kind: categories
        are one-hot encoded, missing values filled in and marked, numbers stay as they are.
        By default X is numbers.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
        The weights; many are exactly 0.
    sparse_coef_ : sparse matrix of shape (1, n_features) or (n_targets, n_features)
        The same, without the zeros.
    intercept_ : float or ndarray of shape (n_targets,)
        The constants; 0 without ``fit_intercept``.
    alpha_ : float
        The weight of the penalty that was used.
    alpha_max_ : float
        The least ``alpha`` at which all weights are 0.
    dual_gap_ : float or ndarray of shape (n_targets,)
        How far the objective can be from its optimum.
    n_iter_ : int or list of int
        Passes over working sets of columns.
    objective_, report_
        2n times the objective above, and the whole account.

    Examples
    --------
    >>> from mercer import ElasticNet
    >>> model = ElasticNet(alpha=0.1).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    >>> model.coef_.round(4)
    array([0.8605])
    """

    _method = "elastic_net"
    _task = "regress"
    _continues = True
    _setting_names = {
        "alpha": "alpha",
        "l1_ratio": "l1_ratio",
        "fit_intercept": "bias",
        "max_iter": "max_iterations",
        "tol": "tolerance",
        "positive": "positive",
    }
    _searched = ("alpha", "l1_ratio")
    _parameter_constraints: dict = {
        "alpha": [NOT_NEGATIVE, StrOptions({"cv"})],
        "l1_ratio": [Interval(Real, 0, 1, closed="both")],
        "fit_intercept": ["boolean"],
        "precompute": ["boolean", "array-like"],
        "max_iter": [Interval(Integral, -1, None, closed="left")],
        "copy_X": ["boolean"],
        "tol": [NOT_NEGATIVE],
        "warm_start": ["boolean"],
        "positive": ["boolean"],
        "random_state": ["random_state"],
        "selection": [StrOptions({"cyclic", "random"})],
        "encode": [dict, str, None],
    }

    def __init__(
        self,
        alpha=1.0,
        *,
        l1_ratio=0.5,
        fit_intercept=True,
        precompute=False,
        max_iter=1000,
        copy_X=True,
        tol=1e-4,
        warm_start=False,
        positive=False,
        random_state=None,
        selection="cyclic",
        encode=None,
    ):
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.copy_X = copy_X
        self.tol = tol
        self.warm_start = warm_start
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.encode = encode


class Perceptron(LinearPerceptron):
    """The perceptron, with scikit-learn's names and meanings.

    Every row on the wrong side is added to the weights, w ← w + eta0 y x, pass after pass.
    It ends with the first pass without a mistake, and where classes cannot be separated
    once passes do not help any more. Several classes are told apart one against the rest.
    Without ``shuffle`` rows come as they are given, and weights are scikit-learn's; with it
    equal rows are visited as one, and ``sample_weight`` means copies.

    Parameters
    ----------
    penalty : {"l2", "l1", "elasticnet"}, optional
        What keeps weights small, where anything does.
    alpha : float, default=0.0001
        Weight λ of the penalty.
    l1_ratio : float, default=0.15
        Share of the absolute values in the penalty ``"elasticnet"``.
    fit_intercept : bool, default=True
        Whether a constant is part of the function, as the weight of a feature 1.
    max_iter : int, default=1000
        Most passes over the rows.
    tol : float, default=0.001
        Gain of the mean loss below which a pass counts as idle; without it only a pass
        without mistakes ends the fit.
    shuffle : bool, default=True
        Whether rows are visited in a new random order in every pass.
    verbose : bool, default=0
        Whether a progress bar is drawn on stderr.
    eta0 : float, default=1.0
        Step η of a mistake.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    random_state : int or RandomState instance, default=0
        What orders of rows, and rows that are set aside, are drawn with.
    early_stopping : bool, default=False
        Set rows aside, and stop when the score on them does not rise any more.
    validation_fraction : float, default=0.1
        Share of the rows that ``early_stopping`` sets aside.
    n_iter_no_change : int, default=5
        Idle passes in a row that end the fit.
    class_weight : dict or "balanced", optional
        Factors on the step by class.
    warm_start : bool, default=False
        Whether a second ``fit`` starts from the solution of the first.
    variant : {"plain", "pocket", "averaged"}, default="plain"
        Which weights are kept: the last ones, those with the fewest errors, or their mean.
    encode : dict of str to str, or str, optional
        How texts become numbers: ``"tfidf"``, ``"bag"``, ``"tfidf(ngrams=2, min=3)"``,
        ``"bag(binary)"``, by name of the columns of a data frame, or in one word where X is
        a list of texts. The other columns of such a frame may be of any kind: categories
        are one-hot encoded, missing values filled in and marked, numbers stay as they are.
        By default X is numbers.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        The weights.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        The constants; 0 without ``fit_intercept``.
    n_iter_ : int
        Passes over the rows, the largest number of all decisions.
    t_ : int
        Visits of rows, plus 1.
    mistakes_ : ndarray of int
        Mistakes of every decision.
    mistake_bound_ : ndarray of float
        The most mistakes that there can be, (R/γ)²; NaN where rows were not separated.
    objective_, stop_reason_, report_
        Σ max(0, −y f), why passes ended, and the whole account.

    Examples
    --------
    >>> from mercer import Perceptron
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    >>> model = Perceptron(shuffle=False, tol=None).fit(X, y)
    >>> model.predict(X).tolist(), int(model.mistakes_[0]), float(model.mistake_bound_[0].round(3))
    ([0, 0, 0, 1], 18, 51.0)
    """

    _method = "perceptron"
    _task = "classify"
    _continues = True
    _setting_names = {
        "penalty": "penalty",
        "alpha": "lambda",
        "l1_ratio": "l1_ratio",
        "fit_intercept": "bias",
        "max_iter": "max_iterations",
        "tol": "tolerance",
        "shuffle": "shuffle",
        "eta0": "step",
        "early_stopping": "early_stopping",
        "validation_fraction": "validation",
        "n_iter_no_change": "patience",
        "class_weight": "class_weights",
        "variant": "variant",
    }
    _searched = ("alpha",)
    _parameter_constraints: dict = {
        "penalty": [StrOptions({"l2", "l1", "elasticnet"}), None],
        "alpha": [NOT_NEGATIVE],
        "l1_ratio": [Interval(Real, 0, 1, closed="both")],
        "fit_intercept": ["boolean"],
        "max_iter": [COUNT],
        "tol": [NOT_NEGATIVE, None],
        "shuffle": ["boolean"],
        "verbose": ["verbose"],
        "eta0": [POSITIVE],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
        "early_stopping": ["boolean"],
        "validation_fraction": [Interval(Real, 0, 1, closed="neither")],
        "n_iter_no_change": [COUNT],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "warm_start": ["boolean"],
        "variant": [StrOptions({"plain", "pocket", "averaged"})],
        "encode": [dict, str, None],
    }

    def __init__(
        self,
        *,
        penalty=None,
        alpha=0.0001,
        l1_ratio=0.15,
        fit_intercept=True,
        max_iter=1000,
        tol=0.001,
        shuffle=True,
        verbose=0,
        eta0=1.0,
        n_jobs=None,
        random_state=0,
        early_stopping=False,
        validation_fraction=0.1,
        n_iter_no_change=5,
        class_weight=None,
        warm_start=False,
        variant="plain",
        encode=None,
    ):
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.verbose = verbose
        self.eta0 = eta0
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.variant = variant
        self.encode = encode


class KernelPerceptron(KernelPerceptronClassifier):
    """The perceptron in the space of a kernel.

    Every row on the wrong side is added to the function, f ← f + eta0 y k(x, ·). Everything
    else is as in :class:`Perceptron`.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        As in :class:`SVC`.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``; ``"scale"`` is 1 /
        (n_features * X.var()), with weights as copies.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    variant : {"plain", "pocket", "averaged"}, default="plain"
        Which weights are kept: the last ones, those with the fewest errors, or their mean.
    fit_intercept : bool, default=True
        Whether a constant is part of the function, as the weight of a feature 1.
    max_iter : int, default=1000
        Most passes over the rows.
    tol : float, default=0.001
        Gain of the mean loss below which a pass counts as idle; without it only a pass
        without mistakes ends the fit.
    shuffle : bool, default=True
        Whether rows are visited in a new random order in every pass.
    eta0 : float, default=1.0
        Step η of a mistake.
    early_stopping : bool, default=False
        Set rows aside, and stop when the score on them does not rise any more.
    validation_fraction : float, default=0.1
        Share of the rows that ``early_stopping`` sets aside.
    n_iter_no_change : int, default=5
        Idle passes in a row that end the fit.
    class_weight : dict or "balanced", optional
        Factors on the step by class.
    random_state : int or RandomState instance, default=0
        What orders of rows, and rows that are set aside, are drawn with.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    memory_limit : int, optional
        Bytes for kernel values; a quarter of the machine's memory by default.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    n_iter_, mistakes_, mistake_bound_
        As in :class:`Perceptron`.
    support_, support_vectors_, dual_coef_, intercept_, report_, kernel_
        As in :class:`SVC`; support vectors are the rows on which mistakes were made.

    Examples
    --------
    >>> from mercer import KernelPerceptron
    >>> X, y = [[0, 0], [1, 1], [0, 1], [1, 0]], ["a", "a", "b", "b"]
    >>> KernelPerceptron(gamma=1.0, tol=None).fit(X, y).predict(X).tolist()
    ['a', 'a', 'b', 'b']
    """

    _method = "perceptron"
    _task = "classify"
    _continues = True
    _setting_names = {
        "kernel": "kernel",
        "variant": "variant",
        "fit_intercept": "bias",
        "max_iter": "max_iterations",
        "tol": "tolerance",
        "shuffle": "shuffle",
        "eta0": "step",
        "early_stopping": "early_stopping",
        "validation_fraction": "validation",
        "n_iter_no_change": "patience",
        "class_weight": "class_weights",
    }
    _parameter_constraints: dict = {
        "kernel": [str, Kernel, callable],
        "degree": [Interval(Integral, 0, None, closed="left")],
        "gamma": [StrOptions({"scale", "auto"}), NOT_NEGATIVE],
        "coef0": [FINITE],
        "variant": [StrOptions({"plain", "pocket", "averaged"})],
        "fit_intercept": ["boolean"],
        "max_iter": [COUNT],
        "tol": [NOT_NEGATIVE, None],
        "shuffle": ["boolean"],
        "eta0": [POSITIVE],
        "early_stopping": ["boolean"],
        "validation_fraction": [Interval(Real, 0, 1, closed="neither")],
        "n_iter_no_change": [COUNT],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
        "memory_limit": [POSITIVE, None],
    }

    def __init__(
        self,
        *,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        variant="plain",
        fit_intercept=True,
        max_iter=1000,
        tol=0.001,
        shuffle=True,
        eta0=1.0,
        early_stopping=False,
        validation_fraction=0.1,
        n_iter_no_change=5,
        class_weight=None,
        random_state=0,
        n_jobs=None,
        memory_limit=None,
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.variant = variant
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.eta0 = eta0
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit


class KMeans(CentreClusterer):
    """k-means, with scikit-learn's names and meanings.

    Minimises Σ ‖x − c‖² over the centres c and the assignment of rows to them, by Lloyd's
    iteration; bounds on distances spare most of the work and change nothing.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    init : {"k-means++", "random"}, array-like or callable, default="k-means++"
        How the first centres are chosen: far apart with high probability, or as random
        rows; or the centres themselves, or a function ``init(X, n_clusters, random_state)``
        that returns them.
    n_init : "auto" or int, default="auto"
        Runs from different first centres, the best of which counts; ``"auto"`` is 1 for
        ``"k-means++"`` and given centres, and 10 otherwise.
    max_iter : int, default=300
        Most iterations of a run.
    tol : float, default=1e-4
        Share of the mean variance of the columns below which moves of the centres end a
        run.
    verbose : bool, default=0
        Whether a progress bar is drawn on stderr.
    random_state : int or RandomState instance, optional
        What first centres are drawn with.
    copy_x : bool, default=True
        Accepted for compatibility; rows are never written to.
    algorithm : {"lloyd", "elkan"}, default="lloyd"
        Accepted for compatibility; both have the same solution.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        The centres.
    labels_ : ndarray of shape (n_samples,)
        The nearest centre of every row.
    inertia_ : float
        Σ ‖x − c‖² over rows and their centres, weights counted.
    n_iter_ : int
        Iterations of the run that was best.
    objective_, stop_reason_, report_
        The inertia, why the run stopped, and the whole account.

    Examples
    --------
    >>> from mercer import KMeans
    >>> model = KMeans(2, random_state=0).fit([[0.0], [1.0], [10.0], [11.0]])
    >>> sorted(model.cluster_centers_[:, 0].tolist())
    [0.5, 10.5]
    >>> model.inertia_
    1.0
    """

    _method = "kmeans"
    _task = "cluster"
    _continues = True
    _setting_names = {
        "n_clusters": "clusters",
        "init": "init",
        "n_init": "starts",
        "max_iter": "max_iterations",
        "tol": "tolerance",
    }
    _parameter_constraints: dict = {
        "n_clusters": [COUNT],
        "init": [StrOptions({"k-means++", "random"}), callable, "array-like"],
        "n_init": [StrOptions({"auto"}), COUNT],
        "max_iter": [COUNT],
        "tol": [NOT_NEGATIVE],
        "verbose": ["verbose"],
        "random_state": ["random_state"],
        "copy_x": ["boolean"],
        "algorithm": [StrOptions({"lloyd", "elkan"})],
    }

    def __init__(
        self,
        n_clusters=8,
        *,
        init="k-means++",
        n_init="auto",
        max_iter=300,
        tol=1e-4,
        verbose=0,
        random_state=None,
        copy_x=True,
        algorithm="lloyd",
    ):
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state
        self.copy_x = copy_x
        self.algorithm = algorithm


class KernelKMeans(KernelClusterer):
    """k-means in the space of a kernel.

    Minimises Σ ‖φ(x) − m‖² over the assignment of rows to the means m of their clusters.
    New rows belong to the nearest mean.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    kernel : str, Kernel or callable, default="rbf"
        As in :class:`SVC`.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``; ``"scale"`` is 1 /
        (n_features * X.var()), with weights as copies.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    n_init : int, default=10
        Runs from different first means, the best of which counts.
    max_iter : int, default=300
        Most iterations of a run.
    random_state : int or RandomState instance, optional
        What first means are drawn with.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    memory_limit : int, optional
        Bytes for kernel values; a quarter of the machine's memory by default.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of every row.
    inertia_ : float
        Σ ‖φ(x) − m‖² over rows and the means of their clusters, weights counted.
    n_iter_ : int
        Iterations of the run that was best.
    objective_, stop_reason_, report_
        The inertia, why the run stopped, and the whole account.

    Examples
    --------
    >>> from mercer import KernelKMeans
    >>> words = ["banana", "bananas", "ananas", "kernel", "kernels"]
    >>> kernel = "normalise(spectrum(length=2))"
    >>> labels = KernelKMeans(2, kernel=kernel, random_state=0).fit_predict(words)
    >>> bool(labels[0] == labels[1] == labels[2] != labels[3] == labels[4])
    True
    """

    _method = "kernel_kmeans"
    _task = "cluster"
    _setting_names = {
        "n_clusters": "clusters",
        "kernel": "kernel",
        "n_init": "starts",
        "max_iter": "max_iterations",
    }
    _parameter_constraints: dict = {
        "n_clusters": [COUNT],
        "kernel": [str, Kernel, callable],
        "degree": [Interval(Integral, 0, None, closed="left")],
        "gamma": [StrOptions({"scale", "auto"}), NOT_NEGATIVE],
        "coef0": [FINITE],
        "n_init": [COUNT],
        "max_iter": [COUNT],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
        "memory_limit": [POSITIVE, None],
    }

    def __init__(
        self,
        n_clusters=8,
        *,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        n_init=10,
        max_iter=300,
        random_state=None,
        n_jobs=None,
        memory_limit=None,
    ):
        self.n_clusters = n_clusters
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit


class SelfOrganizingMap(MapClusterer):
    """Kohonen map: units on a grid that follow the rows, so that neighbours are alike.

    Batch training moves all units to means of rows, weighted by a Gaussian of distances on
    the grid whose radius shrinks; online training follows one row after another.

    Parameters
    ----------
    n_rows : int, optional
        Rows of units; with the columns left open too, about 5√n units in the proportions of
        the rows.
    n_columns : int, optional
        Columns of units.
    lattice : {"hexagonal", "rectangular"}, default="hexagonal"
        How units lie: with six neighbours, or in rows and columns.
    training : {"batch", "online"}, default="batch"
        All rows at a time, or one after another.
    init : {"pca", "random"} or array-like, default="pca"
        Where units start: on the plane of the two leading principal directions, at random
        rows, or at given vectors, row by row of the grid.
    epochs : int, default=20
        Passes over the rows.
    radius : float, optional
        First radius of the neighbourhood, in steps of the grid; half the longer side where
        it is left open.
    last_radius : float, default=0.5
        Last radius of the neighbourhood; 0 is k-means.
    learning_rate : float, default=0.5
        First rate of online steps, which falls to 0.
    random_state : int or RandomState instance, optional
        What random rows, and the order of online visits, are drawn with.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.

    Attributes
    ----------
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
        Σ ‖x − m‖², why training stopped, and the whole account.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import SelfOrganizingMap
    >>> X = load_iris().data
    >>> flowers = SelfOrganizingMap(6, 10).fit(X)
    >>> flowers.u_matrix_.shape
    (6, 10)
    >>> int(flowers.hits_.sum())
    150
    """

    _method = "som"
    _task = "cluster"
    _continues = True
    _setting_names = {
        "n_rows": "map_rows",
        "n_columns": "map_columns",
        "lattice": "lattice",
        "training": "training",
        "init": "init",
        "epochs": "epochs",
        "radius": "radius",
        "last_radius": "last_radius",
        "learning_rate": "rate",
    }
    _parameter_constraints: dict = {
        "n_rows": [COUNT, None],
        "n_columns": [COUNT, None],
        "lattice": [StrOptions({"hexagonal", "rectangular"})],
        "training": [StrOptions({"batch", "online"})],
        "init": [StrOptions({"pca", "random"}), "array-like"],
        "epochs": [COUNT],
        "radius": [POSITIVE, None],
        "last_radius": [NOT_NEGATIVE],
        "learning_rate": [SHARE],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        n_rows=None,
        n_columns=None,
        *,
        lattice="hexagonal",
        training="batch",
        init="pca",
        epochs=20,
        radius=None,
        last_radius=0.5,
        learning_rate=0.5,
        random_state=None,
        n_jobs=None,
    ):
        self.n_rows = n_rows
        self.n_columns = n_columns
        self.lattice = lattice
        self.training = training
        self.init = init
        self.epochs = epochs
        self.radius = radius
        self.last_radius = last_radius
        self.learning_rate = learning_rate
        self.random_state = random_state
        self.n_jobs = n_jobs


class LVQClassifier(PrototypeClassifier):
    """Learning vector quantisation: a few prototypes for every class.

    A row is of the class of the nearest prototype. Rows pull prototypes of their class and
    push others away, from the centres of k-means inside each class on.

    Parameters
    ----------
    prototypes_per_class : int, default=4
        Prototypes of every class.
    variant : {"lvq1", "lvq2.1", "lvq3"}, default="lvq1"
        Which prototypes a row moves.
    epochs : int, default=30
        Passes over the rows.
    learning_rate : float, default=0.1
        First rate of steps, which falls to 0.
    window : float, default=0.3
        Relative width of the window between two prototypes in which LVQ2.1 and LVQ3 move
        them.
    both_right : float, default=0.2
        Share of a step by which LVQ3 moves two prototypes that are both right.
    random_state : int or RandomState instance, optional
        What the order of visits is drawn with.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    prototypes_ : ndarray of shape (n_prototypes, n_features)
        The prototypes.
    prototype_labels_ : ndarray of shape (n_prototypes,)
        The label of each.
    objective_, stop_reason_, report_
        Share of training rows that are wrong, why training stopped, and the whole account.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from mercer import LVQClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LVQClassifier(2, random_state=0).fit(X, y)
    >>> model.prototypes_.shape
    (6, 4)
    >>> bool(model.score(X, y) > 0.9)
    True
    """

    _method = "lvq"
    _task = "classify"
    _setting_names = {
        "prototypes_per_class": "prototypes",
        "variant": "variant",
        "epochs": "epochs",
        "learning_rate": "rate",
        "window": "window",
        "both_right": "both_right",
    }
    _searched = ("prototypes_per_class",)
    _parameter_constraints: dict = {
        "prototypes_per_class": [COUNT],
        "variant": [StrOptions({"lvq1", "lvq2.1", "lvq3"})],
        "epochs": [COUNT],
        "learning_rate": [SHARE],
        "window": [SHARE],
        "both_right": [SHARE],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        prototypes_per_class=4,
        *,
        variant="lvq1",
        epochs=30,
        learning_rate=0.1,
        window=0.3,
        both_right=0.2,
        random_state=None,
        n_jobs=None,
    ):
        self.prototypes_per_class = prototypes_per_class
        self.variant = variant
        self.epochs = epochs
        self.learning_rate = learning_rate
        self.window = window
        self.both_right = both_right
        self.random_state = random_state
        self.n_jobs = n_jobs


class C45Classifier(TreeClassifier):
    """C4.5 decision tree.

    Tests of single columns by gain ratio, pruned by the errors that are expected on new
    rows; by default the trees of Weka's J48. Frames may have numbers, booleans, dates,
    categories and strings, with cells missing; arrays may hold NaN. Nothing is scaled,
    filled in or one-hot encoded.

    Parameters
    ----------
    confidence : float, default=0.25
        Confidence factor of pruning, at most 0.5: smaller ones prune more.
    min_rows : int, default=2
        Weight of rows that at least two branches of a test must have.
    max_depth : int, optional
        Most tests below each other; 1 is a stump, None no limit.
    prune : bool, default=True
        Whether the tree is pruned by expected errors.
    raising : bool, default=True
        Whether the largest branch may stand for its parent where that is expected to err
        less.
    estimate : {"normal", "exact"}, default="normal"
        How expected errors are computed: normal approximation (C4.5, J48) or exact
        binomial.
    correction : bool, default=True
        Whether thresholds are charged for being chosen among many, and need sides that are
        not tiny.
    missing : {"fractional", "branch"}, default="fractional"
        Rows with a missing value: in parts down every branch, or down a branch of their
        own.
    laplace : bool, default=False
        Whether one row is added to every class of a leaf, as J48 does on request; one row
        in all where it is not.
    rules : {"auto", "all", "none"}, default="auto"
        Which trees rules are made of: those with at most 50 leaves, all, or none.
    max_seconds : float, optional
        Time limit; the fit stops with what it has.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    feature_importances_ : ndarray of shape (n_features,)
        Share of each column in the bits that all tests gain, weighted by the rows they divide.
    rules_ : list of str
        Rules made of the tree, simplified, the surest of a class first; the last one takes what no
        other covers. Empty where none were made.
    n_leaves_, depth_ : int
        Leaves, and tests on the longest path.
    stump_ : str
        The tree of one test that gets fewest training rows wrong, as text.
    objective_, stop_reason_, report_
        Not a number (growth is greedy), why growth ended, and the whole account.

    Examples
    --------
    >>> from mercer import C45Classifier
    >>> tree = C45Classifier().fit([[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]], list("aaabbb"))
    >>> print(tree.export_text(), end="")
    x0 <= 3: a (3)
    x0 > 3: b (3)
    >>> tree.predict([[5.0]]).tolist()
    ['b']
    """

    _method = "c45"
    _task = "classify"
    _setting_names = {
        "confidence": "confidence",
        "min_rows": "min_rows",
        "max_depth": "max_depth",
        "prune": "prune",
        "raising": "raising",
        "estimate": "estimate",
        "correction": "correction",
        "missing": "missing",
        "laplace": "laplace",
        "rules": "rules",
    }
    _searched = ("confidence",)
    _parameter_constraints: dict = {
        "confidence": [SHARE],
        "min_rows": [COUNT],
        "max_depth": [COUNT, None],
        "prune": ["boolean"],
        "raising": ["boolean"],
        "estimate": [StrOptions({"normal", "exact"})],
        "correction": ["boolean"],
        "missing": [StrOptions({"fractional", "branch"})],
        "laplace": ["boolean"],
        "rules": [StrOptions({"auto", "all", "none"})],
        "max_seconds": [POSITIVE, None],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        confidence=0.25,
        *,
        min_rows=2,
        max_depth=None,
        prune=True,
        raising=True,
        estimate="normal",
        correction=True,
        missing="fractional",
        laplace=False,
        rules="auto",
        max_seconds=None,
        n_jobs=None,
    ):
        self.confidence = confidence
        self.min_rows = min_rows
        self.max_depth = max_depth
        self.prune = prune
        self.raising = raising
        self.estimate = estimate
        self.correction = correction
        self.missing = missing
        self.laplace = laplace
        self.rules = rules
        self.max_seconds = max_seconds
        self.n_jobs = n_jobs


class PCA(AxesProjector):
    """Principal component analysis, with scikit-learn's names and meanings.

    Finds the axes of largest variance. What is fastest for the shape of the rows is chosen:
    products of columns, products of rows, singular values where digits would be lost, or
    blocks of random columns for a few axes of many rows and columns, until residuals are
    small.

    Parameters
    ----------
    n_components : int, float, "mle" or None, optional
        Number of axes; a share of the variance that is to be explained; ``"mle"`` for the
        number of largest evidence (Minka); all where it is ``None``.
    copy : bool, default=True
        Accepted for compatibility; rows are never written to.
    whiten : bool, default=False
        Whether all coordinates are brought to variance 1.
    svd_solver : {"auto", "full", "covariance_eigh", "arpack", "randomized"}, default="auto"
        ``"full"`` and ``"covariance_eigh"`` find all axes at once, ``"arpack"`` and
        ``"randomized"`` the first ones by products with blocks of columns.
    tol : float, default=0.0
        Accepted for compatibility; residuals are brought to 1e-7 of the largest variance.
    iterated_power : int or "auto", default="auto"
        Accepted for compatibility; products go on until residuals are small.
    n_oversamples : int, default=10
        Accepted for compatibility; blocks have 10 columns more than axes.
    power_iteration_normalizer : {"auto", "QR", "LU", "none"}, default="auto"
        Accepted for compatibility; columns are made orthonormal in every round.
    random_state : int or RandomState instance, optional
        What first columns or directions are drawn with.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The axes, one per row; their entries of largest magnitude are positive.
    explained_variance_, explained_variance_ratio_ : ndarray of shape (n_components,)
        Variance along every axis, and its share in all variance.
    singular_values_ : ndarray of shape (n_components,)
        Singular values of the rows around their mean.
    mean_ : ndarray of shape (n_features,)
        Mean of the rows.
    noise_variance_ : float
        Mean variance along the axes that are not kept.
    n_components_, n_samples_ : int
        Axes that are kept, and rows.
    objective_, stop_reason_, report_
        The variance that is not explained, why the search ended, and the whole account.

    Examples
    --------
    >>> from mercer import PCA
    >>> model = PCA(1).fit([[2.0, 1.0], [1.0, 2.0], [-2.0, -1.0], [-1.0, -2.0]])
    >>> model.explained_variance_ratio_.round(3).tolist()
    [0.9]
    >>> model.components_.round(3).tolist()
    [[0.707, 0.707]]
    """

    _method = "pca"
    _task = "embed"
    _setting_names = {"n_components": "components", "whiten": "whiten", "svd_solver": "axes"}
    _parameter_constraints: dict = {
        "n_components": [WHOLE, FRACTION, StrOptions({"mle"}), None],
        "copy": ["boolean"],
        "whiten": ["boolean"],
        "svd_solver": [StrOptions({"auto", "full", "covariance_eigh", "arpack", "randomized"})],
        "tol": [NOT_NEGATIVE],
        "iterated_power": [StrOptions({"auto"}), WHOLE],
        "n_oversamples": [COUNT],
        "power_iteration_normalizer": [StrOptions({"auto", "QR", "LU", "none"})],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_components=None,
        *,
        copy=True,
        whiten=False,
        svd_solver="auto",
        tol=0.0,
        iterated_power="auto",
        n_oversamples=10,
        power_iteration_normalizer="auto",
        random_state=None,
    ):
        self.n_components = n_components
        self.copy = copy
        self.whiten = whiten
        self.svd_solver = svd_solver
        self.tol = tol
        self.iterated_power = iterated_power
        self.n_oversamples = n_oversamples
        self.power_iteration_normalizer = power_iteration_normalizer
        self.random_state = random_state


class KernelPCA(KernelProjector):
    """Kernel principal component analysis, with scikit-learn's names and meanings.

    Finds the axes of largest variance in the space of a kernel, any kernel expression among
    them. A few components of many rows are found by products with blocks of columns,
    without a matrix where none fits.

    Parameters
    ----------
    n_components : int, optional
        Number of components; all with an eigenvalue above 0 where it is ``None``.
    kernel : str, Kernel or callable, default="linear"
        ``"linear"``, ``"poly"``, ``"rbf"``, ``"sigmoid"``, ``"cosine"``, ``"precomputed"``,
        any kernel expression, or a function of two rows.
    gamma : float, optional
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``; 1 / n_features where it is
        ``None``.
    degree : float, default=3
        Degree of ``"poly"``.
    coef0 : float, default=1
        Constant of ``"poly"`` and ``"sigmoid"``.
    kernel_params : dict, optional
        Parameters of a kernel that is a function.
    alpha : float, default=1.0
        Regularisation of that ridge regression.
    fit_inverse_transform : bool, default=False
        Whether the way back from coordinates to rows is learnt, by ridge regression.
    eigen_solver : {"auto", "dense", "arpack", "randomized"}, default="auto"
        Accepted for compatibility; what takes less work is chosen.
    tol : float, default=0
        Largest residual of a component, relative to the largest eigenvalue; 0 means 1e-7.
    max_iter : int, optional
        Most products with a block of columns.
    iterated_power : int or "auto", default="auto"
        Accepted for compatibility; products go on until residuals are small.
    remove_zero_eig : bool, default=False
        Whether components with an eigenvalue of 0 are left out.
    random_state : int or RandomState instance, optional
        What first columns or directions are drawn with.
    copy_X : bool, default=True
        Accepted for compatibility; rows are copied always, never written to.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    centred : bool, default=True
        Whether rows are taken around their mean in the space of the kernel.
    memory_limit : int, optional
        Bytes for kernel values; a quarter of the machine's memory by default.

    Attributes
    ----------
    eigenvalues_ : ndarray of shape (n_components,)
        Eigenvalues of the kernel matrix around its mean, the largest first.
    eigenvectors_ : ndarray of shape (n_samples, n_components)
        Their vectors, one per column; entries of largest magnitude are positive.
    X_fit_ : {ndarray, sparse matrix} of shape (n_samples, n_features)
        The rows that were given.
    dual_coef_, X_transformed_fit_ : ndarray
        The learnt way back, with ``fit_inverse_transform``.
    gamma_ : float
        The coefficient of the kernel that was used.
    explained_variance_ratio_ : ndarray of shape (n_components,)
        Share of every eigenvalue in the trace.
    objective_, stop_reason_, report_
        What of the trace is not explained, why the search ended, and the whole account.

    Examples
    --------
    >>> from mercer import KernelPCA
    >>> X = [[0.0, 0.0], [2.0, 0.0], [0.0, 1.0], [2.0, 1.0], [1.0, 3.0]]
    >>> model = KernelPCA(2, kernel="rbf", gamma=0.25).fit(X)
    >>> model.eigenvalues_.round(4).tolist()
    [1.1244, 1.0373]
    >>> model.residual([[1.0, 1.0], [9.0, 9.0]]).round(4).tolist()
    [0.2237, 1.4686]
    """

    _method = "kpca"
    _task = "embed"
    _setting_names = {
        "n_components": "components",
        "kernel": "kernel",
        "alpha": "ridge",
        "fit_inverse_transform": "restore",
        "tol": "tolerance",
        "max_iter": "max_iterations",
        "remove_zero_eig": "leave_out_zeros",
        "centred": "centred",
    }
    _parameter_constraints: dict = {
        "n_components": [COUNT, None],
        "kernel": [str, Kernel, callable],
        "gamma": [NOT_NEGATIVE, None],
        "degree": [NOT_NEGATIVE],
        "coef0": [FINITE],
        "kernel_params": [dict, None],
        "alpha": [NOT_NEGATIVE],
        "fit_inverse_transform": ["boolean"],
        "eigen_solver": [StrOptions({"auto", "dense", "arpack", "randomized"})],
        "tol": [NOT_NEGATIVE],
        "max_iter": [COUNT, None],
        "iterated_power": [StrOptions({"auto"}), WHOLE],
        "remove_zero_eig": ["boolean"],
        "random_state": ["random_state"],
        "copy_X": ["boolean"],
        "n_jobs": [Integral, None],
        "centred": ["boolean"],
        "memory_limit": [POSITIVE, None],
    }

    def __init__(
        self,
        n_components=None,
        *,
        kernel="linear",
        gamma=None,
        degree=3,
        coef0=1,
        kernel_params=None,
        alpha=1.0,
        fit_inverse_transform=False,
        eigen_solver="auto",
        tol=0,
        max_iter=None,
        iterated_power="auto",
        remove_zero_eig=False,
        random_state=None,
        copy_X=True,
        n_jobs=None,
        centred=True,
        memory_limit=None,
    ):
        self.n_components = n_components
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.alpha = alpha
        self.fit_inverse_transform = fit_inverse_transform
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.iterated_power = iterated_power
        self.remove_zero_eig = remove_zero_eig
        self.random_state = random_state
        self.copy_X = copy_X
        self.n_jobs = n_jobs
        self.centred = centred
        self.memory_limit = memory_limit


class FastICA(SourceProjector):
    """Independent component analysis by FastICA, with scikit-learn's names and meanings.

    Takes mixtures of independent sources apart.

    Parameters
    ----------
    n_components : int, optional
        Number of components; as many as columns where it is ``None``.
    algorithm : {"parallel", "deflation"}, default="parallel"
        Whether all components are found together, or one after the other.
    whiten : {"unit-variance", "arbitrary-variance"} or False, default="unit-variance"
        How large sources are; ``False`` where rows are white already.
    fun : {"logcosh", "exp", "cube"} or callable, default="logcosh"
        The function that tells how far from normal a coordinate is. A callable is refused:
        the work is done outside of Python.
    fun_args : dict, optional
        ``alpha`` of ``"logcosh"``, from 1 to 2.
    max_iter : int, default=200
        Most steps.
    tol : float, default=1e-4
        Change of the directions, 1 − |⟨w, w′⟩|, below which they have settled.
    w_init : array-like of shape (n_components, n_components), optional
        First directions among white rows; drawn from a normal distribution where it is
        ``None``.
    whiten_solver : {"svd", "eigh"}, default="svd"
        Accepted for compatibility; what keeps all digits is chosen.
    random_state : int or RandomState instance, optional
        What first columns or directions are drawn with.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        What rows are multiplied by to give sources.
    mixing_ : ndarray of shape (n_features, n_components)
        Its pseudoinverse: what sources are multiplied by to give rows.
    mean_ : ndarray of shape (n_features,)
        Mean of the rows, where they were made white.
    whitening_ : ndarray of shape (n_components, n_features)
        What made rows white.
    n_iter_ : int
        Steps that were taken; of several directions one after the other the most.
    stop_reason_, report_
        Why the search ended, and the whole account.

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import FastICA
    >>> t = np.arange(2000)
    >>> sources = np.column_stack([np.sign(np.sin(2 * np.pi * t / 97)), (t % 61) / 30.5 - 1])
    >>> found = FastICA(random_state=0).fit_transform(sources @ np.array([[1.0, 0.5], [1.0, 2.0]]))
    >>> bool(np.abs(np.corrcoef(sources.T, found.T)[:2, 2:]).max(axis=1).min() > 0.9999)
    True
    """

    _method = "ica"
    _task = "embed"
    _continues = True
    _setting_names = {
        "n_components": "components",
        "algorithm": "algorithm",
        "fun": "contrast",
        "max_iter": "max_iterations",
        "tol": "tolerance",
    }
    _parameter_constraints: dict = {
        "n_components": [COUNT, None],
        "algorithm": [StrOptions({"parallel", "deflation"})],
        "whiten": [StrOptions({"arbitrary-variance", "unit-variance"}), Options(bool, {False})],
        "fun": [StrOptions({"logcosh", "exp", "cube"}), callable],
        "fun_args": [dict, None],
        "max_iter": [COUNT],
        "tol": [NOT_NEGATIVE],
        "w_init": ["array-like", None],
        "whiten_solver": [StrOptions({"eigh", "svd"})],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_components=None,
        *,
        algorithm="parallel",
        whiten="unit-variance",
        fun="logcosh",
        fun_args=None,
        max_iter=200,
        tol=1e-4,
        w_init=None,
        whiten_solver="svd",
        random_state=None,
    ):
        self.n_components = n_components
        self.algorithm = algorithm
        self.whiten = whiten
        self.fun = fun
        self.fun_args = fun_args
        self.max_iter = max_iter
        self.tol = tol
        self.w_init = w_init
        self.whiten_solver = whiten_solver
        self.random_state = random_state


class Nystroem(LandmarkFeatures):
    """Nyström features of a kernel, with scikit-learn's names and meanings.

    Rows are compared with landmarks, under any kernel expression; inner products of
    features are nearly the kernel. By default landmarks are the rows that scikit-learn
    draws; ``landmarks="pivoted"`` chooses such as leave less of the kernel over.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        A name of scikit-learn's kernels, any kernel expression, or a function of two rows.
    gamma : float, optional
        Coefficient of scikit-learn's kernels; 1 / n_features where it is ``None`` (1 for
        ``"chi2"``).
    coef0 : float, optional
        Offset of ``"poly"`` and ``"sigmoid"``; 1 where it is ``None``.
    degree : float, optional
        Degree of ``"poly"``; 3 where it is ``None``.
    kernel_params : dict, optional
        Parameters of a kernel that is a function.
    n_components : int, default=100
        Number of landmarks, at most that of rows.
    random_state : int or RandomState instance, optional
        What landmarks, or frequencies and offsets, are drawn with.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    landmarks : str, array-like or None, default="uniform"
        How landmarks are chosen: scikit-learn's uniform draw, randomly pivoted Cholesky,
        centres of k-means, rows in proportion to k(x, x)²; or the landmarks themselves, as
        rows or as whole numbers of rows.
    fit_inverse_transform : bool, default=False
        Whether the way back from features to rows is learnt, by ridge regression.
    alpha : float, default=1.0
        Regularisation of that ridge regression.
    memory_limit : int, optional
        Bytes for kernel values; a quarter of the machine's memory by default.

    Attributes
    ----------
    components_ : {ndarray, sparse matrix} of shape (n_components, n_features)
        The landmarks.
    component_indices_ : ndarray of shape (n_components,)
        Their row numbers; absent where landmarks are no rows.
    normalization_ : ndarray of shape (n_components, n_components)
        The root of the inverse of their kernel matrix, on its numerical range.
    report_
        The whole account, with the measured error of kernel values.

    Examples
    --------
    >>> from mercer import Nystroem
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> model = Nystroem(gamma=0.5, landmarks=[0, 3]).fit(X)
    >>> Z = model.transform(X)
    >>> round(float(Z[1] @ Z[2]), 8)
    0.15989949
    >>> round(float(model.residual(X).sum()), 8)
    1.23116249
    """

    _method = "nystroem"
    _task = "embed"
    _setting_names = {
        "kernel": "kernel",
        "n_components": "components",
        "landmarks": "landmarks",
        "alpha": "lambda",
    }
    _parameter_constraints: dict = {
        "kernel": [str, Kernel, callable],
        "gamma": [NOT_NEGATIVE, None],
        "coef0": [FINITE, None],
        "degree": [POSITIVE, None],
        "kernel_params": [dict, None],
        "n_components": [COUNT],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
        "landmarks": [
            StrOptions({"uniform", "pivoted", "kmeans", "squared_diagonal"}), "array-like", None
        ],
        "fit_inverse_transform": ["boolean"],
        "alpha": [NOT_NEGATIVE],
        "memory_limit": [POSITIVE, None],
    }

    def __init__(
        self,
        kernel="rbf",
        *,
        gamma=None,
        coef0=None,
        degree=None,
        kernel_params=None,
        n_components=100,
        random_state=None,
        n_jobs=None,
        landmarks="uniform",
        fit_inverse_transform=False,
        alpha=1.0,
        memory_limit=None,
    ):
        self.kernel = kernel
        self.gamma = gamma
        self.coef0 = coef0
        self.degree = degree
        self.kernel_params = kernel_params
        self.n_components = n_components
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.landmarks = landmarks
        self.fit_inverse_transform = fit_inverse_transform
        self.alpha = alpha
        self.memory_limit = memory_limit


class RBFSampler(RandomFourier):
    """Random Fourier features of the Gaussian kernel, with scikit-learn's names and meanings.

    Features are √(2/D)·cos(⟨w, x⟩ + b), whose inner products have exp(-gamma·‖x - z‖²) as
    their mean. By default frequencies and offsets are those that scikit-learn draws;
    ``orthogonal=True`` draws frequencies whose error is smaller.

    Parameters
    ----------
    gamma : float or "scale", default=1.0
        Inverse squared width; ``"scale"`` is 1 / (n_features · X.var()).
    n_components : int, default=100
        Number of features.
    random_state : int or RandomState instance, optional
        What landmarks, or frequencies and offsets, are drawn with.
    orthogonal : bool, default=False
        Whether frequencies are drawn in blocks of orthogonal directions.
    fit_inverse_transform : bool, default=False
        Whether the way back from features to rows is learnt, by ridge regression.
    alpha : float, default=1.0
        Regularisation of that ridge regression.

    Attributes
    ----------
    random_weights_ : ndarray of shape (n_features, n_components)
        The frequencies, one per column.
    random_offset_ : ndarray of shape (n_components,)
        The offsets, between 0 and 2π.
    report_
        The whole account, with the measured error of kernel values.

    Examples
    --------
    >>> from mercer import RBFSampler
    >>> X = [[0.0, 0.0], [1.0, 0.5]]
    >>> features = RBFSampler(n_components=20000, random_state=0, orthogonal=True)
    >>> Z = features.fit_transform(X)
    >>> bool(abs(Z[0] @ Z[1] - 0.2865) < 0.03)
    True
    """

    _method = "rff"
    _task = "embed"
    _setting_names = {"n_components": "components", "alpha": "lambda"}
    _parameter_constraints: dict = {
        "gamma": [StrOptions({"scale"}), NOT_NEGATIVE],
        "n_components": [COUNT],
        "random_state": ["random_state"],
        "orthogonal": ["boolean"],
        "fit_inverse_transform": ["boolean"],
        "alpha": [NOT_NEGATIVE],
    }

    def __init__(
        self,
        *,
        gamma=1.0,
        n_components=100,
        random_state=None,
        orthogonal=False,
        fit_inverse_transform=False,
        alpha=1.0,
    ):
        self.gamma = gamma
        self.n_components = n_components
        self.random_state = random_state
        self.orthogonal = orthogonal
        self.fit_inverse_transform = fit_inverse_transform
        self.alpha = alpha


class HopfieldNetwork(AssociativeMemory):
    """Hopfield network: stores patterns of 1 and -1, and recalls the one that a row is most like.

    The weights are W = (1/n) Σ x xᵀ over the patterns with zeros on the diagonal; a recall
    turns states over one after another while that lowers the energy -½ sᵀWs.

    Parameters
    ----------
    max_iter : int, default=100
        Most passes over the columns when a row is recalled.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features, n_features)
        The weights between columns.
    objective_, stop_reason_, report_
        The sum of the patterns' energies, why storing stopped, and the whole account.

    Examples
    --------
    >>> from mercer import HopfieldNetwork
    >>> patterns = [[1, 1, 1, -1, -1, -1, 1, 1, 1, 1, -1, -1, -1, 1, 1, -1]]
    >>> memory = HopfieldNetwork().fit(patterns)
    >>> broken = [[-1, 1, 1, -1, -1, -1, 1, 1, 1, 1, -1, -1, -1, 1, 1, 1]]
    >>> bool((memory.predict(broken) == patterns).all())
    True
    """

    _method = "hopfield"
    _task = "embed"
    _setting_names = {"max_iter": "passes"}
    _parameter_constraints: dict = {
        "max_iter": [COUNT],
    }

    def __init__(
        self,
        *,
        max_iter=100,
    ):
        self.max_iter = max_iter


class KNeighborsClassifier(NeighboursClassifier):
    """Nearest neighbours vote for a class, with scikit-learn's names and meanings.

    Of rows at one distance the first is the nearer, and of classes with equally many votes
    the first is predicted. Rows come and go by :meth:`add` and :meth:`remove`.

    Parameters
    ----------
    n_neighbors : int, default=5
        How many neighbours vote; odd for two classes, which cannot tie then.
    weights : {"uniform", "distance"} or callable, default="uniform"
        How neighbours vote: all alike, by the inverse of their distance, or as a function
        of the distances says, which returns an array of their shape.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute"}, default="auto"
        How neighbours are looked for; what is found is the same. Both trees are k-d trees.
    leaf_size : int, default=30
        Accepted for compatibility; leaves of a tree have 32 rows.
    p : float, default=2
        Exponent of ``"minkowski"``: 1 is the Manhattan distance, 2 the Euclidean one.
    metric : str, Kernel or callable, default="minkowski"
        The distance: ``"minkowski"`` (with ``p``), ``"euclidean"``, ``"manhattan"``,
        ``"chebyshev"``, ``"cosine"`` and scikit-learn's other names of these;
        ``"precomputed"`` where X has distances; ``"mixed"`` for frames with categories and
        missing values, and NaN in arrays; a kernel of :mod:`mercer.kernels`, whose distance
        is √(k(x,x) − 2k(x,z) + k(z,z)); or a function of two rows.
    metric_params : dict, optional
        Further arguments of a function as ``metric``; ``{"p": …}`` is read as ``p``.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    scaling : {"none", "range", "standard", "whiten"}, default="none"
        How numbers are brought to a common size before they are compared; as they are, as
        in scikit-learn, where nothing else is said.
    column_weights : bool, default=False
        Give columns weights that lower the leave-one-out error.

    Attributes
    ----------
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
        Not a number (nothing is minimised), why the fit ended, and the whole account.

    Examples
    --------
    >>> from mercer import KNeighborsClassifier
    >>> model = KNeighborsClassifier(n_neighbors=3).fit([[0], [1], [2], [3]], [0, 0, 1, 1])
    >>> model.predict([[1.1]]).tolist()
    [0]
    >>> model.predict_proba([[0.9]]).round(4).tolist()
    [[0.6667, 0.3333]]
    """

    _method = "knn"
    _task = "classify"
    _setting_names = {
        "n_neighbors": "neighbours",
        "weights": "votes",
        "algorithm": "index",
        "p": "exponent",
        "metric": "distance",
        "scaling": "scaling",
        "column_weights": "column_weights",
    }
    _searched = ("n_neighbors",)
    _parameter_constraints: dict = {
        "n_neighbors": [COUNT],
        "weights": [StrOptions({"uniform", "distance"}), callable, None],
        "algorithm": [StrOptions({"auto", "ball_tree", "kd_tree", "brute"})],
        "leaf_size": [COUNT],
        "p": [EXPONENT, None],
        "metric": [str, Kernel, callable],
        "metric_params": [dict, None],
        "n_jobs": [Integral, None],
        "scaling": [StrOptions({"none", "range", "standard", "whiten"})],
        "column_weights": ["boolean"],
    }

    def __init__(
        self,
        n_neighbors=5,
        *,
        weights="uniform",
        algorithm="auto",
        leaf_size=30,
        p=2,
        metric="minkowski",
        metric_params=None,
        n_jobs=None,
        scaling="none",
        column_weights=False,
    ):
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.scaling = scaling
        self.column_weights = column_weights


class KNeighborsRegressor(NeighboursRegressor):
    """The mean of the nearest neighbours, with scikit-learn's names and meanings.

    Of rows at one distance the first is the nearer. Rows come and go by :meth:`add` and
    :meth:`remove`.

    Parameters
    ----------
    n_neighbors : int, default=5
        How many neighbours vote; odd for two classes, which cannot tie then.
    weights : {"uniform", "distance"} or callable, default="uniform"
        How neighbours vote: all alike, by the inverse of their distance, or as a function
        of the distances says, which returns an array of their shape.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute"}, default="auto"
        How neighbours are looked for; what is found is the same. Both trees are k-d trees.
    leaf_size : int, default=30
        Accepted for compatibility; leaves of a tree have 32 rows.
    p : float, default=2
        Exponent of ``"minkowski"``: 1 is the Manhattan distance, 2 the Euclidean one.
    metric : str, Kernel or callable, default="minkowski"
        The distance: ``"minkowski"`` (with ``p``), ``"euclidean"``, ``"manhattan"``,
        ``"chebyshev"``, ``"cosine"`` and scikit-learn's other names of these;
        ``"precomputed"`` where X has distances; ``"mixed"`` for frames with categories and
        missing values, and NaN in arrays; a kernel of :mod:`mercer.kernels`, whose distance
        is √(k(x,x) − 2k(x,z) + k(z,z)); or a function of two rows.
    metric_params : dict, optional
        Further arguments of a function as ``metric``; ``{"p": …}`` is read as ``p``.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    scaling : {"none", "range", "standard", "whiten"}, default="none"
        How numbers are brought to a common size before they are compared; as they are, as
        in scikit-learn, where nothing else is said.
    column_weights : bool, default=False
        Give columns weights that lower the leave-one-out error.

    Attributes
    ----------
    effective_metric_ : str or callable
        The distance.
    effective_metric_params_ : dict
        Its further arguments.
    n_samples_fit_ : int
        Rows that are kept.
    column_weights_ : dict
        The weight of every column, where weights were learnt.
    objective_, stop_reason_, report_
        Not a number (nothing is minimised), why the fit ended, and the whole account.

    Examples
    --------
    >>> from mercer import KNeighborsRegressor
    >>> model = KNeighborsRegressor(n_neighbors=2).fit([[0], [1], [2], [3]], [0, 0, 1, 1])
    >>> model.predict([[1.5]]).tolist()
    [0.5]
    """

    _method = "knn"
    _task = "regress"
    _setting_names = {
        "n_neighbors": "neighbours",
        "weights": "votes",
        "algorithm": "index",
        "p": "exponent",
        "metric": "distance",
        "scaling": "scaling",
        "column_weights": "column_weights",
    }
    _searched = ("n_neighbors",)
    _parameter_constraints: dict = {
        "n_neighbors": [COUNT],
        "weights": [StrOptions({"uniform", "distance"}), callable, None],
        "algorithm": [StrOptions({"auto", "ball_tree", "kd_tree", "brute"})],
        "leaf_size": [COUNT],
        "p": [EXPONENT, None],
        "metric": [str, Kernel, callable],
        "metric_params": [dict, None],
        "n_jobs": [Integral, None],
        "scaling": [StrOptions({"none", "range", "standard", "whiten"})],
        "column_weights": ["boolean"],
    }

    def __init__(
        self,
        n_neighbors=5,
        *,
        weights="uniform",
        algorithm="auto",
        leaf_size=30,
        p=2,
        metric="minkowski",
        metric_params=None,
        n_jobs=None,
        scaling="none",
        column_weights=False,
    ):
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.scaling = scaling
        self.column_weights = column_weights


class NearestNeighbors(NeighboursAlone):
    """The nearest rows, without anything to predict, with scikit-learn's names and meanings.

    A k-d tree or matrix products find them, whichever is cheaper; what is found is the
    same. Of rows at one distance the first is the nearer.

    Parameters
    ----------
    n_neighbors : int, default=5
        How many neighbours are meant where nothing else is said.
    radius : float, default=1.0
        The distance within which :meth:`radius_neighbors` finds rows.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute"}, default="auto"
        How neighbours are looked for; what is found is the same. Both trees are k-d trees.
    leaf_size : int, default=30
        Accepted for compatibility; leaves of a tree have 32 rows.
    metric : str, Kernel or callable, default="minkowski"
        The distance: ``"minkowski"`` (with ``p``), ``"euclidean"``, ``"manhattan"``,
        ``"chebyshev"``, ``"cosine"`` and scikit-learn's other names of these;
        ``"precomputed"`` where X has distances; ``"mixed"`` for frames with categories and
        missing values, and NaN in arrays; a kernel of :mod:`mercer.kernels`, whose distance
        is √(k(x,x) − 2k(x,z) + k(z,z)); or a function of two rows.
    p : float, default=2
        Exponent of ``"minkowski"``: 1 is the Manhattan distance, 2 the Euclidean one.
    metric_params : dict, optional
        Further arguments of a function as ``metric``; ``{"p": …}`` is read as ``p``.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    scaling : {"none", "range", "standard", "whiten"}, default="none"
        How numbers are brought to a common size before they are compared; as they are, as
        in scikit-learn, where nothing else is said.

    Attributes
    ----------
    effective_metric_ : str or callable
        The distance.
    effective_metric_params_ : dict
        Its further arguments.
    n_samples_fit_ : int
        Rows that are kept.
    objective_, stop_reason_, report_
        Not a number (nothing is minimised), why the fit ended, and the whole account.

    Examples
    --------
    >>> from mercer import NearestNeighbors
    >>> model = NearestNeighbors(n_neighbors=2).fit([[0.0], [1.0], [5.0]])
    >>> distances, rows = model.kneighbors([[0.9]])
    >>> distances.round(1).tolist(), rows.tolist()
    ([[0.1, 0.9]], [[1, 0]])
    """

    _method = "knn"
    _task = "regress"
    _setting_names = {
        "n_neighbors": "neighbours",
        "algorithm": "index",
        "metric": "distance",
        "p": "exponent",
        "scaling": "scaling",
    }
    _searched = ("n_neighbors",)
    _parameter_constraints: dict = {
        "n_neighbors": [COUNT],
        "radius": [NOT_NEGATIVE],
        "algorithm": [StrOptions({"auto", "ball_tree", "kd_tree", "brute"})],
        "leaf_size": [COUNT],
        "metric": [str, Kernel, callable],
        "p": [EXPONENT, None],
        "metric_params": [dict, None],
        "n_jobs": [Integral, None],
        "scaling": [StrOptions({"none", "range", "standard", "whiten"})],
    }

    def __init__(
        self,
        *,
        n_neighbors=5,
        radius=1.0,
        algorithm="auto",
        leaf_size=30,
        metric="minkowski",
        p=2,
        metric_params=None,
        n_jobs=None,
        scaling="none",
    ):
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.scaling = scaling


class IB1Classifier(NearestClassifier):
    """The class of the nearest row (IB1).

    Frames may have numbers, categories and strings, with cells missing, and arrays may hold
    NaN: categories differ by 0 or 1, and a missing number is as far away as the training
    rows allow.

    Parameters
    ----------
    scaling : {"none", "range", "standard", "whiten"}, default="range"
        How numbers are brought to a common size before they are compared.
    metric : {"euclidean", "manhattan", "chebyshev", "cosine"}, default="euclidean"
        The distance of two rows.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    n_samples_fit_ : int
        Rows that are kept.
    objective_, stop_reason_, report_
        Not a number (nothing is minimised), why the fit ended, and the whole account.

    Examples
    --------
    >>> from mercer import IB1Classifier
    >>> IB1Classifier().fit([[0.0], [1.0]], ["a", "b"]).predict([[0.8]]).tolist()
    ['b']
    """

    _method = "ib1"
    _task = "classify"
    _setting_names = {"scaling": "scaling", "metric": "distance"}
    _parameter_constraints: dict = {
        "scaling": [StrOptions({"none", "range", "standard", "whiten"})],
        "metric": [StrOptions({"euclidean", "manhattan", "chebyshev", "cosine"})],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        *,
        scaling="range",
        metric="euclidean",
        n_jobs=None,
    ):
        self.scaling = scaling
        self.metric = metric
        self.n_jobs = n_jobs


class IB2Classifier(CondensedClassifier):
    """The nearest of the rows that were misclassified when they came (IB2).

    Rows are visited as they are given; one is kept where the nearest of those kept before
    is of another class. Rows with wrong labels are misclassified, and so they are kept.
    Rows may be frames with categories and missing cells, as in :class:`IB1Classifier`.

    Parameters
    ----------
    scaling : {"none", "range", "standard", "whiten"}, default="range"
        How numbers are brought to a common size before they are compared.
    metric : {"euclidean", "manhattan", "chebyshev", "cosine"}, default="euclidean"
        The distance of two rows.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    n_samples_fit_ : int
        Rows that are kept.
    sample_indices_ : ndarray of int
        Their places among the training rows.
    objective_, stop_reason_, report_
        Not a number (nothing is minimised), why the fit ended, and the whole account.

    Examples
    --------
    >>> from mercer import IB2Classifier
    >>> X, y = [[0], [1], [4], [3], [2.4], [2.6]], list("aabbab")
    >>> IB2Classifier().fit(X, y).sample_indices_.tolist()
    [0, 2, 4, 5]
    """

    _method = "ib2"
    _task = "classify"
    _setting_names = {"scaling": "scaling", "metric": "distance"}
    _parameter_constraints: dict = {
        "scaling": [StrOptions({"none", "range", "standard", "whiten"})],
        "metric": [StrOptions({"euclidean", "manhattan", "chebyshev", "cosine"})],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        *,
        scaling="range",
        metric="euclidean",
        n_jobs=None,
    ):
        self.scaling = scaling
        self.metric = metric
        self.n_jobs = n_jobs


class MemorisingClassifier(MemoryClassifier):
    """The class of an equal row, and "don't know" elsewhere.

    A baseline: its error on the training rows is that of contradictory rows alone, and it
    has learnt nothing.

    Parameters
    ----------
    abstain : bool, default=True
        Whether rows without an equal one are predicted as ``"don't know"``, and with
        probability 0 for every class; otherwise with the most frequent class.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    n_samples_fit_ : int
        Rows that are kept.
    objective_, stop_reason_, report_
        Not a number (nothing is minimised), why the fit ended, and the whole account.

    Examples
    --------
    >>> from mercer import MemorisingClassifier
    >>> MemorisingClassifier().fit([[0], [1]], ["a", "b"]).predict([[0], [2]]).tolist()
    ['a', "don't know"]
    """

    _method = "memorise"
    _task = "classify"
    _setting_names = {"abstain": "abstain"}
    _parameter_constraints: dict = {
        "abstain": ["boolean"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        *,
        abstain=True,
        n_jobs=None,
    ):
        self.abstain = abstain
        self.n_jobs = n_jobs


class NearestNovelty(NearestDetector):
    """Novelty by neighbours, with scikit-learn's interface of outlier detectors.

    A row is an outlier whose k-th nearest row of the training set is farther away than a
    threshold; a share of the training rows, each looked at as if it were new, is beyond it.
    A training row that is predicted again has itself as its first neighbour.

    Parameters
    ----------
    n_neighbors : int, default=5
        Number of the neighbour whose distance counts.
    share : float, default=0.05
        Expected share of novel rows: so many of the rows learnt from have no such neighbour
        within the threshold.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.

    Attributes
    ----------
    offset_ : float
        What :meth:`score_samples` has to reach for a row to be an inlier.
    n_samples_fit_ : int
        Rows that distances are measured from.
    report_
        The whole account of the fit.

    Examples
    --------
    >>> from mercer import NearestNovelty
    >>> model = NearestNovelty(1, share=0.2).fit([[0.0], [1.0], [2.0], [3.0], [9.0]])
    >>> model.predict([[1.5], [6.0]])
    array([ 1, -1])
    """

    _method = "nearest"
    _task = "novelty"
    _setting_names = {"n_neighbors": "neighbours", "share": "share"}
    _parameter_constraints: dict = {
        "n_neighbors": [COUNT],
        "share": [SHARE],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        n_neighbors=5,
        *,
        share=0.05,
        n_jobs=None,
    ):
        self.n_neighbors = n_neighbors
        self.share = share
        self.n_jobs = n_jobs


class KernelPCANovelty(ComponentDetector):
    """Novelty by kernel principal components, with scikit-learn's interface of outlier detectors.

    A row is an outlier whose squared distance from the plane of the first components, in
    the space of the kernel, is above a threshold; a share of the training rows, each told
    by components that were found without it, is beyond it.

    Parameters
    ----------
    n_components : int, optional
        Number of components; as few as explain ``explained`` where it is ``None``.
    kernel : str or Kernel, default="rbf"
        ``"linear"``, ``"poly"``, ``"rbf"``, ``"sigmoid"``, ``"cosine"`` or any kernel
        expression that is computed from rows.
    degree : float, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of ``"rbf"``, ``"poly"`` and ``"sigmoid"``; ``"scale"`` is 1 /
        (n_features * X.var()), with weights as copies. An expression does not read it,
        ``degree`` or ``coef0``.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    explained : float, default=0.95
        Share of the spread in the space of the kernel that components are to explain, where
        their number is left open.
    share : float, default=0.05
        Expected share of novel rows: so many of the rows that were held out in folds are
        beyond the threshold.
    tol : float, default=1e-7
        Largest residual ‖K v − λ v‖ of a component, relative to the largest eigenvalue.
    max_iter : int, optional
        Most products with a block of columns.
    max_seconds : float, optional
        Time limit; the fit stops with what it has.
    n_jobs : int, optional
        Threads; all cores by default, one inside workers of joblib and Dask.
    memory_limit : int, optional
        Bytes for kernel values; a quarter of the machine's memory by default.

    Attributes
    ----------
    offset_ : float
        What :meth:`score_samples` has to reach for a row to be an inlier.
    eigenvalues_ : ndarray of shape (n_components,)
        Eigenvalues of the components, the largest first.
    explained_variance_ratio_ : ndarray of shape (n_components,)
        Share of each in the spread in the space of the kernel.
    kernel_, report_
        The kernel as it was used, and the whole account of the fit.

    Examples
    --------
    >>> import numpy as np
    >>> from mercer import KernelPCANovelty
    >>> angle = np.linspace(0, 6, 60)
    >>> ring = np.column_stack([np.cos(angle), np.sin(angle)])
    >>> model = KernelPCANovelty(kernel="rbf", gamma=1.0).fit(ring)
    >>> model.predict([[0.6, 0.8], [0.0, 0.0]])
    array([ 1, -1])
    """

    _method = "kpca_novelty"
    _task = "novelty"
    _setting_names = {
        "n_components": "components",
        "kernel": "kernel",
        "explained": "explained",
        "share": "share",
        "tol": "tolerance",
        "max_iter": "max_iterations",
    }
    _parameter_constraints: dict = {
        "n_components": [COUNT, None],
        "kernel": [str, Kernel],
        "degree": [NOT_NEGATIVE],
        "gamma": [StrOptions({"scale", "auto"}), NOT_NEGATIVE],
        "coef0": [FINITE],
        "explained": [SHARE],
        "share": [SHARE],
        "tol": [NOT_NEGATIVE],
        "max_iter": [COUNT, None],
        "max_seconds": [POSITIVE, None],
        "n_jobs": [Integral, None],
        "memory_limit": [POSITIVE, None],
    }

    def __init__(
        self,
        n_components=None,
        *,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        explained=0.95,
        share=0.05,
        tol=1e-7,
        max_iter=None,
        max_seconds=None,
        n_jobs=None,
        memory_limit=None,
    ):
        self.n_components = n_components
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.explained = explained
        self.share = share
        self.tol = tol
        self.max_iter = max_iter
        self.max_seconds = max_seconds
        self.n_jobs = n_jobs
        self.memory_limit = memory_limit


# The classes in the order of the table.
CLASSES = (
    SVC,
    SVR,
    NuSVC,
    NuSVR,
    OneClassSVM,
    LSSVC,
    LSSVR,
    KernelRidge,
    KernelLogisticRegression,
    KernelRiskClassifier,
    KernelRiskRegressor,
    LinearRegression,
    Ridge,
    MLPClassifier,
    MLPRegressor,
    RBFNetRegressor,
    RBFNetClassifier,
    LinearSVC,
    LinearSVR,
    LogisticRegression,
    Lasso,
    ElasticNet,
    Perceptron,
    KernelPerceptron,
    KMeans,
    KernelKMeans,
    SelfOrganizingMap,
    LVQClassifier,
    C45Classifier,
    PCA,
    KernelPCA,
    FastICA,
    Nystroem,
    RBFSampler,
    HopfieldNetwork,
    KNeighborsClassifier,
    KNeighborsRegressor,
    NearestNeighbors,
    IB1Classifier,
    IB2Classifier,
    MemorisingClassifier,
    NearestNovelty,
    KernelPCANovelty,
)
