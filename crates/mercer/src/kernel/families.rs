//! The list of all kernel families, and those that a program adds.

use std::sync::{PoisonError, RwLock};

use super::Family;
use super::{graph, node, string, vector};
use crate::{Error, Result};

/// Every family, in the order of help: one line each.
static FAMILIES: &[&Family] = &[
    &vector::linear::FAMILY,
    &vector::poly::FAMILY,
    &vector::rbf::FAMILY,
    &vector::laplace::FAMILY,
    &vector::matern::FAMILY,
    &vector::rational_quadratic::FAMILY,
    &vector::sigmoid::FAMILY,
    &vector::spline::FAMILY,
    &vector::spline::BENT,
    &vector::cosine::FAMILY,
    &vector::chi2::FAMILY,
    &vector::overlap::FAMILY,
    &string::subsequence::FAMILY,
    &string::substring::FAMILY,
    &string::gap::FAMILY,
    &string::spectrum::FAMILY,
    &string::mismatch::FAMILY,
    &string::weighted_degree::FAMILY,
    &graph::wl::FAMILY,
    &graph::shortest_path::FAMILY,
    &graph::random_walk::FAMILY,
    &graph::graphlet::FAMILY,
    &node::diffusion::FAMILY,
    &node::regularised_laplacian::FAMILY,
    &node::commute::FAMILY,
    &node::neighbourhood::FAMILY,
    &vector::precomputed::FAMILY,
];

/// Functions of a kernel, which are no families.
const FUNCTIONS: [&str; 2] = ["exp", "normalise"];

/// Returns every kernel family, in the order of help.
pub fn families() -> &'static [&'static Family] {
    FAMILIES
}

/// Families that the program has added.
static ADDED: RwLock<Vec<&'static Family>> = RwLock::new(Vec::new());

/// Adds a family of your own to those that expressions and model files may name.
///
/// From then on [`KernelSpec::parse`](super::KernelSpec::parse) reads its name, it stands in sums, products
/// and `K@columns` like any other, every learning method takes it, and a model file that names it
/// loads. It lasts as long as the process; a program that loads such files adds the family first.
/// Adding the same family again changes nothing. [`families`] lists the built-in ones only.
///
/// # Errors
/// A name that is taken, or that no expression could hold: one or more lower-case letters, digits
/// and `_`, a letter first.
///
/// # Examples
/// The smallest kernel there is, k(x, z) = 1 where two rows have the same first number, and 0
/// elsewhere. The example `custom_kernel` of this crate has one with parameters.
///
/// ```
/// use mercer::data::{Block, Records};
/// use mercer::kernel::{self, Compare, Definiteness, Family, Input, KernelSpec, Pairwise};
/// use mercer_linalg::{Matrix, Par};
///
/// struct SameFirst;
///
/// impl Compare for SameFirst {
///     type Rows = Vec<f64>;
///
///     fn take(&self, records: &Records) -> mercer::Result<Vec<f64>> {
///         match records.features.points.widened() {
///             Block::Dense(rows) if rows.columns() > 0 => {
///                 Ok((0..rows.rows()).map(|i| rows.row(i)[0]).collect())
///             }
///             _ => Err(mercer::Error::Kernel {
///                 kernel: "same_first".into(),
///                 problem: "rows must be dense and have a number".into(),
///                 cure: "give a numeric column".into(),
///             }),
///         }
///     }
///
///     fn value(&self, left: &Vec<f64>, i: usize, right: &Vec<f64>, j: usize) -> f64 {
///         f64::from(u8::from(left[i] == right[j]))
///     }
/// }
///
/// static SAME_FIRST: Family = Family {
///     name: "same_first",
///     summary: "whether the first numbers agree",
///     formula: "[x₁ = z₁]",
///     parameters: &[],
///     parameter_kind: "parameter of `same_first`",
///     input: Input::Vectors,
///     definiteness: Definiteness::Always,
///     normalised: None,
///     admit: |_, _| Ok(()),
///     bind: |_, records| Ok(Box::new(Pairwise::try_new(SameFirst, records)?)),
/// };
///
/// kernel::register(&SAME_FIRST)?;
/// let rows = Records::from_points(Matrix::from_vec(2, 2, vec![1.0, 5.0, 1.0, 7.0]));
/// let kernel: KernelSpec = "2*same_first + linear".parse()?;
/// assert_eq!(kernel.gram(&rows, Par::Sequential)?.as_slice(), [28.0, 38.0, 38.0, 52.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
pub fn register(family: &'static Family) -> Result<()> {
    let mut letters = family.name.chars();
    let starts = letters.next().is_some_and(|c| c.is_ascii_lowercase());
    if !starts || !letters.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_') {
        let rule = "lower-case letters, digits and `_`, a letter first";
        return Err(Error::setting("name", family.name, rule));
    }
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    if added.iter().any(|known| std::ptr::eq(*known, family)) {
        return Ok(());
    }
    let built_in = FAMILIES.iter().chain(added.iter()).map(|known| known.name);
    let others = OTHER_NAMES.iter().map(|(other, _)| *other);
    if built_in
        .chain(FUNCTIONS)
        .chain(others)
        .any(|name| name == family.name)
    {
        return Err(Error::Conflict {
            what: format!("there is a kernel `{}` already", family.name),
            cure: "give the new one another name".into(),
        });
    }
    added.push(family);
    Ok(())
}

/// Other names of families, as people know them; expressions are printed with the first.
const OTHER_NAMES: [(&str, &str); 2] = [("gauss", "rbf"), ("gaussian", "rbf")];

/// Returns a family by name.
pub(super) fn find(name: &str) -> Result<&'static Family> {
    let other = OTHER_NAMES.iter().find(|(other, _)| *other == name);
    let name = other.map_or(name, |(_, own)| own);
    if let Some(family) = FAMILIES.iter().find(|f| f.name == name) {
        return Ok(family);
    }
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(family) = added.iter().find(|f| f.name == name) {
        return Ok(family);
    }
    let families = FAMILIES.iter().chain(added.iter()).map(|f| f.name);
    Err(Error::Unknown {
        kind: "kernel",
        name: name.to_owned(),
        known: families.chain(FUNCTIONS).map(str::to_owned).collect(),
    })
}

/// Refuses a family that was not added: shortcuts for built-in families go by name.
pub(super) fn require_known(family: &'static Family) -> Result<()> {
    match find(family.name) {
        Ok(known) if std::ptr::eq(known, family) => Ok(()),
        _ => Err(Error::Kernel {
            kernel: family.name.to_owned(),
            problem: "the family is not known under this name".to_owned(),
            cure: "add it with `kernel::register` first".into(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Records;
    use crate::kernel::pairwise::{Compare, Pairwise};
    use crate::kernel::{Definiteness, Input, KernelSpec};

    struct One;

    impl Compare for One {
        type Rows = ();

        fn take(&self, _records: &Records) -> Result<()> {
            Ok(())
        }

        fn value(&self, (): &(), _i: usize, (): &(), _j: usize) -> f64 {
            1.0
        }
    }

    const fn constant(name: &'static str) -> Family {
        Family {
            name,
            summary: "one",
            formula: "1",
            parameters: &[],
            parameter_kind: "parameter of a constant",
            input: Input::Vectors,
            definiteness: Definiteness::Always,
            normalised: None,
            admit: |_, _| Ok(()),
            bind: |_, records| Ok(Box::new(Pairwise::try_new(One, records)?)),
        }
    }

    #[test]
    fn an_added_family_is_known_by_name() {
        static FAMILY: Family = constant("constant_of_a_test");
        let rows = crate::kernel::testing::records(&[&[1.0], &[2.0]]);
        let open = KernelSpec::open(&FAMILY);
        assert!(open.resolve(&rows, None).is_err());
        assert!("constant_of_a_test".parse::<KernelSpec>().is_err());

        register(&FAMILY).expect("a new name");
        register(&FAMILY).expect("the same again");
        assert_eq!(open, "constant_of_a_test".parse().expect("known"));
        let sum: KernelSpec = "normalise(constant_of_a_test) + linear"
            .parse()
            .expect("a sum");
        assert_eq!(
            crate::kernel::testing::gram(&sum.to_string(), &rows).as_slice(),
            [2.0, 3.0, 3.0, 5.0]
        );
    }

    #[test]
    fn names_that_are_taken_or_unreadable_are_refused() {
        static LINEAR: Family = constant("linear");
        static EXP: Family = constant("exp");
        static SPACED: Family = constant("two words");
        static DIGIT: Family = constant("2nd");
        for family in [&LINEAR, &EXP, &SPACED, &DIGIT] {
            assert!(register(family).is_err(), "{}", family.name);
        }
        // The name alone does not make it the built-in one.
        let rows = crate::kernel::testing::records(&[&[1.0], &[2.0]]);
        assert!(KernelSpec::open(&LINEAR).resolve(&rows, None).is_err());
        assert!(crate::kernel::ResolvedKernel::try_new(KernelSpec::open(&LINEAR)).is_err());
    }
}
