//! Pages that were rendered and compressed once, for all who ask for them.

use std::io::Write;

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::body::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::Problem;

/// Bytes of pages that are kept at hand.
const KEPT: u64 = 64 << 20;
/// Pages that are kept, as far as is known beforehand.
const PAGES: usize = 4096;

/// What a page is known by: its address, and the version of what it shows.
type Key = (String, u64);

/// A page as it goes out.
#[derive(Clone)]
pub(crate) struct Rendered {
    kind: &'static str,
    plain: Bytes,
    gzip: Bytes,
    tag: String,
}

impl Rendered {
    /// A text of this kind.
    pub(crate) fn new(kind: &'static str, text: String) -> Self {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::new(5));
        let written = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
        let gzip = written.expect("a vector takes everything").into();
        let tag = format!("\"{}\"", &blake3::hash(text.as_bytes()).to_hex()[..16]);
        Self { kind, plain: text.into(), gzip, tag }
    }

    /// A page.
    pub(crate) fn page(markup: maud::Markup) -> Self {
        Self::new("text/html; charset=utf-8", markup.into_string())
    }

    /// The answer to a request with these headers.
    pub(crate) fn answer(&self, headers: &HeaderMap) -> Response {
        let has = |name, wanted: &str| {
            let value = headers.get(name).and_then(|value| value.to_str().ok());
            value.is_some_and(|value| value.split(',').any(|part| part.trim().starts_with(wanted)))
        };
        let common = [
            (header::CONTENT_TYPE, self.kind),
            (header::ETAG, self.tag.as_str()),
            (header::CACHE_CONTROL, "no-cache"),
            (header::VARY, "accept-encoding"),
        ];
        if has(header::IF_NONE_MATCH, &self.tag) {
            return (StatusCode::NOT_MODIFIED, common).into_response();
        }
        if has(header::ACCEPT_ENCODING, "gzip") {
            let gzip = [(header::CONTENT_ENCODING, "gzip")];
            return (common, gzip, self.gzip.clone()).into_response();
        }
        (common, self.plain.clone()).into_response()
    }
}

#[derive(Clone)]
struct Size;

impl Weighter<Key, Rendered> for Size {
    fn weight(&self, (address, _): &Key, page: &Rendered) -> u64 {
        (address.len() + page.plain.len() + page.gzip.len() + 256) as u64
    }
}

/// The pages at hand.
pub(crate) struct Pages(Cache<Key, Rendered, Size>);

impl Pages {
    pub(crate) fn new() -> Self {
        Self(Cache::with_weighter(PAGES, KEPT, Size))
    }

    /// The page at this address, of what has this version; made by `render` unless it is at hand. Of many who ask
    /// at once one makes it.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) async fn get(
        &self,
        address: String,
        version: u64,
        render: impl FnOnce() -> Result<Rendered, Problem> + Send + 'static,
    ) -> Result<Rendered, Problem> {
        let made = async {
            let made = tokio::task::spawn_blocking(render).await;
            made.unwrap_or_else(|_| Err(Problem::Ours("this page could not be made".to_owned())))
        };
        self.0.get_or_insert_async(&(address, version), made).await
    }
}
