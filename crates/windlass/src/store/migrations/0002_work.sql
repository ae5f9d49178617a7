-- What was done in a session, as far as gates care: made of its events, of what a look at the
-- working tree found, and of what was asked.
CREATE TABLE works (
    session INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    body TEXT NOT NULL
) STRICT;
