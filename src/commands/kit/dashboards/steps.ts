import type { SentRequest } from "../client/batch-client.ts";
import { isObject, type JsonObject } from "../files/files.ts";
import { replaceIds } from "../folders/replace-ids.ts";
import { isUnknownId } from "../resource/not-found.ts";
import { creation } from "./body.ts";

/** A request that writes a resource or a part of it. */
export interface WriteStep extends SentRequest {
  /** Id in the files of the widget it creates. */
  readonly makes?: string;
  /** The same, where it writes that widget once more. */
  readonly rewrites?: string;
  /** Id in the files of the widget it changes. */
  readonly changes?: string;
  /** Id of the widget it deletes. */
  readonly removes?: string;
}

/** A widget of a dashboard, by its id in the files. */
interface WidgetStep {
  readonly ref: string;
  readonly body: JsonObject;
}

/** What is to be written of the widgets of a dashboard. Names of new widgets are their ids in the files. */
export interface WidgetSteps {
  readonly created?: readonly WidgetStep[];
  /** With the id each has on the platform. */
  readonly changed?: readonly (WidgetStep & { readonly id: string })[];
}

/** Creates new widgets, writes those once more that name others of them, then changes the others. */
export function widgetSteps(dashboard: string, { created = [], changed = [] }: WidgetSteps): WriteStep[] {
  const root = `/dashboard/${dashboard}/widget`;
  return [
    ...created.map(({ ref, body }): WriteStep => ({ method: "POST", path: root, body: creation(body), makes: ref })),
    ...created
      .filter(({ body }) => namesOneOf(body, created))
      .map(({ ref, body }): WriteStep => ({ method: "PUT", path: `${root}/${ref}`, body, rewrites: ref })),
    ...changed.map(({ ref, id, body }): WriteStep => ({ method: "PUT", path: `${root}/${id}`, body, changes: ref })),
  ];
}

/** Whether a widget leads to one of these, as a button does. */
export function namesOneOf(body: JsonObject, widgets: readonly Pick<WidgetStep, "ref">[]): boolean {
  const refs = new Map(widgets.map(({ ref }) => [ref, "new"]));
  return JSON.stringify(replaceIds(body, refs)) !== JSON.stringify(body);
}

/** Last, once nothing in the arrangement refers to them. */
export const removalSteps = (dashboard: string, widgets: readonly string[]): WriteStep[] =>
  widgets.map((removes) => ({ method: "DELETE", path: `/dashboard/${dashboard}/widget/${removes}`, removes }));

type Send = (request: SentRequest) => Promise<unknown>;

/** What happens around each step. */
export interface StepHooks {
  /** Called before it is sent, with the ids it has by now. False leaves it out. */
  before?(step: WriteStep): boolean | Promise<boolean>;
  /** Called when it is done. @param id of the widget it created */
  after?(step: WriteStep, id: string): void | Promise<void>;
}

/**
 * Sends steps one after the other.
 *
 * @param ids of the files, and what they are on the platform; gets those of new widgets
 */
export async function sendSteps(
  send: Send,
  steps: readonly WriteStep[],
  ids: Map<string, string>,
  { before = () => true, after = () => undefined }: StepHooks = {},
): Promise<void> {
  for (const planned of steps) {
    const step = { ...planned, path: pathOf(planned, ids), body: replaceIds(planned.body, ids) };
    if (!(await before(step))) continue;
    const { makes } = step;
    const reply = await sendStep(send, step);
    const id = makes === undefined ? "" : newWidgetIn(reply);
    if (makes !== undefined) ids.set(makes, id);
    await after(step, id);
  }
}

/** Sends a step. A widget that is gone need not be deleted. */
async function sendStep(send: Send, { method, path, body, removes }: WriteStep): Promise<unknown> {
  try {
    return await send({ method, path, ...(body === undefined ? {} : { body }) });
  } catch (error) {
    if (removes === undefined || !isUnknownId(error)) throw error;
    return undefined;
  }
}

/** The placeholder of a widget without an id in the files is replaced at the end of its path only. */
function pathOf({ path, rewrites }: WriteStep, ids: ReadonlyMap<string, string>): string {
  if (rewrites === undefined) return replaceIds(path, ids);
  return `${path.slice(0, path.length - rewrites.length)}${ids.get(rewrites) ?? rewrites}`;
}

function newWidgetIn(reply: unknown): string {
  const id = isObject(reply) ? reply["widget"] : undefined;
  if (typeof id !== "string") throw new Error("the platform returned no id for a new widget");
  return id;
}
