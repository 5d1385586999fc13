import type { PlannedVerdict, PlannedWidget } from "../../../index.ts";
import type { DashboardState } from "../../kit/dashboards/read.ts";
import type { JsonObject } from "../../kit/files/files.ts";

/** Where the new widgets go: into a copy of the dashboard, or over the old ones. */
export type MigrationMode = "copy" | "in-place";

/** Which target was chosen: `update` is a copy, written over an earlier one where there is one. */
export type TargetChoice = MigrationMode | "update";

/** A dashboard that was read, and what a migration would make of it. */
export interface Scanned {
  readonly id: string;
  readonly label: string;
  readonly state: DashboardState;
  readonly widgets: readonly PlannedWidget[];
}

/** What is to be done with one widget. */
export interface WidgetJob {
  readonly id: string;
  readonly label: string;
  readonly type: string;
  readonly newType: string;
  readonly verdict: PlannedVerdict;
  readonly reason: string;
  readonly notes: readonly string[];
  /** `convert` writes `after`; `keep` leaves the widget; `exclude` leaves one that could be converted. */
  readonly action: "convert" | "keep" | "exclude";
  readonly before: JsonObject;
  /** The widget to write; only with `convert`. */
  readonly after?: JsonObject;
}

/** What is to be done with one dashboard. */
export interface DashboardJob {
  readonly id: string;
  readonly label: string;
  /** Label of the copy; absent when the widgets of this dashboard itself are written. */
  readonly newLabel?: string;
  /** The dashboard whose new widgets are written, when this one is an earlier copy of it. */
  readonly original?: string;
  /** Of the dashboard and its widgets when the plan was made. */
  readonly fingerprint: string;
  readonly widgets: readonly WidgetJob[];
}

/** A plan that can be saved and applied later. */
export interface MigrationJob {
  readonly mode: MigrationMode;
  readonly createdAt: string;
  readonly target: { readonly label: string; readonly api: string };
  readonly dashboards: readonly DashboardJob[];
}

/** What became of one widget. */
export interface WidgetResult {
  readonly id: string;
  readonly label: string;
  readonly type: string;
  readonly new_type: string;
  readonly verdict: PlannedVerdict;
  /** `planned` in a dry run; `skipped` when the run ended before it. */
  readonly outcome: "converted" | "unchanged" | "excluded" | "failed" | "planned" | "skipped";
  readonly reason: string;
  readonly notes: readonly string[];
  /** Why it failed. */
  readonly error?: string;
}

/** What became of one dashboard. */
export interface DashboardResult {
  readonly id: string;
  readonly label: string;
  /** `changed`: somebody changed it since the plan, so nothing was written. */
  readonly outcome: "migrated" | "unchanged" | "partly" | "changed" | "failed" | "planned" | "skipped" | "undone";
  /** Id of the copy. */
  readonly copy?: string;
  readonly copy_label?: string;
  readonly snapshot?: string;
  readonly error?: string;
  readonly widgets: readonly WidgetResult[];
}

/** The account of a migration. */
export interface MigrationReport {
  readonly run: string;
  readonly mode: MigrationMode;
  readonly dry_run: boolean;
  readonly where: string;
  readonly started_at: string;
  readonly finished_at: string;
  readonly counts: Readonly<Record<"dashboards" | WidgetResult["outcome"], number>>;
  readonly dashboards: readonly DashboardResult[];
  /** The command that does the same again without a question. */
  readonly command: string;
}

/** Where the widgets of a dashboard are written to. */
export interface WritePlace {
  readonly dashboard: string;
  idOf(widget: WidgetJob): string;
}
