import { lstatSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { type SectionName, scenarioSchema } from "../../schema/seed/records.ts";
import { problem } from "./content.ts";
import { SeedFolder } from "./folder.ts";
import { exportLayers, isExport } from "./profile-export.ts";
import { faultsOf, override, type RawLayer, readSections } from "./raw-layer.ts";
import { SeedError } from "./seed-error.ts";
import { scenarioNames, shippedFolder } from "./shipped.ts";

/** The folders of a seed, the base of the others first, and the profile they fill. */
export interface RawSeed {
  readonly layers: readonly RawLayer[];
  /** Default: the first profile. */
  readonly profile: string | undefined;
}

/**
 * Creation date of everything but the history of a seed, unless its scenario specifies one: the date in the ids of the
 * demo.
 */
const CREATED_AT = "2024-01-12T09:01:52.000Z";
/** Most folders that build on each other. */
const MAX_LAYERS = 5;

/** Reads the files of a seed, or some of them: a scenario of this package by its name, or a folder by its path. */
export function readSeed(source: string, only?: readonly SectionName[]): RawSeed {
  if (scenarioNames().includes(source)) return readShipped(source, 1, only);
  const folder = new SeedFolder(realFolder(source));
  if (!isExport(folder)) return readFolder(folder, 1);
  return exportLayers(folder, readShipped("empty", 1).layers, CREATED_AT);
}

function realFolder(source: string): string {
  const next = `Use one of ${scenarioNames().join(", ")}, a number, or the path of a folder with a scenario.json or an exported profile.`;
  const found = lstatSync(source, { throwIfNoEntry: false });
  if (found === undefined) throw new SeedError(`There is no scenario or folder "${source}".`, next);
  const path = realpathSync(source);
  if (!lstatSync(path).isDirectory()) throw new SeedError(`The seed "${source}" is not a folder.`, next);
  return path;
}

function readShipped(name: string, depth: number, only?: readonly SectionName[]): RawSeed {
  if (scenarioNames().includes(name)) return readFolder(new SeedFolder(join(shippedFolder(), name)), depth, only);
  throw new SeedError(
    `scenario.json: there is no scenario "${name}" to extend. There are ${scenarioNames().join(", ")}.`,
  );
}

function readFolder(folder: SeedFolder, depth: number, only?: readonly SectionName[]): RawSeed {
  if (depth > MAX_LAYERS) throw new SeedError(`scenario.json: more than ${MAX_LAYERS} scenarios extend each other.`);
  const file = folder.json("scenario.json");
  if (file === undefined) {
    throw new SeedError(
      `${folder.path} is not a seed: it has neither a scenario.json nor the profile.json of an exported profile.`,
      'Add a scenario.json such as { "extends": "empty" }, or create the folder with "iot profile export".',
    );
  }
  const about = scenarioSchema().safeParse(file);
  if (!about.success) throw problem("scenario.json", about.error.issues);
  const base = about.data.extends === undefined ? undefined : readShipped(about.data.extends, depth + 1, only);
  const layer: RawLayer = {
    folder,
    created: about.data.created ?? CREATED_AT,
    sections: readSections(folder, about.data.lists, only),
    faults: faultsOf(folder),
  };
  return { layers: override(base?.layers ?? [], layer), profile: about.data.profile ?? base?.profile };
}
