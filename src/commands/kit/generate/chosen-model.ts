import type { Options, OptionsOf } from "../command/options.ts";
import type { CommandContext } from "../context.ts";
import { deviceFinder } from "../finders/device.ts";
import { dictionaryFinder } from "../finders/dictionary.ts";
import { entityFinder } from "../finders/entity.ts";
import { meeting } from "../resource/filter.ts";
import { resolveIds } from "../resource/resolve-id.ts";
import type { PlatformModel } from "./model.ts";
import { everyRow, readDevices, readDictionaries, readEntities } from "./read-model.ts";

/** The flags that choose a model and its format. */
export const modelOptions = [
  {
    name: "format",
    value: "kind",
    summary: "output format",
    choices: ["typescript", "json-schema"],
    default: "typescript",
  },
  {
    name: "entity",
    value: "id",
    summary: "only these entities: full id, name:…, tag:key=value",
    repeat: true,
    conflicts: ["no-entities"],
  },
  { name: "entities", summary: "skip entities", negatable: true },
  {
    name: "dictionary",
    value: "id",
    summary: "only these dictionaries: full id, name:…",
    repeat: true,
    conflicts: ["no-dictionaries"],
  },
  { name: "dictionaries", summary: "skip dictionaries", negatable: true },
  { name: "device", value: "id", summary: "devices: full id, name:…, tag:key=value, serial:…", repeat: true },
  { name: "device-tag", kind: "pair", summary: "devices with this tag", repeat: true },
] as const satisfies Options;

export type ModelFlags = OptionsOf<typeof modelOptions>;

/** Ids of the entities or dictionaries that were named; all of them when none was. */
async function chosenIds(ctx: CommandContext, flags: ModelFlags, noun: "entity" | "dictionary"): Promise<string[]> {
  if (!(noun === "entity" ? flags.entities : flags.dictionaries)) return [];
  const named = flags[noun];
  const finder = noun === "entity" ? entityFinder : dictionaryFinder;
  if (named.length > 0) return (await resolveIds(ctx, finder, named)).map(({ id }) => id);
  const client = await ctx.client();
  const query = { fields: ["id", "name"] as ["id", "name"], orderBy: ["name", "asc"] as ["name", "asc"] };
  const rows = await everyRow<{ readonly id: string }>((page, amount) =>
    noun === "entity"
      ? client.entities.list({ ...query, page, amount })
      : client.dictionaries.list({ ...query, page, amount }),
  );
  return rows.map(({ id }) => id);
}

/** Devices that were named, and those of the tags. */
async function chosenDevices(ctx: CommandContext, flags: ModelFlags): Promise<{ id: string; name: string }[]> {
  const targets = await resolveIds(ctx, deviceFinder, flags.device);
  const named = await Promise.all(targets.map(async ({ id, name }) => ({ id, name: await name() })));
  const tags = [...flags.deviceTag];
  if (tags.length === 0) return named;
  const { devices } = await ctx.client();
  const tagged = await everyRow((page, amount) =>
    devices.list({ page, amount, fields: ["id", "name", "tags"], filter: { tags }, orderBy: ["name", "asc"] }),
  );
  const found = new Map([...named, ...tagged.filter(meeting({ tags }))].map(({ id, name }) => [id, { id, name }]));
  return [...found.values()];
}

/** The model of what the flags of `iot generate types` choose. */
export async function readModel(ctx: CommandContext, flags: ModelFlags): Promise<PlatformModel> {
  const client = await ctx.client();
  const devices = await chosenDevices(ctx, flags);
  return {
    entities: await readEntities(client, await chosenIds(ctx, flags, "entity")),
    dictionaries: await readDictionaries(client, await chosenIds(ctx, flags, "dictionary")),
    devices: await readDevices(client, devices),
  };
}
