//! Atoms in brackets: `[13CH3-]`, `[nH]`, `[C@@H]`, `[Fe+2]`, `[*:1]`.

use crate::{Atom, Error, Fault, Result, element};

/// Letter codes of chirality and the largest number that may follow them.
const CHIRALITY: [([char; 2], u32); 5] = [
    (['T', 'H'], 2),
    (['A', 'L'], 2),
    (['S', 'P'], 3),
    (['T', 'B'], 20),
    (['O', 'H'], 30),
];

/// Reads the atom that starts with `[` at `start`; returns it, whether it has marks of
/// stereochemistry, and the position after `]`.
pub(crate) fn read(characters: &[char], start: usize) -> Result<(Atom, bool, usize)> {
    let mut reader = Reader {
        characters,
        at: start + 1,
    };
    let isotope = reader.number(4);
    let mut atom = reader.symbol(start)?;
    atom.isotope = isotope.map(|mass| u16::try_from(mass).expect("four digits"));
    let stereo = reader.chirality();
    atom.hydrogens = Some(0);
    if reader.take('H') {
        atom.hydrogens = Some(reader.number(1).unwrap_or(1) as u8);
    }
    atom.charge = reader.charge()?;
    if reader.take(':') {
        let Some(class) = reader.number(9) else {
            return Err(reader.fault(Fault::NoAtomClass));
        };
        atom.class = Some(class);
    }
    match reader.peek() {
        Some(']') => Ok((atom, stereo, reader.at + 1)),
        None => Err(Fault::BracketNotClosed.at(start + 1)),
        Some(character) => Err(reader.fault(Fault::InBrackets { character })),
    }
}

struct Reader<'a> {
    characters: &'a [char],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// Places a fault at the next character, or at the last one of the text.
    fn fault(&self, fault: Fault) -> Error {
        fault.at((self.at + 1).min(self.characters.len()))
    }

    /// Reads up to `digits` digits (nine at most).
    fn number(&mut self, digits: usize) -> Option<u32> {
        let mut number = None;
        for _ in 0..digits {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) else {
                break;
            };
            number = Some(10 * number.unwrap_or(0) + digit);
            self.at += 1;
        }
        number
    }

    fn symbol(&mut self, start: usize) -> Result<Atom> {
        let Some(first) = self.peek() else {
            return Err(Fault::BracketNotClosed.at(start + 1));
        };
        if first == ']' {
            return Err(Fault::NoElement.at(start + 1));
        }
        let second = self.characters.get(self.at + 1).copied();
        let pair: String = [Some(first), second].into_iter().flatten().collect();
        let (found, aromatic, length) = match pair.as_str() {
            "se" => (Some("Se"), true, 2),
            "as" => (Some("As"), true, 2),
            "te" => (Some("Te"), true, 2),
            _ => match first {
                'b' | 'c' | 'n' | 'o' | 'p' | 's' => {
                    (element(&first.to_ascii_uppercase().to_string()), true, 1)
                }
                _ => match element(&pair) {
                    Some(symbol) => (Some(symbol), false, symbol.len()),
                    None => (element(&first.to_string()), false, 1),
                },
            },
        };
        // A letter that belongs to no two-letter element must be read as part of its name.
        let name_goes_on =
            length == 1 && !aromatic && second.is_some_and(|c| c.is_ascii_lowercase());
        match found {
            Some(symbol) if !name_goes_on => {
                self.at += length;
                Ok(Atom::new(symbol, aromatic))
            }
            _ => {
                let length = if name_goes_on { 2 } else { 1 };
                let symbol: String = pair.chars().take(length).collect();
                Err(self.fault(Fault::UnknownElement { symbol }))
            }
        }
    }

    fn chirality(&mut self) -> bool {
        if !self.take('@') {
            return false;
        }
        if self.take('@') {
            return true;
        }
        let next = [self.at, self.at + 1].map(|at| self.characters.get(at).copied());
        for (letters, most) in CHIRALITY {
            if next != letters.map(Some) {
                continue;
            }
            let before = self.at;
            self.at += 2;
            match self.number(2) {
                Some(number) if (1..=most).contains(&number) => {}
                _ => self.at = before,
            }
            break;
        }
        true
    }

    fn charge(&mut self) -> Result<i8> {
        let Some(sign @ ('+' | '-')) = self.peek() else {
            return Ok(0);
        };
        let begin = self.at;
        self.at += 1;
        let mut size = 1;
        if let Some(number) = self.number(3) {
            size = number;
        } else {
            while self.take(sign) {
                size += 1;
            }
        }
        // No atom has lost more electrons than the heaviest has.
        match i8::try_from(size) {
            Ok(size) if size <= 118 => Ok(if sign == '-' { -size } else { size }),
            _ => Err(Fault::Charge { sign, size }.at(begin + 1)),
        }
    }
}
