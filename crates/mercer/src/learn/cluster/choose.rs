//! How many clusters: several numbers tried, and one chosen with a reason.

use std::ops::RangeInclusive;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::Serialize;

use super::gap::{self, Gaps};
use super::{KMeans, silhouette};
use crate::data::Dataset;
use crate::data::random::shuffle;
use crate::fit::{FitContext, Note};
use crate::solver::kmeans::Prepared;
use crate::{Error, Result};

/// Rows whose silhouettes are computed; of more a sample is: its mean is known to some 0.01.
const SAMPLE: usize = 5000;
/// Mean silhouettes below this tell of no clusters (Kaufman and Rousseeuw, Finding groups in data, 1990, table 4).
const NO_STRUCTURE: f64 = 0.25;
/// Starts of every number at least: a bad start must not look like a bad number.
const STARTS: usize = 3;

/// What one number of clusters came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClusterCount {
    /// The number.
    pub clusters: usize,
    /// Σ ‖x − c‖².
    pub inertia: f64,
    /// The mean silhouette; none for one cluster.
    pub silhouette: Option<f64>,
    /// Variance between clusters over that inside, each by its degrees of freedom (Caliński and Harabasz, 1974); none for one
    /// cluster, and where clusters have no variance.
    pub calinski_harabasz: Option<f64>,
    /// log of the squares inside clusters of rows without structure over that of these (Tibshirani, Walther and Hastie, 2001); none
    /// for sparse rows.
    pub gap: Option<f64>,
    /// Its standard error.
    pub gap_error: Option<f64>,
}

/// Numbers of clusters side by side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClusterChoice {
    /// All that were tried.
    pub table: Vec<ClusterCount>,
    /// The number to take.
    pub chosen: usize,
    /// Why.
    pub reason: String,
    /// Rows that silhouettes are the mean of, where they are a sample.
    pub sampled: Option<usize>,
    /// Starts of every number that was tried; those of a model that is to be the one in the table.
    #[serde(skip)]
    pub starts: usize,
    /// Reasons for care.
    #[serde(skip)]
    pub notes: Vec<Note>,
}

/// Tries numbers of clusters, and chooses that of the largest mean silhouette; one cluster where it is among them and no number
/// parts the rows (a silhouette below 0.25).
///
/// # Errors
/// As [`KMeans::solve`]; numbers none of which the rows allow.
pub fn choose_clusters(
    method: &KMeans,
    data: &Dataset,
    counts: RangeInclusive<usize>,
    context: &FitContext,
) -> Result<ClusterChoice> {
    let weights = data.weights.as_deref();
    let (distinct, total) = context.install(|| {
        let (rows, _) = Prepared::try_new(&data.records, weights, context)?;
        let copies: f64 = (0..rows.len()).map(|row| rows.copies(row)).sum();
        Ok((rows.len(), copies))
    })??;
    let (first, asked) = (*counts.start(), *counts.end());
    let last = asked.min(distinct);
    if first == 0 || first > last {
        return Err(Error::setting(
            "clusters",
            format!("{first}..{asked}"),
            &format!("a range that begins between 1 and {distinct}, the number of distinct rows"),
        ));
    }
    let mut notes = Vec::new();
    if last < asked {
        notes.push(Note::Choice(format!(
            "at most {last} clusters: there are no more distinct rows"
        )));
    }
    let sample = sample(data, SAMPLE, context.seed);
    let sampled = (sample.len() < data.len()).then_some(sample.len());
    let part = data.select(&sample);
    let few = data.select(&self::sample(data, gap::MOST, context.seed));
    let gaps = Gaps::new(few, context.seed);
    let one = method.clone().clusters(1);
    let spread = one.solve(&data.records, weights, None, context)?.inertia;
    let mut table = Vec::new();
    for clusters in first..=last {
        match tried(
            method,
            clusters,
            data,
            &part,
            (&sample, spread, total),
            gaps.as_ref(),
            context,
        ) {
            Err(Error::OutOfTime) if !table.is_empty() => {
                notes.push(Note::Alert(format!(
                    "the time limit came before {clusters} clusters were tried"
                )));
                break;
            }
            line => table.push(line?),
        }
    }
    let (chosen, reason) = reason(&table);
    Ok(ClusterChoice {
        table,
        chosen,
        reason,
        sampled,
        starts: starts(method),
        notes,
    })
}

/// At most so many rows, in order.
fn sample(data: &Dataset, most: usize, seed: u64) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..data.len()).collect();
    if rows.len() > most {
        shuffle(&mut ChaCha8Rng::seed_from_u64(seed), &mut rows);
        rows.truncate(most);
        rows.sort_unstable();
    }
    rows
}

/// Starts of every number: what is asked for, and no fewer than a fair comparison takes.
fn starts(method: &KMeans) -> usize {
    method.runs().max(STARTS)
}

fn tried(
    method: &KMeans,
    clusters: usize,
    data: &Dataset,
    part: &Dataset,
    (sample, spread, total): (&[usize], f64, f64),
    gaps: Option<&Gaps>,
    context: &FitContext,
) -> Result<ClusterCount> {
    context.check()?;
    let method = method
        .clone()
        .clusters(clusters)
        .starts(Some(starts(method)));
    let found = method.solve(&data.records, data.weights.as_deref(), None, context)?;
    let mut line = ClusterCount {
        clusters,
        inertia: found.inertia,
        silhouette: None,
        calinski_harabasz: None,
        gap: None,
        gap_error: None,
    };
    if let Some(gaps) = gaps
        && let Some(gap) = gaps.of(&method, context)?
    {
        (line.gap, line.gap_error) = (Some(gap.value), Some(gap.error));
    }
    if clusters > 1 {
        let labels: Vec<u32> = sample.iter().map(|&row| found.labels[row]).collect();
        let weights = part.weights.as_deref();
        // A sample may meet one cluster only, which tells nothing.
        let values = match silhouette(&part.records, &labels, weights, context) {
            Ok(values) => values,
            Err(Error::Rows { .. }) => return Ok(line),
            Err(error) => return Err(error),
        };
        let copies = |row: usize| weights.map_or(1.0, |w| w[row]);
        let all: f64 = (0..values.len()).map(copies).sum();
        let sum: f64 = values.iter().enumerate().map(|(r, s)| copies(r) * s).sum();
        line.silhouette = Some(sum / all);
        let inside = found.inertia / (total - clusters as f64);
        let between = (spread - found.inertia) / (clusters - 1) as f64;
        line.calinski_harabasz = Some(between / inside).filter(|ratio| ratio.is_finite());
    }
    Ok(line)
}

/// The smallest number whose gap that of the next does not exceed by more than its error.
fn by_gap(table: &[ClusterCount]) -> Option<usize> {
    let pairs = table.windows(2);
    let mut found = pairs.filter_map(|pair| {
        let (own, next, error) = (pair[0].gap?, pair[1].gap?, pair[1].gap_error?);
        (own >= next - error).then_some(pair[0].clusters)
    });
    found.next()
}

/// The number to take, and why.
fn reason(table: &[ClusterCount]) -> (usize, String) {
    let largest = |of: fn(&ClusterCount) -> Option<f64>| {
        let mut best: Option<(usize, f64)> = None;
        for line in table {
            if let Some(value) = of(line)
                && best.is_none_or(|(_, most)| value > most)
            {
                best = Some((line.clusters, value));
            }
        }
        best
    };
    let (first, last) = (table[0].clusters, table[table.len() - 1].clusters);
    let Some((clusters, value)) = largest(|line| line.silhouette) else {
        let text = "1 cluster: nothing else was tried, and silhouettes need two".to_owned();
        return (first, text);
    };
    if value < NO_STRUCTURE && first == 1 {
        let gap = match by_gap(table) {
            Some(gap) => format!("; by the gap statistic {gap}"),
            None => String::new(),
        };
        let text = format!(
            "1 cluster: the largest mean silhouette, {value:.2} at {clusters}, is below {NO_STRUCTURE}, so that no number parts the rows{gap}"
        );
        return (1, text);
    }
    let from = first.max(2);
    let among = if from == last {
        "the only one there is".to_owned()
    } else {
        format!("the largest from {from} to {last}")
    };
    let other = match largest(|line| line.calinski_harabasz) {
        Some((other, _)) if other == clusters => {
            ", and so is the Caliński–Harabasz index".to_owned()
        }
        Some((other, _)) => format!("; the Caliński–Harabasz index would take {other}"),
        None => String::new(),
    };
    let other = match by_gap(table) {
        Some(gap) => format!("{other}; by the gap statistic {gap}"),
        None => other,
    };
    let care = if value < NO_STRUCTURE {
        format!(". It is below {NO_STRUCTURE}: the rows hardly part")
    } else {
        String::new()
    };
    let text =
        format!("{clusters} clusters: their mean silhouette, {value:.2}, is {among}{other}{care}");
    (clusters, text)
}
