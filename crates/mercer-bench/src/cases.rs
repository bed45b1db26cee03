//! The cases.

use crate::case::{Case, Group, Task};
use crate::error::{Error, Result};

fn classify(group: Group, name: &str, set: &str, c: f64, gamma: f64) -> Case {
    Case {
        name: name.to_owned(),
        group,
        task: Task::Classify,
        set: set.to_owned(),
        rows: None,
        c,
        gamma,
        epsilon: 0.1,
        nu: 0.5,
    }
}

fn regress(name: &str, c: f64, gamma: f64) -> Case {
    let case = classify(Group::Regression, name, name, c, gamma);
    Case {
        task: Task::Regress,
        ..case
    }
}

/// All cases in the order of the report.
pub(crate) fn all() -> Vec<Case> {
    use Group::{Growth, Large, Latency, Novelty, Small, Tuning};
    let mut cases = vec![
        // The parameters are round numbers that give models of the accuracy known from
        // the literature; none was chosen for its time.
        classify(Large, "a9a", "a9a", 1.0, 1.0 / 123.0),
        classify(Large, "ijcnn1", "ijcnn1", 16.0, 1.0),
        classify(Large, "w8a", "w8a", 8.0, 0.05),
        classify(Large, "letter", "letter", 8.0, 0.1),
        classify(Large, "magic", "magic", 10.0, 0.1),
        classify(Large, "susy-28k", "susy", 1.0, 1.0 / 18.0),
        classify(Large, "mnist-12k", "mnist-12k", 5.0, 0.02),
        classify(Large, "mnist-60k", "mnist-60k", 5.0, 0.02),
        classify(Large, "shuttle", "shuttle", 10.0, 1.0),
        classify(Large, "covtype-8k", "covtype", 10.0, 1.0),
        classify(Large, "cover-16k", "cover", 10.0, 0.1),
        regress("kin8nm", 10.0, 0.1),
        regress("california", 10.0, 0.2),
        regress("protein", 1.0, 0.2),
        Case {
            task: Task::Novelty,
            nu: 0.05,
            ..classify(Novelty, "shuttle-novelty", "shuttle-novelty", 1.0, 0.1)
        },
        classify(Small, "iris", "iris", 1.0, 0.25),
        classify(Small, "sonar", "sonar", 10.0, 1.0 / 60.0),
        classify(Small, "heart", "heart", 1.0, 1.0 / 13.0),
        classify(Small, "breast-cancer", "breast-cancer", 10.0, 1.0 / 30.0),
        classify(Small, "digits", "digits", 10.0, 1.0 / 64.0),
        classify(Small, "a1a", "a1a", 1.0, 1.0 / 123.0),
        classify(Small, "spambase-half", "spambase-half", 10.0, 1.0 / 57.0),
        Case {
            task: Task::Tune,
            ..classify(Tuning, "tune-spambase", "spambase-half", 1.0, 1.0)
        },
    ];
    cases.extend([1750, 3500, 7000, 14000, 28000].map(|rows| Case {
        rows: Some(rows),
        ..classify(Growth, &format!("susy-{rows}"), "susy", 1.0, 1.0 / 18.0)
    }));
    cases.push(Case {
        task: Task::Latency,
        ..classify(Latency, "latency-1000", "thousand", 1.0, 0.2)
    });
    cases
}

/// The cases of the given names and groups, in the order of the report; all for no names.
pub(crate) fn choose(names: &[String]) -> Result<Vec<Case>> {
    let all = all();
    for name in names {
        let known = all.iter().any(|case| &case.name == name)
            || Group::ALL.iter().any(|group| group.name() == name);
        if !known {
            let groups = Group::ALL.iter().map(|group| group.name().to_owned());
            let known: Vec<String> = groups
                .chain(all.iter().map(|case| case.name.clone()))
                .collect();
            return Err(Error::Unknown {
                name: name.clone(),
                kind: "case or group",
                known: known.join(", "),
            });
        }
    }
    Ok(all
        .into_iter()
        .filter(|case| {
            names.is_empty()
                || names
                    .iter()
                    .any(|name| *name == case.name || name == case.group.name())
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<String> = all().into_iter().map(|case| case.name).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn groups_and_names_choose() {
        let chosen = choose(&["novelty".to_owned(), "iris".to_owned()]).unwrap();
        let names: Vec<&str> = chosen.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names, ["shuttle-novelty", "iris"]);
        assert_eq!(choose(&[]).unwrap().len(), all().len());
        let error = choose(&["irsi".to_owned()]).unwrap_err().to_string();
        assert!(error.contains("`irsi` is no case or group"), "{error}");
    }
}
