//! Commands that together print every part of every object.
//!
//! Tables are small: what counts is which keys appear.

use super::json_keys::Scene;
use crate::harness::{bundled, clouds, line};

/// What is run, the longest first.
pub(super) const SCENES: [fn(&mut Scene); 16] = [
    demo,
    machines_for_classes,
    machines_for_numbers,
    automatic_classes,
    automatic_numbers,
    searches,
    kernels_by_evidence,
    novelty,
    methods_without_a_kernel,
    structures,
    columns_of_all_kinds,
    kernels,
    figures,
    judgement,
    failures,
    constructions,
];

/// Every `step`-th row of a bundled set.
fn part(set: &str, step: usize) -> String {
    let text = std::fs::read_to_string(bundled(set)).expect("readable");
    let (header, rows) = text.split_once('\n').expect("a header");
    let rows: Vec<&str> = rows.lines().step_by(step).collect();
    format!("{header}\n{}\n", rows.join("\n"))
}

fn demo(scene: &mut Scene) {
    scene.tell("demo");
    scene
        .tell("completions bash")
        .tell("completions zsh")
        .tell("completions fish");
}

fn machines_for_classes(scene: &mut Scene) {
    scene.folder.put("two.csv", clouds(60));
    scene.tell("look two.csv --target kind");
    scene.folder.put("iris.csv", part("iris.csv", 4));
    scene
        .tell("fit two.csv --target kind --model svc --proba --holdout 0.3 -o svc.mercer")
        .tell("fit two.csv --target kind --model svc --kernel rbf(gamma=50) --hard -o hard.mercer")
        .tell("fit two.csv --target kind --model nu_svc --nu 0.3 --folds 3 -o nu.mercer")
        .tell("fit two.csv --target kind --model lssvm -o lssvm.mercer")
        .tell("fit two.csv --target kind --model klr -o klr.mercer")
        .tell("fit two.csv --target kind --c 10 --max-iterations 1 -o stopped.mercer")
        .tell("fit iris.csv --target class --model svc --multiclass one_vs_rest -o rest.mercer")
        .tell("fit iris.csv --target class --model svc --proba --holdout 0.3 -o iris.mercer")
        .tell("fit iris.csv --target class --model lssvm --keep 0.5 -o kept.mercer");
    for model in ["svc", "nu", "lssvm", "klr"] {
        scene.tell(&format!("score {model}.mercer two.csv"));
        scene.tell(&format!("inspect {model}.mercer"));
        scene.tell(&format!("export {model}.mercer --to json"));
    }
    scene
        .tell("score iris.mercer iris.csv")
        .tell("inspect iris.mercer")
        .tell("export iris.mercer --to json")
        .tell("predict nu.mercer two.csv")
        .tell("predict svc.mercer two.csv --proba --decision --id b")
        .tell("predict iris.mercer iris.csv --proba --decision")
        .tell("predict svc.mercer two.csv --decision -o answers.json")
        .read("predict", "answers.json")
        .tell("explain svc.mercer two.csv")
        .tell("explain iris.mercer iris.csv -o why.html")
        .tell("export svc.mercer --to onnx")
        .tell("cv two.csv --target kind --model svc --folds 3")
        .tell("cv iris.csv --target class --model svc --proba --folds 3");
}

fn machines_for_numbers(scene: &mut Scene) {
    scene.folder.put("line.csv", line(40));
    // One row bounds no error from above.
    scene.folder.put("row.csv", "x,y\n1,4\n");
    let machines = [
        ("svr", "--c 10 --epsilon 0.1 --holdout 0.3"),
        ("nu_svr", "--folds 3"),
        ("krr", "--lambda 0.1"),
        ("gp", ""),
        ("lssvm", "--gamma 10"),
    ];
    for (model, flags) in machines {
        scene
            .tell(&format!(
                "fit line.csv --target y --model {model} {flags} -o {model}.mercer"
            ))
            .tell(&format!("score {model}.mercer line.csv"))
            .tell(&format!("inspect {model}.mercer"))
            .tell(&format!("export {model}.mercer --to json"));
    }
    scene
        .tell("predict svr.mercer line.csv --decision")
        .tell("predict gp.mercer line.csv --interval --id x")
        .tell("explain svr.mercer line.csv --row 3")
        .tell("score svr.mercer row.csv")
        .tell("cv line.csv --target y --model svr --folds 3")
        .tell("cv line.csv --target y --model krr --folds loo");
}

fn automatic_classes(scene: &mut Scene) {
    scene.folder.put("two.csv", clouds(60));
    scene.folder.put("iris.csv", part("iris.csv", 4));
    // A support vector machine is chosen for these.
    let ripley = part("ripley_synth_test.csv", 1);
    scene.folder.put("ripley.csv", ripley);
    scene
        .tell("fit ripley.csv --target class -o ripley.mercer")
        .tell("fit two.csv --target kind --budget 0.05 --holdout 0.3 -o two.mercer")
        .tell("fit two.csv --target kind --budget 0.05 --kernel linear -o straight.mercer")
        .tell("fit iris.csv --target class --budget 0.05 --folds 2 -o iris.mercer")
        .tell("predict two.mercer two.csv --interval")
        .tell("predict iris.mercer iris.csv --interval --proba")
        .tell("export iris.mercer --to json")
        .tell("inspect iris.mercer")
        .tell("cv two.csv --target kind --budget 0.05 --folds 2");
}

/// Sixty numbers `y` made of the place `i`, as CSV.
fn curve(y: impl Fn(usize) -> f64) -> String {
    let rows = (0..60).map(|i| format!("{},{}\n", i as f64 / 10.0, y(i)));
    format!("x,y\n{}", rows.collect::<String>())
}

fn automatic_numbers(scene: &mut Scene) {
    // Least squares is chosen for the line, a support vector machine for teeth and for outliers.
    let outlier = |i| if i == 7 || i == 33 { 8.0 } else { 0.0 };
    scene
        .folder
        .put("line.csv", line(40))
        .put("teeth.csv", curve(|i| (i % 10) as f64 / 10.0))
        .put("wild.csv", curve(|i| (i as f64 / 5.0).sin() + outlier(i)));
    scene
        .tell("fit line.csv --target y --budget 0.05 --holdout 0.3 -o line.mercer")
        .tell("fit teeth.csv --target y --budget 0.05 -o teeth.mercer")
        .tell("fit wild.csv --target y --budget 0.05 -o wild.mercer")
        .tell("predict line.mercer line.csv --interval")
        .tell("predict teeth.mercer teeth.csv --interval")
        // Sixty rows cannot bound what happens once in a thousand.
        .tell("predict teeth.mercer teeth.csv --interval --level 0.999")
        .tell("export line.mercer --to json");
}

fn searches(scene: &mut Scene) {
    scene.folder.put("two.csv", clouds(60));
    scene.folder.put("line.csv", line(40));
    scene
        .tell("tune two.csv --target kind --model svc --kernel rbf --grid C=0.001..100:4 --folds 3")
        .tell("tune two.csv --target kind --grid C=1,10 --folds 3 --report search.html")
        .tell("tune line.csv --target y --model svr --grid C=1,10 --metric rmse --folds 3")
        .tell("tune line.csv --target y --model lssvm --folds 3")
        .tell("tune two.csv --drop kind --model one_class --grid nu=0.1,0.5 --folds 3")
        .tell("compare two.csv --target kind --models svc,krr --folds 3 --as-is")
        .tell("compare line.csv --target y --models ols,ridge --folds 3")
        .tell("fit two.csv --target kind --model svc -o svc.mercer")
        .tell("report svc.mercer two.csv -o svc.html");
}

fn kernels_by_evidence(scene: &mut Scene) {
    scene.folder.put("two.csv", clouds(40));
    scene.folder.put("line.csv", line(30));
    scene
        .tell("select two.csv --target kind --candidate linear --candidate rbf")
        .tell("select line.csv --target y --candidate linear --candidate rbf+linear");
}

fn methods_without_a_kernel(scene: &mut Scene) {
    scene.folder.put("two.csv", clouds(60));
    let wave = (0..40).map(|t| format!("{:.4}\n", f64::from(t * t % 17)));
    let wave: Vec<String> = wave.collect();
    let series = format!("y\n{}", wave.concat());
    scene.folder.put("series.csv", series);
    scene
        .folder
        .put("links.csv", "from,to\nA,B\nA,C\nB,C\nC,A\n");
    scene.folder.put("line.csv", line(40));
    scene
        .tell("models")
        .tell("models ridge")
        .tell("fit line.csv --target y --model ols -o ols.mercer")
        .tell("fit line.csv --target y --model ridge --holdout 0.3 -o ridge.mercer")
        .tell("tune line.csv --target y --model ridge --folds 3")
        .tell("models lasso")
        .tell("fit line.csv --target y --model lasso --lambda 0.5 -o lasso.mercer")
        .tell("cluster two.csv --drop kind --clusters 2 -o c.csv --save c.mercer")
        .tell("cluster two.csv --drop kind --clusters 2")
        .tell("predict c.mercer two.csv")
        .tell("embed two.csv --target kind -o e.csv --plot e.svg --save e.mercer")
        .tell("predict e.mercer two.csv")
        .tell("fit series.csv --target y --model ridge --lags 3 --horizon 2 -o s.mercer")
        .tell("forecast s.mercer series.csv --steps 2")
        .tell("rank links.csv")
        .tell("fit two.csv --target kind --project pca=1 --model svc -o chain.mercer");
    for model in ["ols", "ridge", "lasso", "c", "e", "chain"] {
        scene.tell(&format!("inspect {model}.mercer"));
        scene.tell(&format!("export {model}.mercer --to json"));
    }
}

fn figures(scene: &mut Scene) {
    scene.folder.put("two.csv", clouds(40));
    scene.folder.put("line.csv", line(30));
    scene
        .tell("fit two.csv --target kind --model svc -o svc.mercer")
        .tell("plot boundary svc.mercer two.csv -o boundary.svg")
        .tell("plot kernel svc.mercer two.csv -o kernel.svg")
        .tell("plot spectrum svc.mercer two.csv -o spectrum.svg")
        .tell("plot path line.csv --target y --model lasso -o path.svg")
        .tell("plot draws rbf(sigma=1) --given 0=1 -o draws.svg")
        .tell("plot eigenfunctions rbf(sigma=1) -o functions.svg")
        .tell("kernel linear 1,2 3,4 --features")
        .tell("fit line.csv --target y --model ridge -o ridge.mercer")
        .tell("explain ridge.mercer line.csv --dependence x --curves 2 --resolution 3");
}

fn constructions(scene: &mut Scene) {
    scene.folder.put("two.csv", clouds(60));
    scene.folder.put("line.csv", line(40));
    scene
        .folder
        .put("bits.csv", "a,b,y\n0,0,0\n0,1,1\n1,0,1\n1,1,0\n");
    scene.folder.put("points.csv", "x,f,g\n0,1,0\n1,0,2\n");
    scene
        .tell("construct truth-table bits.csv --target y -o bits.mercer")
        .tell("construct staircase line.csv --target y --steps 9 -o line.mercer")
        .tell("construct staircase line.csv --target y -o near.mercer")
        .tell("score line.mercer line.csv --quantile 0.9")
        .tell("fit two.csv --target kind --model knn -o knn.mercer")
        .tell("update knn.mercer two.csv -o more.mercer")
        .tell("update more.mercer two.csv --remove")
        .tell("fit two.csv --target kind --model svc -o svc.mercer")
        .tell("explain svc.mercer two.csv --support 3")
        .tell("kernel rbf(gamma=1) @points.csv --coefficients f,g")
        .tell("kernel rbf(gamma=1) @points.csv --coefficients f --drop g")
        .tell("bounds description --prior 0.25,0.75 --likelihood 0.9^9*0.1,0")
        .tell("bounds --functions 1000 --epsilon 0.1");
}

fn novelty(scene: &mut Scene) {
    let two = clouds(60);
    scene.folder.put(
        "marked.csv",
        two.replace("inner", "known").replace("outer", "novel"),
    );
    scene.folder.put("two.csv", two);
    scene
        .tell("fit two.csv --drop kind --model one_class --nu 0.2 -o one.mercer")
        .tell("fit two.csv --drop kind --task novelty -o auto.mercer")
        .tell("predict one.mercer two.csv --decision")
        .tell("score one.mercer marked.csv --target kind")
        .tell("explain one.mercer two.csv")
        .tell("inspect one.mercer")
        .tell("export one.mercer --to json");
}

const MOLECULES: &str = "smiles,logp,ring\nc1ccccc1C(=O)O,1.9,aromatic\nCCO,-0.3,none\n\
    CCCCN,1.0,none\nc1ccncc1,0.6,aromatic\nCC(C)CC(=O)O,1.2,none\nOc1ccccc1,1.5,aromatic\n";
const TEXTS: &str = "text,kind\ngood fun today,good\nbad weather today,bad\nfun and good,good\n\
    bad and sad,bad\nall good here,good\nsad and cold,bad\n";
const SEQUENCES: &str = "gene,kind\nACCTGACCTG,a\nTTGACTTGAC,b\nACCTGAACTG,a\nTTGATTTGAC,b\n\
    ACCTCACCTG,a\nTTGACTTCAC,b\n";
const TIES: &str = "a,b\nann,bob\nbob,cid\nann,cid\ncid,dan\ndan,eve\neve,fay\ndan,fay\n";
const PEOPLE: &str = "who,club\nann,x\nbob,\ncid,\ndan,\neve,\nfay,y\n";

fn structures(scene: &mut Scene) {
    scene
        .folder
        .put("m.csv", MOLECULES)
        .put("t.csv", TEXTS)
        .put("s.csv", SEQUENCES)
        .put("ties.csv", TIES)
        .put("people.csv", PEOPLE);
    scene
        .tell("fit m.csv --target ring --model svc --kernel wl@smiles+rbf@logp -o m.mercer")
        .tell("fit t.csv --target kind --kind text=text --model svc --kernel spectrum -o t.mercer")
        .tell("fit s.csv --target kind --kind gene=text --model svc --kernel spectrum -o s.mercer")
        .tell("fit ties.csv --nodes people.csv --target club --model svc -o p.mercer")
        .tell("explain m.mercer m.csv")
        .tell("explain t.mercer t.csv")
        .tell("explain s.mercer s.csv")
        .tell("predict p.mercer people.csv");
    for model in ["m", "t", "s", "p"] {
        scene.tell(&format!("inspect {model}.mercer"));
        scene.tell(&format!("export {model}.mercer --to json"));
    }
}

fn columns_of_all_kinds(scene: &mut Scene) {
    let mut table = String::from("when,colour,member,size,copies,y\n");
    for i in 0..24 {
        let size = if i % 7 == 3 {
            String::new()
        } else {
            format!("{}", i % 5)
        };
        let colour = ["red", "green", "blue"][i % 3];
        table += &format!("2024-0{}-1{},{colour},", 1 + i % 9, i % 10);
        table += &format!("{},{size},{},{}\n", i % 2 == 0, 1 + i % 2, i * i % 17);
    }
    let rows = (0..12).map(|i| format!("{} 1:{} {}:1\n", i % 2, i % 5, 2 + i % 3));
    scene
        .folder
        .put("mixed.csv", table)
        .put("sparse.svm", rows.collect::<String>())
        .put("dense.npy", dense_vectors());
    scene
        .tell("fit mixed.csv --target y --task regress --weights copies --model krr --scale standard -o mixed.mercer")
        .tell("fit mixed.csv --target colour --model svc --kernel overlap -o codes.mercer")
        .tell("fit sparse.svm --target y --model svc --scale standard -o sparse.mercer")
        .tell("fit dense.npy --task novelty --model one_class --scale standard -o dense.mercer")
        .tell("score sparse.mercer sparse.svm --target y")
        .tell("fit sparse.svm --target y --model svc -o numbered.mercer")
        .tell("export numbered.mercer --to libsvm -o numbered.model")
        .tell("import numbered.model -o back.mercer")
        .tell("explain mixed.mercer mixed.csv");
    for model in ["mixed", "codes", "sparse", "dense", "back"] {
        scene.tell(&format!("inspect {model}.mercer"));
        scene.tell(&format!("export {model}.mercer --to json"));
    }
}

/// Eight vectors of two numbers, as NumPy keeps them.
fn dense_vectors() -> Vec<u8> {
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (8, 2), }";
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    for i in 0..16_u8 {
        bytes.extend(f64::from(i * i % 7).to_le_bytes());
    }
    bytes
}

fn kernels(scene: &mut Scene) {
    scene.folder.put("two.csv", clouds(20));
    scene.folder.put("a.txt", "ab".repeat(800));
    scene
        .tell("kernel --list")
        .tell("kernel rbf(gamma=0.5) 1,2 2,4")
        .tell("kernel linear 1,2 -1,-2")
        .tell("kernel subsequence @a.txt @a.txt")
        .tell("kernel substring BEERE BERT --table")
        .tell("kernel subsequence BERT BEERE --pairs")
        .tell("gram two.csv --kernel rbf --target kind --check")
        .tell("gram two.csv --kernel sigmoid(scale=5) --drop kind --check")
        .tell("gram two.csv --kernel rbf --drop kind -o gram.npy")
        .tell("gram two.csv --kernel sigmoid(scale=5) --drop kind --repair clip -o fixed.csv");
}

fn judgement(scene: &mut Scene) {
    scene.folder.put("curve.csv", clouds(60));
    scene
        .tell("curve curve.csv --target kind --model svc --folds 3")
        .tell("curve curve.csv --target kind --model svc --over C=0.1,1 --folds 3");
    scene.folder.put("parts.csv", line(60));
    scene
        .tell("state plan parts.csv --target y --model nystroem --components 5 -o p.state")
        .tell("state add p.state parts.csv --part 1 -o a.state")
        .tell("state add p.state parts.csv --part 2 -o b.state")
        .tell("state merge a.state b.state -o parts.mercer");
    scene.folder.put("two.csv", clouds(40));
    scene
        .folder
        .put("plane.csv", "a,b,y\n3,4,+\n0,0,-\n-1,1,+\n");
    scene
        .tell("bounds --epsilon 0.1")
        .tell("bounds --errors 20 --rows 200 --rate 0.1")
        .tell("bounds --vc 3 --epsilon 0.1 --rows 1000 --points 10")
        .tell("bounds --margin 0.5 --rows 1000 --norm 2 --lambda 0.01 --hinge 0.1")
        .tell("bounds --diameter 2 --columns 2 --epsilon 0.2 --features 5000")
        .tell("bounds shatter plane.csv --drop y")
        .tell("margin plane.csv --target y --weights 3,4 --bias=-5")
        .tell("fit two.csv --target kind --model svc --bias none --proba -o svc.mercer")
        .tell("score svc.mercer two.csv --reject")
        .tell("predict svc.mercer two.csv --distance");
}

fn failures(scene: &mut Scene) {
    scene.folder.put("bad.csv", "x,y\n1,a\n2\n");
    scene.folder.put("one.csv", "x,y\n1,a\n2,a\n");
    scene
        .refuse("fit")
        .refuse("fit bad.csv --taget y")
        .refuse("predcit bad.csv")
        .refuse("fit bad.csv --target y")
        .refuse("fit one.csv --target y --model svc")
        .refuse("fit one.csv --target y --model scv")
        .refuse("fit none.csv --target y")
        .refuse("inspect bad.csv")
        .refuse("kernel rbf(gama=1) 1 2");
}
