//! Random features of polynomial kernels: ⟨φ(x), φ(z)⟩ ≈ (scale·⟨x, z⟩ + offset)^degree.
//!
//! With y = (√scale·x, √offset) the kernel is the inner product of tensor powers of y. Count sketches of y, one for every power,
//! add each coordinate with a random sign to one of D sums; the circular convolution of the sketches is a count sketch of the tensor
//! power itself (Pham and Pagh, Fast and scalable polynomial kernels via explicit feature maps, 2013). Its inner products have
//! the kernel as their mean. A row takes degree·(d + D log D) operations; D is a power of two, for the fast Fourier transform.

use std::f64::consts::PI;
use std::ops::Range;

use mercer_linalg::{Matrix, Par, Real};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use super::fourier::refused;
use crate::data::random::below;
use crate::data::{Block, Features, Points, each};
use crate::kernel::{KernelSpec, ResolvedKernel};
use crate::{Error, Result};

/// Rows of one task.
const BLOCK: usize = 64;
/// Highest degree: the variance grows like 3^degree.
const HIGHEST: f64 = 16.0;
/// Coordinates are cut to this size, so that powers of sums stay finite.
const FARTHEST: f64 = 1e15;

/// Count sketches of a polynomial kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct SketchMap {
    /// The kernel that is approximated.
    pub kernel: ResolvedKernel,
    /// What every numeric column is multiplied by: √scale, 0 where the kernel does not read it.
    pub units: Vec<f64>,
    /// The coordinate that all rows have: √offset.
    pub constant: f64,
    /// For every power a row, for every column and the constant the sum it is added to, counted from 1, with its sign.
    pub places: Matrix<f64>,
    /// Number of features D, a power of two.
    pub width: usize,
    /// What features are multiplied by.
    pub amplitude: f64,
}

impl SketchMap {
    /// Returns whether a kernel is polynomial, so that it can be sketched.
    pub fn takes(kernel: &KernelSpec) -> bool {
        match kernel {
            KernelSpec::Base { family, .. } => family.name == "poly",
            KernelSpec::Scaled { kernel, .. } | KernelSpec::On { kernel, .. } => {
                Self::takes(kernel)
            }
            _ => false,
        }
    }

    /// Draws sketches of at least `width` features: the next power of two.
    ///
    /// # Errors
    /// A kernel that is not polynomial, a degree above 16.
    pub fn draw(
        kernel: &ResolvedKernel,
        features: &Features,
        width: usize,
        seed: u64,
    ) -> Result<Self> {
        let columns = features.points.columns();
        let mut read: Vec<usize> = (0..columns).collect();
        let mut factor = 1.0;
        let mut inner = kernel.spec();
        let (family, settings) = loop {
            match inner {
                KernelSpec::Base { family, settings } if family.name == "poly" => {
                    break (family, settings);
                }
                KernelSpec::Scaled {
                    factor: own,
                    kernel,
                } => {
                    factor *= own;
                    inner = kernel;
                }
                KernelSpec::On { columns, kernel } => {
                    read.clear();
                    for column in columns {
                        read.extend(features.find(column)?);
                    }
                    inner = kernel;
                }
                other => return Err(refused(&other.to_string())),
            }
        };
        let number = |name: &str, usual: f64| {
            let place = family.parameter(name)?;
            Ok::<_, Error>(settings.number(place).unwrap_or(usual))
        };
        let (degree, offset, scale) = (
            number("degree", 3.0)?,
            number("offset", 1.0)?,
            number("scale", 1.0)?,
        );
        if degree > HIGHEST {
            return Err(Error::Unsupported {
                what: format!(
                    "a sketch of degree {degree} would be mostly noise; degrees up to {HIGHEST} are sketched"
                ),
                cure: "use a lower degree".into(),
            });
        }
        if read.is_empty() {
            return Err(Error::Kernel {
                kernel: "poly".to_owned(),
                problem: "there is no numeric column to compare".to_owned(),
                cure: "name columns with `@`, or use a kernel for the columns there are".into(),
            });
        }
        let width = width.max(1).next_power_of_two();
        let mut units = vec![0.0; columns];
        for column in read {
            units[column] = scale.sqrt();
        }
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let places = Matrix::from_fn(degree as usize, columns + 1, |_, _| {
            let place = 1.0 + below(&mut rng, width) as f64;
            if rng.next_u64() >> 63 == 0 {
                place
            } else {
                -place
            }
        });
        Ok(Self {
            kernel: kernel.clone(),
            units,
            constant: offset.sqrt(),
            places,
            width,
            amplitude: factor.sqrt(),
        })
    }

    /// Checks every rule that ties the fields together.
    ///
    /// # Errors
    /// [`Error::Model`] naming the broken rule.
    pub fn check(&self) -> Result<()> {
        let reach = |v: &f64| v.fract() == 0.0 && (1.0..=self.width as f64).contains(&v.abs());
        if !self.width.is_power_of_two()
            || self.units.is_empty()
            || self.places.columns() != self.units.len() + 1
            || self.places.rows() == 0
            || !self.places.as_slice().iter().all(reach)
            || !self.units.iter().all(|u| u.is_finite())
            || !self.constant.is_finite()
            || !self.amplitude.is_finite()
        {
            return Err(Error::model("the sums of a sketch do not fit together"));
        }
        Ok(())
    }
}

/// A sketch with the roots of unity that it needs.
pub(super) struct BoundSketch {
    map: SketchMap,
    fourier: FastFourier,
}

impl BoundSketch {
    pub(super) fn new(map: &SketchMap) -> Self {
        Self {
            fourier: FastFourier::new(map.width),
            map: map.clone(),
        }
    }

    pub(super) fn fill<T: Real>(
        &self,
        points: &Points,
        range: Range<usize>,
        out: &mut [T],
        par: Par,
    ) -> Result<()> {
        if points.columns() != self.map.units.len() {
            return Err(Error::Length {
                what: "a row".to_owned(),
                found: points.columns(),
                expected: self.map.units.len(),
                unit: "features",
            });
        }
        let width = self.map.width;
        let task = |(k, out): (usize, &mut [T])| {
            let start = range.start + k * BLOCK;
            let mut work = Work::new(width);
            for (row, out) in (start..).zip(out.chunks_exact_mut(width)) {
                each!(points, block => self.row(block, row, &mut work));
                for (to, value) in out.iter_mut().zip(&work.product) {
                    *to = T::from_f64(value.0 * self.map.amplitude);
                }
            }
        };
        if par == Par::Sequential || range.len() <= BLOCK {
            out.chunks_mut(BLOCK * width).enumerate().for_each(task);
        } else {
            out.par_chunks_mut(BLOCK * width).enumerate().for_each(task);
        }
        Ok(())
    }

    /// Leaves the features of a row in the real parts of the product.
    fn row<U: Real>(&self, block: &Block<U>, row: usize, work: &mut Work) {
        let last = self.map.units.len();
        work.product.fill((1.0, 0.0));
        for power in 0..self.map.places.rows() {
            let places = self.map.places.row(power);
            let sketch = &mut work.sketch;
            sketch.fill((0.0, 0.0));
            let mut add = |column: usize, value: f64| {
                let place = places[column];
                let signed = if place < 0.0 { -value } else { value };
                sketch[place.abs() as usize - 1].0 += signed;
            };
            add(last, self.map.constant);
            let mut coordinate = |column: usize, x: f64| {
                let value = (x * self.map.units[column]).clamp(-FARTHEST, FARTHEST);
                if value != 0.0 {
                    add(column, value);
                }
            };
            match block {
                Block::Dense(all) => {
                    for (column, x) in all.row(row).iter().enumerate() {
                        coordinate(column, x.to_f64());
                    }
                }
                Block::Sparse(all) => {
                    let (indices, values) = all.row(row);
                    for (&column, x) in indices.iter().zip(values) {
                        coordinate(column as usize, x.to_f64());
                    }
                }
            }
            self.fourier.forward(&mut work.sketch);
            for (p, s) in work.product.iter_mut().zip(&work.sketch) {
                *p = (p.0 * s.0 - p.1 * s.1, p.0 * s.1 + p.1 * s.0);
            }
        }
        self.fourier.back(&mut work.product);
    }
}

struct Work {
    sketch: Vec<(f64, f64)>,
    product: Vec<(f64, f64)>,
}

impl Work {
    fn new(width: usize) -> Self {
        Self {
            sketch: vec![(0.0, 0.0); width],
            product: vec![(0.0, 0.0); width],
        }
    }
}

/// The fast Fourier transform of a power of two of complex numbers (Cooley and Tukey).
struct FastFourier {
    /// exp(−2πik/n) for k below n/2.
    roots: Vec<(f64, f64)>,
    /// Where every number goes before the first step: its bits mirrored.
    mirrored: Vec<usize>,
}

impl FastFourier {
    fn new(length: usize) -> Self {
        let bits = length.trailing_zeros();
        let root = |k: usize| {
            let (sine, cosine) = (-2.0 * PI * k as f64 / length as f64).sin_cos();
            (cosine, sine)
        };
        let mirror = |k: usize| {
            if bits == 0 {
                0
            } else {
                k.reverse_bits() >> (usize::BITS - bits)
            }
        };
        Self {
            roots: (0..length / 2).map(root).collect(),
            mirrored: (0..length).map(mirror).collect(),
        }
    }

    fn forward(&self, values: &mut [(f64, f64)]) {
        let n = values.len();
        for (k, &other) in self.mirrored.iter().enumerate() {
            if k < other {
                values.swap(k, other);
            }
        }
        let mut half = 1;
        while half < n {
            let step = n / (2 * half);
            for pair in values.chunks_exact_mut(2 * half) {
                let (low, high) = pair.split_at_mut(half);
                for (k, (a, b)) in low.iter_mut().zip(high).enumerate() {
                    let root = self.roots[k * step];
                    let turned = (b.0 * root.0 - b.1 * root.1, b.0 * root.1 + b.1 * root.0);
                    let first = *a;
                    *a = (first.0 + turned.0, first.1 + turned.1);
                    *b = (first.0 - turned.0, first.1 - turned.1);
                }
            }
            half *= 2;
        }
    }

    /// The inverse: forward of the conjugates, conjugated and divided.
    fn back(&self, values: &mut [(f64, f64)]) {
        let n = values.len() as f64;
        values.iter_mut().for_each(|v| v.1 = -v.1);
        self.forward(values);
        values.iter_mut().for_each(|v| *v = (v.0 / n, -v.1 / n));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Records;
    use crate::data::random::normal;
    use crate::kernel::KernelSpec;

    #[test]
    fn transforms_are_those_of_the_definition() {
        for n in [1, 2, 8] {
            let values: Vec<(f64, f64)> = (0..n).map(|k| ((k * k) as f64, k as f64)).collect();
            let mut found = values.clone();
            let fourier = FastFourier::new(n);
            fourier.forward(&mut found);
            for (j, found) in found.iter().enumerate() {
                let (mut re, mut im) = (0.0, 0.0);
                for (k, v) in values.iter().enumerate() {
                    let (s, c) = (-2.0 * PI * (j * k) as f64 / n as f64).sin_cos();
                    re += v.0 * c - v.1 * s;
                    im += v.0 * s + v.1 * c;
                }
                assert!((found.0 - re).abs() < 1e-9 && (found.1 - im).abs() < 1e-9);
            }
            let mut again = found;
            fourier.back(&mut again);
            for (a, b) in again.iter().zip(&values) {
                assert!((a.0 - b.0).abs() < 1e-9 && (a.1 - b.1).abs() < 1e-9);
            }
        }
    }

    /// The mean over draws is the kernel, and more features are nearer to it.
    #[test]
    fn sketches_have_the_kernel_as_their_mean() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let x = Matrix::from_fn(2, 5, |_, _| normal(&mut rng));
        let rows = Records::from_points(x);
        for text in [
            "poly(degree=2, offset=1, scale=0.3)",
            "2*poly(degree=3, offset=0, scale=0.5)",
        ] {
            let spec: KernelSpec = text.parse().unwrap();
            let (kernel, _) = spec.resolve(&rows, None).unwrap();
            let exact = kernel.gram(&rows, Par::Sequential).unwrap()[(0, 1)];
            let errors = [16, 1024].map(|width| {
                let draws = 400;
                let (mut sum, mut squares) = (0.0, 0.0);
                for seed in 0..draws {
                    let map = SketchMap::draw(&kernel, &rows.features, width, seed).unwrap();
                    map.check().unwrap();
                    let mut out = vec![0.0; 2 * width];
                    let bound = BoundSketch::new(&map);
                    bound
                        .fill(&rows.features.points, 0..2, &mut out, Par::Sequential)
                        .unwrap();
                    let (a, b) = out.split_at(width);
                    let found: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
                    sum += found;
                    squares += (found - exact).powi(2);
                }
                let (mean, spread) = (sum / draws as f64, (squares / draws as f64).sqrt());
                // Four standard errors of the mean.
                assert!(
                    (mean - exact).abs() < 4.0 * spread / (draws as f64).sqrt(),
                    "{text}"
                );
                spread
            });
            assert!(errors[1] < errors[0] / 4.0, "{errors:?}");
        }
    }

    #[test]
    fn degree_one_without_offset_is_a_count_sketch() {
        let rows = Records::from_points(Matrix::from_vec(1, 3, vec![1.0, -2.0, 0.5]));
        let spec: KernelSpec = "poly(degree=1, offset=0, scale=1)".parse().unwrap();
        let (kernel, _) = spec.resolve(&rows, None).unwrap();
        let map = SketchMap::draw(&kernel, &rows.features, 8, 3).unwrap();
        let mut out = vec![0.0; 8];
        BoundSketch::new(&map)
            .fill(&rows.features.points, 0..1, &mut out, Par::Sequential)
            .unwrap();
        let mut wanted = [0.0; 8];
        for (place, x) in map.places.row(0).iter().zip([1.0, -2.0, 0.5]) {
            wanted[place.abs() as usize - 1] += place.signum() * x;
        }
        for (a, b) in out.iter().zip(wanted) {
            assert!((a - b).abs() < 1e-14);
        }
    }
}
