import { isRecord } from "../../lib/core/json.ts";

const ID = /^[0-9a-f]{24}$/;
const PATH = /^\/(device|dashboard|data)\/([0-9a-f]{24})(?:[/?]|$)/;

const listOf = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : []);

/** The devices that a read asks for instead of the placeholders of a blueprint. */
function chosenIn(path: string): Map<string, string> {
  const parts = new Map<string, { origin?: string; id?: string }>();
  for (const [name, value] of new URLSearchParams(path.split("?")[1])) {
    const [, place, part] = /^blueprint_devices\[(\d*)\]\[(origin|id)\]$/.exec(name) ?? [];
    if (place !== undefined) parts.set(place, { ...parts.get(place), [part === "id" ? "id" : "origin"]: value });
  }
  return new Map([...parts.values()].map(({ origin = "", id = "" }) => [origin, id]));
}

/** Which devices pages show, by what they read. */
export class ShownDevices {
  /** Of blueprints: no devices, although their ids look like those. */
  readonly #placeholders = new Set<string>();

  /** Ids of the devices in a response to a read of this path. */
  devicesIn(path: string, body: unknown): readonly string[] {
    const [, kind, id = ""] = PATH.exec(path) ?? [];
    if (kind === "device") return [id];
    const result = isRecord(body) && isRecord(body["result"]) ? body["result"] : {};
    for (const placeholder of listOf(result["blueprint_devices"])) this.#placeholders.add(String(placeholder["id"]));
    if (kind !== "data") return [];
    const chosen = chosenIn(path);
    return listOf(result["content"]).flatMap(({ data }) => {
      const origin = isRecord(data) ? data["origin"] : undefined;
      const named = String(isRecord(origin) ? origin["id"] : origin);
      const device = chosen.get(named) ?? named;
      return ID.test(device) && !this.#placeholders.has(device) ? [device] : [];
    });
  }
}
