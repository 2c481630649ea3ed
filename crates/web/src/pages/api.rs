//! The page that lists the operations of the API.

use maud::{Markup, html};
use utoipa::openapi::{OpenApi, PathItem};

use super::layout::{Hosting, Page, wide};

/// The page of the API.
pub(crate) fn page(document: &OpenApi) -> Markup {
    let info = &document.info;
    let body = html! {
        h1 #api { "API" }
        p { (info.description.as_deref().unwrap_or_default()) }
        p { "The complete description is an OpenAPI document: " a href="/api/v1/openapi.json" { "/api/v1/openapi.json" } "." }
        (wide("api", html! { table {
            thead { tr {
                th.text scope="col" { "Method" }
                th.text scope="col" { "Address" }
                th.text scope="col" { "Action" }
            } }
            tbody { @for (path, item) in &document.paths.paths { @for (method, summary) in operations(item) { tr {
                td.text { code { (method) } }
                th.text scope="row" { code.path { (breakable(path)) } }
                td.text { (summary) }
            } } } }
        } }))
        p { a href="/healthz" { "Whether the server is healthy" } "." }
    };
    Page {
        title: "API".to_owned(),
        hosting: Hosting::Server,
        trail: Vec::new(),
        scripts: &[],
        body,
    }
    .render()
}

/// A path that wraps after its slashes.
fn breakable(path: &str) -> Markup {
    html! { @for part in path.split_inclusive('/') { (part) wbr; } }
}

fn operations(item: &PathItem) -> Vec<(&'static str, String)> {
    let all =
        [("GET", &item.get), ("POST", &item.post), ("PUT", &item.put), ("DELETE", &item.delete)];
    let named = all.into_iter().filter_map(|(method, operation)| {
        Some((method, operation.as_ref()?.summary.clone().unwrap_or_default()))
    });
    named.collect()
}
