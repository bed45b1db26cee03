//! Rows of numbers without gaps: by a tree or by matrix products, whichever is cheaper.

use std::sync::OnceLock;

use mercer_linalg::{Matrix, NEAR_LANES, Par};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::best::{Best, Found, Wanted};
use super::metric::DistanceMetric;
use super::screen::{BLOCK, Screen};
use super::tree::Tree;
use crate::fit::Cancel;
use crate::{Error, Result};

/// How neighbours are looked for; what is found is the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IndexChoice {
    /// The way that is expected to be cheaper.
    #[default]
    Auto,
    /// A k-d tree.
    Tree,
    /// All rows.
    Brute,
}

/// Nanoseconds of one core for a leaf of a tree, without its columns and for each column; for a
/// row that is screened, likewise; and for a row that a tree is built of, per level. Estimates for
/// a core with AVX-512, by counting; only their ratios matter.
const LEAF: [f64; 2] = [60.0, 3.5];
const SCREENED: [f64; 2] = [0.15, 0.05];
const BUILT: f64 = 12.0;
/// Columns beyond which boxes touch nearly every ball.
const MOST_COLUMNS: usize = 40;
/// Rows that a tree is tried on.
const PROBES: usize = 16;

#[derive(Debug)]
pub(super) struct Index {
    points: Matrix<f64>,
    metric: DistanceMetric,
    choice: IndexChoice,
    tree: OnceLock<Tree>,
    screen: OnceLock<Option<Screen>>,
    /// Leaves that a search of a tree visits, where it was tried.
    leaves: OnceLock<f64>,
}

impl Index {
    /// Takes points; those of the cosine metric have length one or zero.
    pub(super) fn new(points: Matrix<f64>, metric: DistanceMetric, choice: IndexChoice) -> Self {
        Self {
            points,
            metric,
            choice,
            tree: OnceLock::new(),
            screen: OnceLock::new(),
            leaves: OnceLock::new(),
        }
    }

    pub(super) fn points(&self) -> &Matrix<f64> {
        &self.points
    }

    pub(super) fn len(&self) -> usize {
        self.points.rows()
    }

    /// About how many multiplications a search takes.
    pub(super) fn work(&self) -> f64 {
        (self.points.rows() * self.points.columns()) as f64
    }

    /// Finds the neighbours of rows.
    pub(super) fn search(
        &self,
        queries: &Matrix<f64>,
        wanted: Wanted,
        par: Par,
        cancel: &Cancel,
    ) -> Result<Found> {
        let wanted = match wanted {
            Wanted::Nearest(k) => Wanted::Nearest(k.min(self.len())),
            Wanted::Within(radius) => Wanted::Within(self.metric.of_distance(radius)),
        };
        let by_tree = self.pays_tree(queries.rows(), wanted, par);
        if by_tree {
            self.tree(par);
        } else if self.metric == DistanceMetric::Euclidean {
            self.screen(par);
        } else {
            self.tree(par);
        }
        let block = |start: usize| {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let end = (start + BLOCK).min(queries.rows());
            let rows: Vec<&[f64]> = (start..end).map(|row| queries.row(row)).collect();
            Ok(self.block(&rows, wanted, by_tree, par))
        };
        let starts = (0..queries.rows()).step_by(BLOCK);
        let parts: Vec<Found> = if par == Par::Sequential {
            starts.map(block).collect::<Result<_>>()?
        } else {
            let starts: Vec<usize> = starts.collect();
            let parts = starts.into_par_iter().with_max_len(1).map(block);
            parts.collect::<Result<_>>()?
        };
        Ok(Found::joined(parts))
    }

    fn block(&self, queries: &[&[f64]], wanted: Wanted, by_tree: bool, par: Par) -> Found {
        let mut bests: Vec<Best> = queries.iter().map(|_| Best::new(wanted)).collect();
        let pairs = queries.iter().zip(&mut bests);
        if by_tree {
            let tree = self.tree(par);
            for (query, best) in pairs {
                tree.search(query, self.metric, best);
            }
        } else if self.metric != DistanceMetric::Euclidean {
            let tree = self.tree(par);
            for (query, best) in pairs {
                tree.scan_all(query, self.metric, best);
            }
        } else if let Some(screen) = self.screen(par) {
            screen.search(&self.points, queries, wanted, &mut bests);
        } else {
            for (query, best) in pairs {
                for row in 0..self.len() {
                    let reduced = self.metric.pair(query, self.points.row(row));
                    best.offer(reduced, row as u32);
                }
            }
        }
        let mut found = Found {
            starts: vec![0],
            ..Found::default()
        };
        for best in bests {
            best.finish(|reduced| self.metric.distance(reduced), &mut found);
        }
        found
    }

    fn tree(&self, par: Par) -> &Tree {
        if let Some(tree) = self.tree.get() {
            return tree;
        }
        // Built outside the cell: no thread of a pool waits for another inside it.
        let built = Tree::new(&self.points, par);
        self.tree.get_or_init(|| built)
    }

    fn screen(&self, par: Par) -> Option<&Screen> {
        if let Some(screen) = self.screen.get() {
            return screen.as_ref();
        }
        let built = Screen::new(&self.points, par);
        self.screen.get_or_init(|| built).as_ref()
    }

    /// Whether a tree is expected to be cheaper than a look at all rows.
    fn pays_tree(&self, queries: usize, wanted: Wanted, par: Par) -> bool {
        let (n, d) = (self.points.rows() as f64, self.points.columns());
        match (self.choice, self.metric) {
            (_, DistanceMetric::Cosine) | (IndexChoice::Brute, _) => return false,
            (IndexChoice::Tree, _) => return true,
            _ if d > MOST_COLUMNS || self.len() < 4 * NEAR_LANES => return false,
            _ => {}
        }
        if self.metric != DistanceMetric::Euclidean {
            return true;
        }
        let screened = n * (SCREENED[0] + SCREENED[1] * d as f64);
        let build = n * n.log2() * BUILT;
        if self.tree.get().is_none() && (queries as f64) * screened < build {
            return false;
        }
        let visited = if let Some(visited) = self.leaves.get() {
            *visited
        } else {
            let visited = self.probe(wanted, par);
            *self.leaves.get_or_init(|| visited)
        };
        visited * (LEAF[0] + LEAF[1] * d as f64) < screened
    }

    /// Leaves that a search visits, tried on some of the rows.
    fn probe(&self, wanted: Wanted, par: Par) -> f64 {
        let tree = self.tree(par);
        let count = PROBES.min(self.len());
        let visited = (0..count).map(|k| {
            let row = self.points.row(k * self.len() / count);
            tree.search(row, self.metric, &mut Best::new(wanted))
        });
        visited.sum::<usize>() as f64 / count as f64
    }
}
