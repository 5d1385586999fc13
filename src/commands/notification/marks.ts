import { countOf } from "../../text/count.ts";
import { argument, argumentList, optionFlag } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { one, rows } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { lookUp, resolveId, resolveSeveral } from "../kit/resource/resolve-id.ts";
import { columns } from "./columns.ts";
import { notificationFinder } from "./crud.ts";

const markColumns: readonly Column<{ readonly id: string; readonly read: boolean }>[] = [
  { key: "id", kind: "id" },
  { key: "read", kind: "flag" },
];

const idForms = "Full id, or a unique name:… with the title";

const read = defineCommand({
  path: ["read"],
  result: rows(markColumns),
  effect: "changes",
  summary: "Mark notifications as read",
  args: [{ name: "id", summary: idForms, variadic: true }],
  options: [{ name: "unread", summary: "mark them as not read instead" }],
  groups: ["dryRun"],
  examples: ['iot notification read "name:Freezer 1"', 'iot notification read "name:Freezer 1" name:Welcome --unread'],
  related: ["iot notification read-all", "iot notification list"],
  async run(ctx, input) {
    const isRead = !optionFlag(input, "unread");
    const ids = (await resolveSeveral(ctx, notificationFinder, argumentList(input, "id"))).map(({ id }) => id);
    const body = { notification_ids: ids, read: isRead };
    if (await ctx.dryRun({ method: "PUT", path: "/notification/read", body })) return;
    const { notifications } = await ctx.client();
    await (isRead ? notifications.markAsRead(ids) : notifications.markAsUnread(ids));
    await ctx.out.list(
      ids.map((id) => ({ id, read: isRead })),
      { columns: markColumns, empty: "Nothing was changed." },
    );
    const what = countOf(ids.length, "notification");
    ctx.say.info(`Marked ${what} as ${isRead ? "read" : "not read"} in ${(await ctx.connection()).label}.`);
  },
});

const readAll = defineCommand({
  path: ["read-all"],
  result: { shape: "none" },
  effect: "changes",
  summary: "Mark all notifications as read",
  groups: ["dryRun"],
  examples: ["iot notification read-all", "iot notification read-all --dry-run"],
  related: ["iot notification read"],
  async run(ctx) {
    if (await ctx.dryRun({ method: "PUT", path: "/notification/markallread" })) return;
    await (await ctx.client()).notifications.markAllAsRead();
    ctx.say.info(`Marked all notifications as read in ${(await ctx.connection()).label}.`);
  },
});

const press = defineCommand({
  path: ["press"],
  result: one(columns),
  effect: "changes",
  summary: "Press a button of a notification",
  details: "What the button triggers happens at once: an analysis runs, an address is called, or a share is answered.",
  args: [
    { name: "id", summary: idForms, required: true },
    { name: "button", summary: "id of the button, as the list shows it, or its label", required: true },
  ],
  groups: ["dryRun"],
  examples: [
    'iot notification press "name:Water meter" later --dry-run',
    'iot notification press "name:Water meter" later -o json',
  ],
  exitCodes: [1],
  related: ["iot notification list"],
  async run(ctx, input) {
    const { id } = await resolveId(ctx, notificationFinder, argument(input, "id") ?? "");
    const { notifications } = await ctx.client();
    const text = argument(input, "button") ?? "";
    const before = (await notifications.list({ amount: 10_000 })).find((row) => row.id === id);
    const buttons = before?.buttons ?? [];
    const button = buttons.find((each) => each.id === text) ?? buttons.find(({ label }) => label === text);
    if (before !== undefined && button === undefined) {
      throw usageError(`The notification has no button ${quote(text)}.`, {
        why:
          buttons.length === 0
            ? "It has no buttons at all."
            : `Its buttons are ${buttons.map((each) => each.id).join(", ")}.`,
        next: 'Name one of those; "iot notification list" shows them.',
      });
    }
    const buttonId = button?.id ?? text;
    if (await ctx.dryRun({ method: "PUT", path: `/notification/${id}/${buttonId}` })) return;
    await lookUp(ctx, notificationFinder, id, () => notifications.notificationButton(id, buttonId));
    const after = (await notifications.list({ amount: 10_000 })).find((row) => row.id === id);
    await ctx.out.item(after ?? { id }, { columns });
    ctx.say.info(`Pressed "${button?.label ?? text}" of notification "${before?.title ?? id}".`);
  },
});

export const markCommands: readonly Command[] = [read, readAll, press];
