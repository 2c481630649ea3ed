//! Chromium through its WebDriver, for what a visitor of a slow machine sees and loads.

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long the driver may take to start, and a page to be painted.
const PATIENCE: Duration = Duration::from_secs(60);
/// A phone.
const WIDTH: u32 = 390;
const HEIGHT: u32 = 844;

/// A browser with one page, ended when dropped.
pub(super) struct Browser {
    driver: Child,
    /// The driver's host and port.
    host: String,
    session: String,
}

impl Browser {
    /// Starts Chromium with the window of a phone, on a processor that is slowed down by this factor.
    pub(super) fn start(folder: &Path, slowdown: f64) -> Result<Self, Box<dyn Error>> {
        let output = folder.join("chromedriver.txt");
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(File::create(&output)?)
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("chromedriver: {error}"))?;
        match session(&output, folder) {
            Ok((host, session)) => {
                let browser = Self { driver, host, session };
                browser.devtools("Emulation.setCPUThrottlingRate", &json!({ "rate": slowdown }))?;
                let phone = json!({ "width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": true });
                browser.devtools("Emulation.setDeviceMetricsOverride", &phone)?;
                Ok(browser)
            }
            Err(error) => {
                let _ended = driver.kill().and_then(|()| driver.wait());
                Err(error)
            }
        }
    }

    fn command(&self, path: &str, body: &Value) -> Result<Value, Box<dyn Error>> {
        request(&self.host, "POST", &format!("/session/{}/{path}", self.session), body)
    }

    fn devtools(&self, command: &str, parameters: &Value) -> Result<Value, Box<dyn Error>> {
        self.command("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    fn open(&self, url: &str) -> Result<(), Box<dyn Error>> {
        self.command("url", &json!({ "url": url })).map(drop)
    }

    /// The number that a function with this body returns in the page; `None` of another value.
    fn number(&self, body: &str) -> Result<Option<f64>, Box<dyn Error>> {
        Ok(self.command("execute/sync", &json!({ "script": body, "args": [] }))?.as_f64())
    }

    /// Opens a page; returns the milliseconds from the navigation until its first content was painted.
    pub(super) fn first_content(&self, url: &str) -> Result<f64, Box<dyn Error>> {
        self.open(url)?;
        let painted = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime";
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(milliseconds) = self.number(painted)? {
                return Ok(milliseconds);
            }
            if Instant::now() > deadline {
                return Err(format!("{url}: nothing is painted").into());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Opens a page; returns the compressed bytes of its scripts.
    pub(super) fn script_bytes(&self, url: &str) -> Result<f64, Box<dyn Error>> {
        self.open(url)?;
        let sum = "return performance.getEntriesByType('resource')
            .filter((entry) => entry.initiatorType === 'script')
            .reduce((sum, entry) => sum + entry.encodedBodySize, 0)";
        self.number(sum)?.ok_or_else(|| format!("{url}: no sizes").into())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let path = format!("/session/{}", self.session);
        let _ended = request(&self.host, "DELETE", &path, &json!({}));
        let _ended = self.driver.kill().and_then(|()| self.driver.wait());
    }
}

/// The host of the driver that prints to `output`, and a session of a new browser.
fn session(output: &Path, folder: &Path) -> Result<(String, String), Box<dyn Error>> {
    let host = format!("127.0.0.1:{}", port(output)?);
    let arguments = [
        "--headless".to_owned(),
        // The sandbox does not work for root; only our own pages are loaded.
        "--no-sandbox".to_owned(),
        "--disable-gpu".to_owned(),
        "--disable-quic".to_owned(),
        "--disable-dev-shm-usage".to_owned(),
        "--no-first-run".to_owned(),
        "--disable-background-networking".to_owned(),
        "--disable-component-update".to_owned(),
        "--disable-sync".to_owned(),
        format!("--user-data-dir={}", folder.join("profile").display()),
    ];
    let capabilities = json!({ "capabilities": { "alwaysMatch": {
        "goog:chromeOptions": { "args": arguments },
    } } });
    let session = request(&host, "POST", "/session", &capabilities)?;
    let id = session["sessionId"].as_str().ok_or_else(|| format!("no session: {session}"))?;
    Ok((host, id.to_owned()))
}

fn port(output: &Path) -> Result<String, Box<dyn Error>> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let text = fs::read_to_string(output)?;
        let port = text.split_once("successfully on port ").map(|(_, rest)| rest.trim());
        if let Some(port) = port.and_then(|port| port.strip_suffix('.')) {
            return Ok(port.to_owned());
        }
        if Instant::now() > deadline {
            return Err(format!("no driver: {text}").into());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The value that the driver answers to a request.
fn request(host: &str, method: &str, path: &str, body: &Value) -> Result<Value, Box<dyn Error>> {
    let body = body.to_string();
    let mut stream = TcpStream::connect(host)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    // The driver keeps the connection open.
    let mut answer = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") && answer.read_line(&mut head)? > 0 {}
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
    });
    let mut content = vec![0; length.ok_or("an answer has a length")?];
    answer.read_exact(&mut content)?;
    if !head.starts_with("HTTP/1.1 200") {
        return Err(format!("{method} {path}: {}", String::from_utf8_lossy(&content)).into());
    }
    Ok(serde_json::from_slice::<Value>(&content)?["value"].take())
}
