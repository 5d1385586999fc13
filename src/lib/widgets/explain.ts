import { isOldName } from "./catalog.ts";
import { harmless } from "./harmless.ts";
import { commonPath, keysOf } from "./paths.ts";
import type { Fate, Provenance } from "./provenance.ts";
import { isSource, type Source } from "./readers.ts";

/** What one key of the source widget was converted to. */
export interface ReportEntry {
  /** Path of the key in the source: `display.vars_labels["dev1temp"]`, `data[0].origin`. */
  readonly path: string;
  /**
   * - `mapped`: its value, or one derived from it, is at the paths in `to`
   * - `defaulted`: its value was unusable; the paths in `to` have a default
   * - `dropped`: it is not in the new widget; `reason` says why
   * - `unknown`: not a known key of this widget type; it is not in the new widget
   */
  readonly status: "mapped" | "defaulted" | "dropped" | "unknown";
  /** Paths in the new widget. */
  readonly to?: readonly string[];
  /** Why it was dropped or defaulted, or what changed about a mapped value. */
  readonly reason?: string;
}

interface Writable {
  path: string;
  status: ReportEntry["status"];
  to?: string[];
  reason?: string;
}

type Nothing = Pick<ReportEntry, "status" | "reason">;

// Keys of a stored widget outside its display.
const WIDGET_KEYS: ReadonlySet<string> = new Set(
  "id label dashboard type display data realtime analysis_run resource tags query cache mock_data token created_at updated_at".split(
    " ",
  ),
);

const UNKNOWN: Nothing = { status: "unknown" };
const NOT_USED = "the new widget has no such setting";
const UNUSABLE = "empty or unusable, replaced by the default";
const NOTHING_LEFT = "the new widget has no setting for anything in it";
export const TOO_DEEP = "nested too deep to report key by key";

/** Keys below this depth are reported as part of the key that contains them. */
const REPORT_DEPTH = 200;

/** Explains every key of a converted widget. */
export function explainConverted(widget: Source, provenance: Provenance): ReportEntry[] {
  const entries: Writable[] = [];
  const walk = (
    value: object,
    path: string,
    copies: readonly string[],
    otherwise: Nothing,
    depth: number,
  ): Writable[] => {
    const found: Writable[] = [];
    for (const [key, below] of keysOf(value, path)) {
      const item = (value as Source)[key];
      const fate = provenance.fate(value, key);
      const whole = [...copies.map((to) => to + below.slice(path.length)), ...(fate?.copies ?? [])];
      const nothing = withoutPlace(value, key, fate, otherwise, depth, provenance);
      const entry: Writable = { path: below, ...ownFate(fate, whole, nothing) };
      entries.push(entry);
      found.push(entry);
      if (!isSource(item) || Object.keys(item).length === 0) continue;
      if (depth >= REPORT_DEPTH) entry.reason ??= TOO_DEEP;
      else {
        const inner = provenance.wasRead(item) ? (unusedReason(provenance, item) ?? UNKNOWN) : nothing;
        summarize(entry, walk(item, below, whole, inner, depth + 1));
      }
    }
    return found;
  };
  walk(widget, "", [], UNKNOWN, 0);
  return entries;
}

function unusedReason(provenance: Provenance, item: object): Nothing | undefined {
  const reason = provenance.unusedIn(item);
  return reason === undefined ? undefined : { status: "dropped", reason };
}

// The entry for a key that nothing in the output came from.
function withoutPlace(
  value: object,
  key: string,
  fate: Fate | undefined,
  otherwise: Nothing,
  depth: number,
  provenance: Provenance,
): Nothing {
  if (fate !== undefined) return { status: "dropped", reason: fate.reason ?? harmless.decidedElsewhere };
  if (otherwise.status === "dropped" || provenance.unusedIn(value) !== undefined) return otherwise;
  const isKnown = depth === 0 ? WIDGET_KEYS.has(key) : isOldName(key);
  return isKnown ? { status: "dropped", reason: NOT_USED } : otherwise;
}

function ownFate(fate: Fate | undefined, whole: string[], nothing: Nothing): Omit<Writable, "path"> {
  const to = fate === undefined ? whole : [...fate.made, ...whole];
  if (to.length > 0) return { status: "mapped", to: unique(to), ...(fate?.note ? { reason: fate.note } : {}) };
  if (fate !== undefined && fate.defaults.length > 0) {
    return { status: "defaulted", to: unique(fate.defaults), reason: UNUSABLE };
  }
  return { ...nothing };
}

function unique(paths: string[]): string[] {
  return paths.length > 1 ? [...new Set(paths)] : paths;
}

// A container that was not mapped itself is mapped to where its keys went.
function summarize(entry: Writable, inside: readonly Writable[]): void {
  if (entry.status === "mapped" || entry.status === "defaulted") return;
  const placed = inside.filter((each) => each.status === "mapped");
  const defaulted = placed.length > 0 ? placed : inside.filter((each) => each.status === "defaulted");
  if (defaulted.length > 0) {
    entry.status = placed.length > 0 ? "mapped" : "defaulted";
    entry.to = meetingPlaces(defaulted.flatMap((each) => each.to ?? []));
    if (placed.length > 0) delete entry.reason;
    else entry.reason = UNUSABLE;
    return;
  }
  if (entry.status === "unknown" && inside.some((each) => each.status === "dropped")) {
    entry.status = "dropped";
    entry.reason = NOTHING_LEFT;
  }
}

const FEW = 4;

function meetingPlaces(paths: string[]): string[] {
  const all = unique(paths);
  if (all.length <= FEW) return all;
  const common = all.reduce(commonPath);
  return common === "" ? [...new Set(all.map((path) => /^[^.[]+/.exec(path)?.[0] ?? path))] : [common];
}

/** Explains every key of a widget that was not converted. */
export function explainUnchanged(widget: unknown): ReportEntry[] {
  const entries: ReportEntry[] = [];
  const walk = (value: object, path: string, depth: number): void => {
    for (const [key, below] of keysOf(value, path)) {
      const item = (value as Source)[key];
      const isCut = isSource(item) && depth >= REPORT_DEPTH && Object.keys(item).length > 0;
      entries.push({ path: below, status: "mapped", to: [below], ...(isCut ? { reason: TOO_DEEP } : {}) });
      if (isSource(item) && !isCut) walk(item, below, depth + 1);
    }
  };
  if (isSource(widget)) walk(widget, "", 0);
  return entries;
}
