import { defined } from "../../lib/core/defined.ts";
import { defineCommand } from "../kit/command/define.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { deviceArgument, deviceOf, ownTokenDetails } from "./own-device.ts";
import { networkClient, networkOption } from "./own-token.ts";

export const publish = defineCommand({
  path: ["publish"],
  result: { shape: "none" },
  effect: "changes",
  summary: "Publish a message to a device through the MQTT relay",
  details: ownTokenDetails,
  args: [deviceArgument],
  options: [
    { name: "topic", value: "text", summary: "topic of the message" },
    { name: "message", kind: "content", summary: "message; @file reads it, @- is stdin" },
    { name: "qos", value: "n", summary: "quality of service", choices: ["0", "1", "2"] },
    { name: "retain", summary: "ask the broker to retain the message" },
    networkOption,
  ],
  examples: [
    'iot network publish "name:Soil probe" --topic probe/valve --message open',
    'iot network publish "name:Soil probe" --topic probe/valve --message open --qos 1 --retain --dry-run',
  ],
  exitCodes: [3, 6],
  related: ["iot network param"],
  async run(ctx, input) {
    const topic = needed(input.options.topic, "--topic", "probe/valve");
    const message = needed(input.options.message, "--message", "open");
    const { id } = await deviceOf(ctx, input);
    const qos = qosOf(input.options.qos);
    const body = {
      topic,
      message,
      device: id,
      ...defined({ qos }),
      ...(input.options.retain ? { retain: true } : {}),
    };
    if (await ctx.dryRun({ method: "POST", path: "/integration/network/publish", body })) return;
    const network = await networkClient(ctx, input, id);
    await network.publishToRelay(body);
    await ctx.done(`Published on "${topic}" for device ${id}`);
  },
});

function needed(text: string | undefined, flag: string, example: string): string {
  if (text !== undefined && text !== "") return text;
  throw usageError(`The message needs ${flag}.`, {
    code: "usage.missing_value",
    next: `Add ${flag} ${example}.`,
  });
}

function qosOf(text: string | undefined): 0 | 1 | 2 | undefined {
  if (text === undefined) return undefined;
  return text === "2" ? 2 : text === "1" ? 1 : 0;
}
