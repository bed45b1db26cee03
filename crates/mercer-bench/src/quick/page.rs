//! The comparison in words.

use std::fmt::Write as _;

use super::cases;
use super::contention::CALM;
use super::record::{CaseResult, Outcome, Record};
use super::sample::Times;
use super::verdict::Verdict;
use crate::numbers::{seconds, three_digits};

/// The cases with their commands.
pub(crate) fn list() -> String {
    let mut out = String::new();
    for case in cases::ALL {
        let _ = writeln!(out, "{:<18} mercer {}", case.name, case.command);
        if let Some(command) = case.before {
            let _ = writeln!(out, "{:<18}   first, by the old one: {command}", "");
        }
        if let Some(command) = case.after {
            let _ = writeln!(out, "{:<18}   then, untimed: {command}", "");
        }
    }
    out
}

/// A table of all cases, and the verdict.
pub(crate) fn page(record: &Record) -> String {
    let mut out = format!(
        "{:<18} {:>9} {:>9} {:>9} {:>9} {:>5} {:>7} {:>7}\n",
        "case", "old: best", "median", "new: best", "median", "runs", "new/old", "±"
    );
    for case in &record.cases {
        out.push_str(&line(case, record.limits.worst));
    }
    if let Some(verdict) = &record.verdict {
        out.push_str(&sum(verdict, record));
    }
    out
}

fn line(case: &CaseResult, worst: f64) -> String {
    match &case.outcome {
        Outcome::LeftOut(reason) => return format!("{:<18} left out: {reason}\n", case.name),
        Outcome::Broken(reason) => return format!("{:<18} BROKEN: {reason}\n", case.name),
        Outcome::Measured => {}
    }
    let Some(ratio) = case.ratio else {
        return format!("{:<18} left out: no runs\n", case.name);
    };
    let time = |value: Option<f64>| value.map(seconds).unwrap_or_default();
    let cells = |times: &Times| format!("{:>9} {:>9}", time(times.best()), time(times.median()));
    let mut line = format!(
        "{:<18} {} {} {:>5} {:>7.3} {:>7}",
        case.name,
        cells(&case.seconds.old),
        cells(&case.seconds.new),
        ratio.runs,
        ratio.value,
        format!("{} %", three_digits(100.0 * ratio.error)),
    );
    if ratio.value > 1.0 + worst {
        line.push_str("  SLOWER");
    }
    if ratio.doubtful(worst) {
        line.push_str("  in doubt");
    }
    if let Some(difference) = &case.differ {
        let _ = write!(line, "  results differ: {difference}");
    }
    line + "\n"
}

fn sum(verdict: &Verdict, record: &Record) -> String {
    let limits = record.limits;
    let mut out = String::new();
    if verdict.measured > 0 {
        let _ = writeln!(
            out,
            "\ngeometric mean {:.3} of {} cases (limit {:.3}); worst {:.3}, {} (limit {:.3}); {:.0} s",
            verdict.mean,
            verdict.measured,
            1.0 + limits.mean,
            verdict.worst.1,
            verdict.worst.0,
            1.0 + limits.worst,
            record.seconds,
        );
    }
    if let Some(share) = record.contention.filter(|share| *share > CALM) {
        let percent = 100.0 * share;
        let _ = writeln!(
            out,
            "the machine was busy: programs waited for a core {percent:.0} % of the time"
        );
    }
    let mut told = |what: &str, names: &[String]| {
        if !names.is_empty() {
            let _ = writeln!(out, "{what}: {}", names.join(", "));
        }
    };
    told("results differ", &verdict.differing);
    told("slower", &verdict.slower);
    told("only the old program got through", &verdict.broken);
    let verdict = if verdict.fast_enough {
        "the new program is as fast as the old one"
    } else {
        "the new program is slower than the old one"
    };
    let _ = writeln!(out, "{verdict}");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quick::Both;
    use crate::quick::record::tests::{broken, left_out, measured};
    use crate::quick::verdict::Limits;

    fn record(cases: Vec<CaseResult>) -> Record {
        let limits = Limits {
            mean: 0.05,
            worst: 0.10,
        };
        Record {
            date: "2026-01-01".to_owned(),
            programs: Both::default(),
            contention: Some(0.4),
            cores: 2,
            seconds: 100.0,
            limits,
            verdict: Verdict::of(&cases, limits),
            cases,
        }
    }

    #[test]
    fn the_page_has_a_line_for_everything() {
        let mut other = measured("other", 0.7);
        other.differ = Some("kernel a → b".to_owned());
        let cases = vec![
            measured("slow", 1.3),
            other,
            left_out("absent"),
            broken("gone"),
        ];
        let page = page(&record(cases));
        for text in [
            "slow                  1.00 s    1.02 s    1.30 s    1.34 s     4   1.300",
            "SLOWER",
            "results differ: kernel a → b",
            "absent             left out: no data",
            "gone               BROKEN: failed: why",
            "geometric mean 0.954 of 2 cases (limit 1.050); worst 1.300, slow (limit 1.100); 100 s",
            "waited for a core 40 % of the time",
            "only the old program got through: gone",
            "is slower than",
        ] {
            assert!(page.contains(text), "{text}\n{page}");
        }
    }

    #[test]
    fn equal_programs_are_equal() {
        let page = page(&record(vec![measured("a", 1.0)]));
        assert!(page.ends_with("as fast as the old one\n"), "{page}");
        assert!(
            !page.contains("SLOWER") && !page.contains("differ"),
            "{page}"
        );
    }

    #[test]
    fn all_cases_are_listed() {
        let text = list();
        for case in cases::ALL {
            assert!(text.contains(case.name) && text.contains(case.command));
        }
    }
}
