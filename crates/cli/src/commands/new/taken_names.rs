//! Names that a bot cannot have, because its language or its starter uses them.

use crate::args::Language;

impl Language {
    /// Whether a starter of this name would not work, because the language or the starter uses the name.
    /// All SDKs use `dicehill`, and some file systems ignore case.
    pub(super) fn has_taken(self, name: &str) -> bool {
        let words: &[&str] = match self {
            Self::Python | Self::C => &[],
            Self::JavaScript => &JAVASCRIPT_WORDS,
            Self::Java => &JAVA_WORDS,
            Self::Rust => &RUST_WORDS,
        };
        name.eq_ignore_ascii_case("dicehill") || words.contains(&name)
    }
}

/// Names in the starters' own code, and the language's words.
#[rustfmt::skip]
const JAVASCRIPT_WORDS: [&str; 58] = [
    "PAR", "Math", "Object", "String", "URL", "assert", "checkTranscript", "liarsDice",
    "playTranscript", "positions", "readFileSync", "test", "yahtzee",
    "arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger",
    "default", "delete", "do", "else", "enum", "eval", "export", "extends", "false", "finally",
    "for", "function", "if", "implements", "import", "in", "instanceof", "interface", "let", "new",
    "null", "package", "private", "protected", "public", "return", "static", "super", "switch",
    "this", "throw", "true", "try", "typeof", "var", "void",
];

/// Classes of the SDK, of `java.lang` and of the imports, and the language's words.
#[rustfmt::skip]
const JAVA_WORDS: [&str; 79] = [
    "Bid", "Category", "Comparator", "Comparable", "Exception", "IntStream", "Integer",
    "LiarsDiceAnswer", "LiarsDiceBot", "LiarsDiceTurn", "List", "Math", "Object", "Override",
    "Path", "String", "System", "Transcript", "YahtzeeAnswer", "YahtzeeBot", "YahtzeeTurn",
    "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "const",
    "continue", "default", "do", "double", "else", "enum", "extends", "false", "final", "finally",
    "float", "for", "goto", "if", "implements", "import", "instanceof", "int", "interface", "long",
    "native", "new", "null", "package", "private", "protected", "public", "record", "return",
    "sealed", "permits", "short", "static", "strictfp", "super", "switch", "synchronized", "this",
    "throw", "throws", "transient", "true", "try", "var", "void", "volatile", "while", "yield",
];

/// Names that cargo refuses for a package or its program, and the SDK's.
#[rustfmt::skip]
const RUST_WORDS: [&str; 47] = [
    "build", "core", "deps", "dicehill_bot", "examples", "incremental", "std", "test", "Self",
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in",
    "let", "loop", "macro", "match", "mod", "move", "mut", "override", "pub", "ref", "return",
    "self", "static", "struct", "use",
];
