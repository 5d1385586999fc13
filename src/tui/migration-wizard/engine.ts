import type { JsonObject } from "../../lib/core/json.ts";
import type { PlannedVerdict, PlannedWidget } from "../../lib/widgets/plan.ts";
import type { DiffRow } from "../components/diff-view/state.ts";

/** `update` writes over earlier copies; a dashboard without one gets a new copy. */
export type Mode = "copy" | "update" | "in-place";

/** A dashboard that can be chosen. */
export interface DashboardEntry {
  readonly id: string;
  readonly label: string;
  /** Entries of its arrangement. */
  readonly widgets: number;
}

export type VerdictCounts = Readonly<Record<PlannedVerdict, number>>;

/** A dashboard that was read, and what a migration would make of its widgets. */
export interface ScannedDashboard {
  readonly id: string;
  readonly label: string;
  readonly widgets: readonly PlannedWidget[];
}

/** A device or an analysis that widgets use. */
export interface UsedThing {
  readonly kind: "device" | "analysis";
  readonly id: string;
  readonly name: string;
}

/** A copy that an earlier migration has made, and that can be written over. */
export interface CopyEntry {
  /** Id of the dashboard it was made of. */
  readonly original: string;
  readonly id: string;
  readonly label: string;
}

/** Everything the user decided. */
export interface WizardChoices {
  readonly ids: readonly string[];
  readonly mode: Mode;
  /** Label of copies; `%s` stands for the old label. */
  readonly name: string;
  /** Ids of widgets that are left alone. */
  readonly excluded: ReadonlySet<string>;
  /** New widgets that were edited by hand, by widget id. */
  readonly edited: ReadonlyMap<string, JsonObject>;
  /** Old id to new id: devices and analyses. */
  readonly replace: ReadonlyMap<string, UsedThing>;
}

export type FailureChoice = "retry" | "skip" | "stop" | "undo";

/** Reports progress while a plan is applied, and asks what to do about failures. */
export interface EngineWatch {
  dashboard(label: string, place: number, of: number): void;
  widget(label: string, outcome: string): void;
  failed(label: string, message: string): Promise<FailureChoice>;
  /** True when the run should end after the current request. */
  isStopped(): boolean;
}

/** What became of a run. */
export interface WizardReport {
  /** `stopped`: the rest can be done later, or what was done can be undone. */
  readonly state: "done" | "stopped" | "undone";
  readonly summary: string;
  readonly counts: readonly (readonly [word: string, count: number])[];
  readonly dashboards: readonly {
    readonly label: string;
    readonly outcome: string;
    readonly link: string;
    readonly error?: string;
  }[];
  readonly notes: readonly string[];
  /** Where the snapshots are, and how they are written back. */
  readonly snapshots: readonly string[];
  /** The command that does the same without a question. */
  readonly command: string;
  /** Why it ended early. */
  readonly problem?: string;
}

export type EditResult =
  | { readonly kind: "unchanged" }
  | { readonly kind: "edited"; readonly widget: JsonObject }
  | { readonly kind: "refused"; readonly problems: readonly string[] };

/** What a migration can do, without a terminal. The command hands it to the screen. */
export interface MigrationEngine {
  /** Environment and profile: `prod (Acme)`. */
  readonly where: string;
  /** The name to type before anything is written to a protected environment; absent where it is not protected. */
  readonly nameToType?: string;
  /** Takes the typed name; nothing is written to a protected environment before. */
  giveName(typed: string): Promise<void>;
  /** Label of copies unless the user chooses one. */
  readonly defaultName: string;
  /** A run that ended in the middle. */
  readonly interrupted?: { readonly startedAt: string; readonly steps: number; readonly dashboards: number };
  dashboards(): Promise<readonly DashboardEntry[]>;
  /** Reads dashboards; those that were read already are returned immediately. */
  scan(ids: readonly string[], onScanned: (scanned: ScannedDashboard) => void): Promise<readonly ScannedDashboard[]>;
  used(ids: readonly string[]): Promise<readonly UsedThing[]>;
  /** Labels of copies as they will be; the usual one gets a number where a dashboard has it, once `earlierCopies` has looked. */
  copyNames(name: string, labels: readonly string[]): readonly string[];
  /** Earlier copies of dashboards that were scanned. */
  earlierCopies(ids: readonly string[]): Promise<readonly CopyEntry[]>;
  find(kind: UsedThing["kind"], text: string): Promise<readonly UsedThing[]>;
  /** Old and new widget as text, side by side. */
  diff(before: unknown, after: unknown): readonly DiffRow[];
  /** A rough drawing of a widget, with made-up values, in lines of at most this width. */
  draw(widget: unknown, width: number): readonly string[];
  /** Opens a page in the browser with the old widget drawn next to the new one. Returns the path of the page. */
  openDrawing(widget: PlannedWidget, after: unknown): Promise<string>;
  /** Opens the user's editor on a widget and checks what comes back. The terminal has to be free. */
  edit(widget: JsonObject): Promise<EditResult>;
  /** Saves a plan and returns the command that applies it. Nothing else is changed. */
  savePlan(path: string, choices: WizardChoices): string;
  apply(choices: WizardChoices, watch: EngineWatch): Promise<WizardReport>;
  /** Goes on with the run that ended in the middle. */
  resume(watch: EngineWatch): Promise<WizardReport>;
  /** Undoes everything the run has done. Returns the number of dashboards that are as before. */
  undo(): Promise<number>;
}
