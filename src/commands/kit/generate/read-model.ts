import type { DeviceData, EntityField, EntityFieldType, Resources } from "../../../index.ts";
import { ALL_ROWS_AMOUNT } from "../../../lib/core/limits.ts";
import { readLanguage } from "../dictionaries/texts.ts";
import { mapLanes } from "../lanes.ts";
import type { DeviceModel, DictionaryModel, EntityModel, FieldModel, ValueKind, VariableModel } from "./model.ts";

const LANES = 4;

const kinds: Readonly<Record<EntityFieldType, ValueKind>> = {
  uuid: "string",
  string: "string",
  text: "string",
  timestamp: "string",
  int: "integer",
  float: "number",
  boolean: "boolean",
  json: "any",
};

/** The order of code units: the same on every machine. */
const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Every row of a list. */
export async function everyRow<Row>(read: (page: number, amount: number) => Promise<readonly Row[]>): Promise<Row[]> {
  const all: Row[] = [];
  for (let page = 1; ; page += 1) {
    const rows = await read(page, ALL_ROWS_AMOUNT);
    all.push(...rows);
    if (rows.length < ALL_ROWS_AMOUNT) return all;
  }
}

function fieldOf([name, { type, required }]: [string, EntityField]): FieldModel {
  return { name, type, kind: kinds[type] ?? "any", required: required === true };
}

/** The fields the platform adds come first, the others by name. */
export async function readEntities(client: Resources, ids: readonly string[]): Promise<EntityModel[]> {
  const infos = await mapLanes(ids, LANES, (id) => client.entities.info(id));
  return infos
    .map(({ name, schema }) => ({
      name,
      fields: Object.entries(schema)
        .map(fieldOf)
        .filter((field) => !["id", "created_at", "updated_at"].includes(field.name))
        .sort((a, b) => byName(a.name, b.name)),
    }))
    .sort((a, b) => byName(a.name, b.name));
}

function kindOf({ value }: Pick<DeviceData, "value">): ValueKind | undefined {
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" ? type : undefined;
}

function variablesOf(rows: readonly DeviceData[]): VariableModel[] {
  const names = [...new Set(rows.map(({ variable }) => variable))].sort(byName);
  return names.map((name) => {
    const own = rows.filter(({ variable }) => variable === name);
    const seen = new Set(own.map(kindOf).filter((kind) => kind !== undefined));
    const unit = own.find((row) => row.unit !== undefined)?.unit;
    return { name, kinds: [...seen].sort(byName), ...(typeof unit === "string" ? { unit } : {}) };
  });
}

/** Variables of devices by their newest and oldest record: two records of each are read, whatever the device holds. */
export async function readDevices(
  client: Resources,
  devices: readonly { readonly id: string; readonly name: string }[],
): Promise<DeviceModel[]> {
  const models = await mapLanes(devices, LANES, async ({ id, name }) => {
    const newest = await client.devices.getDeviceData(id, { query: "last_item" });
    const oldest = await client.devices.getDeviceData(id, { query: "first_item" });
    return { name, variables: variablesOf([...newest, ...oldest]) };
  });
  return models.sort((a, b) => byName(a.name, b.name));
}

/** Keys of dictionaries, from all languages that can be read together. */
export async function readDictionaries(client: Resources, ids: readonly string[]): Promise<DictionaryModel[]> {
  const models = await mapLanes(ids, LANES, async (id) => {
    const dictionary = await client.dictionaries.info(id);
    const { slug, languages, fallback } = dictionary;
    const isRead = (code: string, active: unknown): boolean => active !== false || code === fallback;
    const codes = languages
      .filter(({ code, active }) => isRead(code, active))
      .map(({ code }) => code)
      .sort(byName);
    const texts = await mapLanes(codes, LANES, (code) => readLanguage(client, dictionary, code));
    const keys = [...new Set(texts.flatMap((one) => Object.keys(one)))].sort(byName);
    return { slug, languages: codes, keys };
  });
  return models.sort((a, b) => byName(a.slug, b.slug));
}
