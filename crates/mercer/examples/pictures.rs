//! Draws pictures of what kernels, gates and descent do, for the documentation.
//!
//! ```sh
//! cargo run --release -p mercer --example pictures -- docs/figures
//! ```

use mercer::data::{
    Categories, ClassTargets, Column, Dataset, Origin, Records, Roles, Table, Targets, Values,
};
use mercer::fit::FitContext;
use mercer::kernel::{KernelSpec, ResolvedKernel};
use mercer::learn::Estimator;
use mercer::learn::least_squares::{KernelRidge, Strength};
use mercer::learn::margin::Svc;
use mercer::model::expansion::KernelExpansion;
use mercer::model::readout::Readout;
use mercer::model::{Activation, Form};
use mercer::recipe::{Recipe, Wish};
use mercer_linalg::Matrix;
use mercer_plot::{Axis, Figure, Layer, Mark, Plane, Size, TreeDiagram, TreeNode};

#[path = "pictures/charts.rs"]
mod charts;
#[path = "pictures/descent.rs"]
mod descent;

/// Places along the horizontal axis of a curve.
const PLACES: usize = 161;

#[cfg(not(test))]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os()
        .nth(1)
        .map(std::path::PathBuf::from)
        .ok_or("usage: pictures DIR")?;
    for (name, figure) in all()? {
        std::fs::write(folder.join(format!("{name}.svg")), figure.to_svg())?;
    }
    Ok(())
}

/// Every picture with the name of its file.
fn all() -> mercer::Result<Vec<(&'static str, Box<dyn Figure>)>> {
    Ok(vec![
        ("gaussian-kernel", Box::new(gaussian()?)),
        ("kernel-per-point", Box::new(per_point()?)),
        ("gates", Box::new(gates())),
        ("labellings", Box::new(labellings()?)),
        ("tree", Box::new(tree()?)),
        ("neuron", Box::new(charts::neuron())),
        ("assumptions", Box::new(charts::assumptions())),
        ("kernel-selection", Box::new(charts::selection())),
        ("momentum", Box::new(descent::momentum())),
    ])
}

/// A Gaussian kernel around a known value: how much of it values nearby follow.
fn gaussian() -> mercer::Result<Plane> {
    let known = [3.0, 1.0];
    let mut figure = Plane::new("A Gaussian kernel around a known value")
        .note("k(x, 3): how much a value at x follows the one that is known at 3.")
        .x(Axis::named("x").between(0.0, 6.0))
        .y(Axis::named("k(x, 3)").between(0.0, 1.1))
        .size(Size::Pixels(640.0, 320.0));
    for (series, gamma) in [2.0, 0.5, 0.125].into_iter().enumerate() {
        let kernel = ResolvedKernel::try_new(KernelSpec::rbf(gamma))?;
        let curve = values(&single(&kernel, known[0], 1.0), [0.0, 6.0])?;
        figure = figure.layer(Layer::new(
            format!("rbf(gamma={gamma})"),
            series,
            Mark::Line(curve),
        ));
    }
    Ok(figure.layer(Layer::new("the known value", 3, points(&[known]))))
}

/// A prediction as the sum of one kernel per data point.
fn per_point() -> mercer::Result<Plane> {
    const AT: [[f64; 2]; 5] = [[1.0, 0.6], [2.2, 1.3], [3.1, 0.4], [4.4, -0.5], [5.2, 0.3]];
    const ENDS: [f64; 2] = [0.0, 6.0];
    let x = Matrix::from_fn(AT.len(), 1, |i, _| AT[i][0]);
    let targets = Targets::Real(AT.iter().map(|p| p[1]).collect());
    let data = Dataset::try_new(Records::from_points(x), targets)?;
    let machine = KernelRidge::default()
        .kernel(KernelSpec::rbf(1.5))
        .strength(Strength::Lambda(0.05));
    let model = machine.fit(&data, &FitContext::default())?.model;
    let mercer::data::Block::Dense(rows) = model.support.features.points.widened() else {
        return Ok(Plane::default());
    };
    let parts = (0..model.support.len()).map(|i| {
        let own = single(&model.kernel, rows.row(i)[0], model.coefficients.row(0)[i]);
        values(&own, ENDS)
    });
    let parts: Vec<Vec<[f64; 2]>> = parts.collect::<mercer::Result<_>>()?;
    let sum = values(&model, ENDS)?;
    Ok(Plane::new("One kernel per data point")
        .note("Each point brings a kernel around itself, higher or lower by its coefficient; the prediction is their sum.")
        .x(Axis::named("x").between(ENDS[0], ENDS[1]))
        .y(Axis::named("y"))
        .size(Size::Pixels(640.0, 360.0))
        .layer(Layer::new("one kernel each", 2, Mark::Faint(parts)))
        .layer(Layer::new("their sum, the prediction", 0, Mark::Line(sum)))
        .layer(Layer::new("data points", 3, points(&AT))))
}

/// What gates make of their net input.
fn gates() -> Plane {
    let ends = [-3.0, 3.0];
    let mut figure = Plane::new("Linear, sigmoid and threshold gates")
        .note("The output of a gate by its net input, the weighted sum of what comes in.")
        .x(Axis::named("net input").between(ends[0], ends[1]))
        .y(Axis::named("output").between(-1.0, 2.0))
        .size(Size::Pixels(640.0, 340.0));
    let gates = [
        Activation::Linear,
        Activation::Sigmoid,
        Activation::Threshold,
    ];
    for (series, gate) in gates.into_iter().enumerate() {
        let x: Vec<f64> = places(ends).collect();
        let mut y = x.clone();
        gate.apply(&mut y, 1);
        // The straight line leaves the picture above and below.
        let line = x.iter().zip(&y).map(|(x, y)| [*x, *y]);
        let line = line.filter(|p| (-1.0..=2.0).contains(&p[1])).collect();
        figure = figure.layer(Layer::new(gate.name(), series, Mark::Line(line)));
    }
    figure
}

/// The eight labellings of three points, each with a half-plane of the widest margin.
fn labellings() -> mercer::Result<Plane> {
    const POINTS: [[f64; 2]; 3] = [[1.1, 0.8], [2.9, 0.8], [2.0, 2.4]];
    /// A panel, and the distance from one to the next.
    const PANEL: [f64; 2] = [4.0, 3.2];
    const STEP: [f64; 2] = [4.4, 3.6];
    let (mut sides, mut outlines) = (Vec::new(), Vec::new());
    let mut marks: [Vec<[f64; 2]>; 2] = [Vec::new(), Vec::new()];
    for labelling in 0..8_usize {
        let corner = [
            (labelling % 4) as f64 * STEP[0],
            (1 - labelling / 4) as f64 * STEP[1],
        ];
        let moved = |p: [f64; 2]| [p[0] + corner[0], p[1] + corner[1]];
        let inside: Vec<bool> = (0..3).map(|k| labelling >> k & 1 == 1).collect();
        let panel = vec![[0.0, 0.0], [PANEL[0], 0.0], PANEL, [0.0, PANEL[1]]];
        let side = half_plane(&panel, &POINTS, &inside)?;
        sides.extend((!side.is_empty()).then(|| side.into_iter().map(moved).collect()));
        let mut outline: Vec<[f64; 2]> = panel.iter().copied().map(moved).collect();
        outline.push(outline[0]);
        outlines.push(outline);
        for (point, inside) in POINTS.into_iter().zip(inside) {
            marks[usize::from(!inside)].push(moved(point));
        }
    }
    let [inside, outside] = marks;
    Ok(Plane::new("Half-planes shatter three points")
        .note("All eight labellings: the coloured half-plane has the points of the first kind inside, with the widest margin.")
        .x(Axis::default().between(-0.2, 3.0 * STEP[0] + PANEL[0] + 0.2).bare())
        .y(Axis::default().between(-0.2, STEP[1] + PANEL[1] + 0.2).bare())
        .size(Size::Pixels(720.0, 300.0))
        .layer(Layer::unnamed(0, Mark::Regions(sides)))
        .layer(Layer::unnamed(0, Mark::Faint(outlines)))
        .layer(Layer::new("inside", 0, points(&inside)))
        .layer(Layer::new("outside", 1, points(&outside))))
}

/// The part of a panel on the side of the points that are to be inside.
fn half_plane(
    panel: &[[f64; 2]],
    points: &[[f64; 2]],
    inside: &[bool],
) -> mercer::Result<Vec<[f64; 2]>> {
    if !inside.contains(&false) {
        return Ok(panel.to_vec());
    }
    if !inside.contains(&true) {
        return Ok(Vec::new());
    }
    let labels: Vec<&str> = inside
        .iter()
        .map(|inside| if *inside { "inside" } else { "outside" })
        .collect();
    let rows = Matrix::from_fn(points.len(), 2, |i, j| points[i][j]);
    let targets = Targets::Classes(ClassTargets::from_labels(&labels));
    let data = Dataset::try_new(Records::from_points(rows), targets)?;
    let machine = Svc::default().kernel(KernelSpec::linear()).hard();
    let form = Form::from(machine.fit(&data, &FitContext::default())?.model);
    // Decisions at the corners; between two of them they are linear.
    let corners = Matrix::from_fn(panel.len(), 2, |i, j| panel[i][j]);
    let found = form.predict(&Records::from_points(corners), &FitContext::default())?;
    let known = form.predict(&data.records, &FitContext::default())?;
    let first = inside.iter().position(|inside| *inside).unwrap_or(0);
    let sign = known.decisions[(first, 0)].signum();
    let decisions: Vec<f64> = found
        .decisions
        .as_slice()
        .iter()
        .map(|f| sign * f)
        .collect();
    let mut side = Vec::new();
    for here in 0..panel.len() {
        let next = (here + 1) % panel.len();
        let (f, g) = (decisions[here], decisions[next]);
        if f >= 0.0 {
            side.push(panel[here]);
        }
        if (f >= 0.0) != (g >= 0.0) {
            let share = f / (f - g);
            let along = |j: usize| panel[here][j] + share * (panel[next][j] - panel[here][j]);
            side.push([along(0), along(1)]);
        }
    }
    Ok(side)
}

/// A tree over a colour and two numbers.
fn tree() -> mercer::Result<TreeDiagram> {
    const COLOURS: [&str; 3] = ["red", "green", "blue"];
    let rows: Vec<(&str, f64, f64)> = (0..36)
        .map(|k| {
            (
                COLOURS[k % 3],
                (k * 7 % 12) as f64,
                (k * 5 % 11) as f64 / 2.0,
            )
        })
        .collect();
    let kind = |(colour, length, weight): &(&str, f64, f64)| match *colour {
        "red" if *length > 5.0 => "ripe",
        "green" if *weight > 3.0 => "ripe",
        "blue" => "ripe",
        _ => "unripe",
    };
    let kinds: Vec<&str> = rows.iter().map(kind).collect();
    let colours: Vec<&str> = rows.iter().map(|row| row.0).collect();
    let words = |words: &[&str]| {
        Values::Categorical(Categories::from_names(words.iter().map(|word| Some(*word))))
    };
    let table = Table::try_new(
        vec![
            Column::new("colour", words(&colours)),
            Column::new(
                "length",
                Values::Numeric(rows.iter().map(|row| row.1).collect()),
            ),
            Column::new(
                "weight",
                Values::Numeric(rows.iter().map(|row| row.2).collect()),
            ),
            Column::new("kind", words(&kinds)),
        ],
        Origin::default(),
    )?;
    let mut recipe = Recipe::new(Roles {
        targets: vec!["kind".to_owned()],
        ..Roles::default()
    });
    recipe.wish = Wish::Named("c45".to_owned());
    let trained = recipe
        .open(table)?
        .prepare()?
        .fit(&FitContext::default())?
        .model;
    let boxes = trained
        .form
        .tree()
        .map(|model| model.boxes(&trained.encoder))
        .unwrap_or_default();
    Ok(TreeDiagram {
        title: "A tree over a colour and two numbers".to_owned(),
        nodes: boxes
            .into_iter()
            .map(|b| TreeNode {
                tip: format!("{} rows", b.rows),
                parent: b.parent,
                branch: b.branch,
                text: b.title,
                is_leaf: b.is_leaf,
                shares: b.shares,
            })
            .collect(),
    })
}

/// c·k(·, at).
fn single(kernel: &ResolvedKernel, at: f64, c: f64) -> KernelExpansion {
    KernelExpansion::new(
        kernel.clone(),
        Records::from_points(Matrix::from_vec(1, 1, vec![at])),
        Matrix::from_vec(1, 1, vec![c]),
        vec![0.0],
        Readout::Values,
    )
}

fn places([from, to]: [f64; 2]) -> impl Iterator<Item = f64> {
    (0..PLACES).map(move |k| from + (to - from) * k as f64 / (PLACES - 1) as f64)
}

/// A function of one number as a line.
fn values(model: &KernelExpansion, ends: [f64; 2]) -> mercer::Result<Vec<[f64; 2]>> {
    let x = Matrix::from_vec(PLACES, 1, places(ends).collect());
    let form = Form::from(model.clone());
    let found = form.predict(&Records::from_points(x), &FitContext::default())?;
    let pairs = places(ends).zip(found.decisions.as_slice());
    Ok(pairs.map(|(x, y)| [x, *y]).collect())
}

fn points(at: &[[f64; 2]]) -> Mark {
    Mark::Points {
        at: at.to_vec(),
        errors: Vec::new(),
        joined: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_has_the_pictures_as_they_are_drawn() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/figures");
        for (name, figure) in all().unwrap() {
            let path = format!("{folder}/{name}.svg");
            assert_eq!(
                std::fs::read_to_string(path).unwrap(),
                figure.to_svg(),
                "{name}"
            );
        }
    }

    #[test]
    fn momentum_goes_further_down_in_the_same_steps() {
        use descent::{MOMENTUM, error, path};
        // The numbers of the solver's own test.
        let known = [
            [10.0, 1.0],
            [9.7, 0.25],
            [9.259, -0.3125],
            [8.76073, -0.359_375],
        ];
        let found = path(0.03, MOMENTUM, 3);
        assert_eq!(found.len(), known.len());
        for (found, known) in found.iter().flatten().zip(known.iter().flatten()) {
            assert!((found - known).abs() < 1e-12, "{found} {known}");
        }
        let figure = descent::momentum();
        let walks = figure.layers.iter().filter_map(|layer| match &layer.mark {
            Mark::Points { at, .. } => at.last().map(|w| error(*w)),
            _ => None,
        });
        let walks: Vec<f64> = walks.collect();
        assert!(walks.len() == 2 && walks[1] < 0.2 * walks[0], "{walks:?}");
    }

    #[test]
    fn charts_lead_from_the_first_level_to_all_others() {
        for chart in [charts::neuron(), charts::assumptions(), charts::selection()] {
            let level = |node: usize| chart.nodes[node].level;
            for (k, node) in chart.nodes.iter().enumerate() {
                let comes = chart
                    .links
                    .iter()
                    .any(|link| link.to == k && level(link.from) + 1 == node.level);
                assert_eq!(comes, node.level > 0, "{}: {}", chart.title, node.text);
            }
        }
    }

    #[test]
    fn every_labelling_has_its_half_plane() {
        let figure = labellings().unwrap();
        let Mark::Regions(sides) = &figure.layers[0].mark else {
            panic!("half-planes");
        };
        // None where no point is to be inside.
        assert_eq!(sides.len(), 7);
        let count = |layer: usize| match &figure.layers[layer].mark {
            Mark::Points { at, .. } => at.len(),
            _ => 0,
        };
        assert_eq!((count(2), count(3)), (12, 12));
    }

    #[test]
    fn the_tree_tests_all_three_columns() {
        let tree = tree().unwrap();
        for column in ["colour", "length", "weight"] {
            assert!(
                tree.nodes.iter().any(|node| node.text == column),
                "{column}"
            );
        }
    }

    #[test]
    fn the_kernels_of_the_points_add_up_to_the_prediction() {
        let figure = per_point().unwrap();
        let Mark::Faint(parts) = &figure.layers[0].mark else {
            panic!("kernels");
        };
        let Mark::Line(sum) = &figure.layers[1].mark else {
            panic!("a sum");
        };
        assert_eq!(parts.len(), 5);
        for (k, point) in sum.iter().enumerate() {
            let added: f64 = parts.iter().map(|part| part[k][1]).sum();
            assert!((added - point[1]).abs() < 1e-9, "{point:?}");
        }
    }
}
