import { aboutRun, type UnfinishedRun } from "../../kit/state/journal.ts";
import type { Storage } from "./storage.ts";

/** What a conversion is about, on the disk before its first step. */
export interface ConversionPlan {
  readonly before: Storage;
  readonly target: Storage;
  /** As the device was, and is to be again. */
  readonly active: boolean;
  readonly parser: string | null;
  /** The records of the device; the file stays when all is done. */
  readonly file: string;
}

/** Its name in the journal. */
export const PLAN = aboutRun("plan");

/** The plan of an interrupted conversion. */
export function plannedIn(run: Pick<UnfinishedRun, "mark"> | undefined): ConversionPlan | undefined {
  const noted = run?.mark(PLAN);
  return noted === undefined ? undefined : (JSON.parse(noted) as ConversionPlan);
}
