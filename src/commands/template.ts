import type { Column } from "./kit/command/columns.ts";
import { type Command, defineCommand } from "./kit/command/define.ts";
import type { Input, Options } from "./kit/command/options.ts";
import { one } from "./kit/command/result.ts";
import { quote } from "./kit/command/values.ts";
import type { CommandContext } from "./kit/context.ts";
import { usageError } from "./kit/failures/command-error.ts";
import { objectOf } from "./kit/files/files.ts";
import { analysisFinder } from "./kit/finders/analysis.ts";
import { dashboardFinder } from "./kit/finders/dashboard.ts";
import { deviceFinder } from "./kit/finders/device.ts";
import {
  type BodyField,
  bodyOptions,
  inputObject,
  inputOption,
  needMembers,
  readBody,
  secretValue,
} from "./kit/resource/body.ts";
import { type Finder, lookUp, resolveId } from "./kit/resource/resolve-id.ts";
import { rememberSecret } from "./kit/say/redact.ts";

interface TemplateRow {
  readonly id: string;
  readonly name?: string;
}

const columns: readonly Column<TemplateRow>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "type" },
  { key: "image_main" },
  { key: "image_logo", hidden: true },
  { key: "setup", kind: "json", hidden: true },
  { key: "created_at", kind: "time" },
  { key: "updated_at", kind: "time", hidden: true },
];

const templateFinder: Finder = {
  noun: "template",
  plural: "templates",
  forms: [],
  find: () => Promise.resolve([]),
  nameOf: async (ctx, id) => (await (await ctx.client()).template.getTemplate(id)).name,
};

const idArgument = {
  name: "id",
  summary: "id of the template, from its share link or creation",
  required: true,
} as const;

/** Templates cannot be listed, so only their full id finds them. */
function templateId(id: string): string {
  if (/^[0-9a-f]{24}$/i.test(id)) return id.toLowerCase();
  throw usageError(`${quote(id)} is not a template id.`, {
    code: "usage.invalid_id",
    why: "An id has 24 hexadecimal characters, and the platform cannot list templates.",
    next: 'Use the id that "iot template create" printed, or the one in the template link.',
  });
}

async function readTemplate(ctx: CommandContext, id: string): Promise<TemplateRow> {
  const { template } = await ctx.client();
  return { ...(await lookUp(ctx, templateFinder, id, () => template.getTemplate(id))), id };
}

const fields: readonly BodyField[] = [
  { name: "name", kind: "content", summary: "name of the template" },
  { name: "image-main", kind: "content", value: "url", summary: "URL of its picture" },
  { name: "image-logo", kind: "content", value: "url", summary: "URL of its logo" },
  { name: "setup", kind: "json", summary: "inputs requested on install, as JSON or @file" },
];

const create = defineCommand({
  path: ["create"],
  result: one(columns),
  effect: "changes",
  summary: "Create a template from a dashboard or an analysis",
  details: "Anyone who knows the id of a template can read and install it.",
  options: [
    ...bodyOptions(fields),
    { name: "dashboard", value: "id", summary: "dashboard to use: id, name:… or tag:…" },
    { name: "analysis", value: "id", summary: "analysis to use: id, name:… or tag:…" },
  ],
  examples: [
    'iot template create --name "Any silo" --dashboard "name:Plant, old widgets"',
    "iot template create --name Report --analysis name:report -o id",
  ],
  exitCodes: [3, 6],
  related: ["iot template install"],
  async run(ctx, input) {
    const body = await readBody(ctx, input, fields);
    const dashboard = input.options.dashboard;
    const analysis = input.options.analysis;
    if (dashboard !== undefined) body["dashboard"] = (await resolveId(ctx, dashboardFinder, dashboard)).id;
    if (analysis !== undefined) body["analysis"] = (await resolveId(ctx, analysisFinder, analysis)).id;
    needMembers(body, "template", { name: '--name "Any silo"' });
    if ((body["dashboard"] === undefined) === (body["analysis"] === undefined)) {
      throw usageError("A template needs one dashboard or one analysis.", {
        next: 'Use either --dashboard "name:…" or --analysis "name:…".',
      });
    }
    if (await ctx.dryRun({ method: "POST", path: "/template", body })) return;
    const { template } = await ctx.client();
    const id = idOf(
      await template.generateTemplate(body as unknown as Parameters<typeof template.generateTemplate>[0]),
    );
    const row = await readTemplate(ctx, id);
    await ctx.out.item(row, { columns });
    await ctx.done(`Created template "${row.name ?? id}"`);
    ctx.say.hint(`Install it with "iot template install ${id}".`);
  },
});

/** The platform returns the id alone, or an object that holds it. */
function idOf(answer: unknown): string {
  const { template, id } = objectOf(answer);
  return String(template ?? id ?? answer);
}

const get = defineCommand({
  path: ["get"],
  result: one(columns),
  aliases: ["info"],
  effect: "reads",
  summary: "Get a template",
  args: [idArgument],
  examples: ["iot template get 65a1000000000000000b1001", "iot template get 65a1000000000000000b1001 --json"],
  related: ["iot template install"],
  async run(ctx, input) {
    await ctx.out.item(await readTemplate(ctx, templateId(input.args.id)), { columns });
  },
});

const installedColumns: readonly Column<Readonly<Record<string, string>>>[] = [
  { key: "dashboard", kind: "id" },
  { key: "analysis", kind: "id" },
];

const installOptions = [
  { name: "device", value: "id", summary: "device the dashboard shows: id, name:…, tag:…, serial:…", repeat: true },
  { name: "analysis", value: "id", summary: "analysis the dashboard runs, instead of a copy", repeat: true },
  { name: "replace", kind: "pair", value: "text=text", summary: "text to replace in the template", repeat: true },
  { name: "device-token-stdin", summary: "read the token of an analysis device from stdin" },
  inputOption,
] as const satisfies Options;

const install = defineCommand({
  path: ["install"],
  result: one(installedColumns),
  effect: "changes",
  summary: "Install a template in the profile",
  details:
    "Creates the dashboard or analysis of the template. Give devices and analyses in the order the template uses them; " +
    "a single --device is used for all of them.",
  args: [idArgument],
  options: installOptions,
  examples: [
    'iot template install 65a1000000000000000b1001 --device "name:Silo north"',
    "iot template install 65a1000000000000000b1001 --replace Silo=Tank --dry-run",
  ],
  exitCodes: [3, 9],
  related: ["iot template get", "iot dashboard list"],
  async run(ctx, input) {
    const id = templateId(input.args.id);
    const body = await installBody(ctx, input);
    const shown = "device_token" in body ? { ...body, device_token: "…" } : body;
    if (await ctx.dryRun({ method: "POST", path: `/template/${id}`, body: shown })) return;
    const { name } = await readTemplate(ctx, id);
    const { template } = await ctx.client();
    const made = await template.installTemplate(id, body);
    const kind = made.analysis === undefined ? "dashboard" : "analysis";
    await ctx.out.item({ ...made }, { columns: installedColumns.filter(({ key }) => key === kind), idKey: kind });
    await ctx.done(`Installed template "${name ?? id}" as ${kind} ${made[kind] ?? ""}`);
  },
});

async function installBody(
  ctx: CommandContext,
  input: Input<[], typeof installOptions>,
): Promise<Record<string, unknown>> {
  const body = await inputObject(ctx, input);
  const devices: { id: string }[] = [];
  for (const text of input.options.device) devices.push({ id: (await resolveId(ctx, deviceFinder, text)).id });
  const analyses: { id: string }[] = [];
  for (const text of input.options.analysis) analyses.push({ id: (await resolveId(ctx, analysisFinder, text)).id });
  const [only, ...others] = devices;
  if (only !== undefined && others.length === 0) body["device"] = only.id;
  else if (devices.length > 0) body["devices"] = devices;
  if (analyses.length > 0) body["analysis"] = analyses;
  const replacements = input.options.replace;
  if (replacements.length > 0) body["replace"] = Object.fromEntries(replacements.map(({ key, value }) => [key, value]));
  if (!input.options.deviceTokenStdin) return body;
  const token = await secretValue(ctx, input, "device-token", "Device token:");
  rememberSecret(token);
  return { ...body, device_token: token };
}

export const commands: readonly Command[] = [create, get, install];
