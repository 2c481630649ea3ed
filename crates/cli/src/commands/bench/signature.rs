//! Signatures of benchmarks' results by keys of OpenSSH, made and checked by `ssh-keygen`, as git has it do: so passphrases,
//! agents and hardware keys work.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use dicehill_temporary::TemporaryFolder;

use crate::failure::Failure;

/// What the signature is for, so that one for another purpose does not count here, nor this one elsewhere.
const NAMESPACE: &str = "dicehill.bench";

/// The key that signs a result.
pub(super) struct SigningKey(PathBuf);

impl SigningKey {
    /// The key in this file, if `ssh-keygen` can read it.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let refused = |why: &dyn std::fmt::Display| {
            let make = "make a key with: ssh-keygen -t ed25519 -f bench-key";
            Failure::Usage(format!("--sign {}: {why}; {make}", path.display()))
        };
        fs::File::open(path).map_err(|error| refused(&error))?;
        let read =
            ssh_keygen([OsStr::new("-l"), OsStr::new("-f"), path.as_os_str()], "", Prompt::No)?;
        if !read.status.success() {
            return Err(refused(&"not a key of OpenSSH"));
        }
        Ok(Self(path.to_owned()))
    }

    /// The signature of the text, as PEM. `ssh-keygen` asks for a passphrase at the terminal.
    pub(super) fn sign(&self, text: &str) -> Result<String, Failure> {
        let arguments = ["-q", "-Y", "sign", "-n", NAMESPACE, "-f"].map(OsStr::new);
        let arguments = arguments.into_iter().chain([self.0.as_os_str()]);
        let signed = ssh_keygen(arguments, text, Prompt::Yes)?;
        if !signed.status.success() {
            let why = format!("--sign {}: ssh-keygen did not sign", self.0.display());
            return Err(Failure::Usage(why));
        }
        Ok(String::from_utf8_lossy(&signed.stdout).into_owned())
    }
}

/// The key by which the signature is right for the text, as `ssh-keygen` names it.
pub(super) fn signer(text: &str, pem: &str) -> Result<Result<String, String>, Failure> {
    let folder = TemporaryFolder::new()?;
    let file = folder.path().join("signature");
    fs::write(&file, pem)?;
    let arguments = ["-Y", "check-novalidate", "-n", NAMESPACE, "-s"].map(OsStr::new);
    let checked = ssh_keygen(arguments.into_iter().chain([file.as_os_str()]), text, Prompt::No)?;
    let in_words = String::from_utf8_lossy(&checked.stdout);
    let (_, key) = in_words.trim().rsplit_once(" with ").unwrap_or_default();
    Ok(if checked.status.success() && !key.is_empty() {
        Ok(format!("by {key}"))
    } else {
        Err("not valid for the rest of the line".to_owned())
    })
}

/// Whether `ssh-keygen` may ask at the terminal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prompt {
    Yes,
    No,
}

fn ssh_keygen<'a>(
    arguments: impl IntoIterator<Item = &'a OsStr>,
    text: &str,
    prompt: Prompt,
) -> Result<Output, Failure> {
    let errors = if prompt == Prompt::Yes { Stdio::inherit() } else { Stdio::null() };
    let mut command = Command::new("ssh-keygen");
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(errors);
    let missing = |error| match error {
        error if io::Error::kind(&error) == io::ErrorKind::NotFound => {
            let why =
                "signatures need ssh-keygen of OpenSSH (in Debian: apt install openssh-client)";
            Failure::Usage(why.to_owned())
        }
        error => error.into(),
    };
    let mut child = command.spawn().map_err(missing)?;
    let mut input = child.stdin.take().expect("it is piped");
    // What ends without reading its input says why.
    let _unread = input.write_all(text.as_bytes());
    drop(input);
    Ok(child.wait_with_output()?)
}
