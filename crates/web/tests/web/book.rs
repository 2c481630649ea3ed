//! The book on the server.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::Served;

/// The values of an attribute in a page.
fn values<'a>(page: &'a str, attribute: &str) -> BTreeSet<&'a str> {
    let parts = page.split(attribute).skip(1);
    parts.filter_map(|rest| rest.split('"').next()).collect()
}

/// Follows all links from the first page.
fn pages(served: &Served) -> BTreeMap<String, String> {
    let mut pages = BTreeMap::new();
    let mut open = vec!["/docs".to_owned()];
    while let Some(address) = open.pop() {
        if pages.contains_key(&address) {
            continue;
        }
        let answer = served.get(&address);
        assert_eq!(answer.status(), 200, "{address}");
        let body = answer.body().to_owned();
        let links = values(&body, " href=\"").into_iter().filter(|link| link.starts_with("/docs"));
        open.extend(links.map(|link| link.split('#').next().unwrap_or_default().to_owned()));
        pages.insert(address, body);
    }
    pages
}

#[test]
fn every_link_in_the_book_leads_to_a_page_and_heading() {
    let served = Served::new();
    let pages = pages(&served);
    assert!(pages.len() > 30, "{:?}", pages.keys());
    for (address, page) in &pages {
        assert!(!page.contains("style="), "{address}: no style within");
        assert_eq!(page.matches("<h1").count(), 1, "{address}: one heading above all");
        for link in values(page, " href=\"") {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let path = if path.is_empty() { address } else { path };
            let Some(target) = pages.get(path) else { continue };
            let has = anchor.is_empty() || target.contains(&format!(" id=\"{anchor}\""));
            assert!(has || anchor == "main", "{address}: {link}");
        }
    }
}

#[test]
fn pictures_are_served_and_other_files_are_not() {
    let served = Served::new();
    for picture in values(served.get("/docs/board").body(), " src=\"/docs") {
        let answer = served.get(&format!("/docs{picture}"));
        assert_eq!((answer.status(), answer.header("content-type")), (200, Some("image/png")));
    }
    for address in ["/docs/nothing", "/docs/../Cargo.toml", "/docs/SUMMARY.md", "/docs/hill.md"] {
        assert_eq!(served.get(address).status(), 404, "{address}");
    }
}
