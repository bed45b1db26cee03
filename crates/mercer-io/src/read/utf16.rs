//! UTF-16 text, as spreadsheet programs save it, turned into UTF-8 as it is read.

use std::io::{Read, Result};

/// Bytes decoded at a time.
const BLOCK: usize = 16 << 10;

/// Which of two bytes comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Little,
    Big,
}

impl Order {
    /// Returns the order that a byte order mark tells.
    pub(super) fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0xff, 0xfe, ..] => Some(Self::Little),
            [0xfe, 0xff, ..] => Some(Self::Big),
            _ => None,
        }
    }

    fn unit(self, pair: [u8; 2]) -> u16 {
        match self {
            Self::Little => u16::from_le_bytes(pair),
            Self::Big => u16::from_be_bytes(pair),
        }
    }
}

/// Reads UTF-8 from UTF-16; the byte order mark is left out.
pub(super) struct Decoder<R> {
    inner: R,
    order: Order,
    /// What was decoded, and how much of it was given.
    text: Vec<u8>,
    given: usize,
    /// A first byte, and the first half of a pair, that wait for their second.
    odd: Option<u8>,
    high: Option<u16>,
    is_first: bool,
}

impl<R: Read> Decoder<R> {
    pub(super) fn new(inner: R, order: Order) -> Self {
        Self {
            inner,
            order,
            text: Vec::new(),
            given: 0,
            odd: None,
            high: None,
            is_first: true,
        }
    }

    /// Decodes one more block; nothing is left to give at the end.
    fn refill(&mut self) -> Result<()> {
        self.text.clear();
        self.given = 0;
        let mut block = [0; BLOCK];
        while self.text.is_empty() {
            let read = self.inner.read(&mut block)?;
            if read == 0 {
                if self.odd.take().is_some() || self.high.take().is_some() {
                    self.put(char::REPLACEMENT_CHARACTER);
                }
                return Ok(());
            }
            for &byte in &block[..read] {
                match self.odd.take() {
                    None => self.odd = Some(byte),
                    Some(first) => self.unit(self.order.unit([first, byte])),
                }
            }
        }
        Ok(())
    }

    fn unit(&mut self, unit: u16) {
        if std::mem::take(&mut self.is_first) && unit == 0xfeff {
            return;
        }
        let units = self.high.take().into_iter().chain([unit]);
        for decoded in char::decode_utf16(units) {
            match decoded {
                Ok(letter) => self.put(letter),
                Err(lone) if (0xd800..0xdc00).contains(&lone.unpaired_surrogate()) => {
                    // Only the last one can still find its second half.
                    if self.high.replace(lone.unpaired_surrogate()).is_some() {
                        self.put(char::REPLACEMENT_CHARACTER);
                    }
                }
                Err(_) => self.put(char::REPLACEMENT_CHARACTER),
            }
        }
    }

    fn put(&mut self, letter: char) {
        let mut bytes = [0; 4];
        self.text
            .extend_from_slice(letter.encode_utf8(&mut bytes).as_bytes());
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if self.given == self.text.len() {
            self.refill()?;
        }
        let count = buffer.len().min(self.text.len() - self.given);
        buffer[..count].copy_from_slice(&self.text[self.given..self.given + count]);
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decoded(bytes: &[u8]) -> String {
        let order = Order::of(bytes).expect("a mark");
        let mut text = String::new();
        Decoder::new(bytes, order)
            .read_to_string(&mut text)
            .expect("memory");
        text
    }

    fn encoded(text: &str, order: Order) -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units
            .flat_map(|u| match order {
                Order::Little => u.to_le_bytes(),
                Order::Big => u.to_be_bytes(),
            })
            .collect()
    }

    #[test]
    fn what_is_damaged_is_replaced() {
        let mut bytes = encoded("ab", Order::Little);
        bytes.push(b'c');
        assert_eq!(decoded(&bytes), "ab\u{fffd}");
        // A first half at the end, and one before a letter.
        assert_eq!(decoded(&[0xff, 0xfe, 0x3d, 0xd8]), "\u{fffd}");
        let lone = [0xff, 0xfe, 0x3d, 0xd8, b'x', 0];
        assert!(decoded(&lone).contains('x'));
    }

    proptest! {
        #[test]
        fn both_orders_are_read(text in "[a-zä€😀,\n]{0,40}") {
            prop_assert_eq!(decoded(&encoded(&text, Order::Little)), text.clone());
            prop_assert_eq!(decoded(&encoded(&text, Order::Big)), text);
        }
    }
}
