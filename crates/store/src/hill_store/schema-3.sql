-- Version 3 adds limits of games and runs, whether external bots play without a secret, and what the host asks of a run in progress.

ALTER TABLE hill ADD COLUMN game_ms INTEGER;
ALTER TABLE hill ADD COLUMN run_ms INTEGER;
ALTER TABLE hill ADD COLUMN open_seed INTEGER NOT NULL DEFAULT 0;

-- How often the host has asked the process that plays to stop.
ALTER TABLE hill ADD COLUMN stops INTEGER NOT NULL DEFAULT 0;

-- When the host barred the entrant; null once it is added again.
ALTER TABLE entrant ADD COLUMN barred INTEGER;
