//! Rows that are kept, the nearest of which predict new ones.
//!
//! Shares of classes among the neighbours become log-odds, so that the usual readout gives the
//! shares back as probabilities; numbers are means. The learner that memorises has the same form:
//! it asks equal rows instead of near ones, and abstains where there is none.

mod change;
mod decide;
mod equal;
mod store;

use serde::{Deserialize, Serialize};

use mercer_linalg::Matrix;

use crate::Result;
use crate::data::Records;
use crate::kernel::ResolvedKernel;
use crate::model::readout::{ClassReadout, Readout, Scheme, Sigmoid};
use crate::solver::neighbours::{Frame, IndexChoice, Searcher};

/// The prediction of a learner that has seen no equal row.
pub const ABSTAINED: &str = "don't know";

/// How neighbours vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Votes {
    /// All alike.
    #[default]
    Uniform,
    /// By the inverse of their distance; neighbours at distance 0 alone where there are some.
    Distance,
}

/// Which rows vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NeighbourRule {
    /// The nearest.
    Nearest,
    /// Those that are equal in all columns; without one the prediction is [`ABSTAINED`], where that is a
    /// label, and otherwise the shares of all rows.
    Equal,
}

/// What rows are compared by.
#[derive(Debug, Clone, PartialEq)]
pub enum NeighbourDistance {
    /// Columns, scaled and weighted.
    Columns(Frame),
    /// √(k(x,x) − 2k(x,z) + k(z,z)).
    Kernel(ResolvedKernel),
}

/// What neighbours vote for.
#[derive(Debug, Clone, PartialEq)]
pub enum NeighbourTargets {
    /// A class per row, by code.
    Classes(Vec<u32>),
    /// A line for every number to predict, with a value per row.
    Values(Matrix<f64>),
}

/// Rows with their targets, and how the nearest are found.
#[derive(Debug, Clone, PartialEq)]
pub struct NeighbourModel {
    /// The rows that are kept.
    pub rows: Records,
    /// What they vote for.
    pub targets: NeighbourTargets,
    /// How many copies each stands for; `None` means one each.
    pub weights: Option<Vec<f64>>,
    /// How many are asked, copies counted: a row of weight 3 is three of them, and of the last one asked as
    /// much counts as is left.
    pub neighbours: usize,
    /// How they vote.
    pub votes: Votes,
    /// Which rows vote.
    pub rule: NeighbourRule,
    /// What rows are compared by; it is not looked at where equal rows vote.
    pub distance: NeighbourDistance,
    /// How neighbours are looked for.
    pub index: IndexChoice,
    /// What the decisions stand for.
    pub readout: Readout,
}

impl NeighbourModel {
    /// Returns the kernel, where rows are compared by one.
    pub fn kernel(&self) -> Option<&ResolvedKernel> {
        match &self.distance {
            NeighbourDistance::Kernel(kernel) => Some(kernel),
            NeighbourDistance::Columns(_) => None,
        }
    }

    /// Returns how columns are scaled and weighted, where rows are compared by columns.
    pub fn frame(&self) -> Option<&Frame> {
        match &self.distance {
            NeighbourDistance::Columns(frame) => Some(frame),
            NeighbourDistance::Kernel(_) => None,
        }
    }

    /// Returns the weight of every column, by name, where weights were learnt.
    pub fn column_weights(&self) -> Vec<(String, f64)> {
        let Some(frame) = self.frame() else {
            return Vec::new();
        };
        let numbers = frame.weights.iter().enumerate();
        let numbers = numbers.map(|(j, weight)| (self.rows.features.name(j), *weight));
        let codes = frame
            .codes
            .iter()
            .cloned()
            .zip(frame.code_weights.iter().copied());
        numbers.chain(codes).collect()
    }

    /// Prepares a search for neighbours.
    ///
    /// # Errors
    /// A kernel that does not read the rows; too little memory for rows with all their zeros.
    pub fn searcher(&self) -> Result<Searcher> {
        match &self.distance {
            NeighbourDistance::Columns(frame) => {
                Searcher::by_columns(frame, &self.rows, self.index)
            }
            NeighbourDistance::Kernel(kernel) => Searcher::by_kernel(kernel, &self.rows),
        }
    }

    /// How shares of classes are read.
    pub(crate) fn read_shares(labels: Vec<String>) -> Readout {
        let scheme = Scheme::one_or_rest(labels.len());
        let sigmoid = Sigmoid { a: -1.0, b: 0.0 };
        Readout::Classes(ClassReadout {
            sigmoids: Some(vec![sigmoid; scheme.decisions(labels.len())]),
            labels,
            scheme,
            factors: None,
        })
    }

    /// Returns how many rows are looked for: as many as surely stand for all copies that are asked.
    pub fn rows_asked(&self) -> usize {
        let Some(weights) = &self.weights else {
            return self.neighbours;
        };
        let mut least = weights.clone();
        least.sort_by(f64::total_cmp);
        let mut copies = 0.0;
        let before = |weight: &f64| {
            copies += weight;
            copies < self.neighbours as f64
        };
        let fewer = least.iter().map(before).take_while(|few| *few).count();
        (fewer + 1).min(weights.len())
    }

    /// How many classes there are; 0 for numbers.
    fn class_count(&self) -> usize {
        self.readout.labels().map_or(0, <[String]>::len)
    }
}
