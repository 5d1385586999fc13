import type { Resources } from "../../index.ts";
import { defined } from "../../lib/core/defined.ts";
import { MAX_LIST_AMOUNT } from "../../lib/core/limits.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { parsePair, quote } from "../kit/command/values.ts";
import { notFoundError, usageError } from "../kit/failures/command-error.ts";
import { onOff } from "../kit/resource/body.ts";
import { columns, type NotificationRow } from "../kit/resource/notifications.ts";
import { listRequest, narrowed, paged } from "../kit/resource/paging.ts";
import type { Finder } from "../kit/resource/resolve-id.ts";
import { resource } from "../kit/resource/resource.ts";

/** The platform has no request for one notification, so it is looked for in the largest page of the newest. */
async function readOne(notifications: Resources["notifications"], id: string): Promise<NotificationRow> {
  const all = await notifications.list({ amount: MAX_LIST_AMOUNT });
  const found = all.find((row) => row.id === id);
  if (found !== undefined) return found;
  throw notFoundError(`Notification ${id} not found.`, {
    code: "notification.not_found",
    next: 'Run "iot notification list" to list notifications.',
  });
}

/** What names a notification. */
export const idForms = "Full id, or name:… with a unique title";

/** Notifications are named by their title. */
export const notificationFinder: Finder = {
  noun: "notification",
  plural: "notifications",
  forms: ["name"],
  nameKey: "title",
  async find(ctx, query, amount) {
    const { notifications } = await ctx.client();
    const all = await notifications.list({ amount: query === undefined ? amount : MAX_LIST_AMOUNT });
    return all.map(({ id, title }) => ({ id, name: title }));
  },
  nameOf: async (ctx, id) => (await readOne((await ctx.client()).notifications, id)).title ?? id,
};

const list = defineCommand({
  path: ["list"],
  result: rows(columns),
  aliases: ["ls"],
  effect: "reads",
  summary: "List the notifications of the account",
  options: [
    { name: "unread", summary: "unread notifications only" },
    { name: "read", opposite: "unread", summary: "read notifications only" },
  ],
  groups: ["list"],
  examples: ["iot notification list", "iot notification list --unread --fields created_at,title,message"],
  related: ["iot notification read", "iot stream notification"],
  async run(ctx, input) {
    const filterable = ["read"];
    const asked = listRequest(ctx, { what: "notifications", columns, filterable });
    const ask = narrowed(asked, defined({ read: onOff(input.options.read, input.options.unread) }), filterable);
    const { fields: _, ...request } = ask.request;
    const { notifications } = await ctx.client();
    type Query = Parameters<typeof notifications.list>[0];
    const listing = paged<NotificationRow>(
      ctx,
      (page, amount) => notifications.list({ ...request, page, amount } as Query),
      ask,
    );
    await ctx.out.list(listing.rows, { columns, empty: "No notifications match.", more: listing.more });
  },
});

/** `id=label`: a button that can be pressed and triggers nothing; triggers go into the file of `--input`. */
function button(text: string): { readonly id: string; readonly label: string } {
  const { key, value = key } = parsePair(text, "--button");
  if (!/\s/.test(key) && value !== "") return { id: key, label: value };
  throw usageError(`Invalid value ${quote(text)} for --button.`, {
    next: 'Give an id without spaces and a label: --button later="Not now".',
  });
}

const written = resource({
  finder: notificationFinder,
  route: "/notification",
  api: ({ notifications }) => ({
    list: notifications.list.bind(notifications),
    info: (id) => readOne(notifications, id),
    create: notifications.create.bind(notifications),
    delete: notifications.remove.bind(notifications),
  }),
  columns,
  fields: [
    { name: "title", kind: "content", needed: '--title "Freezer 1"', summary: "title" },
    { name: "message", kind: "content", needed: '--message "The door is open"', summary: "message text, or @file" },
    {
      name: "once",
      member: "buttons_autodisable",
      summary: "disable all buttons after one is pressed",
    },
    { name: "icon", kind: "json", summary: "icon, as JSON or @file" },
  ],
  options: [
    { name: "button", value: "id=label", summary: "button without a trigger; triggers need --input", repeat: true },
  ],
  async body(_ctx, input) {
    const buttons = input.options.button.map(button);
    return buttons.length === 0 ? {} : { buttons };
  },
  create: {
    // Notifications with the same title are usual.
    twins: false,
    examples: [
      'iot notification create --title "Silo west" --message "It is nearly empty"',
      'iot notification create --title "Pump 3" --message "Restart it now?" --button now=Now --button later=Later --once',
    ],
  },
  delete: {
    examples: ["iot notification delete name:Welcome --dry-run", 'iot notification rm "name:Freezer 1" --dry-run'],
  },
});

export const commands: readonly Command[] = [list, ...written];
