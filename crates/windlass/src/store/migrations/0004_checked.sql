-- What came of checks, so that one that passed is not run again on the same files. The key is a
-- hash of the check and of what it saw. Everything here can be found out again.
CREATE TABLE checked (
    key TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    result TEXT NOT NULL,
    exit INTEGER,
    detail TEXT NOT NULL,
    ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
