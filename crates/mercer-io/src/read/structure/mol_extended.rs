//! Atoms and bonds of the version V3000: `M  V30` lines with words instead of columns.

use std::collections::HashMap;

use super::fault::shorten;
use super::mol::{Cursor, Draft, ELEMENT_CURE, add_bond, atom};
use super::{LineSource, ReadFault};

/// Reads up to `M  END`.
pub(super) fn read<S: LineSource>(cursor: &mut Cursor<'_, S>) -> Result<Draft, S::Error> {
    let mut draft = Draft::default();
    // Atoms may have any numbers.
    let mut index_of: HashMap<i64, i32> = HashMap::new();
    let mut block = String::new();
    loop {
        let Some(text) = entry(cursor)? else {
            return Ok(draft);
        };
        let mut words = text.split_whitespace();
        match (words.next(), block.as_str()) {
            (Some("BEGIN"), _) => words.next().unwrap_or_default().clone_into(&mut block),
            (Some("END"), _) => block.clear(),
            (Some(number), "ATOM") => {
                let symbol = words.next().unwrap_or_default();
                let (Ok(number), Some(mut atom)) = (number.parse::<i64>(), atom(symbol)) else {
                    let problem = format!("`{}` is no atom", shorten(&text));
                    return Err(cursor.fault(1, &problem, ELEMENT_CURE));
                };
                let mut valence = None;
                for option in words.skip(4) {
                    let (name, value) = option.split_once('=').unwrap_or((option, ""));
                    let value = value.parse::<i32>().ok();
                    match (name, value) {
                        ("CHG", Some(charge)) if i8::try_from(charge).is_ok() => {
                            atom.charge = charge as i8;
                        }
                        ("MASS", Some(mass)) => atom.isotope = u16::try_from(mass).ok(),
                        ("VAL", Some(-1)) => valence = Some(0),
                        ("VAL", Some(value @ 1..=14)) => valence = Some(value as u8),
                        ("CFG", Some(parity)) => draft.stereo |= parity != 0,
                        ("CHG", _) => {
                            let problem = format!("`{}` is no charge", shorten(option));
                            return Err(cursor.fault(1, &problem, "give a whole number"));
                        }
                        _ => {}
                    }
                }
                draft.atoms.push(atom);
                draft.valences.push(valence);
                if index_of.insert(number, draft.atoms.len() as i32).is_some() {
                    let problem = format!("atom {number} is listed twice");
                    return Err(cursor.fault(1, &problem, "number every atom once"));
                }
            }
            (Some(_), "BOND") => {
                let numbers = [words.next(), words.next(), words.next()];
                let numbers = numbers.map(|w| w.and_then(|w| w.parse::<i64>().ok()));
                let [Some(kind), Some(from), Some(to)] = numbers else {
                    let problem = format!("`{}` is no bond", shorten(&text));
                    let cure = "a bond is its number, a type and two numbers of atoms";
                    return Err(cursor.fault(1, &problem, cure));
                };
                draft.stereo |= words.any(|w| w.starts_with("CFG=") && w != "CFG=0");
                let place = |number: i64| index_of.get(&number).copied();
                let (Some(a), Some(b)) = (place(from), place(to)) else {
                    let wrong = if place(from).is_none() { from } else { to };
                    let problem = format!("a bond names atom {wrong}, which is not listed");
                    return Err(cursor.fault(1, &problem, "correct the bond, or add the atom"));
                };
                let kind = i32::try_from(kind).unwrap_or(-1);
                add_bond(cursor, &mut draft, a, b, kind)?;
            }
            _ => {}
        }
    }
}

/// The text of the next entry, its continuations joined; none at `M  END`.
fn entry<S: LineSource>(cursor: &mut Cursor<'_, S>) -> Result<Option<String>, S::Error> {
    let mut text = String::new();
    loop {
        cursor.advance("`M  END`")?;
        let line = cursor.line.trim_end();
        if line == "M  END" {
            return Ok(None);
        }
        if line == "$$$$" {
            let cure = "end the atoms and bonds of every record with `M  END`";
            return Err(cursor.fault(1, "there is no `M  END`", cure));
        }
        let Some(part) = line.strip_prefix("M  V30 ") else {
            if text.is_empty() {
                // The old block of an empty V2000 table, or a remark.
                continue;
            }
            let problem = "the continuation of an entry is missing";
            return Err(cursor.fault(1, problem, "start the next line with `M  V30 `"));
        };
        if let Some(part) = part.strip_suffix('-') {
            text.push_str(part);
        } else {
            text.push_str(part);
            return Ok(Some(text));
        }
        // A molecule's entry is a few hundred characters long.
        if text.len() > 1 << 20 {
            let fault = ReadFault::new(
                cursor.lines.number(),
                "an entry is too long",
                "check the file",
            );
            return Err(fault.into());
        }
    }
}
