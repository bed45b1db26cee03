//! Fields of fixed width in the lines of molecule files.

/// Returns the trimmed characters from `start` up to `end`, as far as the line reaches.
pub(super) fn field(line: &str, start: usize, end: usize) -> &str {
    // Names may hold any character; columns of numbers are ASCII, so bytes are characters.
    let cut = |at: usize| {
        let at = at.min(line.len());
        (at..=line.len())
            .find(|&a| line.is_char_boundary(a))
            .unwrap_or(line.len())
    };
    line[cut(start)..cut(end.max(start))].trim()
}

/// Returns a whole number of a field; an empty field is zero.
pub(super) fn number(line: &str, start: usize, end: usize) -> Option<i32> {
    match field(line, start, end) {
        "" => Some(0),
        text => text.parse().ok(),
    }
}
