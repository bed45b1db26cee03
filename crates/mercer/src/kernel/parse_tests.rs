//! Tests of reading and printing expressions.

use proptest::prelude::*;

use super::*;

fn read(text: &str) -> KernelSpec {
    parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[track_caller]
fn prints(text: &str, printed: &str) {
    let kernel = read(text);
    assert_eq!(kernel.to_string(), printed);
    assert_eq!(read(printed), kernel);
}

#[track_caller]
fn fails_at(text: &str, at: usize, words: &str) {
    match parse(text) {
        Err(Error::KernelSyntax {
            position, problem, ..
        }) => {
            assert_eq!(position, at, "{text}: {problem}");
            assert!(problem.contains(words), "{text}: {problem}");
        }
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn reads_every_form() {
    prints("linear", "linear");
    prints(" linear ( ) ", "linear");
    prints("rbf(sigma=1.5)", "rbf(sigma=1.5)");
    prints("rbf ( gamma = 2e-1 )", "rbf(gamma=0.2)");
    prints("rbf(sigma=[1, 2, 0.5])", "rbf(sigma=[1,2,0.5])");
    prints("poly(3)", "poly(degree=3)");
    prints("poly(2, scale=1)", "poly(degree=2, scale=1)");
    prints("laplace(0.5)", "laplace(scale=0.5)");
    prints("matern(1.5, 2)", "matern(nu=1.5, length=2)");
    prints("sigmoid(form=logistic)", "sigmoid(form=logistic)");
    prints("overlap(share=true)", "overlap(share=true)");
    prints("normalize(linear)", "normalise(linear)");
    prints("exp(2*linear + cosine)", "exp(2*linear + cosine)");
    prints("(linear)", "linear");
    prints("2*3*linear", "2*3*linear");
    prints("linear^2", "linear^2");
}

#[test]
fn precedence_is_columns_power_product_sum() {
    prints("rbf@a^2*linear + cosine", "rbf@a^2*linear + cosine");
    assert_eq!(
        read("rbf@a^2*linear + cosine"),
        KernelSpec::rbf_auto()
            .on([ColumnRef::Name("a".into())])
            .power(2)
            * KernelSpec::linear()
            + KernelSpec::cosine()
    );
    assert_eq!(
        read("2*linear*cosine"),
        (KernelSpec::linear() * KernelSpec::cosine()).scaled(2.0)
    );
    prints("(2*linear)*cosine", "(2*linear)*cosine");
    prints("(linear + cosine)^2", "(linear + cosine)^2");
    prints("(linear + cosine) + rbf", "(linear + cosine) + rbf");
    prints("linear*(cosine*rbf)", "linear*(cosine*rbf)");
    prints("(linear^2)^3", "(linear^2)^3");
    prints("(linear@a)@b", "(linear@a)@b");
}

#[test]
fn reads_columns() {
    prints("rbf@age", "rbf@age");
    prints(r#"rbf@[a,"b c",3]"#, r#"rbf@[a,"b c",3]"#);
    prints("rbf@a,b + linear@c", "rbf@[a,b] + linear@c");
    prints("(rbf@a,b)*linear", "rbf@[a,b]*linear");
    prints(r#"rbf@"a""#, "rbf@a");
    prints(r#"rbf@"say \"hi\" \\ \n""#, r#"rbf@"say \"hi\" \\ \n""#);
    prints(r#"rbf@["",x]"#, r#"rbf@["",x]"#);
    prints("rbf@exp", "rbf@exp");
    prints("rbf@Größe", "rbf@Größe");
    fails_at("exp(rbf@a,b)", 10, "`)` expected");
    fails_at("rbf@0", 5, "counted from 1");
    fails_at("rbf@1.5", 5, "counted from 1");
    fails_at("rbf@[]", 6, "a column expected");
}

#[test]
fn tells_where_and_what() {
    fails_at("", 1, "a kernel expected");
    fails_at("linear +", 9, "a kernel expected");
    fails_at("linear linear", 8, "`+`, `*`, `^`, `@` or the end");
    fails_at("(linear", 8, "`)` expected");
    fails_at("linear^1.5", 8, "whole number");
    fails_at("linear^0", 8, "whole number");
    fails_at("linear^2^2", 9, "parentheses");
    fails_at("linear^2@a", 9, "parentheses");
    fails_at("-2*linear", 1, "positive");
    fails_at("0*linear", 1, "positive");
    fails_at("linear*2", 8, "before its kernel");
    fails_at("2", 2, "`*`");
    fails_at("linear - cosine", 8, "difference");
    fails_at("rbf(gamma=)", 11, "a number");
    fails_at("rbf(gamma=[1,])", 14, "a number");
    fails_at("rbf(0.5)", 5, "`gamma` or `sigma`");
    fails_at("laplace(1, 2)", 12, "only 1 parameters");
    fails_at("poly(2, degree=3)", 9, "given twice");
    fails_at("poly(degree=3, 1)", 16, "name and `=`");
    fails_at("rbf(gamma=1 sigma=2)", 13, "`,` or `)`");
    fails_at("exp", 4, "`(`");
}

#[test]
fn unknown_names_suggest_known_ones() {
    let error = parse("rbff").expect_err("no such kernel");
    assert_eq!(error.hints(), ["did you mean `rbf`?"]);
    let error = parse("rbf(gama=1)").expect_err("no such parameter");
    assert_eq!(error.to_string(), "kernel `rbf` has no parameter `gama`");
    assert_eq!(error.hints(), ["did you mean `gamma`?"]);
}

#[test]
fn checks_values() {
    for (text, words) in [
        ("rbf(gamma=1, sigma=2)", "both given"),
        ("rbf(gamma=-1)", "positive"),
        ("rbf(gamma=0)", "positive"),
        ("rbf(gamma=[1,-1])", "positive"),
        ("rbf(gamma=wide)", "one number"),
        ("poly(degree=[1,2])", "one number"),
        ("sigmoid(form=round)", "tanh, logistic"),
        ("overlap(share=1)", "`true` or `false`"),
    ] {
        let error = parse(text).expect_err(text).to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}

#[test]
fn hostile_text_is_refused() {
    for text in [
        "(".repeat(100_000),
        "exp(".repeat(100_000),
        "1*".repeat(100_000),
        format!("{}linear{}", "(".repeat(70), ")".repeat(70)),
        "linear+".repeat(10_000) + "linear",
        "linear@\"".to_owned() + &"x".repeat(5 << 20),
    ] {
        assert!(parse(&text).is_err());
    }
    let deep = format!("{}linear{}", "(".repeat(60), ")".repeat(60));
    assert_eq!(read(&deep), KernelSpec::linear());
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(1.0),
        Just(f64::MIN_POSITIVE),
        Just(5e-324),
        Just(f64::MAX),
        Just(1.0 / 3.0),
        1e-12..1e12_f64,
        (1_u64..0x7ff0_0000_0000_0000).prop_map(f64::from_bits),
    ]
}

fn base() -> impl Strategy<Value = KernelSpec> {
    let list = || prop::collection::vec(number(), 1..4);
    prop_oneof![
        Just(KernelSpec::linear()),
        Just(KernelSpec::rbf_auto()),
        Just(KernelSpec::precomputed()),
        number().prop_map(KernelSpec::rbf),
        list().prop_map(KernelSpec::rbf_sigma),
        list().prop_map(KernelSpec::laplace),
        (1_u32..9, number(), prop::option::of(number()))
            .prop_map(|(degree, offset, scale)| KernelSpec::poly(degree, offset, scale)),
        (prop::option::of(number()), any::<i32>())
            .prop_map(|(scale, offset)| KernelSpec::sigmoid(scale, f64::from(offset) / 7.0)),
        any::<bool>().prop_map(|share| {
            KernelSpec::overlap()
                .with("share", share)
                .expect("a parameter")
        }),
        Just(
            KernelSpec::named("sigmoid")
                .and_then(|k| k.with("form", "logistic"))
                .expect("ok")
        ),
    ]
}

fn column() -> impl Strategy<Value = ColumnRef> {
    prop_oneof![
        any::<String>().prop_map(ColumnRef::Name),
        "[a-z]{1,3}".prop_map(ColumnRef::Name),
        (1_usize..1000).prop_map(ColumnRef::Position),
    ]
}

fn kernel() -> impl Strategy<Value = KernelSpec> {
    base().prop_recursive(5, 24, 3, |inner| {
        let several = prop::collection::vec(inner.clone(), 2..4);
        prop_oneof![
            (number(), inner.clone()).prop_map(|(factor, k)| k.scaled(factor)),
            several.clone().prop_map(KernelSpec::Sum),
            several.prop_map(KernelSpec::Product),
            (inner.clone(), 1_u32..).prop_map(|(k, exponent)| k.power(exponent)),
            inner.clone().prop_map(KernelSpec::exp),
            inner.clone().prop_map(KernelSpec::normalised),
            (inner, prop::collection::vec(column(), 1..4)).prop_map(|(k, c)| k.on(c)),
        ]
    })
}

proptest! {
    #[test]
    fn printing_and_reading_is_identity(kernel in kernel()) {
        let text = kernel.to_string();
        let again = parse(&text);
        prop_assert_eq!(again.as_ref(), Ok(&kernel), "{}", text);
        let json = serde_json::to_string(&kernel).expect("text");
        prop_assert_eq!(serde_json::from_str::<KernelSpec>(&json).expect("text"), kernel);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[a-z(){}\\[\\],=@^*+\"\\\\0-9. -]{0,40}") {
        if let Ok(kernel) = parse(&text) {
            prop_assert_eq!(parse(&kernel.to_string()), Ok(kernel));
        }
    }
}
