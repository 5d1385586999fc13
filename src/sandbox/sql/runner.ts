import { isRecord } from "../../lib/core/json.ts";
import { LineProcess } from "../core/line-process.ts";
import { ownProgram } from "../core/own-program.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { CellPage } from "../data/reader.ts";
import { confinedOptions } from "../parsers/permission.ts";
import type { SqlAnswer, SqlJob, TableSetUp } from "./job.ts";
import { LIMIT_MS, refused } from "./refusals.ts";

const MIB = 1024 * 1024;
/** Timeout for the start of a process: on a busy machine Node alone takes seconds. */
const START_MS = 30_000;
const IDLE_MS = 60_000;
/** Statements that run at the same time; others wait. */
const MAX_PROCESSES = 2;
const MAX_WAITING = 100;

/** A statement with the rows of its tables, in the order of the tables. */
export interface SqlTask extends SqlJob {
  readonly tables: readonly TableSetUp[];
  pages(): AsyncIterable<{ readonly table: number; readonly page: CellPage }>;
}

type Rows = readonly (readonly unknown[])[];

function answerOf(line: string): SqlAnswer {
  const answer: unknown = JSON.parse(line);
  return isRecord(answer) ? answer : {};
}

const isMemory = (error: string): boolean => error === "out of memory";
const TOO_MUCH_MEMORY = "The query needs more memory than a query can use: add a condition";

/** A process that runs statements, one at a time. */
class SqlProcess {
  readonly #process: LineProcess;
  readonly #ready: Promise<string>;
  idle?: NodeJS.Timeout;
  isOver = false;

  constructor() {
    const program = ownProgram("sql", "query-program.cjs", "SQL queries");
    this.#process = new LineProcess({
      args: ["--max-old-space-size=512", "--expose-gc", "--no-warnings", program],
      spawn: confinedOptions(),
      name: "The process of SQL queries",
      tooMuchMemory: TOO_MUCH_MEMORY,
      maxLineBytes: 256 * MIB,
    });
    this.#ready = this.#process.lineWithin(START_MS, "The process of SQL queries did not start");
    // The result of the first statement reports it.
    this.#ready.catch(() => {});
    void this.ended.then(() => {
      this.isOver = true;
    });
  }

  get ended(): Promise<void> {
    return this.#process.ended;
  }

  async run(task: SqlTask): Promise<Rows> {
    this.#process.ref();
    try {
      const { rows, error = "no result" } = await this.#answer(task);
      if (rows !== undefined) return rows;
      throw refused(isMemory(error) ? TOO_MUCH_MEMORY : `The query cannot be run: ${error}`);
    } finally {
      this.#process.unref();
    }
  }

  kill(why: string): void {
    this.#process.cutOff(why);
  }

  async #answer({ tables, pages, sql, bound }: SqlTask): Promise<SqlAnswer> {
    try {
      await this.#ready;
      await this.#process.send(JSON.stringify(tables));
      for await (const { table, page } of pages()) await this.#process.send(`${table} ${page.json}`);
      const answer = this.#process.lineWithin(LIMIT_MS, `The query ran longer than ${LIMIT_MS / 1000} seconds`);
      await this.#process.send(JSON.stringify({ sql, bound }));
      return answerOf(await answer);
    } catch (error) {
      // It waits for the rest of this statement.
      this.kill("The query was stopped");
      await this.ended;
      throw error instanceof PlatformError ? error : refused(error instanceof Error ? error.message : String(error));
    }
  }
}

/** Runs statements in processes that are started on first use and replaced when they were killed. */
export class SqlRunner {
  /** Those that wait for a statement. */
  readonly #idle: SqlProcess[] = [];
  /** All that run. */
  readonly #processes = new Set<SqlProcess>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #isClosed = false;

  /** @throws PlatformError 400 for what the database cannot run, 429 when too many wait */
  async run(task: SqlTask): Promise<Rows> {
    if (this.#waiting.length >= MAX_WAITING) throw new PlatformError(429, "Too many SQL queries are waiting");
    if (this.#running >= MAX_PROCESSES) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await this.#runIn(this.#process(), task);
    } finally {
      // Its turn goes to the next one.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  /** Stops the processes; running statements are killed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const ended = [...this.#processes].map((process) => {
      clearTimeout(process.idle);
      process.kill("The sandbox was closed");
      return process.ended;
    });
    await Promise.all(ended);
  }

  #process(): SqlProcess {
    if (this.#isClosed) throw new PlatformError(503, "The sandbox was closed");
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      clearTimeout(idle.idle);
      if (!idle.isOver) return idle;
    }
    const process = new SqlProcess();
    this.#processes.add(process);
    void process.ended.then(() => this.#processes.delete(process));
    return process;
  }

  async #runIn(process: SqlProcess, task: SqlTask): Promise<Rows> {
    const rows = await process.run(task).finally(() => {
      if (process.isOver) return;
      this.#idle.push(process);
      process.idle = setTimeout(() => process.kill("It was idle"), IDLE_MS).unref();
    });
    return rows;
  }
}
