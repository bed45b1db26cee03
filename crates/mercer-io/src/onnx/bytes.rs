//! The wire format of protocol buffers.

/// A message under construction.
///
/// A field is a tag, its number times 8 plus the kind of what follows, and a value. Numbers are
/// written in groups of seven bits, the lowest first.
#[derive(Debug, Default, Clone)]
pub(super) struct Bytes(Vec<u8>);

const VARINT: u64 = 0;
const DELIMITED: u64 = 2;

impl Bytes {
    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn tag(&mut self, field: u64, kind: u64) {
        self.varint(field << 3 | kind);
    }

    /// Adds a whole number.
    pub(super) fn int(&mut self, field: u64, number: i64) {
        self.tag(field, VARINT);
        self.varint(number as u64);
    }

    /// Adds bytes as they are.
    pub(super) fn blob(&mut self, field: u64, bytes: &[u8]) {
        self.tag(field, DELIMITED);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    /// Adds a text.
    pub(super) fn text(&mut self, field: u64, text: &str) {
        self.blob(field, text.as_bytes());
    }

    /// Adds a message.
    pub(super) fn message(&mut self, field: u64, message: &Self) {
        self.blob(field, &message.0);
    }

    /// Adds a list of whole numbers.
    pub(super) fn ints(&mut self, field: u64, numbers: &[i64]) {
        let mut list = Self::default();
        for number in numbers {
            list.varint(*number as u64);
        }
        self.message(field, &list);
    }

    /// Adds a list of numbers in single precision.
    pub(super) fn floats(&mut self, field: u64, numbers: &[f32]) {
        let list: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
        self.blob(field, &list);
    }

    /// Returns what was written.
    pub(super) fn finish(self) -> Vec<u8> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Bytes)) -> Vec<u8> {
        let mut bytes = Bytes::default();
        write(&mut bytes);
        bytes.finish()
    }

    #[test]
    fn numbers_are_groups_of_seven_bits() {
        // The examples of the format's own description.
        assert_eq!(written(|b| b.int(1, 150)), [0x08, 0x96, 0x01]);
        assert_eq!(written(|b| b.int(1, 0)), [0x08, 0]);
        let negative = written(|b| b.int(2, -2));
        assert_eq!(negative.len(), 11);
        assert_eq!((negative[1], negative[10]), (0xfe, 0x01));
        // Field 16 is the first whose tag takes two bytes.
        assert_eq!(written(|b| b.int(16, 1)), [0x80, 0x01, 1]);
    }

    #[test]
    fn lengths_stand_before_texts_lists_and_messages() {
        assert_eq!(written(|b| b.text(2, "testing"))[..2], [0x12, 7]);
        assert_eq!(
            written(|b| b.ints(6, &[3, 270, 86_942])),
            [0x32, 6, 3, 0x8e, 2, 0x9e, 0xa7, 5]
        );
        let mut inner = Bytes::default();
        inner.int(1, 150);
        assert_eq!(written(|b| b.message(3, &inner)), [0x1a, 3, 8, 0x96, 1]);
        assert_eq!(
            written(|b| b.floats(7, &[1.0])),
            [0x3a, 4, 0, 0, 0x80, 0x3f]
        );
    }
}
