//! Advice that works: every hint that names a flag is followed, and then the command goes on.

use crate::harness::{Folder, clouds, line};

/// Files that the commands below read, and models of them.
fn folder() -> Folder {
    let folder = Folder::new();
    let mut texts = String::from("text,kind\n");
    for i in 0..30 {
        let word = if i % 2 == 0 {
            "free entry win"
        } else {
            "see you at home"
        };
        texts += &format!("{word} {i},{}\n", if i % 2 == 0 { "spam" } else { "ham" });
    }
    let mut smiles = String::from("drug,kind\n");
    for i in 0..30 {
        let tail = if i % 2 == 0 { "O" } else { "N" };
        smiles += &format!("{}{tail},{tail}x\n", "C".repeat(1 + i % 6));
    }
    let grouped = clouds(60).replace('\n', ",g\n");
    folder
        .put("d.csv", clouds(80))
        .put("line.csv", line(60))
        .put("texts.csv", texts)
        .put("smiles.csv", smiles)
        .put("grouped.csv", grouped)
        .put("holes.csv", clouds(60).replacen(",inner\n", ",\n", 3))
        .put("empty.csv", "a,b,kind\n1,2,\n2,3,\n3,1,\n")
        .put("same.csv", "a,b,kind\n1,2,p\n2,3,p\n3,1,p\n4,4,p\n2,2,p\n")
        .put("bad.csv", "a,b,kind\n1,2,p\nx,3,q\n3,1,p\n4,4,q\n2,2,p\n");
    for fit in [
        "fit d.csv -t kind --model svc -o svc.mercer",
        "fit d.csv -t kind --model krr -o krr.mercer",
        "fit line.csv -t y --model svr -o svr.mercer",
        "fit d.csv -t kind --model svc --scale standard -o scaled.mercer",
        "fit d.csv -t kind --model lssvm -o ls.mercer",
    ] {
        folder.run(fit).ok();
    }
    folder
}

/// A command that fails, a part of its advice, and the commands that follow it.
struct Case {
    fails: &'static str,
    says: &'static str,
    follow: &'static [&'static str],
}

const CASES: [Case; 18] = [
    Case {
        fails: "fit grouped.csv -t kind --groups g --holdout 0.3 --model svc -o o.mercer",
        says: "`--groups`, or none",
        follow: &["fit grouped.csv -t kind --drop g --holdout 0.3 --model svc -o o.mercer"],
    },
    Case {
        fails: "fit holes.csv -t kind --model svc -o o.mercer",
        says: "`--drop-unlabelled`",
        follow: &["fit holes.csv -t kind --model svc -o o.mercer --drop-unlabelled"],
    },
    Case {
        fails: "fit empty.csv -t kind --model svc -o o.mercer",
        says: "`--target`",
        follow: &["fit empty.csv -t b --model svr -o o.mercer --drop kind"],
    },
    Case {
        fails: "fit same.csv -t kind --model svc -o o.mercer",
        says: "`--task novelty`",
        follow: &["fit same.csv --drop kind --task novelty -o o.mercer"],
    },
    Case {
        fails: "fit d.csv -o o.mercer",
        says: "`--target`",
        follow: &["fit d.csv -t kind --model svc -o o.mercer"],
    },
    Case {
        fails: "fit line.csv -t y --positive 1 -o o.mercer",
        says: "`--positive`",
        follow: &["fit line.csv -t y --model svr -o o.mercer"],
    },
    Case {
        fails: "fit bad.csv -t kind --model svc --kind a=numeric -o o.mercer",
        says: "`--kind a=categorical`",
        follow: &["fit bad.csv -t kind --model svc --kind a=categorical -o o.mercer"],
    },
    Case {
        fails: "fit d.csv -t kind --model svc --hard --kernel linear -o o.mercer",
        says: "`--c`",
        follow: &["fit d.csv -t kind --model svc --c 10 --kernel linear -o o.mercer"],
    },
    Case {
        fails: "fit d.csv -t kind --model svc --kernel spectrum -o o.mercer",
        says: "`--kind COLUMN=text`",
        follow: &["fit d.csv -t kind --model svc --kernel spectrum --kind a=text -o o.mercer"],
    },
    Case {
        fails: "fit texts.csv -t kind --model svc --kernel wl -o o.mercer",
        says: "`--kind COLUMN=molecule`",
        follow: &[
            "fit smiles.csv -t kind --model svc --kernel wl --kind drug=molecule -o o.mercer",
        ],
    },
    Case {
        fails: "fit d.csv -t kind --model svc --gamma 0.5 -o o.mercer",
        says: "`--kernel 'rbf(gamma=0.5)'`",
        follow: &["fit d.csv -t kind --model svc --kernel rbf(gamma=0.5) -o o.mercer"],
    },
    Case {
        fails: "predict svc.mercer d.csv --proba",
        says: "--proba",
        follow: &[
            "fit d.csv -t kind --model svc --proba -o o.mercer",
            "predict o.mercer d.csv --proba",
        ],
    },
    Case {
        fails: "predict krr.mercer d.csv --proba",
        says: "`--model lssvm` or `klr`",
        follow: &[
            "fit d.csv -t kind --model klr -o o.mercer",
            "predict o.mercer d.csv --proba",
            "predict ls.mercer d.csv --proba",
        ],
    },
    Case {
        fails: "predict svr.mercer line.csv --interval",
        says: "`--model gp`",
        follow: &[
            "fit line.csv -t y --model gp -o o.mercer",
            "predict o.mercer line.csv --interval",
        ],
    },
    Case {
        fails: "predict svc.mercer bad.csv",
        says: "`--on-error skip`",
        follow: &["predict svc.mercer bad.csv --on-error skip"],
    },
    Case {
        fails: "export scaled.mercer --to libsvm -o o.model",
        says: "`--scale none`",
        follow: &[
            "fit d.csv -t n --model svc --scale none -o o.mercer",
            "export o.mercer --to libsvm -o o.model",
        ],
    },
    Case {
        fails: "predict d.csv svc.mercer",
        says: "`svc.mercer d.csv`",
        follow: &["predict svc.mercer d.csv"],
    },
    Case {
        fails: "fit d.csv -t kind --model svc --max-seconds 1e-9 -o o.mercer",
        says: "`--max-seconds`",
        follow: &["fit d.csv -t kind --model svc --max-seconds 60 -o o.mercer"],
    },
];

#[test]
fn advice_that_names_a_flag_works_when_it_is_followed() {
    let folder = folder();
    // LIBSVM's labels are whole numbers.
    let numbered = clouds(80).replace("inner", "1").replace("outer", "2");
    folder.put("d2.csv", numbered.replace("kind", "n"));
    for Case {
        fails,
        says,
        follow,
    } in CASES
    {
        let done = folder.run(fails);
        assert_ne!(done.code, 0, "{fails}");
        let hints: Vec<&str> = done.err.split("hint:").skip(1).collect();
        assert!(hints.join(" ").contains(says), "{fails}: {}", done.err);
        for command in follow {
            let command = command.replace("fit d.csv -t n", "fit d2.csv -t n");
            let next = folder.run(&command);
            assert_eq!(next.code, 0, "{fails}, then {command}: {}", next.err);
        }
    }
}
