import type { Resources } from "../../../index.ts";
import { countOf } from "../../../text/count.ts";
import type { CommandContext } from "../../kit/context.ts";
import { devicesWith, type FleetDevice } from "../../kit/devices/fleet.ts";
import { checkNewStorage } from "../../kit/devices/fleet-checks.ts";
import { CommandError, conflictError } from "../../kit/failures/command-error.ts";
import { integrationFinder } from "../../kit/finders/device.ts";
import { mergeTags, type Tag } from "../../kit/resource/body.ts";
import { expectTexts } from "../../kit/resource/reply.ts";
import { resolveForm } from "../../kit/resource/resolve-id.ts";
import { resourceRoutes } from "../../kit/resource/routes.ts";
import type { Wrong } from "../../kit/rows/cells.ts";
import { changedPlace, defaultPlace } from "../default-place.ts";
import type { FleetRow } from "./fleet-row.ts";

export type DeviceConflict = "skip" | "update" | "fail";

/** A request that carries a row out. */
export interface DeviceRequest {
  readonly method: "POST" | "PUT";
  readonly path: string;
  readonly body: unknown;
}

/** What a row comes to. */
export interface RowPlan {
  /** Id of the device, where it exists. */
  readonly device?: string;
  readonly result: "created" | "updated" | "unchanged" | "skipped";
  readonly reason: string;
  readonly steps: readonly DeviceRequest[];
}

/** Makes and carries out the changes of a fleet file. Nothing is ever deleted. */
export class FleetWriter {
  readonly #ctx: CommandContext;
  readonly #client: Resources;
  readonly #onConflict: DeviceConflict;
  /** Devices of the profile by name, lower case. */
  readonly #byName = new Map<string, FleetDevice[]>();
  readonly #places = new Map<string, Promise<string>>();

  constructor(ctx: CommandContext, client: Resources, onConflict: DeviceConflict) {
    this.#ctx = ctx;
    this.#client = client;
    this.#onConflict = onConflict;
  }

  /** Reads the names of the profile's devices. To be called first. */
  async readNames(): Promise<void> {
    const devices = await devicesWith(this.#client, {});
    expectTexts(devices, ["id", "name"], "with the devices");
    for (const device of devices) this.#remember(device);
  }

  #remember(device: FleetDevice): void {
    const key = device.name.toLowerCase();
    this.#byName.set(key, [...(this.#byName.get(key) ?? []), device]);
  }

  /** The device a row is about, by its serial number, else by its name. @throws when several have it */
  async find(row: FleetRow, isBegun = false): Promise<FleetDevice | undefined> {
    const found =
      row.serial === undefined ? await this.#withName(row.name, isBegun) : await this.#withSerial(row.serial);
    const [first, ...others] = found;
    if (others.length === 0) return first;
    const what = row.serial === undefined ? `name "${row.name}"` : `serial number "${row.serial}"`;
    throw conflictError(`Row ${row.row} matches ${countOf(found.length, "device")} with the ${what}.`, {
      code: "device.ambiguous",
      why: found.map(({ id }) => id).join(", "),
      next: "Add a unique serial number to the row.",
    });
  }

  #named(name: string): readonly FleetDevice[] {
    const found = this.#byName.get(name.toLowerCase()) ?? [];
    const exact = found.filter((device) => device.name === name);
    return exact.length > 0 ? exact : found;
  }

  /** What another worker was about to create may have come after the names were read. */
  async #withName(name: string, isBegun: boolean): Promise<readonly FleetDevice[]> {
    const known = this.#named(name);
    if (known.length > 0 || !isBegun) return known;
    const found = await devicesWith(this.#client, { name });
    return found.filter((device) => device.name === name);
  }

  #withSerial(serial: string): Promise<readonly FleetDevice[]> {
    const query = { serial, fields: ["id", "name"] as ["id", "name"], amount: 10 };
    return this.#client.devices.list(query);
  }

  /**
   * What is to be done for a row.
   *
   * @param isBegun an earlier run was about to do it: a device that exists now was made by it
   */
  async plan(row: FleetRow, isBegun = false): Promise<RowPlan> {
    const found = await this.find(row, isBegun);
    if (found === undefined) return this.#creation(row);
    if (isBegun || this.#onConflict === "update") return this.#update(row, found.id);
    if (this.#onConflict === "skip")
      return { device: found.id, result: "skipped", reason: "It already exists.", steps: [] };
    throw conflictError(
      `A device with the ${row.serial === undefined ? "name" : "serial number"} of row ${row.row} already exists: ${found.id}.`,
      {
        code: "device.exists",
        next: "Use --on-conflict skip or update.",
      },
    );
  }

  /**
   * Checks what can be checked of a row before anything is sent, with one request per network and connector.
   *
   * @throws the error of `wrong`, or exit 7 where several devices have the name
   */
  async check(row: FleetRow, wrong: Wrong): Promise<void> {
    for (const kind of ["network", "connector"] as const) {
      await this.#integrationsOf({ [kind]: row[kind] }).catch((error: unknown) => {
        if (!(error instanceof CommandError) || ![2, 6].includes(error.exit)) throw error;
        throw wrong(error.message, kind);
      });
    }
    // Who has a serial number is asked when its row is sent.
    const isNew = this.#onConflict === "fail" || (row.serial === undefined && (await this.find(row)) === undefined);
    if (isNew) checkNewStorage(row.members, wrong);
  }

  async #creation(row: FleetRow): Promise<RowPlan> {
    const { name, serial, members, tags, params } = row;
    const place = await this.#integrationsOf(row);
    const body = {
      type: "mutable",
      ...(await this.#missingPlace(place)),
      ...place,
      ...members,
      name,
      ...(serial === undefined ? {} : { serie_number: serial }),
      ...(tags.length === 0 ? {} : { tags }),
      ...(params.length === 0 ? {} : { configuration_params: params.map((param) => ({ ...param, sent: false })) }),
    };
    return { result: "created", reason: "", steps: [{ method: "POST", path: resourceRoutes.device, body }] };
  }

  #missing = new Map<string, Promise<object>>();

  #missingPlace(place: object): Promise<object> {
    const key = JSON.stringify(place);
    const known = this.#missing.get(key) ?? defaultPlace(this.#ctx, { ...place });
    this.#missing.set(key, known);
    return known;
  }

  /** Networks and connectors are named by id, or by name; each is looked up once. */
  async #integrationsOf(
    row: Partial<Pick<FleetRow, "network" | "connector">>,
  ): Promise<{ network?: string; connector?: string }> {
    const place: { network?: string; connector?: string } = {};
    for (const kind of ["network", "connector"] as const) {
      const text = row[kind];
      if (text === undefined) continue;
      const form = /^[0-9a-f]{24}$/i.test(text) || text.startsWith("name:") ? text : `name:${text}`;
      const key = `${kind} ${form}`;
      const known = this.#places.get(key) ?? this.#lookUp(kind, form);
      this.#places.set(key, known);
      place[kind] = await known;
    }
    return place;
  }

  /** An id is looked up as well: the platform would reject the device, after others were written. */
  async #lookUp(kind: "network" | "connector", form: string): Promise<string> {
    const { id, name } = await resolveForm(this.#ctx, integrationFinder(kind), form);
    await name();
    return id;
  }

  /** Only what differs is sent, so an import that changes nothing sends nothing. */
  async #update(row: FleetRow, id: string): Promise<RowPlan> {
    const current = await this.#client.devices.info(id);
    const { type: _, chunk_period: __, ...members } = row.members;
    const wanted: Record<string, unknown> = { ...members, ...(await this.#integrationsOf(row)), name: row.name };
    const now = current as unknown as Readonly<Record<string, unknown>>;
    const body = Object.fromEntries(Object.entries(wanted).filter(([key, value]) => now[key] !== value));
    Object.assign(body, await changedPlace(this.#client, id, body));
    const tags = mergeTags(current.tags, [...row.tags], []);
    if (textOfTags(tags) !== textOfTags(current.tags)) body["tags"] = tags;
    const steps: DeviceRequest[] =
      Object.keys(body).length === 0 ? [] : [{ method: "PUT", path: `/device/${id}`, body }];
    steps.push(...(await this.#paramSteps(row, id)));
    return { device: id, result: steps.length === 0 ? "unchanged" : "updated", reason: "", steps };
  }

  async #paramSteps({ params }: FleetRow, id: string): Promise<DeviceRequest[]> {
    if (params.length === 0) return [];
    const current = await this.#client.devices.paramList(id);
    const changed = params.flatMap(({ key, value }) => {
      const known = current.find((param) => param.key === key);
      if (known === undefined) return [{ key, value, sent: false }];
      return known.value === value ? [] : [{ id: known.id, key, value, sent: false }];
    });
    return changed.map((body) => ({ method: "POST", path: `/device/${id}/params`, body }));
  }

  /** Sends the requests of a row. Resolves to the device's id. */
  async carryOut(row: FleetRow, plan: RowPlan): Promise<string> {
    const { devices } = this.#client;
    let device = plan.device ?? "";
    for (const { method, path, body } of plan.steps) {
      if (path === "/device") {
        const created = await devices.create(body as Parameters<typeof devices.create>[0]);
        device = created.device_id;
      } else if (method === "PUT") await devices.edit(device, body as Parameters<typeof devices.edit>[1]);
      else await devices.paramSet(device, body as Parameters<typeof devices.paramSet>[1]);
    }
    if (plan.device === undefined) this.#remember({ id: device, name: row.name });
    return device;
  }
}

const textOfTags = (tags: readonly Tag[]): string =>
  JSON.stringify(tags.map(({ key, value }) => [key, value]).sort((a, b) => (String(a) < String(b) ? -1 : 1)));
