//! Calls to decoders that may break their own assumptions on damaged files.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Whether a panic of this thread is expected, and nobody needs to read of it.
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Runs work whose panic means that the data are damaged; nothing is printed then.
///
/// Panics of other threads, and of this one at other times, go where they went before.
pub(super) fn quietly<T>(work: impl FnOnce() -> T) -> Option<T> {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            if !EXPECTED.get() {
                before(info);
            }
        }));
    });
    let outer = EXPECTED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    EXPECTED.set(outer);
    result.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_answer() {
        assert_eq!(quietly(|| 1), Some(1));
        assert_eq!(quietly(|| -> i32 { panic!("damaged") }), None);
        assert!(!EXPECTED.get());
    }
}
