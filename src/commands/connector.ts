import type { Column } from "./kit/command/columns.ts";
import type { Command, OptionSpec } from "./kit/command/define.ts";
import { connectorFinder, connectorTwins, networkFinder } from "./kit/finders/network.ts";
import { catalogueFlags, cataloguePlan } from "./kit/integrations/catalogue.ts";
import { parserOptions, parsersFrom } from "./kit/integrations/parsers.ts";
import { resolveIds } from "./kit/resource/resolve-id.ts";
import { resource, unhidden } from "./kit/resource/resource.ts";
import { type Names, withId } from "./kit/resource/resource-names.ts";
import { resourceRoutes } from "./kit/resource/routes.ts";

interface ConnectorRow {
  readonly id: string;
  readonly name?: string;
  readonly public?: boolean;
  readonly networks?: readonly string[];
  /** Names of the networks, where people read them. */
  readonly names?: Names;
  readonly device_parameters?: readonly { readonly name?: string; readonly label?: string }[];
}

const columns: readonly Column<ConnectorRow>[] = [
  // Distinguished by their names: where there is no room, the rest says more.
  { key: "id", kind: "id", rank: 3 },
  { key: "name" },
  { key: "public", header: "catalogue", kind: "flag" },
  {
    key: "networks",
    kind: "json",
    value: ({ networks, names }) => networks?.map((id) => names?.[id] ?? id).join(", "),
  },
  { key: "description" },
  { key: "logo_url", hidden: true },
  { key: "created_at", kind: "time", hidden: true },
  { key: "updated_at", kind: "time", hidden: true },
];

/** One connector has room for both. */
const networksWithIds: Column<ConnectorRow> = {
  key: "networks",
  kind: "json",
  value: ({ networks, names }) => networks?.map((id) => withId(id, names)).join(", "),
};

const getColumns: readonly Column<ConnectorRow>[] = [
  ...unhidden(columns).map((column) => (column.key === "networks" ? networksWithIds : column)),
  {
    key: "device_parameters",
    kind: "json",
    value: ({ device_parameters: all }) => all?.map(({ name, label }) => name ?? label ?? "?").join(", "),
  },
  { key: "install_text" },
  { key: "install_end_text" },
  { key: "device_annotation" },
];

const placeOptions = [
  { name: "network", value: "id", summary: 'network its devices can use, as an id or "name:…"', repeat: true },
  ...parserOptions,
] as const satisfies readonly OptionSpec[];

export const commands: readonly Command[] = resource({
  finder: connectorFinder,
  route: resourceRoutes.connector,
  api: ({ integration }) => integration.connectors,
  createdKey: "connector",
  columns,
  references: ({ networks = [] }) => networks.map((id) => ["network", id] as const),
  fields: [
    { name: "name", kind: "content", needed: '--name "Level meter"', summary: "name of the connector" },
    { name: "description", kind: "content", summary: "description" },
    { name: "logo-url", kind: "content", value: "url", summary: "URL of its picture" },
    { name: "install-text", kind: "content", summary: "instructions before a device is created; @file reads it" },
    { name: "install-end-text", kind: "content", summary: "instructions after a device is created; @file reads it" },
    { name: "device-annotation", kind: "content", summary: "note for every device of this type" },
    { name: "device-parameters", kind: "json", summary: "parameters of new devices, as JSON or @file" },
  ],
  options: placeOptions,
  async body(ctx, input) {
    const parsers = await parsersFrom(ctx, input);
    const networks = await resolveIds(ctx, networkFinder, input.options.network);
    return { ...parsers, ...(networks.length > 0 && { networks: networks.map(({ id }) => id) }) };
  },
  list: {
    ...catalogueFlags("connectors"),
    examples: ["iot connector list", "iot connector list --own --fields id,name"],
    plan: cataloguePlan,
  },
  get: {
    examples: ['iot connector get "name:Plant meter"', 'iot connector get "name:Custom HTTPS" --json'],
    columns: getColumns,
  },
  create: {
    twins: connectorTwins,
    examples: [
      'iot connector create --name "Level meter" --network "name:Plant gateway" --description "Meters of tanks"',
      `echo '{"name":"Door","device_parameters":[{"name":"side","type":"text"}]}' | iot connector create --input -`,
    ],
  },
  update: {
    change: '--name "Level meter" or --network name:HTTPS',
    details: "Connectors of the platform's catalogue cannot be changed. --network replaces all networks.",
    examples: [
      'iot connector update "name:Plant meter" --description "Meters behind the gateway of the plant"',
      'iot connector update "name:Plant meter" --network "name:Plant gateway" --network name:HTTPS --dry-run',
    ],
  },
  delete: {
    examples: ['iot connector delete "name:Plant meter" --dry-run', 'iot connector rm "name:Plant meter" --dry-run'],
  },
});
