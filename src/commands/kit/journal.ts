import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { readTextIfThere } from "./files.ts";
import { userFolders } from "./paths.ts";

/** What a batch has finished, kept until all of it is (contract, section 11). */
export interface Journal {
  /** Whether the item was finished in an earlier run and is still the same. */
  has(item: string, mark: string): boolean;
  /** What was last noted of an item. */
  mark(item: string): string | undefined;
  /** Whether an earlier run noted anything. */
  readonly isBegun: boolean;
  add(item: string, mark: string): void;
  /** Everything is done; the next run starts afresh. */
  finish(): void;
}

/**
 * The journal of a batch, in the folder for state.
 *
 * @param key what makes two runs the same batch: folder, command, destination
 * @param isResumed false forgets what an earlier run noted
 */
export function openJournal(
  env: Readonly<Record<string, string | undefined>>,
  key: readonly string[],
  isResumed: boolean,
): Journal {
  const name = createHash("sha256").update(JSON.stringify(key)).digest("hex").slice(0, 24);
  const path = join(userFolders(env).state, "journals", `${name}.jsonl`);
  const known = isResumed ? read(path) : new Map<string, string>();
  if (!isResumed) rmSync(path, { force: true });
  return {
    has: (item, mark) => known.get(item) === mark,
    mark: (item) => known.get(item),
    get isBegun() {
      return known.size > 0;
    },
    add(item, mark) {
      known.set(item, mark);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      appendFileSync(path, `${JSON.stringify([item, mark])}\n`, { mode: 0o600 });
    },
    finish: () => rmSync(path, { force: true }),
  };
}

function read(path: string): Map<string, string> {
  const known = new Map<string, string>();
  for (const line of (readTextIfThere(path) ?? "").split("\n")) {
    const [item, mark] = entryOf(line);
    if (item !== undefined && mark !== undefined) known.set(item, mark);
  }
  return known;
}

// The last line may be cut off, when the run before was.
function entryOf(line: string): readonly (string | undefined)[] {
  try {
    const value: unknown = JSON.parse(line);
    return Array.isArray(value) ? value.map((part) => (typeof part === "string" ? part : undefined)) : [];
  } catch {
    return [];
  }
}
