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
  , redacted TEXT, rank TEXT, closed INTEGER) STRICT;
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
  , headers TEXT, composed_by TEXT, unresolved TEXT, reason TEXT, woken TEXT, body_coding TEXT, pack INTEGER, pack_start INTEGER, pack_bytes INTEGER) STRICT;
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
CREATE TABLE kept_dropped (nick TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT;
CREATE TABLE bot_state (bot TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;
CREATE TABLE threads (
    bot TEXT NOT NULL,
    channel TEXT NOT NULL,
    key TEXT NOT NULL,
    message TEXT NOT NULL,
    time INTEGER NOT NULL,
    PRIMARY KEY (bot, channel, key)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE records (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (kind, key)
  ) STRICT, WITHOUT ROWID;
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
CREATE TABLE history_places (id INTEGER PRIMARY KEY, conversation TEXT NOT NULL) STRICT;
CREATE TABLE history_indexed (seq INTEGER NOT NULL) STRICT;
CREATE VIRTUAL TABLE history_words USING fts5 (
    place, who, words, content = '', detail = column, tokenize = 'unicode61 remove_diacritics 2');
CREATE TABLE delivery_bodies (bytes INTEGER NOT NULL) STRICT;
CREATE TABLE delivery_packs (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL, coding TEXT) STRICT;
INSERT INTO history VALUES (1, '01m7ze0czd0009v5zb9mqg74v6', 1795661450114, 'PRIVMSG', '#tea', '#tea', 'ann', 'ann!ann@127.0.0.1', NULL, 0, 'who''s for a cup? ☕', '{"+draft/reply":"x"}', NULL, NULL, NULL, NULL);
INSERT INTO history VALUES (2, '01m7ze0cze000a2tkmtfx0brp7', 1795661450115, 'PRIVMSG', '#tea', '#tea', 'ann', 'ann!ann@127.0.0.1', NULL, 0, '', '{}', NULL, '{"by":"ann!ann@127.0.0.1","time":1795661450118,"reason":"a slip"}', NULL, NULL);
INSERT INTO history VALUES (3, '01m7ze0cze000bgvkazddf3cme', 1795661450115, 'PRIVMSG', 'ann bob', 'bob', 'ann', 'ann!ann@127.0.0.1', NULL, 0, 'just between us', '{}', NULL, NULL, NULL, NULL);
INSERT INTO history VALUES (4, '01m7ze0cze000c63hf3pg3ygp0', 1795661450115, 'NOTICE', '#tea', '#tea', 'ann', 'ann!ann@127.0.0.1', NULL, 0, 'a notice', '{}', NULL, NULL, NULL, NULL);
INSERT INTO history VALUES (5, '01m7ze0czf000dc50rxv7tf38y', 1795661450116, 'PRIVMSG', 'ann bob', 'ann', 'bob', 'bob!bob@127.0.0.1', NULL, 0, 'yes; and "quotes"', '{}', NULL, NULL, NULL, NULL);
INSERT INTO history VALUES (6, '01m7ze0d02000fwmvxsk96hmw8', 1795661450135, 'PRIVMSG', '#tea', '#tea', 'spark-ori-plain', 'spark-ori-plain!bot@spark', NULL, 1, 'build green', '{}', 'd-1m7ze0d00n7pw2qnp', NULL, NULL, NULL);
INSERT INTO history VALUES (7, '01m7ze0d0c000hh2jv58pmwyz2', 1795661450145, 'PRIVMSG', '#tea', '#tea', 'spark-ori-plain', 'spark-ori-plain!bot@spark', NULL, 1, 'build red', '{"+draft/reply":"01m7ze0d02000fwmvxsk96hmw8","+reply":"01m7ze0d02000fwmvxsk96hmw8"}', 'd-1m7ze0d0chvh2b5nn', NULL, NULL, NULL);
INSERT INTO history VALUES (8, '01m7ze0d0h000kkdqxnxcnsdh8', 1795661450150, 'PRIVMSG', '#tea', '#tea', 'spark-ori-plain', 'spark-ori-plain!bot@spark', NULL, 1, '{"other":1}', '{}', 'd-1m7ze0d0ggfpf75pb', NULL, NULL, NULL);
INSERT INTO history VALUES (9, '01m7ze0dj5000nfe22zywp1ds3', 1795661450714, 'PRIVMSG', '#tea', '#tea', 'spark-ori-hand', 'spark-ori-hand!bot@spark', NULL, 1, 'from a handler', '{}', 'd-1m7ze0dj3wpz5b96j', NULL, NULL, NULL);
INSERT INTO history VALUES (11, '01m7zs2t02000e3r6zrr298ch8', 1795661511407, 'PRIVMSG', '#tea', '#tea', 'spark-mia', 'spark-mia!mia@127.0.0.1', 'spark-mia', 0, 'who brings the scones?', '{}', NULL, NULL, NULL, NULL);
INSERT INTO deliveries VALUES (1, 'd-1m7ze0d00n7pw2qnp', 'spark-ori-plain', 1795661450132, 'run-1', '3ca8b927866188ddc924b4f9ec103cf56f8b19a62ea9033fbd96bfd3416f5215', 'push', 'posted', 1795661450135, '["#tea"]', 1, NULL, 'build green', X'7B2274657874223A226275696C6420677265656E222C227072223A377D', '{"content-type":"application/json","idempotency-key":"run-1","x-github-event":"push","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node"}', 'output.template', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO deliveries VALUES (2, 'd-1m7ze0d0chvh2b5nn', 'spark-ori-plain', 1795661450145, 'run-2', '1ed6486cd815a8362ff17bfdd8357ceacdf8d87c649fc136627a110c404c9c06', NULL, 'posted', 1795661450145, '["#tea"]', 1, NULL, 'build red', X'7B2274657874223A226275696C6420726564222C227072223A377D', '{"content-type":"application/json","idempotency-key":"run-2","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node"}', 'output.template', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO deliveries VALUES (3, 'd-1m7ze0d0ggfpf75pb', 'spark-ori-plain', 1795661450149, NULL, NULL, NULL, 'posted', 1795661450150, '["#tea"]', 1, NULL, '{"other":1}', X'7B226F74686572223A317D', '{"content-type":"application/json","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node"}', 'fallback json', '["body.text"]', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO deliveries VALUES (4, 'd-1m7ze0d0z8pnn8g9g', 'spark-ori-hand', 1795661450164, NULL, NULL, NULL, 'skipped', 1795661450691, '[]', 1, NULL, NULL, X'7B2274657874223A226E6F6E65227D', '{"content-type":"application/json","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node"}', 'handler.py', NULL, 'the handler answered nothing', NULL, NULL, NULL, NULL, NULL);
INSERT INTO deliveries VALUES (5, 'd-1m7ze0dj3wpz5b96j', 'spark-ori-hand', 1795661450712, NULL, NULL, NULL, 'posted', 1795661450714, '["#tea"]', 1, NULL, 'from a handler', X'7B2274657874223A2266726F6D20612068616E646C6572227D', '{"content-type":"application/json","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node"}', 'handler.py', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO deliveries VALUES (6, 'd-1m7ze0dj91aarxxcy', 'spark-ori-hand', 1795661450718, NULL, NULL, NULL, 'failed', 1795661450721, '[]', 1, 'Traceback (most recent call last):
  File "/home/ori/.hookline/bots/spark-ori-hand/handler.py", line 4, in handle
    return payload["text"]
           ~~~~~~~^^^^^^^^
KeyError: ''text''
', NULL, X'7B226A6F62223A317D', '{"content-type":"application/json","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO deliveries VALUES (7, 'd-pending0000000001', 'spark-ori-plain', 1795661451132, NULL, NULL, NULL, 'pending', NULL, '[]', 1, NULL, NULL, X'031B030080AAAAAAEAFF740DE0B3AA819A86E626A76B421E52052421CDC0520440450420010CF4FFAEFAF7DC5BDD33AACBDB18EE8A170B0B0B1B1BAB7A99511D7CF8F06330188CE34C56D56030180C068339D419918AD2281C16DA49F69EE0C7F522E47F80F067D9BF8F297F6CC947FC950F5EBFFD2F0A6E9B0EFAF9E2B6094288476D2860537ED22F53103C99C51D052B556581903335B2F671B4815D5EDC36E318FC741FE7DD7D9C7FBA8FF3E13ECEBFB88FF3AFEEE3FC9BFB38FFEE3ECE7FB88FF393083FF2A654E827197EA09F74F881710E407EE04D29D14F52FC403F69F103FD24C60FF4931A3FD0BBFB40EFEE03BDBB0FF4EEDE357EED01', NULL, NULL, NULL, NULL, NULL, 'br', NULL, NULL, NULL);
INSERT INTO deliveries VALUES (8, 'd-1m7ze0dp0pack00001', 'spark-ori-plain', 1795661450725, NULL, NULL, NULL, 'posted', 1795661450726, '["#tea"]', 1, NULL, 'in a pack', X'', '{"content-type":"application/json"}', 'output.template', NULL, NULL, NULL, NULL, 1, 0, 20);
INSERT INTO kept VALUES (1, '01m7ze0d02000g63s0twwy6zgn', 'spark-ori', 'PRIVMSG', 'spark-ori-plain', 'build green', 1795661450135, 'd-1m7ze0d00n7pw2qnp');
INSERT INTO kept VALUES (2, '01m7ze0d0c000jd1jszg5s96gp', 'spark-ori', 'PRIVMSG', 'spark-ori-plain', 'build red', 1795661450145, 'd-1m7ze0d0chvh2b5nn');
INSERT INTO kept VALUES (3, '01m7ze0d0h000mbp71ac277kvs', 'spark-ori', 'PRIVMSG', 'spark-ori-plain', '{"other":1}', 1795661450150, 'd-1m7ze0d0ggfpf75pb');
INSERT INTO kept VALUES (4, '01m7ze0djc000prcff2d9kazvs', 'spark-ori', 'PRIVMSG', 'spark-ori-hand', 'delivery d-1m7ze0dj91aarxxcy failed: KeyError: ''text''. To run it again: hookline bot replay d-1m7ze0dj91aarxxcy', 1795661450721, 'd-1m7ze0dj91aarxxcy');
INSERT INTO kept_dropped VALUES ('spark-ori', 3);
INSERT INTO bot_state VALUES ('spark-ori-hand', '{"count":2}');
INSERT INTO threads VALUES ('spark-ori-plain', '#tea', '7', '01m7ze0d02000fwmvxsk96hmw8', 1795661450145);
INSERT INTO records VALUES ('read-marker', '@spark-mia', '{"#tea":1795661511407}');
INSERT INTO history_events VALUES ('#tea', 1795661511406, '01m7zs2t01000dkgc83e6def0g', 'JOIN', '#tea', 'spark-mia!mia@127.0.0.1', 'spark-mia', 0, '["spark-mia","Mia"]', NULL);
INSERT INTO history_events VALUES ('#tea', 1795661511408, '01m7zs2t02000fq3fr92fempfs', 'TOPIC', '#tea', 'spark-mia!mia@127.0.0.1', 'spark-mia', 0, '["scones at four"]', NULL);
INSERT INTO history_events VALUES ('#tea', 1795661511409, '01m7zs2t03000g204dqdk3dtry', 'PART', '#tea', 'spark-mia!mia@127.0.0.1', 'spark-mia', 0, '["bye"]', NULL);
INSERT INTO correspondents VALUES ('ann', 'ann bob');
INSERT INTO correspondents VALUES ('bob', 'ann bob');
INSERT INTO accounts VALUES ('spark-mia', 'spark-mia', 1795661511396, 'mia@example.org', '$argon2id$v=19$m=16,t=3,p=1$r+5Y/WMV820+tcRCvWmBcQ$nGEvKfL6Vf0D8GqJNN4dOWQI0LWVMqx7DJCtRhtjqEU', '{"salt":"KfwSIM0viBtsM55yyGu0vg==","iterations":4096,"storedKey":"XYiNa5Pbqa5+rppeAeSp1UZ4/pqVknEvHgYTfUglsco=","serverKey":"4/5bNCv7GDWYcMUlblD+QKaNotcwd6q24N6b4juidjw="}', '{}', NULL);
INSERT INTO account_tokens VALUES ('863b6c9010f09ea761162dff2d1f7622a28e78d70adc27eec7d82167e93938d4', 'spark-mia', 'laptop', 1795661511402, NULL, NULL);
INSERT INTO account_certificates VALUES ('abababababababababababababababababababababababababababababababab', 'spark-mia', 1795661511404);
INSERT INTO history_places VALUES (1, '#tea');
INSERT INTO history_indexed VALUES (0);
INSERT INTO history_words (history_words, rank) VALUES ('secure-delete', 1);
INSERT INTO delivery_bodies VALUES (387);
INSERT INTO delivery_packs VALUES (1, X'7B2274657874223A22696E2061207061636B227D', NULL);
CREATE UNIQUE INDEX deliveries_by_key ON deliveries (bot, key, body_hash) WHERE key IS NOT NULL;
CREATE INDEX deliveries_by_bot ON deliveries (bot, seq);
CREATE INDEX deliveries_by_time ON deliveries (received_at);
CREATE INDEX deliveries_with_body ON deliveries (bot, seq) WHERE body IS NOT NULL AND status IN ('posted', 'skipped');
CREATE INDEX deliveries_unhappy ON deliveries (status, seq) WHERE status IN ('pending', 'failed');
CREATE INDEX kept_by_nick ON kept (nick, seq);
CREATE INDEX history_by_delivery ON history (delivery) WHERE delivery IS NOT NULL;
CREATE INDEX threads_by_time ON threads (bot, time);
CREATE INDEX history_by_time ON history (conversation, time);
CREATE INDEX account_certificates_by_account ON account_certificates (account);
CREATE INDEX history_places_by_name ON history_places (conversation);
CREATE INDEX deliveries_by_pack ON deliveries (pack) WHERE pack IS NOT NULL;
PRAGMA user_version = 7;
