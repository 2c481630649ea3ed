//! Bots in many languages, built and qualified in the sandbox: it allows what their runtimes need.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

use xtask::root;

use crate::figures::Figure;
use crate::prove::shipped;

/// A bot in one language.
struct Runtime {
    name: &'static str,
    /// The programs that it needs.
    programs: &'static [&'static str],
    file: &'static str,
    source: &'static str,
    /// The keys of its `bot.toml`.
    keys: &'static str,
}

const RUNTIMES: [Runtime; 14] = [
    Runtime {
        name: "c",
        programs: &["make", "cc"],
        file: "bot.c",
        source: include_str!("runtimes/bot.c"),
        keys: "build = [\"make\", \"bot\"]\ncommand = [\"./bot\"]",
    },
    Runtime {
        name: "c-static",
        programs: &["cc"],
        file: "bot.c",
        source: include_str!("runtimes/bot.c"),
        keys: "build = [\"cc\", \"-O1\", \"-static\", \"-o\", \"bot\", \"bot.c\"]\ncommand = [\"./bot\"]",
    },
    Runtime {
        name: "rust",
        programs: &["rustc", "cc"],
        file: "bot.rs",
        source: include_str!("runtimes/bot.rs"),
        keys: "build = [\"rustc\", \"bot.rs\"]\ncommand = [\"./bot\"]",
    },
    Runtime {
        name: "go",
        programs: &["go"],
        file: "bot.go",
        source: include_str!("runtimes/bot.go"),
        keys: "build = [\"go\", \"build\", \"bot.go\"]\ncommand = [\"./bot\"]",
    },
    Runtime {
        name: "go-module",
        programs: &["go"],
        file: "bot.go",
        source: include_str!("runtimes/bot.go"),
        keys: "build = [\"sh\", \"-c\", \"go mod init bot && go build -o bot .\"]\ncommand = [\"./bot\"]",
    },
    Runtime {
        name: "haskell",
        programs: &["ghc"],
        file: "bot.hs",
        source: include_str!("runtimes/bot.hs"),
        keys: "build = [\"ghc\", \"bot.hs\"]\ncommand = [\"./bot\"]",
    },
    Runtime {
        name: "java",
        programs: &["java", "javac"],
        file: "Bot.java",
        source: include_str!("runtimes/Bot.java"),
        keys: "build = [\"javac\", \"Bot.java\"]\ncommand = [\"java\", \"Bot\"]",
    },
    Runtime {
        name: "java-in-shell",
        programs: &["java", "javac"],
        file: "Bot.java",
        source: include_str!("runtimes/Bot.java"),
        keys: "build = [\"javac\", \"Bot.java\"]\ncommand = [\"sh\", \"-c\", \"java Bot; exit $?\"]",
    },
    Runtime {
        name: "mono",
        programs: &["mono", "mcs"],
        file: "bot.cs",
        source: include_str!("runtimes/bot.cs"),
        keys: "build = [\"mcs\", \"bot.cs\"]\ncommand = [\"mono\", \"bot.exe\"]",
    },
    Runtime {
        name: "node",
        programs: &["node"],
        file: "bot.js",
        source: include_str!("runtimes/bot.js"),
        keys: "command = [\"node\", \"bot.js\"]",
    },
    Runtime {
        name: "npm",
        programs: &["npm", "node"],
        file: "bot.js",
        source: include_str!("runtimes/bot.js"),
        keys: "build = [\"npm\", \"init\", \"--yes\"]\ncommand = [\"node\", \"bot.js\"]",
    },
    Runtime {
        name: "python",
        programs: &["python3"],
        file: "bot.py",
        source: include_str!("runtimes/bot.py"),
        keys: "command = [\"python3\", \"bot.py\"]",
    },
    Runtime {
        name: "python-of-the-system",
        programs: &["/usr/bin/python3"],
        file: "bot.py",
        source: include_str!("runtimes/bot.py"),
        // A path of a bot.toml may not leave its folder.
        keys: "command = [\"sh\", \"-c\", \"exec /usr/bin/python3 bot.py\"]",
    },
    Runtime {
        name: "ruby",
        programs: &["ruby"],
        file: "bot.rb",
        source: include_str!("runtimes/bot.rb"),
        keys: "command = [\"ruby\", \"bot.rb\"]",
    },
];

pub(crate) fn figures() -> Result<Vec<Figure>, Box<dyn Error>> {
    shipped::build_dicehill()?;
    let folder = root().join("target/runtimes");
    let (mut qualified, mut failed, mut absent) = (Vec::new(), Vec::new(), Vec::new());
    for runtime in &RUNTIMES {
        if !runtime.programs.iter().all(|program| is_installed(program)) {
            absent.push(runtime.name);
        } else if is_qualified(&folder.join(runtime.name), runtime)? {
            qualified.push(runtime.name);
        } else {
            failed.push(runtime.name);
        }
    }
    let list = |names: &[&str]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    Ok(vec![Figure {
        name: format!(
            "bots built and qualified in the sandbox without a refused system call ({}; not installed: {})",
            list(&qualified),
            list(&absent)
        ),
        value: qualified.len().to_string(),
        interval: "exact".to_owned(),
        aim: format!("all that are installed; failed: {}", list(&failed)),
        met: failed.is_empty() && !qualified.is_empty(),
    }])
}

/// Whether a program of this name or path can be run.
fn is_installed(program: &str) -> bool {
    let found = Command::new("sh").args(["-c", "command -v \"$0\" > /dev/null", program]).status();
    found.is_ok_and(|status| status.success())
}

/// Whether a bot is built, plays by the rules, and makes no call that the sandbox refuses.
fn is_qualified(folder: &Path, runtime: &Runtime) -> Result<bool, Box<dyn Error>> {
    let Runtime { name, file, source, keys, .. } = runtime;
    fs::create_dir_all(folder)?;
    fs::write(folder.join(file), source)?;
    fs::write(folder.join("bot.toml"), format!("name = \"{name}\"\n{keys}\n"))?;
    let logs = folder.with_extension("logs");
    let output = Command::new(shipped::path("dicehill"))
        .args(["check", "yahtzee"])
        .arg(folder)
        .arg("--require-isolation")
        .arg("--logs")
        .arg(&logs)
        .output()?;
    let log = fs::read_dir(&logs).into_iter().flatten().filter_map(Result::ok);
    let log: String = log.filter_map(|entry| fs::read_to_string(entry.path()).ok()).collect();
    let is_refused = log.contains("the sandbox refused");
    if !output.status.success() || is_refused {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        eprintln!("{name}: {}{}{log}", text(&output.stdout), text(&output.stderr));
    }
    Ok(output.status.success() && !is_refused)
}
