//! Bots that try to get out of where they are kept: none gets anything, and nobody's games change.
//!
//! Each attacker says on its log what it tried and what came of it; what it cannot know is looked
//! for from outside. The control is the same without isolation, where what is possible must be seen
//! to be: an attack that never gets anything would prove nothing.

#![cfg(target_os = "linux")]

mod canaries;
mod held;
mod table;

use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use self::canaries::{Canaries, SECRET, programs};
use self::held::{GAMES, Held, LIARS, Terms, peaceful, yahtzee};
use self::table::*;
use crate::support::holder::{Mode, User};
use crate::support::outside::{bot, source};

/// Does this for each user who can hold such a run, at the same time. Nobody else of these tests has the machine
/// meanwhile.
fn for_each_user(mode: Mode, action: impl Fn(User) + Sync) {
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    std::thread::scope(|scope| {
        for user in mode.users() {
            let action = &action;
            scope.spawn(move || action(user));
        }
    });
}

/// The names, as the attackers take them.
fn list(attacks: &[Attack]) -> String {
    attacks.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(",")
}

/// How an attacker is started.
#[derive(Clone, Copy, Debug)]
enum Language {
    C,
    Python,
}
use Language::{C, Python};

impl Language {
    const fn name(self) -> &'static str {
        match self {
            C => "C",
            Python => "Python",
        }
    }
}

/// The attacker of a hill with these attacks.
fn attacker(canaries: &Canaries, language: Language, attacks: &str) -> String {
    let [program, option] = canaries.user.python().expect("seen before");
    let file = |name| canaries.text(&format!("bot/{name}"));
    let mut words = match language {
        // A file of its own, and not a program of the system's.
        C => vec!["./bot/attacker".to_owned()],
        Python => vec![program.to_owned(), option.to_owned(), file("attacker.py")],
    };
    words.push(attacks.to_owned());
    words.extend(canaries.arguments());
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    bot("Attacker", &words)
}

/// What is put into a hill beside the honest.
struct Bots {
    kind: &'static str,
    attacking: String,
    /// The same if it attacks nobody.
    honest: String,
}

/// Expects all of what a run came to.
#[track_caller]
fn check_one(canaries: &Canaries, mode: Mode, terms: Terms, attacks: &[Attack], bots: &Bots) {
    let Bots { kind, attacking, honest } = bots;
    let what = format!("{mode:?}, {:?}, {attacking}", canaries.user);
    let held = Held::new(canaries, mode, terms, attacking);
    println!("{what}: {:.1?}\n{held:?}", held.took);
    canaries.marker.is_gone(&what);
    held.came_to(attacks, mode, canaries.user);
    let dropped = canaries.take_dropped();
    if mode == Mode::Isolated {
        canaries.are_untouched(&what);
        assert_eq!(dropped, Vec::<PathBuf>::new(), "{what}");
        let logs = fs::read_dir(canaries.scratch.path("logs")).expect("the logs are there");
        for log in logs {
            let content = fs::read(log.expect("an entry").path()).expect("a log");
            assert!(!String::from_utf8_lossy(&content).contains(SECRET), "{what}: {held:?}");
        }
    } else if attacks.iter().any(|(name, _)| *name == "drop-file") {
        assert_ne!(dropped, Vec::<PathBuf>::new(), "{what}: it was not tried");
    }
    assert!(held.barred().is_some() || !attacks.contains(&LEAVE), "{what}: it was not barred");
    if held.barred().is_some() {
        let without = peaceful(canaries, mode, terms, "without", "");
        assert_eq!(held.outcome().of_others(), without, "{what}");
    } else {
        let quiet = peaceful(canaries, mode, terms, kind, honest);
        assert_eq!(held.outcome(), quiet, "{what}");
    }
}

/// Expects the attacks to come to what they should, whoever holds the run.
#[track_caller]
fn check(mode: Mode, languages: &[Language], terms: Terms, attacks: &[Attack]) {
    for_each_user(mode, |user| {
        for language in languages {
            let canaries = Canaries::new(user);
            let bots = Bots {
                kind: language.name(),
                attacking: attacker(&canaries, *language, &list(attacks)),
                honest: attacker(&canaries, *language, "none"),
            };
            check_one(&canaries, mode, terms, attacks, &bots);
        }
    });
}

/// The same on other terms, which the control has no need of.
#[track_caller]
fn check_also(mode: Mode, terms: Terms, attacks: &[Attack]) {
    if mode == Mode::Isolated {
        check(mode, &[C], terms, attacks);
    }
}

/// The same for an attacker that is barred.
#[track_caller]
fn check_barred(mode: Mode, terms: Terms, attacks: &[Attack]) {
    check_also(mode, terms, &[attacks, &[LEAVE]].concat());
}

/// The same of two that have agreed on it: the first of the attacks is the accomplice's.
#[track_caller]
fn check_two(mode: Mode, terms: Terms, attacks: &[Attack; 2]) {
    for_each_user(mode, |user| {
        let canaries = Canaries::new(user);
        let two = |attacks: [&str; 2]| {
            let [first, second] = attacks.map(|attacks| attacker(&canaries, C, attacks));
            first.replacen("Attacker", "Accomplice", 1) + &second
        };
        let attacking = two([attacks[0].0, attacks[1].0]);
        let bots = Bots { kind: "two", attacking, honest: two(["none", "none"]) };
        check_one(&canaries, mode, terms, attacks, &bots);
    });
}

const BOTH: &[Language] = &[C, Python];

fn check_files(mode: Mode) {
    check(mode, BOTH, yahtzee("game"), FILES);
    check_also(mode, yahtzee("set"), FILES);
    check(mode, BOTH, yahtzee("set"), LINKS);
    check(mode, BOTH, yahtzee("game"), FOLDERS);
    check_barred(mode, LIARS, FILES);
}

fn check_arena(mode: Mode) {
    check(mode, BOTH, yahtzee("game"), ARENA);
    check_also(mode, yahtzee("set"), ARENA);
    check_barred(mode, LIARS, ARENA);
}

fn check_network(mode: Mode) {
    check(mode, BOTH, yahtzee("game"), NETWORK);
    check_also(mode, Terms { games: GAMES, ..LIARS }, NETWORK);
    check_barred(mode, LIARS, NETWORK);
}

fn check_kernel(mode: Mode) {
    check(mode, BOTH, yahtzee("game"), KERNEL);
    check_also(mode, yahtzee("set"), KERNEL);
    check_barred(mode, LIARS, KERNEL);
}

fn check_signs(mode: Mode) {
    check(mode, BOTH, yahtzee("game"), SIGNS);
    check_also(mode, yahtzee("set"), SIGNS);
    check_barred(mode, LIARS, SIGNS);
}

fn check_eviction(mode: Mode) {
    check(mode, &[C], yahtzee("set"), EVICTION);
}

fn check_collusion(mode: Mode) {
    check_collusion_by(mode, COLLUSION);
}

fn check_counts(mode: Mode) {
    check_collusion_by(mode, COUNTS);
}

fn check_collusion_by(mode: Mode, attacks: &[Attack; 2]) {
    for memory in ["game", "set"] {
        check_two(mode, yahtzee(memory), attacks);
        check_two(mode, Terms { memory, ..LIARS }, attacks);
    }
}

fn check_left_behind(mode: Mode) {
    check(mode, BOTH, yahtzee("game"), LEFT_BEHIND);
    check_also(mode, Terms { games: GAMES, ..LIARS }, LEFT_BEHIND);
    check_barred(mode, LIARS, LEFT_BEHIND);
}

fn check_too_much(mode: Mode) {
    check(mode, BOTH, Terms { memory_mb: 8192, ..yahtzee("set") }, BOMBS);
    check_barred(mode, Terms { memory_mb: 8192, ..LIARS }, BOMBS);
    for filler in FILLERS {
        check(mode, &[C], yahtzee("set"), filler);
    }
    for hog in SHARED_HOGS {
        check(mode, &[C], Terms { memory_mb: 256, ..yahtzee("set") }, hog);
    }
    for hog in HOGS {
        check(mode, BOTH, Terms { memory_mb: 256, ..yahtzee("set") }, hog);
    }
    check(mode, &[C], Terms { memory_mb: 256, ..LIARS }, HOGS[0]);
}

/// Whoever ends and begins anew has no more room than others.
fn check_room(mode: Mode) {
    check(mode, &[C], LIARS, &[HOARD, LEAVE]);
    for filler in FILLERS {
        check_barred(mode, LIARS, filler);
    }
}

/// The build's report is a file beside the bot, which reads it out.
fn check_build(mode: Mode) {
    for_each_user(mode, |user| {
        let [program, option] = user.python().expect("seen before");
        let canaries = Canaries::new(user);
        let built = |attacks: &str| {
            let start = [program, option, "attacker.py"].map(str::to_owned);
            let more = [vec![attacks.to_owned(), "report=report".into()], canaries.arguments()];
            let build = [&start[..], &more.concat()].concat();
            let told = ["none".to_owned(), "tell=report".into()];
            let command = [&start[..], &told].concat();
            format!(
                "[[bot]]\nname = \"Attacker\"\ndir = \"built\"\nbuild = {build:?}\n\
                 command = {command:?}\n"
            )
        };
        let bots = Bots { kind: "built", attacking: built(&list(BUILD)), honest: built("none") };
        check_one(&canaries, mode, yahtzee("game"), BUILD, &bots);
    });
}

/// A player for one of the published interfaces, with its attacks beside it in its package.
fn check_player(mode: Mode, terms: Terms, class: &str, package: &str) {
    for_each_user(mode, |user| {
        let canaries = Canaries::new(user);
        let player = |attacks: &str| {
            let folder = if attacks == "none" { "java-none" } else { "java" };
            fs::create_dir_all(canaries.scratch.path(folder)).expect("a folder for the player");
            let java = |name: &str| {
                fs::read_to_string(source(&format!("{name}.java"))).expect("the source is there")
            };
            let arguments = format!("{attacks} {}", canaries.arguments().join(" "));
            let attacks = java("Attacks").replace("\"HOW\"", &format!("{arguments:?}"));
            canaries.scratch.write(&format!("{folder}/{class}.java"), java(class));
            canaries
                .scratch
                .write(&format!("{folder}/Attacks.java"), package.to_owned() + &attacks);
            let library = &programs()[2];
            fs::copy(library, canaries.scratch.path(&format!("{folder}/library"))).expect("a copy");
            format!("[[bot]]\nname = \"Attacker\"\njava = {folder:?}\nclass = {class:?}\n")
        };
        let bots = Bots { kind: "java", attacking: player(&list(JAVA)), honest: player("none") };
        check_one(&canaries, mode, terms, JAVA, &bots);
    });
}

fn check_java(mode: Mode) {
    check_player(mode, yahtzee("set"), "Attacker", "package mego.yahtzee;\n");
}

fn check_java_liars(mode: Mode) {
    check_player(mode, Terms { games: GAMES, ..LIARS }, "LiarsAttacker", "");
}

macro_rules! both_ways {
    ($($check:ident: $isolated:ident, $bare:ident;)*) => {
        $(
            #[test]
            fn $isolated() {
                $check(Mode::Isolated);
            }

            #[test]
            fn $bare() {
                $check(Mode::Bare);
            }
        )*
    };
}

both_ways! {
    check_files: files_are_out_of_reach, files_are_in_reach_of_the_bare;
    check_arena: the_arena_is_out_of_reach, the_arena_is_in_reach_of_the_bare;
    check_network: there_is_no_network, there_is_a_network_for_the_bare;
    check_kernel: the_kernel_refuses, the_kernel_serves_the_bare;
    check_signs: no_signs_can_be_given, signs_can_be_given_by_the_bare;
    check_eviction: files_cannot_be_driven_out, files_can_be_driven_out_by_the_bare;
    check_collusion: two_cannot_collude, two_collude_that_are_bare;
    check_counts: two_cannot_count, two_count_that_are_bare;
    check_left_behind: nothing_is_left_behind, nothing_is_left_behind_by_the_bare;
    check_too_much: nobody_gets_too_much, the_bare_get_too_much;
    check_room: there_is_no_more_room_by_ending, there_is_room_for_the_bare;
    check_build: a_build_is_kept_too, a_build_is_bare_too;
    check_java: players_in_java_are_kept_too, players_in_java_are_bare_too;
    check_java_liars: liars_in_java_are_kept_too, liars_in_java_are_bare_too;
}
