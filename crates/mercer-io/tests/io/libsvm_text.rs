//! The text of LIBSVM models: what is read, what is refused, and where.

use mercer_io::libsvm::{LibsvmKernel, LibsvmModel, Support, SvmType, read_model, write_model};
use proptest::prelude::*;

const VALID: &str = "svm_type c_svc
kernel_type rbf
gamma 0.25
nr_class 3
total_sv 4
rho -0.5 0.25 1e-3
label 3 -2 7
probA -1 -2 -3
probB 0.1 0.2 0.3
nr_sv 2 1 1
SV
0.5 1 1:0.5 3:1 
1 0 2:-1e-2 
-1 0.75 
-1 -1 1:0.1 7:3 
";

const PRECOMPUTED: &str = "svm_type one_class
kernel_type precomputed
nr_class 2
total_sv 2
rho 0.5
SV
0.5 0:7 
0.5 0:2 
";

fn read(text: &str) -> mercer_io::Result<LibsvmModel> {
    read_model(text.as_bytes(), "m.model")
}

fn refusal(text: &str) -> String {
    let error = read(text).expect_err("refused");
    assert!(!error.hints().is_empty(), "{error}");
    let message = error.to_string();
    message
        .strip_prefix("m.model, line ")
        .unwrap_or_else(|| panic!("no line in: {message}"))
        .to_owned()
}

/// The refusal of the valid file with one text replaced.
fn changed(from: &str, to: &str) -> String {
    assert!(VALID.contains(from), "{from}");
    refusal(&VALID.replacen(from, to, 1))
}

fn written(model: &LibsvmModel) -> String {
    let mut out = Vec::new();
    write_model(model, &mut out, "out.model").expect("sound");
    String::from_utf8(out).expect("text")
}

#[test]
fn every_key_is_read() {
    let model = read(VALID).expect("valid");
    assert_eq!(model.svm_type, SvmType::CSvc);
    assert_eq!(model.kernel, LibsvmKernel::Rbf { gamma: 0.25 });
    assert_eq!(model.labels, [3, -2, 7]);
    assert_eq!(model.class_sizes, [2, 1, 1]);
    assert_eq!(model.rho, [-0.5, 0.25, 1e-3]);
    assert_eq!(model.prob_a.as_deref(), Some(&[-1.0, -2.0, -3.0][..]));
    assert_eq!(model.coefficients.row(0), [0.5, 1.0, -1.0, -1.0]);
    assert_eq!(model.coefficients.row(1), [1.0, 0.0, 0.75, -1.0]);
    let Support::Vectors { points, zero_based } = &model.support else {
        panic!("vectors expected");
    };
    assert!(!zero_based);
    assert_eq!((points.rows(), points.columns()), (4, 7));
    assert_eq!(points.row(3), (&[0, 6][..], &[0.1, 3.0][..]));
    assert_eq!(points.row(2).0.len(), 0);
}

#[test]
fn every_type_and_kernel_is_read() {
    for kind in ["one_class", "epsilon_svr", "nu_svr"] {
        for kernel in [
            "linear",
            "polynomial\ndegree 3\ngamma 1\ncoef0 -1",
            "rbf\ngamma 2",
            "sigmoid\ngamma 0\ncoef0 0",
        ] {
            let text = format!(
                "svm_type {kind}\nkernel_type {kernel}\nnr_class 2\ntotal_sv 1\nrho 1\nSV\n2 1:1 \n"
            );
            let model = read(&text).expect("valid");
            assert_eq!(written(&model), text);
        }
    }
    let model = read(PRECOMPUTED).expect("valid");
    assert_eq!(model.support, Support::Serials(vec![7, 2]));
    assert_eq!(written(&model), PRECOMPUTED);
    assert_eq!(
        read(&VALID.replace("c_svc", "nu_svc"))
            .expect("valid")
            .svm_type,
        SvmType::NuSvc
    );
}

#[test]
fn writing_gives_the_text_back() {
    let model = read(VALID).expect("valid");
    assert_eq!(read(&written(&model)).expect("own text"), model);
    let density = PRECOMPUTED.replace("SV\n", "prob_density_marks 1 2 3 4 5 6 7 8 9 10\nSV\n");
    assert_eq!(written(&read(&density).expect("valid")), density);
}

#[test]
fn windows_line_ends_and_blank_lines_are_fine() {
    let text = VALID.replace('\n', "\r\n") + "\r\n\r\n";
    assert_eq!(read(&text).expect("valid"), read(VALID).expect("valid"));
}

#[test]
fn zero_based_indices_are_told() {
    let model = read(&VALID.replace("1:0.1 7:3", "0:0.1 7:3")).expect("LIBSVM reads it too");
    let Support::Vectors { points, zero_based } = &model.support else {
        panic!("vectors expected");
    };
    assert!(zero_based);
    assert_eq!(points.row(3).0, [0, 7]);
    assert!(written(&model).contains("0:0.10000000000000001 7:3 \n"));
}

#[test]
fn counts_that_contradict_each_other() {
    assert_eq!(
        changed("nr_sv 2 1 1", "nr_sv 2 1 1 1"),
        "10, column 1: `nr_sv` has 4 values; 3 expected"
    );
    assert_eq!(
        changed("nr_sv 2 1 1", "nr_sv 2 1 2000000000"),
        "10, column 1: `nr_sv` adds up to 2000000003; `total_sv` on line 5 is 4"
    );
    assert!(changed("nr_sv 2 1 1", "nr_sv 18446744073709551615 1 1").contains("too large"));
    assert_eq!(
        changed("rho -0.5 0.25 1e-3", "rho -0.5 0.25"),
        "6, column 1: `rho` has 2 values; 3 expected"
    );
    assert!(changed("rho -0.5 0.25 1e-3", "rho").contains("`rho` has 0 values"));
    assert!(changed("probA -1 -2 -3", "probA -1").contains("`probA` has 1 values; 3 expected"));
    assert!(changed("probB 0.1 0.2 0.3\n", "").contains("one of them is missing"));
    assert!(changed("label 3 -2 7", "label 3 -2").contains("`label` has 2 values; 3 expected"));
    assert!(changed("label 3 -2 7", "label 3 -2 3").contains("names a class twice"));
}

#[test]
fn huge_counts_cost_nothing() {
    let text = VALID.replace("total_sv 4", "total_sv 2000000000");
    let text = text.replace("nr_sv 2 1 1", "nr_sv 1999999998 1 1");
    assert_eq!(
        refusal(&text),
        "15, column 1: the file ends after 4 support vectors; `total_sv` is 2000000000"
    );
    assert!(changed("nr_class 3", "nr_class 2000000000").contains("`rho` has 3 values; 19999"));
    assert!(changed("nr_class 3", "nr_class 18446744073709551615").contains("too large"));
    assert!(changed("total_sv 4", "total_sv 99999999999999999999").contains("is not a number of"));
    assert!(
        changed("total_sv 4", "total_sv -4").contains("`-4` is not a number of support vectors")
    );
}

#[test]
fn numbers_of_classes() {
    for count in ["0", "1"] {
        assert_eq!(
            changed("nr_class 3", &format!("nr_class {count}")),
            format!("4, column 1: `nr_class` is `{count}`; it must be at least 2 for `c_svc`")
        );
    }
    let text = PRECOMPUTED.replace("nr_class 2", "nr_class 3");
    assert!(refusal(&text).contains("it must be 2 for `one_class`"));
}

#[test]
fn missing_keys_are_named() {
    for key in [
        "svm_type",
        "kernel_type",
        "gamma",
        "nr_class",
        "total_sv",
        "rho",
        "label",
        "nr_sv",
    ] {
        let text: String = VALID
            .split_inclusive('\n')
            .filter(|line| !line.starts_with(key))
            .collect();
        assert_eq!(
            refusal(&text),
            format!("10, column 1: `{key}` is missing before `SV`")
        );
    }
    for key in ["degree", "coef0"] {
        let text = VALID.replace("rbf", "polynomial\ndegree 2\ncoef0 1");
        let without: String = text
            .split_inclusive('\n')
            .filter(|l| !l.starts_with(key))
            .collect();
        assert!(refusal(&without).contains(&format!("`{key}` is missing")));
    }
}

#[test]
fn strange_keys_are_named() {
    assert_eq!(
        changed("gamma 0.25", "gamma 0.25\ngamma 1"),
        "4, column 1: `gamma` is given twice, first on line 3"
    );
    assert!(
        changed("gamma 0.25", "gamme 0.25")
            .contains("`gamme` is not a key of LIBSVM models (svm_type,")
    );
    assert!(changed("gamma 0.25", "gamma").contains("`gamma` has no value"));
    assert!(changed("gamma 0.25", "gamma 1 2").contains("`2` is a second value"));
    assert!(changed("c_svc", "d_svc").contains("`d_svc` is no type of LIBSVM"));
    assert!(changed("rbf", "gauss").contains("`gauss` is no kernel of LIBSVM"));
    assert!(changed("SV\n", "SV 4\n").contains("`4` follows `SV`"));
    let text = PRECOMPUTED.replace("SV\n", "label 1 2\nSV\n");
    assert_eq!(
        refusal(&text),
        "6, column 1: `label` does not belong to a model of type `one_class`"
    );
    assert!(refusal(&PRECOMPUTED.replace("SV\n", "probA 1\nSV\n")).contains("does not belong"));
    assert!(refusal(&PRECOMPUTED.replace("SV\n", "nr_sv 1 1\nSV\n")).contains("does not belong"));
    assert!(changed("SV\n", "prob_density_marks 1\nSV\n").contains("does not belong"));
    let short = PRECOMPUTED.replace("SV\n", "prob_density_marks 1 2\nSV\n");
    assert!(refusal(&short).contains("`prob_density_marks` has 2 values; 10 expected"));
}

#[test]
fn parameters_outside_their_range() {
    assert!(
        changed("rbf", "polynomial\ndegree -1\ncoef0 0")
            .contains("`-1` is not a whole number from 0")
    );
    assert!(
        changed("rbf", "polynomial\ndegree 2.5\ncoef0 0").contains("`2.5` is not a whole number")
    );
    assert!(
        changed("rbf", "polynomial\ndegree 4000000000\ncoef0 0").contains("too large a degree")
    );
    for bad in ["nan", "inf", "-inf", "1e999", "x", "0x10"] {
        assert_eq!(
            changed("gamma 0.25", &format!("gamma {bad}")),
            format!("3, column 7: `{bad}` is not a finite number")
        );
    }
    assert!(changed("gamma 0.25", "gamma -1").contains("`-1` is negative"));
    assert!(changed("rho -0.5", "rho nan").contains("`nan` is not a finite number"));
    assert!(changed("label 3", "label three").contains("`three` is not a whole number"));
    assert!(changed("label 3", "label 3000000000").contains("`3000000000` is not a whole number"));
}

#[test]
fn support_vectors_cut_short() {
    let short: String = VALID.split_inclusive('\n').take(13).collect();
    assert_eq!(
        refusal(&short),
        "13, column 1: the file ends after 2 support vectors; `total_sv` is 4"
    );
    let text = VALID.trim_end();
    assert!(refusal(text).contains("the last line has no line end; the file may be cut off"));
    assert!(refusal("svm_type c_svc\n").contains("ends before its support vectors"));
    assert!(refusal(&format!("{VALID}1 1 1:1\n")).contains("more support vectors than `total_sv`"));
}

#[test]
fn broken_support_vectors() {
    assert_eq!(
        changed("0.5 1 1:0.5", "0.5 1:0.5"),
        "12, column 5: the support vector has 1 coefficients; 2 expected"
    );
    assert!(changed("1 0 2:-1e-2", "1").contains("has 1 coefficients; 2 expected"));
    assert!(changed("0.5 1 1:0.5", "0.5 1 9 1:0.5").contains("`9` is not of the form index:value"));
    assert!(changed("1:0.5 3:1", "3:0.5 1:1").contains("`1:1` does not ascend"));
    assert!(changed("1:0.5 3:1", "3:0.5 3:1").contains("`3:1` does not ascend"));
    assert!(changed("1:0.5 3:1", "-1:0.5 3:1").contains("`-1` is not an index from 0"));
    assert!(changed("3:1", "2147483647:1").contains("`2147483647` is too large an index"));
    assert!(changed("3:1", "99999999999:1").contains("is not an index from 0"));
    assert_eq!(
        changed("3:1", "3:nan"),
        "12, column 15: `nan` is not a finite number"
    );
    assert_eq!(
        changed("3:1", "3:inf"),
        "12, column 15: `inf` is not a finite number"
    );
    assert!(changed("0.5 1 1:0.5", "nan 1 1:0.5").contains("`nan` is not a finite number"));
    assert!(changed("3:1", "3:").contains("is not a finite number"));
    assert!(changed("3:1", ":1").contains("is not an index from 0"));
}

#[test]
fn broken_serials() {
    let bad = |line: &str| refusal(&PRECOMPUTED.replace("0:7", line));
    assert!(
        bad("0:999999999").contains("`0:999999999` is no row of a training matrix (1 to 1000000)")
    );
    assert!(bad("0:0").contains("is no row"));
    assert!(bad("0:-3").contains("is no row"));
    assert!(bad("0:1.5").contains("is no row"));
    assert!(bad("1:0.5").contains("`0:serial` is missing"));
    assert!(bad("").contains("`0:serial` is missing"));
    assert!(bad("0:1 0:2").contains("does not ascend"));
}

#[test]
fn other_files_are_told_apart() {
    assert!(refusal("").contains("this is not a LIBSVM model: there is nothing in it"));
    assert!(refusal("1 1:2 3:4\n").contains("this is not a LIBSVM model: it starts with `1`"));
    assert!(refusal("\u{fffd}PK\u{3}\n").contains("is not text of a LIBSVM model"));
    let long = format!("svm_type {}\n", "x".repeat(1 << 20));
    assert!(refusal(&long).len() < 300);
}

#[test]
fn fields_that_contradict_each_other_are_not_written() {
    let mut model = read(VALID).expect("valid");
    model.rho.pop();
    let error = write_model(&model, &mut Vec::new(), "x").expect_err("two thresholds");
    assert!(
        error.to_string().contains("2 thresholds; 3 expected"),
        "{error}"
    );
    let mut model = read(VALID).expect("valid");
    model.class_sizes[0] = 9;
    assert!(write_model(&model, &mut Vec::new(), "x").is_err());
    let mut model = read(VALID).expect("valid");
    model.rho[0] = f64::NAN;
    assert!(write_model(&model, &mut Vec::new(), "x").is_err());
}

proptest! {
    #[test]
    fn truncations_are_refused(end in 0..VALID.len()) {
        prop_assert!(read(&VALID[..end]).is_err());
    }

    #[test]
    fn mutations_never_panic(
        precomputed in any::<bool>(),
        edits in proptest::collection::vec((any::<u16>(), any::<u8>(), 0..4_u8), 1..6),
    ) {
        let mut bytes = if precomputed { PRECOMPUTED } else { VALID }.as_bytes().to_vec();
        for (place, byte, kind) in edits {
            let at = usize::from(place) % bytes.len().max(1);
            match kind {
                0 if !bytes.is_empty() => { bytes.remove(at); }
                1 => bytes.insert(at.min(bytes.len()), byte),
                2 => bytes.insert(at.min(bytes.len()), b"0123456789-:. \ne"[usize::from(byte) % 16]),
                _ => if let Some(b) = bytes.get_mut(at) { *b = byte },
            }
        }
        if let Ok(model) = read_model(&bytes[..], "m.model") {
            model.check().expect("what is read is sound");
            let text = written(&model);
            prop_assert_eq!(read(&text).expect("own text"), model.clone());
            let _ = model.into_trained(None);
        }
    }
}
