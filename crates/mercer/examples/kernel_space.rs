//! The space behind a kernel: distances, feature maps, eigenfunctions, draws and norms.
//!
//! ```sh
//! cargo run --release -p mercer --example kernel_space
//! ```
#![expect(clippy::print_stdout, reason = "an example prints")]

use mercer::Result;
use mercer::data::Records;
use mercer::features::{HilbertSpan, MercerExpansion, gaussian_features, polynomial_features};
use mercer::kernel::{KernelSpec, ResolvedKernel};
use mercer::linalg::{Matrix, Par};

fn main() -> Result<()> {
    distances()?;
    maps()?;
    eigenfunctions()?;
    norms()
}

/// A kernel measures distances ‖ψ(x) − ψ(z)‖ in a space that nobody has to write down.
fn distances() -> Result<()> {
    println!("distance of 0 and x in the space of a kernel");
    println!("{:>6} {:>10} {:>10} {:>10}", "x", "linear", "poly", "rbf");
    let kernels = [
        KernelSpec::linear(),
        KernelSpec::poly(2, 1.0, 1.0),
        KernelSpec::rbf(0.5),
    ];
    for x in [0.5, 1.0, 2.0, 4.0] {
        let [linear, poly, rbf] = kernels
            .each_ref()
            .map(|kernel| kernel.distance(&[0.0], &[x]));
        println!("{x:>6} {:>10.4} {:>10.4} {:>10.4}", linear?, poly?, rbf?);
    }
    // All points are on the unit sphere of the Gaussian kernel: no distance exceeds √2.
    Ok(())
}

/// Where the space has few dimensions it can be written down: ⟨ψ(x), ψ(z)⟩ is the kernel.
fn maps() -> Result<()> {
    let (x, z) = ([0.4, -0.3], [0.1, 0.8]);
    let features = polynomial_features(&x, 3, 1.0, 1.0)?;
    let exact = KernelSpec::poly(3, 1.0, 1.0).evaluate(&x, &z)?;
    let product = dot(&features, &polynomial_features(&z, 3, 1.0, 1.0)?);
    println!(
        "\npoly(degree=3): {exact:.6}; {} features give {product:.6}",
        features.len()
    );

    // The Gaussian kernel has infinitely many; the error falls faster than any power.
    let exact = KernelSpec::rbf(0.5).evaluate(&x, &z)?;
    for degree in [1, 2, 4, 8] {
        let features = gaussian_features(&x, 0.5, degree)?;
        let product = dot(&features, &gaussian_features(&z, 0.5, degree)?);
        println!(
            "rbf(gamma=0.5): {exact:.6}; {:>2} features give it with error {:.0e}",
            features.len(),
            (product - exact).abs()
        );
    }
    Ok(())
}

/// Mercer: k(x, z) = Σ λ φ(x) φ(z). How fast the eigenvalues fall says how rich the kernel is, and
/// random functions Σ √λ ξ φ show what it believes before it has seen anything.
fn eigenfunctions() -> Result<()> {
    let rows = line();
    for text in ["rbf(sigma=0.2)", "matern(nu=0.5, length=0.2)"] {
        let kernel: ResolvedKernel = text.parse()?;
        let expansion = MercerExpansion::try_new(&kernel, &rows, 10, Par::Sequential)?;
        println!(
            "\n{text}: 10 eigenfunctions explain {:.2} %",
            100.0 * expansion.explained()
        );
        let values: Vec<String> = expansion
            .eigenvalues
            .iter()
            .map(|v| format!("{v:.4}"))
            .collect();
        println!("eigenvalues {}", values.join(" "));
        let draws = expansion.draw(&rows, 2, 1, Par::Sequential)?;
        for draw in 0..draws.rows() {
            println!("a draw  {}", sketch(draws.row(draw)));
        }
    }
    Ok(())
}

/// Functions f = Σ v k(·, x) have a norm; what kernel methods keep small is this one.
fn norms() -> Result<()> {
    let rows = line();
    let kernel: ResolvedKernel = "rbf(sigma=0.2)".parse()?;
    let span = HilbertSpan::try_new(&kernel, &rows, Par::Sequential)?;
    let smooth: Vec<f64> = (0..POINTS)
        .map(|i| if i % 8 == 0 { 0.5 } else { 0.0 })
        .collect();
    let rough: Vec<f64> = smooth
        .iter()
        .enumerate()
        .map(|(i, v)| if i % 16 == 0 { -v } else { *v })
        .collect();
    println!();
    for (name, f) in [("smooth", &smooth), ("rough", &rough)] {
        let largest = span
            .values(f)?
            .iter()
            .fold(0.0_f64, |most, v| most.max(v.abs()));
        println!(
            "a {name} function: norm {:.3}, largest value {largest:.3}",
            span.norm(f)?
        );
    }
    Ok(())
}

const POINTS: usize = 64;

/// Points between 0 and 1.
fn line() -> Records {
    Records::from_points(Matrix::from_fn(POINTS, 1, |i, _| {
        i as f64 / (POINTS - 1) as f64
    }))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A curve in one line of text.
fn sketch(values: &[f64]) -> String {
    let level = |v: f64| (((v + 2.5) / 5.0).clamp(0.0, 0.999) * 8.0) as usize;
    let bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    values.iter().map(|v| bars[level(*v)]).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_runs() {
        super::main().expect("every kernel is defined on a line");
    }
}
