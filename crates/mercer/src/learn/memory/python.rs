//! The Python class of the Hopfield network.

use crate::data::Task;
use crate::learn::{Parameter, PythonClass};

pub(super) static HOPFIELD: &[PythonClass] = &[PythonClass {
    name: "HopfieldNetwork",
    task: Task::Embed,
    base: "_memory.AssociativeMemory",
    about: "Hopfield network: stores patterns of 1 and -1, and recalls the one that a row is most like.\n\n\
            The weights are W = (1/n) Σ x xᵀ over the patterns with zeros on the diagonal; a recall turns \
            states over one after another while that lowers the energy -½ sᵀWs.",
    signature: "*, max_iter=100",
    parameters: &[Parameter {
        name: "max_iter",
        kind: "int",
        annotation: "int",
        constraint: "[COUNT]",
        doc: "Most passes over the columns when a row is recalled.",
    }],
    attributes: "\
weights_ : ndarray of shape (n_features, n_features)
    The weights between columns.
objective_, stop_reason_, report_
    The sum of the patterns' energies, why storing stopped, and the whole account.",
    example: "\
>>> from mercer import HopfieldNetwork
>>> patterns = [[1, 1, 1, -1, -1, -1, 1, 1, 1, 1, -1, -1, -1, 1, 1, -1]]
>>> memory = HopfieldNetwork().fit(patterns)
>>> broken = [[-1, 1, 1, -1, -1, -1, 1, 1, 1, 1, -1, -1, -1, 1, 1, 1]]
>>> bool((memory.predict(broken) == patterns).all())
True",
}];
