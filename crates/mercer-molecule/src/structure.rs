//! A molecule: atoms and the bonds between them.

use std::collections::{BTreeMap, HashSet};

use crate::{Error, Result, aromatic, valence};

/// The kind of a bond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Order {
    /// One pair of electrons.
    Single,
    /// Two pairs.
    Double,
    /// Three pairs.
    Triple,
    /// Four pairs.
    Quadruple,
    /// A share of an aromatic ring.
    Aromatic,
}

impl Order {
    /// All kinds, by the pairs of electrons; the aromatic one is last.
    pub const ALL: [Self; 5] = [
        Self::Single,
        Self::Double,
        Self::Triple,
        Self::Quadruple,
        Self::Aromatic,
    ];

    /// Returns the symbol of SMILES.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Single => "-",
            Self::Double => "=",
            Self::Triple => "#",
            Self::Quadruple => "$",
            Self::Aromatic => ":",
        }
    }

    /// Returns the pairs of electrons of a bond that is not aromatic; one otherwise.
    pub(crate) fn pairs(self) -> u32 {
        match self {
            Self::Single | Self::Aromatic => 1,
            Self::Double => 2,
            Self::Triple => 3,
            Self::Quadruple => 4,
        }
    }
}

/// One atom.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Atom {
    /// The element's symbol, or `*` for any.
    pub element: &'static str,
    /// Whether the atom belongs to an aromatic ring.
    pub aromatic: bool,
    /// The charge.
    pub charge: i8,
    /// The hydrogens written with the atom; `None` where the valence decides.
    pub hydrogens: Option<u8>,
    /// The mass number, where one is written.
    pub isotope: Option<u16>,
    /// The atom class, such as the number in a reaction scheme.
    pub class: Option<u32>,
}

impl Atom {
    /// Creates a neutral atom whose hydrogens follow from its valence.
    pub fn new(element: &'static str, aromatic: bool) -> Self {
        Self {
            element,
            aromatic,
            charge: 0,
            hydrogens: None,
            isotope: None,
            class: None,
        }
    }

    /// Returns the symbol with the charge, such as `C`, `N+` or `Fe+2`.
    pub fn label(&self) -> String {
        let sign = if self.charge < 0 { '-' } else { '+' };
        match self.charge.unsigned_abs() {
            0 => self.element.to_owned(),
            1 => format!("{}{sign}", self.element),
            size => format!("{}{sign}{size}", self.element),
        }
    }
}

/// One bond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bond {
    /// The atom that comes first.
    pub from: u32,
    /// The other atom.
    pub to: u32,
    /// The kind.
    pub order: Order,
    /// The kind in one structure without aromatic bonds; [`Order::Aromatic`] where there is
    /// none.
    pub localised: Order,
}

/// A bond as it is written, before rings and aromaticity are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DraftBond {
    /// The atom that comes first.
    pub from: u32,
    /// The other atom.
    pub to: u32,
    /// The kind; `None` is aromatic between aromatic atoms of a ring and single elsewhere.
    pub order: Option<Order>,
}

/// Atoms and bonds, with aromaticity settled.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Molecule {
    /// The atoms in the order they were written.
    pub atoms: Vec<Atom>,
    /// The bonds in the order they were written.
    pub bonds: Vec<Bond>,
    /// Whether marks of stereochemistry were read and dropped.
    pub stereo_ignored: bool,
    /// Whether some atoms were written as aromatic although no rule confirms it; they stay
    /// aromatic.
    pub aromaticity_unsure: bool,
}

impl Molecule {
    /// Creates a molecule from atoms and bonds, and settles which bonds are aromatic.
    ///
    /// # Errors
    /// A bond to an atom that is not there, from an atom to itself, or given twice.
    pub fn try_new(atoms: Vec<Atom>, bonds: &[DraftBond]) -> Result<Self> {
        let mut seen = HashSet::new();
        for (index, bond) in bonds.iter().enumerate() {
            let (low, high) = (bond.from.min(bond.to), bond.from.max(bond.to));
            let number = index + 1;
            if high as usize >= atoms.len() {
                return Err(Error::BondEnd {
                    bond: number,
                    atom: high as usize + 1,
                    atoms: atoms.len(),
                });
            }
            if low == high {
                return Err(Error::BondLoop { bond: number });
            }
            if !seen.insert((low, high)) {
                return Err(Error::BondTwice { bond: number });
            }
        }
        Ok(aromatic::settle(atoms, bonds))
    }

    /// Returns whether there are no atoms.
    pub fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// Returns the ends of every bond.
    pub fn ends(&self) -> Vec<(u32, u32)> {
        self.bonds.iter().map(|b| (b.from, b.to)).collect()
    }

    /// Returns the hydrogens that belong to each atom without being atoms of the list.
    pub fn hydrogens(&self) -> Vec<u8> {
        let mut sums = vec![0; self.atoms.len()];
        let mut open = vec![false; self.atoms.len()];
        for bond in &self.bonds {
            for end in [bond.from as usize, bond.to as usize] {
                sums[end] += bond.localised.pairs();
                open[end] |= bond.localised == Order::Aromatic;
            }
        }
        let pairs = self.atoms.iter().zip(sums.iter().zip(open));
        pairs
            .map(|(atom, (&sum, open))| match (open, atom.element) {
                // The share of the aromatic bonds that no double bond accounts for.
                (true, "C") => valence::hydrogens(atom, sum + 1),
                (true, _) => atom.hydrogens.unwrap_or(0),
                (false, _) => valence::hydrogens(atom, sum),
            })
            .collect()
    }

    /// Returns the formula in Hill's order: carbon, hydrogen, then the alphabet.
    pub fn formula(&self) -> String {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (atom, hydrogens) in self.atoms.iter().zip(self.hydrogens()) {
            *counts.entry(atom.element).or_default() += 1;
            if hydrogens > 0 {
                *counts.entry("H").or_default() += usize::from(hydrogens);
            }
        }
        let mut text = String::new();
        let mut push = |symbol: &str, count: usize| {
            text.push_str(symbol);
            if count > 1 {
                text.push_str(&count.to_string());
            }
        };
        if let Some(carbons) = counts.remove("C") {
            push("C", carbons);
            if let Some(hydrogens) = counts.remove("H") {
                push("H", hydrogens);
            }
        }
        for (symbol, count) in counts {
            push(symbol, count);
        }
        let charge: i32 = self.atoms.iter().map(|a| i32::from(a.charge)).sum();
        let sign = if charge < 0 { '-' } else { '+' };
        match charge.unsigned_abs() {
            0 => {}
            1 => text.push(sign),
            size => {
                text.push(sign);
                text.push_str(&size.to_string());
            }
        }
        text
    }
}
