//! The picture: how many times longer the peers take, as bars on a logarithmic scale.

use mercer_plot::{Bar, BarChart, BarRow, BarSeries};

use super::compare::{Ratio, Work, mean, present, ratio};
use crate::case::Group;
use crate::numbers::three_digits;
use crate::peer::{PEERS, label};
use crate::record::{CaseResult, Results};

const GROUPS: [Group; 4] = [
    Group::Large,
    Group::Regression,
    Group::Novelty,
    Group::Small,
];

/// Groups averaged together, with what they are called.
const MEANS: [(&str, &[Group]); 2] = [
    (
        "mean, thousands",
        &[Group::Large, Group::Regression, Group::Novelty],
    ),
    ("mean, small", &[Group::Small]),
];

/// The whole picture.
pub(crate) fn picture(results: &Results) -> BarChart {
    let threads = results.threads().first().copied().unwrap_or(1);
    let peers: Vec<&str> = present(results);
    let s = if threads == 1 { "" } else { "s" };
    BarChart {
        title: format!("How many times longer than mercer, {threads} thread{s}"),
        note: "Bars to the right of 1 ×: mercer is faster.".to_owned(),
        series: peers
            .iter()
            .map(|peer| BarSeries {
                name: label(peer).to_owned(),
                // A peer has its colour whoever else is there; mercer needs none.
                series: PEERS
                    .iter()
                    .skip(1)
                    .position(|known| known.name == *peer)
                    .unwrap_or(PEERS.len()),
            })
            .collect(),
        panels: ["fit", "predict"].map(str::to_owned).to_vec(),
        rows: rows(results, &peers, threads),
        unit: "×".to_owned(),
    }
}

fn bar(ratio: &Ratio) -> Bar {
    let least = if ratio.at_least { "≥ " } else { "" };
    Bar {
        value: ratio.value,
        label: format!("{least}{}", three_digits(ratio.value)),
    }
}

/// Cases, and means over cases.
fn rows(results: &Results, peers: &[&str], threads: usize) -> Vec<BarRow> {
    let of_case = |case: &CaseResult, work| {
        let of_peer = |peer: &&str| ratio(case, peer, threads, work).map(|r| bar(&r));
        peers.iter().map(of_peer).collect::<Vec<_>>()
    };
    let cases = results
        .cases
        .iter()
        .filter(|case| GROUPS.contains(&case.case.group))
        .map(|case| BarRow {
            name: case.case.name.clone(),
            strong: false,
            bars: vec![of_case(case, Work::Fit), of_case(case, Work::Predict)],
        });
    let of_groups = |groups, work| {
        let of_peer =
            |peer: &&str| mean(results, groups, peer, threads, work).map(|(r, _)| bar(&r));
        peers.iter().map(of_peer).collect::<Vec<_>>()
    };
    let means = MEANS.map(|(name, groups)| BarRow {
        name: name.to_owned(),
        strong: true,
        bars: vec![
            of_groups(groups, Work::Fit),
            of_groups(groups, Work::Predict),
        ],
    });
    cases
        .chain(means)
        .filter(|row| row.bars.iter().flatten().any(Option::is_some))
        .collect()
}

#[cfg(test)]
mod tests {
    use mercer_plot::Figure;

    use super::*;
    use crate::record::tests::example;

    #[test]
    fn every_ratio_is_a_bar() {
        let made = picture(&example());
        let names: Vec<&str> = made.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["a9a", "iris", "mean, thousands", "mean, small"]);
        let count = |peer: &str| {
            let place = made.series.iter().position(|s| s.name == label(peer));
            let place = place.expect("a peer of the example");
            let bars = made.rows.iter().flat_map(|row| &row.bars);
            bars.filter(|panel| panel[place].is_some()).count()
        };
        // Two cases and two means: LIBSVM's fit and predict, linfa's fit.
        assert_eq!((count("libsvm"), count("linfa")), (8, 4));
        let svg = made.to_svg();
        for part in ["2 threads", ">a9a<", ">20.0 LIBSVM<", ">≥ 300 linfa-svm<"] {
            assert!(svg.contains(part), "{part}");
        }
    }

    #[test]
    fn peers_keep_their_colour() {
        let made = picture(&example());
        let series = |peer: &str| {
            let found = made.series.iter().find(|s| s.name == label(peer));
            found.map(|s| s.series)
        };
        assert_eq!((series("libsvm"), series("linfa")), (Some(0), Some(4)));
    }

    #[test]
    fn nothing_measured_is_an_empty_picture() {
        let mut results = example();
        results.cases.clear();
        assert!(picture(&results).rows.is_empty());
        assert!(picture(&results).to_svg().ends_with("</svg>\n"));
    }
}
