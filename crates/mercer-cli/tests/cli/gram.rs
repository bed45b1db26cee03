//! `mercer gram`.

use crate::harness::{Folder, clouds};

fn folder() -> Folder {
    let folder = Folder::new();
    folder.put("d.csv", clouds(30));
    folder
}

fn matrix(text: &str) -> Vec<Vec<f64>> {
    let rows = text.lines().skip(1);
    rows.map(|l| l.split(',').map(|v| v.parse().expect("number")).collect())
        .collect()
}

/// Whether a Cholesky factor exists once 1e-9 is added to every eigenvalue.
fn is_semidefinite(k: &[Vec<f64>]) -> bool {
    let n = k.len();
    let mut l = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|c| l[i][c] * l[j][c]).sum();
            let rest = k[i][j] - sum;
            if i > j {
                l[i][j] = rest / l[j][j];
            } else if rest + 1e-9 > 0.0 {
                l[i][i] = (rest + 1e-9).sqrt();
            } else {
                return false;
            }
        }
    }
    true
}

#[test]
fn the_matrix_is_symmetric_with_unit_diagonal() {
    let folder = folder();
    let text = folder.run("gram d.csv --target kind --kernel rbf");
    let k = matrix(text.ok());
    assert_eq!((k.len(), k[0].len()), (30, 30));
    for i in 0..30 {
        assert_eq!(k[i][i], 1.0);
        for j in 0..30 {
            assert_eq!(k[i][j], k[j][i]);
        }
    }
}

#[test]
fn files_are_csv_or_npy() {
    let folder = folder();
    folder
        .run("gram d.csv --target kind --kernel linear -o k.csv")
        .ok();
    folder
        .run("gram d.csv --target kind --kernel linear -o k.npy")
        .ok();
    let npy = std::fs::read(folder.path("k.npy")).expect("readable");
    assert!(npy.starts_with(b"\x93NUMPY") && npy.len() > 30 * 30 * 8);
    let last = f64::from_le_bytes(npy[npy.len() - 8..].try_into().expect("eight bytes"));
    assert_eq!(matrix(&folder.get("k.csv"))[29][29], last);
    folder
        .run("gram d.csv --target kind --kernel linear -o k.txt")
        .fails(2, &[".npy"]);
}

#[test]
fn checks_tell_kernels_from_others() {
    let folder = folder();
    let good = folder
        .run("gram d.csv --target kind --kernel rbf --check --json")
        .json();
    assert_eq!(good["check"]["positive_semidefinite"], true);
    assert_eq!(good["check"]["symmetry_error"], 0.0);
    assert!(good["check"]["alignment"].is_f64() && good["check"]["witness"].is_null());
    let bad = folder
        .run("gram d.csv --target kind --kernel sigmoid(scale=1,offset=-1) --check --json")
        .json();
    assert_eq!(bad["check"]["positive_semidefinite"], false);
    assert!(bad["check"]["witness"]["value"].as_f64().expect("number") < 0.0);
    let human = folder.run("gram d.csv --target kind --kernel sigmoid(scale=1,offset=-1) --check");
    for part in ["indefinite", "witness", "rank", "alignment"] {
        assert!(human.ok().contains(part), "{part}: {}", human.out);
    }
}

#[test]
fn repairs_give_kernels() {
    let folder = folder();
    for how in ["clip", "flip", "shift"] {
        let line = format!(
            "gram d.csv --target kind --kernel sigmoid(scale=1,offset=-1) --repair {how} -o {how}.csv"
        );
        folder.run(&line).ok();
        let k = matrix(&folder.get(&format!("{how}.csv")));
        assert_eq!(k.len(), 30);
        assert!(is_semidefinite(&k), "{how}");
    }
    let line = "gram d.csv --target kind --kernel sigmoid(scale=1,offset=-1)";
    assert!(!is_semidefinite(&matrix(folder.run(line).ok())), "not yet");
    folder
        .run("gram d.csv --kernel rbf --repair bend")
        .fails(2, &["clip"]);
}

#[test]
fn memory_is_respected() {
    let folder = Folder::new();
    folder.put("d.csv", clouds(1100));
    folder
        .run("gram d.csv --target kind --kernel rbf --check --memory 16MB")
        .fails(1, &["memory limit", "--memory"]);
    // Without a check rows are written as they come.
    folder
        .run("gram d.csv --target kind --kernel rbf --memory 16MB -o k.npy")
        .ok();
    assert!(folder.has("k.npy"));
}

#[test]
fn pictures_need_no_matrix_on_standard_output() {
    let folder = folder();
    let done = folder.run("gram d.csv --target kind --kernel rbf --plot k.svg --spectrum s.svg");
    assert_eq!(done.ok(), "");
    assert!(folder.get("k.svg").contains("sorted by kind"));
    assert!(folder.get("s.svg").contains("eigenvalue"));
    folder
        .run("gram d.csv --target kind --kernel rbf --plot k.pdf")
        .fails(2, &["k.pdf"]);
}
