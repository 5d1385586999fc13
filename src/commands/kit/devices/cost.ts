import type { Resources } from "../../../index.ts";
import { countOf, countText } from "../../../text/count.ts";
import type { CommandContext } from "../context.ts";

/** Above this many records the program shows how many it would read, and asks. */
export const BILLING_NOTICE = 10_000;

/**
 * Reading data is billed: above `BILLING_NOTICE` records the program shows how many, and asks.
 *
 * @param isBounded the user set a maximum number of records, which skips the question
 */
export async function announceReading(
  ctx: CommandContext,
  client: Resources,
  records: number,
  isBounded: boolean,
): Promise<void> {
  if (records <= BILLING_NOTICE) return;
  const amount = countText(records);
  ctx.say.info(
    `This reads about ${countOf(records, "record")}; each counts as data output. ${await shareLeft(client, records)}`,
  );
  if (isBounded) return;
  await ctx.confirm({ level: 1, action: `Read about ${amount} billed records`, name: "read" });
}

/** An export by the server is always announced and confirmed; `--max-records` confirms up to that many. */
export async function announceJob(
  ctx: CommandContext,
  client: Resources,
  records: number,
  maxRecords: number | undefined,
): Promise<void> {
  const amount = countText(records);
  const share = await shareLeft(client, records);
  ctx.say.info(`The server exports about ${countOf(records, "record")}; each counts as data output. ${share}`);
  if (maxRecords !== undefined && records <= maxRecords) return;
  await ctx.confirm({ level: 1, action: `Export about ${amount} billed records on the server`, name: "export" });
}

/** Writing is billed, too: as `announceReading`. */
export async function announceWriting(ctx: CommandContext, client: Resources, records: number): Promise<void> {
  if (records <= BILLING_NOTICE) return;
  const share = await shareLeft(client, records, "input");
  ctx.say.info(`This writes about ${countOf(records, "record")}; each counts as data input. ${share}`);
  await ctx.confirm({ level: 1, action: `Write about ${countText(records)} billed records`, name: "write" });
}

/** Records that are read, and written again: both are billed. @param times how often they are read */
export async function announceTransfer(
  ctx: CommandContext,
  client: Resources,
  records: number,
  times: number,
): Promise<void> {
  if (records <= BILLING_NOTICE) return;
  const share = await shareLeft(client, times * records);
  ctx.say.info(
    `This reads about ${countOf(times * records, "record")} and writes ${countText(records)}; each counts as data output or input. ${share}`,
  );
}

/** The profile's remaining quota this month, if the platform returns it. */
async function shareLeft(client: Resources, records: number, of: "input" | "output" = "output"): Promise<string> {
  try {
    const { limit, limit_used: used } = await client.profiles.summary("current");
    const left = limit[of] - (used?.[of] ?? 0);
    if (!Number.isFinite(left) || left <= 0) return "This month's limit is used up.";
    const share = (records / left) * 100;
    return `That is ${share < 0.1 ? "less than 0.1" : share.toFixed(1)} % of the ${countText(left)} left this month.`;
  } catch {
    return "This month's remaining limit could not be read.";
  }
}
