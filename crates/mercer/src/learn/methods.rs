//! Every learning method: one line each.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::method::{Learner, Method};
use super::setting::{Setting, Settings};
use super::{
    ClassWeights, cluster, features, least_squares, linear, linear_loss, loss, margin, memory,
    neighbours, network, novelty, perceptron, project, tree,
};
use crate::data::{Column, Dataset, EncodeOptions, Targets, Task, Values, infer_task};
use crate::fit::{ChosenMethod, FitContext, Fitted};
use crate::kernel::KernelSpec;
use crate::model::Form;
use crate::{Error, Result};

/// Makes the table and the type that holds any of its methods.
macro_rules! methods {
    ($($variant:ident = $type:ty,)*) => {
        /// The methods, in the order in which they are listed.
        pub static METHODS: &[&Method] = &[$(<$type as Learner>::METHOD),*];

        /// A learning method with its settings.
        #[derive(Debug, Clone, PartialEq)]
        pub enum AnyEstimator {
            $(
                #[doc = concat!("[`", stringify!($type), "`].")]
                $variant($type),
            )*
        }

        $(
            impl From<$type> for AnyEstimator {
                fn from(estimator: $type) -> Self {
                    Self::$variant(estimator)
                }
            }
        )*

        /// Does the same with whatever method it is.
        macro_rules! each {
            ($any:expr, $bound:ident => $what:expr) => {
                match $any {
                    $(AnyEstimator::$variant($bound) => $what,)*
                }
            };
        }

        impl AnyEstimator {
            /// Returns a method of the table with its default settings.
            fn of(method: &Method) -> Option<Self> {
                $(
                    if std::ptr::eq(method, <$type as Learner>::METHOD) {
                        return Some(Self::$variant(<$type>::default()));
                    }
                )*
                None
            }

            /// Reads the settings of a method of the table.
            fn read(method: &Method, settings: Value) -> serde_json::Result<Option<Self>> {
                $(
                    if std::ptr::eq(method, <$type as Learner>::METHOD) {
                        return serde_json::from_value(settings).map(Self::$variant).map(Some);
                    }
                )*
                Ok(None)
            }
        }
    };
}

methods! {
    Svc = margin::Svc,
    Svr = margin::Svr,
    NuSvc = margin::NuSvc,
    NuSvr = margin::NuSvr,
    OneClass = margin::OneClass,
    LsSvc = least_squares::LsSvc,
    LsSvr = least_squares::LsSvr,
    KernelRidge = least_squares::KernelRidge,
    Klr = loss::Klr,
    KernelRisk = loss::KernelRisk,
    Ols = linear::Ols,
    Ridge = linear::Ridge,
    Mlp = network::Mlp,
    RbfNet = network::RbfNet,
    LinearSvc = linear_loss::LinearSvc,
    LinearSvr = linear_loss::LinearSvr,
    Logistic = linear_loss::Logistic,
    Lasso = linear::Lasso,
    ElasticNet = linear::ElasticNet,
    Perceptron = perceptron::Perceptron,
    KMeans = cluster::KMeans,
    KernelKMeans = cluster::KernelKMeans,
    Som = cluster::Som,
    Lvq = cluster::Lvq,
    C45 = tree::C45,
    Pca = project::Pca,
    KernelPca = project::KernelPca,
    Ica = project::Ica,
    Nystroem = features::Nystroem,
    RandomFeatures = features::RandomFeatures,
    Hopfield = memory::Hopfield,
    Knn = neighbours::Knn,
    Ib1 = neighbours::Ib1,
    Ib2 = neighbours::Ib2,
    Memorise = neighbours::Memorise,
    Nearest = novelty::Nearest,
    KernelPcaNovelty = novelty::KernelPcaNovelty,
}

/// Returns the methods that a name stands for: one, or one for each of several tasks.
pub fn methods_named(name: &str) -> Vec<&'static Method> {
    let named = METHODS.iter().filter(|m| m.names().any(|n| n == name));
    named.copied().collect()
}

/// Returns the names that users choose methods by, each once.
pub fn method_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = Vec::new();
    for method in METHODS {
        let shown: Vec<&str> = match method.aliases {
            [] => vec![method.name],
            aliases => aliases.iter().map(|(name, _)| *name).collect(),
        };
        for name in shown {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

impl AnyEstimator {
    /// Returns a method by name, with its default settings; of a name for several tasks the first.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the known names.
    pub fn named(name: &str) -> Result<Self> {
        let found = methods_named(name).first().and_then(|m| Self::of(m));
        found.ok_or_else(|| unknown(name))
    }

    /// Returns the method that a name stands for in a task, with its default settings.
    ///
    /// # Errors
    /// An unknown name, a method that is not for the task.
    pub fn for_task(name: &str, task: Task) -> Result<Self> {
        let methods = methods_named(name);
        if methods.is_empty() {
            return Err(unknown(name));
        }
        let suits = |m: &&&Method| {
            let alias = m.aliases.iter().find(|(alias, _)| *alias == name);
            alias.map_or_else(|| m.suits(task), |(_, for_task)| *for_task == task)
        };
        match methods.iter().find(suits).and_then(|m| Self::of(m)) {
            Some(mut estimator) => {
                estimator.suit(task);
                Ok(estimator)
            }
            None => Err(wrong_task(name, &methods, task)),
        }
    }

    /// Returns a method with the settings that are given by name.
    ///
    /// # Errors
    /// Unknown names of methods and settings, values of another kind.
    pub fn with_settings(name: &str, settings: &Map<String, Value>) -> Result<Self> {
        let mut estimator = Self::named(name)?;
        let tried = settings
            .iter()
            .map(|(name, value)| estimator.set(name, value));
        Error::collect(tried.filter_map(Result::err).collect())?;
        Ok(estimator)
    }

    /// Returns the method's line of the table.
    pub fn method(&self) -> &'static Method {
        fn of<L: Learner>(_: &L) -> &'static Method {
            L::METHOD
        }
        each!(self, m => of(m))
    }

    /// Returns the name of the method.
    pub fn name(&self) -> &'static str {
        self.method().name
    }

    /// Returns whether the method is for a task.
    pub fn suits(&self, task: Task) -> bool {
        task == self.task() || (self.method().suits(task) && self.is_for_any_target())
    }

    /// Whether one method with the same settings takes numbers and classes alike.
    fn is_for_any_target(&self) -> bool {
        let several = self.method().tasks.len() > 1;
        several && !matches!(self, Self::KernelRisk(_))
    }

    /// Returns the task with a target column: a method for numbers and classes takes numbers as
    /// numbers, and everything else as the target itself suggests.
    pub(crate) fn task_with(&self, target: Option<&Column>) -> Task {
        match target {
            Some(column)
                if self.is_for_any_target() && !matches!(column.values, Values::Numeric(_)) =>
            {
                infer_task(column).0
            }
            None if self.method().suits(Task::Embed) => Task::Embed,
            _ => self.task(),
        }
    }

    /// Returns the task with targets: a method for numbers and classes tells classes apart where
    /// it meets them.
    pub fn task_on(&self, targets: &Targets) -> Task {
        match targets {
            Targets::Classes(_) if self.suits(Task::Classify) => Task::Classify,
            Targets::None if self.method().suits(Task::Embed) => Task::Embed,
            _ => self.task(),
        }
    }

    /// Returns the task the method is for in the first place.
    pub fn task(&self) -> Task {
        each!(self, m => m.task())
    }

    /// Returns the kernel, where the method has one.
    pub fn kernel(&self) -> Option<&KernelSpec> {
        each!(self, m => m.kernel())
    }

    /// Returns the kernel, to be changed.
    pub(crate) fn kernel_mut(&mut self) -> Option<&mut KernelSpec> {
        each!(self, m => m.kernel_mut())
    }

    /// Sets the kernel, where the method has one.
    pub fn set_kernel(&mut self, kernel: KernelSpec) {
        if let Some(own) = self.kernel_mut() {
            *own = kernel;
        }
    }

    /// Returns the kernel as an expression; empty where the method has none.
    pub fn kernel_text(&self) -> String {
        self.kernel().map(ToString::to_string).unwrap_or_default()
    }

    /// Sets factors on the weights of classes, where the method tells classes apart.
    pub(crate) fn weigh_classes(&mut self, class_weights: &ClassWeights) {
        if let Some(own) = each!(self, m => m.class_weights_mut()) {
            own.clone_from(class_weights);
        }
    }

    /// Takes the defaults for a task; what is set is to be set afterwards.
    pub(crate) fn suit(&mut self, task: Task) {
        each!(self, m => m.suit(task));
    }

    /// Forgets the factors of classes that the rows to come do not have.
    pub fn forget_classes(&mut self, absent: &[String]) {
        if let Some(own) = each!(self, m => m.class_weights_mut()) {
            own.forget(absent);
        }
    }

    /// Lists the settings of the method.
    pub fn settings(&self) -> Vec<Setting> {
        (self.method().settings)()
    }

    /// Takes the value of a setting.
    ///
    /// # Errors
    /// A setting that the method does not have, a value of another kind or outside its range.
    pub fn set(&mut self, name: &str, value: &Value) -> Result<()> {
        let done = each!(self, m => m.set(name, value));
        match done {
            Some(Ok(())) => {
                let mut errors = Vec::new();
                each!(self, m => m.check(&mut errors));
                errors.retain(|e| matches!(e, Error::Setting { name: n, .. } if n == name));
                Error::collect(errors)
            }
            Some(error) => error,
            None => Err(Error::Unknown {
                kind: "setting",
                name: name.to_owned(),
                known: self.settings().iter().map(|s| s.name.to_owned()).collect(),
            }),
        }
    }

    /// Returns the value of a setting; `None` where the method has no such setting.
    pub fn get(&self, name: &str) -> Option<Value> {
        each!(self, m => m.get(name))
    }

    /// Returns the bytes without which the method cannot learn from so many rows.
    pub(crate) fn least_bytes(&self, rows: usize) -> u64 {
        each!(self, m => m.least_bytes(rows))
    }

    /// Returns about how many multiplications a fit takes.
    pub(crate) fn work(&self, data: &Dataset) -> f64 {
        each!(self, m => m.work(data))
    }

    /// Returns how columns become features with these settings.
    pub fn encoding(&self) -> EncodeOptions {
        each!(self, m => m.encoding())
    }

    /// Returns the method with its settings, as reports tell of it.
    pub fn chosen(&self) -> ChosenMethod {
        let settings = each!(self, m => serde_json::to_value(m));
        ChosenMethod {
            model: self.name().to_owned(),
            settings: match settings {
                Ok(Value::Object(settings)) => settings,
                _ => Map::new(),
            },
        }
    }

    /// Settles what parts of the rows have to share, where the method learns from sums over rows; `None` for the others. To be
    /// called inside of [`FitContext::install`].
    ///
    /// # Errors
    /// Bad settings, rows that cannot be learnt from, cancellation and the time limit.
    pub fn feature_plan(
        &self,
        data: &Dataset,
        context: &FitContext,
    ) -> Result<Option<features::MadePlan>> {
        match self {
            Self::Nystroem(method) => {
                method.loss.check_one_walk()?;
                method.plan(data, context).map(Some)
            }
            Self::RandomFeatures(method) => {
                method.loss.check_one_walk()?;
                method.plan(data, context).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Learns from data, starting from an earlier model where the method can.
    ///
    /// # Errors
    /// As [`super::Estimator::fit`]; an earlier model given to a method that cannot use one.
    pub fn fit(
        &self,
        data: &Dataset,
        context: &FitContext,
        earlier: Option<&Form>,
    ) -> Result<Fitted<Form>> {
        let fitted = each!(self, m => m.learn(data, earlier, context));
        let blame = |error| super::centre::blame(self.kernel(), &data.records, error);
        super::extreme::settle(data, fitted.map_err(blame))
    }
}

fn unknown(name: &str) -> Error {
    Error::Unknown {
        kind: "model",
        name: name.to_owned(),
        known: method_names().into_iter().map(str::to_owned).collect(),
    }
}

/// The error of a method that is not for a task.
fn wrong_task(name: &str, methods: &[&Method], task: Task) -> Error {
    let fits = methods.iter().flat_map(|m| m.tasks);
    let mut fits: Vec<String> = fits.map(|t| format!("`{t}`")).collect();
    fits.dedup();
    let word = if fits.len() == 1 { "task" } else { "tasks" };
    Error::Conflict {
        what: format!(
            "`{name}` is for the {word} {}, not `{task}`",
            fits.join(" and ")
        ),
        cure: "choose a model for the task, or leave out one of the two".into(),
    }
}

impl Serialize for AnyEstimator {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        self.chosen().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for AnyEstimator {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let ChosenMethod { model, settings } = ChosenMethod::deserialize(deserializer)?;
        let method = METHODS.iter().find(|m| m.name == model);
        let method = method.ok_or_else(|| D::Error::custom(unknown(&model)))?;
        let read = Self::read(method, Value::Object(settings)).map_err(D::Error::custom)?;
        read.ok_or_else(|| D::Error::custom(unknown(&model)))
    }
}
