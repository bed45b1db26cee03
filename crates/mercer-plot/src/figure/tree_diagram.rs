//! A decision tree from left to right: a box for every test and leaf, what leads there before it.

use super::Figure;
use crate::drawing::{Drawing, Item, Paint, Shape, Words};
use crate::measure;
use crate::palette::Base;

/// A tree of tests.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TreeDiagram {
    /// What it shows.
    pub title: String,
    /// The nodes; a parent comes before its children, and children are in order.
    pub nodes: Vec<TreeNode>,
}

/// A node of a tree.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TreeNode {
    /// The place of the node above; `None` for the root.
    pub parent: Option<usize>,
    /// What leads here, such as `<= 75`.
    pub branch: String,
    /// What is tested, or the class of a leaf.
    pub text: String,
    /// Whether it is a leaf.
    pub is_leaf: bool,
    /// Share of each class, by number; the strip below the words.
    pub shares: Vec<f64>,
    /// What a pointer reads, such as the counts.
    pub tip: String,
}

/// Leaves that are drawn; of a larger tree the upper levels are.
const MOST_LEAVES: usize = 60;
const LETTER: f64 = 12.0;
const BRANCH: f64 = 11.0;
/// Longer words are cut.
const LONGEST: f64 = 150.0;
const LONGEST_BRANCH: f64 = 110.0;
const ROW: f64 = 36.0;
const BOX: f64 = 26.0;
const GAP: f64 = 34.0;
const MARGIN: f64 = 8.0;

/// A node that is drawn.
struct Placed {
    node: usize,
    depth: usize,
    children: Vec<usize>,
    middle: f64,
    /// Whether nodes below are left out.
    is_cut: bool,
}

impl TreeDiagram {
    /// Depth of every node; those without a way to the root have none.
    fn depths(&self) -> Vec<Option<usize>> {
        let mut depths: Vec<Option<usize>> = vec![None; self.nodes.len()];
        for (k, node) in self.nodes.iter().enumerate() {
            depths[k] = match node.parent {
                None if k == 0 => Some(0),
                Some(parent) if parent < k => depths[parent].map(|depth| depth + 1),
                _ => None,
            };
        }
        depths
    }

    /// The nodes to be drawn, with their rows.
    fn placed(&self) -> Vec<Placed> {
        let depths = self.depths();
        let deepest = depths.iter().flatten().max().copied().unwrap_or(0);
        let has_children: Vec<bool> = {
            let mut has = vec![false; self.nodes.len()];
            for (k, node) in self.nodes.iter().enumerate() {
                if let (Some(parent), Some(_)) = (node.parent, depths[k]) {
                    has[parent] = true;
                }
            }
            has
        };
        let ends = |limit: usize| {
            let all = depths.iter().enumerate();
            let shown = all.filter(|(k, depth)| {
                depth.is_some_and(|d| d == limit || (d < limit && !has_children[*k]))
            });
            shown.count()
        };
        let fits = (0..=deepest)
            .rev()
            .find(|&limit| ends(limit) <= MOST_LEAVES);
        let limit = fits.unwrap_or(0);
        let mut places: Vec<Option<usize>> = vec![None; self.nodes.len()];
        let mut placed: Vec<Placed> = Vec::new();
        for (k, depth) in depths.iter().enumerate() {
            let Some(depth) = depth.filter(|depth| *depth <= limit) else {
                continue;
            };
            places[k] = Some(placed.len());
            if let Some(above) = self.nodes[k].parent.and_then(|parent| places[parent]) {
                let own = placed.len();
                placed[above].children.push(own);
            }
            placed.push(Placed {
                node: k,
                depth,
                children: Vec::new(),
                middle: 0.0,
                is_cut: depth == limit && has_children[k],
            });
        }
        arrange(&mut placed);
        placed
    }
}

/// Gives every end a row of its own, and every other node the middle of its children.
fn arrange(placed: &mut [Placed]) {
    let mut row = 0;
    let mut stack = if placed.is_empty() {
        Vec::new()
    } else {
        vec![0]
    };
    while let Some(k) = stack.pop() {
        if placed[k].children.is_empty() {
            placed[k].middle = MARGIN + ROW * (f64::from(row) + 0.5);
            row += 1;
        }
        let children = placed[k].children.iter().rev().copied();
        stack.extend(children.collect::<Vec<_>>());
    }
    for k in (0..placed.len()).rev() {
        let children = &placed[k].children;
        if let (Some(&first), Some(&last)) = (children.first(), children.last()) {
            placed[k].middle = f64::midpoint(placed[first].middle, placed[last].middle);
        }
    }
}

impl Figure for TreeDiagram {
    fn drawing(&self) -> Drawing {
        let placed = self.placed();
        let columns = placed.iter().map(|p| p.depth + 1).max().unwrap_or(0);
        let rows = placed.iter().filter(|p| p.children.is_empty()).count();
        let shown = |p: &Placed| {
            let text = &self.nodes[p.node].text;
            let text = if p.is_cut {
                format!("{text} …")
            } else {
                text.clone()
            };
            measure::fitted(&text, LETTER, LONGEST)
        };
        // Of each level the room of what leads there, and of the boxes.
        let mut rooms = vec![(0.0_f64, 40.0_f64); columns];
        for p in &placed {
            let branch = measure::fitted(&self.nodes[p.node].branch, BRANCH, LONGEST_BRANCH);
            let (lead, wide) = &mut rooms[p.depth];
            *lead = lead.max(measure::width(&branch, BRANCH));
            *wide = wide.max(measure::width(&shown(p), LETTER) * measure::BOLD + 16.0);
        }
        let mut lefts = Vec::with_capacity(columns);
        let mut x = MARGIN;
        for (depth, (lead, wide)) in rooms.iter().enumerate() {
            x += if depth > 0 { GAP + lead + 10.0 } else { 0.0 };
            lefts.push(x);
            x += wide;
        }
        let height = 2.0 * MARGIN + ROW * rows.max(1) as f64;
        let mut drawing = Drawing::new((x + MARGIN).max(240.0), height, &self.title);
        for p in &placed {
            for child in p.children.iter().map(|&child| &placed[child]) {
                let from = lefts[p.depth] + rooms[p.depth].1;
                let lead = lefts[child.depth] - rooms[child.depth].0 - 10.0;
                let bend = from + GAP / 2.0;
                drawing.line([from, p.middle], [bend, p.middle], Paint::axis());
                drawing.line([bend, p.middle], [bend, child.middle], Paint::axis());
                drawing.line(
                    [bend, child.middle],
                    [lead - 2.0, child.middle],
                    Paint::axis(),
                );
                let branch = &self.nodes[child.node].branch;
                let cut = measure::fitted(branch, BRANCH, LONGEST_BRANCH);
                let at = [lefts[child.depth] - 7.0, child.middle + 0.36 * BRANCH];
                let words = Words::new(&cut, at, BRANCH, Base::Soft).end();
                drawing.words(if cut == *branch {
                    words
                } else {
                    words.tip(branch)
                });
            }
        }
        for p in &placed {
            self.node_box(
                &mut drawing,
                p,
                [lefts[p.depth], rooms[p.depth].1],
                &shown(p),
            );
        }
        drawing
    }
}

impl TreeDiagram {
    /// A node: words, and a strip of the classes that came here.
    fn node_box(&self, drawing: &mut Drawing, p: &Placed, [x, width]: [f64; 2], text: &str) {
        let node = &self.nodes[p.node];
        let y = p.middle - BOX / 2.0;
        let round = if node.is_leaf { 2.0 } else { 9.0 };
        let card = Shape::Rectangle {
            x,
            y,
            width,
            height: BOX,
            round,
        };
        let mut items = vec![Item::Painted {
            shape: card,
            paint: Paint::fill(Base::Card).outlined(Base::Soft, 1.0),
            tip: None,
        }];
        let (left, room) = (x + 4.0, width - 8.0);
        let sound = |share: &f64| share.is_finite() && *share > 0.0;
        let total: f64 = node
            .shares
            .iter()
            .filter(|s| sound(s))
            .map(|s| s.min(1.0))
            .sum();
        let mut from = left;
        for (class, share) in node.shares.iter().enumerate().filter(|(_, s)| sound(s)) {
            let wide = room * share.min(1.0) / total;
            items.push(Item::Painted {
                shape: Shape::Rectangle {
                    x: from,
                    y: y + BOX - 6.0,
                    width: wide,
                    height: 4.0,
                    round: 0.0,
                },
                paint: Paint::fill(Base::series(class)),
                tip: None,
            });
            from += wide;
        }
        let at = [x + width / 2.0, y + 15.0];
        let words = Words::new(text, at, LETTER, Base::Ink);
        items.push(Item::Words(words.middle().weight(node.is_leaf)));
        let tip = if node.tip.is_empty() {
            node.text.clone()
        } else {
            node.tip.clone()
        };
        drawing.items.push(Item::Group { tip, items });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(length: usize) -> TreeDiagram {
        let node = |k: usize| TreeNode {
            // Every second node goes on.
            parent: (k > 0).then(|| (k - 1) / 2 * 2),
            text: format!("node {k}"),
            ..TreeNode::default()
        };
        TreeDiagram {
            title: String::new(),
            nodes: (0..length).map(node).collect(),
        }
    }

    #[test]
    fn large_trees_are_cut_at_a_level() {
        let all = chain(401);
        let placed = all.placed();
        let ends = placed.iter().filter(|p| p.children.is_empty()).count();
        assert!(ends <= MOST_LEAVES, "{ends}");
        assert!(placed.iter().any(|p| p.is_cut));
        let few = chain(21).placed();
        assert_eq!(few.len(), 21);
        assert!(few.iter().all(|p| !p.is_cut));
    }

    #[test]
    fn ends_have_rows_of_their_own() {
        let placed = chain(31).placed();
        let mut rows: Vec<f64> = placed
            .iter()
            .filter(|p| p.children.is_empty())
            .map(|p| p.middle)
            .collect();
        rows.sort_by(f64::total_cmp);
        assert!(rows.windows(2).all(|pair| pair[1] - pair[0] >= ROW));
    }

    #[test]
    fn parents_that_do_not_exist_are_left_out() {
        let mut tree = chain(5);
        tree.nodes[3].parent = Some(9);
        assert_eq!(tree.placed().len(), 4);
        assert!(TreeDiagram::default().placed().is_empty());
    }
}
