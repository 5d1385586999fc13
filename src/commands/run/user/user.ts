import type { Column } from "../../kit/command/columns.ts";
import type { Command } from "../../kit/command/define.ts";
import { runUserApi, runUserFinder, withEmail } from "../../kit/finders/run-user.ts";
import { resource } from "../../kit/resource/resource.ts";
import { resourceRoutes } from "../../kit/resource/routes.ts";

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

/** Portal users: list, get, create, update and delete. */
export const commands: readonly Command[] = resource<UserRow>({
  finder: runUserFinder,
  path: ["user"],
  route: resourceRoutes.user,
  api: runUserApi,
  createdKey: "user",
  columns,
  fields: [
    {
      name: "email",
      kind: "email",
      only: "create",
      needed: "--email jo@example.org",
      summary: "email address; it cannot be changed later",
    },
    { name: "name", kind: "content", needed: "--name Jo", summary: "name of the user" },
    { name: "timezone", kind: "zone", initial: "UTC", summary: "time zone: Europe/Lisbon" },
    { name: "company", kind: "content", summary: "company" },
    { name: "phone", kind: "content", value: "number", summary: "phone number for SMS: +351…" },
    { name: "language", kind: "content", value: "code", summary: "language: en-us, pt-br" },
    { name: "active", summary: "whether the user can log in", off: "inactive" },
    { name: "newsletter", summary: "send the newsletter to the user", off: "no-news" },
    { name: "options", summary: 'number and time formats: {"time_format": "24"}', kind: "json" },
    {
      name: "tag",
      member: "tags",
      only: "create",
      summary: "tag of the user; used by access rules",
      kind: "pair",
      repeat: true,
    },
    {
      name: "password",
      isSecret: true,
      late: true,
      question: "Password for the new user",
      summary: "read the password from stdin",
    },
  ],
  tags: true,
  list: {
    filterable: ["id", "name", "email", "active"],
    sortable: ["name", "active", "last_login", "created_at", "updated_at"],
    fields: ["id", "name", "email", "active", "last_login", "tags"],
    filters: [
      { name: "name", value: "text", summary: "users with this name; * matches any text" },
      { name: "email", value: "text", summary: "users with this email; * matches any text" },
      { name: "active", summary: "active users only", off: { name: "inactive", summary: "inactive users only" } },
    ],
    examples: [
      "iot run user list",
      "iot run user list --tag role=operator --fields id,email",
      'iot run user list --inactive --email "*@example.test"',
    ],
  },
  get: { examples: ['iot run user get "name:Oda Operator"', 'iot run user get "name:Oda Operator" --json'] },
  create: {
    twins: { member: "email", isUnique: true, find: withEmail },
    details:
      "The password comes from stdin, a prompt or the property password in --input. Without --active the user " +
      "cannot log in.",
    examples: [
      "iot run user create --name Jo --email jo@example.test --timezone Europe/Lisbon --active --tag role=operator --password-stdin < password.txt",
      'echo \'{"name": "Kim", "email": "kim@example.test", "password": "secret"}\' | iot run user create --input - --dry-run',
    ],
    hint: ({ id }) => `"iot run user login ${id}" creates a token to log in to the portal as this user.`,
  },
  update: {
    change: "--active or --tag role=operator",
    examples: [
      'iot run user update "name:Ina Inactive" --active',
      'iot run user update "name:Oda Operator" --tag site=road --remove-tag role --dry-run',
    ],
  },
  delete: {
    examples: [
      'iot run user delete "name:Ina Inactive" --yes',
      'iot run user delete "name:Oda Operator" "name:Dirk Driver" --dry-run',
    ],
  },
});
