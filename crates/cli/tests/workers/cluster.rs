//! A NATS server, workers and a hill of one test.

use std::fs::{self, File};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::support::external::path_with_python;
use crate::support::running::{Running, wait_for};
use crate::support::{CommandOutput, Scratch};

/// A NATS server, and workers that are connected to it.
pub(super) struct Cluster {
    pub(super) scratch: Scratch,
    port: u16,
    server: Running,
    workers: Vec<Running>,
}

impl Cluster {
    /// A folder with the hill file, and a server.
    pub(super) fn new(hill: &str) -> Self {
        let scratch = Scratch::new();
        scratch.write("hill.toml", hill);
        Self::around(scratch)
    }

    /// A server in this folder.
    pub(super) fn around(scratch: Scratch) -> Self {
        let port = free_port();
        scratch.write(
            "nats.conf",
            format!("listen: 127.0.0.1:{port}\njetstream {{ store_dir: jetstream }}\n"),
        );
        let server = start_server(&scratch, port);
        Self { scratch, port, server, workers: Vec::new() }
    }

    pub(super) fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Starts a worker whose messages go to a file; returns its number.
    pub(super) fn start_worker(&mut self) -> usize {
        self.start_worker_with(|_| {})
    }

    /// Starts a worker after a change of its command.
    pub(super) fn start_worker_with(&mut self, change: impl FnOnce(&mut Command)) -> usize {
        let number = self.workers.len();
        let address = self.address();
        let mut command = self.scratch.command(&["work", &address, "--jobs", "1"]);
        let messages = File::create(self.messages_file(number)).expect("the folder can be written");
        command.env("PATH", path_with_python());
        change(command.stderr(messages).stdout(Stdio::null()));
        self.workers.push(Running(command.spawn().expect("the command starts")));
        number
    }

    fn messages_file(&self, worker: usize) -> PathBuf {
        self.scratch.path(&format!("worker-{worker}.txt"))
    }

    /// The messages of a worker so far.
    pub(super) fn messages(&self, worker: usize) -> String {
        fs::read_to_string(self.messages_file(worker)).expect("its messages are text")
    }

    /// How many workers were started.
    pub(super) fn workers(&self) -> usize {
        self.workers.len()
    }

    pub(super) fn worker(&mut self, number: usize) -> &mut Child {
        &mut self.workers[number].0
    }

    pub(super) fn kill_worker(&mut self, number: usize) {
        let worker = self.worker(number);
        worker.kill().and_then(|()| worker.wait()).expect("it is there");
    }

    /// Kills the server, and starts one that has lost everything.
    pub(super) fn replace_server(&mut self) {
        self.server.0.kill().and_then(|()| self.server.0.wait()).expect("it is there");
        fs::remove_dir_all(self.scratch.path("jetstream")).expect("it has a folder");
        self.server = start_server(&self.scratch, self.port);
    }

    /// The arguments of a run by workers, with its log in `workers.jsonl`.
    pub(super) fn run_arguments(&self) -> Vec<String> {
        let words = ["run", "hill.toml", "--no-luck", "--format", "json", "--out", "workers.jsonl"];
        let words = words.into_iter().map(str::to_owned);
        words.chain(["--workers".to_owned(), self.address()]).collect()
    }

    /// Begins a run by workers.
    pub(super) fn begin_run(&self) -> Running {
        let arguments = self.run_arguments();
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        let mut command = self.scratch.command(&arguments);
        command.env("PATH", path_with_python());
        Running(command.spawn().expect("the command starts"))
    }

    /// Waits until the log of the run has so many games.
    pub(super) fn wait_for_games(&self, games: usize) {
        wait_for("games of workers", || {
            let log = fs::read_to_string(self.scratch.path("workers.jsonl")).ok()?;
            (log.lines().count() > games).then_some(())
        });
    }

    /// Waits for the end of the run, which must be that of one machine, byte for byte. Returns what the host reported.
    #[track_caller]
    pub(super) fn expect_same(&self, run: Running) -> String {
        let output = finished(run);
        assert!([0, 3].contains(&output.code), "{output:?}");
        let single = ["run", "hill.toml", "--no-luck", "--format", "json", "--out", "single.jsonl"];
        let _none_yet = fs::remove_file(self.scratch.path("single.jsonl"));
        let one_machine = self.scratch.run(&single);
        assert_eq!(one_machine.code, output.code, "{}", one_machine.err);
        assert_eq!(output.out, one_machine.out, "the same board; {}", output.err);
        let (log, single) = (self.scratch.read("workers.jsonl"), self.scratch.read("single.jsonl"));
        assert!(log == single, "the same log; {}", output.err);
        output.err
    }
}

/// The output of a command that ends by itself.
pub(super) fn finished(mut running: Running) -> CommandOutput {
    let (out, err) = (running.0.stdout.take(), running.0.stderr.take());
    let read = |pipe: Option<Box<dyn std::io::Read + Send>>| {
        std::thread::spawn(move || {
            let mut text = String::new();
            std::io::Read::read_to_string(&mut pipe.expect("a pipe"), &mut text).expect("text");
            text
        })
    };
    let out = read(out.map(|pipe| Box::new(pipe) as _));
    let err = read(err.map(|pipe| Box::new(pipe) as _));
    let code = running.0.wait().expect("it ends").code().expect("no signal ended it");
    let text = |thread: std::thread::JoinHandle<String>| thread.join().expect("it was read");
    CommandOutput { code, out: text(out), err: text(err) }
}

pub(super) fn free_port() -> u16 {
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
    free.local_addr().expect("it has an address").port()
}

/// Starts a server with the configuration in `nats.conf`, which listens on this port.
pub(super) fn start_server(scratch: &Scratch, port: u16) -> Running {
    let mut command = Command::new("nats-server");
    command.args(["--config", "nats.conf", "--log", "nats.log"]);
    command.current_dir(scratch.path("."));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let server = Running(command.spawn().expect("nats-server is installed"));
    wait_for("the NATS server", || TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok());
    server
}
