//! Pictures for other sites, and how much script a page loads.

use crate::support::Served;

/// The most compressed bytes of a page's scripts.
const MOST_SCRIPT: usize = 60_000;

#[test]
fn pictures_may_be_embedded_and_cached() {
    let served = Served::new();
    for (path, kind) in [
        ("/preview.png", "image/png"),
        ("/hills/spring/preview.png", "image/png"),
        ("/hills/spring/runs/1/preview.png", "image/png"),
        ("/hills/spring/runs/1/bots/greedy/preview.png", "image/png"),
        ("/hills/dice/runs/1/games/3/preview.png", "image/png"),
        ("/hills/spring/bots/greedy/badge.svg", "image/svg+xml"),
        ("/hills/spring/bots/greedy/rank.svg", "image/svg+xml"),
    ] {
        let answer = served.get(path);
        assert_eq!(answer.status(), 200, "{path}");
        assert_eq!(answer.header("content-type"), Some(kind), "{path}");
        assert_eq!(answer.header("cache-control"), Some("public, max-age=60"), "{path}");
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("cross-origin"), "{path}");
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(
            policy.starts_with("default-src 'none'") && policy.ends_with("sandbox"),
            "{policy}"
        );
        let tag = answer.header("etag").expect("a tag").to_owned();
        let again = served.ask("GET", path, &format!("If-None-Match: {tag}\r\n"));
        assert_eq!(again.status(), 304, "{path}");
        assert_eq!(again.header("cross-origin-resource-policy"), Some("cross-origin"), "{path}");
    }
    for path in [
        "/hills/nobody/preview.png",
        "/hills/spring/bots/nobody/badge.svg",
        "/hills/spring/runs/1/games/999/preview.png",
        "/hills/spring/runs/1/bots/%3Cscript%3E/preview.png",
    ] {
        let answer = served.get(path);
        assert_eq!(answer.status(), 404, "{path}");
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"), "{path}");
    }
}

#[test]
fn the_scripts_of_a_page_are_small() {
    let served = Served::new();
    for path in [
        "/",
        "/hills/spring",
        "/hills/spring/runs/1",
        "/hills/spring/runs/1/bots/greedy",
        "/hills/spring/runs/1/games/1",
        "/hills/dice/runs/1/games/1",
        "/hills/spring/runs/1/head-to-head",
        "/play",
    ] {
        let page = served.get(path);
        let scripts = page.body().split("<script src=\"").skip(1);
        let mut bytes = 0usize;
        for address in scripts.map(|rest| rest.split('"').next().unwrap_or_default()) {
            let script = served.ask("GET", address, "Accept-Encoding: gzip\r\n");
            assert_eq!(script.header("content-encoding"), Some("gzip"), "{address}");
            let length = script.header("content-length").and_then(|length| length.parse().ok());
            bytes += length.unwrap_or(usize::MAX);
        }
        assert!(bytes < MOST_SCRIPT, "{path}: {bytes}");
    }
}
