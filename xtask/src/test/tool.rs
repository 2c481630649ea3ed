//! Programs that some tests use, and their packages.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

/// A program, or several of one installation, that some tests use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Tool {
    /// Python 3.
    Python,
    /// A JDK of 17 or later.
    Jdk,
    /// Node 18 or later.
    Node,
    /// A C compiler with the headers of its library.
    C,
    /// Make.
    Make,
    /// Chromium with its WebDriver.
    Chromium,
    /// The Kotlin compiler.
    Kotlin,
    /// The Scala compiler.
    Scala,
}

impl Tool {
    /// The programs that have to be installed.
    #[must_use]
    pub fn programs(self) -> &'static [&'static str] {
        match self {
            Self::Python => &["python3"],
            Self::Jdk => &["java", "javac"],
            Self::Node => &["node"],
            Self::C => &["cc"],
            Self::Make => &["make"],
            Self::Chromium => &["chromium", "chromedriver"],
            Self::Kotlin => &["kotlinc"],
            Self::Scala => &["scalac"],
        }
    }

    /// A description with its purpose.
    #[must_use]
    pub fn purpose(self) -> &'static str {
        match self {
            Self::Python => {
                "Python 3, for bots and the SDK in Python, and to test the C and Java SDKs"
            }
            Self::Jdk => "a JDK of 17 or later, for bots and the SDK in Java",
            Self::Node => "Node 18 or later, for bots and the SDK in JavaScript",
            Self::C => "a C compiler, for bots and the SDK in C",
            Self::Make => "make, which builds bots in C",
            Self::Chromium => "Chromium and its driver, for the pages",
            Self::Kotlin => "the Kotlin compiler, for a player in Kotlin",
            Self::Scala => "the Scala compiler, for a player in Scala",
        }
    }

    /// Its packages on Debian and Ubuntu.
    #[must_use]
    pub fn debian_packages(self) -> &'static [&'static str] {
        match self {
            Self::Python => &["python3"],
            Self::Jdk => &["default-jdk-headless"],
            Self::Node => &["nodejs"],
            // The compiler's package only recommends the headers.
            Self::C => &["gcc", "libc6-dev"],
            Self::Make => &["make"],
            Self::Chromium => &["chromium", "chromium-driver"],
            Self::Kotlin => &["kotlin"],
            Self::Scala => &["scala"],
        }
    }

    /// Its packages in Homebrew. The C compiler and make come with Apple's command line tools.
    #[must_use]
    pub fn homebrew_packages(self) -> &'static [&'static str] {
        match self {
            Self::Python => &["python"],
            Self::Jdk => &["openjdk"],
            Self::Node => &["node"],
            Self::C | Self::Make => &[],
            Self::Chromium => &["chromium", "chromedriver"],
            Self::Kotlin => &["kotlin"],
            Self::Scala => &["scala"],
        }
    }

    /// Whether its programs are in this PATH, and start.
    pub(crate) fn works(self, path: &OsStr) -> bool {
        self.programs().iter().all(|program| {
            let found = std::env::split_paths(path).map(|folder| folder.join(program));
            let mut files = found.filter(|file| file.is_file());
            // A file of that name need not be the program: on macOS `java` may be a stub that fails. The compilers that
            // run in a JVM start slowly, and have no stubs.
            let is_slow = matches!(self, Self::Kotlin | Self::Scala);
            files.next().is_some_and(|file| is_slow || starts(file.as_os_str(), path))
        })
    }
}

fn starts(program: &OsStr, path: &OsStr) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").env("PATH", path);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
