//! Kernels between the nodes of one network.

use mercer::data::{ClassTargets, Dataset, Network, Records, Targets, Tie};
use mercer::fit::FitContext;
use mercer::kernel::check_gram;
use mercer::learn::Estimator;
use mercer::learn::margin::Svc;
use mercer::model::{Answers, Form};
use mercer_linalg::{Matrix, Op, Par, gemm};

use super::oracle::gram;

/// Zachary's karate club (1977): who met whom outside the club, and who stayed with whom.
const TIES: &str = "1-2 1-3 1-4 1-5 1-6 1-7 1-8 1-9 1-11 1-12 1-13 1-14 1-18 1-20 1-22 1-32 2-3 2-4 2-8 2-14 2-18 2-20 2-22 2-31 3-4 3-8 3-9 3-10 3-14 3-28 3-29 3-33 4-8 4-13 4-14 5-7 5-11 6-7 6-11 6-17 7-17 9-31 9-33 9-34 10-34 14-34 15-33 15-34 16-33 16-34 19-33 19-34 20-34 21-33 21-34 23-33 23-34 24-26 24-28 24-30 24-33 24-34 25-26 25-28 25-32 26-32 27-30 27-34 28-34 29-32 29-34 30-33 30-34 31-33 31-34 32-33 32-34 33-34";
const OFFICER: [usize; 17] = [
    10, 15, 16, 19, 21, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34,
];

fn karate() -> Network {
    let number = |text: &str| text.parse::<u32>().expect("a number") - 1;
    let ties: Vec<Tie> = TIES
        .split(' ')
        .map(|tie| {
            let (from, to) = tie.split_once('-').expect("two ends");
            Tie {
                from: number(from),
                to: number(to),
                weight: 1.0,
            }
        })
        .collect();
    assert_eq!(ties.len(), 78);
    Network::try_new((1..=34).map(|i| i.to_string()).collect(), &ties).expect("a network")
}

fn laplacian(network: &Network) -> Matrix<f64> {
    let mut l = Matrix::zeros(network.len(), network.len());
    for tie in network.ties() {
        let (i, j) = (tie.from as usize, tie.to as usize);
        l[(i, j)] -= tie.weight;
        l[(j, i)] -= tie.weight;
        l[(i, i)] += tie.weight;
        l[(j, j)] += tie.weight;
    }
    l
}

fn product(a: &Matrix<f64>, b: &Matrix<f64>) -> Matrix<f64> {
    let mut c = Matrix::zeros(a.rows(), b.columns());
    gemm(
        1.0,
        a.as_ref(),
        Op::None,
        b.as_ref(),
        Op::None,
        0.0,
        c.as_mut(),
        Par::Sequential,
    );
    c
}

fn assert_close(a: &Matrix<f64>, b: &Matrix<f64>, tolerance: f64) {
    assert_eq!((a.rows(), a.columns()), (b.rows(), b.columns()));
    for (x, y) in a.as_slice().iter().zip(b.as_slice()) {
        assert!((x - y).abs() < tolerance, "{x} {y}");
    }
}

#[test]
fn kernels_of_the_laplacian_keep_their_equations() {
    let network = karate();
    let n = network.len();
    let all = Records::from_nodes(network.clone(), (0..n as u32).collect());
    let l = laplacian(&network);
    let identity = Matrix::from_fn(n, n, |i, j| f64::from(u8::from(i == j)));
    // (I + βL)·K = I.
    let k = gram("regularised_laplacian(beta=0.3)", &all);
    let left = Matrix::from_fn(n, n, |i, j| identity[(i, j)] + 0.3 * l[(i, j)]);
    assert_close(&product(&left, &k), &identity, 1e-12);
    // exp(−βL) by its series, halved ten times and squared again.
    let step = Matrix::from_fn(n, n, |i, j| -0.2 / 1024.0 * l[(i, j)]);
    let (mut term, mut series) = (identity.clone(), identity.clone());
    for k in 1..20 {
        term = product(&term, &step);
        term = Matrix::from_fn(n, n, |i, j| term[(i, j)] / f64::from(k));
        series = Matrix::from_fn(n, n, |i, j| series[(i, j)] + term[(i, j)]);
    }
    for _ in 0..10 {
        series = product(&series, &series);
    }
    assert_close(&gram("diffusion(beta=0.2)", &all), &series, 1e-11);
    // L·K·L = L.
    let k = gram("commute", &all);
    assert_close(&product(&product(&l, &k), &l), &l, 1e-10);
    for kernel in [
        "diffusion",
        "regularised_laplacian",
        "commute",
        "neighbourhood",
    ] {
        let check = check_gram(&gram(kernel, &all), &Targets::None).expect("finite");
        assert!(check.verdict.is_kernel(), "{kernel}: {check:?}");
    }
}

#[test]
fn circles_share_members_ties_and_triangles() {
    // A square with one diagonal: 0-1-2-3-0 and 0-2; 4 knows nobody.
    let ties = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)];
    let ties = ties.map(|(from, to)| Tie {
        from,
        to,
        weight: 1.0,
    });
    let names = (0..5).map(|i| i.to_string()).collect();
    let network = Network::try_new(names, &ties).expect("a network");
    let k = gram(
        "neighbourhood",
        &Records::from_nodes(network, (0..5).collect()),
    );
    // Node 1 sees 0, 1, 2, three edges and a triangle; of them 3 sees 0, 2 and their edge.
    assert_eq!(k[(1, 1)], 7.0);
    assert_eq!(k[(1, 3)], 3.0);
    assert_eq!(k[(0, 0)], 4.0 + 5.0 + 2.0);
    assert_eq!((k[(4, 4)], k[(4, 0)]), (1.0, 0.0));
}

#[test]
fn two_labelled_members_tell_the_whole_club() {
    let network = karate();
    let club = |member: usize| {
        if OFFICER.contains(&(member + 1)) {
            "Officer"
        } else {
            "Mr. Hi"
        }
    };
    let classes = ClassTargets::from_labels(&["Mr. Hi", "Officer"]);
    let data = Dataset::try_new(
        Records::from_nodes(network.clone(), vec![0, 33]),
        Targets::Classes(classes),
    )
    .expect("two members");
    let everyone = Records::from_nodes(network, (0..34).collect());
    for kernel in ["regularised_laplacian", "diffusion"] {
        let machine = Svc::default().kernel(kernel.parse().expect("a kernel"));
        let context = FitContext::default();
        let fitted = machine.fit(&data, &context).expect("a model");
        let answers = Form::Expansion(fitted.model)
            .predict(&everyone, &context)
            .expect("answers");
        let Answers::Classes { labels, codes, .. } = answers.answers else {
            panic!("classes");
        };
        let right = (0..34)
            .filter(|&m| labels[codes[m] as usize] == club(m))
            .count();
        assert!(right >= 32, "{kernel}: {right} of 34");
    }
}
