//! Packages of bots, as the pages on languages say: virtual environments, vendored packages, `node_modules`, crates and jars.
//! All packages are made here, so that nothing needs a network.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::Scratch;

/// A bot in Python that takes its answers from the package `advice`, which begins with `first`.
fn python_bot(first: &str) -> String {
    format!(
        "{first}\nimport json, sys\nimport advice\nprint(json.dumps({{'type': 'ready', 'inflight': 1}}), flush=True)\nfor line in sys.stdin:\n    turn = json.loads(line)\n    \
         if turn['type'] == 'turn':\n        \
         print(json.dumps({{'id': turn['id'], 'category': advice.choose(turn['legal'])}}), flush=True)\n"
    )
}

const ADVICE: &str = "def choose(legal):\n    return sorted(legal)[0]\n";

/// A bot's folder with a `bot.toml` that starts it by this command, and builds it by `more`.
fn folder(command: &str, more: &str) -> Scratch {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("Mine")).expect("a folder");
    let manifest = format!("name = \"Mine\"\ngame = \"yahtzee\"\ncommand = {command}\n{more}");
    scratch.write("Mine/bot.toml", manifest);
    scratch
}

#[track_caller]
fn check_qualifies(scratch: &Scratch) {
    let check = ["check", "./Mine", "--games", "1", "--seed", "s"];
    let mut command = scratch.command(&check);
    command.env("XDG_CACHE_HOME", scratch.path("cache"));
    let output = command.output().expect("the command starts");
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(out.starts_with("Mine: qualified: 1 game"), "{out}{err}");
}

/// Runs a tool in the bot's folder.
#[track_caller]
fn run(scratch: &Scratch, words: &[&str]) {
    let output =
        Command::new(words[0]).args(&words[1..]).current_dir(scratch.path("Mine")).output();
    let output = output.unwrap_or_else(|error| panic!("{words:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{words:?}: {text}");
}

/// Whether a tool works here.
fn works(words: &[&str]) -> bool {
    let works = Command::new(words[0]).args(&words[1..]).output();
    let works = works.is_ok_and(|output| output.status.success());
    if !works {
        println!("not tested, for want of {}", words.join(" "));
    }
    works
}

/// Writes files into the bot's folder.
fn write_all(scratch: &Scratch, files: &[(&str, &str)]) {
    for (name, content) in files {
        let path = scratch.path("Mine").join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, content).expect("a file");
    }
}

/// Makes a virtual environment with the package `advice`.
fn make_environment(environment: &Path) {
    let made =
        Command::new("python3").args(["-m", "venv", "--without-pip"]).arg(environment).output();
    assert!(made.expect("python3 starts").status.success());
    let versions = fs::read_dir(environment.join("lib")).expect("its libraries");
    let version = versions.map(|entry| entry.expect("an entry").path()).next().expect("a version");
    fs::write(version.join("site-packages/advice.py"), ADVICE).expect("a package");
}

#[test]
fn a_virtual_environment_in_the_folder_is_used_by_its_path_and_by_python3() {
    for program in ["python3", ".venv/bin/python"] {
        let scratch = folder(&format!("[\"{program}\", \"bot.py\"]"), "");
        scratch.write("Mine/bot.py", python_bot(""));
        make_environment(&scratch.path("Mine/.venv"));
        check_qualifies(&scratch);
    }
}

#[test]
fn a_virtual_environment_elsewhere_is_explained_with_the_line_to_write() {
    let scratch = folder("[]", "");
    make_environment(&scratch.path("environment"));
    let program = scratch.path("environment/bin/python3").display().to_string();
    for program in [program.as_str(), "../environment/bin/python3"] {
        let manifest = format!("name = \"Mine\"\ncommand = [\"{program}\", \"bot.py\"]\n");
        scratch.write("Mine/bot.toml", manifest);
        let output = scratch.run(&["check", "yahtzee", "./Mine"]);
        assert_eq!(output.code, 2);
        let line = "write command = [\".venv/bin/python3\", \"bot.py\"]";
        assert!(output.err.contains("bot.toml:2: ") && output.err.contains(line), "{}", output.err);
    }
    // A bot of the command line may have its environment anywhere.
    scratch.write("Mine/bot.py", python_bot(""));
    for program in [program.as_str(), "environment/bin/python3", "./environment/bin/python"] {
        let words = format!("{program} Mine/bot.py");
        scratch.run_ok(&["check", "yahtzee", &words, "--games", "1", "--seed", "s"]);
    }
    // A hill keeps none.
    let bot = "name = \"Mine\"\ncommand = [\"environment/bin/python\", \"Mine/bot.py\"]\n";
    let dummy = "[[bot]]\nname = \"dummy\"\nhouse = \"dummy\"\n";
    scratch.write("hill.toml", format!("game = \"yahtzee\"\n{dummy}[[bot]]\n{bot}"));
    scratch.run_ok(&["hill", "init", "hill.db", "hill.toml"]);
    let output = scratch.run(&["hill", "add", "hill.db", "hill.toml"]);
    assert_eq!(output.code, 2, "{}", output.err);
    assert!(output.err.contains("pip install --target vendor"), "{}", output.err);
}

#[test]
fn a_virtual_environment_is_not_kept_in_a_hill() {
    let scratch = folder("[\".venv/bin/python\", \"bot.py\"]", "");
    scratch.write("Mine/bot.py", python_bot(""));
    make_environment(&scratch.path("Mine/.venv"));
    scratch
        .write("hill.toml", "game = \"yahtzee\"\n[[bot]]\nname = \"dummy\"\nhouse = \"dummy\"\n");
    scratch.run_ok(&["hill", "init", "hill.db", "hill.toml"]);
    let output = scratch.run(&["hill", "add", "hill.db", "./Mine"]);
    assert_eq!(output.code, 2, "{}", output.err);
    assert!(output.err.contains("pip install --target vendor"), "{}", output.err);
}

#[test]
fn packages_that_pip_has_installed_into_the_folder_are_found() {
    if !works(&["python3", "-m", "pip", "--version"]) {
        return;
    }
    let scratch = folder("[\"python3\", \"bot.py\"]", "");
    let wheel = "import zipfile\n\
        files = {'advice.py': open('advice.txt').read(),\n\
        'advice-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\\nName: advice\\nVersion: 1.0\\n',\n\
        'advice-1.0.dist-info/WHEEL': 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n',\n\
        'advice-1.0.dist-info/RECORD': ''}\n\
        with zipfile.ZipFile('advice-1.0-py3-none-any.whl', 'w') as wheel:\n    \
        [wheel.writestr(name, text) for name, text in files.items()]\n";
    let bot = python_bot("import sys; sys.path.insert(0, 'vendor')");
    write_all(&scratch, &[("advice.txt", ADVICE), ("wheel.py", wheel), ("bot.py", &bot)]);
    run(&scratch, &["python3", "wheel.py"]);
    let install =
        ["python3", "-m", "pip", "install", "--quiet", "--no-index", "--target", "vendor"];
    run(&scratch, &[&install[..], &["./advice-1.0-py3-none-any.whl"]].concat());
    assert!(scratch.path("Mine/vendor/advice.py").is_file());
    check_qualifies(&scratch);
}

#[test]
fn packages_in_node_modules_are_found() {
    if !works(&["npm", "--version"]) {
        return;
    }
    let scratch = folder("[\"node\", \"bot.mjs\"]", "");
    let bot = "import { createInterface } from 'node:readline';\nimport { choose } from 'advice';\n\
        console.log(JSON.stringify({ type: 'ready', inflight: 1 }));\n\
        createInterface({ input: process.stdin }).on('line', (line) => {\n  \
        const turn = JSON.parse(line);\n  \
        if (turn.type === 'turn') console.log(JSON.stringify({ id: turn.id, category: choose(turn.legal) }));\n});\n";
    write_all(
        &scratch,
        &[
            (
                "advice/package.json",
                r#"{"name": "advice", "version": "1.0.0", "type": "module", "main": "index.js"}"#,
            ),
            ("advice/index.js", "export const choose = (legal) => Object.keys(legal).sort()[0];\n"),
            ("package.json", r#"{"name": "mine", "version": "1.0.0", "private": true}"#),
            ("bot.mjs", bot),
        ],
    );
    run(&scratch, &["npm", "install", "--offline", "--no-audit", "--install-links", "./advice"]);
    check_qualifies(&scratch);
}

#[test]
fn vendored_crates_are_built() {
    if !works(&["cargo", "--version"]) {
        return;
    }
    let build = "build = [\"cargo\", \"build\"]\n";
    let scratch = folder("[\"target/debug/mine\"]", build);
    // It answers with the first category of "legal".
    let bot = r#"use std::io::{BufRead, Write};

fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("a line");
        if !line.contains("\"type\":\"turn\"") {
            continue;
        }
        let (id, category) = (advice::after(&line, "\"id\":"), advice::after(&line, "\"legal\":{"));
        println!("{{\"id\":{id},\"category\":{category}}}");
        std::io::stdout().flush().expect("the arena reads");
    }
}
"#;
    let advice = r#"/// The word after a key.
pub fn after<'a>(line: &'a str, key: &str) -> &'a str {
    let rest = &line[line.find(key).expect("the key") + key.len()..];
    &rest[..rest.find([',', ':']).expect("an end")]
}
"#;
    write_all(
        &scratch,
        &[
            (
                "Cargo.toml",
                "[package]\nname = \"mine\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\nadvice = \"1\"\n",
            ),
            ("src/main.rs", bot),
            (
                ".cargo/config.toml",
                "[source.crates-io]\nreplace-with = \"vendored-sources\"\n\n[source.vendored-sources]\ndirectory = \"vendor\"\n",
            ),
            (
                "vendor/advice/Cargo.toml",
                "[package]\nname = \"advice\"\nversion = \"1.0.0\"\nedition = \"2021\"\n",
            ),
            ("vendor/advice/src/lib.rs", advice),
            ("vendor/advice/.cargo-checksum.json", r#"{"files":{}}"#),
        ],
    );
    check_qualifies(&scratch);
}

#[test]
fn jars_in_the_class_path_are_found() {
    if !works(&["javac", "--version"]) {
        return;
    }
    let build =
        "build = [\"javac\", \"-cp\", \".:library.jar\", \"-d\", \"classes\", \"Mine.java\"]\n";
    let command = "[\"java\", \"-XX:+UseSerialGC\", \"-Xmx128m\", \"-cp\", \"classes:library.jar\", \"Mine\"]";
    let scratch = folder(command, build);
    let bot = r#"import java.io.*;

public class Mine {
    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.contains("\"type\":\"hello\"")) {
                System.out.println("{\"type\":\"ready\",\"inflight\":64}");
            } else if (line.contains("\"type\":\"turn\"")) {
                System.out.println("{\"id\":" + advice.After.key(line, "\"id\":")
                        + ",\"category\":" + advice.After.key(line, "\"legal\":{") + "}");
            }
        }
    }
}
"#;
    let library = r#"package advice;

public class After {
    public static String key(String line, String key) {
        return line.substring(line.indexOf(key) + key.length()).split("[,:]")[0];
    }
}
"#;
    write_all(&scratch, &[("Mine.java", bot), ("library/After.java", library)]);
    run(&scratch, &["javac", "-d", "library/classes", "library/After.java"]);
    run(&scratch, &["jar", "cf", "library.jar", "-C", "library/classes", "."]);
    fs::remove_dir_all(scratch.path("Mine/library")).expect("the folder can be removed");
    check_qualifies(&scratch);
}
