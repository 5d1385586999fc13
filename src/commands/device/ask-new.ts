import { keyValue } from "../kit/command/values.ts";
import type { CommandContext, Prompts } from "../kit/context.ts";
import { CommandError } from "../kit/failures/command-error.ts";
import { integrationFinder } from "../kit/finders/device.ts";
import type { Tag } from "../kit/resource/body.ts";
import type { Body } from "../kit/resource/fields.ts";
import { resolveOrPick } from "../kit/resource/resolve-id.ts";

/** Asks for what a new device is to have, as far as the body does not say it. Without a name, there is no device. */
export async function askNewDevice(ctx: CommandContext, body: Body): Promise<Body> {
  const prompts = await ctx.prompts("--name");
  const name = (await prompts.text("Name of the device")).trim();
  if (name === "") return {};
  const isPlaced = body["connector"] !== undefined || body["network"] !== undefined;
  const connector = isPlaced
    ? {}
    : { connector: (await resolveOrPick(ctx, integrationFinder("connector"), undefined)).id };
  const tags = body["tags"] === undefined ? await askTags(ctx, prompts) : [];
  return { name, ...connector, ...(tags.length === 0 ? {} : { tags }) };
}

/** Tags in one line; the question comes again for one that cannot be read. */
async function askTags(ctx: CommandContext, prompts: Prompts): Promise<readonly Tag[]> {
  for (;;) {
    const line = await prompts.text("Tags, such as site=7, room=cold store (empty for none)");
    const texts = line.split(",").map((text) => text.trim());
    try {
      return texts.filter((text) => text !== "").map((text) => keyValue(text, "A tag"));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      ctx.say.warning(error.message);
    }
  }
}
