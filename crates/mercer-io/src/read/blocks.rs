//! A file in blocks of rows that are cut by row number.

use std::sync::mpsc::{Receiver, sync_channel};

use mercer::data::{Layout, Table};

use super::{ReadOptions, Source, Stream, stream};
use crate::Result;

/// Rows whose cells decide the kinds of columns, at least and at most.
const HEAD: (usize, usize) = (4096, 65_536);
/// Cells that those rows have at most, but for the least number of them.
const HEAD_CELLS: usize = 200 * HEAD.1;

/// The rows of a file in blocks of a fixed number.
///
/// The kinds of columns are those of the first 65,536 rows, fewer where a table has more than 200 columns, whatever the
/// size of a block. A later cell that does not fit is an error that names it. After the first rows, one block is in
/// memory at a time.
pub struct Blocks {
    stream: Stream,
    rows: usize,
    /// Rows of the next block, where it is a shorter one.
    short: Option<usize>,
    /// The first rows, and how many of them were given.
    head: Table,
    given: usize,
}

impl std::fmt::Debug for Blocks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Blocks")
            .field("stream", &self.stream)
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}

impl Blocks {
    /// Opens a file and reads its first rows.
    ///
    /// # Errors
    /// Problems of the file's start, and unfit options; `rows` of zero.
    pub fn open(source: &Source, options: &ReadOptions, rows: usize) -> Result<Self> {
        if let Source::Stdin = source {
            // What was taken from a pipe cannot be read again.
            return Err(crate::Error::Unsupported {
                file: source.name(),
                problem: "standard input cannot be read twice".to_owned(),
                cure: "save it to a file first".into(),
            });
        }
        let mut opened = stream(source, options, rows)?;
        // One row tells how wide the table is; the first rows are read once that is known.
        let columns = match opened.next_rows(1) {
            Some(first) => first?.columns().len(),
            None => 1,
        };
        let head = (HEAD_CELLS / columns.max(1)).clamp(HEAD.0, HEAD.1);
        let mut opened = stream(source, options, rows)?;
        let head = match opened.next_rows(head) {
            Some(head) => head?,
            None => Table::default(),
        };
        Ok(Self {
            stream: opened,
            rows,
            short: None,
            head,
            given: 0,
        })
    }

    /// Lets the first block end early, where rows before those of the file belong to it.
    #[must_use]
    pub fn after(mut self, rows: u64) -> Self {
        let into = (rows % self.rows as u64) as usize;
        self.short = (into > 0).then(|| self.rows - into);
        self
    }

    /// Returns the first rows, by whose cells the kinds of columns were decided.
    pub fn head(&self) -> &Table {
        &self.head
    }

    /// Returns how the file is read.
    pub fn layout(&self) -> &Layout {
        self.stream.layout()
    }

    /// Returns the share of the file that was read, where its size is known.
    pub fn share(&self) -> Option<f64> {
        self.stream.share()
    }

    /// Passes over rows, with which blocks then begin; returns how many there were.
    ///
    /// # Errors
    /// Rows that are no rows, such as those with too many fields.
    pub fn pass_over(&mut self, rows: usize) -> Result<usize> {
        let held = (self.head.rows() - self.given).min(rows);
        self.given += held;
        Ok(held + self.stream.pass_over(rows - held)?)
    }

    /// The next rows of those that were read first.
    fn held(&mut self, count: usize) -> Table {
        let end = (self.given + count).min(self.head.rows());
        let rows: Vec<usize> = (self.given..end).collect();
        let block = self.head.select(&rows);
        self.given = end;
        if end == self.head.rows() {
            // Its memory is that of many blocks.
            self.head = self.head.select(&[]);
            self.given = 0;
        }
        block
    }

    /// Reads on a thread of its own, two blocks ahead of who asks for them.
    pub fn ahead(self) -> Ahead {
        let (sender, blocks) = sync_channel(2);
        std::thread::spawn(move || {
            let mut blocks = self;
            while let Some(block) = blocks.next() {
                let failed = block.is_err();
                if sender.send((block, blocks.share())).is_err() || failed {
                    return;
                }
            }
        });
        Ahead {
            blocks,
            share: None,
        }
    }
}

impl Iterator for Blocks {
    type Item = Result<Table>;

    fn next(&mut self) -> Option<Self::Item> {
        let wanted = self.short.take().unwrap_or(self.rows);
        if self.given < self.head.rows() {
            let block = self.held(wanted);
            if block.rows() == wanted {
                return Some(Ok(block));
            }
            // The last of the first rows, and what is missing to a block.
            let Some(rest) = self.stream.next_rows(wanted - block.rows()) else {
                return Some(Ok(block));
            };
            return Some(rest.and_then(|rest| {
                let before = block.before();
                let mut whole = Table::concat(&[block, rest])?;
                whole.set_before(before);
                Ok(whole)
            }));
        }
        self.stream.next_rows(wanted)
    }
}

/// Blocks that are read by a thread of their own.
#[derive(Debug)]
pub struct Ahead {
    blocks: Receiver<(Result<Table>, Option<f64>)>,
    share: Option<f64>,
}

impl Ahead {
    /// Returns the share of the file that was read when the last block was, where its size is known.
    pub fn share(&self) -> Option<f64> {
        self.share
    }
}

impl Iterator for Ahead {
    type Item = Result<Table>;

    fn next(&mut self) -> Option<Self::Item> {
        let (block, share) = self.blocks.recv().ok()?;
        self.share = share;
        Some(block)
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use mercer::data::Kind;

    fn csv(rows: usize) -> Source {
        let mut text = String::from("n,c\n");
        for i in 0..rows {
            writeln!(text, "{i},c{}", i % 3).expect("a string");
        }
        Source::bytes("a.csv", text.into_bytes())
    }

    #[test]
    fn blocks_are_cut_by_row_number() {
        for (ahead, block) in [(false, 4096), (true, 5000), (true, 100_000)] {
            let blocks = Blocks::open(&csv(70_001), &ReadOptions::default(), block);
            let blocks = blocks.expect("opened");
            assert_eq!(blocks.head().rows(), 65_536);
            assert_eq!(blocks.head().columns()[1].kind(), Kind::Categorical);
            let all: Vec<Table> = if ahead {
                blocks.ahead().collect::<Result<_>>().expect("readable")
            } else {
                blocks.collect::<Result<_>>().expect("readable")
            };
            assert_eq!(all.len(), 70_001_usize.div_ceil(block));
            for (number, table) in all.iter().enumerate() {
                assert_eq!(table.before(), block * number);
                assert_eq!(table.origin().lines[0] as usize, block * number + 2);
                assert_eq!(table.rows(), block.min(70_001 - block * number));
            }
        }
    }

    #[test]
    fn passing_over_gives_what_follows() {
        for skip in [0, 3 * 4096, 16 * 4096, 17 * 4096, 80_000] {
            let blocks = Blocks::open(&csv(70_001), &ReadOptions::default(), 4096);
            let mut blocks = blocks.expect("opened");
            assert_eq!(blocks.pass_over(skip).expect("rows"), skip.min(70_001));
            let next = blocks.next().map(|block| block.expect("readable").before());
            assert_eq!(next, (skip < 70_001).then_some(skip));
        }
    }

    #[test]
    fn the_first_block_may_end_early() {
        let blocks = Blocks::open(&csv(9000), &ReadOptions::default(), 4096).expect("opened");
        let rows: Vec<usize> = blocks
            .after(5000)
            .map(|b| b.expect("readable").rows())
            .collect();
        assert_eq!(rows, [3192, 4096, 1712]);
    }

    #[test]
    fn a_misfit_is_placed_wherever_it_is() {
        let lines = (0..70_000).map(|i| match i {
            69_000 => "x\n".to_owned(),
            _ => format!("{i}\n"),
        });
        let text: String = std::iter::once("n\n".to_owned()).chain(lines).collect();
        let source = Source::bytes("a.csv", text.into_bytes());
        let blocks = Blocks::open(&source, &ReadOptions::default(), 4096).expect("opened");
        let error = blocks.collect::<Result<Vec<_>>>().expect_err("a misfit");
        assert_eq!(
            error.to_string(),
            "a.csv, line 69002, column `n`: `x` is not a number"
        );
        assert!(!error.hints().is_empty());
    }

    #[test]
    fn pipes_and_blocks_of_nothing_are_refused() {
        assert!(Blocks::open(&csv(3), &ReadOptions::default(), 0).is_err());
        assert!(Blocks::open(&Source::Stdin, &ReadOptions::default(), 4).is_err());
    }
}
