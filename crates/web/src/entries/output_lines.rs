//! Splits the output of a program into bounded lines.

use dicehill_arena::printable;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::mpsc::Sender;

/// The most bytes of a line that is read; the rest of it is dropped.
const MAX_LINE_BYTES: usize = 256 << 10;
/// The most bytes of a line that is shown.
const MAX_SHOWN_BYTES: usize = 4 << 10;

/// Sends what `read` makes of the lines of a stream, until the stream ends or the receiver is closed. Lines for which it
/// returns `None` are skipped.
pub(super) async fn send_lines<T>(
    mut stream: impl AsyncRead + Unpin,
    read: fn(&[u8]) -> Option<T>,
    to: Sender<T>,
) {
    let mut line = Vec::new();
    let mut buffer = [0; 8 << 10];
    loop {
        let taken = match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => break,
            Ok(taken) => taken,
        };
        for byte in &buffer[..taken] {
            if *byte == b'\n' {
                if !send(&line, read, &to).await {
                    return;
                }
                line.clear();
            } else if line.len() < MAX_LINE_BYTES {
                line.push(*byte);
            }
        }
    }
    if !line.is_empty() {
        send(&line, read, &to).await;
    }
}

/// Sends what `read` makes of a line, and returns whether the receiver is open.
async fn send<T>(line: &[u8], read: fn(&[u8]) -> Option<T>, to: &Sender<T>) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    match read(line) {
        Some(read) => to.send(read).await.is_ok(),
        None => true,
    }
}

/// The lines of a text, printable and cut where they are too long.
pub(super) fn shown_lines(text: &str) -> impl Iterator<Item = String> {
    text.split('\n').map(|line| {
        let end = line.floor_char_boundary(MAX_SHOWN_BYTES);
        let dots = if end < line.len() { " ..." } else { "" };
        format!("{}{dots}", printable(&line[..end]))
    })
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc::channel;

    use super::*;

    #[tokio::test]
    async fn lines_are_read_and_bounded() {
        let text = format!("a\r\n\nskipped\n{}\nlast", "x".repeat(3 * MAX_LINE_BYTES));
        let (sender, mut receiver) = channel(100);
        let read = |line: &[u8]| (line != b"skipped").then(|| line.to_vec());
        send_lines(text.as_bytes(), read, sender).await;
        let mut lines = Vec::new();
        while let Some(line) = receiver.recv().await {
            lines.push(line);
        }
        assert_eq!(
            lines,
            [b"a".to_vec(), Vec::new(), vec![b'x'; MAX_LINE_BYTES], b"last".to_vec()]
        );
    }

    #[test]
    fn shown_lines_are_bounded_and_printable() {
        let text = format!("a\n\n\x1b[2J\n{}\nlast \u{fffd}", "x".repeat(3 * MAX_SHOWN_BYTES));
        let cut = format!("{} ...", "x".repeat(MAX_SHOWN_BYTES));
        let expected = ["a", "", r"\u{1b}[2J", &cut, r"last \u{fffd}"];
        assert!(shown_lines(&text).eq(expected), "{:?}", shown_lines(&text).collect::<Vec<_>>());
    }
}
