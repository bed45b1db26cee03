//! How wide a text is, without a font.

/// Widths of the characters from space to tilde in hundredths of the font size, measured on
/// DejaVu Sans, the widest of the sans serif fonts that browsers fall back on. Others need up to
/// a tenth less, as does the condensed one in which PNG files are set.
const WIDTHS: [u8; 95] = [
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75,
    79, 60, 79, 69, 63, 61, 73, 68, 99, 69, 61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35,
    63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84,
];

/// Returns the width of a text set in a size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let hundredths: u32 = text.chars().map(advance).sum();
    f64::from(hundredths) / 100.0 * size
}

/// Bold letters are wider by this much.
pub(crate) const BOLD: f64 = 1.12;

fn advance(c: char) -> u32 {
    let code = c as u32;
    match code {
        0x20..=0x7e => u32::from(WIDTHS[code as usize - 0x20]),
        // Combining marks and joiners.
        0x300..=0x36f | 0x200b..=0x200f | 0xfe00..=0xfe0f => 0,
        // Super- and subscripts.
        0xb2 | 0xb3 | 0xb9 | 0x2070..=0x209c => 42,
        0xa0 => 32,
        0x2010..=0x2013 => 50,
        // Signs of mathematics and arrows.
        0xb1 | 0xd7 | 0x2190..=0x22ff => 84,
        // The long dash and three points; scripts of square letters, and pictures.
        0x2014
        | 0x2026
        | 0x1100..=0x115f
        | 0x2e80..=0x9fff
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xff00..=0xff60
        | 0x1_f000..=0x3_ffff => 100,
        _ => 65,
    }
}

/// Cuts a text to a width; three points stand for what is missing.
pub(crate) fn fitted(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let points = width("…", size);
    let mut kept = String::new();
    let mut used = 0.0;
    for c in text.chars() {
        used += f64::from(advance(c)) / 100.0 * size;
        if used + points > room {
            break;
        }
        kept.push(c);
    }
    format!("{}…", kept.trim_end())
}

/// Breaks a text into lines at spaces; a word that is too long has a line of its own.
pub(crate) fn lines(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(" ", size) + width(word, size) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_add_up() {
        assert!((width("AB", 10.0) - 13.7).abs() < 1e-9);
        assert!(width("e\u{301}", 10.0) < width("ee", 10.0));
        assert_eq!(width("中", 10.0), 10.0);
    }

    #[test]
    fn texts_are_cut_to_their_room() {
        assert_eq!(fitted("short", 10.0, 100.0), "short");
        let cut = fitted("a rather long name of a column", 10.0, 80.0);
        assert!(cut.ends_with('…') && width(&cut, 10.0) <= 80.0, "{cut}");
        assert_eq!(fitted("wide", 10.0, 0.0), "…");
    }

    #[test]
    fn lines_keep_their_room() {
        let text = "bars to the right of 1 ×: mercer is faster than the other one";
        let broken = lines(text, 12.0, 160.0);
        assert!(broken.len() > 1);
        assert!(broken.iter().all(|line| width(line, 12.0) <= 160.0));
        assert_eq!(broken.join(" "), text);
        assert!(lines("", 12.0, 10.0).is_empty());
    }
}
