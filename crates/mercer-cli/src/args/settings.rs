//! Flags for the settings of every method, made from the table of methods.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use mercer::learn::{Flag, Kind, METHODS, Method, Setting, plain};
use serde_json::{Map, Value};

use super::parse::{self, ClassWeight};

/// The flag whose number `mercer cluster` may choose.
pub(crate) const CLUSTERS: &str = "clusters";
/// The setting for the runs of which the best is taken.
pub(crate) const STARTS: &str = "starts";

/// A setting that was given by its flag.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Given {
    /// The flag, without dashes.
    pub(crate) flag: &'static str,
    /// The setting.
    pub(crate) name: &'static str,
    /// Its value.
    pub(crate) value: Value,
}

/// The settings that were given by flags of their own.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct SettingArgs(pub(crate) Vec<Given>);

/// A flag with the methods that read it.
pub(crate) struct Listed {
    pub(crate) flag: &'static str,
    setting: Setting,
    /// Methods by name, with what the setting means to them.
    users: Vec<(&'static Method, Setting)>,
}

/// Lists the flags of all settings, each once. The kernel has a short flag as well, and is
/// declared beside the model.
pub(crate) fn listed() -> Vec<Listed> {
    let mut all: Vec<Listed> = Vec::new();
    for method in METHODS {
        for setting in (method.settings)() {
            let Some(flag) = setting.flag.name().filter(|_| setting.kind != Kind::Kernel) else {
                continue;
            };
            match all.iter_mut().find(|listed| listed.flag == flag) {
                Some(listed) => listed.users.push((method, setting)),
                None => all.push(Listed {
                    flag,
                    users: vec![(method, setting.clone())],
                    setting,
                }),
            }
        }
    }
    all
}

impl Listed {
    /// Returns the names of the methods that read the flag, as users choose them.
    pub(crate) fn models(&self) -> Vec<&'static str> {
        let mut names: Vec<&str> = Vec::new();
        for (method, _) in &self.users {
            for name in shown(method) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }

    /// What the flag means, to whom, and what is taken without it.
    fn help(&self) -> String {
        let mut meanings: Vec<(&str, Vec<&str>)> = Vec::new();
        for (method, setting) in &self.users {
            let names = shown(method);
            match meanings.iter_mut().find(|(doc, _)| *doc == setting.doc) {
                Some((_, all)) => names.into_iter().for_each(|name| {
                    if !all.contains(&name) {
                        all.push(name);
                    }
                }),
                None => meanings.push((setting.doc, names)),
            }
        }
        let meanings: Vec<String> = meanings
            .iter()
            .map(|(doc, names)| format!("{}; {}", self.meaning(doc), names.join(", ")))
            .collect();
        let defaults: Vec<Option<String>> = self.users.iter().map(|(m, s)| default(m, s)).collect();
        let same = defaults.iter().all(|d| *d == defaults[0]);
        match defaults.first().and_then(Option::as_ref) {
            Some(default) if same => format!("{} [default: {default}]", meanings.join(". ")),
            _ => meanings.join(". "),
        }
    }

    /// What a setting means where it is given by this flag: a switch that is on by itself has a flag to
    /// turn it off.
    fn meaning(&self, doc: &str) -> String {
        match doc.strip_prefix("Whether ") {
            Some(fact) if self.flag.starts_with("no-") => format!("Turn off that {fact}"),
            _ => doc.to_owned(),
        }
    }

    fn arg(&self) -> Arg {
        let hidden = matches!(self.setting.flag, Flag::Hidden(_));
        let arg = Arg::new(self.flag)
            .long(self.flag)
            .help(self.help())
            .hide(hidden)
            .help_heading("Settings");
        match self.setting.kind {
            Kind::Switch => arg.action(ArgAction::SetTrue),
            Kind::Word(_) => arg
                .value_name(self.flag)
                .value_parser(PossibleValuesParser::new(self.words())),
            Kind::Number(_) => arg
                .value_name(self.flag)
                .value_parser(value_parser!(f64))
                .allow_negative_numbers(true),
            // `mercer cluster` may choose the number.
            Kind::Count if self.flag == CLUSTERS => {
                arg.value_name("N").value_parser(parse::clusters)
            }
            Kind::Count => arg.value_name("N").value_parser(value_parser!(u64)),
            Kind::Counts => arg.value_name("N,N"),
            Kind::ClassWeights => arg
                .value_name("LABEL=W")
                .value_parser(parse::class_weight)
                .allow_hyphen_values(true)
                .action(ArgAction::Append),
            Kind::Kernel => arg.value_name("EXPR"),
        }
    }

    /// The words that some method knows; each refuses those of others itself.
    fn words(&self) -> Vec<&'static str> {
        let mut all: Vec<&str> = Vec::new();
        for (_, setting) in &self.users {
            if let Kind::Word(words) = setting.kind {
                all.extend(
                    words
                        .iter()
                        .filter(|word| !all.contains(word))
                        .collect::<Vec<_>>(),
                );
            }
        }
        all
    }

    fn value(&self, matches: &ArgMatches) -> Option<Value> {
        let flag = self.flag;
        match self.setting.kind {
            Kind::Switch => matches
                .get_flag(flag)
                .then_some(Value::Bool(!matches!(self.setting.flag, Flag::Off(_)))),
            Kind::Number(_) => {
                let number = matches.get_one::<f64>(flag)?;
                // JSON has no infinity; a text is refused like any other wrong value.
                let text = || Value::from(number.to_string());
                Some(serde_json::Number::from_f64(*number).map_or_else(text, Value::from))
            }
            Kind::Count if flag == CLUSTERS => matches.get_one::<Value>(flag).cloned(),
            Kind::Count => matches.get_one::<u64>(flag).map(|n| Value::from(*n)),
            Kind::Counts => {
                let text = matches.get_one::<String>(flag)?;
                // What is no list stays a text, which is refused like any other wrong value.
                let read = self.setting.kind.parse(self.setting.name, text, false);
                Some(read.unwrap_or_else(|_| Value::from(text.as_str())))
            }
            Kind::Word(_) | Kind::Kernel => {
                let word = matches.get_one::<String>(flag)?;
                Some(Value::from(word.as_str()))
            }
            Kind::ClassWeights => {
                let given: Vec<&ClassWeight> = matches.get_many(flag)?.collect();
                Some(class_weights(&given))
            }
        }
    }
}

/// The names that users choose a method by.
fn shown(method: &Method) -> Vec<&'static str> {
    match method.aliases {
        [] => vec![method.name],
        aliases => aliases.iter().map(|(name, _)| *name).collect(),
    }
}

/// The default of a setting in words; `None` where it goes without saying.
fn default(method: &Method, setting: &Setting) -> Option<String> {
    match (method.default)(setting.name)? {
        Value::Null | Value::Bool(_) => None,
        value => Some(plain(&value)).filter(|text| text != "equal"),
    }
}

/// Factors by class as estimators read them; of `balanced` and labels both are kept, so that the
/// contradiction can be told.
fn class_weights(given: &[&ClassWeight]) -> Value {
    let mut factors = Map::new();
    let mut balanced = false;
    for weight in given {
        match weight {
            ClassWeight::Balanced => balanced = true,
            ClassWeight::Label(label, factor) => {
                factors.insert(label.clone(), Value::from(*factor));
            }
        }
    }
    match (balanced, factors.is_empty()) {
        (true, true) => Value::from("balanced"),
        (true, false) => Value::Null,
        (false, _) => serde_json::json!({ "given": factors }),
    }
}

impl Args for SettingArgs {
    fn augment_args(command: Command) -> Command {
        command.args(listed().iter().map(Listed::arg))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SettingArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = listed().into_iter().filter_map(|listed| {
            let value = listed.value(matches)?;
            Some(Given {
                flag: listed.flag,
                name: listed.setting.name,
                value,
            })
        });
        Ok(Self(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_means_one_setting() {
        for listed in listed() {
            for (method, setting) in &listed.users {
                assert_eq!(setting.name, listed.setting.name, "{}", method.name);
                let same = std::mem::discriminant(&setting.kind)
                    == std::mem::discriminant(&listed.setting.kind);
                assert!(same, "--{} of {}", listed.flag, method.name);
            }
        }
    }

    #[test]
    fn help_names_meaning_methods_and_default() {
        let all = listed();
        let tolerance = all.iter().find(|l| l.flag == "tolerance").expect("a flag");
        assert!(
            tolerance.help().contains("svc, svr"),
            "{}",
            tolerance.help()
        );
        let epsilon = all.iter().find(|l| l.flag == "epsilon").expect("a flag");
        assert!(epsilon.models().contains(&"svr"));
        // `--no-shuffle: whether rows are shuffled` would say the opposite of what it does.
        let negated: Vec<_> = all.iter().filter(|l| l.flag.starts_with("no-")).collect();
        assert!(negated.len() > 2);
        for listed in negated {
            let help = listed.help();
            assert!(
                help.starts_with("Turn off that "),
                "--{}: {help}",
                listed.flag
            );
        }
    }
}
