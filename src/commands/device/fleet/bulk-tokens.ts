import { ALL_ROWS_AMOUNT } from "../../../lib/core/limits.ts";
import { batchClient } from "../../kit/client/batch-client.ts";
import type { Command } from "../../kit/command/define.ts";
import type { Input, Options } from "../../kit/command/options.ts";
import { quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import type { FleetDevice } from "../../kit/devices/fleet.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import { writePrivate } from "../../kit/files/files.ts";
import { confirmOutFile, formatOfEnding } from "../../kit/files/out-file.ts";
import { mapLanes } from "../../kit/lanes.ts";
import { wantedToken } from "../../kit/resource/token-commands.ts";
import { rowText } from "../../kit/rows/row-text.ts";
import { rememberSecret } from "../../kit/say/redact.ts";
import type { BulkAction } from "./bulk.ts";
import type { BulkForm } from "./bulk-form.ts";

const formats = { csv: "csv", ndjson: "ndjson", jsonl: "ndjson", json: "json" } as const;
const LANES = 4;

const bulkOptions = [
  {
    name: "out",
    value: "file",
    file: "out",
    summary: "bulk form, required: write the tokens to a CSV, ndjson or JSON file (mode 600)",
  },
  { name: "queue", value: "url", summary: "not possible: new tokens must not enter a queue", leadsAway: true },
] as const satisfies Options;

type Given = Input<[], typeof bulkOptions>;

/** `device token create` for many. */
export const bulkTokens = ({ args = [] }: Command): BulkForm<Given> => ({
  args: args.map((each) => ({ ...each, required: false })),
  bulkOptions,
  summary: "Create a token for a device, or for many at once",
  details:
    "Bulk form: without an id, --tag, --where and --ids select the devices. The tokens go to the file of --out, which " +
    "only its owner can read, and nowhere else. A device that already has a token of this name is skipped, so no run " +
    "creates a second one.",
  examples: [
    "iot device token create --tag device_type=freezer --name gateway --permission write --out tokens.csv --dry-run",
    'iot device token create --where "name=Freezer*" --name gateway --expire 365d --out tokens.csv --yes',
  ],
  action: creating,
});

async function creating(ctx: CommandContext, input: Given): Promise<BulkAction> {
  const out = await outFile(ctx, input);
  const wanted = wantedToken(input);
  const { devices } = await batchClient(ctx);
  const made = new Map<string, { readonly id: string; readonly name: string; readonly token: string }>();
  const keep = ({ id, name }: FleetDevice, token: string): void => {
    rememberSecret(token);
    made.set(id, { id, name, token });
  };
  /** The token of this name that the device has. */
  const existing = async ({ id }: FleetDevice): Promise<string | undefined> => {
    const query = { fields: ["name", "token"] as ["name", "token"], amount: ALL_ROWS_AMOUNT };
    const known = await devices.tokenList(id, query);
    return known.find(({ name }) => name === wanted.name)?.token;
  };
  return {
    key: [wanted.name, wanted.permission, input.texts?.["expire"] ?? ""],
    verbs: ["Create", "Creating", "Created"],
    what: `token ${quote(wanted.name)} (${wanted.permission}) for`,
    level: 1,
    result: "created",
    requests: async (device) =>
      (await existing(device)) === undefined
        ? [{ method: "POST", path: "/device/token", body: { device: device.id, ...wanted } }]
        : [],
    // The platform shows tokens again, so none of an interrupted run is lost.
    async begin(changed) {
      await mapLanes(changed, ctx.flags.concurrency ?? LANES, async (device) => {
        const token = await existing(device);
        if (token !== undefined) keep(device, token);
      });
    },
    async prepare(device, isBegun) {
      const token = await existing(device);
      if (token !== undefined) {
        if (!isBegun) return { result: "skipped", reason: `It already has a token ${quote(wanted.name)}` };
        keep(device, token);
        return { result: "created", id: device.id };
      }
      return async () => {
        const created = await devices.tokenCreate(device.id, wanted);
        keep(device, created.token);
        return { result: "created", id: device.id };
      };
    },
    async end() {
      if (made.size === 0) return;
      const plain = { columns: ["id", "name", "token"] as const, header: true, csvSafe: false, csvBom: false };
      const { head, text, tail } = await rowText(out.format, plain);
      writePrivate(out.path, head + text([...made.values()], true) + tail(false));
      ctx.say.info(`Wrote the tokens to ${out.shown}; only you can read the file.`, out.shown);
    },
  };
}

async function outFile(ctx: CommandContext, input: Given) {
  const { queue, out: shown } = input.options;
  if (queue !== undefined) {
    throw usageError("Tokens cannot be created through a queue.", {
      code: "job.no_tokens",
      why: "The new tokens would be in the queue, where everybody who may read it sees them.",
      next: "Leave out --queue; --resume continues an interrupted run.",
    });
  }
  if (shown === undefined || shown === "-") {
    throw usageError("The tokens of several devices need a file.", {
      why: "Tokens are secrets; stdout often ends up in logs.",
      next: "Add --out tokens.csv.",
    });
  }
  const path = ctx.path(shown);
  const format = formatOfEnding(path, formats) ?? "csv";
  if (!ctx.flags.dryRun) await confirmOutFile(ctx, path);
  return { path, shown, format };
}
