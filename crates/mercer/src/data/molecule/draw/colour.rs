//! A colour for a weight: blue below zero, grey at zero, red above.

/// A colour as red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Colour(pub(super) [u8; 3]);

/// The most negative weight.
pub(super) const BLUE: Colour = Colour([0x21, 0x66, 0xac]);
/// No weight.
pub(super) const GREY: Colour = Colour([0xe4, 0xe4, 0xe4]);
/// The most positive weight.
pub(super) const RED: Colour = Colour([0xb2, 0x18, 0x2b]);

/// Returns the colour of a share between −1 and 1; what is no number is grey.
pub(super) fn of_share(share: f64) -> Colour {
    if !share.is_finite() {
        return GREY;
    }
    let end = if share < 0.0 { BLUE } else { RED };
    let part = share.abs().min(1.0);
    let mix = |i: usize| {
        let (from, to) = (f64::from(GREY.0[i]), f64::from(end.0[i]));
        (from + part * (to - from)).round() as u8
    };
    Colour([mix(0), mix(1), mix(2)])
}

impl Colour {
    /// Returns black or white, whichever is easier to read on the colour.
    ///
    /// One of the two always has a contrast of at least 4.5, which the Web Content
    /// Accessibility Guidelines ask for.
    pub(super) fn ink(self) -> &'static str {
        if self.contrast(0.0) >= self.contrast(1.0) {
            "#000"
        } else {
            "#fff"
        }
    }

    fn contrast(self, other: f64) -> f64 {
        let own = self.luminance();
        (own.max(other) + 0.05) / (own.min(other) + 0.05)
    }

    /// The relative luminance of the guidelines.
    fn luminance(self) -> f64 {
        let linear = |byte: u8| {
            let value = f64::from(byte) / 255.0;
            if value <= 0.040_45 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        let [red, green, blue] = self.0.map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

impl std::fmt::Display for Colour {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_and_middle() {
        assert_eq!(of_share(-1.0), BLUE);
        assert_eq!(of_share(0.0), GREY);
        assert_eq!(of_share(7.0), RED);
        assert_eq!(of_share(f64::NAN), GREY);
        assert_eq!(BLUE.to_string(), "#2166ac");
    }

    #[test]
    fn letters_can_be_read_on_every_colour() {
        for step in -100..=100 {
            let colour = of_share(f64::from(step) / 100.0);
            let other = if colour.ink() == "#000" { 0.0 } else { 1.0 };
            assert!(colour.contrast(other) >= 4.5, "{colour}");
        }
    }
}
