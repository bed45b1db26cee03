//! Models whose method was chosen, with what left-out rows tell.

use mercer::automatic::Automatic;
use mercer::data::Task;
use mercer::model::AnyEstimator;
use mercer_io::Result;

use super::kernel;
use crate::case::Case;
use crate::sets::{flowers, molecules, notes, points, shops};

pub(super) fn cases() -> Result<Vec<Case>> {
    let on = |task, text: &str| -> Result<AnyEstimator> {
        Ok(AnyEstimator::Auto(
            Automatic::new(task).kernel(kernel(text)?),
        ))
    };
    let smooth = on(Task::Regress, "rbf")?;
    let texts = on(Task::Classify, "normalise(spectrum(length=2))")?;
    let text = "normalise(wl(iterations=1))@smiles + linear@atoms";
    let acids = on(Task::Classify, text)?;
    Ok(vec![
        flowers::kinds().by_recipe("auto_classes", "three classes with sets", |_| {}),
        points::points("side").by_recipe("auto_two_classes", "two classes with sets", |_| {}),
        flowers::prices().by_recipe(
            "auto_numbers",
            "numbers with the intervals of left-out rows",
            |_| {},
        ),
        shops::visitors().by_recipe("auto_dates", "numbers by date", |_| {}),
        points::points("height").learnt(
            "auto_given_kernel",
            "numbers with a kernel whose width was chosen",
            smooth,
        ),
        notes::notes().learnt("auto_texts", "texts with sets of classes", texts),
        molecules::families().learnt("auto_molecules", "molecules with sets of classes", acids),
    ])
}
