//! Serializes numbers rounded to six significant digits.

use serde::{Serialize, Serializer};

use crate::six_digits;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
pub(super) fn six_digits_of<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    six_digits(*value).serialize(serializer)
}

#[expect(clippy::ref_option, reason = "the signature that serde asks for")]
pub(super) fn optional_six_digits<S: Serializer>(
    value: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.map(six_digits).serialize(serializer)
}
