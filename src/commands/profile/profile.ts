import { defined } from "../../lib/core/defined.ts";
import type { Column } from "../kit/command/columns.ts";
import type { Command } from "../kit/command/define.ts";
import { type ProfileRow, profileFinder, profileInfo } from "../kit/finders/profile.ts";
import { localPage } from "../kit/resource/local-list.ts";
import type { ListRequest } from "../kit/resource/paging.ts";
import { resource } from "../kit/resource/resource.ts";

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

interface ProfileCreation {
  readonly name: string;
  readonly allocate_free_resources?: boolean;
}

export const commands: readonly Command[] = resource({
  finder: profileFinder,
  route: "/profile",
  api: ({ profiles }) => ({
    list: (query: ListRequest) => profiles.list().then((all) => localPage(all, query.page, query.amount)),
    info: (id) => profileInfo({ profiles }, id),
    create: ({ allocate_free_resources, ...body }: ProfileCreation) =>
      profiles.create(body, defined({ allocate_free_resources })),
    edit: profiles.edit.bind(profiles),
  }),
  columns,
  fields: [
    { name: "name", kind: "content", needed: '--name "Plant two"', summary: "profile name" },
    { name: "logo-url", kind: "content", value: "url", summary: "URL of the logo" },
    { name: "banner-url", kind: "content", value: "url", summary: "URL of the banner" },
  ],
  list: {
    filters: [{ name: "name", value: "text", summary: "profiles with this name; * matches any text" }],
    details: "Includes profiles of this account and profiles that others share with it.",
    examples: ["iot profile list", 'iot profile list --name "Demo*" --fields id,name'],
  },
  get: {
    details: '"current" is the profile the token belongs to.',
    examples: ["iot profile get current", 'iot profile get "name:Demo Plant" --json'],
    columns: detailColumns,
  },
  create: {
    options: [
      {
        name: "allocate-free-resources",
        summary: "give it the purchased services that are not allocated yet",
      },
    ],
    details: "A new profile is free; its limits come from the services the account has purchased.",
    examples: [
      'iot profile create --name "Plant two"',
      'iot profile create --name "Plant three" --allocate-free-resources --dry-run',
    ],
    complete: (_ctx, { options }, body) =>
      options.allocateFreeResources ? { ...body, allocate_free_resources: true } : body,
    hint: ({ id }) => `Create a token for it with "iot profile token create ${id}".`,
  },
  update: {
    change: '--name "Plant two"',
    examples: [
      'iot profile update current --name "Demo Plant" --logo-url https://example.test/logo.png',
      'iot profile update "name:Empty" --name "Empty too" --dry-run',
    ],
  },
});
