//! What commands may write: nothing they read, nothing twice, nothing that is protected.

use crate::harness::{Folder, fitted};

#[test]
fn an_output_never_overwrites_an_input_or_another_output() {
    let folder = fitted("--model svc --c 1");
    let inputs = ["d.csv", "m.mercer"];
    folder.put("d.npy", "not a matrix");
    let before = inputs.map(|name| std::fs::read(folder.path(name)).expect("a file"));
    for (line, what) in [
        ("predict m.mercer d.csv -o d.csv", "is the data"),
        ("predict m.mercer d.csv -o m.mercer", "is the model"),
        ("predict m.mercer d.csv -o ./d.csv", "is the data"),
        ("explain m.mercer d.csv --row 1 -o m.mercer", "is the model"),
        (
            "gram d.csv --target kind --kernel rbf -o d.csv",
            "is the data",
        ),
        ("export m.mercer --to json -o m.mercer", "is the model"),
        ("export m.mercer --to onnx -o m.mercer", "is the model"),
        ("fit d.csv --target kind -o d.csv", "is the data"),
        (
            "fit d.csv --target kind -o x.mercer --report x.mercer",
            "is another output",
        ),
        (
            "fit d.csv --target kind --report d.csv -o x.mercer",
            "is the data",
        ),
        (
            "fit d.csv --target kind --model svc --warm-start m.mercer -o m.mercer",
            "is the earlier model",
        ),
        (
            "tune d.csv --target kind --model svc -o x.mercer --table x.csv --report x.csv",
            "is another output",
        ),
        ("tune d.csv --target kind --table d.csv", "is the data"),
        ("select d.csv --target kind --report d.csv", "is the data"),
    ] {
        let done = folder.run(line);
        done.fails(2, &[what, "would be overwritten"]);
    }
    let after = inputs.map(|name| std::fs::read(folder.path(name)).expect("a file"));
    assert_eq!(before, after);
    assert!(!folder.has("x.mercer"));
}

#[test]
fn libsvm_commands_keep_their_inputs() {
    let folder = Folder::new();
    folder.put("d", "1 1:1\n-1 1:-1\n1 1:2\n-1 1:-2\n");
    folder.run("svm-train -q d m").ok();
    let data = folder.get("d");
    for line in ["svm-train d d", "svm-predict d m d", "svm-scale -s d d"] {
        folder.run(line).fails(2, &["is the data"]);
    }
    folder.run("svm-predict d m m").fails(2, &["is the model"]);
    assert_eq!(folder.get("d"), data);
}

#[cfg(unix)]
#[test]
fn links_lead_to_the_same_file() {
    let folder = fitted("--model svc --c 1");
    std::fs::hard_link(folder.path("d.csv"), folder.path("hard.csv")).expect("linked");
    std::os::unix::fs::symlink("d.csv", folder.path("soft.csv")).expect("linked");
    let data = folder.get("d.csv");
    for name in ["hard.csv", "soft.csv"] {
        let line = format!("predict m.mercer d.csv -o {name}");
        folder.run(&line).fails(2, &["is the data"]);
    }
    assert_eq!(folder.get("d.csv"), data);
    // Two outputs meet in a file that is not there yet.
    std::os::unix::fs::symlink("later", folder.path("link")).expect("linked");
    folder
        .run("fit d.csv --target kind -o later --report link")
        .fails(2, &["is another output"]);
    folder.run("predict m.mercer d.csv -o link").ok();
    assert!(folder.path("link").is_symlink());
    assert!(folder.get("later").starts_with("prediction"));
}

#[cfg(unix)]
#[test]
fn protected_files_and_deleted_folders_are_told() {
    use std::os::unix::fs::PermissionsExt;
    let folder = fitted("--model svc --c 1");
    folder.put("kept.csv", "old");
    let mode = std::fs::Permissions::from_mode(0o444);
    std::fs::set_permissions(folder.path("kept.csv"), mode).expect("mode");
    folder
        .run("predict m.mercer d.csv -o kept.csv")
        .fails(1, &["kept.csv: the file is write-protected"]);
    assert_eq!(folder.get("kept.csv"), "old");
    let data = folder.path("d.csv").display().to_string();
    let binary = env!("CARGO_BIN_EXE_mercer");
    let script = format!(
        "mkdir gone && cd gone && rmdir ../gone && {binary} fit {data} --target kind --model svc"
    );
    let done = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder.path("."))
        .output()
        .expect("a shell");
    let told = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(1), "{told}");
    assert!(told.contains("the present folder was deleted"), "{told}");
}
