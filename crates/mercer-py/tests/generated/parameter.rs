//! What is said of a parameter: by its class, by the list of Python's own, by the setting.

use mercer::learn::{Flag, Kind, Method, Parameter, PythonClass, Range, Setting};

use crate::{own, signature};

/// A parameter of a class with all that the files say of it.
pub(crate) struct Described {
    pub(crate) name: String,
    pub(crate) default: String,
    pub(crate) by_name: bool,
    /// The type in docstrings, without the default.
    pub(crate) kind: String,
    pub(crate) annotation: String,
    pub(crate) constraint: String,
    pub(crate) doc: String,
    /// The setting behind it.
    pub(crate) setting: Option<Setting>,
    /// Whether it is that setting and nothing more.
    pub(crate) is_plain: bool,
}

impl Described {
    /// Describes the parameters of a class, in order.
    pub(crate) fn all(method: &Method, class: &PythonClass) -> Vec<Self> {
        let listed = signature::parse(class.signature).into_iter();
        listed.map(|p| Self::new(method, class, p)).collect()
    }

    fn new(method: &Method, class: &PythonClass, listed: signature::Listed) -> Self {
        let name = listed.name;
        let settings = (method.settings)();
        // An older name of a setting is none of Python's.
        let is_it = |s: &Setting| s.python == name && !matches!(s.flag, Flag::Hidden(_));
        let setting = settings.into_iter().find(is_it);
        let said = class.parameters.iter().find(|p| p.name == name);
        let said = said.or_else(|| own::find(&name, method));
        let is_plain = said.is_none();
        let told = |what: fn(&Parameter) -> &str, of_setting: fn(&Setting) -> String| match (
            said, &setting,
        ) {
            (Some(parameter), _) => what(parameter).to_owned(),
            (None, Some(setting)) => of_setting(setting),
            (None, None) => panic!("nobody says what `{}({name})` means", class.name),
        };
        Self {
            kind: told(|p| p.kind, kind),
            annotation: told(|p| p.annotation, annotation),
            constraint: told(|p| p.constraint, constraint),
            doc: told(|p| p.doc, doc),
            default: listed.default,
            by_name: listed.by_name,
            name,
            setting,
            is_plain,
        }
    }

    /// The line that opens the description in a docstring.
    pub(crate) fn headline(&self) -> String {
        let default = if self.default == "None" {
            "optional".to_owned()
        } else {
            format!("default={}", self.default)
        };
        format!("{} : {}, {default}", self.name, self.kind)
    }
}

fn kind(setting: &Setting) -> String {
    match setting.kind {
        Kind::Number(_) => "float".to_owned(),
        Kind::Count => "int".to_owned(),
        Kind::Counts => "int or array-like of int".to_owned(),
        Kind::Switch => "bool".to_owned(),
        Kind::Word(words) => format!("{{{}}}", quoted(words)),
        Kind::Kernel => "str, Kernel or callable".to_owned(),
        Kind::ClassWeights => "dict or \"balanced\"".to_owned(),
    }
}

fn annotation(setting: &Setting) -> String {
    let ending = if setting.optional { " | None" } else { "" };
    let of = match setting.kind {
        Kind::Number(_) => "float".to_owned(),
        Kind::Count => "int".to_owned(),
        Kind::Counts => "Any".to_owned(),
        Kind::Switch => "bool".to_owned(),
        Kind::Word(words) => format!("Literal[{}]", quoted(words)),
        Kind::Kernel => "_KernelLike".to_owned(),
        Kind::ClassWeights => return "_ClassWeight".to_owned(),
    };
    of + ending
}

fn constraint(setting: &Setting) -> String {
    let ending = if setting.optional { ", None" } else { "" };
    let of = match setting.kind {
        Kind::Number(Range::Any) => "FINITE",
        Kind::Number(Range::Positive) => "POSITIVE",
        Kind::Number(Range::NotNegative) => "NOT_NEGATIVE",
        Kind::Number(Range::Share) => "SHARE",
        Kind::Number(Range::Count) | Kind::Count => "COUNT",
        Kind::Counts => "COUNT, \"array-like\"",
        Kind::Switch => "\"boolean\"",
        Kind::Word(words) => &format!("StrOptions({{{}}})", quoted(words)),
        Kind::Kernel => "str, Kernel, callable",
        Kind::ClassWeights => return "[StrOptions({\"balanced\"}), dict, None]".to_owned(),
    };
    format!("[{of}{ending}]")
}

fn doc(setting: &Setting) -> String {
    format!("{}.", setting.doc.replace('`', "``"))
}

fn quoted(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    words.join(", ")
}
