//! The Laplace kernel k(x, z) = exp(−‖x − z‖₁/scale).
//!
//! With one scale per feature, `k(x, z) = exp(−Σ |x_c − z_c|/scale_c)`.

use mercer_linalg::Epilogue;

use crate::Result;
use crate::data::Records;
use crate::kernel::additive::Additive;
use crate::kernel::distance::{ACCEPTED_ERROR, LARGEST_RATE, Rates, UNIT_DOUBLE};
use crate::kernel::pairwise::{Pairwise, UNIT};
use crate::kernel::resolve::admit_vectors;
use crate::kernel::statistics::median_distance;
use crate::kernel::tiled::{Plan, SINGLE_RADIUS, Tiled, means, norms, roundings};
use crate::kernel::{
    Allowed, BoundKernel, Definiteness, Fallback, Family, Input, Parameter, Rule, Settings,
};

const SCALE: usize = 0;

/// The Laplace family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "laplace",
    summary: "sums of absolute differences: rough functions, robust to single features",
    formula: "exp(−‖x−z‖₁/scale)",
    parameters: &[Parameter {
        name: "scale",
        meaning: "the distance over which values are alike, one or one per feature",
        allowed: Allowed::Scale(Rule::Positive),
        fallback: Fallback::Data(|_, sample| {
            let difference = |x: f64, z: f64| (x - z).abs();
            Ok(median_distance(
                sample.records,
                "absolute",
                difference,
                |d| d,
            ))
        }),
        default: "the median distance of rows",
        instead_of: None,
    }],
    parameter_kind: "parameter of `laplace`",
    input: Input::Vectors,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, records| admit_vectors("laplace", records),
    bind,
};

fn bind(settings: &Settings, records: &Records) -> Result<Box<dyn BoundKernel>> {
    let rates = Rates::of(settings, SCALE, f64::recip).unwrap_or(Rates::One(1.0));
    let points = &records.features.points;
    let shift = means(points);
    let (rate, scale) = rates.split();
    let radius = norms(points, shift.as_deref(), scale)
        .into_iter()
        .fold(0.0, f64::max);
    // ‖x‖₁ ≤ √d·‖x‖; differences of rounded rows, added up.
    let root = (points.columns() as f64).sqrt();
    let units = 2.0 * (roundings(points) + 4.0) * rate * root * radius + 6.0;
    let fused = units * UNIT_DOUBLE <= ACCEPTED_ERROR
        && radius <= LARGEST_RATE
        && rate <= LARGEST_RATE
        && scale.is_none_or(|s| s.iter().all(|rate| *rate <= LARGEST_RATE));
    if !fused {
        let compare = Additive {
            name: "laplace",
            term: move |c, x: f64, z: f64| (x - z).abs() * rates.at(c),
            finish: |sum: f64| (-sum).exp(),
        };
        return Ok(Box::new(Pairwise::try_new(compare, records)?));
    }
    let single = radius <= SINGLE_RADIUS && rate <= SINGLE_RADIUS;
    let plan = Plan {
        name: "laplace",
        shift,
        scale: scale.map(<[f64]>::to_vec),
        epilogue: Epilogue::Laplace { gamma: rate },
        single,
        rounding: if single {
            (units * UNIT).min(1.0)
        } else {
            units * UNIT_DOUBLE + UNIT
        },
        norm_limit: None,
        level: false,
    };
    Ok(Box::new(Tiled::new(plan, records)))
}

#[cfg(test)]
mod tests {
    use crate::kernel::testing::{check_family, gram, records};

    #[test]
    fn agrees_with_the_formula() {
        check_family("laplace(scale=1.5)", |x, z| {
            let sum: f64 = x.iter().zip(z).map(|(x, z)| (x - z).abs()).sum();
            (-sum / 1.5).exp()
        });
        check_family("laplace([1,2,0.5])", |x, z| {
            let terms = [1.0, 2.0, 0.5].iter().zip(x.iter().zip(z));
            (-terms.map(|(s, (x, z))| (x - z).abs() / s).sum::<f64>()).exp()
        });
    }

    #[test]
    fn extreme_scales_give_ones_or_the_identity() {
        let rows = records(&[&[0.0, 1.0], &[1.0, 0.0]]);
        for scale in ["1e-300", "5e-324", "[1e-300,1e-320]"] {
            let k = gram(&format!("laplace({scale})"), &rows);
            assert_eq!(k.as_slice(), [1.0, 0.0, 0.0, 1.0]);
        }
        assert_eq!(gram("laplace(1e300)", &rows).as_slice(), [1.0; 4]);
    }
}
