//! What people read first is in plain English: the README, the book and `--help` have none of the forms that we replaced.

use std::fs;

use crate::support::{Scratch, project_path};

/// Forms that are not used, with what is used instead. A form is whole words, in any case.
const REPLACED: [(&str, &str); 36] = [
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
];

/// Where `nobody` is a house bot.
const HOUSE_BOT: [&str; 2] = ["badnomial nobody", "badnomial, nobody"];

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
    let found = found(text);
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
    let mut found = Vec::new();
    for entry in fs::read_dir(project_path(folder)).expect("a folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
        let path = format!("{folder}/{name}");
        if project_path(&path).is_dir() {
            found.extend(pages(&path));
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
    found
}

#[test]
fn pages_use_plain_words() {
    let first = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"].map(str::to_owned);
    let folders = ["docs", "protocol", "sdk"].into_iter().flat_map(pages);
    let pages: Vec<_> = first.into_iter().chain(folders).collect();
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
        let checked = HOUSE_BOT.iter().fold(help.clone(), |help, name| help.replace(name, ""));
        check(&words.join(" "), &checked);
        count += 1;
        open.extend(subcommands(&help).into_iter().map(|name| [&command[..], &[name]].concat()));
    }
    assert!(count > 30, "{count}");
}
