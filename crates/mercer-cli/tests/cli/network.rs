//! `--model mlp` and `--model rbf_net`.

use crate::harness::{Folder, clouds};

#[test]
fn a_network_is_learnt_saved_predicted_and_exported() {
    let folder = Folder::new();
    folder.put("c.csv", clouds(200));
    let fit =
        "fit c.csv -t kind --model mlp --hidden 8,4 --activation tanh --solver lbfgs --starts 2";
    let object = folder.run(&format!("{fit} -o c.mercer --json")).json();
    let network = &object["report"]["network"];
    assert_eq!(network["layers"], serde_json::json!([2, 8, 4, 1]));
    assert_eq!(network["parameters"], 24 + 36 + 5);
    assert_eq!(network["gates"], 13);
    let curve = network["loss_curve"].as_array().expect("a list");
    assert!(curve.len() > 10 && curve[0].as_f64() > curve[curve.len() - 1].as_f64());
    let answers = folder.run("predict c.mercer c.csv");
    let text = clouds(200);
    let labels = text
        .lines()
        .skip(1)
        .map(|l| l.rsplit(',').next().expect("a label"));
    let found = answers.ok().lines().skip(1);
    let right = found.zip(labels).filter(|(a, b)| a.starts_with(b)).count();
    assert!(right > 170, "{right}");
    folder.run("export c.mercer --to onnx -o c.onnx").ok();
    assert!(folder.has("c.onnx"));
}

#[test]
fn gaussians_are_learnt_and_predicted() {
    let folder = Folder::new();
    let mut text = String::from("x,y\n");
    for i in 0..60 {
        text += &format!("{},{}\n", i, f64::from(i).sin());
    }
    folder.put("s.csv", text);
    let fit = "fit s.csv -t y --model rbf_net --centres 25 -o s.mercer --json";
    let object = folder.run(fit).json();
    assert_eq!(object["model"], "rbf_net");
    assert!(
        object["kernel"]
            .as_str()
            .expect("a kernel")
            .starts_with("rbf(sigma=")
    );
    folder.run("predict s.mercer s.csv").ok();
}

#[test]
fn what_cannot_be_learnt_is_refused() {
    let folder = Folder::new();
    folder.put("c.csv", clouds(40));
    let fit = "fit c.csv -t kind --model mlp -o c.mercer";
    let threshold = folder.run(&format!("{fit} --activation threshold"));
    threshold.fails(2, &["flat wherever it does not jump"]);
    let hidden = folder.run(&format!("{fit} --hidden 4,x"));
    hidden.fails(2, &["hidden"]);
    let momentum = folder.run(&format!("{fit} --momentum 2 --solver sgd"));
    momentum.fails(2, &["momentum", "at most 1"]);
    assert!(!folder.has("c.mercer"));
}
