//! Drops points that cannot win any more.
//!
//! After every round a point is compared with the leader, the point with the least mean loss so
//! far, row by row over the rows both have predicted. With differences d of the losses, the point
//! is dropped when Σd > z·√Σd². For right and wrong predictions this is McNemar's test: with p rows
//! that only the leader gets right and q rows that only the point gets right, it asks for
//! p − q > z·√(p + q). At z = 3 a point as good as the leader is dropped once in 700 looks; at
//! least nine rows must speak against it. The rule reads nothing but predictions, so that equal
//! data give equal drops.

/// Standard errors a point must lie behind.
const Z: f64 = 3.0;

/// Returns the leader: the entry with the least sum of losses among complete-so-far points.
pub(super) fn leader(losses: &[Option<&[f32]>]) -> Option<usize> {
    let sums = losses.iter().enumerate().filter_map(|(k, losses)| {
        let losses = (*losses)?;
        let known = losses.iter().filter(|l| !l.is_nan());
        let (sum, count) = known.fold((0.0, 0.0), |(s, c), l| (s + f64::from(*l), c + 1.0));
        (count > 0.0).then_some((sum / count, k))
    });
    sums.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
        .map(|(_, k)| k)
}

/// Returns whether a point lies behind the leader beyond doubt.
pub(super) fn is_hopeless(point: &[f32], leader: &[f32]) -> bool {
    let (mut sum, mut squares) = (0.0, 0.0);
    for (p, l) in point.iter().zip(leader) {
        let difference = f64::from(*p) - f64::from(*l);
        if !difference.is_nan() {
            sum += difference;
            squares += difference * difference;
        }
    }
    sum > Z * squares.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nine_rows_decide() {
        let leader = vec![0.0_f32; 40];
        let with = |wrong: usize| -> Vec<f32> {
            (0..40).map(|k| f32::from(u8::from(k < wrong))).collect()
        };
        assert!(!is_hopeless(&with(9), &leader));
        assert!(is_hopeless(&with(10), &leader));
        assert!(!is_hopeless(&leader, &leader));
    }

    #[test]
    fn rows_nobody_answered_do_not_count() {
        let leader = [0.0, f32::NAN, 0.0];
        assert!(!is_hopeless(&[1.0, 1.0, f32::NAN], &leader));
        let known = [
            Some(&[0.5_f32, f32::NAN][..]),
            None,
            Some(&[0.25_f32, 0.5][..]),
        ];
        assert_eq!(super::leader(&known), Some(2));
    }
}
