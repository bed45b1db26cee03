//! The chemical elements.

/// Symbols by atomic number; the wildcard stands at zero.
const SYMBOLS: [&str; 119] = [
    "*", "H", "He", "Li", "Be", "B", "C", "N", "O", "F", "Ne", "Na", "Mg", "Al", "Si", "P", "S",
    "Cl", "Ar", "K", "Ca", "Sc", "Ti", "V", "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Ga", "Ge",
    "As", "Se", "Br", "Kr", "Rb", "Sr", "Y", "Zr", "Nb", "Mo", "Tc", "Ru", "Rh", "Pd", "Ag", "Cd",
    "In", "Sn", "Sb", "Te", "I", "Xe", "Cs", "Ba", "La", "Ce", "Pr", "Nd", "Pm", "Sm", "Eu", "Gd",
    "Tb", "Dy", "Ho", "Er", "Tm", "Yb", "Lu", "Hf", "Ta", "W", "Re", "Os", "Ir", "Pt", "Au", "Hg",
    "Tl", "Pb", "Bi", "Po", "At", "Rn", "Fr", "Ra", "Ac", "Th", "Pa", "U", "Np", "Pu", "Am", "Cm",
    "Bk", "Cf", "Es", "Fm", "Md", "No", "Lr", "Rf", "Db", "Sg", "Bh", "Hs", "Mt", "Ds", "Rg", "Cn",
    "Nh", "Fl", "Mc", "Lv", "Ts", "Og",
];

/// Returns the stored symbol of an element, or of the wildcard `*`.
pub fn element(symbol: &str) -> Option<&'static str> {
    SYMBOLS.into_iter().find(|s| *s == symbol)
}

/// Returns the atomic number of a symbol; zero for the wildcard and anything unknown.
pub(crate) fn number(symbol: &str) -> usize {
    SYMBOLS.iter().position(|s| *s == symbol).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_stand_at_their_atomic_numbers() {
        for (symbol, expected) in [("H", 1), ("C", 6), ("Cl", 17), ("I", 53), ("Pb", 82)] {
            assert_eq!(number(symbol), expected);
        }
        assert_eq!(number("Og"), 118);
        assert_eq!(element("Xx"), None);
        assert_eq!(element("*"), Some("*"));
    }
}
