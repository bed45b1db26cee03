//! Coordinates, and models of coordinates.

use mercer::data::Task;
use mercer::learn::AnyEstimator;
use mercer::learn::novelty::KernelPcaNovelty;
use mercer::learn::project::{Ica, KernelPca, Pca, projection_named};
use mercer::recipe::Wish;
use mercer_io::Result;

use super::kernel;
use crate::case::Case;
use crate::sets::{flowers, points, sparse};

pub(super) fn cases() -> Result<Vec<Case>> {
    let embed = |case: crate::case::Set, name, about, estimator: AnyEstimator| {
        case.by_recipe(name, about, move |recipe| {
            recipe.roles.drop.append(&mut recipe.roles.targets);
            recipe.task = Some(Task::Embed);
            recipe.wish = Wish::Given(estimator);
        })
    };
    let kpca = KernelPca::default()
        .kernel(kernel("rbf(gamma=0.3)")?)
        .components(Some(2))
        .restore(true);
    let novelty = KernelPcaNovelty::default()
        .kernel(kernel("rbf(gamma=0.3)")?)
        .components(Some(2));
    let before = |text: &str| projection_named(text);
    let (white, curved) = (before("whiten=2")?, before("kpca=2")?);
    Ok(vec![
        embed(
            flowers::kinds(),
            "pca_mixed",
            "principal axes of numbers and categories",
            AnyEstimator::Pca(Pca::default().components(Some(3)).whiten(true)),
        ),
        embed(
            sparse::labels(),
            "pca_sparse",
            "principal axes of sparse rows",
            AnyEstimator::Pca(Pca::default().components(Some(2))),
        ),
        embed(
            points::points("height"),
            "kpca_restoring",
            "components of a kernel with the learnt way back",
            AnyEstimator::KernelPca(kpca),
        ),
        embed(
            points::points("height"),
            "ica",
            "independent components with whitening and mixing",
            AnyEstimator::Ica(Ica::default().components(Some(2)).max_iterations(1000)),
        ),
        points::points("height").by_recipe(
            "kpca_novelty",
            "novelty by what components of a kernel leave",
            move |recipe| {
                recipe.roles.drop.append(&mut recipe.roles.targets);
                recipe.task = Some(Task::Novelty);
                recipe.wish = Wish::Given(AnyEstimator::KernelPcaNovelty(novelty));
            },
        ),
        flowers::kinds().by_recipe(
            "chain_whitened",
            "white coordinates before a support vector machine",
            move |recipe| {
                recipe.project = Some(white);
                recipe.wish = Wish::Named("svc".to_owned());
                recipe.task = Some(Task::Classify);
            },
        ),
        flowers::prices().by_recipe(
            "chain_kernel",
            "components of a kernel before ridge regression",
            move |recipe| {
                recipe.project = Some(curved);
                recipe.wish = Wish::Named("ridge".to_owned());
                recipe.task = Some(Task::Regress);
            },
        ),
    ])
}
