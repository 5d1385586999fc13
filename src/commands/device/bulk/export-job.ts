import { existsSync, rmSync } from "node:fs";
import type { Resources } from "../../../index.ts";
import { countOf } from "../../../text/count.ts";
import type { CommandContext } from "../../kit/context.ts";
import { announceReading } from "../../kit/devices/cost.ts";
import { fleetOf } from "../../kit/devices/fleet.ts";
import { CommandError, conflictError, stoppedError } from "../../kit/failures/command-error.ts";
import { confirmOutFile, shownPath } from "../../kit/files/out-file.ts";
import type { JobNotes } from "../../kit/jobs/job.ts";
import { partName } from "../../kit/rows/part-file.ts";
import { createProgress } from "../../kit/say/progress.ts";
import type { FileChoice } from "./export-choice.ts";
import { fileForm } from "./export-file.ts";
import { type DoneFile, type FileGroup, progressIn, writeExportFiles } from "./export-files.ts";
import { dropOlder } from "./export-older.ts";
import { countPlanned, type ExportPlan, groupsOf, planExport } from "./export-plan.ts";

export interface ExportedFile extends DoneFile {
  /** With `--verify`: records in the file as it is on the disk. */
  readonly counted?: number;
}

export interface FilesRow {
  readonly files: readonly ExportedFile[];
  readonly devices: number;
  /** With `--verify`: records in the same range, as the platform counts them. */
  readonly there?: number;
}

/** An export that was agreed to. */
interface Agreed {
  readonly plan: ExportPlan;
  /** Records the platform counts. */
  readonly total: number;
}

/** The note of what the export is about. */
const PLAN = "plan";

/** What an export is about that was begun and can be continued. */
export function planIn({ of }: Pick<JobNotes, "of">): ExportPlan | undefined {
  const note = of(PLAN);
  return note === undefined ? undefined : (JSON.parse(note) as ExportPlan);
}

/** An export in this process, to one file or several. */
export class FilesExport {
  readonly #ctx: CommandContext;
  readonly #choice: FileChoice;
  readonly #client: Resources;
  #agreed: Agreed | undefined;

  constructor(ctx: CommandContext, choice: FileChoice, client: Resources) {
    this.#ctx = ctx;
    this.#choice = choice;
    this.#client = client;
  }

  /** Starts a new export instead of an unfinished one. */
  async replace(notes: Pick<JobNotes, "of">): Promise<void> {
    const plan = planIn(notes);
    if (plan === undefined) return;
    this.#ctx.say.warning("Replacing an unfinished export; --resume would have continued it.");
    this.#agreed = await this.#begin();
    const { group, periodMs } = progressIn(notes).position;
    const path = this.#groups(plan)[group]?.pathOf(periodMs);
    if (path !== undefined) rmSync(partName(path), { force: true });
  }

  /** Writes the files, or what is missing of them. */
  async run(notes: JobNotes): Promise<FilesRow> {
    const agreed = (await this.#continued(notes)) ?? (await this.#begun(notes));
    const files = await this.#write(notes, agreed);
    return { devices: agreed.plan.devices.length, files, ...(await this.#counts(files, agreed.plan)) };
  }

  async #continued(notes: JobNotes): Promise<Agreed | undefined> {
    const plan = planIn(notes);
    if (plan === undefined) return undefined;
    const { records } = progressIn(notes);
    const agreed = await this.#agree(plan, records);
    this.#ctx.say.info(`Continuing after ${countOf(records, "record")}.`);
    return agreed;
  }

  async #begun(notes: JobNotes): Promise<Agreed> {
    const agreed = this.#agreed ?? (await this.#begin());
    await notes.add(PLAN, JSON.stringify(agreed.plan));
    return agreed;
  }

  /** Plans a new export, and asks what is to be asked. */
  async #begin(): Promise<Agreed> {
    const { isFolder, split, out, selection, named, tags } = this.#choice;
    if (!isFolder && split === undefined) await confirmOutFile(this.#ctx, out);
    const fleet = await fleetOf(this.#ctx, named, tags);
    const plan = await planExport(this.#ctx, this.#client, selection, fleet);
    if (isFolder && split === undefined) await this.#confirmFiles(plan);
    const agreed = await this.#agree(plan, 0);
    dropOlder(this.#ctx, this.#choice);
    return agreed;
  }

  async #confirmFiles(plan: ExportPlan): Promise<void> {
    const paths = this.#groups(plan).map(({ pathOf }) => pathOf(undefined));
    const items = paths.filter((path) => existsSync(path)).map((path) => shownPath(this.#ctx, path));
    if (items.length === 0) return;
    const name = shownPath(this.#ctx, this.#choice.out);
    const action = `Overwrite ${countOf(items.length, "file")} in ${name}`;
    await this.#ctx.confirm({ level: 1, action, name, where: "on this machine", items });
  }

  /** Says what is left to read, and asks. */
  async #agree(plan: ExportPlan, records: number): Promise<Agreed> {
    const total = await countPlanned(this.#ctx, this.#client, plan, this.#choice);
    const isBounded = Number.isFinite(this.#choice.maxRecords);
    await announceReading(this.#ctx, this.#client, Math.max(0, total - records), isBounded);
    return { plan, total };
  }

  async #write(notes: JobNotes, { plan, total }: Agreed): Promise<readonly DoneFile[]> {
    const { format, columns, split = null, maxRecords } = this.#choice;
    const ctx = this.#ctx;
    const progress = createProgress(ctx, ["Exporting", "records"]);
    try {
      return await writeExportFiles({
        groups: this.#groups(plan),
        fromMs: plan.fromMs,
        ...{ split, maxRecords, notes, keepsEmpty: true, signal: ctx.signal },
        form: await fileForm(format, columns, ctx.flags),
        begin: (path) => this.#refuseToReplace(path),
        onRecords: (records) => progress.at(records, total),
      });
    } catch (error) {
      progress.end();
      throw await this.#explained(notes, error);
    } finally {
      progress.end();
    }
  }

  /** Files of a period are not known before they are written, so there is no question to ask in advance. */
  #refuseToReplace(path: string): void {
    if (this.#choice.split === undefined || !existsSync(path) || this.#ctx.flags.yes) return;
    throw conflictError(`${shownPath(this.#ctx, path)} already exists.`, {
      code: "file.exists",
      next: "Move it away, or add --yes to replace such files; --resume continues the export.",
    });
  }

  /** Adds how far an interrupted export got; the failure itself stays what it is. */
  async #explained(notes: JobNotes, error: unknown): Promise<unknown> {
    const { done, records } = progressIn(notes);
    if (done.length === 0 && records === 0 && error instanceof CommandError && error.code === "file.exists") {
      await notes.forget(PLAN);
      return error;
    }
    const amount = countOf(records, "record");
    this.#ctx.say.warning(`Interrupted after ${amount}; run the same command with --resume to continue.`);
    return this.#ctx.signal.aborted ? stoppedError("Stopped.") : error;
  }

  async #counts(files: readonly DoneFile[], plan: ExportPlan): Promise<Partial<FilesRow>> {
    if (!this.#choice.isVerified) return {};
    const { countFile } = await import("./count-file.ts");
    const counted: ExportedFile[] = [];
    for (const file of files)
      counted.push({ ...file, counted: await countFile(file.file, this.#choice.format, this.#ctx.flags.header) });
    return { files: counted, there: await countPlanned(this.#ctx, this.#client, plan, this.#choice) };
  }

  #groups(plan: ExportPlan): FileGroup[] {
    return groupsOf(this.#client, plan, this.#choice);
  }
}
