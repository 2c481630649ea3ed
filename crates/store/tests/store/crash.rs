//! Crashes at every call that changes a file: the process is killed, the power fails, or the call fails.
//!
//! The calls of a process are recorded by a library that is loaded before the others, `crash/disk.c`. A power failure is computed
//! from the record, with more or less of what was not synced. A failing call is played out by the process itself.

mod disk;
mod scenario;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use disk::{Call, Chance, Disk, Loss};
use scenario::{Scenario, real_path};
use tempfile::TempDir;

/// The variable that names the scenario for the process that is observed.
const SCENARIO: &str = "CRASH_SCENARIO";
/// What a power failure leaves of the calls that were not synced.
const LOSSES: [Loss; 5] =
    [Loss::Nothing, Loss::Unsynced, Loss::Content, Loss::Some(1), Loss::Some(2)];
/// How a call fails.
const FAULTS: [&str; 2] = ["io", "kill"];
/// How a call that writes fails, too.
const WRITE_FAULTS: [&str; 2] = ["full", "short"];

/// How many crashes are tried.
#[derive(Clone, Copy)]
enum Extent {
    All,
    /// So many, chosen by chance, the same each time.
    Some(usize),
}

impl Extent {
    /// `count` crashes; all of them if `DICEHILL_CRASHES` is `all`, as in `cargo xtask prove crashes`.
    fn of_tests(count: usize) -> Self {
        match std::env::var("DICEHILL_CRASHES").as_deref() {
            Ok("all") => Self::All,
            Ok(other) => panic!("DICEHILL_CRASHES = {other:?}: only \"all\" is known"),
            Err(_) => Self::Some(count),
        }
    }

    fn of<T>(self, mut all: Vec<T>) -> Vec<T> {
        let Self::Some(count) = self else { return all };
        let mut chance = Chance(7);
        let count = count.min(all.len());
        (0..count).map(|_| all.swap_remove(chance.below(all.len()))).collect()
    }
}

/// The library that is loaded into the process.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/store/crash/disk.c");
        let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join("disk.so");
        let draft = library.with_extension(std::process::id().to_string());
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&draft).arg(source);
        let status = compiler.args(["-ldl", "-pthread"]).status().expect("there is a C compiler");
        assert!(status.success());
        fs::rename(draft, &library).expect("it can be moved");
        library
    })
}

/// A temporary folder, in memory where the system has a place for that: the crashes are computed, and thousands of real syncs
/// would take minutes.
fn memory_folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder")
}

/// A folder in which a process of a scenario is observed.
struct Observed {
    scenario: Scenario,
    folder: TempDir,
    /// The folder before.
    before: Disk,
    trace: PathBuf,
}

/// A folder with the files that are there before a scenario.
fn prepared(scenario: Scenario) -> TempDir {
    let folder = memory_folder();
    scenario.prepare(folder.path());
    folder
}

impl Observed {
    /// Begins with the files of a folder that was prepared for the scenario.
    fn new(scenario: Scenario, prepared: &Path) -> Self {
        let folder = memory_folder();
        let inner = folder.path().join("disk");
        fs::create_dir(&inner).expect("a folder");
        for file in fs::read_dir(prepared).expect("a folder") {
            let file = file.expect("a file");
            fs::copy(file.path(), inner.join(file.file_name())).expect("it can be copied");
        }
        let (before, trace) = (Disk::of(&inner), folder.path().join("trace"));
        Self { scenario, folder, before, trace }
    }

    fn path(&self) -> PathBuf {
        real_path(&self.folder.path().join("disk"))
    }

    /// Runs the process. `fault` is the number of a call and how it fails.
    fn run(&self, fault: &str) -> Output {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(["--exact", "crash::in_the_observed_process", "--nocapture"]);
        command.env(SCENARIO, format!("{:?}", self.scenario)).env("LD_PRELOAD", library());
        command.env("DISK_FOLDER", self.path()).env("DISK_TRACE", &self.trace);
        command.env("DISK_FAULT", fault).stdin(Stdio::null());
        command.output().expect("it starts")
    }

    fn calls(&self) -> Vec<Call> {
        Call::read_all(&self.trace)
    }

    /// The folder after these calls.
    fn disk_after(&self, calls: &[Call]) -> Disk {
        let mut disk = self.before.clone();
        calls.iter().for_each(|call| disk.apply(call));
        disk
    }
}

/// The process that is observed: it does nothing in a usual run of the tests.
#[test]
fn in_the_observed_process() {
    let Ok(scenario) = std::env::var(SCENARIO) else { return };
    let folder = std::env::var("DISK_FOLDER").expect("the folder");
    if let Err(error) = Scenario::named(&scenario).act(Path::new(&folder)) {
        eprintln!("failed: {error}");
        std::process::exit(1);
    }
}

/// The power fails after each call.
fn check_power_failures(scenario: Scenario, extent: Extent) {
    let observed = Observed::new(scenario, prepared(scenario).path());
    let output = observed.run("");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    scenario.check(&observed.path(), "without a crash");
    let calls = observed.calls();
    assert!(calls.len() > 10, "the library observes the process");
    let moments = (0..=calls.len()).flat_map(|count| LOSSES.map(|loss| (count, loss)));
    let crashes = extent.of(moments.collect());
    println!("crashes: {}", crashes.len());
    for (count, loss) in crashes {
        let folder = memory_folder();
        observed.disk_after(&calls[..count]).crash(loss, folder.path());
        let of = calls.len();
        scenario
            .check(folder.path(), &format!("{scenario:?}: {loss:?} lost after {count} of {of}"));
    }
}

/// Each call fails. Afterwards the power may fail too, so that what a failed sync did not store is lost.
fn check_failing_calls(scenario: Scenario, extent: Extent) {
    let prepared = prepared(scenario);
    let observed = Observed::new(scenario, prepared.path());
    assert!(observed.run("").status.success());
    let calls = observed.calls().into_iter().filter(|call| !call.is_claim());
    let faults = calls.zip(1..).flat_map(|(call, number)| {
        let more = if call.is_write() { &WRITE_FAULTS[..] } else { &[] };
        FAULTS.iter().chain(more).map(move |kind| format!("{number} {kind}")).collect::<Vec<_>>()
    });
    let faults = extent.of(faults.collect());
    println!("crashes: {}", faults.len());
    for fault in faults {
        let observed = Observed::new(scenario, prepared.path());
        let output = observed.run(&fault);
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!words.contains("panicked"), "{scenario:?}: {fault}: {words}");
        let calls = observed.calls();
        let power = memory_folder();
        observed.disk_after(&calls).crash(Loss::Unsynced, power.path());
        scenario.check(&observed.path(), &format!("{scenario:?}: call {fault}: {words}"));
        scenario
            .check(power.path(), &format!("{scenario:?}: call {fault}, then no power: {words}"));
    }
}

/// The tests of a scenario, with so many crashes of each kind.
macro_rules! crashes {
    ($($name:ident: $scenario:ident, $count:literal;)*) => {
        $(mod $name {
            use super::*;

            #[test]
            fn power_failure() {
                check_power_failures(Scenario::$scenario, Extent::of_tests($count));
            }

            #[test]
            fn failing_call() {
                check_failing_calls(Scenario::$scenario, Extent::of_tests($count));
            }
        })*
    };
}

crashes! {
    a_log: Log, 12;
    a_resumed_log: ResumedLog, 8;
    a_run: Run, 12;
    a_resumed_run: ResumedRun, 8;
    a_migration: Migration, 8;
    entries: Entries, 8;
}
