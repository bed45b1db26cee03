//! Molecules and graphs as figures: atoms are placed here and drawn by `mercer-plot`.

use mercer::data::Graph;
use mercer::data::molecule::rings::{Adjacency, small_rings};
use mercer::data::molecule::{Molecule, Order, layout};
use mercer_plot::molecule::{Atom, Bond, BondOrder, Structure};

/// Pixels of a bond.
const BOND: f64 = 52.0;

/// Returns a molecule with a weight for each of its atoms.
///
/// Carbon has no letter unless it stands alone or is charged; other atoms show their hydrogens.
pub(super) fn of_molecule(molecule: &Molecule, weights: &[f64]) -> Structure {
    let ends = molecule.ends();
    let adjacency = Adjacency::new(molecule.atoms.len(), &ends);
    let hydrogens = molecule.hydrogens();
    let mut atoms: Vec<Atom> = molecule
        .atoms
        .iter()
        .enumerate()
        .map(|(index, atom)| {
            let plain = atom.charge == 0 && atom.isotope.is_none() && atom.class.is_none();
            if atom.element == "C" && plain && !adjacency.of(index).is_empty() {
                return Atom::default();
            }
            Atom {
                symbol: atom.element.to_owned(),
                hydrogens: hydrogens[index],
                charge: atom.charge,
                isotope: atom.isotope,
                ..Atom::default()
            }
        })
        .collect();
    // An atom between two double bonds or beside a triple one has its neighbours in line.
    let straight: Vec<bool> = (0..atoms.len())
        .map(|atom| {
            let orders = adjacency
                .of(atom)
                .iter()
                .map(|&(_, bond)| molecule.bonds[bond].order);
            let multiple = orders.fold(0, |sum, order| match order {
                Order::Triple | Order::Quadruple => sum + 2,
                Order::Double => sum + 1,
                Order::Single | Order::Aromatic => sum,
            });
            multiple >= 2
        })
        .collect();
    place(&mut atoms, weights, &ends, &straight);
    let orders = molecule.bonds.iter().map(|bond| bond.order);
    structure(atoms, &ends, orders, rings(&adjacency, ends.len()))
}

/// Returns a graph with the names of its vertices' labels and a weight for each of them.
///
/// Edges whose name is a bond of SMILES (`=`, `#`, `$`, `:`) are drawn as such bonds.
pub(super) fn of_graph(
    graph: &Graph,
    vertex_names: &[String],
    edge_names: &[String],
    weights: &[f64],
) -> Structure {
    let name = |names: &[String], code: u32| {
        let name = names.get(code as usize).cloned();
        name.unwrap_or_else(|| code.to_string())
    };
    let mut ends = Vec::new();
    let mut orders = Vec::new();
    for edge in graph.edges().filter(|e| e.from != e.to) {
        ends.push((edge.from, edge.to));
        let symbol = name(edge_names, edge.label);
        let order = Order::ALL.into_iter().find(|o| o.symbol() == symbol);
        orders.push(order.unwrap_or(Order::Single));
    }
    let mut atoms: Vec<Atom> = graph
        .labels()
        .iter()
        .map(|&label| Atom {
            symbol: name(vertex_names, label),
            ..Atom::default()
        })
        .collect();
    place(&mut atoms, weights, &ends, &[]);
    // Rings are needed for the inner lines of aromatic and double bonds only.
    let rings = if orders.iter().all(|o| *o == Order::Single) {
        Vec::new()
    } else {
        rings(&Adjacency::new(graph.len(), &ends), ends.len())
    };
    structure(atoms, &ends, orders, rings)
}

fn place(atoms: &mut [Atom], weights: &[f64], ends: &[(u32, u32)], straight: &[bool]) {
    let places = layout::place(atoms.len(), ends, straight);
    for (k, (atom, place)) in atoms.iter_mut().zip(places).enumerate() {
        atom.at = [place.x, place.y];
        atom.weight = Some(weights.get(k).copied().unwrap_or(0.0));
    }
}

fn rings(adjacency: &Adjacency, edges: usize) -> Vec<Vec<usize>> {
    let rings = small_rings(adjacency, edges).into_iter();
    rings.map(|ring| ring.vertices).collect()
}

fn structure(
    atoms: Vec<Atom>,
    ends: &[(u32, u32)],
    orders: impl IntoIterator<Item = Order>,
    rings: Vec<Vec<usize>>,
) -> Structure {
    let bonds = ends.iter().zip(orders).map(|(&(a, b), order)| Bond {
        ends: [a as usize, b as usize],
        order: match order {
            Order::Single => BondOrder::Single,
            Order::Double => BondOrder::Double,
            Order::Triple => BondOrder::Triple,
            Order::Quadruple => BondOrder::Quadruple,
            Order::Aromatic => BondOrder::Aromatic,
        },
    });
    Structure {
        title: "Influence of each part".to_owned(),
        atoms,
        bonds: bonds.collect(),
        rings,
        legend: "influence".to_owned(),
        full: None,
        bond_length: Some(BOND),
    }
}

#[cfg(test)]
mod tests {
    use mercer::data::Edge;
    use mercer::data::molecule::parse;
    use mercer_plot::Figure;

    use super::*;

    #[test]
    fn a_molecule_is_drawn() {
        let aspirin = parse("CC(=O)Oc1ccccc1C(=O)O").expect("aspirin");
        let weights: Vec<f64> = (0..13).map(|i| f64::from(i) - 6.0).collect();
        let made = of_molecule(&aspirin, &weights);
        assert_eq!(
            (made.atoms.len(), made.bonds.len(), made.rings.len()),
            (13, 13, 1)
        );
        let shown: Vec<&str> = made.atoms.iter().map(|a| a.symbol.as_str()).collect();
        assert_eq!(shown.concat(), "OOOO");
        assert_eq!(made.atoms[12].hydrogens, 1);
        let aromatic = made.bonds.iter().filter(|b| b.order == BondOrder::Aromatic);
        assert_eq!(aromatic.count(), 6);
        assert_eq!(made.to_svg().matches("<circle").count(), 13);
    }

    #[test]
    fn odd_molecules_are_drawn() {
        for text in [
            "C",
            "[NH4+].[Cl-]",
            "[13C]",
            "C#C",
            "C=C=C",
            "[2H]O[2H]",
            "C1CC1C2CC2",
            "c1ccc2ccccc2c1",
            "[U]$[U]",
            "O=S(=O)(O)O",
            "*C*",
            "C12C3C4C1C5C2C3C45",
        ] {
            let whole = parse(text).expect(text);
            let svg = of_molecule(&whole, &[f64::NAN]).to_svg();
            assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{text}");
        }
    }

    #[test]
    fn any_graph_is_drawn() {
        let edges =
            [(0, 1, 0), (1, 2, 7), (2, 2, 0)].map(|(from, to, label)| Edge { from, to, label });
        let made = Graph::try_new(vec![0, 1, 9], &edges).expect("a graph");
        let names = ["<a>".to_owned(), "b".to_owned()];
        let drawn = of_graph(
            &made,
            &names,
            &["-".to_owned(), "=".to_owned()],
            &[0.5, -2.0],
        );
        assert_eq!(drawn.bonds.len(), 2);
        let svg = drawn.to_svg();
        assert!(svg.contains("&lt;a&gt;") && svg.contains(">9<"));
        let empty = Graph::try_new(Vec::new(), &[]).expect("nothing");
        assert!(of_graph(&empty, &[], &[], &[]).atoms.is_empty());
    }
}
