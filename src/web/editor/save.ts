import type { Arrangement, DashboardTab, Resources } from "../../index.ts";
import { ApiError } from "../../index.ts";
import { changesOf, idsOf, type Merged, merge, renamed } from "./changes.ts";
import { type History, mapped } from "./history.ts";
import type { Board, Definition } from "./model.ts";

type Dashboards = Pick<Resources["dashboards"], "info" | "edit" | "widgets">;

/** A dashboard on the platform. */
export interface Target {
  readonly id: string;
  readonly dashboards: Dashboards;
  /** The same; nothing that was read before is reused. */
  readonly fresh: Dashboards;
}

interface Stored {
  readonly tabs?: readonly DashboardTab[] | null;
  readonly arrangement?: readonly Arrangement[] | null;
}

/** What of a stored widget is edited: not its ids, its dates and its token. */
function definitionOf(widget: object): Definition {
  const {
    id: _id,
    dashboard: _dashboard,
    token: _token,
    created_at: _created,
    updated_at: _updated,
    ...rest
  } = JSON.parse(JSON.stringify(widget)) as Definition;
  return rest;
}

export const boardOf = ({ tabs, arrangement }: Stored, widgets: Board["widgets"]): Board =>
  // As JSON, which is what a draft is stored as.
  JSON.parse(JSON.stringify({ tabs: tabs ?? [], places: arrangement ?? [], widgets })) as Board;

const isMissing = (error: unknown): boolean => error instanceof ApiError && [400, 404].includes(error.status);

/** Definitions of widgets by id; a widget that is not there, or cannot be read, has none. */
export async function readWidgets(
  { id, widgets }: { readonly id: string; readonly widgets: Dashboards["widgets"] },
  ids: Iterable<string>,
): Promise<Record<string, Definition>> {
  const read = async (widget: string): Promise<readonly [string, Definition][]> => {
    try {
      return [[widget, definitionOf(await widgets.info(id, widget))]];
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  };
  return Object.fromEntries((await Promise.all([...ids].map(read))).flat());
}

/**
 * Compares what was read once with what is stored now: the dashboard, widgets that are to be written, and those that are new
 * there.
 */
export async function compared({ id, fresh }: Target, { base, present }: History): Promise<Merged> {
  const dashboard = await fresh.info(id);
  const { edited, deleted } = changesOf(base, present);
  const stored = boardOf(dashboard, {});
  const written = [...edited.map((each) => each.id), ...deleted.filter((each) => base.widgets[each] !== undefined)];
  const isNew = (each: string): boolean => !idsOf(base).has(each);
  const asked = new Set([...written, ...[...idsOf(stored)].filter(isNew)]);
  const read = await readWidgets({ id, widgets: fresh.widgets }, asked);
  const isPlaced = idsOf(stored);
  const untouched = Object.entries(base.widgets).filter(([each]) => !asked.has(each) && isPlaced.has(each));
  const theirs = { ...stored, widgets: { ...Object.fromEntries(untouched), ...read } };
  return merge({ base, mine: present, theirs });
}

/** Saving ended half way. */
export class PartlySaved extends Error {
  /** What was written, such as `create "Wind"`. */
  readonly done: readonly string[];
  /** What could not be written. */
  readonly failed: string;
  constructor(done: readonly string[], failed: string, cause: unknown) {
    super(`Could not ${failed}`, { cause });
    this.done = done;
    this.failed = failed;
  }
}

interface Work {
  /** What it does, such as `create "Wind"`. */
  readonly words: string;
  readonly run: (history: History) => Promise<History>;
}

const withBase = (history: History, make: (board: Board) => Board): History => ({
  ...history,
  base: make(history.base),
});

/** A history after a widget was stored: as the platform has it now, in its base and wherever it was the same. */
async function stored({ id, fresh }: Target, history: History, widget: string, sent: Definition): Promise<History> {
  // It is stored, whether it can be read or not: it must not be created twice.
  const definition = await fresh.widgets.info(id, widget).then(definitionOf, () => sent);
  const put = (board: Board): Board =>
    board.widgets[widget] === sent ? { ...board, widgets: { ...board.widgets, [widget]: definition } } : board;
  return withBase(mapped(history, put), (base) => ({ ...base, widgets: { ...base.widgets, [widget]: definition } }));
}

function workOf(target: Target, { base, present }: History): Work[] {
  const { id, dashboards } = target;
  const { created, edited, deleted, dashboard } = changesOf(base, present);
  const title = (widget: string): string => `"${(present.widgets[widget] ?? base.widgets[widget])?.label ?? widget}"`;
  const creates = created.flatMap((widget): Work[] => {
    const definition = present.widgets[widget];
    if (definition === undefined) return [];
    const run = async (history: History): Promise<History> => {
      const { widget: made } = await dashboards.widgets.create(id, definition);
      return stored(
        target,
        mapped(history, (board) => renamed(board, widget, made)),
        made,
        definition,
      );
    };
    return [{ words: `create ${title(widget)}`, run }];
  });
  const edits = edited.map(({ id: widget, body }): Work => {
    const run = async (history: History): Promise<History> => {
      await dashboards.widgets.edit(id, widget, body);
      const sent = history.present.widgets[widget];
      return sent === undefined ? history : stored(target, history, widget, sent);
    };
    return { words: `change ${title(widget)}`, run };
  });
  const deletes = deleted.map((widget): Work => {
    const run = async (history: History): Promise<History> => {
      await dashboards.widgets.delete(id, widget).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
      return withBase(history, ({ widgets: { [widget]: _, ...widgets }, ...rest }) => ({
        ...rest,
        places: rest.places.filter((place) => place.widget_id !== widget),
        widgets,
      }));
    };
    return { words: `delete ${title(widget)}`, run };
  });
  const arrange = async (history: History): Promise<History> => {
    // The widgets have their ids by now.
    const { tabs, places } = history.present;
    const { dashboard: body } = changesOf({ ...history.base, tabs: base.tabs, places: base.places }, history.present);
    if (body !== undefined) await dashboards.edit(id, body);
    return withBase(history, (board) => ({ ...board, tabs, places }));
  };
  const last = dashboard === undefined ? [] : [{ words: "arrange the dashboard", run: arrange }];
  return [...creates, ...edits, ...deletes, ...last];
}

/**
 * Writes what changed, one thing after the other: widgets, then where they are.
 *
 * @param onStep called with the history after each of them, so that nothing is written twice
 * @throws PartlySaved
 */
export async function save(target: Target, start: History, onStep: (history: History) => void): Promise<string[]> {
  let history = start;
  const done: string[] = [];
  for (const { words, run } of workOf(target, start)) {
    try {
      history = await run(history);
    } catch (error) {
      throw new PartlySaved(done, words, error);
    }
    done.push(words);
    onStep(history);
  }
  return done;
}
