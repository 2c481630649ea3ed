//! The kind of an outcome: its words without the values of one input.

/// Characters of a kind.
const LENGTH: usize = 160;

/// The words of an outcome. Numbers become `0` and quoted texts are left out, so that inputs that differ only in their
/// values have outcomes of one kind.
pub(crate) fn kind(outcome: &str) -> String {
    let mut kind = String::new();
    let mut quote = None;
    for character in outcome.chars() {
        if quote.is_some() {
            if quote == Some(character) {
                quote = None;
            }
        } else if matches!(character, '"' | '`') {
            quote = Some(character);
        } else if character.is_ascii_digit() {
            if !kind.ends_with('0') {
                kind.push('0');
            }
        } else if character.is_ascii() && kind.len() < LENGTH {
            kind.push(character);
        }
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_do_not_make_a_kind() {
        assert_eq!(kind("x:17: games = 3: must be `1` to \"9\""), "x:0: games = 0: must be  to ");
        assert_eq!(kind("caf\u{e9} \"unclosed"), "caf ");
        assert!(kind(&"ab".repeat(1000)).len() <= LENGTH);
    }
}
