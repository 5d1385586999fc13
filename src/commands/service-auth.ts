import { type Command, defineCommand } from "./kit/command/define.ts";
import type { Input, Options } from "./kit/command/options.ts";
import { one } from "./kit/command/result.ts";
import type { CommandContext } from "./kit/context.ts";
import { secretValue } from "./kit/resource/body.ts";
import { findingOf, knownTokens, type TokensSpec, tokens, type WantedToken } from "./kit/resource/token-commands.ts";
import { findToken, tokenColumns } from "./kit/resource/tokens.ts";
import { maskToken, rememberSecret } from "./kit/say/redact.ts";

const named = "name, masked token as listed (abcd…wxyz), or full token";

const createOptions = [
  { name: "code-stdin", summary: "read the additional parameter from stdin" },
] as const satisfies Options;

const spec: TokensSpec<typeof createOptions> = {
  words: ["service-auth"],
  code: "service_auth.token_not_found",
  unit: ["service authorization", "service authorizations"],
  named,
  columns: [
    ...tokenColumns,
    { key: "last_authorization", kind: "time", hidden: true },
    { key: "serie_number", hidden: true },
  ],
  createdColumns: [{ key: "token", kind: "id" }, { key: "name" }, { key: "profile", kind: "id" }],
  route: () => ({ path: "/serviceauth" }),
  api: ({ serviceAuthorization: api }) => ({
    list: api.tokenList.bind(api),
    async create(wanted: WantedToken) {
      const { additional_parameters: _, ...created } = await api.tokenCreate(wanted);
      return created;
    },
    delete: api.tokenDelete.bind(api),
  }),
  list: {
    filters: [{ name: "name", value: "text", summary: "authorizations with this name; * matches any text" }],
    examples: ["iot service-auth list", "iot service-auth list --fields name,permission,expire_time"],
  },
  create: {
    needed: '--name "Field network"',
    details:
      "Prints the token once, in full; save it now. Networks send it with the data of any device of the profile. " +
      "Some networks need an additional parameter for downlinks; pass it on stdin with --code-stdin.",
    options: createOptions,
    examples: [
      'iot service-auth create --name "Field network" --expire never',
      'echo 5EED-CODE | iot service-auth create --name "With downlinks" --code-stdin',
    ],
    related: ["iot device downlink"],
    async add(ctx, input) {
      if (!input.options.codeStdin) return {};
      const code = await readCode(ctx, input);
      return { verification_code: ctx.flags.dryRun ? "…" : code };
    },
  },
  delete: {
    examples: [
      'iot service-auth delete "Old gateway" --dry-run',
      'iot service-auth delete "Old gateway" "LoRaWAN Demo" --dry-run',
    ],
  },
};

async function readCode(ctx: CommandContext, input: Input<[], typeof createOptions>): Promise<string> {
  const code = await secretValue(ctx, input, "code", "Additional parameter:");
  rememberSecret(code);
  return code;
}

const update = defineCommand({
  path: ["update"],
  result: one(spec.columns),
  aliases: ["edit"],
  effect: "changes",
  summary: "Update the additional parameter of an authorization",
  details:
    "Prompts for the parameter without echo, or reads it from stdin with --code-stdin. --remove-code removes it.",
  args: [{ name: "token", summary: named, required: true }],
  options: [
    { name: "code-stdin", summary: "read the new additional parameter from stdin" },
    { name: "remove-code", summary: "remove the additional parameter", conflicts: ["code-stdin"] },
  ],
  examples: [
    'echo 5EED-CODE | iot service-auth update "Old gateway" --code-stdin',
    'iot service-auth update "Old gateway" --remove-code --dry-run',
  ],
  exitCodes: [3, 6],
  related: ["iot service-auth list"],
  async run(ctx, input) {
    const isRemoved = input.options.removeCode;
    const code = isRemoved ? undefined : await readCode(ctx, input);
    const chosen = findToken(await knownTokens(ctx, spec, ""), input.args.token, findingOf(spec));
    const body = isRemoved ? {} : { verification_code: "…" };
    if (await ctx.dryRun({ method: "PUT", path: `/serviceauth/${maskToken(chosen.token)}`, body })) return;
    const { serviceAuthorization } = await ctx.client();
    await serviceAuthorization.tokenEdit(chosen.token, code);
    await ctx.out.item(chosen, { columns: spec.columns, idKey: "token" });
    await ctx.done(
      `${isRemoved ? "Removed the additional parameter of" : "Updated the additional parameter of"} service authorization "${chosen.name ?? ""}"`,
    );
  },
});

const { list, create, remove } = tokens(spec);

export const commands: readonly Command[] = [list, create, update, remove];
