import type { JsonObject } from "../../lib/core/json.ts";
import type { PlannedWidget } from "../../lib/widgets/plan.ts";
import { countOf } from "../../text/count.ts";
import type { ScrollAction } from "../components/diff-view/state.ts";
import { emptyList, type ListAction, type ListState } from "../components/search-list/state.ts";
import type { SelectAction } from "../components/select/state.ts";
import type { Field } from "../components/text-field/state.ts";
import type {
  CopyEntry,
  DashboardEntry,
  EditResult,
  FailureChoice,
  MigrationEngine,
  Mode,
  ScannedDashboard,
  UsedThing,
  WizardReport,
} from "./engine.ts";

export const steps = ["choose", "scan", "review", "target", "apply", "report"] as const;
type Step = (typeof steps)[number];
/** In the order in which `t` shows them. */
export const detailViews = ["diff", "tree", "notes", "preview"] as const;
type DetailView = (typeof detailViews)[number];

/** A question that stands over the step until it is answered. */
export type Question =
  | { readonly kind: "interrupted" | "stopped" | "undo" | "begin"; readonly text: string; readonly cursor: number }
  | { readonly kind: "failure"; readonly text: string; readonly cursor: number }
  | {
      readonly kind: "refused";
      readonly text: string;
      readonly problems: readonly string[];
      readonly cursor: number;
      readonly widget: JsonObject;
      readonly id: string;
    }
  | {
      readonly kind: "typed";
      readonly text: string;
      readonly field: Field;
      /** What is done once the name was typed. */
      readonly then: Write;
      /** What is asked when it was not. */
      readonly instead: Question | undefined;
    }
  | { readonly kind: "name"; readonly text: string; readonly field: Field }
  | { readonly kind: "plan"; readonly text: string; readonly field: Field };

/** What a protected environment asks for its name before. */
export type Write = "apply" | "resume" | "undo";

export interface Picker {
  readonly thing: UsedThing;
  readonly found: readonly UsedThing[];
  readonly list: ListState;
}

export interface WizardState {
  readonly engine: Pick<MigrationEngine, "nameToType" | "defaultName" | "copyNames" | "interrupted" | "where">;
  readonly step: Step;
  readonly isHelp: boolean;
  /** What is waited for. */
  readonly busy: string | undefined;
  /** What was said last. */
  readonly notice: string | undefined;
  readonly question: Question | undefined;
  readonly entries: readonly DashboardEntry[];
  readonly scanned: ReadonlyMap<string, ScannedDashboard>;
  readonly choose: ListState;
  /** Dashboards that were chosen. */
  readonly ids: readonly string[];
  readonly scanTop: number;
  readonly list: ListState;
  readonly pane: "list" | "detail";
  readonly view: DetailView;
  readonly top: number;
  readonly excluded: ReadonlySet<string>;
  readonly edited: ReadonlyMap<string, JsonObject>;
  readonly row: number;
  readonly mode: Mode;
  readonly name: string;
  readonly used: readonly UsedThing[] | undefined;
  /** Copies that earlier migrations have made of the chosen dashboards. */
  readonly copies: readonly CopyEntry[];
  readonly replace: ReadonlyMap<string, UsedThing>;
  readonly picker: Picker | undefined;
  readonly applied: readonly { readonly label: string; readonly outcome: string }[];
  readonly total: number;
  readonly place: string;
  readonly isStopping: boolean;
  /** What could not be written; the run waits for an answer. */
  readonly failure: string | undefined;
  readonly report: WizardReport | undefined;
  readonly reportTop: number;
}

/** What is to be done outside of the state. */
export type Effect =
  | { readonly do: "load" | "scan" | "used" }
  | { readonly do: Write; readonly typed?: string }
  | { readonly do: "find"; readonly thing: UsedThing; readonly text: string }
  | { readonly do: "edit"; readonly id: string; readonly widget: JsonObject }
  | { readonly do: "draw"; readonly widget: PlannedWidget; readonly after: unknown }
  | { readonly do: "save"; readonly path: string }
  | { readonly do: "answer"; readonly choice: FailureChoice }
  | { readonly do: "leave" };

export type Action =
  | { readonly type: "loaded"; readonly entries: readonly DashboardEntry[] }
  | { readonly type: "scanned"; readonly dashboard: ScannedDashboard }
  | { readonly type: "scan-ended" }
  | { readonly type: "used"; readonly things: readonly UsedThing[]; readonly copies: readonly CopyEntry[] }
  | { readonly type: "found"; readonly id: string; readonly found: readonly UsedThing[] }
  | { readonly type: "edited"; readonly id: string; readonly widget: JsonObject; readonly result: EditResult }
  | { readonly type: "saved"; readonly command: string }
  | { readonly type: "drawn"; readonly path: string }
  | { readonly type: "at-dashboard"; readonly text: string }
  | { readonly type: "widget-done"; readonly label: string; readonly outcome: string }
  | { readonly type: "failure"; readonly text: string }
  | { readonly type: "ended"; readonly report: WizardReport }
  | { readonly type: "undone"; readonly count: number }
  | { readonly type: "problem"; readonly text: string }
  | { readonly type: "help" | "quit" | "back" | "next" | "toggle" | "interrupt" }
  | { readonly type: "list"; readonly action: ListAction }
  | { readonly type: "scroll"; readonly action: ScrollAction; readonly count: number; readonly rows: number }
  | { readonly type: "pane" | "view" | "exclude" | "edit" | "draw" | "plan" | "begin" | "undo" }
  | { readonly type: "row"; readonly by: number }
  | { readonly type: "select"; readonly action: SelectAction }
  | { readonly type: "field"; readonly field: Field }
  | { readonly type: "submit" | "cancel" };

export type Next = readonly [WizardState, Effect?];

export const UNDO_TEXT = "Undo everything that this run has written?";

export function firstState(engine: WizardState["engine"], chosen: readonly string[] = []): Next {
  const state: WizardState = {
    engine,
    step: "choose",
    isHelp: false,
    busy: "Reading the dashboards",
    notice: undefined,
    question: undefined,
    entries: [],
    scanned: new Map(),
    choose: { ...emptyList, marks: new Set(chosen) },
    ids: [],
    scanTop: 0,
    list: emptyList,
    pane: "list",
    view: "diff",
    top: 0,
    excluded: new Set(),
    edited: new Map(),
    row: 0,
    mode: "copy",
    name: engine.defaultName,
    used: undefined,
    copies: [],
    replace: new Map(),
    picker: undefined,
    applied: [],
    total: 0,
    place: "",
    isStopping: false,
    failure: undefined,
    report: undefined,
    reportTop: 0,
  };
  const { interrupted } = engine;
  if (interrupted === undefined) {
    // Dashboards that were named need no choice.
    return chosen.length === 0 ? [state, { do: "load" }] : [{ ...state, ...scanOf(chosen) }, { do: "scan" }];
  }
  const when = interrupted.startedAt.slice(0, 19).replace("T", " ");
  const text = `A migration of ${when} was interrupted after ${countOf(interrupted.steps, "step")}.`;
  return [{ ...state, busy: undefined, question: { kind: "interrupted", text, cursor: 0 } }];
}

/** The scan of these dashboards. */
export const scanOf = (ids: readonly string[]): Pick<WizardState, "step" | "busy" | "ids" | "scanTop" | "used"> => ({
  step: "scan",
  busy: "Reading the widgets",
  ids,
  scanTop: 0,
  used: undefined,
});

/** The same state, with something said. */
export const say = (state: WizardState, notice: string): WizardState => ({ ...state, notice });
