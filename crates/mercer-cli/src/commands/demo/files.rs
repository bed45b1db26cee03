//! The bundled tables as a list, and as files.

use std::path::Path;

use serde_json::json;

use super::tables::{TABLES, files};
use crate::display::Page;
use crate::failure::{Failure, Result};
use crate::session::Session;
use crate::style::plural;

/// Lists the tables with their questions.
pub(super) fn list(session: &Session) -> Result<()> {
    session.meter.finish();
    let output = session.output;
    if output.json {
        let tables = TABLES.iter().map(|t| {
            json!({
                "name": t.name,
                "question": t.question,
                "data": t.title,
                "rows": rows(t.nodes.unwrap_or(t.text)),
                "file": t.file,
                "target": t.target,
            })
        });
        return output.object(&json!({ "tables": tables.collect::<Vec<_>>() }));
    }
    let mut page = Page::new(output.paint);
    page.heading("Bundled tables", "`mercer demo NAME` learns from one");
    for table in &TABLES {
        page.item(table.name, table.question);
    }
    page.heading("As files", "`mercer demo --write FOLDER`");
    for table in &TABLES {
        page.block(table.line);
    }
    output.text(&page.finish())
}

/// Writes all tables into a folder, which is made where it is not there; files of these names that
/// hold something else are left alone.
pub(super) fn write(folder: &Path, session: &Session) -> Result<()> {
    let files = files();
    for (name, text) in &files {
        let path = folder.join(name);
        let other = std::fs::read(&path).is_ok_and(|found| found != text.as_bytes());
        if other {
            return Err(Failure::data(
                "exists",
                format!(
                    "`{}` is there already, with something else in it",
                    path.display()
                ),
                "name another folder, or move the file",
            ));
        }
    }
    std::fs::create_dir_all(folder).map_err(|source| mercer_io::Error::Io {
        file: folder.display().to_string(),
        source,
    })?;
    for (name, text) in &files {
        session.write(&folder.join(name), text.as_bytes())?;
    }
    session.meter.finish();
    let output = session.output;
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    if output.json {
        return output.object(&json!({ "folder": folder, "files": names }));
    }
    let mut page = Page::new(output.paint);
    page.heading(
        "Written",
        &format!("{} in {}", plural(files.len(), "table"), folder.display()),
    );
    for (name, text) in &files {
        page.item(name, &plural(rows(text), "row"));
    }
    page.heading("Try next", "");
    page.block(&format!("cd {}", folder.display()));
    for table in &TABLES {
        page.block(table.line);
    }
    output.text(&page.finish())
}

/// Rows below the header.
fn rows(text: &str) -> usize {
    text.lines().count().saturating_sub(1)
}
