//! Description length: −log₂ p(H) − log₂ p(L | H) for a tree H and the classes L of the rows.
//!
//! A tree is stated node by node: one bit says whether it is a leaf, log₂ d bits which of d
//! columns is tested, log₂ t bits which of the t thresholds of a numeric column. Given the tree,
//! the classes at a leaf are stated one after another, each with probability (n_c + 1)/(n + K) of
//! the counts so far: with n rows of K classes these are
//! log₂ [Γ(n + K) / (Γ(K) Π Γ(n_c + 1))] bits.
//!
//! Quinlan and Rivest, Inferring decision trees using the minimum description length principle,
//! 1989; the code of the classes is Laplace's rule of succession.

use super::columns::Rows;
use super::node::Node;
use crate::special::ln_factorial;

/// The bits of a tree and of the classes given the tree.
pub(super) fn description_length(root: &Node, rows: &Rows) -> (f64, f64) {
    let (mut tree, mut classes) = (0.0, 0.0);
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        tree += 1.0;
        match &node.split {
            None => classes += class_bits(&node.counts),
            Some(split) => {
                tree += (rows.columns.len() as f64).log2();
                let column = &rows.columns[split.column];
                if column.is_numeric() {
                    tree += (column.thresholds().max(1) as f64).log2();
                }
            }
        }
        waiting.extend(&node.children);
    }
    (tree, classes)
}

/// The bits of the classes of rows that no column tells apart.
pub(super) fn class_bits(counts: &[f64]) -> f64 {
    let classes = counts.len() as f64;
    let total: f64 = counts.iter().sum();
    let arrangements: f64 = counts.iter().map(|count| ln_factorial(*count)).sum();
    let all = ln_factorial(total + classes - 1.0) - ln_factorial(classes - 1.0);
    (all - arrangements) / std::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_take_the_bits_of_the_rule_of_succession() {
        // Rows of classes 0, 0, 1: 1/2 · 2/3 · 1/4.
        let bits = class_bits(&[2.0, 1.0]);
        assert!((bits - 12.0_f64.log2()).abs() < 1e-12, "{bits}");
        assert!(class_bits(&[0.0, 0.0, 0.0]).abs() < 1e-12);
    }
}
