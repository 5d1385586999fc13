import type { PerPlan } from "../core/plans.ts";
import type { CollectionSpec } from "./collection.ts";

/** Anything that is created, edited and deleted, and the effects of its changes. */
export interface Kind {
  readonly kind: string;
  /** Name in the audit log, and the first word of its messages. Without it changes are not logged. */
  readonly audit?: readonly [name: string, label: string];
  /** Names in the triggers of actions. */
  readonly trigger?: readonly string[];
}

/** A kind of record with a collection, and all its properties. */
export interface RecordKind extends Kind, CollectionSpec {
  /** Most records of a profile. Default: any number. */
  readonly most?: PerPlan;
  /** It has a route for its tag keys. */
  readonly tagged?: boolean;
  /** Name of its file in a backup of the profile. Default: backups do not contain it. */
  readonly backup?: { readonly file: string };
  /** Names of its number in the summary of a profile. */
  readonly amounts?: readonly string[];
  /** Fields that neither clients nor listeners see. */
  readonly hidden?: readonly string[];
  /** Its changes emit no event. */
  readonly silent?: boolean;
}

/** All kinds of one sandbox. */
export class Kinds {
  /** Kinds that have a collection. */
  readonly records: readonly RecordKind[];
  readonly #all = new Map<string, Kind>();
  readonly #byKind: Map<string, RecordKind>;

  constructor(records: readonly RecordKind[], others: readonly Kind[]) {
    this.records = records;
    for (const each of [...others, ...records]) {
      if (this.#all.has(each.kind)) throw new Error(`The kind "${each.kind}" is declared twice`);
      this.#all.set(each.kind, each);
    }
    this.#byKind = new Map(records.map((each) => [each.kind, each]));
  }

  get(kind: string): Kind | undefined {
    return this.#all.get(kind);
  }

  record(kind: string): RecordKind | undefined {
    return this.#byKind.get(kind);
  }
}
