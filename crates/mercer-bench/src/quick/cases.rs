//! The cases.

use super::case::Case;
use crate::error::{Error, Result};

/// All cases in the order of the table. Settings are those of the report on peers where it has
/// the set; none was chosen for its time.
pub(crate) const ALL: &[Case] = &[
    Case::new("start", "kernel rbf(gamma=0.5) 1,2 2,4"),
    // Support vector machines on thousands of rows.
    Case::new(
        "a9a",
        "fit data:libsvm/a9a.gz --format libsvm --target y --model svc --c 1 \
         --kernel rbf(gamma=0.008130081300813009) -o own:a9a.mercer",
    )
    .after("score own:a9a.mercer data:libsvm/a9a.t.gz --format libsvm"),
    Case::new(
        "a9a-predict",
        "predict given:a9a-given.mercer data:libsvm/a9a.t.gz --format libsvm -o own:a9a.csv",
    )
    .before(
        "fit data:libsvm/a9a.gz --format libsvm --target y --model svc --c 1 \
         --kernel rbf(gamma=0.008130081300813009) -o given:a9a-given.mercer",
    ),
    Case::new(
        "letter",
        "fit data:libsvm/letter.scale.gz --format libsvm --target y --task classify --model svc \
         --c 8 --kernel rbf(gamma=0.1) -o own:letter.mercer",
    )
    .after("score own:letter.mercer data:libsvm/letter.scale.t --format libsvm"),
    Case::new(
        "letter-predict",
        "predict given:letter-given.mercer data:libsvm/letter.scale.t --format libsvm \
         -o own:letter.csv",
    )
    .before(
        "fit data:libsvm/letter.scale.gz --format libsvm --target y --task classify --model svc \
         --c 8 --kernel rbf(gamma=0.1) -o given:letter-given.mercer",
    ),
    Case::new(
        "abalone-svr",
        "fit data:regression/abalone.csv --target target --task regress --model svr --c 10 \
         --epsilon 0.1 --kernel rbf(gamma=0.1) --scale standard -o own:svr.mercer",
    ),
    // Small sets: many fits in one process.
    Case::new(
        "iris",
        "cv set:iris.csv --target class --model svc --c 1 --kernel rbf(gamma=0.25) --folds loo",
    ),
    Case::new(
        "wine",
        "cv set:wine.csv --target class --task classify --model svc --c 1 \
         --kernel rbf(gamma=0.0769) --scale standard --folds loo",
    ),
    Case::new(
        "breast-cancer",
        "cv set:breast_cancer_wdbc.csv --target class --model svc --c 10 \
         --kernel rbf(gamma=0.0333) --scale standard --folds 60",
    ),
    Case::new(
        "pima",
        "cv set:pima_diabetes.csv --target class --model svc --c 1 --kernel rbf(gamma=0.125) \
         --scale standard --folds 40",
    ),
    Case::new(
        "sonar-linear",
        "cv set:sonar.csv --target class --model svc --c 1 --kernel linear --scale standard \
         --folds 40",
    ),
    Case::new(
        "digits",
        "cv set:digits.csv --target class --task classify --model svc --c 10 \
         --kernel rbf(gamma=0.000976) --folds 5",
    ),
    Case::new(
        "diabetes-krr",
        "cv set:diabetes_efron.csv --target target --model krr --lambda 1 \
         --kernel rbf(gamma=0.05) --scale standard --folds 40",
    ),
    // Searches.
    Case::new(
        "tune-cancer",
        "tune set:breast_cancer_wdbc.csv --target class --model svc --kernel rbf \
         --scale standard --grid C=0.1..1000:6 --grid gamma=0.001..1:6 -o own:tune.mercer",
    ),
    Case::new(
        "tune-spambase",
        "tune data:vector/spambase.csv --target class --model svc --kernel rbf --scale standard \
         --grid C=1..100:3 --grid gamma=0.001..0.1:3 --folds 4 -o own:tune2.mercer",
    ),
    // Models without settings.
    Case::new(
        "auto-iris",
        "fit set:iris.csv --target class -o own:auto1.mercer",
    ),
    Case::new(
        "auto-wine",
        "fit set:wine.csv --target class --task classify -o own:auto2.mercer",
    ),
    Case::new(
        "auto-cancer",
        "fit set:breast_cancer_wdbc.csv --target class -o own:auto3.mercer",
    ),
    Case::new(
        "auto-pima",
        "fit set:pima_diabetes.csv --target class -o own:auto4.mercer",
    ),
    Case::new(
        "auto-diabetes",
        "fit set:diabetes_efron.csv --target target -o own:auto5.mercer",
    ),
    Case::new(
        "auto-credit",
        "fit data:mixed/credit_g.csv --target class -o own:auto6.mercer",
    ),
    // The squared loss.
    Case::new(
        "abalone-krr",
        "fit data:regression/abalone.csv --target target --task regress --model krr --lambda 0.1 \
         --kernel rbf(gamma=0.1) --scale standard -o own:krr.mercer",
    ),
    Case::new(
        "waveform-lssvm",
        "fit data:lssvm/waveform.csv --target class --task classify --model lssvm --gamma 1 \
         --kernel rbf(gamma=0.02) --scale standard -o own:lssvm.mercer",
    ),
    Case::new(
        "concrete-gp",
        "fit data:regression/concrete.csv --target target --model gp --scale standard \
         -o own:gp.mercer",
    ),
    Case::new(
        "concrete-predict",
        "predict given:concrete.mercer data:regression/concrete.csv --interval -o own:concrete.csv",
    )
    .before(
        "fit data:regression/concrete.csv --target target --model gp --scale standard \
         -o given:concrete.mercer",
    ),
    // Kernels on texts and graphs.
    Case::new(
        "promoter-texts",
        "cv data:strings/promotergene.csv --target class --model svc --c 1 \
         --kernel normalise(substring) --folds 20",
    ),
    Case::new(
        "mutag-graphs",
        "cv data:graphs/MUTAG --target class --model svc --c 1 --kernel normalise(wl) --folds 20",
    ),
];

/// The cases of the given names, in the order of the table; all for no names.
pub(crate) fn choose(names: &[String]) -> Result<Vec<Case>> {
    for name in names {
        if !ALL.iter().any(|case| case.name == name) {
            let known: Vec<&str> = ALL.iter().map(|case| case.name).collect();
            return Err(Error::Unknown {
                name: name.clone(),
                kind: "case",
                known: known.join(", "),
            });
        }
    }
    let wanted = |case: &&Case| names.is_empty() || names.iter().any(|name| name == case.name);
    Ok(ALL.iter().filter(wanted).copied().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths;
    use crate::quick::case::Places;

    #[test]
    fn names_and_files_are_unique() {
        let mut names: Vec<&str> = ALL.iter().map(|case| case.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
        let mut files: Vec<&str> = ALL
            .iter()
            .flat_map(|case| {
                case.command
                    .split_whitespace()
                    .skip_while(|word| *word != "-o")
            })
            .filter(|word| word.starts_with("own:"))
            .collect();
        let count = files.len();
        files.sort_unstable();
        files.dedup();
        assert_eq!(files.len(), count);
    }

    #[test]
    fn bundled_sets_are_there() {
        let places = Places {
            data: paths::root(),
            sets: paths::root().join("tests/data/sets"),
            scratch: paths::root(),
        };
        let bundled: Vec<&Case> = ALL
            .iter()
            .filter(|case| !case.command.contains("data:"))
            .collect();
        // Without the larger sets the comparison still covers small sets, searches and models
        // without settings.
        assert!(bundled.len() >= 10);
        for case in bundled {
            assert_eq!(case.missing(&places), None, "{}", case.name);
        }
    }

    #[test]
    fn names_choose() {
        let chosen = choose(&["wine".to_owned(), "a9a".to_owned()]).unwrap();
        let names: Vec<&str> = chosen.iter().map(|case| case.name).collect();
        assert_eq!(names, ["a9a", "wine"]);
        assert_eq!(choose(&[]).unwrap().len(), ALL.len());
        let error = choose(&["whine".to_owned()]).unwrap_err().to_string();
        assert!(error.contains("`whine` is no case"), "{error}");
    }
}
