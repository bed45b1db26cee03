//! Tables over the prefixes of two texts, for the screen.

use mercer::kernel::PrefixTable;

/// Symbols up to which a prefix is written out.
const SHORT: usize = 12;

/// Writes a table with a prefix above every column and before every row.
pub(super) fn written(table: &PrefixTable) -> String {
    let columns = prefixes(&table.columns);
    let rows = prefixes(&table.rows);
    let mut lines = vec![[vec![table.name.clone()], columns].concat()];
    for (name, values) in rows.into_iter().zip(&table.values) {
        let cells = values.iter().map(|v| cell(*v));
        lines.push([vec![name], cells.collect()].concat());
    }
    let widths: Vec<usize> = (0..lines[0].len())
        .map(|k| {
            lines
                .iter()
                .map(|l| l[k].chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for line in lines {
        let padded = line
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(k, (cell, &width))| {
                if k == 0 {
                    format!("{cell:<width$}")
                } else {
                    format!("{cell:>width$}")
                }
            });
        text.push_str(padded.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// The empty prefix, and every symbol with those before it, or alone where they are many.
fn prefixes(symbols: &[String]) -> Vec<String> {
    let mut names = vec!["ε".to_owned()];
    for k in 0..symbols.len() {
        names.push(if symbols.len() <= SHORT {
            symbols[..=k].concat()
        } else {
            symbols[k].clone()
        });
    }
    names
}

/// A value with six digits where it is no whole number.
fn cell(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        format!("{value}")
    } else {
        format!("{value:.6}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mercer::kernel::KernelSpec;

    #[test]
    fn the_table_of_the_course() {
        let kernel: KernelSpec = "subsequence".parse().expect("a kernel");
        let tables = kernel.prefix_tables("BEERE", "BERT").expect("a table");
        let text = written(&tables[0]);
        assert!(
            text.starts_with("K     ε  B  BE  BEE  BEER  BEERE\n"),
            "{text}"
        );
        assert!(
            text.ends_with("BERT  1  2   4    6    12     14\n"),
            "{text}"
        );
    }
}
