import { argumentList, option, optionFlag } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, type CommandInput, defineCommand } from "../kit/command/define.ts";
import { one, rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { secretValue } from "../kit/resource/body.ts";
import { lookUp } from "../kit/resource/resolve-id.ts";
import {
  deleteTokens,
  goneColumns,
  printNewToken,
  printTokens,
  tokenName,
  tokenOptions,
  wantedToken,
} from "../kit/resource/token-commands.ts";
import { findToken, type TokenRow, tokenColumns } from "../kit/resource/tokens.ts";
import { rememberSecret } from "../kit/say/redact.ts";
import { steadyClient } from "../kit/steady-client.ts";
import { chosenProfile, profileArgument, profileFinder, profileOf } from "./finder.ts";

const columns: readonly Column<TokenRow>[] = [
  ...tokenColumns,
  { key: "last_authorization", kind: "time", hidden: true },
  { key: "created_by", kind: "id", hidden: true },
];

const list = defineCommand({
  path: ["token", "list"],
  aliases: ["ls"],
  result: rows(columns),
  effect: "reads",
  summary: "List the tokens of a profile",
  details: "Tables on a terminal show the ends of each token; every other format has it in full.",
  args: [profileArgument],
  groups: ["list"],
  examples: ["iot profile token list", "iot profile token list current --fields name,permission,last_authorization"],
  exitCodes: [4, 5, 6, 10],
  related: ["iot profile token create"],
  async run(ctx, input) {
    const { id } = await profileOf(ctx, input);
    const { profiles } = await ctx.client();
    type Query = Parameters<typeof profiles.tokenList>[1];
    await printTokens(ctx, columns, "The profile has no tokens.", (request) =>
      lookUp(ctx, profileFinder, id, () => profiles.tokenList(id, request as Query)),
    );
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
  effect: "changes",
  summary: "Create a token for a profile",
  details:
    "The token is printed once, in full: it is the result. It opens the profile for programs that use the platform. Where the " +
    "platform asks for the password again, give it with --password-stdin.",
  args: [profileArgument],
  options: [
    tokenName,
    ...tokenOptions,
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
    const wanted = wantedToken(ctx, input);
    const target = await profileOf(ctx, input);
    if (await ctx.dryRun({ method: "POST", path: `/profile/${target.id}/token`, body: wanted })) return;
    const proof = await proofOf(ctx, input);
    const { profiles } = await ctx.client();
    const created = await lookUp(ctx, profileFinder, target.id, () =>
      profiles.tokenCreate(target.id, { ...wanted, ...proof }),
    );
    await printNewToken(ctx, { ...wanted, ...created }, createdColumns);
    const { label } = await ctx.connection();
    ctx.say.info(
      `Created token "${wanted.name}" (${wanted.permission}) for profile "${await target.name()}" in ${label}.`,
    );
  },
});

const remove = defineCommand({
  path: ["token", "delete"],
  aliases: ["rm"],
  result: rows(goneColumns),
  effect: "deletes",
  summary: "Delete tokens of a profile",
  details: "A token is named by its name, by its ends as the list shows them (abcd…wxyz, or abcd...wxyz), or in full.",
  args: [{ name: "tokens", summary: "names or ends of the tokens", required: true, variadic: true }],
  options: [
    {
      name: "from",
      value: "id",
      summary: "profile: full id or a unique name:… (the one of the token)",
      leadsAway: true,
    },
  ],
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
    const { token: own } = await ctx.connection();
    return deleteTokens(ctx, {
      // The token in use goes last: the others are deleted with it.
      chosen: chosen.sort((a, b) => Number(a.token === own) - Number(b.token === own)),
      path: (shown) => `/profile/${target.id}/token/${shown}`,
      unit: ["token", "tokens"],
      async about() {
        const name = await target.name();
        if (chosen.some(({ token }) => token === own)) ctx.say.warning("One of them is the token this command uses.");
        return { of: ` of profile "${name}"`, name };
      },
      async remover() {
        const { profiles: steady } = await steadyClient(ctx);
        return (token) => steady.tokenDelete(target.id, token);
      },
    });
  },
});

export const commands: readonly Command[] = [list, create, remove];
