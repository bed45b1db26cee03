//! The one public error type of the crate.

use crate::Fault;

/// A result whose error is [`enum@Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why something is not a molecule.
///
/// The message states the fact and its place; [`Error::hints`] gives the advice. Characters and
/// bonds are counted from one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A text is no SMILES.
    #[error("character {position}: {fault}")]
    Smiles {
        /// The character at fault.
        position: usize,
        /// What is wrong there.
        fault: Fault,
    },
    /// A bond names an atom that is not there.
    #[error("bond {bond} names atom {atom}, but there are {atoms}")]
    BondEnd {
        /// The bond at fault.
        bond: usize,
        /// The atom it names, counted from one.
        atom: usize,
        /// The number of atoms.
        atoms: usize,
    },
    /// A bond ends where it starts.
    #[error("bond {bond} joins an atom to itself")]
    BondLoop {
        /// The bond at fault.
        bond: usize,
    },
    /// Two bonds join the same atoms.
    #[error("bond {bond} joins two atoms that are already bonded")]
    BondTwice {
        /// The second of the two bonds.
        bond: usize,
    },
}

impl Error {
    /// Returns what to do about it, one sentence each.
    pub fn hints(&self) -> Vec<String> {
        let hint = match self {
            Self::Smiles { fault, .. } => fault.cure(),
            Self::BondEnd { .. } => "number the atoms in the order of their list".into(),
            Self::BondLoop { .. } => "correct or remove the bond".into(),
            Self::BondTwice { .. } => "give the bond once, with its order".into(),
        };
        vec![hint.into_owned()]
    }
}
