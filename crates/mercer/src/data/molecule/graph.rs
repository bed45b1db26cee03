//! From molecules to the library's graphs.

use mercer_molecule::{Molecule, Order};

use crate::data::{Edge, Graph, LabelNames};

/// The names of edge labels, by the code that [`to_graph`] gives them.
pub const BOND_NAMES: [&str; 5] = ["-", "=", "#", "$", ":"];

/// Returns the names of edge labels as a list to share between graphs.
pub fn bond_names() -> LabelNames {
    LabelNames::new(BOND_NAMES.map(str::to_owned))
}

/// How a molecule becomes a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GraphOptions {
    /// Whether hydrogen atoms with one bond to a heavy atom are left out, as they are where a
    /// valence stands for them.
    pub fold_hydrogens: bool,
}

impl Default for GraphOptions {
    fn default() -> Self {
        Self {
            fold_hydrogens: true,
        }
    }
}

impl GraphOptions {
    /// Sets whether hydrogens are left out.
    #[must_use]
    pub fn fold_hydrogens(mut self, fold_hydrogens: bool) -> Self {
        self.fold_hydrogens = fold_hydrogens;
        self
    }
}

/// A molecule's graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoleculeGraph {
    /// Atoms as vertices, bonds as edges.
    pub graph: Graph,
    /// The atom of every vertex, ascending.
    pub atoms: Vec<u32>,
}

/// Turns a molecule into a graph.
///
/// Vertices are labelled with the element and the charge (`C`, `N+`, `*`), named in
/// `vertex_names`, which grows as new labels come. Edges are labelled by [`BOND_NAMES`].
/// Isotopes and atom classes are not part of the label.
pub fn to_graph(
    molecule: &Molecule,
    vertex_names: &mut LabelNames,
    options: GraphOptions,
) -> MoleculeGraph {
    let folded = if options.fold_hydrogens {
        foldable(molecule)
    } else {
        vec![false; molecule.atoms.len()]
    };
    let mut number = vec![None; molecule.atoms.len()];
    let mut atoms = Vec::new();
    let mut labels = Vec::new();
    for (index, atom) in molecule.atoms.iter().enumerate() {
        if !folded[index] {
            number[index] = Some(atoms.len() as u32);
            atoms.push(index as u32);
            labels.push(vertex_names.code(&atom.label()));
        }
    }
    let edges = molecule.bonds.iter().filter_map(|bond| {
        Some(Edge {
            from: number[bond.from as usize]?,
            to: number[bond.to as usize]?,
            label: code(bond.order),
        })
    });
    let edges: Vec<Edge> = edges.collect();
    let graph = Graph::try_new(labels, &edges).expect("bonds join atoms of the molecule");
    MoleculeGraph { graph, atoms }
}

fn code(order: Order) -> u32 {
    match order {
        Order::Single => 0,
        Order::Double => 1,
        Order::Triple => 2,
        Order::Quadruple => 3,
        Order::Aromatic => 4,
    }
}

/// Which atoms are plain hydrogens with one single bond to a heavy atom.
fn foldable(molecule: &Molecule) -> Vec<bool> {
    let mut bonds = vec![0_usize; molecule.atoms.len()];
    let mut heavy = vec![false; molecule.atoms.len()];
    for bond in &molecule.bonds {
        for (end, other) in [(bond.from, bond.to), (bond.to, bond.from)] {
            bonds[end as usize] += 1;
            let other = molecule.atoms[other as usize].element;
            heavy[end as usize] = other != "H" && bond.order == Order::Single;
        }
    }
    let plain = molecule.atoms.iter().zip(bonds.iter().zip(heavy));
    plain
        .map(|(atom, (&bonds, heavy))| {
            let plain = atom.element == "H" && atom.charge == 0 && atom.isotope.is_none();
            plain && atom.hydrogens.unwrap_or(0) == 0 && bonds == 1 && heavy
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mercer_molecule::parse;
    use proptest::prelude::*;

    fn graph(text: &str, options: GraphOptions) -> (MoleculeGraph, Vec<String>) {
        let mut names = LabelNames::default();
        let molecule = parse(text).expect("a molecule");
        let graph = to_graph(&molecule, &mut names, options);
        (graph, names.names().to_vec())
    }

    #[test]
    fn labels_are_elements_with_charges() {
        let (found, names) = graph("[NH3+]CC(=O)[O-].[Fe+2].*", GraphOptions::default());
        assert_eq!(names, ["N+", "C", "O", "O-", "Fe+2", "*"]);
        assert_eq!(found.graph.labels(), [0, 1, 1, 2, 3, 4, 5]);
        let bonds: Vec<&str> = found
            .graph
            .edges()
            .map(|e| BOND_NAMES[e.label as usize])
            .collect();
        assert_eq!(bonds, ["-", "-", "=", "-"]);
        assert_eq!(bond_names().names(), BOND_NAMES);
        assert_eq!(Order::ALL.map(Order::symbol), BOND_NAMES);
    }

    #[test]
    fn hydrogens_are_folded_away() {
        let text = "[H]OC([H])([2H])[H].[H][H].[H+]";
        let (found, _) = graph(text, GraphOptions::default());
        assert_eq!(found.atoms, [1, 2, 4, 6, 7, 8]);
        let (all, _) = graph(text, GraphOptions::default().fold_hydrogens(false));
        assert_eq!(all.graph.len(), 9);
        let (water, names) = graph("[H]O[H]", GraphOptions::default());
        assert_eq!((water.graph.len(), names), (1, vec!["O".to_owned()]));
    }

    #[test]
    fn both_notations_give_the_same_graph() {
        for (first, second) in [
            ("c1ccccc1", "C1=CC=CC=C1"),
            ("c1ccc2[nH]ccc2c1", "C1=CC=C2NC=CC2=C1"),
            ("[O-][n+]1ccccc1", "[O-][N+]1=CC=CC=C1"),
            ("c1ccc(cc1)c1ccccc1", "C1=CC=C(C=C1)-C1=CC=CC=C1"),
        ] {
            let [first, second] = [first, second].map(|t| graph(t, GraphOptions::default()));
            assert_eq!(first, second);
        }
    }

    proptest! {
        #![proptest_config(crate::properties::cases(2_000))]

        #[test]
        fn vertices_are_atoms_that_are_not_folded(text in "[CNOcno()=12H\\[\\]+.-]{0,25}") {
            let Ok(molecule) = parse(&text) else { return Ok(()); };
            for fold in [true, false] {
                let options = GraphOptions::default().fold_hydrogens(fold);
                let (found, names) = graph(&text, options);
                prop_assert_eq!(found.graph.len(), found.atoms.len());
                prop_assert!(fold || found.atoms.len() == molecule.atoms.len());
                for (&atom, &label) in found.atoms.iter().zip(found.graph.labels()) {
                    let expected = molecule.atoms[atom as usize].label();
                    prop_assert_eq!(&names[label as usize], &expected);
                }
                let kept = |atom: u32| found.atoms.contains(&atom);
                let bonds = molecule.bonds.iter().filter(|b| kept(b.from) && kept(b.to));
                prop_assert_eq!(found.graph.edges().count(), bonds.count());
            }
        }
    }
}
