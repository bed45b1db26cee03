//! A prediction that is explained, in words.

use mercer::explain::Explanation;
use mercer::model::{Answers, Trained};

use crate::words::number;

/// The prediction that is explained, in words.
pub struct Told {
    /// `species is setosa`, `price is predicted as 12.3`.
    pub answer: String,
    /// Whether it is a class; influences are on its decision value, otherwise on the number itself.
    pub class: bool,
    /// The probability of the class, where the model gives one.
    pub probability: Option<f64>,
    /// The predicted number.
    pub value: Option<f64>,
}

impl Told {
    /// Words an explanation and the prediction of its row.
    pub fn of(trained: &Trained, found: &Explanation, answers: &Answers) -> Self {
        let target = trained.target().unwrap_or("the prediction");
        let mut told = Self {
            answer: target.to_owned(),
            class: found.class.is_some(),
            probability: None,
            value: None,
        };
        if let Some(class) = &found.class {
            told.answer = format!("{target} is {class}");
        }
        match answers {
            Answers::Classes {
                labels,
                probabilities: Some(table),
                ..
            } => {
                let place = labels.iter().position(|l| Some(l) == found.class.as_ref());
                told.probability = place.and_then(|place| Some(table.first()?[place]));
            }
            Answers::Values(values) => {
                told.value = values.first().copied();
                if let Some(value) = told.value {
                    told.answer = format!("{target} is predicted as {}", number(value));
                }
            }
            _ => {}
        }
        told
    }

    /// What the numbers of the parts are.
    pub fn aside(&self) -> &'static str {
        if self.value.is_some() {
            "how much the part raises the prediction; below 0 it lowers it"
        } else {
            "what the decision loses without the part"
        }
    }
}
