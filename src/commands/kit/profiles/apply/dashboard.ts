import type { JsonObject } from "../../files/files.ts";
import { idOf, listOf, textOf } from "../../folders/documents.ts";
import { canonicalText } from "../../state/snapshots.ts";
import { withSecrets } from "../canonical.ts";
import { without } from "../kind.ts";
import type { ApplyTarget, Rules, Step } from "./types.ts";

const widgetsOf = (document: JsonObject): ReadonlyMap<string, JsonObject> =>
  new Map(listOf(document["widgets"]).map((widget) => [idOf(widget), widget]));

const isSame = (a: unknown, b: unknown): boolean => canonicalText(a) === canonicalText(b);

/** Widgets stand in the order of the arrangement, as the platform shows them; places without a widget do not count. */
function settle({ wanted }: ApplyTarget): JsonObject {
  const widgets = widgetsOf(wanted);
  const arrangement = listOf(wanted["arrangement"]).filter((place) => widgets.has(textOf(place, "widget_id")));
  const placed = [...new Set(arrangement.map((place) => textOf(place, "widget_id")))];
  return { ...wanted, arrangement, widgets: placed.map((id) => widgets.get(id) ?? {}) };
}

/** A widget without a place could not be seen, and nobody would find it again. */
function conflict({ wanted }: ApplyTarget): string | undefined {
  const placed = new Set(listOf(wanted["arrangement"]).map((place) => place["widget_id"]));
  const lost = listOf(wanted["widgets"]).find((widget) => !placed.has(idOf(widget)));
  return lost === undefined ? undefined : `widget "${textOf(lost, "label")}" is not in the arrangement`;
}

/** New widgets, then those that differ. */
function before({ id, found, current, wanted }: ApplyTarget): Step[] {
  const [now, raw] = [widgetsOf(current), widgetsOf(found)];
  const root = `/dashboard/${id}/widget`;
  const added = [...widgetsOf(wanted)].filter(([widget]) => !now.has(widget));
  const bodies = added.map(([widget, document]) => ({ widget, body: without(document) }));
  const created = bodies.map(({ widget, body }): Step => ({ method: "POST", path: root, body, makes: widget }));
  // Those that name new widgets are written again once all of them have their ids.
  const linked = bodies.filter(({ body }) => added.some(([widget]) => JSON.stringify(body).includes(widget)));
  const changed = [...widgetsOf(wanted)].flatMap(([widget, document]): Step[] => {
    const old = now.get(widget);
    if (old === undefined || isSame(old, document)) return [];
    const gone = Object.keys(old).filter((member) => !Object.hasOwn(document, member));
    const whole = withSecrets(without(document), raw.get(widget)) as JsonObject;
    const body = { ...whole, ...Object.fromEntries(gone.map((member) => [member, null])) };
    return [{ method: "PUT", path: `${root}/${widget}`, body: without(body, "dashboard") }];
  });
  const again = linked.map(({ widget, body }): Step => ({ method: "PUT", path: `${root}/${widget}`, body }));
  return [...created, ...again, ...changed];
}

/** Widgets that the files do not have. */
function after({ id, current, wanted }: ApplyTarget): Step[] {
  const stay = widgetsOf(wanted);
  const gone = [...widgetsOf(current).keys()].filter((widget) => !stay.has(widget));
  return gone.map((widget) => ({ method: "DELETE", path: `/dashboard/${id}/widget/${widget}` }));
}

/** A dashboard and its widgets are one document. The arrangement is written with the other members, after the widgets. */
export const dashboardRules: Rules = { parts: ["widgets"], settle, conflict, before, after };
