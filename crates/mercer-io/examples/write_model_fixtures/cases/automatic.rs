//! Models whose method was chosen, with what left-out rows tell.

use mercer::data::Scaling;
use mercer::recipe::Recipe;

use crate::case::Case;
use crate::sets::{flowers, molecules, notes, points, shops};

pub(super) fn cases() -> Vec<Case> {
    let on = |text: &'static str| {
        move |recipe: &mut Recipe| {
            recipe.settings.push(("kernel".to_owned(), text.into()));
            recipe.scaling = Some(Scaling::None);
        }
    };
    let acids = "normalise(wl(iterations=1))@smiles + linear@atoms";
    vec![
        flowers::kinds().by_recipe("auto_classes", "three classes with sets", |_| {}),
        points::points("side").by_recipe("auto_two_classes", "two classes with sets", |_| {}),
        flowers::prices().by_recipe(
            "auto_numbers",
            "numbers with the intervals of left-out rows",
            |_| {},
        ),
        shops::visitors().by_recipe("auto_dates", "numbers by date", |_| {}),
        points::points("height").by_recipe(
            "auto_given_kernel",
            "numbers with a kernel whose width was chosen",
            on("rbf"),
        ),
        notes::notes().by_recipe(
            "auto_texts",
            "texts with sets of classes",
            on("normalise(spectrum(length=2))"),
        ),
        molecules::families().by_recipe(
            "auto_molecules",
            "molecules with sets of classes",
            on(acids),
        ),
    ]
}
