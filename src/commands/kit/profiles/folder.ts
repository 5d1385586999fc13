import { existsSync } from "node:fs";
import { join } from "node:path";
import { slugOf } from "../../../text/slug.ts";
import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { CommandError, conflictError, inputError } from "../failures/command-error.ts";
import { isObject, type JsonObject } from "../files/files.ts";
import { checkNewFolder } from "../files/out-file.ts";
import { documentText, fileText } from "../folders/documents.ts";
import { entryAt, namesIn, readDocument, refusing, withoutMarks } from "../folders/read.ts";
import { type FolderPlan, planFiles } from "../folders/write.ts";
import type { Entry, ResourceKind } from "./kind.ts";
import { kinds } from "./kinds.ts";

const FORMAT = "iotdeck/profile";
const PROFILE_FILE = "profile.json";
const fileName = /^[a-z0-9-]*--([0-9a-f]{24})\.(json|js|py)$/;

/** Text of an analysis, beside its file. */
function scriptFile(stem: string, { document }: Entry): string {
  return `${stem}.${documentText(document, "file_name").endsWith(".py") ? "py" : "js"}`;
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
  return new CommandError(`The platform returned an invalid id for a ${kind}.`, {
    code: "platform.invalid_reply",
    exit: 1,
    why: `${quote(id)} is not 24 hexadecimal characters.`,
    next: "Skip this kind with --exclude.",
  });
}

/** Says what files the entries become, and what of that would change in the folder. */
export function planProfileFolder(
  out: string,
  profile: { readonly id: string; readonly name: string },
  chosen: readonly ResourceKind[],
  entries: readonly Entry[],
): FolderPlan {
  const files = new Map<string, string>();
  for (const entry of entries) for (const [path, text] of filesOf(entry)) files.set(path, text);
  // Last, so that a folder with this file has all the others.
  files.set(PROFILE_FILE, fileText({ format: FORMAT, version: 1, profile }));
  return planFiles(
    out,
    files,
    chosen.map(({ name }) => name),
    (name) => fileName.test(name),
  );
}

/** Rejects a folder that contains something else, or where nothing could be written. */
export function requireOwnFolder(ctx: Pick<CommandContext, "cwd">, out: string): void {
  checkNewFolder(ctx, out);
  const found = entryAt(out);
  if (found === undefined) return;
  if (found.isDirectory() && (namesIn(out).length === 0 || existsSync(join(out, PROFILE_FILE)))) return;
  throw conflictError(`${quote(out)} is not an exported profile.`, {
    code: "profile.not_a_folder",
    why: found.isDirectory() ? "It contains other files and no profile.json." : "It is a file.",
    next: "Choose a new folder with --out.",
  });
}

const refuse = refusing("profile", "profile.invalid_files");

function readEntry(folder: string, kind: ResourceKind, name: string): Entry {
  const file = `${kind.name}/${name}`;
  const path = join(folder, file);
  const { script_file: scriptName, ...document } = readDocument(path, file, refuse);
  const id = document["id"];
  if (typeof id !== "string" || !/^[0-9a-f]{24}$/.test(id)) throw refuse(file, "it has no id");
  const about = { kind: kind.name, id, name: entryName(kind.name, document), file };
  if (scriptName === undefined) return { ...about, document };
  // Only a file beside this one: a path would lead out of the folder.
  if (typeof scriptName !== "string" || !fileName.test(scriptName)) {
    throw refuse(file, `its script ${quote(String(scriptName))} is not in the same folder`);
  }
  const scriptPath = join(folder, kind.name, scriptName);
  const script = withoutMarks(scriptPath, `${kind.name}/${scriptName}`, refuse);
  return { ...about, document: { ...document, script } };
}

/** What people call a resource, to distinguish it from others of its kind. */
export function entryName(kind: string, document: JsonObject): string {
  const member = { dashboard: "label", "run-user": "email", secret: "key" }[kind] ?? "name";
  return documentText(document, member);
}

/** A folder that an export wrote: the profile it came from, and its resources in the order they are made in. */
export interface ReadFolder {
  readonly profile: { readonly id: string; readonly name: string };
  readonly entries: readonly Entry[];
}

/** Reads a folder, and checks all of it before anything is done with a part. */
export function readFolder(folder: string, chosen: readonly ResourceKind[]): ReadFolder {
  const path = join(folder, PROFILE_FILE);
  if (!existsSync(path)) {
    throw inputError(`${quote(folder)} is not an exported profile.`, {
      code: "profile.not_a_folder",
      why: "It has no profile.json.",
      next: 'Create one with "iot profile export".',
    });
  }
  const { format, version, profile } = readDocument(path, path, refuse);
  if (format !== FORMAT || version !== 1 || !isObject(profile))
    throw refuse(path, "its format or version is not supported");
  const entries = kinds
    .filter((kind) => chosen.includes(kind))
    .flatMap((kind) =>
      namesIn(join(folder, kind.name))
        .filter((file) => file.endsWith(".json"))
        .map((file) => readEntry(folder, kind, file))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
  return { profile: { id: documentText(profile, "id"), name: documentText(profile, "name") }, entries };
}
