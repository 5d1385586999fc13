import type { NetworkDevice } from "../../index.ts";
import { deviceFinder, integrationFinder } from "../device/finder.ts";
import { argument, argumentList, keyValue, option, optionFlag } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, type CommandInput, defineCommand } from "../kit/command/define.ts";
import { one, rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { listRequest, paged } from "../kit/resource/paging.ts";
import { resolveId } from "../kit/resource/resolve-id.ts";
import { shownTokens } from "../kit/resource/tokens.ts";
import { rememberSecret } from "../kit/say/redact.ts";
import { asNetwork, networkClient, networkOption, tokenDetails } from "./own-token.ts";

const resolvedColumns: readonly Column<{ readonly serial: string; readonly token: string }>[] = [
  { key: "serial" },
  { key: "token", kind: "id" },
];

const resolve = defineCommand({
  path: ["resolve"],
  result: one(resolvedColumns),
  effect: "reads",
  summary: "Find the token of a device by its serial number",
  details: `The token is printed in full: it is the result. ${tokenDetails}`,
  args: [{ name: "serial", summary: "serial number of the device, such as its EUI", required: true }],
  options: [
    networkOption,
    { name: "authorization-stdin", summary: "read the service authorization the data came with from stdin" },
  ],
  examples: [
    'iot network resolve 0004A30B001C0530 --network "name:LoRaWAN Demo"',
    'iot network resolve 0004A30B001C0530 --network "name:LoRaWAN Demo" --json',
  ],
  exitCodes: [3, 6],
  related: ["iot network devices", "iot device token list"],
  async run(ctx, input) {
    const serial = argument(input, "serial") ?? "";
    const authorization = optionFlag(input, "authorization-stdin") ? await readAuthorization(ctx) : undefined;
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
  throw usageError("stdin holds no authorization.", { next: "Pipe the token of the service authorization in." });
}

type DeviceRow = Partial<NetworkDevice> & { readonly id: string };

const deviceColumns: readonly Column<DeviceRow>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "active", kind: "flag" },
  { key: "last_input", kind: "time" },
  { key: "tags", kind: "tags" },
  { key: "token", kind: "id", hidden: true },
  { key: "type", hidden: true },
  { key: "connector", kind: "id", hidden: true },
  { key: "network", kind: "id", hidden: true },
  { key: "last_output", kind: "time", hidden: true },
  { key: "created_at", kind: "time", hidden: true },
  { key: "updated_at", kind: "time", hidden: true },
];

const devices = defineCommand({
  path: ["devices"],
  result: rows(deviceColumns),
  effect: "reads",
  summary: "List the devices of a connector as their network sees them",
  details:
    "With --network it is asked with one of the network's tokens, which sees the devices of that network only. Each row " +
    "holds the token of the device; --fields token shows its ends on a terminal, other formats have it in full.",
  args: [{ name: "connector", summary: "connector: full id, or a unique name:…", required: true }],
  options: [networkOption],
  groups: ["list"],
  examples: [
    'iot network devices "name:Soil Probe S2" --network "name:LoRaWAN Demo"',
    'iot network devices "name:Custom HTTPS" --limit 3 --fields id,name,last_input',
  ],
  exitCodes: [6],
  related: ["iot network resolve", "iot device list"],
  async run(ctx, input) {
    const connector = await resolveId(ctx, integrationFinder("connector"), argument(input, "connector") ?? "");
    const { fields: _, ...request } = listRequest(ctx, [], deviceColumns);
    const network = await networkClient(ctx, input);
    type Query = Parameters<typeof network.deviceList>[1];
    const listing = paged<DeviceRow>(ctx, (page, amount) =>
      network.deviceList(connector.id, { ...request, page, amount } as Query),
    );
    await ctx.out.list(listing.rows, {
      columns: shownTokens(ctx, deviceColumns),
      empty: "The connector has no devices that this token sees.",
      more: listing.more,
    });
  },
});

const paramColumns: readonly Column<{ readonly key: string; readonly value: string; readonly sent: boolean }>[] = [
  { key: "key" },
  { key: "value" },
  { key: "sent", kind: "flag" },
];

const deviceArgument = {
  name: "device",
  summary: "Full id, or a unique name:…, tag:key=value, serial:…",
  required: true,
} as const;

const deviceOf = (ctx: CommandContext, input: CommandInput) =>
  resolveId(ctx, deviceFinder, argument(input, "device") ?? "");

const ownTokenDetails =
  "A token of the network the device belongs to is found and used, or one of --network; where the token in use is a " +
  "network's own, it is used as it is.";

const param = defineCommand({
  path: ["param"],
  result: rows(paramColumns),
  effect: "changes",
  summary: "Set parameters of a device in the name of its network",
  details: `Each is added: a network cannot read which parameters there are. ${ownTokenDetails}`,
  args: [deviceArgument, { name: "pairs", summary: "key=value, any number of them", required: true, variadic: true }],
  options: [{ name: "sent", summary: "mark the parameters as taken by the device" }, networkOption],
  groups: ["dryRun"],
  examples: [
    'iot network param "name:Soil probe" downlink=0109 port=2',
    'iot network param "name:Soil probe" class=C --sent --dry-run',
  ],
  exitCodes: [6],
  related: ["iot device param list", "iot network publish"],
  async run(ctx, input) {
    const sent = optionFlag(input, "sent");
    const params = argumentList(input, "pairs").map((text) => ({ ...keyValue(text, "A parameter"), sent }));
    const { id } = await deviceOf(ctx, input);
    if (await ctx.dryRun({ method: "POST", path: `/integration/network/${id}/params`, body: params })) return;
    const network = await networkClient(ctx, input, id);
    await network.deviceParamSet(id, params);
    await ctx.out.list(params, { columns: paramColumns, empty: "Nothing was set.", idKey: "key" });
    const keys = params.map(({ key }) => key).join(", ");
    ctx.say.info(`Set ${keys} of device ${id} in ${(await ctx.connection()).label}.`);
  },
});

const publish = defineCommand({
  path: ["publish"],
  result: { shape: "none" },
  effect: "changes",
  summary: "Send a message to a device through the MQTT relay",
  details: ownTokenDetails,
  args: [deviceArgument],
  options: [
    { name: "topic", value: "text", summary: "topic of the message" },
    { name: "message", value: "text", summary: "message; @file reads it, @- is stdin" },
    { name: "qos", value: "n", summary: "quality of service", choices: ["0", "1", "2"] },
    { name: "retain", summary: "let the broker keep the message" },
    networkOption,
  ],
  groups: ["dryRun"],
  examples: [
    'iot network publish "name:Soil probe" --topic probe/valve --message open',
    'iot network publish "name:Soil probe" --topic probe/valve --message open --qos 1 --retain --dry-run',
  ],
  exitCodes: [3, 6],
  related: ["iot network param"],
  async run(ctx, input) {
    const topic = needed(input, "topic", "probe/valve");
    const text = needed(input, "message", "open");
    const message = text.startsWith("@") ? await ctx.readInput(text, "--message") : text;
    const { id } = await deviceOf(ctx, input);
    const qos = qosOf(option(input, "qos"));
    const body = {
      topic,
      message,
      device: id,
      ...(qos === undefined ? {} : { qos }),
      ...(optionFlag(input, "retain") ? { retain: true } : {}),
    };
    if (await ctx.dryRun({ method: "POST", path: "/integration/network/publish", body })) return;
    const network = await networkClient(ctx, input, id);
    await network.publishToRelay(body);
    ctx.say.info(`Published on "${topic}" for device ${id} in ${(await ctx.connection()).label}.`);
  },
});

function needed(input: CommandInput, flag: string, example: string): string {
  const text = option(input, flag);
  if (text !== undefined && text !== "") return text;
  throw usageError(`The message needs --${flag}.`, {
    code: "usage.missing_value",
    next: `Add --${flag} ${example}.`,
  });
}

function qosOf(text: string | undefined): 0 | 1 | 2 | undefined {
  if (text === undefined) return undefined;
  return text === "2" ? 2 : text === "1" ? 1 : 0;
}

export const ownCommands: readonly Command[] = [resolve, devices, param, publish];
