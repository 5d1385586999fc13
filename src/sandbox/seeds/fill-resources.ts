import { isRecord } from "../../lib/core/json.ts";
import type { Section } from "../../schema/seed/records.ts";
import { newSchema } from "../entities/changes.ts";
import { generateRows } from "./entity-rows.ts";
import { type Filling, fillEach, timesOf } from "./filling.ts";

const MINUTE_MS = 60_000;
/** Most rows of one request. */
const BATCH = 100;

/** Entities with their rows, dictionaries, secrets, core instances and files. */
export function fillResources(filling: Filling): void {
  const { app, layer, profile } = filling;
  const times = timesOf(filling);
  fillEntities(filling);
  fillEach(filling, "dictionaries", (dictionary) => {
    app.collection("dictionary").insert(profile, { ...dictionary, ...times });
  });
  fillEach(filling, "secrets", ({ id, key, value, tags }) => {
    app.collection("secret").insert(profile, { id, key, value, value_length: value.length, tags, ...times });
  });
  fillEach(filling, "cores", (core) => {
    const devices = core.devices.map((device) => ({ ...device, last_input: layer.created, ...times }));
    app.collection("tcore").insert(profile, { ...core, devices, ...coreDefaults(core, layer.created), ...times });
  });
  fillEach(filling, "files", ({ path, text = "", file, public: isPublic }, at) => {
    const content = file === undefined ? Buffer.from(text) : layer.bytes(file, at);
    app.files.put(profile, path, { content, public: isPublic });
  });
}

function coreDefaults({ active = true }: Section<"cores">, startedAt: string): Record<string, unknown> {
  return {
    active,
    tcore_version: "0.7.2",
    system_start_time: startedAt,
    tcore_start_time: startedAt,
    last_connection: startedAt,
    os: { name: "Linux", arch: "x64", version: "6.1", platform: "linux" },
  };
}

function fillEntities(filling: Filling): void {
  const { app, layer, profile, seed } = filling;
  const createdMs = Date.parse(layer.created);
  // All entities are created before their rows.
  const stored = new Map<string, ReturnType<ReturnType<typeof app.collection>["insert"]>>();
  fillEach(filling, "entities", (record) => {
    const { id, name, schema, index, tags, payload_decoder } = record;
    const document = app.collection("entity").insert(profile, {
      id,
      name,
      ...newSchema(isRecord(schema) ? (schema as Fields) : {}, isRecord(index) ? (index as Indexes) : {}),
      tags,
      payload_decoder: payload_decoder ?? null,
      ...timesOf(filling),
    });
    stored.set(id, document);
  });
  fillEach(filling, "entities", ({ id, rows }) => {
    const entity = stored.get(id);
    const all = Array.isArray(rows) ? rows : generateRows(rows, seed, createdMs);
    for (let at = 0; entity !== undefined && at < all.length; at += BATCH)
      app.entityRows.add(entity, all.slice(at, at + BATCH), (index) => createdMs + (at + index) * MINUTE_MS);
  });
}

/** Checked by the schema of the body. */
type Fields = Parameters<typeof newSchema>[0];
type Indexes = Parameters<typeof newSchema>[1];
