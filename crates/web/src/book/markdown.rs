//! Markdown as HTML that loads nothing from elsewhere: formulas become MathML, links addresses of this server.

use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};
use maud::{PreEscaped, html};
use pulldown_cmark::{Alignment, CowStr, Event, Options, Parser, Tag, TagEnd};

use super::{files, path};

const OPTIONS: Options = Options::ENABLE_TABLES.union(Options::ENABLE_MATH);

/// The page with this path in the project as HTML.
pub(super) fn render(page: &str, text: &str) -> String {
    let mut renderer = Renderer { page, anchors: Vec::new() };
    let events = renderer.events(text);
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, events.into_iter());
    // The keyboard scrolls what is too wide.
    html.replace("<pre><code", "<pre tabindex=\"0\"><code")
}

/// All links and pictures of a text.
#[cfg(test)]
pub(super) fn links(text: &str) -> Vec<String> {
    let link = |event| {
        let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event else {
            return None;
        };
        Some(dest_url.into_string())
    };
    Parser::new_ext(text, OPTIONS).filter_map(link).collect()
}

struct Renderer<'a> {
    page: &'a str,
    /// The anchors of the headings so far.
    anchors: Vec<String>,
}

impl Renderer<'_> {
    fn events<'t>(&mut self, text: &'t str) -> Vec<Event<'t>> {
        let mut events = Vec::new();
        let mut heading = None;
        // Whether each open link has an address.
        let mut linked = Vec::new();
        for event in Parser::new_ext(text, OPTIONS) {
            if let Event::Start(Tag::Heading { .. }) = event {
                heading = Some((events.len(), String::new()));
            } else if let (Event::Text(text) | Event::Code(text), Some((_, title))) =
                (&event, &mut heading)
            {
                title.push_str(text);
            } else if let (Event::End(TagEnd::Heading(_)), Some((place, title))) =
                (&event, heading.take())
            {
                self.add_anchor(&mut events[place], &title);
            } else if let Event::Start(Tag::Link { dest_url, .. }) = &event {
                linked.push(self.resolve(dest_url).is_some());
                if linked.last() == Some(&false) {
                    continue;
                }
            } else if matches!(event, Event::End(TagEnd::Link)) && linked.pop() == Some(false) {
                continue;
            }
            self.push(event, &mut events);
        }
        events
    }

    /// Adds an event as it is rendered.
    fn push<'t>(&self, event: Event<'t>, events: &mut Vec<Event<'t>>) {
        let resolved = |url: CowStr<'t>| self.resolve(&url).map_or(url, CowStr::from);
        let event = if let Event::InlineMath(formula) = event {
            math(&formula, MathDisplay::Inline)
        } else if let Event::DisplayMath(formula) = event {
            math(&formula, MathDisplay::Block)
        } else if let Event::Code(code) = event {
            with_breaks(code)
        } else if let Event::Html(html) = event {
            Event::Html(self.with_addresses(&html).into())
        } else if let Event::Start(Tag::Link { link_type, dest_url, title, id }) = event {
            Event::Start(Tag::Link { link_type, dest_url: resolved(dest_url), title, id })
        } else if let Event::Start(Tag::Image { link_type, dest_url, title, id }) = event {
            Event::Start(Tag::Image { link_type, dest_url: resolved(dest_url), title, id })
        } else if let Event::Start(Tag::Table(columns)) = event {
            events.push(Event::Html(WIDE.into()));
            // A column's alignment would be a style in a tag, which the server's policy forbids.
            Event::Start(Tag::Table(vec![Alignment::None; columns.len()]))
        } else {
            event
        };
        let ends_table = matches!(event, Event::End(TagEnd::Table));
        events.push(event);
        events.extend(ends_table.then(|| Event::Html("</div>".into())));
    }

    /// Gives a heading the anchor that it has on GitHub; a repeated one gets a number.
    fn add_anchor(&mut self, heading: &mut Event<'_>, title: &str) {
        let lower = title.to_lowercase().replace(' ', "-");
        let is_kept = |one: &char| one.is_alphanumeric() || matches!(one, '-' | '_');
        let anchor: String = lower.chars().filter(is_kept).collect();
        let numbered = (1..).map(|number| format!("{anchor}-{number}"));
        let mut names = std::iter::once(anchor.clone()).chain(numbered);
        let name = names.find(|name| !self.anchors.contains(name)).unwrap_or(anchor);
        self.anchors.push(name.clone());
        if let Event::Start(Tag::Heading { id, .. }) = heading {
            *id = Some(name.into());
        }
    }

    /// The address of a link's target; `None` if it is a file of the project that is not in the book.
    fn resolve(&self, link: &str) -> Option<String> {
        let Some((target, fragment)) = path::target(self.page, link) else {
            return Some(link.to_owned());
        };
        let fragment = if fragment.is_empty() { fragment } else { format!("#{fragment}") };
        files::address_of(&target).map(|address| address + &fragment)
    }

    /// HTML in our Markdown, of pictures for light and dark pages, with the addresses of its files.
    fn with_addresses(&self, html: &str) -> String {
        let mut text = html.to_owned();
        for name in ["src=\"", "srcset=\""] {
            let values = html.split(name).skip(1).filter_map(|rest| rest.split('"').next());
            for value in values {
                let address = self.resolve(value).unwrap_or_default();
                text = text.replace(&format!("{name}{value}\""), &format!("{name}{address}\""));
            }
        }
        text
    }
}

/// Code in a line, which may break behind the signs that join its words, but not behind the hyphens of an option.
fn with_breaks(code: CowStr<'_>) -> Event<'_> {
    const SIGNS: [char; 3] = ['|', '/', ','];
    let words: Vec<_> = code.split_inclusive([' ', '|', '/', ',']).collect();
    let is_option = |word: &str| word.starts_with('-');
    if !code.contains(SIGNS) && !words.iter().any(|word| is_option(word)) {
        return Event::Code(code);
    }
    let broken = html! {
        code {
            @for word in words {
                @if is_option(word) { span.whole { (word.trim_end()) } } @else { (word.trim_end()) }
                @if word.ends_with(' ') { " " } @else if word.ends_with(SIGNS) { wbr; }
            }
        }
    };
    Event::InlineHtml(broken.into_string().into())
}

/// The beginning of an element that scrolls where a table is too wide.
const WIDE: &str = "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Table\">";

/// A formula as MathML, or as it is written if it cannot be read.
fn math(formula: &str, display: MathDisplay) -> Event<'static> {
    let converter = LatexToMathML::new(MathCoreConfig::default()).ok();
    let converted = converter.and_then(|one| one.convert_with_local_state(formula, display).ok());
    let html = converted
        .map_or_else(|| html! { code { (formula) } }.into_string(), |converted| converted.mathml);
    Event::InlineHtml(match display {
        MathDisplay::Inline => html.into(),
        MathDisplay::Block => {
            html! { span.formula tabindex="0" { (PreEscaped(html)) } }.into_string().into()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::chapters;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(render("docs/hill.md", text).trim_end(), expected);
    }

    #[test]
    fn headings_have_githubs_anchors() {
        check(
            "# Two `bots`, won!\n\n## A\n\n## A",
            "<h1 id=\"two-bots-won\">Two <code>bots</code>, won!</h1>\n<h2 id=\"a\">A</h2>\n<h2 id=\"a-1\">A</h2>",
        );
    }

    #[test]
    fn links_have_addresses_where_the_book_has_the_file() {
        check("[l](methods.md#luck)", "<p><a href=\"/docs/methods#luck\">l</a></p>");
        check("[l](https://example.org/)", "<p><a href=\"https://example.org/\">l</a></p>");
        check("a [l `c`](../clippy.toml) b", "<p>a l <code>c</code> b</p>");
        check("![p](pictures/bot.png)", "<p><img src=\"/docs/pictures/bot.png\" alt=\"p\" /></p>");
        check("<img src=\"pictures/bot.png\">", "<img src=\"/docs/pictures/bot.png\">");
    }

    #[test]
    fn code_breaks_behind_signs() {
        check("`a b`", "<p><code>a b</code></p>");
        check("`a|b <N>`", "<p><code>a|<wbr>b &lt;N&gt;</code></p>");
        check("`a --b 1`", "<p><code>a <span class=\"whole\">--b</span> 1</code></p>");
    }

    #[test]
    fn formulas_are_mathml() {
        let html = render("docs/hill.md", "so $x_i$ and\n\n$$\\frac{a}{b}$$\n");
        assert!(html.contains("<msub>") && html.contains("<mfrac>"), "{html}");
    }

    #[test]
    fn every_formula_of_the_book_can_be_converted() {
        let pages = chapters().iter().map(|chapter| (chapter, chapter.html().0));
        let mut formulas = 0;
        for (chapter, html) in pages {
            formulas += html.matches("<math").count();
            let raw =
                html.find("\\frac").or_else(|| html.find("\\sum")).or_else(|| html.find("\\text"));
            assert!(raw.is_none(), "{}: {:?}", chapter.title, raw.map(|at| &html[at..at + 40]));
        }
        assert!(formulas > 100, "{formulas}");
    }
}
