//! The picture of calibration: what was predicted beside what happened, and how often.

use std::fmt::Write as _;

use super::record::Account;
use super::reliability::{Bin, calibration_error, pooled};
use crate::numbers::{thousands, three_digits};

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 560.0;
const TOP: f64 = 92.0;
const SIDE: f64 = 400.0;
/// Left edges of the diagram and of the counts.
const LEFT: [f64; 2] = [80.0, 570.0];

/// Colours told apart by those who see few colours too (Okabe and Ito).
const OWN: &str = "#222222";
const PEER: &str = "#e69f00";

struct Series<'a> {
    name: &'a str,
    colour: &'a str,
    bins: &'a [Bin],
}

/// The whole picture.
pub(crate) fn picture(records: &Account) -> String {
    let (own, theirs) = pooled(records, "grid_svc");
    let series = [
        Series {
            name: "mercer",
            colour: OWN,
            bins: &own,
        },
        Series {
            name: "SVC, grid, Platt",
            colour: PEER,
            bins: &theirs,
        },
    ];
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"Helvetica, Arial, sans-serif\" \
         font-size=\"12\" role=\"img\">\n\
         <title>Predicted probabilities and what happened</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"16\" y=\"26\" font-size=\"17\" font-weight=\"bold\" fill=\"#222\">\
         Do probabilities come true?</text>\n"
    );
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"26\" text-anchor=\"end\" fill=\"#555\">\
         on the diagonal: as often as predicted; bars are two standard errors</text>",
        WIDTH - 16.0
    );
    legend(&mut out, &series);
    diagram(&mut out, &series);
    counts(&mut out, &series);
    out.push_str("</svg>\n");
    out
}

fn legend(out: &mut String, series: &[Series<'_>]) {
    let mut x = 16.0;
    for one in series {
        let text = match calibration_error(one.bins) {
            Some(error) => format!(
                "{}: calibration error {} %",
                one.name,
                three_digits(100.0 * error)
            ),
            None => one.name.to_owned(),
        };
        let _ = writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"38\" width=\"12\" height=\"12\" fill=\"{}\"/>\
             <text x=\"{:.1}\" y=\"48.5\" fill=\"#333\">{text}</text>",
            one.colour,
            x + 17.0
        );
        x += 40.0 + 7.0 * text.len() as f64;
    }
}

/// The place of a share of the height, 0 at the bottom.
fn up(share: f64) -> f64 {
    TOP + SIDE * (1.0 - share.clamp(0.0, 1.0))
}

fn across(panel: usize, share: f64) -> f64 {
    LEFT[panel] + SIDE * share.clamp(0.0, 1.0)
}

fn panel_title(out: &mut String, panel: usize, title: &str, below: &str) {
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" font-weight=\"bold\" fill=\"#222\">{title}</text>\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#555\">{below}</text>",
        LEFT[panel],
        TOP - 14.0,
        across(panel, 0.5),
        TOP + SIDE + 40.0
    );
    for tenth in (0..=10).step_by(2) {
        let share = f64::from(tenth) / 10.0;
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#555\">{share:.1}</text>",
            across(panel, share),
            TOP + SIDE + 18.0
        );
    }
}

fn diagram(out: &mut String, series: &[Series<'_>]) {
    panel_title(out, 0, "share that happened", "predicted probability");
    for tenth in (0..=10).step_by(2) {
        let share = f64::from(tenth) / 10.0;
        let (x, y) = (across(0, share), up(share));
        let _ = writeln!(
            out,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"#ddd\"/>\
             <line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#555\">{share:.1}</text>",
            up(0.0),
            up(1.0),
            across(0, 0.0),
            across(0, 1.0),
            LEFT[0] - 8.0,
            y + 4.0
        );
    }
    let _ = writeln!(
        out,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"#999\" \
         stroke-width=\"1.4\" stroke-dasharray=\"5 4\"/>",
        across(0, 0.0),
        up(0.0),
        across(0, 1.0),
        up(1.0)
    );
    for one in series {
        let colour = one.colour;
        let points: Vec<(f64, f64, f64)> = one
            .bins
            .iter()
            .filter_map(|bin| Some((bin.predicted()?, bin.observed()?, 2.0 * bin.error())))
            .collect();
        let path: Vec<String> = points
            .iter()
            .map(|&(x, y, _)| format!("{:.1},{:.1}", across(0, x), up(y)))
            .collect();
        if !path.is_empty() {
            let _ = writeln!(
                out,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" \
                 stroke-width=\"1.6\"/>",
                path.join(" ")
            );
        }
        for (x, y, error) in points {
            let place = across(0, x);
            let _ = writeln!(
                out,
                "<line x1=\"{place:.1}\" x2=\"{place:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" \
                 stroke=\"{colour}\"/>\
                 <circle cx=\"{place:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{colour}\"/>",
                up(y - error),
                up(y + error),
                up(y)
            );
        }
    }
}

fn counts(out: &mut String, series: &[Series<'_>]) {
    panel_title(out, 1, "test rows", "predicted probability");
    let largest = series
        .iter()
        .flat_map(|one| one.bins)
        .map(|bin| bin.rows)
        .max();
    let Some(largest) = largest.filter(|&rows| rows > 0) else {
        return;
    };
    for (place, one) in series.iter().enumerate() {
        let width = SIDE / one.bins.len() as f64;
        // Both bars and a gap share a bin.
        let bar = width * 0.42;
        for (bin, found) in one.bins.iter().enumerate() {
            // Counts stand on the bars, upright, within the panel.
            let height = SIDE * 0.9 * found.rows as f64 / largest as f64;
            let left = LEFT[1] + width * (bin as f64 + 0.06) + place as f64 * bar;
            let top = TOP + SIDE - height;
            let (x, y) = (left + bar / 2.0 + 3.0, top - 4.0);
            let _ = writeln!(
                out,
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{bar:.1}\" height=\"{height:.1}\" \
                 fill=\"{}\"/>\
                 <text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"9\" fill=\"#333\" \
                 transform=\"rotate(-90 {x:.1} {y:.1})\">{}</text>",
                one.colour,
                thousands(found.rows as usize)
            );
        }
    }
    let _ = writeln!(
        out,
        "<line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"#222\"/>",
        across(1, 0.0),
        across(1, 1.0),
        up(0.0),
        up(0.0)
    );
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::example;
    use super::*;

    #[test]
    fn every_bin_is_a_point_and_a_bar() {
        let text = picture(&example());
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
        assert_eq!(
            text.matches("<text").count(),
            text.matches("</text>").count()
        );
        assert_eq!(text.matches("<circle").count(), 4);
        assert_eq!(text.matches("<polyline").count(), 2);
        // A legend entry and two bars each; the points of the diagram are circles.
        assert_eq!(
            text.matches(&format!("height=\"12\" fill=\"{PEER}\""))
                .count(),
            1
        );
        // 15 of 60 rows twice: a quarter, of a mean of 0.2.
        let point = format!("cx=\"{:.1}\" cy=\"{:.1}\"", across(0, 0.2), up(0.25));
        assert!(text.contains(&point), "{text}");
        for part in [">120<", ">80<", "calibration error 5.00 %"] {
            assert!(text.contains(part), "{part}");
        }
    }

    #[test]
    fn nothing_measured_is_an_empty_picture() {
        let mut records = example();
        records.records.clear();
        let text = picture(&records);
        assert!(text.ends_with("</svg>\n") && !text.contains("<circle"));
    }
}
