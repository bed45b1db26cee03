//! `mercer rank`.

use std::path::Path;

use mercer::data::{Link, pagerank};
use mercer_io::{CsvWriter, directed_links};
use serde_json::{Value, json};

use crate::args::RankArgs;
use crate::data::read;
use crate::display::Page;
use crate::failure::Result;
use crate::outputs::Files;
use crate::session::Session;
use crate::style::{count, number};

/// Nodes that are printed.
const SHOWN: usize = 20;

pub(super) fn run(args: &RankArgs, session: &Session) -> Result<()> {
    Files::default()
        .data(&args.data, &args.reading)
        .write(
            args.output
                .as_deref()
                .filter(|path| *path != Path::new("-")),
        )
        .check()?;
    let table = read(&args.data, &args.reading, session)?;
    let (names, mut links) = directed_links(&table)?;
    if args.undirected {
        let back: Vec<Link> = links
            .iter()
            .filter(|link| link.from != link.to)
            .map(|link| Link {
                from: link.to,
                to: link.from,
                ..*link
            })
            .collect();
        links.extend(back);
    }
    let context = session.context(&args.running);
    let ranks = pagerank(names.len(), &links, args.damping, || context.goes_on())?;
    session.check()?;
    let mut order: Vec<usize> = (0..names.len()).collect();
    // Equal ranks in the order of the file.
    order.sort_by(|&a, &b| ranks.scores[b].total_cmp(&ranks.scores[a]).then(a.cmp(&b)));
    if let Some(path) = &args.output {
        session.write_with(path, |out| {
            let mut csv = CsvWriter::new(out, path.display().to_string());
            csv.write_row(["node", "rank"])?;
            for &node in &order {
                csv.write_row([names[node].clone(), ranks.scores[node].to_string()])?;
            }
            Ok(())
        })?;
    }
    session.meter.finish();
    let output = session.output;
    if output.json {
        let all: Vec<Value> = order
            .iter()
            .map(|&node| json!({ "node": names[node], "rank": ranks.scores[node] }))
            .collect();
        return output.object(&json!({
            "nodes": names.len(),
            "links": table.rows(),
            "damping": args.damping,
            "passes": ranks.passes,
            "converged": ranks.converged,
            "ranks": all,
            "output": args.output,
        }));
    }
    if args.output.as_deref() == Some(Path::new("-")) {
        return Ok(());
    }
    let mut page = Page::new(output.paint);
    let what = format!(
        "{} nodes, {} links, damping {}",
        count(names.len() as u64),
        count(table.rows() as u64),
        args.damping
    );
    page.heading("PageRank", &what);
    for &node in order.iter().take(SHOWN) {
        page.item(&names[node], &number(ranks.scores[node]));
    }
    if names.len() > SHOWN {
        let more = format!("{} more nodes", count((names.len() - SHOWN) as u64));
        page.item("…", &more);
    }
    if !ranks.converged {
        page.item("care", "passes ended before ranks stood still");
    }
    page.files(&[("ranks", &args.output)]);
    output.text(&page.finish())
}
