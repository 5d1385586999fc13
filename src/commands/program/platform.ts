import type { Transport } from "../../index.ts";
import { confirmChange } from "../kit/ask/confirm.ts";
import type { CommandClock, CommandContext, Connection, Prompts, RequestOptions, Target } from "../kit/context.ts";
import { CommandError } from "../kit/failures/command-error.ts";
import { once } from "../kit/once.ts";
import { type ConnectSources, chooseTarget, connect } from "../kit/settings/connect.ts";
import { isStoredSource, readCredentials } from "../kit/settings/credentials.ts";
import { createWhere } from "../kit/settings/where.ts";
import { clientOptions } from "./client-options.ts";
import { createGate, guardTransport } from "./gate.ts";

/** How the platform is reached. */
export interface PlatformSetup {
  /** Certificates to trust besides the usual ones. Throws when `--ca-file` could not be read. */
  readonly ca?: () => string | undefined;
  /** Replaces the library's own, for `--verbose` and `--debug`. */
  readonly transport?: Transport;
  /** Environment whose name was given before this run: its gate is open. */
  readonly opened?: string | undefined;
  /** Replaces the clock of the system. */
  readonly clock?: CommandClock | undefined;
  /** The context next to this one, for a command that works with two environments. */
  readonly beside?: { target(): Promise<Target> };
}

/** What a context has before it is asked for its platform. */
export type Surroundings = Pick<
  CommandContext,
  "io" | "env" | "cwd" | "path" | "flags" | "signal" | "clock" | "limits" | "status" | "say" | "canPrompt" | "user"
>;

/** What a context knows of its platform. */
type Platform = Pick<
  CommandContext,
  "target" | "connection" | "where" | "label" | "gate" | "clientOptions" | "client" | "deviceClient" | "confirm"
>;

/** Finds out where requests go, and with what, on the first use of each. */
export function createPlatform(
  setup: PlatformSetup,
  { io, env, flags, signal, status, say, canPrompt, user: { config: user, settings } }: Surroundings,
  prompts: () => Promise<Prompts>,
): Platform {
  const sources = async (): Promise<ConnectSources> => {
    const { resolveRegion } = await import("../../lib/core/regions.ts");
    return { env, user, settings, credentials: () => readCredentials(env, say.warning), resolveRegion };
  };
  const target = once(async () => chooseTarget(await sources()));
  const connection = once(async (): Promise<Connection> => {
    const found = connect(await sources());
    await requireOwnToken(found, setup.beside);
    warnOfExpiry(found, say.warning);
    return found;
  });
  const whereOf = createWhere({ target, connection, clientOptions: () => options() });
  const gate = createGate({ flags, canPrompt, prompts, target, where: whereOf, opened: setup.opened });
  let made: RequestOptions | undefined;
  const options = (): RequestOptions => {
    const { transport, ca, clock } = setup;
    const guard = (load: () => Promise<Transport>): Transport =>
      guardTransport(load, transport?.name ?? "http", gate, target);
    made ??= clientOptions({ flags, signal, status, say, transport, clock, ca: ca?.(), guard });
    return made;
  };
  const parameters = async (token?: string) => {
    const { api, events, token: own } = await connection();
    return { ...options(), token: token ?? own, region: { api, sse: events } };
  };
  return {
    target,
    connection,
    where: () => whereOf(true),
    label: () => whereOf(false),
    gate,
    clientOptions: options,
    client: once(async () => new (await import("../../lib/resources/resources.ts")).Resources(await parameters())),
    deviceClient: async (token) => new (await import("../../lib/clients/device.ts")).Device(await parameters(token)),
    async confirm(question) {
      const given = gate.isAnswered ? { givenName: (await target()).envName } : {};
      await confirmChange({ io, flags, canPrompt, prompts, where: whereOf, ...given }, question);
    },
  };
}

/** A token of a variable belongs to the environment in use: it is not sent to the other one, if that is elsewhere. */
async function requireOwnToken(found: Connection, beside: PlatformSetup["beside"]): Promise<void> {
  if (beside === undefined || isStoredSource(found.tokenSource)) return;
  if (new URL(found.api).origin === new URL((await beside.target()).api).origin) return;
  throw new CommandError(`There is no credential for ${found.label}.`, {
    code: "auth.missing",
    exit: 4,
    why: `${found.tokenSource} is for the environment in use, and is not sent to another environment.`,
    next: `Run "iot auth login --env ${found.envName}".`,
  });
}

const warnBeforeMs = 7 * 86_400_000;

function warnOfExpiry({ expiresAt, envName }: Connection, warn: (text: string) => void): void {
  if (!(expiresAt instanceof Date) || Number.isNaN(expiresAt.getTime())) return;
  const left = expiresAt.getTime() - Date.now();
  if (left > warnBeforeMs) return;
  const login = `run "iot auth login${envName === "" ? "" : ` --env ${envName}`}"`;
  if (left > 0) warn(`The token expires on ${expiresAt.toISOString().slice(0, 10)}; ${login} for a new one.`);
  else {
    throw new CommandError("The stored token has expired.", {
      code: "auth.expired",
      exit: 4,
      why: `It was valid until ${expiresAt.toISOString()}.`,
      next: `${login.charAt(0).toUpperCase()}${login.slice(1)}.`,
    });
  }
}
