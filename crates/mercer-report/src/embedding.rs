//! Pictures of coordinates: rows as spots in a plane, sources as signals.

use mercer::data::{Column, Values};
use mercer_plot::{Axis, Layer, Mark, Plane, Size};

/// Colours that are told apart; what is left has one colour.
const COLOURS: usize = 7;
/// Spots that are drawn: more would only blacken the picture.
const SPOTS: usize = 5000;

/// What rows are coloured by: names, and the place of every row's name among them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colouring {
    /// Names in the legend.
    pub names: Vec<String>,
    /// One per row.
    pub places: Vec<usize>,
}

impl Colouring {
    /// Colours rows by a column: by its values, the most frequent first, or by quarters of its numbers.
    pub fn of(column: &Column, rows: usize) -> Self {
        let texts: Vec<String> = (0..rows)
            .map(|row| column.values.text(row).unwrap_or_default())
            .collect();
        let mut counts: Vec<(String, usize)> = Vec::new();
        let mut sorted: Vec<&String> = texts.iter().collect();
        sorted.sort();
        for text in sorted {
            match counts.last_mut() {
                Some((last, count)) if last == text => *count += 1,
                _ => counts.push((text.clone(), 1)),
            }
        }
        if let Values::Numeric(numbers) = &column.values
            && counts.len() > COLOURS
        {
            return Self::by_quarters(&numbers[..rows.min(numbers.len())]);
        }
        let is_long = counts.len() > COLOURS;
        if is_long {
            counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            counts.truncate(COLOURS - 1);
        }
        let mut names: Vec<String> = counts.into_iter().map(|(name, _)| name).collect();
        let place = |text: &String| names.iter().position(|n| n == text);
        let places = texts
            .iter()
            .map(|text| place(text).unwrap_or(names.len()))
            .collect();
        if is_long {
            names.push("others".to_owned());
        }
        Self { names, places }
    }

    fn by_quarters(numbers: &[f64]) -> Self {
        let mut known: Vec<f64> = numbers.iter().copied().filter(|v| v.is_finite()).collect();
        known.sort_by(f64::total_cmp);
        let border = |k: usize| known.get(k * known.len() / 4).copied().unwrap_or(0.0);
        let borders = [border(1), border(2), border(3)];
        let short = mercer_plot::text::short;
        let names = vec![
            format!("below {}", short(borders[0])),
            format!("{} to {}", short(borders[0]), short(borders[1])),
            format!("{} to {}", short(borders[1]), short(borders[2])),
            format!("from {}", short(borders[2])),
        ];
        let places = numbers
            .iter()
            .map(|v| borders.iter().filter(|b| v >= *b).count())
            .collect();
        Self { names, places }
    }
}

/// Draws rows at their places; `names` are those of the two axes.
pub fn embedding(
    title: &str,
    names: [&str; 2],
    places: &[[f64; 2]],
    colouring: Option<&Colouring>,
) -> Plane {
    let step = places.len().div_ceil(SPOTS).max(1);
    let rows = || (0..places.len()).step_by(step);
    let mut plane = Plane::new(title)
        .x(Axis::named(names[0]))
        .y(Axis::named(names[1]))
        .size(Size::Pixels(640.0, 520.0));
    match colouring {
        None => {
            let spots = rows().map(|row| places[row]).collect();
            plane = plane.layer(Layer::unnamed(0, Mark::Spots(spots)));
        }
        Some(colouring) => {
            for (k, name) in colouring.names.iter().enumerate() {
                let own = rows().filter(|row| colouring.places.get(*row) == Some(&k));
                let spots = own.map(|row| places[row]).collect();
                plane = plane.layer(Layer::new(name, k, Mark::Spots(spots)));
            }
        }
    }
    plane
}

/// Draws signals over the number of the row, one above the other, each in a unit of its own.
pub fn signals(title: &str, signals: &[(String, Vec<f64>)]) -> Plane {
    /// Signals that are drawn, and the points of each.
    const MOST: usize = 8;
    const POINTS: usize = 2500;
    let shown = signals.len().min(MOST);
    let mut plane = Plane::new(title)
        .x(Axis::named("row"))
        .y(Axis::named("").bare())
        .size(Size::Pixels(860.0, 110.0 + 80.0 * shown as f64));
    for (k, (name, values)) in signals.iter().take(MOST).enumerate() {
        let known = || values.iter().filter(|v| v.is_finite());
        let mean = known().sum::<f64>() / known().count().max(1) as f64;
        let most = known().fold(0.0_f64, |m, v| m.max((v - mean).abs()));
        let unit = if most > 0.0 { 0.48 / most } else { 0.0 };
        let step = values.len().div_ceil(POINTS).max(1);
        let rows = (0..values.len()).step_by(step);
        let line = rows.map(|i| [i as f64 + 1.0, (values[i] - mean) * unit - k as f64]);
        plane = plane.layer(Layer::new(name, k, Mark::Line(line.collect())));
    }
    plane
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(values: Values) -> Column {
        Column::new("c", values)
    }

    #[test]
    fn colours_follow_values_or_quarters() {
        let few = Colouring::of(&column(Values::Numeric(vec![2.0, 1.0, 2.0])), 3);
        assert_eq!(few.names, ["1", "2"]);
        assert_eq!(few.places, [1, 0, 1]);
        let many = (0..100).map(f64::from).collect();
        let many = Colouring::of(&column(Values::Numeric(many)), 100);
        assert_eq!(many.names.len(), 4);
        assert_eq!(
            (many.places[0], many.places[30], many.places[99]),
            (0, 1, 3)
        );
    }

    #[test]
    fn constant_signals_are_lines() {
        let all = [
            ("a".to_owned(), vec![1.0; 5]),
            ("b".to_owned(), vec![0.0, f64::NAN, 2.0]),
        ];
        let svg = mercer_plot::Figure::to_svg(&signals("two", &all));
        assert!(svg.contains("two") && !svg.contains("NaN"));
    }

    #[test]
    fn places_that_are_no_numbers_are_left_out() {
        let places = [[1.0, 2.0], [f64::NAN, 0.0], [3.0, 1.0]];
        let colouring = Colouring {
            names: vec!["a".to_owned(), "b".to_owned()],
            places: vec![0, 0, 1],
        };
        let figure = embedding("rows", ["first", "second"], &places, Some(&colouring));
        let svg = mercer_plot::Figure::to_svg(&figure);
        assert!(svg.contains("first") && svg.contains("second"));
        assert!(!svg.contains("NaN"));
    }
}
