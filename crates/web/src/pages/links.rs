//! Addresses of pages: paths of a server, or names of files in one folder.

/// How pages address each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links<'a> {
    /// Paths of a server, for a run of a hill.
    Server {
        /// The hill's name in addresses.
        hill: &'a str,
        /// The run; `None` for the last.
        run: Option<i64>,
    },
    /// Files in one folder, for one run.
    Files,
}

impl Links<'_> {
    /// The links of another run of the hill; files have only one run.
    pub(crate) const fn of_run(self, run: i64) -> Self {
        match self {
            Self::Server { hill, .. } => Self::Server { hill, run: Some(run) },
            Self::Files => Self::Files,
        }
    }

    /// The page with the board.
    pub(crate) fn board(self) -> String {
        match self {
            Self::Server { hill, run: None } => format!("/hills/{hill}"),
            Self::Server { hill, run: Some(run) } => format!("/hills/{hill}/runs/{run}"),
            Self::Files => "index.html".to_owned(),
        }
    }

    /// The page of a bot; `place` is its place in the run's header, from 0.
    pub(crate) fn bot(self, place: usize, name: &str) -> String {
        match self {
            Self::Server { .. } => format!("{}/bots/{}", self.board(), escaped(name)),
            Self::Files => format!("bot-{}.html", place + 1),
        }
    }

    /// The badge of a bot, and the picture of its rank.
    pub(crate) fn pictures(self, place: usize, name: &str) -> [String; 2] {
        let of = |kind: &str| match self {
            Self::Server { hill, .. } => format!("/hills/{hill}/bots/{}/{kind}.svg", escaped(name)),
            Self::Files => format!("bot-{}-{kind}.svg", place + 1),
        };
        [of("badge"), of("rank")]
    }

    /// The page of a game.
    pub(crate) fn game(self, game: u64) -> String {
        match self {
            Self::Server { .. } => format!("{}/games/{game}", self.board()),
            Self::Files => format!("game-{game}.html"),
        }
    }

    /// The list of a run's games, or only of those of one bot. Files have no such list: they link to the board.
    pub(crate) fn games(self, bot: Option<&str>) -> String {
        let bot = bot.map_or_else(String::new, |bot| format!("?bot={}", escaped(bot)));
        match self {
            Self::Server { .. } => format!("{}/games{bot}", self.board()),
            Self::Files => self.board(),
        }
    }

    /// The page of the game in which bar `number` occurred, from 1.
    pub(crate) fn bar(self, number: usize) -> String {
        match self {
            Self::Server { .. } => format!("{}/bars/{number}", self.board()),
            Self::Files => format!("barred-{number}.html"),
        }
    }

    /// The page of all pairs.
    pub(crate) fn head_to_head(self) -> String {
        match self {
            Self::Server { .. } => format!("{}/head-to-head", self.board()),
            Self::Files => "head-to-head.html".to_owned(),
        }
    }

    /// A style sheet, a script or a picture.
    pub(crate) fn asset(self, name: &str) -> String {
        match self {
            Self::Server { .. } => super::assets::address(name),
            Self::Files => name.to_owned(),
        }
    }
}

/// A text as a segment of a path: everything except letters, digits, `-`, `_` and `~` as `%XX`. Dots are escaped too,
/// because `.` and `..` mean folders.
pub(crate) fn escaped(text: &str) -> String {
    let mut path = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'~' => path.push(byte as char),
            _ => path.push_str(&format!("%{byte:02X}")),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_leave_its_path_segment() {
        assert_eq!(escaped("../a b/ä\"<"), "%2E%2E%2Fa%20b%2F%C3%A4%22%3C");
        let links = Links::Server { hill: "spring", run: Some(3) };
        assert_eq!(links.bot(0, "a/b"), "/hills/spring/runs/3/bots/a%2Fb");
        assert_eq!(Links::Files.bot(0, "a/b"), "bot-1.html");
        assert_eq!(links.games(Some("a&b")), "/hills/spring/runs/3/games?bot=a%26b");
    }
}
