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
INSERT INTO history VALUES (1, '01m7ze09s40009hkyrasnvk0he', 1795277465380, 'PRIVMSG', '#tea', '#tea', 'ann', 'ann!ann@127.0.0.1', NULL, 0, 'who''s for a cup? ☕', '{"+draft/reply":"x"}', NULL);
INSERT INTO history VALUES (2, '01m7ze09s5000a0ekystgtjeq6', 1795277465381, 'PRIVMSG', '#tea', '#tea', 'ann', 'ann!ann@127.0.0.1', NULL, 0, 'oops', '{}', NULL);
INSERT INTO history VALUES (3, '01m7ze09s5000b6w5wagr0v8q7', 1795277465381, 'PRIVMSG', 'ann bob', 'bob', 'ann', 'ann!ann@127.0.0.1', NULL, 0, 'just between us', '{}', NULL);
INSERT INTO history VALUES (4, '01m7ze09s5000cc4h03qmzn3qr', 1795277465381, 'NOTICE', '#tea', '#tea', 'ann', 'ann!ann@127.0.0.1', NULL, 0, 'a notice', '{}', NULL);
INSERT INTO history VALUES (5, '01m7ze09s5000dpj8r5sa2rz48', 1795277465381, 'PRIVMSG', 'ann bob', 'ann', 'bob', 'bob!bob@127.0.0.1', NULL, 0, 'yes; and "quotes"', '{}', NULL);
INSERT INTO history VALUES (6, '01m7ze09vm000eqa71ym69gvp9', 1795277465460, 'PRIVMSG', '#tea', '#tea', 'spark-ori-plain', 'spark-ori-plain!bot@spark', NULL, 1, 'build green', '{}', 'd-1m7ze09t6ydztfn05');
INSERT INTO history VALUES (7, '01m7ze0a2c000gt1pypgbq6zbj', 1795277465676, 'PRIVMSG', '#tea', '#tea', 'spark-ori-plain', 'spark-ori-plain!bot@spark', NULL, 1, 'build red', '{}', 'd-1m7ze0a2c82rzshsw');
INSERT INTO history VALUES (8, '01m7ze0a2v000j5vze1w652223', 1795277465691, 'PRIVMSG', '#tea', '#tea', 'spark-ori-plain', 'spark-ori-plain!bot@spark', NULL, 1, '{"other":1}', '{}', 'd-1m7ze0a2venk801bt');
INSERT INTO history VALUES (9, '01m7ze0ade000mnhmrgh5hr4yw', 1795277466030, 'PRIVMSG', '#tea', '#tea', 'spark-ori-hand', 'spark-ori-hand!bot@spark', NULL, 1, 'from a handler', '{}', 'd-1m7ze0adcmxm8t37r');
INSERT INTO deliveries VALUES (1, 'd-1m7ze09t6ydztfn05', 'spark-ori-plain', 1795277465413, 'run-1', '3ca8b927866188ddc924b4f9ec103cf56f8b19a62ea9033fbd96bfd3416f5215', 'push', 'posted', 1795277465461, '["#tea"]', 1, NULL, 'build green', X'7B2274657874223A226275696C6420677265656E222C227072223A377D', '{"content-type":"application/json","idempotency-key":"run-1","x-github-event":"push","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node"}', 'output.template', NULL, NULL, NULL);
INSERT INTO deliveries VALUES (2, 'd-1m7ze0a2c82rzshsw', 'spark-ori-plain', 1795277465676, 'run-2', '1ed6486cd815a8362ff17bfdd8357ceacdf8d87c649fc136627a110c404c9c06', NULL, 'posted', 1795277465676, '["#tea"]', 1, NULL, 'build red', X'7B2274657874223A226275696C6420726564222C227072223A377D', '{"content-type":"application/json","idempotency-key":"run-2","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node"}', 'output.template', NULL, NULL, NULL);
INSERT INTO deliveries VALUES (3, 'd-1m7ze0a2venk801bt', 'spark-ori-plain', 1795277465691, NULL, NULL, NULL, 'posted', 1795277465691, '["#tea"]', 1, NULL, '{"other":1}', X'7B226F74686572223A317D', '{"content-type":"application/json","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node"}', 'fallback json', '["body.text"]', NULL, NULL);
INSERT INTO deliveries VALUES (4, 'd-1m7ze0a31s0cdeanq', 'spark-ori-hand', 1795277465697, NULL, NULL, NULL, 'skipped', 1795277466021, '[]', 1, NULL, NULL, X'7B2274657874223A226E6F6E65227D', '{"content-type":"application/json","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node"}', 'handler.py', NULL, 'the handler answered nothing', NULL);
INSERT INTO deliveries VALUES (5, 'd-1m7ze0adcmxm8t37r', 'spark-ori-hand', 1795277466028, NULL, NULL, NULL, 'posted', 1795277466030, '["#tea"]', 1, NULL, 'from a handler', X'7B2274657874223A2266726F6D20612068616E646C6572227D', '{"content-type":"application/json","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node"}', 'handler.py', NULL, NULL, NULL);
INSERT INTO deliveries VALUES (6, 'd-1m7ze0adn6kxgn1p3', 'spark-ori-hand', 1795277466037, NULL, NULL, NULL, 'failed', 1795277466039, '[]', 1, 'Traceback (most recent call last):
  File "/home/ori/.hookline/bots/spark-ori-hand/handler.py", line 4, in handle
    return payload["text"]
           ~~~~~~~^^^^^^^^
KeyError: ''text''
', NULL, X'7B226A6F62223A317D', '{"content-type":"application/json","accept-language":"*","sec-fetch-mode":"cors","user-agent":"node"}', NULL, NULL, NULL, NULL);
INSERT INTO deliveries VALUES (7, 'd-pending0000000001', 'spark-ori-plain', 1795277466413, NULL, NULL, NULL, 'pending', NULL, '[]', 1, NULL, NULL, X'7B2274657874223A2266726F6D206265666F726520746865206372617368227D', NULL, NULL, NULL, NULL, NULL);
INSERT INTO kept VALUES (1, '01m7ze09vm000fcdyxsk3wv7fr', 'spark-ori', 'PRIVMSG', 'spark-ori-plain', 'build green', 1795277465461, 'd-1m7ze09t6ydztfn05');
INSERT INTO kept VALUES (2, '01m7ze0a2c000h1zsajh4afhwc', 'spark-ori', 'PRIVMSG', 'spark-ori-plain', 'build red', 1795277465676, 'd-1m7ze0a2c82rzshsw');
INSERT INTO kept VALUES (3, '01m7ze0a2v000kcs92szncrcqk', 'spark-ori', 'PRIVMSG', 'spark-ori-plain', '{"other":1}', 1795277465691, 'd-1m7ze0a2venk801bt');
INSERT INTO kept VALUES (4, '01m7ze0adq000nznae8gwb8ys1', 'spark-ori', 'PRIVMSG', 'spark-ori-hand', 'delivery d-1m7ze0adn6kxgn1p3 failed: KeyError: ''text''. To run it again: hookline bot replay d-1m7ze0adn6kxgn1p3', 1795277466039, 'd-1m7ze0adn6kxgn1p3');
INSERT INTO kept_dropped VALUES ('spark-ori', 3);
INSERT INTO bot_state VALUES ('spark-ori-hand', '{"count":2}');
CREATE INDEX history_by_conversation ON history (conversation, seq);
CREATE UNIQUE INDEX deliveries_by_key ON deliveries (bot, key, body_hash) WHERE key IS NOT NULL;
CREATE INDEX deliveries_by_bot ON deliveries (bot, seq);
CREATE INDEX deliveries_by_time ON deliveries (received_at);
CREATE INDEX deliveries_with_body ON deliveries (bot, seq) WHERE body IS NOT NULL AND status IN ('posted', 'skipped');
CREATE INDEX deliveries_unhappy ON deliveries (status, seq) WHERE status IN ('pending', 'failed');
CREATE INDEX kept_by_nick ON kept (nick, seq);
PRAGMA user_version = 2;
