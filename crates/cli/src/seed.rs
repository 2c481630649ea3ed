//! The master seed when nobody gives one.

use crate::failure::Failure;

/// A seed of 128 bits from the operating system, as 32 hexadecimal digits.
pub(crate) fn draw() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| Failure::Failed(std::io::Error::other(error)))?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}
