import type { Section } from "../../schema/seed/records.ts";
import { toDataDevice } from "../data/device.ts";
import { type Filling, fillEach, ownerOf, timesOf } from "./filling.ts";
import { historyOf } from "./history.ts";
import { tokenOf } from "./published.ts";
import { SeedError } from "./seed-error.ts";

type Device = Section<"devices"> & { readonly id: string };

/** Most rows of all devices together: more would make the start too slow. */
const MAX_ROWS = 2_000_000;

/** Devices with tokens, tags, parameters and data. */
export function fillDevices(filling: Filling): void {
  const { app, profile, seed } = filling;
  let room = MAX_ROWS;
  const createdBy = ownerOf(filling);
  const linksOf = linker(filling);
  fillEach(filling, "devices", (device, at) => {
    const { id, history = [] } = device;
    for (const part of history) room -= "rows" in part ? part.rows.length : part.samples * part.variables.length;
    if (room < 0) throw new SeedError(`${at}: the devices of a seed may hold ${MAX_ROWS} rows together.`);
    const rows = historyOf(history, id, app.clock.now(), seed);
    const lastMs = rows.at(-1)?.timeMs;
    const document = app
      .collection("device")
      .insert(profile, { ...documentOf(device, linksOf(device), lastMs), ...timesOf(filling) });
    app.tokens.create({
      kind: "device",
      profile,
      refId: id,
      name: "Default",
      permission: "full",
      token: tokenOf("device", device),
      serieNumber: device.serial ?? null,
      lastAuthorization: device.authorization ?? null,
      createdBy,
    });
    app.params.set(id, device.params);
    app.data.writeHistory(toDataDevice(document), rows, filling.rowIds);
  });
}

interface Links {
  readonly connector: string;
  readonly network: string;
}

/** Connector and network of a device: the first in the catalogue, unless it specifies others. */
function linker({ app }: Filling): (device: Device) => Links {
  const all = app.db.all<{ id: string; kind: string }>(
    "SELECT id, kind FROM entity WHERE kind IN ('connector', 'network') ORDER BY id",
  );
  const link = (kind: string, wanted: unknown): string => {
    const found = all.find((each) => each.kind === kind && (wanted === undefined || wanted === each.id));
    if (found === undefined) throw new Error(`there is no ${kind} ${String(wanted)}`);
    return found.id;
  };
  return (device) => {
    const connector = link("connector", device.connector);
    const networks = app.collection("connector").get(connector)?.["networks"];
    const usual: unknown = Array.isArray(networks) ? networks[0] : undefined;
    return { connector, network: link("network", device.network ?? usual) };
  };
}

function documentOf(device: Device, links: Links, lastMs: number | undefined): Record<string, unknown> {
  const {
    params: _params,
    token: _token,
    serial: _serial,
    authorization: _authorization,
    history: _,
    ...rest
  } = device;
  const { tags, connector: _connector, network: _network, id, ...own } = rest;
  const { type = "mutable", chunk_period, chunk_retention } = own as Readonly<Record<string, unknown>>;
  return {
    id,
    description: null,
    active: true,
    visible: true,
    payload_decoder: null,
    ...own,
    type,
    data_retention: type === "mutable" ? "forever" : `${String(chunk_retention)} ${String(chunk_period)}`,
    ...links,
    tags,
    last_input: lastMs === undefined ? null : new Date(lastMs).toISOString(),
    last_output: null,
    inspected_at: null,
    rpm: null,
  };
}
