import type { EntityDocument } from "../store/document.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { tellConsole } from "../stream/console-events.ts";
import type { Hub } from "../stream/hub.ts";
import type { ConsoleLine, StoredLine } from "./types.ts";

/** Lines stored per analysis. */
const KEPT_LINES = 200;
const MAX_LINE_CHARS = 10_000;

function cut(message: string): string {
  const text = message.replaceAll("\0", "");
  return text.length <= MAX_LINE_CHARS ? text : `${text.slice(0, MAX_LINE_CHARS)} ...`;
}

/** The consoles of all analyses: the newest lines in the database, all of them on the event stream. */
export class Consoles {
  readonly #db: SandboxDatabase;
  readonly #hub: Hub;

  constructor(db: SandboxDatabase, hub: Hub) {
    this.#db = db;
    this.#hub = hub;
  }

  append(analysis: EntityDocument, lines: readonly ConsoleLine[]): void {
    const texts = lines.map(({ message, timestampMs, isError = false }) => ({
      message: cut(message),
      timestampMs,
      isError,
    }));
    this.#db.transaction(() => {
      for (const { message, timestampMs, isError } of texts.slice(-KEPT_LINES)) {
        this.#db.run(
          "INSERT INTO analysis_console (analysis, line, at, is_error) VALUES (?, ?, ?, ?)",
          analysis.id,
          message,
          timestampMs,
          Number(isError),
        );
      }
      this.#db.run(
        `DELETE FROM analysis_console WHERE analysis = ?1 AND seq <=
             (SELECT seq FROM analysis_console WHERE analysis = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2)`,
        analysis.id,
        KEPT_LINES,
      );
    });
    for (const { message, timestampMs, isError } of texts) {
      const timestamp = new Date(timestampMs).toISOString();
      this.#hub.publish({
        channel: "analysis_console",
        resourceId: analysis.id,
        profile: analysis.profile,
        payload: { timestamp, message },
      });
      tellConsole(this.#hub, { type: "console", analysis: analysis.id, timestamp, message, isError });
    }
  }

  list(analysisId: string): StoredLine[] {
    return this.#db
      .all<{ line: string; at: number | null; is_error: number }>(
        "SELECT line, at, is_error FROM analysis_console WHERE analysis = ? ORDER BY seq",
        analysisId,
      )
      .map(({ line, at, is_error: isError }) => ({
        message: line,
        ...(at !== null && { timestamp: new Date(at).toISOString() }),
        isError: isError === 1,
      }));
  }

  remove(analysisId: string): void {
    this.#db.run("DELETE FROM analysis_console WHERE analysis = ?", analysisId);
  }
}
