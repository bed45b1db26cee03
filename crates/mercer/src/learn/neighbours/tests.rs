//! What neighbours of small tables must be.

use mercer_linalg::{Csr, Matrix, Par};

use super::{Distance, Ib1, Ib2, IndexChoice, Knn, Memorise, Scaling, Votes};
use crate::data::{ClassTargets, CodeColumn, Dataset, MISSING_CODE, Records, Targets};
use crate::fit::{Cancel, FitContext, Fitted};
use crate::kernel::KernelSpec;
use crate::learn::{Estimator, Settings};
use crate::model::{Answers, Form, NeighbourModel, Wanted};

fn records(rows: &[&[f64]]) -> Records {
    let width = rows.first().map_or(0, |row| row.len());
    let values = rows.iter().flat_map(|row| row.iter().copied()).collect();
    Records::from_points(Matrix::from_vec(rows.len(), width, values))
}

fn classes(rows: Records, labels: &[&str]) -> Dataset {
    let targets = Targets::Classes(ClassTargets::from_labels(labels));
    Dataset::try_new(rows, targets).unwrap()
}

fn fit<E: Estimator<Model = NeighbourModel>>(method: &E, data: &Dataset) -> Fitted<NeighbourModel> {
    let fitted = method.fit(data, &FitContext::default()).unwrap();
    Form::from(fitted.model.clone()).check().unwrap();
    fitted
}

fn labels(model: &NeighbourModel, rows: &Records) -> Vec<String> {
    let form = Form::from(model.clone());
    let Answers::Classes { labels, codes, .. } =
        form.predict(rows, &FitContext::default()).unwrap().answers
    else {
        panic!("the targets are classes")
    };
    codes.iter().map(|c| labels[*c as usize].clone()).collect()
}

fn shares(model: &NeighbourModel, rows: &Records) -> Vec<Vec<f64>> {
    let form = Form::from(model.clone());
    match form.predict(rows, &FitContext::default()).unwrap().answers {
        Answers::Classes { probabilities, .. } => probabilities.unwrap(),
        _ => panic!("the targets are classes"),
    }
}

fn values(model: &NeighbourModel, rows: &Records) -> Vec<f64> {
    let form = Form::from(model.clone());
    match form.predict(rows, &FitContext::default()).unwrap().answers {
        Answers::Values(values) => values,
        _ => panic!("the targets are numbers"),
    }
}

fn distances(model: &NeighbourModel, rows: &Records) -> Vec<f64> {
    let searcher = model.searcher().unwrap();
    let wanted = Wanted::Nearest(model.rows.len());
    let found = searcher.search(rows, wanted, Par::Sequential, &Cancel::default());
    found.unwrap().distances
}

/// A colour by code beside two numbers.
fn coloured(rows: &[(u32, f64, f64)]) -> Records {
    let numbers: Vec<[f64; 2]> = rows.iter().map(|row| [row.1, row.2]).collect();
    let lines: Vec<&[f64]> = numbers.iter().map(|row| &row[..]).collect();
    let mut records = records(&lines);
    records.codes.push(CodeColumn {
        source: "colour".to_owned(),
        codes: rows.iter().map(|row| row.0).collect(),
    });
    records
}

#[test]
fn yellow_and_red_are_the_root_of_six_apart() {
    let data = classes(coloured(&[(1, 2.0, 4.0), (0, 9.0, 9.0)]), &["a", "b"]);
    let model = fit(&Ib1::default().scaling(Scaling::None), &data).model;
    let found = distances(&model, &coloured(&[(0, 1.0, 2.0)]));
    assert!((found[0] - 2.449_489_74).abs() < 5e-9, "{found:?}");
    assert_eq!(found[0], 6_f64.sqrt());
}

#[test]
fn ib2_keeps_what_it_gets_wrong() {
    let rows = records(&[&[0.0], &[1.0], &[4.0], &[3.0], &[2.4], &[2.6]]);
    let data = classes(rows.clone(), &["a", "a", "b", "b", "a", "b"]);
    for scaling in [
        Scaling::None,
        Scaling::Range,
        Scaling::Standard,
        Scaling::Whiten,
    ] {
        let fitted = fit(&Ib2::default().scaling(scaling), &data);
        assert_eq!(fitted.model.rows.ids, [0, 2, 4, 5], "{scaling:?}");
        let told = fitted.report.neighbours.unwrap();
        assert_eq!((told.rows_kept, told.rows_given), (4, 6));
    }
}

/// IB2 by its definition: one row after another.
fn ib2_plainly(rows: &Matrix<f64>, codes: &[u32]) -> Vec<u32> {
    let mut kept: Vec<usize> = vec![0];
    for row in 1..rows.rows() {
        let squared = |other: usize| -> f64 {
            let pairs = rows.row(row).iter().zip(rows.row(other));
            pairs.map(|(a, b)| (a - b) * (a - b)).sum()
        };
        let nearest = kept.iter().copied().reduce(|best, other| {
            if squared(other) < squared(best) {
                other
            } else {
                best
            }
        });
        if codes[nearest.unwrap()] != codes[row] {
            kept.push(row);
        }
    }
    kept.into_iter().map(|row| row as u32).collect()
}

/// Two clouds that overlap a little.
fn clouds(n: usize, noise_columns: usize, seed: u64) -> (Matrix<f64>, Vec<u32>) {
    let mut state = seed;
    let mut draw = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1_u32 << 31)
    };
    let codes: Vec<u32> = (0..n).map(|row| (row % 2) as u32).collect();
    let rows = Matrix::from_fn(n, 2 + noise_columns, |row, column| {
        // A sum of three draws is nearly normal.
        let noise = draw() + draw() + draw() - 1.5;
        if column < 2 {
            noise + 1.6 * f64::from(codes[row])
        } else {
            2.0 * noise
        }
    });
    (rows, codes)
}

fn binary(rows: Matrix<f64>, codes: Vec<u32>) -> Dataset {
    let targets = ClassTargets {
        codes,
        labels: vec!["a".to_owned(), "b".to_owned()],
    };
    Dataset::try_new(Records::from_points(rows), Targets::Classes(targets)).unwrap()
}

#[test]
fn ib2_is_its_definition_and_keeps_a_part_of_ib1() {
    for seed in [1, 2, 3] {
        let (rows, codes) = clouds(700, 0, seed);
        let kept = ib2_plainly(&rows, &codes);
        let data = binary(rows, codes);
        let model = fit(&Ib2::default().scaling(Scaling::None), &data).model;
        assert_eq!(model.rows.ids, kept);
        let all = fit(&Ib1::default(), &data).model.rows;
        assert!(model.rows.ids.iter().all(|id| all.ids.contains(id)));
        assert!(model.rows.len() < all.len() / 2);
    }
}

#[test]
fn ib2_keeps_wrong_labels() {
    let (rows, codes) = clouds(600, 0, 4);
    let clean = fit(&Ib2::default(), &binary(rows.clone(), codes.clone())).model;
    let mut wrong = codes.clone();
    let flipped: Vec<u32> = (5..600).step_by(10).collect();
    for &row in &flipped {
        wrong[row as usize] = 1 - wrong[row as usize];
    }
    let noisy = fit(&Ib2::default(), &binary(rows, wrong)).model;
    // Many more rows are kept, those with wrong labels more often than others.
    assert!(noisy.rows.len() > clean.rows.len() * 3 / 2);
    let wrongly = noisy.rows.ids.iter().filter(|row| flipped.contains(row));
    let wrongly = wrongly.count() as f64 / flipped.len() as f64;
    let all = noisy.rows.len() as f64 / 600.0;
    assert!(wrongly > 0.6 && wrongly > 1.5 * all, "{wrongly} {all}");
    let (new, truth) = clouds(400, 0, 77);
    let new = Records::from_points(new);
    let right = |model: &NeighbourModel| {
        let found = labels(model, &new);
        let pairs = found.iter().zip(&truth);
        pairs
            .filter(|(l, t)| (l.as_str() == "b") == (**t == 1))
            .count()
    };
    assert!(
        right(&noisy) + 20 < right(&clean),
        "{} {}",
        right(&noisy),
        right(&clean)
    );
}

#[test]
fn who_memorises_knows_what_was_seen() {
    let data = classes(records(&[&[0.0], &[1.0]]), &["a", "b"]);
    let model = fit(&Memorise::default(), &data).model;
    assert_eq!(
        labels(&model, &records(&[&[0.0], &[2.0]])),
        ["a", "don't know"]
    );
    assert_eq!(labels(&model, &data.records), ["a", "b"]);
    let guess = fit(&Memorise::default().abstain(false), &data).model;
    assert_eq!(labels(&guess, &records(&[&[-0.0], &[2.0]])), ["a", "a"]);
}

#[test]
fn contradictory_rows_share_their_answer() {
    let rows = records(&[&[0.0], &[0.0], &[0.0], &[1.0]]);
    let data = classes(rows, &["b", "b", "a", "a"]);
    let memory = fit(&Memorise::default(), &data).model;
    assert_eq!(labels(&memory, &data.records), ["b", "b", "b", "a"]);
    let found = shares(&memory, &data.records);
    assert!((found[0][1] - 2.0 / 3.0).abs() < 1e-15);
    // Of two rows at distance zero the first decides.
    let nearest = fit(&Ib1::default(), &data).model;
    assert_eq!(labels(&nearest, &records(&[&[0.0]])), ["b"]);
}

#[test]
fn exclusive_or_and_one_row() {
    let corners = records(&[&[0.0, 0.0], &[1.0, 1.0], &[0.0, 1.0], &[1.0, 0.0]]);
    let data = classes(corners, &["a", "a", "b", "b"]);
    let model = fit(&Knn::default().neighbours(1), &data).model;
    assert_eq!(labels(&model, &data.records), ["a", "a", "b", "b"]);
    let one = Dataset::try_new(records(&[&[2.0]]), Targets::Real(vec![3.5])).unwrap();
    let fitted = fit(&Knn::default(), &one);
    assert_eq!(values(&fitted.model, &records(&[&[9.0]])), [3.5]);
    let clipped = fitted.report.notes.iter();
    assert!(
        clipped
            .map(crate::fit::Note::text)
            .any(|t| t.starts_with("5 neighbours are wanted, and there is one row"))
    );
    let alone = classes(records(&[&[2.0]]), &["a"]);
    assert!(Knn::default().fit(&alone, &FitContext::default()).is_err());
}

#[test]
fn even_votes_are_warned_about() {
    let data = classes(records(&[&[0.0], &[1.0], &[2.0]]), &["a", "b", "b"]);
    let alerts = |k: usize| {
        let fitted = fit(&Knn::default().neighbours(k), &data);
        fitted.report.notes.iter().filter(|n| n.is_alert()).count()
    };
    assert_eq!((alerts(1), alerts(2), alerts(3)), (0, 1, 0));
    // A tie goes to the first class.
    let model = fit(&Knn::default().neighbours(2), &data).model;
    assert_eq!(labels(&model, &records(&[&[0.5]])), ["a"]);
}

#[test]
fn missing_values_are_as_far_as_can_be() {
    let rows = coloured(&[(0, 0.0, 5.0), (1, 10.0, f64::NAN), (MISSING_CODE, 4.0, 7.0)]);
    let data = classes(rows, &["a", "b", "a"]);
    let model = fit(&Knn::default().neighbours(1), &data).model;
    let ask = |colour: u32, x: f64, y: f64| distances(&model, &coloured(&[(colour, x, y)]));
    // Range scaling: x spans 0 to 10, y 5 to 7. To the second row y counts max(y, 1 − y).
    let near = |found: f64, squared: f64| (found * found - squared).abs() < 1e-12;
    let found = ask(0, 0.0, 5.5);
    assert!(near(found[0], 0.25 * 0.25));
    // (4 − 0)² / 100 + 0.75² + 1 for the colour that is missing.
    assert!(near(found[1], 0.16 + 0.5625 + 1.0), "{found:?}");
    assert!(near(found[2], 1.0 + 0.75 * 0.75 + 1.0), "{found:?}");
    // Both missing: 1. A category that was never seen differs from all.
    let found = ask(9, 10.0, f64::NAN);
    assert!(near(found[0], 1.0 + 1.0), "{found:?}");
    // Rows without gaps meet one with a gap.
    let plain = classes(records(&[&[0.0], &[4.0]]), &["a", "b"]);
    let model = fit(&Knn::default().neighbours(1), &plain).model;
    assert_eq!(distances(&model, &records(&[&[f64::NAN]])), [1.0, 1.0]);
    let mixed = records(&[&[1.0], &[f64::NAN], &[3.0]]);
    assert_eq!(labels(&model, &mixed), ["a", "a", "b"]);
}

#[test]
fn columns_without_values_have_no_say() {
    let nan = f64::NAN;
    let data = classes(records(&[&[0.0, nan], &[1.0, nan]]), &["a", "b"]);
    let fitted = fit(&Knn::default().neighbours(1), &data);
    assert!(fitted.report.notes[0].text().contains("without a say"));
    assert_eq!(
        distances(&fitted.model, &records(&[&[0.0, 3.0]])),
        [0.0, 1.0]
    );
    let empty = classes(records(&[&[nan], &[nan]]), &["a", "b"]);
    let error = Knn::default()
        .fit(&empty, &FitContext::default())
        .unwrap_err();
    assert!(
        error.to_string().contains("no numbers or categories"),
        "{error}"
    );
    // A constant column scaled by its range or deviation says nothing.
    for scaling in [Scaling::Range, Scaling::Standard, Scaling::Whiten] {
        let data = classes(records(&[&[0.0, 7.0], &[1.0, 7.0]]), &["a", "b"]);
        let model = fit(&Knn::default().neighbours(1).scaling(scaling), &data).model;
        assert_eq!(
            labels(&model, &records(&[&[0.9, 700.0]])),
            ["b"],
            "{scaling:?}"
        );
    }
}

#[test]
fn whitened_rows_are_those_of_the_worked_example() {
    let rows = records(&[&[2.0, 1.0], &[1.0, 2.0], &[-2.0, -1.0], &[-1.0, -2.0]]);
    let data = classes(rows.clone(), &["a", "b", "a", "b"]);
    let model = fit(
        &Knn::default().neighbours(1).scaling(Scaling::Whiten),
        &data,
    )
    .model;
    let frame = model.frame().unwrap();
    let points = frame.points(&rows.features.points).unwrap();
    // (±1, ±1), whatever the signs and the order of the axes.
    assert!(
        points
            .as_slice()
            .iter()
            .all(|v| (v.abs() - 1.0).abs() < 1e-12)
    );
    let gap = records(&[&[f64::NAN, 1.0]]);
    let error = Form::from(model)
        .predict(&gap, &FitContext::default())
        .unwrap_err();
    assert!(error.to_string().contains("missing"), "{error}");
}

#[test]
fn votes_by_distance() {
    let data = Dataset::try_new(
        records(&[&[0.0], &[1.0], &[3.0]]),
        Targets::Real(vec![0.0, 10.0, 20.0]),
    )
    .unwrap();
    let knn = Knn::default().neighbours(2).scaling(Scaling::None);
    let uniform = fit(&knn, &data).model;
    assert_eq!(values(&uniform, &records(&[&[0.25]])), [5.0]);
    let weighted = fit(&knn.clone().votes(Votes::Distance), &data).model;
    // Weights 4 and 4/3.
    let found = values(&weighted, &records(&[&[0.25], &[1.0]]));
    assert!((found[0] - 2.5).abs() < 1e-14);
    assert_eq!(found[1], 10.0);
}

#[test]
fn noise_hurts_and_weights_repair() {
    let (rows, codes) = clouds(300, 20, 8);
    let (new, truth) = clouds(500, 20, 9);
    let right = |model: &NeighbourModel, new: &Records| {
        let found = labels(model, new);
        let pairs = found.iter().zip(&truth);
        pairs
            .filter(|(l, t)| (l.as_str() == "b") == (**t == 1))
            .count() as f64
            / 500.0
    };
    let without = |rows: &Matrix<f64>| Matrix::from_fn(rows.rows(), 2, |i, j| rows[(i, j)]);
    let knn = Knn::default();
    let alone = fit(&knn, &binary(without(&rows), codes.clone())).model;
    let alone = right(&alone, &Records::from_points(without(&new)));
    let noisy = fit(&knn, &binary(rows.clone(), codes.clone())).model;
    let new = Records::from_points(new);
    let noisy = right(&noisy, &new);
    let fitted = fit(&knn.clone().column_weights(true), &binary(rows, codes));
    let repaired = right(&fitted.model, &new);
    assert!(noisy < alone - 0.05, "{noisy} {alone}");
    assert!(
        repaired > alone - 0.04 && repaired > noisy + 0.03,
        "{noisy} {repaired} {alone}"
    );
    let told = fitted.report.neighbours.unwrap();
    let losses = told.left_out_losses.unwrap();
    assert!(losses[1] < losses[0], "{losses:?}");
    let weight = |j: usize| told.column_weights[j].1;
    let noise: f64 = (2..22).map(weight).sum::<f64>() / 20.0;
    assert!(
        weight(0) + weight(1) > 4.0 * noise,
        "{:?}",
        told.column_weights
    );
}

#[test]
fn weights_of_categories_are_learnt_too() {
    let n = 120;
    let mut data = classes(
        Records::from_points(Matrix::from_fn(n, 8, |i, j| {
            ((i * (37 + 2 * j)) % 101) as f64
        })),
        &(0..n).map(|i| ["a", "b"][i % 2]).collect::<Vec<_>>(),
    );
    data.records.codes.push(CodeColumn {
        source: "tells".to_owned(),
        codes: (0..n).map(|i| (i % 2) as u32).collect(),
    });
    let fitted = fit(&Knn::default().neighbours(3).column_weights(true), &data);
    let weights = fitted.report.neighbours.unwrap().column_weights;
    let noise = weights[..8].iter().map(|w| w.1).sum::<f64>() / 8.0;
    assert!(weights[8].1 > noise, "{weights:?}");
}

#[test]
fn rows_come_and_go() {
    let all: Vec<[f64; 1]> = (0..40).map(|k| [f64::from(k * 7 % 40)]).collect();
    let lines: Vec<&[f64]> = all.iter().map(|row| &row[..]).collect();
    let names: Vec<&str> = (0..40).map(|k| ["a", "b", "c"][k % 3]).collect();
    let knn = Knn::default().neighbours(3).scaling(Scaling::None);
    let whole = fit(&knn, &classes(records(&lines), &names)).model;
    let mut part = fit(&knn, &classes(records(&lines[..25]), &names[..25])).model;
    let more = Targets::Classes(ClassTargets::from_labels(&names[25..]));
    part.add(&records(&lines[25..]), &more).unwrap();
    let asked = records(&[&[3.3], &[17.9], &[30.5]]);
    assert_eq!(shares(&part, &asked), shares(&whole, &asked));
    // A row that is asked for twice is kept once, and one with another class not at all.
    let asked_for = records(&[lines[30], lines[30], lines[31], &[0.5]]);
    let own = Targets::Classes(ClassTargets::from_labels(&[
        names[30], names[30], "c", names[0],
    ]));
    assert_ne!(names[31], "c");
    let found = part.places(&asked_for, Some(&own));
    assert_eq!(found, [Some(30), None, None, None]);
    let found = part.places(&asked_for, None);
    assert_eq!(found, [Some(30), None, Some(31), None]);
    part.remove(&(25..40).collect::<Vec<_>>()).unwrap();
    let first = fit(&knn, &classes(records(&lines[..25]), &names[..25])).model;
    assert_eq!(shares(&part, &asked), shares(&first, &asked));
    // A class that is new comes last.
    let new = Targets::Classes(ClassTargets::from_labels(&["zebra"]));
    part.add(&records(&[&[1000.0]]), &new).unwrap();
    Form::from(part.clone()).check().unwrap();
    let near = part.clone();
    let mut near = near;
    near.neighbours = 1;
    assert_eq!(labels(&near, &records(&[&[999.0]])), ["zebra"]);
    assert!(part.remove(&[99]).is_err());
    assert!(part.remove(&(0..26).collect::<Vec<_>>()).is_err());
    assert!(part.add(&records(&[&[1.0, 2.0]]), &new).is_err());
    assert!(
        part.add(&records(&[&[1.0]]), &Targets::Real(vec![1.0]))
            .is_err()
    );
}

#[test]
fn kernels_have_neighbours() {
    let kernel = |text: &str| text.parse::<KernelSpec>().unwrap();
    let words = ["car", "cart", "card", "tree", "trees", "free"];
    let data = classes(Records::from_texts(words), &["a", "a", "a", "b", "b", "b"]);
    let knn = Knn::default()
        .neighbours(1)
        .kernel(kernel("spectrum(length=2)"));
    let model = fit(&knn, &data).model;
    let new = Records::from_texts(["carts", "treed"]);
    assert_eq!(labels(&model, &new), ["a", "b"]);
    // The distance is that of the kernel.
    let rows = records(&[&[0.0], &[1.0], &[3.0]]);
    let data = classes(rows, &["a", "b", "b"]);
    let rbf = kernel("rbf(gamma=0.5)");
    let model = fit(&Knn::default().neighbours(1).kernel(rbf.clone()), &data).model;
    let found = distances(&model, &records(&[&[2.0]]));
    let expected = rbf.distance(&[2.0], &[1.0]).unwrap();
    assert!((found[0] - expected).abs() < 1e-12);
    // Under the linear kernel it is the Euclidean one.
    let poly = kernel("poly(degree=1, offset=0, scale=1)");
    let model = fit(&Knn::default().neighbours(1).kernel(poly), &data).model;
    let found = distances(&model, &records(&[&[2.25]]));
    assert_eq!(found, [0.75, 1.25, 2.25]);
    let conflict = Knn::default().kernel(rbf).distance(Distance::Manhattan);
    assert!(conflict.fit(&data, &FitContext::default()).is_err());
}

#[test]
fn sparse_rows_are_dense_rows() {
    let (rows, codes) = clouds(200, 6, 12);
    let rows = Matrix::from_fn(
        200,
        8,
        |i, j| if (i + j) % 3 == 0 { rows[(i, j)] } else { 0.0 },
    );
    let dense = binary(rows.clone(), codes.clone());
    let mut sparse = dense.clone();
    sparse.records = Records::from_points(Csr::from_dense(rows.as_ref()));
    for distance in [Distance::Euclidean, Distance::Cosine, Distance::Manhattan] {
        let knn = Knn::default().distance(distance).votes(Votes::Distance);
        let one = fit(&knn, &dense).model;
        let other = fit(&knn, &sparse).model;
        assert_eq!(
            shares(&one, &dense.records),
            shares(&other, &sparse.records)
        );
        assert_eq!(
            shares(&one, &sparse.records),
            shares(&other, &dense.records)
        );
    }
}

#[test]
fn indexes_and_threads_do_not_matter() {
    let (rows, codes) = clouds(1500, 3, 21);
    let data = binary(rows, codes);
    let answers = |index: IndexChoice, threads: usize| {
        let context = FitContext::default().threads(threads);
        let knn = Knn::default().index(index).column_weights(threads > 2);
        let model = Form::from(knn.fit(&data, &context).unwrap().model);
        let predictor = crate::model::Predictor::of_form(&model, mercer_linalg::Precision::F64);
        predictor
            .unwrap()
            .decisions(&data.records, &context)
            .unwrap()
    };
    let one = answers(IndexChoice::Brute, 1);
    for (index, threads) in [(IndexChoice::Auto, 1), (IndexChoice::Tree, 2)] {
        assert_eq!(one, answers(index, threads));
    }
    assert_eq!(answers(IndexChoice::Tree, 3), answers(IndexChoice::Auto, 4));
}

#[test]
fn bad_settings_and_rows_are_refused() {
    let data = classes(records(&[&[0.0], &[1.0]]), &["a", "b"]);
    let refused = |knn: Knn| {
        knn.fit(&data, &FitContext::default())
            .unwrap_err()
            .to_string()
    };
    assert!(refused(Knn::default().neighbours(0)).contains("neighbours"));
    assert!(refused(Knn::default().exponent(-1.0)).contains("exponent"));
    let cosine = Knn::default()
        .distance(Distance::Cosine)
        .column_weights(true);
    assert!(refused(cosine).contains("weights of columns"));
    let mut infinite = data.clone();
    infinite.records = records(&[&[f64::INFINITY], &[1.0]]);
    let context = FitContext::default();
    assert!(
        Knn::default()
            .fit(&infinite, &context)
            .unwrap_err()
            .to_string()
            .contains("row 1")
    );
    let model = Form::from(fit(&Knn::default(), &data).model);
    assert!(
        model
            .predict(&records(&[&[f64::INFINITY]]), &context)
            .is_err()
    );
    assert!(model.predict(&records(&[&[1.0, 2.0]]), &context).is_err());
    let weighted = data.clone().with_weights(vec![1.0, 2.0]).unwrap();
    for error in [
        Ib1::default().fit(&weighted, &context).unwrap_err(),
        Ib2::default().fit(&weighted, &context).unwrap_err(),
        Knn::default()
            .column_weights(true)
            .fit(&weighted, &context)
            .unwrap_err(),
    ] {
        assert!(error.to_string().contains("weights"), "{error}");
    }
    let numbers = Dataset::try_new(data.records.clone(), Targets::Real(vec![0.0, 1.0])).unwrap();
    assert!(Ib2::default().fit(&numbers, &context).is_err());
    assert!(Memorise::default().fit(&numbers, &context).is_err());
    let coloured = classes(coloured(&[(0, 1.0, 1.0), (1, 2.0, 2.0)]), &["a", "b"]);
    let cosine = Knn::default().distance(Distance::Cosine);
    assert!(cosine.fit(&coloured, &context).is_err());
}

#[test]
fn a_clock_and_a_stop_end_a_fit() {
    let (rows, codes) = clouds(500, 10, 3);
    let data = binary(rows, codes);
    let cancelled = FitContext::default();
    cancelled.cancel.cancel();
    let knn = Knn::default().column_weights(true);
    assert_eq!(
        knn.fit(&data, &cancelled).unwrap_err(),
        crate::Error::Cancelled
    );
    assert_eq!(
        Ib2::default().fit(&data, &cancelled).unwrap_err(),
        crate::Error::Cancelled
    );
    let hurried = FitContext::default().time_limit(Some(std::time::Duration::ZERO));
    let fitted = knn.fit(&data, &hurried).unwrap();
    assert_eq!(fitted.report.stop_reason, crate::fit::StopReason::TimeLimit);
    let fitted = Ib2::default().fit(&data, &hurried).unwrap();
    assert_eq!(fitted.report.stop_reason, crate::fit::StopReason::TimeLimit);
    assert_eq!(fitted.model.rows.len(), 1);
}

#[test]
fn settings_are_listed() {
    let names: Vec<&str> = Knn::list().iter().map(|s| s.name).collect();
    assert!(names.contains(&"neighbours") && names.contains(&"column_weights"));
}
