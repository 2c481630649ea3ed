//! A browser with one page, driven without waiting for fixed times.

use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use crate::browser::driver::Driver;
use crate::support::running::wait_for;

mod input;

/// What is looked for in pages: barriers for those who see, hear or point otherwise.
const AXE: &str = include_str!("axe/axe.min.js");

/// How a page is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    Light,
    Dark,
}

/// The size of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Window {
    Desk,
    Phone,
}

impl Window {
    pub(crate) const fn width(self) -> u32 {
        match self {
            Self::Desk => 1200,
            Self::Phone => 390,
        }
    }
}

/// A browser with one page.
pub(crate) struct Chromium {
    client: Client,
    runtime: Runtime,
}

impl Chromium {
    #[track_caller]
    pub(crate) fn start(driver: &Driver, name: &str) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let wanted = json!({
            "goog:loggingPrefs": { "browser": "ALL" },
            "goog:chromeOptions": { "args": arguments(driver, name) },
        });
        let Value::Object(wanted) = wanted else { unreachable!("this is an object") };
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(wanted.into_iter().collect());
        let client = runtime.block_on(builder.connect(&driver.address()));
        let client = client.unwrap_or_else(|error| panic!("no browser starts: {error}"));
        let chromium = Self { client, runtime };
        chromium.look(Scheme::Light);
        chromium.resize(Window::Desk);
        chromium
    }

    #[track_caller]
    pub(crate) fn open(&self, address: &str) {
        let opened = self.runtime.block_on(self.client.goto(address));
        opened.unwrap_or_else(|error| panic!("{address}: {error}"));
    }

    /// What a function with this body returns in the page.
    #[track_caller]
    pub(crate) fn ask(&self, body: &str) -> Value {
        let said = self.runtime.block_on(self.client.execute(body, Vec::new()));
        said.unwrap_or_else(|error| panic!("{body}: {error}"))
    }

    #[track_caller]
    pub(crate) fn ask_text(&self, body: &str) -> String {
        self.ask(body).as_str().unwrap_or_else(|| panic!("{body} is no text")).to_owned()
    }

    #[track_caller]
    pub(crate) fn ask_number(&self, body: &str) -> u64 {
        self.ask(body).as_u64().unwrap_or_else(|| panic!("{body} is no number"))
    }

    /// Waits until a condition holds in the page.
    #[track_caller]
    pub(crate) fn until(&self, condition: &str) {
        let holds = || self.ask(&format!("return Boolean({condition})")).as_bool();
        wait_for(condition, || holds().filter(|holds| *holds));
    }

    /// Colours for day or night, as the system asks for them.
    #[track_caller]
    pub(crate) fn look(&self, scheme: Scheme) {
        let value = match scheme {
            Scheme::Light => "light",
            Scheme::Dark => "dark",
        };
        let feature = json!({ "name": "prefers-color-scheme", "value": value });
        self.tell("Emulation.setEmulatedMedia", &json!({ "features": [feature] }));
        self.settle();
    }

    #[track_caller]
    pub(crate) fn resize(&self, window: Window) {
        let size = json!({
            "width": window.width(),
            "height": match window { Window::Desk => 900, Window::Phone => 844 },
            "deviceScaleFactor": 1,
            "mobile": window == Window::Phone,
        });
        self.tell("Emulation.setDeviceMetricsOverride", &size);
        self.settle();
    }

    /// Waits until what the page does with its new look has been painted.
    #[track_caller]
    fn settle(&self) {
        let frames = "const done = arguments[0];
            requestAnimationFrame(() => requestAnimationFrame(() => done()));";
        let painted = self.runtime.block_on(self.client.execute_async(frames, Vec::new()));
        painted.unwrap_or_else(|error| panic!("the page is not painted: {error}"));
    }

    /// Whether pages may run scripts.
    #[track_caller]
    pub(crate) fn scripts(&self, run: bool) {
        self.tell("Emulation.setScriptExecutionDisabled", &json!({ "value": !run }));
    }

    /// The warnings and errors that the browser's console has shown since it was asked last.
    #[track_caller]
    pub(crate) fn complaints(&self) -> Vec<String> {
        let entries = self.issue("se/log", json!({ "type": "browser" }));
        let entries = entries.as_array().expect("a list of what was said");
        let is_bad = |entry: &&Value| entry["level"] == "SEVERE" || entry["level"] == "WARNING";
        let text = |entry: &Value| entry["message"].as_str().unwrap_or_default().to_owned();
        entries.iter().filter(is_bad).map(text).collect()
    }

    /// The serious and critical barriers that axe finds in the page as it is.
    #[track_caller]
    pub(crate) fn barriers(&self) -> Vec<String> {
        if self.ask("return typeof axe") == "undefined" {
            self.ask(&format!("{AXE}; window.axe = axe;"));
        }
        let found = self.runtime.block_on(self.client.execute_async(RUN_AXE, Vec::new()));
        let found = found.unwrap_or_else(|error| panic!("axe: {error}"));
        let found = found.as_array().expect("a list of barriers").iter();
        found.map(|barrier| barrier.as_str().unwrap_or_default().to_owned()).collect()
    }

    /// A command of Chromium's own protocol.
    #[track_caller]
    fn tell(&self, command: &str, parameters: &Value) {
        self.issue("goog/cdp/execute", json!({ "cmd": command, "params": parameters }));
    }

    #[track_caller]
    fn issue(&self, path: &'static str, body: Value) -> Value {
        let issued = self.runtime.block_on(self.client.issue_cmd(Extension { path, body }));
        issued.unwrap_or_else(|error| panic!("{path}: {error}"))
    }
}

/// Tells what is wrong, where, and why.
const RUN_AXE: &str = "
    const done = arguments[arguments.length - 1];
    const told = (violation) => violation.nodes.map((node) =>
        `${violation.impact}: ${violation.id}: ${node.target.join(' ')}: ${node.failureSummary}`);
    axe.run({ resultTypes: ['violations'] }).then(
        (result) => done(result.violations
            .filter((violation) => ['serious', 'critical'].includes(violation.impact))
            .flatMap(told)),
        (error) => done([String(error)]));
";

fn arguments(driver: &Driver, name: &str) -> Vec<String> {
    let plain = [
        "--headless",
        // The sandbox refuses to be root's; nothing but our own pages is loaded.
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-breakpad",
    ];
    let own = format!("--user-data-dir={}-{name}", driver.profile());
    plain.into_iter().map(str::to_owned).chain([own]).collect()
}

/// A command that WebDriver's standard does not have.
#[derive(Debug)]
struct Extension {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Extension {
    fn endpoint(
        &self,
        base_url: &url::Url,
        session_id: Option<&str>,
    ) -> Result<url::Url, url::ParseError> {
        let session = session_id.expect("the browser has been started");
        base_url.join(&format!("session/{session}/{}", self.path))
    }

    fn method_and_body(&self, _request_url: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.body.to_string()))
    }
}
