import type { RunUserNotification } from "../../index.ts";
import { defined } from "../../lib/core/defined.ts";
import { countOf } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Arguments, Input } from "../kit/command/options.ts";
import { deleted, deletedRows, one, rows } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { notFoundError, usageError } from "../kit/failures/command-error.ts";
import { onOff } from "../kit/resource/body.ts";
import { columns, type NotificationRow } from "../kit/resource/notifications.ts";
import { listRequest, narrowed, paged } from "../kit/resource/paging.ts";
import { type PortalUser, portalPath, portalUser, userDetails, userOptions } from "./user.ts";

const idArgument = { name: "id", summary: "Full id, or name:… with a unique title", required: true } as const;

const oda = '--user "name:Oda Operator"';

async function all(user: PortalUser): Promise<readonly RunUserNotification[]> {
  return user.act((client, host) => client.notificationList(host));
}

/** The notification a text names: its id, or `name:` and its title. */
function chosen(known: readonly RunUserNotification[], text: string): RunUserNotification {
  const title = text.startsWith("name:") ? text.slice("name:".length) : undefined;
  const matches = known.filter((row) => (title === undefined ? row.id === text.toLowerCase() : row.title === title));
  const [only, ...others] = matches;
  if (only === undefined) {
    throw notFoundError(`Notification ${quote(text)} not found.`, {
      code: "notification.not_found",
      next: 'Run "iot portal notification list" to list notifications.',
    });
  }
  if (others.length === 0) return only;
  throw usageError(`${quote(text)} matches several notifications.`, {
    code: "usage.ambiguous_id",
    why: `Their ids: ${matches.map(({ id }) => id).join(", ")}.`,
    next: "Give the full id of one of them.",
  });
}

const list = defineCommand({
  path: ["notification", "list"],
  result: rows(columns),
  aliases: ["ls"],
  effect: "reads",
  summary: "List the notifications of a portal user",
  details: userDetails,
  options: [
    { name: "unread", summary: "unread notifications only" },
    { name: "read", opposite: "unread", summary: "read notifications only" },
    ...userOptions,
  ],
  groups: ["list"],
  examples: [
    `iot portal notification list ${oda}`,
    `iot portal notification list ${oda} --unread --fields title,message`,
  ],
  exitCodes: [6],
  related: ["iot portal notification read"],
  async run(ctx, input) {
    const filterable = ["read"];
    const asked = listRequest(ctx, { what: "notifications", columns, filterable });
    const ask = narrowed(asked, defined({ read: onOff(input.options.read, input.options.unread) }), filterable);
    const { fields: _, ...request } = ask.request;
    const user = await portalUser(ctx, input);
    const listing = paged<NotificationRow>(
      ctx,
      (page, amount) =>
        user.act((client, host) => {
          type Query = Parameters<typeof client.notificationList>[1];
          return client.notificationList(host, { ...request, page, amount } as Query);
        }),
      ask,
    );
    await ctx.out.list(listing.rows, { columns, empty: "No notifications match.", more: listing.more });
  },
});

const markColumns: readonly Column<{ readonly id: string; readonly read: boolean }>[] = [
  { key: "id", kind: "id" },
  { key: "read", kind: "flag" },
];

const read = defineCommand({
  path: ["notification", "read"],
  result: rows(markColumns),
  effect: "changes",
  summary: "Mark notifications of a portal user as read",
  details: userDetails,
  args: [{ ...idArgument, variadic: true }],
  options: [{ name: "unread", summary: "mark as unread instead" }, ...userOptions],
  examples: [
    `iot portal notification read "name:Freezer 1 is warm" ${oda}`,
    `iot portal notification read "name:Freezer 1 is warm" --unread ${oda}`,
  ],
  related: ["iot portal notification read-all"],
  async run(ctx, input) {
    const isRead = !input.options.unread;
    const user = await portalUser(ctx, input);
    const known = await all(user);
    const ids = [...new Set(input.args.id.map((text) => chosen(known, text).id))];
    const body = { notification_ids: ids, read: isRead };
    if (await ctx.dryRun({ method: "PUT", path: portalPath(user.host, "notification"), body })) return;
    await user.act((client, host) =>
      isRead ? client.notificationMarkRead(host, ids) : client.notificationMarkUnread(host, ids),
    );
    await ctx.out.list(
      ids.map((id) => ({ id, read: isRead })),
      { columns: markColumns, empty: "No changes." },
    );
    const what = countOf(ids.length, "notification");
    ctx.say.info(`Marked ${what} as ${isRead ? "read" : "unread"} at ${user.host}.`);
  },
});

const readAll = defineCommand({
  path: ["notification", "read-all"],
  result: { shape: "none" },
  effect: "changes",
  summary: "Mark all notifications of a portal user as read",
  details: userDetails,
  options: userOptions,
  examples: [
    'iot portal notification read-all --user "name:Dirk Driver"',
    'iot portal notification read-all --user "name:Dirk Driver" --dry-run',
  ],
  exitCodes: [6],
  related: ["iot portal notification read"],
  async run(ctx, input) {
    const user = await portalUser(ctx, input);
    const path = portalPath(user.host, "notification", "markallread");
    if (await ctx.dryRun({ method: "PUT", path })) return;
    await user.act((client, host) => client.notificationMarkAllRead(host));
    ctx.say.info(`Marked all notifications as read at ${user.host}.`);
  },
});

const pressArguments = [
  idArgument,
  { name: "button", summary: "id of the button, as shown in the list, or its label", required: true },
] as const satisfies Arguments;

async function pressButton(
  ctx: CommandContext,
  input: Input<typeof pressArguments, typeof userOptions>,
): Promise<void> {
  const user = await portalUser(ctx, input);
  const { id, title, buttons = [] } = chosen(await all(user), input.args.id);
  const text = input.args.button;
  const button = buttons.find((each) => each.id === text) ?? buttons.find(({ label }) => label === text);
  if (button === undefined) {
    throw usageError(`The notification has no button ${quote(text)}.`, {
      why:
        buttons.length === 0 ? "It has no buttons." : `Its buttons are ${buttons.map((each) => each.id).join(", ")}.`,
      next: 'Use one of its buttons; "iot portal notification list" shows them.',
    });
  }
  const path = portalPath(user.host, "notification", id, button.id);
  if (await ctx.dryRun({ method: "PUT", path })) return;
  await user.act((client, host) => client.notificationButton(host, id, button.id));
  const after = (await all(user)).find((row) => row.id === id);
  await ctx.out.item<NotificationRow>(after ?? { id }, { columns });
  ctx.say.info(`Pressed "${button.label}" of notification "${title}" at ${user.host}.`);
}

const press = defineCommand({
  path: ["notification", "press"],
  result: one(columns),
  effect: "changes",
  summary: "Press a button on a portal user's notification",
  details: userDetails,
  args: pressArguments,
  options: userOptions,
  examples: [
    `iot portal notification press "name:Freezer 1 is warm" seen ${oda} --dry-run`,
    `iot portal notification press "name:Freezer 1 is warm" seen ${oda}`,
  ],
  exitCodes: [1],
  related: ["iot portal notification list"],
  run: pressButton,
});

const remove = defineCommand({
  path: ["notification", "delete"],
  result: deleted,
  aliases: ["rm"],
  effect: "deletes",
  summary: "Delete a notification of a portal user",
  details: userDetails,
  args: [idArgument],
  options: userOptions,
  examples: [
    `iot portal notification delete name:Welcome ${oda} --dry-run`,
    `iot portal notification rm name:Welcome ${oda} --dry-run --json`,
  ],
  related: ["iot portal notification list"],
  async run(ctx, input) {
    const user = await portalUser(ctx, input);
    const { id, title } = chosen(await all(user), input.args.id);
    if (await ctx.dryRun({ method: "DELETE", path: portalPath(user.host, "notification", id) })) return;
    await ctx.confirm({ level: 1, action: `Delete notification "${title}" of ${user.host}`, name: title });
    await user.act((client, host) => client.notificationDelete(host, id));
    await ctx.out.list([{ id, name: title }], deletedRows);
    ctx.say.info(`Deleted notification "${title}" at ${user.host}.`);
  },
});

export const notificationCommands: readonly Command[] = [list, read, readAll, press, remove];
