//! The origin of requests: pages of other servers cannot have a visitor's browser change anything here.

use std::net::IpAddr;
use std::str::FromStr;

use axum::body::Body;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, Method, Request, header};

use crate::{Config, Problem};

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Checks the host name of a request, and, unless it is a plain GET or HEAD, the origin of the page that sent it.
///
/// # Errors
/// If the server is not known by this name, or the page belongs to another server.
pub(crate) fn check(config: &Config, request: &Request<Body>) -> Result<(), Problem> {
    let host = host(request);
    let foreign = |what: &str| Err(Problem::Forbidden(what.to_owned()));
    if !config.knows_host(host.as_ref()) {
        return foreign("this server is not known by the name under which you ask for it");
    }
    let is_safe = matches!(*request.method(), Method::GET | Method::HEAD);
    if !is_safe && !is_own(config, request.headers(), host.as_ref()) {
        return foreign("this request comes from a page of another server");
    }
    Ok(())
}

/// The host name under which a request addresses the server.
fn host(request: &Request<Body>) -> Option<Authority> {
    let named = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let named = named.and_then(|host| Authority::from_str(host).ok());
    named.or_else(|| request.uri().authority().cloned())
}

/// Whether a browser sent the request. All current browsers send one of these headers with every request that is not
/// a plain GET.
pub(crate) fn is_browser(headers: &HeaderMap) -> bool {
    headers.contains_key(header::ORIGIN) || headers.contains_key(FETCH_SITE)
}

/// Whether a page of this server sent the request, or no page at all.
fn is_own(config: &Config, headers: &HeaderMap, host: Option<&Authority>) -> bool {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    match (text(header::ORIGIN), text(FETCH_SITE)) {
        // Browsers may send this from pages with `Referrer-Policy: no-referrer`, such as ours.
        (Some("null"), Some(site)) => site == "same-origin",
        (Some(origin), _) => config.origins.iter().any(|own| own == origin) || is_of(origin, host),
        (None, Some(site)) => matches!(site, "same-origin" | "none"),
        (None, None) => true,
    }
}

/// Whether an origin names this host. The scheme may be either, because a proxy may terminate TLS.
fn is_of(origin: &str, host: Option<&Authority>) -> bool {
    let named = ["http://", "https://"].iter().find_map(|scheme| origin.strip_prefix(scheme));
    match (named, host) {
        (Some(named), Some(host)) => named.eq_ignore_ascii_case(host.as_str()),
        (Some(_) | None, _) => false,
    }
}

impl Config {
    /// Whether requests may address the server by this name. A server on a loopback address accepts only loopback names:
    /// otherwise a page could resolve its own name to this machine and read the responses (DNS rebinding).
    fn knows_host(&self, host: Option<&Authority>) -> bool {
        let Some(host) = host.filter(|_| self.listen.ip().is_loopback()) else { return true };
        let name = host.host();
        let address = name.trim_start_matches('[').trim_end_matches(']');
        name.eq_ignore_ascii_case("localhost")
            || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
            || self.origins.iter().any(|origin| is_host_of(origin, name))
    }
}

fn is_host_of(origin: &str, name: &str) -> bool {
    let host = origin.split_once("://").and_then(|(_, host)| Authority::from_str(host).ok());
    host.is_some_and(|host| host.host().eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use super::*;

    fn config(listen: &str) -> Config {
        let listen: SocketAddr = listen.parse().unwrap();
        Config {
            hills: Vec::new(),
            listen,
            origins: vec!["https://hill.example.org".to_owned()],
            accept: true,
            missing: Vec::new(),
            program: "dicehill".into(),
            limits: Default::default(),
        }
    }

    fn is_accepted(listen: &str, method: &str, headers: &[(&str, &str)]) -> bool {
        let mut request = Request::builder().method(method).uri("/play");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        check(&config(listen), &request.body(Body::empty()).unwrap()).is_ok()
    }

    #[test]
    fn only_own_pages_may_change_anything() {
        let host = ("host", "hill.example.net:8080");
        let post = |headers: &[(&str, &str)]| {
            is_accepted("0.0.0.0:80", "POST", &[&[host], headers].concat())
        };
        for headers in [
            &[("origin", "http://hill.example.net:8080")][..],
            &[("origin", "https://HILL.example.net:8080"), ("sec-fetch-site", "same-origin")],
            &[("origin", "https://hill.example.org"), ("sec-fetch-site", "same-origin")],
            &[("sec-fetch-site", "same-origin")],
            &[("sec-fetch-site", "none")],
            &[("origin", "null"), ("sec-fetch-site", "same-origin")],
            &[],
        ] {
            assert!(post(headers), "{headers:?}");
        }
        for headers in [
            &[("origin", "null")][..],
            &[("origin", "null"), ("sec-fetch-site", "cross-site")],
            &[("origin", "null"), ("sec-fetch-site", "none")],
            &[("origin", "")],
            &[("origin", "http://hill.example.net")],
            &[("origin", "http://hill.example.net:8080.evil.org")],
            &[("origin", "ftp://hill.example.net:8080")],
            &[("origin", "https://evil.org"), ("sec-fetch-site", "same-origin")],
            &[("sec-fetch-site", "same-site")],
            &[("sec-fetch-site", "cross-site")],
        ] {
            assert!(!post(headers), "{headers:?}");
            assert!(is_accepted("0.0.0.0:80", "GET", &[&[host], headers].concat()), "{headers:?}");
            for method in ["PUT", "DELETE", "PATCH"] {
                assert!(
                    !is_accepted("0.0.0.0:80", method, &[&[host], headers].concat()),
                    "{headers:?}"
                );
            }
        }
    }

    #[test]
    fn a_loopback_server_accepts_only_loopback_names() {
        for host in
            ["localhost", "LOCALHOST:9", "127.0.0.1:9", "127.0.0.2", "[::1]:9", "hill.example.org"]
        {
            assert!(is_accepted("127.0.0.1:9", "GET", &[("host", host)]), "{host}");
        }
        for host in ["evil.org", "localhost.evil.org", "192.0.2.1", "0.0.0.0", "[2001:db8::1]"] {
            assert!(!is_accepted("127.0.0.1:9", "GET", &[("host", host)]), "{host}");
            assert!(!is_accepted("[::1]:9", "GET", &[("host", host)]), "{host}");
            assert!(is_accepted("192.0.2.7:9", "GET", &[("host", host)]), "{host}");
        }
    }
}
