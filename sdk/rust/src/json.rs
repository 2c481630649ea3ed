//! A pull parser that reads one line of JSON directly into the fields of a struct.
//!
//! Turns arrive by the million, each with two objects keyed by category. Reading them in place takes a fraction of the time of a general
//! parser (`cargo bench -p dicehill-bot`) and saves a dependency. Text after the first value of a line is ignored.

use std::borrow::Cow;
use std::fmt;

/// A syntax error: the byte offset and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unreadable {
    at: usize,
    expected: &'static str,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} expected at byte {}", self.expected, self.at)
    }
}

pub(crate) type Read<T> = Result<T, Unreadable>;

/// A position in a line.
#[derive(Clone)]
pub(crate) struct Reader<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(line: &'a str) -> Self {
        Self { line, at: 0 }
    }

    /// A reader at the value of a field, if the value here is an object with that field.
    pub(crate) fn find(mut self, name: &str) -> Option<Self> {
        let mut found = None;
        self.fields(|reader, key| {
            let wanted = key == name;
            if wanted {
                found = Some(reader.clone());
            } else {
                reader.skip()?;
            }
            Ok(!wanted)
        })
        .ok()?;
        found
    }

    /// Calls `field` with each key of an object; `field` reads the value.
    pub(crate) fn object(
        &mut self,
        mut field: impl FnMut(&mut Self, &str) -> Read<()>,
    ) -> Read<()> {
        self.fields(|reader, key| field(reader, key).map(|()| true))
    }

    /// The same, until `field` returns false.
    fn fields(&mut self, mut field: impl FnMut(&mut Self, &str) -> Read<bool>) -> Read<()> {
        self.expect(b'{', "an object")?;
        if self.take(b'}') {
            return Ok(());
        }
        loop {
            let key = self.text()?;
            self.expect(b':', "a colon")?;
            if !field(self, &key)? || !self.more(b'}')? {
                return Ok(());
            }
        }
    }

    /// Calls `item` for each item of an array; `item` reads it.
    pub(crate) fn array(&mut self, mut item: impl FnMut(&mut Self) -> Read<()>) -> Read<()> {
        self.expect(b'[', "an array")?;
        if self.take(b']') {
            return Ok(());
        }
        loop {
            item(self)?;
            if !self.more(b']')? {
                return Ok(());
            }
        }
    }

    /// Reads an array of numbers into a list, replacing its contents.
    pub(crate) fn numbers<N: TryFrom<u64>>(&mut self, list: &mut Vec<N>) -> Read<()> {
        list.clear();
        self.array(|reader| {
            list.push(reader.number()?);
            Ok(())
        })
    }

    /// A non-negative integer.
    pub(crate) fn number<N: TryFrom<u64>>(&mut self) -> Read<N> {
        self.blanks();
        let from = self.at;
        let mut value = 0_u64;
        while let Some(digit) = self.byte().filter(u8::is_ascii_digit) {
            value = value.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        let unreadable = Unreadable { at: from, expected: "a number" };
        if self.at == from { Err(unreadable) } else { N::try_from(value).map_err(|_| unreadable) }
    }

    /// True or false.
    pub(crate) fn flag(&mut self) -> Read<bool> {
        if self.word("true") {
            return Ok(true);
        }
        if self.word("false") { Ok(false) } else { Err(self.unreadable("true or false")) }
    }

    /// A string, or `None` for null.
    pub(crate) fn text_or_null(&mut self) -> Read<Option<String>> {
        if self.word("null") {
            return Ok(None);
        }
        Ok(Some(self.text()?.into_owned()))
    }

    /// A string, borrowed unless it has escapes.
    #[inline]
    pub(crate) fn text(&mut self) -> Read<Cow<'a, str>> {
        self.expect(b'"', "a text")?;
        let from = self.at;
        match self.text_end()? {
            b'"' => Ok(Cow::Borrowed(&self.line[from..self.at - 1])),
            _ => self.escaped_text(from),
        }
    }

    /// Advances past the next quote or backslash and returns which it was.
    fn text_end(&mut self) -> Read<u8> {
        let rest = &self.line.as_bytes()[self.at..];
        let length = rest.iter().position(|&byte| byte == b'"' || byte == b'\\');
        let length = length.ok_or_else(|| self.unreadable("the end of a text"))?;
        self.at += length + 1;
        Ok(rest[length])
    }

    /// The rest of a string that starts at `from`, after its first backslash.
    fn escaped_text(&mut self, from: usize) -> Read<Cow<'a, str>> {
        let mut text = self.line[from..self.at - 1].to_owned();
        loop {
            text.push(self.escaped()?);
            let from = self.at;
            let end = self.text_end()?;
            text.push_str(&self.line[from..self.at - 1]);
            if end == b'"' {
                return Ok(Cow::Owned(text));
            }
        }
    }

    fn escaped(&mut self) -> Read<char> {
        let byte = self.byte().ok_or_else(|| self.unreadable("an escaped character"))?;
        self.at += 1;
        Ok(match byte {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.code_point(),
            b'"' | b'\\' | b'/' => char::from(byte),
            _ => return Err(self.unreadable("an escaped character")),
        })
    }

    /// The character after `\u`: four digits, or a surrogate pair. A lone surrogate becomes the replacement character.
    fn code_point(&mut self) -> Read<char> {
        let first = self.hexadecimal()?;
        let pair = (0xd800..0xdc00).contains(&first) && self.line[self.at..].starts_with("\\u");
        if !pair {
            return Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        self.at += 2;
        let second = self.hexadecimal()?;
        let low = second.wrapping_sub(0xdc00);
        let code = 0x1_0000 + ((first - 0xd800) << 10) + (low & 0x3ff);
        let valid = char::from_u32(code).filter(|_| low < 0x400);
        Ok(valid.unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hexadecimal(&mut self) -> Read<u32> {
        let digits = self.line.get(self.at..self.at + 4);
        let value = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let value = value.ok_or_else(|| self.unreadable("four hexadecimal digits"))?;
        self.at += 4;
        Ok(value)
    }

    /// Skips a value of any type.
    pub(crate) fn skip(&mut self) -> Read<()> {
        match self.peek() {
            Some(b'{') => self.object(|reader, _| reader.skip()),
            Some(b'[') => self.array(Self::skip),
            Some(b'"') => self.text().map(|_| ()),
            Some(_) => self.skip_word(),
            None => Err(self.unreadable("a value")),
        }
    }

    /// Skips a number, `true`, `false` or `null`.
    fn skip_word(&mut self) -> Read<()> {
        let rest = &self.line[self.at..];
        let of_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
        let length = rest.bytes().position(|byte| !of_word(byte)).unwrap_or(rest.len());
        let word = &rest[..length];
        let number = word.starts_with(|first: char| first == '-' || first.is_ascii_digit());
        if !number && !matches!(word, "true" | "false" | "null") {
            return Err(self.unreadable("a value"));
        }
        self.at += length;
        Ok(())
    }

    fn more(&mut self, end: u8) -> Read<bool> {
        if self.take(b',') {
            return Ok(true);
        }
        self.expect(end, "a comma or the end").map(|()| false)
    }

    fn word(&mut self, word: &str) -> bool {
        self.blanks();
        let here = self.line.as_bytes()[self.at..].starts_with(word.as_bytes());
        if here {
            self.at += word.len();
        }
        here
    }

    fn expect(&mut self, byte: u8, expected: &'static str) -> Read<()> {
        if self.take(byte) { Ok(()) } else { Err(self.unreadable(expected)) }
    }

    fn take(&mut self, byte: u8) -> bool {
        let here = self.peek() == Some(byte);
        self.at += usize::from(here);
        here
    }

    fn peek(&mut self) -> Option<u8> {
        self.blanks();
        self.byte()
    }

    fn blanks(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn byte(&self) -> Option<u8> {
        self.line.as_bytes().get(self.at).copied()
    }

    /// The error that something else was expected here.
    pub(crate) fn unreadable(&self, expected: &'static str) -> Unreadable {
        Unreadable { at: self.at, expected }
    }
}

#[cfg(test)]
mod tests {
    use super::Reader;

    /// Compares the values read with those of a general parser.
    fn check(json: &str) {
        let value: serde_json::Value =
            serde_json::from_str(json).expect("the test's JSON is valid");
        let mut reader = Reader::new(json);
        assert_eq!(reader.skip(), Ok(()), "{json}");
        assert_eq!(reader.at, json.trim_end().len(), "{json} is read to its end");
        if let Some(text) = value.as_str() {
            assert_eq!(Reader::new(json).text().expect("a text"), text);
        }
        if let Some(number) = value.as_u64() {
            assert_eq!(Reader::new(json).number(), Ok(number));
        }
        if let Some(flag) = value.as_bool() {
            assert_eq!(Reader::new(json).flag(), Ok(flag));
        }
    }

    #[test]
    fn values_are_those_of_a_general_parser() {
        for json in [
            "0",
            "9007199254740991",
            "-1.5e+3",
            "true",
            "false",
            "null",
            "[]",
            "{}",
            " [ 1 , [ ] , { } ] ",
            r#""""#,
            r#""Çelik \"7\" \\ \/ \b\f\n\r\t""#,
            r#""\u00e9\ud83c\udfb2 x""#,
            r#"{"a":{"b":["}",{"c":"]"}]},"d\"":1}"#,
        ] {
            check(json);
        }
    }

    #[test]
    fn invalid_json_is_refused() {
        for json in [
            "",
            "{",
            "[1",
            "[1 2]",
            r#"{"a"}"#,
            r#"{"a":}"#,
            r#"{1:2}"#,
            r#""a"#,
            r#""\x""#,
            r#""\u12"#,
            "]",
            "hello",
            "[nul]",
        ] {
            assert!(Reader::new(json).skip().is_err(), "{json}");
        }
        assert!(Reader::new("-1").number::<u64>().is_err());
        assert!(Reader::new("256").number::<u8>().is_err());
        assert!(Reader::new("99999999999999999999999").number::<u32>().is_err());
    }

    #[test]
    fn a_field_is_found_at_any_position() {
        let line = r#"{"a":{"type":"x"},"b":["type"],"type":"turn"}"#;
        let text = Reader::new(line).find("type").map(|mut reader| reader.text().expect("a text"));
        assert_eq!(text.as_deref(), Some("turn"));
        assert!(Reader::new(line).find("c").is_none());
        assert!(Reader::new("[1]").find("c").is_none());
    }
}
