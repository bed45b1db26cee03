//! Kernel expressions on numbers and categories.

use mercer::data::Scaling;
use mercer::kernel::KernelSpec;
use mercer::learn::AnyEstimator;
use mercer::learn::least_squares::{KernelRidge, LsSvr, Strength};
use mercer::learn::margin::{OneClass, Svc, Svr};
use mercer::recipe::Wish;
use mercer_io::Result;

use super::kernel;
use crate::case::Case;
use crate::sets::{flowers, matrix, points};

pub(super) fn cases() -> Result<Vec<Case>> {
    let svc = |text: &str| -> Result<AnyEstimator> {
        Ok(AnyEstimator::Svc(Svc::default().kernel(kernel(text)?)))
    };
    let histograms = kernel("chi2(gamma=0.3)@c + 0.5*cosine@[a,b]")?;
    Ok(vec![
        flowers::prices().learnt(
            "kernel_sum",
            "a weighted sum over columns with gaps",
            AnyEstimator::LsSvr(
                LsSvr::default()
                    .kernel(kernel("2*rbf(sigma=2)@size + 0.5*linear@weight + overlap")?)
                    .strength(Strength::Gamma(3.0)),
            ),
        ),
        flowers::kinds().learnt(
            "kernel_product",
            "a product over columns",
            svc("rbf(gamma=0.2)@size*(overlap@colour + 0.1*linear@weight)")?,
        ),
        points::points("zone").learnt(
            "kernel_normalise",
            "normalised powers, and an exponential",
            svc("normalise((linear + poly(degree=2, offset=1, scale=0.3))^2) + exp(0.1*linear)")?,
        ),
        points::points("height").learnt(
            "kernel_per_column",
            "a width for each column",
            AnyEstimator::Svr(Svr::default().kernel(kernel("rbf(sigma=[1,2,4])")?).c(10.0)),
        ),
        points::points("depth").by_recipe(
            "kernel_spline",
            "splines, which live in [0, 1], with room for new rows",
            |recipe| {
                recipe.wish = Wish::Given(AnyEstimator::KernelRidge(
                    KernelRidge::default()
                        .kernel(KernelSpec::spline())
                        .strength(Strength::Evidence)
                        .intercept(true),
                ));
                recipe.scaling = Some(Scaling::MinMax {
                    low: 0.2,
                    high: 0.8,
                });
            },
        ),
        points::unlabelled().learnt(
            "kernel_histograms",
            "novelty by a sum of kernels on shares and directions",
            AnyEstimator::OneClass(OneClass::default().nu(0.25).kernel(histograms)),
        ),
        matrix::parts().learnt(
            "kernel_precomputed",
            "rows of a given matrix",
            svc("precomputed")?,
        ),
    ])
}
