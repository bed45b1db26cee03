//! The picture: how many times longer the peers take, as bars on a logarithmic scale.

use std::fmt::Write as _;

use super::compare::{Work, mean, present, ratio};
use crate::case::Group;
use crate::numbers::three_digits;
use crate::peer::label;
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

/// One colour per peer, told apart by those who see few colours too (Okabe and Ito).
const COLOURS: [(&str, &str); 6] = [
    ("libsvm", "#0072b2"),
    ("scikit-learn", "#e69f00"),
    ("intelex", "#009e73"),
    ("thundersvm", "#f0e442"),
    ("linfa", "#cc79a7"),
    ("smartcore", "#999999"),
];

const WIDTH: f64 = 1000.0;
const NAMES: f64 = 130.0;
const SPACE: f64 = 60.0;
const TOP: f64 = 92.0;
const BAR: f64 = 9.0;
const BETWEEN: f64 = 11.0;

/// A row of the picture: a case, or the mean over cases.
struct Row {
    name: String,
    bold: bool,
    /// Per panel, per peer.
    bars: [Vec<Option<Bar>>; 2],
}

impl Row {
    /// Whether a peer has a bar in any panel; only then it has a place.
    fn shows(&self, peer: usize) -> bool {
        self.bars.iter().any(|bars| bars[peer].is_some())
    }

    fn height(&self) -> f64 {
        let shown = (0..self.bars[0].len()).filter(|&peer| self.shows(peer));
        BAR * shown.count() as f64 + BETWEEN
    }
}

#[derive(Clone, Copy)]
struct Bar {
    value: f64,
    at_least: bool,
}

/// The whole picture.
pub(crate) fn picture(results: &Results) -> String {
    let threads = results.threads().first().copied().unwrap_or(1);
    let peers: Vec<&str> = present(results);
    let rows = rows(results, &peers, threads);
    let scale = Scale::covering(&rows);
    let height = TOP + rows.iter().map(Row::height).sum::<f64>() + 14.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" \
         width=\"{WIDTH}\" height=\"{height:.0}\" font-family=\"Helvetica, Arial, sans-serif\" \
         font-size=\"12\" role=\"img\">\n\
         <title>Times of other programs as multiples of mercer's</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    let _ = writeln!(
        out,
        "<text x=\"16\" y=\"26\" font-size=\"17\" font-weight=\"bold\" fill=\"#222\">\
         How many times longer than mercer, {threads} thread{}</text>",
        if threads == 1 { "" } else { "s" }
    );
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"26\" text-anchor=\"end\" fill=\"#555\">\
         bars to the right of 1 ×: mercer is faster</text>",
        WIDTH - 16.0
    );
    legend(&mut out, &peers);
    for (panel, title) in ["fit", "predict"].into_iter().enumerate() {
        let left = panel_left(panel);
        let _ = writeln!(
            out,
            "<text x=\"{left:.1}\" y=\"{:.1}\" font-weight=\"bold\" fill=\"#222\">{title}</text>",
            TOP - 26.0
        );
        ticks(&mut out, &scale, left, TOP, height - 10.0);
    }
    let mut y = TOP;
    for row in &rows {
        draw_row(&mut out, row, &peers, &scale, y);
        y += row.height();
    }
    out.push_str("</svg>\n");
    out
}

fn panel_width() -> f64 {
    (WIDTH - NAMES - 2.0 * SPACE) / 2.0
}

fn panel_left(panel: usize) -> f64 {
    NAMES + panel as f64 * (panel_width() + SPACE)
}

fn rows(results: &Results, peers: &[&str], threads: usize) -> Vec<Row> {
    let bars = |case: &CaseResult, work| {
        let bar = |peer: &&str| {
            ratio(case, peer, threads, work).map(|ratio| Bar {
                value: ratio.value,
                at_least: ratio.at_least,
            })
        };
        peers.iter().map(bar).collect::<Vec<_>>()
    };
    let mut rows: Vec<Row> = results
        .cases
        .iter()
        .filter(|case| GROUPS.contains(&case.case.group))
        .map(|case| Row {
            name: case.case.name.clone(),
            bold: false,
            bars: [bars(case, Work::Fit), bars(case, Work::Predict)],
        })
        .filter(|row| row.bars.iter().flatten().any(Option::is_some))
        .collect();
    for (name, groups) in MEANS {
        let means = |work| {
            let bar = |peer: &&str| {
                mean(results, groups, peer, threads, work).map(|(ratio, _)| Bar {
                    value: ratio.value,
                    at_least: ratio.at_least,
                })
            };
            peers.iter().map(bar).collect::<Vec<_>>()
        };
        let bars = [means(Work::Fit), means(Work::Predict)];
        if bars.iter().flatten().any(Option::is_some) {
            rows.push(Row {
                name: name.to_owned(),
                bold: true,
                bars,
            });
        }
    }
    rows
}

/// Powers of ten from the least to the largest ratio, 1 among them.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn covering(rows: &[Row]) -> Self {
        let mut scale = Self {
            low: 0.0,
            high: 1.0,
        };
        for bar in rows
            .iter()
            .flat_map(|row| row.bars.iter().flatten().flatten())
        {
            let power = bar.value.log10();
            if power.is_finite() {
                scale.low = scale.low.min(power.floor());
                scale.high = scale.high.max(power.ceil());
            }
        }
        scale
    }

    fn place(&self, value: f64) -> f64 {
        let share = (value.log10() - self.low) / (self.high - self.low);
        share.clamp(0.0, 1.0) * panel_width()
    }
}

fn legend(out: &mut String, peers: &[&str]) {
    let mut x = 16.0;
    for peer in peers {
        let name = label(peer);
        let _ = writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"38\" width=\"12\" height=\"12\" fill=\"{}\"/>\
             <text x=\"{:.1}\" y=\"48.5\" fill=\"#333\">{name}</text>",
            colour(peer),
            x + 17.0
        );
        x += 40.0 + 7.0 * name.len() as f64;
    }
}

fn colour(peer: &str) -> &'static str {
    COLOURS
        .iter()
        .find(|(name, _)| *name == peer)
        .map_or("#666666", |(_, colour)| colour)
}

fn ticks(out: &mut String, scale: &Scale, left: f64, top: f64, bottom: f64) {
    let mut power = scale.low;
    while power <= scale.high {
        let value = 10_f64.powf(power);
        let x = left + scale.place(value);
        let (stroke, width) = if power == 0.0 {
            ("#222", 1.4)
        } else {
            ("#ddd", 1.0)
        };
        let text = if power >= 0.0 {
            format!("{value:.0}")
        } else {
            format!("{value}")
        };
        let _ = writeln!(
            out,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{top:.1}\" y2=\"{bottom:.1}\" \
             stroke=\"{stroke}\" stroke-width=\"{width}\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#555\">{text} ×</text>",
            top - 8.0
        );
        power += 1.0;
    }
}

fn draw_row(out: &mut String, row: &Row, peers: &[&str], scale: &Scale, y: f64) {
    let weight = if row.bold { "bold" } else { "normal" };
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" font-weight=\"{weight}\" \
         fill=\"#222\">{}</text>",
        NAMES - 12.0,
        y + row.height() / 2.0 - 1.0,
        row.name
    );
    for (panel, bars) in row.bars.iter().enumerate() {
        let left = panel_left(panel);
        let one = left + scale.place(1.0);
        let shown = peers
            .iter()
            .zip(bars)
            .enumerate()
            .filter(|(peer, _)| row.shows(*peer));
        for (place, (_, (peer, bar))) in shown.enumerate() {
            let Some(bar) = bar else { continue };
            let end = left + scale.place(bar.value);
            let top = y + BAR * place as f64 + 2.0;
            let (start, length) = (one.min(end), (end - one).abs().max(1.0));
            let _ = writeln!(
                out,
                "<rect x=\"{start:.1}\" y=\"{top:.1}\" width=\"{length:.1}\" height=\"{:.1}\" \
                 fill=\"{}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"9\" fill=\"#333\">{}{}</text>",
                BAR - 1.0,
                colour(peer),
                one.max(end) + 3.0,
                top + BAR - 2.0,
                if bar.at_least { "≥ " } else { "" },
                three_digits(bar.value)
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::example;

    #[test]
    fn every_ratio_is_a_bar() {
        let text = picture(&example());
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
        assert_eq!(
            text.matches("<text").count(),
            text.matches("</text>").count()
        );
        // Two cases and two means: LIBSVM's fit and predict, linfa's fit.
        assert_eq!(
            text.matches(&format!("fill=\"{}\"", colour("libsvm")))
                .count(),
            1 + 8
        );
        assert_eq!(
            text.matches(&format!("fill=\"{}\"", colour("linfa")))
                .count(),
            1 + 4
        );
        for part in ["2 threads", ">a9a<", ">20.0<", ">≥ 300<", "mean, small"] {
            assert!(text.contains(part), "{part}");
        }
    }

    #[test]
    fn the_scale_has_round_ends() {
        let results = example();
        let rows = rows(&results, &present(&results), 2);
        let scale = Scale::covering(&rows);
        assert_eq!((scale.low, scale.high), (0.0, 3.0));
        assert_eq!(scale.place(1.0), 0.0);
        assert!((scale.place(1000.0) - panel_width()).abs() < 1e-9);
    }

    #[test]
    fn nothing_measured_is_an_empty_picture() {
        let mut results = example();
        results.cases.clear();
        assert!(picture(&results).ends_with("</svg>\n"));
    }
}
