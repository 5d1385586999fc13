import { randomBytes } from "node:crypto";
import { isObject } from "../../kit/files/files.ts";
import type { Queues } from "../../kit/jobs/queue/connect.ts";
import { digest } from "../../kit/state/digest.ts";

/** A member without a heartbeat for so long is dead. */
export const DEAD_MS = 6_000;
/** What a member that is gone has left is of use for so long. */
const LEFT_SECONDS = 600;
/** A group that nobody is in any more is forgotten. */
const GROUP_SECONDS = 86_400;

/** Gives devices from one member to another, or to the one that has asked; those that are not the first one's stay. */
const GIVE = `
local given = {}
for i = 3, #ARGV do
  local device = ARGV[i]
  local to = ARGV[2] ~= '' and ARGV[2] or redis.call('HGET', KEYS[2], device)
  if to and (redis.call('HGET', KEYS[1], device) or '') == ARGV[1] then
    redis.call('HSET', KEYS[1], device, to)
    redis.call('HDEL', KEYS[2], device)
    given[#given + 1] = device
  end
end
return given`;

/** What a member leaves to those that take over from it. */
export interface MemberState {
  /** Nothing from before this moment is for the group. */
  readonly sinceMs: number;
  /** Everything that arrived before this moment was printed. */
  readonly untilMs: number;
  /** Ids of the records that were printed last. */
  readonly ids: readonly string[];
}

/** Values by device. */
type Devices = ReadonlyMap<string, string>;

/** The listeners that share devices, as Redis holds them: ids and times; no token and no value. */
export class Group {
  readonly me = randomBytes(6).toString("hex");
  readonly #redis: Queues["redis"];
  readonly #prefix: string;
  readonly #list: readonly string[];

  /**
   * @param name the same for all members: whatever decides what they print
   * @param list the devices as this member found them
   */
  constructor({ redis, place }: Queues, name: unknown, list: readonly string[]) {
    this.#redis = redis;
    this.#prefix = `iot-stream:${place}:${digest(name)}`;
    this.#list = list;
  }

  /** The devices as the member found them that came last: all share the same list. */
  async join(): Promise<void> {
    await this.#redis.set(this.#key("devices"), JSON.stringify(this.#list), "EX", GROUP_SECONDS);
  }

  /** Says that this member lives, and what it has done; answers who lives, and the devices. */
  async beat(state: MemberState): Promise<{ members: readonly string[]; devices: readonly string[] }> {
    // The clock of Redis is the only one that all members see.
    const nowMs = Number((await this.#redis.time())[0]) * 1_000;
    const key = this.#key("members");
    const lasting = ["members", "owners", "asked", "devices"].map((one) => this.#key(one));
    const [members, devices] = await Promise.all([
      this.#redis.zadd(key, nowMs, this.me).then(() => this.#redis.zrangebyscore(key, nowMs - DEAD_MS, "+inf")),
      this.#redis.get(this.#key("devices")),
      this.#redis.zremrangebyscore(key, "-inf", `(${nowMs - DEAD_MS}`),
      this.#save(state),
      ...lasting.map((one) => this.#redis.expire(one, GROUP_SECONDS)),
    ]);
    if (devices === null) await this.join();
    return { members, devices: devices === null ? this.#list : idsOf(devices) };
  }

  /** Who listens to devices, and who would like to. */
  async look(devices: readonly string[]): Promise<{ owners: Devices; asked: Devices }> {
    if (devices.length === 0) return { owners: new Map(), asked: new Map() };
    const keys = [this.#key("owners"), this.#key("asked")];
    const [owners = [], asked = []] = await Promise.all(keys.map((key) => this.#redis.hmget(key, ...devices)));
    return { owners: byDevice(devices, owners), asked: byDevice(devices, asked) };
  }

  async ask(devices: readonly string[]): Promise<void> {
    await this.#redis.hset(this.#key("asked"), new Map(devices.map((device) => [device, this.me])));
  }

  /** Takes devices from a member that is gone, or from nobody; answers those that were got. */
  take(devices: readonly string[], from = ""): Promise<readonly string[]> {
    return this.#give(from, this.me, devices);
  }

  /** Gives devices to those that have asked. */
  async give(devices: readonly string[], state: MemberState): Promise<void> {
    await this.#save(state);
    await this.#give(this.me, "", devices);
  }

  async stateOf(member: string): Promise<MemberState | undefined> {
    const text = await this.#redis.get(this.#key(member));
    const state: unknown = text === null ? undefined : JSON.parse(text);
    if (!isObject(state) || !Array.isArray(state["ids"])) return undefined;
    const [sinceMs, untilMs] = [Number(state["sinceMs"]), Number(state["untilMs"])];
    if (!Number.isFinite(sinceMs) || !Number.isFinite(untilMs)) return undefined;
    const firstMs = Date.now() - LEFT_SECONDS * 1_000;
    return { sinceMs, untilMs: Math.max(untilMs, firstMs), ids: state["ids"].map(String) };
  }

  async leave(state: MemberState): Promise<void> {
    await this.#save(state);
    await this.#redis.zrem(this.#key("members"), this.me);
  }

  #key(what: string): string {
    return `${this.#prefix}:${what}`;
  }

  async #save(state: MemberState): Promise<void> {
    await this.#redis.set(this.#key(this.me), JSON.stringify(state), "EX", LEFT_SECONDS);
  }

  async #give(from: string, to: string, devices: readonly string[]): Promise<readonly string[]> {
    const given = await this.#redis.eval(GIVE, 2, this.#key("owners"), this.#key("asked"), from, to, ...devices);
    return Array.isArray(given) ? given.map(String) : [];
  }
}

const byDevice = (devices: readonly string[], values: readonly (string | null)[]): Devices =>
  new Map(devices.flatMap((device, at) => (typeof values[at] === "string" ? [[device, values[at]] as const] : [])));

/** Ids of devices only, whatever stands in Redis. */
function idsOf(text: string): string[] {
  const list: unknown = JSON.parse(text);
  return Array.isArray(list) ? list.map(String).filter((id) => /^[0-9a-f]{24}$/.test(id)) : [];
}
