import type { NetworkDevice } from "../../index.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { deviceFacts } from "../kit/devices/columns.ts";
import { integrationFinder } from "../kit/finders/device.ts";
import { listRequest, paged } from "../kit/resource/paging.ts";
import { resolveId } from "../kit/resource/resolve-id.ts";
import { networkClient, networkOption } from "./own-token.ts";

type DeviceRow = Partial<NetworkDevice> & { readonly id: string };

const deviceColumns: readonly Column<DeviceRow>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "active", kind: "flag" },
  { key: "last_input", kind: "time" },
  { key: "tags", kind: "tags" },
  { key: "token", kind: "secret", hidden: true },
  { key: "type", hidden: true },
  { key: "connector", kind: "id", hidden: true },
  { key: "network", kind: "id", hidden: true },
  { key: "last_output", kind: "time", hidden: true },
  { key: "created_at", kind: "time", hidden: true },
  { key: "updated_at", kind: "time", hidden: true },
];

export const devices = defineCommand({
  path: ["devices"],
  result: rows(deviceColumns),
  effect: "reads",
  summary: "List a connector's devices as seen by their network",
  details:
    "With --network one of its tokens is used, and only the devices of that network are listed. Each row contains the " +
    "ends of the device token; --reveal shows it in full.",
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
    const ask = listRequest(ctx, { what: "devices", columns: deviceColumns, ...deviceFacts });
    const { fields: _, ...request } = ask.request;
    const connector = await resolveId(ctx, integrationFinder("connector"), input.args.connector);
    const network = await networkClient(ctx, input);
    type Query = Parameters<typeof network.deviceList>[1];
    const listing = paged<DeviceRow>(
      ctx,
      (page, amount) => network.deviceList(connector.id, { ...request, page, amount } as Query),
      ask,
    );
    await ctx.out.list(listing.rows, {
      columns: deviceColumns,
      empty: "This token sees no devices of the connector.",
      more: listing.more,
    });
  },
});
