import { defined } from "../../lib/core/defined.ts";
import type { Command } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { chosenProfile, profileArgument, profileFinder } from "../kit/finders/profile.ts";
import { secretValue } from "../kit/resource/body.ts";
import { tokens } from "../kit/resource/token-commands.ts";
import { tokenColumns } from "../kit/resource/tokens.ts";
import { rememberSecret } from "../kit/say/redact.ts";

const proofOptions = [
  { name: "password-stdin", summary: "read the account password from stdin" },
  { name: "email", value: "address", summary: "email address of the account", needs: ["password-stdin"] },
  {
    name: "otp-type",
    value: "type",
    summary: "two-factor authentication type",
    choices: ["authenticator", "sms", "email"],
    needs: ["password-stdin"],
  },
  { name: "otp", value: "code", summary: "one-time code", needs: ["password-stdin"] },
] as const satisfies Options;

/** Some accounts must prove themselves again before they get another token. */
async function proofOf(ctx: CommandContext, input: Input<[], typeof proofOptions>): Promise<Record<string, string>> {
  const { passwordStdin, otp, otpType } = input.options;
  if (ctx.flags.dryRun || !passwordStdin) return {};
  const password = await secretValue(ctx, input, "password", "Account password");
  rememberSecret(password);
  const email = input.options.email ?? (await (await ctx.client()).account.info()).email;
  return defined({ email, password, pin_code: otp, otp_type: otpType });
}

const { list, create, remove } = tokens({
  words: ["profile", "token"],
  code: "profile.token_not_found",
  unit: ["token", "tokens"],
  owner: {
    finder: profileFinder,
    argument: profileArgument,
    from: {
      name: "from",
      value: "id",
      summary: "profile: full id or a unique name:… (the token's profile)",
      leadsAway: true,
    },
    target: chosenProfile,
  },
  columns: [
    ...tokenColumns,
    { key: "last_authorization", kind: "time", hidden: true },
    { key: "created_by", kind: "id", hidden: true },
  ],
  createdColumns: [
    { key: "token", kind: "id" },
    { key: "name" },
    { key: "permission" },
    { key: "expire_date", kind: "time" },
    { key: "profile", kind: "id" },
  ],
  route: (profile) => ({ path: `/profile/${profile}/token` }),
  api: ({ profiles }, id) => ({
    list: profiles.tokenList.bind(profiles, id),
    async create(wanted) {
      const { name, expire_time } = wanted;
      const created = await profiles.tokenCreate(id, wanted);
      return { name, ...defined({ expire_time }), ...created };
    },
    delete: profiles.tokenDelete.bind(profiles, id),
  }),
  list: {
    examples: ["iot profile token list", "iot profile token list current --fields name,permission,last_authorization"],
  },
  create: {
    details:
      "Prints the token once, in full; save it now. Programs use it to access the profile. If the platform asks for " +
      "the password again, pass it with --password-stdin.",
    options: proofOptions,
    examples: [
      "iot profile token create --name report --permission read --expire 30d",
      'iot profile token create "name:Empty" --name copy --expire 1d',
    ],
    related: ["iot auth login"],
    add: proofOf,
  },
  delete: {
    examples: [
      'iot profile token delete "Demo expired" --yes',
      'iot profile token delete "Empty full" --from "name:Empty" --dry-run',
    ],
    related: ["iot auth logout"],
    /** The token in use goes last: the others are deleted with it. */
    async order(ctx, chosen) {
      const { token: own } = await ctx.connection();
      if (!ctx.flags.dryRun && chosen.some(({ token }) => token === own)) {
        ctx.say.warning("This deletes the token that this command uses.");
      }
      return chosen.toSorted((a, b) => Number(a.token === own) - Number(b.token === own));
    },
  },
});

export const commands: readonly Command[] = [list, create, remove];
