import type { CoveredRange } from "../../sandbox/parsers/job.ts";
import type { Column } from "../kit/command/columns.ts";
import type { ParserScript } from "../kit/parsers/script.ts";
import { frameOf, portOf, type Uplink } from "./uplink.ts";

/** One thing that the cases of a folder cover, or a piece of a script that they do not. */
export interface Covered {
  readonly kind: "port" | "first_byte" | "not_run";
  /** The port or byte; of a piece, its file and lines. */
  readonly value: string;
  /** Payloads with this port or byte. */
  readonly payloads: number;
  /** The first line of the piece. */
  readonly text?: string;
}

export const coverageColumns: readonly Column<Covered>[] = [
  { key: "kind" },
  { key: "value", rank: 1 },
  { key: "payloads", kind: "number" },
  { key: "text" },
];

/** Collects what the payloads are, and what they run of each script. */
export class Coverage {
  readonly #ports = new Map<string, number>();
  readonly #bytes = new Map<string, number>();
  readonly #ran = new Map<ParserScript, Uint8Array>();

  add(script: ParserScript, { body }: Uplink, ranges: readonly CoveredRange[]): void {
    count(this.#ports, String(portOf(body) ?? "none"));
    count(this.#bytes, frameOf(body)?.slice(0, 2).toLowerCase() ?? "none");
    const all = this.#ran.get(script) ?? new Uint8Array(script.code.length);
    this.#ran.set(script, all);
    const now = new Uint8Array(all.length);
    for (const [start, end, isRun] of ranges) now.fill(isRun > 0 ? 1 : 0, start, end);
    for (let at = 0; at < all.length; at += 1) all[at] = (all[at] ?? 0) | (now[at] ?? 0);
  }

  /** Names of the ports, with the number of their payloads: `1 (300), 2 (261)`. */
  get ports(): string {
    return sorted(this.#ports)
      .map(([port, payloads]) => `${port} (${payloads})`)
      .join(", ");
  }

  rows(): Covered[] {
    const rowsOf = (kind: Covered["kind"], counts: ReadonlyMap<string, number>): Covered[] =>
      sorted(counts).map(([value, payloads]) => ({ kind, value, payloads }));
    const pieces = [...this.#ran].flatMap(([script, ran]) => piecesOf(script, ran));
    return [...rowsOf("port", this.#ports), ...rowsOf("first_byte", this.#bytes), ...pieces];
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
}

/** Code as it is, but for comments and marks that do nothing by themselves: those are spaces. */
const bare = (code: string): string =>
  code.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, (comment) => comment.replace(/./g, " ")).replace(/[{}();,\]]/g, " ");

/** Each branch of a switch is a piece of its own. */
const branch = /\n\s*(?:case\b|default\s*:)/y;

interface Piece {
  /** Offset in the code. */
  readonly at: number;
  readonly first: number;
  last: number;
}

const LONGEST = 100;

/** The line that a piece starts in, or the start of the piece where that line holds too much else. */
function shown(line: string, piece: string): string {
  const whole = line.trim();
  return whole.length <= LONGEST ? whole : (piece.split("\n", 1)[0] ?? "").slice(0, LONGEST);
}

/** Pieces of the source that never ran, with nothing between that did. */
function piecesOf({ name, text, code, lineOf }: ParserScript, ran: Uint8Array): Covered[] {
  const lines = text.split("\n");
  const found: Piece[] = [];
  let open: Piece | undefined;
  let line = 1;
  let lineStart = 0;
  const source = bare(code);
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at] ?? "";
    if (char === "\n") {
      line += 1;
      branch.lastIndex = at;
      if (branch.test(source)) open = undefined;
      lineStart = at + 1;
    } else if (char.trim() === "") continue;
    else if (ran[at] === 1) open = undefined;
    else {
      const here = lineOf(line, at - lineStart + 1);
      if (here === undefined) continue;
      if (open === undefined) {
        open = { at, first: here, last: here };
        found.push(open);
      } else open.last = here;
    }
  }
  return found.map(({ at, first, last }) => ({
    kind: "not_run" as const,
    value: `${name}:${first === last ? first : `${first}-${last}`}`,
    payloads: 0,
    text: shown(lines[first - 1] ?? "", code.slice(at)),
  }));
}
