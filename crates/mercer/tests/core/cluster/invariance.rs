//! The same result for rows in another order, form, precision, place or size, and for any number
//! of threads.

use mercer::data::Records;
use mercer::fit::{Cancel, FitContext};
use mercer::learn::cluster::{Clustering, Init, KMeans, distances, nearest};
use mercer_linalg::{Csr, Matrix, Par};

use super::{groups, records};

fn solve(records: &Records, weights: Option<&[f64]>, context: &FitContext) -> Clustering {
    let method = KMeans::default().clusters(7).starts(Some(2));
    method.solve(records, weights, None, context).expect("rows")
}

/// Requires centres to agree to a share of the largest.
fn assert_close(left: &Matrix<f64>, right: &Matrix<f64>, share: f64) {
    let largest = right.as_slice().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    for (a, b) in left.as_slice().iter().zip(right.as_slice()) {
        assert!((a - b).abs() <= share * largest, "{a} and {b}");
    }
}

#[test]
fn threads_do_not_matter() {
    let x = groups(5000, 6, 9, 1);
    let sparse = Matrix::from_fn(3000, 40, |i, j| {
        if (i * 7 + j * 13) % 5 == 0 {
            x[(i, j % 6)]
        } else {
            0.0
        }
    });
    let sparse = Records::from_points(Csr::from_dense(sparse.as_ref()));
    for rows in [records(&x), sparse] {
        let found =
            [1, 2, 3].map(|threads| solve(&rows, None, &FitContext::default().threads(threads)));
        assert!(found[0].iterations > 2);
        assert_eq!(found[0], found[1]);
        assert_eq!(found[0], found[2]);
        let cancel = Cancel::default();
        let centres = &found[0].centres;
        let one = nearest(centres, &rows, Par::Sequential, &cancel).expect("rows");
        assert_eq!(
            one,
            nearest(centres, &rows, Par::Rayon, &cancel).expect("rows")
        );
        assert_eq!(one.0, found[0].labels);
        assert_eq!(
            distances(centres, &rows, Par::Sequential, &cancel),
            distances(centres, &rows, Par::Rayon, &cancel)
        );
    }
}

#[test]
fn order_and_copies_do_not_matter() {
    let x = groups(900, 4, 7, 2);
    let context = FitContext::default();
    let plain = solve(&records(&x), None, &context);
    let order: Vec<usize> = (0..900).map(|i| (i * 77 + 5) % 900).collect();
    let turned = solve(&records(&x.select_rows(&order)), None, &context);
    assert_eq!(turned.centres, plain.centres);
    assert_eq!(turned.inertia, plain.inertia);
    for (place, &row) in order.iter().enumerate() {
        assert_eq!(turned.labels[place], plain.labels[row]);
    }

    let weights: Vec<f64> = (0..900).map(|i| (i % 4) as f64).collect();
    let weighted = solve(&records(&x), Some(&weights), &context);
    let copied: Vec<usize> = (0..900)
        .flat_map(|i| std::iter::repeat_n(i, i % 4))
        .collect();
    let copies = solve(&records(&x.select_rows(&copied)), None, &context);
    assert_eq!(weighted.centres, copies.centres);
    assert_eq!(weighted.inertia, copies.inertia);
    assert_eq!(weighted.iterations, copies.iterations);
    // Rows of weight 0 have a label all the same.
    let (codes, _) = nearest(
        &weighted.centres,
        &records(&x),
        Par::Sequential,
        &Cancel::default(),
    )
    .expect("rows");
    assert_eq!(weighted.labels, codes);
}

#[test]
fn sparse_rows_and_single_precision_are_the_same_rows() {
    let x = groups(700, 5, 6, 3);
    let start = x.select_rows(&[0, 1, 2, 3]);
    let method = KMeans::default().clusters(4);
    let context = FitContext::default();
    let solve = |rows: &Records| {
        let found = method.solve(rows, None, Some(&start), &context);
        found.expect("rows")
    };
    let dense = solve(&records(&x));
    let sparse = solve(&Records::from_points(Csr::from_dense(x.as_ref())));
    assert_eq!(sparse.labels, dense.labels);
    assert_eq!(sparse.iterations, dense.iterations);
    assert_close(&sparse.centres, &dense.centres, 1e-12);

    let single = x.cast::<f32>();
    let narrow = solve(&Records::from_points(single.clone()));
    let wide = solve(&records(&single.cast::<f64>()));
    assert_eq!(narrow, wide);
}

#[test]
fn distance_from_zero_and_size_do_not_matter() {
    let x = groups(600, 3, 5, 4);
    // Powers of two and few digits: the moved rows are exactly the rows, moved.
    let x = Matrix::from_fn(600, 3, |i, j| (x[(i, j)] * 1024.0).round() / 1024.0);
    let start = x.select_rows(&[0, 1, 2, 3, 4]);
    let method = KMeans::default().clusters(5);
    let context = FitContext::default();
    let plain = method
        .solve(&records(&x), None, Some(&start), &context)
        .expect("rows");
    for (factor, offset) in [
        (1.0, 1e9),
        (2.0_f64.powi(600), 0.0),
        (2.0_f64.powi(-600), 0.0),
    ] {
        let moved = |m: &Matrix<f64>| {
            Matrix::from_fn(m.rows(), m.columns(), |i, j| m[(i, j)] * factor + offset)
        };
        let (rows, start) = (records(&moved(&x)), moved(&start));
        let found = method
            .solve(&rows, None, Some(&start), &context)
            .expect("rows");
        assert_eq!(found.labels, plain.labels, "{factor} {offset}");
        assert_eq!(found.iterations, plain.iterations);
        let back = Matrix::from_fn(5, 3, |i, j| (found.centres[(i, j)] - offset) / factor);
        // Rows in another order of their own are added up in another order.
        assert_close(
            &back,
            &plain.centres,
            if offset > 0.0 { 1e-7 } else { 1e-14 },
        );
        let share = found.inertia / factor / factor;
        if factor == 1.0 {
            assert!(
                (share - plain.inertia).abs() < 1e-9 * plain.inertia,
                "{share}"
            );
        }
        let (_, squares) =
            nearest(&found.centres, &rows, Par::Sequential, &Cancel::default()).expect("rows");
        assert_eq!(squares.len(), 600);
        let all = distances(&found.centres, &rows, Par::Sequential, &Cancel::default());
        let all = all.expect("rows");
        for i in 0..600 {
            let direct = |c: usize| -> f64 {
                let line = (0..3).map(|j| (x[(i, j)] - plain.centres[(c, j)]).powi(2));
                line.sum::<f64>().sqrt()
            };
            for c in 0..5 {
                let found = all[(i, c)] / factor;
                assert!(
                    (found - direct(c)).abs() < 1e-6,
                    "{found} and {}",
                    direct(c)
                );
            }
        }
    }
}

#[test]
fn the_seed_decides() {
    let x = groups(800, 3, 40, 6);
    for init in [Init::KMeansPlusPlus, Init::Random] {
        let method = KMeans::default().clusters(8).init(init).starts(Some(1));
        let solve = |seed: u64| {
            let context = FitContext::default().seed(seed);
            method
                .solve(&records(&x), None, None, &context)
                .expect("rows")
        };
        assert_eq!(solve(3), solve(3));
        assert_ne!(solve(3).centres, solve(4).centres);
    }
}
