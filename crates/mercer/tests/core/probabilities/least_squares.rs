//! Least-squares classification: the numbers of the derivation.

use mercer::learn::least_squares::Strength;
use mercer::model::readout::{Readout, Sigmoid};
use mercer_linalg::{Matrix, Par, Precision};

use super::points::{
    area, close, dataset, decisions, even, factor, fit, least, least_squares, mean, most, noise,
    probabilities, square,
};
use mercer::data::Records;
use mercer::fit::FitContext;
use mercer::learn::Estimator;

const GAUSS: &str = "rbf(gamma=1)";

fn slope(readout: &Readout) -> f64 {
    let sigmoids = readout.classes().and_then(|c| c.sigmoids.as_ref());
    sigmoids.expect("sigmoids")[0].a
}

#[test]
fn opposite_corners_get_their_own_class() {
    let (x, positive) = square();
    let machine = least_squares(GAUSS, Strength::Gamma(10.0));
    let model = fit(&machine, &x, &positive).model;
    close(slope(&model.readout), -0.237_267, 5e-7);
    let values = decisions(&model, &x);
    let p = probabilities(&model, &x);
    for (i, own) in positive.iter().enumerate() {
        let sign = if *own { 1.0 } else { -1.0 };
        close(values[(i, 0)], 0.799_83 * sign, 5e-6);
        close(p[i], if *own { 0.547_301 } else { 0.452_699 }, 5e-7);
        assert_eq!(model.readout.class(values.row(i)), Some(u32::from(!own)));
    }
}

#[test]
fn a_collapsed_ratio_gives_the_shares() {
    let x = Matrix::from_fn(10, 1, |i, _| i as f64 / 10.0);
    let positive: Vec<bool> = (0..10).map(|i| [1, 4, 8].contains(&i)).collect();
    let of = |ratio: f64| {
        let machine = least_squares(GAUSS, Strength::Gamma(ratio));
        let model = fit(&machine, &x, &positive).model;
        assert!(slope(&model.readout) <= 0.0);
        probabilities(&model, &x)
    };
    let (tiny, small, none) = (of(1e-8), of(1e-3), of(1e-12));
    assert!(least(&tiny) >= 0.3135 && most(&tiny) <= 0.3223, "{tiny:?}");
    for i in 0..10 {
        close(tiny[i], small[i], 1e-5);
        close(none[i], 0.3178, 1e-4);
    }
}

#[test]
fn noise_gets_the_share() {
    let (x, positive) = noise(60);
    let new = even(61, 560);
    let strengths = [
        Strength::Gamma(1e-8),
        Strength::Evidence,
        Strength::Gamma(1.0),
        Strength::Gamma(100.0),
    ];
    for strength in strengths {
        let model = fit(&least_squares(GAUSS, strength), &x, &positive).model;
        let p = probabilities(&model, &new);
        assert!(least(&p) >= 0.297 && most(&p) <= 0.307, "{strength:?}");
        close(mean(&p), 0.301, 5e-4);
    }
}

#[test]
fn weak_signal_keeps_its_order() {
    let x = even(1, 120);
    let truth = |x: &Matrix<f64>, i: usize| 0.1 + 0.4 * x[(i, 0)];
    let positive: Vec<bool> = (0..120)
        .map(|i| ((37 * i) % 101) as f64 / 101.0 < truth(&x, i))
        .collect();
    let new = even(121, 1120);
    let labels: Vec<bool> = (0..1000)
        .map(|i| ((617 * i) % 1009) as f64 / 1009.0 < truth(&new, i))
        .collect();
    let cases = [
        (Strength::Gamma(1e-8), 0.663_56, 0.587_14),
        (Strength::Gamma(1e-3), 0.663_54, 0.587_16),
        (Strength::Evidence, 0.663_25, 0.588_79),
    ];
    for (strength, expected, expected_loss) in cases {
        let fitted = fit(&least_squares(GAUSS, strength), &x, &positive);
        if strength == Strength::Evidence {
            let ratio = fitted.report.evidence.as_ref().expect("evidence").ratio;
            close(ratio, 0.102_39, 5e-5);
        }
        let values = decisions(&fitted.model, &new).into_vec();
        let p = probabilities(&fitted.model, &new);
        close(area(&p, &labels), expected, 5e-5);
        assert_eq!(area(&p, &labels), area(&values, &labels));
        let loss: Vec<f64> = (0..1000)
            .map(|i| {
                let t = truth(&new, i);
                -t * p[i].ln() - (1.0 - t) * (1.0 - p[i]).ln()
            })
            .collect();
        close(mean(&loss), expected_loss, 1e-5);
    }
}

#[test]
fn class_factors_stay_out_of_probabilities() {
    let (x, positive) = noise(60);
    let machine = least_squares("rbf(gamma=10)", Strength::Gamma(10.0)).class_weights(factor(10.0));
    let fitted = fit(&machine, &x, &positive);
    let p = probabilities(&fitted.model, &x);
    assert!(least(&p) >= 0.298 && most(&p) <= 0.306, "{p:?}");
    let report = fitted.report.evidence.expect("evidence");
    close(report.leave_one_out, 48.0 / 60.0, 1e-12);
    // Ten times 0.3 is more than 0.7: all rows are of the class with the factor.
    let values = decisions(&fitted.model, &x);
    for row in 0..60 {
        assert_eq!(fitted.model.readout.class(values.row(row)), Some(0));
    }
}

#[test]
fn moderated_probabilities_know_the_shares_too() {
    let (x, positive) = noise(60);
    let of = |on_a: f64| {
        let machine = least_squares(GAUSS, Strength::Evidence).class_weights(factor(on_a));
        let model = fit(&machine, &x, &positive).model;
        let certainty = model.certainty(Par::Sequential).expect("definite");
        let records = Records::from_points(x.clone());
        let moderated = certainty.expect("a posterior").moderated(
            &records,
            &decisions(&model, &x),
            None,
            Par::Sequential,
        );
        mean(moderated.expect("probabilities").as_slice())
    };
    close(of(1.0), 0.3, 0.02);
    close(of(10.0), 0.3, 0.05);
}

#[test]
fn swapping_the_classes_swaps_the_probabilities() {
    let x = even(1, 60);
    let positive: Vec<bool> = (0..60)
        .map(|i| (7 * i) % 10 < 3 || x[(i, 0)] > 0.7)
        .collect();
    let swapped: Vec<bool> = positive.iter().map(|p| !p).collect();
    // The search for the evidence leaves the seventh digit of γ open.
    for (strength, within) in [(Strength::Evidence, 1e-7), (Strength::Gamma(30.0), 1e-9)] {
        let machine = least_squares(GAUSS, strength);
        let one = probabilities(&fit(&machine, &x, &positive).model, &x);
        let other = probabilities(&fit(&machine, &x, &swapped).model, &x);
        for (p, q) in one.iter().zip(&other) {
            close(p + q, 1.0, within);
        }
    }
}

#[test]
fn a_row_of_weight_three_is_three_rows() {
    let (x, positive) = noise(30);
    let rows: Vec<usize> = (0..30)
        .flat_map(|i| std::iter::repeat_n(i, 1 + 2 * (i % 2)))
        .collect();
    let all = Matrix::from_fn(rows.len(), 2, |r, c| x[(rows[r], c)]);
    let alike: Vec<bool> = rows.iter().map(|&r| positive[r]).collect();
    let machine = least_squares(GAUSS, Strength::Gamma(3.0)).class_weights(factor(4.0));
    let weights = (0..30).map(|i| (1 + 2 * (i % 2)) as f64).collect();
    let data = dataset(&x, &positive)
        .with_weights(weights)
        .expect("lengths");
    let weighted = machine.fit(&data, &FitContext::default()).expect("fits");
    let repeated = fit(&machine, &all, &alike);
    let (one, other) = (
        probabilities(&weighted.model, &x),
        probabilities(&repeated.model, &x),
    );
    for (p, q) in one.iter().zip(&other) {
        close(*p, *q, 1e-12);
    }
}

#[test]
fn single_precision_is_refused_where_slopes_are_steep() {
    let (x, positive) = noise(60);
    let mut model = fit(&least_squares(GAUSS, Strength::Gamma(1.0)), &x, &positive).model;
    let mut precision = |slope: f64| {
        let classes = model.readout.classes_mut().expect("classes");
        classes.sigmoids = Some(vec![Sigmoid { a: slope, b: 0.0 }]);
        model.predictor(Precision::F32).expect("bound").precision()
    };
    assert_eq!(precision(-10.0), Precision::F32);
    // Decisions are off by some 1e-7, probabilities would be by 1e-2.
    assert_eq!(precision(-1e5), Precision::F64);
}

#[test]
fn several_classes_without_signal_get_their_shares() {
    use mercer::data::{ClassTargets, Dataset, Targets};
    use mercer::model::readout::Scheme;
    let x = even(1, 100);
    let names: Vec<&str> = (0..100)
        .map(|i| match (7 * i) % 10 {
            0..6 => "a",
            6..9 => "b",
            _ => "c",
        })
        .collect();
    let targets = Targets::Classes(ClassTargets::from_labels(&names));
    let data = Dataset::try_new(Records::from_points(x.clone()), targets).expect("lengths");
    for scheme in [Scheme::OneVsRest, Scheme::OneVsOne] {
        let machine = least_squares(GAUSS, Strength::Evidence).scheme(scheme);
        let model = machine
            .fit(&data, &FitContext::default())
            .expect("fits")
            .model;
        let values = decisions(&model, &even(101, 300));
        for row in 0..200 {
            let p = model
                .readout
                .probabilities(values.row(row))
                .expect("sigmoids");
            for (p, share) in p.iter().zip([0.6, 0.3, 0.1]) {
                close(*p, share, 0.03);
            }
            assert_eq!(model.readout.class(values.row(row)), Some(0));
        }
    }
}
