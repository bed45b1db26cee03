//! Draws how a far point moves a least-squares machine and leaves a margin machine where it is.
//!
//! ```sh
//! cargo run --release -p mercer --example far_point > docs/figures/far-point.svg
//! ```

#![expect(clippy::print_stdout, reason = "the picture goes to standard output")]

use std::fmt::Write as _;

use mercer::data::{ClassTargets, Dataset, Records, Targets};
use mercer::fit::FitContext;
use mercer::kernel::KernelSpec;
use mercer::learn::Estimator;
use mercer::learn::expansion::{KernelExpansion, Machine};
use mercer::learn::margin::Svc;
use mercer::learn::squared::{LsSvc, Strength};
use mercer_linalg::Matrix;

/// Two groups of points and, on demand, one more far out on its own side.
const LEFT: [[f64; 2]; 6] = [
    [1.0, 1.2],
    [1.4, 2.6],
    [0.6, 3.4],
    [1.7, 4.1],
    [0.9, 5.0],
    [1.5, 5.8],
];
const RIGHT: [[f64; 2]; 6] = [
    [3.4, 1.0],
    [3.0, 2.2],
    [3.7, 3.1],
    [3.1, 4.4],
    [3.6, 5.2],
    [3.2, 6.0],
];
const FAR: [f64; 2] = [11.0, 6.3];

const SCALE: f64 = 42.0;
const SIZE: [f64; 2] = [12.0, 7.0];

fn main() -> mercer::Result<()> {
    let height = SIZE[1] * SCALE + 54.0;
    let width = SIZE[0] * SCALE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"system-ui, sans-serif\" font-size=\"13\">\n\
         <title>A far point moves least squares, not the margin</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    for (far, dash) in [(false, "6 5"), (true, "none")] {
        let data = data(far)?;
        let kernel = KernelSpec::linear;
        let context = FitContext::default();
        let margin = Svc::default()
            .kernel(kernel())
            .c(1e3)
            .fit(&data, &context)?;
        let squares = LsSvc::default()
            .kernel(kernel())
            .strength(Strength::Gamma(10.0))
            .fit(&data, &context)?;
        svg += &border(&margin.model, "#0b6bcb", dash);
        svg += &border(&squares.model, "#c4420a", dash);
    }
    for (points, colour) in [
        (&LEFT[..], "#222"),
        (&RIGHT[..], "#999"),
        (&[FAR][..], "#999"),
    ] {
        for [x, y] in points {
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"5\" fill=\"{colour}\"/>",
                x * SCALE,
                (SIZE[1] - y) * SCALE
            );
        }
    }
    for (line, colour, text) in [
        (
            34.0,
            "#0b6bcb",
            "margin machine: the far point changes nothing",
        ),
        (
            14.0,
            "#c4420a",
            "least squares: dashed without the far point, solid with it",
        ),
    ] {
        let y = height - line;
        let _ = writeln!(
            svg,
            "<text x=\"12\" y=\"{y:.0}\" fill=\"{colour}\">{text}</text>"
        );
    }
    println!("{svg}</svg>");
    Ok(())
}

fn data(far: bool) -> mercer::Result<Dataset> {
    let mut points: Vec<[f64; 2]> = LEFT.into_iter().chain(RIGHT).collect();
    points.extend(far.then_some(FAR));
    let x = Matrix::from_fn(points.len(), 2, |i, j| points[i][j]);
    let labels: Vec<&str> = (0..points.len())
        .map(|i| if i < LEFT.len() { "left" } else { "right" })
        .collect();
    let targets = Targets::Classes(ClassTargets::from_labels(&labels));
    Dataset::try_new(Records::from_points(x), targets)
}

/// The line on which a linear machine is undecided.
fn border(model: &KernelExpansion, colour: &str, dash: &str) -> String {
    let Machine::Classifier {
        coefficients,
        biases,
        ..
    } = &model.machine
    else {
        return String::new();
    };
    let mercer::data::Block::Dense(rows) = model.support.features.points.widened() else {
        return String::new();
    };
    let mut w = [0.0; 2];
    for (i, c) in coefficients.row(0).iter().enumerate() {
        for (j, w) in w.iter_mut().enumerate() {
            *w += c * rows.row(i)[j];
        }
    }
    let x = |y: f64| -(biases[0] + w[1] * y) / w[0];
    format!(
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"0\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"/>\n",
        x(0.0) * SCALE,
        SIZE[1] * SCALE,
        x(SIZE[1]) * SCALE
    )
}
