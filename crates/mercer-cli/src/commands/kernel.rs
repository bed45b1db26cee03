//! `mercer kernel`.

use mercer::features::explicit_features;
use mercer::kernel::{KernelSpec, ResolvedKernel, families};
use serde_json::json;

use super::log_value::evaluate;
use super::{functions, object, prefix_table};
use crate::args::KernelArgs;
use crate::display::Page;
use crate::failure::Result;
use crate::session::Session;

pub(super) fn run(args: &KernelArgs, session: &Session) -> Result<()> {
    if let (Some(text), Some(table), false) = (&args.kernel, &args.a, args.coefficients.is_empty())
    {
        return functions::run(&text.parse()?, table, args, session);
    }
    let (Some(text), Some(a), Some(b)) = (&args.kernel, &args.a, &args.b) else {
        return list(session);
    };
    let kernel: KernelSpec = text.parse()?;
    let records = object::pair(&kernel, a, b, session)?;
    let tables = if args.table {
        let [a, b] = [a, b].map(|text| object::whole(text, session));
        kernel.prefix_tables(&a?, &b?)?
    } else {
        Vec::new()
    };
    let pairs = if args.pairs {
        let [a, b] = [a, b].map(|text| object::whole(text, session));
        Some(kernel.index_pairs(&a?, &b?)?)
    } else {
        None
    };
    let value = evaluate(&kernel, &records)?;
    // Open parameters are chosen from the two together, for all three values.
    let distance = if args.distance {
        let settled: KernelSpec = value.kernel.parse()?;
        let own = |text: &String| -> Result<f64> {
            let twice = object::pair(&settled, text, text, session)?;
            Ok(evaluate(&settled, &twice)?.plain)
        };
        let square = own(a)? + own(b)? - 2.0 * value.plain;
        Some(square.max(0.0).sqrt())
    } else {
        None
    };
    let features = if args.features {
        let kernel: ResolvedKernel = value.kernel.parse()?;
        let of =
            |row: usize| explicit_features(&kernel, &object::numbers(&records, row), args.degree);
        Some([of(0)?, of(1)?])
    } else {
        None
    };
    session.output.notes(&value.notes);
    if session.output.json {
        return session.output.object(&json!({
            "kernel": value.kernel,
            "distance": distance,
            "features": features,
            "value": value.plain.is_finite().then_some(value.plain),
            "log_value": value.log.filter(|l| l.is_finite()),
            "table": tables.last().map(|table| &table.values),
            "pairs": pairs.map(|list| list.into_iter().map(|pair| pair.places).collect::<Vec<_>>()),
            "tables": tables.iter().map(|t| (t.name.clone(), json!(t.values))).collect::<serde_json::Map<_, _>>(),
        }));
    }
    let mut text = String::new();
    for table in &tables {
        text.push_str(&prefix_table::written(table));
        text.push('\n');
    }
    for pair in pairs.iter().flatten() {
        let [own, other] = pair.places.each_ref().map(|set| index_set(set));
        let line = format!("({own}, {other})  {}", pair.word);
        text.push_str(line.trim_end());
        text.push('\n');
    }
    for own in features.iter().flatten() {
        let own: Vec<String> = own.iter().map(ToString::to_string).collect();
        text.push_str(&own.join(","));
        text.push('\n');
    }
    if let Some(distance) = distance {
        text.push_str(&distance.to_string());
        text.push('\n');
        return session.output.text(&text);
    }
    let plain = value.plain.is_finite() && (value.plain != 0.0 || value.log.is_none());
    let written = match value.log {
        Some(log) if !plain => format!("exp({log})"),
        _ => value.plain.to_string(),
    };
    text.push_str(&written);
    text.push('\n');
    session.output.text(&text)
}

/// A set of places as the literature writes it.
fn index_set(places: &[usize]) -> String {
    if places.is_empty() {
        return "∅".to_owned();
    }
    let each: Vec<String> = places.iter().map(ToString::to_string).collect();
    format!("{{{}}}", each.join(", "))
}

fn list(session: &Session) -> Result<()> {
    if session.output.json {
        let all: Vec<_> = families()
            .iter()
            .map(|f| {
                let parameters: Vec<_> = f
                    .parameters
                    .iter()
                    .map(|p| json!({"name": p.name, "meaning": p.meaning, "allowed": p.allowed.text(), "default": p.default}))
                    .collect();
                json!({"name": f.name, "summary": f.summary, "formula": f.formula, "parameters": parameters})
            })
            .collect();
        return session.output.object(&json!({ "kernels": all }));
    }
    let mut page = Page::new(session.output.paint);
    for family in families() {
        page.heading(family.name, family.summary);
        page.item("formula", family.formula);
        for parameter in family.parameters {
            let text = format!("{}; default {}", parameter.meaning, parameter.default);
            page.item(parameter.name, &text);
        }
    }
    page.heading("Combinations", "");
    for (form, meaning) in [
        ("a*K", "a kernel times a positive number"),
        ("K + K, K * K", "sum and product"),
        ("K^2", "a whole power"),
        ("exp(K)", "exp(k(x, z))"),
        ("normalise(K)", "k(x, z)/√(k(x, x)·k(z, z))"),
        ("K@a, K@[a,\"b c\"]", "reads only these columns"),
    ] {
        page.item(form, meaning);
    }
    session.output.text(&page.finish())
}
