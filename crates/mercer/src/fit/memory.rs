//! How much memory there is: of the machine, the container, and the process's own limit.

use std::path::Path;
use std::sync::OnceLock;

/// Where nothing can be told.
const UNKNOWN: u64 = 4 << 30;

/// Returns the bytes that this process may take in all: the least of the machine's memory, the
/// limits of its control groups and its address space (`ulimit -v`), looked up once.
pub fn available_memory() -> u64 {
    static AVAILABLE: OnceLock<u64> = OnceLock::new();
    *AVAILABLE.get_or_init(|| {
        let read = |path: &str| std::fs::read_to_string(path).ok();
        let machine = read("/proc/meminfo").and_then(|text| machine(&text));
        let groups =
            read("/proc/self/cgroup").and_then(|text| container(&text, Path::new(CGROUPS)));
        let own = read("/proc/self/limits").and_then(|text| address_space(&text));
        // Code, stacks and what allocators set aside count there too.
        let used = read("/proc/self/statm").and_then(|text| mapped(&text));
        let own = own.map(|limit| limit.saturating_sub(used.unwrap_or(0)));
        let least = [machine, groups, own].into_iter().flatten().min();
        least.unwrap_or(UNKNOWN)
    })
}

const CGROUPS: &str = "/sys/fs/cgroup";

/// The memory of the machine, from `/proc/meminfo`.
fn machine(text: &str) -> Option<u64> {
    let line = text.lines().find(|l| l.starts_with("MemTotal:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}

/// The least limit of the control groups that the process is in and of those above them.
///
/// Lines read `0::/path` in version 2 and `5:memory:/path` in version 1. Inside a container the
/// path may not be there: the limit is then at the top.
fn container(text: &str, top: &Path) -> Option<u64> {
    let mut least: Option<u64> = None;
    for line in text.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next()?, fields.next()?);
        let (folder, file) = if controllers.is_empty() {
            (top.to_owned(), "memory.max")
        } else if controllers.split(',').any(|c| c == "memory") {
            (top.join("memory"), "memory.limit_in_bytes")
        } else {
            continue;
        };
        let inside = folder.join(path.trim_start_matches('/'));
        let folders = inside.ancestors().take_while(|f| f.starts_with(&folder));
        for folder in folders {
            let found = std::fs::read_to_string(folder.join(file)).ok();
            // `max` is no limit, and no number either.
            let found = found.and_then(|text| text.trim().parse::<u64>().ok());
            least = least.into_iter().chain(found).min();
        }
    }
    least
}

/// The soft limit of the address space, from `/proc/self/limits`; `None` where it is unlimited.
fn address_space(text: &str) -> Option<u64> {
    let line = text.lines().find(|l| l.starts_with("Max address space"))?;
    line.split_whitespace().nth(3)?.parse().ok()
}

/// The address space in use, from `/proc/self/statm`: pages of 4 KiB, or more on some machines.
fn mapped(text: &str) -> Option<u64> {
    let pages: u64 = text.split_whitespace().next()?.parse().ok()?;
    Some(pages * 4096)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_the_system_writes_them() {
        assert_eq!(
            machine("MemTotal:       2048 kB\nMemFree: 1 kB"),
            Some(2 << 20)
        );
        let limits = "Limit                     Soft Limit           Hard Limit           Units\n\
                      Max address space         512000000            unlimited            bytes\n";
        assert_eq!(address_space(limits), Some(512_000_000));
        assert_eq!(
            address_space(&limits.replace("512000000", "unlimited")),
            None
        );
        assert_eq!(mapped("100 7 3 1 0 9 0"), Some(409_600));
        assert!(available_memory() > 0);
    }

    #[test]
    fn the_least_of_nested_groups_counts() {
        let top = tempfile::tempdir().expect("a folder");
        let put = |path: &str, text: &str| {
            let path = top.path().join(path);
            let folder = path.parent().expect("a folder");
            std::fs::create_dir_all(folder).expect("made");
            std::fs::write(path, text).expect("written");
        };
        put("a/b/memory.max", "max\n");
        put("a/memory.max", "1000\n");
        put("memory/c/memory.limit_in_bytes", "700\n");
        assert_eq!(container("0::/a/b\n", top.path()), Some(1000));
        assert_eq!(
            container("0::/a/b\n3:cpu,memory:/c\n2:pids:/c\n", top.path()),
            Some(700)
        );
        assert_eq!(container("0::/not/here\n", top.path()), None);
        put("memory.max", "500\n");
        assert_eq!(container("0::/not/here\n", top.path()), Some(500));
    }
}
