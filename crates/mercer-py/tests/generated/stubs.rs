//! `_estimators.pyi`: the types of parameters.

use crate::classes::module_and_name;
use crate::parameter::Described;

/// Types that the stubs of the package define, and where others come from.
const IMPORTS: [(&str, &[&str]); 3] = [
    ("collections.abc", &["Callable"]),
    ("typing", &["Any", "Literal"]),
    (
        ".",
        &["Progress", "_ClassWeight", "_KernelLike", "_Strength"],
    ),
];

/// Writes the stub.
pub(crate) fn render() -> String {
    let mut body = String::new();
    let mut bases: Vec<String> = Vec::new();
    for (method, class) in crate::classes() {
        let base = format!("_{}", module_and_name(class).1);
        body += &format!("\nclass {}({base}):\n", class.name);
        bases.push(base);
        let parameters = Described::all(method, class);
        for p in &parameters {
            body += &format!("    {}: {}\n", p.name, p.annotation);
        }
        body += "    def __init__(\n        self,\n";
        let mut by_name = false;
        for p in &parameters {
            if p.by_name && !by_name {
                body += "        *,\n";
                by_name = true;
            }
            body += &format!("        {}: {} = {},\n", p.name, p.annotation, p.default);
        }
        body += "    ) -> None: ...\n";
    }
    let used = |name: &&str| {
        body.split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .any(|w| w == *name)
    };
    let mut head = String::from(
        "# Written by MERCER_RECORD=1 cargo test -p mercer-py --test generated: change the table\n\
         # of methods, not this file.\n",
    );
    for (module, names) in IMPORTS {
        let mut names: Vec<String> = names
            .iter()
            .copied()
            .filter(used)
            .map(str::to_owned)
            .collect();
        if module == "." {
            names.append(&mut bases);
            names.sort();
            names.dedup();
            let lines: String = names.iter().map(|n| format!("    {n},\n")).collect();
            head += &format!("\nfrom . import (\n{lines})\n");
        } else if !names.is_empty() {
            head += &format!("from {module} import {}\n", names.join(", "));
        }
    }
    let mut names: Vec<&str> = crate::classes().map(|(_, class)| class.name).collect();
    names.sort_unstable();
    let all: String = names.iter().map(|n| format!("    \"{n}\",\n")).collect();
    format!("{head}\n__all__ = [\n{all}]\n{body}\nCLASSES: tuple[type[Any], ...]\n")
}
