-- The ledger. Ids of the agent are names here; ids are ours. Times are milliseconds since 1970. What is
-- a part of the key of a table without rowids is never NULL, and does not say so: every hook reads this.

CREATE TABLE projects (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    remote TEXT,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL
) STRICT;

-- Where a project was seen: the common directory of a repository, or a plain directory. Two
-- projects may have stood at one path, one after the other.
CREATE TABLE places (
    path TEXT,
    project INTEGER REFERENCES projects (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    device INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    born INTEGER,
    remote TEXT,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (path, project)
) STRICT, WITHOUT ROWID;

-- To which project a working directory belonged when it was last looked at. It answers for
-- directories that are gone.
CREATE TABLE directories (
    path TEXT PRIMARY KEY,
    project INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    project INTEGER REFERENCES projects (id) ON DELETE SET NULL,
    cwd TEXT,
    model TEXT,
    -- How it began, and how it was last taken up.
    source TEXT,
    resumed TEXT,
    started_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    ended_at INTEGER,
    end_reason TEXT,
    -- Days that its events are kept, where its project asks for fewer than the user does.
    keep_days INTEGER
) STRICT;

CREATE TABLE agents (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    role TEXT,
    started_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    stopped_at INTEGER,
    UNIQUE (session, name)
) STRICT;

-- One row for each frame of a journal, with the frame's own words.
CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    -- One of its session, and gone with it: to keep that as a rule here, every event would have to
    -- be looked at whenever an agent goes.
    agent INTEGER,
    project INTEGER REFERENCES projects (id) ON DELETE SET NULL,
    prompt TEXT,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    -- Bytes of the event as the agent sent it, and microseconds that the answer and each of its
    -- steps took.
    bytes INTEGER NOT NULL,
    took_us INTEGER,
    steps TEXT,
    -- Where its frame ended in the journal.
    frame_end INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE INDEX events_of_session ON events (session);

-- Tool calls that ended. A result is what the agent was told, until the transcript says more.
CREATE TABLE calls (
    event INTEGER PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
    name TEXT,
    tool TEXT NOT NULL,
    tool_name TEXT NOT NULL,
    -- What it ran: the evidence.
    command TEXT,
    result TEXT NOT NULL,
    exit INTEGER,
    took_ms INTEGER
) STRICT;

-- Calls that the transcript flags as failed and that are not folded yet.
CREATE TABLE failed_calls (
    session INTEGER REFERENCES sessions (id) ON DELETE CASCADE,
    name TEXT,
    PRIMARY KEY (session, name)
) STRICT, WITHOUT ROWID;

-- Files that a call changed.
CREATE TABLE edits (
    event INTEGER REFERENCES events (id) ON DELETE CASCADE,
    file TEXT,
    PRIMARY KEY (event, file)
) STRICT, WITHOUT ROWID;

-- What windlass answered to an event. `rules` lists who spoke.
CREATE TABLE decisions (
    event INTEGER PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
    verdict TEXT NOT NULL,
    asked TEXT,
    context TEXT,
    notice TEXT,
    rules TEXT NOT NULL
) STRICT;

-- How far a transcript was read, and what stood in it.
CREATE TABLE transcripts (
    session INTEGER REFERENCES sessions (id) ON DELETE CASCADE,
    agent TEXT,
    path TEXT,
    read_to INTEGER NOT NULL,
    mark INTEGER NOT NULL,
    last_message INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    corrupt INTEGER NOT NULL,
    prompts INTEGER NOT NULL,
    said INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    hook_feedback INTEGER NOT NULL,
    task_notifications INTEGER NOT NULL,
    compactions INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    PRIMARY KEY (session, agent, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE failures (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    doing TEXT NOT NULL,
    error TEXT NOT NULL
) STRICT;
CREATE INDEX failures_by_time ON failures (at);

-- How far each file of the journal was folded. The mark tells whether it is still as it was left;
-- if not it is folded again, and up to one place its frames may be known.
CREATE TABLE journals (
    name TEXT PRIMARY KEY,
    folded_to INTEGER NOT NULL,
    mark INTEGER NOT NULL,
    known_to INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What is left of events that are older than the ledger keeps them: counts by day, and how many
-- answers fell into each bucket of latency.
CREATE TABLE counters (
    day INTEGER,
    name TEXT,
    value INTEGER NOT NULL,
    PRIMARY KEY (day, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE latencies (
    day INTEGER,
    kind TEXT,
    bucket INTEGER,
    count INTEGER NOT NULL,
    PRIMARY KEY (day, kind, bucket)
) STRICT, WITHOUT ROWID;

-- Single values: when the ledger was last pruned, since when the clock is in doubt.
CREATE TABLE marks (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
