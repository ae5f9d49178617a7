-- A memory that holds in every project.
ALTER TABLE memories ADD COLUMN global INTEGER NOT NULL DEFAULT 0;
-- They are few: whoever looks for one of them looks at all.
CREATE INDEX memories_everywhere ON memories (changed_at, state) WHERE global = 1;

-- When the conversation of a session was last compacted or cleared.
ALTER TABLE sessions ADD COLUMN lost_at INTEGER;

-- What was put before an agent, once in a session, and whether it made use of it. Code and commits
-- have a name and are no memory: nobody asks whether they were used.
CREATE TABLE shown (
    session INTEGER REFERENCES sessions (id) ON DELETE CASCADE,
    name TEXT,
    memory TEXT REFERENCES memories (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    used INTEGER,
    PRIMARY KEY (session, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX shown_of_memory ON shown (memory) WHERE memory IS NOT NULL;
-- The latest of a session, however much it was shown.
CREATE INDEX shown_latest ON shown (session, at);

-- What an index of memories has not seen yet is read beside it by every prompt, however many
-- candidates came since, and the latest are compared with what is new. A hook writes candidates only,
-- so it does not write to this.
CREATE INDEX memories_settled ON memories (project, changed_at, state)
    WHERE state NOT IN ('candidate', 'expired', 'rejected');

-- What the last sessions of a project were about: one entry for each session that did much, written
-- when it ends or is compacted.
CREATE INDEX memories_summaries ON memories (project, made_at, state, session)
    WHERE category = 'session-summary';
