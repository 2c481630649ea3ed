//! Files in which a crash has left nothing but a part of a header.

use std::path::Path;

/// How each header that this program writes begins.
pub(super) const HEADER_BEGINS: &[u8] = b"{\"type\":\"header\",\"schema\":\"dicehill.log/";

/// The longest header, in bytes.
const MAX_HEADER_BYTES: u64 = 64 << 20;

/// Whether a new run overwrites the file, because there is nothing in it but a part of a log's header.
pub(super) fn has_no_game(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|meta| is_torn_header(path, meta.len(), HEADER_BEGINS))
}

/// Whether the file is only part of a header that begins like this, or of NUL bytes in its place: its run was killed while it
/// wrote that, the disk was full, or the power failed.
pub(crate) fn is_torn_header(path: &Path, length: u64, begins: &[u8]) -> bool {
    (1..MAX_HEADER_BYTES).contains(&length)
        && std::fs::read(path).is_ok_and(|bytes| is_part_of_header(&bytes, begins))
}

fn is_part_of_header(bytes: &[u8], begins: &[u8]) -> bool {
    let written = &bytes[..bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1)];
    written.is_empty() || (written.starts_with(begins) && !written.contains(&b'\n'))
}
