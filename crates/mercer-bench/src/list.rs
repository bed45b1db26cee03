//! The list of cases and peers.

use std::fmt::Write as _;

use crate::case::Group;
use crate::cases;
use crate::peer::PEERS;

/// Cases by group, then peers.
pub(crate) fn text() -> String {
    let mut out = String::new();
    let all = cases::all();
    for group in Group::ALL {
        let _ = writeln!(out, "{} ({})", group.title(), group.name());
        for case in all.iter().filter(|case| case.group == group) {
            let _ = writeln!(out, "  {:<16} {}", case.name, case.parameters());
        }
    }
    out.push_str("Peers\n");
    for peer in PEERS {
        let _ = writeln!(out, "  {:<16} {}", peer.name, peer.label);
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn everything_is_listed() {
        let text = super::text();
        for name in ["a9a", "susy-28000", "latency-1000", "smartcore", "ν = 0.05"] {
            assert!(text.contains(name), "{name}");
        }
    }
}
