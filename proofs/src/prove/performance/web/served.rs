//! Servers whose visitors are measured.

use std::error::Error;
use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use xtask::root;

use crate::prove::process::Process;

/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(60);

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
