-- The store of a hill, version 1. `protocol/store.md` describes it for readers.

CREATE TABLE hill (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    name       TEXT NOT NULL,
    game       TEXT NOT NULL,
    rules      TEXT NOT NULL,
    format     TEXT NOT NULL,
    seats      INTEGER,
    challenger TEXT,
    games      INTEGER NOT NULL,
    memory     TEXT NOT NULL,
    start_ms   INTEGER NOT NULL,
    move_ms    INTEGER NOT NULL,
    memory_mb  INTEGER NOT NULL,
    seed       TEXT,
    created    INTEGER NOT NULL
) STRICT;

CREATE TABLE entrant (
    id      INTEGER PRIMARY KEY,
    name    TEXT NOT NULL UNIQUE,
    added   INTEGER NOT NULL,
    removed INTEGER
) STRICT;

CREATE TABLE version (
    id       INTEGER PRIMARY KEY,
    entrant  INTEGER NOT NULL REFERENCES entrant (id),
    number   INTEGER NOT NULL,
    identity TEXT NOT NULL,
    source   TEXT NOT NULL,
    author   TEXT,
    url      TEXT,
    votes    INTEGER,
    added    INTEGER NOT NULL,
    UNIQUE (entrant, number)
) STRICT;

CREATE TABLE file (
    hash    TEXT PRIMARY KEY,
    content BLOB NOT NULL
) STRICT;

CREATE TABLE version_file (
    version    INTEGER NOT NULL REFERENCES version (id),
    path       TEXT NOT NULL,
    executable INTEGER NOT NULL,
    file       TEXT NOT NULL REFERENCES file (hash),
    PRIMARY KEY (version, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE run (
    id      INTEGER PRIMARY KEY,
    header  TEXT NOT NULL,
    moves   INTEGER NOT NULL,
    begun   INTEGER NOT NULL,
    ended   INTEGER,
    records TEXT,
    result  TEXT,
    seal    TEXT
) STRICT;

CREATE TABLE run_bot (
    run     INTEGER NOT NULL REFERENCES run (id),
    place   INTEGER NOT NULL,
    name    TEXT NOT NULL,
    version INTEGER REFERENCES version (id),
    PRIMARY KEY (run, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE bar (
    run    INTEGER NOT NULL REFERENCES run (id),
    number INTEGER NOT NULL,
    bar    TEXT NOT NULL,
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE page (
    id      INTEGER PRIMARY KEY,
    run     INTEGER NOT NULL REFERENCES run (id),
    attempt INTEGER NOT NULL,
    first   INTEGER NOT NULL,
    last    INTEGER NOT NULL,
    games   TEXT NOT NULL,
    times   TEXT,
    checks  BLOB NOT NULL,
    hash    BLOB NOT NULL,
    UNIQUE (run, attempt, first)
) STRICT;

CREATE TABLE failure (
    run     INTEGER NOT NULL REFERENCES run (id),
    attempt INTEGER NOT NULL,
    game    INTEGER NOT NULL,
    number  INTEGER NOT NULL,
    bot     TEXT NOT NULL,
    reason  TEXT NOT NULL,
    detail  TEXT NOT NULL,
    request TEXT NOT NULL,
    log     TEXT NOT NULL,
    PRIMARY KEY (run, attempt, game, number)
) STRICT, WITHOUT ROWID;

-- Secrets of committed runs; `run` is the run that used the secret.
CREATE TABLE commitment (
    id          INTEGER PRIMARY KEY,
    hash        TEXT NOT NULL UNIQUE,
    secret      TEXT NOT NULL,
    nonce       TEXT NOT NULL,
    made        INTEGER NOT NULL,
    run         INTEGER UNIQUE REFERENCES run (id),
    public_text TEXT
) STRICT;

-- The games that count, one in each row: those after the run's last bar.
CREATE VIEW game AS
SELECT page.run AS run,
       json_extract(line.value, '$.game') AS game,
       json_extract(line.value, '$.table') AS "table",
       json_array_length(line.value, '$.seats') AS seats,
       coalesce(json_extract(line.value, '$.void'), 0) AS void,
       json_extract(line.value, '$.moves') AS moves,
       line.value AS line
FROM page, json_each(page.games) AS line
WHERE page.attempt = (SELECT count(*) FROM bar WHERE bar.run = page.run);

-- Their seats, one in each row. Figures that the hill's game does not have are null, and so are loss and variance of games
-- that were not appraised.
CREATE VIEW seat AS
SELECT game.run AS run,
       game.game AS game,
       result.key AS seat,
       json_extract(game.line, '$.seats[' || result.key || ']') AS bot,
       json_extract(result.value, '$.points') AS points,
       json_extract(result.value, '$.won') AS won,
       json_extract(result.value, '$.score') AS score,
       json_extract(result.value, '$.turns') AS turns,
       json_extract(result.value, '$.calls') AS calls,
       json_extract(result.value, '$.dice_gained') AS dice_gained,
       json_extract(result.value, '$.loss') AS loss,
       json_extract(result.value, '$.variance') AS variance
FROM game, json_each(game.line, '$.results') AS result;

-- Answer times of external bots, one seat of one game in each row.
CREATE VIEW answer_time AS
SELECT page.run AS run,
       page.first + time.key AS game,
       seat.key AS seat,
       json_extract(seat.value, '$[0]') AS answers,
       json_extract(seat.value, '$[1]') AS total_us,
       json_extract(seat.value, '$[2]') AS longest_us
FROM page, json_each(page.times) AS time, json_each(time.value) AS seat
WHERE page.times IS NOT NULL AND seat.type = 'array'
  AND page.attempt = (SELECT count(*) FROM bar WHERE bar.run = page.run);
