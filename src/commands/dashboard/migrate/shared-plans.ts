import { rmSync } from "node:fs";
import { join } from "node:path";
import type { CommandContext } from "../../kit/context.ts";
import { readTextIfThere, writePrivate } from "../../kit/files/files.ts";
import type { JobItem } from "../../kit/jobs/job.ts";
import { steadyClient } from "../../kit/steady-client.ts";
import { removeCopies } from "./copy.ts";
import { type MigrateArgs, noPlan } from "./queue-kind.ts";
import { openSharedRun, type RunLog, writeSharedRun } from "./run-log.ts";
import type { DashboardJob, MigrationJob } from "./types.ts";

/** What is written when all plans are there. */
interface Index extends Omit<MigrationJob, "dashboards"> {
  readonly dashboards: readonly { readonly id: string; readonly plan: string }[];
}

/** The plans of a migration by workers: a folder with one for each dashboard, beside which its journal will be. */
export class SharedPlans {
  readonly name: string;
  readonly #folder: string;

  constructor(folder: string, name: string) {
    this.name = name;
    this.#folder = join(folder, name);
  }

  write({ dashboards, ...about }: MigrationJob, finished: (job: DashboardJob) => DashboardJob): void {
    const plans = dashboards.map((job) => {
      const plan = writeSharedRun(join(this.#folder, job.id), { ...about, dashboards: [finished(job)] });
      return { id: job.id, plan };
    });
    writePrivate(this.#indexPath, JSON.stringify({ ...about, dashboards: plans } satisfies Index));
  }

  /** All plans as one; undefined where there are none. */
  read(): MigrationJob | undefined {
    const index = this.#index();
    return index && { ...index, dashboards: this.#runs(index).flatMap(({ job }) => job.dashboards) };
  }

  async *items(): AsyncGenerator<JobItem<MigrateArgs>> {
    const index = this.#index();
    if (index === undefined) throw noPlan("the migration", this.#folder);
    for (const { id, plan } of index.dashboards) yield { id, args: { plan } };
  }

  /** Removes the plans, and copies that workers have not finished. */
  async clear(ctx: CommandContext): Promise<void> {
    const index = this.#index();
    const client = await steadyClient(ctx);
    for (const run of index === undefined ? [] : this.#runs(index)) {
      const copy = run.steps.findLast((step) => step.copy !== undefined)?.copy;
      const isDone = run.steps.some(({ done }) => done === true);
      const [job] = run.job.dashboards;
      if (job !== undefined && copy !== undefined && !isDone) await removeCopies(client, run, job, copy);
    }
    this.remove();
  }

  remove(): void {
    // Without the index there are no plans, however little of the rest a crash leaves.
    rmSync(this.#indexPath, { force: true });
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #indexPath(): string {
    return join(this.#folder, "index.json");
  }

  #index(): Index | undefined {
    const text = readTextIfThere(this.#indexPath);
    return text === undefined ? undefined : (JSON.parse(text) as Index);
  }

  #runs({ dashboards }: Index): RunLog[] {
    return dashboards.flatMap(({ id, plan }) => openSharedRun(join(this.#folder, id), this.name, plan) ?? []);
  }
}
