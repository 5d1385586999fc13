import { optionList } from "./kit/command/arguments.ts";
import type { Column } from "./kit/command/columns.ts";
import type { Command, CommandInput, OptionSpec } from "./kit/command/define.ts";
import type { CommandContext } from "./kit/context.ts";
import { type BodyField, bodyOptions, needChange, needMembers, readBody } from "./kit/resource/body.ts";
import { crud } from "./kit/resource/crud.ts";
import { resolveIds } from "./kit/resource/resolve-id.ts";
import { simpleFinder } from "./kit/resource/simple-finder.ts";
import { catalogueOptions, cataloguePlan } from "./network/catalogue.ts";
import { networkFinder } from "./network/finder.ts";
import { parserOptions, parsersFrom } from "./network/parsers.ts";

interface ConnectorRow {
  readonly id: string;
  readonly name?: string;
  readonly public?: boolean;
  readonly networks?: readonly string[];
  readonly device_parameters?: readonly { readonly name?: string; readonly label?: string }[];
}

const columns: readonly Column<ConnectorRow>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "public", header: "catalogue", kind: "flag" },
  { key: "networks", kind: "json", value: ({ networks }) => networks?.join(", ") },
  { key: "description" },
  { key: "logo_url", hidden: true },
  { key: "created_at", kind: "time", hidden: true },
  { key: "updated_at", kind: "time", hidden: true },
];

const getColumns: readonly Column<ConnectorRow>[] = [
  ...columns.map(({ hidden: _, ...column }) => column),
  {
    key: "device_parameters",
    kind: "json",
    value: ({ device_parameters: all }) => all?.map(({ name, label }) => name ?? label ?? "?").join(", "),
  },
  { key: "install_text" },
  { key: "install_end_text" },
  { key: "device_annotation" },
];

const fields: readonly BodyField[] = [
  { flag: "name", summary: "name of the connector" },
  { flag: "description", summary: "description" },
  { flag: "logo-url", value: "url", summary: "address of its picture" },
  { flag: "install-text", summary: "what to read before a device is made; @file reads it" },
  { flag: "install-end-text", summary: "what to read when a device was made; @file reads it" },
  { flag: "device-annotation", summary: "note on every device of this kind" },
  { flag: "device-parameters", kind: "json", summary: "parameters of new devices, as JSON or @file" },
];

const placeOptions: readonly OptionSpec[] = [
  { name: "network", value: "id", summary: 'network its devices can use, as an id or "name:…"', repeat: true },
  ...parserOptions,
];

async function bodyFrom(ctx: CommandContext, input: CommandInput): Promise<Record<string, unknown>> {
  const body = { ...(await readBody(ctx, input, fields)), ...(await parsersFrom(ctx, input)) };
  const networks = await resolveIds(ctx, networkFinder, optionList(input, "network"));
  return networks.length === 0 ? body : { ...body, networks: networks.map(({ id }) => id) };
}

export const commands: readonly Command[] = crud<ConnectorRow>({
  finder: simpleFinder({
    noun: "connector",
    api: ({ integration }) => integration.connectors,
  }),
  route: "/integration/connector",
  columns,
  fields: columns.map(({ key }) => key),
  nameOf: ({ id, name }) => name ?? id,
  info: (client, id) => client.integration.connectors.info(id),
  list: {
    options: catalogueOptions("connectors"),
    examples: ["iot connector list", "iot connector list --own --fields id,name"],
    plan(ctx, input, request) {
      return {
        ...cataloguePlan(ctx, input, request, "connectors"),
        read(client, query) {
          const { connectors } = client.integration;
          return connectors.list(query as Parameters<typeof connectors.list>[0]);
        },
      };
    },
  },
  get: {
    examples: ['iot connector get "name:Plant meter"', 'iot connector get "name:Custom HTTPS" --json'],
    columns: getColumns,
  },
  create: {
    options: [...bodyOptions(fields), ...placeOptions],
    examples: [
      'iot connector create --name "Level meter" --network "name:Plant gateway" --description "Meters of tanks"',
      `echo '{"name":"Door","device_parameters":[{"name":"side","type":"text"}]}' | iot connector create --input -`,
    ],
    async body(ctx, input) {
      const body = await bodyFrom(ctx, input);
      needMembers(body, "connector", { name: '--name "Level meter"' });
      return body;
    },
    async send(client, body) {
      const { connectors } = client.integration;
      return (await connectors.create(body as Parameters<typeof connectors.create>[0])).connector;
    },
  },
  update: {
    options: [...bodyOptions(fields), ...placeOptions],
    details:
      "Connectors of the catalogue belong to the platform and cannot be changed. --network replaces all networks.",
    examples: [
      'iot connector update "name:Plant meter" --description "Meters behind the gateway of the plant"',
      'iot connector update "name:Plant meter" --network "name:Plant gateway" --network name:HTTPS --dry-run',
    ],
    async body(ctx, input) {
      const body = await bodyFrom(ctx, input);
      needChange(body, '--name "Level meter" or --network name:HTTPS');
      return body;
    },
    send(client, id, body) {
      const { connectors } = client.integration;
      return connectors.edit(id, body as Parameters<typeof connectors.edit>[1]);
    },
  },
  delete: {
    examples: ['iot connector delete "name:Plant meter" --dry-run', 'iot connector rm "name:Plant meter" --dry-run'],
    send: (client, id) => client.integration.connectors.delete(id),
  },
});
