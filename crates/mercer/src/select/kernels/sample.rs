//! Rows that stand for all.

use std::collections::HashMap;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::data::random::shuffle;
use crate::data::{Dataset, Targets};

/// Puts rows into an order of which every beginning is a fair sample: classes in proportion,
/// numbers spread over their range.
pub(crate) fn fair_order(data: &Dataset, seed: u64) -> Vec<usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut order: Vec<usize> = (0..data.len()).collect();
    shuffle(&mut rng, &mut order);
    let Targets::Classes(classes) = &data.targets else {
        return order;
    };
    // The k-th of m rows of a class belongs at (k + ½)/m of the way.
    let counts = classes.counts();
    let mut seen = vec![0; counts.len()];
    let mut places: Vec<(f64, usize)> = order
        .into_iter()
        .map(|row| {
            let class = classes.codes[row] as usize;
            seen[class] += 1;
            ((f64::from(seen[class]) - 0.5) / counts[class] as f64, row)
        })
        .collect();
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    places.into_iter().map(|(_, row)| row).collect()
}

/// Numbers groups from 0 on, in the order in which they come; `None` where there are not two of them.
pub(crate) fn numbered(groups: impl Iterator<Item = u32>) -> Option<Vec<u32>> {
    let mut places: HashMap<u32, u32> = HashMap::new();
    let place = |group: u32| {
        let next = places.len() as u32;
        *places.entry(group).or_insert(next)
    };
    let found: Vec<u32> = groups.map(place).collect();
    (places.len() > 1).then_some(found)
}
