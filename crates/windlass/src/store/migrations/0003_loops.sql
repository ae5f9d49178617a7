-- Loops and holds: what the user wants the agent to go on with. One without a session waits for
-- the next one of its project.
CREATE TABLE loops (
    id INTEGER PRIMARY KEY,
    project INTEGER REFERENCES projects (id) ON DELETE CASCADE,
    session INTEGER REFERENCES sessions (id) ON DELETE CASCADE,
    task TEXT NOT NULL,
    -- `passes` and `seen` have a command, `released` has none: it is a hold.
    until TEXT NOT NULL,
    command TEXT,
    max_rounds INTEGER NOT NULL,
    max_minutes INTEGER,
    max_tokens INTEGER,
    -- How often it may meet the same failure in a row; 0 is as often as it comes.
    max_failures INTEGER NOT NULL DEFAULT 0,
    -- How often the command must pass in a row at one stop.
    times INTEGER NOT NULL DEFAULT 1,
    -- The scripts of the command as the user gave them, and the calls of the session by then.
    scripts TEXT NOT NULL DEFAULT '[]',
    trusted_step INTEGER NOT NULL DEFAULT 0,
    made_at INTEGER NOT NULL,
    begun_at INTEGER,
    begun_tokens INTEGER NOT NULL DEFAULT 0,
    begun_step INTEGER NOT NULL DEFAULT 0,
    rounds INTEGER NOT NULL DEFAULT 0,
    idle INTEGER NOT NULL DEFAULT 0,
    -- The failure that it met last, as a number made of its words, and how often in a row.
    failure INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0,
    ended_at INTEGER,
    end TEXT,
    why TEXT
) STRICT;
CREATE INDEX loops_of_session ON loops (session);
CREATE INDEX loops_of_project ON loops (project);

-- What was seen of a loop at each stop of its session.
CREATE TABLE iterations (
    loop INTEGER REFERENCES loops (id) ON DELETE CASCADE,
    number INTEGER,
    at INTEGER NOT NULL,
    result TEXT NOT NULL,
    exit INTEGER,
    detail TEXT,
    PRIMARY KEY (loop, number)
) STRICT, WITHOUT ROWID;
