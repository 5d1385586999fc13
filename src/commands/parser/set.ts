import { join } from "node:path";
import { countOf } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Arguments, Input, Options } from "../kit/command/options.ts";
import { one } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { writePrivate } from "../kit/files/files.ts";
import { checkSize, fileScript, formatOption } from "../kit/parsers/script.ts";
import { showPath, userFolders } from "../kit/settings/paths.ts";
import { pruneState } from "../kit/state/notes.ts";
import { needOwner, type Owner, ownerOptions } from "./stored.ts";

interface SetRow {
  readonly id: string;
  readonly name: string;
  readonly kind: Owner["kind"];
  readonly bytes: number;
  readonly calls?: string | undefined;
  readonly state: "uploaded" | "unchanged";
}

const columns: readonly Column<SetRow>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "kind" },
  { key: "bytes", kind: "number" },
  { key: "calls" },
  { key: "state" },
];

/** Keeps the parser that is about to be replaced, for a way back. */
function keepOld(ctx: CommandContext, { kind, id, source }: Owner): string | undefined {
  if (source === undefined) return undefined;
  const folder = join(userFolders(ctx.env).state, "parsers");
  const stamp = new Date(ctx.clock.now()).toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  const path = join(folder, `${kind}-${id}-${stamp}.js`);
  writePrivate(path, source);
  pruneState(folder);
  return showPath(path);
}

const args = [
  { name: "file", file: "in", summary: "script of the parser; - is stdin", required: true },
] as const satisfies Arguments;

const options = [...ownerOptions, formatOption] as const satisfies Options;

type Given = Input<typeof args, typeof options>;

async function set(ctx: CommandContext, input: Given): Promise<void> {
  const script = await fileScript(ctx, input, input.args.file);
  checkSize(script);
  const owner = await needOwner(ctx, input);
  const { kind, id, title, path, source, info } = owner;
  const bytes = Buffer.byteLength(script.code);
  const row = { id, name: String(info["name"]), kind, bytes, calls: script.calls };
  const isSame = source === script.code;
  const shown = { payload_decoder: `(base64 of ${countOf(bytes, "byte")})` };
  if (await ctx.dryRun(isSame ? [] : { method: "PUT", path, body: shown })) return;
  if (isSame) {
    await ctx.out.item<SetRow>({ ...row, state: "unchanged" }, { columns });
    ctx.say.info(`The ${title} has this parser already.`);
    return;
  }
  const action = `${source === undefined ? "Upload" : "Replace"} the payload parser of ${title}`;
  if (source !== undefined) await ctx.confirm({ level: 1, action, name: row.name });
  const kept = keepOld(ctx, owner);
  const body = { payload_decoder: Buffer.from(script.code).toString("base64") };
  const { devices, integration } = await ctx.client();
  await (kind === "device" ? devices.edit(id, body) : integration.connectors.edit(id, body));
  await ctx.out.item<SetRow>({ ...row, state: "uploaded" }, { columns });
  await ctx.done(`Uploaded ${script.name} as the payload parser of ${title}`);
  if (kept !== undefined)
    ctx.say.hint(
      `The previous parser is stored: "iot parser set ${kept} --${kind} ${id} --format payload" restores it.`,
    );
}

export const setParser: Command = defineCommand({
  path: ["set"],
  effect: "changes",
  summary: "Upload the payload parser of a device or connector",
  details:
    "The parser decodes what is sent from then on. Replacing another one asks first, and stores the old one on this machine. " +
    "Code that calls decodeUplink, Decoder or Decode is added to a script that only defines such a function. TypeScript is " +
    "uploaded as JavaScript.",
  args,
  options,
  groups: ["confirm", "dryRun"],
  result: one(columns),
  examples: [
    'iot parser set examples/parser/parser.js --device "name:Soil probe" --yes',
    'iot parser set examples/parser/parser.js --connector "name:Plant meter" --dry-run',
  ],
  exitCodes: [3, 6],
  related: ["iot parser get", "iot parser test", "iot device inspect"],
  run: set,
});
