-- What was done in a session, as far as gates care; made of its events, so it can be made anew.
CREATE TABLE works (
    session INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    body TEXT NOT NULL
) STRICT;
