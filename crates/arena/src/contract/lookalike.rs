//! Names that readers can take for other names, by Unicode Technical Standard 39 ("Unicode Security Mechanisms").

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::mixed_script::AugmentedScriptSet;
use unicode_security::skeleton;

use super::bot_name::BotName;

/// The most combining marks in a row, as the standard recommends. No living language has more.
const MAX_MARKS: usize = 4;

/// Why a name can mislead readers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MisleadingName {
    /// Letters of several scripts, such as Latin and Cyrillic ones.
    #[error("bot name {0:?} mixes letters of several scripts: use one script")]
    MixedScripts(String),
    /// More than four combining marks in a row, or the same one twice.
    #[error(
        "bot name {0:?} has more than {MAX_MARKS} marks on a letter, or the same mark twice: remove some"
    )]
    Marks(String),
    /// As options of commands begin.
    #[error(
        "bot name {0:?} begins with a hyphen, like an option of a command: begin with another character"
    )]
    Hyphen(String),
}

impl BotName {
    /// Whether a reader can take the name for another: both are equal, differ only in case, in blanks or in compatible
    /// characters, or have the same skeleton by UTS 39.
    ///
    /// ```
    /// use dicehill_arena::BotName;
    ///
    /// let name = BotName::new("Greedy").unwrap();
    /// assert!(name.looks_like("gr\u{435}\u{435}dy") && name.looks_like("ＧＲＥＥＤＹ"));
    /// assert!(!name.looks_like("Greedy 2"));
    /// ```
    #[must_use]
    pub fn looks_like(&self, other: &str) -> bool {
        let (own, others) = (appearances(self.as_str()), appearances(other));
        own.iter().zip(&others).any(|(own, other)| own == other)
    }

    /// Checks that the name is written in one script and has no piles of combining marks. Latin letters may stand next to
    /// Chinese, Japanese and Korean ones. Nor does it begin with a hyphen. Names
    /// that a stranger chooses or a host gives a stranger's bot have to pass, those of a host's own bots need not.
    ///
    /// # Errors
    /// If it is not.
    pub fn check_not_misleading(&self) -> Result<(), MisleadingName> {
        let name = self.as_str();
        if mixes_scripts(name) {
            Err(MisleadingName::MixedScripts(name.to_owned()))
        } else if has_piled_marks(name) {
            Err(MisleadingName::Marks(name.to_owned()))
        } else if name.starts_with('-') {
            Err(MisleadingName::Hyphen(name.to_owned()))
        } else {
            Ok(())
        }
    }
}

/// The pairs of names that [look alike](BotName::looks_like), each with the earlier name first.
#[must_use]
pub fn lookalikes<'a>(
    names: impl IntoIterator<Item = &'a BotName>,
) -> Vec<(&'a BotName, &'a BotName)> {
    let mut earlier: HashMap<(usize, String), &BotName> = HashMap::new();
    let mut pairs = Vec::new();
    for name in names {
        let keys = || appearances(name.as_str()).into_iter().enumerate();
        let first = keys().find_map(|key| earlier.get(&key).copied());
        pairs.extend(first.map(|first| (first, name)));
        for key in keys() {
            earlier.entry(key).or_insert(name);
        }
    }
    pairs
}

/// Two forms of a name; names that share one look alike. A capital I looks like a small l, but is the capital of i, so that
/// the skeleton is computed both before and after case folding.
fn appearances(name: &str) -> [String; 2] {
    let compatible: String = name.nfkc().collect();
    // A blank or a full stop is easily missed.
    let is_seen = |character: &char| !character.is_whitespace() && *character != '.';
    let plain: String = compatible.chars().filter(is_seen).collect();
    let as_written: String = skeleton(&plain).collect();
    [folded(&as_written), skeleton(&folded(&plain)).collect()]
}

/// The letters of a text, with digits and signs as the letters that they resemble. An i and an l are the same, because a 1 can
/// stand for both.
fn letters(text: &str) -> String {
    let letter = |character: char| match character {
        '0' => Some('o'),
        '1' | 'i' => Some('l'),
        '3' => Some('e'),
        '4' | '@' => Some('a'),
        '5' | '$' => Some('s'),
        '7' => Some('t'),
        '8' => Some('b'),
        other => other.is_alphanumeric().then_some(other),
    };
    text.chars().filter_map(letter).collect()
}

/// Case folding: through capitals, because some small letters have the same one.
fn folded(text: &str) -> String {
    text.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

/// Whether the name is in no single script, and not in Latin letters and the script of one East Asian language.
fn mixes_scripts(name: &str) -> bool {
    let latin = AugmentedScriptSet::for_char('a');
    let is_foreign = |character: &char| {
        let mut both = AugmentedScriptSet::for_char(*character);
        both.intersect_with(latin);
        both.is_empty()
    };
    let foreign: String = name.chars().filter(is_foreign).collect();
    let scripts = AugmentedScriptSet::for_str(&foreign);
    let goes_with_latin = scripts.hanb || scripts.jpan || scripts.kore;
    AugmentedScriptSet::for_str(name).is_empty() && !goes_with_latin
}

fn has_piled_marks(name: &str) -> bool {
    let mut pile: Vec<char> = Vec::new();
    for character in name.nfd() {
        if !is_combining_mark(character) {
            pile.clear();
        } else if pile.last() == Some(&character) || pile.len() == MAX_MARKS {
            return true;
        } else {
            pile.push(character);
        }
    }
    false
}

/// Whether a text contains a word, or one that [looks like](BotName::looks_like) it. It may be disguised: blanks, punctuation
/// and marks are left out, and digits stand for the letters that they resemble.
///
/// ```
/// use dicehill_arena::contains_word;
///
/// assert!(contains_word("My gr\u{435}\u{435}dy bot", "greedy"));
/// assert!(contains_word("My gr_e 3.dy bot", "greedy"));
/// assert!(!contains_word("My gentle bot", "greedy"));
/// ```
#[must_use]
pub fn contains_word(text: &str, word: &str) -> bool {
    has_lookalike(text, word) || has_disguised(text, word)
}

fn has_lookalike(text: &str, part: &str) -> bool {
    let (own, parts) = (appearances(text), appearances(part));
    own.iter().zip(&parts).any(|(own, part)| own.contains(part.as_str()))
}

fn has_disguised(text: &str, part: &str) -> bool {
    // A text of which less is left would be in most names.
    if letters(part).chars().count() < 2 {
        return false;
    }
    let [own, parts] = [text, part].map(|text| appearances(text).map(|it| letters(&it)));
    own.iter().zip(&parts).any(|(own, part)| own.contains(part.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> BotName {
        BotName::new(text).expect("a name")
    }

    #[test]
    fn names_that_look_alike_are_found() {
        for (one, other) in [
            ("Greedy", "Greedy"),
            ("Greedy", "gREEDY"),
            ("Greedy", "Gr\u{435}\u{435}dy"),
            ("Greedy", "\u{13c0}\u{1d26}eedy"),
            ("Greedy", "\u{1d406}reedy"),
            ("Greedy", "\u{ff27}\u{ff32}\u{ff25}\u{ff25}\u{ff24}\u{ff39}"),
            ("aeopc", "\u{430}\u{435}\u{43e}\u{440}\u{441}"),
            ("paypal", "paypaI"),
            ("paypal", "PAYPAI"),
            ("bot I", "BOT i"),
            ("bot1", "botl"),
            ("greedy", "greedy."),
            ("greedy", "gree dy"),
            ("gree.dy", "greedy"),
            ("zer0", "ZERO"),
            ("modern", "rnodern"),
            ("two words", "Two  words"),
            ("\u{e9}clair", "e\u{301}clair"),
            ("Stra\u{df}e", "STRASSE"),
            ("\u{3c3}\u{3c2}", "\u{3a3}\u{3a3}"),
        ] {
            assert!(name(one).looks_like(other) && name(other).looks_like(one), "{one} {other}");
            let both = [name(one), name(other)];
            assert_eq!(lookalikes(&both), [(&both[0], &both[1])]);
        }
    }

    #[test]
    fn words_are_found_in_disguise() {
        for disguised in [
            "r.u.d.e",
            "Ru de",
            "Ru_de boy",
            "r-u'd e",
            "RUD3",
            "xxRudexx",
            "r\u{fc}de",
            "Rud\u{435}",
        ] {
            assert!(contains_word(disguised, "rude"), "{disguised}");
        }
        for (disguised, word) in
            [("51LLY 80T", "silly bot"), ("s1lly", "Silly"), ("4$$", "ass"), ("7e5t", "test")]
        {
            assert!(contains_word(disguised, word), "{disguised}");
        }
        for (plain, word) in [("Mine", "rude"), ("rue", "rude"), ("Mine", "--"), ("Mine", "m-")] {
            assert!(!contains_word(plain, word), "{plain}");
        }
    }

    #[test]
    fn other_names_are_distinct() {
        let names = [
            "greedy",
            "Greedy 2",
            "Greedy-2",
            "greed",
            "bot-2",
            "bot-3",
            "bot-4",
            "\u{65e5}\u{672c}",
            "aces-and-eights",
            "eclair",
            "straight-shooter",
            "honest",
            "Ada",
            "Adam",
        ]
        .map(name);
        assert_eq!(lookalikes(&names), []);
    }

    #[test]
    fn misleading_names_are_refused() {
        for mixed in ["Gr\u{435}\u{435}dy", "\u{3b1}lpha", "bot \u{5d0}", "\u{65e5}\u{430}"] {
            let refused = MisleadingName::MixedScripts(mixed.to_owned());
            assert_eq!(name(mixed).check_not_misleading(), Err(refused));
        }
        for piled in ["a\u{301}\u{302}\u{303}\u{304}\u{306}", "e\u{301}\u{301}"] {
            let refused = MisleadingName::Marks(piled.to_owned());
            assert_eq!(name(piled).check_not_misleading(), Err(refused));
        }
        for invisible in
            ["a\u{200b}b", "a\u{202e}b", "a\u{2066}b", "a\u{ad}b", "a\u{fe0f}b", "a\u{e0041}b"]
        {
            assert!(BotName::new(invisible).is_err(), "{invisible:?}");
        }
    }

    #[test]
    fn plain_names_of_all_languages_are_accepted() {
        for plain in [
            "Greedy 2",
            "<b onclick='x'>&",
            "\u{c4}rger \u{2682}",
            "Vi\u{1ec7}t",
            "e\u{301}clair",
            "\u{413}\u{440}\u{438}\u{434}\u{438}",
            "\u{928}\u{92e}\u{938}\u{94d}\u{924}\u{947}",
            "\u{1f600} \u{65e5}\u{672c}\u{8a9e}\u{304b}\u{306a} bot",
            "\u{d55c}\u{ad6d} bot",
        ] {
            assert_eq!(name(plain).check_not_misleading(), Ok(()), "{plain}");
        }
    }
}
