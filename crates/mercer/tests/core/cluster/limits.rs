//! Edges: equal rows, empty clusters, limits, and input that is refused.

use std::time::Duration;

use mercer::Error;
use mercer::data::Records;
use mercer::fit::{Cancel, FitContext, Note, StopReason};
use mercer::learn::cluster::{Init, KMeans, nearest};
use mercer_linalg::{Matrix, Par};

use super::{groups, records};

fn clusters(k: usize) -> KMeans {
    KMeans::default().clusters(k)
}

#[test]
fn as_many_clusters_as_rows_cost_nothing() {
    let x = groups(30, 4, 30, 1);
    for init in [Init::KMeansPlusPlus, Init::Random] {
        let found = clusters(30)
            .init(init)
            .solve(&records(&x), None, None, &FitContext::default());
        let found = found.expect("rows");
        assert_eq!(found.inertia, 0.0);
        let mut labels = found.labels.clone();
        labels.sort_unstable();
        assert_eq!(labels, (0..30).collect::<Vec<u32>>());
        assert!(found.notes.is_empty());
    }
}

#[test]
fn one_cluster_is_the_mean() {
    let x = groups(500, 3, 4, 2);
    let found = clusters(1).solve(&records(&x), None, None, &FitContext::default());
    let found = found.expect("rows");
    for j in 0..3 {
        let mean = (0..500).map(|i| x[(i, j)]).sum::<f64>() / 500.0;
        assert!((found.centres[(0, j)] - mean).abs() < 1e-12);
    }
    assert!(found.labels.iter().all(|&l| l == 0));
}

#[test]
fn fewer_distinct_rows_than_clusters_are_told_of() {
    let x = Matrix::from_fn(20, 2, |i, _| (i % 3) as f64);
    for method in [clusters(5), clusters(5).init(Init::Random)] {
        let found = method.solve(&records(&x), None, None, &FitContext::default());
        let found = found.expect("rows");
        assert_eq!((found.inertia, found.distinct_rows), (0.0, 3));
        let alert = |note: &Note| matches!(note, Note::Alert(text) if text.contains("3 distinct"));
        assert!(found.notes.iter().any(alert), "{:?}", found.notes);
    }
}

#[test]
fn several_empty_clusters_take_different_rows() {
    let x = Matrix::from_vec(6, 1, vec![0.0, 1.0, 50.0, 51.0, 90.0, 91.0]);
    let start = Matrix::from_vec(3, 1, vec![40.0, 1e6, -1e6]);
    let context = FitContext::default();
    let found = clusters(3)
        .solve(&records(&x), None, Some(&start), &context)
        .expect("rows");
    // The two farthest rows, 91 and 90, are a local minimum with the mean of the others.
    assert_eq!((found.inertia, found.labels[4]), (2501.0, 2));
    let copies = Matrix::from_fn(60, 1, |i, _| x[(i % 6, 0)]);
    let found = clusters(3)
        .solve(&records(&copies), None, Some(&start), &context)
        .expect("rows");
    assert_eq!((found.inertia, found.labels[4]), (25010.0, 2));
    assert!(found.notes.is_empty(), "every cluster has rows");
}

#[test]
fn equal_columns_and_rows_are_no_trouble() {
    let x = Matrix::from_fn(50, 3, |_, j| j as f64);
    let found = clusters(2).solve(&records(&x), None, None, &FitContext::default());
    let found = found.expect("rows");
    assert_eq!(found.inertia, 0.0);
    assert_eq!(found.stop_reason, StopReason::Converged);
    assert_eq!(found.centres.row(0), &[0.0, 1.0, 2.0]);
}

#[test]
fn more_starts_are_never_worse() {
    let x = groups(400, 2, 25, 3);
    let mut last = f64::INFINITY;
    for starts in [1, 3, 10] {
        let method = clusters(12).init(Init::Random).starts(Some(starts));
        let found = method.solve(&records(&x), None, None, &FitContext::default());
        let inertia = found.expect("rows").inertia;
        assert!(inertia <= last);
        last = inertia;
    }
    let method = clusters(12).init(Init::Random);
    let found = method.solve(&records(&x), None, None, &FitContext::default());
    assert_eq!(
        found.expect("rows").inertia,
        last,
        "ten starts unless told otherwise"
    );
}

#[test]
fn the_time_limit_and_cancellation_stop() {
    let x = groups(4000, 8, 4000, 4);
    let start = x.select_rows(&(0..40).collect::<Vec<_>>());
    let late = FitContext::default().time_limit(Some(Duration::ZERO));
    let found = clusters(40)
        .solve(&records(&x), None, Some(&start), &late)
        .expect("a start");
    assert_eq!(
        (found.stop_reason, found.iterations),
        (StopReason::TimeLimit, 0)
    );
    assert!((0..40).all(|c| found.labels[c] == c as u32));
    assert!(
        found
            .notes
            .iter()
            .any(|note| note.text().contains("time_limit"))
    );
    let nothing = clusters(40).solve(&records(&x), None, None, &late);
    assert_eq!(nothing, Err(Error::OutOfTime));

    let cancel = Cancel::default();
    cancel.cancel();
    let context = FitContext::default().cancel(cancel.clone());
    let stopped = clusters(40).solve(&records(&x), None, Some(&start), &context);
    assert_eq!(stopped, Err(Error::Cancelled));
    let stopped = nearest(&start, &records(&x), Par::Rayon, &cancel);
    assert_eq!(stopped, Err(Error::Cancelled));
}

#[test]
fn bad_input_is_refused_with_its_place() {
    let context = FitContext::default();
    let x = groups(10, 2, 2, 5);
    let text = |result: Result<_, Error>| match result {
        Err(error) => error.to_string(),
        Ok::<mercer::learn::cluster::Clustering, _>(_) => panic!("an error expected"),
    };
    let bad = clusters(0)
        .starts(Some(0))
        .tolerance(f64::NAN)
        .max_iterations(0);
    let all = text(bad.solve(&records(&x), None, None, &context));
    for name in ["clusters", "starts", "tolerance", "max_iterations"] {
        assert!(all.contains(&format!("`{name}`")), "{all}");
    }
    let many = text(clusters(11).solve(&records(&x), None, None, &context));
    assert_eq!(
        many,
        "`clusters` is `11`; it must be at most 10, the number of rows"
    );
    let mut weights = vec![1.0; 10];
    weights[3] = 0.0;
    let ten = text(clusters(10).solve(&records(&x), Some(&weights), None, &context));
    assert!(ten.contains("at most 9"), "{ten}");
    weights[3] = -1.0;
    let negative = text(clusters(2).solve(&records(&x), Some(&weights), None, &context));
    assert!(negative.contains("row 4"), "{negative}");
    let short = text(clusters(2).solve(&records(&x), Some(&weights[..5]), None, &context));
    assert!(short.contains("5 rows; 10 expected"), "{short}");
    let none = text(clusters(2).solve(&records(&x), Some(&[0.0; 10]), None, &context));
    assert!(none.contains("no rows"), "{none}");
    let mut holes = x.clone();
    holes[(6, 1)] = f64::NAN;
    let cell = text(clusters(2).solve(&records(&holes), None, None, &context));
    assert!(cell.starts_with("row 7"), "{cell}");
    let texts = Records::from_texts(["a", "b"]);
    let words = text(clusters(2).solve(&texts, None, None, &context));
    assert!(words.contains("no numeric columns"), "{words}");
    for (rows, columns) in [(3, 2), (2, 3)] {
        let start = Matrix::zeros(rows, columns);
        let shape = text(clusters(2).solve(&records(&x), None, Some(&start), &context));
        assert!(shape.contains("first centres"), "{shape}");
    }
    let mut start = Matrix::zeros(2, 2);
    start[(1, 0)] = f64::INFINITY;
    let place = text(clusters(2).solve(&records(&x), None, Some(&start), &context));
    assert!(place.starts_with("first centre 2"), "{place}");
    let wide = nearest(
        &Matrix::zeros(2, 3),
        &records(&x),
        Par::Rayon,
        &Cancel::default(),
    );
    assert!(wide.is_err());
}

#[test]
fn numbers_at_the_edge_of_their_range_are_no_trouble() {
    let huge = f64::MAX;
    let x = Matrix::from_vec(5, 1, vec![-huge, -0.99 * huge, 0.0, 0.98 * huge, huge]);
    let found = clusters(2).starts(Some(20));
    let found = found
        .solve(&records(&x), None, None, &FitContext::default())
        .expect("rows");
    assert!(found.centres.as_slice().iter().all(|c| c.is_finite()));
    assert_eq!(found.labels[0], found.labels[1]);
    assert_eq!(found.labels[3], found.labels[4]);
    assert_ne!(found.labels[0], found.labels[4]);
    // Rows far beyond the centres.
    let centres = Matrix::from_vec(2, 1, vec![-1e300, 1e300]);
    let (codes, _) =
        nearest(&centres, &records(&x), Par::Sequential, &Cancel::default()).expect("rows");
    assert_eq!((codes[0], codes[4]), (0, 1));
    // First centres far beyond ordinary rows.
    let rows = groups(20, 1, 2, 6);
    let start = Matrix::from_vec(2, 1, vec![huge, -huge]);
    let found = clusters(2).solve(&records(&rows), None, Some(&start), &FitContext::default());
    assert!(found.expect("rows").inertia.is_finite());
}

#[test]
fn settings_have_a_text_form() {
    let method = clusters(3).init(Init::Random).starts(Some(4));
    let text = serde_json::to_string(&method).expect("JSON");
    assert_eq!(
        text,
        r#"{"clusters":3,"init":"random","starts":4,"max_iterations":300,"tolerance":0.0001}"#
    );
    assert_eq!(
        serde_json::from_str::<KMeans>(&text).expect("settings"),
        method
    );
    let words: Init = serde_json::from_str("\"k-means++\"").expect("the other spelling");
    assert_eq!(serde_json::to_string(&words).expect("JSON"), "\"kmeans++\"");
}
