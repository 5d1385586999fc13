import { whileQuiet } from "../live/quiet.ts";
import type { FleetDevice, FleetOptions } from "./types.ts";

/** A device that is passed by on the way to another one is not asked about. */
const REST_MS = 250;

/**
 * Why the selected device sends nothing: read once it has been selected for a short time, and again after each quiet
 * minute.
 */
export class SelectedReasons {
  readonly #read: FleetOptions["reasons"];
  readonly #tell: () => void;
  readonly #restMs: number;
  #device: FleetDevice | undefined;
  #reasons: readonly string[] = [];
  #end: () => void = () => undefined;

  /** @param tell called when there is something to draw */
  constructor(read: FleetOptions["reasons"], tell: () => void, restMs = REST_MS) {
    this.#read = read;
    this.#tell = tell;
    this.#restMs = restMs;
  }

  /** Those of a device; none while it is not the selected one. */
  of(device: FleetDevice | undefined): readonly string[] {
    return device !== undefined && device.id === this.#device?.id ? this.#reasons : [];
  }

  /** Takes the device that is selected now, as it was read last. */
  select(device: FleetDevice | undefined): void {
    const before = this.#device;
    this.#device = device;
    if (device?.id !== before?.id) {
      this.#end();
      this.#reasons = [];
      this.#end = device === undefined ? () => undefined : this.#ask(device);
    } else if (device?.inputMs !== before?.inputMs) this.#reasons = [];
  }

  #ask(device: FleetDevice): () => void {
    let stop: () => void = () => undefined;
    const rest = setTimeout(() => {
      stop = whileQuiet({
        waiting: { reasons: (signal) => this.#read(device, signal) },
        received: () => this.#device?.inputMs ?? 0,
        tell: ({ reasons }) => {
          this.#reasons = reasons;
          this.#tell();
        },
      });
    }, this.#restMs);
    return () => {
      clearTimeout(rest);
      stop();
    };
  }
}
