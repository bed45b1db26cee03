//! Kernels on texts, graphs and networks, against results of other programs and by learning.

mod graphs;
mod learning;
mod networks;
mod oracle;
mod strings;
