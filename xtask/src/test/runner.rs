//! The course of `cargo xtask test`, from the set-up to the report.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::Instant;

use super::build::{Built, TestProgram, build, packages};
use super::job::{JobRunner, Outcome, as_cargo_starts_it};
use super::process::Children;
use super::reader::{ExitCodeReader, LibtestReader, NodeReader, Reader, UnittestReader};
use super::report::Report;
use super::script::{OutputFormat, Script, untested_types};
use super::selection::{
    Selection, SelectionCriteria, entries_without_program, entries_without_tests, select,
};
use super::set_up::set_up;
use super::sets::TABLES;
use super::{Part, ProgramName, Tally, TestArgs, Tool};
use crate::root;

/// The doctor's exit code if an attack is not contained.
const OPEN: i32 = 3;
/// The exit code after Ctrl-C.
const INTERRUPTED: u8 = 130;

/// Runs the requested tests.
///
/// # Errors
/// If they cannot be built or started, if the tables of sets name missing tests, if nothing is left to test, or if a
/// tool is missing and all tests are requested.
pub fn test(args: &TestArgs) -> Result<ExitCode, Box<dyn Error>> {
    let children = Children::new()?;
    let result = Run::new(args, &children).and_then(Run::finish);
    if children.is_interrupted() {
        eprintln!("interrupted");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    result
}

/// A run in progress.
struct Run<'a> {
    args: &'a TestArgs,
    parts: Vec<Part>,
    missing: Vec<Tool>,
    children: &'a Children,
    report: Report,
    start: Instant,
}

/// A program and its selected tests.
struct SelectedProgram {
    program: TestProgram,
    selection: Selection,
}

/// A script and the part that it tests.
struct PartScript {
    part: Part,
    script: Script,
}

impl<'a> Run<'a> {
    /// Checks the tools.
    fn new(args: &'a TestArgs, children: &'a Children) -> Result<Self, Box<dyn Error>> {
        let (start, parts) = (Instant::now(), args.requested());
        let missing = set_up(args, &parts, children)?;
        let mut report = Report::default();
        report.phase("set-up", start.elapsed());
        Ok(Self { args, parts, missing, children, report, start })
    }

    /// Builds, runs and reports.
    fn finish(mut self) -> Result<ExitCode, Box<dyn Error>> {
        let beside = self.children.others();
        let (rest, scripts): (Vec<_>, Vec<_>) =
            self.scripts()?.into_iter().partition(|one| one.script.needs_build);
        let runner = JobRunner { children: &beside, shows_progress: false, ..self.job_runner() };
        thread::scope(|scope| {
            let outcomes = scope.spawn(|| run_scripts(&runner, &scripts));
            // If this fails, nobody reads their results.
            self.build_and_run(&rest).inspect_err(|_| beside.abandon())?;
            let outcomes =
                outcomes.join().map_err(|_| "the scripts were not run to their end")??;
            let ran = scripts.iter().zip(outcomes);
            ran.for_each(|(script, outcome)| self.report_script(script, outcome));
            Ok::<_, Box<dyn Error>>(())
        })?;
        let tally = self.report.tally();
        if tally.passed + tally.failed == 0 {
            return Err("nothing was left to test".into());
        }
        self.report.print_summary(self.start.elapsed());
        Ok(if tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// The scripts of the requested parts; notes those whose tools are missing.
    fn scripts(&mut self) -> Result<Vec<PartScript>, Box<dyn Error>> {
        let mut scripts = Vec::new();
        for part in self.parts.clone() {
            for script in Script::of(part)? {
                let missing = script.tools.iter().filter(|tool| self.missing.contains(tool));
                let missing: Vec<_> = missing.flat_map(|tool| tool.programs()).copied().collect();
                if missing.is_empty() {
                    scripts.push(PartScript { part, script });
                    continue;
                }
                let missing = missing.join(" and ");
                self.report.not_tested(format!("{}, which needs {missing}", script.name));
                self.report.skip();
            }
        }
        Ok(scripts)
    }

    /// Builds the tests in Rust and runs them, and the scripts that need what is built.
    fn build_and_run(&mut self, scripts: &[PartScript]) -> Result<(), Box<dyn Error>> {
        let start = Instant::now();
        let built = build(&self.parts, self.args.all, self.children)?;
        let selected = self.select_tests(built.programs.clone())?;
        self.report.phase("build", start.elapsed());
        self.run_all(&built, &selected, scripts)
    }

    fn run_all(
        &mut self,
        built: &Built,
        selected: &[SelectedProgram],
        scripts: &[PartScript],
    ) -> Result<(), Box<dyn Error>> {
        for part in self.parts.clone() {
            for one in selected.iter().filter(|one| one.program.part == part) {
                self.run_program(one)?;
            }
            for one in scripts.iter().filter(|one| one.part == part) {
                if let Some(outcome) = run_script(&self.job_runner(), one, Some(built))? {
                    self.report_script(one, outcome);
                }
            }
            if part == Part::Doctor {
                self.run_doctor(built.dicehill.as_deref())?;
            }
        }
        self.run_doc_tests(built)
    }

    /// Lists the tests of each program, and selects among them.
    fn select_tests(
        &self,
        programs: Vec<TestProgram>,
    ) -> Result<Vec<SelectedProgram>, Box<dyn Error>> {
        let criteria =
            SelectionCriteria { tables: TABLES, all: self.args.all, missing: &self.missing };
        let mut unmatched_entries = Vec::new();
        let mut selected = Vec::new();
        for program in programs {
            let mut tests = if program.is_benchmark { Vec::new() } else { list(&program)? };
            unmatched_entries.extend(entries_without_tests(&TABLES, &program.name, &tests));
            tests.retain(|test| program.part.owns(&program.name.package, test));
            let missing_tool = program.part.tool().filter(|tool| self.missing.contains(tool));
            let selection = match missing_tool {
                Some(tool) => Selection::none(tool, tests.len()),
                None => select(criteria, &program.name, &tests),
            };
            selected.push(SelectedProgram { program, selection });
        }
        if self.args.parts.is_empty() {
            let names: Vec<_> = selected.iter().map(|one| one.program.name.clone()).collect();
            unmatched_entries.extend(entries_without_program(&TABLES, &names));
        }
        if unmatched_entries.is_empty() {
            return Ok(selected);
        }
        let unmatched_entries = unmatched_entries.join("\n  ");
        Err(format!(
            "xtask/src/test/sets.rs lists what no test begins with:\n  {unmatched_entries}"
        )
        .into())
    }

    fn job_runner(&self) -> JobRunner<'a> {
        let (children, is_verbose) = (self.children, self.args.verbose);
        JobRunner { children, is_verbose, shows_progress: true }
    }

    fn run_program(&mut self, selected: &SelectedProgram) -> Result<(), Box<dyn Error>> {
        let SelectedProgram { program, selection } = selected;
        let label = label(&program.name, program.is_benchmark);
        let mut outcome = Outcome::default();
        if program.is_benchmark {
            outcome.add(self.run_benchmark(&label, program)?);
        }
        for (tests, threads) in [(&selection.together, self.args.threads()), (&selection.alone, 1)]
        {
            if !tests.is_empty() && !self.children.is_interrupted() {
                outcome.add(self.run_tests(&label, program, tests, threads)?);
            }
        }
        self.note_skipped(&label, selection, &mut outcome.tally);
        if outcome.tally != Tally::default() {
            self.report.program(&program.part.to_string(), &label, outcome);
        }
        Ok(())
    }

    fn run_benchmark(&self, label: &str, program: &TestProgram) -> io::Result<Outcome> {
        let mut command = as_cargo_starts_it(&program.executable, &program.folder);
        self.job_runner().run(label, &mut command, &mut ExitCodeReader, 1)
    }

    fn run_tests(
        &self,
        label: &str,
        program: &TestProgram,
        tests: &[String],
        threads: usize,
    ) -> io::Result<Outcome> {
        let mut command = as_cargo_starts_it(&program.executable, &program.folder);
        command.args(["--test-threads", &threads.to_string(), "--exact"]).args(tests);
        let mut reader = LibtestReader::new(tests, threads);
        self.job_runner().run(label, &mut command, &mut reader, tests.len())
    }

    /// Counts the tests of a program that do not run, with the reasons.
    fn note_skipped(&mut self, label: &str, selection: &Selection, tally: &mut Tally) {
        tally.skipped += selection.skipped.count();
        self.report.thorough(selection.skipped.thorough);
        for (tool, count) in &selection.skipped.missing_tools {
            self.report.not_tested(format!(
                "{label}: {count} tests that need {}",
                tool.programs().join(" and ")
            ));
        }
    }

    fn report_script(&mut self, ran: &PartScript, outcome: Outcome) {
        let PartScript { part, script } = ran;
        let beside = if script.needs_build { "" } else { ", beside the rest" };
        self.report.program(&format!("{part}{beside}"), &script.name, outcome);
        if script.format == OutputFormat::Node {
            let path = std::env::var_os("PATH").unwrap_or_default();
            untested_types(&path).into_iter().for_each(|what| self.report.not_tested(what));
        }
    }

    /// Runs the doctor, which shows how this machine can isolate bots: what it cannot do is not tested either.
    fn run_doctor(&mut self, dicehill: Option<&Path>) -> Result<(), Box<dyn Error>> {
        let Some(dicehill) = dicehill.filter(|_| !self.children.is_interrupted()) else {
            return Ok(());
        };
        let start = Instant::now();
        let mut command = Command::new(dicehill);
        let status = self.children.run(command.arg("doctor").current_dir(root()))?;
        let is_open = status.code() == Some(OPEN);
        if is_open {
            self.report.not_tested(
                "whole isolation: the doctor says above what this machine lacks".to_owned(),
            );
        }
        let failed = usize::from(!status.success() && !is_open);
        let tally = Tally { passed: 1 - failed, failed, skipped: 0 };
        let failures = format!("{status}\n");
        let outcome = Outcome { tally, time: start.elapsed(), tests: Vec::new(), failures };
        self.report.program(&Part::Doctor.to_string(), "dicehill doctor", outcome);
        Ok(())
    }

    /// Runs the documentation tests, which rustdoc builds itself.
    fn run_doc_tests(&mut self, built: &Built) -> Result<(), Box<dyn Error>> {
        if built.documented.is_empty() || self.children.is_interrupted() {
            return Ok(());
        }
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["test", "--doc", "--locked", "--no-fail-fast"]).current_dir(root());
        cargo.args(packages(&self.parts));
        let mut reader = LibtestReader::new(&[], 1);
        let mut outcome = self.job_runner().run("documentation", &mut cargo, &mut reader, 0)?;
        // They are built and run in one step, so that their durations are unknown.
        outcome.tests.clear();
        self.report.program("documentation", "documentation", outcome);
        Ok(())
    }
}

/// Runs scripts that need nothing of the build, one after the other, beside it and the tests in Rust: neither always
/// keeps all processors busy.
fn run_scripts(runner: &JobRunner<'_>, scripts: &[PartScript]) -> io::Result<Vec<Outcome>> {
    let ran = scripts.iter().map(|one| run_script(runner, one, None));
    ran.filter_map(Result::transpose).collect()
}

/// Runs a script, unless the tests were interrupted.
fn run_script(
    runner: &JobRunner<'_>,
    script: &PartScript,
    built: Option<&Built>,
) -> io::Result<Option<Outcome>> {
    if runner.children.is_interrupted() {
        return Ok(None);
    }
    let PartScript { part, script } = script;
    let mut command = Command::new(&script.command[0]);
    command.args(&script.command[1..]).current_dir(root());
    if let Some(built) = built.filter(|_| *part == Part::PythonPackage) {
        let built = [&built.python_library, &built.dicehill];
        let names = ["DICEHILL_NATIVE_LIBRARY", "DICEHILL_COMMAND"];
        command.envs(
            names.into_iter().zip(built).filter_map(|(name, path)| Some((name, path.as_ref()?))),
        );
    }
    runner.run(&script.name, &mut command, &mut *reader(script.format), 0).map(Some)
}

fn label(name: &ProgramName, is_benchmark: bool) -> String {
    let kind = if is_benchmark { " (benchmark)" } else { "" };
    format!("{} {}{kind}", name.package, name.target)
}

fn reader(format: OutputFormat) -> Box<dyn Reader> {
    match format {
        OutputFormat::Unittest => Box::new(UnittestReader::default()),
        OutputFormat::Node => Box::new(NodeReader::default()),
        OutputFormat::ExitCode => Box::new(ExitCodeReader),
    }
}

/// The names of a program's tests, in its order.
fn list(program: &TestProgram) -> Result<Vec<String>, Box<dyn Error>> {
    let mut command = as_cargo_starts_it(&program.executable, &program.folder);
    command.args(["--list", "--format", "terse"]).stderr(Stdio::inherit());
    let output = command.output()?;
    if !output.status.success() {
        let path: &PathBuf = &program.executable;
        return Err(format!("{} --list: {}", path.display(), output.status).into());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}
