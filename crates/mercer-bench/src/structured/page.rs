//! The page of tables.

use std::fmt::Write as _;

use super::quiet::QUIET;
use super::record::{Account, Choice, Fold, Timing, Trial, accuracy};
use crate::numbers::{megabytes, seconds, thousands, times};
use crate::report::table::Table;

/// Sums of equal matrices are equal up to this share.
const EQUAL: f64 = 1e-9;

/// The whole page.
pub(crate) fn page(account: &Account) -> String {
    let mut out = String::from("# Kernels of texts, graphs and networks\n\n");
    out.push_str(&circumstances(account));
    for (title, text) in [
        ("Seconds of a matrix", timings(account)),
        ("Long texts", growth(account)),
        ("Correct predictions", trials(account)),
        ("Kernel by kernel", candidates(account)),
    ] {
        if !text.is_empty() {
            let _ = write!(out, "\n## {title}\n\n{text}");
        }
    }
    out.push_str(METHOD);
    out
}

const METHOD: &str = "
## How it was measured

**Seconds** go from texts or prepared graphs in memory to the full matrix in double precision, both
halves of it; reading files does not count. mercer runs in this program on two threads. kernlab
and GraKeL run from their own languages, in processes of their own, one after the other on the same
machine, and use one thread; where other programs took that thread's core away, its processor
seconds count instead of those on the wall, while mercer's are always those on the wall. GraKeL's
graphs are prepared beforehand too. For `subsequence` no
other program was at hand: the peer is the table of a textbook, two-dimensional, one pair of texts
at a time, in Rust and on one thread, half of the matrix copied from the other half. The best of
the rounds counts on both sides. Before each round the program waits until others leave the
machine alone, and the file keeps how busy they were when patience ended.

**Equal values**: both programs' matrices are summed. kernlab's `constant` kernel is
`substring(x, z) − 1` of texts that end in a line break, `sequence` is `gap`; GraKeL's
Weisfeiler–Lehman kernel does not look at the labels of edges, hence `edges=false`.

**Results**: a support vector machine on the full matrix, one against one. The rows are dealt into
10 test parts with the shares of classes kept. Inside each training part C is chosen from 0.01,
0.1, …, 1000 by cross-validation on that part alone (the inner parts); where a trial lists several
kernels, each training part also chooses the kernel by the same inner accuracy, the first of equal
ones. Then it learns from the whole training part and predicts the test part, which
nothing was chosen by. The list of kernels itself was written down beforehand, from what the
literature uses for these sets. Small sets are split ten times, with the seeds 0 to 9, and all 100
test parts count. ± is the standard error over test parts, which share rows.

A value of these kernels depends on its two rows only, so one matrix over all rows serves all
parts. The three numbers of the mixed table are read off each text alone and in fixed units:
ln(1 + letters), ten times the share of digits, ten times the share of capitals; their kernel has
a fixed width. In the karate club two members, the two who quarrelled, are all there is to learn
from; ties count 1 each, C is 1, and the kernel's reach is the one it chooses itself from the
network.

`cargo run --release -p mercer-bench -- structured --peers` repeats everything, `--only` names
parts of it; `structured.json` has every round and every test part. `--gap-texts 500` lets kernlab
do all 500 texts. The same with networkx graphs to start from, preparing included on both sides,
is `python/structured/networkx_speed.py`.
";

fn circumstances(account: &Account) -> String {
    let machine = &account.machine;
    let mut out = format!(
        "{}, {} cores, {}, {} of memory; {}, {}.\n",
        machine.processor,
        machine.cores,
        machine.vectors,
        megabytes(machine.memory),
        machine.system,
        machine.rustc,
    );
    let mut programs: Vec<&str> = account
        .timings
        .iter()
        .filter_map(|timing| timing.peer.as_ref())
        .map(|peer| peer.program.as_str())
        .filter(|program| !program.starts_with("plain"))
        .collect();
    programs.sort_unstable();
    programs.dedup();
    let _ = writeln!(
        out,
        "mercer {}{}; measured {} at {}.",
        env!("CARGO_PKG_VERSION"),
        programs
            .iter()
            .fold(String::new(), |all, program| all + ", " + program),
        account.date,
        account.revision
    );
    let busy = account.timings.iter().flat_map(|timing| {
        let peer = timing.peer.iter().flat_map(|peer| &peer.rounds.busy);
        timing.rounds.busy.iter().chain(peer)
    });
    let busy: Vec<f64> = busy.copied().collect();
    let disturbed = busy.iter().filter(|&&cores| cores > QUIET).count();
    let loads = account.timings.iter().map(|timing| timing.rounds.load);
    let _ = writeln!(
        out,
        "Just before {disturbed} of {} rounds other programs kept more than {QUIET} cores busy; the load of the minute before was {:.1} at most, this program's own included. A disturbed round is too slow, mercer's and a peer's alike.",
        busy.len(),
        loads.fold(0.0, f64::max),
    );
    for missing in &account.missing {
        let _ = writeln!(out, "Missing in the last run: {missing}.");
    }
    out
}

fn is_long(timing: &Timing) -> bool {
    timing.name.starts_with("long_")
}

fn timings(account: &Account) -> String {
    let mut table = Table::new(["rows and kernel", "mercer", "peer", "", "ratio", "sums"]);
    for timing in account.timings.iter().filter(|timing| !is_long(timing)) {
        let what = format!("`{}`, {}", timing.kernel, timing.rows);
        let ours = timing.rounds.best();
        match &timing.peer {
            None => table.push([what, seconds(ours)]),
            Some(peer) => {
                let theirs = peer.rounds.best();
                let distance = peer.distance();
                let sums = if distance == 0.0 {
                    "equal".to_owned()
                } else if distance <= EQUAL {
                    format!("{distance:.0e} apart")
                } else {
                    format!("**{distance:.0e} apart**")
                };
                table.push([
                    what,
                    seconds(ours),
                    seconds(theirs),
                    peer.program.clone(),
                    times(theirs / ours),
                    sums,
                ]);
            }
        }
    }
    if table.is_empty() {
        String::new()
    } else {
        table.text()
    }
}

fn growth(account: &Account) -> String {
    let mut table = Table::new(["`substring` of", "seconds", "per letter"]);
    for timing in account.timings.iter().filter(|timing| is_long(timing)) {
        let letters: f64 = timing
            .rows
            .split(' ')
            .filter_map(|word| word.replace(',', "").parse::<f64>().ok())
            .take(2)
            .product();
        let best = timing.rounds.best();
        table.push([
            timing.rows.clone(),
            seconds(best),
            format!("{:.0} ns", 1e9 * best / letters),
        ]);
    }
    if table.is_empty() {
        return String::new();
    }
    table.text()
}

fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// Correct predictions over test parts; of one part, their number.
fn accuracy_text(folds: &[&Fold]) -> String {
    let found = accuracy(folds.iter().copied());
    match folds {
        [only] => format!("{} of {}", only.right, only.rows),
        _ => format!("{} ± {:.2}", percent(found.share), 100.0 * found.error),
    }
}

fn trials(account: &Account) -> String {
    let mut table = Table::new([
        "set",
        "rows",
        "correct predictions",
        "asked for",
        "met",
        "protocol",
    ]);
    for trial in &account.trials {
        let chosen = trial.chosen_folds();
        let asked = match (trial.bar, trial.choice) {
            (Some(bar), _) if chosen.len() == 1 => {
                format!("{:.0} of {}", bar * trial.rows as f64, trial.rows)
            }
            (Some(bar), _) => percent(bar),
            (None, Choice::LastBeats) => {
                let best = halves(trial).fold(0.0, f64::max);
                format!("more than {}", percent(best))
            }
            (None, Choice::Inner) => String::new(),
        };
        table.push([
            format!("{} (`{}`)", trial.set, trial.name),
            thousands(trial.rows),
            accuracy_text(&chosen),
            asked,
            if trial.met() { "yes" } else { "**no**" }.to_owned(),
            trial.protocol.clone(),
        ]);
    }
    if table.is_empty() {
        String::new()
    } else {
        table.text()
    }
}

/// Accuracies of all candidates but the last.
fn halves(trial: &Trial) -> impl Iterator<Item = f64> + '_ {
    let others = trial.candidates.iter().rev().skip(1);
    others.map(|candidate| accuracy(candidate.folds.iter()).share)
}

fn candidates(account: &Account) -> String {
    let mut table = Table::new([
        "set and kernel",
        "correct predictions",
        "chosen",
        "matrix",
        "tuning and fits",
    ]);
    for trial in &account.trials {
        let chosen = trial.chosen();
        for (k, candidate) in trial.candidates.iter().enumerate() {
            let folds: Vec<&Fold> = candidate.folds.iter().collect();
            let times = chosen.iter().filter(|&&which| which == k).count();
            table.push([
                format!("{}: `{}`", trial.name, candidate.kernel),
                accuracy_text(&folds),
                format!("{times} of {}", chosen.len()),
                candidate.matrix_seconds.map_or_else(String::new, seconds),
                seconds(candidate.fold_seconds),
            ]);
        }
    }
    if table.is_empty() {
        String::new()
    } else {
        table.text()
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::example;
    use super::*;

    #[test]
    fn the_page_says_what_was_met() {
        let mut account = example();
        let text = page(&account);
        assert!(
            text.contains("| 100 ms | 1.00 s | kernlab 1 | 10.0 × | equal |"),
            "{text}"
        );
        assert!(
            text.contains("85.00 %") && text.contains("| yes |"),
            "{text}"
        );
        assert!(text.contains("GraKeL: not there"), "{text}");
        account.trials[0].bar = Some(0.99);
        assert!(page(&account).contains("| **no** |"));
    }

    #[test]
    fn growth_is_by_letter() {
        let mut account = example();
        account.timings[0].name = "long_4_100k".to_owned();
        account.timings[0].rows = "2 random texts of 100,000 letters, 4 different ones".to_owned();
        assert!(page(&account).contains("| 500 ns |"), "{}", page(&account));
    }
}
