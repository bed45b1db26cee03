//! Molecules with known formulas, faults with their places, and texts made at random.

use proptest::prelude::*;

use crate::*;

/// SMILES, formula, rings, aromatic atoms.
const KNOWN: &[(&str, &str, usize, usize)] = &[
    ("C", "CH4", 0, 0),
    ("CCO", "C2H6O", 0, 0),
    ("[H][H]", "H2", 0, 0),
    ("O", "H2O", 0, 0),
    ("N#N", "N2", 0, 0),
    ("[Na+].[Cl-]", "ClNa", 0, 0),
    ("C#N", "CHN", 0, 0),
    ("CC(=O)O", "C2H4O2", 0, 0),
    ("CC(C)=O", "C3H6O", 0, 0),
    ("ClC(Cl)Cl", "CHCl3", 0, 0),
    ("CS(C)=O", "C2H6OS", 0, 0),
    ("OS(=O)(=O)O", "H2O4S", 0, 0),
    ("OP(=O)(O)O", "H3O4P", 0, 0),
    ("[O-][N+](=O)c1ccccc1", "C6H5NO2", 1, 6),
    ("O=N(=O)c1ccccc1", "C6H5NO2", 1, 6),
    ("C[N+](C)(C)CCO", "C5H14NO+", 0, 0),
    ("[NH3+]CC([O-])=O", "C2H5NO2", 0, 0),
    ("F/C=C/F", "C2H2F2", 0, 0),
    ("N[C@@H](C)C(=O)O", "C3H7NO2", 0, 0),
    ("C[C@H](N)C(=O)O", "C3H7NO2", 0, 0),
    ("C1CCCCC1", "C6H12", 1, 0),
    ("C1CC1", "C3H6", 1, 0),
    ("c1ccccc1", "C6H6", 1, 6),
    ("Cc1ccccc1", "C7H8", 1, 6),
    ("Oc1ccccc1", "C6H6O", 1, 6),
    ("Nc1ccccc1", "C6H7N", 1, 6),
    ("c1ccncc1", "C5H5N", 1, 6),
    ("c1cc[nH]c1", "C4H5N", 1, 5),
    ("c1ccoc1", "C4H4O", 1, 5),
    ("c1ccsc1", "C4H4S", 1, 5),
    ("c1cc[se]c1", "C4H4Se", 1, 5),
    ("c1cnc[nH]1", "C3H4N2", 1, 5),
    ("c1ccc2ccccc2c1", "C10H8", 2, 10),
    ("c1ccc2cc3ccccc3cc2c1", "C14H10", 3, 14),
    ("c1ccc(cc1)-c1ccccc1", "C12H10", 2, 12),
    ("c1ccc2[nH]ccc2c1", "C8H7N", 2, 9),
    ("c1ccc2ncccc2c1", "C9H7N", 2, 10),
    ("c1ccc2cccc-2cc1", "C10H8", 2, 10),
    ("C1=CC=CC=CC=C1", "C8H8", 1, 0),
    ("C1=CCC=C1", "C5H6", 1, 0),
    ("O=C1C=CC(=O)C=C1", "C6H4O2", 1, 0),
    ("CC(=O)Oc1ccccc1C(=O)O", "C9H8O4", 1, 6),
    ("CC(=O)Nc1ccc(O)cc1", "C8H9NO2", 1, 6),
    ("CC(C)Cc1ccc(cc1)C(C)C(=O)O", "C13H18O2", 1, 6),
    ("Cn1cnc2c1c(=O)n(C)c(=O)n2C", "C8H10N4O2", 2, 9),
    (
        "CN1CC[C@]23c4c5ccc(O)c4O[C@H]2[C@@H](O)C=C[C@H]3[C@H]1C5",
        "C17H19NO3",
        5,
        6,
    ),
    (
        "CC(C)CCCC(C)C1CCC2C1(CCC3C2CC=C4C3(CCC(C4)O)C)C",
        "C27H46O",
        4,
        0,
    ),
    (
        "CC1(C)SC2C(NC(=O)Cc3ccccc3)C(=O)N2C1C(=O)O",
        "C16H18N2O4S",
        3,
        6,
    ),
    ("OCC1OC(O)C(O)C(O)C1O", "C6H12O6", 1, 0),
    (
        "OC[C@H]1O[C@@](CO)(O[C@H]2O[C@H](CO)[C@@H](O)[C@H](O)[C@H]2O)[C@@H](O)[C@@H]1O",
        "C12H22O11",
        2,
        0,
    ),
    ("CN1CCCC1c1cccnc1", "C10H14N2", 2, 6),
    ("COC(=O)C1C(OC(=O)c2ccccc2)CC2CCC1N2C", "C17H21NO4", 3, 6),
    ("NCCc1ccc(O)c(O)c1", "C8H11NO2", 1, 6),
    ("NCCc1c[nH]c2ccc(O)cc12", "C10H12N2O", 2, 9),
    ("CNCC(O)c1ccc(O)c(O)c1", "C9H13NO3", 1, 6),
    ("NC(N)=O", "CH4N2O", 0, 0),
    ("Nc1ncnc2[nH]cnc12", "C5H5N5", 2, 9),
    ("Nc1nc2[nH]cnc2c(=O)[nH]1", "C5H5N5O", 2, 9),
    ("Nc1cc[nH]c(=O)n1", "C4H5N3O", 1, 6),
    ("Cc1c[nH]c(=O)[nH]c1=O", "C5H6N2O2", 1, 6),
    ("O=c1cc[nH]c(=O)[nH]1", "C4H4N2O2", 1, 6),
    (
        "Nc1ncnc2c1ncn2C1OC(COP(=O)(O)OP(=O)(O)OP(=O)(O)O)C(O)C1O",
        "C10H16N5O13P3",
        3,
        9,
    ),
    ("CC12CCC3C(CCC4=CC(=O)CCC34C)C1CCC2O", "C19H28O2", 4, 0),
    ("CC12CCC3c4ccc(O)cc4CCC3C1CCC2O", "C18H24O2", 4, 6),
    ("CC(=O)C1CCC2C3CCC4=CC(=O)CCC4(C)C3CCC12C", "C21H30O2", 4, 0),
    ("OC(=O)CC(O)(CC(=O)O)C(=O)O", "C6H8O7", 0, 0),
    ("CC1=C(C(CCC1)(C)C)C=CC(=CC=CC(=CCO)C)C", "C20H30O", 1, 0),
    ("OCC(O)C1OC(=O)C(O)=C1O", "C6H8O6", 1, 0),
    ("CCN(CC)CC(=O)Nc1c(C)cccc1C", "C14H22N2O", 1, 6),
    ("CN(C)C(=N)NC(N)=N", "C4H11N5", 0, 0),
    (
        "CCCc1nn(C)c2c1nc([nH]c2=O)-c1cc(ccc1OCC)S(=O)(=O)N1CCN(C)CC1",
        "C22H30N6O4S",
        4,
        15,
    ),
    (
        "CC(C)c1c(C(=O)Nc2ccccc2)c(-c2ccccc2)c(-c2ccc(F)cc2)n1CCC(O)CC(O)CC(=O)O",
        "C33H35FN2O5",
        4,
        23,
    ),
    ("Clc1ccc2c(c1)C(=NCC(=O)N2C)c1ccccc1", "C16H13ClN2O", 3, 12),
    ("CN(C)CCCN1c2ccccc2CCc2ccccc12", "C19H24N2", 3, 12),
    ("CNCCC(Oc1ccc(cc1)C(F)(F)F)c1ccccc1", "C17H18F3NO", 2, 12),
    (
        "OC(=O)c1cn(C2CC2)c2cc(N3CCNCC3)c(F)cc2c1=O",
        "C17H18FN3O3",
        4,
        10,
    ),
    ("Nc1ccc(cc1)S(N)(=O)=O", "C6H8N2O2S", 1, 6),
    (
        "CC1=C(N2C(SC1)C(NC(=O)C(N)c1ccccc1)C2=O)C(=O)O",
        "C16H17N3O4S",
        3,
        6,
    ),
    ("CC(CS)C(=O)N1CCCC1C(=O)O", "C9H15NO3S", 1, 0),
    ("C1CC2CCC1C2", "C7H12", 2, 0),
    ("C1C2CC3CC1CC(C2)C3", "C10H16", 3, 0),
    ("C12C3C4C1C5C2C3C45", "C8H8", 5, 0),
    ("CC1(C)C2CCC1(C)C(=O)C2", "C10H16O", 2, 0),
    ("[Fe+2].[cH-]1cccc1.[cH-]1cccc1", "C10H10Fe", 2, 10),
    ("[13CH4]", "CH4", 0, 0),
    ("C%12CC%12", "C3H6", 1, 0),
    ("C%(100)CC%(100)", "C3H6", 1, 0),
    ("C1.C1", "C2H6", 0, 0),
    ("C=1CCCCC1", "C6H10", 1, 0),
    ("C1CCCCC=1", "C6H10", 1, 0),
    ("[Cu+2].[O-]S(=O)(=O)[O-]", "CuO4S", 0, 0),
    ("*C(=O)O", "CH*O2", 0, 0),
];

fn rings_of(molecule: &Molecule) -> usize {
    let ends = molecule.ends();
    let adjacency = rings::Adjacency::new(molecule.atoms.len(), &ends);
    rings::small_rings(&adjacency, ends.len()).len()
}

#[test]
fn known_molecules_have_their_formula() {
    for &(text, formula, rings, aromatic) in KNOWN {
        let molecule = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(molecule.formula(), formula, "{text}");
        assert_eq!(rings_of(&molecule), rings, "{text}");
        let found = molecule.atoms.iter().filter(|a| a.aromatic).count();
        assert_eq!(found, aromatic, "{text}");
        assert!(!molecule.aromaticity_unsure, "{text}");
        assert_eq!(check(text), Ok(molecule.atoms.len()));
    }
}

/// Pairs with the same order of atoms and bonds.
#[test]
fn both_notations_give_the_same_molecule() {
    let pairs = [
        ("c1ccccc1", "C1=CC=CC=C1"),
        ("c1ccccc1", "C=1C=CC=CC=1"),
        ("c1ccccc1", "C1:C:C:C:C:C1"),
        ("c1c[nH]cc1", "C1=CNC=C1"),
        ("c1cocc1", "C1=COC=C1"),
        ("c1cscc1", "C1=CSC=C1"),
        ("c1cnccc1", "C1=CN=CC=C1"),
        ("c1cnc[nH]1", "C1=CN=CN1"),
        ("c1ccc2ccccc2c1", "C1=CC=C2C=CC=CC2=C1"),
        ("c1ccc2ccccc2c1", "C1C=CC2=CC=CC=C2C=1"),
        ("c1ccc2[nH]ccc2c1", "C1=CC=C2NC=CC2=C1"),
        ("c1ccc2cccc-2cc1", "C1=CC=C2C=CC=C2C=C1"),
        ("c1ccc2cccc2cc1", "C1=CC=C2C=CC=C2C=C1"),
        ("O=c1cc[nH]cc1", "O=C1C=CNC=C1"),
        ("Cn1cnc2c1c(=O)n(C)c(=O)n2C", "CN1C=NC2=C1C(=O)N(C)C(=O)N2C"),
        ("c1ccc[cH+]cc1", "C1=CC=C[CH+]C=C1"),
        ("[cH-]1cccc1", "[CH-]1C=CC=C1"),
        ("c1ccc2c(c1)c1ccccc12", "C1=CC=C2C(=C1)C1=CC=CC=C12"),
        ("[O-][n+]1ccccc1", "[O-][N+]1=CC=CC=C1"),
        ("c1ccc(cc1)c1ccccc1", "C1=CC=C(C=C1)-C1=CC=CC=C1"),
    ];
    for (first, second) in pairs {
        let seen = |text: &str| {
            let molecule = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert!(!molecule.aromaticity_unsure, "{text}");
            let atoms: Vec<(String, bool)> = molecule
                .atoms
                .iter()
                .map(|a| (a.label(), a.aromatic))
                .collect();
            let mut bonds: Vec<(u32, u32, Order)> = molecule
                .bonds
                .iter()
                .map(|b| (b.from.min(b.to), b.from.max(b.to), b.order))
                .collect();
            bonds.sort_unstable();
            (atoms, bonds, molecule.hydrogens(), molecule.formula())
        };
        assert_eq!(seen(first), seen(second), "{first} and {second}");
    }
}

#[test]
fn a_bond_between_rings_is_single() {
    let molecule = parse("c1ccccc1c1ccccc1").expect("biphenyl");
    let single: Vec<&Bond> = molecule
        .bonds
        .iter()
        .filter(|b| b.order == Order::Single)
        .collect();
    assert_eq!(single.len(), 1);
    assert_eq!((single[0].from, single[0].to), (5, 6));
}

#[test]
fn what_the_rule_does_not_confirm_is_flagged() {
    for text in ["c1ccccccc1", "c1ccnc1", "c1cccc1"] {
        let molecule = parse(text).expect("readable");
        assert!(molecule.aromaticity_unsure, "{text}");
        assert!(molecule.bonds.iter().all(|b| b.order == Order::Aromatic));
    }
}

#[test]
fn brackets_are_read_in_full() {
    let molecule = parse("[13CH4+2:7]").expect("a bracket");
    let atom = &molecule.atoms[0];
    assert_eq!(
        (atom.element, atom.charge, atom.hydrogens),
        ("C", 2, Some(4))
    );
    assert_eq!((atom.isotope, atom.class), (Some(13), Some(7)));
    assert!(!molecule.stereo_ignored);
    for (text, charge) in [("[Fe+++]", 3), ("[O--]", -2), ("[Ti+4]", 4), ("[S-2]", -2)] {
        assert_eq!(parse(text).expect("an ion").atoms[0].charge, charge);
    }
    for text in [
        "[C@H](F)(Cl)Br",
        "[C@@](F)(Cl)(Br)I",
        "[Co@OH12](F)",
        "[Pt@SP1](Cl)",
        "F/C=C\\F",
    ] {
        assert!(parse(text).expect("chiral").stereo_ignored, "{text}");
    }
}

#[test]
fn titles_are_not_read() {
    let molecule = parse("  CCO ethanol (drink) ]").expect("a title");
    assert_eq!(molecule.formula(), "C2H6O");
    assert_eq!(parse("CC\tx").expect("a title").atoms.len(), 2);
}

#[test]
fn faults_name_the_place() {
    let cases = [
        ("", 1, "there is no molecule; the text is empty"),
        ("  ", 1, "there is no molecule; the text is empty"),
        ("C1CC", 2, "ring 1 is opened here and never closed"),
        ("CC(C", 3, "the branch is never closed"),
        ("CC)C", 3, "a `)` without its `(`"),
        ("C()C", 3, "the branch ends without an atom"),
        ("(C)C", 1, "a branch without an atom before it"),
        ("C((C))", 3, "a branch without an atom before it"),
        ("C(1CC1)", 3, "ring number 1 has no atom before it"),
        ("1CC1", 1, "ring number 1 has no atom before it"),
        ("C=", 2, "the bond `=` has no atom after it"),
        ("C==C", 2, "the bond `=` has no atom after it"),
        ("=C", 1, "the bond `=` has no atom before it"),
        ("C=.C", 2, "the bond `=` has no atom after it"),
        ("C(=)C", 3, "the bond `=` has no atom after it"),
        (".C", 1, "a dot without an atom before it"),
        ("C.", 2, "a dot without an atom after it"),
        ("C..C", 3, "a dot without an atom before it"),
        ("CXC", 2, "unexpected character `X`"),
        ("CHC", 2, "`H` is no atom that stands without brackets"),
        ("CNaC", 3, "unexpected character `a`"),
        ("C[Xx]C", 3, "`Xx` is no element"),
        ("C[]C", 2, "brackets without an element"),
        ("C[", 2, "the bracket is never closed"),
        ("C[Na", 2, "the bracket is never closed"),
        ("[CH3H]", 5, "unexpected `H` in brackets"),
        ("[C+200]", 3, "the charge +200 is too large"),
        ("[C:]", 4, "`:` without a number"),
        ("C]", 2, "a `]` without its `[`"),
        ("C11", 3, "the ring number joins an atom to itself"),
        (
            "C1C1",
            4,
            "the ring number joins two atoms that are already bonded",
        ),
        (
            "C12CC12",
            7,
            "the ring number joins two atoms that are already bonded",
        ),
        (
            "C=1CCC-1",
            7,
            "ring 1 opens with `=` at character 2 and closes with `-`",
        ),
        ("C%1", 2, "`%` is not followed by a ring number"),
        ("C%()", 2, "`%` is not followed by a ring number"),
        ("cc", 1, "the aromatic atom `c` is in no ring"),
        ("C1CC1c", 6, "the aromatic atom `c` is in no ring"),
        ("CC>>CO", 3, "a reaction arrow; this is not one molecule"),
        ("C\u{e9}C", 2, "unexpected character `\\u{e9}`"),
    ];
    for (text, position, problem) in cases {
        let error = parse(text).expect_err(text);
        let expected = format!("character {position}: {problem}");
        assert!(error.to_string().starts_with(&expected), "{text}: {error}");
        assert_eq!(check(text), Err(error.clone()), "{text}");
        assert!(error.hints().iter().all(|hint| !hint.is_empty()));
    }
}

#[test]
fn cures_name_what_to_write() {
    let cases = [
        ("CHC", "write the element as `[H]`"),
        ("CNaC", "write the element as `[Na]`"),
        ("C1CC", "write 1 after the atom that closes the ring"),
        ("cc", "write `C`, or close the ring"),
        ("C>O", "give reactants and products in columns of their own"),
        ("C->O", "write the bond as `-`"),
        ("C<-O", "write the bond as `-`"),
    ];
    for (text, cure) in cases {
        assert_eq!(parse(text).expect_err(text).hints(), [cure], "{text}");
    }
}

#[test]
fn bonds_must_fit_their_atoms() {
    let made = |ends: &[(u32, u32)]| {
        let bonds = ends.iter().map(|&(from, to)| DraftBond {
            from,
            to,
            order: None,
        });
        let bonds: Vec<DraftBond> = bonds.collect();
        Molecule::try_new(vec![Atom::new("C", false); 3], &bonds)
    };
    let propane = made(&[(0, 1), (2, 1)]).expect("a chain");
    assert_eq!(propane.formula(), "C3H8");
    for (ends, problem) in [
        (
            &[(0, 1), (1, 3)][..],
            "bond 2 names atom 4, but there are 3",
        ),
        (&[(1, 1)], "bond 1 joins an atom to itself"),
        (
            &[(0, 1), (1, 2), (1, 0)],
            "bond 3 joins two atoms that are already bonded",
        ),
    ] {
        let error = made(ends).expect_err(problem);
        assert_eq!(error.to_string(), problem);
        assert_eq!(error.hints().len(), 1);
    }
}

#[test]
fn long_chains_do_not_overflow() {
    let text = format!("C{}", "(C".repeat(50_000)) + &")".repeat(50_000);
    assert_eq!(parse(&text).expect("a deep tree").atoms.len(), 50_001);
    let ring = format!("C1{}1", "C".repeat(20_000));
    assert_eq!(rings_of(&parse(&ring).expect("a large ring")), 1);
}

fn mutated() -> impl Strategy<Value = String> {
    let edits = prop::collection::vec(
        (
            any::<prop::sample::Index>(),
            "[A-Za-z0-9()\\[\\]=#$:.%@+/\\\\*-]?",
        ),
        1..6,
    );
    (0..KNOWN.len(), edits).prop_map(|(index, edits)| {
        let mut text: Vec<char> = KNOWN[index].0.chars().collect();
        for (at, with) in edits {
            if text.is_empty() {
                break;
            }
            let at = at.index(text.len());
            match with.chars().next() {
                Some(c) if c.is_ascii_digit() => text.insert(at, c),
                Some(c) => text[at] = c,
                None => {
                    text.remove(at);
                }
            }
        }
        text.into_iter().collect()
    })
}

/// Everything that takes a molecule is run on it.
fn use_in_full(molecule: &Molecule) {
    assert_eq!(molecule.hydrogens().len(), molecule.atoms.len());
    let places = layout::place(molecule.atoms.len(), &molecule.ends(), &[]);
    assert_eq!(places.len(), molecule.atoms.len());
    assert!(places.iter().all(|p| p.x.is_finite() && p.y.is_finite()));
}

/// Whether an error points at a character of its text.
fn placed(error: &Error, text: &str) -> bool {
    let last = text.chars().count().max(1);
    matches!(error, Error::Smiles { position, .. } if (1..=last).contains(position))
}

proptest! {
    #![proptest_config(crate::properties::cases(2_000))]

    #[test]
    fn any_text_is_read_or_refused(text in "(?s:.){0,40}") {
        if let Err(error) = parse(&text) {
            prop_assert!(placed(&error, &text), "{:?}: {}", text, error);
        }
    }

    #[test]
    fn any_chemical_text_is_read_or_refused(text in "[CNOScnos()\\[\\]=#12%@+H.*-]{0,25}") {
        match parse(&text) {
            Ok(molecule) => use_in_full(&molecule),
            Err(error) => prop_assert!(placed(&error, &text), "{:?}: {}", text, error),
        }
    }

    #[test]
    fn mutated_molecules_are_read_or_refused(text in mutated()) {
        match parse(&text) {
            Ok(molecule) => use_in_full(&molecule),
            Err(error) => prop_assert!(placed(&error, &text), "{:?}: {}", text, error),
        }
    }
}
