import { cleanOutput } from "../../../text/clean.ts";
import { countOf, countText } from "../../../text/count.ts";
import type { Column } from "../../kit/command/columns.ts";
import type { CommandContext } from "../../kit/context.ts";
import { partialError } from "../../kit/jobs/ending.ts";
import { createJudge, type Judged, type WidgetOutcome } from "../../kit/widgets/outcome.ts";
import { reportText } from "../../kit/widgets/report.ts";
import { WidgetCounts } from "../../kit/widgets/tally.ts";
import { resultOf } from "./apply.ts";
import type { DashboardResult, MigrationJob, MigrationReport, WidgetResult } from "./types.ts";

export const migrationReports = ["json", "md", "html"] as const;
export type MigrationReportFormat = (typeof migrationReports)[number];

interface ReportParts {
  readonly run: string;
  readonly job: MigrationJob;
  readonly isDryRun: boolean;
  readonly results: readonly DashboardResult[];
  readonly startedAt: string;
  readonly nowMs: number;
  readonly command: string;
}

/** The account of a run. */
export function createReport(parts: ReportParts): MigrationReport {
  const { run, job, isDryRun, results, startedAt, nowMs, command } = parts;
  const counts = {
    dashboards: results.length,
    converted: 0,
    unchanged: 0,
    excluded: 0,
    failed: 0,
    planned: 0,
    skipped: 0,
  };
  for (const { widgets } of results) for (const { outcome } of widgets) counts[outcome] += 1;
  return {
    run,
    mode: job.mode,
    dry_run: isDryRun,
    where: job.target.label,
    started_at: startedAt,
    finished_at: new Date(nowMs).toISOString(),
    counts,
    dashboards: results,
    command,
  };
}

/** What would be done, for a dry run and for a plan that is only saved. */
export function plannedResults(job: MigrationJob): readonly DashboardResult[] {
  return job.dashboards.map(({ id, label, newLabel, widgets }) => {
    const rows = widgets.map((widget) => resultOf(widget, "planned"));
    const isUnchanged = newLabel === undefined && rows.every(({ outcome }) => outcome !== "planned");
    const label_ = newLabel === undefined ? {} : { copy_label: newLabel };
    return { id, label, outcome: isUnchanged ? "unchanged" : "planned", ...label_, widgets: rows };
  });
}

type Row = WidgetResult & { readonly dashboard: string };

const columns: readonly Column<Row>[] = [
  { key: "dashboard" },
  { key: "label", rank: 1 },
  { key: "type" },
  { key: "new_type" },
  { key: "verdict" },
  { key: "outcome", rank: 1 },
  { key: "notes", value: ({ notes, error }) => (error === undefined ? [...notes] : [error, ...notes]).join("; ") },
  { key: "id", kind: "id", hidden: true },
];

/** Prints the report, in the format of `--report-format` or else of `-o`. */
export async function printReport(
  ctx: CommandContext,
  report: MigrationReport,
  job: MigrationJob,
  format: MigrationReportFormat | undefined,
): Promise<void> {
  if (format === "md" || format === "html")
    return ctx.out.raw(cleanOutput(await textReport(format, report, job), ctx.io.stdoutIsTerminal));
  if (format === "json" || ctx.out.format === "json") return ctx.out.value(report);
  const rows = report.dashboards.flatMap(({ label, widgets }) =>
    widgets.map((widget) => ({ dashboard: label, ...widget })),
  );
  await ctx.out.list(rows, { columns, empty: "No widgets." });
}

async function textReport(format: "md" | "html", report: MigrationReport, job: MigrationJob): Promise<string> {
  const text = await reportText(format, report.dry_run ? "Plan of a migration" : "Dashboard migration");
  const tally = new WidgetCounts();
  const parts = [text.start()];
  for (const judged of await judgedWidgets(report, job)) {
    tally.add(judged);
    parts.push(text.widget(judged));
  }
  return [...parts, text.end(tally)].join("");
}

/** The widgets of each dashboard, those that change first; dashboards without any are last. */
async function judgedWidgets({ dashboards }: MigrationReport, job: MigrationJob): Promise<readonly Judged[]> {
  const judge = await createJudge();
  const labels = dashboards.map(({ label }) => label);
  const found = dashboards.map(({ id, label, widgets }) => {
    const jobs = new Map(job.dashboards.find((each) => each.id === id)?.widgets.map((each) => [each.id, each]) ?? []);
    const name = labels.filter((each) => each === label).length === 1 ? label : `${label} (${id})`;
    return widgets
      .map((result, i) => judgedOf(judge(jobs.get(result.id)?.before, name, i + 1), result, jobs.get(result.id)?.after))
      .sort((a, b) => rankOf(a) - rankOf(b));
  });
  return found.sort((a, b) => firstRank(a) - firstRank(b)).flat();
}

const ranks: readonly WidgetOutcome["verdict"][] = [
  "failed",
  "converted",
  "invalid",
  "unsupported",
  "legacy",
  "current",
];
const rankOf = ({ outcome }: Judged): number => ranks.indexOf(outcome.verdict);
const firstRank = ([first]: readonly Judged[]): number => (first === undefined ? ranks.length : rankOf(first));

/** What was found about a widget, with what the run made of it. */
function judgedOf(found: Judged, result: WidgetResult, after: unknown): Judged {
  const { id, label, type, new_type: to, outcome: end, error } = result;
  const isWritten = end === "converted" || end === "planned";
  const isLeft = found.outcome.verdict === "converted" && !isWritten;
  const verdict =
    error === undefined ? (isLeft ? "legacy" : isWritten ? "converted" : found.outcome.verdict) : "failed";
  const told = [
    ...(error === undefined ? [] : [error]),
    ...(isLeft ? [end === "skipped" ? "not reached" : "excluded"] : []),
    ...found.outcome.notes,
  ];
  const outcome: WidgetOutcome = { ...found.outcome, id, label, from: type, to, verdict, notes: told };
  return { ...found, outcome, widget: after ?? found.source };
}

/** One line on what was done, for people. */
export function migrationSummary({ counts, dry_run, where, mode, dashboards: all }: MigrationReport): string {
  const { converted, planned, unchanged, excluded, failed, skipped, dashboards } = counts;
  const done = dry_run
    ? `${countOf(planned, "widget")} would be converted`
    : `${countOf(converted, "widget")} converted`;
  const rest = [
    `${unchanged} unchanged`,
    ...(excluded > 0 ? [`${excluded} excluded`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} not reached`] : []),
  ];
  const into = mode === "copy" ? "as copies" : "in place";
  const idle = all.filter(({ outcome }) => outcome === "unchanged").length;
  const left =
    idle === 0 ? "" : ` Nothing to convert in ${countOf(idle, "dashboard")}${mode === "copy" ? ": not copied" : ""}.`;
  return `${done} ${into}, ${rest.join(", ")}, in ${countOf(dashboards, "dashboard")} in ${where}.${left}`;
}

/** Fails when dashboards are not as planned: with 7 when somebody else changed all of them, else with 8. */
export function throwUnlessMigrated(
  dashboards: readonly { readonly label: string; readonly outcome: string; readonly error: string }[],
): void {
  const bad = dashboards.filter(({ outcome }) => ["partly", "failed", "changed"].includes(outcome));
  if (bad.length === 0) return;
  const isAllChanged = dashboards.every(({ outcome }) => outcome === "changed");
  throw partialError(`${bad.length} of ${countText(dashboards.length)} dashboards were not migrated as planned.`, {
    ...(isAllChanged ? { code: "dashboard.changed", exit: 7 } : {}),
    why: bad.map(({ label, error }) => `${label}: ${error}`).join("; "),
    next: "Run the command again for them; the report lists what was written.",
  });
}
