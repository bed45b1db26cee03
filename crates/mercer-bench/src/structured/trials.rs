//! The sets, kernels and bars.

use mercer::data::{ClassTargets, Dataset, Records, Targets};
use mercer::fit::FitContext;
use mercer::learn::Estimator as _;
use mercer::learn::margin::Svc;

use super::accuracy::{Plan, candidate, right};
use super::quiet;
use super::record::{Candidate, Choice, Fold, Trial, accuracy};
use super::sets::{Sets, texts_with_numbers};
use super::timing::THREADS;
use crate::error::Result;

/// The two members of the karate club whose sides are told: those who quarrelled.
const TOLD: [u32; 2] = [0, 33];

/// Names of all trials.
pub(crate) fn names() -> Vec<&'static str> {
    vec![
        "mutag",
        "mutag_plain",
        "nci1",
        "proteins",
        "promoters",
        "splice",
        "sms",
        "mixed",
        "karate_diffusion",
        "karate_regularised_laplacian",
    ]
}

/// Measures a trial by name.
pub(crate) fn measure(name: &str, sets: &Sets) -> Result<Option<Trial>> {
    let plan = |repeats: u64| Plan {
        repeats,
        outer: 10,
        inner: 5,
    };
    let wl = |rounds: std::ops::RangeInclusive<usize>| -> Vec<String> {
        rounds
            .map(|h| format!("normalise(wl(iterations={h}))"))
            .collect()
    };
    Ok(Some(match name {
        "mutag" => graphs(name, sets, "MUTAG", &wl(1..=5), 0.86, plan(10))?,
        "mutag_plain" => {
            let kernels: Vec<String> = (1..=5).map(|h| format!("wl(iterations={h})")).collect();
            graphs(name, sets, "MUTAG", &kernels, 0.86, plan(10))?
        }
        "nci1" => graphs(name, sets, "NCI1", &wl(3..=5), 0.82, plan(1))?,
        "proteins" => graphs(name, sets, "PROTEINS", &wl(1..=4), 0.71, plan(1))?,
        "promoters" => {
            let set = sets.promoters()?;
            let kernels = [
                "weighted_degree(length=4)",
                "weighted_degree(length=6)",
                "weighted_degree(length=8)",
                "normalise(spectrum(length=3))",
                "normalise(spectrum(length=4))",
                "normalise(gap(length=3, decay=0.5))",
                "normalise(gap(length=4, decay=0.5))",
            ];
            let records = Records::from_texts(set.texts);
            let words = "promoter genes, E. coli";
            several(
                name,
                words,
                &records,
                &set.targets,
                &kernels,
                Some(0.90),
                plan(10),
            )?
        }
        "splice" => {
            let set = sets.junctions()?;
            let kernels = [
                "weighted_degree(length=4)",
                "weighted_degree(length=8)",
                "weighted_degree(length=12)",
            ];
            let records = Records::from_texts(set.texts);
            let words = "splice junctions, 3 classes";
            several(
                name,
                words,
                &records,
                &set.targets,
                &kernels,
                Some(0.95),
                plan(1),
            )?
        }
        "sms" => {
            let set = sets.messages()?;
            let kernels = [
                "normalise(spectrum(length=4))",
                "normalise(spectrum(length=1, over=words, lower=true))",
                "normalise(spectrum(length=3)) + normalise(spectrum(length=4)) + normalise(spectrum(length=5))",
            ];
            let records = Records::from_texts(set.texts);
            let words = "SMS messages, ham or spam";
            several(
                name,
                words,
                &records,
                &set.targets,
                &kernels,
                Some(0.983),
                plan(1),
            )?
        }
        "mixed" => {
            let set = sets.messages()?;
            let numbers = "rbf(gamma=1)@[length, digits, capitals]";
            let words = "normalise(spectrum(length=1, over=words, lower=true))@text";
            let kernels = [numbers, words, &format!("{numbers} + {words}")];
            let records = texts_with_numbers(&set.texts);
            let what = "SMS messages: three numbers, words";
            let mut trial = several(name, what, &records, &set.targets, &kernels, None, plan(1))?;
            trial.choice = Choice::LastBeats;
            trial
        }
        "karate_diffusion" => karate(name, sets, "diffusion")?,
        "karate_regularised_laplacian" => karate(name, sets, "regularised_laplacian")?,
        _ => return Ok(None),
    }))
}

fn graphs(
    name: &str,
    sets: &Sets,
    folder: &str,
    kernels: &[String],
    bar: f64,
    plan: Plan,
) -> Result<Trial> {
    let (records, targets) = sets.graphs(folder)?;
    several(name, folder, &records, &targets, kernels, Some(bar), plan)
}

fn several(
    name: &str,
    set: &str,
    records: &Records,
    targets: &Targets,
    kernels: &[impl AsRef<str>],
    bar: Option<f64>,
    plan: Plan,
) -> Result<Trial> {
    let mut candidates: Vec<Candidate> = Vec::new();
    for kernel in kernels {
        let found = candidate(kernel.as_ref(), records, targets, plan)?;
        println!(
            "  {}: {:.2} %, {:.1} s",
            found.kernel,
            100.0 * accuracy(found.folds.iter()).share,
            found.fold_seconds
        );
        candidates.push(found);
    }
    Ok(Trial {
        name: name.to_owned(),
        set: set.to_owned(),
        rows: records.len(),
        bar,
        choice: Choice::Inner,
        protocol: plan.words(),
        candidates,
        date: quiet::now(),
    })
}

/// Learns from two members and predicts all 34. Two rows leave nothing to choose by: the
/// first kernel is as it comes, the others show what its reach does.
fn karate(name: &str, sets: &Sets, family: &str) -> Result<Trial> {
    let (network, sides) = sets.karate()?;
    let members = |nodes: Vec<u32>| -> mercer::Result<Dataset> {
        let of: Vec<&str> = nodes
            .iter()
            .map(|&node| sides[node as usize].as_str())
            .collect();
        let targets = Targets::Classes(ClassTargets::from_labels(&of));
        Dataset::try_new(Records::from_nodes(network.clone(), nodes), targets)
    };
    let told = members(TOLD.to_vec())?;
    let all = members((0..network.len() as u32).collect())?;
    let context = FitContext::default().threads(THREADS);
    let mut kernels = vec![family.to_owned()];
    kernels.extend([0.1, 0.3, 1.0, 3.0].map(|beta| format!("{family}(beta={beta})")));
    let mut candidates = Vec::new();
    for kernel in kernels {
        let start = std::time::Instant::now();
        let model = Svc::default()
            .kernel(kernel.parse()?)
            .fit(&told, &context)?
            .model;
        let model = mercer::model::Form::from(model);
        let answers = model.predict(&all.records, &context)?.answers;
        candidates.push(Candidate {
            kernel,
            matrix_seconds: None,
            fold_seconds: start.elapsed().as_secs_f64(),
            folds: vec![Fold {
                seed: 0,
                right: right(&answers, &all.targets),
                rows: all.len(),
                c: 1.0,
                inner: 0.0,
            }],
        });
    }
    Ok(Trial {
        name: name.to_owned(),
        set: "karate club, the sides of two members told".to_owned(),
        rows: all.len(),
        bar: Some(32.0 / 34.0),
        choice: Choice::Inner,
        protocol: "C = 1, the first kernel counts".to_owned(),
        candidates,
        date: quiet::now(),
    })
}
