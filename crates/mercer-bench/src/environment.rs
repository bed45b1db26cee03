//! The environment of the peers: a virtual environment, mercer's wheel, the Rust programs.

use std::path::Path;
use std::process::Command;

use crate::error::{Error, Result};
use crate::paths;
use crate::peer::{Peer, Runner};
use crate::record::Program;

/// Builds and installs everything; a peer that cannot be installed is told of and left out.
pub(crate) fn install(peers: &[Peer]) -> Result<()> {
    let environment = paths::target("bench-env");
    if !paths::python().exists() {
        println!("making {}", environment.display());
        succeed(
            Command::new("python3")
                .args(["-m", "venv"])
                .arg(&environment),
        )?;
    }
    pip(&["maturin", "numpy", "scipy", "scikit-learn"])?;
    println!("building mercer's wheel");
    let wheels = paths::target("bench-wheels");
    // One wheel at most: pip below takes whatever is there.
    let _ = std::fs::remove_dir_all(&wheels);
    succeed(
        Command::new(environment.join("bin/maturin"))
            .current_dir(paths::root())
            .args([
                "build",
                "--quiet",
                "--profile",
                "dist",
                "-m",
                "crates/mercer-py/Cargo.toml",
                "-o",
            ])
            .arg(&wheels),
    )?;
    let wheel = only_file(&wheels)?;
    pip(&["--force-reinstall", "--no-deps", &wheel])?;
    for peer in peers {
        if let Runner::Python { packages } = peer.runner
            && !packages.is_empty()
            && let Err(error) = pip(packages)
        {
            println!("{} cannot be installed: {error}", peer.label);
        }
    }
    if peers
        .iter()
        .any(|peer| matches!(peer.runner, Runner::Rust { .. }))
    {
        println!("building the Rust peers");
        let built = succeed(
            Command::new("cargo")
                .args([
                    "build",
                    "--quiet",
                    "--release",
                    "--locked",
                    "--manifest-path",
                ])
                .arg(paths::rust_peers().join("Cargo.toml"))
                .arg("--target-dir")
                .arg(paths::target("bench-rust-peers")),
        );
        if let Err(error) = built {
            println!("the Rust peers cannot be built: {error}");
        }
    }
    Ok(())
}

/// Asks every peer for its version and abilities.
pub(crate) fn programs(peers: &[Peer]) -> Result<Vec<Program>> {
    let text = succeed(
        Command::new(paths::python())
            .arg(paths::script("worker.py"))
            .arg("--probe"),
    )?;
    let mut found = Vec::new();
    for line in text.lines() {
        let program: Program = serde_json::from_str(line).map_err(|source| Error::Json {
            place: "the output of `worker.py --probe`".to_owned(),
            source,
        })?;
        found.push(program);
    }
    let lock = std::fs::read_to_string(paths::rust_peers().join("Cargo.lock")).unwrap_or_default();
    Ok(peers
        .iter()
        .filter_map(|peer| match peer.runner {
            Runner::Python { .. } => found
                .iter()
                .find(|program| program.peer == peer.name)
                .cloned(),
            Runner::Rust { binary, library } => Some(rust_program(peer, binary, library, &lock)),
        })
        .collect())
}

/// The program of a Rust peer.
pub(crate) fn rust_binary(binary: &str) -> std::path::PathBuf {
    paths::target("bench-rust-peers/release").join(binary)
}

fn rust_program(peer: &Peer, binary: &str, library: &str, lock: &str) -> Program {
    let built = rust_binary(binary).exists();
    Program {
        peer: peer.name.to_owned(),
        version: if built {
            locked_version(lock, library)
        } else {
            None
        },
        tasks: peer
            .rust_tasks()
            .iter()
            .map(|&task| task.to_owned())
            .collect(),
        missing: (!built).then(|| "not built".to_owned()),
    }
}

/// The version of a library in the text of a lock file.
fn locked_version(lock: &str, library: &str) -> Option<String> {
    let name = format!("name = \"{library}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    lines.next()?;
    let version = lines.next()?.strip_prefix("version = ")?;
    Some(version.trim_matches('"').to_owned())
}

fn pip(arguments: &[&str]) -> Result<()> {
    let mut command = Command::new(paths::python());
    command
        .args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "-c",
        ])
        .arg(paths::root().join("tests/peers.txt"))
        .args(arguments);
    succeed(&mut command).map(drop)
}

fn only_file(folder: &Path) -> Result<String> {
    let mut entries = std::fs::read_dir(folder).map_err(|source| Error::File {
        path: folder.to_owned(),
        source,
    })?;
    match entries.next() {
        Some(Ok(entry)) => Ok(entry.path().display().to_string()),
        _ => Err(Error::Command {
            command: "maturin build".to_owned(),
            reason: "no wheel was written".to_owned(),
        }),
    }
}

/// Runs a program to its end and returns what it printed.
pub(crate) fn succeed(command: &mut Command) -> Result<String> {
    let name = Path::new(command.get_program())
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let failed = |reason: String| Error::Command {
        command: name,
        reason,
    };
    match command.output() {
        Err(error) => Err(failed(error.to_string())),
        Ok(done) if done.status.success() => Ok(String::from_utf8_lossy(&done.stdout).into_owned()),
        Ok(done) => {
            let text = String::from_utf8_lossy(&done.stderr);
            let last: Vec<&str> = text.trim().lines().rev().take(3).collect();
            let last: Vec<&str> = last.into_iter().rev().collect();
            Err(failed(format!("{}, {}", done.status, last.join(" "))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_come_from_the_lock_file() {
        let lock = "[[package]]\nname = \"linfa\"\nversion = \"1\"\n\n[[package]]\nname = \"linfa-svm\"\nversion = \"0.8.1\"\n";
        assert_eq!(locked_version(lock, "linfa-svm").as_deref(), Some("0.8.1"));
        assert_eq!(locked_version(lock, "smartcore"), None);
    }

    #[test]
    fn failures_say_what_the_program_said() {
        let error = succeed(Command::new("sh").args(["-c", "echo why >&2; exit 3"])).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("`sh` failed") && text.ends_with("why"),
            "{text}"
        );
        assert!(succeed(&mut Command::new("no-such-program-here")).is_err());
    }
}
