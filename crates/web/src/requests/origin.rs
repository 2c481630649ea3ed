//! The origin of requests: pages of other servers cannot have a visitor's browser change anything here.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use axum::body::Body;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, Method, Request, header};

use crate::{Config, Problem};

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// An origin as browsers write it, from the URL of a server: `https://hill.example.org` or with a port.
///
/// # Errors
/// If it is not `http` or `https` with a host, or has more than that. A `/` at the end is ignored.
pub fn parse_origin(url: &str) -> Result<String, String> {
    let text = url.strip_suffix('/').unwrap_or(url);
    let (scheme, authority) = text.split_once("://").unwrap_or_default();
    let parsed = Authority::from_str(authority).ok().filter(is_host);
    match (scheme, parsed) {
        ("http" | "https", Some(_)) => Ok(text.to_ascii_lowercase()),
        _ => Err("not the URL of a server, such as https://hill.example.org".to_owned()),
    }
}

/// Checks the host name of a request, and, unless it is a plain GET or HEAD, the origin of the page that sent it. A GET that begins a
/// WebSocket is not plain.
///
/// # Errors
/// If the request does not name one host, the server is not known by this name, or the page belongs to another server.
pub(crate) fn check(config: &Config, request: &Request<Body>) -> Result<(), Problem> {
    let host = check_host(config, config.listen, request)?;
    let is_plain = matches!(*request.method(), Method::GET | Method::HEAD)
        && !request.headers().contains_key(header::UPGRADE);
    if !is_plain && !is_own(config, request.headers(), &host) {
        return Err(Problem::Forbidden(
            "this request comes from a page of another server".to_owned(),
        ));
    }
    Ok(())
}

/// Checks the host name of a request that came to the address `listen`, and returns it.
///
/// # Errors
/// If the request does not name one host, or the server is not known by this name.
pub(crate) fn check_host(
    config: &Config,
    listen: SocketAddr,
    request: &Request<Body>,
) -> Result<Authority, Problem> {
    let host = host(request)?;
    if !config.knows_host(listen, &host) {
        let text = "this server does not answer to the host name of the request";
        return Err(Problem::Forbidden(text.to_owned()));
    }
    Ok(host)
}

/// The host under which a request addresses the server. The server and a proxy before it must not read a request in
/// two ways, so that each request needs exactly one `Host`, with which an absolute target agrees. (The server does not
/// speak HTTP/2, where the target would replace `Host`.)
fn host(request: &Request<Body>) -> Result<Authority, Problem> {
    let bad = |what: &str| Problem::BadRequest(what.to_owned());
    let mut named = request.headers().get_all(header::HOST).iter();
    let (Some(named), None) = (named.next(), named.next()) else {
        return Err(bad("the request needs exactly one Host header"));
    };
    let named = named.to_str().ok().and_then(|named| Authority::from_str(named).ok());
    let named = named.filter(is_host).ok_or_else(|| bad("the Host header names no host"))?;
    match request.uri().authority() {
        Some(target) if !is_same(target, &named, request.uri().scheme_str()) => {
            Err(bad("the host of the request's target differs from its Host header"))
        }
        Some(_) | None => Ok(named),
    }
}

/// Whether it is a host with or without a port, and nothing else.
fn is_host(authority: &Authority) -> bool {
    let text = authority.as_str();
    let host = authority.host();
    !host.is_empty() && !text.contains('@') && (text == host || authority.port_u16().is_some())
}

/// Whether both name the same host and port; without a port it is that of the scheme.
fn is_same(one: &Authority, other: &Authority, scheme: Option<&str>) -> bool {
    let usual = if scheme == Some("https") { 443 } else { 80 };
    let port = |authority: &Authority| authority.port_u16().unwrap_or(usual);
    is_host(one) && one.host().eq_ignore_ascii_case(other.host()) && port(one) == port(other)
}

/// Whether a browser sent the request. All current browsers send one of these headers with every request that is not
/// a plain GET.
pub(crate) fn is_browser(headers: &HeaderMap) -> bool {
    headers.contains_key(header::ORIGIN) || headers.contains_key(FETCH_SITE)
}

/// Whether a page of this server sent the request, or no page at all.
fn is_own(config: &Config, headers: &HeaderMap, host: &Authority) -> bool {
    // No browser sends such a header twice.
    let text = |name: HeaderName| {
        let mut values = headers.get_all(name).iter();
        let value = values.next()?.to_str().unwrap_or_default();
        Some(if values.next().is_none() { value } else { "" })
    };
    match (text(header::ORIGIN), text(FETCH_SITE)) {
        // Browsers may send this from pages with `Referrer-Policy: no-referrer`, as those of earlier versions.
        (Some("null"), Some(site)) => site == "same-origin",
        (Some(origin), _) => config.origins.iter().any(|own| own == origin) || is_of(origin, host),
        (None, Some(site)) => matches!(site, "same-origin" | "none"),
        (None, None) => true,
    }
}

/// Whether an origin names this host. The scheme may be either, because a proxy may terminate TLS.
fn is_of(origin: &str, host: &Authority) -> bool {
    let named = ["http://", "https://"].iter().find_map(|scheme| origin.strip_prefix(scheme));
    named.is_some_and(|named| named.eq_ignore_ascii_case(host.as_str()))
}

/// Whether the client sends the request over HTTPS, which then ends at a proxy: the page that sent it says so, or one of
/// the server's origins that the host has configured. `X-Forwarded-Proto` is not read.
pub(crate) fn is_secure(config: &Config, headers: &HeaderMap) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let is_https = |origin: &str| origin.starts_with("https://");
    match (text(header::ORIGIN).filter(|origin| *origin != "null"), text(header::HOST)) {
        (Some(origin), _) => is_https(origin),
        (None, Some(host)) => {
            let is_named = |origin: &&String| {
                origin.split_once("://").is_some_and(|(_, own)| own.eq_ignore_ascii_case(host))
            };
            config.origins.iter().find(is_named).is_some_and(|origin| is_https(origin))
        }
        (None, None) => false,
    }
}

/// The server's address as the client knows it, for texts: the configured origin that has the host of the request, or else
/// that host.
pub(crate) fn shown_origin(config: &Config, headers: &HeaderMap) -> String {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost");
    let scheme = if is_secure(config, headers) { "https" } else { "http" };
    format!("{scheme}://{host}")
}

impl Config {
    /// Whether requests may address the server by this name. A server on a loopback address accepts only loopback names:
    /// otherwise a page could resolve its own name to this machine and read the responses (DNS rebinding).
    fn knows_host(&self, listen: SocketAddr, host: &Authority) -> bool {
        if !listen.ip().is_loopback() {
            return true;
        }
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
    use axum::http::request::Builder;

    use super::*;

    fn config(listen: &str) -> Config {
        let listen: SocketAddr = listen.parse().unwrap();
        let origins = vec!["https://hill.example.org".to_owned()];
        Config { listen, origins, accept: true, ..Config::default() }
    }

    fn request(method: &str, target: &str, headers: &[(&str, &str)]) -> Request<Body> {
        let request = Request::builder().method(method).uri(target);
        let add = |request: Builder, (name, value): &(&str, &str)| request.header(*name, *value);
        headers.iter().fold(request, add).body(Body::empty()).unwrap()
    }

    fn is_accepted(listen: &str, method: &str, headers: &[(&str, &str)]) -> bool {
        check(&config(listen), &request(method, "/play", headers)).is_ok()
    }

    #[test]
    fn an_origin_is_a_scheme_and_a_host() {
        for (url, origin) in [
            ("https://hill.example.org", "https://hill.example.org"),
            ("https://Hill.example.org/", "https://hill.example.org"),
            ("http://[2001:db8::1]:8017", "http://[2001:db8::1]:8017"),
        ] {
            assert_eq!(parse_origin(url).as_deref(), Ok(origin));
        }
        for url in [
            "",
            "hill.example.org",
            "javascript:1",
            "ftp://hill.example.org",
            "https://",
            "https://u:p@hill.example.org",
            "https://hill.example.org/path",
            "https://hill.example.org//",
            "https://\"><script>",
        ] {
            assert!(parse_origin(url).is_err(), "{url}");
        }
    }

    #[test]
    fn a_request_names_one_host() {
        let check = |target: &str, hosts: &[&str]| {
            let headers: Vec<_> = hosts.iter().map(|host| ("host", *host)).collect();
            check(&config("0.0.0.0:80"), &request("GET", target, &headers))
        };
        let own = "hill.example.net";
        for (target, host) in [
            ("/", own),
            ("/", "hill.example.net:8080"),
            ("/", "[2001:db8::1]:80"),
            ("http://hill.example.net/play", "HILL.example.net"),
            ("http://hill.example.net:80/play", own),
            ("https://hill.example.net/play", "hill.example.net:443"),
        ] {
            assert_eq!(check(target, &[host]), Ok(()), "{target} {host}");
        }
        for (target, hosts) in [
            ("/", vec![]),
            ("http://hill.example.net/", vec![]),
            ("/", vec![own, own]),
            ("/", vec![own, "evil.org"]),
            ("/", vec![""]),
            ("/", vec![":80"]),
            ("/", vec!["me@hill.example.net"]),
            ("/", vec!["me@hill.example.net:80"]),
            ("/", vec!["hill.example.net:none"]),
            ("/", vec!["hill.example.net:99999"]),
            ("/", vec!["hill.example.net, evil.org"]),
            ("/", vec!["hill.example.net/"]),
            ("http://evil.org/", vec![own]),
            ("http://hill.example.net:81/", vec![own]),
            ("https://hill.example.net/", vec!["hill.example.net:80"]),
            ("http://me@hill.example.net/", vec![own]),
        ] {
            assert!(
                matches!(check(target, &hosts), Err(Problem::BadRequest(_))),
                "{target} {hosts:?}"
            );
        }
    }

    #[test]
    fn https_is_known_by_the_page_or_the_configured_origin() {
        let is_secure = |headers: &[(&str, &str)]| {
            is_secure(&config("127.0.0.1:9"), request("POST", "/play", headers).headers())
        };
        let [own, local] = [("host", "hill.example.org"), ("host", "localhost:9")];
        assert!(is_secure(&[own]) && is_secure(&[own, ("origin", "null")]));
        assert!(is_secure(&[("host", "HILL.example.org"), ("origin", "https://hill.example.org")]));
        assert!(is_secure(&[local, ("origin", "https://localhost:9")]));
        assert!(!is_secure(&[local]) && !is_secure(&[own, ("origin", "http://hill.example.org")]));
        assert!(!is_secure(&[local, ("x-forwarded-proto", "https"), ("x-forwarded-host", own.1)]));
    }

    #[test]
    fn the_address_in_texts_is_that_of_the_client() {
        let shown = |host: &str| {
            let request = request("GET", "/", &[("host", host)]);
            shown_origin(&config("127.0.0.1:9"), request.headers())
        };
        assert_eq!(shown("hill.example.org"), "https://hill.example.org");
        assert_eq!(shown("localhost:9"), "http://localhost:9");
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
            &[("origin", "http://hill.example.net:8080"), ("origin", "https://evil.org")],
            &[("sec-fetch-site", "same-origin"), ("sec-fetch-site", "cross-site")],
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
    fn only_own_pages_may_begin_a_web_socket() {
        let [host, upgrade] = [("host", "hill.example.net"), ("upgrade", "websocket")];
        let get = |headers: &[(&str, &str)]| {
            is_accepted("0.0.0.0:80", "GET", &[&[host, upgrade], headers].concat())
        };
        assert!(get(&[]) && get(&[("origin", "https://hill.example.net")]));
        assert!(get(&[("origin", "https://hill.example.org")]));
        assert!(!get(&[("origin", "https://evil.org")]) && !get(&[("origin", "null")]));
        assert!(!get(&[("sec-fetch-site", "cross-site")]));
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
