import { MAX_LIST_AMOUNT } from "../../lib/core/limits.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { columns } from "../kit/resource/notifications.ts";
import { lookUp, resolveId } from "../kit/resource/resolve-id.ts";
import { idForms, notificationFinder } from "./notification.ts";

export const press = defineCommand({
  path: ["press"],
  result: one(columns),
  effect: "changes",
  summary: "Press a button on a notification",
  details: "The button's trigger runs at once: it starts an analysis, calls a URL or answers a share request.",
  args: [
    { name: "id", summary: idForms, required: true },
    { name: "button", summary: "id of the button, as shown in the list, or its label", required: true },
  ],
  examples: [
    'iot notification press "name:Water meter" later --dry-run',
    'iot notification press "name:Water meter" later -o json',
  ],
  exitCodes: [1],
  related: ["iot notification list"],
  async run(ctx, input) {
    const { id } = await resolveId(ctx, notificationFinder, input.args.id);
    const { notifications } = await ctx.client();
    const text = input.args.button;
    const before = (await notifications.list({ amount: MAX_LIST_AMOUNT })).find((row) => row.id === id);
    const buttons = before?.buttons ?? [];
    const button = buttons.find((each) => each.id === text) ?? buttons.find(({ label }) => label === text);
    if (before !== undefined && button === undefined) {
      throw usageError(`The notification has no button ${quote(text)}.`, {
        why:
          buttons.length === 0 ? "It has no buttons." : `Its buttons are ${buttons.map((each) => each.id).join(", ")}.`,
        next: 'Use one of its buttons; "iot notification list" shows them.',
      });
    }
    const buttonId = button?.id ?? text;
    if (await ctx.dryRun({ method: "PUT", path: `/notification/${id}/${buttonId}` })) return;
    await lookUp(ctx, notificationFinder, id, () => notifications.notificationButton(id, buttonId));
    const after = (await notifications.list({ amount: MAX_LIST_AMOUNT })).find((row) => row.id === id);
    await ctx.out.item(after ?? { id }, { columns });
    ctx.say.info(`Pressed "${button?.label ?? text}" of notification "${before?.title ?? id}".`);
  },
});
