import type { NetworkInfo } from "../../index.ts";
import type { Column } from "../kit/command/columns.ts";
import type { Command } from "../kit/command/define.ts";
import { networkFinder, networkTwins } from "../kit/finders/network.ts";
import { catalogueFlags, cataloguePlan } from "../kit/integrations/catalogue.ts";
import { parserOptions, parsersFrom } from "../kit/integrations/parsers.ts";
import { resource, unhidden } from "../kit/resource/resource.ts";
import { resourceRoutes } from "../kit/resource/routes.ts";

type NetworkRow = { readonly id: string } & Partial<Omit<NetworkInfo, "id">>;

const columns: readonly Column<NetworkRow>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "public", header: "catalogue", kind: "flag" },
  { key: "middleware_endpoint", header: "downlinks" },
  { key: "description" },
  { key: "logo_url", hidden: true },
  { key: "documentation_url", hidden: true },
  { key: "created_at", kind: "time", hidden: true },
  { key: "updated_at", kind: "time", hidden: true },
];

const getColumns: readonly Column<NetworkRow>[] = [
  ...unhidden(columns),
  {
    key: "serial_number",
    kind: "json",
    value: ({ serial_number: serial }) => [serial?.label, serial?.mask].filter(Boolean).join(" "),
  },
  {
    key: "device_parameters",
    kind: "json",
    value: ({ device_parameters: all }) => all?.map(({ name, label }) => name ?? label ?? "?").join(", "),
  },
  { key: "require_devices_access", kind: "flag" },
];

const members = [
  ...(["id", "name", "profile", "public", "description", "middleware_endpoint", "serial_number"] as const),
  ...(["device_parameters", "require_devices_access", "payload_decoder", "payload_encoder"] as const),
  ...(["logo_url", "icon_url", "banner_url", "documentation_url", "created_at", "updated_at"] as const),
] as const satisfies readonly (keyof NetworkInfo)[];

export const commands: readonly Command[] = resource({
  finder: networkFinder,
  route: resourceRoutes.network,
  api: ({ integration }) => integration.networks,
  info: (client, id) => client.integration.networks.info(id, members),
  createdKey: "network",
  columns,
  fields: [
    { name: "name", kind: "content", needed: '--name "Field network"', summary: "name of the network" },
    { name: "description", kind: "content", summary: "description" },
    {
      name: "middleware-endpoint",
      kind: "content",
      value: "host",
      summary: "host that receives downlinks at https://<host>/downlink",
    },
    { name: "documentation-url", kind: "content", value: "url", summary: "URL of its documentation" },
    { name: "logo-url", kind: "content", value: "url", summary: "URL of its picture" },
    { name: "serial-number", kind: "json", summary: 'format of serial numbers: {"mask":"FFFF"}, or @file' },
    { name: "device-parameters", kind: "json", summary: "parameters of new devices, as JSON or @file" },
  ],
  options: parserOptions,
  body: parsersFrom,
  list: {
    ...catalogueFlags("networks"),
    examples: ["iot network list", "iot network list --own -o id"],
    plan: cataloguePlan,
  },
  get: {
    examples: ['iot network get "name:LoRaWAN Demo"', 'iot network get "name:Plant gateway" --json'],
    columns: getColumns,
  },
  create: {
    twins: networkTwins,
    details:
      "Connectors list the networks their devices can use; the network's servers authenticate with one of its tokens.",
    examples: [
      'iot network create --name "Field network" --middleware-endpoint network.example.test',
      `iot network create --name Radio --serial-number '{"mask":"FFFFFFFF","label":"EUI"}' --dry-run`,
    ],
    hint: ({ id }) => `Create a token for its servers with "iot network token create ${id}".`,
  },
  update: {
    change: '--name "Field network" or --decoder parser.js',
    details: "Networks of the platform's catalogue cannot be changed.",
    examples: [
      'iot network update "name:Plant gateway" --description "The gateway in the switch room"',
      'iot network update "name:Plant gateway" --remove-decoder --dry-run',
    ],
  },
  delete: {
    examples: ['iot network delete "name:Plant gateway" --dry-run', 'iot network rm "name:Plant gateway" --dry-run'],
  },
});
