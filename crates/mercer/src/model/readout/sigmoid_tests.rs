//! Sigmoids of held-out decisions: the cases of their derivation, few rows, and extremes.

use super::*;

const FREE: Origin<'_> = chosen(0);

const fn chosen(fitted: usize) -> Origin<'static> {
    Origin {
        fitted,
        factors: &[],
    }
}

fn fit(decisions: &[f64], positive: &[u8]) -> Sigmoid {
    let positive: Vec<bool> = positive.iter().map(|p| *p == 1).collect();
    Sigmoid::fit(decisions, &positive, &vec![1.0; positive.len()], &FREE)
}

fn close(found: f64, expected: f64, within: f64) {
    assert!(
        (found - expected).abs() <= within,
        "{found} instead of {expected}"
    );
}

#[test]
fn a_reversed_sample_keeps_the_order_of_decisions() {
    let sigmoid = fit(&[-1.0, -1.0, 1.0, 1.0], &[1, 1, 0, 0]);
    close(sigmoid.a, -0.112_383, 5e-7);
    close(sigmoid.b, 0.0, 1e-12);
    let uneven = fit(
        &[-1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0],
        &[1, 1, 1, 0, 0, 0, 0],
    );
    close(uneven.a, -0.055_200, 5e-7);
    close(uneven.b, 0.256_970, 5e-7);
    close(
        fit(&[1.0, 1.0, -1.0, -1.0], &[1, 1, 0, 0]).a,
        -1.238_137,
        5e-7,
    );
}

#[test]
fn equal_decisions_give_the_smoothed_share() {
    let sigmoid = fit(&[0.7; 10], &[1, 0, 0, 1, 0, 0, 0, 1, 0, 0]);
    assert_eq!(sigmoid.a, 0.0);
    close(sigmoid.probability(0.7), 0.317_778, 5e-7);
    close(sigmoid.probability(f64::NAN), 0.317_778, 5e-7);
    let unknown = fit(&[f64::NAN; 10], &[1, 0, 0, 1, 0, 0, 0, 1, 0, 0]);
    assert_eq!(unknown, sigmoid);
}

#[test]
fn known_probabilities_come_back() {
    let table = [(1.0, 1, 800), (1.0, 0, 200), (-1.0, 0, 800), (-1.0, 1, 200)];
    let rows = table.iter().flat_map(|r| std::iter::repeat_n(r, r.2));
    let (decisions, positive): (Vec<f64>, Vec<u8>) = rows.map(|r| (r.0, r.1)).unzip();
    let sigmoid = fit(&decisions, &positive);
    close(sigmoid.probability(1.0), 0.799_45, 5e-6);
    close(sigmoid.probability(-1.0), 0.200_55, 5e-6);
    // The same rows as copies.
    let copies = Sigmoid::fit(
        &table.map(|r| r.0),
        &table.map(|r| r.1 == 1),
        &table.map(|r| r.2 as f64),
        &FREE,
    );
    close(copies.a, sigmoid.a, 1e-9);
    close(copies.b, sigmoid.b, 1e-9);
}

#[test]
fn fitted_numbers_take_from_weak_slopes_what_chance_explains() {
    // Decisions of 200 rows; a row is positive by the share that `signal` gives it.
    let slopes = |signal: f64, fitted: usize| {
        let decisions: Vec<f64> = (0..200).map(|i| f64::from(i % 20) / 10.0 - 0.95).collect();
        let share = |g: f64| (1.0 + (1.0 - signal * g).exp()).recip();
        let positive: Vec<bool> = (0..200)
            .zip(&decisions)
            .map(|(i, g)| f64::from(i / 20) + 0.5 < 10.0 * share(*g))
            .collect();
        let copies = vec![1.0; 200];
        let sigmoid = Sigmoid::fit(&decisions, &positive, &copies, &chosen(fitted));
        let mean = decisions
            .iter()
            .map(|g| sigmoid.probability(*g))
            .sum::<f64>()
            / 200.0;
        (sigmoid.a, mean)
    };
    let (free, shares) = slopes(6.0, 0);
    let (charged, same) = slopes(6.0, 5);
    assert!(charged / free > 0.93, "{charged} {free}");
    close(shares, same, 1e-4);
    let (free, _) = slopes(0.3, 0);
    let (charged, _) = slopes(0.3, 5);
    assert!(charged < 0.0 && charged / free < 0.25, "{charged} {free}");
}

#[test]
fn what_is_kept_of_a_slope_grows_with_what_it_gains() {
    for q in [1.0, 5.0, 9.0] {
        close(kept(2.0 * q, q), 0.5, 1e-12);
        close(kept(100.0 * q, q), 0.99, 1e-12);
        let all: Vec<f64> = (0..60).map(|i| kept(0.1 * f64::from(i) * q, q)).collect();
        assert!(all.windows(2).all(|w| w[0] <= w[1]), "{all:?}");
    }
    assert_eq!(kept(-0.3, 4.0), LEAST_FACTOR);
}

#[test]
fn few_rows_keep_the_border_of_the_machine() {
    // Ten rows, three of them positive, and held-out decisions that tell next to nothing.
    let decisions = [0.1, -0.9, -0.2, -0.6, -0.5, -0.3, 0.2, -0.7, -0.4, -0.7];
    let positive = [
        true, true, true, false, false, false, false, false, false, false,
    ];
    let few = Sigmoid::fit(&decisions, &positive, &[1.0; 10], &chosen(5));
    assert!(few.a < 0.0, "{few:?}");
    assert_eq!(few.b, 0.0);
    // With class factors of 1 to 7/3 the border is where P is 0.3.
    let factors: Vec<f64> = positive
        .iter()
        .map(|p| if *p { 7.0 / 3.0 } else { 1.0 })
        .collect();
    let origin = Origin {
        fitted: 5,
        factors: &factors,
    };
    let balanced = Sigmoid::fit(&decisions, &positive, &[1.0; 10], &origin);
    close(balanced.probability(0.0), 0.3, 1e-12);
    // A hundred such rows know that three in ten are positive.
    let many = Sigmoid::fit(
        &decisions.repeat(10),
        &positive.repeat(10),
        &[1.0; 100],
        &chosen(5),
    );
    close(many.probability(-0.4), 0.31, 0.02);
}

#[test]
fn the_unit_and_the_zero_of_decisions_do_not_matter() {
    let decisions = [0.9, 0.2, -0.1, 0.4, -0.6, 0.3, -0.8, -0.2, 0.1, -0.5];
    let positive = [1, 1, 0, 1, 0, 0, 0, 1, 0, 0];
    let sigmoid = fit(&decisions, &positive);
    close(sigmoid.a, -2.171_308, 5e-7);
    close(sigmoid.probability(0.9), 0.826_988, 5e-7);
    close(sigmoid.probability(-0.6), 0.155_443, 5e-7);
    for (factor, shift, within) in [(1e-9, 0.0, 1e-12), (1e6, 0.0, 1e-12), (1e-9, -0.4, 1e-7)] {
        let moved = decisions.map(|f| f * factor + shift);
        let other = fit(&moved, &positive);
        for (f, g) in decisions.iter().zip(moved) {
            close(other.probability(g), sigmoid.probability(*f), within);
        }
    }
}

#[test]
fn swapping_the_classes_swaps_the_probabilities() {
    let decisions = [0.9, 0.2, -0.1, 0.4, -0.6, 0.3, -0.8, -0.2, 0.1, -0.5];
    let positive = [1, 1, 0, 1, 0, 0, 0, 1, 0, 0];
    let (sigmoid, other) = (
        fit(&decisions, &positive),
        fit(&decisions.map(|f| -f), &positive.map(|p| 1 - p)),
    );
    for f in decisions {
        close(other.probability(-f), 1.0 - sigmoid.probability(f), 1e-12);
    }
}

#[test]
fn the_slope_keeps_its_sign_whatever_the_rows() {
    // Digits of a linear congruence: no signal, separated rows, tiny and huge classes.
    let mut state = 1_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as f64 / f64::from(1_u32 << 31)
    };
    for round in 0..300 {
        let n = 3 + round % 60;
        let (share, signal) = (
            0.02 + 0.48 * next(),
            40.0 * next() * f64::from(round as u32 % 3),
        );
        let positive: Vec<bool> = (0..n).map(|i| i == 0 || next() < share).collect();
        let decisions: Vec<f64> = positive
            .iter()
            .map(|p| 1e-3 * (next() + signal * f64::from(u8::from(*p))))
            .collect();
        let copies: Vec<f64> = (0..n).map(|_| 0.25 + 3.0 * next()).collect();
        let sigmoid = Sigmoid::fit(&decisions, &positive, &copies, &FREE);
        assert!(sigmoid.a < 0.0 && sigmoid.b.is_finite(), "{sigmoid:?}");
    }
}

#[test]
fn extreme_decisions_stay_probabilities() {
    let sigmoid = Sigmoid { a: -1e300, b: 3.0 };
    for f in [1e300, -1e300, 0.0] {
        let p = sigmoid.probability(f);
        assert!((0.0..=1.0).contains(&p), "{p}");
    }
}
