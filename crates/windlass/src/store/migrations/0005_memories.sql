-- What was learned: candidates, memories and tombstones, told apart by their state. Of one that was
-- rejected the claim stays and none of its words. The session is a name: sessions are pruned,
-- memories are not.
CREATE TABLE memories (
    id TEXT PRIMARY KEY,
    project INTEGER REFERENCES projects (id) ON DELETE SET NULL,
    session TEXT,
    state TEXT NOT NULL,
    category TEXT NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    -- Fields, tags and files.
    body TEXT NOT NULL,
    origin TEXT NOT NULL,
    trust TEXT NOT NULL,
    claim INTEGER NOT NULL,
    confidence INTEGER,
    strong INTEGER NOT NULL,
    made_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    superseded_by TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX memories_by_claim ON memories (project, claim);
-- The latest are compared with what is new, and offered: however many there are, few are looked at,
-- and by what the index has beside the time none of their rows is read in vain.
CREATE INDEX memories_by_time ON memories (project, changed_at, state, category, strong)
    WHERE state <> 'rejected';
CREATE INDEX memories_of_session ON memories (session, state) WHERE session IS NOT NULL;

-- What was done with each, and what became other in it.
CREATE TABLE memory_changes (
    memory TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (memory, number)
) STRICT, WITHOUT ROWID;
