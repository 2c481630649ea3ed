//! Pages as a browser would read them: every element is closed, known and harmless.

use std::collections::BTreeSet;

/// Elements that a page may have.
const ELEMENTS: [&str; 40] = [
    "html", "head", "meta", "title", "style", "body", "nav", "main", "footer", "section",
    "article", "h1", "h2", "h3", "p", "a", "bdi", "span", "strong", "div", "dl", "dt", "dd",
    "table", "thead", "tbody", "tfoot", "tr", "th", "td", "ol", "li", "pre", "details", "summary",
    "svg", "symbol", "rect", "circle", "use",
];
/// Attributes that they may have. None of them runs anything, and only `href` leads anywhere.
const ATTRIBUTES: [&str; 25] = [
    "lang",
    "charset",
    "http-equiv",
    "content",
    "name",
    "id",
    "class",
    "href",
    "rel",
    "scope",
    "rowspan",
    "role",
    "tabindex",
    "aria-label",
    "aria-labelledby",
    "aria-hidden",
    "viewBox",
    "width",
    "height",
    "x",
    "y",
    "rx",
    "cx",
    "cy",
    "r",
];

/// What a reader of a page finds.
#[derive(Default, Debug)]
pub(crate) struct Page {
    /// The texts between tags.
    pub(crate) texts: Vec<String>,
    /// Where its links lead.
    pub(crate) links: Vec<String>,
    /// How often each element is there.
    elements: Vec<String>,
    ids: BTreeSet<String>,
    /// Elements that are not closed yet.
    open: Vec<String>,
}

impl Page {
    /// Reads a page, and expects that it is sound.
    #[track_caller]
    pub(crate) fn read(html: &str) -> Self {
        let mut page = Self::default();
        let mut rest = html.strip_prefix("<!DOCTYPE html>").expect("a page of HTML");
        while let Some((text, behind)) = rest.split_once('<') {
            page.text(text);
            let (tag, behind) = behind.split_once('>').expect("a tag has its end");
            page.tag(tag);
            rest = behind;
        }
        assert_eq!((rest, &page.open), ("", &Vec::new()), "all elements are closed");
        page.check();
        page
    }

    pub(crate) fn count(&self, element: &str) -> usize {
        self.elements.iter().filter(|one| *one == element).count()
    }

    /// The text of the page, in which everybody's texts stand as they are.
    pub(crate) fn text_of_all(&self) -> String {
        self.texts.join("")
    }

    fn text(&mut self, text: &str) {
        if self.open.last().is_some_and(|element| element == "style") {
            return;
        }
        assert!(!text.contains('>'), "{text:?} has half a tag");
        if !text.is_empty() {
            self.texts.push(unescaped(text));
        }
    }

    fn tag(&mut self, tag: &str) {
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(self.open.pop().as_deref(), Some(closed), "closed in order");
            return;
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(ELEMENTS.contains(&name), "<{tag}>");
        self.elements.push(name.to_owned());
        let attributes = read_attributes(attributes);
        for (attribute, value) in &attributes {
            assert!(ATTRIBUTES.contains(&attribute.as_str()), "{attribute} in <{tag}>");
            match attribute.as_str() {
                "id" => assert!(self.ids.insert(value.clone()), "{value} is there twice"),
                "href" => self.links.push(value.clone()),
                _ => {}
            }
        }
        let has = |wanted: &str| attributes.iter().any(|(name, _)| name == wanted);
        assert!(name != "th" || has("scope"), "<{tag}> says of what it is the heading");
        if name != "meta" {
            self.open.push(name.to_owned());
        }
    }

    fn check(&self) {
        for element in ["html", "head", "title", "body", "main", "h1", "footer"] {
            assert_eq!(self.count(element), 1, "one {element}");
        }
        for link in &self.links {
            let is_here = link.strip_prefix('#').is_some_and(|id| self.ids.contains(id));
            let is_page = link.ends_with(".html") && !link.contains(['/', ':']);
            let is_outside = link.starts_with("https://") || link.starts_with("http://");
            assert!(is_here || is_page || is_outside, "{link:?} leads astray");
        }
    }
}

fn read_attributes(mut text: &str) -> Vec<(String, String)> {
    let mut attributes = Vec::new();
    while !text.is_empty() {
        let (name, rest) = text.split_once("=\"").expect("an attribute has a value in quotes");
        let (value, rest) = rest.split_once('"').expect("the value has its end");
        attributes.push((name.trim().to_owned(), unescaped(value)));
        text = rest.trim_start();
    }
    attributes
}

/// The text that is meant. Nothing else than these entities is in the pages.
fn unescaped(text: &str) -> String {
    for part in text.split('&').skip(1) {
        let known = ["lt;", "gt;", "amp;", "quot;"].iter().any(|entity| part.starts_with(entity));
        assert!(known, "{text:?} has another entity");
    }
    let plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    plain.replace("&amp;", "&")
}
