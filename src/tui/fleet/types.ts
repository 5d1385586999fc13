import type { LiveOptions } from "../live/types.ts";

export type FleetState = "offline" | "silent" | "low battery" | "never" | "inactive" | "ok";

export interface FleetDevice {
  readonly id: string;
  /** Cleaned, as all texts here. */
  readonly name: string;
  readonly state: FleetState;
  /** Last input; undefined before the first. Milliseconds, as all times here. */
  readonly inputMs: number | undefined;
  /** Last value of the battery variable, where it was read. */
  readonly battery: number | undefined;
  /** `site=plant room=roof` */
  readonly tags: string;
}

/** A service of the plan. */
interface PlanUse {
  readonly service: string;
  readonly percent: number;
}

/** An analysis that fails, or an action that was triggered. */
export interface FleetEvent {
  readonly name: string;
  readonly atMs: number;
  /** Line of the console with the failure. */
  readonly line?: string;
}

/** The fleet at a given time. */
export interface FleetData {
  readonly atMs: number;
  /** Worst first. */
  readonly devices: readonly FleetDevice[];
  readonly plan: readonly PlanUse[];
  readonly analyses: readonly FleetEvent[];
  readonly actions: readonly FleetEvent[];
  /** What could not be read, and why. */
  readonly problems: readonly string[];
}

/** What the fleet screen needs from the command that opens it. */
export interface FleetOptions {
  /** The environment. */
  readonly place: string;
  readonly data: FleetData;
  /** Reads the fleet again; `isAsked` when the user wants all of it now. */
  load(isAsked: boolean): Promise<FleetData>;
  readonly refreshMs: number;
  /** Ends the screen after this time. */
  readonly forMs: number | undefined;
  /** Reads why the platform takes nothing of a device now, and what helps. */
  reasons(device: FleetDevice, signal: AbortSignal): Promise<readonly string[]>;
  /** Opens the stream of a device. */
  openDevice(device: FleetDevice): Promise<LiveOptions>;
  readonly color: boolean;
  readonly ascii: boolean;
  readonly signal: AbortSignal;
}
