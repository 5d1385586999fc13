import { isRecord } from "../../lib/core/json.ts";
import { type SectionName, sectionSchemas } from "../../schema/seed/records.ts";
import type { SeedFolder } from "./folder.ts";
import { override, type RawLayer } from "./raw-layer.ts";
import type { RawRecord } from "./repeat.ts";
import { SeedError } from "./seed-error.ts";

/** Folders that `iot profile export` writes, and the section of a seed that contains their records. */
const KINDS: Readonly<Record<string, SectionName>> = {
  network: "networks",
  connector: "connectors",
  device: "devices",
  entity: "entities",
  dictionary: "dictionaries",
  secret: "secrets",
  query: "queries",
  analysis: "analyses",
  dashboard: "dashboards",
  "run-user": "portal-users",
  action: "actions",
  access: "access-rules",
  core: "cores",
  portal: "portal",
};

const PROFILE_FILE = "profile.json";
const SCRIPT_NAME = /^[a-z0-9-]*--[0-9a-f]{24}\.(js|py)$/;

/** True for a folder that `iot profile export` wrote. */
export function isExport(folder: SeedFolder): boolean {
  const { files } = folder.names();
  return files.includes(PROFILE_FILE) && !files.includes("scenario.json");
}

/** Replaces the first profile of `base` by an exported one: same owner and tokens, with the id of the export. */
export function exportLayers(
  folder: SeedFolder,
  base: readonly RawLayer[],
  created: string,
): { readonly layers: readonly RawLayer[]; readonly profile: string } {
  const profile = profileOf(folder);
  const own = new Map(
    Object.entries(KINDS).map(([kind, section]) => [section, recordsOf(folder, kind, section)] as const),
  );
  const bases = base.map((layer) => ({ ...layer, sections: new Map(layer.sections) }));
  for (const { sections: all } of bases) {
    all.set("profiles", withProfile(all.get("profiles") ?? [], profile));
    all.delete("analyses");
    for (const name of ["networks", "connectors"] as const)
      all.set(
        name,
        (all.get(name) ?? []).filter(({ value }) => value["public"] === true),
      );
  }
  for (const field of ["network", "connector"] as const) {
    const section = `${field}s` as const;
    const known = [...bases.flatMap((layer) => layer.sections.get(section) ?? []), ...(own.get(section) ?? [])];
    own.set(section, [...(own.get(section) ?? []), ...missing(field, own.get("devices") ?? [], known)]);
  }
  const layer = { folder, created, sections: own, faults: [] };
  return { layers: override(bases, layer), profile: profile.id };
}

function profileOf(folder: SeedFolder): { readonly id: string; readonly name: string } {
  const file = folder.json(PROFILE_FILE);
  const profile = isRecord(file) ? file["profile"] : undefined;
  const isKnown = isRecord(file) && file["format"] === "iotdeck/profile" && file["version"] === 1;
  if (isKnown && isRecord(profile) && typeof profile["id"] === "string" && typeof profile["name"] === "string")
    return { id: profile["id"], name: profile["name"] };
  throw new SeedError(
    `${PROFILE_FILE} is not that of an exported profile of version 1.`,
    'Export the profile once more with "iot profile export".',
  );
}

function withProfile(
  profiles: readonly RawRecord[],
  { id, name }: { readonly id: string; readonly name: string },
): RawRecord[] {
  const [first, ...others] = profiles;
  if (first === undefined) return [];
  return [
    { at: PROFILE_FILE, value: { ...first.value, id, name } },
    ...others.filter(({ value }) => value["id"] !== id),
  ];
}

function recordsOf(folder: SeedFolder, kind: string, section: SectionName): RawRecord[] {
  const files = folder.names(kind).files.filter((file) => file.endsWith(".json"));
  return files.map((file) => {
    const at = `${kind}/${file}`;
    const content = folder.json(at);
    if (!isRecord(content)) throw new SeedError(`${at} must be an object.`);
    const { script_file: script, ...document } = content;
    if (script === undefined) return { at, value: known(section, document) };
    if (typeof script !== "string" || !SCRIPT_NAME.test(script))
      throw new SeedError(`${at}: its script is not a file beside it.`);
    return { at, value: { ...known(section, document), script: `${kind}/${script}` } };
  });
}

/** Drops fields that a seed does not accept: an export also contains those the platform sets. */
function known(section: SectionName, document: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { id, ...portal } = document;
  const value = section === "portal" ? portal : { id, ...portal };
  const issues = sectionSchemas()[section].safeParse(value).error?.issues ?? [];
  const unknown = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" && issue.path.length === 0 ? issue.keys : [],
  );
  return Object.fromEntries(Object.entries(value).filter(([key]) => !unknown.includes(key)));
}

/**
 * Public networks or connectors that replace those that devices refer to and the files do not contain: the platform's
 * own.
 */
function missing(
  field: "network" | "connector",
  devices: readonly RawRecord[],
  there: readonly RawRecord[],
): RawRecord[] {
  const ids = new Set(there.map(({ value }) => value["id"]));
  const named = new Set(devices.map(({ value }) => value[field]));
  return [...named]
    .filter((id) => typeof id === "string" && !ids.has(id))
    .map((id) => ({ at: `${field} ${String(id)}`, value: { id, name: `${field} ${String(id)}`, public: true } }));
}
