//! Pages as a browser would read them: every element is closed, known and harmless.

use std::collections::BTreeSet;

/// Elements that a page may have.
const ELEMENTS: [&str; 60] = [
    "html", "head", "meta", "title", "link", "script", "body", "header", "nav", "main", "footer",
    "section", "article", "h1", "h2", "h3", "p", "a", "bdi", "span", "strong", "div", "dl", "dt",
    "dd", "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "ol", "ul", "li", "pre",
    "code", "kbd", "abbr", "time", "details", "summary", "progress", "button", "label", "input",
    "output", "select", "option", "svg", "symbol", "rect", "circle", "line", "use", "g", "text",
    "meter", "img",
];
/// Elements without content.
const EMPTY: [&str; 4] = ["meta", "link", "input", "img"];
/// Attributes that a page may have. None of them runs a script, and only `href` and `src` refer to other resources.
const ATTRIBUTES: [&str; 58] = [
    "open",
    "aria-keyshortcuts",
    "data-embed",
    "data-seat",
    "alt",
    "data-around",
    "selected",
    "text-anchor",
    "data-unfold",
    "property",
    "lang",
    "charset",
    "http-equiv",
    "content",
    "name",
    "id",
    "class",
    "href",
    "src",
    "defer",
    "type",
    "rel",
    "scope",
    "rowspan",
    "colspan",
    "role",
    "tabindex",
    "dir",
    "for",
    "min",
    "max",
    "step",
    "value",
    "title",
    "datetime",
    "data-box",
    "data-go",
    "data-kind",
    "data-plot",
    "data-state",
    "data-told",
    "aria-label",
    "aria-labelledby",
    "aria-hidden",
    "focusable",
    "viewBox",
    "width",
    "height",
    "x",
    "y",
    "x1",
    "x2",
    "y1",
    "y2",
    "rx",
    "cx",
    "cy",
    "r",
];
/// Attributes that have no value.
const FLAGS: [&str; 3] = ["defer", "open", "selected"];

/// The content of a page.
#[derive(Default, Debug)]
pub(crate) struct Page {
    /// The texts between tags.
    pub(crate) texts: Vec<String>,
    /// The targets of its links.
    pub(crate) links: Vec<String>,
    /// The files that it loads.
    pub(crate) loaded_files: Vec<String>,
    /// Blocks of data, which are never executed.
    pub(crate) data: Vec<serde_json::Value>,
    /// The name of each element, in order.
    elements: Vec<String>,
    ids: BTreeSet<String>,
    /// Elements that are not closed yet.
    open: Vec<String>,
}

impl Page {
    /// Parses a page, which has to be valid.
    #[track_caller]
    pub(crate) fn read(html: &str) -> Self {
        let mut page = Self::default();
        let mut rest = html.strip_prefix("<!DOCTYPE html>").expect("a page of HTML");
        while let Some((text, rest_of_page)) = rest.split_once('<') {
            page.text(text);
            let (tag, rest_of_page) = rest_of_page.split_once('>').expect("a tag has its end");
            page.tag(tag);
            rest = rest_of_page;
        }
        assert_eq!((rest, &page.open), ("", &Vec::new()), "all elements are closed");
        page.check();
        page
    }

    pub(crate) fn count(&self, element: &str) -> usize {
        self.elements.iter().filter(|one| *one == element).count()
    }

    pub(crate) fn has_id(&self, id: &str) -> bool {
        self.ids.contains(id)
    }

    /// The text of the page, with names and answers unescaped.
    pub(crate) fn full_text(&self) -> String {
        self.texts.join("")
    }

    fn text(&mut self, text: &str) {
        assert!(!text.contains('>'), "{text:?} has half a tag");
        if self.open.last().is_some_and(|element| element == "script") {
            if !text.is_empty() {
                self.data.push(serde_json::from_str(text).expect("a block of data is JSON"));
            }
            return;
        }
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
                "href" if name == "link" => {
                    self.load(value, if value == "icon.svg" { ".svg" } else { ".css" });
                }
                "src" if name == "script" => self.load(value, ".js"),
                "src" if name == "img" => self.load(value, ".svg"),
                "src" => panic!("<{tag}> loads something"),
                "href" => self.links.push(value.clone()),
                _ => {}
            }
        }
        let has = |wanted: &str| attributes.iter().any(|(name, _)| name == wanted);
        let is_data = || attributes.contains(&("type".to_owned(), "application/json".to_owned()));
        assert!(name != "script" || has("src") != is_data(), "<{tag}> is a file or data");
        assert!(name != "th" || has("scope"), "<{tag}> says of what it is the heading");
        if !EMPTY.contains(&name) {
            self.open.push(name.to_owned());
        }
    }

    /// Only files in the page's folder are loaded.
    fn load(&mut self, file: &str, kind: &str) {
        assert!(file.ends_with(kind) && !file.contains(['/', ':', '\\']), "{file:?} is loaded");
        self.loaded_files.push(file.to_owned());
    }

    fn check(&self) {
        for element in ["html", "head", "title", "body", "main", "h1", "footer"] {
            assert_eq!(self.count(element), 1, "one {element}");
        }
        for link in &self.links {
            let is_here = link.strip_prefix('#').is_some_and(|id| self.ids.contains(id));
            let page = link.split('#').next().unwrap_or_default();
            let is_page = page.ends_with(".html") && !page.contains(['/', ':']);
            let is_outside = link.starts_with("https://") || link.starts_with("http://");
            assert!(is_here || is_page || is_outside, "{link:?} leads astray");
        }
    }
}

fn read_attributes(mut text: &str) -> Vec<(String, String)> {
    let mut attributes = Vec::new();
    while !text.is_empty() {
        let flag = text.split(' ').next().unwrap_or_default();
        if FLAGS.contains(&flag) {
            attributes.push((flag.to_owned(), String::new()));
            text = text[flag.len()..].trim_start();
            continue;
        }
        let (name, rest) = text.split_once("=\"").expect("an attribute has a value in quotes");
        let (value, rest) = rest.split_once('"').expect("the value has its end");
        attributes.push((name.trim().to_owned(), unescaped(value)));
        text = rest.trim_start();
    }
    attributes
}

/// The unescaped text. The pages use only these entities.
fn unescaped(text: &str) -> String {
    for part in text.split('&').skip(1) {
        let known = ["lt;", "gt;", "amp;", "quot;"].iter().any(|entity| part.starts_with(entity));
        assert!(known, "{text:?} has another entity");
    }
    let plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    plain.replace("&amp;", "&")
}
