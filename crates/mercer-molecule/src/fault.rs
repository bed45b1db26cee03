//! What can be wrong in a SMILES.

use std::borrow::Cow;

use crate::Error;

/// What is wrong with a text that should be a SMILES.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The text has no atoms.
    #[error("there is no molecule; the text is empty")]
    Empty,
    /// A character that SMILES does not have, or not here.
    #[error("unexpected character `{}`", .character.escape_default())]
    Character {
        /// The character.
        character: char,
        /// The element that it forms with the character before it.
        element: Option<&'static str>,
    },
    /// An element outside the organic subset without brackets.
    #[error("`{character}` is no atom that stands without brackets")]
    BracketsNeeded {
        /// The first letter of the atom.
        character: char,
        /// The element.
        element: &'static str,
    },
    /// An arrow as bond.
    #[error("an arrow bond, which SMILES does not have")]
    ArrowBond,
    /// An arrow between molecules.
    #[error("a reaction arrow; this is not one molecule")]
    Reaction,
    /// A bond that nothing precedes.
    #[error("the bond `{symbol}` has no atom before it")]
    NoAtomBeforeBond {
        /// The bond as it is written.
        symbol: char,
    },
    /// A bond that nothing follows.
    #[error("the bond `{symbol}` has no atom after it")]
    NoAtomAfterBond {
        /// The bond as it is written.
        symbol: char,
    },
    /// A dot that nothing precedes.
    #[error("a dot without an atom before it")]
    NoAtomBeforeDot,
    /// A dot that nothing follows.
    #[error("a dot without an atom after it")]
    NoAtomAfterDot,
    /// A branch that starts from no atom.
    #[error("a branch without an atom before it")]
    NoAtomBeforeBranch,
    /// A branch that ends without an atom.
    #[error("the branch ends without an atom")]
    NoAtomInBranch,
    /// `)` without `(`.
    #[error("a `)` without its `(`")]
    BranchNotOpen,
    /// `(` without `)`.
    #[error("the branch is never closed")]
    BranchNotClosed,
    /// `]` without `[`.
    #[error("a `]` without its `[`")]
    BracketNotOpen,
    /// `[` without `]`.
    #[error("the bracket is never closed")]
    BracketNotClosed,
    /// `[]`.
    #[error("brackets without an element")]
    NoElement,
    /// Letters in brackets that are no element.
    #[error("`{}` is no element", .symbol.escape_default())]
    UnknownElement {
        /// What stands in the place of the element.
        symbol: String,
    },
    /// A character that brackets do not have, or not here.
    #[error("unexpected `{}` in brackets", .character.escape_default())]
    InBrackets {
        /// The character.
        character: char,
    },
    /// More electrons lost or gained than any atom can.
    #[error("the charge {sign}{size} is too large")]
    Charge {
        /// `+` or `-`.
        sign: char,
        /// The number of electrons.
        size: u32,
    },
    /// `:` in brackets without the number of an atom class.
    #[error("`:` without a number")]
    NoAtomClass,
    /// A `%` without the number of a ring.
    #[error("`%` is not followed by a ring number")]
    NoRingNumber,
    /// A ring number that belongs to no atom.
    #[error("ring number {number} has no atom before it")]
    NoAtomBeforeRing {
        /// The ring number.
        number: u32,
    },
    /// A ring that is opened only.
    #[error("ring {number} is opened here and never closed")]
    RingNotClosed {
        /// The ring number.
        number: u32,
    },
    /// Both ends of a ring name a bond, and not the same.
    #[error(
        "ring {number} opens with `{opening}` at character {position} and closes with `{closing}`"
    )]
    RingBonds {
        /// The ring number.
        number: u32,
        /// The bond at the first end.
        opening: char,
        /// Where that bond stands.
        position: usize,
        /// The bond at the second end.
        closing: char,
    },
    /// A ring of one atom.
    #[error("the ring number joins an atom to itself")]
    RingOfOne,
    /// A ring of two atoms.
    #[error("the ring number joins two atoms that are already bonded")]
    RingOfTwo,
    /// An aromatic atom outside rings.
    #[error("the aromatic atom `{}` is in no ring", .element.to_lowercase())]
    AromaticChain {
        /// The element.
        element: &'static str,
    },
}

impl Fault {
    /// Returns what to do about it.
    pub fn cure(&self) -> Cow<'static, str> {
        let fixed = match self {
            Self::Character {
                element: Some(element),
                ..
            }
            | Self::BracketsNeeded { element, .. } => {
                return format!("write the element as `[{element}]`").into();
            }
            Self::RingNotClosed { number } => {
                return format!("write {number} after the atom that closes the ring").into();
            }
            Self::AromaticChain { element } => {
                return format!("write `{element}`, or close the ring").into();
            }
            Self::Empty => "give a SMILES, or mark the value as missing",
            Self::Character { element: None, .. } => "use the letters and signs of SMILES only",
            Self::ArrowBond => "write the bond as `-`",
            Self::Reaction => "give reactants and products in columns of their own",
            Self::NoAtomBeforeBond { .. } | Self::NoAtomAfterBond { .. } => {
                "put a bond between two atoms"
            }
            Self::NoAtomBeforeDot | Self::NoAtomAfterDot => {
                "put dots between the parts of a molecule only"
            }
            Self::NoAtomBeforeBranch => "start a branch after the atom it belongs to",
            Self::NoAtomInBranch => "put at least one atom between `(` and `)`",
            Self::BranchNotOpen => "remove it, or open the branch",
            Self::BranchNotClosed => "add the missing `)`",
            Self::BracketNotOpen => "write bracket atoms like `[Na+]`",
            Self::BracketNotClosed => "add the missing `]`",
            Self::NoElement => "name the element, such as `[Na+]`, or write `[*]` for any atom",
            Self::UnknownElement { .. } => "write the element's symbol, such as `[Na+]` or `[nH]`",
            Self::InBrackets { .. } => {
                "the order in brackets is mass, element, chirality, hydrogens, charge, class"
            }
            Self::Charge { .. } => "give at most 118",
            Self::NoAtomClass => "write an atom class like `:1`",
            Self::NoRingNumber => {
                "write two digits, such as `%12`, or up to five in parentheses, such as `%(123)`"
            }
            Self::NoAtomBeforeRing { .. } => "put ring numbers right after an atom",
            Self::RingBonds { .. } => "write the bond at one end only",
            Self::RingOfOne => "close the ring at another atom",
            Self::RingOfTwo => "write a double bond as `=`, or close the ring at another atom",
        };
        fixed.into()
    }

    /// Places the fault in its text; characters are counted from one.
    pub(crate) fn at(self, position: usize) -> Error {
        Error::Smiles {
            position,
            fault: self,
        }
    }
}
