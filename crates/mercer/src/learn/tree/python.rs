//! The Python class of C4.5.

use crate::data::Task;
use crate::learn::{Parameter, PythonClass};

pub(super) static C45: &[PythonClass] = &[PythonClass {
    name: "C45Classifier",
    task: Task::Classify,
    base: "_tree.TreeClassifier",
    about: "C4.5 decision tree.\n\n\
            Tests of single columns by gain ratio, pruned by the errors that are expected on new \
            rows; by default the trees of Weka's J48. Frames may have numbers, booleans, dates, \
            categories and strings, with cells missing; arrays may hold NaN. Nothing is scaled, \
            filled in or one-hot encoded.",
    signature: "confidence=0.25, *, min_rows=2, max_depth=None, prune=True, raising=True, \
                estimate=\"normal\", correction=True, missing=\"fractional\", laplace=False, \
                rules=\"auto\", max_seconds=None, n_jobs=None",
    parameters: &[Parameter {
        name: "max_depth",
        kind: "int",
        annotation: "int | None",
        constraint: "[COUNT, None]",
        doc: "Most tests below each other; 1 is a stump, None no limit.",
    }],
    attributes: "\
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
    Not a number (growth is greedy), why growth ended, and the whole account.",
    example: "\
>>> from mercer import C45Classifier
>>> tree = C45Classifier().fit([[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]], list(\"aaabbb\"))
>>> print(tree.export_text(), end=\"\")
x0 <= 3: a (3)
x0 > 3: b (3)
>>> tree.predict([[5.0]]).tolist()
['b']",
}];
