//! The `dicehill` program.

use std::process::ExitCode;

use dicehill::Console;

fn main() -> ExitCode {
    if let Some(code) = dicehill_link::run_helper_process() {
        return code;
    }
    dicehill::survive_file_size_limit();
    dicehill::complete();
    // Files of a killed run or server.
    dicehill_temporary::clear_abandoned(&std::env::temp_dir());
    dicehill_bots::cache_contests(dicehill_bots::ContestCache {
        folder: dicehill_link::cache_folder,
        tell: |line| eprintln!("{line}"),
        is_stopped: dicehill::is_interrupted,
    });
    let code = dicehill::run(std::env::args_os(), &Console::of_this_process());
    dicehill_link::wait_for_children();
    code.into()
}
