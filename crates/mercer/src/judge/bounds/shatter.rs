//! Which labellings of some points half-spaces can make.
//!
//! With a constant, x stands for (x, 1); without, for itself. The labellings by planes that touch
//! no point follow from those of fewer points (Cover 1965): with one more point x, every labelling
//! that a plane through x makes of the others can be continued in two ways, every other one in one,
//!
//! ```text
//! N(S ∪ {x}) = N(S) + N(S projected along x)
//! ```
//!
//! where the projection has one dimension less, and no labelling where another point falls on the
//! line of x. In two dimensions N is twice the number of lines through the origin that points lie on,
//! and independent points have all 2ᵏ labellings.
//!
//! Points are shattered where they are independent. If not, Σ c_i x_i = 0 names a labelling that no
//! half-space makes: the signs of c (Radon 1921).
//!
//! Numbers are taken as they are written in decimals, and computed with as whole numbers, so that
//! the result is exact; where these no longer fit 128 bits, doubles with a tolerance take over.

use mercer_linalg::Matrix;
use serde::Serialize;

use crate::{Error, Result};

/// Points beyond which labellings are not counted: 2²⁰ are a million.
pub const MOST_POINTS: usize = 20;

/// Which labellings of some points half-spaces can make.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Shattering {
    /// Whether all labellings can be made.
    pub shattered: bool,
    /// How many can be made by planes that touch no point.
    pub reached: u64,
    /// How many there are: 2ᵏ.
    pub all: u64,
    /// A labelling that cannot be made, where there is one: whether each point is positive.
    pub witness: Option<Vec<bool>>,
    /// Whether the count is exact for the decimals given; else doubles had to do.
    pub exact: bool,
}

/// Tells which labellings of the rows of `points` half-spaces can make, with a constant or through
/// the origin.
///
/// # Errors
/// No points or more than [`MOST_POINTS`], and numbers that are not finite.
pub fn shatter(points: &Matrix<f64>, has_constant: bool) -> Result<Shattering> {
    let (rows, columns) = (points.rows(), points.columns());
    if rows == 0 {
        return Err(Error::rows("there are no points", "give at least one"));
    }
    if rows > MOST_POINTS {
        return Err(Error::rows(
            format!("there are {rows} points, which have 2^{rows} labellings"),
            format!("give at most {MOST_POINTS}"),
        ));
    }
    if let Some(at) = points.as_slice().iter().position(|v| !v.is_finite()) {
        return Err(Error::rows(
            format!(
                "row {}, column {}: `{}` is not finite",
                at / columns + 1,
                at % columns + 1,
                points.as_slice()[at]
            ),
            "give finite numbers",
        ));
    }
    let exact = whole(points, has_constant).and_then(|vectors| evaluated(&vectors, true));
    match exact {
        Some(found) => Ok(found),
        None => evaluated(&rounded(points, has_constant), false)
            .ok_or_else(|| Error::rows("the points are too far apart", "scale the columns")),
    }
}

fn evaluated<T: Number>(vectors: &[Vec<T>], exact: bool) -> Option<Shattering> {
    let all = 1 << vectors.len();
    let witness = dependency(vectors)?;
    let reached = match witness {
        None => all,
        Some(_) => labellings(vectors)?,
    };
    Some(Shattering {
        shattered: witness.is_none(),
        reached,
        all,
        witness,
        exact,
    })
}

/// What points are computed with; `None` stands for a number that is too large.
trait Number: Copy {
    const ZERO: Self;
    const ONE: Self;

    fn is_zero(self) -> bool;

    fn is_negative(self) -> bool;

    /// a·b − c·d.
    fn cross(a: Self, b: Self, c: Self, d: Self) -> Option<Self>;

    /// Multiplies a list with a positive number that keeps its members small.
    fn shrink(list: &mut [Self]);
}

impl Number for i128 {
    const ZERO: Self = 0;
    const ONE: Self = 1;

    fn is_zero(self) -> bool {
        self == 0
    }

    fn is_negative(self) -> bool {
        self < 0
    }

    fn cross(a: Self, b: Self, c: Self, d: Self) -> Option<Self> {
        a.checked_mul(b)?.checked_sub(c.checked_mul(d)?)
    }

    fn shrink(list: &mut [Self]) {
        // Products of two such numbers fit; the division pays only beyond.
        const LARGE: u128 = 1 << 40;
        if list.iter().all(|v| v.unsigned_abs() < LARGE) {
            return;
        }
        let divisor = list.iter().fold(0, |g, v| common(g, v.unsigned_abs()));
        if divisor > 1 {
            let divisor = divisor as i128;
            list.iter_mut().for_each(|v| *v /= divisor);
        }
    }
}

/// Greatest common divisor.
fn common(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// A double beside the size of the terms it was made of, whose rounding it may be.
#[derive(Debug, Clone, Copy)]
struct Rounded {
    value: f64,
    size: f64,
}

impl Number for Rounded {
    const ZERO: Self = Self {
        value: 0.0,
        size: 0.0,
    };
    const ONE: Self = Self {
        value: 1.0,
        size: 1.0,
    };

    fn is_zero(self) -> bool {
        // A few dozen roundings in a row, each of a term of this size.
        const TOLERANCE: f64 = 1e-13;
        self.value.abs() <= TOLERANCE * self.size
    }

    fn is_negative(self) -> bool {
        self.value < 0.0
    }

    fn cross(a: Self, b: Self, c: Self, d: Self) -> Option<Self> {
        let value = a.value.mul_add(b.value, -(c.value * d.value));
        let size = a.size * b.size + c.size * d.size;
        (value.is_finite() && size.is_finite()).then_some(Self { value, size })
    }

    fn shrink(list: &mut [Self]) {
        let largest = list.iter().map(|v| v.size).fold(0.0, f64::max);
        if largest > 0.0 {
            for v in list {
                v.value /= largest;
                v.size /= largest;
            }
        }
    }
}

/// The points as whole numbers, every column multiplied with a power of ten; `None` where they have
/// too many digits.
fn whole(points: &Matrix<f64>, has_constant: bool) -> Option<Vec<Vec<i128>>> {
    // Digits behind and before the point of one column, so that a product fits.
    const MOST_DIGITS: i32 = 17;
    let mut vectors = vec![Vec::new(); points.rows()];
    for column in 0..points.columns() {
        let parts: Vec<(i128, i32)> = (0..points.rows())
            .map(|row| decimal(points[(row, column)]))
            .collect::<Option<_>>()?;
        let used = parts.iter().filter(|(digits, _)| *digits != 0);
        let least = used.map(|(_, power)| *power).min().unwrap_or(0);
        for ((digits, power), vector) in parts.into_iter().zip(&mut vectors) {
            let shift = if digits == 0 { 0 } else { power - least };
            if shift > MOST_DIGITS {
                return None;
            }
            vector.push(digits.checked_mul(10_i128.checked_pow(shift as u32)?)?);
        }
    }
    if has_constant {
        vectors.iter_mut().for_each(|vector| vector.push(1));
    }
    Some(vectors)
}

/// A double as digits·10^power, by the shortest decimals that stand for it.
fn decimal(value: f64) -> Option<(i128, i32)> {
    let text = format!("{value:e}");
    let (mantissa, power) = text.split_once('e')?;
    let behind = mantissa
        .split_once('.')
        .map_or(0, |(_, digits)| digits.len());
    let digits: i128 = mantissa.replace('.', "").parse().ok()?;
    let power: i32 = power.parse().ok()?;
    Some((digits, power - behind as i32))
}

/// The points as doubles, every column divided by its largest value.
fn rounded(points: &Matrix<f64>, has_constant: bool) -> Vec<Vec<Rounded>> {
    let mut vectors = vec![Vec::new(); points.rows()];
    for column in 0..points.columns() {
        let values = (0..points.rows()).map(|row| points[(row, column)]);
        let largest = values.clone().fold(0.0, |most: f64, v| most.max(v.abs()));
        let unit = if largest > 0.0 { largest } else { 1.0 };
        for (value, vector) in values.zip(&mut vectors) {
            vector.push(Rounded {
                value: value / unit,
                size: value.abs() / unit,
            });
        }
    }
    if has_constant {
        vectors
            .iter_mut()
            .for_each(|vector| vector.push(Number::ONE));
    }
    vectors
}

/// The signs of a combination of the vectors that is zero: outer `None` where numbers are too
/// large, inner `None` where there is none.
#[expect(clippy::option_option, reason = "two ways not to have a result")]
fn dependency<T: Number>(vectors: &[Vec<T>]) -> Option<Option<Vec<bool>>> {
    let (count, width) = (vectors.len(), vectors[0].len());
    // Vectors in echelon form, each with its pivot, followed by how the given ones make it.
    let mut basis: Vec<(usize, Vec<T>)> = Vec::new();
    for (at, vector) in vectors.iter().enumerate() {
        let mut rest = vector.clone();
        rest.extend((0..count).map(|i| if i == at { T::ONE } else { T::ZERO }));
        for (pivot, known) in &basis {
            rest = along(&rest, known, *pivot)?;
        }
        if let Some(pivot) = (0..width).find(|&i| !rest[i].is_zero()) {
            basis.push((pivot, rest));
        } else {
            let combination = &rest[width..];
            let sign = |v: &T| (!v.is_zero()).then(|| v.is_negative());
            // One of them must be negative: the plane may not touch those.
            let turn = !combination.iter().any(|v| sign(v) == Some(true));
            let labels = combination.iter().map(|v| sign(v) != Some(true));
            return Some(Some(if turn {
                combination.iter().map(|v| sign(v) != Some(false)).collect()
            } else {
                labels.collect()
            }));
        }
    }
    Some(None)
}

/// A positive multiple of `vector`, moved along `line` until its entry at `pivot` is zero.
fn along<T: Number>(vector: &[T], line: &[T], pivot: usize) -> Option<Vec<T>> {
    let (own, of_line) = (vector[pivot], line[pivot]);
    let mut moved: Vec<T> = vector
        .iter()
        .zip(line)
        .map(|(v, l)| {
            if of_line.is_negative() {
                T::cross(*l, own, *v, of_line)
            } else {
                T::cross(*v, of_line, *l, own)
            }
        })
        .collect::<Option<_>>()?;
    moved[pivot] = T::ZERO;
    T::shrink(&mut moved);
    Some(moved)
}

/// The number of labellings by planes through the origin that touch none of the vectors.
fn labellings<T: Number>(vectors: &[Vec<T>]) -> Option<u64> {
    let Some((x, others)) = vectors.split_last() else {
        return Some(1);
    };
    let Some(pivot) = x.iter().position(|v| !v.is_zero()) else {
        // The origin lies on every plane.
        return Some(0);
    };
    if others.is_empty() {
        return Some(2);
    }
    if x.len() == 1 {
        return Some(if others.iter().all(|v| !v[0].is_zero()) {
            2
        } else {
            0
        });
    }
    if x.len() == 2 {
        return lines(vectors);
    }
    let without = labellings(others)?;
    let mut projected = Vec::with_capacity(others.len());
    for other in others {
        let mut moved = along(other, x, pivot)?;
        moved.swap_remove(pivot);
        if moved.iter().all(|v| v.is_zero()) {
            return Some(without);
        }
        projected.push(moved);
    }
    Some(without + labellings(&projected)?)
}

/// Twice the number of lines through the origin that vectors of the plane lie on.
fn lines<T: Number>(vectors: &[Vec<T>]) -> Option<u64> {
    let mut distinct: Vec<&Vec<T>> = Vec::new();
    for vector in vectors {
        if vector.iter().all(|v| v.is_zero()) {
            return Some(0);
        }
        let mut is_new = true;
        for line in &distinct {
            is_new &= !T::cross(vector[0], line[1], vector[1], line[0])?.is_zero();
        }
        if is_new {
            distinct.push(vector);
        }
    }
    Some(2 * distinct.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{ClassTargets, Dataset, Records, Targets};
    use crate::fit::FitContext;
    use crate::learn::Estimator;
    use crate::learn::margin::{Bias, Softness, Svc};

    fn points(columns: usize, values: &[f64]) -> Matrix<f64> {
        Matrix::from_vec(values.len() / columns, columns, values.to_vec())
    }

    /// Counts with one hard-margin classifier per labelling.
    fn by_machines(points: &Matrix<f64>, bias: Bias) -> u64 {
        let rows = points.rows();
        // One label alone is always made by a plane with a constant; through the origin it is a
        // question of its own, so the tests ask for constants only.
        assert_eq!(bias, Bias::Free);
        let machine = Svc::default()
            .kernel("linear".parse().unwrap())
            .softness(Softness::Hard)
            .bias(bias);
        let mut reached = 2;
        for labelling in 1..(1_u32 << rows) - 1 {
            let codes = (0..rows).map(|row| labelling >> row & 1).collect();
            let classes = ClassTargets {
                labels: vec!["a".to_owned(), "b".to_owned()],
                codes,
            };
            let data = Dataset::try_new(
                Records::from_points(points.clone()),
                Targets::Classes(classes),
            )
            .unwrap();
            match machine.fit(&data, &FitContext::default()) {
                Ok(_) => reached += 1,
                Err(Error::NotSeparable { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
        reached
    }

    #[test]
    fn the_half_planes_of_the_course() {
        let three = shatter(&points(2, &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]), true).unwrap();
        assert!(three.shattered && three.exact && three.witness.is_none());
        assert_eq!((three.reached, three.all), (8, 8));
        // Corners of a square: only the two labellings of XOR are missing.
        let square = points(2, &[0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0]);
        let four = shatter(&square, true).unwrap();
        assert_eq!((four.shattered, four.reached, four.all), (false, 14, 16));
        let witness = four.witness.unwrap();
        assert_eq!(witness[0], witness[1]);
        assert_eq!(witness[2], witness[3]);
        assert_ne!(witness[0], witness[2]);
    }

    #[test]
    fn every_set_of_four_points_on_a_grid_fails() {
        let grid: Vec<(f64, f64)> = (0..9)
            .map(|i| (f64::from(i % 3), f64::from(i / 3)))
            .collect();
        for a in 0..9 {
            for b in a..9 {
                for c in b..9 {
                    for d in c..9 {
                        let set = [a, b, c, d].map(|i: usize| [grid[i].0, grid[i].1]).concat();
                        let found = shatter(&points(2, &set), true).unwrap();
                        assert!(!found.shattered && found.exact, "{set:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn counts_are_those_of_machines() {
        for set in [
            points(2, &[0.0, 0.0, 1.0, 0.0, 2.0, 0.0]),
            points(2, &[0.0, 0.0, 4.0, 0.0, 0.0, 4.0, 1.0, 1.0]),
            points(2, &[0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.5, 0.5]),
            points(1, &[3.0, 1.0, 2.0, 1.5]),
            points(
                3,
                &[
                    0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0,
                ],
            ),
        ] {
            let found = shatter(&set, true).unwrap();
            assert_eq!(found.reached, by_machines(&set, Bias::Free), "{set:?}");
        }
    }

    #[test]
    fn general_position_has_covers_number() {
        // 2 Σ_{i≤d} C(k−1, i) on the curve (t, t², t³).
        let mut curve = Vec::new();
        for t in 1..=9 {
            let t = f64::from(t);
            curve.extend([t, t * t, t * t * t]);
        }
        let found = shatter(&points(3, &curve), true).unwrap();
        assert_eq!(found.reached, 2 * (1 + 8 + 28 + 56));
        let found = shatter(&points(3, &curve), false).unwrap();
        assert_eq!(found.reached, 2 * (1 + 8 + 28));
    }

    #[test]
    fn planes_through_the_origin_know_fewer() {
        let two = points(2, &[1.0, 0.0, 0.0, 1.0]);
        assert!(shatter(&two, false).unwrap().shattered);
        let three = points(2, &[1.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
        let found = shatter(&three, false).unwrap();
        assert_eq!((found.shattered, found.reached), (false, 6));
        // x and y positive, x + y negative.
        let witness = found.witness.unwrap();
        assert!(witness[0] == witness[1] && witness[1] != witness[2]);
        let origin = shatter(&points(2, &[0.0, 0.0]), false).unwrap();
        assert_eq!((origin.shattered, origin.reached), (false, 0));
        assert_eq!(origin.witness, Some(vec![false]));
    }

    #[test]
    fn decimals_are_taken_at_their_word() {
        // 0.1, 0.2, 0.3 with heights 1, 2, 3 lie on a line, which doubles would deny.
        let line = points(2, &[0.1, 1.0, 0.2, 2.0, 0.3, 3.0]);
        let found = shatter(&line, true).unwrap();
        assert_eq!(
            (found.exact, found.shattered, found.reached),
            (true, false, 6)
        );
        let bent = points(2, &[0.1, 1.0, 0.2, 2.0, 0.300_000_000_1, 3.0]);
        assert!(shatter(&bent, true).unwrap().shattered);
    }

    #[test]
    fn numbers_of_many_digits_are_rounded() {
        let third = 1.0 / 3.0;
        let set = points(2, &[third, 1e-30, 1e25, 1.0, 0.0, third]);
        let found = shatter(&set, true).unwrap();
        assert!(!found.exact && found.shattered);
    }

    #[test]
    fn twenty_points_take_no_hour() {
        let mut state = 1_u64;
        let values: Vec<f64> = (0..20 * 6)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                f64::from((state >> 33) as u32 % 1000)
            })
            .collect();
        let found = shatter(&points(6, &values), true).unwrap();
        let cover = 2 * (1 + 19 + 171 + 969 + 3876 + 11_628 + 27_132);
        assert!(!found.shattered && found.reached <= cover);
    }

    #[test]
    fn bad_points_are_named() {
        let many = Matrix::zeros(21, 1);
        let error = shatter(&many, true).unwrap_err().to_string();
        assert!(error.contains("21 points"), "{error}");
        assert!(shatter(&Matrix::zeros(0, 2), true).is_err());
        let error = shatter(&points(2, &[1.0, 2.0, f64::NAN, 0.0]), true).unwrap_err();
        assert!(error.to_string().contains("row 2, column 1"), "{error}");
    }
}
