import { countOf } from "../../../text/count.ts";
import { openInBrowser } from "../ask/browser.ts";
import type { Effect } from "../command/define.ts";
import type { Input, Options } from "../command/options.ts";
import type { CommandContext } from "../context.ts";
import { afterMs } from "../long-wait.ts";
import { profileOf } from "../settings/where.ts";
import { type Journal, withRun } from "../state/journal.ts";
import { type ReachedAccount, reachAccount } from "./account.ts";
import { type Favourites, favouritesOf } from "./favourites.ts";

/** The flags of the commands that open a console. */
export const consoleOptions = [
  {
    name: "write",
    summary: "let the page edit dashboards and write through widgets; asks for the name",
    leadsAway: true,
  },
  { name: "browser", summary: "only print the URL", negatable: true },
  { name: "for", kind: "duration", summary: "stop after this time" },
] as const satisfies Options;

type Given = Input<[], typeof consoleOptions>["options"];

/** Only a console that may write changes the platform. */
export const consoleEffect = {
  most: "changes",
  of: ({ options }: { readonly options: Pick<Given, "write"> }): Effect => (options.write ? "changes" : "reads"),
} as const;

/** Starts the server; it is handed in, since it belongs to the sandbox. */
type Start = (
  account: ReachedAccount & {
    readonly label: string;
    readonly profileId: string;
    readonly mayWrite: boolean;
    readonly favourites: Favourites;
    onWrite(request: { readonly method: string; readonly path: string }): void;
  },
) => Promise<{ pageAddress(view: string): string; close(): Promise<void> }>;

/** Serves the console of the environment in use until the command is stopped. */
export async function serveAccount(ctx: CommandContext, given: Given, view: string, start: Start): Promise<void> {
  if (!given.write) return serve(ctx, { given, view, start, onWrite: () => undefined });
  await confirmWrites(ctx);
  const { api } = await ctx.target();
  const key = ["console", api, new Date(ctx.clock.now()).toISOString(), String(process.pid)];
  await withRun(ctx, { key, content: undefined, what: "console" }, true, async (journal) => {
    let writes = 0;
    const onWrite = ({ method, path }: { readonly method: string; readonly path: string }): void => {
      writes += 1;
      note(ctx, journal, writes, `${method} ${path.split("?", 1)[0]}`);
    };
    await serve(ctx, { given, view, start, onWrite });
    if (writes === 0) journal.finish();
    else ctx.say.info(`${countOf(writes, "change")} sent; the journal has each with its time.`);
  });
}

const note = (ctx: CommandContext, journal: Journal, number: number, line: string): void =>
  journal.add(`${number} ${new Date(ctx.clock.now()).toISOString()}`, line);

/** As in a protected environment, in every one. */
async function confirmWrites(ctx: CommandContext): Promise<void> {
  const { envName, api } = await ctx.target();
  await ctx.confirm({ level: 2, action: "Open a console that can write", name: envName || new URL(api).host });
}

interface Serving {
  readonly given: Given;
  readonly view: string;
  readonly start: Start;
  readonly onWrite: (request: { readonly method: string; readonly path: string }) => void;
}

async function serve(ctx: CommandContext, { given, view, start, onWrite }: Serving): Promise<void> {
  const connection = await ctx.connection();
  const account = await reachAccount(ctx);
  const profile = await profileOf(ctx, connection, connection.token);
  const label = await ctx.where();
  const profileId = profile?.id ?? "";
  const favourites = favouritesOf(ctx.env, `${connection.api} ${profileId}`);
  // A file that cannot be read is named here, not in the page.
  favourites.read();
  const console = await start({ ...account, label, profileId, mayWrite: given.write, favourites, onWrite });
  try {
    const address = console.pageAddress(view);
    await ctx.out.value(address);
    const mode = given.write ? "It can write" : "It only reads";
    ctx.say.info(`Console of ${label}. ${mode}; the URL works once, within one minute. Stop it with Ctrl-C.`);
    if (given.browser && ctx.io.stdoutIsTerminal && ctx.canPrompt) await openInBrowser(ctx, address);
    await ended(ctx, given.for);
  } finally {
    await console.close();
  }
}

function ended({ signal }: CommandContext, forMs = Number.POSITIVE_INFINITY): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      cancel();
      resolve();
    };
    const cancel = afterMs(forMs, () => {
      signal.removeEventListener("abort", stop);
      resolve();
    });
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
