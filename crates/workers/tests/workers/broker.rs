//! A NATS server of one test.

use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A NATS server, which can be killed and started again.
pub(crate) struct Server {
    folder: TempDir,
    pub(crate) port: u16,
    process: Mutex<Option<Child>>,
}

/// A port that is free now.
fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
    listener.local_addr().expect("it has an address").port()
}

impl Server {
    pub(crate) fn start() -> Self {
        let folder = TempDir::new().expect("a folder for the test");
        let server = Self { folder, port: free_port(), process: Mutex::new(None) };
        server.start_again();
        server
    }

    pub(crate) fn start_again(&self) {
        let (store, port) = (self.folder.path().join("jetstream"), self.port);
        let text = format!("listen: 127.0.0.1:{port}\njetstream {{ store_dir: {store:?} }}\n");
        let file = self.folder.path().join("nats.conf");
        fs::write(&file, text).expect("the folder can be written");
        let mut command = Command::new("nats-server");
        command.arg("--config").arg(&file);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().expect("nats-server is installed");
        *self.process.lock().expect("no test panics with it") = Some(child);
        let until = Instant::now() + Duration::from_secs(60);
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert!(Instant::now() < until, "the server starts");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub(crate) fn kill(&self) {
        if let Some(mut child) = self.process.lock().expect("no test panics with it").take() {
            child.kill().and_then(|()| child.wait()).expect("it is there");
        }
    }

    /// Removes everything that a killed server has stored.
    pub(crate) fn wipe(&self) {
        let _none_yet = fs::remove_dir_all(self.folder.path().join("jetstream"));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}
