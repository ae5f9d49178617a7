-- Who started a loop or a hold: `user` or `agent`, and the name of the session of the agent.
ALTER TABLE loops ADD COLUMN author TEXT NOT NULL DEFAULT 'user';
ALTER TABLE loops ADD COLUMN author_session TEXT;

-- The process of the client that last began a session or took a prompt in it, when that process
-- was started in ticks of the system's clock, and when it reported to us. An agent that runs a
-- command is the agent of a session whose client is above the command.
ALTER TABLE sessions ADD COLUMN client_pid INTEGER;
ALTER TABLE sessions ADD COLUMN client_start INTEGER;
ALTER TABLE sessions ADD COLUMN client_at INTEGER;
CREATE INDEX sessions_of_client ON sessions (client_pid) WHERE client_pid IS NOT NULL;
