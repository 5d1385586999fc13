import { option, optionFlag, optionPair } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import type { Command, CommandInput } from "../kit/command/define.ts";
import type { CommandContext } from "../kit/context.ts";
import {
  type BodyField,
  bodyOptions,
  changedTags,
  needChange,
  needMembers,
  readBody,
  secretValue,
  tagOptions,
} from "../kit/resource/body.ts";
import { crud, type ListPlan } from "../kit/resource/crud.ts";
import { rememberSecret } from "../kit/say/redact.ts";
import { runUserFinder } from "./finder.ts";

interface UserRow {
  readonly id: string;
  readonly name?: string;
  readonly email?: string;
}

const columns: readonly Column<UserRow>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "email" },
  { key: "active", kind: "flag" },
  { key: "last_login", kind: "time" },
  { key: "tags", kind: "tags" },
  { key: "company", hidden: true },
  { key: "phone", hidden: true },
  { key: "language", hidden: true },
  { key: "timezone", hidden: true },
  { key: "newsletter", kind: "flag", hidden: true },
  { key: "options", kind: "json", hidden: true },
  { key: "created_at", kind: "time", hidden: true },
  { key: "updated_at", kind: "time", hidden: true },
];

const listFields = ["id", "name", "email", "active", "last_login", "tags"];

const fields: readonly BodyField[] = [
  { flag: "name", summary: "name of the user" },
  { flag: "timezone", value: "zone", summary: "time zone: Europe/Lisbon" },
  { flag: "company", summary: "company" },
  { flag: "phone", value: "number", summary: "number for text messages: +351…" },
  { flag: "language", value: "code", summary: "language: en-us, pt-br" },
  { flag: "active", summary: "the user may log in", kind: "switch", off: "inactive" },
  { flag: "newsletter", summary: "the user wants news by mail", kind: "switch", off: "no-news" },
  { flag: "options", summary: 'how numbers and times are shown: {"time_format": "24"}', kind: "json" },
];

const createFields: readonly BodyField[] = [
  { flag: "email", value: "address", summary: "e-mail, fixed once the user exists" },
  ...fields,
  { flag: "tag", member: "tags", summary: "tag of the user; access rules look at them", kind: "tags" },
];

const passwordOption = { name: "password-stdin", summary: "read the password from stdin" } as const;

function planList(_: CommandContext, input: CommandInput, request: ListPlan<UserRow>["request"]) {
  const filter: Record<string, unknown> = { ...request.filter };
  for (const name of ["name", "email"]) {
    const text = option(input, name);
    if (text !== undefined) filter[name] = text;
  }
  const active = optionPair(input, "active", "inactive");
  if (active !== undefined) filter["active"] = active;
  const plan: ListPlan<UserRow> = {
    request: { ...request, filter },
    read: ({ run }, query) => run.listUsers(query as Parameters<typeof run.listUsers>[0]),
  };
  return plan;
}

/** The password of `--input`, of stdin, or asked for. */
async function withPassword(ctx: CommandContext, input: CommandInput, body: Readonly<Record<string, unknown>>) {
  const given = optionFlag(input, "password-stdin") ? undefined : body["password"];
  const password =
    typeof given === "string" ? given : await secretValue(ctx, input, "password", "Password of the new user");
  rememberSecret(password);
  return { ...body, password };
}

/** Portal users: list, get, create, update and delete. */
export const commands: readonly Command[] = crud<UserRow>({
  finder: runUserFinder,
  path: ["user"],
  route: "/run/users",
  columns,
  fields: listFields,
  nameOf: ({ name, id }) => name ?? id,
  info: ({ run }, id) => run.userInfo(id),
  list: {
    options: [
      { name: "name", value: "text", summary: "users with this name; * stands for any text" },
      { name: "email", value: "text", summary: "users with this e-mail; * stands for any text" },
      { name: "active", summary: "users who may log in" },
      { name: "inactive", summary: "users who may not" },
    ],
    examples: [
      "iot run user list",
      "iot run user list --tag role=operator --fields id,email",
      'iot run user list --inactive --email "*@example.test"',
    ],
    plan: planList,
  },
  get: {
    examples: ['iot run user get "name:Oda Operator"', 'iot run user get "name:Oda Operator" --json'],
    columns: columns.map(({ hidden: _, ...column }) => column),
  },
  create: {
    options: [...bodyOptions(createFields), passwordOption],
    details:
      "The password comes from stdin, from a prompt, or from the member password of --input. A user who is not --active " +
      "cannot log in.",
    examples: [
      "iot run user create --name Jo --email jo@example.test --timezone Europe/Lisbon --active --tag role=operator --password-stdin < password.txt",
      'echo \'{"name": "Kim", "email": "kim@example.test", "password": "secret"}\' | iot run user create --input - --dry-run',
    ],
    async body(ctx, input) {
      const body = await readBody(ctx, input, createFields);
      needMembers(body, "user", { name: "--name Jo", email: "--email jo@example.org" });
      return withPassword(ctx, input, { timezone: "UTC", ...body });
    },
    async send({ run }, body) {
      return (await run.userCreate(body as Parameters<typeof run.userCreate>[0])).user;
    },
    hint: ({ id }) => `"iot run user login ${id}" makes a token for the portal as this user.`,
  },
  update: {
    options: [...bodyOptions(fields), ...tagOptions, passwordOption],
    examples: [
      'iot run user update "name:Ina Inactive" --active',
      'iot run user update "name:Oda Operator" --tag site=road --remove-tag role --dry-run',
    ],
    async body(ctx, input, target) {
      const body = await readBody(ctx, input, fields);
      const current = async () => (await (await ctx.client()).run.userInfo(target.id)).tags;
      Object.assign(body, await changedTags(input, current));
      const wantsPassword = optionFlag(input, "password-stdin") || body["password"] !== undefined;
      if (wantsPassword) return withPassword(ctx, input, body);
      needChange(body, "--active or --tag role=operator");
      return body;
    },
    send: ({ run }, id, body) => run.userEdit(id, body as Parameters<typeof run.userEdit>[1]),
  },
  delete: {
    examples: [
      'iot run user delete "name:Ina Inactive" --yes',
      'iot run user delete "name:Oda Operator" "name:Dirk Driver" --dry-run',
    ],
    send: ({ run }, id) => run.userDelete(id),
  },
});
