//! Removes the host's paths from texts of child processes before they become public.
//!
//! Every text that a bot, a compiler or the `dicehill` command wrote passes through [`without_host_paths`] on its way to a
//! page, a document or a stream: reports of entries, details and logs of failures, and details of recorded moves. The
//! store keeps the whole text for the host. What a bot hides from this, for example by writing a path backwards, it can
//! tell its author: it knows no more than the path of its own folder.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::LazyLock;

/// What stands for removed text.
const REMOVED: &str = "...";
/// First folders of paths that are the same on all machines.
const SYSTEM: [&str; 9] = ["bin", "dev", "etc", "lib", "lib32", "lib64", "proc", "sbin", "usr"];
/// First folders of paths that are taken for the host's even where they follow a word.
const PRIVATE: [&str; 4] = ["Users", "home", "root", "tmp"];
/// Words before the number of a user or a group.
const NUMBERED: [&str; 10] =
    ["uid", "gid", "euid", "egid", "getpwuid", "getgrgid", "setuid", "setgid", "getuid", "getgid"];
/// The longest extension of a file's name.
const MAX_EXTENSION_LENGTH: usize = 5;

/// The folders of this process whose names contain blanks, which otherwise end a path; longest first.
static FOLDERS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let folders = [home, Some(std::env::temp_dir()), std::env::current_dir().ok()];
    let texts = folders.into_iter().flatten().map(|folder| folder.to_string_lossy().into_owned());
    let mut folders: Vec<String> = texts.filter(|text| text.contains(' ')).collect();
    folders.sort_by_key(|folder| std::cmp::Reverse(folder.len()));
    folders
});

/// The text without absolute paths of the host and without numbers of its users: of the path of a file only the file's name
/// is left. Paths of the system's own folders, relative ones and addresses on the web stay.
pub(crate) fn without_host_paths(text: &str) -> String {
    let replace = |text: String, folder: &String| text.replace(folder, "/home/-");
    let text = FOLDERS.iter().fold(text.to_owned(), replace);
    let mut shown = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(next) = rest.chars().next() {
        let (length, replacement) = private_part(&shown, rest).unwrap_or_else(|| {
            let length = public_part(&shown, rest).unwrap_or(next.len_utf8());
            (length, Cow::Borrowed(&rest[..length]))
        });
        shown.push_str(&replacement);
        rest = &rest[length..];
    }
    shown
}

/// The length of the private text with which `rest` begins, which follows `before`, and what replaces it.
fn private_part<'a>(before: &str, rest: &'a str) -> Option<(usize, Cow<'a, str>)> {
    if rest.starts_with('/') {
        let path = path_at_start(rest);
        return is_private(before, path).then(|| (path.len(), replacement(path)));
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0 && follows_numbered_word(before)).then_some((digits, Cow::Borrowed(REMOVED)))
}

/// The length of the text with which `rest` begins and which stays as a whole: a path of the system, or the rest of an address
/// on the web.
fn public_part(before: &str, rest: &str) -> Option<usize> {
    let is_address = rest.starts_with("//") && before.ends_with(':') && !before.ends_with("file:");
    let is_system = rest.starts_with('/') && !follows_word(before);
    (is_address || is_system).then(|| path_at_start(rest).len())
}

fn path_at_start(text: &str) -> &str {
    let ends = |c: char| c.is_whitespace() || c.is_control() || "\"'`<>()[]{},;|:*?".contains(c);
    text.find(ends).map_or(text, |end| &text[..end])
}

fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|part| !part.is_empty())
}

/// Whether a path that follows `before` is one of the host's.
fn is_private(before: &str, path: &str) -> bool {
    if path.starts_with("//") && before.ends_with(':') && !before.ends_with("file:") {
        return false;
    }
    let mut all = parts(path);
    let (Some(first), second) = (all.next(), all.next()) else { return false };
    let is_below = second.is_some();
    if follows_word(before) {
        return is_below && PRIVATE.contains(&first);
    }
    // A path that goes back up may lead from a folder of the system to one of the host's. A first folder itself says
    // nothing, but for the home of root.
    let is_system = SYSTEM.contains(&first) && second != Some("home");
    let goes_up = parts(path).any(|part| part == "..");
    goes_up || first == "root" || (is_below && !is_system)
}

/// Whether a slash after this text stands within a relative path, or between two words. After an option, as in
/// `-I/home/ada/include`, it does not.
fn follows_word(before: &str) -> bool {
    let ends = |c: char| c.is_whitespace() || "\"'`<>()[]{},;|:=@".contains(c);
    let word = before.rsplit(ends).next().unwrap_or_default();
    let is_option =
        word.starts_with('-') && word.chars().all(|c| c == '-' || c.is_ascii_alphabetic());
    !is_option && before.ends_with(|c: char| c.is_alphanumeric() || "_.-~/".contains(c))
}

/// The name of the file that a path leads to; other paths may end with the name of a user.
fn replacement(path: &str) -> Cow<'static, str> {
    let name = parts(path).last().unwrap_or_default();
    let is_extension = |text: &str| {
        (1..=MAX_EXTENSION_LENGTH).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    let is_file =
        name.rsplit_once('.').is_some_and(|(stem, end)| !stem.is_empty() && is_extension(end));
    if is_file && parts(path).count() > 2 {
        Cow::Owned(format!("{REMOVED}/{name}"))
    } else {
        Cow::Borrowed(REMOVED)
    }
}

/// Whether a number after this text is that of a user or a group.
fn follows_numbered_word(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '=', ':', '(', ')', '\'', '"']);
    let before = before.strip_suffix("not found").unwrap_or(before).trim_end();
    let before = before.trim_end_matches([' ', '=', ':', '(', ')']);
    let word = before.rsplit(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    NUMBERED.iter().any(|numbered| numbered.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_the_host_are_removed() {
        for (text, shown) in [
            (
                "  File \"/tmp/dicehill-work-x1/own/bot/mine.py\", line 3, in <module>",
                "  File \".../mine.py\", line 3, in <module>",
            ),
            ("    at file:///home/ada/b%20c/main.mjs:12:7", "    at file:.../main.mjs:12:7"),
            ("    at go (/home/ada/main.js:12:7)", "    at go (.../main.js:12:7)"),
            ("Bot.java:3: error in /var/tmp/w/Bot.java", "Bot.java:3: error in .../Bot.java"),
            ("gcc -I/home/ada/include -L/opt/ada/lib x.c", "gcc -I... -L... x.c"),
            ("open /home/ada: no", "open ...: no"),
            ("/home/ada.smith", "..."),
            ("/run/user/1000", "..."),
            ("HOME=/root", "HOME=..."),
            ("/srv/hills/spring.db:busy", ".../spring.db:busy"),
            ("PATH=/usr/bin:/home/ada/bin", "PATH=/usr/bin:..."),
            ("//home//ada//x.py", ".../x.py"),
            ("/usr/../home/ada/x.py", ".../x.py"),
            ("getpwuid(): uid not found: 1000", "getpwuid(): uid not found: ..."),
            ("uid=1000(ada) gid = 100", "uid=...(ada) gid = ..."),
            ("/home/\u{e4}da/x.py \u{2014} /tmp/y/z", ".../x.py \u{2014} ..."),
        ] {
            assert_eq!(without_host_paths(text), shown);
            assert_eq!(without_host_paths(shown), shown, "twice is once");
        }
    }

    #[test]
    fn other_texts_stay() {
        for text in [
            "",
            "bot.toml:1: no name",
            "./main.py: python3 ../x/y.py a/b",
            "/usr/lib/python3.13/json/decoder.py",
            "https://example.org/home/ada/x.html and and/or 1/2 /3",
            "File \"bot/data/mine.py\", line 3",
            "fluid 3, 12 games",
            "\\u{1b}[2J // a comment",
            "good: qualified in 1000 games",
        ] {
            assert_eq!(without_host_paths(text), text);
        }
    }
}
