//! Tensors as bytes and back.

use mercer::model::Tensor;
use safetensors::Dtype;

/// The name safetensors has for the type of a tensor, and its values as little-endian bytes.
pub(crate) fn encode(tensor: &Tensor) -> (Dtype, Vec<u8>) {
    match tensor {
        Tensor::F64 { values, .. } => (Dtype::F64, bytes(values, f64::to_le_bytes)),
        Tensor::F32 { values, .. } => (Dtype::F32, bytes(values, f32::to_le_bytes)),
        Tensor::U64 { values, .. } => (Dtype::U64, bytes(values, u64::to_le_bytes)),
        Tensor::U32 { values, .. } => (Dtype::U32, bytes(values, u32::to_le_bytes)),
        Tensor::U8 { values, .. } => (Dtype::U8, values.clone()),
    }
}

/// Reads a tensor; `None` for a type that models do not use.
pub(crate) fn decode(dtype: Dtype, shape: &[usize], data: &[u8]) -> Option<Tensor> {
    let shape = shape.to_vec();
    match dtype {
        Dtype::F64 => Some(Tensor::F64 {
            shape,
            values: values(data, f64::from_le_bytes),
        }),
        Dtype::F32 => Some(Tensor::F32 {
            shape,
            values: values(data, f32::from_le_bytes),
        }),
        Dtype::U64 => Some(Tensor::U64 {
            shape,
            values: values(data, u64::from_le_bytes),
        }),
        Dtype::U32 => Some(Tensor::U32 {
            shape,
            values: values(data, u32::from_le_bytes),
        }),
        Dtype::U8 => Some(Tensor::U8 {
            shape,
            values: data.to_vec(),
        }),
        _ => None,
    }
}

fn bytes<T: Copy, const N: usize>(values: &[T], one: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    let mut out = Vec::with_capacity(values.len() * N);
    for &value in values {
        out.extend_from_slice(&one(value));
    }
    out
}

fn values<T, const N: usize>(data: &[u8], one: impl Fn([u8; N]) -> T) -> Vec<T> {
    let (chunks, _) = data.as_chunks::<N>();
    chunks.iter().map(|&chunk| one(chunk)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tensors_survive_bit_for_bit() {
        let tensors = [
            Tensor::F64 {
                shape: vec![1, 3],
                values: vec![-0.0, 5e-324, f64::MAX],
            },
            Tensor::F32 {
                shape: vec![2],
                values: vec![-0.0, f32::MAX],
            },
            Tensor::U64 {
                shape: vec![2],
                values: vec![0, u64::MAX],
            },
            Tensor::U32 {
                shape: vec![1],
                values: vec![7],
            },
            Tensor::U8 {
                shape: vec![0],
                values: vec![],
            },
        ];
        for tensor in tensors {
            let (dtype, data) = encode(&tensor);
            let back = decode(dtype, tensor.shape(), &data).expect("a known type");
            assert_eq!(format!("{back:?}"), format!("{tensor:?}"));
        }
        assert_eq!(decode(Dtype::F16, &[1], &[0, 0]), None);
    }
}
