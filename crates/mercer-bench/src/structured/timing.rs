//! Seconds from texts or graphs in memory to the full matrix.

use std::time::Instant;

use mercer::data::Records;
use mercer::fit::FitContext;
use mercer::kernel::{KernelSpec, TileMut};
use mercer_linalg::{Matrix, Rows};

use super::peers::{Heard, PeerRow};
use super::plain;
use super::quiet;
use super::record::{PeerTime, Timing};
use super::sets::{Sets, random_text};
use crate::args::StructuredOptions;
use crate::error::Result;
use crate::numbers::thousands;

/// Threads of every timing.
pub(crate) const THREADS: usize = 2;

/// What may stand beside a timing.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Beside {
    Nothing,
    /// kernlab's `constant`: texts end in a line break there, and the empty word does not count.
    WithBreaks,
    /// A script's matrix, the same as mercer's.
    Same,
    /// The table in this program.
    Plain,
}

/// Where rows come from.
#[derive(Debug, Clone, Copy)]
enum From {
    Messages(usize),
    Promoters,
    /// Texts of this many of the first letters of the alphabet below.
    Random {
        texts: usize,
        length: usize,
        letters: usize,
    },
    Graphs(&'static str),
}

/// The alphabet of random texts; four letters of it stand for DNA.
const ALPHABET: &[u8] = b"acgtbdefhijklmnopqrsuvwxyz";

struct Case {
    name: &'static str,
    kernel: &'static str,
    from: From,
    beside: Beside,
    /// Kernel and set in the words of the scripts.
    peer: (&'static str, &'static str),
}

const fn case(
    name: &'static str,
    kernel: &'static str,
    from: From,
    beside: Beside,
    peer: (&'static str, &'static str),
) -> Case {
    Case {
        name,
        kernel,
        from,
        beside,
        peer,
    }
}

const fn pair(name: &'static str, length: usize, letters: usize) -> Case {
    let from = From::Random {
        texts: 2,
        length,
        letters,
    };
    case(name, "substring", from, Beside::Nothing, ("", ""))
}

const GAP: &str = "gap(length=4, decay=0.5)";

const CASES: [Case; 18] = [
    case(
        "substring_sms",
        "substring",
        From::Messages(500),
        Beside::WithBreaks,
        ("substring", "sms"),
    ),
    case(
        "substring_promoters",
        "substring",
        From::Promoters,
        Beside::WithBreaks,
        ("substring", "promotergene"),
    ),
    case(
        "gap_sms_150",
        GAP,
        From::Messages(150),
        Beside::Same,
        ("gap", "sms"),
    ),
    case(
        "gap_sms",
        GAP,
        From::Messages(500),
        Beside::Same,
        ("gap", "sms"),
    ),
    case(
        "gap_promoters",
        GAP,
        From::Promoters,
        Beside::Same,
        ("gap", "promotergene"),
    ),
    case(
        "subsequence_sms",
        "normalise(subsequence)",
        From::Messages(500),
        Beside::Plain,
        ("", ""),
    ),
    case(
        "subsequence_promoters",
        "normalise(subsequence)",
        From::Promoters,
        Beside::Plain,
        ("", ""),
    ),
    case(
        "spectrum_dna",
        "spectrum(length=4)",
        From::Random {
            texts: 5000,
            length: 80,
            letters: 4,
        },
        Beside::Nothing,
        ("", ""),
    ),
    case(
        "wl_nci1",
        "wl(iterations=3, edges=false)",
        From::Graphs("NCI1"),
        Beside::Same,
        ("wl_3", "NCI1"),
    ),
    case(
        "shortest_path_mutag",
        "shortest_path",
        From::Graphs("MUTAG"),
        Beside::Same,
        ("shortest_path", "MUTAG"),
    ),
    pair("long_4_100k", 100_000, 4),
    pair("long_4_200k", 200_000, 4),
    pair("long_4_500k", 500_000, 4),
    pair("long_4_1m", 1_000_000, 4),
    pair("long_26_100k", 100_000, 26),
    pair("long_26_200k", 200_000, 26),
    pair("long_26_500k", 500_000, 26),
    pair("long_26_1m", 1_000_000, 26),
];

/// Names of all timings.
pub(crate) fn names() -> Vec<&'static str> {
    CASES.iter().map(|case| case.name).collect()
}

/// Measures a timing by name.
pub(crate) fn measure(
    name: &str,
    sets: &Sets,
    options: &StructuredOptions,
    heard: &Heard,
) -> Result<Option<Timing>> {
    let Some(case) = CASES.iter().find(|case| case.name == name) else {
        return Ok(None);
    };
    let (records, words) = rows(case.from, sets)?;
    let kernel: KernelSpec = case.kernel.parse()?;
    let context = FitContext::default().threads(THREADS);
    let round = || -> Result<(f64, (f64, f64))> {
        let start = Instant::now();
        let (matrix, bind) = matrix(&kernel, &records, &context)?;
        let seconds = start.elapsed().as_secs_f64();
        Ok((seconds, (bind, sum(&matrix))))
    };
    let (rounds, best) = quiet::rounds(options.rounds, options.patience, round)?;
    let (bind, total) = best.unwrap_or((f64::NAN, f64::NAN));
    let peer = match case.beside {
        Beside::Nothing => None,
        Beside::Plain => Some(plain_table(&records, options, total)?),
        Beside::Same => peer_of(heard, case, &records, total),
        Beside::WithBreaks => {
            let broken = records.texts[0]
                .texts
                .iter()
                .map(|text| format!("{text}\n"));
            let (matrix, _) = matrix(&kernel, &Records::from_texts(broken), &context)?;
            let empty_words = (records.len() as f64).powi(2);
            peer_of(heard, case, &records, sum(&matrix) - empty_words)
        }
    };
    Ok(Some(Timing {
        name: case.name.to_owned(),
        kernel: case.kernel.to_owned(),
        rows: words,
        rounds,
        bind,
        sum: total,
        peer,
    }))
}

fn rows(from: From, sets: &Sets) -> Result<(Records, String)> {
    let lettered = |texts: Vec<String>, what: &str| {
        let letters: usize = texts.iter().map(String::len).sum();
        let words = format!(
            "{} {what}, {} letters",
            thousands(texts.len()),
            thousands(letters)
        );
        (Records::from_texts(texts), words)
    };
    Ok(match from {
        From::Messages(count) => lettered(sets.ascii_messages(count)?, "SMS texts"),
        From::Promoters => lettered(sets.promoters()?.texts, "promoter genes"),
        From::Random {
            texts,
            length,
            letters,
        } => {
            let text = |seed: usize| random_text(&ALPHABET[..letters], length, seed as u64);
            let records = Records::from_texts((0..texts).map(text));
            let words = format!(
                "{} random texts of {} letters, {letters} different ones",
                thousands(texts),
                thousands(length)
            );
            (records, words)
        }
        From::Graphs(name) => {
            let (records, _) = sets.graphs(name)?;
            let vertices: usize = records.graphs[0]
                .graphs
                .iter()
                .map(|graph| graph.len())
                .sum();
            let words = format!(
                "{name}, {} graphs, {} vertices",
                thousands(records.len()),
                thousands(vertices)
            );
            (records, words)
        }
    })
}

/// The full matrix, and the seconds before its first value.
pub(crate) fn matrix(
    kernel: &KernelSpec,
    records: &Records,
    context: &FitContext,
) -> Result<(Matrix<f64>, f64)> {
    let work = || -> mercer::Result<(Matrix<f64>, f64)> {
        let start = Instant::now();
        let (resolved, _) = kernel.resolve(records, None)?;
        let bound = resolved.bind(records)?;
        let bind = start.elapsed().as_secs_f64();
        let n = bound.len();
        let mut out = Matrix::zeros(n, n);
        let all = || Rows::Range(0..n);
        bound.tile(all(), all(), TileMut::F64(out.as_mut()), context.par());
        Ok((out, bind))
    };
    Ok(context.install(work)??)
}

fn sum(matrix: &Matrix<f64>) -> f64 {
    matrix.as_slice().iter().sum()
}

fn plain_table(records: &Records, options: &StructuredOptions, expected: f64) -> Result<PeerTime> {
    let texts: Vec<String> = records.texts[0]
        .texts
        .iter()
        .map(ToString::to_string)
        .collect();
    let (rounds, total) = quiet::rounds(options.rounds, options.patience, || -> Result<_> {
        let start = Instant::now();
        let matrix = plain::subsequence_matrix(&texts);
        Ok((start.elapsed().as_secs_f64(), sum(&matrix)))
    })?;
    Ok(PeerTime {
        program: "plain table, 1 thread".to_owned(),
        rounds,
        sum: total.unwrap_or(f64::NAN),
        expected,
    })
}

fn peer_of(heard: &Heard, case: &Case, records: &Records, expected: f64) -> Option<PeerTime> {
    let (kernel, set) = case.peer;
    let fits = |row: &&PeerRow| row.kernel == kernel && row.set == set && row.rows == records.len();
    let rows: Vec<&PeerRow> = heard.rows.iter().filter(fits).collect();
    let first = rows.first()?;
    Some(PeerTime {
        program: first.program.clone(),
        rounds: super::record::Rounds {
            seconds: rows.iter().map(|row| row.seconds).collect(),
            load: first.load,
            busy: rows.iter().map(|row| row.busy).collect(),
            date: first.date.clone(),
        },
        sum: first.sum,
        expected,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_kernels_are_kernels() {
        let mut names = names();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), CASES.len());
        for case in CASES {
            case.kernel.parse::<KernelSpec>().unwrap();
        }
    }

    #[test]
    fn the_plain_table_agrees_with_mercer() {
        let texts = ["abracadabra", "cadabra", "bra", ""].map(str::to_owned);
        let kernel = "normalise(subsequence)".parse().unwrap();
        let records = Records::from_texts(texts.clone());
        let (ours, _) = matrix(&kernel, &records, &FitContext::default()).unwrap();
        let plain = plain::subsequence_matrix(&texts);
        for (a, b) in ours.as_slice().iter().zip(plain.as_slice()) {
            assert!((a - b).abs() < 1e-14, "{a} {b}");
        }
    }
}
