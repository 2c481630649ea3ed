//! Exports show names and answers as inert text.

use super::checks::{cells, expect_harmless_output, read_harmless_files, read_markdown};
use super::{CONTROLS, NAMES, answers, hill_of_echo_bots, hill_of_names, log_with_failure};
use crate::support::Scratch;
use crate::support::pages::Page;

/// Expects harmless exports of a run in all formats; returns the texts of its pages and of its tables.
#[track_caller]
fn harmless_exports(scratch: &Scratch, run: &str) -> (String, Vec<String>) {
    for form in ["--jsonl", "--markdown"] {
        let output = scratch.run(&["export", run, form]);
        assert_eq!(output.code, 0, "{form}: {}", output.err);
        expect_harmless_output(form, &output);
        if form == "--markdown" {
            // The post links to the pages that bots name, and to nothing else.
            let links = read_markdown(&output.out).links;
            assert!(links.iter().all(|link| link.starts_with("https://example.org/")), "{links:?}");
        }
    }
    let mut found = Vec::new();
    for table in ["games", "seats", "moves"] {
        for form in ["--csv", "--jsonl", "--markdown"] {
            let output = scratch.run(&["export", run, form, "--rows", table]);
            assert_eq!(output.code, 0, "{form} {table}: {}", output.err);
            expect_harmless_output(&format!("{form} {table}"), &output);
            match form {
                "--csv" => found.extend(cells(&output.out.replace(",-,", ",,")).concat()),
                "--markdown" => drop(read_markdown(&output.out)),
                _ => {}
            }
        }
    }
    scratch.run_ok(&["export", run, "--html", "pages"]);
    let pages = read_harmless_files(&scratch.path("pages"));
    let pages = pages.iter().filter(|(name, _)| name.ends_with(".html"));
    (pages.map(|(_, page)| Page::read(page).full_text()).collect(), found)
}

#[test]
fn exports_show_names_literally() {
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
fn exports_show_answers_as_inert_text() {
    let (scratch, log) = log_with_failure(&CONTROLS.concat());
    scratch.write("log", log);
    let (pages, cells) = harmless_exports(&scratch, "log");
    for text in ["\\u{1b}[2J", "\\u{202e}txet"] {
        assert!(pages.contains(text), "{text} is not in {pages}");
        assert!(cells.iter().any(|cell| cell.contains(text)), "{text}");
    }
    let scratch = Scratch::new();
    hill_of_echo_bots(&scratch, &answers());
    assert_eq!(scratch.run(&["run", "hill.toml", "--out", "log"]).code, 3);
    let (pages, _) = harmless_exports(&scratch, "log");
    assert!(pages.contains("<img src=x onerror=y>"), "{pages}");
}
