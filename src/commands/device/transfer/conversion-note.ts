import { rmSync } from "node:fs";
import { isObject } from "../../kit/files/files.ts";
import { readNote, statePath, writeNote } from "../../kit/state/notes.ts";
import type { Storage } from "./storage.ts";
import type { Stored } from "./stored.ts";

/** How far a conversion is; each name says what is done. */
export const stages = ["planned", "closed", "saved", "emptied", "converted", "open"] as const;
export type Stage = (typeof stages)[number];

/** A conversion under way, on the disk before each step is taken. */
export interface ConversionNote {
  readonly stage: Stage;
  readonly before: Storage;
  readonly target: Storage;
  /** As the device was, and is to be again. */
  readonly active: boolean;
  readonly parser: string | null;
  /** The records of the device; kept when all is done. */
  readonly file: string;
  /** From `saved` on. */
  readonly stored?: Stored;
}

export const notePlace = (env: Readonly<Record<string, string | undefined>>, key: readonly string[]): string =>
  statePath(env, "device-conversions", key);

export function readConversion(place: string): ConversionNote | undefined {
  const note = readNote(place);
  const isNote = isObject(note) && stages.some((stage) => stage === note["stage"]) && typeof note["file"] === "string";
  return isNote ? (note as unknown as ConversionNote) : undefined;
}

export function writeConversion(place: string, note: ConversionNote): ConversionNote {
  writeNote(place, note);
  return note;
}

export const endConversion = (place: string): void => rmSync(place, { force: true });
