import { option, optionFlag } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import type { Command, CommandInput } from "../kit/command/define.ts";
import type { CommandContext } from "../kit/context.ts";
import { type BodyField, bodyOptions, needChange, needMembers, readBody } from "../kit/resource/body.ts";
import { crud, type ListPlan } from "../kit/resource/crud.ts";
import { localPage } from "../kit/resource/local-list.ts";
import { commands as allocationCommands } from "./allocation.ts";
import { commands as auditCommands } from "./audit.ts";
import { commands as deleteCommands } from "./delete.ts";
import { commands as diffCommands } from "./diff.ts";
import { commands as exportCommands } from "./export.ts";
import { type ProfileRow, profileFinder, profileInfo } from "./finder.ts";
import { commands as importCommands } from "./import.ts";
import { commands as switchCommands } from "./switch.ts";
import { commands as teamCommands } from "./team.ts";
import { commands as tokenCommands } from "./tokens.ts";
import { commands as usageCommands } from "./usage.ts";

const columns: readonly Column<ProfileRow>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "account", kind: "id" },
  { key: "from_share", header: "shared", kind: "flag" },
  { key: "logo_url", hidden: true },
];

const detailColumns: readonly Column<ProfileRow>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "account", kind: "id" },
  { key: "account_plan", header: "plan" },
  { key: "region" },
  { key: "logo_url" },
  { key: "banner_url" },
  { key: "addons.custom_dns", header: "custom_dns", kind: "flag" },
  { key: "addons.mobile", header: "mobile", kind: "flag" },
  { key: "rpm", kind: "json", hidden: true },
  { key: "allocation", kind: "json", hidden: true },
  { key: "created_at", kind: "time" },
  { key: "updated_at", kind: "time" },
];

const fields: readonly BodyField[] = [
  { flag: "name", summary: "name of the profile" },
  { flag: "logo-url", value: "url", summary: "address of the logo" },
  { flag: "banner-url", value: "url", summary: "address of the banner" },
];

function planList(_: CommandContext, input: CommandInput, request: ListPlan<ProfileRow>["request"]) {
  const name = option(input, "name");
  const plan: ListPlan<ProfileRow> = {
    request: name === undefined ? request : { ...request, filter: { ...request.filter, name } },
    read: async (client, query) => localPage(await client.profiles.list(), query),
  };
  return plan;
}

const profileCommands: readonly Command[] = crud<ProfileRow>({
  finder: profileFinder,
  route: "/profile",
  columns,
  fields: columns.map(({ key }) => key),
  nameOf: ({ name }) => name,
  info: profileInfo,
  list: {
    options: [{ name: "name", value: "text", summary: "profiles with this name; * stands for any text" }],
    details: "Lists the profiles the account of the token can reach: its own, and those that others share with it.",
    examples: ["iot profile list", 'iot profile list --name "Demo*" --fields id,name'],
    plan: planList,
  },
  get: {
    details: '"current" is the profile of the token.',
    examples: ["iot profile get current", 'iot profile get "name:Demo Plant" --json'],
    columns: detailColumns,
  },
  create: {
    options: [
      ...bodyOptions(fields),
      {
        name: "allocate-free-resources",
        summary: "give it what the account has bought and not yet allocated to another profile",
      },
    ],
    details: "A new profile costs nothing; what it may use comes out of what the account has bought.",
    examples: [
      'iot profile create --name "Plant two"',
      'iot profile create --name "Plant three" --allocate-free-resources --dry-run',
    ],
    async body(ctx, input) {
      const body = await readBody(ctx, input, fields);
      needMembers(body, "profile", { name: '--name "Plant two"' });
      return optionFlag(input, "allocate-free-resources") ? { ...body, allocate_free_resources: true } : body;
    },
    async send(client, given) {
      const { allocate_free_resources, ...body } = given as ProfileCreation;
      const created = await client.profiles.create(
        body,
        allocate_free_resources === undefined ? {} : { allocate_free_resources },
      );
      return created.id;
    },
    hint: ({ id }) => `Make a token for it with "iot profile token create ${id}".`,
  },
  update: {
    options: bodyOptions(fields),
    examples: [
      'iot profile update current --name "Demo Plant" --logo-url https://example.test/logo.png',
      'iot profile update "name:Empty" --name "Empty too" --dry-run',
    ],
    async body(ctx, input) {
      const body = await readBody(ctx, input, fields);
      needChange(body, '--name "Plant two"');
      return body;
    },
    send: (client, id, body) => client.profiles.edit(id, body),
  },
});

interface ProfileCreation {
  readonly name: string;
  readonly allocate_free_resources?: boolean;
}

export const commands: readonly Command[] = [
  ...profileCommands,
  ...deleteCommands,
  ...switchCommands,
  ...usageCommands,
  ...auditCommands,
  ...allocationCommands,
  ...tokenCommands,
  ...teamCommands,
  ...exportCommands,
  ...importCommands,
  ...diffCommands,
];
