import { isRecord } from "../../lib/core/json.ts";
import { type SectionName, sectionNames } from "../../schema/seed/records.ts";
import type { FaultRule } from "../core/fault-rules.ts";
import { faultProblem } from "../core/fault-rules.ts";
import type { SeedFolder } from "./folder.ts";
import { expand, listsOf, type RawRecord } from "./repeat.ts";
import { SeedError } from "./seed-error.ts";

/** Unchecked files of a folder of a seed. */
export interface RawLayer {
  readonly folder: SeedFolder;
  /** Creation date of its records. */
  readonly created: string;
  readonly sections: ReadonlyMap<SectionName, readonly RawRecord[]>;
  readonly faults: readonly FaultRule[];
}

const OTHERS: readonly string[] = ["scenario", "faults"];
/** Most records of a folder. */
const MAX_RECORDS = 50_000;

/**
 * Records of the files of a folder: `devices.json` contains a record or a list of them, and so does every file in
 * `devices/`.
 */
export function readSections(
  folder: SeedFolder,
  lists: unknown,
  only: readonly SectionName[] = sectionNames,
): RawLayer["sections"] {
  const { files, folders } = folder.names();
  const known = [...sectionNames, ...OTHERS];
  const strange = files.find((file) => file.endsWith(".json") && !known.includes(file.slice(0, -".json".length)));
  if (strange !== undefined) {
    throw new SeedError(
      `${strange} is not a file of a seed. There are: ${known.map((name) => `${name}.json`).join(", ")}.`,
    );
  }
  const shared = listsOf(lists, "scenario.json");
  let room = MAX_RECORDS;
  const all = only.map((name) => {
    const more = folders.includes(name) ? folder.names(name).files.filter((file) => file.endsWith(".json")) : [];
    const paths = [`${name}.json`, ...more.map((file) => `${name}/${file}`)];
    const entries = paths.flatMap((path) => recordsIn(folder, path));
    const records = entries.flatMap((entry) => {
      const made = expand(entry, shared);
      room -= made.length;
      if (room < 0) throw new SeedError(`The seed has more than ${MAX_RECORDS} records.`);
      return made;
    });
    return [name, records] as const;
  });
  return new Map(all);
}

function recordsIn(folder: SeedFolder, path: string): RawRecord[] {
  const content = folder.json(path);
  if (content === undefined) return [];
  const isList = Array.isArray(content);
  return (isList ? content : [content]).map((value: unknown, index) => {
    const at = isList ? `${path} [${index}]` : path;
    if (!isRecord(value)) throw new SeedError(`${at} must be an object.`);
    return { at, value };
  });
}

/** Merges fields of a later layer into records of earlier ones with the same id; the portal has no id. */
export function override(layers: readonly RawLayer[], later: RawLayer): RawLayer[] {
  const earlier = layers.map((layer) => ({ ...layer, sections: new Map(layer.sections) }));
  const own = new Map(later.sections);
  for (const [name, records] of later.sections) {
    const isSame = (a: RawRecord, b: RawRecord): boolean =>
      name === "portal" || name === "ledger" || (a.value["id"] !== undefined && a.value["id"] === b.value["id"]);
    const known = (record: RawRecord): boolean =>
      earlier.some((layer) => layer.sections.get(name)?.some((before) => isSame(before, record)) === true);
    const changes = records.filter(known);
    if (changes.length === 0) continue;
    own.set(
      name,
      records.filter((record) => !changes.includes(record)),
    );
    for (const layer of earlier) {
      const changed = layer.sections.get(name)?.map((before) => {
        const change = changes.find((record) => isSame(record, before));
        return change === undefined ? before : { at: change.at, value: { ...before.value, ...change.value } };
      });
      if (changed !== undefined) layer.sections.set(name, changed);
    }
  }
  return [...earlier, { ...later, sections: own }];
}

/** The fault rules of `faults.json`. */
export function faultsOf(folder: SeedFolder): readonly FaultRule[] {
  const value = folder.json("faults.json") ?? [];
  if (!Array.isArray(value)) throw new SeedError("faults.json must be a list of rules.");
  return value.map((rule: unknown, at) => {
    const wrong = faultProblem(rule);
    if (wrong !== undefined) throw new SeedError(`faults.json [${at}]: ${wrong}.`);
    return rule as FaultRule;
  });
}
