//! Random seeds and secrets from the operating system.

use crate::failure::Failure;

/// A seed of 128 bits from the operating system, as 32 hexadecimal digits.
pub(crate) fn draw() -> Result<String, Failure> {
    Ok(format!("{:032x}", u128::from_be_bytes(random()?)))
}

/// Bytes from the operating system.
pub(crate) fn random<const LENGTH: usize>() -> Result<[u8; LENGTH], Failure> {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes).map_err(|error| {
        let message = format!(
            "random numbers of the system: {error}; are /dev/random and /dev/urandom there?"
        );
        Failure::Failed(std::io::Error::other(message))
    })?;
    Ok(bytes)
}
