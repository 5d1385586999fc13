import { keyValue, optionList } from "../command/arguments.ts";
import type { CommandInput } from "../command/define.ts";
import type { CommandContext } from "../context.ts";
import { usageError } from "../failures/command-error.ts";
import { deviceFinder } from "../finders/device.ts";
import { dictionaryFinder } from "../finders/dictionary.ts";
import { entityFinder } from "../finders/entity.ts";
import { meeting } from "../resource/filter.ts";
import { resolveIds } from "../resource/resolve-id.ts";
import type { PlatformModel } from "./model.ts";
import { everyRow, readDevices, readDictionaries, readEntities } from "./read-model.ts";

/** Ids of the entities or dictionaries that were named; all of them when none was. */
async function chosenIds(ctx: CommandContext, input: CommandInput, noun: "entity" | "dictionary"): Promise<string[]> {
  const plural = noun === "entity" ? "entities" : "dictionaries";
  const named = optionList(input, noun);
  if (input.options[plural] === false) {
    if (named.length === 0) return [];
    throw usageError(`--${noun} and --no-${plural} cannot be used together.`, { next: "Use one of them." });
  }
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
async function chosenDevices(ctx: CommandContext, input: CommandInput): Promise<{ id: string; name: string }[]> {
  const targets = await resolveIds(ctx, deviceFinder, optionList(input, "device"));
  const named = await Promise.all(targets.map(async ({ id, name }) => ({ id, name: await name() })));
  const tags = optionList(input, "device-tag").map((text) => keyValue(text, "--device-tag"));
  if (tags.length === 0) return named;
  const { devices } = await ctx.client();
  const tagged = await everyRow((page, amount) =>
    devices.list({ page, amount, fields: ["id", "name", "tags"], filter: { tags }, orderBy: ["name", "asc"] }),
  );
  const found = new Map([...named, ...tagged.filter(meeting({ tags }))].map(({ id, name }) => [id, { id, name }]));
  return [...found.values()];
}

/** The model of what the flags of `iot generate types` choose. */
export async function readModel(ctx: CommandContext, input: CommandInput): Promise<PlatformModel> {
  const client = await ctx.client();
  const devices = await chosenDevices(ctx, input);
  return {
    entities: await readEntities(client, await chosenIds(ctx, input, "entity")),
    dictionaries: await readDictionaries(client, await chosenIds(ctx, input, "dictionary")),
    devices: await readDevices(client, devices),
  };
}
