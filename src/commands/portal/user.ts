import type { RunUser } from "../../index.ts";
import type { Input, OptionSpec } from "../kit/command/options.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { runUserFinder } from "../kit/finders/run-user.ts";
import { lookUp, type ResourceTarget, resolveId } from "../kit/resource/resolve-id.ts";
import { rememberSecret } from "../kit/say/redact.ts";
import { withOtherToken } from "../kit/settings/other-token.ts";

/** The portal of the examples. */
export const exampleHost = "65a1000000000000000f0001.tago.run";

/** Host of the portal. */
export const portalOption = {
  name: "portal",
  value: "host",
  summary: "hostname of the portal: acme.run.example.org",
} as const satisfies OptionSpec;

/** Flags of the commands that act as a user. */
export const userOptions = [
  portalOption,
  { name: "user", value: "id", summary: "act as this user with a profile token: id, name:… or tag:…" },
] as const satisfies readonly OptionSpec[];

type PortalInput = Input<[], [typeof portalOption]>;
type UserInput = Input<[], typeof userOptions>;

export const userDetails =
  'Requires the token of a portal user, as printed by "iot portal login". With a profile token, choose ' +
  "the user with --user instead: this creates a login that lasts ten minutes, and --portal is optional.";

/** Time a login lasts that is made for one command. */
const LOGIN_LIFETIME = "10 minutes";

/** The host of `--portal`. */
function portalHost(input: PortalInput): string | undefined {
  const text = input.options.portal;
  if (text === undefined) return undefined;
  const host = text.replace(/^https?:\/\//, "").replace(/\/+$/, "");
  if (/^[\w.-]+(:\d+)?$/.test(host)) return host;
  throw usageError(`Invalid value ${quote(text)} for --portal.`, {
    next: 'Give a hostname such as acme.run.example.org; "iot run get" shows the profile\'s.',
  });
}

/** As `portalHost`, for commands that cannot ask for it. */
export function needHost(input: PortalInput): string {
  const host = portalHost(input);
  if (host !== undefined) return host;
  throw usageError("--portal is required.", {
    code: "usage.missing_value",
    next: 'Give the hostname of the portal; "iot run get" shows the profile\'s.',
  });
}

/** Who acts, and where. */
export interface PortalUser {
  readonly host: string;
  /** Runs a call as the user. */
  act<T>(call: (user: RunUser, host: string) => Promise<T>): Promise<T>;
}

/** The user of the command line. Nothing is sent that changes anything before `act`. */
export async function portalUser(ctx: CommandContext, input: UserInput): Promise<PortalUser> {
  const named = input.options.user;
  if (named !== undefined) return namedUser(ctx, input, await resolveId(ctx, runUserFinder, named));
  const host = needHost(input);
  const { token } = await ctx.connection();
  const next = 'Log in with "iot portal login", or choose the user with --user.';
  return {
    host,
    act: async (call) => {
      const user = await userWith(ctx, token);
      return withOtherToken(ctx, { what: "a portal user", next }, () => call(user, host));
    },
  };
}

async function namedUser(ctx: CommandContext, input: UserInput, { id }: ResourceTarget): Promise<PortalUser> {
  const { run } = await ctx.client();
  const host = portalHost(input) ?? (await run.info()).url;
  let made: Promise<string> | undefined;
  const token = async (): Promise<string> => {
    const login = await lookUp(ctx, runUserFinder, id, () => run.loginAsUser(id, { expire_time: LOGIN_LIFETIME }));
    return login.token;
  };
  return {
    host,
    act: async (call) => {
      made ??= token();
      return call(await userWith(ctx, await made), host);
    },
  };
}

async function userWith(ctx: CommandContext, token: string): Promise<RunUser> {
  rememberSecret(token);
  const { api, events } = await ctx.connection();
  const { RunUser: Client } = await import("../../lib/clients/run-user.ts");
  return new Client({ ...ctx.clientOptions(), token, region: { api, sse: events } });
}

/** A call without a token, as anybody may make it. The static methods of the client know no proxy and no retries. */
export async function anonymousCall(
  ctx: CommandContext,
  request: { readonly method: "GET" | "POST"; readonly path: string; readonly body?: object },
): Promise<unknown> {
  const { api, events } = await ctx.target();
  const { rawRequest } = await import("../../lib/api/raw.ts");
  const reply = await rawRequest({ ...ctx.clientOptions(), region: { api, sse: events } }, request);
  return reply.result;
}

/** A path of the portal, its parts encoded. Half a character, which a name from the platform may hold, cannot be. */
export function portalPath(host: string, ...parts: readonly string[]): string {
  const encoded = (part: string): string => encodeURIComponent(part.replace(/\p{Surrogate}/gu, "\ufffd"));
  return `/run/${[host, ...parts].map(encoded).join("/")}`;
}
