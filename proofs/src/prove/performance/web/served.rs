//! `dicehill` processes, and the CPU time and memory that they use.

use std::error::Error;
use std::fs::{self, File};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::param::clock_ticks_per_second;
use xtask::root;

use crate::prove::shipped;

/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(60);

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

/// A server of these hills, and its address.
pub(super) fn serve(hills: &[PathBuf]) -> Result<(Process, SocketAddr), Box<dyn Error>> {
    let folder = root().join("target/web");
    let paths: Vec<_> = hills.iter().map(|path| path.display().to_string()).collect();
    let mut arguments = vec!["serve", "--listen", "127.0.0.1:0"];
    arguments.extend(paths.iter().map(String::as_str));
    let server = Process::start(&folder, &arguments, "server.txt")?;
    let deadline = Instant::now() + PATIENCE;
    loop {
        let output = fs::read_to_string(folder.join("server.txt"))?;
        let address = output.split_once("http://").and_then(|(_, rest)| rest.split_once(' '));
        if let Some((address, _)) = address {
            return Ok((server, address.parse()?));
        }
        if Instant::now() > deadline {
            return Err(format!("no server: {output}").into());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
