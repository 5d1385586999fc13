import type { FaultRule } from "../core/fault-rules.ts";

/** A rule for event streams. */
export interface StreamRule {
  readonly rule: FaultRule;
  /** Whether it is about `ui` or `device_data.{id}`. */
  matches(channel: string): boolean;
  /** Whether the next stream or event is among those of its rate, and the rule not spent. */
  isChosen(): boolean;
  /** Counts an injection; false when the rule is spent. */
  inject(): boolean;
  /** Delay of the next event. */
  delayMs(): number;
}

/** The rules of event streams. */
export interface StreamFaults {
  rules(): readonly StreamRule[];
  /** Called after the rules were replaced, until the result is called. */
  onChange(changed: () => void): () => void;
}

/** The connection of one stream. */
interface Outlet<Frame> {
  /** Bytes of events that may be held back; above them the connection is closed. */
  readonly maxHeldBytes: number;
  write(frame: Frame): void;
  /** Closes the connection once everything written is sent, without an end of the response. */
  cut(): void;
}

/** What events of one stream pass on their way to its connection: the faults. */
interface Gate<Frame> {
  /** Begins with the rules there are. */
  open(): void;
  send(channel: string, frame: Frame): void;
  /** Comments pass unless the stream is stalled. */
  keepAlive(frame: Frame): void;
  close(): void;
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

/** Makes the gate of a stream that listens to `channels`. */
export function createGate<Frame extends { readonly plain: Buffer }>(
  faults: StreamFaults,
  channels: readonly string[],
  outlet: Outlet<Frame>,
): Gate<Frame> {
  let rules: readonly StreamRule[] = [];
  let countdowns: Countdown[] = [];
  let held: Held<Frame>[] = [];
  let heldBytes = 0;
  let isOpen = false;
  let stalls = 0;
  let delays = 0;
  let unsubscribe = (): void => {};
  const timers = new Set<NodeJS.Timeout>();

  const later = (delayMs: number, work: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, delayMs).unref();
    timers.add(timer);
  };

  const stall = (forMs: number | undefined): void => {
    stalls += 1;
    if (forMs === undefined) return;
    later(forMs, () => {
      stalls -= 1;
      pump();
    });
  };

  const trigger = (rule: StreamRule): void => {
    if (!isOpen || !rule.inject()) return;
    if (rule.rule.kind === "cut") outlet.cut();
    else stall(rule.rule.forMs);
  };

  /** True when the event has to wait. */
  const delay = ({ channel }: Held<Frame>): boolean => {
    const rule = injected("delay", channel);
    if (rule === undefined) return false;
    delays += 1;
    later(rule.delayMs(), () => {
      delays -= 1;
      pump();
    });
    return true;
  };

  const injected = (kind: FaultRule["kind"], channel: string): StreamRule | undefined =>
    rules.find((each) => each.rule.kind === kind && each.matches(channel) && each.isChosen() && each.inject());

  const deliver = ({ channel, frame }: Held<Frame>): void => {
    outlet.write(frame);
    if (injected("duplicate", channel) !== undefined) outlet.write(frame);
    for (const countdown of countdowns) if (countdown.rule.matches(channel)) countdown.left -= 1;
    const due = countdowns.filter(({ left }) => left <= 0);
    if (due.length === 0) return;
    countdowns = countdowns.filter(({ left }) => left > 0);
    for (const { rule } of due) trigger(rule);
  };

  /** Sends what is held, as far as it may go. */
  const pump = (): void => {
    for (let next = held[0]; next !== undefined && stalls + delays === 0; next = held[0]) {
      if (!next.isDelayed) {
        next.isDelayed = true;
        if (delay(next)) return;
      }
      held.shift();
      heldBytes -= next.frame.plain.length;
      deliver(next);
    }
  };

  /** Ends everything that the rules began. */
  const release = (): void => {
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
    stalls = 0;
    delays = 0;
    rules = [];
    countdowns = [];
  };

  const apply = (): void => {
    release();
    pump();
    rules = faults.rules().filter((rule) => channels.some((channel) => rule.matches(channel)));
    const ends = rules.filter(({ rule }) => rule.kind === "cut" || rule.kind === "stall");
    for (const rule of ends.filter((each) => each.isChosen())) {
      if (!isOpen) return;
      const { after = 0, afterMs } = rule.rule;
      if (afterMs !== undefined) later(afterMs, () => trigger(rule));
      else if (after > 0) countdowns.push({ rule, left: after });
      else trigger(rule);
    }
  };

  return {
    open: () => {
      isOpen = true;
      unsubscribe = faults.onChange(apply);
      apply();
    },
    send: (channel, frame) => {
      if (rules.length === 0 && held.length === 0) {
        outlet.write(frame);
        return;
      }
      held.push({ channel, frame, isDelayed: false });
      heldBytes += frame.plain.length;
      pump();
      if (heldBytes > outlet.maxHeldBytes) outlet.cut();
    },
    keepAlive: (frame) => {
      if (stalls === 0) outlet.write(frame);
    },
    close: () => {
      isOpen = false;
      unsubscribe();
      held = [];
      heldBytes = 0;
      release();
    },
  };
}
