import type { DeviceTokenInfo } from "../../index.ts";
import { ALL_ROWS_AMOUNT } from "../../lib/core/limits.ts";
import { countOf } from "../../text/count.ts";
import { batchClient } from "../kit/client/batch-client.ts";
import type { Column } from "../kit/command/columns.ts";
import type { CommandContext } from "../kit/context.ts";
import { notFoundError, stoppedError, usageError } from "../kit/failures/command-error.ts";
import { mayHaveArrived } from "../kit/failures/lost-write.ts";
import { deviceFinder } from "../kit/finders/device.ts";
import { partialError } from "../kit/jobs/ending.ts";
import { messageOf } from "../kit/resource/batch.ts";
import { lookUp, type ResourceTarget } from "../kit/resource/resolve-id.ts";
import { findToken, type TokenOwner } from "../kit/resource/tokens.ts";
import { maskToken, rememberSecret } from "../kit/say/redact.ts";

const taken = ["token", "name", "permission", "expire_time", "serie_number"] as const;

/** A token of a device with all that its successor takes over. */
export type OldToken = Pick<DeviceTokenInfo, (typeof taken)[number]>;

export const tokenOwner = {
  title: "The device",
  code: "device.token_not_found",
  list: "iot device token list",
} as const satisfies TokenOwner;

export const createdColumns: readonly Column<Record<string, unknown>>[] = [
  { key: "token" },
  { key: "name" },
  { key: "permission" },
  { key: "expire_date", kind: "time" },
];

/** A token as messages name it. */
const shown = ({ name, token }: OldToken): string => `"${name}" (${maskToken(token)})`;

/** A token as a command line names it, also where two have one name. */
export const ends = (token: string): string => maskToken(token).replace("…", "...");

/** The tokens of a device. */
export function tokensOf(ctx: CommandContext, { id }: ResourceTarget): Promise<readonly OldToken[]> {
  return lookUp(ctx, deviceFinder, id, async () => {
    const { devices } = await ctx.client();
    return devices.tokenList(id, { fields: taken, amount: ALL_ROWS_AMOUNT });
  });
}

/**
 * The token to be replaced: the one `text` names, or the only one. Of several, a terminal is asked.
 *
 * @param command the command line up to the token: `iot device token rotate 65a1…`
 */
export async function oldToken(
  ctx: CommandContext,
  known: readonly OldToken[],
  text: string | undefined,
  command: string,
): Promise<OldToken> {
  if (text !== undefined) return findToken(known, text, tokenOwner);
  const [only, ...others] = known;
  if (only === undefined) {
    throw notFoundError("The device has no tokens.", {
      code: tokenOwner.code,
      next: 'Create one with "iot device token create".',
    });
  }
  if (others.length === 0) return only;
  if (!ctx.canPrompt) {
    throw usageError(`The device has ${countOf(known.length, "token")}; which one to replace is not given.`, {
      code: "usage.missing_argument",
      why: `They are ${known.map(shown).join(", ")}.`,
      next: `Add the name or the ends of one: ${command} ${ends(only.token)}.`,
    });
  }
  const choices = known.map((each) => ({ label: each.name, value: each, hint: maskToken(each.token) }));
  const [chosen] = await (await ctx.prompts("token")).pick("Which token? Type to search.", choices, false);
  if (chosen === undefined) throw stoppedError();
  return chosen;
}

/** How a token is replaced. */
export interface Succession {
  readonly old: OldToken;
  /** What the new one has otherwise than the old one. */
  readonly changes: { readonly serie_number?: string | undefined; readonly expire_time?: string | undefined };
  /** Both stay. */
  readonly keepOld: boolean;
  /** Up to the name of the device: `Replace token "Default" (5eed…0001)`. */
  readonly action: string;
}

/** When the new token expires: as the old one, unless that has happened. */
function expiryOf(ctx: CommandContext, { expire_time: at }: OldToken): string {
  if (!(at instanceof Date)) return at ?? "never";
  if (at.getTime() > ctx.clock.now()) return at.toISOString();
  throw usageError(`The token expired at ${at.toISOString()}, and so would the new one.`, {
    next: "Add --expire with another date, a duration such as 30d, or never.",
  });
}

/** The new token as it is asked for. */
function successorOf(ctx: CommandContext, { old, changes }: Succession) {
  const { name, permission } = old;
  const serial = changes.serie_number ?? old.serie_number;
  return {
    name,
    permission,
    expire_time: changes.expire_time ?? expiryOf(ctx, old),
    ...(serial === null || serial === undefined || serial === "" ? {} : { serie_number: serial }),
  };
}

/**
 * Creates the new token, prints it, and only then deletes the old one: whatever fails, the device has one that works.
 *
 * @returns false after a dry run
 */
export async function replaceToken(ctx: CommandContext, target: ResourceTarget, plan: Succession): Promise<boolean> {
  const { old, keepOld, action } = plan;
  const wanted = successorOf(ctx, plan);
  const requests = [
    { method: "POST", path: "/device/token", body: { device: target.id, ...wanted } },
    { method: "DELETE", path: `/device/token/${maskToken(old.token)}` },
  ];
  if (await ctx.dryRun(keepOld ? requests.slice(0, 1) : requests)) return false;
  const name = await target.name();
  if (!keepOld) await ctx.confirm({ level: 1, action: `${action} of device "${name}"`, name });
  const { devices } = await batchClient(ctx);
  const created = await lookUp(ctx, deviceFinder, target.id, () => devices.tokenCreate(target.id, wanted));
  rememberSecret(created.token);
  // Where people read, nothing but the token, the only time it is shown in full.
  if (ctx.out.format === "table" || ctx.out.format === "id") await ctx.out.value(created.token);
  else await ctx.out.item({ name: wanted.name, ...created }, { columns: createdColumns });
  if (!keepOld) await deleteOld(ctx, target, old, () => devices.tokenDelete(old.token));
  return true;
}

async function deleteOld(
  ctx: CommandContext,
  { id }: ResourceTarget,
  old: OldToken,
  remove: () => Promise<unknown>,
): Promise<void> {
  const next = `"iot device token list ${id}" shows which there are; "iot device token delete ${id} ${ends(old.token)}" deletes the old one.`;
  const both = "The new token was created, but the old one was not deleted.";
  if (ctx.signal.aborted) throw partialError(both, { why: "Stopped by the user.", next });
  try {
    await remove();
  } catch (error) {
    const isLost = mayHaveArrived(error);
    const message = isLost ? "The new token was created; the old one may be there still." : both;
    throw partialError(message, { why: messageOf(error), next, cause: error });
  }
}
