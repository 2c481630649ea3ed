-- Version 2 adds tokens, which allow uploads, and entries, which are uploaded bots.

-- Tokens that the host has created; only their hashes are stored.
CREATE TABLE token (
    id      INTEGER PRIMARY KEY,
    name    TEXT,
    hash    TEXT NOT NULL UNIQUE,
    made    INTEGER NOT NULL,
    expires INTEGER,
    uses    INTEGER,
    used    INTEGER NOT NULL DEFAULT 0,
    revoked INTEGER
) STRICT;

CREATE TABLE entry (
    id       INTEGER PRIMARY KEY,
    token    INTEGER NOT NULL REFERENCES token (id),
    bot      TEXT NOT NULL,
    received INTEGER NOT NULL,
    state    TEXT NOT NULL,
    report   TEXT NOT NULL,
    run      INTEGER REFERENCES run (id)
) STRICT;
