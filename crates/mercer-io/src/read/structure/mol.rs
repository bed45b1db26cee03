//! One molecule of a MOL file: atoms, bonds and properties of the version V2000.

use std::collections::HashSet;

use mercer::data::molecule::{Atom, DraftBond, Molecule, Order, element};

use super::fault::shorten;
use super::fields::{field, number};
use super::{LineSource, ReadFault, mol_extended};

/// Charges by their code in the atom block; code 4 is a radical.
const CHARGES: [i8; 8] = [0, 3, 2, 1, 0, -1, -2, -3];

/// Atoms and bonds as they are read.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) atoms: Vec<Atom>,
    pub(super) bonds: Vec<DraftBond>,
    /// The total valence that a file states for an atom.
    pub(super) valences: Vec<Option<u8>>,
    pub(super) stereo: bool,
    joined: HashSet<(u32, u32)>,
}

/// Reads the lines of one record in order, and knows where it is.
pub(super) struct Cursor<'a, S> {
    pub(super) lines: &'a mut S,
    pub(super) line: String,
    /// The record, counted from one.
    pub(super) record: usize,
}

impl<S: LineSource> Cursor<'_, S> {
    /// Goes to the next line; a file that ends here is cut off.
    pub(super) fn advance(&mut self, missing: &str) -> Result<(), S::Error> {
        if self.lines.next(&mut self.line)? {
            return Ok(());
        }
        let problem = format!("the file ends before {missing} of record {}", self.record);
        let cure = "the file is cut off; make or download it again";
        Err(ReadFault::new(self.lines.number() + 1, problem, cure).into())
    }

    pub(super) fn fault(&self, column: usize, problem: &str, cure: &str) -> S::Error {
        let problem = format!("record {}: {problem}", self.record);
        ReadFault::new(self.lines.number(), problem, cure)
            .column(column)
            .into()
    }
}

/// Reads a molecule; the cursor stands on the line of counts and is left on the last line read.
pub(super) fn read<S: LineSource>(cursor: &mut Cursor<'_, S>) -> Result<Molecule, S::Error> {
    if cursor.line.contains("V3000") {
        let draft = mol_extended::read(cursor)?;
        return Ok(finish(draft));
    }
    let counts = (number(&cursor.line, 0, 3), number(&cursor.line, 3, 6));
    let (Some(atoms @ 0..), Some(bonds @ 0..)) = counts else {
        let problem = format!("`{}` is no line of counts", shorten(cursor.line.trim()));
        let cure = "the fourth line of a record holds the numbers of atoms and bonds in three columns each";
        return Err(cursor.fault(1, &problem, cure));
    };
    if field(&cursor.line, 0, 6).is_empty() {
        let cure = "the fourth line of a record holds the numbers of atoms and bonds";
        return Err(cursor.fault(1, "the line of counts is empty", cure));
    }
    let mut draft = Draft::default();
    for _ in 0..atoms {
        cursor.advance("the last atom")?;
        read_atom(cursor, &mut draft)?;
    }
    for _ in 0..bonds {
        cursor.advance("the last bond")?;
        read_bond(cursor, &mut draft)?;
    }
    read_properties(cursor, &mut draft)?;
    Ok(finish(draft))
}

fn read_atom<S: LineSource>(cursor: &mut Cursor<'_, S>, draft: &mut Draft) -> Result<(), S::Error> {
    let line = &cursor.line;
    let mut symbol = field(line, 31, 34);
    let mut words = line.split_whitespace();
    let mut charge = number(line, 36, 39);
    let mut valence = number(line, 48, 51);
    let mut parity = number(line, 39, 42);
    if atom(symbol).is_none()
        && let Some(word) = words.nth(3)
    {
        // Written without the fixed columns.
        symbol = word;
        let rest: Vec<Option<i32>> = words.map(|w| w.parse().ok()).collect();
        let at = |index: usize| rest.get(index).copied().unwrap_or(Some(0));
        (charge, parity, valence) = (at(1), at(2), at(5));
    }
    let Some(mut atom) = atom(symbol) else {
        let problem = format!("`{}` is no element", shorten(symbol));
        return Err(cursor.fault(32, &problem, ELEMENT_CURE));
    };
    atom.charge = match charge.and_then(|c| usize::try_from(c).ok()) {
        Some(code) if code < CHARGES.len() => CHARGES[code],
        _ => return Err(cursor.fault(37, "the charge code is not 0 to 7", "correct the line")),
    };
    draft.stereo |= parity.is_some_and(|p| p != 0);
    draft.atoms.push(atom);
    draft.valences.push(match valence {
        Some(15) => Some(0),
        Some(valence @ 1..=14) => Some(valence as u8),
        _ => None,
    });
    Ok(())
}

pub(super) const ELEMENT_CURE: &str = "write the element's symbol, or `*` for any atom";

/// Returns the atom of a symbol in a molecule file.
pub(super) fn atom(symbol: &str) -> Option<Atom> {
    let (symbol, isotope) = match symbol {
        "D" => ("H", Some(2)),
        "T" => ("H", Some(3)),
        // Atoms of queries and places for residues.
        "A" | "Q" | "X" | "M" | "R" | "R#" | "L" => ("*", None),
        _ => (symbol, None),
    };
    let mut atom = Atom::new(element(symbol)?, false);
    atom.isotope = isotope;
    Some(atom)
}

fn read_bond<S: LineSource>(cursor: &mut Cursor<'_, S>, draft: &mut Draft) -> Result<(), S::Error> {
    let line = &cursor.line;
    let mut numbers = [(0, 3), (3, 6), (6, 9), (9, 12)].map(|(a, b)| number(line, a, b));
    let words: Vec<Option<i32>> = line.split_whitespace().map(|w| w.parse().ok()).collect();
    if numbers[..3].iter().any(|n| n.is_none_or(|n| n < 1)) && words.len() >= 3 {
        // Written without the fixed columns.
        numbers = [0, 1, 2, 3].map(|i| words.get(i).copied().unwrap_or(Some(0)));
    }
    let [Some(from), Some(to), Some(kind), stereo] = numbers else {
        let problem = format!("`{}` is no bond", shorten(line.trim()));
        let cure = "a bond is two numbers of atoms and a type, in three columns each";
        return Err(cursor.fault(1, &problem, cure));
    };
    draft.stereo |= stereo.is_some_and(|s| s != 0);
    add_bond(cursor, draft, from, to, kind)
}

/// Adds a bond between atoms counted from one.
pub(super) fn add_bond<S: LineSource>(
    cursor: &Cursor<'_, S>,
    draft: &mut Draft,
    from: i32,
    to: i32,
    kind: i32,
) -> Result<(), S::Error> {
    let count = draft.atoms.len();
    let index = |atom: i32| usize::try_from(atom - 1).ok().filter(|&a| a < count);
    let (Some(a), Some(b)) = (index(from), index(to)) else {
        let wrong = if index(from).is_none() { from } else { to };
        let problem = format!("a bond names atom {wrong}, and there are {count}");
        return Err(cursor.fault(1, &problem, "correct the bond, or add the atom"));
    };
    let order = match kind {
        // 9 is a coordinate bond.
        1 | 9 => Order::Single,
        2 => Order::Double,
        3 => Order::Triple,
        4 => Order::Aromatic,
        _ => {
            let problem = format!("bond type {kind} is not 1, 2, 3 or 4");
            let cure = "queries are no molecules; write single, double, triple or aromatic bonds";
            return Err(cursor.fault(7, &problem, cure));
        }
    };
    if a == b {
        let problem = format!("atom {from} is bonded to itself");
        return Err(cursor.fault(1, &problem, "correct or remove the bond"));
    }
    if !draft.joined.insert((a.min(b) as u32, a.max(b) as u32)) {
        let problem = format!("atoms {from} and {to} are bonded twice");
        return Err(cursor.fault(1, &problem, "keep one of the bonds"));
    }
    if order == Order::Aromatic {
        draft.atoms[a].aromatic = true;
        draft.atoms[b].aromatic = true;
    }
    draft.bonds.push(DraftBond {
        from: a as u32,
        to: b as u32,
        order: Some(order),
    });
    Ok(())
}

/// Reads lines up to `M  END`; charges given there replace those of the atom block.
fn read_properties<S: LineSource>(
    cursor: &mut Cursor<'_, S>,
    draft: &mut Draft,
) -> Result<(), S::Error> {
    let mut replaced = false;
    loop {
        cursor.advance("`M  END`")?;
        let line = cursor.line.trim_end();
        if line == "M  END" || line == "M END" {
            return Ok(());
        }
        if line == "$$$$" || line.starts_with("> ") {
            let cure = "end the atoms and bonds of every record with `M  END`";
            return Err(cursor.fault(1, "there is no `M  END`", cure));
        }
        let charges = line.starts_with("M  CHG");
        let isotopes = line.starts_with("M  ISO");
        if (charges || line.starts_with("M  RAD")) && !std::mem::replace(&mut replaced, true) {
            for atom in &mut draft.atoms {
                atom.charge = 0;
            }
        }
        if !charges && !isotopes {
            continue;
        }
        let words: Option<Vec<i32>> = line[6..]
            .split_whitespace()
            .map(|w| w.parse().ok())
            .collect();
        let words = words.unwrap_or_default();
        let Some((_, pairs)) = words
            .split_first()
            .filter(|(n, p)| **n >= 0 && p.len() == 2 * **n as usize)
        else {
            let problem = format!("`{}` is no list of properties", shorten(line));
            return Err(cursor.fault(1, &problem, "give a count, then pairs of atom and value"));
        };
        for pair in pairs.chunks_exact(2) {
            let total = draft.atoms.len();
            let atom = usize::try_from(pair[0] - 1).ok();
            let Some(atom) = atom.and_then(|a| draft.atoms.get_mut(a)) else {
                let problem = format!("a property names atom {}, and there are {total}", pair[0]);
                return Err(cursor.fault(1, &problem, "correct the number of the atom"));
            };
            let fits = if charges {
                i8::try_from(pair[1])
                    .map(|charge| atom.charge = charge)
                    .is_ok()
            } else {
                u16::try_from(pair[1])
                    .map(|mass| atom.isotope = Some(mass))
                    .is_ok()
            };
            if !fits {
                let problem = format!("the value {} is out of range", pair[1]);
                return Err(cursor.fault(1, &problem, "correct the value"));
            }
        }
    }
}

/// Turns stated valences into hydrogens and settles the bonds.
fn finish(mut draft: Draft) -> Molecule {
    let mut sums = vec![0_u32; draft.atoms.len()];
    let mut known = vec![true; draft.atoms.len()];
    for bond in &draft.bonds {
        let pairs = match bond.order {
            Some(Order::Double) => 2,
            Some(Order::Triple) => 3,
            _ => 1,
        };
        for end in [bond.from as usize, bond.to as usize] {
            sums[end] += pairs;
            known[end] &= bond.order != Some(Order::Aromatic);
        }
    }
    for (index, valence) in draft.valences.iter().enumerate() {
        if let (Some(valence), true) = (valence, known[index]) {
            let free = u32::from(*valence).saturating_sub(sums[index]);
            draft.atoms[index].hydrogens = Some(free as u8);
        }
    }
    let mut molecule =
        Molecule::try_new(draft.atoms, &draft.bonds).expect("bonds were checked as they were read");
    molecule.stereo_ignored = draft.stereo;
    molecule
}
