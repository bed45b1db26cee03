//! What a bar says, in the width of a terminal.

use super::estimate::Outlook;
use crate::style::count;

/// Letters beside the bar, so that both fit into 80 columns.
pub(super) const ROOM: usize = 54;

/// Seconds below which nobody needs two numbers.
pub(super) const FEW: f64 = 8.0;

/// Names what is done, over how many rows, and the time that is left; what is least needed is left
/// out where there is no room.
pub(super) fn line(name: &str, rows: Option<&str>, outlook: Option<Outlook>) -> String {
    let left = outlook.map(|outlook| format!("{} left", time(outlook)));
    let parts = [Some(name), rows, left.as_deref()];
    let text = |skipped: Option<usize>| {
        let kept = parts
            .iter()
            .enumerate()
            .filter(|(k, _)| Some(*k) != skipped);
        let kept: Vec<&str> = kept.filter_map(|(_, part)| *part).collect();
        kept.join(", ")
    };
    let whole = text(None);
    let whole = if whole.chars().count() > ROOM {
        text(Some(1))
    } else {
        whole
    };
    if whole.chars().count() <= ROOM {
        return whole;
    }
    let tail = left.map_or(String::new(), |left| format!(", {left}"));
    let room = ROOM.saturating_sub(tail.chars().count() + 1);
    let name: String = name.chars().take(room).collect();
    format!("{name}…{tail}")
}

/// A number of rows.
pub(super) fn rows(rows: usize) -> String {
    format!("{} rows", count(rows as u64))
}

/// The time that is left: one number where it is known well enough, two where it is not.
pub(super) fn time(outlook: Outlook) -> String {
    match outlook.between {
        None => format!("about {}", rough(outlook.left)),
        Some([_, most]) if most < FEW => "a few seconds".to_owned(),
        Some([least, most]) => {
            let (least, most) = (rough(least), rough(most));
            let both_seconds = least.ends_with(" s") && most.ends_with(" s");
            let least = least
                .strip_suffix(" s")
                .filter(|_| both_seconds)
                .unwrap_or(&least);
            format!("{least} to {most}")
        }
    }
}

/// Seconds as one would say them: nobody plans by the second.
fn rough(seconds: f64) -> String {
    match seconds {
        s if s < 1.5 => "1 s".to_owned(),
        s if s < 20.0 => format!("{s:.0} s"),
        s if s < 55.0 => format!("{:.0} s", (s / 5.0).round() * 5.0),
        s if s < 570.0 => {
            let halves = (s / 30.0).round().max(2.0);
            format!("{} min", halves / 2.0)
        }
        s if s < 3600.0 => format!("{:.0} min", (s / 60.0).round()),
        s if s < 36_000.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.0} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit() {
        let sure = |left: f64| Outlook {
            share: 0.5,
            left,
            between: None,
        };
        let short = line("fitting", Some("20,000 rows"), Some(sure(31.0)));
        assert_eq!(short, "fitting, 20,000 rows, about 30 s left");
        let unsure = |left: f64| Outlook {
            between: Some([left / 2.0, left * 5.0]),
            ..sure(left)
        };
        let two = line("searching", Some("20,000 rows"), Some(unsure(30.0)));
        assert_eq!(two, "searching, 20,000 rows, 15 s to 2.5 min left");
        let few = line("searching", None, Some(unsure(8.0)));
        assert_eq!(few, "searching, 4 to 40 s left");
        let few = line("searching", None, Some(unsure(1.0)));
        assert_eq!(few, "searching, a few seconds left");
        let fold = "fold 10 of 10, choosing kernels";
        let long = line(fold, Some("1,000,000 rows"), Some(sure(800.0)));
        assert_eq!(long, "fold 10 of 10, choosing kernels, about 13 min left");
        let name = "a very long name of a class against another very long name of a class";
        for left in [None, Some(sure(5.0)), Some(unsure(1e7))] {
            let text = line(name, Some("7 rows"), left);
            assert!(text.chars().count() <= ROOM, "{text}");
        }
    }

    #[test]
    fn times_are_rough() {
        let said = [0.2, 7.4, 33.0, 58.0, 100.0, 1000.0, 7000.0].map(rough);
        let wanted = ["1 s", "7 s", "35 s", "1 min", "1.5 min", "17 min", "1.9 h"];
        assert_eq!(said, wanted);
    }
}
