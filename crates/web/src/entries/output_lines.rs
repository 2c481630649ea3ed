//! Splits the output of a program into bounded lines.

use dicehill_arena::printable;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::mpsc::Sender;

/// The most bytes of a line.
const LONGEST_LINE: usize = 4 << 10;

/// Sends the lines of a stream, made printable and cut where they are too long, until the stream ends or the receiver is
/// closed.
pub(super) async fn send_lines(mut stream: impl AsyncRead + Unpin, to: Sender<String>) {
    let mut line = Line::default();
    let mut buffer = [0; 8 << 10];
    loop {
        let read = match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => break,
            Ok(read) => read,
        };
        for byte in &buffer[..read] {
            if *byte == b'\n' {
                if to.send(std::mem::take(&mut line).text()).await.is_err() {
                    return;
                }
            } else {
                line.push(*byte);
            }
        }
    }
    if !line.kept.is_empty() {
        let _closed = to.send(line.text()).await;
    }
}

#[derive(Default)]
struct Line {
    kept: Vec<u8>,
    is_cut: bool,
}

impl Line {
    fn push(&mut self, byte: u8) {
        if self.kept.len() < LONGEST_LINE {
            self.kept.push(byte);
        } else {
            self.is_cut = true;
        }
    }

    fn text(self) -> String {
        let text = String::from_utf8_lossy(&self.kept);
        let dots = if self.is_cut { " ..." } else { "" };
        format!("{}{dots}", printable(text.trim_end_matches('\r')))
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc::channel;

    use super::*;

    #[tokio::test]
    async fn lines_are_bounded_and_printable() {
        let text = format!("a\r\n\n\x1b[2J\n{}\nlast \u{fffd}", "x".repeat(3 * LONGEST_LINE));
        let (sender, mut receiver) = channel(100);
        send_lines(text.as_bytes(), sender).await;
        let mut lines = Vec::new();
        while let Some(line) = receiver.recv().await {
            lines.push(line);
        }
        let cut = format!("{} ...", "x".repeat(LONGEST_LINE));
        assert_eq!(lines, ["a", "", r"\u{1b}[2J", &cut, r"last \u{fffd}"]);
    }
}
