//! SMILES: a molecule written as one word.
//!
//! Read are the organic subset (`B C N O P S F Cl Br I`, aromatic `b c n o p s`), atoms in
//! brackets, the wildcard `*`, bonds `- = # $ :` and the directed `/` and `\`, branches, ring
//! numbers (`1`, `%12`, `%(123)`) with bonds on either end, and parts separated by dots. What
//! follows white space is a title and is not read. Marks of stereochemistry are read and
//! dropped, and the molecule says so.

use std::collections::{BTreeMap, HashSet};

use crate::rings::{Adjacency, ring_edges};
use crate::{Atom, DraftBond, Fault, Molecule, Order, Result, aromatic, bracket, element};

/// Reads a molecule.
///
/// # Errors
/// The first character that does not fit, a ring or branch that stays open, and aromatic atoms
/// outside rings.
///
/// ```
/// let aspirin = mercer_molecule::parse("CC(=O)Oc1ccccc1C(=O)O")?;
/// assert_eq!(aspirin.formula(), "C9H8O4");
/// # Ok::<(), mercer_molecule::Error>(())
/// ```
pub fn parse(text: &str) -> Result<Molecule> {
    let reader = read(text)?;
    let mut molecule = aromatic::settle(reader.atoms, &reader.bonds);
    molecule.stereo_ignored = reader.stereo;
    Ok(molecule)
}

/// Checks whether a text is a molecule, without settling its aromatic bonds.
///
/// Returns the number of atoms.
///
/// # Errors
/// Those of [`parse`].
pub fn check(text: &str) -> Result<usize> {
    read(text).map(|reader| reader.atoms.len())
}

fn read(text: &str) -> Result<Reader> {
    let mut reader = Reader::new(text);
    reader.run()?;
    reader.check_aromatic_atoms()?;
    Ok(reader)
}

/// A bond that waits for its second atom.
#[derive(Clone, Copy)]
struct Pending {
    /// `/` and `\` are single bonds.
    order: Order,
    symbol: char,
    position: usize,
}

/// The first end of a ring bond.
struct RingEnd {
    atom: u32,
    bond: Option<Pending>,
    position: usize,
}

/// An open branch.
struct Branch {
    /// The atom it starts from.
    atom: u32,
    position: usize,
    /// The number of atoms when it was opened.
    atoms: usize,
}

struct Reader {
    characters: Vec<char>,
    at: usize,
    atoms: Vec<Atom>,
    /// Where each atom stands in the text.
    places: Vec<usize>,
    bonds: Vec<DraftBond>,
    joined: HashSet<(u32, u32)>,
    previous: Option<u32>,
    pending: Option<Pending>,
    branches: Vec<Branch>,
    rings: BTreeMap<u32, RingEnd>,
    stereo: bool,
}

impl Reader {
    fn new(text: &str) -> Self {
        Self {
            characters: text.chars().collect(),
            at: 0,
            atoms: Vec::new(),
            places: Vec::new(),
            bonds: Vec::new(),
            joined: HashSet::new(),
            previous: None,
            pending: None,
            branches: Vec::new(),
            rings: BTreeMap::new(),
            stereo: false,
        }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.characters.get(self.at + ahead).copied()
    }

    fn run(&mut self) -> Result<()> {
        while self.peek(0).is_some_and(char::is_whitespace) {
            self.at += 1;
        }
        while let Some(character) = self.peek(0).filter(|c| !c.is_whitespace()) {
            self.step(character)?;
        }
        self.finish()
    }

    fn step(&mut self, character: char) -> Result<()> {
        let position = self.at + 1;
        match character {
            '(' => self.open_branch(position)?,
            ')' => self.close_branch(position)?,
            '.' => {
                self.no_pending()?;
                if self.previous.is_none() {
                    return Err(Fault::NoAtomBeforeDot.at(position));
                }
                self.previous = None;
            }
            '-' | '=' | '#' | '$' | ':' | '/' | '\\' => self.bond(character, position)?,
            '0'..='9' | '%' => return self.ring(position),
            '[' => {
                let (atom, stereo, next) = bracket::read(&self.characters, self.at)?;
                self.stereo |= stereo;
                self.at = next;
                return self.atom(atom, position);
            }
            _ => return self.plain_atom(character, position),
        }
        self.at += 1;
        Ok(())
    }

    fn plain_atom(&mut self, character: char, position: usize) -> Result<()> {
        let (element, aromatic, length) = match (character, self.peek(1)) {
            ('C', Some('l')) => ("Cl", false, 2),
            ('B', Some('r')) => ("Br", false, 2),
            ('*', _) => ("*", false, 1),
            ('B', _) => ("B", false, 1),
            ('C', _) => ("C", false, 1),
            ('N', _) => ("N", false, 1),
            ('O', _) => ("O", false, 1),
            ('P', _) => ("P", false, 1),
            ('S', _) => ("S", false, 1),
            ('F', _) => ("F", false, 1),
            ('I', _) => ("I", false, 1),
            ('b', _) => ("B", true, 1),
            ('c', _) => ("C", true, 1),
            ('n', _) => ("N", true, 1),
            ('o', _) => ("O", true, 1),
            ('p', _) => ("P", true, 1),
            ('s', _) => ("S", true, 1),
            _ => return Err(self.stranger(character).at(position)),
        };
        self.at += length;
        self.atom(Atom::new(element, aromatic), position)
    }

    /// What is wrong with a character that starts no atom.
    fn stranger(&self, character: char) -> Fault {
        match character {
            '<' => return Fault::ArrowBond,
            '>' if self.pending.is_some() => return Fault::ArrowBond,
            '>' => return Fault::Reaction,
            ']' => return Fault::BracketNotOpen,
            _ => {}
        }
        let pair: String = [Some(character), self.peek(1)]
            .into_iter()
            .flatten()
            .collect();
        let single: String = character.to_uppercase().collect();
        let found = [pair.as_str(), single.as_str()]
            .into_iter()
            .find_map(element)
            .filter(|_| character.is_ascii_alphabetic());
        if let Some(element) = found {
            return Fault::BracketsNeeded { character, element };
        }
        let before = self
            .at
            .checked_sub(1)
            .and_then(|at| self.characters.get(at));
        let pair: String = before.into_iter().chain([&character]).collect();
        Fault::Character {
            character,
            element: element(&pair),
        }
    }

    fn atom(&mut self, atom: Atom, position: usize) -> Result<()> {
        let number = self.atoms.len() as u32;
        self.atoms.push(atom);
        self.places.push(position);
        if let Some(previous) = self.previous {
            let bond = self.pending.take();
            self.join(previous, number, bond.map(|b| b.order), position)?;
        }
        self.previous = Some(number);
        Ok(())
    }

    fn join(&mut self, from: u32, to: u32, order: Option<Order>, position: usize) -> Result<()> {
        if from == to {
            return Err(Fault::RingOfOne.at(position));
        }
        if !self.joined.insert((from.min(to), from.max(to))) {
            return Err(Fault::RingOfTwo.at(position));
        }
        self.bonds.push(DraftBond { from, to, order });
        Ok(())
    }

    fn bond(&mut self, symbol: char, position: usize) -> Result<()> {
        self.no_pending()?;
        if self.previous.is_none() {
            return Err(Fault::NoAtomBeforeBond { symbol }.at(position));
        }
        let order = match symbol {
            '=' => Order::Double,
            '#' => Order::Triple,
            '$' => Order::Quadruple,
            ':' => Order::Aromatic,
            _ => Order::Single,
        };
        self.stereo |= matches!(symbol, '/' | '\\');
        self.pending = Some(Pending {
            order,
            symbol,
            position,
        });
        Ok(())
    }

    /// Refuses a bond that nothing follows.
    fn no_pending(&self) -> Result<()> {
        match self.pending {
            None => Ok(()),
            Some(bond) => Err(Fault::NoAtomAfterBond {
                symbol: bond.symbol,
            }
            .at(bond.position)),
        }
    }

    fn open_branch(&mut self, position: usize) -> Result<()> {
        self.no_pending()?;
        let empty = self
            .branches
            .last()
            .is_some_and(|b| b.atoms == self.atoms.len());
        let Some(atom) = self.previous.filter(|_| !empty) else {
            return Err(Fault::NoAtomBeforeBranch.at(position));
        };
        self.branches.push(Branch {
            atom,
            position,
            atoms: self.atoms.len(),
        });
        Ok(())
    }

    fn close_branch(&mut self, position: usize) -> Result<()> {
        self.no_pending()?;
        let Some(branch) = self.branches.pop() else {
            return Err(Fault::BranchNotOpen.at(position));
        };
        if branch.atoms == self.atoms.len() || self.previous.is_none() {
            return Err(Fault::NoAtomInBranch.at(position));
        }
        self.previous = Some(branch.atom);
        Ok(())
    }

    fn ring(&mut self, position: usize) -> Result<()> {
        let number = self.ring_number(position)?;
        let after_open = self
            .branches
            .last()
            .is_some_and(|b| b.atoms == self.atoms.len());
        let Some(atom) = self.previous.filter(|_| !after_open) else {
            return Err(Fault::NoAtomBeforeRing { number }.at(position));
        };
        let bond = self.pending.take();
        let Some(start) = self.rings.remove(&number) else {
            let end = RingEnd {
                atom,
                bond,
                position,
            };
            self.rings.insert(number, end);
            return Ok(());
        };
        let order = match (start.bond, bond) {
            (Some(a), Some(b)) if a.order != b.order => {
                return Err(Fault::RingBonds {
                    number,
                    opening: a.symbol,
                    position: a.position,
                    closing: b.symbol,
                }
                .at(b.position));
            }
            (a, b) => a.or(b).map(|bond| bond.order),
        };
        self.join(start.atom, atom, order, position)
    }

    /// Reads `1`, `%12` or `%(123)` and steps over it.
    fn ring_number(&mut self, position: usize) -> Result<u32> {
        let digit = |c: Option<char>| c.and_then(|c| c.to_digit(10));
        if let Some(number) = digit(self.peek(0)) {
            self.at += 1;
            return Ok(number);
        }
        if let (Some(tens), Some(ones)) = (digit(self.peek(1)), digit(self.peek(2))) {
            self.at += 3;
            return Ok(10 * tens + ones);
        }
        if self.peek(1) == Some('(') {
            let mut number = 0;
            let mut length = 0;
            while let Some(value) = digit(self.peek(2 + length)).filter(|_| length < 5) {
                number = 10 * number + value;
                length += 1;
            }
            if length > 0 && self.peek(2 + length) == Some(')') {
                self.at += 3 + length;
                return Ok(number);
            }
        }
        Err(Fault::NoRingNumber.at(position))
    }

    fn finish(&mut self) -> Result<()> {
        self.no_pending()?;
        if self.atoms.is_empty() {
            return Err(Fault::Empty.at(1));
        }
        if let Some(branch) = self.branches.last() {
            return Err(Fault::BranchNotClosed.at(branch.position));
        }
        if let Some((number, end)) = self.rings.iter().min_by_key(|(_, end)| end.position) {
            return Err(Fault::RingNotClosed { number: *number }.at(end.position));
        }
        if self.previous.is_none() {
            return Err(Fault::NoAtomAfterDot.at(self.at));
        }
        Ok(())
    }

    /// Refuses aromatic atoms that lie in no ring.
    fn check_aromatic_atoms(&self) -> Result<()> {
        if !self.atoms.iter().any(|a| a.aromatic) {
            return Ok(());
        }
        let ends: Vec<(u32, u32)> = self.bonds.iter().map(|b| (b.from, b.to)).collect();
        let adjacency = Adjacency::new(self.atoms.len(), &ends);
        let in_ring = ring_edges(&adjacency, ends.len());
        for (index, atom) in self.atoms.iter().enumerate() {
            if atom.aromatic && !adjacency.of(index).iter().any(|&(_, bond)| in_ring[bond]) {
                return Err(Fault::AromaticChain {
                    element: atom.element,
                }
                .at(self.places[index]));
            }
        }
        Ok(())
    }
}
