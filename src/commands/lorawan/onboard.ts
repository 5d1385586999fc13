import { MAX_LIST_AMOUNT } from "../../lib/core/limits.ts";
import { countOf } from "../../text/count.ts";
import { batchClient } from "../kit/client/batch-client.ts";
import type { Column } from "../kit/command/columns.ts";
import type { Input, Options } from "../kit/command/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { integrationFinder, listIntegrations } from "../kit/finders/device.ts";
import { resolveId } from "../kit/resource/resolve-id.ts";
import { resourceRoutes } from "../kit/resource/routes.ts";
import { importOptions } from "../kit/rows/import-flags.ts";
import { oneByOne } from "../kit/rows/import-job.ts";
import { importRows } from "../kit/rows/importer.ts";
import { candidateOf, type DeviceToAdd, isFleetColumn, lorawanFleet, openCodes } from "./fleet.ts";

/** What became of one row. */
interface OnboardRow {
  readonly row: number;
  readonly dev_eui: string;
  readonly name: string;
  readonly id?: string;
  readonly result: string;
  readonly reason?: string;
}

export const onboardColumns: readonly Column<OnboardRow>[] = [
  { key: "id", kind: "id" },
  { key: "dev_eui" },
  { key: "name", rank: 1 },
  { key: "result", rank: 1 },
  { key: "reason" },
  { key: "row", kind: "number", hidden: true },
];

const given = [
  { name: "connector", value: "id", summary: 'connector of the devices, as an id or "name:…"' },
  { name: "network", value: "id", summary: "network of the devices (the connector's first)" },
  {
    name: "name",
    value: "text",
    summary: "name of rows without one; {dev_eui} and other parts are filled in",
  },
  { name: "tag", kind: "pair", summary: "tag for every device", repeat: true },
  ...importOptions("map a column to a field: qr, dev_eui, name, description or tag:<key>"),
] as const satisfies Options;

/** Flags about the new devices. The file may be named without them. */
export const deviceOptions = given.map((option) =>
  option.name === "input" ? option : { ...option, needs: ["create-device"] },
);

type Given = Input<[], typeof deviceOptions>;

/** Network and connector of the new devices. */
async function placeOf(
  ctx: CommandContext,
  { connector: asked, network: named }: { readonly connector: string; readonly network: string | undefined },
): Promise<{ network: string; connector: string }> {
  const connector = (await resolveId(ctx, integrationFinder("connector"), asked)).id;
  if (named !== undefined)
    return { connector, network: (await resolveId(ctx, integrationFinder("network"), named)).id };
  const known = await listIntegrations(ctx, "connector", undefined, MAX_LIST_AMOUNT);
  const network = known.find(({ id }) => id === connector)?.networks?.[0];
  if (network !== undefined) return { connector, network };
  throw usageError("The connector has no network.", { next: 'Add --network "name:…".' });
}

function bodyOf({ name, dev_eui, description, tags }: DeviceToAdd, place: { network: string; connector: string }) {
  return {
    name,
    type: "mutable" as const,
    serie_number: dev_eui,
    ...place,
    ...(description === undefined ? {} : { description }),
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
  };
}

/** Makes a device for each row, one after the other. A device with the same serial number is left as it is. */
export async function onboard(
  ctx: CommandContext,
  input: Given,
  words: readonly string[],
  connector: string,
): Promise<number> {
  const map = lorawanFleet(input);
  const place = await placeOf(ctx, { connector, network: input.options.network });
  const { parseLorawanQRCode: parse } = await import("../../lib/utils/lorawan-qr-code.ts");
  const options = { map, namePattern: input.options.name ?? "{dev_eui}", tags: input.options.tag, parse };
  const { api } = await ctx.connection();
  const { devices } = await batchClient(ctx);
  const file = await openCodes(ctx, input, words, map);
  const rows: OnboardRow[] = [];
  try {
    return await importRows(ctx, input, {
      file,
      unit: ["device", "devices"],
      key: ["lorawan", api, file.path],
      flags: [[...map], options.namePattern, options.tags, place],
      before: "done before",
      read: (row) => candidateOf(row, options),
      isRead: (column) => map.has(column) || isFleetColumn(column),
      batches: (candidates: AsyncIterable<DeviceToAdd>) => oneByOne(candidates, place),
      requests: ({ rows: list }) =>
        list.map((one) => ({ method: "POST", path: resourceRoutes.device, body: bodyOf(one, place) })),
      async prepare({ rows: [one] }, isBegun) {
        if (one === undefined) return { result: "exists" };
        const query = { serial: one.dev_eui, amount: 1, fields: ["id", "name"] as ["id", "name"] };
        const [known] = await devices.list(query);
        if (known === undefined) {
          return async () => {
            const { device_id: id } = await devices.create(bodyOf(one, place));
            return { result: "created", id };
          };
        }
        const reason = `device "${known.name}" has this serial number`;
        return isBegun ? { result: "done before", id: known.id } : { result: "exists", reason, id: known.id };
      },
      report: ["row", "dev_eui", "name", "id", "result", "reason"],
      tell(row, outcome, read) {
        const told = { row, dev_eui: read?.dev_eui ?? "", name: read?.name ?? "", ...outcome };
        rows.push(told);
        return told;
      },
      print: () => ctx.out.list(rows, { columns: onboardColumns, empty: "No devices were created." }),
      said: (tally) =>
        `Created ${tally.of("created")} of ${countOf(tally.total, "device")} (${tally.of("exists", "done before")} already existed)`,
    });
  } finally {
    file.close();
  }
}
