//! Readers and writers through the public interface, one module a subject.

mod examples;
mod hostile;
#[cfg(feature = "parquet")]
mod kinds;
mod libsvm_exchange;
mod libsvm_text;
mod model_compat;
mod model_file;
mod onnx;
mod own_kernel;
#[cfg(feature = "parquet")]
mod parquet;
mod robust;
mod shared_data;
mod state_file;
mod tables;
mod texts;
