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
-- The latest strong candidates are offered: however much else there is, few are looked at.
CREATE INDEX memories_unsettled ON memories (project, strong, changed_at) WHERE state = 'candidate';
CREATE INDEX memories_of_session ON memories (session, state) WHERE session IS NOT NULL;

-- What was done with each, and what became other in it.
CREATE TABLE memory_changes (
    memory TEXT REFERENCES memories (id) ON DELETE CASCADE,
    number INTEGER,
    at INTEGER NOT NULL,
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (memory, number)
) STRICT, WITHOUT ROWID;
