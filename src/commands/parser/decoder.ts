import type { CoveredRange } from "../../sandbox/parsers/job.ts";
import { countText } from "../../text/count.ts";
import type { CommandContext } from "../kit/context.ts";
import { isObject, type JsonObject } from "../kit/files/files.ts";
import type { ParserScript } from "../kit/parsers/script.ts";
import type { Uplink } from "./uplink.ts";

/** What a parser made of a payload. */
export interface Decoding {
  /** What it wrote to its console. */
  readonly lines: readonly string[];
  readonly records: readonly JsonObject[];
  /** Why the platform would reject it, without a full stop. The records are then empty. */
  readonly problem?: string;
  /** Where in the script it failed: `parser.js:8`. */
  readonly place?: string;
  readonly coverage: readonly CoveredRange[];
}

/** Runs parsers as the sandbox does: in a process of their own, with its globals and limits. */
export interface Decoder {
  decode(script: ParserScript, uplink: Uplink): Promise<Decoding>;
  close(): Promise<void>;
}

const PROBLEMS = 3;

/** Starts on use; ends at a signal. */
export async function openDecoder(ctx: CommandContext, coverage = false): Promise<Decoder> {
  const { DecoderRunner } = await import("../../sandbox/parsers/runner.ts");
  const { parseRows } = await import("../../sandbox/data/rows.ts");
  const { PlatformError } = await import("../../sandbox/core/platform-error.ts");
  const runner = new DecoderRunner({ coverage });
  const stop = (): void => void runner.close();
  ctx.signal.addEventListener("abort", stop, { once: true });

  /** What the platform would say of the records. */
  function refusal(records: readonly JsonObject[]): string | undefined {
    try {
      parseRows(records, { nowMs: 0, newGroup: () => "", lenient: false });
      return undefined;
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      const found = Object.entries(error.fieldErrors ?? {}).slice(0, PROBLEMS);
      return found.map(([place, texts]) => `${placeText(place)}: ${texts.join(", ")}`).join("; ");
    }
  }

  return {
    async decode(script, { body, device = {}, globals = {} }) {
      const raw = JSON.stringify(body);
      const answer = await runner.run({
        profile: "local",
        parser: "device",
        source: script.code,
        // The platform puts a single record into a list.
        payload: JSON.stringify(isObject(body) ? [body] : body),
        raw,
        device: JSON.stringify({ id: "", tags: [], params: [], ...device }),
        globals: JSON.stringify(globals),
      });
      const { lines, coverage: ranges = [] } = answer;
      const fails = (problem: string): Decoding => ({ lines, records: [], problem, coverage: ranges });
      if (answer.payload === undefined)
        return { ...fails(""), ...failureOf(answer.error ?? "The parser failed", script) };
      const left: unknown = JSON.parse(answer.payload);
      if (!Array.isArray(left)) return fails(`payload must be a list of records, but is ${kindOf(left)}`);
      const problem = refusal(left);
      return problem === undefined ? { lines, records: left, coverage: ranges } : fails(problem);
    },
    async close() {
      ctx.signal.removeEventListener("abort", stop);
      await runner.close();
    },
  };
}

const kindOf = (value: unknown): string =>
  value === null ? "null" : typeof value === "object" ? "an object" : `a ${typeof value}`;

/** `0.value` is the value of the first record. */
function placeText(place: string): string {
  const [, index, field] = /^(\d+)\.(.*)$/.exec(place) ?? [];
  return index === undefined ? place : `record ${countText(Number(index) + 1)}, ${field}`;
}

/** The error of a run, with the line of the file instead of the words for a device on the platform. */
function failureOf(error: string, { name, lineOf }: ParserScript): Pick<Decoding, "problem" | "place"> {
  const [, problem, line] = /^([\s\S]*) \(device parser(?:, line (\d+))?\)$/.exec(error) ?? [];
  if (problem === undefined) return { problem: error.replace(/^The device parser/, "The parser") };
  const found = line === undefined ? undefined : lineOf(Number(line));
  return { problem, ...(found === undefined ? {} : { place: `${name}:${found}` }) };
}

/** Why a payload was not decoded, and where. */
export function problemText({ problem = "", place }: Pick<Decoding, "problem" | "place">): string {
  return place === undefined ? problem : `${problem} (${place})`;
}
