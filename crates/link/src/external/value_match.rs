//! Finds a value in a text in which its characters may be escaped.

/// The most backslashes before an escaped character: a JSON text in a JSON text in a JSON text has up to eight for one.
const MAX_BACKSLASHES: usize = 8;

/// What the beginning of a text has of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ValueMatch {
    /// The number of bytes of the longest form of the value with which the text begins.
    pub(super) length: Option<usize>,
    /// Whether the text ends where a longer form could continue.
    pub(super) is_open: bool,
}

impl ValueMatch {
    /// Compares the beginning of a text with a value, which is visible ASCII. Each character of the value may be written
    /// - as it is,
    /// - as `\uXXXX`, hexadecimal digits in either case,
    /// - if it is punctuation, with a backslash before it,
    ///
    /// and the backslash of an escape several times, as in an escaped text that was escaped again.
    ///
    /// The time does not depend on the length of the text, and is constant where the first characters differ.
    pub(super) fn at_start(text: &[u8], value: &[u8]) -> Self {
        let is_candidate =
            text.first().is_none_or(|first| *first == b'\\' || value.first() == Some(first));
        if !is_candidate {
            return Self { length: None, is_open: false };
        }
        let mut is_open = false;
        // A run of backslashes can be read in several ways, so there can be several ends.
        let (mut ends, mut next) = (vec![0], Vec::new());
        for character in value {
            for end in ends.drain(..) {
                is_open |= character_ends(*character, text, end, &mut next);
            }
            std::mem::swap(&mut ends, &mut next);
            ends.sort_unstable();
            ends.dedup();
            if ends.is_empty() {
                break;
            }
        }
        Self { length: ends.last().copied(), is_open }
    }
}

/// Appends where the forms of a character end that begin at `start`. Returns whether the text ends within a form.
fn character_ends(character: u8, text: &[u8], start: usize, ends: &mut Vec<usize>) -> bool {
    let rest = &text[start..];
    let run = rest.iter().take(MAX_BACKSLASHES + 1).take_while(|byte| **byte == b'\\').count();
    let after = &rest[run..];
    if character == b'\\' {
        // Each level of escapes doubles it. In a run of another length the last ones escape what follows.
        ends.extend(
            [1, 2, 4, 8].iter().filter(|length| **length <= run).map(|length| start + length),
        );
    }
    if run > MAX_BACKSLASHES {
        return false;
    }
    if after.first() == Some(&character) && (run == 0 || character.is_ascii_punctuation()) {
        ends.push(start + run + 1);
    }
    let code = unicode_escape(character);
    let begins_code = after.iter().zip(&code).all(|(byte, digit)| byte.eq_ignore_ascii_case(digit));
    let is_escape = run > 0 && begins_code;
    if is_escape && after.len() >= code.len() {
        ends.push(start + run + code.len());
    }
    after.is_empty() || is_escape && after.len() < code.len()
}

/// What follows the backslash in the escape of an ASCII character.
fn unicode_escape(character: u8) -> [u8; 5] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| DIGITS[usize::from(value)];
    [b'u', b'0', b'0', digit(character >> 4), digit(character & 15)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// All forms of a character, listed.
    fn forms(character: char) -> Vec<String> {
        let code = u32::from(character);
        let mut forms = vec![character.to_string()];
        for run in 1..=MAX_BACKSLASHES {
            let backslashes = "\\".repeat(run);
            if character == '\\' && run.is_power_of_two() {
                forms.push(backslashes.clone());
            } else if character != '\\' && character.is_ascii_punctuation() {
                forms.push(format!("{backslashes}{character}"));
            }
            for escape in [format!("u{code:04x}"), format!("u{code:04X}"), format!("U{code:04x}")] {
                forms.push(backslashes.clone() + &escape);
            }
        }
        forms
    }

    /// Tries all forms, one character after the other.
    fn reference(text: &str, value: &str) -> ValueMatch {
        let Some(character) = value.chars().next() else {
            return ValueMatch { length: Some(0), is_open: false };
        };
        let mut result = ValueMatch { length: None, is_open: false };
        for form in forms(character) {
            if form != text && form.starts_with(text) {
                result.is_open = true;
            } else if let Some(rest) = text.strip_prefix(&form) {
                let of_rest = reference(rest, &value[1..]);
                result.is_open |= of_rest.is_open;
                result.length = result.length.max(of_rest.length.map(|length| form.len() + length));
            }
        }
        result
    }

    #[track_caller]
    fn check(text: &str, value: &str, length: Option<usize>, is_open: bool) {
        let expected = ValueMatch { length, is_open };
        assert_eq!(ValueMatch::at_start(text.as_bytes(), value.as_bytes()), expected, "{text}");
        assert_eq!(reference(text, value), expected, "the reference of {text}");
    }

    #[test]
    fn each_character_may_be_escaped() {
        for text in ["a=/b", r"a\u003d/b", r"a\u003D\/b", r"a\=\/b", r"\u0061\u003d\u002F\u0062"] {
            check(text, "a=/b", Some(text.len()), false);
            check(&format!("{text}=/"), "a=/b", Some(text.len()), false);
            for length in 0..text.len() {
                check(&text[..length], "a=/b", None, true);
            }
        }
        for text in
            [r"\a=/b", r"a\u003e/b", r"a\u03d/b", r"a\x3d/b", r"a==/b", "x", r"a\n", r"a\ u"]
        {
            check(text, "a=/b", None, false);
        }
    }

    #[test]
    fn escapes_may_be_escaped_again() {
        for run in 1..=MAX_BACKSLASHES {
            let backslashes = "\\".repeat(run);
            for text in [format!("a{backslashes}u003d/"), format!("a{backslashes}={backslashes}/")]
            {
                check(&text, "a=/", Some(text.len()), false);
            }
        }
        check(&format!("a{}=/", "\\".repeat(MAX_BACKSLASHES + 1)), "a=/", None, false);
    }

    #[test]
    fn a_backslash_of_the_value_is_one_or_is_doubled() {
        check(r"a\b", r"a\b", Some(3), false);
        check(r"a\\b", r"a\b", Some(4), false);
        check(r"a\u005Cb", r"a\b", Some(8), false);
        check(r"a\\\b", r"a\b", None, false);
        check(r"a\\\/", r"a\/", Some(5), false);
        // The last backslash escapes the quotation mark.
        check(r#"a\\\""#, r"a\", Some(3), false);
        check(r"a\\", r"a\", Some(3), true);
    }

    proptest! {
        #[test]
        fn it_is_what_the_list_of_forms_says(
            value in r"[a=\\u0]{1,4}",
            text in r"(\\|\\u00|3d|3D|5c|5C|61|a|=|u|0|30|75){0,9}",
        ) {
            let found = ValueMatch::at_start(text.as_bytes(), value.as_bytes());
            prop_assert_eq!(found, reference(&text, &value), "{} in {}", value, text);
        }
    }
}
