//! Prints what the SMILES reader finds in each line of standard input, one JSON object a line.
//!
//! `crates/mercer-bench/python/structured/rdkit_check.py` compares it with RDKit.

#![expect(clippy::print_stdout, reason = "a program that prints")]

use std::io::BufRead;

use mercer_molecule::{Order, parse, rings};

fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("text");
        match parse(&line) {
            Err(fault) => println!("{{\"fault\": {:?}}}", fault.to_string()),
            Ok(m) => {
                let ends = m.ends();
                let adjacency = rings::Adjacency::new(m.atoms.len(), &ends);
                let mut sizes: Vec<usize> = rings::small_rings(&adjacency, ends.len())
                    .iter()
                    .map(|r| r.vertices.len())
                    .collect();
                sizes.sort_unstable();
                let aromatic: Vec<usize> = (0..m.atoms.len())
                    .filter(|&a| m.atoms[a].aromatic)
                    .collect();
                let bonds: Vec<[u32; 2]> = m
                    .bonds
                    .iter()
                    .filter(|b| b.order == Order::Aromatic)
                    .map(|b| [b.from.min(b.to), b.from.max(b.to)])
                    .collect();
                println!(
                    "{{\"formula\": {:?}, \"atoms\": {}, \"bonds\": {}, \"rings\": {sizes:?}, \"aromatic\": {aromatic:?}, \"aromatic_bonds\": {bonds:?}, \"unsure\": {}, \"hydrogens\": {:?}}}",
                    m.formula(),
                    m.atoms.len(),
                    m.bonds.len(),
                    m.aromaticity_unsure,
                    m.hydrogens()
                );
            }
        }
    }
}
