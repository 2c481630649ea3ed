//! Looks for the tools of the requested parts, and installs missing ones if it can.

use std::error::Error;
use std::ffi::OsString;
use std::process::{Command, Stdio};

use super::process::Children;
use super::script::Script;
use super::search_path::search_path;
use super::selection::is_within;
use super::sets::{NEEDS, THOROUGH};
use super::{Part, TestArgs, Tool};

/// How programs are installed on a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Installer {
    /// On Debian and Ubuntu.
    Apt,
    /// On macOS.
    Brew,
    /// Unknown.
    Unknown,
}

/// The properties of a machine that the set-up depends on.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The PATH.
    pub path: OsString,
    /// Whether programs can be installed without sudo.
    pub is_root: bool,
}

impl Machine {
    /// This machine.
    #[must_use]
    pub fn here() -> Self {
        let path = search_path().cloned().or_else(|| std::env::var_os("PATH"));
        Self { path: path.unwrap_or_default(), is_root: is_root() }
    }

    /// How programs are installed on it.
    #[must_use]
    pub fn installer(&self) -> Installer {
        let is_installed = |program: &str| {
            std::env::split_paths(&self.path).any(|folder| folder.join(program).is_file())
        };
        match () {
            () if is_installed("apt-get") => Installer::Apt,
            () if is_installed("brew") => Installer::Brew,
            () => Installer::Unknown,
        }
    }
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}

/// The tools of these parts' tests; those of thorough tests only with `all`.
///
/// # Errors
/// If the scripts of a part cannot be listed.
pub fn needed(parts: &[Part], all: bool) -> Result<Vec<Tool>, Box<dyn Error>> {
    let mut tools = Vec::new();
    for (tool, entries) in NEEDS {
        if entries.iter().any(|entry| runs(entry, parts, all)) {
            tools.push(*tool);
        }
    }
    tools.extend(parts.iter().filter_map(|part| part.tool()));
    for part in parts {
        tools.extend(Script::of(*part)?.into_iter().flat_map(|script| script.tools));
    }
    tools.sort_by_key(|tool| tool.place());
    tools.dedup();
    Ok(tools)
}

/// Whether tests of this table entry run.
fn runs(entry: &str, parts: &[Part], all: bool) -> bool {
    let mut words = entry.split(' ');
    let mut word = || words.next().unwrap_or_default();
    let (package, program, prefix) = (word(), word(), word());
    parts.iter().any(|part| part.has(package, program) && part.owns(package, prefix))
        && (all || !THOROUGH.iter().any(|thorough| is_within(entry, thorough)))
}

/// The tools that a machine lacks.
#[must_use]
pub fn missing(tools: &[Tool], machine: &Machine) -> Vec<Tool> {
    tools.iter().copied().filter(|tool| !tool.works(&machine.path)).collect()
}

/// The arguments of Python that install packages of PyPI, also for the Python of Debian.
const PIP: [&str; 4] = ["-m", "pip", "install", "--break-system-packages"];

/// A command line that installs these tools.
#[must_use]
pub fn install_line(tools: &[Tool], machine: &Machine) -> String {
    let packages = |of: fn(Tool) -> &'static [&'static str]| {
        tools.iter().flat_map(|tool| of(*tool)).copied().collect::<Vec<_>>().join(" ")
    };
    let sudo = if machine.is_root { "" } else { "sudo " };
    match machine.installer() {
        Installer::Apt => {
            let (debian, python) =
                (packages(Tool::debian_packages), packages(Tool::python_packages));
            let apt = format!("{sudo}apt-get install --yes --no-install-recommends {debian}");
            let pip = format!("{sudo}python3 {} {python}", PIP.join(" "));
            match (debian.is_empty(), python.is_empty()) {
                (_, true) => apt,
                (true, false) => pip,
                (false, false) => format!("{apt}; {pip}"),
            }
        }
        Installer::Brew => {
            let packages = packages(Tool::homebrew_packages);
            format!("xcode-select --install; brew install {packages}")
        }
        Installer::Unknown => {
            let programs = packages(Tool::programs);
            format!("with the system's package manager, install what provides: {programs}")
        }
    }
}

/// Installs the missing tools of the requested parts, if permitted. Returns the tools that are still missing.
///
/// # Errors
/// If a tool is missing and all tests are requested.
pub(crate) fn set_up(
    args: &TestArgs,
    parts: &[Part],
    children: &Children,
) -> Result<Vec<Tool>, Box<dyn Error>> {
    let machine = Machine::here();
    let tools = needed(parts, args.all)?;
    let mut missing_tools = missing(&tools, &machine);
    if missing_tools.is_empty() {
        return Ok(missing_tools);
    }
    if machine.is_root && !args.no_install && machine.installer() == Installer::Apt {
        install(&missing_tools, children)?;
        missing_tools = missing(&tools, &machine);
    }
    if !missing_tools.is_empty() {
        explain(&missing_tools, &machine, args.all)?;
    }
    Ok(missing_tools)
}

/// Prints the missing tools and how to install them; an error if all tests are requested.
fn explain(missing_tools: &[Tool], machine: &Machine, all: bool) -> Result<(), Box<dyn Error>> {
    let list =
        missing_tools.iter().map(|tool| format!("\n  {}", tool.purpose())).collect::<String>();
    let line = install_line(missing_tools, machine);
    let text = format!("missing:{list}\nto install it:\n  {line}");
    if all {
        return Err(format!("some tests cannot run here\n{text}").into());
    }
    println!("{text}\nContinuing with what can be tested without.");
    Ok(())
}

/// Installs these tools with apt-get and pip. Failures show in the tools that are missing afterwards.
fn install(tools: &[Tool], children: &Children) -> Result<(), Box<dyn Error>> {
    let all = |of: fn(Tool) -> &'static [&'static str]| -> Vec<&str> {
        tools.iter().flat_map(|tool| of(*tool)).copied().collect()
    };
    let (packages, python) = (all(Tool::debian_packages), all(Tool::python_packages));
    let names = [&packages[..], &python].concat().join(", ");
    println!("Some tests need what is not installed here, so {names} will be installed:");
    for tool in tools {
        println!("  {}", tool.purpose());
    }
    println!("(--no-install prevents it)");
    if !python.is_empty() {
        let mut pip = Command::new("python3");
        pip.args(PIP).args(["--quiet", "--root-user-action", "ignore"]).args(&python);
        if !children.run(pip.stdin(Stdio::null()))?.success() {
            println!("pip failed");
        }
    }
    if packages.is_empty() {
        return Ok(());
    }
    let install = [&["install", "--yes", "--no-install-recommends"], &packages[..]].concat();
    for words in [vec!["update"], install] {
        let mut apt = Command::new("apt-get");
        apt.arg("--quiet")
            .args(&words)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdin(Stdio::null());
        if !children.run(&mut apt)?.success() {
            println!("apt-get {} failed", words[0]);
        }
    }
    Ok(())
}
