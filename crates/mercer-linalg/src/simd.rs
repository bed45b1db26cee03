//! Instruction sets: vectors, and the choice made once at start.

#![expect(
    unsafe_code,
    reason = "vector intrinsics and calls into functions compiled for an instruction set"
)]

use std::sync::OnceLock;

use crate::real::Real;

/// A vector register of `T`.
///
/// # Safety
///
/// `LANES` divides 16, and the type is plain data. Methods may only run where the instruction set is present.
#[doc(hidden)]
pub unsafe trait Vector<T>: Copy {
    /// Numbers in a register.
    const LANES: usize;
    /// Registers there are.
    const REGISTERS: usize;
    /// All lanes zero.
    ///
    /// # Safety
    /// The instruction set is present; so for every method.
    unsafe fn zero() -> Self;
    /// All lanes equal.
    ///
    /// # Safety
    /// The instruction set is present.
    unsafe fn splat(value: T) -> Self;
    /// Reads `LANES` numbers, without alignment.
    ///
    /// # Safety
    /// The numbers are readable.
    unsafe fn load(from: *const T) -> Self;
    /// Writes `LANES` numbers, without alignment.
    ///
    /// # Safety
    /// The numbers are writable.
    unsafe fn store(self, to: *mut T);
    /// `self * factor + term`, rounded once where the machine can.
    ///
    /// # Safety
    /// The instruction set is present.
    unsafe fn mul_add(self, factor: Self, term: Self) -> Self;
    /// Lane-wise sum.
    ///
    /// # Safety
    /// The instruction set is present.
    unsafe fn add(self, other: Self) -> Self;
    /// Lane-wise `|self - other|`.
    ///
    /// # Safety
    /// The instruction set is present.
    unsafe fn distance(self, other: Self) -> Self;
}

/// An instruction set.
#[doc(hidden)]
pub trait Simd: Copy + Send + Sync + 'static {
    /// Whether products are added without an intermediate rounding.
    const FUSED: bool;
    /// Vector of single precision.
    type F32: Vector<f32>;
    /// Vector of double precision.
    type F64: Vector<f64>;

    /// `a * b + c` with the rounding of this instruction set.
    #[inline(always)]
    fn mul_add<T: Real>(a: T, b: T, c: T) -> T {
        if Self::FUSED {
            a.mul_add(b, c)
        } else {
            a * b + c
        }
    }
    /// The exponential.
    #[inline(always)]
    fn exp<T: Real>(x: T) -> T {
        if Self::FUSED {
            x.exp_body::<true>()
        } else {
            x.exp_body::<false>()
        }
    }
    /// The hyperbolic tangent.
    #[inline(always)]
    fn tanh<T: Real>(x: T) -> T {
        if Self::FUSED {
            x.tanh_body::<true>()
        } else {
            x.tanh_body::<false>()
        }
    }
    /// Cosine and sine of an angle within reach.
    #[inline(always)]
    fn cos_sin<T: Real>(x: T) -> (T, T) {
        if Self::FUSED {
            x.cos_sin_body::<true>()
        } else {
            x.cos_sin_body::<false>()
        }
    }
}

/// Work that is compiled once per instruction set; `run` must be `#[inline(always)]`.
pub(crate) trait Kernel {
    type Output;
    fn run<S: Simd>(self) -> Self::Output;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Isa {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// The best instruction set of the machine.
pub(crate) fn isa() -> Isa {
    static ISA: OnceLock<Isa> = OnceLock::new();
    #[cfg(test)]
    if let Some(forced) = tests::FORCED.get() {
        return forced;
    }
    *ISA.get_or_init(|| {
        #[cfg(target_arch = "x86_64")]
        {
            let fma = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            if fma
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
            {
                return Isa::Avx512;
            }
            if fma {
                return Isa::Avx2;
            }
        }
        Isa::Portable
    })
}

/// Returns the name of the instruction set in use: `avx512`, `avx2` or `portable`.
///
/// Machines of one type with the same instruction set compute the same bits; others differ by
/// rounding.
pub fn instruction_set() -> &'static str {
    match isa() {
        Isa::Portable => "portable",
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => "avx2",
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => "avx512",
    }
}

/// Runs the kernel with the best instruction set of the machine.
#[inline]
pub(crate) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    dispatch_on(isa(), kernel)
}

/// Runs the kernel with a chosen instruction set, which must be present.
#[inline]
pub(crate) fn dispatch_on<K: Kernel>(isa: Isa, kernel: K) -> K::Output {
    match isa {
        Isa::Portable => kernel.run::<Portable>(),
        // SAFETY: `Isa::Avx2` and `Isa::Avx512` are made by `isa` after detection, and by tests that compare with it.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => unsafe { x86::run_avx2(kernel) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => unsafe { x86::run_avx512(kernel) },
    }
}

/// Asks for the cache line of an address, which need not be valid.
#[inline(always)]
pub(crate) fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is part of x86-64, and a hint never faults.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// The base instruction set of the target: the reference.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

/// An array that the compiler maps to the registers of the base instruction set.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Lanes<T, const N: usize>([T; N]);

impl Simd for Portable {
    // NEON has FMA in its base set; SSE2 has not, and a call to `fma` in software would be slow.
    const FUSED: bool = cfg!(target_arch = "aarch64");
    type F32 = Lanes<f32, 4>;
    type F64 = Lanes<f64, 2>;
}

// SAFETY: `N` is 4 or 2; an array of floats is plain data; no instruction set is needed.
unsafe impl<T: Real, const N: usize> Vector<T> for Lanes<T, N> {
    const LANES: usize = N;
    const REGISTERS: usize = if cfg!(target_arch = "aarch64") {
        32
    } else {
        16
    };

    #[inline(always)]
    unsafe fn zero() -> Self {
        Self([T::ZERO; N])
    }
    #[inline(always)]
    unsafe fn splat(value: T) -> Self {
        Self([value; N])
    }
    #[inline(always)]
    unsafe fn load(from: *const T) -> Self {
        // SAFETY: the caller promises `N` readable numbers.
        Self(unsafe { from.cast::<[T; N]>().read_unaligned() })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut T) {
        // SAFETY: the caller promises `N` writable numbers.
        unsafe { to.cast::<[T; N]>().write_unaligned(self.0) }
    }
    #[inline(always)]
    unsafe fn mul_add(mut self, factor: Self, term: Self) -> Self {
        for i in 0..N {
            self.0[i] = Portable::mul_add(self.0[i], factor.0[i], term.0[i]);
        }
        self
    }
    #[inline(always)]
    unsafe fn add(mut self, other: Self) -> Self {
        for i in 0..N {
            self.0[i] += other.0[i];
        }
        self
    }
    #[inline(always)]
    unsafe fn distance(mut self, other: Self) -> Self {
        for i in 0..N {
            self.0[i] = (self.0[i] - other.0[i]).abs();
        }
        self
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    #[allow(
        clippy::wildcard_imports,
        reason = "forty intrinsics, all with their own prefix"
    )]
    use std::arch::x86_64::*;

    use super::{Kernel, Simd, Vector};

    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx2;

    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx512;

    impl Simd for Avx2 {
        const FUSED: bool = true;
        type F32 = __m256;
        type F64 = __m256d;
    }

    impl Simd for Avx512 {
        const FUSED: bool = true;
        type F32 = __m512;
        type F64 = __m512d;
    }

    #[target_feature(enable = "avx2,fma")]
    pub(super) fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<Avx2>()
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx2,fma")]
    pub(super) fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<Avx512>()
    }

    macro_rules! vector {
        ($register:ident, $type:ident, $lanes:literal, $zero:ident, $splat:ident, $load:ident, $store:ident, $fma:ident,
         $add:ident, $sub:ident, |$value:ident| $abs:expr) => {
            // SAFETY: the register holds `LANES` floats and nothing else.
            unsafe impl Vector<$type> for $register {
                const LANES: usize = $lanes;
                // Those of 64 bytes came together with more of them.
                const REGISTERS: usize = if size_of::<Self>() == 64 { 32 } else { 16 };

                #[inline(always)]
                unsafe fn zero() -> Self {
                    // SAFETY: the caller promises the instruction set; so below.
                    unsafe { $zero() }
                }
                #[inline(always)]
                unsafe fn splat(value: $type) -> Self {
                    // SAFETY: as above.
                    unsafe { $splat(value) }
                }
                #[inline(always)]
                unsafe fn load(from: *const $type) -> Self {
                    // SAFETY: the caller also promises that the numbers are readable.
                    unsafe { $load(from) }
                }
                #[inline(always)]
                unsafe fn store(self, to: *mut $type) {
                    // SAFETY: the caller also promises that the numbers are writable.
                    unsafe { $store(to, self) }
                }
                #[inline(always)]
                unsafe fn mul_add(self, factor: Self, term: Self) -> Self {
                    // SAFETY: as for `zero`.
                    unsafe { $fma(self, factor, term) }
                }
                #[inline(always)]
                unsafe fn add(self, other: Self) -> Self {
                    // SAFETY: as for `zero`.
                    unsafe { $add(self, other) }
                }
                #[inline(always)]
                unsafe fn distance(self, other: Self) -> Self {
                    // SAFETY: as for `zero`.
                    unsafe {
                        let $value = $sub(self, other);
                        $abs
                    }
                }
            }
        };
    }

    vector!(
        __m512,
        f32,
        16,
        _mm512_setzero_ps,
        _mm512_set1_ps,
        _mm512_loadu_ps,
        _mm512_storeu_ps,
        _mm512_fmadd_ps,
        _mm512_add_ps,
        _mm512_sub_ps,
        |value| _mm512_abs_ps(value)
    );
    vector!(
        __m512d,
        f64,
        8,
        _mm512_setzero_pd,
        _mm512_set1_pd,
        _mm512_loadu_pd,
        _mm512_storeu_pd,
        _mm512_fmadd_pd,
        _mm512_add_pd,
        _mm512_sub_pd,
        |value| _mm512_abs_pd(value)
    );
    vector!(
        __m256,
        f32,
        8,
        _mm256_setzero_ps,
        _mm256_set1_ps,
        _mm256_loadu_ps,
        _mm256_storeu_ps,
        _mm256_fmadd_ps,
        _mm256_add_ps,
        _mm256_sub_ps,
        |value| _mm256_andnot_ps(_mm256_set1_ps(-0.0), value)
    );
    vector!(
        __m256d,
        f64,
        4,
        _mm256_setzero_pd,
        _mm256_set1_pd,
        _mm256_loadu_pd,
        _mm256_storeu_pd,
        _mm256_fmadd_pd,
        _mm256_add_pd,
        _mm256_sub_pd,
        |value| _mm256_andnot_pd(_mm256_set1_pd(-0.0), value)
    );
}

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::Cell;

    use super::{Isa, isa};

    thread_local! {
        pub(crate) static FORCED: Cell<Option<Isa>> = const { Cell::new(None) };
    }

    /// Calls `test` on this thread with every instruction set that the machine has.
    pub(crate) fn on_every_isa(test: impl Fn(Isa)) {
        let sets: &[Isa] = match isa() {
            Isa::Portable => &[Isa::Portable],
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => &[Isa::Portable, Isa::Avx2],
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => &[Isa::Portable, Isa::Avx2, Isa::Avx512],
        };
        for &set in sets {
            FORCED.set(Some(set));
            test(set);
            FORCED.set(None);
        }
    }
}
