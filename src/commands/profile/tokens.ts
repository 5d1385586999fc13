import { argumentList, option, optionFlag } from "../kit/arguments.ts";
import { runBatch } from "../kit/batch.ts";
import { secretValue } from "../kit/body.ts";
import type { CommandContext } from "../kit/context.ts";
import { type Command, type CommandInput, defineCommand } from "../kit/define.ts";
import type { Column } from "../kit/output.ts";
import { listRequest, paged } from "../kit/paging.ts";
import { maskToken, rememberSecret } from "../kit/redact.ts";
import { lookUp } from "../kit/resolve-id.ts";
import { one, rows } from "../kit/result.ts";
import { steadyClient } from "../kit/steady-client.ts";
import {
  expireTime,
  findToken,
  type KnownToken,
  permissionOf,
  shownTokens,
  type TokenRow,
  tokenColumns,
} from "../kit/tokens.ts";
import { chosenProfile, profileArgument, profileFinder, profileOf } from "./finder.ts";

const columns: readonly Column<TokenRow>[] = [
  ...tokenColumns,
  { key: "last_authorization", kind: "time", hidden: true },
  { key: "created_by", kind: "id", hidden: true },
];
const fields = columns.map(({ key }) => key);

const list = defineCommand({
  path: ["token", "list"],
  aliases: ["ls"],
  result: rows(columns),
  summary: "List the tokens of a profile",
  details: "Tables on a terminal show the ends of each token; every other format has it in full.",
  args: [profileArgument],
  groups: ["list"],
  examples: ["iot profile token list", "iot profile token list current --fields name,permission,last_authorization"],
  exitCodes: [4, 5, 6, 10],
  related: ["iot profile token create"],
  async run(ctx, input) {
    const { id } = await profileOf(ctx, input);
    const request = listRequest(ctx, fields);
    const { profiles } = await ctx.client();
    type Query = Parameters<typeof profiles.tokenList>[1];
    const listing = paged<TokenRow>(ctx, (page, amount) =>
      lookUp(ctx, profileFinder, id, () => profiles.tokenList(id, { ...request, page, amount } as Query)),
    );
    await ctx.out.list(listing.rows, {
      columns: shownTokens(ctx, columns),
      empty: "The profile has no tokens.",
      more: listing.more,
      idKey: "token",
    });
  },
});

const createdColumns: readonly Column<Record<string, unknown>>[] = [
  { key: "token", kind: "id" },
  { key: "name" },
  { key: "permission" },
  { key: "expire_date", kind: "time" },
  { key: "profile", kind: "id" },
];

/** Some accounts must prove themselves again before they get another token. */
async function proofOf(ctx: CommandContext, input: CommandInput): Promise<Record<string, string>> {
  if (!optionFlag(input, "password-stdin")) return {};
  const password = await secretValue(ctx, input, "password", "Password of the account");
  rememberSecret(password);
  const email = option(input, "email") ?? (await (await ctx.client()).account.info()).email;
  const otp = option(input, "otp");
  const otpType = option(input, "otp-type");
  return {
    email,
    password,
    ...(otp === undefined ? {} : { pin_code: otp }),
    ...(otpType === undefined ? {} : { otp_type: otpType }),
  };
}

const create = defineCommand({
  path: ["token", "create"],
  result: one(createdColumns),
  summary: "Create a token for a profile",
  details:
    "The token is printed once, in full: it is the result. It opens the profile for programs that use the platform. Where the " +
    "platform asks for the password again, give it with --password-stdin.",
  args: [profileArgument],
  options: [
    { name: "name", value: "text", summary: "name of the token", default: "iot" },
    {
      name: "permission",
      value: "kind",
      summary: "what it may do",
      choices: ["full", "write", "read"],
      default: "full",
    },
    { name: "expire", value: "when", summary: "30d, 2027-01-31 or never" },
    { name: "password-stdin", summary: "read the password of the account from stdin" },
    { name: "email", value: "address", summary: "e-mail that goes with the password" },
    { name: "otp-type", value: "type", summary: "kind of second factor", choices: ["authenticator", "sms", "email"] },
    { name: "otp", value: "code", summary: "one-time code" },
  ],
  groups: ["dryRun"],
  examples: [
    "iot profile token create --name report --permission read --expire 30d",
    'iot profile token create "name:Empty" --name copy --expire 1d',
  ],
  exitCodes: [3, 4, 5, 6, 10],
  related: ["iot profile token list", "iot auth login"],
  async run(ctx, input) {
    const expire = option(input, "expire");
    const wanted = {
      name: option(input, "name") ?? "iot",
      permission: permissionOf(option(input, "permission")),
      ...(expire === undefined ? {} : { expire_time: expireTime(expire, ctx.clock.now()) }),
    };
    const target = await profileOf(ctx, input);
    if (await ctx.dryRun({ method: "POST", path: `/profile/${target.id}/token`, body: wanted })) return;
    const proof = await proofOf(ctx, input);
    const { profiles } = await ctx.client();
    const created = await lookUp(ctx, profileFinder, target.id, () =>
      profiles.tokenCreate(target.id, { ...wanted, ...proof }),
    );
    if (ctx.out.format === "table" || ctx.out.format === "id") await ctx.out.value(created.token);
    else await ctx.out.item({ ...wanted, ...created }, { columns: createdColumns });
    const { label } = await ctx.connection();
    ctx.say.info(
      `Created token "${wanted.name}" (${wanted.permission}) for profile "${await target.name()}" in ${label}.`,
    );
  },
});

const goneColumns: readonly Column<KnownToken>[] = [{ key: "token" }, { key: "name" }];

const remove = defineCommand({
  path: ["token", "delete"],
  aliases: ["rm"],
  result: rows(goneColumns),
  summary: "Delete tokens of a profile",
  details: "A token is named by its name, by its ends as the list shows them (abcd…wxyz, or abcd...wxyz), or in full.",
  args: [{ name: "tokens", summary: "names or ends of the tokens", required: true, variadic: true }],
  options: [{ name: "from", value: "id", summary: "profile: full id or a unique name:… (the one of the token)" }],
  groups: ["confirm", "dryRun"],
  examples: [
    'iot profile token delete "Demo expired" --yes',
    'iot profile token delete "Empty full" --from "name:Empty" --dry-run',
  ],
  exitCodes: [4, 5, 6, 8, 10, 130],
  related: ["iot profile token list", "iot auth logout"],
  async run(ctx, input) {
    const target = await chosenProfile(ctx, option(input, "from"));
    const { profiles } = await ctx.client();
    const known: readonly TokenRow[] = await lookUp(ctx, profileFinder, target.id, () =>
      profiles.tokenList(target.id, { fields: ["name", "token", "permission"], amount: 1_000 }),
    );
    const owner = { title: "The profile", code: "profile.token_not_found", list: "iot profile token list" };
    const chosen = [...new Set(argumentList(input, "tokens").map((text) => findToken(known, text, owner)))];
    for (const { token } of ctx.flags.dryRun ? chosen : [])
      await ctx.dryRun({ method: "DELETE", path: `/profile/${target.id}/token/${maskToken(token)}` });
    if (ctx.flags.dryRun) return;
    const name = await target.name();
    const what = chosen.length === 1 ? `token "${chosen[0]?.name ?? ""}"` : `${chosen.length} tokens`;
    const own = (await ctx.connection()).token;
    if (chosen.some(({ token }) => token === own)) ctx.say.warning("One of them is the token this command uses.");
    await ctx.confirm({
      level: chosen.length === 1 ? 1 : 2,
      action: `Delete ${what} of profile "${name}"`,
      name,
      items: chosen.map((row) => `${maskToken(row.token)} ${row.name ?? ""}`),
    });
    const steady = (await steadyClient(ctx)).profiles;
    // The token in use goes last: the others are deleted with it.
    const ordered = [...chosen].sort((a, b) => Number(a.token === own) - Number(b.token === own));
    return runBatch(ctx, {
      items: ordered,
      title: (row) => `token "${row.name ?? ""}" of profile "${name}"`,
      done: "Deleted",
      unit: ["token", "tokens"],
      run: ({ token }) => steady.tokenDelete(target.id, token),
      print: (done) =>
        ctx.out.list(
          done.map((row) => ({ token: maskToken(row.token), name: row.name ?? "" })),
          { columns: goneColumns, empty: "Nothing was deleted.", idKey: "token" },
        ),
    });
  },
});

export const commands: readonly Command[] = [list, create, remove];
