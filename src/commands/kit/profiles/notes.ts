import { appendFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../../../lib/core/make-folder.ts";
import { readTextIfThere } from "../files/files.ts";
import { statePath } from "../state/notes.ts";

/** What an import has made so far, so that one that was killed is taken up where it was. */
export interface Notes {
  /** New id of what was made of this entry. */
  made(id: string): string | undefined;
  /** Whether everything that follows the creation was done, too. */
  isDone(id: string): boolean;
  /** Whether its creation was begun: then one of the same name that is there now is what came of it. */
  isBegun(id: string): boolean;
  begin(id: string): void;
  make(id: string, newId: string): void;
  done(id: string): void;
  /** Everything is there; the next import starts afresh. */
  finish(): void;
}

/**
 * The notes of one import: from this source, into this profile of this platform.
 *
 * @param folder where the notes of this kind of work are
 */
export function openNotes(
  env: Readonly<Record<string, string | undefined>>,
  key: readonly string[],
  folder = "imports",
): Notes {
  const path = statePath(env, folder, key);
  const made = new Map<string, string>();
  const done = new Set<string>();
  const begun = new Set<string>();
  for (const line of (readTextIfThere(path) ?? "").split("\n")) {
    const [, word, id, newId] = /^(begun|made|done) ([0-9a-f]{24})(?: ([0-9a-f]{24}))?$/.exec(line) ?? [];
    if (word === "made" && id !== undefined && newId !== undefined) made.set(id, newId);
    if (word === "done" && id !== undefined) done.add(id);
    if (word === "begun" && id !== undefined) begun.add(id);
  }
  const add = (line: string): void => {
    makeFolder(dirname(path), 0o700);
    appendFileSync(path, `${line}\n`, { mode: 0o600 });
  };
  return {
    made: (id) => made.get(id),
    isDone: (id) => done.has(id),
    isBegun: (id) => begun.has(id),
    begin(id) {
      begun.add(id);
      add(`begun ${id}`);
    },
    make(id, newId) {
      made.set(id, newId);
      add(`made ${id} ${newId}`);
    },
    done(id) {
      done.add(id);
      add(`done ${id}`);
    },
    finish: () => rmSync(path, { force: true }),
  };
}
