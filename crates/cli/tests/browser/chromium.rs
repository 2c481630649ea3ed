//! A browser with one page, driven without fixed waiting times.

use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use crate::browser::driver::Driver;
use crate::support::running::wait_for;

mod input;

/// The axe accessibility checker.
const AXE_SCRIPT: &str = include_str!("axe/axe.min.js");

/// The preferred colour scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    Light,
    Dark,
}

/// The size of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Window {
    /// As wide as a page of 1280 px at a zoom of 400 %.
    Narrow,
    Phone,
    Tablet,
    Desktop,
    Wide,
}

impl Window {
    /// All windows, from the narrowest to the widest.
    pub(crate) const ALL: [Self; 5] =
        [Self::Narrow, Self::Phone, Self::Tablet, Self::Desktop, Self::Wide];

    pub(crate) const fn width(self) -> u32 {
        match self {
            Self::Narrow => 320,
            Self::Phone => 390,
            Self::Tablet => 768,
            Self::Desktop => 1280,
            Self::Wide => 1920,
        }
    }

    const fn height(self) -> u32 {
        match self {
            Self::Narrow | Self::Phone => 844,
            Self::Tablet => 1024,
            Self::Desktop | Self::Wide => 900,
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
        let capabilities = json!({
            "goog:loggingPrefs": { "browser": "ALL" },
            "goog:chromeOptions": { "args": arguments(driver, name) },
        });
        let Value::Object(capabilities) = capabilities else { unreachable!("this is an object") };
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities.into_iter().collect());
        let client = runtime.block_on(builder.connect(&driver.address()));
        let client = client.unwrap_or_else(|error| panic!("no browser starts: {error}"));
        let chromium = Self { client, runtime };
        chromium.set_scheme(Scheme::Light);
        chromium.resize(Window::Desktop);
        chromium
    }

    #[track_caller]
    pub(crate) fn open(&self, address: &str) {
        let opened = self.runtime.block_on(self.client.goto(address));
        opened.unwrap_or_else(|error| panic!("{address}: {error}"));
    }

    /// The return value of a function with this body in the page.
    #[track_caller]
    pub(crate) fn evaluate(&self, body: &str) -> Value {
        let result = self.runtime.block_on(self.client.execute(body, Vec::new()));
        result.unwrap_or_else(|error| panic!("{body}: {error}"))
    }

    #[track_caller]
    pub(crate) fn evaluate_text(&self, body: &str) -> String {
        self.evaluate(body).as_str().unwrap_or_else(|| panic!("{body} is no text")).to_owned()
    }

    #[track_caller]
    pub(crate) fn evaluate_number(&self, body: &str) -> u64 {
        self.evaluate(body).as_u64().unwrap_or_else(|| panic!("{body} is no number"))
    }

    /// Waits until a condition holds in the page.
    #[track_caller]
    pub(crate) fn wait_until(&self, condition: &str) {
        let holds = || self.evaluate(&format!("return Boolean({condition})")).as_bool();
        wait_for(condition, || holds().filter(|holds| *holds));
    }

    /// Emulates the system's preference for a colour scheme.
    #[track_caller]
    pub(crate) fn set_scheme(&self, scheme: Scheme) {
        let value = match scheme {
            Scheme::Light => "light",
            Scheme::Dark => "dark",
        };
        self.set_media(&[("prefers-color-scheme", value)]);
    }

    /// Emulates preferences of the system; all others are as usual.
    #[track_caller]
    pub(crate) fn set_media(&self, features: &[(&str, &str)]) {
        let feature = |(name, value): &(&str, &str)| json!({ "name": name, "value": value });
        let features: Vec<_> = features.iter().map(feature).collect();
        self.send_devtools_command("Emulation.setEmulatedMedia", &json!({ "features": features }));
        self.wait_for_paint();
    }

    #[track_caller]
    pub(crate) fn resize(&self, window: Window) {
        let size = json!({
            "width": window.width(),
            "height": window.height(),
            "deviceScaleFactor": 1,
            "mobile": matches!(window, Window::Narrow | Window::Phone),
        });
        self.send_devtools_command("Emulation.setDeviceMetricsOverride", &size);
        self.wait_for_paint();
    }

    /// Waits until changes of the page have been painted.
    #[track_caller]
    fn wait_for_paint(&self) {
        let frames = "const done = arguments[0];
            requestAnimationFrame(() => requestAnimationFrame(() => done()));";
        let painted = self.runtime.block_on(self.client.execute_async(frames, Vec::new()));
        painted.unwrap_or_else(|error| panic!("the page is not painted: {error}"));
    }

    /// Enables or disables scripts in pages.
    #[track_caller]
    pub(crate) fn enable_scripts(&self, run: bool) {
        self.send_devtools_command(
            "Emulation.setScriptExecutionDisabled",
            &json!({ "value": !run }),
        );
    }

    /// The warnings and errors in the browser's console since the last call.
    #[track_caller]
    pub(crate) fn console_problems(&self) -> Vec<String> {
        let entries = self.send_extension("se/log", json!({ "type": "browser" }));
        let entries = entries.as_array().expect("a list of what was said");
        let is_problem = |entry: &&Value| entry["level"] == "SEVERE" || entry["level"] == "WARNING";
        let text = |entry: &Value| entry["message"].as_str().unwrap_or_default().to_owned();
        entries.iter().filter(is_problem).map(text).collect()
    }

    /// The serious and critical accessibility violations that axe finds in the page.
    #[track_caller]
    pub(crate) fn violations(&self) -> Vec<String> {
        self.violations_of(&json!(null))
    }

    /// Those of the rules of WCAG 2.2 AA about colours: the only ones that the colour scheme can change.
    #[track_caller]
    pub(crate) fn colour_violations(&self) -> Vec<String> {
        self.violations_of(
            &json!({ "type": "rule", "values": ["color-contrast", "link-in-text-block"] }),
        )
    }

    #[track_caller]
    fn violations_of(&self, rules: &Value) -> Vec<String> {
        if self.evaluate("return typeof axe") == "undefined" {
            self.evaluate(&format!("{AXE_SCRIPT}; window.axe = axe;"));
        }
        let found = self.runtime.block_on(self.client.execute_async(RUN_AXE, vec![rules.clone()]));
        let found = found.unwrap_or_else(|error| panic!("axe: {error}"));
        let found = found.as_array().expect("a list of barriers").iter();
        found.map(|barrier| barrier.as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Sends a command of the Chrome DevTools Protocol.
    #[track_caller]
    fn send_devtools_command(&self, command: &str, parameters: &Value) {
        self.send_extension("goog/cdp/execute", json!({ "cmd": command, "params": parameters }));
    }

    #[track_caller]
    fn send_extension(&self, path: &'static str, body: Value) -> Value {
        let issued = self.runtime.block_on(self.client.issue_cmd(Extension { path, body }));
        issued.unwrap_or_else(|error| panic!("{path}: {error}"))
    }
}

/// Lists the element, the rule and the reason of each violation of the rules that the first argument selects, or of all.
const RUN_AXE: &str = "
    const done = arguments[arguments.length - 1];
    const describe = (violation) => violation.nodes.map((node) =>
        `${violation.impact}: ${violation.id}: ${node.target.join(' ')}: ${node.failureSummary}`);
    const selected = arguments[0] ? { runOnly: arguments[0] } : {};
    axe.run({ resultTypes: ['violations'], ...selected }).then(
        (result) => done(result.violations
            .filter((violation) => ['serious', 'critical'].includes(violation.impact))
            .flatMap(describe)),
        (error) => done([String(error)]));
";

fn arguments(driver: &Driver, name: &str) -> Vec<String> {
    let plain = [
        "--headless",
        // The sandbox does not work for root; only our own pages are loaded.
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

/// A command outside of the WebDriver standard.
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
