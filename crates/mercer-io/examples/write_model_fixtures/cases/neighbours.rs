//! Rows that are kept, the nearest of which vote.

use mercer::data::Task;
use mercer::learn::AnyEstimator;
use mercer::learn::neighbours::{Distance, Ib2, Knn, Memorise, Scaling, Votes};
use mercer::recipe::{Recipe, Wish};
use mercer_io::Result;

use super::kernel;
use crate::case::Case;
use crate::sets::{flowers, points, shops, sparse};

/// Neighbours that vote for classes.
fn classes(recipe: &mut Recipe, knn: Knn) {
    recipe.wish = Wish::Given(AnyEstimator::Knn(knn));
    recipe.task = Some(Task::Classify);
}

pub(super) fn cases() -> Result<Vec<Case>> {
    let knn = Knn::default;
    Ok(vec![
        shops::moods().by_recipe(
            "knn_mixed",
            "neighbours by dates, categories and numbers with gaps",
            |recipe| classes(recipe, Knn::default().neighbours(3)),
        ),
        flowers::kinds().by_recipe(
            "knn_weights",
            "neighbours with learnt weights of columns that vote by distance",
            |recipe| {
                let knn = Knn::default().votes(Votes::Distance);
                classes(recipe, knn.column_weights(true));
            },
        ),
        points::points("height").learnt(
            "knn_whitened",
            "the mean of neighbours among whitened rows",
            AnyEstimator::Knn(knn().scaling(Scaling::Whiten)),
        ),
        points::points("height").learnt(
            "knn_kernel",
            "neighbours by the distance of a kernel",
            AnyEstimator::Knn(knn().kernel(kernel("rbf(gamma=0.5)")?)),
        ),
        sparse::labels().learnt(
            "knn_sparse",
            "neighbours among sparse rows",
            AnyEstimator::Knn(knn().distance(Distance::Manhattan).scaling(Scaling::None)),
        ),
        shops::moods().learnt(
            "ib2",
            "rows that those before them misclassify",
            AnyEstimator::Ib2(Ib2::default()),
        ),
        shops::moods().learnt(
            "memorise",
            "rows that are remembered",
            AnyEstimator::Memorise(Memorise::default()),
        ),
    ])
}
