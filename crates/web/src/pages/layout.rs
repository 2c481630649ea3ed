//! The layout that all pages share.

use maud::{DOCTYPE, Markup, html};

use crate::pages::links::Links;
use crate::pages::numbers::with_unit;

/// A page.
pub(crate) struct Page<'a> {
    pub(crate) title: String,
    pub(crate) hosting: Hosting,
    /// The pages above it, from the outermost on, with their addresses.
    pub(crate) trail: Vec<(String, String)>,
    /// Its scripts, in the order of execution.
    pub(crate) scripts: &'a [&'static str],
    pub(crate) body: Markup,
}

/// What other services show of a link to a page, by the Open Graph protocol.
#[derive(Clone, Debug, Default)]
pub(crate) struct Preview<'a> {
    /// The URL by which readers reach the server. Without it there is no address and no picture, because both must be whole URLs.
    pub(crate) origin: Option<&'a str>,
    /// The path of the page.
    pub(crate) path: String,
    /// The page in a sentence.
    pub(crate) description: String,
    /// The path of a picture of 1200 by 630 pixels.
    pub(crate) picture: Option<String>,
}

/// The path of the picture that other services show of the page at `path`.
pub(crate) fn picture_of(path: &str) -> String {
    format!("{}/preview.png", path.trim_end_matches('/'))
}

impl<'a> Preview<'a> {
    /// Of the page at `path`, of which there is a picture.
    pub(crate) fn of(origin: Option<&'a str>, path: String, description: String) -> Self {
        Self { origin, picture: Some(picture_of(&path)), path, description }
    }

    fn tags(&self, title: &str) -> Markup {
        html! {
            @if !self.description.is_empty() {
                meta name="description" content=(self.description);
                meta property="og:description" content=(self.description);
            }
            @if let Some(origin) = self.origin {
                @if !self.path.is_empty() { meta property="og:url" content={ (origin) (self.path) }; }
                @if let Some(picture) = &self.picture {
                    meta property="og:image" content={ (origin) (picture) };
                    meta property="og:image:type" content="image/png";
                    meta property="og:image:width" content="1200";
                    meta property="og:image:height" content="630";
                    meta property="og:image:alt" content=(title);
                    meta name="twitter:card" content="summary_large_image";
                }
            }
        }
    }
}

/// Whether a page is served, or is a file in a folder.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hosting {
    Server,
    File,
}

impl Hosting {
    const fn links(self) -> Links<'static> {
        match self {
            Self::Server => Links::Server { hill: "", run: None },
            Self::File => Links::Files,
        }
    }
}

/// The script that draws plots, which needs its own style sheet.
const PLOTS: &str = "uPlot.iife.min.js";

/// The policy of pages in files, which have no HTTP headers.
const POLICY_OF_FILES: &str = "default-src 'none'; style-src 'self' file:; script-src 'self' file:; img-src 'self' file: data:; form-action 'none'";

impl Page<'_> {
    pub(crate) fn render(self) -> Markup {
        self.render_with(&Preview::default())
    }

    /// The page with what other services show of it.
    pub(crate) fn render_with(self, preview: &Preview<'_>) -> Markup {
        let links = self.hosting.links();
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    @if self.hosting == Hosting::File {
                        meta http-equiv="Content-Security-Policy" content=(POLICY_OF_FILES);
                    }
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="referrer" content="same-origin";
                    title { (self.title) " · dicehill" }
                    meta property="og:title" content=(self.title);
                    meta property="og:site_name" content="dicehill";
                    meta property="og:type" content="website";
                    (preview.tags(&self.title))
                    link rel="icon" type="image/svg+xml" href=(links.asset("icon.svg"));
                    link rel="stylesheet" href=(links.asset("style.css"));
                    @if self.scripts.contains(&PLOTS) {
                        link rel="stylesheet" href=(links.asset("uPlot.min.css"));
                    }
                    @for script in self.scripts { script src=(links.asset(script)) defer {} }
                }
                body {
                    a.skip href="#main" { "Skip to the content" }
                    header.top {
                        @if self.hosting == Hosting::Server {
                            nav aria-label="Site" {
                                a.brand href="/" { "dicehill" }
                                a href="/" { "Hills" }
                                a href="/play" { "Play" }
                                a href="/docs" { "Docs" }
                                a href="/api" { "API" }
                            }
                        }
                    }
                    @if !self.trail.is_empty() {
                        nav.trail aria-label="Breadcrumb" { ol {
                            @for (name, address) in &self.trail { li { a href=(address) { bdi { (name) } } } }
                        } }
                    }
                    main #main tabindex="-1" { (self.body) }
                    footer { p { (dicehill_arena::PROGRAM) ". Every die follows from a seed; every game can be verified." } }
                }
            }
        }
    }
}

/// A list of names with their values.
pub(crate) fn facts<N: AsRef<str>>(facts: &[(N, String)]) -> Markup {
    let shown = facts.iter().map(|(name, value)| (name.as_ref(), html! { bdi { (value) } }));
    fact_list(&shown.collect::<Vec<_>>())
}

/// A list of names with their formatted values.
pub(crate) fn fact_list(facts: &[(&str, Markup)]) -> Markup {
    html! {
        dl.facts { @for (name, value) in facts { div { dt { (with_unit(name)) } dd { (value) } } } }
    }
}

/// A point in time: in UTC here, and in the reader's time zone once the script has seen it.
pub(crate) fn date(utc: &str) -> Markup {
    let text = match utc.split_once('T') {
        Some((day, time)) => format!("{day} {} UTC", time.get(..5).unwrap_or(time)),
        None => utc.to_owned(),
    };
    html! { time datetime=(utc) { (text) } }
}

/// A hash, of which a reader sees the beginning and can unfold the rest.
pub(crate) fn hash(hash: &str) -> Markup {
    const SHOWN: usize = 8;
    let digits = hash.find(':').map_or(0, |colon| colon + 1);
    match hash.get(..digits + SHOWN) {
        Some(beginning) if hash.len() > digits + SHOWN => html! {
            details.hash { summary { code { (beginning) "…" } } code { (hash) } }
        },
        Some(_) | None => html! { code { (hash) } },
    }
}

/// A bot's name, isolated from the direction of the surrounding text.
pub(crate) fn bot_name(name: &str) -> Markup {
    html! { bdi { (dicehill_arena::printable(name)) } }
}

/// Like [`wide`], for a table of which a narrow screen shows the columns without the class `more` until the reader asks for
/// all of them.
pub(crate) fn foldable(heading: &str, table: Markup) -> Markup {
    html! { div.foldable {
        label.unfold { input type="checkbox" data-unfold=(heading); " All columns" }
        (wide(heading, table))
    } }
}

/// A table that scrolls horizontally where it is too wide, labelled by the heading with the id `heading`.
#[expect(clippy::needless_pass_by_value, reason = "it is handed over as it is made")]
pub(crate) fn wide(heading: &str, table: Markup) -> Markup {
    html! { div.wide tabindex="0" role="region" aria-labelledby=(heading) { (table) } }
}
