//! The `dicehill` command as processes beside this one, and what they take of the machine.

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

/// The command at work; it ends with its owner.
pub(super) struct Process(Child);

impl Process {
    /// Starts it; what it says goes to a file of this name.
    pub(super) fn start(
        folder: &Path,
        arguments: &[&str],
        said: &str,
    ) -> Result<Self, Box<dyn Error>> {
        let said = File::create(folder.join(said))?;
        let mut command = command(folder, arguments);
        Ok(Self(command.stdout(said.try_clone()?).stderr(said).spawn()?))
    }

    /// CPU seconds that it has taken, in user and system mode.
    pub(super) fn cpu_seconds(&self) -> Result<f64, Box<dyn Error>> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.0.id()))?;
        // The name of the program may hold blanks; the state follows it.
        let (_, fields) = stat.rsplit_once(") ").ok_or("a process has a name")?;
        let ticks = fields.split(' ').skip(11).take(2).map(str::parse::<u64>);
        let ticks: u64 = ticks.sum::<Result<_, _>>()?;
        Ok(ticks as f64 / clock_ticks_per_second() as f64)
    }

    /// The most memory that it has had at once, in MiB.
    pub(super) fn most_memory(&self) -> Result<f64, Box<dyn Error>> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
        Ok(kibibytes.ok_or("the system tells memory")?.parse::<f64>()? / 1024.0)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ended = self.0.kill().and_then(|()| self.0.wait());
    }
}

/// A server of these hills, and where it listens.
pub(super) fn serve(hills: &[PathBuf]) -> Result<(Process, SocketAddr), Box<dyn Error>> {
    let folder = root().join("target/web");
    let paths: Vec<_> = hills.iter().map(|path| path.display().to_string()).collect();
    let mut arguments = vec!["serve", "--listen", "127.0.0.1:0"];
    arguments.extend(paths.iter().map(String::as_str));
    let server = Process::start(&folder, &arguments, "server.txt")?;
    let until = Instant::now() + PATIENCE;
    loop {
        let said = fs::read_to_string(folder.join("server.txt"))?;
        let address = said.split_once("http://").and_then(|(_, rest)| rest.split_once(' '));
        if let Some((address, _)) = address {
            return Ok((server, address.parse()?));
        }
        if Instant::now() > until {
            return Err(format!("no server: {said}").into());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
