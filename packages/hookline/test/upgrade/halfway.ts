// Opens the data folder that is named, with one more migration: it changes rows for as long as nobody stops it.
import { openDatabase } from '../../src/store/database.ts'
import { migrations } from '../../src/store/schema.ts'

const endless = `
  DROP TABLE kept;
  CREATE TABLE half (n INTEGER, text TEXT);
  INSERT INTO half WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted)
    SELECT n, hex(zeroblob(500)) FROM counted;
`
;(migrations as string[]).push(endless)
openDatabase(process.argv[2] ?? '')
