//! Where the nodes and arrows of a flow chart are.
//!
//! Levels follow each other along the flow, and the nodes of a level stand side by side across it. Places across
//! are equally far apart in all levels, so that what belongs together is in line.

use std::collections::BTreeSet;

use super::flow_chart::{
    DETAIL, Flow, FlowChart, FlowLink, FlowNode, LABEL, LINE, NAME, Outline, TEXT,
};
use crate::measure;

/// Words of a node are broken to this width.
const ROOM: f64 = 230.0;
/// Lines of a paragraph; what follows is cut.
const MOST_LINES: usize = 3;
const LONGEST_LABEL: f64 = 130.0;
const LONGEST_NAME: f64 = 140.0;
const SMALLEST_RADIUS: f64 = 20.0;
/// Between columns and between rows at least.
const COLUMNS: f64 = 40.0;
const ROWS: f64 = 30.0;
/// Between nodes of a level.
const ACROSS: f64 = 20.0;
/// Between the nodes of a level and the edge of its band.
const PAD: f64 = 12.0;
const MARGIN: f64 = 4.0;
/// Between arrows that go around the side.
const LANE: f64 = 18.0;
/// Between the tip of an arrow and its node.
const TIP: f64 = 2.5;

/// A chart that is laid out.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub(super) size: [f64; 2],
    pub(super) bands: Vec<Band>,
    pub(super) nodes: Vec<Placed>,
    pub(super) ways: Vec<Way>,
}

/// The ground of a level with a name.
#[derive(Debug)]
pub(super) struct Band {
    pub(super) corner: [f64; 2],
    pub(super) size: [f64; 2],
    pub(super) name: Name,
}

#[derive(Debug)]
pub(super) struct Name {
    pub(super) lines: Vec<String>,
    pub(super) whole: String,
    /// Middle of the first base line.
    pub(super) middle: [f64; 2],
}

/// A node at its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placed {
    pub(super) middle: [f64; 2],
    pub(super) half: [f64; 2],
    pub(super) lines: Vec<Line>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) is_detail: bool,
}

/// An arrow at its place.
#[derive(Debug)]
pub(super) struct Way {
    /// Which link of the chart it is.
    pub(super) link: usize,
    pub(super) points: Vec<[f64; 2]>,
    /// The label, cut to its room, and its middle.
    pub(super) label: String,
    pub(super) label_at: [f64; 2],
}

impl Line {
    pub(super) fn size(&self) -> f64 {
        if self.is_detail { DETAIL } else { TEXT }
    }

    fn width(&self) -> f64 {
        let bold = if self.is_detail { 1.0 } else { measure::BOLD };
        measure::width(&self.text, self.size()) * bold
    }
}

/// A paragraph in lines that fit their room.
fn broken(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines = measure::lines(text, size, room);
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES);
        if let Some(last) = lines.last_mut() {
            last.push_str(" …");
        }
    }
    let fitted = lines.iter().map(|line| measure::fitted(line, size, room));
    fitted.collect()
}

fn lines(node: &FlowNode) -> Vec<Line> {
    let head = broken(&node.text, TEXT * measure::BOLD, ROOM).into_iter();
    let head = head.map(|text| (text, false));
    let details = node.details.iter().flat_map(|d| broken(d, DETAIL, ROOM));
    head.chain(details.map(|text| (text, true)))
        .map(|(text, is_detail)| Line { text, is_detail })
        .collect()
}

/// Half of the width and height that a node takes for itself.
fn half(node: &FlowNode, lines: &[Line]) -> [f64; 2] {
    let width = lines.iter().map(Line::width).fold(0.0, f64::max);
    let height: f64 = lines.iter().map(|line| line.size() * LINE).sum();
    match node.outline {
        Outline::Box => [width / 2.0 + 13.0, height / 2.0 + 8.0],
        Outline::Circle => [(width.hypot(0.7 * height) / 2.0 + 5.0).max(SMALLEST_RADIUS); 2],
        Outline::None => [width / 2.0 + 4.0, height / 2.0 + 2.0],
    }
}

/// Names of levels take their room beside rows, and above columns.
struct Levels {
    /// The nodes of each.
    nodes: Vec<Vec<usize>>,
    /// The name of each, in lines.
    names: Vec<(Vec<String>, String)>,
}

impl Levels {
    fn of(chart: &FlowChart) -> Self {
        let used: BTreeSet<usize> = chart.nodes.iter().map(|node| node.level).collect();
        let members = |level: usize| {
            let all = chart.nodes.iter().enumerate();
            let own = all.filter(|(_, node)| node.level == level);
            own.map(|(k, _)| k).collect()
        };
        let name = |level: usize| {
            let whole = chart.levels.get(level).cloned().unwrap_or_default();
            (broken(&whole, NAME, LONGEST_NAME), whole)
        };
        Self {
            nodes: used.iter().map(|&level| members(level)).collect(),
            names: used.iter().map(|&level| name(level)).collect(),
        }
    }

    /// Width and height of the largest name.
    fn name_room(&self) -> [f64; 2] {
        let lines = self.names.iter().flat_map(|(lines, _)| lines);
        let width = lines.map(|line| measure::width(line, NAME));
        let count = self.names.iter().map(|(lines, _)| lines.len()).max();
        [
            width.fold(0.0, f64::max),
            NAME * LINE * count.unwrap_or(0) as f64,
        ]
    }

    fn name_width(&self, level: usize) -> f64 {
        let lines = self.names[level].0.iter();
        lines
            .map(|line| measure::width(line, NAME))
            .fold(0.0, f64::max)
    }
}

impl Layout {
    pub(super) fn of(chart: &FlowChart) -> Self {
        // The coordinate along the flow, and the one across it.
        let (along, across) = match chart.flow {
            Flow::Right => (0, 1),
            Flow::Down => (1, 0),
        };
        let levels = Levels::of(chart);
        let mut nodes = sized(chart, &levels, along, across);
        let name_room = levels.name_room();
        let has_names = name_room[0] > 0.0;
        let pad = if has_names { PAD } else { 0.0 };
        // Names stand before the nodes, seen across the flow.
        let before = if has_names {
            name_room[across] + PAD
        } else {
            0.0
        };
        let widest = nodes.iter().map(|p| p.half[across]).fold(0.0, f64::max);
        let pitch = 2.0 * widest + ACROSS;
        let most = levels.nodes.iter().map(Vec::len).max().unwrap_or(0);
        let room = pitch * most as f64 - if most > 0 { ACROSS } else { 0.0 };
        let first = MARGIN + pad + before;
        let mut bands = Vec::new();
        let mut at = MARGIN;
        for (level, members) in levels.nodes.iter().enumerate() {
            let name = match chart.flow {
                Flow::Right => levels.name_width(level),
                Flow::Down => NAME * LINE * levels.names[level].0.len() as f64,
            };
            let lengths = members.iter().map(|&k| 2.0 * nodes[k].half[along]);
            let deep = lengths.fold(name, f64::max);
            for (place, &k) in members.iter().enumerate() {
                let shift = place as f64 - (members.len() as f64 - 1.0) / 2.0;
                nodes[k].middle[along] = at + pad + deep / 2.0;
                nodes[k].middle[across] = first + room / 2.0 + shift * pitch;
            }
            let (lines, whole) = &levels.names[level];
            if !lines.is_empty() {
                let mut size = [0.0; 2];
                size[along] = deep + 2.0 * pad;
                size[across] = before + room + 2.0 * pad;
                let mut corner = [MARGIN; 2];
                corner[along] = at;
                let middle = match chart.flow {
                    Flow::Right => [at + size[0] / 2.0, MARGIN + pad + 0.8 * NAME],
                    Flow::Down => {
                        let high = NAME * LINE * lines.len() as f64;
                        let top = at + (size[1] - high) / 2.0;
                        let x = MARGIN + pad + name_room[0] / 2.0;
                        [x, top + NAME * (LINE / 2.0 + 0.36)]
                    }
                };
                let (lines, whole) = (lines.clone(), whole.clone());
                bands.push(Band {
                    corner,
                    size,
                    name: Name {
                        lines,
                        whole,
                        middle,
                    },
                });
            }
            at += deep + 2.0 * pad + gap(chart, members, along);
        }
        let last = levels.nodes.last();
        let mut size = [0.0; 2];
        size[along] = at - last.map_or(0.0, |members| gap(chart, members, along)) + MARGIN;
        size[across] = first + room + pad + MARGIN;
        let mut layout = Self {
            size,
            bands,
            nodes,
            ways: Vec::new(),
        };
        layout.join(chart, along, across);
        layout
    }

    /// Draws the arrows: straight ones first, others around the side.
    fn join(&mut self, chart: &FlowChart, along: usize, across: usize) {
        for (link, ends) in chart.links.iter().enumerate() {
            let (from, to) = (ends.from, ends.to);
            let is_there = from.max(to) < self.nodes.len() && from != to;
            if !is_there {
                continue;
            }
            let [source, target] = [&self.nodes[from], &self.nodes[to]];
            let is_circle = |k: usize| chart.nodes[k].outline == Outline::Circle;
            let start = source.edge(target.middle, is_circle(from), 0.0);
            let end = target.edge(source.middle, is_circle(to), TIP);
            let leads_back = chart.nodes[to].level < chart.nodes[from].level;
            let others = self.nodes.iter().enumerate();
            let mut others = others.filter(|(k, _)| *k != from && *k != to);
            let is_blocked = others.any(|(_, other)| other.is_crossed(start, end));
            let label = measure::fitted(&ends.label, LABEL, LONGEST_LABEL);
            if !leads_back && !is_blocked {
                // Nearer to the source, where arrows with a common end are apart.
                let label_at = [0, 1].map(|axis| start[axis] + 0.42 * (end[axis] - start[axis]));
                self.ways.push(Way {
                    link,
                    points: vec![start, end],
                    label,
                    label_at,
                });
                continue;
            }
            let lane = self.size[across] + LANE - MARGIN;
            let out = |node: &Placed, space: f64| {
                let mut at = node.middle;
                at[across] += node.half[across] + space;
                at
            };
            let (start, end) = (out(source, 0.0), out(target, TIP));
            let (mut bend, mut turn) = (start, end);
            bend[across] = lane;
            turn[across] = lane;
            let mut label_at = [0, 1].map(|axis| f64::midpoint(bend[axis], turn[axis]));
            let mut more = LANE;
            if !label.is_empty() {
                // Beside a lane that runs down, and on one that runs to the left.
                let wide = measure::width(&label, LABEL);
                if across == 0 {
                    label_at[0] += wide / 2.0 + 8.0;
                    more += wide + 8.0;
                } else {
                    let least = wide / 2.0 + MARGIN;
                    label_at[along] = label_at[along].max(least);
                    self.size[along] = self.size[along].max(label_at[along] + least);
                    more += 0.5 * LABEL;
                }
            }
            self.ways.push(Way {
                link,
                points: vec![start, bend, turn, end],
                label,
                label_at,
            });
            self.size[across] += more;
        }
    }
}

/// The nodes with their sizes; boxes of a level are equally long along the flow, all boxes equally wide across it.
fn sized(chart: &FlowChart, levels: &Levels, along: usize, across: usize) -> Vec<Placed> {
    let mut nodes: Vec<Placed> = Vec::with_capacity(chart.nodes.len());
    for node in &chart.nodes {
        let lines = lines(node);
        nodes.push(Placed {
            middle: [0.0; 2],
            half: half(node, &lines),
            lines,
        });
    }
    let largest = |nodes: &[Placed], of: &[usize], outline: Outline, axis: usize| {
        let alike = of.iter().filter(|&&k| chart.nodes[k].outline == outline);
        alike.map(|&k| nodes[k].half[axis]).fold(0.0, f64::max)
    };
    let all: Vec<usize> = (0..nodes.len()).collect();
    let wide = largest(&nodes, &all, Outline::Box, across);
    let radius = largest(&nodes, &all, Outline::Circle, across);
    for members in &levels.nodes {
        let long = largest(&nodes, members, Outline::Box, along);
        for &k in members {
            match chart.nodes[k].outline {
                Outline::Box => {
                    nodes[k].half[along] = long;
                    nodes[k].half[across] = wide;
                }
                Outline::Circle => nodes[k].half = [radius; 2],
                Outline::None => {}
            }
        }
    }
    nodes
}

/// The space behind a level. It has the labels of arrows that lead on from there: beside each other in lines
/// between rows, in their whole width between columns.
fn gap(chart: &FlowChart, members: &[usize], along: usize) -> f64 {
    let leads_on = |link: &&FlowLink| {
        let target = chart.nodes.get(link.to);
        members.contains(&link.from)
            && target.is_some_and(|to| to.level > chart.nodes[link.from].level)
    };
    let labels = chart.links.iter().filter(leads_on).map(|link| {
        let cut = measure::fitted(&link.label, LABEL, LONGEST_LABEL);
        measure::width(&cut, LABEL)
    });
    let widest = labels.fold(0.0, f64::max);
    match along {
        0 => COLUMNS + 1.25 * widest,
        _ if widest > 0.0 => ROWS + LABEL,
        _ => ROWS,
    }
}

impl Placed {
    /// Where the way from the middle to a place leaves the node, and a space beyond.
    fn edge(&self, towards: [f64; 2], is_circle: bool, space: f64) -> [f64; 2] {
        let way = [0, 1].map(|axis| towards[axis] - self.middle[axis]);
        let length = way[0].hypot(way[1]);
        if length < 1e-9 {
            return self.middle;
        }
        let inside = if is_circle {
            self.half[0]
        } else {
            let sides = [0, 1].map(|axis| self.half[axis] * length / way[axis].abs());
            sides[0].min(sides[1])
        };
        let share = (inside + space) / length;
        [0, 1].map(|axis| self.middle[axis] + share * way[axis])
    }

    /// Whether a straight line comes near the node.
    fn is_crossed(&self, from: [f64; 2], to: [f64; 2]) -> bool {
        let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
        for axis in 0..2 {
            let way = to[axis] - from[axis];
            let off = self.middle[axis] - from[axis];
            let half = self.half[axis] + TIP;
            if way.abs() < 1e-9 {
                if off.abs() > half {
                    return false;
                }
            } else {
                let ends = [(off - half) / way, (off + half) / way];
                enters = enters.max(ends[0].min(ends[1]));
                leaves = leaves.min(ends[0].max(ends[1]));
            }
        }
        enters < leaves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(flow: Flow, links: Vec<FlowLink>) -> FlowChart {
        FlowChart {
            flow,
            nodes: (0..3)
                .map(|k| FlowNode::new(k, format!("step {k}")))
                .collect(),
            links,
            ..FlowChart::default()
        }
    }

    #[test]
    fn arrows_end_at_the_edge_of_their_nodes() {
        for (flow, along) in [(Flow::Right, 0), (Flow::Down, 1)] {
            let layout = Layout::of(&chain(flow, vec![FlowLink::new(0, 1)]));
            let [start, end] = layout.ways[0].points[..] else {
                panic!("a straight arrow");
            };
            let [from, to] = [&layout.nodes[0], &layout.nodes[1]];
            assert!((start[along] - from.middle[along] - from.half[along]).abs() < 1e-9);
            assert!((to.middle[along] - to.half[along] - TIP - end[along]).abs() < 1e-9);
        }
        let circle = Placed {
            middle: [1.0, 2.0],
            half: [10.0; 2],
            lines: Vec::new(),
        };
        let [x, y] = circle.edge([31.0, 42.0], true, 0.0);
        assert!((x - 7.0).abs() < 1e-12 && (y - 10.0).abs() < 1e-12);
    }

    #[test]
    fn what_leads_back_or_is_blocked_goes_around() {
        for flow in [Flow::Right, Flow::Down] {
            let across = usize::from(flow == Flow::Right);
            let links = [[1, 2], [2, 0], [0, 2]].map(|[from, to]| FlowLink::new(from, to));
            let layout = Layout::of(&chain(flow, links.to_vec()));
            let corners: Vec<usize> = layout.ways.iter().map(|way| way.points.len()).collect();
            assert_eq!(corners, [2, 4, 4]);
            let lanes = [1, 2].map(|k| layout.ways[k].points[1][across]);
            assert!(lanes[0] < lanes[1] && lanes[1] < layout.size[across]);
            for node in &layout.nodes {
                assert!(node.middle[across] + node.half[across] < lanes[0]);
            }
        }
    }

    #[test]
    fn nodes_of_a_level_are_apart_and_in_line() {
        let mut chart = chain(Flow::Down, Vec::new());
        chart.nodes.extend([
            FlowNode::new(0, "beside it, and longer"),
            FlowNode::new(2, "x"),
        ]);
        let nodes = Layout::of(&chart).nodes;
        assert!(nodes[0].middle[0] + nodes[0].half[0] < nodes[3].middle[0] - nodes[3].half[0]);
        assert_eq!(nodes[0].middle[0], nodes[2].middle[0]);
        assert_eq!(nodes[3].middle[0], nodes[4].middle[0]);
    }

    #[test]
    fn arrows_without_ends_are_left_out() {
        let links = [[0, 0], [0, 7], [usize::MAX, 1]].map(|[from, to]| FlowLink::new(from, to));
        let mut chart = chain(Flow::Right, links.to_vec());
        chart.nodes[2].level = usize::MAX;
        let layout = Layout::of(&chart);
        assert!(layout.ways.is_empty());
        assert!(layout.size[0] < 1000.0, "{:?}", layout.size);
        assert!(Layout::of(&FlowChart::default()).nodes.is_empty());
    }
}
