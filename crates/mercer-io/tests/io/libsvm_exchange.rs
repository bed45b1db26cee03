//! Models from LIBSVM and back: the results are LIBSVM's own (see `tests/data/libsvm/make.py`).

use std::path::PathBuf;

use mercer::data::{Column, Origin, Points, Roles, Scaling, Table, Values};
use mercer::fit::FitContext;
use mercer::kernel::KernelSpec;
use mercer::learn::AnyEstimator;
use mercer::learn::margin::{NuSvc, NuSvr, OneClass, Svc, Svr};
use mercer::model::readout::Scheme;
use mercer::model::{Answers, Predictions, Trained};
use mercer::recipe::{Recipe, Wish};
use mercer_io::libsvm::{LibsvmModel, read_model, write_model};
use mercer_io::{ReadOptions, Source, read};
use mercer_linalg::Matrix;
use serde_json::Value;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/libsvm")
}

fn model(name: &str) -> LibsvmModel {
    let text = std::fs::read(folder().join(format!("{name}.model"))).expect("a model");
    read_model(&text[..], name).expect("written by LIBSVM")
}

fn table(name: &str) -> Table {
    read(&Source::Path(folder().join(name)), &ReadOptions::default()).expect("LIBSVM data")
}

fn answers() -> Value {
    let text = std::fs::read_to_string(folder().join("answers.json")).expect("answers");
    serde_json::from_str(&text).expect("JSON")
}

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().expect("a list").iter();
    list.map(|v| v.as_f64().expect("a number")).collect()
}

fn predict(trained: &Trained, rows: &Table) -> Predictions {
    trained
        .predict(rows, &FitContext::default())
        .expect("rows of the same kind")
}

fn assert_close(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (f, e) in found.iter().zip(expected) {
        assert!(
            (f - e).abs() <= tolerance * (1.0 + e.abs()),
            "{what}: {f} {e}"
        );
    }
}

#[test]
fn imported_models_answer_as_libsvm_does() {
    let all = answers();
    let rows = table("new.txt");
    let Values::Vectors(points) = &rows.column("x").expect("vectors").values else {
        panic!("vectors expected");
    };
    let width = points.columns();
    assert_eq!(width, 6, "one row has a feature beyond those of training");
    assert!(all.as_object().is_some_and(|models| models.len() >= 5));
    for (name, answer) in all.as_object().expect("models") {
        let imported = model(name).into_trained(Some(width)).expect("expressible");
        let given = match answer.get("kernel") {
            None => rows.clone(),
            Some(kernel) => {
                let lines: Vec<Vec<f64>> = kernel
                    .as_array()
                    .expect("rows")
                    .iter()
                    .map(numbers)
                    .collect();
                let matrix = Matrix::from_fn(lines.len(), lines[0].len(), |i, j| lines[i][j]);
                let column = Column::new("x", Values::Vectors(Points::from(matrix)));
                Table::try_new(vec![column], Origin::default()).expect("one column")
            }
        };
        let imported = if answer.get("kernel").is_some() {
            model(name)
                .into_trained(Some(60))
                .expect("60 training rows")
        } else {
            imported
        };
        let found = predict(&imported, &given);
        let decisions = answer["decisions"].as_array().expect("rows");
        assert_eq!(decisions.len(), found.decisions.rows(), "{name}");
        for (row, expected) in decisions.iter().enumerate() {
            // Sums of about 50 products of size 1, rounded to 8 digits where LIBSVM writes
            // support vectors.
            assert_close(found.decisions.row(row), &numbers(expected), 1e-6, name);
        }
        let key = if answer.get("most_probable").is_some() {
            "most_probable"
        } else {
            "predicted"
        };
        let expected = numbers(&answer[key]);
        match &found.answers {
            Answers::Classes {
                labels,
                codes,
                probabilities,
            } => {
                let found: Vec<f64> = codes
                    .iter()
                    .map(|&c| labels[c as usize].parse().expect("a number"))
                    .collect();
                assert_eq!(found, expected, "{name}");
                if let Some(rows) = answer.get("probabilities") {
                    let probabilities = probabilities.as_ref().expect("probabilities");
                    let rows = rows.as_array().expect("rows");
                    assert_eq!(probabilities.len(), rows.len(), "{name}");
                    for (found, expected) in probabilities.iter().zip(rows) {
                        // LIBSVM stops coupling at 0.005/k.
                        assert_close(found, &numbers(expected), 5e-3, name);
                    }
                } else {
                    assert_eq!(*probabilities, None);
                }
            }
            Answers::Values(values) => assert_close(values, &expected, 1e-6, name),
            Answers::Several(_) | Answers::Clusters { .. } => panic!("{name}: other answers"),
            Answers::Novelty { novel } => {
                let found: Vec<f64> = novel.iter().map(|&n| if n { -1.0 } else { 1.0 }).collect();
                assert_eq!(found, expected, "{name}");
            }
        }
        let bytes = mercer_io::model::to_bytes(&imported).expect("finite");
        let loaded = mercer_io::model::from_bytes(&bytes).expect("sound");
        assert_eq!(loaded, imported, "{name}");
        let back = LibsvmModel::from_trained(&imported).expect("came from LIBSVM");
        let mut original = model(name);
        if !original.svm_type.is_classifier() {
            original.prob_a = None;
        }
        original.density_marks = None;
        let text = |model: &LibsvmModel| {
            let mut out = Vec::new();
            write_model(model, &mut out, "x").expect("sound");
            String::from_utf8(out).expect("text")
        };
        assert_eq!(text(&back), text(&original), "{name}");
    }
}

#[test]
fn features_beyond_the_support_vectors_are_told() {
    let imported = model("c_svc_rbf").into_trained(None).expect("expressible");
    let found = predict(&imported, &table("new.txt"));
    let notes: Vec<&str> = found.notes.iter().map(mercer::fit::Note::text).collect();
    assert!(
        notes.iter().any(|n| n.contains("beyond the 4 of training")),
        "{notes:?}"
    );
}

fn fitted(estimator: AnyEstimator, target: &str) -> Trained {
    let mut recipe = Recipe::new(Roles {
        targets: vec![target.to_owned()],
        ..Roles::default()
    });
    recipe.task = Some(estimator.task());
    recipe.wish = Wish::Given(estimator);
    let table = table("rows.txt");
    recipe
        .fit(table, &FitContext::default())
        .expect("learnt")
        .model
}

#[test]
fn exported_models_answer_the_same() {
    let rbf = || KernelSpec::rbf(0.3);
    let estimators = [
        AnyEstimator::Svc(Svc::default().kernel(rbf()).probability(true)),
        AnyEstimator::Svc(Svc::default().kernel(KernelSpec::rbf_sigma(1.5))),
        AnyEstimator::NuSvc(
            NuSvc::default()
                .kernel(KernelSpec::poly(2, 1.0, 0.5))
                .nu(0.5),
        ),
        AnyEstimator::Svr(Svr::default().kernel(KernelSpec::linear())),
        AnyEstimator::NuSvr(NuSvr::default().kernel(KernelSpec::sigmoid(0.1, 0.0))),
        AnyEstimator::OneClass(OneClass::default().kernel(rbf())),
    ];
    let rows = table("new.txt");
    for estimator in estimators {
        let trained = fitted(estimator, "y");
        let exported = LibsvmModel::from_trained(&trained).expect("expressible");
        let mut text = Vec::new();
        write_model(&exported, &mut text, "x").expect("sound");
        let back = read_model(&text[..], "x").expect("own text");
        let back = back.into_trained(Some(4)).expect("sound");
        let (found, expected) = (predict(&back, &rows), predict(&trained, &rows));
        let kernel = trained.kernel_text().expect("a kernel");
        // Rounding only: a width sigma becomes gamma = 1/(2 sigma²).
        assert_close(
            found.decisions.as_slice(),
            expected.decisions.as_slice(),
            1e-12,
            &kernel,
        );
        match (&found.answers, &expected.answers) {
            (
                Answers::Classes {
                    labels,
                    codes,
                    probabilities,
                },
                Answers::Classes {
                    labels: names,
                    codes: expected,
                    probabilities: known,
                },
            ) => {
                assert_eq!((labels, codes), (names, expected), "{kernel}");
                assert_eq!(probabilities.is_some(), known.is_some(), "{kernel}");
                let rows =
                    |p: &Option<Vec<Vec<f64>>>| p.iter().flatten().flatten().copied().collect();
                let (found, expected): (Vec<f64>, Vec<f64>) = (rows(probabilities), rows(known));
                assert_close(&found, &expected, 1e-12, &kernel);
            }
            (Answers::Values(found), Answers::Values(expected)) => {
                assert_close(found, expected, 1e-12, &kernel);
            }
            (found, expected) => assert_eq!(found, expected, "{kernel}"),
        }
    }
}

fn refused(trained: &Trained) -> String {
    let error = LibsvmModel::from_trained(trained).expect_err("not expressible");
    assert!(!error.hints().is_empty());
    error.to_string()
}

#[test]
fn what_libsvm_lacks_is_named() {
    let kernel = |text: &str| Svc::default().kernel(text.parse().expect("a kernel"));
    let rest = Svc {
        scheme: Scheme::OneVsRest,
        ..Svc::default()
    };
    assert!(
        refused(&fitted(AnyEstimator::Svc(rest), "y"))
            .contains("one decision per class against the rest")
    );
    for text in [
        "laplace(2)",
        "normalise(rbf(gamma=1))",
        "rbf(gamma=[1,2,3,4])",
        "2*linear",
        "linear + rbf(gamma=1)",
    ] {
        let message = refused(&fitted(AnyEstimator::Svc(kernel(text)), "y"));
        assert!(
            message.contains("LIBSVM cannot express the kernel"),
            "{message}"
        );
    }
    let text = "width,kind,y\n1,a,rose\n2,b,lily\n3,a,rose\n4,b,lily\n5,c,rose\n";
    let table = read(
        &Source::bytes("t.csv", text.as_bytes()),
        &ReadOptions::default(),
    )
    .expect("CSV");
    let mut recipe = Recipe::new(Roles {
        targets: vec!["y".to_owned()],
        ..Roles::default()
    });
    recipe.scaling = Some(Scaling::Standard);
    let trained = recipe
        .fit(table, &FitContext::default())
        .expect("learnt")
        .model;
    let message = refused(&trained);
    for part in [
        "the scaling of column `width`",
        "the categorical column `kind`",
        "the label `lily`",
    ] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn kernels_that_mercer_refuses_are_explained() {
    let text = "svm_type nu_svr\nkernel_type polynomial\ndegree 3\ngamma 1\ncoef0 -1\nnr_class 2\ntotal_sv 1\nrho 1\nSV\n2 1:1 \n";
    let model = read_model(text.as_bytes(), "m").expect("LIBSVM allows it");
    let error = model.into_trained(None).expect_err("negative offset");
    assert!(
        error
            .to_string()
            .contains("the polynomial kernel of the LIBSVM model cannot be used"),
        "{error}"
    );
    let text =
        "svm_type nu_svr\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 1\nSV\n2 2000000000:1 \n";
    let model = read_model(text.as_bytes(), "m").expect("an index LIBSVM takes");
    assert!(
        model
            .into_trained(None)
            .expect_err("too wide")
            .to_string()
            .contains("index of 2000000000")
    );
}

#[test]
fn models_without_support_vectors_answer_with_their_constant() {
    let text =
        "svm_type epsilon_svr\nkernel_type rbf\ngamma 1\nnr_class 2\ntotal_sv 0\nrho -2.5\nSV\n";
    let trained = read_model(text.as_bytes(), "m")
        .expect("valid")
        .into_trained(None)
        .expect("sound");
    let found = predict(&trained, &table("new.txt"));
    assert_eq!(found.answers, Answers::Values(vec![2.5; 12]));
}
