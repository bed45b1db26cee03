//! Notes about a file that is read in chunks, told once for the whole file.

use mercer::fit::Note;

/// Different notes kept: a file in a thousand chunks must not print a thousand lines.
const MOST_NOTES: usize = 50;
/// Names kept of a list that grows from chunk to chunk.
const MOST_NAMES: usize = 10;
/// The singular and plural forms in which the library counts rows.
const FORMS: [(&str, &str); 3] = [
    ("row has a category ", "rows have categories "),
    ("row has values ", "rows have values "),
    ("row lacks ", "rows lack "),
];

/// Adds up the notes of the chunks of one file.
#[derive(Debug, Default)]
pub(crate) struct NoteCounter(Vec<Entry>);

/// A note without its number of rows.
#[derive(Debug, PartialEq)]
struct Entry {
    alert: bool,
    /// Rows concerned, where the note counts them.
    rows: Option<usize>,
    text: String,
    names: Vec<String>,
}

impl Entry {
    fn new(note: &Note) -> Self {
        let alert = note.is_alert();
        let counted = note.text().split_once(' ').and_then(|(number, rest)| {
            let rows: usize = number.parse().ok()?;
            let (many, tail) = FORMS.iter().find_map(|(one, many)| {
                let tail = rest.strip_prefix(one).or_else(|| rest.strip_prefix(many))?;
                Some((many, tail))
            })?;
            let (text, names) = tail.split_once(": ").unwrap_or((tail, ""));
            Some(Self {
                alert,
                rows: Some(rows),
                text: format!("{many}{text}"),
                names: names
                    .split(", ")
                    .filter(|n| !n.is_empty())
                    .map(str::to_owned)
                    .collect(),
            })
        });
        counted.unwrap_or_else(|| Self {
            alert,
            rows: None,
            text: note.text().to_owned(),
            names: Vec::new(),
        })
    }

    fn into_note(self) -> Note {
        let list = if self.names.is_empty() {
            String::new()
        } else {
            format!(": {}", self.names.join(", "))
        };
        let text = match self.rows {
            None => self.text,
            Some(rows) => {
                let form = FORMS
                    .iter()
                    .find(|(_, many)| rows == 1 && self.text.starts_with(many));
                let text = form.map_or(self.text.clone(), |(one, many)| {
                    self.text.replacen(many, one, 1)
                });
                format!("{rows} {text}{list}")
            }
        };
        if self.alert {
            Note::Alert(text)
        } else {
            Note::Choice(text)
        }
    }
}

impl NoteCounter {
    /// Adds the notes of one chunk.
    pub(crate) fn add(&mut self, notes: &[Note]) {
        for note in notes {
            let entry = Entry::new(note);
            let same = |e: &&mut Entry| e.alert == entry.alert && e.text == entry.text;
            if let Some(known) = self.0.iter_mut().find(same) {
                known.rows = known.rows.zip(entry.rows).map(|(a, b)| a + b);
                for name in entry.names {
                    if !known.names.contains(&name) && known.names.len() < MOST_NAMES {
                        known.names.push(name);
                    }
                }
            } else if self.0.len() < MOST_NOTES {
                self.0.push(entry);
            }
        }
    }

    /// Returns every note once.
    pub(crate) fn into_notes(self) -> Vec<Note> {
        self.0.into_iter().map(Entry::into_note).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_names_add_up() {
        let unseen = |text: &str| Note::Alert(format!("{text} unseen in training in column `c`: "));
        let with = |note: Note, names: &str| Note::Alert(format!("{}{names}", note.text()));
        let mut counter = NoteCounter::default();
        counter.add(&[with(unseen("1 row has a category"), "`a`")]);
        counter.add(&[with(unseen("3 rows have categories"), "`b`, `a`")]);
        let other = Note::Choice("columns not used by the model: `z`".to_owned());
        counter.add(std::slice::from_ref(&other));
        counter.add(std::slice::from_ref(&other));
        let expected = with(unseen("4 rows have categories"), "`a`, `b`");
        assert_eq!(counter.into_notes(), [expected, other]);
    }

    #[test]
    fn one_chunk_stays_as_it_is() {
        let notes = [
            Note::Alert("1 row has a category unseen in training in column `c`: `a`".to_owned()),
            Note::Alert("2 rows lack a value in column `x`; the mean is used".to_owned()),
        ];
        let mut counter = NoteCounter::default();
        counter.add(&notes);
        assert_eq!(counter.into_notes(), notes);
    }
}
