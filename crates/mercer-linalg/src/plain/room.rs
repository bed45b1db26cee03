//! Whether there is room for the buffers of faer's products.

use std::sync::OnceLock;

/// The largest cache, where the system does not tell.
const UNKNOWN_CACHE: u64 = 256 << 20;

/// Whether the address space is too small for the buffers of faer's products.
pub(crate) fn is_needed() -> bool {
    static NEEDED: OnceLock<bool> = OnceLock::new();
    *NEEDED.get_or_init(|| {
        if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
            return false;
        }
        let limits = std::fs::read_to_string("/proc/self/limits").ok();
        let Some(limit) = limits.and_then(|text| address_space(&text)) else {
            return false;
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = cores.max(rayon::current_num_threads()) as u64 + 1;
        let cache = largest_cache().unwrap_or(UNKNOWN_CACHE);
        // Half of the room is for the matrices themselves.
        limit / 2 < 2 * cache * threads
    })
}

/// The soft limit of the address space, from `/proc/self/limits`; `None` where there is none.
pub(super) fn address_space(text: &str) -> Option<u64> {
    let line = text.lines().find(|l| l.starts_with("Max address space"))?;
    line.split_whitespace().nth(3)?.parse().ok()
}

/// The largest cache of the first core, as the system writes it: `266240K`.
fn largest_cache() -> Option<u64> {
    let size = |level: usize| {
        let path = format!("/sys/devices/system/cpu/cpu0/cache/index{level}/size");
        cache_bytes(std::fs::read_to_string(path).ok()?.trim())
    };
    (0..8).filter_map(size).max()
}

pub(super) fn cache_bytes(text: &str) -> Option<u64> {
    let (number, unit) = match text.as_bytes().last()? {
        b'K' => (&text[..text.len() - 1], 1 << 10),
        b'M' => (&text[..text.len() - 1], 1 << 20),
        b'G' => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    number.parse::<u64>().ok().map(|n| n * unit)
}
