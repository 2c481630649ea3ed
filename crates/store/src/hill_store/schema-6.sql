-- Version 6 adds which workers have played the games of a page.

-- A JSON array of ranges: the first game, the last game, and the name of the machine, or null for the one that records the run.
-- Null if no worker has played any of the page's games.
ALTER TABLE page ADD COLUMN machines TEXT;
