//! The machine that is measured on.

use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::paths;

/// Processor, memory and versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Machine {
    /// The processor's name.
    pub(crate) processor: String,
    /// Cores this process may use.
    pub(crate) cores: usize,
    /// Bytes of memory.
    pub(crate) memory: u64,
    /// Widest vector instructions.
    pub(crate) vectors: String,
    /// The operating system's kernel.
    pub(crate) system: String,
    /// The compiler of the Rust programs.
    pub(crate) rustc: String,
    /// The interpreter of the Python programs.
    pub(crate) python: String,
    /// NumPy and SciPy, which the Python programs share.
    pub(crate) numpy: String,
}

impl Machine {
    /// Looks at this machine.
    pub(crate) fn here() -> Self {
        let processors = read("/proc/cpuinfo");
        let flags = field(&processors, "flags").unwrap_or_default();
        let widest = ["avx512f", "avx2", "avx", "sse2"];
        let vectors = widest
            .iter()
            .find(|&&name| flags.split(' ').any(|flag| flag == name));
        let python = paths::python().display().to_string();
        Self {
            processor: field(&processors, "model name").unwrap_or_else(|| "unknown".to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory: total_memory(),
            vectors: (*vectors.unwrap_or(&"none")).to_owned(),
            system: output("uname", &["-sr"]),
            rustc: output("rustc", &["--version"]),
            python: output(&python, &["--version"]),
            numpy: output(
                &python,
                &[
                    "-c",
                    "import numpy, scipy; print(f'NumPy {numpy.__version__}, SciPy {scipy.__version__}')",
                ],
            ),
        }
    }
}

/// Bytes of memory of this machine.
pub(crate) fn total_memory() -> u64 {
    let kilobytes = field(&read("/proc/meminfo"), "MemTotal").and_then(|text| {
        text.split(' ')
            .next()
            .and_then(|number| number.parse::<u64>().ok())
    });
    kilobytes.unwrap_or(0) * 1024
}

/// The commit of this tree, marked when files differ from it.
pub(crate) fn revision() -> String {
    let root = paths::root().display().to_string();
    output("git", &["-C", &root, "describe", "--always", "--dirty"])
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// The value of the first line `name : value`.
fn field(text: &str, name: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim().to_owned())
    })
}

fn output(program: &str, arguments: &[&str]) -> String {
    let done = Command::new(program).args(arguments).output();
    let text = done.map(|done| String::from_utf8_lossy(&done.stdout).trim().to_owned());
    text.ok()
        .filter(|text| !text.is_empty())
        .unwrap_or_else(|| "unknown".to_owned())
}

#[cfg(test)]
impl Machine {
    /// A machine made up for tests.
    pub(crate) fn example() -> Self {
        Self {
            processor: "Example 3000".to_owned(),
            cores: 2,
            memory: 16_000_000_000,
            vectors: "avx2".to_owned(),
            system: "Linux 6".to_owned(),
            rustc: "rustc 1.95".to_owned(),
            python: "Python 3.13".to_owned(),
            numpy: "NumPy 2, SciPy 1".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_proc_files() {
        let text = "processor\t: 0\nmodel name\t: Example 3000\nMemTotal:  16 kB\n";
        assert_eq!(field(text, "model name").as_deref(), Some("Example 3000"));
        assert_eq!(field(text, "MemTotal").as_deref(), Some("16 kB"));
        assert_eq!(field(text, "flags"), None);
    }
}
