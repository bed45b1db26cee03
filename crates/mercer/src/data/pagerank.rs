//! Which nodes of a network others lead to.
//!
//! PageRank is the share of time r that a reader spends at a node who follows a link with probability d, in proportion
//! to its weight, and begins anew anywhere otherwise; from a node without links he begins anew, too:
//!
//! r_v = (1 − d)/n + d (Σ_{u→v} w_uv r_u / w_u + Σ_{u without links} r_u / n).
//!
//! (Page, Brin, Motwani and Winograd, The PageRank citation ranking, 1999.)

use crate::{Error, Result};

/// A link from a node to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// The node it leads from.
    pub from: u32,
    /// The node it leads to.
    pub to: u32,
    /// Its weight: positive and finite.
    pub weight: f64,
}

/// The rank of every node.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranks {
    /// The ranks, which add up to 1.
    pub scores: Vec<f64>,
    /// Passes over the links.
    pub passes: usize,
    /// Whether the last pass changed nothing but rounding; otherwise passes ended first.
    pub converged: bool,
}

/// Passes at most: with d = 0.99 some 3,000 are needed.
const MOST_PASSES: usize = 100_000;
/// A sum of changes that is rounding.
const ROUNDING: f64 = 1e-15;

/// Computes PageRank by passes over all links until nothing changes.
///
/// Weights of links that occur twice add up; a link of a node to itself counts. `goes_on` is asked before every pass.
///
/// # Errors
/// No nodes, links of nodes that are not there, weights that are not positive, a damping factor outside of 0 to 1;
/// [`Error::Cancelled`] where `goes_on` says no.
///
/// # Examples
/// ```
/// use mercer::data::{Link, pagerank};
///
/// let link = |from, to| Link { from, to, weight: 1.0 };
/// let ranks = pagerank(3, &[link(0, 1), link(0, 2), link(1, 2), link(2, 0)], 0.85, || true)?;
/// assert!((ranks.scores[0] - 0.38778971).abs() < 1e-8);
/// # Ok::<(), mercer::Error>(())
/// ```
pub fn pagerank(
    nodes: usize,
    links: &[Link],
    damping: f64,
    goes_on: impl Fn() -> bool,
) -> Result<Ranks> {
    if !(0.0..1.0).contains(&damping) {
        let rule = "at least 0 and below 1";
        return Err(Error::setting("damping", damping, rule));
    }
    if nodes == 0 {
        return Err(Error::rows(
            "the network has no nodes",
            "give at least one link",
        ));
    }
    let mut out = vec![0.0; nodes];
    for link in links {
        if link.from.max(link.to) as usize >= nodes {
            return Err(Error::rows(
                format!("a link names node {} of {nodes}", link.from.max(link.to)),
                "list every node",
            ));
        }
        if !(link.weight.is_finite() && link.weight > 0.0) {
            return Err(Error::rows(
                format!("a link has the weight `{}`", link.weight),
                "weights of links must be positive and finite",
            ));
        }
        out[link.from as usize] += link.weight;
    }
    // Links by their end, so that a node's sum goes in a fixed order.
    let mut sorted: Vec<Link> = links.to_vec();
    sorted.sort_by_key(|link| (link.to, link.from));
    let n = nodes as f64;
    let mut scores = vec![1.0 / n; nodes];
    for pass in 1..=MOST_PASSES {
        if !goes_on() {
            return Err(Error::Cancelled);
        }
        let lost: f64 = (0..nodes)
            .filter(|&node| out[node] == 0.0)
            .map(|node| scores[node])
            .sum();
        let mut next = vec![(1.0 - damping) / n + damping * lost / n; nodes];
        for link in &sorted {
            let share = link.weight / out[link.from as usize];
            next[link.to as usize] += damping * share * scores[link.from as usize];
        }
        // What rounding took or gave.
        let total: f64 = next.iter().sum();
        for score in &mut next {
            *score /= total;
        }
        let change: f64 = next.iter().zip(&scores).map(|(a, b)| (a - b).abs()).sum();
        scores = next;
        if change <= ROUNDING * n.sqrt() {
            return Ok(Ranks {
                scores,
                passes: pass,
                converged: true,
            });
        }
    }
    Ok(Ranks {
        scores,
        passes: MOST_PASSES,
        converged: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(pairs: &[(u32, u32)]) -> Vec<Link> {
        let link = |&(from, to): &(u32, u32)| Link {
            from,
            to,
            weight: 1.0,
        };
        pairs.iter().map(link).collect()
    }

    #[test]
    fn the_worked_numbers() {
        let found = pagerank(3, &links(&[(0, 1), (0, 2), (1, 2), (2, 0)]), 0.85, || true);
        let found = found.expect("ranks");
        let expected = [0.387_789_71, 0.214_810_63, 0.397_399_66];
        for (score, expected) in found.scores.iter().zip(expected) {
            assert!((score - expected).abs() < 5e-9, "{score}");
        }
        assert!(found.converged && (found.scores.iter().sum::<f64>() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn ranks_add_up_to_one_whatever_the_links() {
        for (nodes, pairs) in [
            (1, vec![]),
            (4, vec![(0, 1), (1, 2)]),
            (3, vec![(0, 0), (1, 1), (2, 0)]),
        ] {
            for damping in [0.0, 0.5, 0.99] {
                let found = pagerank(nodes, &links(&pairs), damping, || true).expect("ranks");
                assert!((found.scores.iter().sum::<f64>() - 1.0).abs() < 1e-14);
                assert!(found.converged && found.scores.iter().all(|s| *s >= 0.0));
            }
        }
        let even = pagerank(4, &[], 0.85, || true).expect("ranks").scores;
        assert!(even.iter().all(|s| (s - 0.25).abs() < 1e-15));
    }

    #[test]
    fn bad_input_is_refused() {
        let some = links(&[(0, 1)]);
        assert!(pagerank(0, &[], 0.85, || true).is_err());
        assert!(pagerank(1, &some, 0.85, || true).is_err());
        assert!(pagerank(2, &some, 1.0, || true).is_err());
        assert!(pagerank(2, &some, f64::NAN, || true).is_err());
        let heavy = [Link {
            weight: -1.0,
            ..some[0]
        }];
        assert!(pagerank(2, &heavy, 0.85, || true).is_err());
        assert_eq!(pagerank(2, &some, 0.85, || false), Err(Error::Cancelled));
    }
}
