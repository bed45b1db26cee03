//! The page of tables.

use std::fmt::Write as _;

use super::comparison::{Compared, Comparison, over_sets};
use super::record::{Account, PROGRAMS};
use super::reliability::{calibration_error, pooled};
use super::statistics::Estimate;
use crate::numbers::{geometric_mean, median, megabytes, thousands, three_digits, times};
use crate::report::table::Table;

/// The sets of Van Gestel et al. (2002), Neural Computation 14, or what stands for them here.
const LITERATURE: [&str; 10] = [
    "bupa",
    "crabs",
    "german",
    "heart",
    "ionosphere",
    "pima",
    "ripley",
    "sonar",
    "titanic",
    "wdbc",
];

/// What a program is called.
pub(crate) fn label(who: &str) -> &str {
    match who {
        "grid_svc" => "SVC, grid",
        "grid_svr" => "SVR, grid",
        "gpr" => "GPR",
        other => other,
    }
}

/// The whole page.
pub(crate) fn page(records: &Account) -> String {
    let mut out = String::from("# mercer without settings\n\n");
    out.push_str(&circumstances(records));
    let (known, fresh) = (records.of(false), records.of(true));
    out.push_str(&tables(&known, "##", PICTURE));
    let confirmation = tables(&fresh, "###", "");
    if !confirmation.is_empty() {
        out.push_str(CONFIRMATION);
        out.push_str(&confirmation);
    }
    let failed = failures(records);
    if !failed.is_empty() {
        let _ = write!(out, "\n## What failed\n\n{failed}");
    }
    out.push_str(METHOD);
    out
}

const PICTURE: &str = "\n![Predicted and observed shares](calibration.svg)\n";

/// The tables of some sets; the picture belongs to their calibration.
fn tables(records: &Account, level: &str, picture: &str) -> String {
    let mut out = String::new();
    for (title, text) in [
        ("Classes", classification(records, picture)),
        ("Numbers, beside a grid", regression(records, "grid_svr")),
        ("Numbers, beside a Gaussian process", process(records)),
    ] {
        if !text.is_empty() {
            let _ = write!(out, "\n{level} {title}\n\n{text}");
        }
    }
    out
}

const CONFIRMATION: &str = "
## Confirmation: sets that no rule was settled on

The rules of the automatic model were settled while looking at the sets above. The sets below had
no part in that: they were chosen afterwards. One rule was changed after a look at balance-scale:
higher C of a support vector machine is tried as long as it pays. And heart-c is not new: 269 of its
303 patients are in heart too.
";

const METHOD: &str = "
## How it was measured

Every set is split at random, two thirds to train and one third to test, with the seeds 0, 1, …;
classes keep their shares. Names become a column each (or one column for two), missing values
the median or the most frequent name of the training rows; all programs see the same rows.
mercer is `KernelClassifier()` and `KernelRegressor()` on these rows as they are. The peers are
scikit-learn's, behind a `StandardScaler`: `GridSearchCV` with 5 folds over `SVC` (10 values of C
from 1e-2 to 1e4, 10 of γ from 1e-4 to 10) and over `SVR` (ε = 0.1, target standardised, 5 values
of C from 0.1 to 1e3, 5 of γ from 1e-3 to 10), and `GaussianProcessRegressor` with a constant
times an RBF kernel plus noise, target normalised. Probabilities of the `SVC` are Platt's, of
`CalibratedClassifierCV(method=\"sigmoid\", ensemble=False)` at the best point, with fewer than 5
folds where a class has fewer rows.

A row compares only the splits that both programs have; peers that would take hours have fewer.
± is the standard error over splits, which a single split does not have. Differences are taken
split by split, mercer's value minus the peer's. Splits share rows, so these errors are somewhat
small. The Brier score is that of one class when there are two, the sum over classes when there
are more. The error of numbers is the root mean squared one divided by the standard deviation of the test
targets; densities are in the same unit.

Seconds are those of fitting, searches and the final fit included. mercer's are by the clock on
the wall, with a thread per core. The peers use one thread; they are granted perfect
parallelism, that is, their processor seconds are divided by the number of cores. Platt's fit is
counted apart, after the +; mercer's seconds include what its probabilities need.

The rules of the automatic model (when a width per column may take part, what fitted hyperparameters are
charged, by how much a support vector machine has to be better, which kernels take part) were settled
while looking at test results on the sets of the first tables, mostly their splits 0 to 4. Some of
mercer's lead there is owed to that choice. The tables of the confirmation are free of it, but for
that one rule.

`cargo run --release -p mercer-bench -- zero` repeats mercer's part, and whatever peers lack;
`zero-settings.json` has every split.
";

fn circumstances(records: &Account) -> String {
    let machine = &records.machine;
    let mut out = format!(
        "{}, {} cores, {}, {} of memory; {}, {}, {}.\n",
        machine.processor,
        machine.cores,
        machine.vectors,
        megabytes(machine.memory),
        machine.system,
        machine.python,
        machine.numpy,
    );
    let mut versions: Vec<String> = records
        .records
        .iter()
        .map(|record| match record.who.as_str() {
            "mercer" => format!("mercer {}", record.version),
            _ => format!("scikit-learn {}", record.version),
        })
        .collect();
    versions.sort_unstable();
    versions.dedup();
    let _ = writeln!(
        out,
        "{}; mercer measured {} at {}.",
        versions.join(", "),
        records.date,
        records.revision
    );
    if let Some(share) = undisturbed(records)
        && share < QUIET
    {
        let _ = writeln!(
            out,
            "\n**The machine was not quiet** while the peers ran: they had {:.0} % of a core. What \
             shares caches and units with them lengthens their processor seconds too.",
            100.0 * share
        );
    }
    out
}

/// Below this share of a core, something else was running.
const QUIET: f64 = 0.95;

/// The share of a core that the peers' fits of some length had, by the median.
fn undisturbed(records: &Account) -> Option<f64> {
    let shares: Vec<f64> = records
        .records
        .iter()
        .filter(|record| record.who != "mercer")
        .map(|record| record.time("fit"))
        .filter(|time| time.seconds > 0.2)
        .map(|time| time.processor / time.seconds)
        .collect();
    median(&shares)
}

/// The cells of the seconds: mercer's, the peer's with Platt's, the ratio.
fn seconds_cells(own: f64, theirs: f64, platt: f64) -> [String; 3] {
    let extra = if platt > 0.0 {
        format!(" + {}", three_digits(platt))
    } else {
        String::new()
    };
    [
        three_digits(own),
        format!("{}{extra}", three_digits(theirs)),
        format!("**{}**", times(theirs / own)),
    ]
}

/// The cells of the seconds at the foot, over all sets.
fn total_cells(comparisons: &[Comparison<'_>]) -> [String; 3] {
    let theirs = |part| {
        comparisons
            .iter()
            .map(|comparison| comparison.their_seconds(part))
            .sum()
    };
    let own = comparisons.iter().map(Comparison::own_seconds).sum();
    seconds_cells(own, theirs("fit"), theirs("platt"))
}

/// Both programs' values of a measure and, if wanted, the difference.
fn measure_cells(found: Option<Compared>, factor: f64, digits: usize, paired: bool) -> Vec<String> {
    let Some(found) = found else {
        return vec!["–".to_owned(); if paired { 3 } else { 2 }];
    };
    if paired {
        vec![
            found.own.text(factor, digits),
            found.theirs.text(factor, digits),
            found.difference.signed(factor, digits),
        ]
    } else {
        let mean = |estimate: Estimate| {
            let text = format!("{:.digits$}", estimate.mean * factor);
            text.replace('-', "−")
        };
        vec![mean(found.own), mean(found.theirs)]
    }
}

/// How often mercer is better, how often worse; `up` when larger is better.
fn verdict(comparisons: &[Comparison<'_>], measure: &str, up: bool) -> String {
    let sides: Vec<i32> = comparisons
        .iter()
        .filter_map(|comparison| comparison.compared(measure))
        .map(|found| found.difference.side() * if up { 1 } else { -1 })
        .collect();
    let count = |side| sides.iter().filter(|&&other| other == side).count();
    let ratios: Vec<f64> = comparisons
        .iter()
        .map(|comparison| comparison.their_seconds("fit") / comparison.own_seconds())
        .collect();
    let mut out = format!(
        "mercer is better on {} of {} sets, worse on {}, and on {} within two standard errors.",
        count(1),
        sides.len(),
        count(-1),
        count(0)
    );
    if let Some(mean) = geometric_mean(&ratios) {
        let _ = write!(out, " The geometric mean of the ratios is {}.", times(mean));
    }
    out.push('\n');
    out
}

fn splits(comparison: &Comparison<'_>) -> String {
    comparison.pairs.len().to_string()
}

fn foot(comparisons: &[Comparison<'_>]) -> String {
    format!("*mean of {} sets, total of seconds*", comparisons.len())
}

fn classification(records: &Account, picture: &str) -> String {
    let comparisons = Comparison::all(records, true, "grid_svc");
    if comparisons.is_empty() {
        return String::new();
    }
    let peer = label("grid_svc");
    let mut table = Table::new([
        "set",
        "splits",
        "accuracy %, mercer",
        peer,
        "difference",
        "log-loss, mercer",
        "Platt",
        "Brier, mercer",
        "Platt",
        "seconds, mercer",
        "SVC, grid + Platt",
        "ratio",
    ]);
    let measures = |found: &dyn Fn(&str) -> Option<Compared>| {
        let mut cells = measure_cells(found("accuracy"), 100.0, 2, true);
        cells.extend(measure_cells(found("log_loss"), 1.0, 3, false));
        cells.extend(measure_cells(found("brier"), 1.0, 3, false));
        cells
    };
    for comparison in &comparisons {
        let mut cells = vec![comparison.title(), splits(comparison)];
        cells.extend(measures(&|name| comparison.compared(name)));
        cells.extend(seconds_cells(
            comparison.own_seconds(),
            comparison.their_seconds("fit"),
            comparison.their_seconds("platt"),
        ));
        table.push(cells);
    }
    let mut cells = vec![foot(&comparisons), String::new()];
    cells.extend(measures(&|name| over_sets(&comparisons, name)));
    cells.extend(total_cells(&comparisons));
    table.push(cells);
    let mut out = table.text();
    out.push('\n');
    out.push_str(&verdict(&comparisons, "accuracy", true));
    out.push_str(&literature(&comparisons));
    out.push_str(&calibration(records, picture));
    out
}

/// The mean over the sets of the literature, when all are there.
fn literature(comparisons: &[Comparison<'_>]) -> String {
    let found: Vec<Compared> = comparisons
        .iter()
        .filter(|comparison| LITERATURE.contains(&comparison.set))
        .filter_map(|comparison| comparison.compared("accuracy"))
        .collect();
    if found.len() < LITERATURE.len() {
        return String::new();
    }
    let mean = |part: fn(&Compared) -> f64| {
        100.0 * found.iter().map(part).sum::<f64>() / found.len() as f64
    };
    format!(
        "\nOver ten of these sets ({}) mercer's mean is {:.1} %, the grid's {:.1} %. Van Gestel et \
         al. (2002, Neural Computation 14) report about 83.7 to 84.1 % for LS-SVM classifiers. \
         Their splits and codings differ, Ripley's set has 250 rows to train there, and wdbc \
         stands here for the older Wisconsin set: a landmark, not a race.\n",
        LITERATURE.join(", "),
        mean(|one| one.own.mean),
        mean(|one| one.theirs.mean),
    )
}

fn calibration(records: &Account, picture: &str) -> String {
    let (own, theirs) = pooled(records, "grid_svc");
    let (Some(ours), Some(platts)) = (calibration_error(&own), calibration_error(&theirs)) else {
        return String::new();
    };
    let rows: u64 = own.iter().map(|bin| bin.rows).sum();
    format!(
        "\nProbabilities miss what happens by {} % (mercer) and {} % (Platt) on average over tenths: \
         the expected calibration error over {} test rows of all these sets with two classes.\n{picture}",
        three_digits(100.0 * ours),
        three_digits(100.0 * platts),
        thousands(rows as usize),
    )
}

fn regression(records: &Account, peer: &str) -> String {
    let comparisons = Comparison::all(records, false, peer);
    if comparisons.is_empty() {
        return String::new();
    }
    let mut table = Table::new([
        "set",
        "splits",
        "error, mercer",
        label(peer),
        "difference",
        "seconds, mercer",
        label(peer),
        "ratio",
    ]);
    for comparison in &comparisons {
        let mut cells = vec![comparison.title(), splits(comparison)];
        cells.extend(measure_cells(comparison.compared("nrmse"), 1.0, 4, true));
        cells.extend(seconds_cells(
            comparison.own_seconds(),
            comparison.their_seconds("fit"),
            0.0,
        ));
        table.push(cells);
    }
    let mut cells = vec![foot(&comparisons), String::new()];
    cells.extend(measure_cells(
        over_sets(&comparisons, "nrmse"),
        1.0,
        4,
        true,
    ));
    cells.extend(total_cells(&comparisons));
    table.push(cells);
    format!(
        "{}\n{}",
        table.text(),
        verdict(&comparisons, "nrmse", false)
    )
}

fn process(records: &Account) -> String {
    let comparisons = Comparison::all(records, false, "gpr");
    if comparisons.is_empty() {
        return String::new();
    }
    let peer = label("gpr");
    let mut table = Table::new([
        "set",
        "splits",
        "error, mercer",
        peer,
        "difference",
        "−log density, mercer",
        peer,
        "within 90 %, mercer",
        peer,
        "seconds, mercer",
        peer,
        "ratio",
    ]);
    let measures = |found: &dyn Fn(&str) -> Option<Compared>| {
        let mut cells = measure_cells(found("nrmse"), 1.0, 4, true);
        cells.extend(measure_cells(found("nlpd"), 1.0, 3, false));
        cells.extend(measure_cells(found("coverage"), 100.0, 1, false));
        cells
    };
    for comparison in &comparisons {
        let mut cells = vec![comparison.title(), splits(comparison)];
        cells.extend(measures(&|name| comparison.compared(name)));
        cells.extend(seconds_cells(
            comparison.own_seconds(),
            comparison.their_seconds("fit"),
            0.0,
        ));
        table.push(cells);
    }
    let mut cells = vec![foot(&comparisons), String::new()];
    cells.extend(measures(&|name| over_sets(&comparisons, name)));
    cells.extend(total_cells(&comparisons));
    table.push(cells);
    format!(
        "{}\n{}",
        table.text(),
        verdict(&comparisons, "nrmse", false)
    )
}

fn failures(records: &Account) -> String {
    let mut out = String::new();
    for who in PROGRAMS {
        for record in records.records.iter().filter(|record| record.who == who) {
            if let Some(error) = &record.error {
                let (set, split) = (&record.set, record.split);
                let _ = writeln!(out, "* {}, {set}, split {split}: {error}", label(who));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::record::Record;
    use super::super::record::tests::{example, record};
    use super::*;

    #[test]
    fn rows_compare_common_splits() {
        let text = page(&example());
        // Splits 0 and 1: 91 and 92 beside 90 and 91; 10 processor seconds on two cores
        // beside 0.5 s.
        let cores = example().machine.cores as f64;
        let theirs = three_digits(10.0 / cores);
        let row = format!(
            "| sonar: 300 × 4, 2 classes | 2 | 91.50 ± 0.50 | 90.50 ± 0.50 | +1.00 ± 0.00 | 0.500 | 0.500 \
             | 0.200 | 0.200 | 0.500 | {theirs} + {} | **{}** |",
            three_digits(1.0 / cores),
            times(20.0 / cores)
        );
        assert!(text.contains(&row), "{text}");
        assert!(text.contains("better on 1 of 1 sets, worse on 0"), "{text}");
        // 10 of 12 seconds.
        assert!(text.contains("they had 83 % of a core"), "{text}");
    }

    #[test]
    fn smaller_errors_are_better() {
        let records = example();
        let beside_grid = regression(&records, "grid_svr");
        // 0.30 and 0.31 beside 0.32 and 0.31: a mean difference of 0.01, itself ± 0.01.
        assert!(
            beside_grid.contains("| 0.3050 ± 0.0050 | 0.3150 ± 0.0050 | −0.0100 ± 0.0100 |"),
            "{beside_grid}"
        );
        assert!(beside_grid.contains("on 1 within two"), "{beside_grid}");
        let beside_process = process(&records);
        assert!(
            beside_process.contains("better on 1 of 1 sets"),
            "{beside_process}"
        );
        assert!(
            beside_process.contains("| 90.0 | 90.0 |"),
            "{beside_process}"
        );
    }

    #[test]
    fn the_literature_needs_all_of_its_sets() {
        let mut records = example();
        assert!(!page(&records).contains("Van Gestel"));
        for set in LITERATURE {
            records.merge(vec![
                record(set, 0, "mercer", &[("accuracy", 0.85)]),
                record(set, 0, "grid_svc", &[("accuracy", 0.84)]),
            ]);
        }
        let comparisons = Comparison::all(&records, true, "grid_svc");
        assert!(literature(&comparisons).contains("Van Gestel"));
    }

    #[test]
    fn fresh_sets_have_tables_and_means_of_their_own() {
        let mut records = example();
        assert!(!page(&records).contains("Confirmation"));
        for (who, accuracy) in [("mercer", 0.6), ("grid_svc", 0.7)] {
            let made = record("zoo", 0, who, &[("accuracy", accuracy)]);
            records.merge(vec![Record {
                fresh: true,
                ..made
            }]);
        }
        let text = page(&records);
        let (known, fresh) = text.split_once("## Confirmation").unwrap();
        assert!(
            known.contains("| sonar:") && !known.contains("| zoo:"),
            "{text}"
        );
        assert!(
            fresh.contains("| zoo:") && !fresh.contains("| sonar:"),
            "{text}"
        );
        assert!(fresh.contains("| 60.00 | 70.00 | −10.00 |"), "{text}");
        assert!(
            fresh.contains("*mean of 1 sets, total of seconds* |  | 60.00"),
            "{text}"
        );
    }

    #[test]
    fn failures_are_told() {
        let mut records = example();
        records.records[0].error = Some("singular".to_owned());
        assert!(page(&records).contains("* mercer, sonar, split 0: singular"));
        records.records.clear();
        let text = page(&records);
        assert!(!text.contains("| set |") && !text.contains("What failed"));
    }
}
