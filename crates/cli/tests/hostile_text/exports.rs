//! Exports show names and what bots said, and no more.

use super::checks::{cells, harmless_files, harmless_run, seen};
use super::{CONTROLS, NAMES, answers, hill_of_names, hill_of_speakers, log_of_a_failure};
use crate::support::Scratch;
use crate::support::pages::Page;

/// Expects that exports of a run are harmless in all formats; gives the texts of its pages and of its tables.
#[track_caller]
fn harmless_exports(scratch: &Scratch, run: &str) -> (String, Vec<String>) {
    for form in ["--jsonl", "--markdown"] {
        let ran = scratch.run(&["export", run, form]);
        assert_eq!(ran.code, 0, "{form}: {}", ran.err);
        harmless_run(form, &ran);
        if form == "--markdown" {
            assert!(seen(&ran.out).links.is_empty(), "{}", ran.out);
        }
    }
    let mut found = Vec::new();
    for table in ["games", "seats", "moves"] {
        for form in ["--csv", "--jsonl", "--markdown"] {
            let ran = scratch.run(&["export", run, form, "--rows", table]);
            assert_eq!(ran.code, 0, "{form} {table}: {}", ran.err);
            harmless_run(&format!("{form} {table}"), &ran);
            match form {
                "--csv" => found.extend(cells(&ran.out.replace(",-,", ",,")).concat()),
                "--markdown" => drop(seen(&ran.out)),
                _ => {}
            }
        }
    }
    scratch.run_ok(&["export", run, "--html", "pages"]);
    let pages = harmless_files(&scratch.path("pages"));
    let pages = pages.iter().filter(|(name, _)| name.ends_with(".html"));
    (pages.map(|(_, page)| Page::read(page).text_of_all()).collect(), found)
}

#[test]
fn exports_show_names_as_they_are_written() {
    let scratch = Scratch::new();
    scratch.write("hill.toml", hill_of_names());
    scratch.run_ok(&["run", "hill.toml", "--out", "log"]);
    let (pages, cells) = harmless_exports(&scratch, "log");
    for name in NAMES {
        assert!(pages.contains(name), "{name} is not in {pages}");
        assert!(pages.contains(&format!("by {name}")), "the author {name} is not in {pages}");
        assert!(
            cells.iter().any(|cell| cell == name || cell.strip_prefix('\'') == Some(name)),
            "{name}"
        );
    }
}

#[test]
fn exports_show_what_bots_said_and_no_more() {
    let (scratch, log) = log_of_a_failure(&CONTROLS.concat());
    scratch.write("log", log);
    let (pages, cells) = harmless_exports(&scratch, "log");
    for text in ["\\u{1b}[2J", "\\u{202e}txet"] {
        assert!(pages.contains(text), "{text} is not in {pages}");
        assert!(cells.iter().any(|cell| cell.contains(text)), "{text}");
    }
    let scratch = Scratch::new();
    hill_of_speakers(&scratch, &answers());
    assert_eq!(scratch.run(&["run", "hill.toml", "--out", "log"]).code, 3);
    let (pages, _) = harmless_exports(&scratch, "log");
    assert!(pages.contains("<img src=x onerror=y>"), "{pages}");
}
