//! Paths of the book's files in the project, links between them, and their addresses on a server.

/// The folder whose pages have addresses without its name.
const DOCS: &str = "docs/";
/// The page that is shown for a folder.
const FOLDER_PAGE: &str = "/README";

/// The address of the page or picture with this path in the project.
pub(super) fn address(path: &str) -> String {
    let name = path.strip_suffix(".md").unwrap_or(path);
    match name.strip_prefix(DOCS) {
        Some("README") => "/docs".to_owned(),
        Some(name) => format!("/docs/{name}"),
        None => format!("/docs/{}", name.strip_suffix(FOLDER_PAGE).unwrap_or(name)),
    }
}

/// The path in the project to which a link on this page leads, and its fragment; `None` if it leads to another site.
pub(super) fn target(page: &str, link: &str) -> Option<(String, String)> {
    if link.contains("://") || link.starts_with("mailto:") || link.starts_with('/') {
        return None;
    }
    let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
    if file.is_empty() {
        return Some((page.to_owned(), fragment.to_owned()));
    }
    let mut folders: Vec<_> = page.split('/').collect();
    folders.pop();
    for name in file.split('/').filter(|name| *name != ".") {
        match name {
            ".." => drop(folders.pop()?),
            name => folders.push(name),
        }
    }
    Some((folders.join("/"), fragment.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(page: &str, link: &str, expected: Option<(&str, &str)>) {
        let expected = expected.map(|(path, fragment)| (path.to_owned(), fragment.to_owned()));
        assert_eq!(target(page, link), expected, "{link} on {page}");
    }

    #[test]
    fn links_are_relative_to_their_page() {
        check("docs/bots/c.md", "../../sdk/c/README.md", Some(("sdk/c/README.md", "")));
        check("docs/hill.md", "methods.md#luck", Some(("docs/methods.md", "luck")));
        check("README.md", "docs/run.svg", Some(("docs/run.svg", "")));
        check("docs/hill.md", "#resume", Some(("docs/hill.md", "resume")));
        check("docs/hill.md", "https://example.org/a.md", None);
        check("docs/hill.md", "../../a.md", None);
    }

    #[test]
    fn addresses_have_no_endings() {
        assert_eq!(address("docs/README.md"), "/docs");
        assert_eq!(address("docs/bots/c.md"), "/docs/bots/c");
        assert_eq!(address("sdk/c/README.md"), "/docs/sdk/c");
        assert_eq!(address("README.md"), "/docs/README");
        assert_eq!(address("docs/pictures/bot.png"), "/docs/pictures/bot.png");
    }
}
