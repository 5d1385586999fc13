// @ts-check
"use strict";
/** @import { SqlAnswer, SqlJob, TableSetUp } from "./job.ts" */
/** @import { Database, Statement } from "libsql" */

/**
 * @file The program of the process that runs SQL statements: JavaScript, so that it also runs from the sources. It reads
 * a line with the tables, a line for each page of rows, and one with the statement, and writes a line with the result. Its
 * database is in memory and has nothing but those rows. A statement cannot be interrupted, so the sandbox kills the
 * process; for when the sandbox itself is gone, a thread watches it.
 */

const { isMainThread, Worker, workerData } = require("node:worker_threads");

const HEAP_BYTES = 256 * 1024 * 1024;
const MAX_ANSWER_CHARS = 64 * 1024 * 1024;
const WATCH_MS = 250;

/**
 * Kills the process when the one that started it is gone.
 *
 * @param {{ parent: number, running: Int32Array }} data
 */
const watch = ({ parent, running }) => {
  const isAlone = () => {
    try {
      // On Windows the number of the parent stays the same.
      return process.ppid !== parent || !process.kill(parent, 0);
    } catch {
      return true;
    }
  };
  for (;;) {
    Atomics.wait(running, 0, 0);
    Atomics.wait(running, 0, 1, WATCH_MS);
    if (isAlone()) process.kill(process.pid, "SIGKILL");
  }
};

const running = new Int32Array(new SharedArrayBuffer(4));
/** @type {Database | undefined} */
let db;
/** @type {Statement<unknown[]>[]} */
let inserts = [];
/** @type {string | undefined} */
let problem;

/** @param {number} state */
const mark = (state) => {
  Atomics.store(running, 0, state);
  Atomics.notify(running, 0);
};

/** @param {readonly TableSetUp[]} tables */
const begin = (tables) => {
  const Libsql = require("libsql");
  const database = new Libsql(":memory:");
  db = database;
  database.exec(`PRAGMA hard_heap_limit = ${HEAP_BYTES}; PRAGMA journal_mode = OFF; PRAGMA temp_store = MEMORY`);
  database.exec("PRAGMA case_sensitive_like = ON; BEGIN");
  inserts = tables.map(({ name, columns }) => {
    // The last column is for tables of which no column is used.
    const all = [...columns.map((column) => `${column.name} ${column.type}`), "none TEXT"];
    database.exec(`CREATE TABLE ${name} (${all.join(", ")})`);
    const cells = columns.map(({ isJson }, at) =>
      isJson ? `nullif(value -> '$[${at}]', 'null')` : `value ->> '$[${at}]'`,
    );
    return database.prepare(`INSERT INTO ${name} SELECT ${[...cells, "NULL"].join(", ")} FROM json_each(?)`);
  });
};

/** @param {SqlJob} job @returns {SqlAnswer} */
const run = ({ sql, bound }) => {
  if (problem !== undefined || db === undefined) return { error: problem ?? "no tables" };
  const statement = db.prepare(sql);
  statement.raw(true);
  return { rows: /** @type {unknown[][]} */ (statement.all([...bound])) };
};

/** @param {SqlAnswer} answer */
const write = (answer) => {
  const text = JSON.stringify(answer);
  const isTooLong = text.length > MAX_ANSWER_CHARS;
  process.stdout.write(`${isTooLong ? '{"error":"the result is larger than 64 MB"}' : text}\n`);
};

const end = () => {
  inserts = [];
  problem = undefined;
  db?.close();
  db = undefined;
  // The driver frees the database with the last of its statements.
  globalThis.gc?.();
};

/** @param {() => SqlAnswer | undefined} action @returns {SqlAnswer | undefined} */
const attempt = (action) => {
  try {
    return action();
  } catch (error) {
    problem ??= error instanceof Error ? error.message : String(error);
    return { error: problem };
  }
};

/** @param {string} line */
const read = (line) => {
  if (line.startsWith("[")) {
    attempt(() => void begin(JSON.parse(line)));
  } else if (line.startsWith("{")) {
    mark(1);
    const answer = attempt(() => run(JSON.parse(line))) ?? {};
    mark(0);
    write(answer);
    end();
  } else if (problem === undefined) {
    const [table = ""] = line.split(" ", 1);
    attempt(() => void inserts[Number(table)]?.run([line.slice(table.length + 1)]));
  }
};

const serve = () => {
  new Worker(__filename, { workerData: { parent: process.ppid, running } }).unref();
  /** @type {Buffer[]} */
  let parts = [];
  process.stdin.on("data", (/** @type {Buffer} */ bytes) => {
    let start = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, start)) {
      const line = Buffer.concat([...parts, bytes.subarray(start, at)]).toString();
      parts = [];
      start = at + 1;
      read(line);
    }
    parts.push(bytes.subarray(start));
  });
  process.stdin.on("end", () => process.exit());
  // Loaded before the first statement.
  require("libsql");
  process.stdout.write('"ready"\n');
};

if (isMainThread) serve();
else watch(workerData);
