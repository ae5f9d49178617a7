-- A memory that holds in every project.
ALTER TABLE memories ADD COLUMN global INTEGER NOT NULL DEFAULT 0;
CREATE INDEX memories_everywhere ON memories (claim) WHERE global = 1;

-- When the conversation of a session was last compacted or cleared.
ALTER TABLE sessions ADD COLUMN lost_at INTEGER;

-- What was put before an agent, once in a session, and whether it made use of it. Code and commits
-- have a name and are no memory: nobody asks whether they were used.
CREATE TABLE shown (
    session INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    memory TEXT REFERENCES memories (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    used INTEGER,
    PRIMARY KEY (session, name)
) STRICT, WITHOUT ROWID;
