//! Support vector machines with probabilities.

use mercer::learn::margin::{NuSvc, Svc};

use super::points::{
    close, decisions, even, factor, fit, least, mean, most, noise, probabilities, square,
};

fn machine(c: f64, gamma: f64) -> Svc {
    Svc::default()
        .kernel(format!("rbf(gamma={gamma})").parse().expect("a kernel"))
        .c(c)
        .probability(true)
}

#[test]
fn opposite_corners_get_their_own_class() {
    let (x, positive) = square();
    let model = fit(&machine(10.0, 1.0), &x, &positive).model;
    let p = probabilities(&model, &x);
    let values = decisions(&model, &x);
    for (i, own) in positive.iter().enumerate() {
        close(p[i], if *own { 0.5758 } else { 0.4242 }, 2e-4);
        assert_eq!(model.readout.class(values.row(i)), Some(u32::from(!own)));
    }
}

#[test]
fn noise_gets_the_share_with_class_factors_too() {
    let (x, positive) = noise(100);
    let new = even(101, 400);
    for on_a in [1.0, 2.0, 10.0] {
        for c in [0.1, 10.0] {
            let model = fit(&machine(c, 10.0).class_weights(factor(on_a)), &x, &positive).model;
            let p = probabilities(&model, &new);
            close(mean(&p), 0.3, 0.03);
            assert!(
                least(&p) > 0.15 && most(&p) < 0.45,
                "{on_a} {c}: {} {}",
                least(&p),
                most(&p)
            );
        }
    }
}

#[test]
fn slopes_are_negative() {
    let (x, positive) = noise(40);
    let of = |model: mercer::model::expansion::KernelExpansion| {
        let classes = model.readout.classes().expect("classes");
        let sigmoids = classes.sigmoids.as_ref().expect("sigmoids");
        assert!(sigmoids.iter().all(|s| s.a < 0.0), "{sigmoids:?}");
    };
    for gamma in [0.1, 1.0, 10.0, 100.0] {
        of(fit(&machine(1.0, gamma), &x, &positive).model);
        let kernel = format!("rbf(gamma={gamma})").parse().expect("a kernel");
        let nu = NuSvc {
            nu: 0.4,
            probability: true,
            ..NuSvc::default()
        };
        of(fit(&nu.kernel(kernel), &x, &positive).model);
    }
}
