//! `K(x_i, x_j) = 1 + Σ_f weight_f · occ_i(f) · occ_j(f) + [i = j] · own_i`: the substring kernel as sparse features.
//!
//! A feature stands for all words with the same occurrences: a class of right-maximal words of the joined text, closed to
//! the left as well. Only classes that occur in two strings or more are kept; what the others add to `K(x, x)` is `own`.
//! To have features of bound and new strings, pass all of them in one list.

use super::counts::Counts;
use super::lengths::{Lengths, Total};
use super::suffix::Suffixes;

/// The words that strings share, as sparse features.
#[derive(Clone, Debug)]
pub(super) struct SharedWords {
    /// Occurrences of features in strings. Features that occur in the most strings have the smallest numbers.
    pub(super) counts: Counts,
    /// Weight of each feature: the sum of `decay^|u|` over its words.
    pub(super) weights: Vec<f64>,
    /// In how many strings each feature occurs.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests look at it"))]
    pub(super) spread: Vec<u32>,
    /// The part of `K(x, x)` of each string from words that occur in no other string.
    pub(super) own: Vec<f64>,
}

impl SharedWords {
    /// The kernel of two of the strings.
    #[cfg(test)]
    pub(super) fn value(&self, i: usize, j: usize) -> f64 {
        let weight = |feature: u32| self.weights[feature as usize];
        let shared = 1.0 + self.counts.product(i, &self.counts, j, weight);
        if i == j { shared + self.own[i] } else { shared }
    }
}

/// Features before they are numbered by spread.
#[derive(Default)]
struct Found {
    weights: Vec<f64>,
    /// Entries `(string, occurrences)` of all features, feature by feature.
    entries: Vec<(u32, u32)>,
    starts: Vec<usize>,
    /// Total occurrences of a feature, and the feature found before it with the same first end.
    links: Vec<(u32, u32)>,
}

const NONE: u32 = u32::MAX;

impl Found {
    /// Adds the words of an interval, given by the end of their first occurrence and their number of occurrences.
    ///
    /// Of two words that end at the same place one is a suffix of the other; with the same number of occurrences they
    /// have the same occurrences, and are one feature.
    fn add(&mut self, last: &mut u32, total: u32, weight: f64, entries: &[(u32, u32)]) {
        let mut feature = *last;
        while feature != NONE {
            let (occurrences, before) = self.links[feature as usize];
            if occurrences == total {
                self.weights[feature as usize] += weight;
                return;
            }
            feature = before;
        }
        self.links.push((total, *last));
        *last = self.weights.len() as u32;
        self.weights.push(weight);
        self.starts.push(self.entries.len());
        self.entries.extend_from_slice(entries);
    }

    /// Numbers features by falling spread and stores them by string.
    fn rows(mut self, strings: usize) -> (Counts, Vec<f64>, Vec<u32>) {
        self.starts.push(self.entries.len());
        let spread = |feature: usize| self.starts[feature + 1] - self.starts[feature];
        // Counting sort, which keeps the order of equals.
        let mut places = vec![0_usize; strings + 2];
        for feature in 0..self.weights.len() {
            places[strings - spread(feature) + 1] += 1;
        }
        for k in 1..places.len() {
            places[k] += places[k - 1];
        }
        let mut order = vec![0_u32; self.weights.len()];
        for feature in 0..self.weights.len() {
            let place = &mut places[strings - spread(feature)];
            order[*place] = feature as u32;
            *place += 1;
        }
        let mut starts = vec![0_usize; strings + 1];
        for &(string, _) in &self.entries {
            starts[string as usize + 1] += 1;
        }
        for k in 1..starts.len() {
            starts[k] += starts[k - 1];
        }
        let mut ends = starts.clone();
        let mut features = vec![0; self.entries.len()];
        let mut occurrences = vec![0; self.entries.len()];
        for (number, &feature) in order.iter().enumerate() {
            let feature = feature as usize;
            for &(string, count) in &self.entries[self.starts[feature]..self.starts[feature + 1]] {
                let end = &mut ends[string as usize];
                features[*end] = number as u32;
                occurrences[*end] = count;
                *end += 1;
            }
        }
        let weights = order.iter().map(|&f| self.weights[f as usize]).collect();
        let spread = order.iter().map(|&f| spread(f as usize) as u32).collect();
        let counts = Counts {
            starts,
            features,
            occurrences,
        };
        (counts, weights, spread)
    }
}

/// An interval of sorted suffixes that share `depth` letters.
struct Open {
    depth: u32,
    /// Where its entries start in the pile.
    start: usize,
    suffixes: u32,
    /// Where the first of its suffixes starts in the text.
    first: u32,
}

/// Finds the words that two or more of the strings share.
pub(super) fn shared(strings: &[&[u32]], lengths: &Lengths) -> SharedWords {
    let suffixes = Suffixes::of(strings);
    let text = suffixes.starts.last().map_or(0, |&end| end as usize);
    let mut owner = vec![0_u32; text];
    for (string, bounds) in suffixes.starts.windows(2).enumerate() {
        owner[bounds[0] as usize..bounds[1] as usize].fill(string as u32);
    }
    let ceiling = lengths.ceiling();
    let mut own = vec![Total::default(); strings.len()];
    let mut found = Found::default();
    let mut last_with_end = vec![NONE; text + 1];
    // Entries of open intervals lie on one pile; a closing interval joins its own at the top, and its parent keeps them.
    let mut pile: Vec<(u32, u32)> = Vec::new();
    let mut place_of = vec![0_usize; strings.len()];
    let mut stack = vec![Open {
        depth: 0,
        start: 0,
        suffixes: 0,
        first: NONE,
    }];
    let mut before = 0;
    for k in 0..suffixes.order.len() {
        let start = suffixes.order[k];
        let string = owner[start as usize];
        let depth = suffixes.common.get(k + 1).map_or(0, |&c| c.min(ceiling));
        let length = suffixes.starts[string as usize + 1] - 1 - start;
        own[string as usize].add(lengths, depth.max(before), length, 1);
        before = depth;
        let mut carried = Open {
            depth,
            start: pile.len(),
            suffixes: 1,
            first: start,
        };
        pile.push((string, 1));
        while let Some(top) = stack.pop_if(|top| top.depth > depth) {
            carried.start = top.start;
            carried.suffixes += top.suffixes;
            carried.first = carried.first.min(top.first);
            join(&mut pile, top.start, &mut place_of);
            let outer = stack.last().map_or(0, |open| open.depth).max(depth);
            if let [(string, count)] = pile[top.start..] {
                let squared = u64::from(count) * u64::from(count);
                own[string as usize].add(lengths, outer, top.depth, squared);
                continue;
            }
            let weight = lengths.weight(outer, top.depth);
            if weight > 0.0 {
                let last = &mut last_with_end[(carried.first + top.depth) as usize];
                found.add(last, carried.suffixes, weight, &pile[top.start..]);
            }
        }
        match stack.last_mut() {
            Some(top) if top.depth == depth => {
                top.suffixes += carried.suffixes;
                top.first = top.first.min(carried.first);
                if depth == 0 {
                    pile.clear();
                }
            }
            _ => stack.push(carried),
        }
    }
    let (counts, weights, spread) = found.rows(strings.len());
    SharedWords {
        counts,
        weights,
        spread,
        own: own.into_iter().map(|total| total.plus(0)).collect(),
    }
}

/// Adds up the entries of the pile from `start` on, one entry a string.
fn join(pile: &mut Vec<(u32, u32)>, start: usize, place_of: &mut [usize]) {
    let mut end = start;
    for k in start..pile.len() {
        let (string, count) = pile[k];
        // A place is valid when it lies in the joined part and holds this string: the table needs no clearing.
        let place = place_of[string as usize];
        if (start..end).contains(&place) && pile[place].0 == string {
            pile[place].1 += count;
        } else {
            place_of[string as usize] = end;
            pile[end] = (string, count);
            end += 1;
        }
    }
    pile.truncate(end);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::substrings::value;
    use super::*;

    #[test]
    fn nothing_is_shared_by_one_string() {
        let words = shared(&[&[1, 2, 1, 2]], &Lengths::default());
        assert!(words.weights.is_empty());
        assert_eq!(
            words.value(0, 0),
            value(&[1, 2, 1, 2], &[1, 2, 1, 2], &Lengths::default())
        );
        assert_eq!(shared(&[], &Lengths::default()).counts.rows(), 0);
    }

    #[test]
    fn words_with_the_same_occurrences_are_one_feature() {
        let words = shared(&[&[1, 2, 3, 9], &[8, 1, 2, 3]], &Lengths::default());
        assert_eq!(words.weights, [6.0]);
        assert_eq!(words.spread, [2]);
    }

    proptest! {
        #![proptest_config(crate::properties::cases(2000))]
        #[test]
        fn features_give_the_kernel(
            strings in prop::collection::vec(prop::collection::vec(0_u32..3, 0..13), 0..6),
            decay in prop::sample::select(vec![1.0, 0.5, 0.9]),
            minimum in 0_usize..4,
            extra in prop::sample::select(vec![0, 1, 3, usize::MAX]),
        ) {
            let lengths = Lengths { decay, minimum, maximum: minimum.saturating_add(extra) };
            let views: Vec<&[u32]> = strings.iter().map(Vec::as_slice).collect();
            let words = shared(&views, &lengths);
            for i in 0..views.len() {
                for j in 0..views.len() {
                    let expected = value(views[i], views[j], &lengths);
                    let found = words.value(i, j);
                    if decay == 1.0 {
                        prop_assert_eq!(found, expected);
                    } else {
                        // Sums of positive terms in another order.
                        prop_assert!((found - expected).abs() <= 1e-13 * expected);
                    }
                }
                let (features, occurrences) = words.counts.row(i);
                prop_assert!(features.windows(2).all(|pair| pair[0] < pair[1]));
                prop_assert!(occurrences.iter().all(|&count| count > 0));
            }
            prop_assert!(words.spread.windows(2).all(|pair| pair[0] >= pair[1]));
            prop_assert!(words.spread.iter().all(|&spread| spread >= 2));
            let entries: usize = words.spread.iter().map(|&spread| spread as usize).sum();
            prop_assert_eq!(entries, words.counts.features.len());
        }
    }
}
