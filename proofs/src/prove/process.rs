//! `dicehill` processes, and the CPU time and memory that they use.

use std::error::Error;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::param::clock_ticks_per_second;

use super::shipped;

/// How often a process is looked at while its end is awaited.
const LOOK: Duration = Duration::from_millis(20);

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(shipped::path("dicehill"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command
}

/// Runs the command to its end.
pub(super) fn dicehill(folder: &Path, arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    let output = command(folder, arguments).output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{arguments:?}: {}", String::from_utf8_lossy(&output.stderr)).into())
}

/// A running `dicehill` command, killed when dropped.
pub(super) struct Process(Child);

impl Process {
    /// Starts the command; its output goes to the file of this name.
    pub(super) fn start(
        folder: &Path,
        arguments: &[&str],
        output: &str,
    ) -> Result<Self, Box<dyn Error>> {
        let output = File::create(folder.join(output))?;
        let mut command = command(folder, arguments);
        Ok(Self(command.stdout(output.try_clone()?).stderr(output).spawn()?))
    }

    /// A program that already runs.
    pub(super) const fn of(child: Child) -> Self {
        Self(child)
    }

    /// Waits until it ends well. Returns its CPU seconds and its peak memory in MiB.
    pub(super) fn wait(mut self) -> Result<(f64, f64), Box<dyn Error>> {
        let (mut cpu, mut memory) = (0.0, 0.0);
        loop {
            if let Some(status) = self.0.try_wait()? {
                let failed = || format!("the process ended with {status}").into();
                return status.success().then_some((cpu, memory)).ok_or_else(failed);
            }
            // One that has just ended has no memory.
            (cpu, memory) = (self.cpu_seconds()?, self.peak_memory().unwrap_or(memory));
            std::thread::sleep(LOOK);
        }
    }

    /// CPU seconds used so far, in user and system mode.
    pub(super) fn cpu_seconds(&self) -> Result<f64, Box<dyn Error>> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.0.id()))?;
        // The name of the program may contain spaces; the state follows it.
        let (_, fields) = stat.rsplit_once(") ").ok_or("a process has a name")?;
        let ticks = fields.split(' ').skip(11).take(2).map(str::parse::<u64>);
        let ticks: u64 = ticks.sum::<Result<_, _>>()?;
        Ok(ticks as f64 / clock_ticks_per_second() as f64)
    }

    /// Its peak memory in MiB.
    pub(super) fn peak_memory(&self) -> Result<f64, Box<dyn Error>> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
        Ok(kibibytes.ok_or("the system reports memory")?.parse::<f64>()? / 1024.0)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ended = self.0.kill().and_then(|()| self.0.wait());
    }
}
