import type { DatabaseKind } from "@kumiko/sqlite";

/**
 * The file of one session. `batch` is the journal, one row an append; everything else belongs to it: contents that
 * entries name, questions with their answers, and what was posted from outside.
 */
export const sessionKind: DatabaseKind = {
  applicationId: 0x4b4d4b53,
  name: "session file",
  migrations: [
    `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
     CREATE TABLE batch (
       first_seq INTEGER PRIMARY KEY,
       last_seq INTEGER NOT NULL,
       epoch INTEGER NOT NULL,
       time INTEGER NOT NULL,
       crc INTEGER NOT NULL,
       entries TEXT NOT NULL
     );
     CREATE TABLE blob (digest TEXT PRIMARY KEY, bytes BLOB NOT NULL);
     CREATE TABLE question (
       id TEXT PRIMARY KEY,
       run_id TEXT NOT NULL,
       body TEXT NOT NULL,
       expires_at INTEGER,
       answer TEXT,
       is_withdrawn INTEGER NOT NULL DEFAULT 0
     );
     CREATE INDEX question_open ON question (run_id) WHERE answer IS NULL AND is_withdrawn = 0;
     CREATE TABLE inbox (
       ticket INTEGER PRIMARY KEY AUTOINCREMENT,
       lane TEXT NOT NULL,
       time INTEGER NOT NULL,
       item TEXT NOT NULL,
       is_taken INTEGER NOT NULL DEFAULT 0
     );
     CREATE INDEX inbox_waiting ON inbox (lane, ticket) WHERE is_taken = 0;`,
  ],
};
