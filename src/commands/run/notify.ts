import { MAX_NOTIFICATION_BUTTONS } from "../../lib/core/limits.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { runUserFinder } from "../kit/finders/run-user.ts";
import { type BodyField, bodyOptions, needMembers, readBody } from "../kit/resource/body.ts";
import { resolveIds } from "../kit/resource/resolve-id.ts";

const noteFields: readonly BodyField[] = [
  { name: "title", kind: "content", summary: "title" },
  { name: "message", kind: "content", summary: "message text, or @file" },
  {
    name: "buttons",
    summary: `up to ${MAX_NOTIFICATION_BUTTONS} buttons: [{"id": "ok", "label": "Seen"}]`,
    kind: "json",
  },
  { name: "buttons-autodisable", summary: "disable all buttons after one is pressed" },
];

const noteColumns = [{ key: "id", kind: "id" }, { key: "title" }, { key: "users", kind: "number" }] as const;

export const notify = defineCommand({
  path: ["notify"],
  result: one(noteColumns),
  effect: "changes",
  summary: "Send a notification to portal users",
  args: [{ name: "users", summary: "full ids, or unique name:… or tag:key=value", required: true, variadic: true }],
  options: bodyOptions(noteFields),
  examples: [
    'iot run notify "name:Oda Operator" --title "Tank" --message "It is full."',
    'iot run notify "name:Oda Operator" "name:Dirk Driver" --title "Tank" --message "It is full." --dry-run',
  ],
  exitCodes: [1, 3, 6],
  related: ["iot run user list", "iot notification create"],
  async run(ctx, input) {
    const body = await readBody(ctx, input, noteFields);
    needMembers(body, "notification", { title: "--title Tank", message: '--message "It is full."' });
    const users = await resolveIds(ctx, runUserFinder, input.args.users);
    const ids = users.map(({ id }) => id);
    if (await ctx.dryRun({ method: "POST", path: "/run/notification", body: { ...body, run_user: ids } })) return;
    const { run } = await ctx.client();
    const note = body as unknown as Parameters<typeof run.notificationCreate>[1];
    const { id } = await run.notificationCreate(ids, note);
    await ctx.out.item({ id, title: note.title, users: ids.length }, { columns: noteColumns });
    const names = await Promise.all(users.slice(0, 3).map((user) => user.name()));
    const whom = `${names.join(", ")}${ids.length > names.length ? ` and ${ids.length - names.length} more` : ""}`;
    await ctx.done(`Sent notification "${note.title}" to ${whom}`);
  },
});
