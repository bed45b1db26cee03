//! What others than fits and predictions ask of an encoder.

use super::apply::{Ready, absent};
use super::{Encoder, Encoding};
use crate::data::{FeatureGroup, Features, Parts, Records};

impl Encoder {
    /// Gives groups of features the words that files hold with the encoder alone.
    #[must_use]
    pub fn with_words(&self, mut groups: Vec<FeatureGroup>) -> Vec<FeatureGroup> {
        for group in &mut groups {
            if let Parts::Words(list) = &group.parts
                && let Some(column) = self.columns().iter().find(|c| c.name == group.source)
                && let Encoding::Words(words) = &column.encoding
                && words.width() == list.len()
            {
                group.parts = words.parts();
            }
        }
        groups
    }

    /// Returns one row of what stands in for missing values: means, the most frequent categories,
    /// empty texts.
    pub fn stand_in(&self) -> Records {
        let ready: Vec<Ready<'_>> = self.columns().iter().map(|c| absent(c, 1)).collect();
        Records::from_features(Features {
            points: self.assemble(1, &ready),
            groups: self.groups(),
        })
    }
}
