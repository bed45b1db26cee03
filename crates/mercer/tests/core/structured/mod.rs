//! Kernels on texts, graphs and networks, against answers of other programs and by learning.

mod graphs;
mod learning;
mod networks;
mod oracle;
mod strings;
