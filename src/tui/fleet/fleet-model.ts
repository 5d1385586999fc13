import { cleanLine } from "../../text/clean.ts";
import { Listeners } from "../hooks/listeners.ts";
import { type LiveSession, openLiveSession } from "../live/live-session.ts";
import { type FleetAction, type FleetState, firstState, fleetReducer, visibleDevices } from "./fleet-state.ts";
import { newsLines } from "./news.ts";
import { SelectedReasons } from "./selected-reasons.ts";
import type { FleetData, FleetDevice, FleetOptions } from "./types.ts";

/** Ages on the screen grow without news. */
const TICK_MS = 1_000;

/** The fleet, the user's choices and the device that is open; notifies its listeners when there is something to draw. */
export class FleetModel {
  data: FleetData;
  state: FleetState = firstState;
  /** The device whose live view is open. */
  session: LiveSession | undefined;
  isReading = false;
  readonly #options: FleetOptions;
  readonly #reasons: SelectedReasons;
  readonly #listeners = new Listeners(() => this.#changed(), TICK_MS);
  #version = 0;
  #isOpening = false;
  #seen: { readonly data: FleetData; readonly state: FleetState; readonly devices: readonly FleetDevice[] } | undefined;

  constructor(options: FleetOptions) {
    this.#options = options;
    this.data = options.data;
    this.#reasons = new SelectedReasons(options.reasons, () => this.#changed());
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#select();
    return this.#listeners.add(listener);
  };

  readonly version = (): number => this.#version;

  /** The devices of the table, first to last. Sorted again only when something about them has changed. */
  devices(): readonly FleetDevice[] {
    const { data, state } = this;
    const { filter, sort, isReversed } = state;
    const seen = this.#seen;
    const isSame =
      seen?.data === data &&
      seen.state.filter === filter &&
      seen.state.sort === sort &&
      seen.state.isReversed === isReversed;
    const devices = isSame ? seen.devices : visibleDevices(data.devices, state);
    if (!isSame) this.#seen = { data, state, devices };
    return devices;
  }

  /** Index of the selected device; the first one when it is gone. */
  selectedIndex(): number {
    const { selected } = this.state;
    if (selected === undefined) return 0;
    return Math.max(
      0,
      this.devices().findIndex(({ id }) => id === selected),
    );
  }

  /** Why the selected device sends nothing, as far as it is known. */
  reasons(): readonly string[] {
    return this.#reasons.of(this.devices()[this.selectedIndex()]);
  }

  dispatch(action: FleetAction): void {
    const shown = { devices: this.devices(), at: this.selectedIndex(), news: newsLines(this.data, 0).length };
    this.state = fleetReducer(this.state, action, shown);
    this.#changed();
  }

  /** Reads the fleet again. What is shown stays when that fails. */
  async refresh(isAsked: boolean): Promise<void> {
    if (this.isReading || this.session !== undefined) return;
    this.isReading = true;
    if (isAsked) this.#changed();
    try {
      this.data = await this.#options.load(isAsked);
      if (this.state.notice.startsWith(NOT_READ)) this.state = { ...this.state, notice: "" };
    } catch (error) {
      this.state = { ...this.state, notice: `${NOT_READ}${textOf(error)}` };
    } finally {
      this.isReading = false;
      this.#changed();
    }
  }

  /** Opens the live view of the selected device. */
  async open(): Promise<void> {
    const device = this.devices()[this.selectedIndex()];
    if (device === undefined || this.state.pane === "news" || this.#isOpening) return;
    this.#isOpening = true;
    try {
      this.session = openLiveSession(await this.#options.openDevice(device));
      this.#changed();
      await this.session.follow();
    } catch (error) {
      this.close();
      this.dispatch({ type: "notice", text: `${device.name}: ${textOf(error)}` });
    } finally {
      this.#isOpening = false;
    }
  }

  /** Closes the live view. */
  close(): void {
    this.session?.close();
    this.session = undefined;
    this.#changed();
  }

  /** Ends all that runs beside the screen. */
  stop(): void {
    this.session?.close();
    this.#reasons.select(undefined);
  }

  #select(): void {
    // An open live view asks by itself.
    this.#reasons.select(this.session === undefined ? this.devices()[this.selectedIndex()] : undefined);
  }

  #changed(): void {
    this.#select();
    this.#version += 1;
    this.#listeners.call();
  }
}

const NOT_READ = "Not read: ";
const textOf = (error: unknown): string => cleanLine(error instanceof Error ? error.message : String(error), 300);
