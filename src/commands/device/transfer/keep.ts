import { basename, dirname, join } from "node:path";
import type { Resources } from "../../../index.ts";
import { ApiError } from "../../../lib/core/errors.ts";
import { shellWord } from "../../../text/shell-word.ts";
import { slugOf } from "../../../text/slug.ts";
import type { CommandContext } from "../../kit/context.ts";
import { isNotFound } from "../../kit/resource/not-found.ts";
import { pruneState, statePath, writeNote } from "../../kit/state/notes.ts";
import { transferSettings } from "./settings.ts";
import { storageOf } from "./storage.ts";

/** The settings of devices that are deleted, as bodies of `device create`. */
export const deletedSettings = {
  /** A token that may only delete, or a home that cannot be written, does not keep a device from being deleted. */
  async save(ctx: CommandContext, client: Resources, id: string): Promise<string | undefined> {
    try {
      return await saveSettings(ctx, client, id);
    } catch (error) {
      if (ctx.signal.aborted || !(error instanceof Error)) throw error;
      // The deletion will say so.
      if (error instanceof ApiError && isNotFound(error)) return undefined;
      ctx.say.warning(`The settings of device ${id} were not saved: ${error.message}`);
      return undefined;
    }
  },

  hint([first, ...others]: readonly [string, ...string[]]): string {
    const create = "without its records: iot device create --input";
    if (others.length === 0) return `To create it again, ${create} ${shellWord(first)}`;
    return `To create one again, ${create} <file>. The files are in ${dirname(first)}, named after the devices.`;
  },
};

async function saveSettings({ env }: CommandContext, client: Resources, id: string): Promise<string> {
  const info = await client.devices.info(id);
  const [token] = await client.devices.tokenList(id, { amount: 1, fields: ["serie_number"] });
  const serial = token?.serie_number;
  const body = {
    name: info.name,
    ...(await transferSettings(client, info, storageOf(info))),
    ...(serial ? { serie_number: serial } : {}),
  };
  const path = statePath(env, "deleted-devices", [id]);
  const file = join(dirname(path), `${slugOf(info.name, "device")}-${basename(path)}`);
  writeNote(file, body);
  pruneState(dirname(file));
  return file;
}
