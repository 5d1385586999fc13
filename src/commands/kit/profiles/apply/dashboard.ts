import { removalSteps, type WriteStep, widgetSteps } from "../../dashboards/steps.ts";
import type { JsonObject } from "../../files/files.ts";
import { documentText, idOf, listOf } from "../../folders/documents.ts";
import { canonicalText } from "../../state/snapshots.ts";
import { withSecrets } from "../canonical.ts";
import { without } from "../kind.ts";
import type { ApplyTarget, Rules } from "./types.ts";

const widgetsOf = (document: JsonObject): ReadonlyMap<string, JsonObject> =>
  new Map(listOf(document["widgets"]).map((widget) => [idOf(widget), widget]));

const isSame = (a: unknown, b: unknown): boolean => canonicalText(a) === canonicalText(b);

/** Sorts widgets as the platform shows them, by the arrangement; entries without a widget do not count. */
function settle({ wanted }: ApplyTarget): JsonObject {
  const widgets = widgetsOf(wanted);
  const arrangement = listOf(wanted["arrangement"]).filter((place) => widgets.has(documentText(place, "widget_id")));
  const placed = [...new Set(arrangement.map((place) => documentText(place, "widget_id")))];
  return { ...wanted, arrangement, widgets: placed.map((id) => widgets.get(id) ?? {}) };
}

/** A widget outside the arrangement would be invisible, and nobody would find it again. */
function conflict({ wanted }: ApplyTarget): string | undefined {
  const placed = new Set(listOf(wanted["arrangement"]).map((place) => place["widget_id"]));
  const lost = listOf(wanted["widgets"]).find((widget) => !placed.has(idOf(widget)));
  return lost === undefined ? undefined : `widget "${documentText(lost, "label")}" is not in the arrangement`;
}

/** New widgets, then those that differ. */
function before({ id, found, current, wanted }: ApplyTarget): WriteStep[] {
  const [now, raw] = [widgetsOf(current), widgetsOf(found)];
  const all = [...widgetsOf(wanted)];
  const created = all.filter(([ref]) => !now.has(ref)).map(([ref, document]) => ({ ref, body: without(document) }));
  const changed = all.flatMap(([ref, document]) => {
    const old = now.get(ref);
    if (old === undefined || isSame(old, document)) return [];
    const gone = Object.keys(old).filter((member) => !Object.hasOwn(document, member));
    const whole = withSecrets(without(document), raw.get(ref)) as JsonObject;
    const body = { ...whole, ...Object.fromEntries(gone.map((member) => [member, null])) };
    return [{ ref, id: ref, body: without(body, "dashboard") }];
  });
  return widgetSteps(id, { created, changed });
}

/** Widgets that the files do not have. */
function after({ id, current, wanted }: ApplyTarget): WriteStep[] {
  const stay = widgetsOf(wanted);
  return removalSteps(
    id,
    [...widgetsOf(current).keys()].filter((widget) => !stay.has(widget)),
  );
}

/**
 * A dashboard and its widgets are one document. The arrangement is written with the other fields, after the widgets.
 */
export const dashboardRules: Rules = { parts: ["widgets"], settle, conflict, before, after };
