//! mercer-linalg.
