import type { ReportEntry } from "./explain.ts";
import { byRoot, type GoneKey, valuesByPath, whysText } from "./losses.ts";

/** What became of a key, or of a setting with all keys in it. */
type KeyState = "lost" | "changed" | "not needed" | "unchanged";

/** A key of the old widget and what became of it. */
interface KeyResult {
  /** Path in the old widget: `display.vars_labels["dev1temp"]`. */
  readonly path: string;
  /** What became of it. */
  readonly state: KeyState;
  /** The same in words, with the reason or the path in the new widget. */
  readonly result: string;
}

/** A setting of the old widget: a key of its display, or of the widget itself. */
export interface SettingResult extends KeyResult {
  /** The keys in it that hold no others, in source order. The setting itself if there are none in it. */
  readonly keys: readonly KeyResult[];
}

const ORDER: readonly KeyState[] = ["lost", "changed", "not needed", "unchanged"];

const isAbove = (path: string, next = ""): boolean => next.startsWith(path) && /^[.[]/.test(next.slice(path.length));

/** The settings of a converted widget: lost ones first, then changed ones. */
export function settingsOf(
  before: unknown,
  after: unknown,
  entries: readonly ReportEntry[],
  gone: readonly GoneKey[],
): readonly SettingResult[] {
  const goneAt = new Map(gone.map((each) => [each.path, each]));
  const [old, now] = [valuesByPath(before), valuesByPath(after)];
  const isSame = ({ path, to, reason }: ReportEntry): boolean =>
    reason === undefined && to?.length === 1 && to[0] === path && isSameValue(old.get(path), now.get(path));
  const leaves = entries.filter(({ path }, i) => !isAbove(path, entries[i + 1]?.path));
  const roots = new Map(entries.map((entry) => [entry.path, entry]));
  return [...byRoot(leaves)]
    .map(([root, inside]) => {
      const keys = inside.map((entry) => keyResult(entry, goneAt.get(entry.path), isSame(entry)));
      const lost = inside.flatMap(({ path }) => goneAt.get(path) ?? []).filter(({ isLost }) => isLost);
      return settingResult(roots.get(root), root, keys, lost);
    })
    .sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
}

/** Empty objects and lists are compared by what they are. */
const isSameValue = (a: unknown, b: unknown): boolean =>
  Object.is(a, b) || (typeof a === "object" && typeof b === "object" && JSON.stringify(a) === JSON.stringify(b));

function keyResult(entry: ReportEntry, gone: GoneKey | undefined, isSame: boolean): KeyResult {
  const { path } = entry;
  if (gone !== undefined) return { path, state: gone.isLost ? "lost" : "not needed", result: goneText(gone) };
  return isSame
    ? { path, state: "unchanged", result: "unchanged" }
    : { path, state: "changed", result: placeText(entry) };
}

/** Of a key without an effect: whether it is lost, and why. */
const goneText = ({ isLost, why }: GoneKey): string => `${isLost ? "lost" : "not needed"}: ${why}`;

const placeText = ({ status, to = [], reason }: ReportEntry): string =>
  `${status}${to.length === 0 ? "" : `: ${to.join(", ")}`}${reason === undefined ? "" : ` (${reason})`}`;

function settingResult(
  entry: ReportEntry | undefined,
  path: string,
  keys: readonly KeyResult[],
  lost: readonly GoneKey[],
): SettingResult {
  const state = ORDER.find((each) => keys.some((key) => key.state === each)) ?? "unchanged";
  const [first, ...others] = keys;
  const same = first !== undefined && others.every(({ result }) => result === first.result);
  if (same) return { path, state, result: first.result, keys };
  if (state === "lost") {
    const part = lost.length === keys.length ? "lost" : `${lost.length} of ${keys.length} keys lost`;
    return { path, state, result: `${part}: ${whysText(lost)}`, keys };
  }
  const isPlaced = state === "changed" && entry !== undefined;
  return { path, state, result: isPlaced ? placeText(entry) : state, keys };
}
