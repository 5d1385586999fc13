import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { VERSION } from "../../lib/core/version.ts";
import { realClock } from "../core/clock.ts";
import { PlatformError } from "../core/platform-error.ts";
import { readJson, readText } from "../http/body.ts";
import { failureReply, successReply } from "../http/envelope.ts";
import { checkHost } from "../http/host-check.ts";
import { Inspection, refuseStrangers } from "../http/inspection-key.ts";
import { createListener } from "../http/listener.ts";
import { type Reply, send } from "../http/respond.ts";
import type { Exchange } from "../http/router.ts";
import { CONSOLE_CHANNEL, tellConsole } from "../stream/console-events.ts";
import { StreamHub } from "../stream/hub.ts";
import { ShownDevices } from "./account-devices.ts";
import { AccountFeed, type Follow } from "./account-feed.ts";
import { READ_EVERY_MS, RecentReads } from "./account-reads.ts";
import { type Passed, passed } from "./account-routes.ts";
import { changedFavourites, MAX_FAVOURITES_BYTES } from "./favourites.ts";
import { consoleFile, unstored } from "./files.ts";

const HOST = "127.0.0.1";
const MAX_BODY_BYTES = 1024 * 1024;
/** Pages read again this much later than they may: the clock of a read starts here after theirs. */
const LATER_MS = 1_000;
/** The header of a request that gets no held response. */
const FRESH = "x-console-fresh";
/** How often pages get the number of requests sent. */
const USED_EVERY_MS = 1_000;

/** The account that a console is for. This alone knows its token. */
export interface Account {
  /** Environment and profile, for people. */
  readonly label: string;
  readonly profileId: string;
  readonly mayWrite: boolean;
  /** Sends a request with the token; resolves to the response of the platform, without secrets. */
  send(
    request: Pick<Passed, "method" | "path"> & { readonly body?: unknown },
  ): Promise<{ readonly status: number; readonly body: unknown }>;
  readonly follow: Follow;
  /** Requests sent so far, attempts included. */
  used(): number;
  /** The dashboards that the user has marked, which only this machine knows. */
  readonly favourites: { read(): readonly string[]; write(dashboards: readonly string[]): void };
  /** Called before something is changed. */
  onWrite(request: { readonly method: string; readonly path: string }): void;
}

/** A console that runs. */
export interface AccountConsole {
  /** An address that opens a page once, within a minute. */
  pageAddress(view: string): string;
  close(): Promise<void>;
}

/**
 * Serves the console of an account on this machine: its files, and the part of the API that it needs. The page gets a key of
 * its own; the token stays here.
 */
export async function startAccountConsole(account: Account): Promise<AccountConsole> {
  const served = new Served(account);
  await served.listen();
  return served;
}

class Served implements AccountConsole {
  readonly #account: Account;
  readonly #hub = new StreamHub({ afterCommit: (work) => work() }, realClock);
  readonly #feed: AccountFeed;
  readonly #shown = new ShownDevices();
  readonly #reads = new RecentReads((path) => this.#onLate(path));
  readonly #inspection = new Inspection(randomBytes(32), () => `http://${this.#authority}`, {
    what: "console",
    again: "start it again",
  });
  readonly #server = createListener((incoming, outgoing) => void this.#serve({ incoming, outgoing }));
  #authority = "";
  #usedTimer: NodeJS.Timeout | undefined;

  constructor(account: Account) {
    this.#account = account;
    this.#feed = new AccountFeed(account.follow, (event) => {
      if (event.type === "data") this.#reads.markStale();
      tellConsole(this.#hub, event);
    });
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(0, HOST, () => {
        this.#authority = `${HOST}:${(this.#server.address() as AddressInfo).port}`;
        resolve();
      });
    });
  }

  pageAddress(view: string): string {
    return `http://${this.#authority}${this.#inspection.createPath()}${view === "" ? "" : `&${view}`}`;
  }

  async close(): Promise<void> {
    clearTimeout(this.#usedTimer);
    this.#feed.close();
    this.#hub.close();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #serve(exchange: Exchange): Promise<void> {
    let reply: Reply | "sent";
    try {
      reply = await this.#reply(exchange);
    } catch (error) {
      const known =
        error instanceof PlatformError ? error : new PlatformError(500, "The console failed on this request");
      reply = unstored(failureReply(known));
    }
    if (reply === "sent" || exchange.outgoing.destroyed) return;
    if (exchange.outgoing.headersSent) exchange.outgoing.destroy();
    else send(exchange, reply);
  }

  async #reply(exchange: Exchange): Promise<Reply | "sent"> {
    const { incoming } = exchange;
    checkHost(incoming, true);
    // No other name, not even of this machine: nothing else is served here.
    if (incoming.headers.host !== this.#authority) throw new PlatformError(403, "This host name is not served here");
    refuseStrangers(exchange);
    const target = incoming.url ?? "";
    const line = `${incoming.method} ${target}`;
    const file = incoming.method === "GET" ? consoleFile(target.split("?", 1)[0] ?? "") : undefined;
    if (file !== undefined) return this.#ofAccount(file(incoming));
    if (line === "POST /__sandbox/enter") return unstored(successReply({ key: this.#inspection.enter(exchange) }));
    this.#inspection.admit(exchange);
    if (line === "GET /__sandbox/session") return unstored(successReply(this.#session()));
    if (line === "GET /__sandbox/stream") return this.#stream(exchange);
    if (line === "PUT /__sandbox/favourites") return this.#keepFavourites(exchange);
    if (!target.startsWith("/api/")) throw new PlatformError(404, "Route not found");
    return unstored(await this.#pass(exchange));
  }

  /** The page says before it is let in what it is a console of. */
  #ofAccount(reply: Reply): Reply {
    return { ...reply, text: reply.text.replace('<html lang="en">', '<html lang="en" data-console="account">') };
  }

  async #keepFavourites({ incoming }: Exchange): Promise<Reply> {
    const { favourites } = this.#account;
    const body = await readJson(incoming, MAX_FAVOURITES_BYTES);
    favourites.write(changedFavourites(favourites.read(), body));
    return unstored(successReply("Favourites stored"));
  }

  #session(): object {
    const { label, profileId, mayWrite, used } = this.#account;
    const favourites = this.#account.favourites.read();
    const capabilities = { writes: mayWrite, readEveryMs: READ_EVERY_MS + LATER_MS, requests: used() };
    return { version: VERSION, source: label, profileId, favourites, capabilities, renewal: this.#inspection.renewal };
  }

  #stream({ outgoing }: Exchange): "sent" {
    this.#hub.open(outgoing, { profile: "", topics: new Set([CONSOLE_CHANNEL]) });
    outgoing.once("close", this.#feed.listen());
    return "sent";
  }

  async #pass({ incoming }: Exchange): Promise<Reply> {
    const names = Object.keys(incoming.headers);
    const found = passed(incoming.method ?? "", incoming.url ?? "", names, this.#account.mayWrite);
    // Before the editor writes, it compares with what is there now.
    const isFresh = this.#account.mayWrite && incoming.headers[FRESH] !== undefined;
    if (!found.isWrite) return this.#reads.read(found.path, () => this.#sendOn(found), isFresh);
    const body = bodyOf(await readText(incoming, MAX_BODY_BYTES));
    this.#account.onWrite(found);
    try {
      return await this.#sendOn({ ...found, ...body });
    } finally {
      this.#reads.clear();
    }
  }

  async #sendOn(request: Passed & { readonly body?: unknown }): Promise<Reply> {
    const { method, path } = request;
    const { status, body } = await this.#account.send({
      method,
      path,
      ...("body" in request ? { body: request.body } : {}),
    });
    this.#tellUsed();
    if (method === "GET" && status === 200) this.#feed.watch(this.#shown.devicesIn(path, body));
    const headers = { "content-type": "application/json; charset=utf-8" };
    return { status, text: JSON.stringify(body), headers };
  }

  #tellUsed(): void {
    this.#usedTimer ??= setTimeout(() => {
      this.#usedTimer = undefined;
      tellConsole(this.#hub, { type: "used", requests: this.#account.used() });
    }, USED_EVERY_MS).unref();
  }

  #onLate(path: string): void {
    const [, widget] = /^\/data\/[0-9a-f]{24}\/([0-9a-f]{24})/.exec(path) ?? [];
    if (widget !== undefined) tellConsole(this.#hub, { type: "changed", kind: "widget", event: "edit", id: widget });
  }
}

/** The JSON of a write, checked here: only what can be read is sent on. */
function bodyOf(text: string): { readonly body?: unknown } {
  if (text.trim() === "") return {};
  try {
    return { body: JSON.parse(text) };
  } catch {
    throw new PlatformError(400, "Invalid JSON");
  }
}
