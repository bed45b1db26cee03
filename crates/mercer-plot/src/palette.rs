//! The colours of all figures and pages, in light and dark.

use crate::colour::Colour;

/// Whether a figure is drawn on a light or a dark ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// Dark lines on white.
    #[default]
    Light,
    /// Light lines on nearly black.
    Dark,
}

/// Series that have a colour of their own; further ones start again.
pub const SERIES: usize = 6;

/// A colour by what it is for; themes say which it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Base {
    /// The ground of a page.
    Paper,
    /// The ground of cards and of figures that stand alone.
    Card,
    /// Lines and letters that matter.
    Ink,
    /// Lines and letters that explain.
    Soft,
    /// The grid.
    Line,
    /// Empty parts of bars and maps.
    Back,
    /// What went well.
    Good,
    /// What did not.
    Bad,
    /// A series.
    Series(u8),
    /// The most negative weight.
    Low,
    /// No weight.
    Middle,
    /// The most positive weight.
    High,
    /// Letters on a coloured ground: dark or light ones, by theme.
    Letters {
        /// Whether they are dark in the light theme.
        light: Dark,
        /// Whether they are dark in the dark theme.
        dark: Dark,
    },
}

/// Whether letters are dark.
pub(crate) type Dark = bool;

/// A colour, or a share of one over another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Tone {
    Plain(Base),
    Mix { over: Base, under: Base, share: f64 },
}

impl From<Base> for Tone {
    fn from(base: Base) -> Self {
        Self::Plain(base)
    }
}

const fn pair(light: u32, dark: u32) -> [Colour; 2] {
    [Colour::hex(light), Colour::hex(dark)]
}

/// Series in light and dark. Found by a search for hues in this order (blue, orange, green, purple, red,
/// slate) whose smallest distance is large to all readers and in grey; the tests below say how
/// large.
const HUES: [[Colour; 2]; SERIES] = [
    pair(0x27_5f_98, 0x56_a8_ee),
    pair(0xd7_7d_34, 0xf2_ac_6a),
    pair(0x13_98_67, 0xa3_e2_b4),
    pair(0x7c_32_63, 0xb4_82_b1),
    pair(0xbd_44_2e, 0xe1_52_47),
    pair(0x2a_29_30, 0xe2_e3_f0),
];

const DARK_LETTERS: u32 = 0;
const LIGHT_LETTERS: u32 = 0xff_ff_ff;

impl Base {
    /// The tone of a series.
    pub(crate) fn series(number: usize) -> Self {
        Self::Series((number % SERIES) as u8)
    }

    pub(crate) fn colour(self, theme: Theme) -> Colour {
        let letters = |dark: bool| if dark { DARK_LETTERS } else { LIGHT_LETTERS };
        let both = match self {
            Self::Paper => pair(0xfb_fa_f7, 0x16_19_1d),
            Self::Card => pair(0xff_ff_ff, 0x1d_21_26),
            Self::Ink => pair(0x21_25_2b, 0xe6_e4_df),
            Self::Soft => pair(0x5f_66_70, 0xa3_ab_b5),
            Self::Line => pair(0xe4_e1_da, 0x31_36_3d),
            Self::Back => pair(0xef_ec_e5, 0x27_2c_33),
            Self::Good => pair(0x2f_7d_5b, 0x6d_c3_9b),
            Self::Bad => pair(0xb3_47_2f, 0xef_8d_73),
            Self::Series(number) => HUES[usize::from(number) % SERIES],
            Self::Low => pair(0x21_66_ac, 0x5b_a8_f0),
            Self::Middle => pair(0xe4_e4_e4, 0x3a_40_48),
            Self::High => pair(0xb2_18_2b, 0xf2_7a_6c),
            Self::Letters { light, dark } => pair(letters(light), letters(dark)),
        };
        both[theme as usize]
    }

    /// The name of the variable, and of the classes that use it.
    pub(crate) fn name(self) -> &'static str {
        const NAMES: [&str; SERIES] = ["c0", "c1", "c2", "c3", "c4", "c5"];
        match self {
            Self::Paper => "paper",
            Self::Card => "card",
            Self::Ink => "ink",
            Self::Soft => "soft",
            Self::Line => "line",
            Self::Back => "back",
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Series(number) => NAMES[usize::from(number) % SERIES],
            Self::Low => "low",
            Self::Middle => "middle",
            Self::High => "high",
            Self::Letters { light, dark } => match (light, dark) {
                (true, true) => "letters-dd",
                (true, false) => "letters-dl",
                (false, true) => "letters-ld",
                (false, false) => "letters-ll",
            },
        }
    }

    /// Every base, in a fixed order.
    pub(crate) fn all() -> Vec<Self> {
        let mut all = vec![
            Self::Paper,
            Self::Card,
            Self::Ink,
            Self::Soft,
            Self::Line,
            Self::Back,
            Self::Good,
            Self::Bad,
            Self::Low,
            Self::Middle,
            Self::High,
        ];
        all.extend((0..SERIES).map(Self::series));
        for light in [true, false] {
            all.extend([true, false].map(|dark| Self::Letters { light, dark }));
        }
        all
    }
}

impl Tone {
    /// A share of a colour over another.
    pub(crate) fn mix(over: Base, under: Base, share: f64) -> Self {
        let share = if share.is_finite() {
            share.clamp(0.0, 1.0)
        } else {
            0.0
        };
        Self::Mix { over, under, share }
    }

    /// The colour of a weight between −1 and 1; what is no number has none.
    pub(crate) fn weight(share: f64) -> Self {
        let end = if share < 0.0 { Base::Low } else { Base::High };
        Self::mix(end, Base::Middle, share.abs())
    }

    pub(crate) fn colour(self, theme: Theme) -> Colour {
        match self {
            Self::Plain(base) => base.colour(theme),
            Self::Mix { over, under, share } => over.colour(theme).over(under.colour(theme), share),
        }
    }

    /// Letters that can be read on this ground, in either theme.
    ///
    /// Black or white always has a contrast of 4.5 with any colour.
    pub(crate) fn letters(self) -> Base {
        let dark = |theme: Theme| {
            let ground = self.colour(theme);
            ground.contrast(Colour::hex(DARK_LETTERS))
                >= ground.contrast(Colour::hex(LIGHT_LETTERS))
        };
        Base::Letters {
            light: dark(Theme::Light),
            dark: dark(Theme::Dark),
        }
    }

    /// The bases it is made of.
    pub(crate) fn bases(self) -> Vec<Base> {
        match self {
            Self::Plain(base) => vec![base],
            Self::Mix { over, under, .. } => vec![over, under],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [Theme; 2] = [Theme::Light, Theme::Dark];

    /// How readers without one of the three kinds of cones see (Machado, Oliveira and Fernandes,
    /// 2009, severity 1), and how all others do.
    const EYES: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
        [
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_900],
        ],
    ];

    /// Lightness and two opposites, in which distances are about as they are seen (CIELAB).
    fn lab(colour: Colour, eye: &[[f64; 3]; 3]) -> [f64; 3] {
        let light = colour.linear();
        let [r, g, b] = eye.map(|row| {
            let sum: f64 = row.iter().zip(light).map(|(m, l)| m * l).sum();
            sum.clamp(0.0, 1.0)
        });
        let root = |t: f64| {
            if t > 0.008_856 {
                t.cbrt()
            } else {
                7.787 * t + 16.0 / 116.0
            }
        };
        let x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.950_47);
        let y = root(0.2126 * r + 0.7152 * g + 0.0722 * b);
        let z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.088_83);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[test]
    fn series_differ_to_every_eye_and_in_grey() {
        for theme in BOTH {
            for a in 0..SERIES {
                for b in 0..a {
                    let colours = [a, b].map(|k| Base::series(k).colour(theme));
                    for (eye, matrix) in EYES.iter().enumerate() {
                        let [p, q] = colours.map(|c| lab(c, matrix));
                        let apart: f64 = p.iter().zip(q).map(|(u, v)| (u - v).powi(2)).sum();
                        assert!(apart.sqrt() > 17.0, "{a} {b} {theme:?} {eye}");
                    }
                    let [p, q] = colours.map(|c| lab(c, &EYES[0])[0]);
                    assert!((p - q).abs() > 5.0, "{a} {b} {theme:?} in grey");
                }
            }
        }
    }

    #[test]
    fn marks_stand_out_and_letters_can_be_read() {
        for theme in BOTH {
            for ground in [Base::Paper, Base::Card].map(|b| b.colour(theme)) {
                for series in 0..SERIES {
                    let contrast = Base::series(series).colour(theme).contrast(ground);
                    assert!(contrast > 2.9, "{series} {theme:?}: {contrast}");
                }
                for letters in [Base::Ink, Base::Soft] {
                    assert!(letters.colour(theme).contrast(ground) >= 4.5);
                }
            }
        }
    }

    #[test]
    fn letters_can_be_read_on_every_mix() {
        for step in -100..=100 {
            let share = f64::from(step) / 100.0;
            for tone in [
                Tone::weight(share),
                Tone::mix(Base::series(0), Base::Back, share),
            ] {
                for theme in BOTH {
                    let letters = tone.letters().colour(theme);
                    let contrast = letters.contrast(tone.colour(theme));
                    assert!(contrast >= 4.5, "{share} {theme:?} {contrast}");
                }
            }
        }
    }

    #[test]
    fn weights_have_three_ends() {
        let light = |share| Tone::weight(share).colour(Theme::Light).to_string();
        assert_eq!(
            [light(-1.0), light(0.0), light(7.0), light(f64::NAN)],
            ["#2166ac", "#e4e4e4", "#b2182b", "#e4e4e4"]
        );
    }

    #[test]
    fn names_are_distinct() {
        let names: Vec<&str> = Base::all().into_iter().map(Base::name).collect();
        let mut unique = names.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(names.len(), unique.len());
    }
}
