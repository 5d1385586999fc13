import type { MigrationEngine, WizardReport } from "../../../tui/migration-wizard/engine.ts";
import { canDraw, screenColor } from "../../kit/ask/terminal.ts";
import { lent } from "../../kit/ask/terminal-lent.ts";
import type { CommandContext } from "../../kit/context.ts";
import { dashboardFinder } from "../../kit/finders/dashboard.ts";
import { resolveIds } from "../../kit/resource/resolve-id.ts";
import { createMigrationEngine } from "./engine.ts";
import { askThrough } from "./questions.ts";
import { throwUnlessMigrated } from "./report.ts";

/** The smallest window the wizard is drawn in; below it the same is asked line by line. */
const smallest = { columns: 60, rows: 16 } as const;

/** Leads through a migration on a terminal: on a screen, or with questions. */
export async function migrateOnTerminal(ctx: CommandContext, given: readonly string[]): Promise<number | undefined> {
  const chosen = given.length === 0 ? [] : (await resolveIds(ctx, dashboardFinder, given)).map(({ id }) => id);
  const engine = await createMigrationEngine(ctx);
  const report = await (canDraw(ctx, smallest)
    ? lent(ctx.status, () => onScreen(ctx, engine, chosen))
    : askThrough(ctx, engine, chosen));
  if (report !== undefined) conclude(ctx, report);
  else if (!ctx.signal.aborted) ctx.say.info("Nothing changed.");
  return undefined;
}

async function onScreen(
  ctx: CommandContext,
  engine: MigrationEngine,
  chosen: readonly string[],
): Promise<WizardReport | undefined> {
  const { openMigrationWizard } = await import("../../../tui/index.ts");
  const { signal, flags } = ctx;
  return openMigrationWizard({ engine, chosen, signal, color: screenColor(ctx), ascii: flags.ascii });
}

/** What stays on the normal screen. */
function conclude(ctx: CommandContext, { summary, snapshots, command, state, dashboards }: WizardReport): void {
  ctx.say.info(summary);
  const [snapshot, ...others] = snapshots;
  if (snapshot !== undefined)
    ctx.say.info(`Snapshot ${snapshot}${others.length === 0 ? "" : `, and ${others.length} more`}`);
  ctx.say.info(`Repeat this without prompts: ${command}`);
  if (state === "stopped") {
    ctx.say.hint('"iot dashboard migrate --resume" resumes this run; --undo reverts it.');
  }
  if (state === "undone") return;
  throwUnlessMigrated(dashboards.map(({ label, outcome, error = outcome }) => ({ label, outcome, error })));
}
