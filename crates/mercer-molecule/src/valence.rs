//! How many bonds an atom makes, and how many hydrogens that leaves.

use crate::Atom;

/// Returns the usual numbers of bonds of an element at a charge, ascending.
///
/// An ion has as many bonds as the neutral atom with the same number of outer electrons: `N+`
/// four like carbon, `O-` one like fluorine. Elements beyond the main groups have none, so no
/// hydrogens are added to them.
pub(crate) fn valences(element: &str, charge: i8) -> &'static [u8] {
    let Some(electrons) = outer_electrons(element) else {
        return &[];
    };
    let heavy = !matches!(element, "B" | "C" | "N" | "O" | "F");
    match i16::from(electrons) - i16::from(charge) {
        5 if charge == 0 => &[3, 5],
        6 if heavy && charge == 0 => &[2, 4, 6],
        1 | 7 => &[1],
        2 | 6 => &[2],
        3 | 5 => &[3],
        4 => &[4],
        _ => &[],
    }
}

/// Returns the number of outer electrons of the main-group elements that form covalent bonds.
pub(crate) fn outer_electrons(element: &str) -> Option<u8> {
    match element {
        "H" => Some(1),
        "B" => Some(3),
        "C" | "Si" | "Ge" => Some(4),
        "N" | "P" | "As" => Some(5),
        "O" | "S" | "Se" | "Te" => Some(6),
        "F" | "Cl" | "Br" | "I" => Some(7),
        _ => None,
    }
}

/// Returns the hydrogens of an atom whose bonds to others add up to `sum`.
///
/// Hydrogens that were written stand; otherwise they fill up to the next usual valence.
pub(crate) fn hydrogens(atom: &Atom, sum: u32) -> u8 {
    if let Some(written) = atom.hydrogens {
        return written;
    }
    if atom.element == "H" {
        // A lone hydrogen atom in a molecule file is what it says.
        return 0;
    }
    let next = valences(atom.element, atom.charge)
        .iter()
        .find(|&&valence| u32::from(valence) >= sum);
    next.map_or(0, |&valence| valence - sum as u8)
}
