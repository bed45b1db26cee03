//! Letters of all samples are inside their figure and do not touch each other.

use crate::drawing::{Anchor, Drawing, Item, Words};
use crate::measure;

#[path = "../../examples/gallery/samples.rs"]
mod samples;

/// Left, right, upper and lower edge of a text.
#[derive(Debug)]
struct Room {
    #[expect(dead_code, reason = "failures show it")]
    text: String,
    x: [f64; 2],
    y: [f64; 2],
}

fn room(words: &Words, by: [f64; 2]) -> Room {
    let [x, y] = [words.at[0] + by[0], words.at[1] + by[1]];
    let bold = if words.bold { measure::BOLD } else { 1.0 };
    let mut length = measure::width(&words.text, words.size) * bold;
    if !words.remark.is_empty() {
        length += 5.0 + measure::width(&words.remark, 0.92 * words.size);
    }
    let before = match words.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => length / 2.0,
        Anchor::End => length,
    };
    // Most letters reach from the base line to 0.75 of the size.
    let (up, down) = (0.75 * words.size, 0.0);
    let text = words.text.clone();
    if words.upwards {
        Room {
            text,
            x: [x - up, x + down],
            y: [y + before - length, y + before],
        }
    } else {
        Room {
            text,
            x: [x - before, x - before + length],
            y: [y - up, y + down],
        }
    }
}

fn rooms(items: &[Item], by: [f64; 2], found: &mut Vec<Room>) {
    for item in items {
        match item {
            Item::Words(words) => found.push(room(words, by)),
            Item::Moved { by: more, items } => {
                rooms(items, [by[0] + more[0], by[1] + more[1]], found);
            }
            Item::Group { items, .. } => rooms(items, by, found),
            Item::Painted { .. } | Item::Alike { .. } => {}
        }
    }
}

fn assert_readable(name: &str, drawing: &Drawing) {
    let mut found = Vec::new();
    rooms(&drawing.items, [0.0, 0.0], &mut found);
    for (k, a) in found.iter().enumerate() {
        let inside = a.x[0] >= -0.5
            && a.x[1] <= drawing.width + 0.5
            && a.y[0] >= -0.5
            && a.y[1] <= drawing.height + 0.5;
        assert!(inside, "{name}: {a:?} is not inside");
        for b in &found[..k] {
            let apart = a.x[0] >= b.x[1] - 0.5
                || b.x[0] >= a.x[1] - 0.5
                || a.y[0] >= b.y[1] - 0.5
                || b.y[0] >= a.y[1] - 0.5;
            assert!(apart, "{name}: {a:?} touches {b:?}");
        }
    }
}

#[test]
fn letters_are_inside_and_apart() {
    for (name, figure) in samples::all(&str::to_owned) {
        assert_readable(name, &figure.drawing());
        assert_readable(name, &figure.drawing().headed());
    }
}

#[test]
fn long_names_are_cut() {
    let long = |text: &str| format!("{text}, {}", "and so on ".repeat(40));
    for (name, figure) in samples::all(&long) {
        // Labels of single values are the caller's; all others are cut to their room.
        if !matches!(name, "landscape" | "bar-chart" | "reliability") {
            assert_readable(name, &figure.drawing().headed());
        }
    }
}
