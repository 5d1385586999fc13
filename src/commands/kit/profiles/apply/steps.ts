import type { Resources } from "../../../../index.ts";
import { batchSender, type SentRequest } from "../../client/batch-client.ts";
import type { CommandContext } from "../../context.ts";
import { sendSteps, type WriteStep } from "../../dashboards/steps.ts";
import { stoppedError } from "../../failures/command-error.ts";
import type { JsonObject } from "../../files/files.ts";
import { replaceIds } from "../../folders/replace-ids.ts";
import { isUnknownId } from "../../resource/not-found.ts";
import { digest } from "../../state/digest.ts";
import { canonicalText } from "../../state/snapshots.ts";
import { withKey } from "../key.ts";
import type { ResourceKind } from "../kind.ts";
import { compareWithProfile } from "./compare.ts";
import { fetchTarget } from "./targets.ts";

/** What the work on one resource needs. */
export interface ApplyTools {
  readonly ctx: CommandContext;
  readonly client: Resources;
  readonly send: (request: SentRequest) => Promise<unknown>;
}

/** What is noted of the widgets of a dashboard, so that none is made twice. */
export interface WidgetNotes {
  made(id: string): string | undefined;
  begin(id: string): void;
  make(id: string, newId: string): void;
}

/** A resource that becomes what its file says. */
export interface WantedResource {
  readonly kind: ResourceKind;
  readonly id: string;
  readonly key: string;
  readonly document: JsonObject;
  /** Ids in the document, and those they have in the profile. */
  readonly ids: ReadonlyMap<string, string>;
  readonly prune: boolean;
  /** Of what the profile had when the plan was made; absent where that does not matter. */
  readonly mark: string | undefined;
}

export const CHANGED = "it changed since the plan was made";

/** What differs from the plan is left alone. */
class ChangedMeanwhile extends Error {
  override readonly name = "ChangedMeanwhile";
  override readonly message = CHANGED;
}

export async function toolsOf(ctx: CommandContext, client: Resources): Promise<ApplyTools> {
  return { ctx, client, send: await batchSender(ctx) };
}

/** Digest of a resource as its file stores it: shows whether the resource changed. */
export const documentDigest = (document: JsonObject): string => digest(canonicalText(document));

/** The request that deletes a resource. */
export const deletionOf = ({ route }: ResourceKind, id: string): WriteStep => ({
  method: "DELETE",
  path: `${route}/${id}`,
});

/** Makes a resource. What its creation leaves out follows when it is synced with its file. */
export function makeResource(
  { client }: ApplyTools,
  kind: ResourceKind,
  document: JsonObject,
  key: string,
): Promise<string> {
  const make = kind.create;
  if (make === undefined) throw new Error(`${kind.name} cannot be created`);
  const body = kind.isTagged === true ? withKey(document, key) : document;
  return make(client, body);
}

/** Makes a resource what its file says. */
export async function syncResource(tools: ApplyTools, wanted: WantedResource, notes: WidgetNotes): Promise<void> {
  const { ctx, client } = tools;
  const { kind, id, key, document, ids, prune } = wanted;
  const found = await fetchTarget(ctx, client, kind, document, id, notes);
  if (found === undefined) throw new Error("it was deleted in the meantime");
  requireSame(wanted.mark, kind.clean(found));
  const { conflict, steps } = compareWithProfile(kind, { id, found, wanted: replaceIds(document, ids), prune }, key);
  if (conflict !== undefined) throw new Error(conflict);
  await sendAll(tools, steps, notes);
}

/** Deletes a resource, unless it is gone. */
export async function removeResource(
  { ctx, client, send }: ApplyTools,
  kind: ResourceKind,
  id: string,
  mark: string | undefined,
): Promise<void> {
  const now = await kind.fetch(ctx, client, id).catch(ignoreNotFound);
  if (now === undefined) return;
  requireSame(mark, kind.clean(now));
  await send(deletionOf(kind, id));
}

function ignoreNotFound(error: unknown): undefined {
  if (!isUnknownId(error)) throw error;
}

function requireSame(mark: string | undefined, now: JsonObject): void {
  if (mark !== undefined && mark !== documentDigest(now)) throw new ChangedMeanwhile();
}

function sendAll({ ctx, send }: ApplyTools, steps: readonly WriteStep[], notes: WidgetNotes): Promise<void> {
  return sendSteps(send, steps, new Map(), {
    before({ makes }) {
      throwIfStopped(ctx);
      if (makes !== undefined) notes.begin(makes);
      return true;
    },
    after({ makes }, id) {
      if (makes !== undefined) notes.make(makes, id);
    },
  });
}

export const stoppedRun = (): Error => stoppedError("Stopped before the profile was as the files say.");

/** Ends a run between two requests after Ctrl-C. */
function throwIfStopped({ signal }: CommandContext): void {
  if (signal.aborted) throw stoppedRun();
}
