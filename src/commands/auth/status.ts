import { ApiError, RequestError } from "../../lib/core/errors.ts";
import { defineCommand } from "../kit/command/define.ts";
import { either, one, rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError } from "../kit/failures/command-error.ts";
import { maskToken } from "../kit/say/redact.ts";
import { type Credential, readCredentials } from "../kit/settings/credentials.ts";
import { describeToken } from "../kit/settings/exchange.ts";
import { profileOf } from "../kit/settings/where.ts";
import { type CredentialRow, columns, environmentRow } from "./columns.ts";
import { homeOf } from "./home.ts";

function stateOf(error: unknown): string {
  if (error instanceof ApiError) return error.status === 401 || error.status === 403 ? "refused" : "unclear";
  if (error instanceof RequestError) return "no answer";
  if (error instanceof CommandError && error.exit === 4) return "not readable";
  throw error;
}

async function checked(ctx: CommandContext, credential: Credential): Promise<CredentialRow> {
  const row = environmentRow(credential);
  try {
    const facts = await describeToken(ctx, homeOf(credential), credential.token);
    return { ...row, state: "valid", permission: facts.permission, expires: facts.expires || row.expires };
  } catch (error) {
    if (error instanceof CommandError) ctx.say.warning(`${error.message} ${error.why ?? ""} ${error.next ?? ""}`);
    return { ...row, state: stateOf(error) };
  }
}

export const status = defineCommand({
  path: ["status"],
  result: either(one(columns), rows(columns)),
  effect: "reads",
  summary: "Check the credential in use, its source and expiry",
  options: [{ name: "all", summary: "check every stored credential" }],
  groups: ["limit"],
  examples: ["iot auth status", "iot auth status --all --json"],
  exitCodes: { only: [4, 8, 10] },
  related: ["iot auth login", "iot auth whoami"],
  async run(ctx, input) {
    if (input.options.all) {
      const stored = readCredentials(ctx.env, ctx.say.warning);
      const rows: CredentialRow[] = [];
      for (const credential of stored) rows.push(await checked(ctx, credential));
      await ctx.out.list(rows, { columns, empty: "No stored credentials.", idKey: "environment" });
      return rows.every((row) => row.state === "valid") ? 0 : 8;
    }
    const connection = await ctx.connection();
    const facts = await describeToken(ctx, connection, connection.token);
    const profile = await profileOf(ctx, connection, connection.token);
    const row: CredentialRow = {
      environment: connection.envName,
      origin: new URL(connection.api).origin,
      profile: profile?.name ?? "",
      profile_id: profile?.id ?? facts.profile,
      token: maskToken(connection.token),
      source: connection.tokenSource,
      expires: facts.expires,
      state: "valid",
      permission: facts.permission,
    };
    await ctx.out.item(row, { columns, idKey: "environment" });
    return 0;
  },
});
