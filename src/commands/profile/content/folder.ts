import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { slugOf } from "../../../text/slug.ts";
import { quote } from "../../kit/command/values.ts";
import { CommandError, conflictError, inputError } from "../../kit/failures/command-error.ts";
import { isObject, type JsonObject, writeWhole } from "../../kit/files/files.ts";
import { fileText, textOf } from "../../kit/folders/documents.ts";
import { type Entry, type Kind, kinds } from "./kinds.ts";

const FORMAT = "iotdeck/profile";
const PROFILE_FILE = "profile.json";
const SHARED = { file: 0o644, folder: 0o755 } as const;
const fileName = /^[a-z0-9-]*--([0-9a-f]{24})\.(json|js|py)$/;

/** What an export would change in a folder. Paths are relative to it. */
export interface FolderPlan {
  readonly written: ReadonlyMap<string, string>;
  /** Files of `written` that are there with another text. */
  readonly replaced: readonly string[];
  /** Files of resources the profile does not have any more. */
  readonly removed: readonly string[];
}

/** Text of an analysis, beside its file. */
function scriptFile(stem: string, { document }: Entry): string {
  return `${stem}.${textOf(document, "file_name").endsWith(".py") ? "py" : "js"}`;
}

function filesOf(entry: Entry): ReadonlyMap<string, string> {
  // The id becomes part of a path.
  if (!/^[0-9a-f]{24}$/.test(entry.id)) throw strangeId(entry);
  const stem = `${slugOf(entry.name, entry.kind)}--${entry.id}`;
  const { script, ...document } = entry.document;
  if (typeof script !== "string") return new Map([[join(entry.kind, `${stem}.json`), fileText(document)]]);
  const name = scriptFile(stem, entry);
  return new Map([
    [join(entry.kind, name), script],
    [join(entry.kind, `${stem}.json`), fileText({ ...document, script_file: name })],
  ]);
}

function strangeId({ kind, id }: Entry): Error {
  return new CommandError(`The platform gave a ${kind} an id that is none.`, {
    code: "platform.invalid_reply",
    exit: 1,
    why: `${quote(id)} has not 24 hexadecimal characters.`,
    next: "Leave the kind out with --exclude.",
  });
}

const textAt = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, "utf8") : undefined);

/** Says what files the entries become, and what of that would change in the folder. */
export function planFolder(
  out: string,
  profile: { readonly id: string; readonly name: string },
  chosen: readonly Kind[],
  entries: readonly Entry[],
): FolderPlan {
  requireOwnFolder(out);
  const files = new Map<string, string>();
  for (const entry of entries) for (const [path, text] of filesOf(entry)) files.set(path, text);
  // Last, so that a folder with this file has all the others.
  files.set(PROFILE_FILE, fileText({ format: FORMAT, version: 1, profile }));
  const written = new Map([...files].filter(([path, text]) => textAt(join(out, path)) !== text));
  const removed = chosen.flatMap(({ name }) =>
    namesIn(join(out, name))
      .filter((file) => fileName.test(file))
      .map((file) => join(name, file))
      .filter((path) => !files.has(path)),
  );
  return { written, replaced: [...written.keys()].filter((path) => existsSync(join(out, path))), removed };
}

/** Carries out a plan. Every file is replaced as a whole. */
export function writeFolder(out: string, { written, removed }: FolderPlan): void {
  for (const [path, text] of written) writeWhole(join(out, path), text, SHARED);
  for (const path of removed) rmSync(join(out, path), { force: true });
}

/** Refuses a folder that holds something else. */
function requireOwnFolder(out: string): void {
  const found = lstatSync(out, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isDirectory() && (namesIn(out).length === 0 || existsSync(join(out, PROFILE_FILE)))) return;
  throw conflictError(`${quote(out)} is no folder of a profile.`, {
    code: "profile.not_a_folder",
    why: found.isDirectory() ? "It holds other files, and no profile.json." : "It is a file.",
    next: "Name a new folder with --out.",
  });
}

function namesIn(folder: string): string[] {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true ? readdirSync(folder).sort() : [];
}

const invalid = (path: string, why: string): Error =>
  inputError(`${quote(path)} cannot be used.`, {
    code: "profile.invalid_files",
    why,
    next: "Correct the file, or export the profile again.",
  });

function readDocument(path: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8").replace(/^\ufeff/, ""));
  } catch (error) {
    throw invalid(path, error instanceof Error ? error.message : "It cannot be read.");
  }
  if (!isObject(value)) throw invalid(path, "It does not hold a JSON object.");
  return value;
}

function readEntry(folder: string, kind: Kind, file: string): Entry {
  const path = join(folder, kind.name, file);
  const { script_file: scriptName, ...document } = readDocument(path);
  const id = document["id"];
  if (typeof id !== "string" || !/^[0-9a-f]{24}$/.test(id)) throw invalid(path, "It has no id.");
  const name = nameOf(kind.name, document);
  if (scriptName === undefined) return { kind: kind.name, id, name, document };
  // Only a file beside this one: a path would lead out of the folder.
  const place = typeof scriptName === "string" && fileName.test(scriptName) ? scriptName : undefined;
  const script = place === undefined ? undefined : textAt(join(folder, kind.name, place));
  if (script === undefined) throw invalid(path, `Its script ${quote(String(scriptName))} is not there.`);
  return { kind: kind.name, id, name, document: { ...document, script } };
}

/** The word that tells one resource of a kind from the others for people. */
export function nameOf(kind: string, document: JsonObject): string {
  const member = { dashboard: "label", "run-user": "email", secret: "key" }[kind] ?? "name";
  return textOf(document, member);
}

/** A folder that an export wrote: the profile it came from, and its resources in the order they are made in. */
export interface ReadFolder {
  readonly profile: { readonly id: string; readonly name: string };
  readonly entries: readonly Entry[];
}

/** Reads a folder, and checks all of it before anything is done with a part. */
export function readFolder(folder: string, chosen: readonly Kind[]): ReadFolder {
  const path = join(folder, PROFILE_FILE);
  if (!existsSync(path)) {
    throw inputError(`${quote(folder)} is no folder of a profile.`, {
      code: "profile.not_a_folder",
      why: "It has no profile.json.",
      next: 'Write one with "iot profile export".',
    });
  }
  const { format, version, profile } = readDocument(path);
  if (format !== FORMAT || version !== 1 || !isObject(profile)) throw invalid(path, "Its format is another one.");
  const entries = kinds
    .filter((kind) => chosen.includes(kind))
    .flatMap((kind) =>
      namesIn(join(folder, kind.name))
        .filter((file) => file.endsWith(".json"))
        .map((file) => readEntry(folder, kind, file))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
  return { profile: { id: textOf(profile, "id"), name: textOf(profile, "name") }, entries };
}
