import { Listeners } from "../hooks/listeners.ts";
import { type Gap, type Kept, LiveBuffer, type Series, seriesFrom } from "./buffer.ts";
import { firstState, type LiveAction, type LiveState, liveReducer, type Shown } from "./live-state.ts";
import type { KnownOfQuiet, LiveItem, LiveRow } from "./types.ts";
import { recordsOf, type VisibleRow, visibleRows } from "./visible-rows.ts";

/**
 * How often the view follows the stream; keys take effect immediately. Both together stay below ten redraws per second.
 */
const TICK_MS = 250;
/** Without news the countdown, the rate and the trends still move. */
const IDLE_TICKS = 4;

/** How the connection is. */
export type Connection =
  | { readonly state: "connecting" | "open" | "stopped" }
  | {
      readonly state: "retry";
      /** When the connection was lost, by the clock of the stream. */
      readonly lostAtMs: number;
      readonly untilMs: number;
      readonly failures: number;
      readonly reason: string;
    };

/** What is shown while paused. */
interface Frozen {
  readonly kept: readonly Kept[];
  readonly series: ReadonlyMap<string, Series>;
  readonly received: number;
  readonly atMs: number;
}

/** The stream and the user's choices; notifies its listeners when there is something to draw. */
export class LiveModel {
  readonly buffer = new LiveBuffer();
  connection: Connection = { state: "connecting" };
  state: LiveState = firstState;
  /** When the device sent last before the view was opened, as far as it is known. */
  lastInputMs: number | undefined;
  /** Why nothing arrives, as far as it is known. */
  reasons: readonly string[] = [];
  readonly #listeners = new Listeners(() => this.#tick(), TICK_MS);
  readonly #now: () => number;
  #frozen: Frozen | undefined;
  #version = 0;
  #isDirty = false;
  #idle = 0;
  #rows: { readonly version: number; readonly rows: readonly VisibleRow[] } | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#listeners.add(listener);

  readonly version = (): number => this.#version;

  /** The time that the view shows as now: while paused, the time of the pause. */
  get nowMs(): number {
    return this.#frozen?.atMs ?? this.#now();
  }

  /** Trends of the variables; while paused, those of the pause. */
  get series(): ReadonlyMap<string, Series> {
    return this.#frozen?.series ?? this.buffer.series;
  }

  /** Records that arrived since the pause. */
  get waiting(): number {
    return this.#frozen === undefined ? 0 : this.buffer.counters.received - this.#frozen.received;
  }

  get rate(): number {
    return this.buffer.rate(this.#now());
  }

  /** Times without a connection, the present one too. */
  get gaps(): readonly Gap[] {
    const { connection, buffer } = this;
    if (connection.state !== "retry") return buffer.gaps;
    return [...buffer.gaps, { lostAtMs: connection.lostAtMs, resumedAtMs: Number.POSITIVE_INFINITY }];
  }

  take(item: LiveItem): void {
    this.buffer.take(item);
    if (item.type === "rows") this.reasons = [];
    if (item.type === "open" || item.type === "rows") this.connection = open;
    if (item.type === "retry") {
      const { delayMs, failures, reason } = item;
      const lostAtMs = this.connection.state === "retry" ? this.connection.lostAtMs : this.#now();
      this.connection = { state: "retry", lostAtMs, untilMs: Date.now() + delayMs, failures, reason };
    }
    this.#isDirty = true;
  }

  quietBecause({ reasons, lastInputMs }: KnownOfQuiet): void {
    this.reasons = reasons;
    this.lastInputMs = lastInputMs;
    this.#changed();
  }

  stop(): void {
    this.connection = { state: "stopped" };
    this.#changed();
  }

  dispatch(action: LiveAction): void {
    const wasPaused = this.state.isPaused;
    this.state = liveReducer(this.state, action, this.shown());
    if (this.state.isPaused !== wasPaused) this.#freeze(this.state.isPaused);
    this.#changed();
  }

  /** Rows of the table, first to last. */
  rows(): readonly VisibleRow[] {
    if (this.#rows?.version === this.#version) return this.#rows.rows;
    const rows = visibleRows(this.#frozen?.kept ?? this.buffer.newestFirst(), this.series, this.state);
    this.#rows = { version: this.#version, rows };
    return rows;
  }

  /** The records kept, newest first: all of them, or those that fit the filter, however they are grouped. */
  records(isAll: boolean): readonly LiveRow[] {
    const kept = this.#frozen?.kept ?? this.buffer.newestFirst();
    return recordsOf(kept, isAll ? "" : this.state.filter);
  }

  /** Index of the selected row; the first one when it is gone. */
  selectedIndex(): number {
    const { selected } = this.state;
    if (selected === undefined) return 0;
    return Math.max(
      0,
      this.rows().findIndex(({ id }) => id === selected),
    );
  }

  shown(): Shown {
    const rows = this.rows();
    const kept = rows[this.selectedIndex()]?.kept;
    return {
      ids: rows.map(({ id }) => id),
      series: kept?.kind === "row" ? kept.series : undefined,
      devices: new Set(Array.from(this.series.values(), ({ device }) => device)).size,
    };
  }

  /** The series the chart draws: the marked one, otherwise that of the selected row. */
  charted(): Series | undefined {
    const key = this.state.marked ?? this.shown().series;
    if (key === undefined) return undefined;
    return this.series.get(key) ?? seriesFrom(this.#frozen?.kept ?? this.buffer.newestFirst(), key);
  }

  #freeze(isPaused: boolean): void {
    this.#frozen = isPaused
      ? {
          kept: this.buffer.newestFirst(),
          series: this.buffer.copySeries(),
          received: this.buffer.counters.received,
          atMs: this.#now(),
        }
      : undefined;
  }

  #tick(): void {
    this.#idle += 1;
    if (!this.#isDirty && this.#idle < IDLE_TICKS) return;
    this.#changed();
  }

  #changed(): void {
    this.#isDirty = false;
    this.#idle = 0;
    this.#version += 1;
    this.#listeners.call();
  }
}

const open: Connection = { state: "open" };
