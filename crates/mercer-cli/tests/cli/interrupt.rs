//! Ctrl-C and the signals that end a process.
#![cfg(unix)]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::harness::{Folder, finish};

/// Points without any order: every row becomes a support vector, and hours pass.
pub(crate) fn endless(rows: usize) -> String {
    let mut text = String::from("a,b,c,d,kind\n");
    let mut state = 99_u64;
    let mut random = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    for _ in 0..rows {
        let [a, b, c, d] = [random(), random(), random(), random()];
        text += &format!(
            "{a},{b},{c},{d},{}\n",
            if random() < 0.5 { "p" } else { "q" }
        );
    }
    text
}

/// The command, with signals that end it: a shell starts what runs in the background with Ctrl-C
/// switched off, and the command keeps to that.
fn listening(folder: &Folder, args: &[&str]) -> Command {
    let inner = folder.command(args);
    if !cfg!(target_os = "linux") {
        return inner;
    }
    let mut outer = Command::new("env");
    outer
        .arg("--default-signal=INT,TERM,HUP")
        .arg(inner.get_program())
        .args(inner.get_args())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(place) = inner.get_current_dir() {
        outer.current_dir(place);
    }
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => outer.env(name, value),
            None => outer.env_remove(name),
        };
    }
    outer
}

fn interrupt_after(
    folder: &Folder,
    line: &str,
    wait: Duration,
) -> (crate::harness::Done, Duration) {
    signal_after(folder, line, wait, "-INT")
}

fn signal_after(
    folder: &Folder,
    line: &str,
    wait: Duration,
    signal: &str,
) -> (crate::harness::Done, Duration) {
    let args: Vec<&str> = line.split_whitespace().collect();
    let child = listening(folder, &args).spawn().expect("started");
    std::thread::sleep(wait);
    let sent = Instant::now();
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args([signal, &id])
            .status()
            .expect("sent")
            .success()
    );
    let done = finish(child, None);
    (done, sent.elapsed())
}

#[test]
fn other_signals_clean_up_as_well() {
    let folder = Folder::new();
    folder.put("d.csv", endless(6000));
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        // The matrix is written while it is computed: there is a temporary file.
        let line = "gram d.csv --drop kind --kernel laplace -o k.csv";
        let (done, took) = signal_after(&folder, line, Duration::from_millis(900), signal);
        assert_eq!(done.code, code, "{signal} {} {}", done.out, done.err);
        assert!(took < Duration::from_millis(600), "{signal} {took:?}");
        assert_eq!(folder.names(), ["d.csv"], "{signal}");
    }
}

#[test]
fn a_plot_stops_at_once() {
    let folder = Folder::new();
    // Long texts, all pairs of them: a picture of half a minute.
    let mut state = 7_u64;
    let mut letter = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        char::from(b'a' + (state >> 60) as u8)
    };
    let mut text = |length: usize| (0..length).map(|_| letter()).collect::<String>();
    let mut table = |rows: usize, length: usize| {
        let line = |i: usize| format!("{},{}\n", text(length), i % 2);
        let lines: Vec<String> = (0..rows).map(line).collect();
        format!("t,kind\n{}", lines.concat())
    };
    folder.put("few.csv", table(12, 40));
    folder.put("many.csv", table(200, 1500));
    let fit = "fit few.csv --target kind --task classify --kind t=text --model svc --kernel gap(length=4) -o m.mercer";
    folder.run(fit).ok();
    for wait in [400, 1500] {
        let line = "plot kernel m.mercer many.csv -o k.svg";
        let (done, took) = interrupt_after(&folder, line, Duration::from_millis(wait));
        assert_eq!(done.code, 130, "{} {}", done.out, done.err);
        assert!(took < Duration::from_millis(600), "{took:?}");
    }
    assert_eq!(folder.names(), ["few.csv", "m.mercer", "many.csv"]);
}

#[test]
fn every_stage_stops_at_once() {
    let folder = Folder::new();
    folder.put("d.csv", endless(5000));
    let lines = [
        "fit d.csv --target kind",
        "fit d.csv --target kind --model lssvm",
        "fit d.csv --target kind --model klr",
        "select d.csv --target kind",
        "tune d.csv --target kind --model lssvm",
        "gram d.csv --drop kind --kernel rbf --check",
    ];
    for line in lines {
        for wait in [300, 1200] {
            let (done, took) = interrupt_after(&folder, line, Duration::from_millis(wait));
            assert_eq!(done.code, 130, "{line}: {} {}", done.out, done.err);
            assert!(took < Duration::from_millis(600), "{line}: {took:?}");
        }
    }
    assert_eq!(folder.names(), ["d.csv"]);
}

#[test]
fn a_fit_stops_at_once_and_leaves_nothing() {
    let folder = Folder::new();
    folder.put("d.csv", endless(6000));
    let line = "fit d.csv --target kind --model svc --c 1000000 --kernel linear -o m.mercer";
    let (done, took) = interrupt_after(&folder, line, Duration::from_millis(700));
    assert_eq!(done.code, 130, "{} {}", done.out, done.err);
    assert!(done.err.contains("interrupted"), "{}", done.err);
    // The promise is 100 ms; the rest is for a busy machine and the harness.
    assert!(took < Duration::from_millis(600), "{took:?}");
    assert_eq!(folder.names(), ["d.csv"]);
}

#[test]
fn json_tells_of_the_interruption() {
    let folder = Folder::new();
    folder.put("d.csv", endless(6000));
    let line = "fit d.csv --target kind --model svc --c 1000000 --kernel linear --json";
    let (done, _) = interrupt_after(&folder, line, Duration::from_millis(700));
    assert_eq!(done.code, 130);
    assert_eq!(done.object()["error"]["code"], "interrupted");
    assert_eq!(folder.names(), ["d.csv"]);
}

#[test]
fn waiting_for_standard_input_can_be_interrupted() {
    let folder = Folder::new();
    let mut command = listening(&folder, &["fit", "-", "--target", "kind"]);
    let mut child = command
        .stdin(std::process::Stdio::piped())
        .spawn()
        .expect("started");
    let held_open = child.stdin.take();
    std::thread::sleep(Duration::from_millis(500));
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .expect("sent")
            .success()
    );
    assert_eq!(finish(child, None).code, 130);
    drop(held_open);
}
