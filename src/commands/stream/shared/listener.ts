import { countOf } from "../../../text/count.ts";
import type { CommandContext } from "../../kit/context.ts";
import { redact } from "../../kit/say/redact.ts";
import type { EntrySource, StreamEntry } from "../entry.ts";
import { storedEvents } from "../history.ts";
import { MOST_CHANNELS, networkSource } from "../network-source.ts";
import { DEAD_MS, type Group, type MemberState } from "./group.ts";
import { Inbox } from "./inbox.ts";
import { ownerAmong } from "./rendezvous.ts";

const LOOK_MS = 500;
/** Records of a device that is asked for wait so long at most: who has it prints them meanwhile. */
const MOST_WAIT_MS = 20_000;
/** The clocks of the listeners and of what dates the records may differ by so much. */
const SKEW_MS = 5_000;

/** Devices that are listened to over the same connections. */
interface Batch {
  readonly source: EntrySource;
  isOpen: boolean;
}

/** A device that this listener has, or is about to take over. */
interface Place {
  readonly batch: Batch;
  /** `waiting` for who has it; `reading` what was stored while nobody listened; then its records are `printed`. */
  state: "waiting" | "reading" | "printed";
  /** Who had it when last seen. */
  from: string | undefined;
  /** What came while it was not printed. */
  held: StreamEntry[];
}

/** Listens to the part of the devices of a group that falls to this process, while other listeners come and go. */
export class Listener {
  readonly #ctx: CommandContext;
  readonly #group: Group;
  readonly #variables: readonly string[];
  readonly #inbox = new Inbox();
  readonly #places = new Map<string, Place>();
  readonly #startedMs = Date.now();
  /** Moments from which stored records are being read. */
  readonly #readings = new Set<{ readonly sinceMs: number }>();
  /** Until then nothing is taken from members that seem dead: after a loss of the queue all do. */
  #calmUntilMs = 0;
  #isClosed = false;
  #looking: Promise<void> = Promise.resolve();
  #told = "";

  /** @param variables of stored records, only these; empty: all */
  constructor(ctx: CommandContext, group: Group, variables: readonly string[]) {
    this.#ctx = ctx;
    this.#group = group;
    this.#variables = variables;
  }

  /** The queue answers again after it was away. */
  queueIsBack(): void {
    this.#calmUntilMs = Date.now() + 2 * DEAD_MS;
  }

  async *entries(): AsyncGenerator<StreamEntry> {
    void this.#keepLooking().catch((failure: unknown) => this.#inbox.end({ failure }));
    try {
      yield* this.#inbox.entries((channel) => this.#places.has(deviceIn(channel)));
    } finally {
      this.close();
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#inbox.end({});
    for (const { source } of this.#batches()) source.close();
  }

  /** Leaves what it has to the others. */
  async leave(): Promise<void> {
    await this.#looking.catch(() => undefined);
    await this.#group.leave(this.#state());
  }

  async #keepLooking(): Promise<void> {
    while (!this.#isClosed) {
      this.#looking = this.#look();
      await this.#looking;
      await this.#ctx.clock.sleep(LOOK_MS);
    }
  }

  async #look(): Promise<void> {
    this.#forget();
    const { members, devices } = await this.#group.beat(this.#state());
    const mine = new Set(devices.filter((device) => ownerAmong(members, device) === this.#group.me));
    const { owners, asked } = await this.#group.look([...new Set([...mine, ...this.#places.keys()])]);
    if (this.#isClosed) return;
    await this.#listenTo([...mine].filter((device) => !this.#places.has(device)));
    this.#dropLost(mine, owners, asked);
    await this.#giveAway(members, mine, asked);
    await this.#takeOver(members, owners, asked);
    this.#tell(members.length, devices.length, mine);
  }

  #forget(): void {
    this.#inbox.forget();
    const oldMs = Date.now() - MOST_WAIT_MS;
    for (const place of this.#places.values())
      if (place.state === "waiting") place.held = place.held.filter(({ atMs }) => atMs >= oldMs);
  }

  #state(): MemberState {
    const held = [...this.#places.values()].flatMap((place) => place.held.slice(0, 1).map(({ atMs }) => atMs));
    const readings = [...this.#readings].map(({ sinceMs }) => sinceMs);
    return {
      sinceMs: Math.min(this.#startedMs, ...readings),
      untilMs: Math.min(Date.now(), this.#inbox.oldestMs(), ...held, ...readings),
      ids: this.#inbox.ids(),
    };
  }

  async #listenTo(devices: readonly string[]): Promise<void> {
    const added = devices.slice(0, MOST_CHANNELS - this.#places.size);
    if (added.length === 0) return;
    const channels = added.map((id) => ({ channel: "device_data" as const, resource_id: id }));
    const isFirst = this.#places.size === 0;
    const batch: Batch = { source: await networkSource(this.#ctx, channels, isFirst), isOpen: false };
    for (const device of added) this.#places.set(device, { batch, state: "waiting", from: undefined, held: [] });
    void this.#pump(batch).catch((failure: unknown) => this.#inbox.end({ failure }));
  }

  async #pump(batch: Batch): Promise<void> {
    for await (const entry of batch.source.entries) {
      if (entry.type === "open") batch.isOpen = true;
      const place = entry.type === "event" ? this.#places.get(deviceIn(entry.channel)) : undefined;
      // A device that was given away and came back is in a batch of its own by now.
      const isOld = place?.batch !== batch;
      if (entry.type !== "event" || (!isOld && place.state === "printed")) await this.#inbox.put(entry);
      else if (!isOld) place.held.push(entry);
    }
  }

  /** Devices that others took while this listener seemed dead, and those it needs no longer wait for. */
  #dropLost(mine: ReadonlySet<string>, owners: ReadonlyMap<string, string>, asked: ReadonlyMap<string, string>): void {
    const { me } = this.#group;
    for (const [device, { state }] of this.#places) {
      const isOthers = (owners.get(device) ?? me) !== me;
      // Who was asked may give it still.
      const isWaitedFor = state === "waiting" && (mine.has(device) || asked.get(device) === me);
      if (isOthers && !isWaitedFor) this.#drop(device);
    }
  }

  #drop(device: string): void {
    const batch = this.#places.get(device)?.batch;
    this.#places.delete(device);
    if (batch !== undefined && !this.#batches().has(batch)) batch.source.close();
  }

  #batches(): Set<Batch> {
    return new Set([...this.#places.values()].map(({ batch }) => batch));
  }

  /** Stops with the devices that others listen to by now. */
  async #giveAway(members: readonly string[], mine: ReadonlySet<string>, asked: ReadonlyMap<string, string>) {
    const isWanted = (device: string): boolean => !mine.has(device) && members.includes(asked.get(device) ?? "");
    const given = [...this.#places].flatMap(([device, { state }]) =>
      state === "printed" && isWanted(device) ? [device] : [],
    );
    if (given.length === 0) return;
    for (const device of given) this.#drop(device);
    await this.#group.give(given, this.#state());
  }

  async #takeOver(members: readonly string[], owners: ReadonlyMap<string, string>, asked: ReadonlyMap<string, string>) {
    const { me } = this.#group;
    const wishes: string[] = [];
    const handed = new Map<string | undefined, string[]>();
    const free = new Map<string | undefined, string[]>();
    for (const [device, place] of this.#places) {
      const owner = owners.get(device);
      if (!place.batch.isOpen || (owner === me && place.state !== "waiting")) continue;
      if (owner === me) handed.set(place.from, [...(handed.get(place.from) ?? []), device]);
      else if (owner !== undefined && members.includes(owner)) {
        place.from = owner;
        if (asked.get(device) !== me) wishes.push(device);
      } else if (place.state === "printed" || Date.now() >= this.#calmUntilMs)
        free.set(owner, [...(free.get(owner) ?? []), device]);
    }
    if (wishes.length > 0) await this.#group.ask(wishes);
    for (const [from, devices] of handed) {
      await this.#stateOf(from);
      this.#print(devices);
    }
    for (const [from, devices] of free) {
      const taken = await this.#group.take(devices, from);
      const started = taken.filter((device) => this.#places.get(device)?.state === "waiting");
      const left = await this.#stateOf(from);
      if (left === undefined) this.#print(started);
      else void this.#readThenPrint(started, Math.max(left.sinceMs, left.untilMs - SKEW_MS));
    }
  }

  /** What a member has left, whose last records are not printed again. */
  async #stateOf(member: string | undefined): Promise<MemberState | undefined> {
    const state = member === undefined ? undefined : await this.#group.stateOf(member);
    this.#inbox.skip(state?.ids ?? []);
    return state;
  }

  async #readThenPrint(devices: readonly string[], sinceMs: number): Promise<void> {
    const reading = { sinceMs };
    this.#readings.add(reading);
    for (const device of devices) {
      const place = this.#places.get(device);
      if (place !== undefined) place.state = "reading";
    }
    try {
      const history = { sinceMs, devices, variables: this.#variables };
      for await (const entry of storedEvents(this.#ctx, history)) {
        // What is not printed is left to the next member.
        if (this.#isClosed) return;
        await this.#inbox.put(entry, true);
      }
    } catch (error) {
      const why = redact(error instanceof Error ? error.message : String(error));
      const since = new Date(sinceMs).toISOString();
      this.#ctx.say.warning(`Records of ${countOf(devices.length, "device")} since ${since} are missing (${why}).`);
    }
    this.#print(devices);
    this.#readings.delete(reading);
  }

  #print(devices: readonly string[]): void {
    for (const device of devices) {
      const place = this.#places.get(device);
      if (place === undefined) continue;
      place.state = "printed";
      for (const entry of place.held.splice(0)) void this.#inbox.put(entry);
    }
  }

  #tell(members: number, all: number, mine: ReadonlySet<string>): void {
    const ours = [...this.#places.values()].filter(({ state }) => state === "printed").length;
    const text = `Listening to ${ours} of ${countOf(all, "device")}; ${countOf(members, "listener")} in the group.`;
    if (text === this.#told) return;
    this.#told = text;
    this.#ctx.say.info(text);
    const left = [...mine].filter((device) => !this.#places.has(device)).length;
    if (left > 0) this.#ctx.say.warning(`Nobody listens to ${countOf(left, "device")}: start more listeners.`);
  }
}

/** `65a1…` of `device_data.65a1…`. */
const deviceIn = (channel: string | undefined): string => channel?.split(".")[1] ?? "";
