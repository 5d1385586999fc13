import { resolve } from "node:path";
import type { SectionName } from "../../schema/seed/records.ts";
import type { FaultRule } from "../core/fault-rules.ts";
import { IdSource } from "../core/ids.ts";
import { checkLayer, type Layer } from "./content.ts";
import { fillAccounts, fillAuthorizations } from "./fill-accounts.ts";
import { fillAutomation, fillBackups } from "./fill-automation.ts";
import { fillDashboards } from "./fill-dashboards.ts";
import { fillDevices } from "./fill-devices.ts";
import { fillLedger } from "./fill-ledger.ts";
import { fillPortal } from "./fill-portal.ts";
import { fillResources } from "./fill-resources.ts";
import type { SeededParts } from "./filling.ts";
import { readSeed } from "./layers.ts";
import { factsOf, type RecordsOf, type SeedFacts } from "./published.ts";
import { SeedError } from "./seed-error.ts";
import { scenarioNames } from "./shipped.ts";

/** A seed whose files were read and checked. */
export interface LoadedSeed extends SeedFacts {
  readonly layers: readonly Layer[];
  /** Fault rules that are active from the start. */
  readonly faults: readonly FaultRule[];
}

/** The requested seed. */
export interface ChosenSeed {
  /** Name of a scenario, or absolute path of a folder. */
  readonly source: string;
  /** Seed of generated history. */
  readonly seed: number;
  /** The demo account or the empty one: their files need no check before a start. */
  readonly isBuiltIn: boolean;
}

const DEFAULT_SEED = 1;

/** Separates the ids of history from those a sandbox with the same seed creates later. */
const HISTORY_STREAM = 0x5eed;

/** Parses the option `seed`: a number is the demo account with another history. With TagoTiP it has devices for that. */
export function chooseSeed(option: number | string = "demo", hasTip = false): ChosenSeed {
  const [given, seed] = typeof option === "number" ? ["demo", option] : [option, DEFAULT_SEED];
  const name = hasTip && given === "demo" ? "tip" : given;
  const isBuiltIn = name === "demo" || name === "empty";
  return { source: isBuiltIn || scenarioNames().includes(name) ? name : resolve(name), seed, isBuiltIn };
}

/**
 * Reads and checks a scenario of this package, or a folder.
 *
 * @throws SeedError that names the file, the path in it and the problem
 */
export function loadSeed(source: string): LoadedSeed {
  const raw = readSeed(source);
  const layers = raw.layers.map(checkLayer);
  const records: RecordsOf = (name) => layers.flatMap((layer) => layer.of(name).map(({ record }) => record));
  const facts = factsOf(records, raw.profile);
  if (facts.profile === "" || (raw.profile !== undefined && raw.profile !== facts.profile)) {
    throw new SeedError(
      raw.profile === undefined ? "The seed has no profile." : `The seed has no profile ${raw.profile}.`,
      'Add it to profiles.json, or build on the one of "extends": "empty".',
    );
  }
  return { layers, faults: raw.layers.flatMap(({ faults }) => faults), ...facts };
}

let demo: SeedFacts | undefined;

/**
 * Published tokens and passwords of the demo account, and so of the empty one: read from their files once, unchecked.
 */
export function demoFacts(): SeedFacts {
  demo ??= readDemoFacts();
  return demo;
}

function readDemoFacts(): SeedFacts {
  const { layers, profile } = readSeed("demo", [
    "accounts",
    "profiles",
    "networks",
    "devices",
    "portal-users",
    "service-authorizations",
    "analyses",
  ]);
  // Tests check these files.
  const valuesOf = (name: SectionName): unknown[] =>
    layers.flatMap(({ sections }) => (sections.get(name) ?? []).map(({ value }) => value));
  return factsOf(valuesOf as RecordsOf, profile);
}

/**
 * Seeds an empty sandbox, all or nothing. History is generated up to the current time of the sandbox's clock, so that
 * "1 day" always has data; the number `seed` determines its values and ids.
 */
export function fillSandbox(app: SeededParts, loaded: LoadedSeed, seed: number): void {
  const rowIds = new IdSource(app.clock, seed ^ HISTORY_STREAM);
  app.db.transaction(() => {
    for (const layer of loaded.layers) {
      const filling = { app, layer, profile: loaded.profile, seed, rowIds };
      fillAccounts(filling);
      fillDevices(filling);
      fillDashboards(filling);
      fillPortal(filling);
      fillLedger(filling);
      fillResources(filling);
      fillAuthorizations(filling);
      fillAutomation(filling);
      fillBackups(filling);
    }
  });
}
