//! What is wrong with a text that should be a molecule.

/// Why a text is not a molecule, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The character at fault, counted from one.
    pub position: usize,
    /// What was found there.
    pub problem: String,
    /// What to do about it.
    pub cure: String,
}

impl Fault {
    /// Describes a fault.
    pub fn new(position: usize, problem: impl Into<String>, cure: impl Into<String>) -> Self {
        Self {
            position,
            problem: problem.into(),
            cure: cure.into(),
        }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "character {}: {}", self.position, self.problem)
    }
}

impl std::error::Error for Fault {}
