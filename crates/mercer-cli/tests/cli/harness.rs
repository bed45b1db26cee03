//! Runs the binary in a folder of its own, with a time bound.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// What runs longer hangs. No measure of speed: the machine may be slow, or busy.
pub(crate) const BOUND: Duration = Duration::from_mins(2);

/// A temporary folder with some data.
pub(crate) struct Folder(tempfile::TempDir);

/// What a command left behind.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn put(&self, name: &str, contents: impl AsRef<[u8]>) -> &Self {
        std::fs::write(self.path(name), contents).expect("written");
        self
    }

    pub(crate) fn get(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("readable")
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).expect("folder").flatten();
        let mut names: Vec<String> = entries
            .map(|e| e.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// The command, ready to start in this folder.
    pub(crate) fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mercer"));
        command
            .args(args)
            .current_dir(self.0.path())
            .env_remove("CLICOLOR_FORCE")
            .env("MERCER_NUM_THREADS", "2")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs the words of a line; words hold no spaces.
    pub(crate) fn run(&self, line: &str) -> Done {
        self.run_args(line.split_whitespace())
    }

    pub(crate) fn run_args<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Done {
        finish(self.command(args).spawn().expect("started"), None)
    }

    pub(crate) fn run_with_stdin(&self, line: &str, input: &[u8]) -> Done {
        let mut command = self.command(line.split_whitespace());
        let child = command.stdin(Stdio::piped()).spawn().expect("started");
        finish(child, Some(input.to_vec()))
    }
}

/// Waits within the bound and collects what was printed.
pub(crate) fn finish(mut child: Child, input: Option<Vec<u8>>) -> Done {
    let feeder = child.stdin.take().map(|mut stdin| {
        std::thread::spawn(move || {
            // The command may stop reading early.
            let _ = stdin.write_all(&input.unwrap_or_default());
        })
    });
    let out = collect(child.stdout.take());
    let err = collect(child.stderr.take());
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("waited") {
            break status;
        }
        if started.elapsed() > BOUND {
            child.kill().expect("killed");
            panic!("still running after {BOUND:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    if let Some(feeder) = feeder {
        feeder.join().expect("fed");
    }
    Done {
        code: status.code().unwrap_or(-1),
        out: out.join().expect("read"),
        err: err.join().expect("read"),
    }
}

fn collect(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

impl Done {
    /// Expects success and returns standard output.
    #[track_caller]
    pub(crate) fn ok(&self) -> &str {
        assert_eq!(self.code, 0, "{}\n{}", self.out, self.err);
        &self.out
    }

    /// Expects success with exactly one JSON object on standard output.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.code, 0, "{}\n{}", self.out, self.err);
        self.object()
    }

    #[track_caller]
    pub(crate) fn object(&self) -> Value {
        assert_eq!(self.out.trim_end().lines().count(), 1, "{}", self.out);
        let value: Value = serde_json::from_str(&self.out).expect("JSON");
        assert!(value.is_object(), "{value}");
        value
    }

    /// Expects an exit code and a message with all these parts, and returns standard error.
    #[track_caller]
    pub(crate) fn fails(&self, code: i32, parts: &[&str]) -> &str {
        assert_eq!(self.code, code, "{}\n{}", self.out, self.err);
        assert!(self.err.contains("error:"), "{}", self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        for part in parts {
            assert!(self.err.contains(part), "`{part}` is not in: {}", self.err);
        }
        &self.err
    }
}

/// Two clouds that a curve separates, as CSV with columns `a`, `b`, `kind`.
pub(crate) fn clouds(rows: usize) -> String {
    let mut text = String::from("a,b,kind\n");
    let mut state = 12_345_u64;
    let mut random = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    for i in 0..rows {
        let (x, y) = (random() * 4.0 - 2.0, random() * 4.0 - 2.0);
        let inside = x * x + y * y < 2.0;
        let noisy = if i % 17 == 3 { !inside } else { inside };
        text += &format!("{x:.4},{y:.4},{}\n", if noisy { "inner" } else { "outer" });
    }
    text
}

/// A noisy line, as CSV with columns `x`, `y`.
pub(crate) fn line(rows: usize) -> String {
    let mut text = String::from("x,y\n");
    for i in 0..rows {
        let x = i as f64 / 10.0;
        text += &format!(
            "{x},{}\n",
            3.0 * x + 1.0 + 0.1 * ((i * 7 % 11) as f64 - 5.0)
        );
    }
    text
}

/// One of the data sets that the repository bundles.
pub(crate) fn bundled(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/data/sets")
        .join(name)
}

/// A folder with a model of [`clouds`] in `m.mercer` and its data in `d.csv`.
///
/// The flags name a method where the automatic model is not the subject: its trials take longer
/// than all else.
pub(crate) fn fitted(flags: &str) -> Folder {
    let folder = Folder::new();
    folder.put("d.csv", clouds(120));
    folder
        .run(&format!("fit d.csv --target kind -o m.mercer {flags}"))
        .ok();
    folder
}
