//! Chains and rings of carbon with groups at their ends, as SMILES.

use mercer::data::Kind;
use mercer_io::Format;

use crate::case::Set;
use crate::stream::Stream;

/// Ends of a molecule, with what each adds to the boiling point.
const GROUPS: [(&str, f64); 6] = [
    ("O", 60.0),
    ("N", 30.0),
    ("C(=O)O", 100.0),
    ("Cl", 25.0),
    ("C#N", 70.0),
    ("c1ccccc1", 80.0),
];

/// An element that training has not, a charge, an aromatic ring written with bonds, nothing.
const ODD: &str = "CCBr,3,0,acid\nC[NH3+],2,0,other\nC1=CC=CC=C1CO,8,0,other\n,1,0,other\n";

fn text(rows: usize, seed: u64) -> String {
    let mut stream = Stream(seed);
    let mut text = "smiles,atoms,boils,family\n".to_owned();
    for _ in 0..rows {
        let length = 1 + stream.below(6);
        let (group, degrees) = GROUPS[stream.below(GROUPS.len())];
        let ring = length > 4 && stream.next() < 0.4;
        let chain = if ring {
            "C1CCCC1".to_owned()
        } else {
            "C".repeat(length)
        };
        let atoms = length + group.matches(|c: char| "CNOc".contains(c)).count();
        let boils = (25.0 * length as f64 + degrees + 10.0 * stream.next()).round();
        let family = if group == "C(=O)O" { "acid" } else { "other" };
        text.extend([format!("{chain}{group},{atoms},{boils},{family}\n")]);
    }
    text
}

fn molecules() -> Set {
    Set::new(Format::Csv, text(28, 71), text(8, 72) + ODD).kind("smiles", Kind::Molecule)
}

/// Where they boil.
pub(crate) fn boiling_points() -> Set {
    molecules().target("boils").without(&["family"])
}

/// Acids and others.
pub(crate) fn families() -> Set {
    molecules().target("family").without(&["boils"])
}
