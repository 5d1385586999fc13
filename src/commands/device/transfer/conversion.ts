import { rmSync } from "node:fs";
import { dirname } from "node:path";
import type { DeviceEditInfo, DeviceInfo, Resources } from "../../../index.ts";
import { makeFolder } from "../../../lib/core/make-folder.ts";
import { countOf, countText } from "../../../text/count.ts";
import { batchSender } from "../../kit/client/batch-client.ts";
import type { Column } from "../../kit/command/columns.ts";
import type { CommandContext } from "../../kit/context.ts";
import { CommandError, conflictError } from "../../kit/failures/command-error.ts";
import type { JobNotes } from "../../kit/jobs/job.ts";
import { doneRow } from "../../kit/jobs/run-items.ts";
import { runSteps } from "../../kit/jobs/run-steps.ts";
import { openPart, settlePart } from "../../kit/rows/part-file.ts";
import { rowText } from "../../kit/rows/row-text.ts";
import type { Journal } from "../../kit/state/journal.ts";
import { type ConversionPlan, PLAN } from "./conversion-plan.ts";
import { type CopiedRow, copiedColumns, differs, isCopied } from "./copy-records.ts";
import { sendStored } from "./send-stored.ts";
import { everything, isWithin, spanOf } from "./storage.ts";
import { countUpTo, recordsIn, recordTime, type Stored, storeRecords } from "./stored.ts";

interface ConvertedRow extends CopiedRow {
  /** Where the records are on this machine. */
  readonly file: string;
}

export const convertedColumns: readonly Column<ConvertedRow>[] = [...copiedColumns, { key: "file" }];

interface Surroundings {
  readonly client: Resources;
  readonly info: DeviceInfo;
  readonly journal: Journal;
}

/** A deletion takes effect some time after its response. */
const EMPTY_WITHIN_MS = 120_000;
const LOOK_AGAIN_MS = 2_000;

/** Takes a device from its plan to the end, step by step. Each step may be taken again after a crash. */
export class Conversion {
  readonly #ctx: CommandContext;
  readonly #about: Surroundings;
  #plan: ConversionPlan;

  constructor(ctx: CommandContext, about: Surroundings, plan: ConversionPlan) {
    this.#ctx = ctx;
    this.#about = about;
    this.#plan = plan;
  }

  async toEnd(): Promise<void> {
    const { journal } = this.#about;
    try {
      await runSteps(this.#ctx, journal, {
        closed: () => this.#edit({ active: false }),
        saved: (notes) => this.#save(notes),
      });
    } catch (error) {
      // Nothing is deleted yet: the device goes back to work.
      await this.#leave().catch(() =>
        this.#ctx.say.warning("Interrupted; continue with --resume, or go back with --undo."),
      );
      throw error;
    }
    let isSame: boolean;
    try {
      await runSteps(this.#ctx, journal, {
        emptied: () => this.#empty(),
        converted: () => this.#convert(),
        open: () => this.#edit({ active: true, payload_decoder: null }),
      });
      isSame = await this.#fill();
    } catch (error) {
      const way = this.#isDone("open") ? "" : ", or go back with --undo";
      this.#ctx.say.warning(`Interrupted; all records are in ${this.#plan.file}. Continue with --resume${way}.`);
      throw error;
    }
    if (!isSame) throw differs(this.#about.info.id);
  }

  /** Back to what the device was, as long as none of its records were written back. */
  async undo(): Promise<void> {
    if (this.#isDone("open")) {
      throw conflictError("The records are being written back, so the conversion cannot be undone.", {
        next: "Finish it with --resume, then convert the device back.",
      });
    }
    if (!this.#isDone("emptied") && (await this.#isUntouched())) {
      await this.#leave();
      this.#ctx.say.info(`Nothing was converted; device "${this.#about.info.name}" is as it was.`);
      return;
    }
    for (const step of ["emptied", "converted"]) this.#about.journal.add(step, "");
    this.#plan = { ...this.#plan, target: this.#plan.before };
    this.#about.journal.add(PLAN, JSON.stringify(this.#plan));
    await this.toEnd();
  }

  #isDone(step: string): boolean {
    return doneRow(this.#about.journal, step) !== undefined;
  }

  /** The records of the device, once they are in the file. */
  #stored(): Stored | undefined {
    return doneRow<Stored>(this.#about.journal, "saved");
  }

  async #edit(changes: DeviceEditInfo): Promise<object> {
    const { client, info } = this.#about;
    await client.devices.edit(info.id, changes);
    return {};
  }

  async #save(notes: JobNotes): Promise<Stored> {
    const { client, info } = this.#about;
    makeFolder(dirname(this.#plan.file), 0o700);
    const stored = await storeRecords(this.#ctx, client, info, this.#plan.file, notes);
    const there = await this.#count();
    if (there === stored.records) return stored;
    throw conflictError(
      `The file has ${countOf(stored.records, "record")}, the device ${countText(there)}; nothing was deleted.`,
      {
        why: "Records were added or deleted while they were read.",
        next: "Run the command again when nothing writes to the device.",
      },
    );
  }

  #count(): Promise<number> {
    return countUpTo(this.#about.client, this.#about.info.id, everything);
  }

  /** Whether a run that was killed while it emptied the device had deleted nothing yet. */
  async #isUntouched(): Promise<boolean> {
    const stored = this.#stored();
    return stored === undefined || (await this.#count()) === stored.records;
  }

  async #leave(): Promise<void> {
    const { active, parser, file } = this.#plan;
    await this.#edit({ active, payload_decoder: parser });
    this.#about.journal.finish();
    for (const each of [file, `${file}.part`]) rmSync(each, { force: true });
  }

  /** Immutable records go by chunks only. */
  async #empty(): Promise<object> {
    const { client, info } = this.#about;
    if (info.type !== "immutable") await client.devices.emptyDeviceData(info.id);
    if (info.type === "immutable" || info.type === "hybrid") {
      for (const { id } of await client.devices.getChunk(info.id)) await client.devices.deleteChunk(info.id, id);
    }
    const endMs = this.#ctx.clock.elapsed() + EMPTY_WITHIN_MS;
    for (let left = await this.#count(); left > 0; left = await this.#count()) {
      if (this.#ctx.clock.elapsed() > endMs) throw notEmpty(left);
      await this.#ctx.clock.sleep(LOOK_AGAIN_MS);
    }
    return {};
  }

  async #convert(): Promise<object> {
    const { type, chunk_period, chunk_retention } = this.#about.info;
    const { target } = this.#plan;
    const isThere = type === target.type && (chunk_period ?? undefined) === target.chunk_period;
    if (isThere && (chunk_retention ?? undefined) === target.chunk_retention) return {};
    const send = await batchSender(this.#ctx);
    await send({ method: "POST", path: `/device/${this.#about.info.id}/convert`, body: target });
    return {};
  }

  async #fill(): Promise<boolean> {
    const { client, info, journal } = this.#about;
    const { target, file, active, parser } = this.#plan;
    const stored = this.#stored() ?? { records: 0, toMs: 0 };
    const span = spanOf(target, this.#ctx.clock.now());
    const sent = await sendStored(this.#ctx, { device: info.id, span, total: stored.records }, file, journal);
    await this.#edit({ active, payload_decoder: parser });
    const isSame = await isCopied(this.#ctx, client, info.id, { span, stored, sent, file });
    const left = stored.records - sent;
    const rest = left === 0 ? undefined : await this.#saveRest(span);
    journal.finish();
    const row = { id: info.id, name: info.name, type: target.type, records: sent, left_out: left, file };
    await this.#ctx.out.list([row], { columns: convertedColumns, empty: "Nothing was converted." });
    await this.#ctx.done(`Converted device "${info.name}" to ${target.type} with ${countOf(sent, "record")}`);
    this.#ctx.say.info(`All records from before are in ${file}; delete it when you no longer need it.`, file);
    if (rest !== undefined)
      this.#ctx.say.hint(`${countOf(left, "record")} left out are in ${rest}; after a way back, import them.`);
    return isSame;
  }

  /** The records that the new storage does not take. */
  async #saveRest(span: ReturnType<typeof spanOf>): Promise<string> {
    const rest = this.#plan.file.replace(/\.ndjson$/, "-left-out.ndjson");
    const columns = ["time", "variable", "value", "unit", "group", "location", "metadata"];
    const text = await rowText("ndjson", { columns, header: true, csvSafe: false, csvBom: false });
    const part = await openPart(rest, 0);
    for await (const row of recordsIn(this.#ctx, this.#plan.file, ""))
      if (!isWithin(span, recordTime(row))) await part.write(text.text(row.records, false));
    await part.sync();
    await part.close();
    await settlePart(rest);
    return rest;
  }
}

const notEmpty = (left: number): Error =>
  new CommandError(`The device still has ${countOf(left, "record")} two minutes after they were deleted.`, {
    code: "wait.timeout",
    exit: 10,
    next: "Wait until they are gone, then continue with --resume.",
  });
