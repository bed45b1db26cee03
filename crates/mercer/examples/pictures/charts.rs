//! A neuron, the assumptions of a least-squares support vector machine, and how a kernel is selected, as charts.

use mercer_plot::{Flow, FlowChart, FlowLink, FlowNode, Outline};

/// A neuron: the activation A of the sum of inputs times weights.
pub(super) fn neuron() -> FlowChart {
    let sign = |level: usize, text: &str| FlowNode::new(level, text).outline(Outline::Circle);
    let words = |level: usize, text: &str| FlowNode::new(level, text).outline(Outline::None);
    FlowChart {
        title: "An artificial neuron".to_owned(),
        note: "Learning changes the weights w; the activation A is chosen.".to_owned(),
        flow: Flow::Right,
        levels: ["inputs", "sum", "activation", "output"]
            .map(str::to_owned)
            .to_vec(),
        nodes: vec![
            sign(0, "x₁"),
            sign(0, "x₂"),
            words(0, "⋮"),
            sign(0, "xₙ"),
            sign(1, "Σ").series(0),
            sign(2, "A").series(1),
            words(3, "A(Σ wᵢ xᵢ)"),
        ],
        links: vec![
            FlowLink::new(0, 4).label("w₁"),
            FlowLink::new(1, 4).label("w₂"),
            FlowLink::new(3, 4).label("wₙ"),
            FlowLink::new(4, 5).label("Σ wᵢ xᵢ"),
            FlowLink::new(5, 6),
        ],
    }
}

/// What a least-squares support vector machine assumes, from the kernel down to the rows.
pub(super) fn assumptions() -> FlowChart {
    let flat = "of variance without bound";
    FlowChart {
        title: "The assumptions of a least-squares support vector machine".to_owned(),
        note: "Arrows lead to what is drawn given the rest. The evidence of a level is the likelihood of the one above."
            .to_owned(),
        flow: Flow::Down,
        levels: ["3: kernels", "2: hyperparameters", "1: parameters", "data"]
            .map(str::to_owned)
            .to_vec(),
        nodes: vec![
            FlowNode::new(0, "kernel Kᵢ = φᵢᵀφᵢ").detail("P(Kᵢ) = 1/m").series(3),
            FlowNode::new(1, "precision μ").detail("log μ normal,").detail(flat).series(1),
            FlowNode::new(1, "variance of b").detail("goes to infinity").series(1),
            FlowNode::new(1, "precision ξ").detail("log ξ normal,").detail(flat).series(1),
            FlowNode::new(2, "weights w").detail("w ~ N(0, I/μ)").series(0),
            FlowNode::new(2, "constant b").detail("flat").series(0),
            FlowNode::new(2, "errors e").detail("eⱼ ~ N(0, 1/ξ)").series(0),
            FlowNode::new(3, "rows D").detail("yⱼ(wᵀφᵢ(xⱼ) + b) = 1 − eⱼ"),
        ],
        links: [[0, 1], [0, 2], [0, 3], [1, 4], [2, 5], [3, 6], [4, 7], [5, 7], [6, 7]]
            .map(|[from, to]| FlowLink::new(from, to))
            .to_vec(),
    }
}

/// How a kernel is selected by its evidence, step by step.
pub(super) fn selection() -> FlowChart {
    let nodes = vec![
        FlowNode::new(0, "rows D, kernels K₁, …, Kₘ")
            .detail("priors P(Kᵢ), equal if nothing is known"),
        FlowNode::new(1, "centre the kernel matrix of Kᵢ")
            .detail("its eigenvalues λⱼ > 0")
            .series(0),
        FlowNode::new(2, "precisions at the least cost")
            .detail("μ and ξ of largest P(log μ, log ξ | D, Kᵢ)")
            .series(0),
        FlowNode::new(3, "effective parameters")
            .detail("1 + Σ ξλⱼ/(μ + ξλⱼ)")
            .series(0),
        FlowNode::new(4, "evidence P(D | Kᵢ)")
            .detail("likelihood times Occam's factor")
            .series(0),
        FlowNode::new(5, "rank the kernels")
            .detail("P(Kᵢ | D) ∝ P(D | Kᵢ) P(Kᵢ)")
            .series(1),
        FlowNode::new(6, "model of the first kernel")
            .detail("with its μ and ξ")
            .series(2),
    ];
    let mut links: Vec<FlowLink> = (1..nodes.len()).map(|k| FlowLink::new(k - 1, k)).collect();
    links.push(FlowLink::new(4, 1).label("next kernel"));
    FlowChart {
        title: "The steps of kernel selection".to_owned(),
        note: "Every kernel is a model; the largest evidence wins.".to_owned(),
        flow: Flow::Down,
        levels: Vec::new(),
        nodes,
        links,
    }
}
