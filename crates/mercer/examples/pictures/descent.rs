//! Descent on level lines without and with momentum.
//!
//! E(w) = (w₁² + 25 w₂²)/2 is a valley that is five times as long as it is wide. From w = (10, 1), with v = 0 first,
//!
//!   v ← β v − α ∇E(w),   w ← w + v,   ∇E(w) = (w₁, 25 w₂).
//!
//! Along w₂ the plain step (β = 0) multiplies by 1 − 25 α: beyond α = 0.04 it comes out on the other side of the
//! valley every time. Momentum adds up what steps have in common and takes away what they do not.

use mercer_plot::lattice::Lattice;
use mercer_plot::{Axis, Layer, Mark, Plane, Size};

const CURVATURES: [f64; 2] = [1.0, 25.0];
const START: [f64; 2] = [10.0, 1.0];
const STEP: f64 = 0.075;
pub(super) const MOMENTUM: f64 = 0.5;
const STEPS: usize = 15;

pub(super) fn error(w: [f64; 2]) -> f64 {
    let parts = (0..2).map(|j| 0.5 * CURVATURES[j] * w[j] * w[j]);
    parts.sum()
}

/// The places that descent comes to, its start first.
pub(super) fn path(alpha: f64, beta: f64, steps: usize) -> Vec<[f64; 2]> {
    let mut places = vec![START];
    let (mut w, mut v) = (START, [0.0; 2]);
    for _ in 0..steps {
        for j in 0..2 {
            v[j] = beta * v[j] - alpha * CURVATURES[j] * w[j];
            w[j] += v[j];
        }
        places.push(w);
    }
    places
}

/// Both paths over level lines.
pub(super) fn momentum() -> Plane {
    let ends = [[-2.0, 11.0], [-1.25, 1.25]];
    let lattice = Lattice::over(ends, [53, 41]);
    let heights: Vec<f64> = lattice.places().into_iter().map(error).collect();
    // Levels that are equally far apart along both axes.
    let levels = (1..=8).map(|k| error([1.5 * f64::from(k), 0.0]));
    let lines = levels.flat_map(|level| lattice.level(&heights, level));
    let walk = |beta: f64| Mark::Points {
        at: path(STEP, beta, STEPS),
        errors: Vec::new(),
        joined: true,
    };
    Plane::new("Descent without and with momentum")
        .note(format!(
            "{STEPS} steps α = {STEP} down E = (w₁² + 25 w₂²)/2: what steps have in common adds up."
        ))
        .x(Axis::named("w₁").between(ends[0][0], ends[0][1]))
        .y(Axis::named("w₂").between(ends[1][0], ends[1][1]))
        .size(Size::Pixels(700.0, 360.0))
        .layer(Layer::new("levels of E", 0, Mark::Faint(lines.collect())))
        .layer(Layer::new("without momentum", 1, walk(0.0)))
        .layer(Layer::new(
            format!("with momentum β = {MOMENTUM}"),
            0,
            walk(MOMENTUM),
        ))
        .layer(Layer::new("minimum", 0, Mark::Crosses(vec![[0.0, 0.0]])))
}
