import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { rememberSecret } from "../kit/say/redact.ts";
import { asNetwork, networkOption, tokenDetails } from "./own-token.ts";

const resolvedColumns: readonly Column<{ readonly serial: string; readonly token: string }>[] = [
  { key: "serial" },
  { key: "token", kind: "id" },
];

export const resolve = defineCommand({
  path: ["resolve"],
  result: one(resolvedColumns),
  effect: "reads",
  summary: "Find a device token by serial number",
  details: `Prints the token in full. ${tokenDetails}`,
  args: [{ name: "serial", summary: "serial number of the device, such as its EUI", required: true }],
  options: [
    networkOption,
    { name: "authorization-stdin", summary: "read the service authorization of the data from stdin" },
  ],
  examples: [
    'iot network resolve 0004A30B001C0530 --network "name:LoRaWAN Demo"',
    'iot network resolve 0004A30B001C0530 --network "name:LoRaWAN Demo" --json',
  ],
  exitCodes: [3, 6],
  related: ["iot network devices", "iot device token list"],
  async run(ctx, input) {
    const serial = input.args.serial;
    const authorization = input.options.authorizationStdin ? await readAuthorization(ctx) : undefined;
    const token = await asNetwork(ctx, input, (network) => network.resolveToken(serial, authorization));
    rememberSecret(token);
    if (ctx.out.format === "table" || ctx.out.format === "id") await ctx.out.value(token);
    else await ctx.out.item({ serial, token }, { columns: resolvedColumns });
  },
});

async function readAuthorization(ctx: CommandContext): Promise<string> {
  const text = (await ctx.readInput("-", "--authorization-stdin")).trim();
  rememberSecret(text);
  if (text !== "") return text;
  throw usageError("stdin contains no authorization.", { next: "Pipe in the token of the service authorization." });
}
