//! Pictures.

use mercer_plot::{Figure, Theme};

use crate::samples;

/// Width and height in the header of a PNG file.
fn size(picture: &[u8]) -> [u32; 2] {
    assert_eq!(&picture[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| {
        let bytes: [u8; 4] = picture[at..at + 4].try_into().expect("four bytes");
        u32::from_be_bytes(bytes)
    };
    [number(16), number(20)]
}

#[test]
fn pictures_have_the_width_that_was_asked_for() {
    for (name, figure) in samples::all(&str::to_owned) {
        let [width, height] = size(&figure.to_png(500).expect("a picture"));
        assert_eq!(width, 500, "{name}");
        assert!(height > 0, "{name}");
    }
}

#[test]
fn pictures_are_always_the_same_and_dark_ones_differ() {
    let (_, figure) = samples::all(&str::to_owned).remove(0);
    let light = figure.to_png(300).expect("a picture");
    assert_eq!(light, figure.to_png(300).expect("a picture"));
    assert_eq!(
        light,
        figure.to_png_in(300, Theme::Light).expect("a picture")
    );
    assert_ne!(
        light,
        figure.to_png_in(300, Theme::Dark).expect("a picture")
    );
}

#[test]
fn letters_are_drawn() {
    use mercer_plot::{Axis, Plane};
    let named = |name: &str| {
        let figure = Plane::default().x(Axis::named(name));
        figure.to_png(400).expect("a picture")
    };
    assert_ne!(named("γ"), named(" "));
    assert_ne!(named("log₁₀"), named("log₁₁"));
}

#[test]
fn impossible_widths_are_refused() {
    let (_, figure) = samples::all(&str::to_owned).remove(0);
    for width in [0, u32::MAX] {
        let error = figure
            .to_png(width)
            .expect_err("no such picture")
            .to_string();
        assert!(
            error.contains(&format!("`{width}`; it must be from 1 to ")),
            "{error}"
        );
    }
}
