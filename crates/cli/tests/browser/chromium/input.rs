//! User input by real clicks and keys, and what a user reads on the page.

use fantoccini::Locator;
use fantoccini::elements::Element;
use fantoccini::error::CmdError;
use fantoccini::key::Key;
use serde_json::Value;

use super::Chromium;
use crate::support::running::wait_for;

impl Chromium {
    /// Clicks on the element of a selector.
    #[track_caller]
    pub(crate) fn click(&self, selector: &str) {
        let click = || self.runtime.block_on(async { self.find(selector).await?.click().await });
        let is_replaced = |clicked: &Result<(), CmdError>| {
            clicked.as_ref().is_err_and(CmdError::is_stale_element_reference)
        };
        // A page that updates itself may replace an element between a look and a click.
        let clicked = wait_for(&format!("{selector} stays"), || {
            let clicked = click();
            (!is_replaced(&clicked)).then_some(clicked)
        });
        clicked.unwrap_or_else(|error| panic!("cannot click on {selector}: {error}"));
    }

    /// Types into a field; for a file field the text is a path.
    #[track_caller]
    pub(crate) fn type_into(&self, selector: &str, text: &str) {
        let typed =
            self.runtime.block_on(async { self.find(selector).await?.send_keys(text).await });
        typed.unwrap_or_else(|error| panic!("cannot type into {selector}: {error}"));
    }

    /// Presses a key in the focused element.
    #[track_caller]
    pub(crate) fn press(&self, key: Key) {
        let key = char::from(key).to_string();
        let pressed = self.runtime.block_on(async {
            let element = self.client.active_element().await?;
            element.send_keys(&key).await
        });
        pressed.unwrap_or_else(|error| panic!("cannot press {key:?}: {error}"));
    }

    /// Types text in the focused element.
    #[track_caller]
    pub(crate) fn press_keys(&self, text: &str) {
        let pressed = self.runtime.block_on(async {
            let element = self.client.active_element().await?;
            element.send_keys(text).await
        });
        pressed.unwrap_or_else(|error| panic!("cannot type {text:?}: {error}"));
    }

    /// Selects a value in a list.
    #[track_caller]
    pub(crate) fn choose(&self, selector: &str, value: &str) {
        let chosen = self
            .runtime
            .block_on(async { self.find(selector).await?.select_by_value(value).await });
        chosen.unwrap_or_else(|error| panic!("{value:?} is not in {selector}: {error}"));
    }

    /// The texts of all elements of a selector.
    #[track_caller]
    pub(crate) fn texts(&self, selector: &str) -> Vec<String> {
        let body = format!(
            "return [...document.querySelectorAll({selector:?})].map((one) => one.textContent)"
        );
        let texts = self.evaluate(&body);
        let texts = texts.as_array().expect("a list").iter();
        texts.map(|text| text.as_str().unwrap_or_default().to_owned()).collect()
    }

    /// The text of the last element of a selector.
    #[track_caller]
    pub(crate) fn text(&self, selector: &str) -> String {
        self.texts(selector).pop().unwrap_or_else(|| panic!("{selector} is not there"))
    }

    /// Whether a selector matches an element.
    #[track_caller]
    pub(crate) fn has(&self, selector: &str) -> bool {
        self.evaluate(&format!("return document.querySelector({selector:?}) !== null")) == true
    }

    /// A JSON document of the server, fetched by the page with the cookies of its browser.
    #[track_caller]
    pub(crate) fn fetch(&self, path: &str) -> Value {
        self.evaluate(&format!("return fetch({path:?}).then((answer) => answer.json())"))
    }

    async fn find(&self, selector: &str) -> Result<Element, CmdError> {
        self.client.find(Locator::Css(selector)).await
    }
}
