import type { Input, Options, OptionsOf } from "../kit/command/options.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { analysisFinder } from "../kit/finders/analysis.ts";
import { deviceFinder } from "../kit/finders/device.ts";
import { resolveId, resolveIds } from "../kit/resource/resolve-id.ts";

const kinds = ["analysis", "notify", "notify-user", "email", "sms", "post", "publish"] as const;

const excludingOthers = (kind: (typeof kinds)[number]) => ({
  flags: kinds.filter((other) => other !== kind),
  called: "other kinds of action",
  next: "Use one of them; an analysis can do both.",
});

/** The flags that say what an action does. */
export const consequenceOptions = [
  {
    name: "analysis",
    value: "id",
    summary: "run this analysis: id, name:… or tag:…",
    repeat: true,
    conflicts: excludingOthers("analysis"),
  },
  {
    name: "notify",
    summary: "notify the account; with --subject and --message",
    conflicts: excludingOthers("notify"),
  },
  {
    name: "notify-user",
    value: "id",
    summary: "notify this portal user; with --subject and --message",
    conflicts: excludingOthers("notify-user"),
  },
  {
    name: "email",
    kind: "email",
    summary: "send an email; with --subject and --message",
    repeat: true,
    conflicts: excludingOthers("email"),
  },
  {
    name: "sms",
    kind: "phone",
    summary: "send an SMS; with --message",
    repeat: true,
    conflicts: excludingOthers("sms"),
  },
  {
    name: "post",
    value: "url",
    summary: "send the data as a POST request to this URL",
    conflicts: excludingOthers("post"),
  },
  {
    name: "publish",
    value: "topic",
    summary: "publish an MQTT message; with --message and --to-device",
    conflicts: excludingOthers("publish"),
  },
  { name: "to-device", value: "id", summary: "device that receives the MQTT message", needs: ["publish"] },
  {
    name: "subject",
    kind: "content",
    summary: "subject of the message",
    needs: ["notify", "notify-user", "email"],
  },
  {
    name: "message",
    kind: "content",
    summary: "text or @file; replaces $VALUE$, $DEVICE.NAME$ and $TIME$",
    needs: ["notify", "notify-user", "email", "sms", "publish"],
  },
] as const satisfies Options;

type Flags = OptionsOf<typeof consequenceOptions>;

/** What the action does, from flags; undefined when none of them was given. */
export async function consequenceFrom(
  ctx: CommandContext,
  { options }: Input<[], typeof consequenceOptions>,
): Promise<object | undefined> {
  const { analysis, notify, notifyUser, email, sms, post, publish, toDevice } = options;
  if (analysis.length > 0) {
    const script = await resolveIds(ctx, analysisFinder, analysis);
    return { type: "script", script: script.map(({ id }) => id) };
  }
  if (notify) return { type: "notification", ...words(options, true) };
  if (notifyUser !== undefined) return { type: "notification_run", run_user: notifyUser, ...words(options, true) };
  if (email.length > 0) return { type: "email", to: email.join(";"), ...words(options, true) };
  if (sms.length > 0) return { type: "sms", to: sms.join(";"), ...words(options, false) };
  if (post !== undefined && !/^https?:$/.test(URL.canParse(post) ? new URL(post).protocol : "")) {
    throw usageError(`--post needs an http or https address, not ${quote(post)}.`, {
      next: "Use an address such as https://example.org/hook.",
    });
  }
  if (post !== undefined) return { type: "post", url: post };
  if (publish === undefined) return undefined;
  const bucket = toDevice === undefined ? "" : (await resolveId(ctx, deviceFinder, toDevice)).id;
  return { type: "mqtt", bucket, topic: publish, payload: words(options, false).message };
}

function words(
  { subject, message }: Flags,
  withSubject: boolean,
): { readonly message: string; readonly subject?: string } {
  const needed = (text: string | undefined, flag: string): string => {
    if (text !== undefined) return text;
    throw usageError(`The action needs ${flag}.`, { code: "usage.missing_value", next: `Add ${flag} "…".` });
  };
  return {
    ...(withSubject ? { subject: needed(subject, "--subject") } : {}),
    message: needed(message, "--message"),
  };
}
