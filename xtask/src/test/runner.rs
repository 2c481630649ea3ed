//! The whole of `cargo xtask test`, from the set-up to the closing line.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use super::build::{Built, TestProgram, build, packages};
use super::job::{Jobs, Outcome, as_cargo_does};
use super::process::Children;
use super::reader::{ExitCodeReader, LibtestReader, NodeReader, Reader, UnittestReader};
use super::report::Report;
use super::script::{Form, Script, untested_types};
use super::selection::{Selection, Terms, select, unmatched, without_program};
use super::set_up::set_up;
use super::sets::TABLES;
use super::{Part, ProgramName, Tally, TestArgs, Tool};
use crate::root;

/// The doctor's exit code where an attack is not contained.
const OPEN: i32 = 3;
/// The exit code after Ctrl-C.
const INTERRUPTED: u8 = 130;

/// Runs the tests that are asked for.
///
/// # Errors
/// If they cannot be built or started, if the tables of sets name tests that are not there, if nothing is left to
/// test, or if a tool is missing and all tests are asked for.
pub fn test(args: &TestArgs) -> Result<ExitCode, Box<dyn Error>> {
    let children = Children::new()?;
    let done = Run::new(args, &children).and_then(Run::finish);
    if children.is_interrupted() {
        eprintln!("interrupted");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    done
}

/// A run that is under way.
struct Run<'a> {
    args: &'a TestArgs,
    parts: Vec<Part>,
    missing: Vec<Tool>,
    children: &'a Children,
    report: Report,
    begun: Instant,
}

/// A program and which of its tests run.
struct Chosen {
    program: TestProgram,
    selection: Selection,
}

impl<'a> Run<'a> {
    /// Looks for tools.
    fn new(args: &'a TestArgs, children: &'a Children) -> Result<Self, Box<dyn Error>> {
        let (begun, parts) = (Instant::now(), args.requested());
        let missing = set_up(args, &parts, children)?;
        let mut report = Report::default();
        report.phase("set-up", begun.elapsed());
        Ok(Self { args, parts, missing, children, report, begun })
    }

    /// Builds, runs and reports.
    fn finish(mut self) -> Result<ExitCode, Box<dyn Error>> {
        let begun = Instant::now();
        let built = build(&self.parts, self.args.all, self.children)?;
        let chosen = self.choose(built.programs.clone())?;
        self.report.phase("build", begun.elapsed());
        self.run_all(&built, &chosen)?;
        let tally = self.report.tally();
        if tally.passed + tally.failed == 0 {
            return Err("nothing was left to test".into());
        }
        self.report.close(self.begun.elapsed());
        Ok(if tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn run_all(&mut self, built: &Built, chosen: &[Chosen]) -> Result<(), Box<dyn Error>> {
        for part in self.parts.clone() {
            for one in chosen.iter().filter(|one| one.program.part == part) {
                self.run_program(one)?;
            }
            for script in Script::of(part)? {
                self.run_script(part, &script)?;
            }
            if part == Part::Doctor {
                self.ask_the_doctor(built.dicehill.as_deref())?;
            }
        }
        self.run_doc_tests(built)
    }

    /// Lists the tests of each program, and chooses among them.
    fn choose(&self, programs: Vec<TestProgram>) -> Result<Vec<Chosen>, Box<dyn Error>> {
        let terms = Terms { tables: TABLES, all: self.args.all, missing: &self.missing };
        let mut lost = Vec::new();
        let mut chosen = Vec::new();
        for program in programs {
            let mut tests = if program.is_benchmark { Vec::new() } else { list(&program)? };
            lost.extend(unmatched(&TABLES, &program.name, &tests));
            tests.retain(|test| program.part.owns(test));
            let selection = select(terms, &program.name, &tests);
            chosen.push(Chosen { program, selection });
        }
        if self.args.parts.is_empty() {
            let names: Vec<_> = chosen.iter().map(|one| one.program.name.clone()).collect();
            lost.extend(without_program(&TABLES, &names));
        }
        if lost.is_empty() {
            return Ok(chosen);
        }
        let lost = lost.join("\n  ");
        Err(format!("xtask/src/test/sets.rs lists what no test begins with:\n  {lost}").into())
    }

    fn jobs(&self) -> Jobs<'a> {
        Jobs { children: self.children, is_verbose: self.args.verbose }
    }

    fn run_program(&mut self, chosen: &Chosen) -> Result<(), Box<dyn Error>> {
        let Chosen { program, selection } = chosen;
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

    fn run_benchmark(&self, label: &str, program: &TestProgram) -> std::io::Result<Outcome> {
        let mut command = as_cargo_does(&program.executable, &program.folder);
        self.jobs().run(label, &mut command, &mut ExitCodeReader, 1)
    }

    fn run_tests(
        &self,
        label: &str,
        program: &TestProgram,
        tests: &[String],
        threads: usize,
    ) -> std::io::Result<Outcome> {
        let mut command = as_cargo_does(&program.executable, &program.folder);
        command.args(["--test-threads", &threads.to_string(), "--exact"]).args(tests);
        let mut reader = LibtestReader::new(tests, threads);
        self.jobs().run(label, &mut command, &mut reader, tests.len())
    }

    /// Counts the tests of a program that do not run, and says why.
    fn note_skipped(&mut self, label: &str, selection: &Selection, tally: &mut Tally) {
        tally.skipped += selection.skipped.count();
        self.report.thorough(selection.skipped.thorough);
        for (tool, count) in &selection.skipped.without {
            self.report.not_tested(format!(
                "{label}: {count} tests that need {}",
                tool.programs().join(" and ")
            ));
        }
    }

    fn run_script(&mut self, part: Part, script: &Script) -> Result<(), Box<dyn Error>> {
        let lacking = script.tools.iter().filter(|tool| self.missing.contains(tool));
        let lacking: Vec<_> = lacking.flat_map(|tool| tool.programs()).copied().collect();
        if !lacking.is_empty() {
            self.report.not_tested(format!(
                "{}, which needs {}",
                script.name,
                lacking.join(" and ")
            ));
            self.report.skip();
            return Ok(());
        }
        if self.children.is_interrupted() {
            return Ok(());
        }
        let mut command = Command::new(&script.words[0]);
        command.args(&script.words[1..]).current_dir(root());
        let outcome = self.jobs().run(script.name, &mut command, &mut *reader(script.form), 0)?;
        self.report.program(&part.to_string(), script.name, outcome);
        if part == Part::Javascript {
            let path = std::env::var_os("PATH").unwrap_or_default();
            untested_types(&path).into_iter().for_each(|what| self.report.not_tested(what));
        }
        Ok(())
    }

    /// Shows what this machine can do to isolate bots: what it cannot do is not tested here either.
    fn ask_the_doctor(&mut self, dicehill: Option<&Path>) -> Result<(), Box<dyn Error>> {
        let Some(dicehill) = dicehill.filter(|_| !self.children.is_interrupted()) else {
            return Ok(());
        };
        let begun = Instant::now();
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
        let outcome = Outcome { tally, time: begun.elapsed(), tests: Vec::new(), failures };
        self.report.program(&Part::Doctor.to_string(), "dicehill doctor", outcome);
        Ok(())
    }

    /// Runs the examples in the documentation, which rustdoc builds itself.
    fn run_doc_tests(&mut self, built: &Built) -> Result<(), Box<dyn Error>> {
        if built.documented.is_empty() || self.children.is_interrupted() {
            return Ok(());
        }
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["test", "--doc", "--locked", "--no-fail-fast"]).current_dir(root());
        cargo.args(packages(&self.parts));
        let mut reader = LibtestReader::new(&[], 1);
        let mut outcome = self.jobs().run("documentation", &mut cargo, &mut reader, 0)?;
        // They are built and run in one, so that the time of each cannot be told.
        outcome.tests.clear();
        self.report.program("documentation", "documentation", outcome);
        Ok(())
    }
}

fn label(name: &ProgramName, is_benchmark: bool) -> String {
    let kind = if is_benchmark { " (benchmark)" } else { "" };
    format!("{} {}{kind}", name.package, name.target)
}

fn reader(form: Form) -> Box<dyn Reader> {
    match form {
        Form::Unittest => Box::new(UnittestReader::default()),
        Form::Node => Box::new(NodeReader::default()),
        Form::ExitCode => Box::new(ExitCodeReader),
    }
}

/// The names of a program's tests, in its order.
fn list(program: &TestProgram) -> Result<Vec<String>, Box<dyn Error>> {
    let mut command = as_cargo_does(&program.executable, &program.folder);
    command.args(["--list", "--format", "terse"]).stderr(Stdio::inherit());
    let output = command.output()?;
    if !output.status.success() {
        let path: &PathBuf = &program.executable;
        return Err(format!("{} --list: {}", path.display(), output.status).into());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}
