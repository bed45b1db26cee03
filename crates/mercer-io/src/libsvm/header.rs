//! The part of a model file before its support vectors: one key and its values a line.

use std::io::BufRead;

use super::model::{LibsvmKernel, SvmType, pair_count};
use super::text::{Fault, Text, WRITE_AGAIN, Word, words};
use crate::Result;
use crate::error::shorten_bytes;

/// The keys of LIBSVM 3.37.
const KEYS: [&str; 14] = [
    "svm_type",
    "kernel_type",
    "degree",
    "gamma",
    "coef0",
    "nr_class",
    "total_sv",
    "rho",
    "label",
    "probA",
    "probB",
    "prob_density_marks",
    "nr_sv",
    "SV",
];

/// Values of a one-class density in LIBSVM 3.37.
const MARKS: usize = 10;

/// The largest degree, as LIBSVM keeps it in an `int`.
const MAX_DEGREE: u32 = i32::MAX as u32;

/// Everything before the support vectors, with its rules checked.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) svm_type: SvmType,
    pub(super) kernel: LibsvmKernel,
    pub(super) labels: Vec<i32>,
    pub(super) class_sizes: Vec<usize>,
    pub(super) total: usize,
    pub(super) rho: Vec<f64>,
    pub(super) prob_a: Option<Vec<f64>>,
    pub(super) prob_b: Option<Vec<f64>>,
    pub(super) density_marks: Option<Vec<f64>>,
    /// The line of the `SV` key.
    pub(super) end: usize,
}

/// A value and the line it stands on.
type Given<T> = Option<(T, usize)>;

/// The keys as they come.
#[derive(Default)]
struct Draft {
    svm_type: Given<SvmType>,
    kernel: Given<&'static str>,
    degree: Given<u32>,
    gamma: Given<f64>,
    coef0: Given<f64>,
    classes: Given<usize>,
    total: Given<usize>,
    rho: Given<Vec<f64>>,
    labels: Given<Vec<i32>>,
    prob_a: Given<Vec<f64>>,
    prob_b: Given<Vec<f64>>,
    marks: Given<Vec<f64>>,
    sizes: Given<Vec<usize>>,
}

impl Header {
    /// Reads up to and including the `SV` line.
    pub(super) fn read<R: BufRead>(text: &mut Text<R>) -> Result<Self> {
        let mut draft = Draft::default();
        let mut seen = false;
        loop {
            if !text.advance()? {
                let problem = if seen {
                    "the file ends before its support vectors (`SV`)"
                } else {
                    "this is not a LIBSVM model: there is nothing in it"
                };
                return Err(text.place(Fault::new(1, problem, "make or copy the file again")));
            }
            let number = text.number;
            let line = text.line();
            match draft.line(line, number, seen) {
                Ok(true) => seen = true,
                Ok(false) => break,
                Err(fault) => return Err(text.place(fault)),
            }
        }
        let end = text.number;
        draft
            .finish(end)
            .map_err(|(line, fault)| text.place_at(line, fault))
    }
}

impl Draft {
    /// Takes one line; returns whether more of the header follows.
    fn line(&mut self, line: &str, number: usize, seen: bool) -> Result<bool, Fault> {
        let mut rest = words(line);
        let Some(key) = rest.next() else {
            return Ok(true);
        };
        let values: Vec<Word<'_>> = rest.collect();
        match key.text {
            "SV" => {
                if let Some(extra) = values.first() {
                    return Err(extra.fault("follows `SV`; support vectors start on the next line"));
                }
                return Ok(false);
            }
            "svm_type" => put(&mut self.svm_type, key, number, svm_type(key, &values)?)?,
            "kernel_type" => put(&mut self.kernel, key, number, kernel_name(key, &values)?)?,
            "degree" => {
                let word = one(key, &values)?;
                let degree = word.whole::<u32>("a whole number from 0")?;
                if degree > MAX_DEGREE {
                    return Err(word.fault("is too large a degree"));
                }
                put(&mut self.degree, key, number, degree)?;
            }
            "gamma" => {
                let word = one(key, &values)?;
                let gamma = word.number()?;
                if gamma < 0.0 {
                    return Err(word.fault("is negative; `gamma` must not be"));
                }
                put(&mut self.gamma, key, number, gamma)?;
            }
            "coef0" => put(&mut self.coef0, key, number, one(key, &values)?.number()?)?,
            "nr_class" => {
                let classes = one(key, &values)?.whole("a number of classes")?;
                put(&mut self.classes, key, number, classes)?;
            }
            "total_sv" => {
                let total = one(key, &values)?.whole("a number of support vectors")?;
                put(&mut self.total, key, number, total)?;
            }
            "rho" => put(&mut self.rho, key, number, numbers(&values)?)?,
            "label" => put(&mut self.labels, key, number, labels(&values)?)?,
            "probA" => put(&mut self.prob_a, key, number, numbers(&values)?)?,
            "probB" => put(&mut self.prob_b, key, number, numbers(&values)?)?,
            "prob_density_marks" => put(&mut self.marks, key, number, numbers(&values)?)?,
            "nr_sv" => {
                let sizes: Result<Vec<usize>, Fault> = values
                    .iter()
                    .map(|w| w.whole("a number of support vectors"))
                    .collect();
                put(&mut self.sizes, key, number, sizes?)?;
            }
            _ if !seen => {
                let shown = shorten_bytes(key.text.as_bytes());
                return Err(Fault::new(
                    key.column,
                    format!("this is not a LIBSVM model: it starts with `{shown}`"),
                    "give a file written by `svm-train`; `.mercer` files need no import",
                ));
            }
            _ => {
                let problem = format!("is not a key of LIBSVM models ({})", KEYS.join(", "));
                return Err(key.fault(&problem));
            }
        }
        Ok(true)
    }

    /// Checks what ties the keys together; faults name the line they are about.
    fn finish(self, end: usize) -> Result<Header, (usize, Fault)> {
        let (svm_type, type_line) = required(self.svm_type, "svm_type", end)?;
        let (name, _) = required(self.kernel, "kernel_type", end)?;
        let gamma = || required(self.gamma, "gamma", end).map(|g| g.0);
        let coef0 = || required(self.coef0, "coef0", end).map(|c| c.0);
        let kernel = match name {
            "polynomial" => LibsvmKernel::Polynomial {
                degree: required(self.degree, "degree", end)?.0,
                gamma: gamma()?,
                coef0: coef0()?,
            },
            "rbf" => LibsvmKernel::Rbf { gamma: gamma()? },
            "sigmoid" => LibsvmKernel::Sigmoid {
                gamma: gamma()?,
                coef0: coef0()?,
            },
            "precomputed" => LibsvmKernel::Precomputed,
            _ => LibsvmKernel::Linear,
        };
        let (classes, class_line) = required(self.classes, "nr_class", end)?;
        let (total, total_line) = required(self.total, "total_sv", end)?;
        let (rho, rho_line) = required(self.rho, "rho", end)?;
        let kind = svm_type.name();
        let classifier = svm_type.is_classifier();
        if classes < 2 || (!classifier && classes != 2) {
            let rule = if classifier { "at least 2" } else { "2" };
            let problem = format!("`nr_class` is `{classes}`; it must be {rule} for `{kind}`");
            return Err(at(class_line, problem));
        }
        let decisions = match (classifier, pair_count(classes)) {
            (false, _) => 1,
            (true, Some(pairs)) => pairs,
            (true, None) => {
                return Err(at(
                    class_line,
                    format!("`nr_class` is `{classes}`; that is too large"),
                ));
            }
        };
        count("rho", rho.len(), decisions, rho_line)?;
        let (labels, class_sizes) = if classifier {
            let (labels, label_line) = required(self.labels, "label", end)?;
            count("label", labels.len(), classes, label_line)?;
            let distinct: std::collections::HashSet<i32> = labels.iter().copied().collect();
            if distinct.len() != labels.len() {
                return Err(at(label_line, "`label` names a class twice".to_owned()));
            }
            let (sizes, size_line) = required(self.sizes, "nr_sv", end)?;
            count("nr_sv", sizes.len(), classes, size_line)?;
            let sum = sizes.iter().try_fold(0_usize, |s, n| s.checked_add(*n));
            if sum != Some(total) {
                let sum = sum.map_or("too large a number".to_owned(), |s| s.to_string());
                let problem =
                    format!("`nr_sv` adds up to {sum}; `total_sv` on line {total_line} is {total}");
                return Err(at(size_line, problem));
            }
            (labels, sizes)
        } else {
            foreign(self.labels.as_ref().map(|l| l.1), "label", kind)?;
            foreign(self.sizes.as_ref().map(|s| s.1), "nr_sv", kind)?;
            (Vec::new(), Vec::new())
        };
        if svm_type == SvmType::OneClass {
            foreign(self.prob_a.as_ref().map(|p| p.1), "probA", kind)?;
        } else {
            foreign(self.marks.as_ref().map(|m| m.1), "prob_density_marks", kind)?;
        }
        if let Some((marks, line)) = &self.marks {
            count("prob_density_marks", marks.len(), MARKS, *line)?;
        }
        if let Some((slopes, line)) = &self.prob_a {
            count("probA", slopes.len(), decisions, *line)?;
        }
        if !classifier {
            foreign(self.prob_b.as_ref().map(|p| p.1), "probB", kind)?;
        } else if self.prob_a.is_some() != self.prob_b.is_some() {
            let problem = "`probA` and `probB` go together; one of them is missing";
            return Err(at(type_line.max(end), problem.to_owned()));
        }
        if let Some((offsets, line)) = &self.prob_b {
            count("probB", offsets.len(), decisions, *line)?;
        }
        Ok(Header {
            svm_type,
            kernel,
            labels,
            class_sizes,
            total,
            rho,
            prob_a: self.prob_a.map(|p| p.0),
            prob_b: self.prob_b.map(|p| p.0),
            density_marks: self.marks.map(|m| m.0),
            end,
        })
    }
}

fn at(line: usize, problem: String) -> (usize, Fault) {
    (line, Fault::new(1, problem, WRITE_AGAIN))
}

fn put<T>(slot: &mut Given<T>, key: Word<'_>, line: usize, value: T) -> Result<(), Fault> {
    if let Some((_, first)) = slot {
        return Err(key.fault(&format!("is given twice, first on line {first}")));
    }
    *slot = Some((value, line));
    Ok(())
}

fn required<T>(given: Given<T>, key: &str, end: usize) -> Result<(T, usize), (usize, Fault)> {
    given.ok_or_else(|| at(end, format!("`{key}` is missing before `SV`")))
}

fn foreign(given: Option<usize>, key: &str, kind: &str) -> Result<(), (usize, Fault)> {
    match given {
        Some(line) => Err(at(
            line,
            format!("`{key}` does not belong to a model of type `{kind}`"),
        )),
        None => Ok(()),
    }
}

fn count(key: &str, found: usize, expected: usize, line: usize) -> Result<(), (usize, Fault)> {
    if found == expected {
        return Ok(());
    }
    Err(at(
        line,
        format!("`{key}` has {found} values; {expected} expected"),
    ))
}

fn one<'a>(key: Word<'_>, values: &[Word<'a>]) -> Result<Word<'a>, Fault> {
    match values {
        [value] => Ok(*value),
        [] => Err(key.fault("has no value")),
        [_, second, ..] => Err(second.fault("is a second value where one is expected")),
    }
}

fn numbers(values: &[Word<'_>]) -> Result<Vec<f64>, Fault> {
    values.iter().map(|w| w.number()).collect()
}

fn labels(values: &[Word<'_>]) -> Result<Vec<i32>, Fault> {
    let rule = "a whole number, as labels of LIBSVM are";
    values.iter().map(|w| w.whole(rule)).collect()
}

fn svm_type(key: Word<'_>, values: &[Word<'_>]) -> Result<SvmType, Fault> {
    let word = one(key, values)?;
    let found = SvmType::ALL.iter().find(|(name, ..)| *name == word.text);
    found.map(|(_, kind, _)| *kind).ok_or_else(|| {
        word.fault("is no type of LIBSVM (c_svc, nu_svc, one_class, epsilon_svr, nu_svr)")
    })
}

fn kernel_name(key: Word<'_>, values: &[Word<'_>]) -> Result<&'static str, Fault> {
    const NAMES: [&str; 5] = ["linear", "polynomial", "rbf", "sigmoid", "precomputed"];
    let word = one(key, values)?;
    let found = NAMES.into_iter().find(|name| *name == word.text);
    found.ok_or_else(|| {
        word.fault("is no kernel of LIBSVM (linear, polynomial, rbf, sigmoid, precomputed)")
    })
}
