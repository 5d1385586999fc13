import { createRequire } from "node:module";
import type { FlowProducer, Job, Queue } from "bullmq";
import type { Redis, RedisOptions } from "ioredis";
import type { CommandContext } from "../../context.ts";
import { CommandError, usageError } from "../../failures/command-error.ts";
import { isTlsCode, networkCode, networkReason } from "../../failures/network-reason.ts";
import { redact, rememberSecret } from "../../say/redact.ts";
import { profileOf } from "../../settings/where.ts";
import { digest } from "../../state/digest.ts";
import { queueKey } from "./seal.ts";

/** What the queue holds of a job: the parent of its items. */
export interface JobData {
  readonly kind: string;
  readonly version: number;
  readonly what: string;
  /** As the submitter names it. */
  readonly folder: string;
  readonly shared: object;
  /** Covers everything above, the API, the profile and the id. */
  readonly seal: string;
  /** Number of items; absent until all are in the queue. */
  readonly planned?: number;
  readonly isCancelled?: true;
}

/** What the queue holds of an item. Its id is the item's. */
export interface ItemData {
  readonly args: object;
  /** Over id, args and the seal of the job. */
  readonly seal: string;
}

export type QueuedJob = Job<JobData, object>;
type ItemQueue = Queue<ItemData, object>;

/** An open queue, and the names under which the jobs of one profile are in it. */
export interface Queues {
  readonly bull: typeof import("bullmq");
  readonly redis: Redis;
  /** Address without the password. */
  readonly label: string;
  /** API and profile in one word: workers of another one do not see these jobs. */
  readonly place: string;
  readonly key: string | undefined;
  readonly jobs: Queue<JobData, object>;
  /** Holds a child of each job that is still planned, so that the job waits. Nobody works on it. */
  readonly plans: Queue<object, object>;
  readonly flow: FlowProducer;
  /** The items of a job. */
  items(jobId: string): ItemQueue;
  /** The connections on which BullMQ waits for work are not made again when they are lost. */
  takeNoWork(): void;
  /** A connection that is lost is not waited for any more: what waits for it fails. */
  giveUp(): void;
  close(): Promise<void>;
}

/** The address of the queue, from the flag or the setting. */
export function queueUrl(
  ctx: CommandContext,
  { options }: { readonly options: { readonly queue: string | undefined } },
): string {
  const url = options.queue ?? ctx.user.settings.get("queue")?.value;
  if (url !== undefined) return url;
  throw usageError("No queue is named.", {
    code: "queue.missing",
    next: "Add --queue redis://host:6379/0, or set IOT_QUEUE.",
  });
}

/** Opens the queue of the profile in use. */
async function openQueues(ctx: CommandContext, url: string): Promise<Queues> {
  const label = queueLabel(url);
  const key = queueKey(ctx);
  if (key === undefined && !isLoopback(new URL(url).hostname)) throw needsKey(label);
  const place = await queueNamespace(ctx);
  const { bull, Redis } = loadClient();
  const { redis, takeNoWork, giveUp } = await connect(ctx, Redis, url, label);
  const options = { connection: redis };
  const jobs = new bull.Queue<JobData, object>(`iot-jobs-${place}`, options);
  const plans = new bull.Queue<object, object>(`iot-plans-${place}`, options);
  const flow = new bull.FlowProducer(options);
  const items = new Map<string, ItemQueue>();
  const quiet = (): undefined => undefined;
  // The connection reports its own errors, once for all that use it.
  flow.on("error", quiet);
  for (const queue of [jobs, plans]) queue.on("error", quiet);
  return {
    bull,
    redis,
    label,
    place,
    key,
    jobs,
    plans,
    flow,
    items(jobId) {
      const known = items.get(jobId) ?? new bull.Queue<ItemData, object>(`iot-items-${jobId}`, options);
      if (!items.has(jobId)) known.on("error", quiet);
      items.set(jobId, known);
      return known;
    },
    takeNoWork,
    giveUp,
    async close() {
      redis.disconnect();
      await Promise.allSettled([...items.values(), jobs, plans, flow].map((user) => user.close()));
    },
  };
}

/** Runs work on the queue and closes it. Ctrl-C ends it at once, unless the work `finishes` by itself then. */
export async function withQueues<T>(
  ctx: CommandContext,
  url: string,
  work: (queues: Queues) => Promise<T>,
  finishes = false,
): Promise<T> {
  const queues = await openQueues(ctx, url);
  // Commands wait for a connection that was lost; after Ctrl-C nobody waits any more.
  const leave = (): void => {
    if (!finishes) queues.redis.disconnect();
  };
  ctx.signal.addEventListener("abort", leave, { once: true });
  try {
    return await work(queues);
  } catch (error) {
    throw ctx.signal.aborted ? error : explained(queues.label, error);
  } finally {
    ctx.signal.removeEventListener("abort", leave);
    await queues.close();
  }
}

/** The address of a queue without its password, which is redacted from all later output. */
function queueLabel(url: string): string {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || !["redis:", "rediss:"].includes(address.protocol) || address.hostname === "") {
    throw usageError("The address of the queue is not valid.", {
      code: "usage.invalid_value",
      next: "Use redis://host:6379/0, or rediss:// for TLS.",
    });
  }
  rememberSecret(address.password);
  rememberSecret(decodeURIComponent(address.password));
  return `${address.protocol}//${address.host}${address.pathname}`;
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(host);

function needsKey(label: string): CommandError {
  return usageError(`The queue ${label} needs a key.`, {
    code: "queue.no_key",
    why: "It is not on this machine: whoever can write to it could make the workers do anything with their tokens.",
    next: "Set IOT_QUEUE_KEY to the same 32 or more characters for the submitter and all workers (openssl rand -hex 32).",
  });
}

/** API and profile in one word. */
async function queueNamespace(ctx: CommandContext): Promise<string> {
  const connection = await ctx.connection();
  const profile = connection.profile ?? (await profileOf(ctx, connection, connection.token));
  if (profile?.id) return digest([new URL(connection.api).origin, profile.id]).slice(0, 16);
  throw new CommandError("The profile of the token is not known.", {
    code: "queue.no_profile",
    exit: 5,
    why: "Jobs belong to a profile, and this token may not read which one it is of.",
    next: "Use a profile's token.",
  });
}

/** By require, which takes a worker 5 MiB less than an import of CommonJS. */
function loadClient() {
  try {
    const load = createRequire(import.meta.url);
    const bull = load("bullmq") as typeof import("bullmq");
    const { Redis: Client } = load("ioredis") as typeof import("ioredis");
    return { bull, Redis: Client };
  } catch (cause) {
    throw new CommandError("The packages for queues are not installed.", {
      code: "queue.not_installed",
      exit: 1,
      why: "Queues need bullmq and ioredis, which are installed on request only.",
      next: "Run npm install bullmq ioredis beside iotdeck (npm install -g, where iotdeck was installed so).",
      cause,
    });
  }
}

/** Which connections are made again when they are lost. */
interface Life {
  isOpen: boolean;
  takesWork: boolean;
}

/**
 * A client whose `disconnect` also ends it while it waits to connect again. Without that it waits forever, and so does a
 * worker of BullMQ that is closed meanwhile (github.com/redis/ioredis/issues/1247).
 */
function endable(Client: typeof Redis, life: Life): typeof Redis {
  return class EndableRedis extends Client {
    // BullMQ opens those on which it waits for work so.
    override duplicate(options?: Partial<RedisOptions>): Redis {
      const { retryStrategy } = this.options;
      return new EndableRedis({
        ...this.options,
        ...options,
        replyMapping: "legacy",
        // BullMQ connects one that was disconnected again when a command on it never ended, and waits for QUIT on it.
        retryStrategy: (times) => (life.takesWork ? retryStrategy?.(times) : null),
      });
    }
    override disconnect(reconnect = false): void {
      // As before its first use: there is nothing to disconnect.
      if (!reconnect && this.status === "reconnecting") this.status = "wait";
      super.disconnect(reconnect);
    }
  };
}

const MOST_WAIT_MS = 5_000;

/** Connects, or fails at once; a connection that is lost later is waited for, until that is given up. */
async function connect(
  ctx: CommandContext,
  Client: typeof Redis,
  url: string,
  label: string,
): Promise<Pick<Queues, "redis" | "takeNoWork" | "giveUp">> {
  const life: Life = { isOpen: false, takesWork: true };
  let isLost = false;
  const { ca } = ctx.clientOptions();
  const { trusting } = await import("../../../../lib/http/node-transport.ts");
  const redis = new (endable(Client, life))(url, {
    lazyConnect: true,
    maxRetriesPerRequest: null,
    retryStrategy: (times) => (life.isOpen ? Math.min(times * 200, MOST_WAIT_MS) : null),
    ...(url.startsWith("rediss:") ? { tls: trusting(ca) } : {}),
  });
  let failure: Error | undefined;
  redis.on("error", (error) => {
    failure = error;
    if (life.isOpen && !isLost)
      ctx.say.warning(`Lost the connection to the queue ${label} (${redact(error.message)}); waiting for it.`);
    isLost = true;
  });
  redis.on("ready", () => {
    if (isLost) ctx.say.info(`Connected to the queue ${label} again.`);
    isLost = false;
  });
  try {
    await redis.connect();
    await redis.ping();
  } catch (cause) {
    redis.disconnect();
    throw unreachable(label, failure ?? cause);
  }
  life.isOpen = true;
  isLost = false;
  // The connections that BullMQ opens beside this one have its options.
  const giveUp = (): void => {
    life.isOpen = false;
    redis.disconnect();
  };
  const takeNoWork = (): void => {
    life.takesWork = false;
  };
  return { redis, takeNoWork, giveUp };
}

function unreachable(label: string, cause: unknown): CommandError {
  const code = networkCode(cause);
  const isTls = isTlsCode(code);
  return new CommandError(`The queue ${label} cannot be used.`, {
    code: "queue.unreachable",
    exit: 10,
    // What has no code of the system is the word of Redis or of TLS.
    why: (code === undefined || isTls) && cause instanceof Error ? cause.message : networkReason(cause),
    next: isTls
      ? "Check its certificate; --ca-file adds your own authority."
      : "Check that Redis runs there and that its address, user and password are right.",
    cause,
  });
}

/** What a command gets that waited for a connection which was given up. */
export const isClosedConnection = (error: unknown): boolean =>
  error instanceof Error && /^Connection is closed/.test(error.message);

/** An error reply of Redis is about the queue, not a fault of the program. */
function explained(label: string, error: unknown): unknown {
  const isReply = error instanceof Error && error.name === "ReplyError";
  return isReply || isClosedConnection(error) ? unreachable(label, error) : error;
}
