import { createHash } from "node:crypto";
import { type Section, type SectionName, sectionNames, sectionSchemas } from "../../schema/seed/records.ts";
import type { BodyIssue } from "../http/handler.ts";
import type { SeedFolder } from "./folder.ts";
import type { RawLayer } from "./raw-layer.ts";
import { SeedError } from "./seed-error.ts";

/** A checked record with an id, and its location in the files. */
export interface Checked<Name extends SectionName> {
  readonly at: string;
  readonly record: Section<Name> & { readonly id: string };
}

/** A checked folder of a seed. */
export interface Layer {
  readonly created: string;
  of<Name extends SectionName>(name: Name): readonly Checked<Name>[];
  /** A file that a record refers to. */
  readonly bytes: SeedFolder["bytes"];
}

/** Checks every record of a layer. Throws a `SeedError` that names file, path and problem. */
export function checkLayer(raw: RawLayer): Layer {
  const checked = new Map<SectionName, readonly Checked<SectionName>[]>();
  const schemas = sectionSchemas();
  for (const name of sectionNames) {
    const ids = new Map<string, string>();
    const records = (raw.sections.get(name) ?? []).map(({ at, value }) => {
      const parsed = schemas[name].safeParse(value);
      if (!parsed.success) throw problem(at, parsed.error.issues);
      // Referenced files must exist before anything is stored.
      for (const file of [value["script"], value["file"]]) if (typeof file === "string") raw.folder.bytes(file, at);
      const found = { at, record: { id: derivedId(name, value, ids), ...inOrder(value, parsed.data) } };
      const other = ids.get(found.record.id);
      if (other !== undefined) throw new SeedError(`${at}: the id ${found.record.id} is that of ${other}, too.`);
      ids.set(found.record.id, at);
      return found;
    });
    checked.set(name, records as readonly Checked<SectionName>[]);
  }
  return {
    created: raw.created,
    of: <Name extends SectionName>(name: Name) => (checked.get(name) ?? []) as unknown as readonly Checked<Name>[],
    bytes: (name, at) => raw.folder.bytes(name, at),
  };
}

export function problem(at: string, issues: readonly BodyIssue[]): SeedError {
  const shown = issues.slice(0, 3).map(({ path, message }) => {
    const where = path.length === 0 ? "" : `, ${path.join(".")}`;
    return `${at}${where}: ${message}`;
  });
  const more = issues.length > 3 ? ` (and ${issues.length - 3} more)` : "";
  return new SeedError(`${shown.join("; ")}${more}`.replace(/([^.])$/, "$1."));
}

/** Fields in the order of the file, as documents are stored; omitted ones follow. */
function inOrder(value: Readonly<Record<string, unknown>>, parsed: Readonly<Record<string, unknown>>) {
  const kept = Object.keys(value).filter((key) => Object.hasOwn(parsed, key));
  return { ...Object.fromEntries(kept.map((key) => [key, parsed[key]])), ...parsed };
}

/** Id of a record without one: the same as long as its name stays. */
function derivedId(
  section: SectionName,
  value: Readonly<Record<string, unknown>>,
  taken: ReadonlyMap<string, string>,
): string {
  const own = ["name", "label", "key", "email", "title", "path"].map((key) => value[key]).find(Boolean);
  for (let number = 1; ; number += 1) {
    const digest = createHash("sha256")
      .update(`${section} ${String(own)} ${number}`)
      .digest("hex");
    const made = `65a10000${digest.slice(0, 16)}`;
    if (!taken.has(made)) return made;
  }
}
