//! Models without a kernel: a weight per column, layers of gates, centres of clusters, maps, prototypes, trees.

use mercer::data::Task;
use mercer::learn::AnyEstimator;
use mercer::learn::cluster::{KMeans, KernelKMeans, Lvq, LvqVariant, Som};
use mercer::learn::linear::{Ols, Ridge};
use mercer::learn::margin::Bias;
use mercer::learn::network::{Mlp, NetworkSolver, RbfNet};
use mercer::learn::tree::{C45, MissingValues, RuleMaking};
use mercer::model::Activation;
use mercer::recipe::Wish;

use crate::case::Case;
use crate::sets::{flowers, points, shops, sparse};

pub(super) fn cases() -> Vec<Case> {
    let gates = |sizes: &[usize], activation| {
        let net = Mlp::default().hidden(sizes.to_vec()).activation(activation);
        AnyEstimator::Mlp(net.solver(NetworkSolver::Lbfgs).max_iterations(20))
    };
    let centres = || AnyEstimator::KMeans(KMeans::default().clusters(3));
    vec![
        flowers::prices().learnt(
            "ols_mixed",
            "least squares on numbers and categories",
            AnyEstimator::Ols(Ols::default()),
        ),
        points::points("height").learnt(
            "ridge_numbers",
            "ridge without a constant",
            AnyEstimator::Ridge(Ridge::default().lambda(0.5).bias(Bias::None)),
        ),
        sparse::labels().learnt(
            "ridge_sparse",
            "ridge on sparse rows",
            AnyEstimator::Ridge(Ridge::default()),
        ),
        points::points("height").by_recipe("ridge_several", "two numbers at once", |recipe| {
            recipe.roles.targets = vec!["a".to_owned(), "height".to_owned()];
            recipe.wish = Wish::Given(AnyEstimator::Ridge(Ridge::default()));
        }),
        flowers::kinds().by_recipe(
            "mlp_classes",
            "a softmax over two hidden layers",
            |recipe| {
                recipe.wish = Wish::Given(gates(&[5, 4], Activation::Relu));
                recipe.task = Some(Task::Classify);
            },
        ),
        flowers::prices().learnt(
            "mlp_mixed",
            "a network of sigmoids on numbers and categories",
            gates(&[4], Activation::Sigmoid),
        ),
        sparse::labels().learnt(
            "mlp_sparse",
            "a network on sparse rows",
            gates(&[3], Activation::Tanh),
        ),
        points::points("height").learnt(
            "rbf_net",
            "Gaussians around the centres of k-means",
            AnyEstimator::RbfNet(RbfNet::default().centres(4)),
        ),
        flowers::kinds().by_recipe("kmeans_mixed", "clusters of mixed columns", move |recipe| {
            recipe.roles.targets = Vec::new();
            recipe.task = Some(Task::Cluster);
            recipe.wish = Wish::Given(centres());
        }),
        flowers::kinds().by_recipe("som_mixed", "a map of mixed columns", |recipe| {
            let map = Som::default().map_rows(Some(2)).map_columns(Some(3));
            recipe.roles.targets = Vec::new();
            recipe.task = Some(Task::Cluster);
            recipe.wish = Wish::Given(AnyEstimator::Som(map));
        }),
        flowers::kinds().by_recipe(
            "kernel_kmeans_mixed",
            "clusters in the space of a kernel",
            |recipe| {
                recipe.roles.targets = Vec::new();
                recipe.task = Some(Task::Cluster);
                let method = KernelKMeans::default().clusters(3);
                recipe.wish = Wish::Given(AnyEstimator::KernelKMeans(method));
            },
        ),
        flowers::kinds().learnt(
            "lvq_mixed",
            "prototypes of classes on mixed columns",
            AnyEstimator::Lvq(Lvq::default().prototypes(2).variant(LvqVariant::Three)),
        ),
        shops::moods().learnt(
            "c45_mixed",
            "a tree on dates, categories and numbers with gaps, with all its rules",
            AnyEstimator::C45(C45::default().prune(false).rules(RuleMaking::All)),
        ),
        flowers::kinds().learnt(
            "c45_branch",
            "a tree with a branch for missing values and smoothed probabilities",
            AnyEstimator::C45(
                C45::default()
                    .missing(MissingValues::Branch)
                    .laplace(true)
                    .correction(false),
            ),
        ),
    ]
}
