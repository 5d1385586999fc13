import type { OptionSpec } from "../kit/command/define.ts";
import type { Input } from "../kit/command/options.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { notFoundError, usageError } from "../kit/failures/command-error.ts";
import { isObject, type JsonObject } from "../kit/files/files.ts";
import { deviceFinder } from "../kit/finders/device.ts";
import { connectorFinder } from "../kit/finders/network.ts";
import { lookUp, resolveId } from "../kit/resource/resolve-id.ts";

/** A device or connector, and the parser that it has. */
export interface Owner {
  readonly kind: "device" | "connector";
  readonly id: string;
  /** `device "Pump 3"` */
  readonly title: string;
  readonly path: string;
  readonly source?: string;
  readonly info: JsonObject;
}

export const ownerOptions = [
  {
    name: "device",
    value: "id",
    summary: "device: full id, or unique name:…, tag:key=value, serial:…",
    conflicts: ["connector"],
  },
  { name: "connector", value: "id", summary: "connector: full id, or unique name:…" },
] as const satisfies readonly OptionSpec[];

/** The device or connector of the flags; undefined without them. */
export async function ownerFrom(
  ctx: CommandContext,
  input: Input<[], typeof ownerOptions>,
): Promise<Owner | undefined> {
  const { device, connector } = input.options;
  if (device !== undefined) return readDevice(ctx, (await resolveId(ctx, deviceFinder, device)).id);
  return connector === undefined
    ? undefined
    : readConnector(ctx, (await resolveId(ctx, connectorFinder, connector)).id);
}

/** As `ownerFrom`, where one has to be given. */
export async function needOwner(ctx: CommandContext, input: Input<[], typeof ownerOptions>): Promise<Owner> {
  const owner = await ownerFrom(ctx, input);
  if (owner !== undefined) return owner;
  throw usageError("No device or connector given.", {
    code: "usage.missing_argument",
    next: 'Add --device or --connector, such as --connector "name:Plant meter".',
  });
}

async function readDevice(ctx: CommandContext, id: string): Promise<Owner> {
  const { devices } = await ctx.client();
  const info = await lookUp(ctx, deviceFinder, id, () => devices.info(id));
  return ownerOf("device", { ...info }, `/device/${id}`);
}

async function readConnector(ctx: CommandContext, id: string): Promise<Owner> {
  const { integration } = await ctx.client();
  const info = await lookUp(ctx, connectorFinder, id, () => integration.connectors.info(id));
  return ownerOf("connector", { ...info }, `/integration/connector/${id}`);
}

function ownerOf(kind: Owner["kind"], info: JsonObject, path: string): Owner {
  const { payload_decoder: stored } = info;
  const source =
    typeof stored === "string" && stored !== "" ? Buffer.from(stored, "base64").toString("utf8") : undefined;
  const title = `${kind} ${quote(String(info["name"]))}`;
  return { kind, id: String(info["id"]), title, path, info, ...(source === undefined ? {} : { source }) };
}

/** The parser of a connector or device; a device without one has that of its connector. */
export async function parserOf(ctx: CommandContext, owner: Owner): Promise<Owner & { readonly source: string }> {
  const { source, info } = owner;
  if (source !== undefined) return { ...owner, source };
  const connector = info["connector"];
  if (owner.kind === "device" && typeof connector === "string") {
    const other = await readConnector(ctx, connector);
    if (other.source !== undefined) {
      ctx.say.info(`The ${owner.title} has no parser of its own; this is that of its ${other.title}.`);
      return { ...other, source: other.source };
    }
  }
  throw notFoundError(`The ${owner.title} has no payload parser.`, {
    code: "parser.not_found",
    next: `Upload one with "iot parser set parser.js --${owner.kind} ${owner.id}".`,
  });
}

/** What the platform passes to a parser about its device: settings, tags, parameters, and the globals of its kind. */
export async function contextOf(
  ctx: CommandContext,
  { kind, id, info }: Owner,
): Promise<{ readonly device?: JsonObject; readonly globals: JsonObject }> {
  if (kind === "connector") return { globals: defaultsOf(info) };
  const { devices, integration } = await ctx.client();
  const params = await devices.paramList(id);
  const [network, connector] = [info["network"], info["connector"]];
  const defaults = {
    ...(typeof network === "string" && defaultsOf({ ...(await integration.networks.info(network)) })),
    ...(typeof connector === "string" && defaultsOf({ ...(await integration.connectors.info(connector)) })),
  };
  const set = new Map(params.map(({ key, value }) => [key, value]));
  const globals = Object.fromEntries(Object.entries(defaults).map(([name, usual]) => [name, set.get(name) ?? usual]));
  const { payload_decoder: _, ...device } = info;
  return { device: { ...device, params }, globals };
}

function defaultsOf({ device_parameters: list }: JsonObject): JsonObject {
  const defined = Array.isArray(list) ? list.filter(isObject) : [];
  return Object.fromEntries(defined.map(({ name, default: usual = null }) => [String(name), usual]));
}
