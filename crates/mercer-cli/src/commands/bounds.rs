//! `mercer bounds`.

use mercer::fit::ConstantTerm;
use mercer::judge::bounds::features::{
    FeatureSetting, feature_count, feature_failure, gauss_spread,
};
use mercer::judge::bounds::{self, Interval, MarginSetting, Sides};
use serde_json::{Map, Value, json};

use super::description;
use super::numbers::numbers;
use crate::args::{BoundsArgs, BoundsCommand, ShatterArgs};
use crate::data::read;
use crate::display::Page;
use crate::failure::{Failure, Result};
use crate::session::Session;
use crate::style::{Paint, count, number, plural};

pub(super) fn run(args: &BoundsArgs, session: &Session) -> Result<()> {
    match &args.what {
        Some(BoundsCommand::Shatter(args)) => return shatter(args, session),
        Some(BoundsCommand::Description(args)) => return description::run(args, session),
        None => {}
    }
    let mut told = Told {
        page: Page::new(session.output.paint),
        paint: session.output.paint,
        object: Map::new(),
    };
    let asks_features = args.diameter.is_some() || args.features.is_some();
    let vc = match (args.vc, args.columns) {
        (Some(vc), _) => Some(vc),
        _ if args.functions.is_some() => None,
        (None, Some(columns)) if !asks_features => {
            Some(bounds::half_space_dimension(columns, true))
        }
        _ => None,
    };
    let finite = args.functions.map(|n| told.finite(n)).transpose()?;
    let bounds_more = args.epsilon.is_some() || args.rows.is_some() || args.points.is_some();
    let vc = vc.or(finite.filter(|_| bounds_more));
    let n = args.rows.map(|rows| rows as usize);
    if let (Some(errors), Some(n)) = (args.errors, n) {
        told.intervals(errors, n, args.delta)?;
    }
    if let (Some(rate), Some(n)) = (args.rate, n) {
        told.expected(rate, n, args.errors)?;
    }
    if let Some(vc) = vc {
        told.uniform(vc, args)?;
    }
    if let (Some(margin), Some(n)) = (args.margin, n) {
        told.margin(margin, n, args)?;
    }
    if let Some(n) = n
        && (args.norm.is_some() || args.lambda.is_some())
    {
        told.soft(n, args)?;
    }
    if asks_features {
        told.features(args)?;
    }
    let others = vc.is_some() || asks_features;
    if let (Some(epsilon), false) = (args.epsilon, others) {
        told.sizes(epsilon, args.delta, args.rate.unwrap_or(0.5))?;
    }
    if told.object.is_empty() {
        return Err(nothing(args));
    }
    if session.output.json {
        told.object.insert("delta".to_owned(), json!(args.delta));
        return session.output.object(&Value::Object(told.object));
    }
    session.output.text(&told.page.finish())
}

/// What is missing for anything to be computed.
fn nothing(args: &BoundsArgs) -> Failure {
    let wanting = |flag: &str, given: &str| {
        Failure::usage(
            format!("`{given}` needs `{flag}`"),
            "`mercer bounds --help` lists what goes together",
        )
    };
    let of_rows = [
        ("--errors", args.errors.is_some()),
        ("--rate", args.rate.is_some()),
        ("--margin", args.margin.is_some()),
        ("--norm", args.norm.is_some()),
        ("--lambda", args.lambda.is_some()),
    ];
    if let Some((given, _)) = of_rows.iter().find(|(_, given)| *given) {
        return wanting("--rows", given);
    }
    if args.rows.is_some() {
        return wanting("--errors` or `--rate", "--rows");
    }
    Failure::usage(
        "nothing was asked for",
        "say what is known, such as `--epsilon 0.1` or `--errors 20 --rows 200`; `mercer bounds --help` lists all",
    )
}

/// What is told, in both forms.
struct Told {
    page: Page,
    paint: Paint,
    object: Map<String, Value>,
}

impl Told {
    /// Adds a name, a value and a remark.
    fn line(&mut self, name: &str, value: &str, aside: &str) {
        let aside = self.paint.dim(aside);
        let text = format!("{value:<17}  {aside}");
        self.page.item(name, text.trim_end());
    }

    /// Adds a bound on an error rate, which may say nothing.
    fn bound(&mut self, name: &str, value: f64, aside: &str) {
        let text = if bounds::is_vacuous(value) {
            format!("{} (vacuous)", number(value))
        } else {
            number(value)
        };
        self.line(name, &text, aside);
    }

    fn sizes(&mut self, epsilon: f64, delta: f64, rate: f64) -> Result<()> {
        let sizes = |sides: Sides| -> mercer::Result<[u64; 3]> {
            Ok([
                bounds::binomial_sample_size(epsilon, delta, rate, sides)?,
                bounds::chernoff_sample_size(epsilon, delta, sides)?,
                bounds::chebyshev_sample_size(epsilon, delta, sides)?,
            ])
        };
        let [two, one] = [sizes(Sides::Both)?, sizes(Sides::Upper)?];
        self.page.heading(
            "Rows of a test set",
            &format!(
                "for an error rate to ±{epsilon}, with probability {}",
                1.0 - delta
            ),
        );
        let names = ["binomial", "chernoff", "chebyshev"];
        for (k, name) in ["exact binomial", "Chernoff", "Chebyshev"]
            .iter()
            .enumerate()
        {
            let aside = format!("{} from above only", count(one[k]));
            self.line(name, &plural(two[k] as usize, "row"), &aside);
        }
        let exact = format!(
            "The exact law is for a rate of {}; the others hold whatever the rate.",
            share(rate)
        );
        self.page.block(&exact);
        let object = |sizes: [u64; 3]| -> Value {
            names
                .iter()
                .zip(sizes)
                .map(|(n, s)| ((*n).to_owned(), json!(s)))
                .collect()
        };
        self.object.insert(
            "test_sizes".to_owned(),
            json!({"epsilon": epsilon, "rate": rate, "two_sided": object(two), "one_sided": object(one)}),
        );
        Ok(())
    }

    fn intervals(&mut self, errors: usize, n: usize, delta: f64) -> Result<()> {
        let all = |sides: Sides| -> mercer::Result<[Interval; 3]> {
            Ok([
                bounds::binomial_interval(errors, n, delta, sides)?,
                bounds::chernoff_interval(errors, n, delta, sides)?,
                bounds::chebyshev_interval(errors, n, delta, sides)?,
            ])
        };
        let [two, one] = [all(Sides::Both)?, all(Sides::Upper)?];
        self.page.heading(
            "Error rate",
            &format!(
                "{} of {} were wrong; with probability {} it is",
                plural(errors, "row"),
                count(n as u64),
                1.0 - delta
            ),
        );
        self.line("seen", &format!("{:.4}", errors as f64 / n as f64), "");
        for (k, name) in ["exact binomial", "Chernoff", "Chebyshev"]
            .iter()
            .enumerate()
        {
            let text = format!("{:.4} to {:.4}", two[k].low, two[k].high);
            self.line(name, &text, &format!("or at most {:.4}", one[k].high));
        }
        let object = |found: [Interval; 3]| -> Value {
            let [binomial, chernoff, chebyshev] = found;
            json!({"binomial": binomial, "chernoff": chernoff, "chebyshev": chebyshev})
        };
        self.object.insert(
            "intervals".to_owned(),
            json!({"errors": errors, "rows": n, "two_sided": object(two), "one_sided": object(one)}),
        );
        Ok(())
    }

    fn expected(&mut self, rate: f64, n: usize, errors: Option<usize>) -> Result<()> {
        let found = bounds::error_count(n, rate)?;
        let exactly = errors
            .map(|errors| bounds::binomial_probability(errors, n, rate))
            .transpose()?;
        self.page.heading(
            "Errors to expect",
            &format!(
                "of {} predictions, {} of them wrong",
                count(n as u64),
                share(rate)
            ),
        );
        self.line("mean", &number(found.mean), "");
        let deviation = format!("standard deviation {}", number(found.variance.sqrt()));
        self.line("variance", &number(found.variance), &deviation);
        if let (Some(errors), Some(p)) = (errors, exactly) {
            self.line(&format!("exactly {errors}"), &number(p), "probability");
        }
        self.object.insert(
            "errors".to_owned(),
            json!({"mean": found.mean, "variance": found.variance, "probability": exactly}),
        );
        Ok(())
    }

    /// Tells the dimension of a finite class, and returns it.
    fn finite(&mut self, functions: u64) -> Result<u64> {
        let vc = bounds::finite_class_dimension(functions)?;
        let members = format!("of {} functions", count(functions));
        self.page.heading("Finite class", &members);
        self.line(
            "VC dimension",
            &format!("at most {vc}"),
            "d points have 2^d labellings, each by a function of its own",
        );
        self.object.insert(
            "finite_class".to_owned(),
            json!({"functions": functions, "vc": vc}),
        );
        Ok(vc)
    }

    fn uniform(&mut self, vc: u64, args: &BoundsArgs) -> Result<()> {
        let delta = args.delta;
        if let Some(points) = args.points {
            self.growth(points, vc)?;
        }
        let mut object = json!({ "vc": vc });
        if args.epsilon.is_some() || args.rows.is_some() {
            self.page.heading(
                "Uniform convergence",
                &format!("VC dimension {vc}, with probability {}", 1.0 - delta),
            );
        }
        if let Some(epsilon) = args.epsilon {
            let guaranteed = bounds::vc_sample_size(vc, epsilon, delta)?;
            let heuristic = bounds::vc_heuristic_sample_size(vc, epsilon, delta)?;
            let within = format!("training and true error within {epsilon}");
            self.line("guaranteed", &plural(guaranteed as usize, "row"), &within);
            self.line(
                "heuristic (c=1)",
                &plural(heuristic as usize, "row"),
                "rule of thumb, its constant unproven",
            );
            object["guaranteed"] = json!(guaranteed);
            object["heuristic"] = json!(heuristic);
            object["epsilon"] = json!(epsilon);
        }
        if let Some(rows) = args.rows {
            let off = bounds::uniform_deviation(rows as usize, vc, delta)?;
            self.bound("differ at most by", off, "training against true error");
            object["deviation"] = json!(off);
            object["vacuous"] = json!(bounds::is_vacuous(off));
        }
        if args.epsilon.is_some() || args.rows.is_some() {
            self.object.insert("uniform_convergence".to_owned(), object);
        } else if args.points.is_none() {
            return Err(Failure::usage(
                "a VC dimension alone bounds nothing",
                "add `--epsilon`, `--rows` or `--points`",
            ));
        }
        Ok(())
    }

    fn growth(&mut self, points: u64, vc: u64) -> Result<()> {
        let found = bounds::growth_function(points, vc)?;
        let text = |ln: f64| match ln.exp() {
            value if value.is_finite() => number(value),
            _ => format!("10^{:.1}", ln / std::f64::consts::LN_10),
        };
        self.page.heading(
            "Growth function",
            &format!("labellings of {} points, VC dimension {vc}", count(points)),
        );
        let exact = found.exact.map(|value| value.to_string());
        let shown = exact.clone().filter(|digits| digits.len() <= 20);
        self.line(
            "at most",
            &shown.unwrap_or_else(|| text(found.ln)),
            "sum of C(m,i), i up to VC",
        );
        for (name, ln, aside) in [
            ("Sauer", found.ln_sauer, "(em/VC)^VC"),
            ("power", found.ln_power, "m^VC"),
            ("all", Some(found.ln_all), "2^m"),
        ] {
            if let Some(ln) = ln {
                self.line(name, &text(ln), aside);
            }
        }
        // Whole numbers of JSON's readers end at 2⁵³; what is larger is a text of digits.
        self.object.insert(
            "growth".to_owned(),
            json!({"points": points, "vc": vc, "value": found.value(), "digits": exact,
                "ln": found.ln, "ln_sauer": found.ln_sauer, "ln_power": found.ln_power,
                "ln_all": found.ln_all}),
        );
        Ok(())
    }

    fn margin(&mut self, margin: f64, rows: usize, args: &BoundsArgs) -> Result<()> {
        let constant = bounds::constant_called(&args.bias)?;
        let setting = MarginSetting {
            rows,
            radius: args.radius,
            margin,
            delta: args.delta,
            constant,
        };
        let measured = bounds::measured_margin_bound(&setting)?;
        let fixed = match constant {
            ConstantTerm::Free => None,
            ConstantTerm::None | ConstantTerm::Regularised => Some(bounds::margin_bound(&setting)?),
        };
        self.page.heading(
            "Error of a plane with a margin",
            &format!(
                "{} rows separated, with probability {}",
                count(rows as u64),
                1.0 - args.delta
            ),
        );
        if let Some(fixed) = fixed {
            self.bound("at most", fixed, "fixed before the rows were seen");
        }
        self.bound("at most", measured, "margin measured on the rows");
        self.page.block("In a feature space the radius is the root of the largest k(x,x); unless\nthat is the same for all rows, it is an assumption about rows to come.");
        self.object.insert(
            "margin".to_owned(),
            json!({"fixed": fixed, "measured": measured, "rows": rows, "margin": margin,
                "radius": args.radius, "bias": args.bias,
                "vacuous": bounds::is_vacuous(fixed.unwrap_or(measured).min(measured))}),
        );
        Ok(())
    }

    fn soft(&mut self, rows: usize, args: &BoundsArgs) -> Result<()> {
        self.page.heading(
            "Soft margin",
            &format!("{} rows, in the mean over their draw", count(rows as u64)),
        );
        let mut object = json!({"rows": rows, "radius": args.radius});
        if let Some(norm) = args.norm {
            let found = bounds::soft_margin_bound(rows, args.radius, norm)?;
            self.line(
                "lambda",
                &number(found.lambda),
                "weight of ‖w‖² beside the mean hinge",
            );
            let aside = format!("above the best weights of length {norm}");
            self.bound("excess error", found.excess, &aside);
            object["lambda"] = json!(found.lambda);
            object["excess"] = json!(found.excess);
        }
        if let Some(lambda) = args.lambda {
            let stability = bounds::stability_bound(rows, args.radius, lambda)?;
            self.bound("stability", stability, "above the mean hinge of training");
            object["stability"] = json!(stability);
            if let Some(hinge) = args.hinge {
                self.bound("error at most", hinge + stability, "with that hinge loss");
                object["bound"] = json!(hinge + stability);
                object["vacuous"] = json!(bounds::is_vacuous(hinge + stability));
            }
        }
        self.object.insert("soft_margin".to_owned(), object);
        Ok(())
    }

    fn features(&mut self, args: &BoundsArgs) -> Result<()> {
        let (Some(diameter), Some(columns), Some(epsilon)) =
            (args.diameter, args.columns, args.epsilon)
        else {
            return Err(Failure::usage(
                "random features need `--diameter`, `--columns` and `--epsilon`",
                "such as `--diameter 2 --columns 2 --sigma 1 --epsilon 0.2`",
            ));
        };
        if !(args.sigma > 0.0 && args.sigma.is_finite()) {
            return Err(mercer::Error::setting("sigma", args.sigma, "positive and finite").into());
        }
        let setting = FeatureSetting {
            columns: columns as usize,
            spread: gauss_spread(&[args.sigma]) * (columns as f64).sqrt(),
            diameter,
            epsilon,
        };
        let needed = feature_count(&setting, args.delta)?;
        let failure = args
            .features
            .map(|pairs| feature_failure(&setting, pairs))
            .transpose()?;
        self.page.heading(
            "Random Fourier features",
            &format!("Gaussian kernel, every value to ±{epsilon}"),
        );
        let aside = format!("fail with probability {} at most", args.delta);
        self.line("pairs needed", &count(needed), &aside);
        if let (Some(pairs), Some(failure)) = (args.features, failure) {
            self.bound(
                &format!("{} pairs", count(pairs)),
                failure,
                "fail with that probability",
            );
        }
        self.object.insert(
            "random_features".to_owned(),
            json!({"needed": needed, "features": args.features, "failure": failure,
                "vacuous": failure.map(bounds::is_vacuous)}),
        );
        Ok(())
    }
}

fn share(rate: f64) -> String {
    let text = number(100.0 * rate);
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    format!("{text} %")
}

fn shatter(args: &ShatterArgs, session: &Session) -> Result<()> {
    let table = read(&args.data, &args.reading, session)?;
    let dropped = crate::named::columns(&args.drop, &table);
    let points = numbers(table, &dropped)?;
    let found = bounds::shatter(&points.values, !args.homogeneous)?;
    session.meter.finish();
    let rows = points.values.rows();
    if session.output.json {
        let mut object = serde_json::to_value(&found).map_err(|e| Failure::stdout(&e.into()))?;
        object["points"] = json!(rows);
        object["columns"] = json!(points.names);
        return session.output.object(&object);
    }
    let planes = if args.homogeneous {
        "half-spaces through the origin"
    } else {
        "half-spaces"
    };
    let mut told = Told {
        page: Page::new(session.output.paint),
        paint: session.output.paint,
        object: Map::new(),
    };
    told.page.heading(
        &format!(
            "{} in {}",
            plural(rows, "point"),
            plural(points.names.len(), "column")
        ),
        &format!("labelled by {planes}"),
    );
    let verdict = if found.shattered {
        session.output.paint.green("yes")
    } else {
        session.output.paint.red("no")
    };
    let exactness = if found.exact {
        "exact"
    } else {
        "by doubles: too many digits"
    };
    told.line("shattered", &verdict, exactness);
    let reached = format!("{} of {}", count(found.reached), count(found.all));
    told.line("labellings", &reached, "made by planes that touch no point");
    if let Some(witness) = &found.witness {
        let signs: String = witness.iter().map(|p| if *p { '+' } else { '-' }).collect();
        told.line("impossible", &signs, "one label for each point, in order");
    }
    session.output.text(&told.page.finish())
}
