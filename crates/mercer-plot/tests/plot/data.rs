//! Whatever the numbers are, figures are drawn, and equal ones are equal bytes.

use mercer_plot::lattice::Region;
use mercer_plot::molecule::{Atom, Bond, BondOrder, Structure};
use mercer_plot::{
    Amount, Axis, Bar, BarChart, BarRow, BarSeries, Bin, Boundary, BoundaryRow, Cell, ClusterGroup,
    ClusterPlot, CoefficientPath, Curve, CurvePoint, DependenceLine, DependencePanel,
    DependencePlot, Flow, FlowChart, FlowLink, FlowNode, Forecast, Group, HeatMap, Histogram,
    Influence, InfluenceChart, Interval, Layer, Mark, MatrixMap, Outline, Plane, PrecisionRecall,
    Reliability, ReliabilitySeries, Roc, Scale, Scatter, ScoreAxis, ScoreGrid, ScorePoint, Size,
    Spectrum, Stack, Trace, TracePoint, Traces, TreeDiagram, TreeNode, UnitCell, UnitMap,
};
use proptest::prelude::*;
use roxmltree::Document as Xml;

use crate::samples::{self, Named};

/// Every figure, made of the same numbers.
fn figures(values: &[f64]) -> Vec<Named> {
    let first = values.first().copied().unwrap_or(0.0);
    let pairs: Vec<[f64; 2]> = values
        .iter()
        .enumerate()
        .map(|(k, v)| [values[values.len() - 1 - k], *v])
        .collect();
    let marks = vec![
        Mark::Line(pairs.clone()),
        Mark::Area(pairs.clone()),
        Mark::Band(pairs.iter().map(|[x, y]| [*x, *y, -*y]).collect()),
        Mark::Spots(pairs.clone()),
        Mark::Points {
            at: pairs.clone(),
            errors: values.to_vec(),
            joined: true,
        },
        Mark::Best([first, first]),
        Mark::Steps {
            left: first,
            width: 1.0,
            heights: values.to_vec(),
        },
        Mark::Columns {
            left: 0.0,
            width: first,
            heights: values.to_vec(),
            labels: values.iter().map(f64::to_string).collect(),
            place: [0, 0],
        },
        Mark::Rule([[first, 0.0], [first, 1.0]]),
        Mark::Rule([[0.0, first], [first, 1.0]]),
        Mark::Faint(vec![pairs.clone(), Vec::new()]),
        Mark::Regions(vec![pairs.clone()]),
        Mark::Border {
            lines: vec![pairs.clone()],
            dashed: true,
        },
        Mark::Rings(pairs.clone()),
        Mark::Crosses(pairs.clone()),
        Mark::Rug(values.to_vec()),
    ];
    let mut made: Vec<Named> = Vec::new();
    for scale in [Scale::Linear, Scale::Log] {
        for ends in [None, Some([first, -first]), Some([0.5, 8.0])] {
            let axis = || Axis {
                ends,
                ..Axis::named("an axis").scale(scale)
            };
            let mut plane = Plane::new("a plane").x(axis()).y(axis());
            plane.size = Size::Pixels(first, 300.0);
            for mark in &marks {
                plane = plane.layer(Layer::new("a layer", 7, mark.clone()));
            }
            made.push(("plane", Box::new(plane)));
        }
        let points = values.iter().map(|v| CurvePoint {
            x: *v,
            y: *v,
            error: *v,
        });
        made.push((
            "curve",
            Box::new(Curve {
                scale,
                points: points.collect(),
                best: Some(0),
                ..Curve::default()
            }),
        ));
        made.push(("score grid", Box::new(grid(values, scale))));
        let point = |value: &f64| TracePoint {
            x: *value,
            y: *value,
            deviation: *value,
        };
        made.push((
            "traces",
            Box::new(Traces {
                scale,
                lines: vec![Trace {
                    name: "t".to_owned(),
                    points: values.iter().map(point).collect(),
                }],
                best: values.first().map(|v| [*v, *v]),
                ..Traces::default()
            }),
        ));
    }
    let group = |values: &[f64]| Group {
        name: "g".to_owned(),
        values: values.to_vec(),
    };
    made.push((
        "histogram",
        Box::new(Histogram {
            groups: vec![group(values), group(&[]), group(values)],
            threshold: Some(first),
            ..Histogram::default()
        }),
    ));
    made.push((
        "precision and recall",
        Box::new(PrecisionRecall {
            points: pairs.clone(),
            in_use: Some([first, first]),
            share: first,
        }),
    ));
    let title = "a".to_owned();
    made.push((
        "scatter",
        Box::new(Scatter {
            title,
            pairs: pairs.clone(),
        }),
    ));
    made.push((
        "forecast",
        Box::new(Forecast {
            history: values.to_vec(),
            values: values.to_vec(),
            band: pairs.clone(),
            errors: values.to_vec(),
            ..Forecast::default()
        }),
    ));
    let in_use = pairs.first().copied();
    made.push((
        "roc",
        Box::new(Roc {
            points: pairs,
            in_use,
        }),
    ));
    made.push(("structure", Box::new(structure(values))));
    made.push(("reliability", Box::new(reliability(values))));
    made.push(("heat map", Box::new(heat_map(values))));
    made.push(("tree", Box::new(tree(values))));
    for hexagonal in [true, false] {
        made.push(("unit map", Box::new(unit_map(values, hexagonal))));
    }
    made.push(("clusters", Box::new(clusters(values))));
    made.push(("boundary", Box::new(boundary(values))));
    let matrix = MatrixMap {
        values: values.to_vec(),
        groups: vec![("a group".to_owned(), 1), (String::new(), 2)],
        ..MatrixMap::default()
    };
    made.push(("matrix map", Box::new(matrix)));
    let spectrum = Spectrum {
        eigenvalues: values.to_vec(),
        level: Some(first),
        dimension: Some(first),
        ..Spectrum::default()
    };
    made.push(("spectrum", Box::new(spectrum)));
    let path = CoefficientPath {
        at: values.to_vec(),
        lines: vec![("a column".to_owned(), values.to_vec()); 10],
        chosen: Some(first),
        ..CoefficientPath::default()
    };
    made.push(("coefficient path", Box::new(path)));
    for levels in [Vec::new(), vec!["a level".to_owned(), String::new()]] {
        made.push(("dependence", Box::new(dependence(values, &levels))));
    }
    for flow in [Flow::Right, Flow::Down] {
        made.push(("flow chart", Box::new(flow_chart(values, flow))));
    }
    made.push(("bar chart", Box::new(bar_chart(values))));
    let named = values.iter().map(|v| (v.to_string(), *v)).collect();
    let influences = InfluenceChart {
        bars: named,
        ..InfluenceChart::default()
    };
    made.push(("influence chart", Box::new(influences)));
    made.push((
        "interval",
        Box::new(Interval {
            value: first,
            ends: [first, -first],
            scale: [0.0, first],
        }),
    ));
    made.push(("influence", Box::new(Influence { share: first })));
    let amount = Amount {
        share: first,
        error: first,
    };
    made.push(("amount", Box::new(amount)));
    let parts = values.iter().map(|v| *v as usize / 16).collect();
    made.push((
        "stack",
        Box::new(Stack {
            parts,
            whole: Some(3),
        }),
    ));
    made
}

fn grid(values: &[f64], scale: Scale) -> ScoreGrid {
    let axis = || ScoreAxis {
        name: "C".to_owned(),
        values: values.to_vec(),
        scale,
    };
    ScoreGrid {
        axes: vec![axis(), axis()],
        points: values
            .iter()
            .map(|v| ScorePoint {
                values: vec![*v, *v],
                score: *v,
                error: *v,
                complete: false,
            })
            .collect(),
        ..ScoreGrid::default()
    }
}

fn structure(values: &[f64]) -> Structure {
    let atom = |(k, v): (usize, &f64)| Atom {
        at: [*v, k as f64],
        symbol: "N".to_owned(),
        weight: Some(*v),
        ..Atom::default()
    };
    let bond = |k: usize| Bond {
        ends: [k, k / 2],
        order: BondOrder::Double,
    };
    Structure {
        atoms: values.iter().enumerate().map(atom).collect(),
        bonds: (0..=values.len()).map(bond).collect(),
        rings: vec![(0..values.len()).collect()],
        full: values.first().copied(),
        bond_length: values.last().copied(),
        ..Structure::default()
    }
}

fn reliability(values: &[f64]) -> Reliability {
    let bin = |v: &f64| Bin {
        rows: *v as u64,
        predicted: *v,
        observed: *v,
        error: *v,
    };
    let series = ReliabilitySeries {
        bins: values.iter().map(bin).collect(),
        ..ReliabilitySeries::default()
    };
    Reliability {
        series: vec![series.clone(), ReliabilitySeries::default(), series],
        ..Reliability::default()
    }
}

fn tree(values: &[f64]) -> TreeDiagram {
    let node = |(k, v): (usize, &f64)| TreeNode {
        parent: (k > 0).then_some(k / 2),
        branch: v.to_string(),
        text: v.to_string(),
        is_leaf: k % 2 == 0,
        shares: vec![*v, 0.5],
        ..TreeNode::default()
    };
    TreeDiagram {
        title: String::new(),
        nodes: values.iter().enumerate().map(node).collect(),
    }
}

fn flow_chart(values: &[f64], flow: Flow) -> FlowChart {
    let node = |(k, v): (usize, &f64)| {
        let outlines = [Outline::Box, Outline::Circle, Outline::None];
        FlowNode::new(*v as usize, v.to_string())
            .detail(v.to_string())
            .outline(outlines[k % 3])
    };
    let link = |(k, v): (usize, &f64)| FlowLink::new(k, *v as usize).label(v.to_string());
    FlowChart {
        flow,
        levels: values.iter().map(f64::to_string).collect(),
        nodes: values.iter().enumerate().map(node).collect(),
        links: values.iter().enumerate().map(link).collect(),
        ..FlowChart::default()
    }
}

fn unit_map(values: &[f64], hexagonal: bool) -> UnitMap {
    let unit = |v: &f64| UnitCell {
        distance: *v,
        rows: *v,
        tip: v.to_string(),
    };
    UnitMap {
        columns: values.len() / 2,
        hexagonal,
        units: values.iter().map(unit).collect(),
        ..UnitMap::default()
    }
}

fn clusters(values: &[f64]) -> ClusterPlot {
    let group = |v: &f64| ClusterGroup {
        name: v.to_string(),
        points: vec![[*v, -*v], [0.0, *v]],
        centre: Some([*v, *v]),
        ..ClusterGroup::default()
    };
    ClusterPlot {
        groups: values.iter().map(group).collect(),
        ..ClusterPlot::default()
    }
}

fn boundary(values: &[f64]) -> Boundary {
    let first = values.first().copied().unwrap_or(0.0);
    let row = |v: &f64| BoundaryRow {
        at: [*v, -*v],
        class: *v as usize % 3,
        is_wrong: *v > 0.0,
        is_support: *v < 1.0,
    };
    let line: Vec<[f64; 2]> = values.iter().map(|v| [*v, *v]).collect();
    Boundary {
        ends: [[first, -first], [first, first]],
        classes: vec!["a class".to_owned(), String::new()],
        regions: vec![Region {
            label: 1,
            outline: line.clone(),
        }],
        border: vec![line.clone()],
        margins: vec![line, Vec::new()],
        rows: values.iter().map(row).collect(),
        ..Boundary::default()
    }
}

fn dependence(values: &[f64], levels: &[String]) -> DependencePlot {
    let line = DependenceLine {
        name: "mean".to_owned(),
        values: values.to_vec(),
        half_widths: values.to_vec(),
    };
    let panel = DependencePanel {
        places: values.to_vec(),
        levels: levels.to_vec(),
        lines: vec![line.clone(), line],
        curves: vec![values.to_vec(); 3],
        rug: values.to_vec(),
        ..DependencePanel::default()
    };
    DependencePlot {
        panels: vec![panel; 3],
        ..DependencePlot::default()
    }
}

fn heat_map(values: &[f64]) -> HeatMap {
    let cell = |(k, v): (usize, &f64)| Cell {
        column: k,
        row: k % 3,
        depth: *v,
        text: v.to_string(),
        best: true,
        ..Cell::default()
    };
    HeatMap {
        cells: values.iter().enumerate().map(cell).collect(),
        ..HeatMap::default()
    }
}

fn bar_chart(values: &[f64]) -> BarChart {
    let bar = |v: &f64| {
        Some(Bar {
            value: *v,
            label: v.to_string(),
        })
    };
    BarChart {
        series: vec![BarSeries::default(); values.len()],
        panels: vec![String::new(), String::new()],
        rows: vec![BarRow {
            bars: vec![values.iter().map(bar).collect()],
            ..BarRow::default()
        }],
        ..BarChart::default()
    }
}

/// How far the groups around a node move it.
fn moved(node: roxmltree::Node<'_, '_>) -> [f64; 2] {
    let mut by = [0.0; 2];
    for group in node.ancestors().filter(|n| n.has_tag_name("g")) {
        let place = group.attribute("transform").unwrap_or_default();
        if let Some(place) = place.strip_prefix("translate(") {
            let numbers = place.trim_end_matches(')').split(' ');
            for (sum, number) in by.iter_mut().zip(numbers) {
                *sum += number.parse::<f64>().expect("a number");
            }
        }
    }
    by
}

/// Coordinates are numbers within a pixel or two of the drawing.
fn assert_sound(name: &str, svg: &str, values: &[f64]) {
    let xml = Xml::parse(svg.trim_end()).unwrap_or_else(|e| panic!("{name} {values:?}: {e}"));
    let size: Vec<f64> = xml
        .root_element()
        .attribute("viewBox")
        .expect("a size")
        .split(' ')
        .map(|v| v.parse().expect("a number"))
        .collect();
    for node in xml.descendants().filter(roxmltree::Node::is_element) {
        let by = moved(node);
        for attribute in node.attributes() {
            let value = attribute.value();
            let name_of = attribute.name();
            match attribute.name() {
                "x" | "y" | "x1" | "x2" | "y1" | "y2" | "cx" | "cy" | "r" | "width" | "height"
                    if value != "100%" =>
                {
                    let number: f64 = value.parse().unwrap_or(f64::NAN);
                    let (number, most) = match name_of.trim_start_matches('c').as_bytes()[0] {
                        b'x' => (number + by[0], size[2]),
                        b'y' => (number + by[1], size[3]),
                        _ => (number, size[2].max(size[3])),
                    };
                    assert!(
                        (-2.0..=most + 2.0).contains(&number),
                        "{name} {values:?}: {}={value}",
                        attribute.name()
                    );
                }
                "d" | "viewBox" | "transform" => {
                    assert!(
                        !value.contains("NaN") && !value.contains("inf"),
                        "{name} {value}"
                    );
                    assert!(
                        attribute.name() != "d" || value.starts_with('M'),
                        "{name} {value:?}"
                    );
                }
                _ => {}
            }
        }
    }
}

#[test]
fn edges() {
    let cases: [&[f64]; 14] = [
        &[],
        &[0.0],
        &[1.0],
        &[-3.5],
        &[f64::NAN],
        &[f64::INFINITY, f64::NEG_INFINITY],
        &[f64::NAN, 2.0, f64::INFINITY, -1.0],
        &[7.0, 7.0, 7.0],
        &[f64::MAX, f64::MIN],
        &[1e308, 1.0, 1e-308],
        &[5e-324, 0.0, -0.0],
        &[1e15, 1e15 + 1.0],
        &[1e6, 1e6 + 1e-7],
        &[0.1, 0.2, 0.4, 0.8],
    ];
    for values in cases {
        for (name, figure) in figures(values) {
            assert_sound(name, &figure.to_svg(), values);
            assert_sound(name, &figure.to_markup().into_string(), values);
        }
    }
}

#[test]
fn equal_figures_are_equal_bytes() {
    let all = || samples::all(&str::to_owned);
    for ((name, first), (_, second)) in all().into_iter().zip(all()) {
        assert_eq!(first.to_svg(), second.to_svg(), "{name}");
        assert_eq!(first.to_markup(), second.to_markup(), "{name}");
    }
}

#[test]
fn samples_are_sound() {
    for (name, figure) in samples::all(&str::to_owned) {
        assert_sound(name, &figure.to_svg(), &[]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_numbers(values in prop::collection::vec(any::<f64>(), 0..9)) {
        for (name, figure) in figures(&values) {
            assert_sound(name, &figure.to_svg(), &values);
        }
    }
}
