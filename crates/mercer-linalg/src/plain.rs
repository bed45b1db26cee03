//! The backend in plain loops, for processes whose address space is small.
//!
//! Products in faer set aside a buffer of twice the largest cache for every thread that makes one,
//! and a process that cannot have it is ended by the allocator: on a machine with 260 MiB of cache
//! that is half a gigabyte a thread. What is here takes no memory beside copies of its operands, and
//! some ten times as long. Which of the two serves is decided once, so that a process never mixes
//! their roundings.

#![expect(unsafe_code, reason = "operands are raw parts")]

use std::sync::OnceLock;

use crate::backend::Raw;
use crate::error::LinalgError;
use crate::real::Real;

/// The largest cache, where the system does not tell.
const UNKNOWN_CACHE: u64 = 256 << 20;
/// Passes over all pairs of columns, or steps per eigenvalue, before a decomposition is given up.
const MOST_PASSES: usize = 60;

/// Whether the address space is too small for the buffers of faer's products.
pub(crate) fn is_needed() -> bool {
    static NEEDED: OnceLock<bool> = OnceLock::new();
    *NEEDED.get_or_init(|| {
        if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
            return false;
        }
        let limits = std::fs::read_to_string("/proc/self/limits").ok();
        let Some(limit) = limits.and_then(|text| address_space(&text)) else {
            return false;
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = cores.max(rayon::current_num_threads()) as u64 + 1;
        let cache = largest_cache().unwrap_or(UNKNOWN_CACHE);
        // Half of the room is for the matrices themselves.
        limit / 2 < 2 * cache * threads
    })
}

/// The soft limit of the address space, from `/proc/self/limits`; `None` where there is none.
fn address_space(text: &str) -> Option<u64> {
    let line = text.lines().find(|l| l.starts_with("Max address space"))?;
    line.split_whitespace().nth(3)?.parse().ok()
}

/// The largest cache of the first core, as the system writes it: `266240K`.
fn largest_cache() -> Option<u64> {
    let size = |level: usize| {
        let path = format!("/sys/devices/system/cpu/cpu0/cache/index{level}/size");
        cache_bytes(std::fs::read_to_string(path).ok()?.trim())
    };
    (0..8).filter_map(size).max()
}

fn cache_bytes(text: &str) -> Option<u64> {
    let (number, unit) = match text.as_bytes().last()? {
        b'K' => (&text[..text.len() - 1], 1 << 10),
        b'M' => (&text[..text.len() - 1], 1 << 20),
        b'G' => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    number.parse::<u64>().ok().map(|n| n * unit)
}

/// A copy of an operand, column by column.
struct Panel<T> {
    rows: usize,
    columns: usize,
    values: Vec<T>,
}

impl<T: Real> Panel<T> {
    fn zeros(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns,
            values: vec![T::ZERO; rows * columns],
        }
    }

    /// # Safety
    /// The parts describe valid memory.
    unsafe fn read(raw: Raw<*const T>) -> Self {
        let mut read = Self::zeros(raw.rows, raw.columns);
        for j in 0..raw.columns {
            for (i, value) in read.column_mut(j).iter_mut().enumerate() {
                let place = i as isize * raw.row_stride + j as isize * raw.column_stride;
                // SAFETY: promised by the caller.
                *value = unsafe { *raw.pointer.offset(place) };
            }
        }
        read
    }

    /// # Safety
    /// The parts describe valid memory.
    unsafe fn read_mut(raw: Raw<*mut T>) -> Self {
        // SAFETY: promised by the caller.
        unsafe {
            Self::read(Raw {
                pointer: raw.pointer.cast_const(),
                rows: raw.rows,
                columns: raw.columns,
                row_stride: raw.row_stride,
                column_stride: raw.column_stride,
            })
        }
    }

    /// # Safety
    /// The parts describe valid memory of the same shape.
    unsafe fn write(&self, raw: Raw<*mut T>) {
        for j in 0..raw.columns {
            for (i, value) in self.column(j).iter().enumerate() {
                let place = i as isize * raw.row_stride + j as isize * raw.column_stride;
                // SAFETY: promised by the caller.
                unsafe { *raw.pointer.offset(place) = *value };
            }
        }
    }

    fn at(&self, row: usize, column: usize) -> T {
        self.values[column * self.rows + row]
    }

    fn column(&self, column: usize) -> &[T] {
        &self.values[column * self.rows..(column + 1) * self.rows]
    }

    fn column_mut(&mut self, column: usize) -> &mut [T] {
        &mut self.values[column * self.rows..(column + 1) * self.rows]
    }

    /// Two columns, the first before the second.
    fn pair(&mut self, first: usize, second: usize) -> (&mut [T], &mut [T]) {
        let (head, tail) = self.values.split_at_mut(second * self.rows);
        let start = first * self.rows;
        (&mut head[start..start + self.rows], &mut tail[..self.rows])
    }

    fn transposed(&self) -> Self {
        let mut turned = Self::zeros(self.columns, self.rows);
        for j in 0..self.rows {
            for (i, value) in turned.column_mut(j).iter_mut().enumerate() {
                *value = self.at(j, i);
            }
        }
        turned
    }
}

fn add_times<T: Real>(into: &mut [T], factor: T, from: &[T]) {
    for (x, y) in into.iter_mut().zip(from) {
        *x += factor * *y;
    }
}

fn inner<T: Real>(one: &[T], other: &[T]) -> T {
    one.iter().zip(other).map(|(x, y)| *x * *y).sum()
}

/// ‖x‖ without squares that leave the range.
fn norm<T: Real>(values: &[T]) -> T {
    let largest = values
        .iter()
        .fold(T::ZERO, |m, v| if v.abs() > m { v.abs() } else { m });
    if largest == T::ZERO || !largest.is_finite() {
        return largest;
    }
    let square: T = values.iter().map(|v| (*v / largest) * (*v / largest)).sum();
    largest * square.sqrt()
}

/// Rotates two columns: (c x + s y, c y − s x).
fn rotate<T: Real>(x: &mut [T], y: &mut [T], c: T, s: T) {
    for (a, b) in x.iter_mut().zip(y) {
        let (old, other) = (*a, *b);
        *a = c * old + s * other;
        *b = c * other - s * old;
    }
}

/// Makes x the vector v of a reflection I − τvvᵀ that takes x to (β, 0, …), v₀ = 1; returns τ and β.
fn reflection<T: Real>(x: &mut [T]) -> (T, T) {
    let first = x[0];
    if x[1..].iter().all(|v| *v == T::ZERO) {
        x[0] = T::ONE;
        return (T::ZERO, first);
    }
    let size = norm(x);
    let beta = if first > T::ZERO { -size } else { size };
    let below = first - beta;
    x[0] = T::ONE;
    for value in &mut x[1..] {
        *value /= below;
    }
    (-below / beta, beta)
}

/// x − τ(vᵀx)v.
fn reflect_one<T: Real>(x: &mut [T], tau: T, v: &[T]) {
    let along = inner(v, x);
    add_times(x, -tau * along, v);
}

/// # Safety
/// As [`crate::backend::Backend::matmul`].
pub(crate) unsafe fn matmul<T: Real>(
    c: Raw<*mut T>,
    a: Raw<*const T>,
    b: Raw<*const T>,
    alpha: T,
    replace: bool,
) {
    // SAFETY: promised by the caller.
    let (left, right) = unsafe { (Panel::read(a), Panel::read(b)) };
    let mut sum = if replace {
        Panel::zeros(c.rows, c.columns)
    } else {
        // SAFETY: promised by the caller.
        unsafe { Panel::read_mut(c) }
    };
    for j in 0..c.columns {
        for k in 0..left.columns {
            add_times(sum.column_mut(j), alpha * right.at(k, j), left.column(k));
        }
    }
    // SAFETY: promised by the caller.
    unsafe { sum.write(c) };
}

/// # Safety
/// As [`crate::backend::Backend::cholesky`].
pub(crate) unsafe fn cholesky<T: Real>(a: Raw<*mut T>) -> Result<(), usize> {
    // SAFETY: promised by the caller.
    let mut factor = unsafe { Panel::read_mut(a) };
    for j in 0..a.rows {
        for k in 0..j {
            let (done, own) = factor.pair(k, j);
            add_times(&mut own[j..], -done[j], &done[j..]);
        }
        let own = &mut factor.column_mut(j)[j..];
        let pivot = own[0];
        if !(pivot > T::ZERO && pivot.is_finite()) {
            return Err(j);
        }
        let root = pivot.sqrt();
        own.iter_mut().for_each(|v| *v /= root);
    }
    // SAFETY: promised by the caller.
    unsafe { factor.write(a) };
    Ok(())
}

/// # Safety
/// As [`crate::backend::Backend::solve_lower`].
pub(crate) unsafe fn solve_lower<T: Real>(l: Raw<*const T>, b: Raw<*mut T>) {
    // SAFETY: promised by the caller.
    let (lower, mut sides) = unsafe { (Panel::read(l), Panel::read_mut(b)) };
    for j in 0..b.columns {
        let x = sides.column_mut(j);
        for i in 0..l.rows {
            let (own, below) = x[i..].split_at_mut(1);
            own[0] /= lower.at(i, i);
            add_times(below, -own[0], &lower.column(i)[i + 1..]);
        }
    }
    // SAFETY: promised by the caller.
    unsafe { sides.write(b) };
}

/// # Safety
/// As [`crate::backend::Backend::solve_upper`].
pub(crate) unsafe fn solve_upper<T: Real>(u: Raw<*const T>, b: Raw<*mut T>) {
    // SAFETY: promised by the caller.
    let (upper, mut sides) = unsafe { (Panel::read(u), Panel::read_mut(b)) };
    for j in 0..b.columns {
        let x = sides.column_mut(j);
        for i in (0..u.rows).rev() {
            let (above, own) = x.split_at_mut(i);
            own[0] /= upper.at(i, i);
            add_times(above, -own[0], &upper.column(i)[..i]);
        }
    }
    // SAFETY: promised by the caller.
    unsafe { sides.write(b) };
}

/// # Safety
/// As [`crate::backend::Backend::add_square`].
pub(crate) unsafe fn add_square<T: Real>(c: Raw<*mut T>, a: Raw<*const T>) {
    // SAFETY: promised by the caller.
    let (mut sum, factor) = unsafe { (Panel::read_mut(c), Panel::read(a)) };
    for k in 0..a.columns {
        let column = factor.column(k);
        for j in 0..c.columns {
            add_times(&mut sum.column_mut(j)[j..], column[j], &column[j..]);
        }
    }
    // SAFETY: promised by the caller.
    unsafe { sum.write(c) };
}

/// # Safety
/// As [`crate::backend::Backend::reflections`]; the coefficients τ are on the diagonal.
pub(crate) unsafe fn reflections<T: Real>(a: Raw<*mut T>, coefficients: Raw<*mut T>) {
    // SAFETY: promised by the caller.
    let mut panel = unsafe { Panel::read_mut(a) };
    let mut square = Panel::zeros(coefficients.rows, coefficients.columns);
    for k in 0..a.rows.min(a.columns) {
        let mut v = panel.column(k)[k..].to_vec();
        let (tau, beta) = reflection(&mut v);
        for j in k + 1..a.columns {
            reflect_one(&mut panel.column_mut(j)[k..], tau, &v);
        }
        v[0] = beta;
        panel.column_mut(k)[k..].copy_from_slice(&v);
        square.column_mut(k)[k] = tau;
    }
    // SAFETY: promised by the caller.
    unsafe {
        panel.write(a);
        square.write(coefficients);
    }
}

/// # Safety
/// As [`crate::backend::Backend::reflect`], of what [`reflections`] wrote.
pub(crate) unsafe fn reflect<T: Real>(
    a: Raw<*const T>,
    coefficients: Raw<*const T>,
    sides: Raw<*mut T>,
    transposed: bool,
) {
    // SAFETY: promised by the caller.
    let (panel, square) = unsafe { (Panel::read(a), Panel::read(coefficients)) };
    // SAFETY: promised by the caller.
    let mut turned = unsafe { Panel::read_mut(sides) };
    let count = a.rows.min(a.columns);
    let order: Vec<usize> = if transposed {
        (0..count).collect()
    } else {
        (0..count).rev().collect()
    };
    for k in order {
        let mut v = panel.column(k)[k..].to_vec();
        v[0] = T::ONE;
        for j in 0..sides.columns {
            reflect_one(&mut turned.column_mut(j)[k..], square.at(k, k), &v);
        }
    }
    // SAFETY: promised by the caller.
    unsafe { turned.write(sides) };
}

/// # Safety
/// As [`crate::backend::Backend::tridiagonalise`].
pub(crate) unsafe fn tridiagonalise<T: Real>(a: Raw<*mut T>, sides: Raw<*mut T>) {
    // SAFETY: promised by the caller.
    let (mut matrix, mut turned) = unsafe { (Panel::read_mut(a), Panel::read_mut(sides)) };
    reduce(&mut matrix, &mut turned);
    // SAFETY: promised by the caller.
    unsafe {
        matrix.write(a);
        turned.write(sides);
    }
}

/// Leaves QᵀAQ in the diagonal and below it, and Qᵀ times the sides.
///
/// With p = τAv and w = p − ½τ(pᵀv)v a reflection from both sides is A − vwᵀ − wvᵀ.
fn reduce<T: Real>(matrix: &mut Panel<T>, sides: &mut Panel<T>) {
    let n = matrix.rows;
    for j in 0..n {
        for i in 0..j {
            let lower = matrix.at(j, i);
            matrix.column_mut(j)[i] = lower;
        }
    }
    for k in 0..n.saturating_sub(2) {
        let mut v = matrix.column(k)[k + 1..].to_vec();
        let (tau, beta) = reflection(&mut v);
        let mut w = vec![T::ZERO; v.len()];
        for (j, own) in v.iter().enumerate() {
            add_times(&mut w, tau * *own, &matrix.column(k + 1 + j)[k + 1..]);
        }
        let half = T::from_f64(0.5) * tau * inner(&w, &v);
        add_times(&mut w, -half, &v);
        for j in 0..v.len() {
            let column = &mut matrix.column_mut(k + 1 + j)[k + 1..];
            add_times(column, -w[j], &v);
            add_times(column, -v[j], &w);
        }
        matrix.column_mut(k)[k + 1] = beta;
        for j in 0..sides.columns {
            reflect_one(&mut sides.column_mut(j)[k + 1..], tau, &v);
        }
    }
}

/// # Safety
/// As [`crate::backend::Backend::eigen`].
///
/// The tridiagonal form is rotated to a diagonal one by implicit steps with Wilkinson's shift
/// (Golub and Van Loan, Matrix Computations, 4th edition, section 8.3).
pub(crate) unsafe fn eigen<T: Real>(
    a: Raw<*const T>,
    values: &mut [T],
    vectors: Option<Raw<*mut T>>,
) -> Result<(), LinalgError> {
    let n = a.rows;
    // SAFETY: promised by the caller.
    let mut matrix = unsafe { Panel::read(a) };
    let width = if vectors.is_some() { n } else { 0 };
    let mut sides = Panel::zeros(n, width);
    for j in 0..width {
        sides.column_mut(j)[j] = T::ONE;
    }
    reduce(&mut matrix, &mut sides);
    let mut frame = sides.transposed();
    let mut diagonal: Vec<T> = (0..n).map(|i| matrix.at(i, i)).collect();
    let mut beside: Vec<T> = (1..n).map(|i| matrix.at(i, i - 1)).collect();
    let is_small =
        |d: &[T], e: &[T], i: usize| e[i].abs() <= T::EPSILON * (d[i].abs() + d[i + 1].abs());
    let (mut last, mut steps) = (n.saturating_sub(1), 0);
    while last > 0 {
        if is_small(&diagonal, &beside, last - 1) {
            beside[last - 1] = T::ZERO;
            (last, steps) = (last - 1, 0);
            continue;
        }
        steps += 1;
        if steps > MOST_PASSES {
            return Err(LinalgError::NoConvergence);
        }
        let mut first = last - 1;
        while first > 0 && !is_small(&diagonal, &beside, first - 1) {
            first -= 1;
        }
        chase(&mut diagonal, &mut beside, first..last, &mut frame);
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| diagonal[i].to_f64().total_cmp(&diagonal[j].to_f64()));
    for (value, &i) in values.iter_mut().zip(&order) {
        *value = diagonal[i];
    }
    if let Some(raw) = vectors {
        let mut sorted = Panel::zeros(n, n);
        for (place, &i) in order.iter().enumerate() {
            sorted.column_mut(place).copy_from_slice(frame.column(i));
        }
        // SAFETY: promised by the caller.
        unsafe { sorted.write(raw) };
    }
    Ok(())
}

/// One implicit step on the rows from the start of a range to its end, both included.
fn chase<T: Real>(d: &mut [T], e: &mut [T], rows: std::ops::Range<usize>, frame: &mut Panel<T>) {
    let (first, last) = (rows.start, rows.end);
    let half = T::from_f64(0.5) * (d[last - 1] - d[last]);
    let off = e[last - 1];
    let size = half.abs() + norm(&[half, off]);
    let towards = off * (off / size);
    let shift = d[last] - if half < T::ZERO { -towards } else { towards };
    let (mut x, mut bulge) = (d[first] - shift, e[first]);
    for k in first..last {
        let r = norm(&[x, bulge]);
        let (c, s) = if r == T::ZERO {
            (T::ONE, T::ZERO)
        } else {
            (x / r, bulge / r)
        };
        if k > first {
            e[k - 1] = r;
        }
        let (here, between, next) = (d[k], e[k], d[k + 1]);
        let cross = c * s * (between + between);
        d[k] = c * c * here + cross + s * s * next;
        d[k + 1] = s * s * here - cross + c * c * next;
        e[k] = c * s * (next - here) + (c * c - s * s) * between;
        if k + 1 < last {
            x = e[k];
            bulge = s * e[k + 1];
            e[k + 1] = c * e[k + 1];
        }
        if frame.columns > 0 {
            let (one, other) = frame.pair(k, k + 1);
            rotate(one, other, c, s);
        }
    }
}

/// # Safety
/// As [`crate::backend::Backend::right_svd`].
///
/// Panel are rotated in pairs until all are orthogonal (Hestenes, Journal of the SIAM 6, 1958).
pub(crate) unsafe fn right_svd<T: Real>(
    a: Raw<*const T>,
    values: &mut [T],
    vectors: Raw<*mut T>,
) -> Result<(), LinalgError> {
    // SAFETY: promised by the caller.
    let matrix = unsafe { Panel::read(a) };
    let is_wide = a.columns > a.rows;
    let mut work = if is_wide { matrix.transposed() } else { matrix };
    let size = work.columns;
    let mut turned = Panel::zeros(if is_wide { 0 } else { size }, size);
    if !is_wide {
        for j in 0..size {
            turned.column_mut(j)[j] = T::ONE;
        }
    }
    orthogonalise(&mut work, &mut turned)?;
    let nothing = nothing_of(&work);
    let sizes: Vec<T> = (0..size)
        .map(|j| norm(work.column(j)))
        .map(|size| if size <= nothing { T::ZERO } else { size })
        .collect();
    let mut order: Vec<usize> = (0..size).collect();
    order.sort_by(|&i, &j| sizes[j].to_f64().total_cmp(&sizes[i].to_f64()));
    let mut found = Panel::zeros(a.columns, size);
    for (place, &j) in order.iter().enumerate() {
        values[place] = sizes[j];
        if is_wide {
            found.column_mut(place).copy_from_slice(work.column(j));
            normalise(&mut found, place, sizes[j]);
        } else {
            found.column_mut(place).copy_from_slice(turned.column(j));
        }
    }
    // SAFETY: promised by the caller.
    unsafe { found.write(vectors) };
    Ok(())
}

/// The length below which a column is nothing but rounding, and has every angle with others.
fn nothing_of<T: Real>(work: &Panel<T>) -> T {
    let largest = (0..work.columns).fold(T::ZERO, |most, j| {
        let size = norm(work.column(j));
        if size > most { size } else { most }
    });
    T::from_f64(work.rows.max(8) as f64) * T::EPSILON * largest
}

/// Rotates columns until the products of all pairs are rounding; the same is done to `turned`.
fn orthogonalise<T: Real>(work: &mut Panel<T>, turned: &mut Panel<T>) -> Result<(), LinalgError> {
    let two = T::ONE + T::ONE;
    let nothing = nothing_of(work);
    for _ in 0..MOST_PASSES {
        let mut is_done = true;
        for i in 0..work.columns {
            for j in i + 1..work.columns {
                let (x, y) = work.pair(i, j);
                let (sizes, product) = ((norm(x), norm(y)), inner(x, y));
                let bound = T::from_f64(8.0) * T::EPSILON * sizes.0 * sizes.1;
                if product.abs() <= bound || sizes.0 <= nothing || sizes.1 <= nothing {
                    continue;
                }
                is_done = false;
                // tan of the angle that makes the product vanish.
                let cot = (sizes.1 - sizes.0) * (sizes.1 + sizes.0) / (two * product);
                let root = (T::ONE + cot * cot).sqrt();
                let tan = T::ONE
                    / if cot < T::ZERO {
                        cot - root
                    } else {
                        cot + root
                    };
                let c = T::ONE / (T::ONE + tan * tan).sqrt();
                rotate(x, y, c, -(c * tan));
                if turned.rows > 0 {
                    let (x, y) = turned.pair(i, j);
                    rotate(x, y, c, -(c * tan));
                }
            }
        }
        if is_done {
            return Ok(());
        }
    }
    Err(LinalgError::NoConvergence)
}

/// Makes a column one of length 1, orthogonal to those before it where it is zero.
fn normalise<T: Real>(found: &mut Panel<T>, place: usize, size: T) {
    if size > T::ZERO {
        found.column_mut(place).iter_mut().for_each(|v| *v /= size);
        return;
    }
    for axis in 0..found.rows {
        found.column_mut(place).fill(T::ZERO);
        found.column_mut(place)[axis] = T::ONE;
        // Twice is enough.
        for _ in 0..2 {
            for before in 0..place {
                let (known, own) = found.pair(before, place);
                reflect_away(own, known);
            }
        }
        let left = norm(found.column(place));
        if left > T::from_f64(1e-3) {
            found.column_mut(place).iter_mut().for_each(|v| *v /= left);
            return;
        }
    }
}

/// x without its part along a vector of length 1.
fn reflect_away<T: Real>(x: &mut [T], along: &[T]) {
    let part = inner(x, along);
    add_times(x, -part, along);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Backend;

    fn filled(rows: usize, columns: usize) -> Panel<f64> {
        let value = |k: usize| ((k * 37 + k * k * 11) % 101) as f64 / 50.0 - 1.0;
        Panel {
            rows,
            columns,
            values: (0..rows * columns).map(value).collect(),
        }
    }

    fn symmetric(n: usize) -> Panel<f64> {
        let half = filled(n, n);
        let other = half.transposed();
        let values = half.values.iter().zip(&other.values);
        Panel {
            rows: n,
            columns: n,
            values: values.map(|(a, b)| a + b).collect(),
        }
    }

    fn raw(columns: &Panel<f64>) -> Raw<*const f64> {
        Raw {
            pointer: columns.values.as_ptr(),
            rows: columns.rows,
            columns: columns.columns,
            row_stride: 1,
            column_stride: columns.rows as isize,
        }
    }

    fn raw_mut(columns: &mut Panel<f64>) -> Raw<*mut f64> {
        Raw {
            pointer: columns.values.as_mut_ptr(),
            rows: columns.rows,
            columns: columns.columns,
            row_stride: 1,
            column_stride: columns.rows as isize,
        }
    }

    fn close(one: &[f64], other: &[f64]) {
        assert_eq!(one.len(), other.len());
        for (a, b) in one.iter().zip(other) {
            assert!((a - b).abs() < 1e-11, "{a} {b}");
        }
    }

    fn product(a: &Panel<f64>, b: &Panel<f64>) -> Panel<f64> {
        let mut c = Panel::zeros(a.rows, b.columns);
        // SAFETY: the parts are those of matrices of these shapes.
        unsafe { matmul(raw_mut(&mut c), raw(a), raw(b), 1.0, true) };
        c
    }

    #[test]
    fn products_and_factors_are_those_of_the_other_backend() {
        let (a, b) = (filled(7, 5), filled(5, 6));
        let (mut one, mut other) = (filled(7, 6), filled(7, 6));
        // SAFETY: the parts are those of matrices of these shapes.
        unsafe {
            matmul(raw_mut(&mut one), raw(&a), raw(&b), -0.5, false);
            f64::matmul(raw_mut(&mut other), raw(&a), raw(&b), -0.5, false);
        }
        close(&one.values, &other.values);
        let mut square = Panel::zeros(7, 7);
        for i in 0..7 {
            square.column_mut(i)[i] = 9.0;
        }
        // SAFETY: as above.
        unsafe { add_square(raw_mut(&mut square), raw(&a)) };
        assert_eq!(square.at(0, 3), 0.0);
        let mut same = Panel {
            values: square.values.clone(),
            ..square
        };
        // SAFETY: as above.
        unsafe {
            assert_eq!(cholesky(raw_mut(&mut square)), Ok(()));
            assert_eq!(f64::cholesky(raw_mut(&mut same)), Ok(()));
        }
        // What is above the diagonal means nothing.
        for j in 0..7 {
            close(&square.column(j)[j..], &same.column(j)[j..]);
        }
        let (mut x, mut y) = (filled(7, 3), filled(7, 3));
        let upper = square.transposed();
        // SAFETY: as above.
        unsafe {
            solve_lower(raw(&square), raw_mut(&mut x));
            solve_upper(raw(&upper), raw_mut(&mut x));
            f64::solve_lower(raw(&square), raw_mut(&mut y));
            f64::solve_upper(raw(&upper), raw_mut(&mut y));
        }
        close(&x.values, &y.values);
        let mut indefinite = symmetric(4);
        indefinite.column_mut(2)[2] = -50.0;
        // SAFETY: as above.
        assert!(unsafe { cholesky(raw_mut(&mut indefinite)) }.is_err());
    }

    #[test]
    fn reflections_are_undone() {
        let whole = filled(9, 4);
        let mut panel = filled(9, 4);
        let mut coefficients = Panel::zeros(4, 4);
        // SAFETY: the parts are those of matrices of these shapes.
        unsafe { reflections(raw_mut(&mut panel), raw_mut(&mut coefficients)) };
        let mut upper = Panel::zeros(9, 4);
        for j in 0..4 {
            upper.column_mut(j)[..=j].copy_from_slice(&panel.column(j)[..=j]);
        }
        let reflected = |sides: &mut Panel<f64>, transposed: bool| {
            // SAFETY: as above.
            unsafe { reflect(raw(&panel), raw(&coefficients), raw_mut(sides), transposed) };
        };
        reflected(&mut upper, false);
        close(&upper.values, &whole.values);
        let mut sides = filled(9, 2);
        reflected(&mut sides, true);
        reflected(&mut sides, false);
        close(&sides.values, &filled(9, 2).values);
    }

    #[test]
    fn eigenvectors_and_singular_vectors_rebuild_the_matrix() {
        for n in [1, 2, 3, 12, 30] {
            let a = symmetric(n);
            let (mut values, mut other) = (vec![0.0; n], vec![0.0; n]);
            let mut vectors = Panel::zeros(n, n);
            // SAFETY: the parts are those of matrices of these shapes.
            unsafe {
                eigen(raw(&a), &mut values, Some(raw_mut(&mut vectors))).unwrap();
                f64::eigen(raw(&a), &mut other, None).unwrap();
            }
            close(&values, &other);
            let mut scaled = Panel {
                values: vectors.values.clone(),
                ..vectors
            };
            for (j, value) in values.iter().enumerate() {
                scaled.column_mut(j).iter_mut().for_each(|v| *v *= value);
            }
            close(&product(&scaled, &vectors.transposed()).values, &a.values);
        }
        for (rows, columns) in [(8, 3), (3, 8), (5, 5), (1, 4)] {
            let mut a = filled(rows, columns);
            // Rank two at most, so that vectors of zero values are made as well.
            for j in 2..columns {
                let copy = a.column(j % 2).to_vec();
                a.column_mut(j).copy_from_slice(&copy);
            }
            let size = rows.min(columns);
            let (mut values, mut other) = (vec![0.0; size], vec![0.0; size]);
            let (mut v, mut w) = (Panel::zeros(columns, size), Panel::zeros(columns, size));
            // SAFETY: as above.
            unsafe {
                right_svd(raw(&a), &mut values, raw_mut(&mut v)).unwrap();
                f64::right_svd(raw(&a), &mut other, raw_mut(&mut w)).unwrap();
            }
            close(&values, &other);
            let gram = product(&v.transposed(), &v);
            let mut unit = Panel::zeros(size, size);
            for i in 0..size {
                unit.column_mut(i)[i] = 1.0;
            }
            close(&gram.values, &unit.values);
        }
    }

    #[test]
    fn tridiagonal_forms_have_the_same_eigenvalues() {
        let mut a = symmetric(9);
        let mut other = symmetric(9);
        let (mut sides, mut turned) = (filled(9, 2), filled(9, 2));
        // SAFETY: the parts are those of matrices of these shapes.
        unsafe {
            tridiagonalise(raw_mut(&mut a), raw_mut(&mut sides));
            f64::tridiagonalise(raw_mut(&mut other), raw_mut(&mut turned));
        }
        // Panel of either may have the other sign: what both know is without it.
        for i in 0..8 {
            assert!((a.at(i + 1, i).abs() - other.at(i + 1, i).abs()).abs() < 1e-11);
            assert!((a.at(i, i) - other.at(i, i)).abs() < 1e-11);
        }
        let size = |columns: &Panel<f64>| inner(columns.column(0), columns.column(0));
        assert!((size(&sides) - size(&turned)).abs() < 1e-11);
    }

    #[test]
    fn limits_and_caches_are_read_as_the_system_writes_them() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units\n\
                      Max address space         512000000            unlimited            bytes\n";
        assert_eq!(address_space(limits), Some(512_000_000));
        assert_eq!(
            address_space(&limits.replace("512000000", "unlimited")),
            None
        );
        assert_eq!(cache_bytes("266240K"), Some(260 << 20));
        assert_eq!(cache_bytes("32M"), Some(32 << 20));
        assert_eq!(cache_bytes("odd"), None);
    }
}
