import type { Gap } from "../core/gap.ts";
import type { IdSource } from "../core/ids.ts";
import { invalidBody, PlatformError } from "../core/platform-error.ts";
import type { SandboxDatabase } from "./types.ts";

interface DeviceParam {
  readonly id: string;
  readonly key: string;
  readonly value: string;
  readonly sent: boolean;
}

/** A new parameter or, with an id, a change of an existing one. */
export interface ParamChange {
  readonly id?: string;
  readonly key?: string;
  readonly value?: string;
  readonly sent?: boolean;
}

/** Most parameters of a device. */
const MAX_PARAMS = 60;

export const paramGaps = {
  mostParams: {
    subject: "More than 60 device parameters",
    choice: "400 You have exceeded the maximum limit of Device Params (60).",
  },
} as const satisfies Readonly<Record<string, Gap>>;

interface ParamRow {
  readonly id: string;
  readonly key: string;
  readonly value: string;
  readonly sent: number;
}

const toParam = (row: ParamRow): DeviceParam => ({ id: row.id, key: row.key, value: row.value, sent: row.sent !== 0 });

/** Configuration parameters of devices, in the order they were added. */
export class ParamStore {
  readonly #db: SandboxDatabase;
  readonly #ids: IdSource;

  constructor(db: SandboxDatabase, ids: IdSource) {
    this.#db = db;
    this.#ids = ids;
  }

  list(deviceId: string, sent?: boolean): DeviceParam[] {
    return this.#db
      .all<ParamRow>("SELECT id, key, value, sent FROM device_param WHERE device = ? ORDER BY position", deviceId)
      .map(toParam)
      .filter((param) => sent === undefined || param.sent === sent);
  }

  /** Adds or, with the id of an existing one, edits. At most 60 per device. */
  set(deviceId: string, params: readonly ParamChange[]): void {
    this.#db.transaction(() => {
      for (const param of params) {
        if (param.id === undefined || param.id === "") this.#add(deviceId, param);
        else this.#edit(deviceId, param.id, param);
      }
    });
  }

  remove(deviceId: string, paramId: string): boolean {
    return this.#db.run("DELETE FROM device_param WHERE id = ? AND device = ?", paramId, deviceId).changes > 0;
  }

  #edit(deviceId: string, id: string, change: ParamChange): void {
    const { changes } = this.#db.run(
      "UPDATE device_param SET key = coalesce(?, key), value = coalesce(?, value), sent = coalesce(?, sent) WHERE id = ? AND device = ?",
      change.key,
      change.value,
      change.sent,
      id,
      deviceId,
    );
    if (changes === 0) throw new PlatformError(404, "Device Param Not Found");
  }

  #add(deviceId: string, param: ParamChange): void {
    if (param.key === undefined || param.value === undefined) {
      const missing = param.key === undefined ? "key" : "value";
      throw invalidBody({ [missing]: ["Required"] });
    }
    const state = this.#db.get<{ count: number; last: number | null }>(
      "SELECT count(*) AS count, max(position) AS last FROM device_param WHERE device = ?",
      deviceId,
    );
    if ((state?.count ?? 0) >= MAX_PARAMS) {
      const text = `You have exceeded the maximum limit of Device Params (${MAX_PARAMS}).`;
      throw new PlatformError(400, text).assumed(paramGaps.mostParams);
    }
    this.#db.run(
      "INSERT INTO device_param (id, device, position, key, value, sent) VALUES (?, ?, ?, ?, ?, ?)",
      this.#ids.id(),
      deviceId,
      (state?.last ?? 0) + 1,
      param.key,
      param.value,
      param.sent ?? false,
    );
  }
}
