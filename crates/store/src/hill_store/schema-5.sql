-- Version 5 adds what a hill needs to run by itself: settings for entries, the files that wait in its queue, the roles of
-- tokens, and a log of the host's actions.

-- Settings for entries and for the times of runs, by their keys. A key without a row has its default.
CREATE TABLE setting (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- An uploaded file, until its bot is on the hill or its entry has another final state.
CREATE TABLE upload (
    entry     INTEGER PRIMARY KEY REFERENCES entry (id),
    file_name TEXT NOT NULL,
    name      TEXT,
    content   BLOB NOT NULL
) STRICT;

-- The number of the entry whose place in the queue this one has taken; null: its own.
ALTER TABLE entry ADD COLUMN place INTEGER;
-- How often a qualification of the bot has begun, and how long the last one took.
ALTER TABLE entry ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entry ADD COLUMN check_ms INTEGER;
-- Whether the host has hidden it from visitors.
ALTER TABLE entry ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;

-- Whether the queue plays the run, and resumes it after a restart.
ALTER TABLE run ADD COLUMN queued INTEGER NOT NULL DEFAULT 0;

-- `author` or `host`.
ALTER TABLE token ADD COLUMN role TEXT NOT NULL DEFAULT 'author';

-- What hosts have done, each action in one row. Rows are only added.
CREATE TABLE action (
    id     INTEGER PRIMARY KEY,
    at     INTEGER NOT NULL,
    host   TEXT NOT NULL,
    token  INTEGER REFERENCES token (id),
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    detail TEXT NOT NULL
) STRICT;

CREATE TRIGGER action_is_not_changed BEFORE UPDATE ON action
BEGIN
    SELECT raise(ABORT, 'the log of actions is not changed');
END;

CREATE TRIGGER action_is_not_removed BEFORE DELETE ON action
BEGIN
    SELECT raise(ABORT, 'the log of actions is not changed');
END;
