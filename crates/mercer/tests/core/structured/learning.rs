//! From tables of texts, molecules and numbers to models, and back from their parts.

use mercer::data::{Column, Origin, Roles, Table, Task, Values};
use mercer::fit::FitContext;
use mercer::learn::AnyEstimator;
use mercer::model::{Answers, Trained};
use mercer::recipe::{Recipe, Wish};

fn texts(values: impl IntoIterator<Item = String>) -> Values {
    Values::Text(values.into_iter().map(Some).collect())
}

/// Sixty short messages: those with `winner` or `prize` are spam, and so are long ones.
fn messages() -> Table {
    let words = [
        "hello",
        "see you",
        "prize now",
        "winner today",
        "call me",
        "at home",
    ];
    let text = |i: usize| {
        format!(
            "{} {} {}",
            words[i % 6],
            words[(i / 6) % 2],
            words[4 + i % 2]
        )
    };
    let is_spam = |i: usize| matches!(i % 6, 2 | 3);
    let columns = vec![
        Column::new("text", texts((0..60).map(text))),
        Column::new(
            "length",
            Values::Numeric(
                (0..60)
                    .map(|i| f64::from(i % 7) + f64::from(u8::from(is_spam(i as usize))))
                    .collect(),
            ),
        ),
        Column::new(
            "class",
            texts((0..60).map(|i| if is_spam(i) { "spam" } else { "ham" }.to_owned())),
        ),
    ];
    Table::try_new(columns, Origin::default()).expect("a table")
}

fn molecules() -> Table {
    let rings = ["c1ccccc1", "C1CCCCC1", "c1ccncc1", "CCCCCC"];
    let ends = ["O", "N", "Cl", "C(=O)O", "OC"];
    let smiles = |i: usize| format!("{}{}", ends[i % 5], rings[i % 4]);
    let columns = vec![
        Column::new(
            "smiles",
            Values::Molecules((0..40).map(|i| Some(smiles(i))).collect()),
        ),
        Column::new(
            "aromatic",
            texts((0..40).map(|i| if i % 2 == 0 { "yes" } else { "no" }.to_owned())),
        ),
    ];
    Table::try_new(columns, Origin::default()).expect("a table")
}

fn fit(table: &Table, target: &str, kernel: Option<&str>) -> Trained {
    let mut recipe = Recipe::new(Roles {
        targets: vec![target.to_owned()],
        ..Roles::default()
    });
    recipe.task = Some(Task::Classify);
    if let Some(kernel) = kernel {
        let mut machine = AnyEstimator::named("svc").expect("a method");
        machine.set_kernel(kernel.parse().expect("a kernel"));
        recipe.wish = Wish::Given(machine);
    }
    let context = FitContext::default();
    recipe.fit(table.clone(), &context).expect("a model").model
}

fn share_right(model: &Trained, table: &Table, target: &str) -> f64 {
    let answers = model
        .predict(table, &FitContext::default())
        .expect("answers");
    let Answers::Classes { labels, codes, .. } = answers.answers else {
        panic!("classes");
    };
    let truth = table.column(target).expect("a target");
    let right = |row: &usize| {
        let label = &labels[codes[*row] as usize];
        truth.values.text(*row).as_ref() == Some(label)
    };
    (0..table.rows()).filter(right).count() as f64 / table.rows() as f64
}

#[test]
fn texts_are_learnt_with_and_without_a_kernel_named() {
    let table = messages();
    for kernel in [
        Some("normalise(gap(length=3))@text"),
        Some("rbf@length + spectrum@text"),
        None,
    ] {
        let model = fit(&table, "class", kernel);
        assert!(share_right(&model, &table, "class") > 0.95, "{kernel:?}");
    }
}

#[test]
fn molecules_are_learnt_with_and_without_a_kernel_named() {
    let table = molecules();
    for kernel in [
        Some("wl(iterations=2)"),
        Some("normalise(wl(iterations=1))@smiles"),
        None,
    ] {
        let model = fit(&table, "aromatic", kernel);
        assert!(share_right(&model, &table, "aromatic") > 0.95, "{kernel:?}");
    }
}

#[test]
fn models_survive_being_taken_apart() {
    for (table, target, kernel) in [
        (messages(), "class", "spectrum@text + linear@length"),
        (messages(), "class", "normalise(subsequence)@text"),
        (molecules(), "aromatic", "normalise(wl)@smiles"),
    ] {
        let model = fit(&table, target, Some(kernel));
        let again = Trained::from_parts(model.to_parts()).expect("sound parts");
        let context = FitContext::default();
        let [a, b] = [&model, &again].map(|m| m.predict(&table, &context).expect("answers"));
        assert_eq!(a, b, "{kernel}");
    }
}

#[test]
fn threads_change_no_byte() {
    let table = messages();
    let model = |threads: usize| {
        let mut recipe = Recipe::new(Roles {
            targets: vec!["class".to_owned()],
            ..Roles::default()
        });
        recipe.task = Some(Task::Classify);
        let context = FitContext::default().threads(threads);
        recipe
            .fit(table.clone(), &context)
            .expect("a model")
            .model
            .to_parts()
    };
    let (one, two) = (model(1), model(2));
    assert_eq!(one.metadata, two.metadata);
    assert_eq!(one.tensors, two.tensors);
}

#[test]
fn explanations_find_the_words_and_atoms() {
    use mercer::explain::Part;
    let table = messages();
    let model = fit(&table, "class", Some("normalise(spectrum(length=3))@text"));
    let found = model
        .explain(&table, 2, &FitContext::default())
        .expect("a reason");
    assert_eq!(found.class.as_deref(), Some("spam"));
    let strongest = found.strongest(1)[0];
    let Part::Word { range, .. } = &strongest.part else {
        panic!("{strongest:?}");
    };
    let text = table
        .column("text")
        .expect("texts")
        .values
        .text(2)
        .expect("a text");
    assert!(strongest.value > 0.0);
    assert!(["prize", "now"].contains(&&text[range.clone()]), "{text}");

    let table = molecules();
    let model = fit(&table, "aromatic", Some("normalise(wl)@smiles"));
    let found = model
        .explain(&table, 0, &FitContext::default())
        .expect("a reason");
    let total: f64 = found.influences.iter().map(|i| i.value).sum();
    assert!(total > 0.0, "{found:?}");
    // `Oc1ccccc1`: what tells it from `NC1CCCCC1` is the ring, atoms 1 to 6.
    let strongest = found.strongest(1)[0];
    assert!(
        matches!(strongest.part, Part::Vertex { vertex, .. } if vertex >= 1),
        "{strongest:?}"
    );
    assert!(model.explain(&table, 40, &FitContext::default()).is_err());
}
