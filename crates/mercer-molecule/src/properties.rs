//! How many cases properties are tried on.

use proptest::prelude::ProptestConfig;

/// At most 256 cases; all of them where `MERCER_FULL_TESTS` is 1 or `PROPTEST_CASES` is set.
pub(crate) fn cases(all: u32) -> ProptestConfig {
    let wanted = std::env::var("MERCER_FULL_TESTS").is_ok_and(|value| value == "1")
        || std::env::var_os("PROPTEST_CASES").is_some();
    ProptestConfig::with_cases(if wanted { all } else { all.min(256) })
}
