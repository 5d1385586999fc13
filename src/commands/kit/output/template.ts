import { type CommandError, usageError } from "../failures/command-error.ts";
import { atPath, toJson } from "./values.ts";

/** A piece of a template: fixed text, or a placeholder. */
type Piece = string | { readonly path: string; readonly asJson: boolean };

const place = /\{\{(.*?)\}\}/gs;
const expression = /^\s*(\.|\.?[\p{L}\p{N}_$-]+(?:\.[\p{L}\p{N}_$-]+)*)\s*(\|\s*json\s*)?$/u;

function wrong(why: string): CommandError {
  return usageError("Invalid --template.", {
    code: "usage.template",
    why,
    next: 'Use the form --template "{{name}} {{tags | json}}"; see "iot help output".',
  });
}

/** `\n` and `\t` as people type them in a shell. */
const unescaped = (text: string): string => text.replaceAll("\\n", "\n").replaceAll("\\t", "\t");

function fixed(text: string): string {
  if (text.includes("{{") || text.includes("}}")) throw wrong("Unmatched {{ or }}.");
  return unescaped(text);
}

/** Reads `{{path}}` and `{{path | json}}`; `{{.}}` is the whole row. Everything else is a usage failure. */
export function parseTemplate(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(place)) {
    pieces.push(fixed(text.slice(from, match.index)));
    from = match.index + match[0].length;
    const [, path, json] = expression.exec(match[1] ?? "") ?? [];
    if (path === undefined) throw wrong(`{{${match[1] ?? ""}}} is not a path, or a path and "| json".`);
    pieces.push({ path: path === "." ? "" : path.replace(/^\./, ""), asJson: json !== undefined });
  }
  pieces.push(fixed(text.slice(from)));
  return pieces;
}

/** The fields that a template names. */
export function pathsIn(pieces: readonly Piece[]): readonly string[] {
  return pieces.flatMap((piece) => (typeof piece === "string" || piece.path === "" ? [] : [piece.path]));
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "" : value.toISOString();
  return typeof value === "object" ? toJson(value) : String(value);
}

/** One line: the template with the values of one row. */
export function fillTemplate(pieces: readonly Piece[], row: unknown): string {
  const texts = pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    const value = piece.path === "" ? row : atPath(row, piece.path);
    return piece.asJson ? toJson(value) : textOf(value);
  });
  return `${texts.join("")}\n`;
}
