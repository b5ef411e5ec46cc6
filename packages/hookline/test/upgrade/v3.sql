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
  , redacted TEXT) STRICT;
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
  , headers TEXT, composed_by TEXT, unresolved TEXT, reason TEXT, woken TEXT) STRICT;
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
INSERT INTO history VALUES (1, '01m7ze0czd0009v5zb9mqg74v6', 1795277468653, 'PRIVMSG', '#tea', '#tea', 'ann', 'ann!ann@127.0.0.1', NULL, 0, 'who''s for a cup? ☕', '{"+draft/reply":"x"}', NULL, NULL);
INSERT INTO history VALUES (2, '01m7ze0cze000a2tkmtfx0brp7', 1795277468654, 'PRIVMSG', '#tea', '#tea', 'ann', 'ann!ann@127.0.0.1', NULL, 0, '', '{}', NULL, '{"by":"ann!ann@127.0.0.1","time":1795277468657,"reason":"a slip"}');
INSERT INTO history VALUES (3, '01m7ze0cze000bgvkazddf3cme', 1795277468654, 'PRIVMSG', 'ann bob', 'bob', 'ann', 'ann!ann@127.0.0.1', NULL, 0, 'just between us', '{}', NULL, NULL);
INSERT INTO history VALUES (4, '01m7ze0cze000c63hf3pg3ygp0', 1795277468654, 'NOTICE', '#tea', '#tea', 'ann', 'ann!ann@127.0.0.1', NULL, 0, 'a notice', '{}', NULL, NULL);
INSERT INTO history VALUES (5, '01m7ze0czf000dc50rxv7tf38y', 1795277468655, 'PRIVMSG', 'ann bob', 'ann', 'bob', 'bob!bob@127.0.0.1', NULL, 0, 'yes; and "quotes"', '{}', NULL, NULL);
INSERT INTO history VALUES (6, '01m7ze0d02000fwmvxsk96hmw8', 1795277468674, 'PRIVMSG', '#tea', '#tea', 'spark-ori-plain', 'spark-ori-plain!bot@spark', NULL, 1, 'build green', '{}', 'd-1m7ze0d00n7pw2qnp', NULL);
INSERT INTO history VALUES (7, '01m7ze0d0c000hh2jv58pmwyz2', 1795277468684, 'PRIVMSG', '#tea', '#tea', 'spark-ori-plain', 'spark-ori-plain!bot@spark', NULL, 1, 'build red', '{"+draft/reply":"01m7ze0d02000fwmvxsk96hmw8","+reply":"01m7ze0d02000fwmvxsk96hmw8"}', 'd-1m7ze0d0chvh2b5nn', NULL);
INSERT INTO history VALUES (8, '01m7ze0d0h000kkdqxnxcnsdh8', 1795277468689, 'PRIVMSG', '#tea', '#tea', 'spark-ori-plain', 'spark-ori-plain!bot@spark', NULL, 1, '{"other":1}', '{}', 'd-1m7ze0d0ggfpf75pb', NULL);
INSERT INTO history VALUES (9, '01m7ze0dj5000nfe22zywp1ds3', 1795277469253, 'PRIVMSG', '#tea', '#tea', 'spark-ori-hand', 'spark-ori-hand!bot@spark', NULL, 1, 'from a handler', '{}', 'd-1m7ze0dj3wpz5b96j', NULL);
INSERT INTO deliveries VALUES (1, 'd-1m7ze0d00n7pw2qnp', 'spark-ori-plain', 1795277468671, 'run-1', '3ca8b927866188ddc924b4f9ec103cf56f8b19a62ea9033fbd96bfd3416f5215', 'push', 'posted', 1795277468674, '["#tea"]', 1, NULL, 'build green', X'7B2274657874223A226275696C6420677265656E222C227072223A377D', '{"content-type":"application/json","idempotency-key":"run-1","x-github-event":"push","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node"}', 'output.template', NULL, NULL, NULL);
INSERT INTO deliveries VALUES (2, 'd-1m7ze0d0chvh2b5nn', 'spark-ori-plain', 1795277468684, 'run-2', '1ed6486cd815a8362ff17bfdd8357ceacdf8d87c649fc136627a110c404c9c06', NULL, 'posted', 1795277468684, '["#tea"]', 1, NULL, 'build red', X'7B2274657874223A226275696C6420726564222C227072223A377D', '{"content-type":"application/json","idempotency-key":"run-2","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node"}', 'output.template', NULL, NULL, NULL);
INSERT INTO deliveries VALUES (3, 'd-1m7ze0d0ggfpf75pb', 'spark-ori-plain', 1795277468688, NULL, NULL, NULL, 'posted', 1795277468689, '["#tea"]', 1, NULL, '{"other":1}', X'7B226F74686572223A317D', '{"content-type":"application/json","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node"}', 'fallback json', '["body.text"]', NULL, NULL);
INSERT INTO deliveries VALUES (4, 'd-1m7ze0d0z8pnn8g9g', 'spark-ori-hand', 1795277468703, NULL, NULL, NULL, 'skipped', 1795277469230, '[]', 1, NULL, NULL, X'7B2274657874223A226E6F6E65227D', '{"content-type":"application/json","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node"}', 'handler.py', NULL, 'the handler answered nothing', NULL);
INSERT INTO deliveries VALUES (5, 'd-1m7ze0dj3wpz5b96j', 'spark-ori-hand', 1795277469251, NULL, NULL, NULL, 'posted', 1795277469253, '["#tea"]', 1, NULL, 'from a handler', X'7B2274657874223A2266726F6D20612068616E646C6572227D', '{"content-type":"application/json","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node"}', 'handler.py', NULL, NULL, NULL);
INSERT INTO deliveries VALUES (6, 'd-1m7ze0dj91aarxxcy', 'spark-ori-hand', 1795277469257, NULL, NULL, NULL, 'failed', 1795277469260, '[]', 1, 'Traceback (most recent call last):
  File "/home/ori/.hookline/bots/spark-ori-hand/handler.py", line 4, in handle
    return payload["text"]
           ~~~~~~~^^^^^^^^
KeyError: ''text''
', NULL, X'7B226A6F62223A317D', '{"content-type":"application/json","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node"}', NULL, NULL, NULL, NULL);
INSERT INTO deliveries VALUES (7, 'd-pending0000000001', 'spark-ori-plain', 1795277469671, NULL, NULL, NULL, 'pending', NULL, '[]', 1, NULL, NULL, X'7B2274657874223A2266726F6D206265666F726520746865206372617368227D', NULL, NULL, NULL, NULL, NULL);
INSERT INTO kept VALUES (1, '01m7ze0d02000g63s0twwy6zgn', 'spark-ori', 'PRIVMSG', 'spark-ori-plain', 'build green', 1795277468674, 'd-1m7ze0d00n7pw2qnp');
INSERT INTO kept VALUES (2, '01m7ze0d0c000jd1jszg5s96gp', 'spark-ori', 'PRIVMSG', 'spark-ori-plain', 'build red', 1795277468684, 'd-1m7ze0d0chvh2b5nn');
INSERT INTO kept VALUES (3, '01m7ze0d0h000mbp71ac277kvs', 'spark-ori', 'PRIVMSG', 'spark-ori-plain', '{"other":1}', 1795277468689, 'd-1m7ze0d0ggfpf75pb');
INSERT INTO kept VALUES (4, '01m7ze0djc000prcff2d9kazvs', 'spark-ori', 'PRIVMSG', 'spark-ori-hand', 'delivery d-1m7ze0dj91aarxxcy failed: KeyError: ''text''. To run it again: hookline bot replay d-1m7ze0dj91aarxxcy', 1795277469260, 'd-1m7ze0dj91aarxxcy');
INSERT INTO kept_dropped VALUES ('spark-ori', 3);
INSERT INTO bot_state VALUES ('spark-ori-hand', '{"count":2}');
INSERT INTO threads VALUES ('spark-ori-plain', '#tea', '7', '01m7ze0d02000fwmvxsk96hmw8', 1795277468684);
CREATE INDEX history_by_conversation ON history (conversation, seq);
CREATE UNIQUE INDEX deliveries_by_key ON deliveries (bot, key, body_hash) WHERE key IS NOT NULL;
CREATE INDEX deliveries_by_bot ON deliveries (bot, seq);
CREATE INDEX deliveries_by_time ON deliveries (received_at);
CREATE INDEX deliveries_with_body ON deliveries (bot, seq) WHERE body IS NOT NULL AND status IN ('posted', 'skipped');
CREATE INDEX deliveries_unhappy ON deliveries (status, seq) WHERE status IN ('pending', 'failed');
CREATE INDEX kept_by_nick ON kept (nick, seq);
CREATE INDEX history_by_delivery ON history (delivery) WHERE delivery IS NOT NULL;
CREATE INDEX threads_by_time ON threads (bot, time);
PRAGMA user_version = 3;
