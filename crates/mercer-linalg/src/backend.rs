//! Calls into faer, on raw parts: the only module that calls it. Where the address space is too small
//! for it, [`plain`] does the same.

#![expect(unsafe_code, reason = "views over raw parts for faer")]

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{
    LltError, LltParams, LltRegularization, cholesky_in_place, cholesky_in_place_scratch,
};
use faer::linalg::evd::tridiag::{TridiagParams, tridiag_in_place, tridiag_in_place_scratch};
use faer::linalg::evd::{
    ComputeEigenvectors, SelfAdjointEvdParams, self_adjoint_evd, self_adjoint_evd_scratch,
};
use faer::linalg::householder::{
    apply_block_householder_sequence_on_the_left_in_place_scratch,
    apply_block_householder_sequence_on_the_left_in_place_with_conj,
    apply_block_householder_sequence_transpose_on_the_left_in_place_scratch,
    apply_block_householder_sequence_transpose_on_the_left_in_place_with_conj,
};
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::qr::no_pivoting::factor::{
    QrParams, qr_in_place, qr_in_place_scratch, recommended_block_size,
};
use faer::linalg::svd::{ComputeSvdVectors, SvdParams, svd, svd_scratch};
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_upper_triangular_in_place,
};
use faer::{Accum, ColMut, Conj, Mat, MatMut, MatRef, Par, Spec};

use crate::error::LinalgError;
use crate::plain;

/// A matrix as pointer, shape and strides.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Raw<P> {
    /// First element.
    pub pointer: P,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Elements from one row to the next.
    pub row_stride: isize,
    /// Elements from one column to the next.
    pub column_stride: isize,
}

/// What the crate asks of faer, always on one thread.
#[doc(hidden)]
pub trait Backend: Sized {
    /// `c += alpha a b`, or `c = alpha a b` when `replace`.
    ///
    /// # Safety
    /// The parts describe valid memory; `c` overlaps neither `a` nor `b`.
    unsafe fn matmul(
        c: Raw<*mut Self>,
        a: Raw<*const Self>,
        b: Raw<*const Self>,
        alpha: Self,
        replace: bool,
    );
    /// Lower Cholesky factor in place; the error is the pivot.
    ///
    /// # Safety
    /// The parts describe valid memory.
    unsafe fn cholesky(a: Raw<*mut Self>) -> Result<(), usize>;
    /// `b = l⁻¹ b`.
    ///
    /// # Safety
    /// The parts describe valid memory without overlap.
    unsafe fn solve_lower(l: Raw<*const Self>, b: Raw<*mut Self>);
    /// `b = u⁻¹ b`.
    ///
    /// # Safety
    /// The parts describe valid memory without overlap.
    unsafe fn solve_upper(u: Raw<*const Self>, b: Raw<*mut Self>);
    /// Eigenvalues in ascending order and, when asked, eigenvectors as columns.
    ///
    /// # Safety
    /// The parts describe valid memory without overlap; `values` has one place a row.
    unsafe fn eigen(
        a: Raw<*const Self>,
        values: &mut [Self],
        vectors: Option<Raw<*mut Self>>,
    ) -> Result<(), LinalgError>;
    /// Singular values in descending order and the vectors of the columns of `a`, one per column.
    ///
    /// # Safety
    /// The parts describe valid memory without overlap; `values` has as many places as the smaller
    /// side of `a`, and `vectors` as many columns and the columns of `a` as rows.
    unsafe fn right_svd(
        a: Raw<*const Self>,
        values: &mut [Self],
        vectors: Raw<*mut Self>,
    ) -> Result<(), LinalgError>;
    /// Tridiagonal form `Qᵀ a Q` in the diagonal and the subdiagonal of `a`, and `sides = Qᵀ sides`.
    ///
    /// # Safety
    /// The parts describe valid memory without overlap; `a` is square, with at least two rows,
    /// and `sides` has as many.
    unsafe fn tridiagonalise(a: Raw<*mut Self>, sides: Raw<*mut Self>);
    /// `c += a aᵀ` in the lower triangle of `c`; the other one stays.
    ///
    /// # Safety
    /// The parts describe valid memory without overlap; `c` is square, with the rows of `a`.
    unsafe fn add_square(c: Raw<*mut Self>, a: Raw<*const Self>);
    /// `a = Q R` by Householder reflections: R in the upper triangle, the reflections below it,
    /// their coefficients in a square of the number of reflections.
    ///
    /// # Safety
    /// The parts describe valid memory without overlap.
    unsafe fn reflections(a: Raw<*mut Self>, coefficients: Raw<*mut Self>);
    /// `sides = Q sides`, or `Qᵀ sides` when `transposed`, of what [`Backend::reflections`] wrote.
    ///
    /// # Safety
    /// The parts describe valid memory without overlap; `sides` has the rows of `a`.
    unsafe fn reflect(
        a: Raw<*const Self>,
        coefficients: Raw<*const Self>,
        sides: Raw<*mut Self>,
        transposed: bool,
    );
}

/// Ends a call of faer.
///
/// Its kernels leave the upper halves of vector registers in use, and every older instruction that follows,
/// in the C library as well as here, would wait for them: a hundred cycles for an exponential.
struct Leave;

impl Drop for Leave {
    #[inline]
    fn drop(&mut self) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx") {
            // SAFETY: the instruction is there.
            unsafe { std::arch::x86_64::_mm256_zeroupper() };
        }
    }
}

macro_rules! backend {
    ($type:ident) => {
        impl Raw<*const $type> {
            unsafe fn view<'a>(self) -> MatRef<'a, $type> {
                // SAFETY: the caller of the backend promises valid parts.
                unsafe {
                    MatRef::from_raw_parts(
                        self.pointer,
                        self.rows,
                        self.columns,
                        self.row_stride,
                        self.column_stride,
                    )
                }
            }
        }

        impl Raw<*mut $type> {
            unsafe fn view_mut<'a>(self) -> MatMut<'a, $type> {
                // SAFETY: the caller of the backend promises valid parts.
                unsafe {
                    MatMut::from_raw_parts_mut(
                        self.pointer,
                        self.rows,
                        self.columns,
                        self.row_stride,
                        self.column_stride,
                    )
                }
            }
        }

        impl Backend for $type {
            unsafe fn matmul(
                c: Raw<*mut Self>,
                a: Raw<*const Self>,
                b: Raw<*const Self>,
                alpha: Self,
                replace: bool,
            ) {
                let _leave = Leave;
                if plain::is_needed() {
                    // SAFETY: promised by the caller.
                    return unsafe { plain::matmul(c, a, b, alpha, replace) };
                }
                let accum = if replace { Accum::Replace } else { Accum::Add };
                // SAFETY: promised by the caller.
                let (c, a, b) = unsafe { (c.view_mut(), a.view(), b.view()) };
                faer::linalg::matmul::matmul(c, accum, a, b, alpha, Par::Seq);
            }

            unsafe fn cholesky(a: Raw<*mut Self>) -> Result<(), usize> {
                let _leave = Leave;
                if plain::is_needed() {
                    // SAFETY: promised by the caller.
                    return unsafe { plain::cholesky(a) };
                }
                let params = Spec::<LltParams, $type>::default();
                let mut memory =
                    MemBuffer::new(cholesky_in_place_scratch::<$type>(a.rows, Par::Seq, params));
                // SAFETY: promised by the caller.
                let a = unsafe { a.view_mut() };
                cholesky_in_place(
                    a,
                    LltRegularization::default(),
                    Par::Seq,
                    MemStack::new(&mut memory),
                    params,
                )
                .map(|_| ())
                .map_err(|LltError::NonPositivePivot { index }| index)
            }

            unsafe fn solve_lower(l: Raw<*const Self>, b: Raw<*mut Self>) {
                let _leave = Leave;
                if plain::is_needed() {
                    // SAFETY: promised by the caller.
                    return unsafe { plain::solve_lower(l, b) };
                }
                // SAFETY: promised by the caller.
                let (l, b) = unsafe { (l.view(), b.view_mut()) };
                solve_lower_triangular_in_place(l, b, Par::Seq);
            }

            unsafe fn solve_upper(u: Raw<*const Self>, b: Raw<*mut Self>) {
                let _leave = Leave;
                if plain::is_needed() {
                    // SAFETY: promised by the caller.
                    return unsafe { plain::solve_upper(u, b) };
                }
                // SAFETY: promised by the caller.
                let (u, b) = unsafe { (u.view(), b.view_mut()) };
                solve_upper_triangular_in_place(u, b, Par::Seq);
            }

            unsafe fn eigen(
                a: Raw<*const Self>,
                values: &mut [Self],
                vectors: Option<Raw<*mut Self>>,
            ) -> Result<(), LinalgError> {
                let _leave = Leave;
                if plain::is_needed() {
                    // SAFETY: promised by the caller.
                    return unsafe { plain::eigen(a, values, vectors) };
                }
                let params = Spec::<SelfAdjointEvdParams, $type>::default();
                let compute = if vectors.is_some() {
                    ComputeEigenvectors::Yes
                } else {
                    ComputeEigenvectors::No
                };
                let mut memory = MemBuffer::new(self_adjoint_evd_scratch::<$type>(
                    a.rows,
                    compute,
                    Par::Seq,
                    params,
                ));
                // SAFETY: promised by the caller.
                let (a, vectors) = unsafe { (a.view(), vectors.map(|v| v.view_mut())) };
                let values = ColMut::from_slice_mut(values).as_diagonal_mut();
                self_adjoint_evd(
                    a,
                    values,
                    vectors,
                    Par::Seq,
                    MemStack::new(&mut memory),
                    params,
                )
                .map_err(|_| LinalgError::NoConvergence)
            }

            unsafe fn right_svd(
                a: Raw<*const Self>,
                values: &mut [Self],
                vectors: Raw<*mut Self>,
            ) -> Result<(), LinalgError> {
                if plain::is_needed() {
                    // SAFETY: promised by the caller.
                    return unsafe { plain::right_svd(a, values, vectors) };
                }
                let params = Spec::<SvdParams, $type>::default();
                let mut memory = MemBuffer::new(svd_scratch::<$type>(
                    a.rows,
                    a.columns,
                    ComputeSvdVectors::No,
                    ComputeSvdVectors::Thin,
                    Par::Seq,
                    params,
                ));
                // SAFETY: promised by the caller.
                let (a, vectors) = unsafe { (a.view(), vectors.view_mut()) };
                let values = ColMut::from_slice_mut(values).as_diagonal_mut();
                svd(
                    a,
                    values,
                    None,
                    Some(vectors),
                    Par::Seq,
                    MemStack::new(&mut memory),
                    params,
                )
                .map_err(|_| LinalgError::NoConvergence)
            }

            unsafe fn tridiagonalise(a: Raw<*mut Self>, sides: Raw<*mut Self>) {
                let _leave = Leave;
                if plain::is_needed() {
                    // SAFETY: promised by the caller.
                    return unsafe { plain::tridiagonalise(a, sides) };
                }
                let n = a.rows;
                let block = recommended_block_size::<$type>(n, n);
                let params = Spec::<TridiagParams, $type>::default();
                let reducing = tridiag_in_place_scratch::<$type>(n, Par::Seq, params);
                let turning =
                    apply_block_householder_sequence_transpose_on_the_left_in_place_scratch::<
                        $type,
                    >(n - 1, block, sides.columns);
                let mut memory = MemBuffer::new(reducing.or(turning));
                let mut reflections = Mat::<$type>::zeros(block, n - 1);
                // SAFETY: promised by the caller.
                let (mut a, sides) = unsafe { (a.view_mut(), sides.view_mut()) };
                tridiag_in_place(
                    a.as_mut(),
                    reflections.as_mut(),
                    Par::Seq,
                    MemStack::new(&mut memory),
                    params,
                );
                apply_block_householder_sequence_transpose_on_the_left_in_place_with_conj(
                    a.as_ref().submatrix(1, 0, n - 1, n - 1),
                    reflections.as_ref(),
                    Conj::No,
                    sides.subrows_mut(1, n - 1),
                    Par::Seq,
                    MemStack::new(&mut memory),
                );
            }

            unsafe fn add_square(c: Raw<*mut Self>, a: Raw<*const Self>) {
                let _leave = Leave;
                if plain::is_needed() {
                    // SAFETY: promised by the caller.
                    return unsafe { plain::add_square(c, a) };
                }
                // SAFETY: promised by the caller.
                let (c, a) = unsafe { (c.view_mut(), a.view()) };
                triangular::matmul(
                    c,
                    BlockStructure::TriangularLower,
                    Accum::Add,
                    a,
                    BlockStructure::Rectangular,
                    a.transpose(),
                    BlockStructure::Rectangular,
                    1.0,
                    Par::Seq,
                );
            }

            unsafe fn reflections(a: Raw<*mut Self>, coefficients: Raw<*mut Self>) {
                let _leave = Leave;
                if plain::is_needed() {
                    // SAFETY: promised by the caller.
                    return unsafe { plain::reflections(a, coefficients) };
                }
                let params = Spec::<QrParams, $type>::default();
                let block = coefficients.rows;
                let mut memory = MemBuffer::new(qr_in_place_scratch::<$type>(
                    a.rows,
                    a.columns,
                    block,
                    Par::Seq,
                    params,
                ));
                // SAFETY: promised by the caller.
                let (a, coefficients) = unsafe { (a.view_mut(), coefficients.view_mut()) };
                qr_in_place(
                    a,
                    coefficients,
                    Par::Seq,
                    MemStack::new(&mut memory),
                    params,
                );
            }

            unsafe fn reflect(
                a: Raw<*const Self>,
                coefficients: Raw<*const Self>,
                sides: Raw<*mut Self>,
                transposed: bool,
            ) {
                let _leave = Leave;
                if plain::is_needed() {
                    // SAFETY: promised by the caller.
                    return unsafe { plain::reflect(a, coefficients, sides, transposed) };
                }
                let (rows, block) = (a.rows, coefficients.rows);
                // SAFETY: promised by the caller.
                let (a, coefficients, sides) =
                    unsafe { (a.view(), coefficients.view(), sides.view_mut()) };
                if transposed {
                    let scratch =
                        apply_block_householder_sequence_transpose_on_the_left_in_place_scratch::<
                            $type,
                        >(rows, block, sides.ncols());
                    apply_block_householder_sequence_transpose_on_the_left_in_place_with_conj(
                        a,
                        coefficients,
                        Conj::No,
                        sides,
                        Par::Seq,
                        MemStack::new(&mut MemBuffer::new(scratch)),
                    );
                } else {
                    let scratch = apply_block_householder_sequence_on_the_left_in_place_scratch::<
                        $type,
                    >(rows, block, sides.ncols());
                    apply_block_householder_sequence_on_the_left_in_place_with_conj(
                        a,
                        coefficients,
                        Conj::No,
                        sides,
                        Par::Seq,
                        MemStack::new(&mut MemBuffer::new(scratch)),
                    );
                }
            }
        }
    };
}

backend!(f32);
backend!(f64);
