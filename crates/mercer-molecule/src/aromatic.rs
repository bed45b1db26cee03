//! Which bonds are aromatic, whichever way the molecule is written.
//!
//! A molecule is first given alternating single and double bonds (its Kekulé structure), then
//! its rings are tested with one plain rule:
//!
//! * A ring can be aromatic where every atom gives a known number of electrons: one for an atom
//!   with a double bond in a ring, two for the lone pair of `N`, `O`, `S`, `P`, `Se`, `Te` and of
//!   carbanions, none for an empty orbital (carbocations, boron excepted) and for an atom whose
//!   double bond to an element with more outer electrons points out of the ring (`C=O`); any
//!   number for `*`. Atoms with four neighbours, with two double bonds or with more bonds than
//!   their usual valence take no part.
//! * It is aromatic where these add up to 4n + 2 (Hückel).
//! * Rings that share bonds are tested alone first, then the outlines of two to six of
//!   them together, as azulene needs.
//!
//! This is the common model of chemical toolkits, not of physics: it also takes rings with
//! `C=O` such as those of caffeine. Atoms written in lower case that the rule does not confirm
//! stay aromatic, and [`Molecule::aromaticity_unsure`] says so.

use std::collections::{BTreeSet, HashMap};

use crate::element::number;
use crate::kekule::{Need, pair};
use crate::rings::{Adjacency, Ring, ring_edges, small_rings};
use crate::valence::{hydrogens, outer_electrons, valences};
use crate::{Atom, Bond, DraftBond, Molecule, Order};

/// Larger outlines are not planar.
const LARGEST: usize = 24;

/// Sets of rings tested for one system; beyond this the outlines of a huge net are left alone.
const MOST_SETS: usize = 5_000;

/// Settles the order of every bond.
pub(crate) fn settle(mut atoms: Vec<Atom>, drafts: &[DraftBond]) -> Molecule {
    let ends: Vec<(u32, u32)> = drafts.iter().map(|b| (b.from, b.to)).collect();
    let adjacency = Adjacency::new(atoms.len(), &ends);
    let in_ring = ring_edges(&adjacency, ends.len());
    let written: Vec<Order> = drafts
        .iter()
        .zip(&in_ring)
        .map(|(bond, in_ring)| {
            let aromatic = [bond.from, bond.to]
                .iter()
                .all(|&a| atoms[a as usize].aromatic);
            match bond.order {
                Some(order) => order,
                None if aromatic && *in_ring => Order::Aromatic,
                None => Order::Single,
            }
        })
        .collect();
    let localised = localise(&atoms, &adjacency, &written);
    let known = localised.is_some();
    let localised = localised.unwrap_or_else(|| written.clone());
    let mut orders = written.clone();
    let mut unsure = !known;
    if known && in_ring.contains(&true) {
        let found = perceive(&atoms, &adjacency, &localised);
        let confirmed = confirmed(&atoms, &adjacency, &written, &found);
        for (bond, order) in orders.iter_mut().enumerate() {
            let (from, to) = (ends[bond].0 as usize, ends[bond].1 as usize);
            let trusted = confirmed[from] && confirmed[to];
            if found.bonds.contains(&bond) {
                *order = Order::Aromatic;
            } else if *order == Order::Aromatic && trusted {
                // Between aromatic rings, not part of one.
                *order = Order::Single;
            }
        }
        unsure = confirmed.contains(&false);
        for &atom in &found.atoms {
            atoms[atom].aromatic = true;
        }
    }
    let bonds = ends.iter().zip(orders.iter().zip(&localised));
    let bonds = bonds.map(|(&(from, to), (&order, &localised))| Bond {
        from,
        to,
        order,
        localised,
    });
    Molecule {
        bonds: bonds.collect(),
        atoms,
        stereo_ignored: false,
        aromaticity_unsure: unsure,
    }
}

/// Replaces aromatic bonds by single and double ones, where that is possible.
fn localise(atoms: &[Atom], adjacency: &Adjacency, written: &[Order]) -> Option<Vec<Order>> {
    if !written.contains(&Order::Aromatic) {
        return Some(written.to_vec());
    }
    let mut needs = vec![Need::Never; atoms.len()];
    let mut neighbours = vec![Vec::new(); atoms.len()];
    for (index, atom) in atoms.iter().enumerate() {
        let mut sum = 0;
        for &(other, bond) in adjacency.of(index) {
            sum += written[bond].pairs();
            if written[bond] == Order::Aromatic {
                neighbours[index].push(other);
            }
        }
        if !neighbours[index].is_empty() {
            needs[index] = need(atom, sum);
        }
    }
    let partners = pair(&needs, &neighbours)?;
    let mut localised = written.to_vec();
    for order in &mut localised {
        if *order == Order::Aromatic {
            *order = Order::Single;
        }
    }
    for (index, partner) in partners.into_iter().enumerate() {
        let joined = |&&(other, bond): &&(usize, usize)| {
            Some(other) == partner && written[bond] == Order::Aromatic
        };
        if let Some(&(_, bond)) = adjacency.of(index).iter().find(joined) {
            localised[bond] = Order::Double;
        }
    }
    Some(localised)
}

/// Whether an atom whose bonds and hydrogens leave a valence free needs a double bond.
fn need(atom: &Atom, sum: u32) -> Need {
    if atom.element == "*" {
        return Need::May;
    }
    let full = sum + u32::from(atom.hydrogens.unwrap_or(0));
    let usual = valences(atom.element, atom.charge);
    match usual.iter().find(|&&v| u32::from(v) >= full) {
        // Chalcogens with two bonds are content; those with three are on the way to four.
        Some(&v) if u32::from(v) > full => Need::Must,
        _ => Need::Never,
    }
}

/// The atoms and bonds of aromatic rings.
#[derive(Default)]
struct Found {
    atoms: BTreeSet<usize>,
    bonds: BTreeSet<usize>,
}

/// Whether each atom is either written plainly or in a part written as aromatic whose atoms
/// were all found to be so.
fn confirmed(atoms: &[Atom], adjacency: &Adjacency, written: &[Order], found: &Found) -> Vec<bool> {
    let mut confirmed = vec![true; atoms.len()];
    let mut seen = vec![false; atoms.len()];
    for root in 0..atoms.len() {
        if seen[root] || !atoms[root].aromatic {
            continue;
        }
        seen[root] = true;
        let mut part = vec![root];
        let mut next = 0;
        while next < part.len() {
            for &(other, bond) in adjacency.of(part[next]) {
                if written[bond] == Order::Aromatic && !seen[other] {
                    seen[other] = true;
                    part.push(other);
                }
            }
            next += 1;
        }
        let all = part.iter().all(|atom| found.atoms.contains(atom));
        for atom in part {
            confirmed[atom] = all;
        }
    }
    confirmed
}

/// The electrons an atom can give to a ring: from, to.
type Gift = Option<(u32, u32)>;

fn perceive(atoms: &[Atom], adjacency: &Adjacency, orders: &[Order]) -> Found {
    let in_ring = ring_edges(adjacency, orders.len());
    let gifts: Vec<Gift> = (0..atoms.len())
        .map(|atom| gift(atoms, adjacency, orders, &in_ring, atom))
        .collect();
    let rings: Vec<Ring> = small_rings(adjacency, orders.len())
        .into_iter()
        .filter(|r| r.vertices.iter().all(|&atom| gifts[atom].is_some()))
        .collect();
    let mut found = Found::default();
    for ring in &rings {
        if ring.vertices.len() <= LARGEST && is_huckel(&ring.vertices, &gifts) {
            found.atoms.extend(&ring.vertices);
            found.bonds.extend(&ring.edges);
        }
    }
    for system in fused(&rings) {
        outlines(&system, &rings, adjacency, &gifts, &mut found);
    }
    found
}

fn gift(
    atoms: &[Atom],
    adjacency: &Adjacency,
    orders: &[Order],
    in_ring: &[bool],
    index: usize,
) -> Gift {
    let atom = &atoms[index];
    let bonds = adjacency.of(index);
    let sum: u32 = bonds.iter().map(|&(_, b)| orders[b].pairs()).sum();
    let multiple = bonds.iter().filter(|&&(_, b)| orders[b] != Order::Single);
    let multiple: Vec<&(usize, usize)> = multiple.collect();
    if atom.element == "*" {
        return match multiple.first() {
            Some(_) => Some((1, 1)),
            None => Some((0, 2)),
        };
    }
    let outer = outer_electrons(atom.element)?;
    let allowed = matches!(
        atom.element,
        "B" | "C" | "N" | "O" | "Si" | "P" | "S" | "Se" | "Te"
    );
    let hydrogens = u32::from(hydrogens(atom, sum));
    let neighbours = bonds.len() as u32 + hydrogens;
    let usual = u32::from(*valences(atom.element, atom.charge).first()?);
    if !allowed || neighbours > 3 || multiple.len() > 1 || sum + hydrogens > usual {
        return None;
    }
    match multiple.first() {
        Some(&&(_, bond)) if orders[bond] != Order::Double => None,
        Some(&&(_, bond)) if in_ring[bond] => Some((1, 1)),
        Some(&&(other, _)) => {
            let rival = outer_electrons(atoms[other].element);
            let stronger = match rival {
                Some(electrons) if electrons == outer => {
                    number(atoms[other].element) < number(atom.element)
                }
                Some(electrons) => electrons > outer,
                None => false,
            };
            let given = u32::from(!stronger);
            Some((given, given))
        }
        None => {
            // Electrons that are in no bond: pairs, one that is missing, or a radical.
            let free = i32::from(outer) - i32::from(atom.charge) - (sum + hydrogens) as i32;
            match free {
                2.. if free % 2 == 0 => Some((2, 2)),
                0 if atom.charge > 0 => Some((0, 0)),
                _ => None,
            }
        }
    }
}

fn is_huckel(vertices: &[usize], gifts: &[Gift]) -> bool {
    let (mut least, mut most) = (0, 0);
    for &vertex in vertices {
        let Some((low, high)) = gifts[vertex] else {
            return false;
        };
        least += low;
        most += high;
    }
    (least..=most).any(|electrons| electrons % 4 == 2)
}

/// Groups rings that share bonds.
fn fused(rings: &[Ring]) -> Vec<Vec<usize>> {
    let touching = neighbouring(rings);
    let mut seen = vec![false; rings.len()];
    let mut systems = Vec::new();
    for root in 0..rings.len() {
        if seen[root] {
            continue;
        }
        seen[root] = true;
        let mut system = vec![root];
        let mut next = 0;
        while next < system.len() {
            for &other in &touching[system[next]] {
                if !seen[other] {
                    seen[other] = true;
                    system.push(other);
                }
            }
            next += 1;
        }
        if system.len() > 1 {
            systems.push(system);
        }
    }
    systems
}

fn neighbouring(rings: &[Ring]) -> Vec<BTreeSet<usize>> {
    let mut of_bond: HashMap<usize, Vec<usize>> = HashMap::new();
    for (index, ring) in rings.iter().enumerate() {
        for &bond in &ring.edges {
            of_bond.entry(bond).or_default().push(index);
        }
    }
    let mut touching = vec![BTreeSet::new(); rings.len()];
    for group in of_bond.values() {
        for &a in group {
            touching[a].extend(group.iter().filter(|&&b| b != a));
        }
    }
    touching
}

/// Tests the outlines of two to six fused rings, while some bonds are not aromatic.
fn outlines(
    system: &[usize],
    rings: &[Ring],
    adjacency: &Adjacency,
    gifts: &[Gift],
    found: &mut Found,
) {
    let touching = neighbouring(rings);
    let done = |found: &Found| {
        system
            .iter()
            .all(|&r| rings[r].edges.iter().all(|b| found.bonds.contains(b)))
    };
    let mut sets: BTreeSet<Vec<usize>> = system.iter().map(|&r| vec![r]).collect();
    for _ in 2..=6 {
        if done(found) {
            return;
        }
        let mut larger = BTreeSet::new();
        for set in &sets {
            let around: BTreeSet<usize> = set.iter().flat_map(|&r| touching[r].clone()).collect();
            for ring in around.into_iter().filter(|r| !set.contains(r)) {
                let mut grown = set.clone();
                grown.push(ring);
                grown.sort_unstable();
                larger.insert(grown);
            }
            if larger.len() > MOST_SETS {
                return;
            }
        }
        for set in &larger {
            if let Some((vertices, bonds)) = outline(set, rings, adjacency)
                && !bonds.iter().all(|b| found.bonds.contains(b))
                && is_huckel(&vertices, gifts)
            {
                found.atoms.extend(vertices);
                found.bonds.extend(bonds);
            }
        }
        sets = larger;
    }
}

/// The bonds that belong to one ring of the set only, if they make one ring.
fn outline(
    set: &[usize],
    rings: &[Ring],
    adjacency: &Adjacency,
) -> Option<(Vec<usize>, Vec<usize>)> {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for &ring in set {
        for &bond in &rings[ring].edges {
            *counts.entry(bond).or_default() += 1;
        }
    }
    let mut bonds: Vec<usize> = counts
        .iter()
        .filter(|(_, c)| **c == 1)
        .map(|(b, _)| *b)
        .collect();
    bonds.sort_unstable();
    if bonds.len() > LARGEST {
        return None;
    }
    let inside: BTreeSet<usize> = set
        .iter()
        .flat_map(|&r| rings[r].vertices.clone())
        .collect();
    let start = inside.iter().copied().find(|&v| {
        adjacency
            .of(v)
            .iter()
            .any(|(_, b)| bonds.binary_search(b).is_ok())
    })?;
    let (mut vertices, mut at, mut by) = (Vec::new(), start, usize::MAX);
    loop {
        vertices.push(at);
        let mut ways = adjacency
            .of(at)
            .iter()
            .filter(|(_, b)| bonds.binary_search(b).is_ok());
        let ways: Vec<&(usize, usize)> = ways.by_ref().collect();
        if ways.len() != 2 || vertices.len() > bonds.len() {
            return None;
        }
        let next = ways.into_iter().find(|(_, b)| *b != by)?;
        (at, by) = *next;
        if at == start {
            break;
        }
    }
    (vertices.len() == bonds.len()).then_some((vertices, bonds))
}
