import { option, optionFlag, optionList } from "../kit/command/arguments.ts";
import type { CommandInput, OptionSpec } from "../kit/command/define.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { analysisFinder } from "../kit/finders/analysis.ts";
import { deviceFinder } from "../kit/finders/device.ts";
import { resolveId } from "../kit/resource/resolve-id.ts";

/** The flags that say what an action does. Each kind excludes the others. */
export const consequenceOptions: readonly OptionSpec[] = [
  { name: "analysis", value: "id", summary: "run this analysis: id, name:… or tag:…", repeat: true },
  { name: "notify", summary: "notify the account; with --subject and --message" },
  { name: "notify-user", value: "id", summary: "notify this portal user; with --subject and --message" },
  { name: "email", value: "address", summary: "send an email; with --subject and --message", repeat: true },
  { name: "sms", value: "number", summary: "send an SMS; with --message", repeat: true },
  { name: "post", value: "url", summary: "send the data as a POST request to this URL" },
  { name: "publish", value: "topic", summary: "publish an MQTT message; with --message and --to-device" },
  { name: "to-device", value: "id", summary: "device that receives the MQTT message" },
  { name: "subject", file: "@", value: "text", summary: "subject of the message" },
  { name: "message", file: "@", value: "text", summary: "text or @file; replaces $VALUE$, $DEVICE.NAME$ and $TIME$" },
];

const kinds = ["analysis", "notify", "notify-user", "email", "sms", "post", "publish"] as const;

/** What the action does, from flags; undefined when none of them was given. */
export async function consequenceFrom(ctx: CommandContext, input: CommandInput): Promise<object | undefined> {
  const given = kinds.filter((kind) => optionFlag(input, kind) || optionList(input, kind).length > 0);
  const [kind, other] = given;
  if (kind === undefined) {
    checkAlone(input);
    return undefined;
  }
  if (other !== undefined) {
    throw usageError(`--${kind} and --${other} cannot be used together.`, {
      next: "Use one of them; an analysis can do both.",
    });
  }
  const address = optionList(input, kind).join(";");
  switch (kind) {
    case "analysis": {
      const found = [];
      for (const text of optionList(input, kind)) found.push((await resolveId(ctx, analysisFinder, text)).id);
      return { type: "script", script: found };
    }
    case "notify":
      return { type: "notification", ...(await words(ctx, input, true)) };
    case "notify-user":
      return { type: "notification_run", run_user: address, ...(await words(ctx, input, true)) };
    case "email":
      return { type: "email", to: address, ...(await words(ctx, input, true)) };
    case "sms":
      return { type: "sms", to: address, ...(await words(ctx, input, false)) };
    case "post":
      return { type: "post", url: address };
    case "publish": {
      const device = option(input, "to-device");
      const bucket = device === undefined ? "" : (await resolveId(ctx, deviceFinder, device)).id;
      return { type: "mqtt", bucket, topic: address, payload: (await words(ctx, input, false)).message };
    }
  }
}

function checkAlone(input: CommandInput): void {
  const needs = {
    subject: "--notify, --notify-user or --email",
    message: "--notify, --notify-user, --email, --sms or --publish",
    "to-device": "--publish",
  };
  for (const [flag, names] of Object.entries(needs)) {
    if (option(input, flag) === undefined) continue;
    throw usageError(`--${flag} needs ${names}.`, { next: `Add ${names}, or remove --${flag}.` });
  }
}

async function words(
  ctx: CommandContext,
  input: CommandInput,
  withSubject: boolean,
): Promise<{ readonly message: string; readonly subject?: string }> {
  const text = async (flag: string): Promise<string> => {
    const value = option(input, flag);
    if (value === undefined) {
      throw usageError(`The action needs --${flag}.`, { code: "usage.missing_value", next: `Add --${flag} "…".` });
    }
    return value.startsWith("@") ? ctx.readInput(value, `--${flag}`) : value;
  };
  return { ...(withSubject ? { subject: await text("subject") } : {}), message: await text("message") };
}
