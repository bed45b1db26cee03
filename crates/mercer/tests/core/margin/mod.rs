//! Properties every support vector machine keeps, on generated and worked examples.

mod bias;
mod bounds;
mod copies;
mod examples;
mod generate;
mod hard;
mod invariance;
mod optimality;
mod precision;
mod prediction;
mod share;
