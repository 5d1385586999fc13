import type { OptionSpec, Options, OptionsOf } from "../../kit/command/options.ts";
import { quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import type { NamedReference, References } from "../../kit/dashboards/content.ts";
import { finders, lookForReference, type ReferenceKind } from "../../kit/dashboards/look-up.ts";
import { inputError, usageError } from "../../kit/failures/command-error.ts";
import { fileText } from "../../kit/folders/documents.ts";
import type { IdMap } from "../../kit/folders/replace-ids.ts";
import { mapLanes } from "../../kit/lanes.ts";
import { resolveForm } from "../../kit/resource/resolve-id.ts";
import { readFile } from "./read-folder.ts";

export const mapOptions = [
  { name: "map-device", value: "old=new", summary: "replace a device: id or name:… on either side", repeat: true },
  { name: "map-analysis", value: "old=new", summary: "replace an analysis: id or name:… on either side", repeat: true },
  {
    name: "map-file",
    value: "file",
    file: "in",
    summary: "JSON file that maps old ids to new ones; new ids are added",
  },
  { name: "allow-missing", summary: "keep ids of devices and analyses that do not exist" },
] as const satisfies Options;

/** The values of these flags. */
export type MapFlags = OptionsOf<typeof mapOptions>;

/** The flag of the commands that create a new dashboard by default. */
export const overwriteOption = {
  name: "overwrite",
  formerly: ["over"],
  value: "id",
  summary: "overwrite this dashboard: id, name:… or tag:key=value",
} as const satisfies OptionSpec;

/** Ids of the files and what they are on the platform. */
export interface Maps {
  readonly devices: Map<string, string>;
  readonly analyses: Map<string, string>;
  readonly dashboards: Map<string, string>;
  readonly widgets: Map<string, string>;
}

const sections = ["devices", "analyses", "dashboards", "widgets"] as const;
/** The flags of the kinds of things that are replaced, and what was given to them. */
const pairsOf = ({ mapDevice, mapAnalysis }: MapFlags) =>
  [
    { kind: "devices", flag: "map-device", pairs: mapDevice },
    { kind: "analyses", flag: "map-analysis", pairs: mapAnalysis },
  ] as const;

/** All ids in documents, old to new. */
export function allIds({ devices, analyses, widgets }: Maps): IdMap {
  return new Map([...devices, ...analyses, ...widgets]);
}

/** Reads `--map-file`, and `--map-device` and `--map-analysis` over it. */
export async function readMaps(to: CommandContext, flags: MapFlags, references: readonly References[]): Promise<Maps> {
  const maps = await mapsOfFile(to, flags.mapFile);
  for (const { kind, flag, pairs } of pairsOf(flags)) {
    const known = references.flatMap((each) => each[kind]);
    for (const text of pairs) {
      const [old, now] = pairOf(text, flag);
      const target = await resolveForm(to, finders[kind], now);
      maps[kind].set(oldId(old, known, flag), target.id);
    }
  }
  return maps;
}

/** The ids in a map file; none when there is no such file yet. */
export async function mapsOfFile(to: CommandContext, place: string | undefined): Promise<Maps> {
  const document = place === undefined ? {} : await mapDocument(to, place);
  const section = (name: (typeof sections)[number]): Map<string, string> =>
    new Map(Object.entries((document[name] ?? {}) as Readonly<Record<string, string>>));
  return {
    devices: section("devices"),
    analyses: section("analyses"),
    dashboards: section("dashboards"),
    widgets: section("widgets"),
  };
}

async function mapDocument(to: CommandContext, place: string): Promise<Readonly<Record<string, unknown>>> {
  const { existsSync } = await import("node:fs");
  // The file is made by the first command that has something to note in it.
  if (!existsSync(to.path(place))) return {};
  const { dashboardFileProblems } = await import("../../../schema/dashboard-files.ts");
  return readFile(to, place, dashboardFileProblems, "map");
}

/** The text of a map file. */
export function mapText(maps: Maps): string {
  return fileText(Object.fromEntries(sections.map((name) => [name, Object.fromEntries(maps[name])])));
}

function pairOf(text: string, flag: string): readonly [string, string] {
  const [, old, now] = /^(.+?)=((?:name|tag|serial):.+|[^=]+)$/s.exec(text) ?? [];
  if (old !== undefined && now !== undefined) return [old, now];
  throw usageError(`Invalid value ${quote(text)} for --${flag}: not in the form old=new.`, {
    next: 'Give the old id or "name:…", an equals sign, and the new one.',
  });
}

function oldId(text: string, known: readonly NamedReference[], flag: string): string {
  if (!text.startsWith("name:")) return text;
  const ids = [...new Set(known.filter(({ name }) => name === text.slice("name:".length)).map(({ id }) => id))];
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) return only;
  throw usageError(
    `--${flag}: ${only === undefined ? "nothing" : "more than one item"} in the files matches ${quote(text)}.`,
    {
      why: `The files use ${known.map(({ name }) => name).join(", ") || "none"}.`,
      next: "Give the old id.",
    },
  );
}

/**
 * Finds what the files use on the platform: the thing with the same id, else the only one with the same name. What is
 * found by its name goes into the maps.
 *
 * @param isLenient true where a missing thing is allowed, or no news because the dashboard uses it already
 */
export async function resolveReferences(
  to: CommandContext,
  references: References,
  maps: Maps,
  isLenient: boolean,
): Promise<void> {
  const missing: string[] = [];
  for (const kind of ["devices", "analyses"] as const) {
    const open = references[kind].filter(({ id }) => !maps[kind].has(id));
    const found = await mapLanes(open, to.flags.concurrency ?? 4, (each) => lookForReference(to, kind, each));
    open.forEach((each, i) => {
      const id = found[i];
      if (id === undefined) missing.push(describe(kind, each));
      else if (id !== each.id) maps[kind].set(each.id, id);
    });
  }
  if (missing.length === 0) return;
  const label = await to.label();
  const what = `${label} has no ${missing.join(", no ")}.`;
  if (isLenient) return to.say.warning(`${what} The ids are kept.`);
  throw inputError("The dashboard uses devices or analyses that do not exist.", {
    code: "dashboard_files.unmapped",
    why: what,
    next: "Add --map-device old=new or --map-analysis old=new, or --allow-missing to keep the ids.",
  });
}

function describe(kind: ReferenceKind, { id, name }: NamedReference): string {
  return `${kind === "devices" ? "device" : "analysis"} ${id} and no unique one named ${quote(name)}`;
}
