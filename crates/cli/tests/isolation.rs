//! The attacks that matter most, of isolated bots and of bare ones: a quick look, before [`crate::attacks`] tries all of them
//! in every way.

#![cfg(target_os = "linux")]

use crate::attacks::check;
use crate::attacks::table::{HANDFUL, Language, Run, within, yahtzee};
use crate::support::user::{Mode, User};

/// The bombs of a bot are to be contained by their number, and not for want of memory.
const RUN: &[Run] = &[(Language::C, within(8192, yahtzee("set")), HANDFUL)];

#[test]
fn what_matters_most_is_out_of_reach() {
    check(Mode::Isolated, User::Ourselves, RUN);
}

#[test]
fn it_is_in_reach_of_the_bare() {
    check(Mode::Bare, User::Ourselves, RUN);
}
