import type { FaultRule } from "../core/fault-rules.ts";

/** A rule for event streams. */
export interface StreamRule {
  readonly rule: FaultRule;
  /** Whether it applies to `ui` or `device_data.{id}`. */
  matches(channel: string): boolean;
  /** Whether the next stream or event is selected by its rate, and the limit of the rule is not reached. */
  isChosen(): boolean;
  /** Counts an injection; false when the limit of the rule is reached. */
  inject(): boolean;
  /** Delay of the next event. */
  delayMs(): number;
}

/** The rules of event streams. */
export interface StreamFaults {
  rules(): readonly StreamRule[];
  /** Called after the rules were replaced, until the returned function is called. */
  onChange(changed: () => void): () => void;
}

/** The connection of one stream. */
interface Outlet<Frame> {
  /** Most bytes of delayed events; above them the connection is closed. */
  readonly maxHeldBytes: number;
  write(frame: Frame): void;
  /** Closes the connection once everything written is sent, without ending the response properly. */
  cut(): void;
}

interface Held<Frame> {
  readonly channel: string;
  readonly frame: Frame;
  isDelayed: boolean;
}

/** A cut or a stall that waits for events. */
interface Countdown {
  readonly rule: StreamRule;
  left: number;
}

/** Injects faults into the events of one stream. */
export class Gate<Frame extends { readonly plain: Buffer }> {
  readonly #faults: StreamFaults;
  readonly #channels: readonly string[];
  readonly #outlet: Outlet<Frame>;
  #rules: readonly StreamRule[] = [];
  #countdowns: Countdown[] = [];
  #held: Held<Frame>[] = [];
  #heldBytes = 0;
  #isOpen = false;
  #stalls = 0;
  #delays = 0;
  #unsubscribe = (): void => {};
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(faults: StreamFaults, channels: readonly string[], outlet: Outlet<Frame>) {
    this.#faults = faults;
    this.#channels = channels;
    this.#outlet = outlet;
  }

  /** Applies the current rules. */
  open(): void {
    this.#isOpen = true;
    this.#unsubscribe = this.#faults.onChange(() => this.#apply());
    this.#apply();
  }

  send(channel: string, frame: Frame): void {
    if (this.#rules.length === 0 && this.#held.length === 0) {
      this.#outlet.write(frame);
      return;
    }
    this.#held.push({ channel, frame, isDelayed: false });
    this.#heldBytes += frame.plain.length;
    this.#pump();
    if (this.#heldBytes > this.#outlet.maxHeldBytes) this.#outlet.cut();
  }

  /** Comments pass unless the stream is stalled. */
  keepAlive(frame: Frame): void {
    if (this.#stalls === 0) this.#outlet.write(frame);
  }

  close(): void {
    this.#isOpen = false;
    this.#unsubscribe();
    this.#held = [];
    this.#heldBytes = 0;
    this.#release();
  }

  #later(delayMs: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, delayMs).unref();
    this.#timers.add(timer);
  }

  #stall(forMs: number | undefined): void {
    this.#stalls += 1;
    if (forMs === undefined) return;
    this.#later(forMs, () => {
      this.#stalls -= 1;
      this.#pump();
    });
  }

  #trigger(rule: StreamRule): void {
    if (!this.#isOpen || !rule.inject()) return;
    if (rule.rule.kind === "cut") this.#outlet.cut();
    else this.#stall(rule.rule.forMs);
  }

  /** True when the event has to wait. */
  #delay({ channel }: Held<Frame>): boolean {
    const rule = this.#injected("delay", channel);
    if (rule === undefined) return false;
    this.#delays += 1;
    this.#later(rule.delayMs(), () => {
      this.#delays -= 1;
      this.#pump();
    });
    return true;
  }

  #injected(kind: FaultRule["kind"], channel: string): StreamRule | undefined {
    return this.#rules.find(
      (each) => each.rule.kind === kind && each.matches(channel) && each.isChosen() && each.inject(),
    );
  }

  #deliver({ channel, frame }: Held<Frame>): void {
    this.#outlet.write(frame);
    if (this.#injected("duplicate", channel) !== undefined) this.#outlet.write(frame);
    for (const countdown of this.#countdowns) if (countdown.rule.matches(channel)) countdown.left -= 1;
    const due = this.#countdowns.filter(({ left }) => left <= 0);
    if (due.length === 0) return;
    this.#countdowns = this.#countdowns.filter(({ left }) => left > 0);
    for (const { rule } of due) this.#trigger(rule);
  }

  /** Sends delayed events that are due. */
  #pump(): void {
    for (let next = this.#held[0]; next !== undefined && this.#stalls + this.#delays === 0; next = this.#held[0]) {
      if (!next.isDelayed) {
        next.isDelayed = true;
        if (this.#delay(next)) return;
      }
      this.#held.shift();
      this.#heldBytes -= next.frame.plain.length;
      this.#deliver(next);
    }
  }

  /** Undoes the effects of all rules. */
  #release(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#stalls = 0;
    this.#delays = 0;
    this.#rules = [];
    this.#countdowns = [];
  }

  #apply(): void {
    this.#release();
    this.#pump();
    this.#rules = this.#faults.rules().filter((rule) => this.#channels.some((channel) => rule.matches(channel)));
    const ends = this.#rules.filter(({ rule }) => rule.kind === "cut" || rule.kind === "stall");
    for (const rule of ends.filter((each) => each.isChosen())) {
      if (!this.#isOpen) return;
      const { after = 0, afterMs } = rule.rule;
      if (afterMs !== undefined) this.#later(afterMs, () => this.#trigger(rule));
      else if (after > 0) this.#countdowns.push({ rule, left: after });
      else this.#trigger(rule);
    }
  }
}
