import { rmSync } from "node:fs";
import { dirname } from "node:path";
import type { DeviceEditInfo, DeviceInfo, Resources } from "../../../index.ts";
import { makeFolder } from "../../../lib/core/make-folder.ts";
import { countOf, countText } from "../../../text/count.ts";
import { batchSender } from "../../kit/client/batch-client.ts";
import type { Column } from "../../kit/command/columns.ts";
import type { CommandContext } from "../../kit/context.ts";
import { CommandError, conflictError, stoppedError } from "../../kit/failures/command-error.ts";
import { openPart, settlePart } from "../../kit/rows/part-file.ts";
import { rowText } from "../../kit/rows/row-text.ts";
import type { Journal } from "../../kit/state/journal.ts";
import { type ConversionNote, endConversion, type Stage, stages, writeConversion } from "./conversion-note.ts";
import { type CopiedRow, copiedColumns, differs, isCopied } from "./copy-records.ts";
import { sendStored } from "./send-stored.ts";
import { everything, isWithin, spanOf } from "./storage.ts";
import { countUpTo, recordsIn, type Stored, storeRecords, timeOf } from "./stored.ts";

interface ConvertedRow extends CopiedRow {
  /** Where the records are on this machine. */
  readonly file: string;
}

export const convertedColumns: readonly Column<ConvertedRow>[] = [...copiedColumns, { key: "file" }];

interface Place {
  readonly client: Resources;
  readonly info: DeviceInfo;
  /** Where the note is. */
  readonly place: string;
  readonly journal: Journal;
}

/** A deletion is carried out some time after its answer. */
const EMPTY_WITHIN_MS = 120_000;
const LOOK_AGAIN_MS = 2_000;

/** Takes a device from its note to the end, step by step. Each step may be taken again after a crash. */
export class Conversion {
  readonly #ctx: CommandContext;
  readonly #place: Place;
  #note: ConversionNote;

  constructor(ctx: CommandContext, place: Place, note: ConversionNote) {
    this.#ctx = ctx;
    this.#place = place;
    this.#note = note;
  }

  async toEnd(): Promise<void> {
    try {
      await this.#step("closed", () => this.#edit({ active: false }));
      await this.#step("saved", () => this.#save());
    } catch (error) {
      // Nothing is deleted yet: the device goes back to work.
      await this.#leave().catch(() =>
        this.#ctx.say.warning("Interrupted; continue with --resume, or go back with --undo."),
      );
      throw error;
    }
    let isSame: boolean;
    try {
      await this.#step("emptied", () => this.#empty());
      await this.#step("converted", () => this.#convert());
      await this.#step("open", () => this.#edit({ active: true, payload_decoder: null }));
      isSame = await this.#fill();
    } catch (error) {
      const way = this.#is("open") ? "" : ", or go back with --undo";
      this.#ctx.say.warning(`Interrupted; all records are in ${this.#note.file}. Continue with --resume${way}.`);
      throw error;
    }
    if (!isSame) throw differs(this.#place.info.id);
  }

  /** Back to what the device was, as long as none of its records were written back. */
  async undo(): Promise<void> {
    if (this.#is("open")) {
      throw conflictError("The records are being written back, so the conversion cannot be undone.", {
        next: "Finish it with --resume, then convert the device back.",
      });
    }
    if (!this.#is("emptied") && (await this.#isUntouched())) {
      await this.#leave();
      this.#ctx.say.info(`Nothing was converted; device "${this.#place.info.name}" is as it was.`);
      return;
    }
    this.#note = writeConversion(this.#place.place, { ...this.#note, target: this.#note.before, stage: "saved" });
    await this.toEnd();
  }

  #is(stage: Stage): boolean {
    return stages.indexOf(this.#note.stage) >= stages.indexOf(stage);
  }

  async #step(stage: Stage, work: () => Promise<object | undefined>): Promise<void> {
    if (this.#is(stage)) return;
    if (this.#ctx.signal.aborted) throw stoppedError("Stopped.", "Interrupted by the user.");
    const more = (await work()) ?? {};
    this.#note = writeConversion(this.#place.place, { ...this.#note, ...more, stage });
  }

  async #edit(changes: DeviceEditInfo): Promise<undefined> {
    const { client, info } = this.#place;
    await client.devices.edit(info.id, changes);
  }

  async #save(): Promise<{ readonly stored: Stored }> {
    const { client, info } = this.#place;
    makeFolder(dirname(this.#note.file), 0o700);
    const stored = await storeRecords(this.#ctx, client, info, this.#note.file);
    const there = await this.#count();
    if (there === stored.records) return { stored };
    throw conflictError(
      `The file has ${countOf(stored.records, "record")}, the device ${countText(there)}; nothing was deleted.`,
      {
        why: "Records were added or deleted while they were read.",
        next: "Run the command again when nothing writes to the device.",
      },
    );
  }

  #count(): Promise<number> {
    return countUpTo(this.#place.client, this.#place.info.id, everything);
  }

  /** Whether a run that was killed while it emptied the device had deleted nothing yet. */
  async #isUntouched(): Promise<boolean> {
    return this.#note.stored === undefined || (await this.#count()) === this.#note.stored.records;
  }

  async #leave(): Promise<void> {
    const { active, parser, file } = this.#note;
    await this.#edit({ active, payload_decoder: parser });
    endConversion(this.#place.place);
    this.#place.journal.finish();
    for (const each of [file, `${file}.part`, `${file}.journal`]) rmSync(each, { force: true });
  }

  /** Immutable records go by chunks only. */
  async #empty(): Promise<undefined> {
    const { client, info } = this.#place;
    if (info.type !== "immutable") await client.devices.emptyDeviceData(info.id);
    if (info.type === "immutable" || info.type === "hybrid") {
      for (const { id } of await client.devices.getChunk(info.id)) await client.devices.deleteChunk(info.id, id);
    }
    const endMs = this.#ctx.clock.elapsed() + EMPTY_WITHIN_MS;
    for (let left = await this.#count(); left > 0; left = await this.#count()) {
      if (this.#ctx.clock.elapsed() > endMs) throw notEmpty(left);
      await this.#ctx.clock.sleep(LOOK_AGAIN_MS);
    }
  }

  async #convert(): Promise<undefined> {
    const { type, chunk_period, chunk_retention } = this.#place.info;
    const { target } = this.#note;
    const isThere = type === target.type && (chunk_period ?? undefined) === target.chunk_period;
    if (isThere && (chunk_retention ?? undefined) === target.chunk_retention) return;
    const send = await batchSender(this.#ctx);
    await send({ method: "POST", path: `/device/${this.#place.info.id}/convert`, body: target });
  }

  async #fill(): Promise<boolean> {
    const { client, info, place, journal } = this.#place;
    const { target, file, stored = { records: 0, toMs: 0 }, active, parser } = this.#note;
    const span = spanOf(target, this.#ctx.clock.now());
    const sent = await sendStored(this.#ctx, { device: info.id, span, total: stored.records }, file, journal);
    await this.#edit({ active, payload_decoder: parser });
    const isSame = await isCopied(this.#ctx, client, info.id, { span, stored, sent, file });
    const left = stored.records - sent;
    const rest = left === 0 ? undefined : await this.#saveRest(span);
    endConversion(place);
    journal.finish();
    const row = { id: info.id, name: info.name, type: target.type, records: sent, left_out: left, file };
    await this.#ctx.out.list([row], { columns: convertedColumns, empty: "Nothing was converted." });
    await this.#ctx.done(`Converted device "${info.name}" to ${target.type} with ${countOf(sent, "record")}`);
    this.#ctx.say.info(`All records from before are in ${file}; delete it when you no longer need it.`);
    if (rest !== undefined)
      this.#ctx.say.hint(`${countOf(left, "record")} left out are in ${rest}; after a way back, import them.`);
    return isSame;
  }

  /** The records that the new storage does not take. */
  async #saveRest(span: ReturnType<typeof spanOf>): Promise<string> {
    const rest = this.#note.file.replace(/\.ndjson$/, "-left-out.ndjson");
    const columns = ["time", "variable", "value", "unit", "group", "location", "metadata"];
    const text = await rowText("ndjson", { columns, header: true, csvSafe: false, csvBom: false });
    const part = await openPart(rest, 0);
    for await (const row of recordsIn(this.#ctx, this.#note.file, ""))
      if (!isWithin(span, timeOf(row))) await part.write(text.text([row.record], false));
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
