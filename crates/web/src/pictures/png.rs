//! Writing a drawing as PNG, by the specification: <https://www.w3.org/TR/png-3/>.

use std::io::Write;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

use super::canvas::{Canvas, palette};

const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
const TAKES_ALL: &str = "writing to a Vec cannot fail";

/// The drawing as PNG with a palette.
pub(super) fn encode(canvas: &Canvas) -> Vec<u8> {
    let mut png = SIGNATURE.to_vec();
    let mut header = Vec::new();
    header.extend((canvas.width as u32).to_be_bytes());
    header.extend((canvas.height as u32).to_be_bytes());
    // 8 bits per pixel, palette, and the only compression, filter method and no interlacing.
    header.extend([8, 3, 0, 0, 0]);
    add_chunk(&mut png, *b"IHDR", &header);
    add_chunk(&mut png, *b"PLTE", &palette().concat());
    add_chunk(&mut png, *b"IDAT", &compressed(canvas));
    add_chunk(&mut png, *b"IEND", &[]);
    png
}

/// The rows, each after the number of its filter, which is none.
fn compressed(canvas: &Canvas) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(6));
    for row in canvas.pixels.chunks(canvas.width) {
        encoder.write_all(&[0]).and_then(|()| encoder.write_all(row)).expect(TAKES_ALL);
    }
    encoder.finish().expect(TAKES_ALL)
}

fn add_chunk(png: &mut Vec<u8>, kind: [u8; 4], content: &[u8]) {
    let mut crc = Crc::new();
    crc.update(&kind);
    crc.update(content);
    png.extend((content.len() as u32).to_be_bytes());
    png.extend(kind);
    png.extend(content);
    png.extend(crc.sum().to_be_bytes());
}
