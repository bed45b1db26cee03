//! A number that tells plans apart.

use crate::model::{Parts, Tensor};

/// 128 bits of a document and its tensors, as hexadecimal digits.
///
/// Two lanes of multiply-and-rotate over eight bytes at a time: enough to notice plans that differ, no seal against forgery.
pub(super) fn fingerprint(parts: &Parts) -> String {
    let mut sum = Sum([0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03]);
    sum.text(&parts.metadata);
    for (name, tensor) in &parts.tensors.0 {
        sum.text(name);
        for &extent in tensor.shape() {
            sum.word(extent as u64);
        }
        match tensor {
            Tensor::F64 { values, .. } => values.iter().for_each(|v| sum.word(v.to_bits())),
            Tensor::F32 { values, .. } => values.iter().for_each(|v| sum.word(v.to_bits().into())),
            Tensor::U32 { values, .. } => values.iter().for_each(|v| sum.word((*v).into())),
            Tensor::U64 { values, .. } => values.iter().for_each(|v| sum.word(*v)),
            Tensor::U8 { values, .. } => sum.bytes(values),
        }
    }
    sum.digits()
}

struct Sum([u64; 2]);

impl Sum {
    fn word(&mut self, word: u64) {
        let [a, b] = self.0;
        self.0 = [
            (a ^ word)
                .wrapping_mul(0xFF51_AFD7_ED55_8CCD)
                .rotate_left(31),
            (b.rotate_left(17) ^ word).wrapping_mul(0xC4CE_B9FE_1A85_EC53),
        ];
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn digits(mut self) -> String {
        self.word(0);
        self.word(1);
        let [a, b] = self.0;
        format!("{:016x}{:016x}", a ^ (a >> 29), b ^ (b >> 31))
    }
}
