//! Several drawings as one.

use super::picture::Drawing;

/// Space between panels.
const GAP: f64 = 28.0;

/// Puts drawings side by side, with their upper edges in line.
pub(crate) fn beside(parts: Vec<Drawing>) -> Drawing {
    let mut whole = Drawing::new(0.0, 0.0, "");
    let mut x = 0.0;
    for part in parts {
        let width = part.width;
        whole.height = whole.height.max(part.height);
        whole.width = x + width;
        whole.insert(part, [x, 0.0]);
        x += width + GAP;
    }
    whole
}

/// Puts drawings below each other, with their left edges in line.
pub(crate) fn below(parts: Vec<Drawing>) -> Drawing {
    let mut whole = Drawing::new(0.0, 0.0, "");
    let mut y = 0.0;
    for part in parts.into_iter().filter(|part| !part.items.is_empty()) {
        let height = part.height;
        whole.width = whole.width.max(part.width);
        whole.insert(part, [0.0, y]);
        y += height + 8.0;
        whole.height = y - 8.0;
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{Paint, Shape};
    use crate::palette::Base;

    #[test]
    fn sizes_add_up() {
        let mut part = Drawing::new(100.0, 50.0, "");
        let empty = part.clone();
        part.paint(
            Shape::Circle {
                x: 5.0,
                y: 5.0,
                radius: 5.0,
            },
            Paint::fill(Base::Ink),
        );
        let row = beside(vec![part.clone(), part.clone()]);
        assert_eq!((row.width, row.height), (228.0, 50.0));
        let stack = below(vec![part.clone(), empty, part]);
        assert_eq!((stack.width, stack.height), (100.0, 108.0));
    }
}
