import { existsSync } from "node:fs";
import { conflictError } from "../failures/command-error.ts";
import type { Journal, UnfinishedRun } from "../state/journal.ts";
import { statePath } from "../state/notes.ts";

/** What a run has made so far, from its journal: ids of the files, and those they have in the profile. */
export interface Made {
  /** Id of what was made of this resource or widget. */
  made(id: string): string | undefined;
  /** Whether its creation was begun: then one of the same name that is there now is what came of it. */
  isBegun(id: string): boolean;
  /** Whether everything that follows its creation was done, too. */
  isDone(id: string): boolean;
}

/** The same for a run that continues. */
export interface Making extends Made {
  /** On the disk before the request is sent. */
  begin(id: string): void;
  make(id: string, newId: string): void;
  end(id: string): void;
}

const beginning = (id: string): string => `${id} begun`;
const making = (id: string): string => `${id} made`;
const ending = (id: string): string => `${id} done`;

/** What a run has made; nothing where there is none. */
export function madeIn(run: Pick<UnfinishedRun, "mark"> | undefined): Made {
  return {
    made: (id) => run?.mark(making(id)),
    isBegun: (id) => run?.mark(beginning(id)) !== undefined,
    isDone: (id) => run?.mark(ending(id)) !== undefined,
  };
}

export function makingIn(journal: Journal): Making {
  return {
    ...madeIn(journal),
    begin: (id) => journal.add(beginning(id), "?"),
    make: (id, newId) => journal.add(making(id), newId),
    end: (id) => journal.add(ending(id), "+"),
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Rejects a run of an earlier version, which stored its progress in a file of another format.
 *
 * @param next what to do about it, from the path of that file
 */
export function requireNoOldNotes(
  env: Environment,
  folder: "imports" | "profile-applies",
  key: readonly string[],
  about: { readonly what: string; next(path: string): string },
): void {
  const path = statePath(env, folder, key);
  if (!existsSync(path)) return;
  throw conflictError(`The interrupted ${about.what} cannot be continued.`, {
    code: "resume.older",
    why: "Another version of iot started it, which noted its progress in another form.",
    next: about.next(path),
  });
}
