//! Draws how a far point moves a least-squares classifier and leaves a support vector machine where it is.
//!
//! ```sh
//! cargo run --release -p mercer --example far_point > docs/figures/far-point.svg
//! ```

#![expect(clippy::print_stdout, reason = "the picture goes to standard output")]

use mercer::data::{ClassTargets, Dataset, Records, Targets};
use mercer::fit::FitContext;
use mercer::kernel::KernelSpec;
use mercer::learn::Estimator;
use mercer::learn::least_squares::{LsSvc, Strength};
use mercer::learn::margin::Svc;
use mercer::model::expansion::KernelExpansion;
use mercer_linalg::Matrix;
use mercer_plot::{Axis, Figure, Layer, Mark, Plane, Size};

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

/// The stretch of the plane that is drawn.
const SIZE: [f64; 2] = [12.0, 7.0];

fn main() -> mercer::Result<()> {
    let [before, after] = [data(false)?, data(true)?];
    let figure = Plane::new("A far point moves least squares, not the margin")
        .note("The lines on which each model is undecided between the two classes.")
        .x(Axis::default().between(0.0, SIZE[0]).bare())
        .y(Axis::default().between(0.0, SIZE[1]).bare())
        .size(Size::Pixels(640.0, 360.0))
        .layer(Layer::new(
            "margin, with the far point or not",
            0,
            margin(&after)?,
        ))
        .layer(Layer::unnamed(0, margin(&before)?))
        .layer(Layer::new(
            "least squares without it",
            1,
            least_squares(&before)?,
        ))
        .layer(Layer::new(
            "least squares with it",
            4,
            least_squares(&after)?,
        ))
        .layer(Layer::unnamed(5, points(&LEFT)))
        .layer(Layer::unnamed(3, points(&RIGHT)))
        .layer(Layer::unnamed(3, points(&[FAR])));
    print!("{}", figure.to_svg());
    Ok(())
}

fn points(at: &[[f64; 2]]) -> Mark {
    Mark::Points {
        at: at.to_vec(),
        errors: Vec::new(),
        joined: false,
    }
}

fn margin(data: &Dataset) -> mercer::Result<Mark> {
    let machine = Svc::default().kernel(KernelSpec::linear()).c(1e3);
    let fitted = machine.fit(data, &FitContext::default())?;
    Ok(border(&fitted.model))
}

fn least_squares(data: &Dataset) -> mercer::Result<Mark> {
    let machine = LsSvc::default()
        .kernel(KernelSpec::linear())
        .strength(Strength::Gamma(10.0));
    let fitted = machine.fit(data, &FitContext::default())?;
    Ok(border(&fitted.model))
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

/// The line on which a linear model is undecided.
fn border(model: &KernelExpansion) -> Mark {
    let (coefficients, biases) = (&model.coefficients, &model.biases);
    let mercer::data::Block::Dense(rows) = model.support.features.points.widened() else {
        return Mark::Line(Vec::new());
    };
    let mut w = [0.0; 2];
    for (i, c) in coefficients.row(0).iter().enumerate() {
        for (j, w) in w.iter_mut().enumerate() {
            *w += c * rows.row(i)[j];
        }
    }
    let x = |y: f64| -(biases[0] + w[1] * y) / w[0];
    Mark::Line(vec![[x(0.0), 0.0], [x(SIZE[1]), SIZE[1]]])
}
