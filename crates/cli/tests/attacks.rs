//! Bots that attack the sandbox: none reaches anything outside of it, and the games of other bots are unaffected.
//!
//! Each attacker writes to its log which attacks it tried and what they achieved; effects that it cannot see itself are
//! checked from outside. The control runs the same attacks without isolation, where they have to succeed: an attack
//! that never achieves anything would prove nothing. [`table`] lists the runs and says why these were chosen. The tests
//! in `isolation` try a small selection.

#![cfg(target_os = "linux")]

mod attack_run;
mod canaries;
pub(crate) mod table;

use std::fs;
use std::path::PathBuf;
use std::sync::{PoisonError, RwLock};

use self::attack_run::{AttackRun, outcome_without_attacks};
use self::canaries::{Canaries, SECRET, library};
use self::table::*;
use crate::support::external::{bot, source};
use crate::support::user::{Isolation, User};

/// Held for reading by runs that can share the machine, and for writing by runs that exhaust its resources.
static MACHINE: RwLock<()> = RwLock::new(());

/// The names of attacks as the attackers take them.
fn names_of(attacks: &[Attack]) -> String {
    attacks.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(",")
}

/// The hill file's entry of an attacker with these attacks.
fn attacker_entry(canaries: &Canaries, language: Language, attacks: &str) -> String {
    let [program, option] = canaries.user.python().expect("seen before");
    let file = |name| canaries.text(&format!("bot/{name}"));
    let mut words = match language {
        // The C attacker is a file of its own, not a system program.
        Language::C => vec!["./bot/attacker".to_owned()],
        Language::Python => vec![program.to_owned(), option.to_owned(), file("attacker.py")],
    };
    words.push(attacks.to_owned());
    words.extend(canaries.arguments());
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    bot("Attacker", &words)
}

/// The same attacker with only one attacking process, which is enough to see what it achieves.
fn attacking_once(canaries: &Canaries, attacker_entry: &str) -> String {
    let word = format!("\"once={}\", \"marker=", canaries.text("home/once"));
    attacker_entry.replacen("\"marker=", &word, 1)
}

/// The bots that a run adds to the house bots and the honest bot.
struct Bots {
    kind: &'static str,
    attacking: String,
    /// The same bots without attacks.
    honest: String,
}

/// Expects the results that one run should have.
#[track_caller]
fn check_one(
    canaries: &Canaries,
    isolation: Isolation,
    settings: AttackSettings,
    attacks: &[Attack],
    bots: &Bots,
) {
    let Bots { kind, attacking, honest } = bots;
    let what = format!("{isolation:?}, {:?}, {attacking}", canaries.user);
    let run = AttackRun::new(canaries, isolation, settings, attacking);
    println!("{what}: {:.1?}\n{run:?}", run.took);
    canaries.marker.expect_no_processes(&what);
    run.check_attacks(attacks, isolation, canaries.user);
    let dropped = canaries.remove_dropped();
    if isolation == Isolation::Off {
        // Without isolation some attacks succeed, so that the games themselves are not checked.
        let is_tried = attacks.iter().any(|(name, _)| *name == "drop-file");
        assert!(!is_tried || !dropped.is_empty(), "{what}: it was not tried");
        return;
    }
    assert_eq!(dropped, Vec::<PathBuf>::new(), "{what}");
    check_unharmed(canaries, &what, &run);
    assert!(run.barred().is_some() || !attacks.contains(&LEAVE), "{what}: it was not barred");
    if run.barred().is_some() {
        let without = outcome_without_attacks(canaries, settings, "without", "");
        assert_eq!(run.outcome().without_attacker(), without, "{what}");
    } else {
        assert_eq!(
            run.outcome(),
            outcome_without_attacks(canaries, settings, kind, honest),
            "{what}"
        );
    }
}

/// Expects that no canary was changed and that its content is in no log.
#[track_caller]
fn check_unharmed(canaries: &Canaries, what: &str, run: &AttackRun) {
    canaries.expect_unchanged(what);
    let logs = fs::read_dir(canaries.scratch.path("logs")).expect("the logs are there");
    for log in logs {
        let content = fs::read(log.expect("an entry").path()).expect("a log");
        assert!(!String::from_utf8_lossy(&content).contains(SECRET), "{what}: {run:?}");
    }
}

/// Expects these runs to have the results of their attacks.
#[track_caller]
pub(crate) fn check(isolation: Isolation, user: User, runs: &[Run]) {
    let _shared = MACHINE.read().unwrap_or_else(PoisonError::into_inner);
    check_alone(isolation, user, runs);
}

/// Like [`check`], for a caller that holds the lock of the machine.
#[track_caller]
fn check_alone(isolation: Isolation, user: User, runs: &[Run]) {
    if !user.can_run(isolation) {
        return;
    }
    for (language, settings, attacks) in runs {
        let (canaries, attacks) = (Canaries::new(user), attacks.concat());
        let mut attacking = attacker_entry(&canaries, *language, &names_of(&attacks));
        if isolation == Isolation::Off && !attacks.contains(&LEAVE) {
            attacking = attacking_once(&canaries, &attacking);
        }
        let bots = Bots {
            kind: language.name(),
            attacking,
            honest: attacker_entry(&canaries, *language, "none"),
        };
        check_one(&canaries, isolation, *settings, &attacks, &bots);
    }
}

/// Like [`check_alone`], for two colluding bots.
#[track_caller]
fn check_two(isolation: Isolation, user: User, settings: AttackSettings) {
    if !user.can_run(isolation) {
        return;
    }
    let canaries = Canaries::new(user);
    let pair = |attacks: [&str; 2]| {
        let [first, second] =
            attacks.map(|attacks| attacker_entry(&canaries, Language::C, attacks));
        first.replacen("Attacker", "Accomplice", 1) + &second
    };
    let [first, second] = COLLUDING_ATTACKS.map(|attacks| names_of(&attacks));
    let attacking = pair([&first, &second]);
    let bots = Bots { kind: "two", attacking, honest: pair(["none", "none"]) };
    check_one(&canaries, isolation, settings, &COLLUDING_ATTACKS.concat(), &bots);
}

fn check_collusion(isolation: Isolation, user: User) {
    let _shared = MACHINE.read().unwrap_or_else(PoisonError::into_inner);
    for settings in COLLUDING_SETTINGS {
        check_two(isolation, user, settings);
    }
}

/// The build's report is a file in the bot's folder, and the bot prints it.
fn check_build(isolation: Isolation, user: User) {
    if !user.can_run(isolation) {
        return;
    }
    let _shared = MACHINE.read().unwrap_or_else(PoisonError::into_inner);
    let [program, option] = user.python().expect("seen before");
    let canaries = Canaries::new(user);
    let built = |attacks: &str| {
        let start = [program, option, "attacker.py"].map(str::to_owned);
        let more = [vec![attacks.to_owned(), "report=report".into()], canaries.arguments()];
        let build = [&start[..], &more.concat()].concat();
        let reader = ["none".to_owned(), "tell=report".into()];
        let command = [&start[..], &reader].concat();
        format!(
            "[[bot]]\nname = \"Attacker\"\ndir = \"built\"\nbuild = {build:?}\n\
             command = {command:?}\n"
        )
    };
    let bots = Bots { kind: "built", attacking: built(&names_of(BUILD)), honest: built("none") };
    check_one(&canaries, isolation, yahtzee("game"), BUILD, &bots);
}

/// Writes a player for one of the published interfaces, with its attacks in its package; returns its entry in a hill.
fn java_player_entry(canaries: &Canaries, class: &str, package: &str, attacks: &str) -> String {
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

fn check_player(
    isolation: Isolation,
    user: User,
    settings: AttackSettings,
    class: &str,
    package: &str,
) {
    if !user.can_run(isolation) {
        return;
    }
    let _shared = MACHINE.read().unwrap_or_else(PoisonError::into_inner);
    let canaries = Canaries::new(user);
    let java_player_entry = |attacks: &str| java_player_entry(&canaries, class, package, attacks);
    let bots = Bots {
        kind: "java",
        attacking: java_player_entry(&names_of(JAVA)),
        honest: java_player_entry("none"),
    };
    check_one(&canaries, isolation, settings, JAVA, &bots);
}

fn check_yahtzee_player(isolation: Isolation, user: User) {
    check_player(isolation, user, yahtzee("set"), "Attacker", "package mego.yahtzee;\n");
}

fn check_liars_dice_player(isolation: Isolation, user: User) {
    check_player(isolation, user, LIARS_DICE_SET, "LiarsAttacker", "");
}

/// The tests of isolated bots under one user.
macro_rules! isolation_tests {
    ($module:ident, $user:expr, $($name:ident: $check:expr;)*) => {
        mod $module {
            use super::*;

            $(
                #[test]
                fn $name() {
                    let check: fn(Isolation, User) = $check;
                    check(Isolation::On, $user);
                }
            )*
        }
    };
}

macro_rules! isolation_tests_for {
    ($($module:ident: $user:expr;)*) => {
        $(
            isolation_tests! {
                $module, $user,
                attacks_in_c_fail: |isolation, user| check(isolation, user, IN_C);
                attacks_in_python_fail: |isolation, user| check(isolation, user, IN_PYTHON);
                attacks_of_long_lived_processes_fail: |isolation, user| check(isolation, user, IN_A_SET);
                attacks_of_a_barred_bot_fail: |isolation, user| check(isolation, user, BARRED);
                processes_threads_and_descriptors_are_limited: |isolation, user| check(isolation, user, COUNT_ATTACKS);
                disk_use_is_limited: |isolation, user| check(isolation, user, DISK_ATTACKS);
                memory_is_limited: |isolation, user| check(isolation, user, MEMORY_ATTACKS);
                two_bots_cannot_collude: check_collusion;
                attacks_of_a_build_fail: check_build;
                attacks_of_java_yahtzee_players_fail: check_yahtzee_player;
                attacks_of_java_liars_dice_players_fail: check_liars_dice_player;
            }
        )*
    };
}

isolation_tests_for! {
    as_current_user: User::Current;
    as_unprivileged_user: User::Unprivileged;
}

#[test]
fn attacks_without_isolation_succeed() {
    check(Isolation::Off, User::Current, UNSANDBOXED);
    check(Isolation::Off, User::Unprivileged, IN_C);
}

#[test]
fn resource_attacks_without_isolation_succeed() {
    let _alone = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
    check_alone(Isolation::Off, User::Current, UNSANDBOXED_RESOURCES);
}

/// They exhaust what the kernel counts for their user, who also runs the arena, so that the run need not finish.
#[test]
fn two_bots_without_isolation_can_collude() {
    let _alone = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
    check_two(Isolation::Off, User::Current, yahtzee("set"));
}

#[test]
fn attacks_of_a_build_without_isolation_succeed() {
    check_build(Isolation::Off, User::Current);
}

#[test]
fn attacks_of_java_players_without_isolation_succeed() {
    check_yahtzee_player(Isolation::Off, User::Current);
}
