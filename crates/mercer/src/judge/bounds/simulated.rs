//! Bounds on learning problems whose error is known: violated in δ of a thousand at most.

use mercer_linalg::Matrix;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::features::{FeatureSetting, feature_count, gauss_spread};
use super::intervals::*;
use super::*;
use crate::data::random::{normal, unit};
use crate::data::{ClassTargets, Dataset, Records, Targets};
use crate::fit::{ConstantTerm, FitContext};
use crate::kernel::KernelSpec;
use crate::learn::Estimator;
use crate::learn::margin::{Bias, Svc};
use crate::special::binomial_density;

const PROBLEMS: usize = 1000;
const DELTA: f64 = 0.05;

/// Violations in a thousand problems that a bound of probability δ exceeds in one of a thousand
/// cases: the one-sided binomial test.
fn allowed() -> usize {
    let mut tail = 1.0;
    (0..PROBLEMS)
        .find(|&v| {
            tail -= binomial_density(v as f64, PROBLEMS as f64, DELTA, 1.0 - DELTA);
            tail < 1e-3
        })
        .unwrap()
}

fn violated(seed: u64, mut problem: impl FnMut(&mut ChaCha8Rng) -> bool) -> usize {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..PROBLEMS).filter(|_| problem(&mut rng)).count()
}

fn errors(rng: &mut ChaCha8Rng, rows: usize, rate: f64) -> usize {
    (0..rows).filter(|_| unit(rng) < rate).count()
}

#[test]
fn the_test_itself() {
    // 50 are expected, with a standard deviation of 6.9.
    assert!((68..80).contains(&allowed()), "{}", allowed());
    assert!(violated(1, |rng| unit(rng) < 0.1) > allowed());
}

#[test]
fn intervals_hold_the_true_rate() {
    type Law = fn(usize, usize, f64, Sides) -> crate::Result<Interval>;
    let laws = [
        binomial_interval as Law,
        chernoff_interval as Law,
        chebyshev_interval as Law,
    ];
    for rate in [0.01, 0.1, 0.4] {
        for sides in [Sides::Both, Sides::Upper] {
            for law in laws {
                let outside = violated(2, |rng| {
                    let seen = errors(rng, 120, rate);
                    let found = law(seen, 120, DELTA, sides).unwrap();
                    !(found.low <= rate && rate <= found.high)
                });
                assert!(outside <= allowed(), "{rate} {sides:?}: {outside}");
            }
        }
    }
    // The exact interval is not far too wide either.
    let outside = violated(3, |rng| {
        let seen = errors(rng, 2000, 0.4);
        let found = binomial_interval(seen, 2000, DELTA, Sides::Both).unwrap();
        !(found.low <= 0.4 && 0.4 <= found.high)
    });
    assert!(outside > 25, "{outside}");
}

#[test]
fn test_sets_of_the_size_asked_for_are_within_epsilon() {
    let epsilon = 0.1;
    for sides in [Sides::Both, Sides::Upper] {
        for size in [
            chernoff_sample_size(epsilon, DELTA, sides).unwrap(),
            chebyshev_sample_size(epsilon, DELTA, sides).unwrap(),
        ] {
            let n = size as usize;
            let far = violated(4, |rng| {
                let off = 0.5 - errors(rng, n, 0.5) as f64 / n as f64;
                match sides {
                    Sides::Both => off.abs() >= epsilon,
                    Sides::Upper => off >= epsilon,
                }
            });
            assert!(far <= allowed(), "{n} {sides:?}: {far}");
        }
    }
}

/// Half-lines x ≥ t on [0, 1], VC dimension 1, with labels x ≥ 1/2 of which a tenth is flipped: the
/// true error of t is 0.1 + 0.8|t − 1/2|.
#[test]
fn no_half_line_deceives_beyond_the_uniform_deviation() {
    const ROWS: usize = 150;
    let limit = uniform_deviation(ROWS, 1, DELTA).unwrap();
    assert!(!is_vacuous(limit));
    let truth = |t: f64| 0.1 + 0.8 * (t - 0.5).abs();
    let beyond = violated(5, |rng| {
        let mut rows: Vec<(f64, bool)> = (0..ROWS)
            .map(|_| {
                let x = unit(rng);
                (x, (x >= 0.5) != (unit(rng) < 0.1))
            })
            .collect();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        // At t = 0 all are called positive; beyond each row one more is called negative.
        let mut wrong = rows.iter().filter(|(_, label)| !label).count();
        let mut largest = 0.0_f64;
        let mut last = 0.0;
        for (x, label) in rows.iter().chain([&(1.0, true)]) {
            let share = wrong as f64 / ROWS as f64;
            for t in [last, *x, 0.5_f64.clamp(last, *x)] {
                largest = largest.max((share - truth(t)).abs());
            }
            last = *x;
            wrong = if *label { wrong + 1 } else { wrong - 1 };
        }
        largest > limit
    });
    assert!(beyond <= allowed(), "{beyond}");
}

/// Rows y·x on the unit circle at angles within ±a: separable through the origin with margin
/// cos a. The widest margin is that of the bisector of the extreme angles.
#[test]
fn planes_with_a_margin_err_less_than_bound() {
    for (rows, widest) in [(10, 1.55), (200, 1.2), (2000, 1.45_f64)] {
        let mut sum = 0.0;
        let beyond = violated(6, |rng| {
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for _ in 0..rows {
                let angle = widest * (2.0 * unit(rng) - 1.0);
                low = low.min(angle);
                high = high.max(angle);
            }
            let found = f64::midpoint(low, high);
            let error = (widest + found.abs() - std::f64::consts::FRAC_PI_2).max(0.0);
            let error = error / (2.0 * widest);
            sum += error;
            let setting = |margin: f64| MarginSetting {
                rows,
                radius: 1.0,
                margin,
                delta: DELTA,
                constant: ConstantTerm::None,
            };
            let fixed = margin_bound(&setting(widest.cos())).unwrap();
            let measured = setting((0.5 * (high - low)).cos());
            error > fixed || error > measured_margin_bound(&measured).unwrap()
        });
        assert!(beyond <= allowed(), "{rows}: {beyond}");
        assert_eq!(rows == 10, sum > 0.0, "the first problems are hard ones");
    }
}

/// The machine itself, in ten dimensions: rows on the unit sphere, classes by the first
/// coordinate; the error of a plane through the origin is its angle to the true one over π.
#[test]
fn hard_machines_err_less_than_their_bound() {
    const ROWS: usize = 30;
    const COLUMNS: usize = 10;
    let machine = Svc::default()
        .kernel(KernelSpec::linear())
        .bias(Bias::None)
        .hard();
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut sum = 0.0;
    for _ in 0..50 {
        let mut points = Matrix::from_fn(ROWS, COLUMNS, |_, _| normal(&mut rng));
        for row in 0..ROWS {
            let length = points.row(row).iter().map(|v| v * v).sum::<f64>().sqrt();
            points.row_mut(row).iter_mut().for_each(|v| *v /= length);
        }
        let codes: Vec<u32> = (0..ROWS).map(|r| u32::from(points[(r, 0)] < 0.0)).collect();
        if codes.iter().all(|c| *c == codes[0]) {
            continue;
        }
        let classes = ClassTargets {
            labels: vec!["right".to_owned(), "left".to_owned()],
            codes,
        };
        let records = Records::from_points(points);
        let data = Dataset::try_new(records, Targets::Classes(classes)).unwrap();
        let fitted = machine.fit(&data, &FitContext::default()).unwrap();
        let model = &fitted.model;
        let first: f64 = (0..model.support.len())
            .map(|i| {
                let crate::data::Points::Double(block) = &model.support.features.points else {
                    panic!("doubles were given");
                };
                let crate::data::Block::Dense(rows) = block else {
                    panic!("dense rows were given");
                };
                model.coefficients[(0, i)] * rows.row(i)[0]
            })
            .sum();
        let norm = model.norms(&FitContext::default()).unwrap()[0];
        assert!((norm - fitted.report.solver().problems[0].norm).abs() < 1e-6 * norm);
        let error = (first / norm).clamp(-1.0, 1.0).acos() / std::f64::consts::PI;
        sum += error;
        let bound = &fit_bounds(&fitted.report, DELTA).unwrap()[0];
        assert!(!bound.assumes_radius && (bound.radius - 1.0).abs() < 1e-6);
        assert!(error <= bound.bound, "{error} {bound:?}");
    }
    assert!(sum > 0.0);
}

/// The least λw² + mean hinge over one weight: the slope falls at 1/(y x) for y x > 0.
fn soft(margins: &[f64], lambda: f64) -> f64 {
    let value = |w: f64| lambda * w * w + hinge(margins, w);
    // A convex function of one number.
    let (mut low, mut high) = (-1.0 / lambda, 1.0 / lambda);
    for _ in 0..100 {
        let third = (high - low) / 3.0;
        if value(low + third) < value(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    f64::midpoint(low, high)
}

fn hinge(margins: &[f64], w: f64) -> f64 {
    margins.iter().map(|m| (1.0 - m * w).max(0.0)).sum::<f64>() / margins.len() as f64
}

/// One column within ±1, a fifth of the labels flipped: the mean over a thousand draws of the true
/// hinge loss is within the bounds.
#[test]
fn soft_margins_keep_their_bounds_in_the_mean() {
    const ROWS: usize = 20;
    let grid: Vec<f64> = (0..500)
        .flat_map(|i| {
            let x = (f64::from(i) + 0.5) / 500.0;
            [x, x, x, x, -x]
        })
        .collect();
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for lambda in [0.1, 0.4] {
        let (mut true_hinge, mut training) = (0.0, 0.0);
        for _ in 0..PROBLEMS {
            let margins: Vec<f64> = (0..ROWS)
                .map(|_| {
                    let x = unit(&mut rng);
                    if unit(&mut rng) < 0.2 { -x } else { x }
                })
                .collect();
            let w = soft(&margins, lambda);
            true_hinge += hinge(&grid, w) / PROBLEMS as f64;
            training += hinge(&margins, w) / PROBLEMS as f64;
        }
        let stability = stability_bound(ROWS, 1.0, lambda).unwrap();
        assert!(true_hinge <= training + stability, "{lambda}");
        let best = soft(&grid, lambda);
        let oracle = hinge(&grid, best) + lambda * best * best;
        assert!(true_hinge <= oracle + stability, "{lambda}");
        assert!(true_hinge > training, "training flatters");
        let norm = 1.5;
        let found = soft_margin_bound(ROWS, 1.0, norm).unwrap();
        assert!(
            (stability_bound(ROWS, 1.0, found.lambda).unwrap() - found.excess / 2.0).abs() < 1e-12
        );
        assert!((found.lambda * norm * norm - found.excess / 2.0).abs() < 1e-12);
    }
}

/// Gaussian kernel of one column within ±1: differences up to 2.
#[test]
fn random_features_are_within_epsilon() {
    let setting = FeatureSetting {
        columns: 1,
        spread: gauss_spread(&[1.0]),
        diameter: 2.0,
        epsilon: 0.5,
    };
    let pairs = feature_count(&setting, DELTA).unwrap() as usize;
    // A fifth of the features is enough in truth, so that the test also fails where it should.
    for (count, holds) in [(pairs, true), (pairs / 200, false)] {
        let beyond = violated(9, |rng| {
            let frequencies: Vec<f64> = (0..count).map(|_| normal(rng)).collect();
            (0..=20).any(|step| {
                let gap = f64::from(step) / 10.0;
                let sum: f64 = frequencies.iter().map(|w| (w * gap).cos()).sum();
                (sum / count as f64 - (-0.5 * gap * gap).exp()).abs() >= setting.epsilon
            })
        });
        assert_eq!(beyond <= allowed(), holds, "{count}: {beyond}");
    }
}
