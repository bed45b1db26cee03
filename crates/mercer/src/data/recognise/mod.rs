//! What the strings of a column mean: one function for every front end.
//!
//! [`Recognise::column`] takes the cells of a column and decides, over all values that are not
//! missing, in this order:
//!
//! 1. numeric, when every value is a number as programs write it;
//! 2. boolean, when every value is `true`/`false`, `yes`/`no` or `t`/`f` of one pair in any
//!    case (`t` and `f` must both occur; 0 and 1 stay numbers);
//! 3. date, when every value is an ISO 8601 date or time;
//! 4. numeric, when the values are numbers as people write them, all in one format: separators
//!    between thousands, a decimal comma, a currency, a percent sign, a unit, parentheses for
//!    negatives ([`NumberFormat`]);
//! 5. date, in one of the national forms, the same in all rows: `31.12.2024`, `12/31/2024`,
//!    `31-Dec-2024`;
//! 6. molecule, text or categorical, as [`kind_of_strings`](super::kind_of_strings) tells them
//!    apart.
//!
//! A column without any value is numeric. Numbers and dates may have *odd* cells among them,
//! such as `unknown` or `<5`, which are then missing: at most one in twenty (one is allowed from
//! ten numbers on), in at most three spellings. Codes are kept apart: where all numbers are whole
//! and few, an odd cell of up to three letters and digits makes the column categorical.
//!
//! Some texts are missing everywhere ([`MISSING`](super::MISSING)); others, such as `-` and
//! `none`, may be names and are missing only among numbers and dates ([`MISSING_VALUES`]).
//!
//! What was noticed on the way is data: a [`Reading`], which the column keeps. Its [`Spelling`]
//! goes into models, so that new rows are read as the training rows were.

mod affix;
mod column;
mod dates;
mod format;
mod missing;
mod numbers;
mod odd;
mod reading;
#[cfg(test)]
mod tests;
mod truths;

pub use column::{Recognise, Recognised, Unread};
pub use dates::{check_date_format, date_format_of_java};
pub use format::{Decimal, NumberFormat};
pub use missing::{MISSING_VALUES, MissingTexts};
pub use odd::Odd;
pub(crate) use reading::spellings;
pub use reading::{Doubt, Reading, Spelling};
pub(super) use truths::truth_value;
