import { cleanOutput } from "../../text/clean.ts";
import type { CommandContext, PlannedRequest } from "../kit/context.ts";
import { isObject, type JsonObject } from "../kit/files/files.ts";
import type { Io } from "../kit/io.ts";
import { jsonText } from "../kit/output/machines.ts";
import { toJson } from "../kit/output/values.ts";
import { redactValue } from "../kit/say/redact.ts";

type Printing = Pick<CommandContext, "io" | "flags">;

/** What `--dry-run` prints: all of it is one document. */
export class DryRuns {
  #planned = 0;
  /** Whether anything has reached stdout. */
  #hasWritten = false;

  /** The same process; notes when something is written to stdout. */
  watch(io: Io): Io {
    return {
      get stdin() {
        return io.stdin;
      },
      write: (text) => {
        this.#hasWritten = true;
        return io.write(text);
      },
      writeError: (text) => io.writeError(text),
      stdoutIsTerminal: io.stdoutIsTerminal,
      stderrIsTerminal: io.stderrIsTerminal,
      stdinIsTerminal: io.stdinIsTerminal,
      columns: () => io.columns(),
      rows: () => io.rows?.(),
    };
  }

  /** See `dryRun` of the context. */
  async print(
    { io, flags, say, label }: Printing & Pick<CommandContext, "say" | "label">,
    requests: PlannedRequest | readonly PlannedRequest[],
  ): Promise<boolean> {
    if (!flags.dryRun) return false;
    for (const request of [requests].flat()) {
      if (this.#planned === 0) say.info(`Dry run: nothing is sent to ${await label()}.`);
      await io.write(plannedText({ io, flags }, redactValue(request), this.#planned === 0));
      this.#planned += 1;
    }
    return true;
  }

  /** See `endResult` of the context. */
  async end({ io, flags }: Printing): Promise<void> {
    if (flags.output !== "json") return;
    if (this.#planned > 0) await io.write("\n]\n");
    // Nothing to do is a plan, too.
    else if (!this.#hasWritten) await io.write(flags.dryRun ? "[]\n" : "null\n");
  }
}

/** One request of a dry run in the format of the results: an item of the JSON document, or a line. */
function plannedText({ io, flags }: Printing, request: unknown, isFirst: boolean): string {
  if (flags.output !== "json" && flags.output !== "ndjson") {
    const line = isObject(request) ? requestLine(request) : "";
    return `${cleanOutput(line, io.stdoutIsTerminal)}\n`;
  }
  const text = jsonText(request);
  if (flags.output === "ndjson") return `${text}\n`;
  return `${isFirst ? "[\n  " : ",\n  "}${text}`;
}

const requestLine = ({ method, path, body }: JsonObject): string =>
  `${String(method)} ${String(path)}${body === undefined ? "" : ` ${toJson(body)}`}`;
