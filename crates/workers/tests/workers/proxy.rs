//! A connection that can be cut without being closed.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// A proxy in front of a server, for the connections of one worker. Its threads end with the test's process.
pub(crate) struct Proxy {
    pub(crate) port: u16,
    /// What comes from the worker, and from the server, stands still.
    pub(crate) stalled: [Arc<AtomicBool>; 2],
}

impl Proxy {
    pub(crate) fn before(server: u16) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let port = listener.local_addr().expect("it has an address").port();
        let stalled = [Arc::default(), Arc::default()];
        let flags = stalled.clone();
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let Ok(upstream) = TcpStream::connect((Ipv4Addr::LOCALHOST, server)) else {
                    continue;
                };
                let pairs = [(&client, &upstream), (&upstream, &client)];
                for ((from, to), flag) in pairs.into_iter().zip(&flags) {
                    let ends = (from.try_clone(), to.try_clone());
                    let (Ok(from), Ok(to)) = ends else { continue };
                    let flag = Arc::clone(flag);
                    thread::spawn(move || forward(from, to, &flag));
                }
            }
        });
        Self { port, stalled }
    }
}

/// Forwards bytes until one side ends, and holds them while the flag is set.
fn forward(mut from: TcpStream, mut to: TcpStream, stalled: &AtomicBool) {
    let mut buffer = [0; 1 << 16];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        while stalled.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(10));
        }
        if to.write_all(&buffer[..length]).is_err() {
            break;
        }
    }
    let _closed = to.shutdown(std::net::Shutdown::Both);
}
