import type { PlannedVerdict, PlannedWidget } from "../../lib/widgets/plan.ts";
import type { ListItem } from "../components/search-list/state.ts";
import type { Choice } from "../components/select/state.ts";
import type { DashboardEntry, Mode, UsedThing, VerdictCounts, WizardChoices } from "./engine.ts";
import type { Picker, Question, WizardState } from "./model.ts";

/** Lines of step 1: those with legacy widgets first, as far as they were read. */
export function dashboardItems({
  entries,
  scanned,
}: Pick<WizardState, "entries" | "scanned">): readonly (ListItem & { readonly entry: DashboardEntry })[] {
  const rank = ({ id }: DashboardEntry): number => {
    const { converts, notes } = countsOf(scanned.get(id)?.widgets ?? []);
    return converts + notes > 0 ? 0 : 1;
  };
  return entries
    .map((entry) => ({ id: entry.id, text: `${entry.label} ${entry.id}`, entry, rank: rank(entry) }))
    .sort((a, b) => a.rank - b.rank);
}

export interface WidgetItem extends ListItem {
  readonly dashboard: string;
  readonly widget: PlannedWidget;
}

/** Lines of step 3. */
export function widgetItems({ ids, scanned }: Pick<WizardState, "ids" | "scanned">): readonly WidgetItem[] {
  return ids.flatMap((id) => {
    const dashboard = scanned.get(id);
    if (dashboard === undefined) return [];
    return dashboard.widgets.map((widget) => ({
      id: widget.id,
      text: `${widget.label} ${widget.type} ${widget.newType} ${widget.verdict} ${dashboard.label}`,
      dashboard: dashboard.label,
      widget,
    }));
  });
}

export function countsOf(widgets: readonly PlannedWidget[]): VerdictCounts {
  const counts: Record<PlannedVerdict, number> = { converts: 0, notes: 0, current: 0, unsupported: 0, invalid: 0 };
  for (const { verdict } of widgets) counts[verdict] += 1;
  return counts;
}

/** Widgets that will be written. */
export function isWritten({ excluded }: Pick<WizardState, "excluded">, { id, verdict }: PlannedWidget): boolean {
  return !excluded.has(id) && (verdict === "converts" || verdict === "notes");
}

/** What was decided about the dashboards that are chosen now. */
export function choicesOf(state: WizardState): WizardChoices {
  const { ids, mode, name, used = [] } = state;
  const widgets = new Set(widgetItems(state).map(({ id }) => id));
  const things = new Set(used.map(({ id }) => id));
  return {
    ids,
    mode,
    name,
    excluded: new Set([...state.excluded].filter((id) => widgets.has(id))),
    edited: new Map([...state.edited].filter(([id]) => widgets.has(id))),
    replace: new Map([...state.replace].filter(([id]) => things.has(id))),
  };
}

/** Lines of step 4. */
export type TargetRow = Mode | "name" | "plan" | "begin" | UsedThing;

export function targetRows({
  mode,
  used = [],
  ids,
  copies,
}: Pick<WizardState, "mode" | "used" | "ids" | "copies">): readonly TargetRow[] {
  const isNew = mode === "copy" || (mode === "update" && copies.length < ids.length);
  return [
    ...(copies.length > 0 ? (["update"] as const) : []),
    "copy",
    "in-place",
    ...(isNew ? (["name"] as const) : []),
    ...used,
    "plan",
    "begin",
  ];
}

export function choicesFor(question: Question): readonly Choice[] {
  switch (question.kind) {
    case "interrupted":
      return [
        { value: "resume", label: "Finish it", key: "f" },
        { value: "undo", label: "Undo it", key: "b" },
        { value: "leave", label: "Leave it and quit", key: "q" },
      ];
    case "failure":
      return [
        { value: "retry", label: "Retry", key: "r" },
        { value: "skip", label: "Skip this widget", key: "s" },
        { value: "stop", label: "Stop", key: "p" },
        { value: "undo", label: "Undo everything", key: "u" },
      ];
    case "stopped":
      return [
        { value: "keep", label: "Keep what was written", key: "n" },
        { value: "undo", label: "Undo everything", key: "y" },
      ];
    case "undo":
    case "begin":
      return [
        { value: "no", label: "No", key: "n" },
        { value: "yes", label: "Yes", key: "y" },
      ];
    case "refused":
      return [
        { value: "again", label: "Edit again", key: "e" },
        { value: "drop", label: "Discard the changes", key: "d" },
      ];
    default:
      return [];
  }
}

/** Lines of the list of replacements; the first keeps what is there. */
export function pickerItems({
  thing,
  found,
}: Pick<Picker, "thing" | "found">): readonly (ListItem & { readonly thing: UsedThing })[] {
  return [thing, ...found].map((each) => ({ id: each.id, text: `${each.name} ${each.id}`, thing: each }));
}
