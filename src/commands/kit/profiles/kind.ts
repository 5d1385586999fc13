import type { Resources } from "../../../index.ts";
import type { CommandContext } from "../context.ts";
import type { JsonObject } from "../files/files.ts";

/** A resource of a profile, as its file says it. */
export interface Entry {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly document: JsonObject;
  /** Its file in an exported folder: `device/pump--65a1….json`. */
  readonly file?: string;
}

interface Page {
  readonly page: number;
  readonly amount: number;
}

/** A resource in a list. */
export interface ListedRow {
  readonly id: string;
  readonly name: string;
  /** Identifies the same resource in every profile, if known. */
  readonly key?: string;
  /** Belongs to the platform's catalogue, or is made by the platform itself. */
  readonly isForeign?: boolean;
}

/** A kind of resource: how it is listed, read and made. */
export interface ResourceKind {
  /** Word for `--include`: the noun of the command line. */
  readonly name: string;
  readonly plural: string;
  /** Route of its resources. */
  readonly route: string;
  /** Whether its resources have tags, and with them a key. */
  readonly isTagged?: boolean;
  list(client: Resources, page: Page): Promise<readonly ListedRow[]>;
  /** The whole document as the platform has it, with the parts that have routes of their own. */
  fetch(ctx: CommandContext, client: Resources, id: string): Promise<JsonObject>;
  /** That document as its file says it. */
  clean(found: JsonObject): JsonObject;
  /** Makes the resource; resolves to its id. What a creation leaves out follows when it is compared. Absent where that cannot be done from a file. */
  create?(client: Resources, document: JsonObject): Promise<string>;
  /** Why an import leaves it out. */
  readonly skipped?: string;
}

/** The fields, without those that only the file has. */
export function without(document: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([key]) => key !== "id" && !names.includes(key)));
}

/** A body that the platform checks: what a file says has no type before that. */
export const bodyFor = <Body>(document: JsonObject): Body => document as unknown as Body;

export const documentOf = (value: object): JsonObject => ({ ...value });
