//! SDF: molecules with named fields, one record after the other.
//!
//! A record is a MOL block (V2000 or V3000), then fields `> <name>` with lines of text up to an
//! empty line, then `$$$$`. A file with one MOL block alone is a record too, and the last `$$$$`
//! may be missing. Coordinates, wedges and parities are not used; marks of stereochemistry are
//! flagged. Radicals are not told apart.

use mercer::data::molecule::Molecule;

use super::LineSource;
use super::fault::shorten;
use super::mol::{self, Cursor};

/// One molecule with its fields.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Record {
    /// The first line of the record; often empty.
    pub(crate) name: String,
    /// The molecule; it may have no atoms.
    pub(crate) molecule: Molecule,
    /// Names and texts of the fields, in the order of the file.
    pub(crate) fields: Vec<(String, String)>,
    /// The line on which the record starts.
    pub(crate) line: usize,
}

/// Reads records.
#[derive(Debug)]
pub(crate) struct SdfReader<S> {
    lines: S,
    /// Records read so far.
    records: usize,
}

impl<S: LineSource> SdfReader<S> {
    /// Wraps a source of lines.
    pub(crate) fn new(lines: S) -> Self {
        Self { lines, records: 0 }
    }

    /// Reads the next record; none at the end of the file.
    ///
    /// # Errors
    /// Lines that do not fit, bonds to atoms that are not there, and a file that ends inside a
    /// record; the fault names line and record.
    pub(crate) fn next_record(&mut self) -> Result<Option<Record>, S::Error> {
        let mut cursor = Cursor {
            line: String::new(),
            record: self.records + 1,
            lines: &mut self.lines,
        };
        let first = cursor.lines.number() + 1;
        let mut header: Vec<String> = Vec::new();
        while header.len() < 4 {
            if cursor.lines.next(&mut cursor.line)? {
                header.push(cursor.line.clone());
            } else if header.iter().all(|line| line.trim().is_empty()) {
                return Ok(None);
            } else {
                cursor.advance("the line of counts")?;
            }
            if header.last().is_some_and(|line| line.trim_end() == "$$$$") {
                let problem = "the record ends before its atoms";
                let cure = "start every record with three lines of header and a line of counts";
                return Err(cursor.fault(1, problem, cure));
            }
        }
        // Empty lines after the last record are no record.
        if header.iter().all(|line| line.trim().is_empty()) {
            let mut blank = true;
            while blank {
                if !cursor.lines.next(&mut cursor.line)? {
                    return Ok(None);
                }
                blank = cursor.line.trim().is_empty();
            }
            let problem = format!("`{}` comes after empty lines", shorten(cursor.line.trim()));
            let cure = "start every record with three lines of header and a line of counts";
            return Err(cursor.fault(1, &problem, cure));
        }
        let molecule = mol::read(&mut cursor)?;
        let fields = read_fields(&mut cursor)?;
        self.records += 1;
        let name = header.swap_remove(0).trim().to_owned();
        Ok(Some(Record {
            name,
            molecule,
            fields,
            line: first,
        }))
    }
}

fn read_fields<S: LineSource>(
    cursor: &mut Cursor<'_, S>,
) -> Result<Vec<(String, String)>, S::Error> {
    let mut fields: Vec<(String, String)> = Vec::new();
    // Whether the last field has not been closed by an empty line.
    let mut open = false;
    while cursor.lines.next(&mut cursor.line)? {
        let line = cursor.line.trim_end();
        if line == "$$$$" {
            break;
        }
        if !open && line.starts_with('>') {
            let Some(name) = field_name(line) else {
                let problem = format!("`{}` names no field", shorten(line));
                return Err(cursor.fault(1, &problem, "write the name as `> <name>`"));
            };
            if fields.iter().any(|(other, _)| other == name) {
                let problem = format!("the field `{}` comes twice", shorten(name));
                return Err(cursor.fault(1, &problem, "give every field a name of its own"));
            }
            fields.push((name.to_owned(), String::new()));
            open = true;
        } else if line.is_empty() {
            open = false;
        } else if let Some((_, text)) = fields.last_mut() {
            if !text.is_empty() {
                // An empty line inside a text is kept as what it is.
                text.push_str(if open { "\n" } else { "\n\n" });
            }
            text.push_str(line);
            open = true;
        }
    }
    Ok(fields)
}

/// The name between `<` and `>`, or a field number such as `DT12`.
fn field_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('>')?;
    let named = rest.find('<').and_then(|start| {
        let end = rest.rfind('>').filter(|&end| end > start)?;
        Some(rest[start + 1..end].trim())
    });
    let numbered = || rest.split_whitespace().find(|word| word.starts_with("DT"));
    named.or_else(numbered).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::structure::{ReadFault, TextLines};
    use mercer::data::molecule::{Order, parse};
    use proptest::prelude::*;

    const ETHANOL: &str = "ethanol
  made by hand

  3  2  0  0  0  0            999 V2000
    0.0000    0.0000    0.0000 C   0  0  0  0  0  0
    1.0000    0.0000    0.0000 C   0  0
    1.5000    1.0000    0.0000 O   0  0  0  0  0  0  0  0  0  0  0  0
  1  2  1  0
  2  3  1  0  0  0  0
M  END
> <logP>
-0.31

>  12  <note> (3)
two
lines

$$$$
";

    fn read(text: &str) -> Result<Vec<Record>, ReadFault> {
        let mut reader = SdfReader::new(TextLines::new(text.as_bytes(), 1 << 20));
        let mut records = Vec::new();
        while let Some(record) = reader.next_record()? {
            records.push(record);
        }
        Ok(records)
    }

    fn message(text: &str) -> String {
        read(text).expect_err("refused").to_string()
    }

    /// A molecule as a MOL block.
    fn block(text: &str, extended: bool) -> String {
        let molecule = parse(text).expect("a molecule");
        let (atoms, bonds) = (molecule.atoms.len(), molecule.bonds.len());
        let kind =
            |order: Order| Order::ALL.iter().position(|o| *o == order).expect("known") % 4 + 1;
        let kind = |order: Order| {
            if order == Order::Aromatic {
                4
            } else {
                kind(order)
            }
        };
        let mut lines = vec![text.to_owned(), String::new(), String::new()];
        if extended {
            lines.push("  0  0  0     0  0            999 V3000".to_owned());
            lines.push("M  V30 BEGIN CTAB".to_owned());
            lines.push(format!("M  V30 COUNTS {atoms} {bonds} 0 0 0"));
            lines.push("M  V30 BEGIN ATOM".to_owned());
            for (index, atom) in molecule.atoms.iter().enumerate() {
                let number = 10 * index + 10;
                lines.push(format!("M  V30 {number} {} 0 0 -", atom.element));
                lines.push(format!("M  V30 0 0 CHG={}", atom.charge));
            }
            lines.push("M  V30 END ATOM".to_owned());
            lines.push("M  V30 BEGIN BOND".to_owned());
            for (index, bond) in molecule.bonds.iter().enumerate() {
                let (a, b) = (10 * bond.from + 10, 10 * bond.to + 10);
                lines.push(format!("M  V30 {} {} {a} {b}", index + 1, kind(bond.order)));
            }
            lines.push("M  V30 END BOND".to_owned());
            lines.push("M  V30 END CTAB".to_owned());
        } else {
            lines.push(format!(
                "{atoms:3}{bonds:3}  0  0  0  0            999 V2000"
            ));
            for atom in &molecule.atoms {
                lines.push(format!(
                    "{0:10.4}{0:10.4}{0:10.4} {1:3} 0  0  0  0",
                    0.0, atom.element
                ));
            }
            for bond in &molecule.bonds {
                lines.push(format!(
                    "{:3}{:3}{:3}  0",
                    bond.from + 1,
                    bond.to + 1,
                    kind(bond.order)
                ));
            }
            for (index, atom) in molecule.atoms.iter().enumerate() {
                if atom.charge != 0 {
                    lines.push(format!("M  CHG  1{:4}{:4}", index + 1, atom.charge));
                }
            }
        }
        lines.push("M  END\n".to_owned());
        lines.join("\n")
    }

    #[test]
    fn records_are_read() {
        let text = format!("{ETHANOL}{}", ETHANOL.replace("ethanol", ""));
        for text in [
            text.clone(),
            text.replace('\n', "\r\n"),
            format!("{text}\n\n"),
            text.trim_end().trim_end_matches("$$$$").to_owned(),
        ] {
            let records = read(&text).expect("two records");
            assert_eq!(records.len(), 2);
            assert_eq!(records[0].name, "ethanol");
            assert_eq!((records[1].name.as_str(), records[1].line), ("", 19));
            assert_eq!(records[1].molecule.formula(), "C2H6O");
            let fields = [("logP", "-0.31"), ("note", "two\nlines")];
            assert_eq!(
                records[1].fields,
                fields.map(|(a, b)| (a.to_owned(), b.to_owned()))
            );
        }
        assert!(read("").expect("nothing").is_empty());
        assert!(read("\n\n\n\n\n\n").expect("nothing").is_empty());
    }

    #[test]
    fn blocks_give_the_molecule_of_the_smiles() {
        for text in [
            "CC(=O)Oc1ccccc1C(=O)O",
            "[O-][N+](=O)c1ccccc1",
            "C[N+](C)(C)CC([O-])=O",
            "Cn1cnc2c1c(=O)n(C)c(=O)n2C",
            "N#Cc1ccncc1",
            "[Na+].[Cl-]",
        ] {
            let expected = parse(text).expect("a molecule");
            for extended in [false, true] {
                let records = read(&block(text, extended)).expect(text);
                assert_eq!(records.len(), 1);
                let found = &records[0].molecule;
                assert_eq!(found.formula(), expected.formula(), "{text}");
                let orders = |m: &Molecule| {
                    m.bonds
                        .iter()
                        .map(|b| (b.from, b.to, b.order))
                        .collect::<Vec<_>>()
                };
                assert_eq!(orders(found), orders(&expected), "{text}");
            }
        }
    }

    #[test]
    fn charges_of_the_atom_block_are_replaced() {
        let text = "\n\n\n  2  0\n    0.0       0.0       0.0    N   0  3\n    0.0       0.0       0.0    Cl  0  5\nM  END\n";
        assert_eq!(read(text).expect("ions")[0].molecule.formula(), "ClH4N");
        let text = text.replace("M  END", "M  CHG  1   2  -1\nM  ISO  1   1  15\nM  END");
        let molecule = &read(&text).expect("ions")[0].molecule;
        assert_eq!(molecule.atoms[0].charge, 0);
        assert_eq!(molecule.atoms[0].isotope, Some(15));
        assert_eq!(molecule.atoms[1].charge, -1);
    }

    #[test]
    fn stated_valences_decide_on_hydrogens() {
        let text = "\n\n\n  1  0\n    0.0000    0.0000    0.0000 C   0  0  0  0  0  2  0\nM  END\n";
        assert_eq!(read(text).expect("carbene")[0].molecule.formula(), "CH2");
        let text = text.replace("0  2  0\n", "0 15  0\n");
        assert_eq!(read(&text).expect("carbon")[0].molecule.formula(), "C");
    }

    #[test]
    fn faults_name_line_and_record() {
        let second =
            |change: &dyn Fn(&str) -> String| message(&format!("{ETHANOL}{}", change(ETHANOL)));
        assert_eq!(
            second(&|t| t.replace("  2  3  1", "  2  9  1")),
            "line 27, column 1: record 2: a bond names atom 9, and there are 3"
        );
        assert_eq!(
            second(&|t| t.replace(" O   0", " Xy  0")),
            "line 25, column 32: record 2: `Xy` is no element"
        );
        assert_eq!(
            second(&|t| t[..60].to_owned()),
            "line 23, column 1: the file ends before the last atom of record 2"
        );
        assert_eq!(
            second(&|t| t.replace("M  END\n", "")),
            "line 28, column 1: record 2: there is no `M  END`"
        );
        assert_eq!(
            second(&|t| t.replace("  3  2  0", "  x  2  0")),
            "line 22, column 1: record 2: `x  2  0  0  0  0            99…` is no line of counts"
        );
        assert_eq!(
            second(&|t| t.replace("  2  3  1", "  2  3  8")),
            "line 27, column 7: record 2: bond type 8 is not 1, 2, 3 or 4"
        );
        assert_eq!(
            second(&|t| t.replace("  2  3  1", "  2  1  1")),
            "line 27, column 1: record 2: atoms 2 and 1 are bonded twice"
        );
        assert_eq!(
            second(&|t| t.replace("  2  3  1", "  2  2  1")),
            "line 27, column 1: record 2: atom 2 is bonded to itself"
        );
        assert_eq!(
            message("name\n\n$$$$\n"),
            "line 3, column 1: record 1: the record ends before its atoms"
        );
    }

    proptest! {
        #[test]
        fn damaged_files_are_read_or_refused(
            cut in 0_usize..400,
            changes in prop::collection::vec((0_usize..700, any::<u8>()), 0..5),
            extended in any::<bool>(),
        ) {
            let mut bytes = format!("{ETHANOL}{}$$$$\n", block("[O-][N+](=O)c1ccccc1", extended)).into_bytes();
            for (at, byte) in changes {
                let at = at % bytes.len();
                bytes[at] = byte;
            }
            bytes.truncate(bytes.len() - cut % 200);
            let mut reader = SdfReader::new(TextLines::new(&bytes[..], 1 << 20));
            while let Ok(Some(record)) = reader.next_record() {
                prop_assert_eq!(record.molecule.hydrogens().len(), record.molecule.atoms.len());
            }
        }
    }
}
