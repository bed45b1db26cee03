//! `--encode`: texts whose words are columns.

use crate::harness::Folder;

/// Short messages of two kinds, with a number and some cells missing.
fn messages(rows: usize) -> String {
    let good = [
        "see you at home tonight",
        "are you coming home for lunch",
        "call me when you are at work",
        "I'll be late tonight, sorry",
    ];
    let bad = [
        "WIN a FREE prize! Call now",
        "free entry: text WIN to claim your prize",
        "claim your cash prize now, call 0800-555",
        "urgent! you have won cash, text now",
    ];
    let mut text = "notes,size,score,kind\n".to_owned();
    for row in 0..rows {
        let (list, kind, score) = if row % 3 == 0 {
            (&bad, "spam", 2.0)
        } else {
            (&good, "ham", -1.0)
        };
        let notes = if row == 7 {
            String::new()
        } else {
            format!("\"{} no{row}\"", list[row % 4])
        };
        let score = score + (row % 5) as f64 / 10.0;
        text.extend([format!("{notes},{},{score},{kind}\n", row % 7)]);
    }
    text
}

#[test]
fn linear_models_take_texts_unasked_and_say_so() {
    let folder = Folder::new();
    folder.put("m.csv", messages(60));
    let told = folder.run("fit m.csv -t score --drop kind --model ridge -o m.mercer -v");
    let screen = format!("{}{}", told.ok(), told.err);
    assert!(
        screen.contains("texts of column `notes` become"),
        "{screen}"
    );
    assert!(screen.contains("`tfidf`"), "{screen}");
    let inspected = folder.run("inspect m.mercer");
    assert!(
        inspected.ok().contains("text, tfidf of"),
        "{}",
        inspected.out
    );
    let json = folder.run("inspect m.mercer --json").json();
    assert_eq!(json["columns"][0]["encode"], "tfidf");
    assert!(json["columns"][0]["words"].as_u64().expect("a number") > 30);
    // Words decide, not the number beside them.
    folder.put(
        "new.csv",
        "notes,size\nwin a free cash prize,3\nare you at home,3\n,3\nqwertz,3\n",
    );
    let done = folder.run("predict m.mercer new.csv");
    let values: Vec<f64> = done
        .ok()
        .lines()
        .skip(1)
        .map(|l| {
            l.split(',')
                .next()
                .expect("a cell")
                .parse()
                .expect("a number")
        })
        .collect();
    assert!(values[0] > 1.0 && values[1] < 0.0, "{values:?}");
    // An empty text and one of unknown words are the same row.
    assert_eq!(values[2], values[3]);
    assert!(
        done.err.contains("none of the words of training"),
        "{}",
        done.err
    );
}

#[test]
fn texts_are_encoded_as_told() {
    let folder = Folder::new();
    folder.put("m.csv", messages(60));
    for (how, shown) in [
        ("bag", "bag"),
        ("bag(binary)", "bag(binary)"),
        ("tfidf(ngrams=2,min=3)", "tfidf(ngrams=2,min=3)"),
    ] {
        let line = format!(
            "fit m.csv -t score --drop kind --model ridge --encode notes={how} -o m.mercer"
        );
        folder.run(&line).ok();
        let json = folder.run("inspect m.mercer --json").json();
        assert_eq!(json["columns"][0]["encode"], shown);
    }
    // A kernel method reads them as numbers, too, and is scored on folds.
    let object = folder
        .run("cv m.csv -t kind --drop score --model svc --kernel linear --encode notes=tfidf --folds 3 --json")
        .json();
    let text = object.to_string();
    assert!(text.contains("accuracy"), "{text}");
    folder
        .run("tune m.csv -t kind --drop score --model svc --kernel linear --grid c=1,10 --encode notes=bag -o t.mercer")
        .ok();
    folder
        .run("select m.csv -t kind --drop score --candidate linear --encode notes=tfidf")
        .ok();
    let clusters =
        folder.run("cluster m.csv --drop kind,score --clusters 2 --save c.mercer --json");
    assert_eq!(
        clusters.json()["clusters"].as_array().map(Vec::len),
        Some(2)
    );
    folder.run("predict c.mercer m.csv").ok();
}

#[test]
fn words_of_a_row_are_explained_and_columns_weighed() {
    let folder = Folder::new();
    folder.put("m.csv", messages(90));
    folder
        .run("fit m.csv -t score --drop kind --model ridge -o m.mercer")
        .ok();
    let object = folder.run("explain m.mercer m.csv --row 1 --json").json();
    let parts = object["parts"].as_array().expect("parts");
    let of = |word: &str| {
        let found = parts
            .iter()
            .find(|p| p["part"].as_str().is_some_and(|t| t.contains(word)));
        found.expect("the word")["influence"]
            .as_f64()
            .expect("a number")
    };
    // The first row is spam: what is typical of it speaks for a large number.
    assert!(of("`prize!`") > 0.0, "{object}");
    assert!(parts.iter().any(|p| p["column"] == "size"));
    let scored = folder.run("score m.mercer m.csv --json").json();
    assert!(scored.to_string().contains("r2"), "{scored}");
}

#[test]
fn what_cannot_be_encoded_is_refused_by_name() {
    let folder = Folder::new();
    folder.put("m.csv", messages(40));
    for (encode, word) in [
        ("notes=words", "`tfidf`"),
        ("notes", "COLUMN=EXPRESSION"),
        ("notes=bag(ngrams=9)", "1, 2 or 3"),
        ("size=bag", "`size`"),
        ("nots=bag", "`notes`"),
        ("notes=bag --encode notes=tfidf", "twice"),
    ] {
        let line = format!("fit m.csv -t score --drop kind --model ridge --encode {encode}");
        let done = folder.run(&line);
        assert_ne!(done.code, 0, "{encode}");
        assert!(done.err.contains(word), "{encode}: {}", done.err);
    }
}

#[test]
fn threads_change_nothing_and_files_give_the_same_answers() {
    let folder = Folder::new();
    folder.put("m.csv", messages(80));
    for threads in [1, 2] {
        let line = format!(
            "fit m.csv -t score --drop kind --model ridge --threads {threads} -o m{threads}.mercer"
        );
        folder.run(&line).ok();
    }
    let read = |name: &str| std::fs::read(folder.path(name)).expect("a model file");
    assert_eq!(read("m1.mercer"), read("m2.mercer"));
}
