//! Prepares a bot that is a command which speaks the protocol.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use super::error::{Missing, PrepareError};
use super::identity::{hasher, identity};
use super::prepared_bot::PreparedBot;
use super::{build, readable_paths, virtual_environment};
use crate::files::bot_files::BotFiles;
use crate::isolation::mode::Isolation;
use crate::isolation::system_files::system;
use crate::process::program_path::find_program;
use crate::process::script_head::ScriptHead;

/// The SDK for Python.
const PYTHON_SDK: &str = "dicehill.py";

/// Prepares a command with a folder, which is copied and, if there is a build command, built. The build may read what the bot
/// may, `read`.
pub(crate) fn prepare_folder(
    command: &[String],
    dir: &Path,
    build: Option<&[String]>,
    (read, isolation): (&[PathBuf], Isolation),
) -> Result<PreparedBot, PrepareError> {
    if !dir.is_dir() {
        return Err(PrepareError::no_such(Missing::Folder, dir, Path::new("")));
    }
    let mut files = match build {
        Some(_) => BotFiles::to_be_built(dir)?,
        None => BotFiles::in_folder(dir)?,
    };
    let mut hasher = hasher("command", command);
    for word in build.unwrap_or_default() {
        hasher.update(&(word.len() as u64).to_le_bytes()).update(word.as_bytes());
    }
    files.hash(&mut hasher)?;
    let identity = identity(&hasher);
    let mut place = dir.to_owned();
    if let Some(build) = build {
        place = build::build_bot(build, &files, &identity, (read, isolation))?;
        files = BotFiles::in_folder(&place)?;
    }
    let environment = virtual_environment::program(command, dir)?;
    let command: Vec<_> = match environment {
        Some(program) => {
            let arguments = command.iter().skip(1).map(OsString::from);
            std::iter::once(program.into_os_string()).chain(arguments).collect()
        }
        None => {
            check_program(command, &place)?;
            command.iter().map(OsString::from).collect()
        }
    };
    let readable = readable_paths::of_command(&command, &place);
    let remarks = remarks(&files);
    Ok(PreparedBot { command, files, readable, identity, remarks })
}

/// Prepares a command without a folder: the files that its arguments name are copied into one folder, and the
/// arguments replaced by the names there.
pub(crate) fn prepare_arguments(
    command: &[String],
    base: &Path,
) -> Result<PreparedBot, PrepareError> {
    let (mut words, files) = gather_argument_files(command, base);
    let shown: Vec<_> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let mut hasher = hasher("command", &shown);
    files.hash(&mut hasher)?;
    check_program(command, base)?;
    let mut as_given: Vec<_> = command.iter().map(OsString::from).collect();
    if virtual_environment::named(command, base).is_some()
        && let Some(program) = virtual_environment::program(command, base)?
    {
        words[0] = program.clone().into_os_string();
        as_given[0] = program.into_os_string();
    }
    let readable = readable_paths::of_command(&as_given, base);
    let (identity, remarks) = (identity(&hasher), remarks(&files));
    Ok(PreparedBot { command: words, files, readable, identity, remarks })
}

/// The words of a command after its files were copied into one folder, and these files.
pub(crate) fn gather_argument_files(command: &[String], base: &Path) -> (Vec<OsString>, BotFiles) {
    let mut files = BotFiles::default();
    let mut words = Vec::with_capacity(command.len());
    for (index, word) in command.iter().enumerate() {
        let file = argument_file(index, word, base);
        match file.as_ref().and_then(|path| Some((path, path.file_name()?))) {
            None => words.push(OsString::from(word)),
            Some((path, name)) => {
                let place = PathBuf::from(if words.iter().any(|other| *other == name) {
                    format!("{index}-{}", name.to_string_lossy())
                } else {
                    name.to_string_lossy().into_owned()
                });
                files.add(path.clone(), place.clone());
                words.push(if index == 0 { Path::new(".").join(place) } else { place }.into());
            }
        }
    }
    let scripts = command.iter().enumerate();
    let scripts = scripts.filter_map(|(index, word)| argument_file(index, word, base));
    scripts.filter_map(|script| sdk_beside(&script)).for_each(|sdk| files.add_once(sdk));
    (words, files)
}

/// What the author should know of the bot's files: that the SDK is of another version.
fn remarks(files: &BotFiles) -> Vec<String> {
    let line = files.first_line_with(Path::new(PYTHON_SDK), "__version__ = ");
    let version = line.as_deref().and_then(|line| line.split('"').nth(1));
    let own = env!("CARGO_PKG_VERSION");
    let other = version.filter(|version| *version != own);
    let remark = |version: &str| {
        format!(
            "{PYTHON_SDK} is of version {version:?}, and this is dicehill {own}: `dicehill new` writes \
             the current one"
        )
    };
    other.map(remark).into_iter().collect()
}

/// The SDK next to a script: one file, which the script imports.
fn sdk_beside(script: &Path) -> Option<PathBuf> {
    let extension = script.extension()?.to_str()?;
    let name = match extension {
        "py" => PYTHON_SDK,
        "js" | "mjs" | "cjs" => "dicehill.mjs",
        _ => return None,
    };
    Some(script.with_file_name(name)).filter(|sdk| sdk.is_file())
}

/// The file that a word of a command names, which is copied for the bot.
pub(super) fn argument_file(index: usize, word: &str, base: &Path) -> Option<PathBuf> {
    // A program named without a slash, or by an absolute path, belongs to the system. The interpreter of a virtual environment
    // works only there.
    let is_own_program = || {
        let is_relative = word.contains('/') && !Path::new(word).is_absolute();
        is_relative && virtual_environment::named(&[word.to_owned()], base).is_none()
    };
    let is_own = index > 0 || is_own_program();
    let path = base.join(word);
    (is_own && path.file_name().is_some() && path.is_file()).then_some(path)
}

/// Whether an interpreter is named in the PATH or by a path where every bot can read. An author is not told which other files
/// the machine has, and a build may make one in the bot's folder.
fn is_where_bots_read(interpreter: &str) -> bool {
    let path = Path::new(interpreter);
    let is_within = |folder: PathBuf| path.starts_with(folder);
    let is_plain = path.components().all(|part| part != Component::ParentDir);
    !interpreter.contains('/')
        || is_plain && system().chain(readable_paths::of_path()).any(is_within)
}

fn check_program(command: &[String], folder: &Path) -> Result<(), PrepareError> {
    let Some(program) = command.first().filter(|program| !program.is_empty()) else {
        return Err(PrepareError::NoCommand);
    };
    if let Some(found) = find_program(program.as_ref(), folder) {
        if !is_executable(&found) {
            return Err(PrepareError::NotExecutable { program: program.clone() });
        }
        if ScriptHead::read(&found).is_ok_and(|head| head == ScriptHead::WindowsLineEnd) {
            return Err(PrepareError::WindowsLineEnd { program: program.clone() });
        }
        if let Some(interpreter) = readable_paths::interpreter(&found)
            && is_where_bots_read(&interpreter)
            && find_program(interpreter.as_ref(), folder).is_none()
        {
            return Err(PrepareError::NoInterpreter { program: program.clone(), interpreter });
        }
        return check_script(program, command.get(1), folder);
    }
    let place = match program {
        program if program.contains('/') => "there",
        program if folder.join(program).is_file() => {
            "in the PATH; write \"./\" before the name of a file of the bot"
        }
        _ => "in the PATH",
    };
    Err(PrepareError::NoProgram { program: program.clone(), place })
}

fn is_executable(program: &Path) -> bool {
    program.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

/// Programs whose first argument, unless it is an option, is a script.
const INTERPRETERS: [&str; 9] =
    ["python", "pypy", "node", "sh", "bash", "perl", "ruby", "lua", "php"];

/// Refuses the missing script of an interpreter, which would otherwise show only when the bot is started.
fn check_script(program: &str, script: Option<&String>, folder: &Path) -> Result<(), PrepareError> {
    let name = Path::new(program).file_name().unwrap_or_default().to_string_lossy();
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let Some(script) = script.filter(|word| !word.starts_with('-')) else { return Ok(()) };
    if !INTERPRETERS.contains(&name) || folder.join(script).exists() {
        return Ok(());
    }
    Err(PrepareError::no_such(Missing::Script, Path::new(script), folder))
}
