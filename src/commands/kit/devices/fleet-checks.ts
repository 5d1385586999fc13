import type { ChunkPeriod } from "../../../index.ts";
import {
  DEVICE_NAME_MAX_CHARS,
  DEVICE_NAME_MIN_CHARS,
  DEVICE_SERIAL_MAX_CHARS,
  LONG_TEXT_MAX_CHARS,
  MAX_CHUNK_RETENTION,
  MAX_TAGS,
  MUTABLE_PATTERN_MAX_CHARS,
  PARAM_KEY_MAX_CHARS,
  PARAM_VALUE_MAX_CHARS,
  TAG_KEY_MAX_CHARS,
  TAG_VALUE_MAX_CHARS,
} from "../../../lib/core/limits.ts";
import { countText } from "../../../text/count.ts";
import { quote } from "../command/values.ts";
import type { Tag } from "../resource/body.ts";
import type { Wrong } from "../rows/cells.ts";

type Members = Readonly<Record<string, string | number | boolean>>;

const types = ["mutable", "immutable", "hybrid"];
const periods = Object.keys(MAX_CHUNK_RETENTION);

/** The platform's rule for the name of a device. @throws what `wrong` makes */
export function checkDeviceName(name: string, wrong: Wrong): void {
  if (name.length >= DEVICE_NAME_MIN_CHARS && name.length <= DEVICE_NAME_MAX_CHARS) return;
  const shown = name.length > DEVICE_NAME_MAX_CHARS ? `it has ${name.length}` : `it is ${quote(name)}`;
  throw wrong(`the name must have ${DEVICE_NAME_MIN_CHARS} to ${DEVICE_NAME_MAX_CHARS} characters; ${shown}.`, "name");
}

/** The platform's rules for the lengths of texts of a device. @throws what `wrong` makes */
export function checkLengths({ serial, members, tags, params, hasCell }: DeviceTexts, wrong: Wrong): void {
  const check = (text: unknown, most: number, field: string): void => {
    if (typeof text === "string" && text.length > most)
      throw wrong(`it must have at most ${countText(most)} characters; it has ${countText(text.length)}.`, field);
  };
  check(serial, DEVICE_SERIAL_MAX_CHARS, "serial");
  check(members["description"], LONG_TEXT_MAX_CHARS, "description");
  check(members["mutable_variable_regex"], MUTABLE_PATTERN_MAX_CHARS, "mutable_variable_regex");
  if (tags.length > MAX_TAGS) throw wrong(`a device has at most ${MAX_TAGS} tags; it has ${tags.length}.`, "tags");
  for (const { key, value } of tags) {
    const field = hasCell(`tag.${key}`) ? `tag.${key}` : "tags";
    check(key, TAG_KEY_MAX_CHARS, field);
    check(value, TAG_VALUE_MAX_CHARS, field);
  }
  for (const { key, value } of params) {
    const field = hasCell(`param.${key}`) ? `param.${key}` : "params";
    check(key, PARAM_KEY_MAX_CHARS, field);
    check(value, PARAM_VALUE_MAX_CHARS, field);
  }
}

interface DeviceTexts {
  readonly serial?: string;
  readonly members: Members;
  readonly tags: readonly Tag[];
  readonly params: readonly Tag[];
  /** Whether the row has a value for a field. */
  hasCell(field: string): boolean;
}

/** The rules for the storage of a device that a row alone decides. @throws what `wrong` makes */
export function checkStorage(members: Members, wrong: Wrong): void {
  const { type, chunk_period: period, chunk_retention: retention, mutable_variable_regex: pattern } = members;
  if (type !== undefined && !types.includes(String(type)))
    throw wrong(`it must be one of ${types.join(", ")}; it is ${quote(String(type))}.`, "type");
  if (period !== undefined && !periods.includes(String(period)))
    throw wrong(`it must be one of ${periods.join(", ")}; it is ${quote(String(period))}.`, "chunk_period");
  if (retention !== undefined) {
    if (!Number.isInteger(retention) || Number(retention) < 0)
      throw wrong("it must be a whole number.", "chunk_retention");
    const most = MAX_CHUNK_RETENTION[(period ?? "month") as ChunkPeriod];
    if (Number(retention) > most)
      throw wrong(
        `it must be at most ${most}${period === undefined ? "" : ` with the period ${period}`}; it is ${retention}.`,
        "chunk_retention",
      );
  }
  if (pattern !== undefined && !isPattern(String(pattern)))
    throw wrong("it must be a regular expression.", "mutable_variable_regex");
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

/** A new device with chunks needs a period and a retention. @throws what `wrong` makes */
export function checkNewStorage({ type, ...members }: Members, wrong: Wrong): void {
  if (type !== "immutable" && type !== "hybrid") return;
  for (const field of ["chunk_period", "chunk_retention"])
    if (members[field] === undefined) throw wrong(`a new device with ${type} storage needs it.`, field);
}
