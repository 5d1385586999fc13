import { basename } from "node:path";
import type { Resources } from "../../../index.ts";
import { ApiError, SdkError } from "../../../lib/core/errors.ts";
import type { DevPage } from "../../../sandbox/pages/dev-server.ts";
import { openInBrowser } from "../ask/browser.ts";
import { clientAs } from "../client/as-user.ts";
import type { Input } from "../command/options.ts";
import type { CommandContext } from "../context.ts";
import { CommandError } from "../failures/command-error.ts";
import { watchFiles } from "../files/watch.ts";
import { messageOf } from "../resource/batch.ts";
import type { pageOptions } from "./options.ts";

/** A page as it is shown, and the files it was made from. */
export interface BuiltPage {
  readonly html: string;
  readonly inputs: readonly string[];
}

type Body = Readonly<Record<string, unknown>>;

/** A page that is being written. */
export interface PageInWork {
  readonly kind: "dashboard" | "widget";
  /** Whole path. */
  readonly file: string;
  /** @throws CommandError for a page with a mistake, which is shown */
  build(): Promise<BuiltPage>;
  /** Does what the page asks for, with the client of its viewer. */
  call(client: Resources, op: string, body: Body): Promise<unknown>;
}

interface Viewer {
  readonly name: string;
  readonly client: Resources;
}

/** Those who may be chosen on the page: the profile, and the users of --as. Errors reach the page as they are: one attempt. */
async function viewersOf(ctx: CommandContext, users: readonly string[]): Promise<readonly Viewer[]> {
  const { token, api, events } = await ctx.connection();
  const { Resources: Client } = await import("../../../index.ts");
  const options = { attempts: 1 };
  const client = new Client({ ...ctx.clientOptions(), ...options, token, region: { api, sse: events } });
  const all: Viewer[] = [{ name: "Profile", client }];
  for (const user of users) {
    const { name, client: own } = await clientAs(ctx, user, { ...options, expireTime: "1 day" });
    all.push({ name: await name(), client: own });
  }
  return all;
}

/** The response of the platform, or its error: the page shows both. */
async function outcomeOf(work: Promise<unknown>): Promise<object> {
  try {
    return { result: await work };
  } catch (error) {
    if (!(error instanceof SdkError || error instanceof CommandError)) throw error;
    const status = error instanceof ApiError ? error.status : 0;
    return { error: { status, message: error.message } };
  }
}

/** Why a page could not be made, for the page around it. */
const problemOf = (error: unknown): string =>
  error instanceof CommandError ? [error.message, error.why].filter(Boolean).join("\n") : messageOf(error);

/** Builds the page, and again after every change of its files. */
async function follow(ctx: CommandContext, { build, file }: PageInWork, page: DevPage): Promise<{ close(): void }> {
  const first = await build();
  let { inputs } = first;
  page.show(first.html);
  let work = Promise.resolve();
  const again = async (): Promise<void> => {
    try {
      const next = await build();
      inputs = next.inputs;
      page.show(next.html);
      ctx.say.info(`${basename(file)} has changed.`);
    } catch (error) {
      page.fail(problemOf(error));
      ctx.say.warning(problemOf(error));
    }
  };
  return watchFiles(
    () => inputs,
    () => {
      work = work.then(again);
    },
  );
}

/** Serves a page until --for or Ctrl-C. */
export async function showPage(
  ctx: CommandContext,
  { options }: Input<[], typeof pageOptions>,
  inWork: PageInWork,
): Promise<void> {
  const viewers = await viewersOf(ctx, options.as);
  const { servePage } = await import("../../../sandbox/pages/dev-server.ts");
  const page = await servePage({
    command: `iot ${inWork.kind} dev`,
    settings: {
      kind: inWork.kind,
      title: basename(inWork.file),
      viewers: viewers.map(({ name }) => name),
      viewer: viewers.length > 1 ? 1 : 0,
      theme: options.theme ?? "light",
    },
    port: options.port,
    call: ({ viewer, op, ...body }) => {
      const client = viewers[Number(viewer)]?.client;
      if (client === undefined) throw new CommandError("Unknown viewer.", { code: "input.invalid", exit: 3 });
      return outcomeOf(inWork.call(client, String(op), body));
    },
  });
  try {
    const following = await follow(ctx, inWork, page);
    try {
      await ctx.out.value(page.url);
      ctx.say.info(`Showing ${basename(inWork.file)} with data of ${await ctx.where()}. Ctrl-C stops.`);
      if (options.browser && ctx.io.stdoutIsTerminal && ctx.canPrompt) await openInBrowser(ctx, page.url);
      // Ends by --for, or by Ctrl-C.
      await ctx.clock.sleep(options.for ?? Number.POSITIVE_INFINITY).catch((error: unknown) => {
        if (!ctx.signal.aborted) throw error;
      });
    } finally {
      following.close();
    }
  } finally {
    await page.close();
  }
}
