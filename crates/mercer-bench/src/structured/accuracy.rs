//! Cross-validation on one matrix: C is tuned inside every training part.

use std::time::Instant;

use mercer::data::{Dataset, Records, Targets, folds};
use mercer::fit::FitContext;
use mercer::kernel::KernelSpec;
use mercer::learn::AnyEstimator;
use mercer::learn::margin::Svc;
use mercer::model::Answers;
use mercer::select::grid::{FoldRule, Tuning};

use super::record::{Candidate, Fold};
use super::timing::{THREADS, matrix};
use crate::error::Result;

/// The values of C.
const C: &str = "C=0.01..1000:6";

/// How rows are dealt.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    /// Splits into test parts, with the seeds 0, 1, ….
    pub(crate) repeats: u64,
    /// Test parts of a split.
    pub(crate) outer: usize,
    /// Parts of a training part, to choose C by.
    pub(crate) inner: usize,
}

impl Plan {
    /// The plan in words.
    pub(crate) fn words(&self) -> String {
        let times = match self.repeats {
            1 => "one split".to_owned(),
            several => format!("{several} splits"),
        };
        format!(
            "{times} into {} test parts, {} inner parts",
            self.outer, self.inner
        )
    }
}

/// Learns and predicts on every test part with one kernel.
///
/// A value of these kernels depends on its two rows only, so that the matrix over all rows holds
/// nothing of the test parts that a training part could use.
pub(crate) fn candidate(
    kernel: &str,
    records: &Records,
    targets: &Targets,
    plan: Plan,
) -> Result<Candidate> {
    let context = FitContext::default().threads(THREADS);
    let start = Instant::now();
    let (gram, _) = matrix(&kernel.parse()?, records, &context)?;
    let matrix_seconds = Some(start.elapsed().as_secs_f64());
    let start = Instant::now();
    let data = Dataset::try_new(Records::from_points(gram), targets.clone())?;
    let mut parts = Vec::new();
    for seed in 0..plan.repeats {
        let split = folds(data.len(), targets, plan.outer, seed, None)?;
        for fold in 0..plan.outer {
            let train = data.select(&split.train(fold));
            let test = data.select(&split.test[fold]);
            parts.push(part(&train, &test, plan, seed, &context)?);
        }
    }
    Ok(Candidate {
        kernel: kernel.to_owned(),
        matrix_seconds,
        fold_seconds: start.elapsed().as_secs_f64(),
        folds: parts,
    })
}

fn part(
    train: &Dataset,
    test: &Dataset,
    plan: Plan,
    seed: u64,
    context: &FitContext,
) -> Result<Fold> {
    let machine = AnyEstimator::Svc(Svc::default().kernel(KernelSpec::precomputed()));
    let tuned = Tuning::default()
        .axis(C.parse()?)
        .folds(FoldRule::Count(plan.inner))
        .run(&machine, train, &context.clone().seed(seed))?;
    let model = tuned.refit(train, context)?.model;
    let best = tuned.best_point();
    Ok(Fold {
        seed,
        right: right(
            &model.predict(&test.records, context)?.answers,
            &test.targets,
        ),
        rows: test.len(),
        c: best.values[0],
        inner: best.mean,
    })
}

/// Counts correct predictions.
pub(crate) fn right(answers: &Answers, truth: &Targets) -> usize {
    let (Answers::Classes { labels, codes, .. }, Targets::Classes(truth)) = (answers, truth) else {
        return 0;
    };
    let pairs = codes.iter().zip(&truth.codes);
    pairs
        .filter(|&(&said, &is)| labels[said as usize] == truth.labels[is as usize])
        .count()
}

#[cfg(test)]
mod tests {
    use mercer::data::ClassTargets;

    use super::*;

    #[test]
    fn words_that_tell_classes_apart_are_found() {
        let texts: Vec<String> = (0..60)
            .map(|i| format!("{} number {i}", if i % 2 == 0 { "ham" } else { "spam win" }))
            .collect();
        let labels: Vec<&str> = (0..60).map(|i| ["ham", "spam"][i % 2]).collect();
        let targets = Targets::Classes(ClassTargets::from_labels(&labels));
        let plan = Plan {
            repeats: 2,
            outer: 3,
            inner: 3,
        };
        let kernel = "normalise(spectrum(length=3))";
        let found = candidate(kernel, &Records::from_texts(texts), &targets, plan).unwrap();
        assert_eq!(found.folds.len(), 6);
        assert!(
            found
                .folds
                .iter()
                .all(|fold| fold.rows == 20 && fold.right >= 19)
        );
    }
}
