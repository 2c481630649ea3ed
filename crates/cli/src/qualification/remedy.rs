//! What an author can do about the findings of a qualification.

use dicehill_arena::{Cause, Failure, Finding, QualificationReport, Reason};
use dicehill_rules::yahtzee::Category;
use dicehill_store::did_you_mean;

/// What bots log or report if they try to use a network.
const NETWORK: [&str; 5] =
    ["name resolution", "Network is unreachable", "ENOTFOUND", "EAI_AGAIN", "UnknownHostException"];

/// The same if they try to write a file.
const WRITING: [&str; 2] = ["Read-only file system", "EROFS"];

const NO_WRITING: &str = "a bot cannot write files, also not in /tmp: keep what a game needs in memory (`sort` does with `-S 1M`)";

/// The same if a package is missing in Python, and in JavaScript.
const MISSING_IN_PYTHON: &str = "ModuleNotFoundError";
/// Parts of Python that bots use, and that a minimal installation lacks.
const PARTS_OF_PYTHON: [&str; 20] = [
    "argparse",
    "array",
    "asyncio",
    "bisect",
    "collections",
    "copy",
    "dataclasses",
    "datetime",
    "enum",
    "fractions",
    "functools",
    "heapq",
    "itertools",
    "json",
    "logging",
    "math",
    "queue",
    "random",
    "statistics",
    "typing",
];
const MISSING_IN_JAVASCRIPT: [&str; 2] = ["ERR_MODULE_NOT_FOUND", "Cannot find module"];

/// What is said of the turn of a Java player that returned none.
const NO_CHOICE: &str = "unknown category \"null: the player returned no turn\"";

/// The same if a file is missing.
const MISSING_FILE: [&str; 2] = ["No such file or directory", "NoSuchFileException"];

/// The remedy for the first finding that has one.
pub(super) fn remedy(check: &QualificationReport) -> Option<String> {
    check.findings.iter().find_map(|finding| match finding {
        Finding::Unrepeatable { cause, .. } => Some(for_cause(*cause).to_owned()),
        Finding::Failed { failure, .. } => match failure.reason {
            Reason::MalformedAnswer => for_malformed_answer(&failure.detail).map(str::to_owned),
            Reason::Crash => for_crash(failure),
            // A program that the bot runs may have failed, and the bot goes on with nothing.
            Reason::IllegalMove if logs(failure, &WRITING) => Some(NO_WRITING.to_owned()),
            Reason::IllegalMove => for_illegal_move(&failure.detail),
            Reason::StartTimeout
            | Reason::MoveTimeout
            | Reason::GameTimeout
            | Reason::Flood
            | Reason::Memory
            | Reason::Absent
            | Reason::ArenaError => None,
        },
    })
}

const fn for_cause(cause: Cause) -> &'static str {
    match cause {
        Cause::NotDeterministic => {
            "draw random numbers only from a generator that begins with the `seed` of the game's `start` (a player for a \
             published Java interface has none: with its first dice), and let neither clocks nor the order of a set decide; \
             a host can permit it by `deterministic = false` in a hill file"
        }
        Cause::Remembers => {
            "keep nothing from one game to the next: make what a game needs at its `start`, and drop \
             it at its `end`"
        }
    }
}

fn for_illegal_move(detail: &str) -> Option<String> {
    if let Some(unknown) = unknown_category(detail) {
        let wanted = unknown.to_uppercase().replace([' ', '-'], "_");
        let similar = did_you_mean(&wanted, Category::ALL.map(Category::name));
        return Some(format!("write a category as in `legal`, in capitals{similar}"));
    }
    let remedy = if detail.starts_with("keep index") {
        "`keep` has the positions of dice, 0 to 4, not what they show"
    } else if detail.starts_with(NO_CHOICE) {
        "the player returned null: return a TurnChoice in every turn; only `--rules mego-2016` takes null, for a new roll \
         of all dice"
    } else if detail.contains("is neither \"COUNT FACE\" nor \"Liar!\"") {
        "a bid is a text such as \"4 3\", and the call is \"Liar!\""
    } else {
        return None;
    };
    Some(remedy.to_owned())
}

/// The name that a bot gave for a category, unless a player made no choice.
fn unknown_category(detail: &str) -> Option<&str> {
    let quoted =
        detail.strip_prefix("unknown category \"").filter(|_| !detail.starts_with(NO_CHOICE))?;
    quoted.split_once('"').map(|(name, _)| name)
}

fn for_malformed_answer(detail: &str) -> Option<&'static str> {
    if detail.contains("expected a string") {
        return Some("`bid` and `category` are texts, such as \"4 3\" and \"CHANCE\"");
    }
    let (_, line) = detail.strip_prefix("not JSON")?.split_once(": ")?;
    Some(if line.starts_with("{'") {
        "write the answer by `json.dumps`: JSON has double quotes"
    } else if line.starts_with('{') {
        "write the answer by a JSON library"
    } else {
        "stdout is for answers alone: print everything else to stderr, which is the bot's log"
    })
}

/// Whether a line of a log names a missing module that Python has itself.
fn is_part_of_python(line: &str) -> bool {
    let module = line.strip_prefix(MISSING_IN_PYTHON).and_then(|rest| rest.split('\'').nth(1));
    module.is_some_and(|module| PARTS_OF_PYTHON.contains(&module))
}

fn logs(failure: &Failure, texts: &[&str]) -> bool {
    failure.log.iter().any(|line| texts.iter().any(|text| line.contains(text)))
}

fn for_crash(failure: &Failure) -> Option<String> {
    let lines = || std::iter::once(&failure.detail).chain(&failure.log);
    let has = |texts: &[&str]| lines().any(|line| texts.iter().any(|text| line.contains(text)));
    if has(&NETWORK) {
        Some("a bot has no network: put what it needs into its folder".to_owned())
    } else if has(&WRITING) {
        Some(NO_WRITING.to_owned())
    } else if lines().any(|line| is_part_of_python(line)) {
        let minimal = "the module is a part of Python, which this machine's python3 lacks: install all of it, on Debian \
                       by `apt install python3`";
        Some(minimal.to_owned())
    } else if has(&["No module named 'dicehill'", "is in the package dicehill"]) {
        let sdk = "put the SDK into the bot's folder: `dicehill new python GAME NAME` writes it, dicehill.py; more than bots need is in \
                   the package, which `pip install --target vendor` puts there";
        Some(sdk.to_owned())
    } else if has(&[MISSING_IN_PYTHON]) {
        let install = "install packages into the bot's folder by `pip install --target vendor PACKAGE`, and begin with \
                       `sys.path.insert(0, \"vendor\")`, or, if the hill offers an environment that has them, name it in bot.toml \
                       (`environment`)";
        Some(install.to_owned())
    } else if has(&MISSING_IN_JAVASCRIPT) {
        Some("install packages by `npm install PACKAGE` in the bot's folder".to_owned())
    } else {
        lines().filter(|line| MISSING_FILE.iter().any(|text| line.contains(text))).find_map(|line| {
            let path = absolute_path(line)?;
            Some(format!(
                "a bot sees only its own folder and the system's programs: put {path} into its folder, and open it by \
                 its path from there"
            ))
        })
    }
}

/// The absolute path that a message quotes, unless it is in the folder in which the bot runs.
fn absolute_path(line: &str) -> Option<&str> {
    let quoted = line.split(['\'', '"']).skip(1).step_by(2);
    quoted.filter(|text| !text.contains("dicehill-work-")).find(|text| text.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dicehill_arena::{AnswerTimes, Extent, TestCase};

    /// The remedy for a failure with this detail and the last line of its log.
    fn check(reason: Reason, detail: &str, log: &str, expected: &str) {
        let failure = Failure { log: vec![log.to_owned()], ..Failure::new(reason, detail) };
        let test_case = TestCase::Game(1);
        let findings =
            vec![Finding::Failed { test_case, answer: 1, request: String::new(), failure }];
        let report = QualificationReport {
            games: 1,
            answers: 1,
            positions: 0,
            times: AnswerTimes::default(),
            findings,
            notes: Vec::new(),
            extent: Extent::Futile,
        };
        let found = remedy(&report).unwrap_or_default();
        assert!(found.starts_with(expected), "{detail}: {log}: {found}");
        assert_eq!(found.is_empty(), expected.is_empty(), "{detail}: {log}: {found}");
    }

    #[test]
    fn common_mistakes_have_a_remedy() {
        let malformed = |line: &str, remedy: &str| {
            check(
                Reason::MalformedAnswer,
                &format!("not JSON (expected value): {line}"),
                "",
                remedy,
            );
        };
        malformed("got [1, 2, 3]", "stdout is for answers alone");
        malformed("{'id': 7, 'category': 'CHANCE'}", "write the answer by `json.dumps`");
        malformed("{id: 7}", "write the answer by a JSON library");
        let sequence = "invalid type: sequence, expected a string: {\"id\": 7, \"bid\": [1, 6]}";
        check(Reason::MalformedAnswer, sequence, "", "`bid` and `category` are texts");
        let illegal = |detail: &str, remedy: &str| check(Reason::IllegalMove, detail, "", remedy);
        illegal("keep index 6 is not 0-4: {\"id\":7,\"keep\":[6]}", "`keep` has the positions");
        illegal("unknown category \"chance\": {}", "write a category as in `legal`, in capitals");
        illegal(
            "unknown category \"FULL HOSE\": {}",
            "write a category as in `legal`, in capitals; did you mean \"FULL_HOUSE\"?",
        );
        illegal("\"liar\" is neither \"COUNT FACE\" nor \"Liar!\": {}", "a bid is a text");
        let no_turn = "unknown category \"null: the player returned no turn\": {}";
        illegal(no_turn, "the player returned null: return a TurnChoice in every turn");
        illegal("CHANCE: this category is already used", "");
        check(Reason::MalformedAnswer, "no \"id\" of a request: {}", "", "");
        let sort = "sort: cannot create temporary file in '/tmp': Read-only file system";
        check(Reason::IllegalMove, "unknown category \"\": {}", sort, "a bot cannot write files");
        let crash = |log: &str, remedy: &str| {
            check(Reason::Crash, "it ended with status 1", log, remedy);
        };
        crash(
            "socket.gaierror: [Errno -3] Temporary failure in name resolution",
            "a bot has no network",
        );
        crash("OSError: [Errno 30] Read-only file system: 'cache.txt'", "a bot cannot write files");
        crash(
            "ModuleNotFoundError: No module named 'numpy'",
            "install packages into the bot's folder by `pip install --target vendor PACKAGE`",
        );
        crash(
            "ModuleNotFoundError: No module named 'json'",
            "the module is a part of Python, which this machine's python3 lacks",
        );
        crash("  code: 'ERR_MODULE_NOT_FOUND'", "install packages by `npm install PACKAGE`");
        crash(
            "FileNotFoundError: [Errno 2] No such file or directory: '/home/ada/table.json'",
            "a bot sees only its own folder and the system's programs: put /home/ada/table.json into",
        );
        crash("FileNotFoundError: [Errno 2] No such file or directory: 'table.json'", "");
        crash("Error: ENOENT: no such file, open '/tmp/dicehill-work-1/own/a'", "");
        crash("ValueError: no", "");
    }
}
