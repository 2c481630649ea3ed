//! A cache of responses: each is rendered and compressed once.

use std::io::Write;

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::body::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::run_blocking::run_blocking;
use crate::Problem;

/// Bytes of cached pages.
const MAX_BYTES: u64 = 64 << 20;
/// An estimate of the number of cached pages.
const PAGES: usize = 4096;

/// The address of a page, and the version of the data it shows.
type Key = (String, u64);

/// A rendered and compressed response.
#[derive(Clone)]
pub(crate) struct CachedPage {
    kind: &'static str,
    plain: Bytes,
    gzip: Bytes,
    tag: String,
    use_of: CachedFor,
}

/// Who shows a response.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CachedFor {
    /// This site: browsers ask each time whether it has changed.
    Site,
    /// Other sites, which may be a minute behind.
    Elsewhere,
}

/// Marks a response that pages of other sites may embed.
#[derive(Clone, Copy)]
pub(crate) struct Embeddable;

impl CachedPage {
    /// A text with this `Content-Type`.
    pub(crate) fn new(kind: &'static str, text: String) -> Self {
        Self::of_bytes(kind, text.into_bytes())
    }

    fn of_bytes(kind: &'static str, content: Vec<u8>) -> Self {
        let gzip = gzip(&content);
        let tag = format!("\"{}\"", &blake3::hash(&content).to_hex()[..16]);
        Self { kind, plain: content.into(), gzip, tag, use_of: CachedFor::Site }
    }

    /// A picture that other sites may embed.
    pub(crate) fn picture(kind: &'static str, content: Vec<u8>) -> Self {
        Self { use_of: CachedFor::Elsewhere, ..Self::of_bytes(kind, content) }
    }

    /// A page of HTML.
    pub(crate) fn html(markup: maud::Markup) -> Self {
        Self::new("text/html; charset=utf-8", markup.into_string())
    }

    /// The response to a request with these headers.
    pub(crate) fn answer(&self, headers: &HeaderMap) -> Response {
        let mut response = self.response(headers);
        if self.use_of == CachedFor::Elsewhere {
            response.extensions_mut().insert(Embeddable);
        }
        response
    }

    fn response(&self, headers: &HeaderMap) -> Response {
        let common = [
            (header::CONTENT_TYPE, self.kind),
            (header::ETAG, self.tag.as_str()),
            (
                header::CACHE_CONTROL,
                match self.use_of {
                    CachedFor::Site => "no-cache",
                    CachedFor::Elsewhere => "public, max-age=60",
                },
            ),
            (header::VARY, "accept-encoding"),
        ];
        if names(headers, header::IF_NONE_MATCH, &self.tag) {
            return (StatusCode::NOT_MODIFIED, common).into_response();
        }
        if accepts_gzip(headers) {
            let gzip = [(header::CONTENT_ENCODING, "gzip")];
            return (common, gzip, self.gzip.clone()).into_response();
        }
        (common, self.plain.clone()).into_response()
    }
}

/// The compressed content.
pub(crate) fn gzip(content: &[u8]) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(5));
    let written = encoder.write_all(content).and_then(|()| encoder.finish());
    written.expect("writing to a Vec cannot fail").into()
}

/// Whether a request with these headers may be answered with [`gzip`].
pub(crate) fn accepts_gzip(headers: &HeaderMap) -> bool {
    names(headers, header::ACCEPT_ENCODING, "gzip")
}

/// Whether the list in a header has an item that begins so.
fn names(headers: &HeaderMap, name: header::HeaderName, wanted: &str) -> bool {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    value.is_some_and(|value| value.split(',').any(|part| part.trim().starts_with(wanted)))
}

#[derive(Clone)]
struct Size;

impl Weighter<Key, CachedPage> for Size {
    fn weight(&self, (address, _): &Key, page: &CachedPage) -> u64 {
        (address.len() + page.plain.len() + page.gzip.len() + 256) as u64
    }
}

/// The cache of all pages.
pub(crate) struct PageCache(Cache<Key, CachedPage, Size>);

impl PageCache {
    pub(crate) fn new() -> Self {
        Self(Cache::with_weighter(PAGES, MAX_BYTES, Size))
    }

    /// The page at this address for this version of its data, rendered by `render` unless it is cached. Concurrent
    /// requests for the same page render it once.
    ///
    /// # Errors
    /// Those of `render`.
    pub(crate) async fn get(
        &self,
        address: String,
        version: u64,
        render: impl FnOnce() -> Result<CachedPage, Problem> + Send + 'static,
    ) -> Result<CachedPage, Problem> {
        let rendered = run_blocking(render);
        self.0.get_or_insert_async(&(address, version), rendered).await
    }
}

/// A document as JSON, ready to be cached.
///
/// # Errors
/// If it cannot be written as JSON.
pub(crate) fn json(document: &impl serde::Serialize) -> Result<CachedPage, Problem> {
    let failed = |_| Problem::Internal("this document could not be rendered".to_owned());
    let text = dicehill_arena::printable_json(document).map_err(failed)?;
    Ok(CachedPage::new("application/json", text))
}
