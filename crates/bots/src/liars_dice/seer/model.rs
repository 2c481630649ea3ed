//! The trained model: what its parameters mean, and the file that holds them.

pub(crate) mod likelihood_factors;
mod parameter_file;
pub(crate) mod parameters;
pub(crate) mod playing_style;
pub(crate) mod style_table;
pub(crate) mod win_probability;

pub(crate) use parameter_file::ParameterFileError;
#[cfg(test)]
pub(crate) use parameter_file::SHIPPED;
