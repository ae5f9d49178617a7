-- A memory that holds in every project.
ALTER TABLE memories ADD COLUMN global INTEGER NOT NULL DEFAULT 0;

-- What was put before an agent, once in a session, and whether it made use of it.
CREATE TABLE shown (
    session INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    memory TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    used INTEGER,
    PRIMARY KEY (session, memory)
) STRICT, WITHOUT ROWID;
