import type { DashboardEditInfo, WidgetEditInfo } from "../../index.ts";
import { type Board, type Definition, isSame } from "./model.ts";

/** What has to be written for a board to become another one. */
export interface Changes {
  readonly created: readonly string[];
  readonly edited: readonly { readonly id: string; readonly body: WidgetEditInfo }[];
  readonly deleted: readonly string[];
  /** What changes of the dashboard itself; undefined for nothing. */
  readonly dashboard: Pick<DashboardEditInfo, "tabs" | "arrangement"> | undefined;
}

export const idsOf = ({ places, widgets }: Board): ReadonlySet<string> =>
  new Set([...places.map(({ widget_id: id }) => id), ...Object.keys(widgets)]);

const propertiesOf = (definition: Definition): ReadonlyMap<string, unknown> => new Map(Object.entries(definition));

/** The properties of a widget that changed. One that was taken out is sent as null: a missing one stays as it is. */
export function bodyOf(before: Definition, after: Definition): WidgetEditInfo | undefined {
  const [old, next] = [propertiesOf(before), propertiesOf(after)];
  const names = [...new Set([...old.keys(), ...next.keys()])].filter((name) => !isSame(old.get(name), next.get(name)));
  if (names.length === 0) return undefined;
  const body = Object.fromEntries(names.map((name) => [name, next.get(name) ?? null]));
  // Without it the platform detaches the analysis.
  const analysis = after.analysis_run ?? undefined;
  return analysis === undefined ? body : { ...body, analysis_run: analysis };
}

export function changesOf(base: Board, present: Board): Changes {
  const [before, after] = [idsOf(base), idsOf(present)];
  const edited = [...after].flatMap((id) => {
    const [old, next] = [base.widgets[id], present.widgets[id]];
    const body = old === undefined || next === undefined ? undefined : bodyOf(old, next);
    return body === undefined ? [] : [{ id, body }];
  });
  const dashboard = {
    ...(!isSame(base.tabs, present.tabs) && { tabs: [...present.tabs] }),
    ...(!isSame(base.places, present.places) && { arrangement: [...present.places] }),
  };
  return {
    created: [...after].filter((id) => !before.has(id) && present.widgets[id] !== undefined),
    edited,
    deleted: [...before].filter((id) => !after.has(id)),
    dashboard: Object.keys(dashboard).length === 0 ? undefined : dashboard,
  };
}

/** How many things are written. */
export const amountOf = ({ created, edited, deleted, dashboard }: Changes): number =>
  created.length + edited.length + deleted.length + (dashboard === undefined ? 0 : 1);

/** A board after its widget got another id. */
export function renamed(board: Board, from: string, to: string): Board {
  const { [from]: own, ...widgets } = board.widgets;
  return {
    ...board,
    places: board.places.map((place) => (place.widget_id === from ? { ...place, widget_id: to } : place)),
    widgets: own === undefined ? widgets : { ...widgets, [to]: own },
  };
}

export interface Merged {
  /** What somebody else changed, in sentences; empty: nothing. */
  readonly texts: readonly string[];
  /** What is stored now. */
  readonly base: Board;
  /** The present board with what somebody else changed and we did not. */
  readonly present: Board;
}

interface Three {
  readonly base: Board;
  readonly mine: Board;
  readonly theirs: Board;
}

const titleIn = (id: string, ...boards: readonly Board[]): string =>
  boards.map(({ widgets }) => widgets[id]?.label).find((label) => label !== undefined && label !== "") ?? id;

/** A value that three boards have: ours where we changed it, else theirs. */
const ours = <T>(base: T, mine: T, theirs: T): T => (isSame(base, mine) ? theirs : mine);

/** Joins what we changed with what somebody else stored since. Where both changed the same thing, ours stays. */
export function merge({ base, mine, theirs }: Three): Merged {
  const texts: string[] = [];
  const [before, now] = [idsOf(base), idsOf(theirs)];
  const widgets: Record<string, Definition> = {};
  const gone = new Set<string>();
  for (const id of new Set([...idsOf(mine), ...now])) {
    const [old, own, other] = [base.widgets[id], mine.widgets[id], theirs.widgets[id]];
    const title = `"${titleIn(id, theirs, base)}"`;
    if (before.has(id) && !now.has(id)) {
      texts.push(`${title} was deleted.`);
      // What we changed is created again.
      if (isSame(old, own)) gone.add(id);
    } else if (!before.has(id) && now.has(id)) texts.push(`${title} was added.`);
    else if (!isSame(old, other)) texts.push(`${title} was changed.`);
    const isOurs = idsOf(mine).has(id) || !before.has(id);
    const kept = gone.has(id) || !isOurs ? undefined : ours(old, own, other ?? own);
    if (kept !== undefined) widgets[id] = kept;
  }
  if (!isSame(base.tabs, theirs.tabs)) texts.push("Tabs were changed.");
  const isMoved = !isSame(
    base.places.filter(({ widget_id: id }) => now.has(id)),
    theirs.places.filter(({ widget_id: id }) => before.has(id)),
  );
  if (isMoved) texts.push("Widgets were moved.");
  const places = mergedPlaces({ base, mine, theirs }, gone);
  return { texts, base: theirs, present: { tabs: ours(base.tabs, mine.tabs, theirs.tabs), places, widgets } };
}

function mergedPlaces({ base, mine, theirs }: Three, gone: ReadonlySet<string>): Board["places"] {
  const before = idsOf(base);
  const byId = ({ places }: Board) => new Map(places.map((place) => [place.widget_id, place]));
  const [old, other] = [byId(base), byId(theirs)];
  const kept = mine.places.flatMap((place) => {
    const id = place.widget_id;
    if (gone.has(id)) return [];
    return [ours(old.get(id) ?? place, place, other.get(id) ?? place)];
  });
  return [...kept, ...theirs.places.filter(({ widget_id: id }) => !before.has(id))];
}
