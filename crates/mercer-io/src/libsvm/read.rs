//! Reads model files.

use std::io::BufRead;

use mercer_linalg::{Csr, Matrix};

use super::header::Header;
use super::model::{LibsvmKernel, LibsvmModel, Support};
use super::text::{Fault, Text, WRITE_AGAIN, Word, words};
use crate::Result;

/// The largest index, as LIBSVM keeps it in an `int` and ends rows with -1.
const MAX_INDEX: u32 = i32::MAX as u32 - 1;

/// The largest number of a training row under a precomputed kernel: its matrix of 8-byte
/// values would already fill 8 terabytes.
const MAX_SERIAL: u32 = 1_000_000;

/// Reads a model in LIBSVM's text format, of any version from 3.0 to 3.37.
///
/// Memory grows with what was read, never with what a count announces.
///
/// # Errors
/// [`crate::Error::Syntax`] with line and reason for the first rule that the file breaks;
/// the reader's refusal.
///
/// ```
/// use mercer_io::libsvm::read_model;
///
/// let text = "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0\n\
///             label 1 -1\nnr_sv 1 1\nSV\n0.5 1:1 \n-0.5 1:-1 \n";
/// let model = read_model(text.as_bytes(), "small.model")?;
/// assert_eq!(model.labels, [1, -1]);
/// # Ok::<(), mercer_io::Error>(())
/// ```
pub fn read_model(reader: impl BufRead, name: &str) -> Result<LibsvmModel> {
    let mut text = Text::new(reader, name);
    let header = Header::read(&mut text)?;
    let height = header.labels.len().max(2) - 1;
    let mut list = List::new(height, header.kernel == LibsvmKernel::Precomputed);
    while text.advance()? {
        if list.rows() == header.total {
            let problem = format!(
                "there are more support vectors than `total_sv`, which is {}",
                header.total
            );
            return Err(text.place(Fault::new(1, problem, WRITE_AGAIN)));
        }
        list.push(text.line()).map_err(|fault| text.place(fault))?;
    }
    if list.rows() < header.total {
        let problem = format!(
            "the file ends after {} support vectors; `total_sv` is {}",
            list.rows(),
            header.total
        );
        return Err(text.place(Fault::new(1, problem, "make or copy the file again")));
    }
    if !text.ended && text.number > header.end {
        let problem = "the last line has no line end; the file may be cut off";
        let cure = "copy the file again, or add a line end if it is complete";
        return Err(text.place(Fault::new(text.line().len().max(1), problem, cure)));
    }
    let rows = list.rows();
    let by_vector = Matrix::from_vec(rows, height, list.coefficients);
    let support = if list.precomputed {
        Support::Serials(list.serials)
    } else {
        list.points.finish()
    };
    Ok(LibsvmModel {
        svm_type: header.svm_type,
        kernel: header.kernel,
        labels: header.labels,
        class_sizes: header.class_sizes,
        rho: header.rho,
        prob_a: header.prob_a,
        prob_b: header.prob_b,
        density_marks: header.density_marks,
        coefficients: by_vector.transposed(),
        support,
    })
}

/// The support vectors as they come.
struct List {
    height: usize,
    precomputed: bool,
    /// The coefficients of one vector after the other.
    coefficients: Vec<f64>,
    points: PointList,
    serials: Vec<u32>,
}

impl List {
    fn new(height: usize, precomputed: bool) -> Self {
        Self {
            height,
            precomputed,
            coefficients: Vec::new(),
            points: PointList {
                starts: vec![0],
                ..PointList::default()
            },
            serials: Vec::new(),
        }
    }

    fn rows(&self) -> usize {
        if self.precomputed {
            self.serials.len()
        } else {
            self.points.starts.len() - 1
        }
    }

    fn push(&mut self, line: &str) -> Result<(), Fault> {
        let mut rest = words(line);
        for found in 0..self.height {
            let missing = |column| {
                let problem = format!(
                    "the support vector has {found} coefficients; {} expected",
                    self.height
                );
                Fault::new(column, problem, WRITE_AGAIN)
            };
            match rest.next() {
                Some(word) if word.text.contains(':') => return Err(missing(word.column)),
                Some(word) => self.coefficients.push(word.number()?),
                None => return Err(missing(line.trim_ascii_end().len() + 1)),
            }
        }
        if self.precomputed {
            return self.push_serial(rest, line.trim_ascii_end().len() + 1);
        }
        for word in rest {
            let (index, value) = pair(word)?;
            self.points
                .push(index, value)
                .map_err(|problem| word.fault(problem))?;
        }
        self.points.end_row();
        Ok(())
    }

    fn push_serial<'a>(
        &mut self,
        mut rest: impl Iterator<Item = Word<'a>>,
        end: usize,
    ) -> Result<(), Fault> {
        let missing = "`0:serial` is missing; a precomputed kernel needs the row's number";
        let Some(word) = rest.next() else {
            return Err(Fault::new(end, missing, WRITE_AGAIN));
        };
        let (index, value) = pair(word)?;
        if index != 0 {
            return Err(Fault::new(word.column, missing, WRITE_AGAIN));
        }
        if value.fract() != 0.0 || !(1.0..=f64::from(MAX_SERIAL)).contains(&value) {
            let problem = format!("is no row of a training matrix (1 to {MAX_SERIAL})");
            return Err(word.fault(&problem));
        }
        self.serials.push(value as u32);
        // Some versions store the whole row of the matrix; only its number is used.
        let mut last = 0;
        for word in rest {
            let (index, _) = pair(word)?;
            if index <= last {
                return Err(word.fault("does not ascend; indices must"));
            }
            last = index;
        }
        Ok(())
    }
}

/// Sparse vectors with the indices of the file, first index not yet known.
#[derive(Default)]
struct PointList {
    starts: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
    /// The index read last in this row.
    last: Option<u32>,
    largest: u32,
    zero_based: bool,
}

impl PointList {
    fn push(&mut self, index: u32, value: f64) -> Result<(), &'static str> {
        if self.last.is_some_and(|last| index <= last) {
            return Err("does not ascend; indices must");
        }
        self.last = Some(index);
        self.zero_based |= index == 0;
        self.largest = self.largest.max(index);
        if value != 0.0 {
            self.indices.push(index);
            self.values.push(value);
        }
        Ok(())
    }

    fn end_row(&mut self) {
        self.last = None;
        self.starts.push(self.indices.len());
    }

    fn finish(mut self) -> Support {
        if !self.zero_based {
            for index in &mut self.indices {
                *index -= 1;
            }
        }
        let columns = self.largest as usize + usize::from(self.zero_based);
        let points = Csr::try_new(columns, self.starts, self.indices, self.values)
            .expect("indices ascend and stay below the largest");
        Support::Vectors {
            points,
            zero_based: self.zero_based,
        }
    }
}

/// Reads `index:value`.
fn pair(word: Word<'_>) -> Result<(u32, f64), Fault> {
    let Some((index, value)) = word.text.split_once(':') else {
        return Err(word.fault("is not of the form index:value"));
    };
    let part = |text, skip| Word {
        text,
        column: word.column + skip,
    };
    let number = part(index, 0);
    let position: u32 = number.whole("an index from 0")?;
    if position > MAX_INDEX {
        return Err(number.fault("is too large an index"));
    }
    Ok((position, part(value, index.len() + 1).number()?))
}
