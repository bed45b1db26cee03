//! A run: install, prepare, measure case by case, check, write.

use std::time::Instant;

use crate::args::RunOptions;
use crate::case::{Case, Task};
use crate::check::Checker;
use crate::error::{Error, Result};
use crate::machine::{self, Machine};
use crate::peer::{self, Peer};
use crate::record::{CaseResult, Program, Results, Shape};
use crate::{cases, environment, numbers, paths, prepare, report, rounds};

/// Measures what was asked for; results are written after every case.
pub(crate) fn run(options: &RunOptions) -> Result<()> {
    let cases = cases::choose(&options.cases)?;
    let peers = peer::choose(&options.peers)?;
    let out = paths::root().join(&options.out);
    let data = paths::root().join(&options.data);
    std::fs::create_dir_all(&out).map_err(|source| Error::File {
        path: out.clone(),
        source,
    })?;
    if !options.skip_install {
        environment::install(&peers)?;
    }
    let programs = environment::programs(&peers)?;
    for program in &programs {
        match &program.missing {
            Some(reason) => println!("{} is left out: {reason}", peer::label(&program.peer)),
            None => println!(
                "{} {}",
                peer::label(&program.peer),
                program.version.as_deref().unwrap_or("of unknown version")
            ),
        }
    }
    println!("preparing data from {}", data.display());
    let shapes = prepare::prepare(&cases, &data)?;
    let mut results = earlier(options)?.unwrap_or(Results {
        machine: Machine::here(),
        programs: Vec::new(),
        cases: Vec::new(),
    });
    results.machine = Machine::here();
    for program in &programs {
        results.programs.retain(|known| known.peer != program.peer);
    }
    results.programs.extend(programs.clone());
    let place = |program: &Program| {
        peer::PEERS
            .iter()
            .position(|peer| peer.name == program.peer)
    };
    results.programs.sort_by_key(place);
    for case in cases {
        println!("\n{}: {}", case.name, case.parameters());
        let shape = match shapes.get(&case.set).cloned() {
            Some(Ok(shape)) => Ok(shape),
            Some(Err(missing)) => Err(format!("`{missing}` is missing")),
            None => Err("not prepared".to_owned()),
        };
        let result = measure(case, shape, &peers, &programs, options);
        if let Some(reason) = &result.skipped {
            println!("skipped: {reason}");
        }
        results.put(result);
        report::write(&results, &out)?;
    }
    println!("\nwritten: {}", out.display());
    Ok(())
}

fn earlier(options: &RunOptions) -> Result<Option<Results>> {
    if options.fresh {
        return Ok(None);
    }
    Results::read(&paths::root().join(&options.out).join("results.json"))
}

/// The programs that can take part in a case.
fn able(case: &Case, shape: &Shape, peers: &[Peer], programs: &[Program]) -> Vec<Peer> {
    let rust_classes = |peer: &Peer| {
        // The Rust peers know two classes only.
        !matches!(peer.runner, peer::Runner::Rust { .. })
            || case.task == Task::Regress
            || case.task == Task::Novelty
            || shape.classes == 2
    };
    peers
        .iter()
        .filter(|peer| {
            programs.iter().any(|program| {
                program.peer == peer.name
                    && program.missing.is_none()
                    && program.tasks.iter().any(|task| task == case.task.name())
            }) && rust_classes(peer)
        })
        .copied()
        .collect()
}

fn measure(
    case: Case,
    shape: std::result::Result<Shape, String>,
    peers: &[Peer],
    programs: &[Program],
    options: &RunOptions,
) -> CaseResult {
    let mut result = CaseResult {
        case,
        date: jiff::Timestamp::now()
            .strftime("%Y-%m-%d %H:%M UTC")
            .to_string(),
        revision: machine::revision(),
        skipped: None,
        shape: None,
        runs: Vec::new(),
    };
    let mut shape = match shape {
        Ok(shape) => shape,
        Err(reason) => {
            result.skipped = Some(reason);
            return result;
        }
    };
    if let Some(rows) = result.case.rows {
        shape.stored = shape.stored / shape.rows * rows;
        shape.rows = rows;
    }
    let able = able(&result.case, &shape, peers, programs);
    result.shape = Some(shape);
    if !able.iter().any(Peer::is_mercer) {
        result.skipped = Some("this mercer cannot do it".to_owned());
        return result;
    }
    let started = Instant::now();
    let mut entrants = rounds::start(&result.case, &able, options);
    rounds::race(&result.case, &mut entrants, options);
    rounds::finish(&result.case, &mut entrants, options);
    let mut checker = Checker::default();
    for entrant in &mut entrants {
        println!("  {}", entrant.line());
        let Some(answers) = &entrant.answers else {
            continue;
        };
        match checker.check(&result.case, answers) {
            Ok(quality) => entrant.run.quality = Some(quality),
            Err(error) => entrant.run.note = Some(format!("not checked: {error}")),
        }
    }
    result.runs = entrants.into_iter().map(|entrant| entrant.run).collect();
    let spent = numbers::seconds(started.elapsed().as_secs_f64());
    println!("  {spent} in all");
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_able_programs_take_part() {
        let tasks = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let program = |peer: &str, names: &[&str], missing: Option<&str>| Program {
            peer: peer.to_owned(),
            version: None,
            tasks: tasks(names),
            missing: missing.map(str::to_owned),
        };
        let programs = [
            program("mercer", &["classify", "tune"], None),
            program("libsvm", &["classify"], None),
            program("thundersvm", &["classify"], Some("no CUDA")),
            program("linfa", &["classify"], None),
        ];
        let shape = |classes| Shape {
            rows: 10,
            columns: 2,
            test_rows: 5,
            classes,
            sparse: false,
            stored: 20,
        };
        let names = |case: &str, classes| -> Vec<&str> {
            let case = cases::choose(&[case.to_owned()]).unwrap().remove(0);
            let able = able(&case, &shape(classes), &peer::PEERS, &programs);
            able.iter().map(|peer| peer.name).collect()
        };
        assert_eq!(names("heart", 2), ["mercer", "libsvm", "linfa"]);
        assert_eq!(names("iris", 3), ["mercer", "libsvm"]);
        assert_eq!(names("tune-spambase", 2), ["mercer"]);
    }
}
