//! Servers with TLS, and log-ins of hosts, workers and viewers. The keys in `secured` protect nothing else than these tests.

use std::process::{Command, Stdio};

use super::cluster::{finished, free_port, start_server};
use super::external_hill;
use crate::support::external::path_with_python;
use crate::support::running::{Running, wait_for};
use crate::support::{CommandOutput, Scratch, project_path};

/// The seed of an nkey, and its public key.
const NKEY: [&str; 2] = [
    "SUAATZGGXYTP3TIOS4IA5UZ3SELROHQNZ4UEFABYLDVZFBQN66USF3COME",
    "UDETLJVK3UINMM2W6QI2V2EEDD5JEGCDWUIIPWQSG3KPBF37JMV4KO25",
];

/// A server that asks for log-ins, and a folder with a hill.
struct Secured {
    scratch: Scratch,
    port: u16,
    _server: Running,
}

impl Secured {
    /// A server with this configuration, whose address is added.
    fn new(configuration: &str) -> Self {
        let scratch = Scratch::new();
        scratch.write("hill.toml", external_hill(40));
        scratch.write("slow.py", super::SLOW);
        scratch.write("nkey", NKEY[0]);
        for name in ["authority.pem", "server.pem", "server.key", "operator.conf", "user.creds"] {
            let path = project_path("crates/cli/tests/workers/secured").join(name);
            scratch.write(name, std::fs::read_to_string(path).expect("it is there"));
        }
        let port = free_port();
        scratch.write("nats.conf", format!("listen: 127.0.0.1:{port}\n{configuration}"));
        let server = start_server(&scratch, port);
        Self { scratch, port, _server: server }
    }

    fn address(&self, user: &str) -> String {
        format!("tls://{user}127.0.0.1:{}", self.port)
    }

    fn start(&self, arguments: &[&str], output: Stdio) -> Running {
        let mut command: Command = self.scratch.command(arguments);
        command.env("PATH", path_with_python()).stderr(output);
        Running(command.spawn().expect("the command starts"))
    }

    /// Plays the hill with a worker, both with these options to log in; expects the run of one machine.
    #[track_caller]
    fn expect_run(&self, [host, worker]: [&str; 2], login: &[&str]) {
        let worker = self.address(worker);
        let _worker =
            self.start(&[&["work", &worker, "--jobs", "1"], login].concat(), Stdio::null());
        let out = ["run", "hill.toml", "--no-luck", "--format", "json", "--out"];
        let host = self.address(host);
        let by_workers = [&out[..], &["workers.jsonl", "--workers", &host], login].concat();
        let output: CommandOutput = finished(self.start(&by_workers, Stdio::piped()));
        assert_eq!(output.code, 0, "{}", output.err);
        assert!(output.err.contains(" plays, with 1 thread"), "{}", output.err);
        self.scratch.run_ok(&[&out[..], &["single.jsonl"]].concat());
        assert!(self.scratch.read("workers.jsonl") == self.scratch.read("single.jsonl"));
    }
}

/// The configuration that the docs recommend, with the folder of this test.
fn documented() -> String {
    let docs = std::fs::read_to_string(project_path("docs/machines.md")).expect("it is there");
    let (_, rest) = docs.split_once("# nats.conf\n").expect("it shows a configuration");
    let (configuration, _) = rest.split_once("```").expect("the block ends");
    let lines = configuration.lines().filter(|line| !line.starts_with("listen:"));
    let text = lines.collect::<Vec<_>>().join("\n");
    assert!(text.contains("store_dir: /var/lib/nats,"), "{text}");
    text.replace("store_dir: /var/lib/nats,", "store_dir: jetstream,")
}

#[test]
fn the_documented_server_lets_each_role_do_its_own_work() {
    let secured = Secured::new(&documented());
    let login = ["--nats-ca", "authority.pem"];
    let users = ["host:CHANGE-ME@", "worker:CHANGE-ME-TOO@", "viewer:CHANGE-ME-AS-WELL@"];
    let [host, worker, viewer] = users.map(|user| secured.address(user));
    secured.expect_run([users[0], users[1]], &login);
    let scratch = &secured.scratch;
    let overview = ["workers", &viewer, "--format", "json"];
    scratch.run_ok(&[&overview[..], &login].concat());
    // Nobody without the password or the authority of the certificate.
    for (address, login) in [
        (&secured.address("host:wrong@"), &login[..]),
        (&secured.address(""), &login),
        (&host, &[]),
    ] {
        let refused = scratch.run(&[&["workers", address], login].concat());
        assert_eq!(refused.code, 1, "{}", refused.err);
        assert!(!refused.err.contains("CHANGE-ME"), "{}", refused.err);
    }
    // Workers and viewers can host nothing, and viewers get no plan.
    for address in [&worker, &viewer] {
        let run = ["run", "hill.toml", "--no-luck", "--workers", address];
        let refused = scratch.run(&[&run[..], &login].concat());
        assert_eq!(refused.code, 1, "{}", refused.err);
    }
    let _viewer = secured.start(&[&["work", &viewer], &login[..]].concat(), Stdio::null());
    let run = ["run", "hill.toml", "--no-luck", "--workers", &host];
    let mut run = secured.start(&[&run[..], &login].concat(), Stdio::null());
    wait_for("the viewer is refused", || {
        let log = scratch.read("nats.log");
        let refused = "\"$G/user:viewer\" - Publish Violation - Subject \"dicehill.plan.";
        log.contains(refused).then_some(())
    });
    assert_eq!(run.0.try_wait().expect("it is ours"), None, "nobody plays it");
}

#[test]
fn hosts_and_workers_log_in_with_nkeys() {
    let users = format!(
        "jetstream {{ store_dir: jetstream }}\nauthorization {{ users = [ {{ nkey: {} }} ] }}\n",
        NKEY[1]
    );
    let secured =
        Secured::new(&format!("{users}tls {{ cert_file: server.pem, key_file: server.key }}\n"));
    secured.expect_run(["", ""], &["--nats-nkey", "nkey", "--nats-ca", "authority.pem"]);
    let address = secured.address("");
    let refused = secured.scratch.run(&["workers", &address, "--nats-ca", "authority.pem"]);
    assert_eq!(refused.code, 1, "{}", refused.err);
    let missing = ["workers", &address, "--nats-nkey", "missing"];
    secured.scratch.run_refused(&missing, &["missing"]);
}

/// The accounts of `operator.conf` are those of an operator, as `nsc` makes them; `user.creds` is a user of one of them.
#[test]
fn hosts_and_workers_log_in_with_credentials_files() {
    let secured = Secured::new(
        "include operator.conf\njetstream { store_dir: jetstream }
         tls { cert_file: server.pem, key_file: server.key }\n",
    );
    secured.expect_run(["", ""], &["--nats-creds", "user.creds", "--nats-ca", "authority.pem"]);
    let address = secured.address("");
    let workers = ["workers", &address, "--nats-ca", "authority.pem"];
    let refused = secured.scratch.run(&workers);
    assert_eq!(refused.code, 1, "{}", refused.err);
    // The key of another user signs nothing for this one.
    let creds = secured.scratch.read("user.creds");
    let begin = creds.find("\nSU").expect("the seed of a user") + 1;
    let end = begin + NKEY[0].len();
    secured.scratch.write("stolen.creds", [&creds[..begin], NKEY[0], &creds[end..]].concat());
    let refused = secured.scratch.run(&[&workers[..], &["--nats-creds", "stolen.creds"]].concat());
    assert_eq!(refused.code, 1, "{}", refused.err);
    secured.scratch.write("empty.creds", "");
    for (file, why) in [("missing.creds", "missing.creds"), ("empty.creds", "empty.creds")] {
        let arguments = [&workers[..], &["--nats-creds", file]].concat();
        secured.scratch.run_refused(&arguments, &[why]);
    }
}
