//! The address of a hill on a server.

use std::str::FromStr;

/// The address of a hill on a server, such as `https://hill.example.org/hills/spring`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HillUrl {
    /// The scheme, host and port.
    origin: String,
    /// The hill's name in addresses.
    hill: String,
    /// The run whose page it is.
    run: Option<i64>,
}

impl FromStr for HillUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let form =
            || "must be the address of a hill, such as https://hill.example.org/hills/spring";
        let (scheme, rest) = text.split_once("://").ok_or_else(form)?;
        let (authority, path) = rest.split_once('/').ok_or_else(form)?;
        let path = path.strip_prefix("hills/").ok_or_else(form)?;
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let (hill, page) = path.split_once('/').unwrap_or((path, ""));
        let run = page.strip_prefix("runs/").and_then(|run| run.split('/').next());
        let run = run.map(str::parse).transpose();
        let run = run.map_err(|_| format!("{page}: the runs of a hill are numbered from 1"))?;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~%".contains(&byte);
        if hill.is_empty() || !hill.bytes().all(is_plain) {
            return Err(form().to_owned());
        }
        let origin = dicehill_web::parse_origin(&format!("{scheme}://{authority}"));
        Ok(Self { origin: origin.map_err(|_| form())?, hill: hill.to_owned(), run })
    }
}

impl HillUrl {
    /// The hill's name in addresses.
    pub(crate) fn hill(&self) -> &str {
        &self.hill
    }

    /// The run whose page it is, if it is that of a run.
    pub(crate) const fn run(&self) -> Option<i64> {
        self.run
    }

    /// The address of something of the hill in the API.
    pub(super) fn api(&self, path: &str) -> String {
        format!("{}/api/v1/hills/{}/{path}", self.origin, self.hill)
    }

    /// The address of something of the hill in the API, for a WebSocket.
    pub(super) fn socket(&self, path: &str) -> String {
        // `http` becomes `ws`, and `https` becomes `wss`.
        self.api(path).replacen("http", "ws", 1)
    }

    /// The address of a page of the hill.
    pub(crate) fn page(&self, path: &str) -> String {
        format!("{}/hills/{}/{path}", self.origin, self.hill)
    }

    /// Whether others on the network can read what is sent.
    pub(crate) fn is_readable_on_the_way(&self) -> bool {
        let Some(rest) = self.origin.strip_prefix("http://") else { return false };
        let local = ["localhost", "127.0.0.1", "[::1]"];
        !local.iter().any(|host| {
            rest.strip_prefix(host).is_some_and(|port| port.is_empty() || port.starts_with(':'))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_server_and_a_hill() {
        for text in [
            "https://hill.example.org/hills/spring",
            "https://hill.example.org/hills/spring/enter",
            "HTTPS://hill.example.org/hills/spring?x#y",
        ] {
            let url: HillUrl = text.to_lowercase().parse().unwrap();
            assert_eq!(url.api("entries"), "https://hill.example.org/api/v1/hills/spring/entries");
            assert!(!url.is_readable_on_the_way());
            assert_eq!(url.socket("x"), "wss://hill.example.org/api/v1/hills/spring/x");
        }
        for text in [
            "",
            "spring",
            "https://hill.example.org",
            "https://hill.example.org/spring",
            "https://hill.example.org/hills/",
            "https://user@hill.example.org/hills/spring",
            "ftp://hill.example.org/hills/spring",
            "https://hill.example.org/hills/spr ing",
        ] {
            assert!(text.parse::<HillUrl>().is_err(), "{text}");
        }
        let run = |page: &str| {
            let url = format!("https://hill.example.org/hills/spring/{page}").parse::<HillUrl>();
            url.map(|url| url.run())
        };
        assert_eq!(
            [run("runs/12"), run("runs/3/games/7"), run("enter")],
            [Ok(Some(12)), Ok(Some(3)), Ok(None)]
        );
        assert!(
            run("runs/last").is_err_and(|why| why.starts_with("runs/last: the runs of a hill"))
        );
        let is_readable = |text: &str| text.parse::<HillUrl>().unwrap().is_readable_on_the_way();
        assert!(!is_readable("http://127.0.0.1:8017/hills/h"));
        assert!(
            is_readable("http://127.0.0.1.evil.org/hills/h") && is_readable("http://a/hills/h")
        );
    }
}
