// The schema of the file. A migration that has shipped never changes; a new one follows it.

/** Entry n migrates a file from version n to n + 1; `PRAGMA user_version` holds its version. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE history (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    time INTEGER NOT NULL,
    command TEXT NOT NULL,
    conversation TEXT NOT NULL,
    target TEXT NOT NULL,
    nick TEXT NOT NULL,
    mask TEXT NOT NULL,
    account TEXT,
    is_bot INTEGER NOT NULL,
    text TEXT NOT NULL,
    tags TEXT NOT NULL,
    delivery TEXT
  ) STRICT;
  CREATE INDEX history_by_conversation ON history (conversation, seq);

  CREATE TABLE deliveries (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    bot TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    key TEXT,
    body_hash TEXT,
    event TEXT,
    status TEXT NOT NULL CHECK (status IN ('posted', 'skipped', 'failed', 'pending')),
    finished_at INTEGER,
    channels TEXT NOT NULL DEFAULT '[]',
    attempts INTEGER NOT NULL DEFAULT 1,
    error TEXT,
    text TEXT,
    body BLOB
  ) STRICT;
  CREATE UNIQUE INDEX deliveries_by_key ON deliveries (bot, key, body_hash) WHERE key IS NOT NULL;
  CREATE INDEX deliveries_by_bot ON deliveries (bot, seq);
  CREATE INDEX deliveries_by_time ON deliveries (received_at);
  CREATE INDEX deliveries_with_body ON deliveries (bot, seq) WHERE body IS NOT NULL AND status IN ('posted', 'skipped');
  CREATE INDEX deliveries_unhappy ON deliveries (status, seq) WHERE status IN ('pending', 'failed');

  CREATE TABLE kept (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    nick TEXT NOT NULL,
    command TEXT NOT NULL,
    source TEXT NOT NULL,
    text TEXT NOT NULL,
    time INTEGER NOT NULL,
    delivery TEXT
  ) STRICT;
  CREATE INDEX kept_by_nick ON kept (nick, seq);
  CREATE TABLE kept_dropped (nick TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT;

  CREATE TABLE bot_state (bot TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;
  `,
  // JSON where there are several; NULL where there are none.
  `
  ALTER TABLE deliveries ADD COLUMN headers TEXT;
  ALTER TABLE deliveries ADD COLUMN composed_by TEXT;
  ALTER TABLE deliveries ADD COLUMN unresolved TEXT;
  ALTER TABLE deliveries ADD COLUMN reason TEXT;
  ALTER TABLE deliveries ADD COLUMN woken TEXT;
  `,
  // A message that was redacted stays as a row without text: `redacted` is JSON of who did it, when and why.
  `
  ALTER TABLE history ADD COLUMN redacted TEXT;
  CREATE INDEX history_by_delivery ON history (delivery) WHERE delivery IS NOT NULL;

  CREATE TABLE threads (
    bot TEXT NOT NULL,
    channel TEXT NOT NULL,
    key TEXT NOT NULL,
    message TEXT NOT NULL,
    time INTEGER NOT NULL,
    PRIMARY KEY (bot, channel, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX threads_by_time ON threads (bot, time);
  `,
  // Records, accounts, search, and history in pages.
  `
  CREATE TABLE records (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (kind, key)
  ) STRICT, WITHOUT ROWID;

  -- Pages by time. rank: only those of at least that rank heard it, which used to stand in the conversation's name. closed: the
  -- channel was not open to everybody, and this is when it came to be; what was said there is for that channel alone. So is what was said to a rank.
  ALTER TABLE history ADD COLUMN rank TEXT;
  ALTER TABLE history ADD COLUMN closed INTEGER;
  UPDATE history SET rank = substr(conversation, 1, 1), conversation = substr(conversation, 2), closed = 0
    WHERE substr(conversation, 1, 1) IN ('~', '&', '@', '%', '+');
  DROP INDEX history_by_conversation;
  CREATE INDEX history_by_time ON history (conversation, time);

  CREATE TABLE history_events (
    conversation TEXT NOT NULL,
    time INTEGER NOT NULL,
    id TEXT NOT NULL,
    command TEXT NOT NULL,
    target TEXT NOT NULL,
    mask TEXT NOT NULL,
    account TEXT,
    is_bot INTEGER NOT NULL,
    params TEXT NOT NULL,
    closed INTEGER,
    PRIMARY KEY (conversation, time, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE correspondents (
    party TEXT NOT NULL,
    conversation TEXT NOT NULL,
    PRIMARY KEY (party, conversation)
  ) STRICT, WITHOUT ROWID;
  INSERT OR IGNORE INTO correspondents
    SELECT substr(conversation, 1, instr(conversation, ' ') - 1), conversation FROM history WHERE instr(conversation, ' ') > 0;
  INSERT OR IGNORE INTO correspondents
    SELECT substr(conversation, instr(conversation, ' ') + 1), conversation FROM history WHERE instr(conversation, ' ') > 0;

  CREATE TABLE accounts (
    key TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    email TEXT,
    password TEXT,
    scram TEXT,
    settings TEXT NOT NULL,
    suspended TEXT
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE account_tokens (
    hash TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    label TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER,
    expires_at INTEGER,
    UNIQUE (account, label)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE account_certificates (
    fingerprint TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    added_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX account_certificates_by_account ON account_certificates (account);

  -- Words by place and speaker. The row of a place outlives the names of its channel.
  CREATE VIRTUAL TABLE history_words USING fts5 (
    place, who, words, content = '', detail = column, tokenize = 'unicode61 remove_diacritics 2');
  -- What is taken back leaves the index for good, and not with some merge one day.
  INSERT INTO history_words (history_words, rank) VALUES ('secure-delete', 1);
  CREATE TABLE history_places (id INTEGER PRIMARY KEY, conversation TEXT NOT NULL) STRICT;
  CREATE INDEX history_places_by_name ON history_places (conversation);
  CREATE TABLE history_indexed (seq INTEGER NOT NULL) STRICT;
  INSERT INTO history_indexed VALUES (0);
  `,
  // How a body is coded, by HTTP's name; NULL: as it came.
  `
  ALTER TABLE deliveries ADD COLUMN body_coding TEXT;
  `,
  // What all bodies take: one row.
  `
  CREATE TABLE delivery_bodies (bytes INTEGER NOT NULL) STRICT;
  INSERT INTO delivery_bodies SELECT coalesce(sum(length(body)), 0) FROM deliveries;
  `,
  // Bodies written in one transaction share a pack: `body` is then empty, and NULL only once it is no longer kept.
  `
  CREATE TABLE delivery_packs (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL, coding TEXT) STRICT;
  ALTER TABLE deliveries ADD COLUMN pack INTEGER;
  ALTER TABLE deliveries ADD COLUMN pack_start INTEGER;
  ALTER TABLE deliveries ADD COLUMN pack_bytes INTEGER;
  CREATE INDEX deliveries_by_pack ON deliveries (pack) WHERE pack IS NOT NULL;
  `,
  // What all texts take, beside the bodies: a text may be a whole payload.
  `
  ALTER TABLE delivery_bodies ADD COLUMN texts INTEGER NOT NULL DEFAULT 0;
  UPDATE delivery_bodies SET texts = (SELECT coalesce(sum(octet_length(text)), 0) FROM deliveries);
  `,
]
