//! The extension module `mercer._mercer`: arrays in, Rust at work, arrays out.
//!
//! The Python classes of `python/mercer` hold parameters and check input the way scikit-learn
//! does; everything numeric happens behind the few functions here. Each file has one task:
//! `array` borrows NumPy and SciPy data, `graphs` and `network` hold what is prepared once, `rows`
//! encodes columns, `fit` learns, `several` learns several outputs at
//! once, `path` and `ridge_path` along many penalties, `automatic` learns without settings, `select` ranks kernels, `tune` searches settings,
//! `model` predicts and gives its parts, `parts` makes one of those of another program,
//! `look` says what is in a table, `state` has plans and mergeable sums, `steps` puts the steps of a pipeline before a model, `explain` tells what carries a prediction, `tree` shows decision trees, `project` gives the parts of projections, `maps` has parts of maps and memories, `importance` what columns are worth, `dependence` how predictions go with them, `page` writes reports,
//! `bounds` says what theory knows of an error rate, `compare` judges models on the same folds, `construct` writes networks down, `curves` reads learning and validation curves, `plot` shows things in notebooks, `figures` draws models and kernels, `certain` says how sure it is, `kernel` evaluates expressions, `watch` keeps the interpreter
//! free and listens for Ctrl-C, `failure` turns errors into exceptions.

mod array;
mod automatic;
mod bounds;
mod certain;
mod compare;
mod construct;
mod curves;
mod dependence;
mod explain;
mod failure;
mod features;
mod figures;
mod fit;
mod graphs;
mod importance;
mod kernel;
mod look;
mod maps;
mod model;
mod neighbours;
mod network;
mod page;
mod parts;
mod path;
mod plot;
mod project;
mod ridge_path;
mod rows;
mod select;
mod several;
mod state;
mod steps;
mod tree;
mod tune;
mod watch;
mod wording;

use pyo3::pymodule;

#[pymodule]
mod _mercer {
    #[pymodule_export]
    use super::automatic::fit_automatic;
    #[pymodule_export]
    use super::bounds::{
        bound_count, bound_description, bound_deviation, bound_feature_count,
        bound_feature_failure, bound_finite_class, bound_growth, bound_interval, bound_landmarks,
        bound_margin, bound_probability, bound_shatters, bound_size, bound_soft_margin,
        bound_stability, bound_vc_size, plane, rejected,
    };
    #[pymodule_export]
    use super::compare::{paired, raised};
    #[pymodule_export]
    use super::construct::{network_of_function, network_of_truth_table};
    #[pymodule_export]
    use super::curves::{
        chance, chance_svg, coverage_of_intervals, coverage_of_sets, curve_svg, learning_verdict,
        validation_verdict,
    };
    #[pymodule_export]
    use super::dependence::{dependence_svg, partial_dependence};
    #[pymodule_export]
    use super::explain::{explanation_html, explanation_svg};
    #[pymodule_export]
    use super::features::{
        draw_frequencies, fit_landmarks, fourier_model, fourier_parts, landmark_residuals,
    };
    #[pymodule_export]
    use super::figures::{boundary_picture, kernel_picture, path_picture};
    #[pymodule_export]
    use super::fit::fit;
    #[pymodule_export]
    use super::graphs::{Graphs, check_molecules};
    #[pymodule_export]
    use super::kernel::{
        kernel_canonical, kernel_check, kernel_diagonal, kernel_families, kernel_features,
        kernel_gram, kernel_inputs, kernel_pairs, kernel_reads_matrix, kernel_resolve,
    };
    #[pymodule_export]
    use super::look::look;
    #[pymodule_export]
    use super::maps::{
        map_parts, map_svg, memory_weights, nearest_prototypes, pagerank, prototype_classes,
        silhouettes,
    };
    #[pymodule_export]
    use super::model::{Model, write_atomically};
    #[pymodule_export]
    use super::neighbours::{
        neighbours_added, neighbours_classes, neighbours_found, neighbours_kept,
        neighbours_removed, neighbours_values, neighbours_weighted, neighbours_weights,
    };
    #[pymodule_export]
    use super::network::Network;
    #[pymodule_export]
    use super::parts::{model_from_centres, model_from_parts, model_from_weights};
    #[pymodule_export]
    use super::path::elastic_net_path;
    #[pymodule_export]
    use super::plot::{code_html, lines_svg, search_html, search_svg, table_html};
    #[pymodule_export]
    use super::project::{
        kernel_components, kernel_denoise, kernel_residuals, kernel_restore, model_from_directions,
        projection_parts,
    };
    #[pymodule_export]
    use super::ridge_path::ridge_path;
    #[pymodule_export]
    use super::select::select_kernels;
    #[pymodule_export]
    use super::several::fit_several;
    #[pymodule_export]
    use super::state::{EncoderSums, Plan, State, block_rows, rank_kernels, row_keys};
    #[pymodule_export]
    use super::tree::{tree_importances, tree_rules, tree_shown};
    #[pymodule_export]
    use super::tune::{search_metrics, tune};

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
