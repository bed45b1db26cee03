use super::ordered::numbers;
use super::*;
use crate::data::{Column, Origin, Table, Values};
use crate::fit::Note;

fn table(columns: &[(&str, &[f64])]) -> Table {
    let column =
        |(name, values): &(&str, &[f64])| Column::new(*name, Values::Numeric(values.to_vec()));
    let rows = columns[0].1.len() as u32;
    let origin = Origin {
        name: "s.csv".to_owned(),
        lines: (2..rows + 2).collect(),
    };
    Table::try_new(columns.iter().map(column).collect(), origin).unwrap()
}

fn settle(lags: &str, horizon: usize, time: Option<&str>, table: &Table) -> Windows {
    let lags = lags.parse().unwrap();
    Windows::settle(&lags, horizon, time, "y", table).unwrap()
}

fn values(table: &Table, name: &str) -> Vec<f64> {
    numbers(table, name).unwrap().to_vec()
}

#[test]
fn powers_of_two_make_three_windows() {
    let table = table(&[("y", &[1.0, 2.0, 4.0, 8.0, 16.0])]);
    let windows = settle("2", 1, None, &table);
    let made = windows.arrange(&table, &[]).unwrap();
    assert_eq!(made.table.names(), ["y(t-2)", "y(t-1)", "y"]);
    assert_eq!(values(&made.table, "y(t-2)"), [1.0, 2.0, 4.0]);
    assert_eq!(values(&made.table, "y(t-1)"), [2.0, 4.0, 8.0]);
    assert_eq!(values(&made.table, "y"), [4.0, 8.0, 16.0]);
    assert_eq!(made.table.origin().lines, [4, 5, 6]);
    assert!(made.notes.is_empty() && made.ahead.is_empty());
}

#[test]
fn later_steps_know_their_own_targets() {
    let table = table(&[("y", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])]);
    let made = settle("1", 3, None, &table).arrange(&table, &[]).unwrap();
    assert_eq!(values(&made.table, "y"), [2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(made.ahead[0][..4], [3.0, 4.0, 5.0, 6.0]);
    assert!(made.ahead[0][4].is_nan() && made.ahead[1][3].is_nan());
}

#[test]
fn times_are_sorted_and_gaps_are_not_crossed() {
    let table = table(&[
        ("t", &[2.0, 1.0, 3.0, 4.0, 7.0, 8.0, 9.0]),
        ("y", &[20.0, 10.0, 30.0, 40.0, 70.0, 80.0, 90.0]),
        ("z", &[0.0; 7]),
    ]);
    let windows = settle("1,2", 1, Some("t"), &table);
    assert_eq!(
        windows.clock.as_ref().unwrap().period,
        Some(Period::Step(1.0))
    );
    let made = windows.arrange(&table, &[]).unwrap();
    assert_eq!(values(&made.table, "y"), [30.0, 40.0, 90.0]);
    assert_eq!(values(&made.table, "y(t-1)"), [20.0, 30.0, 80.0]);
    let told: Vec<&str> = made.notes.iter().map(Note::text).collect();
    assert!(told[0].contains("s.csv, line 3 is the first"), "{told:?}");
    assert!(
        told[1].starts_with("s.csv, line 6: 2 of `t` are missing before 7"),
        "{told:?}"
    );
    assert!(told[2].contains("`z` is not read"), "{told:?}");
}

#[test]
fn missing_values_leave_windows_out_and_are_told() {
    let nan = f64::NAN;
    let table = table(&[("y", &[1.0, 2.0, nan, 4.0, 5.0, 7.0, nan])]);
    let made = settle("1", 1, None, &table).arrange(&table, &[]).unwrap();
    assert_eq!(values(&made.table, "y"), [2.0, 5.0, 7.0]);
    // The last one is a target to be forecast.
    assert!(
        made.notes[0]
            .text()
            .starts_with("s.csv, line 4: `y` is missing there; ")
    );
}

#[test]
fn bad_series_are_refused() {
    let refused = |table: &Table, lags: &str| {
        let error = settle(lags, 1, None, table)
            .arrange(table, &[])
            .unwrap_err();
        error.to_string()
    };
    let short = table(&[("y", &[1.0, 2.0, 3.0])]);
    assert!(refused(&short, "12").contains("at least 14 are needed"));
    let holes = table(&[("y", &[1.0, f64::NAN, 2.0, f64::NAN, 3.0, f64::NAN])]);
    assert!(refused(&holes, "1").contains("no window of 2 steps"));
    let twice = table(&[("t", &[1.0, 1.0, 2.0]), ("y", &[1.0, 2.0, 3.0])]);
    let lags = "1".parse().unwrap();
    let error = Windows::settle(&lags, 1, Some("t"), "y", &twice).unwrap_err();
    assert!(error.to_string().contains("line 3"), "{error}");
    assert!(Windows::settle(&lags, 0, None, "y", &twice).is_err());
    assert!(Windows::settle(&lags, 1, Some("y"), "y", &twice).is_err());
    assert!(Windows::settle(&lags, 1, None, "nothing", &twice).is_err());
}
