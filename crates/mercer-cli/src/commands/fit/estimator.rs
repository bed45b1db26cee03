//! From flags to a learning method.

use std::collections::BTreeMap;

use mercer::automatic::Automatic;
use mercer::data::{Column, Scaling, Targets, Task};
use mercer::fit::Note;
use mercer::kernel::KernelSpec;
use mercer::learn::expansion::Scheme;
use mercer::learn::margin::{
    Bias, ClassWeights, NuSvc, NuSvr, OneClass, Softness, SolverSettings, Svc, Svr,
};
use mercer::learn::risk::KernelRisk;
use mercer::learn::squared::{KernelRidge, LsSvc, LsSvr, Strength};
use mercer::model::{AnyEstimator, ESTIMATORS};

use crate::args::parse::ClassWeight;
use crate::args::{BiasArg, MachineArgs, ScaleArg, SchemeArg};
use crate::failure::{Failure, Result};

/// Models that belong to the language but are not built yet.
const PLANNED: [&str; 11] = [
    "nystroem",
    "rff",
    "ols",
    "ridge",
    "lasso",
    "perceptron",
    "mlp",
    "knn",
    "ib2",
    "c45",
    "lvq",
];

/// Flags that leave the choice of a method open.
const CHOOSING: [&str; 3] = ["--kernel", "--class-weight", "--proba"];

/// The rows a method is made for.
pub(super) struct Rows<'a> {
    pub(super) targets: &'a Targets,
    pub(super) count: usize,
    /// Sum of the row weights.
    pub(super) weight: f64,
}

/// The machine that the flags describe, before the data are known.
pub(super) struct Machine<'a> {
    flags: &'a MachineArgs,
    kernel: Option<KernelSpec>,
}

impl<'a> Machine<'a> {
    /// Checks everything that can be checked without data.
    pub(super) fn try_new(flags: &'a MachineArgs) -> Result<Self> {
        check_model(&flags.model)?;
        let kernel = flags.kernel.as_deref().filter(|k| *k != "auto");
        let kernel = kernel.map(str::parse::<KernelSpec>).transpose()?;
        let exclusive = [
            ("--c", flags.c.is_some()),
            ("--lambda", flags.lambda.is_some()),
            ("--hard", flags.hard),
        ];
        let given: Vec<&str> = exclusive
            .iter()
            .filter(|(_, g)| *g)
            .map(|(f, _)| *f)
            .collect();
        if let [first, second, ..] = given[..] {
            return Err(Failure::usage(
                format!("`{first}` and `{second}` both set the price of errors"),
                "give one of them; `--lambda` means C = 1/(2λn), `--hard` no finite C",
            ));
        }
        let balanced = flags.class_weights.contains(&ClassWeight::Balanced);
        if balanced
            && flags
                .class_weights
                .iter()
                .any(|w| *w != ClassWeight::Balanced)
        {
            return Err(Failure::usage(
                "`--class-weight balanced` sets all weights; single labels cannot be added",
                "give either `balanced` or LABEL=W for each label",
            ));
        }
        let machine = Self { flags, kernel };
        if let Some(name) = machine.named() {
            machine.check_flags(name, "")?;
            let tasks = tasks(name);
            if let Some(asked) = flags.task.filter(|task| !tasks.contains(task)) {
                let fits: Vec<String> = tasks.iter().map(|task| format!("`{task}`")).collect();
                let word = if fits.len() == 1 { "task" } else { "tasks" };
                let fits = fits.join(" and ");
                return Err(Failure::usage(
                    format!("`{name}` is for the {word} {fits}, not `{asked}`"),
                    format!("leave out `--task`, or choose a model for `{asked}`"),
                ));
            }
        }
        Ok(machine)
    }

    /// Returns the model's name, unless it is to be chosen.
    pub(super) fn named(&self) -> Option<&'a str> {
        Some(self.flags.model.as_str()).filter(|m| *m != "auto")
    }

    /// Returns the task with a target column, where the model decides it.
    pub(super) fn task(&self, target: Option<&Column>) -> Option<Task> {
        match self.named()? {
            "gp" => Some(Task::Regress),
            name => {
                let known = AnyEstimator::named(name).ok()?;
                Some(known.task_with(target))
            }
        }
    }

    /// Returns how columns are scaled: standardised only where nobody chose a kernel or model.
    pub(super) fn scaling(&self) -> Scaling {
        let chosen = self.named().is_none() && self.kernel.is_none();
        match self.flags.scale {
            ScaleArg::Standard => Scaling::Standard,
            ScaleArg::Auto if chosen => Scaling::Standard,
            ScaleArg::Auto | ScaleArg::None => Scaling::None,
        }
    }

    /// Returns the method, or `None` where the library's own choice stands.
    pub(super) fn estimator(
        &self,
        task: Task,
        rows: &Rows<'_>,
        notes: &mut Vec<Note>,
    ) -> Result<Option<AnyEstimator>> {
        let Some(name) = self.named() else {
            let name = automatic_name(task);
            let aside = format!("; `auto` takes `{name}` for the task `{task}`");
            self.check_flags(name, &aside)?;
            if !self.settings().iter().any(|flag| !CHOOSING.contains(flag)) {
                let mut auto = Automatic::new(task);
                auto.kernel.clone_from(&self.kernel);
                auto.class_weights = self.class_weights();
                auto.budget = self.flags.budget;
                return Ok(Some(AnyEstimator::Auto(auto)));
            }
            if self.flags.budget.is_some() {
                return Err(Failure::usage(
                    "`--budget` limits the trials of `auto`; with a machine's own settings there are none",
                    format!("leave out `--budget`, or {}", self.settings().join(", ")),
                ));
            }
            let estimator = self.build(name, rows, true, notes)?;
            notes.push(Note::Choice(format!(
                "model `auto` is `{name}` with the settings given; what was left open: {}",
                open_settings(&estimator)
            )));
            return Ok(Some(estimator));
        };
        Ok(Some(self.build(of_task(name, task), rows, false, notes)?))
    }

    /// The flags that shape a machine, whether each is given, and the models that read it.
    fn table(&self) -> [(&'static str, bool, &'static [&'static str]); 12] {
        let f = self.flags;
        [
            ("--c", f.c.is_some(), &["svc", "svr", "nu_svr", "klr"]),
            ("--lambda", f.lambda.is_some(), &["svc", "svr", "krr"]),
            ("--gamma", f.gamma.is_some(), &["lssvm", "gp"]),
            ("--keep", f.keep.is_some(), &["lssvm"]),
            ("--hard", f.hard, &["svc"]),
            ("--nu", f.nu.is_some(), &["nu_svc", "nu_svr", "one_class"]),
            ("--epsilon", f.epsilon.is_some(), &["svr"]),
            (
                "--bias",
                f.bias.is_some(),
                &["svc", "svr", "krr", "lssvm", "gp", "klr"],
            ),
            ("--multiclass", f.multiclass.is_some(), &["svc", "lssvm"]),
            (
                "--class-weight",
                !f.class_weights.is_empty(),
                &["svc", "nu_svc", "lssvm", "klr"],
            ),
            ("--proba", f.proba, &["svc", "nu_svc", "lssvm", "klr"]),
            (
                "--budget",
                f.budget.is_some() && self.named().is_some(),
                &["auto"],
            ),
        ]
    }

    /// The flags given that an automatic machine must follow.
    fn settings(&self) -> Vec<&'static str> {
        let f = self.flags;
        let solver = [
            ("--kernel", self.kernel.is_some()),
            ("--tolerance", f.tolerance.is_some()),
            ("--no-shrinking", f.no_shrinking),
            ("--max-iterations", f.max_iterations.is_some()),
            ("--verify", f.verify),
        ];
        let machine = self.table().map(|(flag, given, _)| (flag, given));
        let all = machine.into_iter().chain(solver);
        all.filter(|(_, given)| *given)
            .map(|(flag, _)| flag)
            .collect()
    }

    /// Refuses flags that the model does not read.
    fn check_flags(&self, name: &str, aside: &str) -> Result<()> {
        let unread: Vec<_> = self
            .table()
            .into_iter()
            .filter(|(_, given, models)| *given && !models.contains(&name))
            .collect();
        if unread.is_empty() {
            return Ok(());
        }
        let flags: Vec<String> = unread.iter().map(|(f, _, _)| format!("`{f}`")).collect();
        let verb = if flags.len() == 1 {
            "is no setting"
        } else {
            "are no settings"
        };
        Err(Failure {
            fault: crate::failure::Fault::Usage,
            code: "usage",
            message: format!("{} {verb} of `{name}`{aside}", flags.join(", ")),
            hints: unread
                .iter()
                .map(|(flag, _, models)| format!("`{flag}` is used by {}", models.join(", ")))
                .collect(),
        })
    }

    fn build(
        &self,
        name: &str,
        rows: &Rows<'_>,
        automatic: bool,
        notes: &mut Vec<Note>,
    ) -> Result<AnyEstimator> {
        let f = self.flags;
        let base = if automatic {
            AnyEstimator::usual(rows.targets, rows.count).0
        } else {
            AnyEstimator::named(name)?
        };
        let kernel = self.kernel.clone().unwrap_or_else(|| base.kernel().clone());
        let solver = self.solver();
        Ok(match base {
            AnyEstimator::Svr(base) => {
                let c = match f.lambda {
                    Some(lambda) => {
                        let c = 1.0 / (2.0 * lambda * rows.weight);
                        notes.push(Note::Choice(format!(
                            "C = {c} from lambda = {lambda} and {} rows: C = 1/(2λn)",
                            rows.weight
                        )));
                        c
                    }
                    None => f.c.unwrap_or(base.c),
                };
                AnyEstimator::Svr(Svr {
                    kernel,
                    c,
                    epsilon: f.epsilon.unwrap_or(base.epsilon),
                    bias: self.bias().unwrap_or(base.bias),
                    solver,
                })
            }
            AnyEstimator::NuSvc(base) => AnyEstimator::NuSvc(NuSvc {
                kernel,
                nu: f.nu.unwrap_or(base.nu),
                lower: base.lower,
                class_weights: self.class_weights(),
                probability: f.proba,
                solver,
            }),
            AnyEstimator::NuSvr(base) => AnyEstimator::NuSvr(NuSvr {
                kernel,
                c: f.c.unwrap_or(base.c),
                nu: f.nu.unwrap_or(base.nu),
                solver,
            }),
            AnyEstimator::OneClass(base) => AnyEstimator::OneClass(OneClass {
                kernel,
                nu: f.nu.unwrap_or(base.nu),
                solver,
            }),
            AnyEstimator::KernelRidge(base) => AnyEstimator::KernelRidge(KernelRidge {
                kernel,
                strength: f.lambda.map_or(base.strength, Strength::Lambda),
                bias: self.bias().unwrap_or(base.bias),
                basis: base.basis,
            }),
            AnyEstimator::LsSvc(base) => AnyEstimator::LsSvc(LsSvc {
                kernel,
                strength: f.gamma.map_or(base.strength, Strength::Gamma),
                scheme: match f.multiclass {
                    Some(SchemeArg::OneVsOne) => Scheme::OneVsOne,
                    _ => base.scheme,
                },
                class_weights: self.class_weights(),
                probability: base.probability,
                keep: f.keep,
                bias: self.bias().unwrap_or(base.bias),
            }),
            AnyEstimator::LsSvr(base) => AnyEstimator::LsSvr(LsSvr {
                kernel,
                strength: f.gamma.map_or(base.strength, Strength::Gamma),
                keep: f.keep,
                bias: self.bias().unwrap_or(base.bias),
            }),
            AnyEstimator::KernelRisk(base) => AnyEstimator::KernelRisk(KernelRisk {
                kernel,
                c: f.c.unwrap_or(base.c),
                bias: self.bias().unwrap_or(base.bias),
                class_weights: self.class_weights(),
                ..base
            }),
            AnyEstimator::Auto(base) => AnyEstimator::Auto(base),
            AnyEstimator::Svc(base) => AnyEstimator::Svc(Svc {
                kernel,
                softness: match (f.c, f.lambda) {
                    _ if f.hard => Softness::Hard,
                    (Some(c), _) => Softness::C(c),
                    (_, Some(lambda)) => Softness::Lambda(lambda),
                    _ => base.softness,
                },
                bias: self.bias().unwrap_or(base.bias),
                scheme: match f.multiclass {
                    Some(SchemeArg::OneVsRest) => Scheme::OneVsRest,
                    _ => Scheme::OneVsOne,
                },
                class_weights: self.class_weights(),
                probability: f.proba || (base.probability && !f.hard),
                solver,
            }),
        })
    }

    fn solver(&self) -> SolverSettings {
        let default = SolverSettings::default();
        SolverSettings {
            tolerance: self.flags.tolerance.unwrap_or(default.tolerance),
            shrinking: !self.flags.no_shrinking,
            max_iterations: self.flags.max_iterations,
            verify: self.flags.verify,
        }
    }

    /// The constant that the flags name; every model has its own where they name none.
    fn bias(&self) -> Option<Bias> {
        self.flags.bias.map(|bias| match bias {
            BiasArg::None => Bias::None,
            BiasArg::Regularised => Bias::Regularised,
            BiasArg::Free => Bias::Free,
        })
    }

    fn class_weights(&self) -> ClassWeights {
        let weights = &self.flags.class_weights;
        if weights.contains(&ClassWeight::Balanced) {
            return ClassWeights::Balanced;
        }
        let given: BTreeMap<String, f64> = weights
            .iter()
            .filter_map(|w| match w {
                ClassWeight::Label(label, weight) => Some((label.clone(), *weight)),
                ClassWeight::Balanced => None,
            })
            .collect();
        if given.is_empty() {
            ClassWeights::Equal
        } else {
            ClassWeights::Given(given)
        }
    }
}

/// The tasks that a model is for.
fn tasks(name: &str) -> Vec<Task> {
    let all = [Task::Classify, Task::Regress, Task::Novelty];
    match (name, AnyEstimator::named(name)) {
        ("gp", _) => vec![Task::Regress],
        ("lssvm", _) | (_, Err(_)) => vec![Task::Classify, Task::Regress],
        (_, Ok(known)) => all.into_iter().filter(|task| known.suits(*task)).collect(),
    }
}

/// Refuses names that are no model, or none of this version.
fn check_model(name: &str) -> Result<()> {
    let internal = ["ls_svc", "ls_svr"];
    let known = ESTIMATORS.iter().map(|(n, _)| *n);
    let names: Vec<&str> = ["auto", "lssvm", "gp"]
        .into_iter()
        .chain(known.filter(|n| !internal.contains(n)))
        .collect();
    if names.contains(&name) {
        return Ok(());
    }
    if PLANNED.contains(&name) {
        return Err(Failure::unavailable(
            format!("model `{name}` is not available in this version"),
            format!("models of this version: {}", names.join(", ")),
        ));
    }
    Err(Failure::unknown("model", name, &names))
}

fn automatic_name(task: Task) -> &'static str {
    match task {
        Task::Regress => "svr",
        Task::Novelty => "one_class",
        _ => "svc",
    }
}

/// Names the settings an automatic machine ended up with.
fn open_settings(estimator: &AnyEstimator) -> String {
    match estimator {
        AnyEstimator::Svc(m) => {
            let price = match m.softness {
                Softness::C(c) => format!("C = {c}"),
                Softness::Lambda(lambda) => format!("lambda = {lambda}"),
                Softness::Hard => "hard margin".to_owned(),
            };
            let odds = if m.probability { ", probabilities" } else { "" };
            format!("{price}{odds}")
        }
        AnyEstimator::Svr(m) => format!("C = {:.6}, epsilon = {:.6}", m.c, m.epsilon),
        AnyEstimator::OneClass(m) => format!("nu = {}", m.nu),
        AnyEstimator::NuSvc(m) => format!("nu = {}", m.nu),
        AnyEstimator::NuSvr(m) => format!("C = {}, nu = {}", m.c, m.nu),
        AnyEstimator::KernelRisk(m) => format!("C = {}", m.c),
        AnyEstimator::Auto(_) => "everything".to_owned(),
        AnyEstimator::KernelRidge(_) | AnyEstimator::LsSvc(_) | AnyEstimator::LsSvr(_) => {
            "the noise level, found by evidence".to_owned()
        }
    }
}

/// The method that a name with several meanings stands for.
fn of_task(name: &str, task: Task) -> &str {
    match (name, task) {
        ("lssvm", Task::Regress) | ("gp", _) => "ls_svr",
        ("lssvm", _) => "ls_svc",
        _ => name,
    }
}
