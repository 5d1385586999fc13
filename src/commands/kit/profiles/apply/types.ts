import type { WriteStep } from "../../dashboards/steps.ts";
import type { JsonObject } from "../../files/files.ts";

/** A resource that is compared with its file. */
export interface ApplyTarget {
  readonly id: string;
  /** As the platform has it. */
  readonly found: JsonObject;
  /** As its file would say it. */
  readonly current: JsonObject;
  /** What it is to be. */
  readonly wanted: JsonObject;
  /** Whether parts that the files do not have go. */
  readonly prune: boolean;
}

/** How files change the resources of one kind, if that is more than a body with the fields that differ. */
export interface Rules {
  /** Fields that only a creation sets. */
  readonly fixed?: readonly string[];
  /** Fields that stay as they are. */
  readonly kept?: readonly string[];
  /** Fields with requests of their own. */
  readonly parts?: readonly string[];
  /** Strings that are emptied with `""`, where others take null. */
  readonly neverNull?: (member: string) => boolean;
  /** The body replaces the whole record. */
  readonly isWhole?: boolean;
  /** What is wanted, with what stays although the files do not say it. */
  readonly settle?: (target: ApplyTarget) => JsonObject;
  /** Why it cannot become what is wanted. */
  readonly conflict?: (target: ApplyTarget) => string | undefined;
  /** Requests for the parts, before and after the one for the other fields. */
  readonly before?: (target: ApplyTarget) => readonly WriteStep[];
  readonly after?: (target: ApplyTarget) => readonly WriteStep[];
}
