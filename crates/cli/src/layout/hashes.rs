//! Hashes on narrow terminals.

use super::width::Width;

/// The text with hashes cut to twelve digits, if a whole one would not fit next to the `label` columns before the text.
pub(crate) fn fitting_hashes(text: &str, label: usize, width: Width) -> String {
    const DIGITS: usize = 64;
    const SHOWN: usize = 12;
    let needed = label + "sha256:".len() + DIGITS;
    if !matches!(width, Width::Columns(columns) if columns < needed) {
        return text.to_owned();
    }
    let cut = |word: &str| {
        let digits = word.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(word.len());
        let shown = if digits == DIGITS { SHOWN } else { digits };
        let dots = if shown < digits { "…" } else { "" };
        format!("{}{dots}{}", &word[..shown], &word[digits..])
    };
    text.split(':').map(cut).collect::<Vec<_>>().join(":")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_fit_narrow_terminals() {
        let hash = "0123456789ab".to_owned() + &"c".repeat(52);
        let text = format!("records blake3:{hash}, and sha256:{hash}");
        let short = "records blake3:0123456789ab…, and sha256:0123456789ab…";
        assert_eq!(fitting_hashes(&text, 9, Width::Columns(79)), short);
        for width in [Width::Columns(80), Width::Unlimited] {
            assert_eq!(fitting_hashes(&text, 9, width), text);
        }
        let other = "at 12:30: \u{e9}: 3 dice";
        assert_eq!(fitting_hashes(other, 9, Width::Columns(60)), other);
    }
}
