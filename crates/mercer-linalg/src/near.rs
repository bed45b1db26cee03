//! Distances of one row to thirty-two others side by side, and the search for small values.

use crate::simd::{Kernel, Simd, dispatch};

/// Rows that stand side by side in a block: `[column][row of the block]`.
pub const NEAR_LANES: usize = 32;

/// What is added up over the columns of two rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// Σ (x − z)².
    Squared,
    /// Σ |x − z|.
    Absolute,
    /// max |x − z|.
    Largest,
    /// Σ |x − z|ᵖ.
    Power(f64),
    /// Σ x z.
    Dot,
}

impl Measure {
    /// Adds one column to a sum, bit for bit as [`near_lanes`] does.
    #[inline(always)]
    pub fn add(self, sum: f64, x: f64, z: f64) -> f64 {
        match self {
            Self::Dot => sum + x * z,
            _ => self.add_difference(sum, (x - z).abs()),
        }
    }

    /// Adds one column to a sum, given the size of the difference.
    #[inline(always)]
    pub fn add_difference(self, sum: f64, size: f64) -> f64 {
        match self {
            Self::Squared => sum + size * size,
            Self::Absolute => sum + size,
            Self::Largest => {
                if size > sum {
                    size
                } else {
                    sum
                }
            }
            Self::Power(p) => sum + size.powf(p),
            Self::Dot => sum,
        }
    }
}

/// Writes the measure of a row against the rows of a block; returns a bit for every one whose value is at most `bound`.
///
/// Columns are added one after another, each product rounded, so that a value is the same as that of a plain loop.
///
/// # Panics
///
/// When the block has not [`NEAR_LANES`] values per column.
pub fn near_lanes(
    block: &[f64],
    row: &[f64],
    measure: Measure,
    bound: f64,
    out: &mut [f64; NEAR_LANES],
) -> u32 {
    assert_eq!(block.len(), row.len() * NEAR_LANES, "values of a block");
    dispatch(Lanes {
        block,
        row,
        measure,
        bound,
        out,
    })
}

struct Lanes<'a> {
    block: &'a [f64],
    row: &'a [f64],
    measure: Measure,
    bound: f64,
    out: &'a mut [f64; NEAR_LANES],
}

impl Kernel for Lanes<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<S: Simd>(self) -> u32 {
        let mut sums = [0.0; NEAR_LANES];
        let columns = self.row.iter().zip(self.block.chunks_exact(NEAR_LANES));
        match self.measure {
            Measure::Squared => {
                for (x, column) in columns {
                    for k in 0..NEAR_LANES {
                        let size = x - column[k];
                        sums[k] += size * size;
                    }
                }
            }
            Measure::Absolute => {
                for (x, column) in columns {
                    for k in 0..NEAR_LANES {
                        sums[k] += (x - column[k]).abs();
                    }
                }
            }
            measure => {
                for (x, column) in columns {
                    for k in 0..NEAR_LANES {
                        sums[k] = measure.add(sums[k], *x, column[k]);
                    }
                }
            }
        }
        *self.out = sums;
        let mut near = 0;
        for (k, sum) in sums.iter().enumerate() {
            near |= u32::from(*sum <= self.bound) << k;
        }
        near
    }
}

/// Appends the places of all values that are at most `bound`; a NaN is none of them.
pub fn places_within(values: &[f32], bound: f32, places: &mut Vec<u32>) {
    dispatch(Within {
        values,
        bound,
        places,
    });
}

/// Values looked at together: mostly none of them is small.
const TOGETHER: usize = 64;

struct Within<'a> {
    values: &'a [f32],
    bound: f32,
    places: &'a mut Vec<u32>,
}

impl Kernel for Within<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let mut start = 0;
        for part in self.values.chunks(TOGETHER) {
            let any = match <&[f32; TOGETHER]>::try_from(part) {
                Ok(full) => {
                    let mut any = false;
                    for value in full {
                        any |= *value <= self.bound;
                    }
                    any
                }
                Err(_) => true,
            };
            if any {
                for (k, value) in part.iter().enumerate() {
                    if *value <= self.bound {
                        self.places.push(start + k as u32);
                    }
                }
            }
            start += part.len() as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::tests::on_every_isa;

    #[test]
    fn lanes_are_plain_loops() {
        let mut state = 11_u64;
        let mut draw = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 40) as f64 / 16_777_216.0 - 0.5
        };
        let measures = [
            Measure::Squared,
            Measure::Absolute,
            Measure::Largest,
            Measure::Power(3.0),
            Measure::Dot,
        ];
        for columns in [0, 1, 5, 17] {
            let block: Vec<f64> = (0..columns * NEAR_LANES).map(|_| draw()).collect();
            let row: Vec<f64> = (0..columns).map(|_| draw()).collect();
            on_every_isa(|set| {
                for measure in measures {
                    let mut out = [0.0; NEAR_LANES];
                    let near = near_lanes(&block, &row, measure, 0.5, &mut out);
                    for (k, found) in out.iter().enumerate() {
                        let mut sum = 0.0;
                        for (j, x) in row.iter().enumerate() {
                            sum = measure.add(sum, *x, block[j * NEAR_LANES + k]);
                        }
                        assert_eq!(sum.to_bits(), found.to_bits(), "{set:?} {measure:?}");
                        assert_eq!(near >> k & 1 == 1, sum <= 0.5);
                    }
                }
            });
        }
    }

    #[test]
    fn small_values_are_found() {
        let mut values: Vec<f32> = (0..200).map(|k| (k * 37 % 101) as f32).collect();
        values[70] = f32::NAN;
        on_every_isa(|_| {
            let mut places = vec![9];
            places_within(&values, 3.0, &mut places);
            let wanted = (0..200_u32).filter(|&k| values[k as usize] <= 3.0);
            assert_eq!(places[0], 9);
            assert!(places[1..].iter().copied().eq(wanted));
        });
    }
}
