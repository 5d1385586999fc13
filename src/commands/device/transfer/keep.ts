import { dirname } from "node:path";
import type { Resources } from "../../../index.ts";
import { shellWord } from "../../../text/shell-word.ts";
import type { CommandContext } from "../../kit/context.ts";
import { pruneState, statePath, writeNote } from "../../kit/state/notes.ts";
import { transferSettings } from "./settings.ts";
import { storageOf } from "./storage.ts";

/** Saves what `device create` needs to make a device again, before it is deleted; resolves to what the user is told. */
export async function keepSettings({ env }: CommandContext, client: Resources, id: string): Promise<string> {
  const info = await client.devices.info(id);
  const [token] = await client.devices.tokenList(id, { amount: 1, fields: ["serie_number"] });
  const serial = token?.serie_number;
  const body = {
    name: info.name,
    ...(await transferSettings(client, info, storageOf(info))),
    ...(serial ? { serie_number: serial } : {}),
  };
  const path = statePath(env, "deleted-devices", [id]);
  writeNote(path, body);
  pruneState(dirname(path));
  return `To create "${info.name}" again, without its records: iot device create --input ${shellWord(path)}`;
}
