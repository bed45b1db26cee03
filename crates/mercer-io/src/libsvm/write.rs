//! Writes model files.

use std::fmt::Write as _;
use std::io::Write;

use super::digits::format_g17;
use super::model::{LibsvmKernel, LibsvmModel, Support};
use crate::{Error, Result};

/// Writes a model in LIBSVM's text format, with 17 significant digits; `file` names the
/// writer in errors.
///
/// # Errors
/// Fields that contradict each other, and the writer's refusal.
pub fn write_model(model: &LibsvmModel, writer: &mut dyn Write, file: &str) -> Result<()> {
    model.check()?;
    let mut put = |text: &str| {
        let written = writer.write_all(text.as_bytes());
        written.map_err(|e| Error::io(file, e))
    };
    put(&header(model))?;
    let mut line = String::new();
    for vector in 0..model.support.len() {
        line.clear();
        for row in 0..model.coefficients.rows() {
            line.push_str(&format_g17(model.coefficients[(row, vector)]));
            line.push(' ');
        }
        match &model.support {
            Support::Serials(serials) => push(&mut line, format_args!("0:{} ", serials[vector])),
            Support::Vectors { points, zero_based } => {
                let first = u64::from(!zero_based);
                let (indices, values) = points.row(vector);
                for (&index, &value) in indices.iter().zip(values) {
                    let number = u64::from(index) + first;
                    push(&mut line, format_args!("{number}:{} ", format_g17(value)));
                }
            }
        }
        line.push('\n');
        put(&line)?;
    }
    Ok(())
}

/// The lines up to `SV`, in the order in which LIBSVM writes them.
fn header(model: &LibsvmModel) -> String {
    let mut text = format!(
        "svm_type {}\nkernel_type {}\n",
        model.svm_type.name(),
        model.kernel.name()
    );
    let (degree, gamma, coef0) = match model.kernel {
        LibsvmKernel::Linear | LibsvmKernel::Precomputed => (None, None, None),
        LibsvmKernel::Rbf { gamma } => (None, Some(gamma), None),
        LibsvmKernel::Sigmoid { gamma, coef0 } => (None, Some(gamma), Some(coef0)),
        LibsvmKernel::Polynomial {
            degree,
            gamma,
            coef0,
        } => (Some(degree), Some(gamma), Some(coef0)),
    };
    if let Some(degree) = degree {
        push(&mut text, format_args!("degree {degree}\n"));
    }
    for (key, value) in [("gamma", gamma), ("coef0", coef0)] {
        if let Some(value) = value {
            push(&mut text, format_args!("{key} {}\n", format_g17(value)));
        }
    }
    let classes = model.labels.len().max(2);
    let total = model.support.len();
    push(
        &mut text,
        format_args!("nr_class {classes}\ntotal_sv {total}\n"),
    );
    let numbers = |text: &mut String, key: &str, values: &[f64]| {
        list(text, key, values.iter().map(|v| format_g17(*v)));
    };
    numbers(&mut text, "rho", &model.rho);
    if !model.labels.is_empty() {
        list(&mut text, "label", model.labels.iter().map(i32::to_string));
    }
    for (key, values) in [
        ("probA", &model.prob_a),
        ("probB", &model.prob_b),
        ("prob_density_marks", &model.density_marks),
    ] {
        if let Some(values) = values {
            numbers(&mut text, key, values);
        }
    }
    if !model.class_sizes.is_empty() {
        list(
            &mut text,
            "nr_sv",
            model.class_sizes.iter().map(usize::to_string),
        );
    }
    text.push_str("SV\n");
    text
}

fn list(text: &mut String, key: &str, values: impl Iterator<Item = String>) {
    text.push_str(key);
    for value in values {
        text.push(' ');
        text.push_str(&value);
    }
    text.push('\n');
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("a string takes any text");
}
