import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import type { CommandContext } from "../kit/context.ts";
import { inputError } from "../kit/failures/command-error.ts";
import { shownPath } from "../kit/files/out-file.ts";
import { type Refuse, withoutMarks } from "../kit/folders/read.ts";
import { type Uplink, uplinksOf } from "./uplink.ts";

/** A payload of a folder, and what the parser should make of it. */
export interface Case {
  /** Its folder, and what precedes `payload` in the name of its file. */
  readonly name: string;
  readonly uplink: Uplink;
  /** Absolute path of the script, the nearest one unless a flag names it. */
  readonly script: string;
  /** Absolute path, whether the file exists or not. */
  readonly expectedFile: string;
  /** The records, or `{ "error": "part of the error" }`; undefined where there is no such file. */
  readonly expected?: unknown;
}

const SCRIPTS = ["parser.js", "parser.ts"];
const payloadFile = /^(.+\.)?payload\.(?:hex|json)$/;
const expectedFile = /^(.+\.)?expected\.json$/;

const refuse: Refuse = (place, why) =>
  inputError(`${place} cannot be used.`, {
    code: "parser.invalid_case",
    why: `${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
    next: 'See docs/parsers.md for the files of a case, or write expected files with "iot parser test --update".',
  });

/** Every file that a run of the folder depends on, and the folders themselves: a new file changes its folder. */
export function watchedPaths(folder: string): string[] {
  try {
    return [folder, ...below(folder)];
  } catch {
    // A folder that was removed while it was read: the next look finds what is left.
    return [folder];
  }
}

function below(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const isHidden = (name: string): boolean => name.split(sep).some((part) => /^(?:\.|node_modules$)/.test(part));
  return names.filter((name) => !isHidden(name)).map((name) => join(folder, name));
}

/** The cases of a folder and the folders in it, in the order of their names. */
export function readCases(
  ctx: CommandContext,
  folder: string,
  { script, port }: { readonly script: string | undefined; readonly port: number | undefined },
): Case[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw refuse(shownPath(ctx, folder), "it is not a folder");
  const files = below(folder);
  const payloads = files.filter((path) => payloadFile.test(basename(path)));
  const known = new Map<string, string>();
  for (const path of payloads) {
    const expected = expectedOf(path);
    const other = known.get(expected);
    if (other !== undefined)
      throw refuse(shownPath(ctx, path), `the case has another payload, ${shownPath(ctx, other)}`);
    known.set(expected, path);
  }
  const lonely = files.find((path) => expectedFile.test(basename(path)) && !known.has(path));
  if (lonely !== undefined) throw refuse(shownPath(ctx, lonely), "it has no payload.hex or payload.json beside it");
  if (known.size === 0) throw refuse(shownPath(ctx, folder), "it holds no payload.hex and no payload.json");
  const collator = new Intl.Collator("en", { numeric: true });
  return [...known]
    .map(([expected, path]) => readCase(ctx, folder, { path, expected, script, port }))
    .sort((a, b) => collator.compare(a.name, b.name));
}

/** `expected.json` beside `payload.hex`, `door.expected.json` beside `door.payload.hex`. */
const expectedOf = (path: string): string =>
  join(dirname(path), `${payloadFile.exec(basename(path))?.[1] ?? ""}expected.json`);

interface CaseFiles {
  readonly path: string;
  readonly expected: string;
  readonly script: string | undefined;
  readonly port: number | undefined;
}

function readCase(ctx: CommandContext, folder: string, { path, expected, script, port }: CaseFiles): Case {
  const shown = shownPath(ctx, path);
  const [uplink, ...others] = uplinksOf(withoutMarks(path, shown, refuse).replace(/^\ufeff/, ""), shown, port);
  if (uplink === undefined || others.length > 0) throw refuse(shown, "a case has one payload");
  const prefix = payloadFile.exec(basename(path))?.[1]?.slice(0, -1) ?? "";
  const name = join(relative(folder, dirname(path)), prefix)
    .split(sep)
    .join("/");
  return {
    name: name === "." ? basename(folder) : name,
    uplink,
    script: script ?? nearestScript(ctx, folder, path),
    expectedFile: expected,
    ...(existsSync(expected) ? { expected: readExpected(expected, shownPath(ctx, expected)) } : {}),
  };
}

function readExpected(path: string, shown: string): unknown {
  const text = withoutMarks(path, shown, refuse).replace(/^\ufeff/, "");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refuse(shown, `it is not valid JSON: ${String(error)}`);
  }
  if (Array.isArray(value) || errorIn(value) !== undefined) return value;
  throw refuse(shown, 'it must hold a list of records, or { "error": "part of the error" }');
}

/** The error that a case expects. */
export function errorIn(expected: unknown): string | undefined {
  const isObject = typeof expected === "object" && expected !== null && "error" in expected;
  return isObject && typeof expected.error === "string" ? expected.error : undefined;
}

/** The script of the case's own folder, or of the nearest one above it. */
function nearestScript(ctx: CommandContext, folder: string, path: string): string {
  for (let at = dirname(path); ; at = dirname(at)) {
    const found = SCRIPTS.map((name) => join(at, name)).find((file) => existsSync(file));
    if (found !== undefined) return found;
    if (at === folder || dirname(at) === at) break;
  }
  throw inputError(`No parser for ${shownPath(ctx, path)}.`, {
    code: "parser.no_script",
    why: "There is no parser.js or parser.ts in its folder or in one above it.",
    next: "Add the file, or name one with --script.",
  });
}
