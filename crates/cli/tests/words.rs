//! What people read is in plain English: documents, `--help`, strings in sources (errors, messages, pages), and the
//! documentation of items have none of the forms that we replaced.

use std::fs;

use crate::support::{Scratch, project_path};

/// Forms that are not used, with what is used instead. A form is whole words, in any case.
const REPLACED: [(&str, &str); 74] = [
    ("whoever", "the entrant, the caller, the reader"),
    ("somebody", "an entrant, a user"),
    ("someone", "an entrant, a user"),
    ("nobody", "no entrant, no user"),
    ("anybody", "every reader, every user"),
    ("newcomer", "new entrant"),
    ("newcomers", "new entrants"),
    ("anew", "again, regenerate"),
    ("kept apart", "isolated, sandboxed"),
    ("keep apart", "isolate"),
    ("bots outside", "external bots"),
    ("bot outside", "external bot"),
    ("to be had", "available"),
    ("can be had", "is available"),
    ("gone through", "checked"),
    ("lives through", "persists for"),
    ("live through", "persist for"),
    ("at hand", "available"),
    ("for good", "permanently"),
    ("beside", "next to"),
    ("thereby", "leave it out"),
    ("of whom", "whose"),
    ("and so on", "name the rest"),
    ("is told", "is reported"),
    ("are told", "are reported"),
    ("be told", "be reported, be distinguished"),
    ("told from", "distinguished from"),
    ("who sits", "a player at the table"),
    ("who comes", "bots to add"),
    ("who plays", "the bots that play"),
    ("goes on with", "resumes"),
    ("go on with", "resume"),
    ("kit", "SDK"),
    ("kits", "SDKs"),
    ("comes in by", "is uploaded"),
    ("come in by", "are uploaded"),
    ("as few games as it takes", "as few games as needed"),
    ("also during", "even during"),
    ("also when", "even when"),
    ("also where", "even if"),
    ("stands behind", "follows"),
    ("stand behind", "follow"),
    ("stands beside", "is next to"),
    ("stands in no", "is not allowed in"),
    ("in each other", "nested"),
    ("is to be started", "name the program to start"),
    ("is there already", "already exists"),
    ("come to its end", "is finished"),
    ("comes to its end", "ends"),
    ("came to its end", "was finished"),
    ("at its end yet", "finished"),
    ("to go on", "to continue"),
    ("going on with", "continuing"),
    ("cannot go on", "cannot continue"),
    ("lived through", "replayed, served"),
    ("told apart", "significantly different, distinguished"),
    ("what came of", "the outcome of"),
    ("only what came", "only the outcome"),
    ("last words", "the end of its log"),
    ("takes no bots in", "accepts no uploads"),
    ("take no bots in", "accept no uploads"),
    ("kept harmless", "made harmless"),
    ("draws lots", "uses random numbers"),
    ("draw lots", "use random numbers"),
    ("give each other signs", "signal to each other"),
    ("give signs", "signal"),
    ("keep bots apart", "isolate bots"),
    ("programs of strangers", "strangers' programs"),
    ("brings its own", "has its own"),
    ("whom we guard against", "threat model"),
    ("counts for nobody", "does not count"),
    ("made again for", "computed again for"),
    ("by whoever", "by the player that"),
    ("a program outside", "an external bot"),
];

/// Where `nobody` is a house bot.
const HOUSE_BOT: [&str; 4] =
    ["badnomial nobody", "badnomial, nobody", "\"nobody\"", "name = \"Nobody\""];
/// Fewer words are no sentence, but a name or a part of one.
const LEAST_WORDS: usize = 3;

/// A text as its words, each between single blanks, without what is code in Markdown.
fn words(text: &str) -> String {
    let mut prose = String::new();
    for (place, part) in text.split("```").enumerate() {
        let outside = if place % 2 == 0 { part } else { "" };
        outside.split('`').step_by(2).for_each(|part| prose.extend([part, " ; "]));
    }
    let parts = prose.split(|one: char| !one.is_alphanumeric() && one != '\'' && one != ';');
    let words: Vec<_> = parts.filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    format!(" {} ", words.join(" "))
}

/// The replaced forms in a text.
fn found(text: &str) -> Vec<String> {
    let words = words(text);
    let mut found = Vec::new();
    for (form, instead) in REPLACED {
        for (at, _) in words.match_indices(&format!(" {form} ")) {
            let context: String = words[at..].chars().take(60).collect();
            found.push(format!("`{form}` ({instead}): {context}"));
        }
    }
    found
}

#[track_caller]
fn check(name: &str, text: &str) {
    let text = HOUSE_BOT.iter().fold(text.to_owned(), |text, name| text.replace(name, ""));
    let found = found(&text);
    assert!(found.is_empty(), "{name}: {found:#?}");
}

#[test]
fn replaced_forms_are_found_as_whole_words_outside_of_code() {
    assert_eq!(found("Whoever\nplays").len(), 1);
    assert_eq!(found("the bots of whom, beside").len(), 2);
    assert_eq!(found("besides, toolkit, `nobody`\n```\nwhoever\n```\nx").len(), 0);
}

/// The Markdown files in a folder and the folders in it.
fn pages(folder: &str) -> Vec<String> {
    files(folder, &[".md"])
}

/// The files with these endings in a folder and the folders in it, without tests, links to folders, and programs of
/// others.
fn files(folder: &str, endings: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(project_path(folder)).expect("a folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
        let path = format!("{folder}/{name}");
        if project_path(&path).is_dir() {
            let is_other = project_path(&path).is_symlink()
                || ["target", "node_modules", "tests", "test", "__pycache__"].contains(&&*name);
            found.extend(if is_other { Vec::new() } else { files(&path, endings) });
        } else if endings.iter().any(|ending| name.ends_with(ending)) && !name.starts_with("uPlot")
        {
            found.push(path);
        }
    }
    found
}

#[test]
fn pages_use_plain_words() {
    let first = [
        "README.md",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "crates/python/README.md",
    ];
    let folders = ["docs", "packaging", "protocol", "sdk"].into_iter().flat_map(pages);
    let pages: Vec<_> = first.map(str::to_owned).into_iter().chain(folders).collect();
    assert!(pages.len() > 30, "{pages:?}");
    for page in pages {
        check(&page, &fs::read_to_string(project_path(&page)).expect("a page"));
    }
}

/// The commands below this one, by its help.
fn subcommands(help: &str) -> Vec<String> {
    let list = help.split("\nCommands:\n").nth(1).unwrap_or_default();
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn help_uses_plain_words() {
    let scratch = Scratch::new();
    let mut open = vec![Vec::<String>::new()];
    let mut count = 0;
    while let Some(command) = open.pop() {
        let words = command.iter().map(String::as_str).chain(["--help"]).collect::<Vec<_>>();
        let help = scratch.run_ok(&words).out;
        check(&words.join(" "), &help);
        count += 1;
        open.extend(subcommands(&help).into_iter().map(|name| [&command[..], &[name]].concat()));
    }
    assert!(count > 30, "{count}");
}

/// The sources of all crates, without their tests.
fn rust_sources() -> Vec<(String, String)> {
    let mut folders = files("crates", &[".rs"]);
    folders.extend(files("sdk/rust", &[".rs"]));
    folders.extend(files("proofs/src", &[".rs"]));
    folders.extend(files("xtask/src", &[".rs"]));
    let read = |path: String| {
        let text = fs::read_to_string(project_path(&path)).expect("a source");
        (path, text)
    };
    folders.into_iter().filter(|path| !path.ends_with("tests.rs")).map(read).collect()
}

/// The string literals of a source that are sentences or parts of them, on one line each.
fn strings(source: &str) -> Vec<String> {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let code: Vec<_> = source.lines().filter(is_code).collect();
    let code = code.join("\n").replace("\\\\", " ").replace("'\"'", " ").replace("\\\"", "'");
    let parts = code.split('"').skip(1).step_by(2);
    let joined = parts.map(|part| part.replace("\\\n", " "));
    joined.filter(|part| part.split_whitespace().count() >= LEAST_WORDS).collect()
}

#[test]
fn strings_are_found() {
    let source = "// \"no comment of this kind\"\nf(\"a b c\", \"a\", \"of \\\n  two lines\", '\"', \"x \\\"y\\\" z\")";
    assert_eq!(strings(source), ["a b c", "of    two lines", "x 'y' z"]);
}

#[test]
fn strings_use_plain_words() {
    let sources = rust_sources();
    assert!(sources.len() > 500, "{}", sources.len());
    for (path, source) in sources {
        strings(&source).iter().for_each(|string| check(&path, string));
    }
    let endings = [".js", ".mjs", ".mts", ".java", ".h", ".py", ".toml"];
    let folders = ["sdk", "examples", "crates/web/src/assets", "crates/python/python"];
    let others: Vec<_> = folders.into_iter().flat_map(|folder| files(folder, &endings)).collect();
    assert!(others.len() > 50, "{others:?}");
    for path in others {
        check(&path, &fs::read_to_string(project_path(&path)).expect("a source").replace('`', "'"));
    }
}

#[test]
fn documentation_uses_plain_words() {
    for (path, source) in rust_sources() {
        let line = |line: &str| {
            let line = line.trim_start();
            let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
            text.unwrap_or(";").to_owned()
        };
        check(&path, &source.lines().map(line).collect::<Vec<_>>().join("\n"));
    }
}
