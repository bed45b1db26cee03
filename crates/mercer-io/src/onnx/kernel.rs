//! Kernel expressions as steps of a graph.

use mercer::kernel::KernelSpec;

use super::family::{Base, power};
use super::graph::{Builder, Wire};
use super::product::scale;
use super::sides::{Side, Sides, View};
use crate::Result;

/// Returns the kernel's values between new rows and support vectors, \[N, count\].
pub(super) fn values(
    graph: &mut Builder,
    sides: &Sides,
    kernel: &KernelSpec,
    view: &View,
) -> Result<Wire> {
    match kernel {
        KernelSpec::Base { family, settings } => Base {
            family,
            settings,
            view,
        }
        .values(graph, sides),
        KernelSpec::Normalise(inner) => {
            let value = values(graph, sides, inner, view)?;
            let left = diagonal(graph, sides, inner, view, Side::New)?;
            let right = diagonal(graph, sides, inner, view, Side::Support)?;
            let flat = graph.integers(vec![1, -1]);
            let right = graph.step("Reshape", [&right, &flat]);
            Ok(normalise(graph, &value, &left, &right))
        }
        _ => combine(graph, sides, kernel, view, sides.count(), &values),
    }
}

/// Returns k(x, x) of the rows of a side: \[rows, 1\], or one number for all.
pub(super) fn diagonal(
    graph: &mut Builder,
    sides: &Sides,
    kernel: &KernelSpec,
    view: &View,
    side: Side,
) -> Result<Wire> {
    match kernel {
        KernelSpec::Base { family, settings } => Base {
            family,
            settings,
            view,
        }
        .diagonal(graph, sides, side),
        KernelSpec::Normalise(inner) => {
            let own = diagonal(graph, sides, inner, view, side)?;
            let zero = graph.number(0.0);
            let positive = graph.step("Greater", [&own, &zero]);
            Ok(graph.indicator(&positive))
        }
        _ => combine(
            graph,
            sides,
            kernel,
            view,
            1,
            &|graph, sides, part, view| diagonal(graph, sides, part, view, side),
        ),
    }
}

/// Turns a part of an expression into steps.
type Part<'a> = &'a dyn Fn(&mut Builder, &Sides, &KernelSpec, &View) -> Result<Wire>;

/// Joins the parts of a combination, which acts on single values, in blocks of some columns.
fn combine(
    graph: &mut Builder,
    sides: &Sides,
    kernel: &KernelSpec,
    view: &View,
    columns: usize,
    part: Part<'_>,
) -> Result<Wire> {
    let mut join = |operator, parts: &[KernelSpec]| -> Result<Wire> {
        let mut total: Option<Wire> = None;
        for kernel in parts {
            let value = part(graph, sides, kernel, view)?;
            total = Some(match total {
                None => value,
                Some(total) => graph.step(operator, [&total, &value]),
            });
        }
        total.ok_or_else(|| mercer::Error::model("a combination of no kernels").into())
    };
    match kernel {
        KernelSpec::Sum(parts) => join("Add", parts),
        KernelSpec::Product(parts) => join("Mul", parts),
        KernelSpec::Scaled { factor, kernel } => {
            let value = part(graph, sides, kernel, view)?;
            Ok(scale(graph, &value, *factor, columns))
        }
        KernelSpec::Power { kernel, exponent } => {
            let value = part(graph, sides, kernel, view)?;
            Ok(power(graph, &value, f64::from(*exponent)))
        }
        KernelSpec::Exp(kernel) => {
            let value = part(graph, sides, kernel, view)?;
            Ok(graph.step("Exp", [&value]))
        }
        KernelSpec::On { columns, kernel } => {
            part(graph, sides, kernel, &sides.narrow(view, columns)?)
        }
        KernelSpec::Base { .. } | KernelSpec::Normalise(_) => part(graph, sides, kernel, view),
    }
}

/// k(x, z)/√(k(x, x)·k(z, z)), 0 where a row has no positive value with itself.
fn normalise(graph: &mut Builder, value: &Wire, left: &Wire, right: &Wire) -> Wire {
    let (zero, one) = (graph.number(0.0), graph.number(1.0));
    let [left, right] = [left, right].map(|own| {
        let positive = graph.step("Greater", [own, &zero]);
        let safe = graph.step("Where", [&positive, own, &one]);
        (positive, graph.step("Sqrt", [&safe]))
    });
    let root = graph.step("Mul", [&left.1, &right.1]);
    let share = graph.step("Div", [value, &root]);
    let both = graph.step("And", [&left.0, &right.0]);
    graph.step("Where", [&both, &share, &zero])
}
