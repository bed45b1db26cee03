//! One figure of each kind, from numbers that are made up.

use mercer_plot::lattice::{Crossings, Lattice};
use mercer_plot::molecule::{Atom, Bond, BondOrder, Structure};
use mercer_plot::{
    Amount, Axis, Bar, BarChart, BarRow, BarSeries, Bin, Boundary, BoundaryRow, Cell, ClusterGroup,
    ClusterPlot, CoefficientPath, Curve, CurvePoint, Figure, Flow, FlowChart, FlowLink, FlowNode,
    Forecast, Group, HeatMap, Histogram, Influence, InfluenceChart, Interval, Layer, Mark,
    MatrixMap, Outline, Plane, PrecisionRecall, Reliability, ReliabilitySeries, Roc, Scale,
    Scatter, ScoreAxis, ScoreGrid, ScorePoint, Sign, Size, Spectrum, Stack, Trace, TracePoint,
    Traces, TreeDiagram, TreeNode, UnitCell, UnitMap,
};

#[path = "dependence.rs"]
mod dependence;

/// A figure with the name of its file.
pub(crate) type Named = (&'static str, Box<dyn Figure>);

/// Numbers between 0 and 1 that look random and are always the same.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        // The constants of Knuth's MMIX.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// About normal, around 0 with standard deviation 1.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() - 6.0
    }
}

/// Returns every figure; `text` may change what is written on it.
pub(crate) fn all(text: &dyn Fn(&str) -> String) -> Vec<Named> {
    let mut figures: Vec<Named> = vec![
        ("histogram", Box::new(histogram(text))),
        ("errors", Box::new(errors(text))),
        ("sureness", Box::new(sureness(text))),
        ("scatter", Box::new(scatter(text))),
        ("forecast", Box::new(forecast(text))),
        ("roc", Box::new(roc())),
        ("precision-recall", Box::new(precision_recall())),
        ("curve", Box::new(curve(text))),
        ("evidence", Box::new(evidence(text))),
        ("far-point", Box::new(far_point(text))),
        ("reliability", Box::new(reliability(text))),
        ("learning-curve", Box::new(traces(text, false))),
        ("kernels", Box::new(traces(text, true))),
        ("score-map", Box::new(score_map(text, 2))),
        ("score-curve", Box::new(score_map(text, 1))),
        ("landscape", Box::new(landscape(text))),
        ("bar-chart", Box::new(bar_chart(text))),
        ("tree", Box::new(tree(text))),
        ("flow-chart", Box::new(flow_chart(text, Flow::Right))),
        ("flow-chart-down", Box::new(flow_chart(text, Flow::Down))),
        ("clusters", Box::new(clusters(text))),
        ("boundary", Box::new(boundary(text))),
        ("kernel-matrix", Box::new(matrix_map(text))),
        ("spectrum", Box::new(spectrum(text))),
        ("coefficient-path", Box::new(coefficient_path(text))),
        ("dependence", Box::new(dependence::dependence(text))),
        ("hexagonal-map", Box::new(unit_map(text, true))),
        ("square-map", Box::new(unit_map(text, false))),
        ("influence-chart", Box::new(influence_chart(text))),
        ("molecule", Box::new(molecule(text, false))),
        ("explained-molecule", Box::new(molecule(text, true))),
    ];
    figures.push((
        "interval",
        Box::new(Interval {
            value: 0.62,
            ends: [0.5, 0.71],
            scale: [0.0, 1.0],
        }),
    ));
    let parts = Stack {
        parts: vec![212, 357, 80, 40, 30, 20],
        whole: None,
    };
    figures.push(("stack", Box::new(parts)));
    figures.push(("influence", Box::new(Influence { share: -0.7 })));
    let amount = Amount {
        share: 0.6,
        error: 0.1,
    };
    figures.push(("amount", Box::new(amount)));
    figures.push(("good", Box::new(Sign::Good)));
    figures.push(("bad", Box::new(Sign::Bad)));
    figures.push(("open", Box::new(Sign::Open)));
    figures
}

fn clusters(text: &dyn Fn(&str) -> String) -> ClusterPlot {
    let mut numbers = Numbers(21);
    let groups = (0..7).map(|k| {
        let middle = [(k % 3) as f64 * 6.0, (k / 3) as f64 * 5.0];
        let points: Vec<[f64; 2]> = (0..30)
            .map(|_| middle.map(|m| m + numbers.normal()))
            .collect();
        ClusterGroup {
            name: text(&format!("cluster {k}")),
            remark: text("30 rows"),
            points,
            centre: Some(middle),
        }
    });
    ClusterPlot {
        title: text("Seven clusters"),
        note: text("Rows in the two directions of largest variance; larger marks are centres."),
        names: [
            text("first direction, 61 %"),
            text("second direction, 23 %"),
        ],
        groups: groups.collect(),
    }
}

/// A circle among others: the decision is 2 − ‖x‖.
fn boundary(text: &dyn Fn(&str) -> String) -> Boundary {
    let mut numbers = Numbers(31);
    let ends = [[-4.0, 4.0], [-3.2, 3.2]];
    let lattice = Lattice::over(ends, [49, 41]);
    let decision = |[x, y]: [f64; 2]| 2.0 - x.hypot(y);
    let values: Vec<f64> = lattice.places().into_iter().map(decision).collect();
    let labels: Vec<u32> = values.iter().map(|v| u32::from(*v >= 0.0)).collect();
    let rows = (0..120).map(|_| {
        let at = [1.6 * numbers.normal(), 1.3 * numbers.normal()];
        let sure = decision(at);
        let class = usize::from(sure + 0.5 * numbers.normal() > 0.0);
        BoundaryRow {
            at,
            class,
            is_wrong: (sure > 0.0) != (class == 1),
            is_support: sure.abs() < 1.0,
        }
    });
    Boundary {
        title: text("Where svc decides"),
        note: text("Two columns of three; held: age = 41."),
        names: [text("length in cm"), text("width in cm")],
        ends,
        classes: vec![text("outside"), text("inside")],
        rows: rows.collect(),
        regions: lattice.regions(&labels, &Crossings::new()),
        border: lattice.level(&values, 0.0),
        margins: [-1.0, 1.0]
            .into_iter()
            .flat_map(|level| lattice.level(&values, level))
            .collect(),
    }
}

/// Three clusters on a line under a Gaussian kernel.
fn matrix_map(text: &dyn Fn(&str) -> String) -> MatrixMap {
    let mut numbers = Numbers(37);
    let groups = [40, 30, 20];
    let mut places = Vec::new();
    for (k, rows) in groups.into_iter().enumerate() {
        places.extend((0..rows).map(|_| 2.5 * k as f64 + numbers.normal()));
    }
    let entry = |a: &f64, b: &f64| (-(a - b).powi(2) / 4.0).exp();
    MatrixMap {
        title: text("Kernel matrix"),
        note: text("Mean within classes 0.62, between 0.21; alignment with the target 0.41."),
        name: text("rows, sorted by kind"),
        values: places
            .iter()
            .flat_map(|a| places.iter().map(move |b| entry(a, b)))
            .collect(),
        groups: ["setosa", "versicolor", "virginica"]
            .map(text)
            .into_iter()
            .zip(groups)
            .collect(),
    }
}

fn spectrum(text: &dyn Fn(&str) -> String) -> Spectrum {
    Spectrum {
        title: text("Spectrum of the kernel matrix"),
        note: text("Dashed: λ = 0.1 across, the effective dimension 14.2 upright."),
        eigenvalues: (0..90)
            .map(|k| 60.0 * (-0.35 * f64::from(k)).exp())
            .collect(),
        level: Some(0.1),
        dimension: Some(14.2),
    }
}

fn coefficient_path(text: &dyn Fn(&str) -> String) -> CoefficientPath {
    let at: Vec<f64> = (0..60)
        .map(|k| 10_f64.powf(2.0 - f64::from(k) / 15.0))
        .collect();
    let line = |k: usize| {
        let sign = if k.is_multiple_of(2) { 1.0 } else { -1.0 };
        let size = 3.0 / (1.0 + k as f64);
        let shrunk = |lambda: &f64| sign * (size - 0.1 * lambda).max(0.0);
        (
            text(&format!("column {k}")),
            at.iter().map(shrunk).collect(),
        )
    };
    CoefficientPath {
        title: text("Path of the LASSO"),
        note: text(
            "Columns are standardised; the dashed line is the λ with the least error of held-out rows.",
        ),
        x_name: text("λ"),
        y_name: text("coefficient"),
        lines: (0..14).map(line).collect(),
        chosen: Some(2.0),
        at,
    }
}

fn unit_map(text: &dyn Fn(&str) -> String, hexagonal: bool) -> UnitMap {
    let mut numbers = Numbers(23);
    let columns = 12;
    let units = (0..8 * columns).map(|k| {
        let ridge = ((k % columns) as f64 - 5.0 - (k / columns) as f64 / 3.0).abs();
        UnitCell {
            distance: 1.0 / (1.0 + ridge) + 0.2 * numbers.next(),
            rows: (9.0 * numbers.next() * ridge.min(1.0)).floor(),
            tip: text(&format!("unit {k}")),
        }
    });
    UnitMap {
        title: text("A map of flowers"),
        columns,
        hexagonal,
        units: units.collect(),
        key: text("mean distance from the neighbours; discs are rows"),
    }
}

fn group(numbers: &mut Numbers, name: String, rows: usize, middle: f64) -> Group {
    Group {
        name,
        values: (0..rows).map(|_| middle + numbers.normal()).collect(),
    }
}

fn histogram(text: &dyn Fn(&str) -> String) -> Histogram {
    let mut numbers = Numbers(1);
    Histogram {
        title: text("Decision values by class"),
        name: text("decision value"),
        groups: vec![
            group(&mut numbers, text("benign"), 357, -1.4),
            group(&mut numbers, text("malignant"), 212, 1.8),
        ],
        threshold: Some(0.0),
        size: Size::Wide,
    }
}

fn errors(text: &dyn Fn(&str) -> String) -> Histogram {
    let mut numbers = Numbers(2);
    let mut all = group(&mut numbers, text("errors"), 442, 0.0);
    all.values.iter_mut().for_each(|value| *value *= 54_321.0);
    Histogram {
        title: text("Errors"),
        name: text("true minus predicted value"),
        groups: vec![all],
        threshold: Some(0.0),
        size: Size::Half,
    }
}

fn sureness(text: &dyn Fn(&str) -> String) -> Histogram {
    let mut numbers = Numbers(3);
    let names = [
        "setosa",
        "versicolor",
        "virginica",
        "a class whose name is rather long",
        "e",
        "f",
    ];
    Histogram {
        title: text("Probability of the true class"),
        name: text("probability of the true class"),
        groups: names
            .iter()
            .map(|name| Group {
                name: text(name),
                values: (0..120).map(|_| numbers.next().powf(0.2)).collect(),
            })
            .collect(),
        threshold: None,
        size: Size::Wide,
    }
}

fn forecast(text: &dyn Fn(&str) -> String) -> Forecast {
    let mut numbers = Numbers(9);
    let wave = |step: f64| 200.0 + 0.6 * step + 40.0 * (step / 12.0 * std::f64::consts::TAU).sin();
    let history: Vec<f64> = (0..120)
        .map(|step| wave(f64::from(step)) + 9.0 * numbers.normal())
        .collect();
    let values: Vec<f64> = (120..132).map(|step| wave(f64::from(step))).collect();
    let band = values.iter().zip(1_u32..).map(|(value, step)| {
        let half = 14.0 + 2.0 * f64::from(step);
        [value - half, value + half]
    });
    Forecast {
        title: text("Twelve months to come"),
        x_name: text("months from 2023-12"),
        y_name: text("visitors"),
        band: band.collect(),
        values,
        history,
        band_name: text("90 % interval"),
        errors: (0..80).map(|_| 9.0 * numbers.normal()).collect(),
    }
}

fn scatter(text: &dyn Fn(&str) -> String) -> Scatter {
    let mut numbers = Numbers(4);
    Scatter {
        title: text("Predicted against true values"),
        pairs: (0..442)
            .map(|_| {
                let truth = 150.0 + 60.0 * numbers.normal();
                [
                    truth,
                    150.0 + 0.7 * (truth - 150.0) + 25.0 * numbers.normal(),
                ]
            })
            .collect(),
    }
}

fn roc() -> Roc {
    let points = (0..=200).map(|k| f64::from(k) / 200.0);
    Roc {
        points: points.map(|x| [x, x.powf(0.18)]).collect(),
        in_use: Some([0.06, 0.61]),
    }
}

fn curve(text: &dyn Fn(&str) -> String) -> Curve {
    let point = |power: i32| CurvePoint {
        x: 10_f64.powi(power),
        y: 0.95 - 0.01 * f64::from(power - 1).powi(2),
        error: 0.012,
    };
    Curve {
        title: text("accuracy over C"),
        x_name: text("C"),
        y_name: text("accuracy"),
        scale: Scale::Log,
        points: (-2..=4).map(point).collect(),
        best: Some(3),
    }
}

fn evidence(text: &dyn Fn(&str) -> String) -> Curve {
    let point = |k: i32| {
        let x = f64::from(k) / 10.0;
        CurvePoint {
            x: 10_f64.powf(x),
            y: -612.0 - 3.0 * (x - 1.7).powi(2),
            error: 0.0,
        }
    };
    Curve {
        title: text("Evidence over γ"),
        x_name: text("γ"),
        y_name: text("log evidence"),
        scale: Scale::Log,
        points: (-30..=60).map(point).collect(),
        best: Some(47),
    }
}

fn far_point(text: &dyn Fn(&str) -> String) -> Plane {
    let left = vec![[1.0, 1.2], [1.4, 2.6], [0.6, 3.4], [1.7, 4.1], [0.9, 5.0]];
    let right = vec![[3.4, 1.0], [3.0, 2.2], [3.7, 3.1], [3.1, 4.4], [11.0, 6.3]];
    let points = |at: Vec<[f64; 2]>| Mark::Points {
        at,
        errors: Vec::new(),
        joined: false,
    };
    Plane::new(text("A far point moves least squares, not the margin"))
        .note(text(
            "Without the far point at the right, both lines are where the solid one is.",
        ))
        .x(Axis::default().between(0.0, 12.0).bare())
        .y(Axis::default().between(0.0, 7.0).bare())
        .layer(Layer::new(
            text("support vector machine"),
            0,
            Mark::Line(vec![[2.3, 0.0], [2.5, 7.0]]),
        ))
        .layer(Layer::new(
            text("least squares"),
            1,
            Mark::Line(vec![[2.6, 0.0], [4.4, 7.0]]),
        ))
        .layer(Layer::unnamed(5, points(left)))
        .layer(Layer::unnamed(3, points(right)))
}

fn reliability(text: &dyn Fn(&str) -> String) -> Reliability {
    let series = |name: &str, bend: f64| {
        let bin = |k: i32| {
            let predicted = (f64::from(k) + 0.5) / 10.0;
            Bin {
                rows: 400 + 160 * i64::from((k - 5).pow(2)).unsigned_abs(),
                predicted,
                observed: predicted + bend * (predicted - 0.5),
                error: 0.03,
            }
        };
        ReliabilitySeries {
            name: text(name),
            remark: text("calibration error 1.23 %"),
            bins: (0..10).map(bin).collect(),
        }
    };
    Reliability {
        title: text("Do probabilities come true?"),
        note: text("On the diagonal: as often as predicted; bars are two standard errors."),
        series: vec![series("mercer", 0.03), series("SVC, grid, Platt", -0.2)],
    }
}

fn score_map(text: &dyn Fn(&str) -> String, settings: usize) -> ScoreGrid {
    let axis = |name: &str, low: i32, high: i32| ScoreAxis {
        name: text(name),
        values: (low..=high).map(|power| 10_f64.powi(power)).collect(),
        scale: Scale::Log,
    };
    let mut axes = vec![axis("C", -2, 6), axis("gamma", -6, 1)];
    axes.truncate(settings);
    let mut points = Vec::new();
    for (i, c) in axes[0].values.iter().enumerate() {
        let others: &[f64] = axes.get(1).map_or(&[0.0], |axis| &axis.values);
        for (j, gamma) in others.iter().enumerate() {
            let (a, b) = (i as f64 - 4.0, j as f64 - 3.0);
            let score = 0.98 - 0.01 * a * a - 0.012 * b * b;
            points.push(ScorePoint {
                values: [*c, *gamma][..settings].to_vec(),
                score: score.max(0.55),
                error: 0.015,
                complete: score > 0.7,
            });
        }
    }
    let best = (0..points.len()).max_by(|&a, &b| points[a].score.total_cmp(&points[b].score));
    ScoreGrid {
        metric: text("balanced_accuracy"),
        is_loss: false,
        axes,
        points,
        best: best.unwrap_or(0),
    }
}

fn landscape(text: &dyn Fn(&str) -> String) -> HeatMap {
    let (columns, rows) = (25, 9);
    let ticks = |count: usize| (0..count).map(move |k| 10_f64.powf(k as f64 / 4.0 - 2.0));
    let cell = |place: usize| {
        let (column, row) = (place % columns, place / columns);
        let (a, b) = (column as f64 / 12.0 - 1.2, row as f64 / 4.0 - 0.8);
        Cell {
            column,
            row,
            depth: (1.0 - a * a - b * b).max(0.0),
            tip: text("a point"),
            best: (column, row) == (14, 3),
            ..Cell::default()
        }
    };
    HeatMap {
        title: text("Evidence over γ and the kernel's hyperparameters"),
        names: [text("γ"), text("factor on the hyperparameters")],
        ticks: [
            ticks(columns).map(|v| text(&format!("{v:.2e}"))).collect(),
            ticks(rows).map(|v| text(&format!("{v:.2}"))).collect(),
        ],
        cells: (0..columns * rows).map(cell).collect(),
        key: Some([text("60 below the best"), text("best")]),
    }
}

fn tree(text: &dyn Fn(&str) -> String) -> TreeDiagram {
    let node = |parent: Option<usize>, branch: &str, words: &str, first: f64| TreeNode {
        parent,
        branch: text(branch),
        text: text(words),
        is_leaf: first == 0.0 || first == 1.0 || words.starts_with("does"),
        shares: vec![first, 1.0 - first],
        tip: text("14 rows"),
    };
    TreeDiagram {
        title: text("When people play golf"),
        nodes: vec![
            node(None, "", "outlook", 0.64),
            node(Some(0), "= overcast", "play", 1.0),
            node(Some(0), "= rainy", "windy", 0.6),
            node(Some(0), "= sunny", "relative humidity at noon", 0.4),
            node(Some(2), "= false", "play", 1.0),
            node(Some(2), "= true", "does not play", 0.1),
            node(Some(3), "<= 75", "play", 1.0),
            node(Some(3), "> 75", "does not play", 0.0),
        ],
    }
}

fn flow_chart(text: &dyn Fn(&str) -> String, flow: Flow) -> FlowChart {
    FlowChart {
        title: text("From rows to a model"),
        note: text("What is held out is predicted by a model that has not seen it."),
        flow,
        levels: ["data", "search", "answer"].map(text).to_vec(),
        nodes: vec![
            FlowNode::new(0, text("rows")).detail(text("150 of 4 columns")),
            FlowNode::new(1, text("+"))
                .outline(Outline::Circle)
                .series(1),
            FlowNode::new(1, text("fit")).series(0),
            FlowNode::new(2, text("or a guess")).outline(Outline::None),
            FlowNode::new(2, text("score"))
                .detail(text("accuracy of rows that are held out"))
                .series(2),
        ],
        links: vec![
            FlowLink::new(0, 1),
            FlowLink::new(0, 2).label(text("folds")),
            FlowLink::new(1, 3),
            FlowLink::new(2, 4),
            FlowLink::new(4, 2).label(text("next fold")),
        ],
    }
}

fn influence_chart(text: &dyn Fn(&str) -> String) -> InfluenceChart {
    let bars = [
        ("petal_width", 1.3),
        ("a word of a long text that goes on and on", -0.75),
        ("sepal_length", 0.02),
    ];
    InfluenceChart {
        title: text("What carries the prediction"),
        note: text("Right of 0 a part raises it, left of 0 it lowers it."),
        bars: bars.map(|(name, value)| (text(name), value)).to_vec(),
    }
}

fn bar_chart(text: &dyn Fn(&str) -> String) -> BarChart {
    let peers = [
        "LIBSVM",
        "scikit-learn",
        "intelex",
        "ThunderSVM",
        "linfa",
        "smartcore",
    ];
    let mut numbers = Numbers(5);
    let mut bars = |fewer: usize| -> Vec<Option<Bar>> {
        (0..peers.len())
            .map(|peer| {
                let value = 10_f64.powf(2.6 * numbers.next() - 0.4);
                (peer % 3 != fewer).then(|| Bar {
                    value,
                    label: text(&format!("{value:.1}")),
                })
            })
            .collect()
    };
    let rows = [
        "a9a",
        "ijcnn1",
        "a data set with a long name",
        "mean, thousands",
    ];
    BarChart {
        title: text("How many times longer than mercer, 2 threads"),
        note: text("Bars to the right of 1 ×: mercer is faster."),
        series: peers
            .iter()
            .enumerate()
            .map(|(series, name)| BarSeries {
                name: text(name),
                series,
            })
            .collect(),
        panels: vec![text("fit"), text("predict")],
        rows: rows
            .iter()
            .enumerate()
            .map(|(k, name)| BarRow {
                name: text(name),
                strong: k == 3,
                bars: vec![bars(k), bars(k)],
            })
            .collect(),
        unit: "×".to_owned(),
    }
}

/// Para-aminobenzoic acid, its charges as they are in water.
fn molecule(text: &dyn Fn(&str) -> String, explained: bool) -> Structure {
    let root = 3_f64.sqrt() / 2.0;
    let places = [
        [0.0, 1.0],
        [root, 0.5],
        [root, -0.5],
        [0.0, -1.0],
        [-root, -0.5],
        [-root, 0.5],
        [0.0, 2.0],
        [root, 2.5],
        [-root, 2.5],
        [0.0, -2.0],
    ];
    let symbols = ["", "", "", "", "", "", "", "O", "O", "N"];
    let bonds = [
        (0, 1, BondOrder::Aromatic),
        (1, 2, BondOrder::Aromatic),
        (2, 3, BondOrder::Aromatic),
        (3, 4, BondOrder::Aromatic),
        (4, 5, BondOrder::Aromatic),
        (5, 0, BondOrder::Aromatic),
        (0, 6, BondOrder::Single),
        (6, 7, BondOrder::Double),
        (6, 8, BondOrder::Single),
        (3, 9, BondOrder::Single),
    ];
    let atom = |(k, at): (usize, [f64; 2])| Atom {
        at,
        symbol: text(symbols[k]),
        hydrogens: if k == 9 { 2 } else { 0 },
        charge: if k == 8 { -1 } else { 0 },
        isotope: None,
        weight: explained.then(|| [0.1, -0.4, 0.0, 0.3, -0.2, 0.05, 0.5, 1.2, -0.9, 0.8][k]),
    };
    Structure {
        title: text(if explained {
            "What the decision loses without an atom"
        } else {
            "Para-aminobenzoate"
        }),
        atoms: places.into_iter().enumerate().map(atom).collect(),
        bonds: bonds
            .map(|(a, b, order)| Bond {
                ends: [a, b],
                order,
            })
            .to_vec(),
        rings: vec![(0..6).collect()],
        legend: text("influence"),
        ..Structure::default()
    }
}

fn traces(text: &dyn Fn(&str) -> String, names: bool) -> Traces {
    let sizes = [20.0, 40.0, 80.0, 160.0, 320.0];
    let line = |name: &str, end: f64, slope: f64| Trace {
        name: text(name),
        points: sizes
            .iter()
            .enumerate()
            .map(|(place, size)| TracePoint {
                x: if names { place as f64 } else { *size },
                y: end + slope / size.sqrt(),
                deviation: 0.03 + 0.1 / size.sqrt(),
            })
            .collect(),
    };
    let kernels = ["linear", "poly(degree=2)", "rbf", "laplace", "matern52"];
    Traces {
        title: text(if names {
            "Accuracy over kernel"
        } else {
            "Accuracy over rows"
        }),
        note: text("Bands are the standard deviation over the folds."),
        x_name: text(if names {
            "kernel"
        } else {
            "rows that are learnt from"
        }),
        y_name: text("accuracy"),
        scale: if names { Scale::Linear } else { Scale::Log },
        names: if names {
            kernels.iter().map(|name| text(name)).collect()
        } else {
            Vec::new()
        },
        lines: vec![
            line("training rows", 0.9, 0.2),
            line("held-out rows", 0.88, -0.8),
        ],
        best: names.then_some([4.0, 0.835]),
        expected: (!names).then_some([640.0, 0.85]),
    }
}

fn precision_recall() -> PrecisionRecall {
    let point = |k: u32| {
        let recall = f64::from(k) / 40.0;
        [recall, 1.0 - 0.75 * recall.powi(3)]
    };
    PrecisionRecall {
        points: (1..=40).map(point).collect(),
        in_use: Some(point(28)),
        share: 0.25,
    }
}
