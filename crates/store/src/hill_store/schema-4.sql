-- Version 4 adds the most remarkable games of each run: a JSON array, or null if they were not looked for.

ALTER TABLE run ADD COLUMN highlights TEXT;
