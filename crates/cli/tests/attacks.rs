//! Bots that try to get out of where they are kept: none gets anything, and nobody's games change.
//!
//! Each attacker says on its log what it tried and what came of it; what it cannot know is looked
//! for from outside. The control is the same without isolation, where what is possible must be seen
//! to be: an attack that never gets anything would prove nothing. Which runs there are, and why these, is in
//! [`table`]. A handful of them is tried by the tests in `isolation`.

#![cfg(target_os = "linux")]

mod attack_run;
mod canaries;
pub(crate) mod table;

use std::fs;
use std::path::PathBuf;
use std::sync::{PoisonError, RwLock};

use self::attack_run::{Held, peaceful};
use self::canaries::{Canaries, SECRET, library};
use self::table::*;
use crate::support::external::{bot, source};
use crate::support::user::{Mode, User};

/// Runs share the machine, but for those that take so much of it that others would suffer.
static MACHINE: RwLock<()> = RwLock::new(());

/// The names, as the attackers take them.
fn list(attacks: &[Attack]) -> String {
    attacks.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(",")
}

/// The attacker of a hill with these attacks.
fn attacker(canaries: &Canaries, language: Language, attacks: &str) -> String {
    let [program, option] = canaries.user.python().expect("seen before");
    let file = |name| canaries.text(&format!("bot/{name}"));
    let mut words = match language {
        // A file of its own, and not a program of the system's.
        Language::C => vec!["./bot/attacker".to_owned()],
        Language::Python => vec![program.to_owned(), option.to_owned(), file("attacker.py")],
    };
    words.push(attacks.to_owned());
    words.extend(canaries.arguments());
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    bot("Attacker", &words)
}

/// The same, of whose processes one attacks, which is enough to see what it gets.
fn once(canaries: &Canaries, attacker: &str) -> String {
    let word = format!("\"once={}\", \"marker=", canaries.text("home/once"));
    attacker.replacen("\"marker=", &word, 1)
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
    if mode == Mode::Bare {
        // It gets something: what becomes of the games then is not asked.
        let is_tried = attacks.iter().any(|(name, _)| *name == "drop-file");
        assert!(!is_tried || !dropped.is_empty(), "{what}: it was not tried");
        return;
    }
    assert_eq!(dropped, Vec::<PathBuf>::new(), "{what}");
    check_unharmed(canaries, &what, &held);
    assert!(held.barred().is_some() || !attacks.contains(&LEAVE), "{what}: it was not barred");
    if held.barred().is_some() {
        let without = peaceful(canaries, terms, "without", "");
        assert_eq!(held.outcome().of_others(), without, "{what}");
    } else {
        assert_eq!(held.outcome(), peaceful(canaries, terms, kind, honest), "{what}");
    }
}

/// Expects what the bots were not to reach to be as it was, and to be in no log.
#[track_caller]
fn check_unharmed(canaries: &Canaries, what: &str, held: &Held) {
    canaries.are_untouched(what);
    let logs = fs::read_dir(canaries.scratch.path("logs")).expect("the logs are there");
    for log in logs {
        let content = fs::read(log.expect("an entry").path()).expect("a log");
        assert!(!String::from_utf8_lossy(&content).contains(SECRET), "{what}: {held:?}");
    }
}

/// Expects the attacks of these runs to come to what they should.
#[track_caller]
pub(crate) fn check(mode: Mode, user: User, runs: &[Run]) {
    let _shared = MACHINE.read().unwrap_or_else(PoisonError::into_inner);
    check_alone(mode, user, runs);
}

/// The same where no other run suffers, or there is none.
#[track_caller]
fn check_alone(mode: Mode, user: User, runs: &[Run]) {
    if !user.can_hold(mode) {
        return;
    }
    for (language, terms, attacks) in runs {
        let (canaries, attacks) = (Canaries::new(user), attacks.concat());
        let mut attacking = attacker(&canaries, *language, &list(&attacks));
        if mode == Mode::Bare && !attacks.contains(&LEAVE) {
            attacking = once(&canaries, &attacking);
        }
        let bots = Bots {
            kind: language.name(),
            attacking,
            honest: attacker(&canaries, *language, "none"),
        };
        check_one(&canaries, mode, *terms, &attacks, &bots);
    }
}

/// The same of two bots that have agreed on it.
#[track_caller]
fn check_two(mode: Mode, user: User, terms: Terms) {
    if !user.can_hold(mode) {
        return;
    }
    let canaries = Canaries::new(user);
    let two = |attacks: [&str; 2]| {
        let [first, second] = attacks.map(|attacks| attacker(&canaries, Language::C, attacks));
        first.replacen("Attacker", "Accomplice", 1) + &second
    };
    let [first, second] = TWO.map(|attacks| list(&attacks));
    let attacking = two([&first, &second]);
    let bots = Bots { kind: "two", attacking, honest: two(["none", "none"]) };
    check_one(&canaries, mode, terms, &TWO.concat(), &bots);
}

fn check_collusion(mode: Mode, user: User) {
    let _shared = MACHINE.read().unwrap_or_else(PoisonError::into_inner);
    for terms in TERMS_OF_TWO {
        check_two(mode, user, terms);
    }
}

/// The build's report is a file beside the bot, which reads it out.
fn check_build(mode: Mode, user: User) {
    if !user.can_hold(mode) {
        return;
    }
    let _shared = MACHINE.read().unwrap_or_else(PoisonError::into_inner);
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
}

/// Makes a player for one of the published interfaces, with its attacks beside it in its package; gives its entry in a hill.
fn player(canaries: &Canaries, class: &str, package: &str, attacks: &str) -> String {
    let folder = if attacks == "none" { "java-none" } else { "java" };
    let scratch = &canaries.scratch;
    fs::create_dir_all(scratch.path(folder)).expect("a folder for the player");
    let java = |name: &str| {
        fs::read_to_string(source(&format!("{name}.java"))).expect("the source is there")
    };
    let arguments = format!("{attacks} {}", canaries.arguments().join(" "));
    let attacks = java("Attacks").replace("\"HOW\"", &format!("{arguments:?}"));
    scratch.write(&format!("{folder}/{class}.java"), java(class));
    scratch.write(&format!("{folder}/Attacks.java"), package.to_owned() + &attacks);
    fs::copy(library(), scratch.path(&format!("{folder}/library"))).expect("a copy");
    format!("[[bot]]\nname = \"Attacker\"\njava = {folder:?}\nclass = {class:?}\n")
}

fn check_player(mode: Mode, user: User, terms: Terms, class: &str, package: &str) {
    if !user.can_hold(mode) {
        return;
    }
    let _shared = MACHINE.read().unwrap_or_else(PoisonError::into_inner);
    let canaries = Canaries::new(user);
    let player = |attacks: &str| player(&canaries, class, package, attacks);
    let bots = Bots { kind: "java", attacking: player(&list(JAVA)), honest: player("none") };
    check_one(&canaries, mode, terms, JAVA, &bots);
}

fn check_java(mode: Mode, user: User) {
    check_player(mode, user, yahtzee("set"), "Attacker", "package mego.yahtzee;\n");
}

fn check_java_liars(mode: Mode, user: User) {
    check_player(mode, user, LIARS, "LiarsAttacker", "");
}

/// The tests of isolated bots, for one user.
macro_rules! isolated {
    ($module:ident, $user:expr, $($name:ident: $check:expr;)*) => {
        mod $module {
            use super::*;

            $(
                #[test]
                fn $name() {
                    let check: fn(Mode, User) = $check;
                    check(Mode::Isolated, $user);
                }
            )*
        }
    };
}

macro_rules! isolated_for {
    ($($module:ident: $user:expr;)*) => {
        $(
            isolated! {
                $module, $user,
                files_processes_and_the_network_are_out_of_reach: |mode, user| check(mode, user, IN_C);
                they_are_for_python_too: |mode, user| check(mode, user, IN_PYTHON);
                they_are_in_a_set_too: |mode, user| check(mode, user, IN_A_SET);
                they_are_for_one_that_is_barred: |mode, user| check(mode, user, BARRED);
                no_bot_starts_too_many: |mode, user| check(mode, user, TOO_MANY);
                no_bot_writes_too_much: |mode, user| check(mode, user, FULL_FOLDERS);
                no_bot_has_too_much_memory: |mode, user| check(mode, user, MUCH_MEMORY);
                two_cannot_collude: check_collusion;
                a_build_is_kept_too: check_build;
                players_in_java_are_kept_too: check_java;
                liars_in_java_are_kept_too: check_java_liars;
            }
        )*
    };
}

isolated_for! {
    held_by_us: User::Ourselves;
    held_by_another_user: User::Nobody;
}

#[test]
fn what_is_bare_has_everything_in_reach() {
    check(Mode::Bare, User::Ourselves, BARE);
    check(Mode::Bare, User::Nobody, IN_C);
}

#[test]
fn what_is_bare_gets_too_much() {
    let _alone = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
    check_alone(Mode::Bare, User::Ourselves, BARE_AND_GREEDY);
}

/// They use up what the system counts for their user, who is the arena's too: that it gets on with its run is not expected.
#[test]
fn two_collude_that_are_bare() {
    let _alone = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
    check_two(Mode::Bare, User::Ourselves, yahtzee("set"));
}

#[test]
fn a_build_is_bare_too() {
    check_build(Mode::Bare, User::Ourselves);
}

#[test]
fn players_in_java_are_bare_too() {
    check_java(Mode::Bare, User::Ourselves);
}
