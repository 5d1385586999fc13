import { isRecord } from "../../lib/core/json.ts";
import type { Gap } from "../core/gap.ts";
import { invalidBody } from "../core/platform-error.ts";

export const serialGaps = {
  masks: {
    subject: "Serial masks",
    choice: "checked when a serial number is set: 400; required is not enforced",
  },
} as const satisfies Readonly<Record<string, Gap>>;

/**
 * Characters of a serial number mask (docs/internals/platform/server.md, Networks and MQTT); any other matches itself.
 */
const CLASSES: Readonly<Record<string, string>> = { F: "[0-9A-Fa-f]", A: "[A-Za-z]", "0": "[0-9]", P: "[0-9A-Za-z]" };

const withoutDashes = (text: string): string => text.replaceAll("-", "");

function patternOf(mask: string): RegExp {
  const parts = [...withoutDashes(mask)].map((char) => CLASSES[char] ?? char.replace(/[\\^$.*+?()[\]{}|]/, "\\$&"));
  return new RegExp(`^${parts.join("")}$`);
}

/**
 * Normalizes a serial number for storage: checked against the mask of the network, without dashes, in the case the
 * network requires. Without a mask it is unchanged.
 *
 * @throws PlatformError 400 for one that does not match
 */
export function cleanSerial(network: Readonly<Record<string, unknown>> | undefined, serial: string): string {
  const rule = network?.["serial_number"];
  if (!isRecord(rule) || typeof rule["mask"] !== "string" || rule["mask"] === "" || serial === "") return serial;
  const text = withoutDashes(serial.trim());
  if (!patternOf(rule["mask"]).test(text)) {
    const field = { serie_number: [`Must look like ${rule["mask"]}`] };
    throw invalidBody(field).assumed(serialGaps.masks);
  }
  if (rule["case"] === "upper" || rule["case"] === "uppercase") return text.toUpperCase();
  return rule["case"] === "lower" || rule["case"] === "lowercase" ? text.toLowerCase() : text;
}
