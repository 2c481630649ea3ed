//! What the first line of a program says of how to run it.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Bytes that are read: more than the kernel reads of a `#!` line.
const HEAD_BYTES: u64 = 512;

/// What the beginning of a program says of how to run it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ScriptHead {
    /// A `#!` line names its interpreter.
    Interpreter,
    /// The `#!` line ends with a carriage return, which the system takes for a part of the interpreter's name.
    WindowsLineEnd,
    /// It is a text without a `#!` line.
    WithoutInterpreter,
    /// It is no text.
    Binary,
}

impl ScriptHead {
    pub(crate) fn read(program: &Path) -> io::Result<Self> {
        let mut head = Vec::new();
        File::open(program)?.take(HEAD_BYTES).read_to_end(&mut head)?;
        Ok(Self::of(&head))
    }

    fn of(head: &[u8]) -> Self {
        let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
        if line.starts_with(b"#!") {
            return if line.ends_with(b"\r") { Self::WindowsLineEnd } else { Self::Interpreter };
        }
        let is_control = |byte: &u8| *byte < b' ' && !byte.is_ascii_whitespace();
        if head.iter().any(is_control) { Self::Binary } else { Self::WithoutInterpreter }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_decides() {
        let check = |head: &[u8], expected| assert_eq!(ScriptHead::of(head), expected, "{head:?}");
        check(b"#!/bin/sh\necho\r\n", ScriptHead::Interpreter);
        check(b"#!/bin/sh", ScriptHead::Interpreter);
        check(b"#!/usr/bin/env perl\r\nprint 1;\r\n", ScriptHead::WindowsLineEnd);
        check(b"use strict;\nprint 1;\n", ScriptHead::WithoutInterpreter);
        check(b"\x7fELF\x02\x01\x01\0\0", ScriptHead::Binary);
        check(b"MZ\x90\0", ScriptHead::Binary);
    }
}
