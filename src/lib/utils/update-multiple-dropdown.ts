import type { CallOptions } from "../api/client.ts";
import { Device } from "../clients/device.ts";
import { InputError } from "../core/errors.ts";
import { DROPDOWN_QTY } from "../core/limits.ts";
import type { DataCreate, DeviceData } from "../resources/data-types.ts";

const listOf = (value: string | readonly string[]): readonly string[] => (typeof value === "string" ? [value] : value);

/** The record without the values; undefined when it has none of them. */
function withoutValues(record: DeviceData, removed: ReadonlySet<string>): DeviceData | undefined {
  const sent = record.metadata?.sentValues;
  // Deleting without an id would delete without a condition.
  if (!record.id || !Array.isArray(sent)) return undefined;
  const sentValues = sent.filter(({ value }) => !removed.has(String(value)));
  if (sentValues.length === sent.length) return undefined;
  const changed: DeviceData = { ...record, metadata: { ...record.metadata, sentValues } };
  if (typeof record.value === "string") {
    changed.value = record.value
      .split(";")
      .filter((part) => !removed.has(part))
      .join(";");
  }
  return changed;
}

/**
 * Removes values from the records of multiple-choice dropdowns. Each affected record is deleted and stored again with its
 * id: deleting afterwards could remove the new record. A failure in between loses that record.
 *
 * @param variables of the dropdowns
 * @param values to remove
 * @throws ApiError, RequestError: the records before the one that failed are changed; call again to finish
 * @example
 * ```ts
 * await Utils.updateMultipleDropdown(new Device({ token }), "rooms", ["kitchen"]);
 * ```
 */
export async function updateMultipleDropdown(
  device: Device,
  variables: string | readonly string[],
  values: string | readonly string[],
  options?: CallOptions,
): Promise<void> {
  if (!(device instanceof Device))
    throw new InputError("The parameter 'device' must be an instance of a TagoIO Device.", "device");
  const removed = new Set(listOf(values).map(String));
  // An empty list of variables would not be sent, and every variable would be read.
  if (removed.size === 0 || listOf(variables).length === 0) return;
  const records = await device.getData({ variables, qty: DROPDOWN_QTY }, options);
  for (const record of records) {
    const changed = withoutValues(record, removed);
    if (changed === undefined) continue;
    await device.deleteData({ ids: record.id }, options);
    await device.sendData([changed as DataCreate], options);
  }
}
