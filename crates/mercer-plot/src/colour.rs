//! Colours as numbers.

/// A colour as red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Colour(pub(crate) [u8; 3]);

impl Colour {
    /// Returns the colour of a number such as `0x275f98`.
    pub(crate) const fn hex(value: u32) -> Self {
        Self([(value >> 16) as u8, (value >> 8) as u8, value as u8])
    }

    /// Lays a share of this colour over another, as style sheets do with `color-mix(in srgb, …)`.
    pub(crate) fn over(self, under: Self, share: f64) -> Self {
        let mix = |i: usize| {
            let (from, to) = (f64::from(under.0[i]), f64::from(self.0[i]));
            (from + share.clamp(0.0, 1.0) * (to - from)).round() as u8
        };
        Self([mix(0), mix(1), mix(2)])
    }

    /// The ratio of luminances of the Web Content Accessibility Guidelines, from 1 to 21.
    pub(crate) fn contrast(self, other: Self) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// The relative luminance of the guidelines.
    pub(crate) fn luminance(self) -> f64 {
        let [red, green, blue] = self.linear();
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// Red, green and blue as amounts of light.
    pub(crate) fn linear(self) -> [f64; 3] {
        self.0.map(|byte| {
            let value = f64::from(byte) / 255.0;
            if value <= 0.040_45 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        })
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
    fn black_on_white() {
        let (black, white) = (Colour::hex(0), Colour::hex(0xff_ff_ff));
        assert!((black.contrast(white) - 21.0).abs() < 1e-9);
        assert_eq!(white.over(black, 0.5).to_string(), "#808080");
        assert_eq!(white.over(black, 7.0), white);
    }
}
