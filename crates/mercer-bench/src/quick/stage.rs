//! The stage of real programs: processes and their results.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use super::answer::Answer;
use super::case::{Case, Places};
use super::child::{self, Done, Trouble};
use super::race::Stage;
use super::{Both, Side};

/// Results of a program for a case.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Heard {
    /// That of its first run.
    first: Option<Answer>,
    /// Scores on rows that were not learnt from.
    scores: Answer,
    /// How a later run differed from it.
    pub(crate) change: Option<String>,
}

impl Heard {
    /// The first result with the scores.
    pub(crate) fn whole(&self) -> Option<Answer> {
        let mut answer = self.first.clone()?;
        answer.held_out(self.scores.clone());
        Some(answer)
    }
}

/// The two programs, and their results.
pub(crate) struct Processes {
    start: Instant,
    programs: Both<PathBuf>,
    places: Places,
    cases: Vec<Case>,
    /// Results by case.
    pub(crate) heard: Vec<Both<Heard>>,
}

impl Processes {
    /// Sets the clock to zero.
    pub(crate) fn new(programs: Both<PathBuf>, places: Places, cases: Vec<Case>) -> Self {
        Self {
            start: Instant::now(),
            programs,
            places,
            heard: vec![Both::default(); cases.len()],
            cases,
        }
    }

    fn call(&self, command: &str, side: Side, limit: f64) -> Result<Done, Trouble> {
        let mut process = Command::new(self.programs.of(side));
        process
            .args(self.places.arguments(command, side))
            .current_dir(&self.places.scratch);
        child::run(process, Duration::from_secs_f64(limit))
    }

    fn answer(&self, case: usize, side: Side, output: &[u8]) -> Option<Answer> {
        match self.cases[case].predictions(&self.places, side) {
            Some(file) => std::fs::read_to_string(file)
                .ok()
                .map(|text| Answer::from_table(&text)),
            None => Answer::from_object(output),
        }
    }
}

impl Stage for Processes {
    fn now(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    fn before(&mut self, case: usize, limit: f64) -> Result<(), Trouble> {
        match self.cases[case].before {
            Some(command) => self.call(command, Side::Old, limit).map(drop),
            None => Ok(()),
        }
    }

    fn run(&mut self, case: usize, side: Side, limit: f64) -> Result<f64, Trouble> {
        let done = self.call(self.cases[case].command, side, limit)?;
        let answer = self
            .answer(case, side, &done.output)
            .ok_or_else(|| Trouble::Failed("it gave no result that can be read".to_owned()))?;
        let heard = self.heard[case].of_mut(side);
        match &heard.first {
            None => heard.first = Some(answer),
            Some(first) => {
                if heard.change.is_none() {
                    heard.change = first.difference(&answer);
                }
            }
        }
        Ok(done.seconds)
    }

    fn after(&mut self, case: usize, side: Side, limit: f64) -> Result<(), Trouble> {
        let Some(command) = self.cases[case].after else {
            return Ok(());
        };
        let done = self.call(command, side, limit)?;
        self.heard[case].of_mut(side).scores = Answer::from_object(&done.output)
            .ok_or_else(|| Trouble::Failed("it gave no scores that can be read".to_owned()))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASES: [Case; 2] = [
        Case::new("one", "fit own:m.mercer").after("score own:m.mercer"),
        Case::new("two", "predict given:m.mercer -o own:answers.csv").before("fit given:m.mercer"),
    ];

    /// A shell script in the place of mercer.
    fn program(folder: &std::path::Path, name: &str, accuracy: f64) -> PathBuf {
        use std::os::unix::fs::PermissionsExt as _;
        let path = folder.join(name);
        let script = format!(
            r#"#!/bin/sh
case $1 in
    fit) echo '{{"kernel": "linear"}}' | tee "$2" ;;
    score) echo '{{"metrics": {{"accuracy": {{"value": {accuracy}}}}}}}' ;;
    predict) (echo prediction; echo {accuracy}) > "$4" ;;
esac
"#
        );
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    #[test]
    fn programs_are_run_and_heard() {
        let folder = std::env::temp_dir().join(format!("mercer-stage-{}", std::process::id()));
        for side in Side::BOTH {
            std::fs::create_dir_all(folder.join(side.name())).unwrap();
        }
        let programs = Both {
            old: program(&folder, "before.sh", 0.9),
            new: program(&folder, "after.sh", 0.8),
        };
        let places = Places {
            data: folder.clone(),
            sets: folder.clone(),
            scratch: folder.clone(),
        };
        let mut stage = Processes::new(programs, places, CASES.to_vec());
        for case in 0..2 {
            stage.before(case, 10.0).unwrap();
            for side in super::super::race::block(0) {
                assert!(stage.run(case, side, 10.0).unwrap() > 0.0);
            }
            for side in Side::BOTH {
                stage.after(case, side, 10.0).unwrap();
            }
        }
        let difference = |case: usize| {
            let heard: &Both<Heard> = &stage.heard[case];
            assert_eq!((&heard.old.change, &heard.new.change), (&None, &None));
            let old = heard.old.whole().unwrap();
            old.difference(&heard.new.whole().unwrap()).unwrap()
        };
        assert_eq!(difference(0), "held-out accuracy 0.9 → 0.8");
        assert_eq!(difference(1), "1 of 2 rows");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
