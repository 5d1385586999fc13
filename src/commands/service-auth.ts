import { argument, argumentList, option, optionFlag } from "./kit/command/arguments.ts";
import type { Column } from "./kit/command/columns.ts";
import { type Command, type CommandInput, defineCommand } from "./kit/command/define.ts";
import { one, rows } from "./kit/command/result.ts";
import type { CommandContext } from "./kit/context.ts";
import { usageError } from "./kit/failures/command-error.ts";
import { needMembers, secretValue } from "./kit/resource/body.ts";
import { refuseTags } from "./kit/resource/paging.ts";
import {
  deleteTokens,
  goneColumns,
  printNewToken,
  printTokens,
  tokenOptions,
  wantedToken,
} from "./kit/resource/token-commands.ts";
import { findToken, shownTokens, type TokenOwner, type TokenRow, tokenColumns } from "./kit/resource/tokens.ts";
import { maskToken, rememberSecret } from "./kit/say/redact.ts";
import { steadyClient } from "./kit/steady-client.ts";

const columns: readonly Column<TokenRow>[] = [
  ...tokenColumns,
  { key: "last_authorization", kind: "time", hidden: true },
  { key: "serie_number", hidden: true },
];

const owner: TokenOwner = {
  title: "The profile",
  code: "service_auth.token_not_found",
  list: "iot service-auth list",
};

const named = "name of an authorization, its ends as the list shows them (abcd…wxyz), or all of it";

async function known(ctx: CommandContext): Promise<readonly TokenRow[]> {
  const { serviceAuthorization } = await ctx.client();
  return serviceAuthorization.tokenList({ fields: ["name", "token", "permission", "expire_time"], amount: 1_000 });
}

const list = defineCommand({
  path: ["list"],
  result: rows(columns),
  aliases: ["ls"],
  effect: "reads",
  summary: "List the service authorizations of the profile",
  details: "Tables on a terminal show the ends of each token; every other format has it in full.",
  options: [{ name: "name", value: "text", summary: "authorizations with this name; * stands for any text" }],
  groups: ["list"],
  examples: ["iot service-auth list", "iot service-auth list --fields name,permission,expire_time"],
  exitCodes: [4, 5, 10],
  related: ["iot service-auth create"],
  async run(ctx, input) {
    refuseTags(ctx, "service authorizations");
    const name = option(input, "name");
    const { serviceAuthorization } = await ctx.client();
    type Query = Parameters<typeof serviceAuthorization.tokenList>[0];
    await printTokens(ctx, columns, "No service authorizations match.", ({ filter, ...request }) => {
      const named = name === undefined ? filter : { ...filter, name };
      return serviceAuthorization.tokenList({ ...request, filter: named } as Query);
    });
  },
});

const createdColumns: readonly Column<Record<string, unknown>>[] = [
  { key: "token", kind: "id" },
  { key: "name" },
  { key: "profile", kind: "id" },
];

const create = defineCommand({
  path: ["create"],
  result: one(createdColumns),
  effect: "changes",
  summary: "Create a service authorization",
  details:
    "The token is printed once, in full: it is the result. Networks send it along with data of any device of the profile. " +
    "The additional parameter that some networks need for downlinks is read from stdin with --code-stdin.",
  options: [
    { name: "name", value: "text", summary: "name of the authorization" },
    ...tokenOptions,
    { name: "code-stdin", summary: "read the additional parameter from stdin" },
  ],
  groups: ["dryRun"],
  examples: [
    'iot service-auth create --name "Field network" --expire never',
    'echo 5EED-CODE | iot service-auth create --name "With downlinks" --code-stdin',
  ],
  exitCodes: [3, 4, 5, 10],
  related: ["iot service-auth list", "iot device downlink"],
  async run(ctx, input) {
    const name = option(input, "name") ?? "";
    needMembers({ name }, "service authorization", { name: '--name "Field network"' });
    const code = optionFlag(input, "code-stdin") ? await readCode(ctx, input) : undefined;
    const body = { ...wantedToken(ctx, input), ...(code === undefined ? {} : { verification_code: code }) };
    const shown = code === undefined ? body : { ...body, verification_code: "…" };
    if (await ctx.dryRun({ method: "POST", path: "/serviceauth", body: shown })) return;
    const { serviceAuthorization } = await ctx.client();
    const { additional_parameters: _, ...created } = await serviceAuthorization.tokenCreate(body);
    await printNewToken(ctx, created, createdColumns);
    ctx.say.info(`Created service authorization "${name}" (${body.permission}) in ${(await ctx.connection()).label}.`);
  },
});

async function readCode(ctx: CommandContext, input: CommandInput): Promise<string> {
  const code = await secretValue(ctx, input, "code", "Additional parameter:");
  rememberSecret(code);
  return code;
}

const update = defineCommand({
  path: ["update"],
  result: one(columns),
  aliases: ["edit"],
  effect: "changes",
  summary: "Change the additional parameter of a service authorization",
  details: "The parameter is asked for without echo, or read from stdin with --code-stdin; --remove-code takes it off.",
  args: [{ name: "token", summary: named, required: true }],
  options: [
    { name: "code-stdin", summary: "read the new additional parameter from stdin" },
    { name: "remove-code", summary: "take the additional parameter off" },
  ],
  groups: ["dryRun"],
  examples: [
    'echo 5EED-CODE | iot service-auth update "Old gateway" --code-stdin',
    'iot service-auth update "Old gateway" --remove-code --dry-run',
  ],
  exitCodes: [3, 4, 5, 6, 10],
  related: ["iot service-auth list"],
  async run(ctx, input) {
    const isRemoved = optionFlag(input, "remove-code");
    if (isRemoved && optionFlag(input, "code-stdin")) {
      throw usageError("--remove-code and --code-stdin exclude each other.", { next: "Give one of the two." });
    }
    const code = isRemoved ? undefined : await readCode(ctx, input);
    const chosen = findToken(await known(ctx), argument(input, "token") ?? "", owner);
    const body = isRemoved ? {} : { verification_code: "…" };
    if (await ctx.dryRun({ method: "PUT", path: `/serviceauth/${maskToken(chosen.token)}`, body })) return;
    const { serviceAuthorization } = await ctx.client();
    await serviceAuthorization.tokenEdit(chosen.token, code);
    await ctx.out.item(chosen, { columns: shownTokens(ctx, columns), idKey: "token" });
    ctx.say.info(
      `${isRemoved ? "Took the additional parameter off" : "Changed the additional parameter of"} service authorization "${chosen.name ?? ""}" in ${(await ctx.connection()).label}.`,
    );
  },
});

const remove = defineCommand({
  path: ["delete"],
  result: rows(goneColumns),
  aliases: ["rm"],
  effect: "deletes",
  summary: "Delete service authorizations",
  args: [{ name: "tokens", summary: named, required: true, variadic: true }],
  groups: ["confirm", "dryRun"],
  examples: [
    'iot service-auth delete "Old gateway" --dry-run',
    'iot service-auth delete "Old gateway" "LoRaWAN Demo" --dry-run',
  ],
  exitCodes: [4, 5, 6, 8, 10, 130],
  related: ["iot service-auth list"],
  async run(ctx, input) {
    const all = await known(ctx);
    const chosen = [...new Set(argumentList(input, "tokens").map((text) => findToken(all, text, owner)))];
    return deleteTokens(ctx, {
      chosen,
      path: (shown) => `/serviceauth/${shown}`,
      unit: ["service authorization", "service authorizations"],
      async about() {
        const [first] = chosen;
        const { envName } = await ctx.connection();
        const single = chosen.length === 1 ? first?.name : undefined;
        return { of: "", name: single ?? (envName || "authorizations") };
      },
      async remover() {
        const { serviceAuthorization } = await steadyClient(ctx);
        return (token) => serviceAuthorization.tokenDelete(token);
      },
    });
  },
});

export const commands: readonly Command[] = [list, create, update, remove];
