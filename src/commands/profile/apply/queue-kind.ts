import type { Resources } from "../../../index.ts";
import { type JsonObject, objectOf } from "../../kit/files/files.ts";
import { idOf, listOf } from "../../kit/folders/documents.ts";
import { failureOf } from "../../kit/jobs/failure.ts";
import type { JobItem, JobKind, JobNotes } from "../../kit/jobs/job.ts";
import { messageOf } from "../../kit/resource/batch.ts";
import { redact } from "../../kit/say/redact.ts";
import type { Kind } from "../content/kind.ts";
import { listAll } from "../content/read-platform.ts";
import { bringResource, makeResource, removeResource, type Tools, toolsOf, type WidgetNotes } from "./steps.ts";
import { kindOf } from "./targets.ts";

export type ApplyShared = {
  /** Id of the snapshot of the run. */
  readonly run: string;
  /** Whether parts of resources that the files do not have go. */
  readonly prune: boolean;
};

interface About {
  readonly kind: string;
  readonly name: string;
}

/** A step of an apply. The ids in the documents are those of the profile, but for widgets that are still to be made. */
export type ApplyArgs = About &
  (
    | { readonly do: "create"; readonly key: string; readonly document: JsonObject }
    | {
        readonly do: "update";
        readonly id: string;
        readonly key: string;
        readonly document: JsonObject;
        readonly mark?: string;
      }
    | { readonly do: "delete"; readonly id: string; readonly mark?: string }
  );

export interface ApplyResult extends About {
  readonly result: "created" | "updated" | "deleted" | "failed";
  readonly id: string | null;
  readonly why?: string;
  /** The ids of new widgets, by those in the files. */
  readonly widgets?: Readonly<Record<string, string>>;
}

/** A resource that is made, brought to what its file says, or deleted. */
export const applyKind: JobKind<ApplyShared, ApplyArgs, ApplyResult> = {
  name: "profile apply",
  version: 1,
  columns: ["kind", "name", "id", "why", "widgets"],
  async run({ ctx, client }, shared, item, notes) {
    const { kind, name } = item.args;
    try {
      const tools = await toolsOf(ctx, client);
      return { kind, name, ...(await doStep(tools, shared, item, notes)) };
    } catch (error) {
      // After Ctrl-C, and where another attempt may succeed, the item returns to the queue.
      if (ctx.signal.aborted || failureOf(error) !== "item") throw error;
      const id = "id" in item.args ? item.args.id : null;
      return { kind, name, result: "failed", id, why: redact(messageOf(error)) };
    }
  },
};

async function doStep(
  tools: Tools,
  { prune }: ApplyShared,
  { args }: JobItem<ApplyArgs>,
  notes: JobNotes,
): Promise<Pick<ApplyResult, "result" | "id" | "widgets">> {
  const kind = kindOf(args.kind);
  if (args.do === "create") return { result: "created", id: await makeOnce(tools, kind, args, notes) };
  const { id } = args;
  // From the first request on, what differs from the plan is our own doing.
  const isStarted = notes.of("started") !== undefined;
  const mark = isStarted ? undefined : args.mark;
  if (args.do === "delete") {
    await removeResource(tools, kind, id, mark);
    return { result: "deleted", id };
  }
  const { key, document } = args;
  const widgets = widgetNotes(notes, document);
  await bringResource(tools, { kind, id, key, document, ids: widgets.ids, prune, mark }, widgets);
  return { result: "updated", id, ...(widgets.ids.size === 0 ? {} : { widgets: Object.fromEntries(widgets.ids) }) };
}

/** Creates a resource, unless a worker that was killed has done so: then it has the key. */
async function makeOnce(
  tools: Tools,
  kind: Kind,
  { key, document }: { readonly key: string; readonly document: JsonObject },
  notes: JobNotes,
): Promise<string> {
  const made = notes.of("started") === undefined ? undefined : await findByKey(tools.client, kind, key);
  if (made !== undefined) return made;
  await notes.add("started", "yes");
  return makeResource(tools, kind, document, key);
}

async function findByKey(client: Resources, kind: Kind, key: string): Promise<string | undefined> {
  return (await listAll(client, kind)).find((row) => row.key === key)?.id;
}

const isId = (value: unknown): value is string => typeof value === "string" && /^[0-9a-f]{24}$/.test(value);

/**
 * Ids of new widgets by their ids in the files. Results and notes in the queue are not signed, so only widgets of these
 * documents are accepted, and only valid ids.
 */
export function widgetIds(documents: readonly JsonObject[], noted: unknown): Map<string, string> {
  const known = new Set(documents.flatMap(({ widgets }) => listOf(widgets).map(idOf)));
  const made = Object.entries(objectOf(noted)).filter((pair): pair is [string, string] => isId(pair[1]));
  return new Map(made.filter(([widget]) => known.has(widget)));
}

/** A widget whose response was lost cannot be found; it is created again. */
function widgetNotes(
  notes: JobNotes,
  document: JsonObject,
): WidgetNotes & { readonly ids: ReadonlyMap<string, string> } {
  const ids = widgetIds([document], JSON.parse(notes.of("widgets") ?? "{}"));
  return {
    ids,
    made: (id) => ids.get(id),
    begin: () => undefined,
    async make(id, newId) {
      ids.set(id, newId);
      await notes.add("widgets", JSON.stringify(Object.fromEntries(ids)));
    },
    start: () => notes.add("started", "yes"),
  };
}
