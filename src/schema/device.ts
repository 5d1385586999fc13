import { z } from "zod";
import {
  DEVICE_NAME_MAX_CHARS,
  DEVICE_NAME_MIN_CHARS,
  DEVICE_SERIAL_MAX_CHARS,
  LONG_TEXT_MAX_CHARS,
  MAX_CHUNK_RETENTION,
  MUTABLE_PATTERN_MAX_CHARS,
  NAME_MAX_CHARS,
  PARAM_KEY_MAX_CHARS,
  PARAM_VALUE_MAX_CHARS,
  VERIFICATION_CODE_MAX_CHARS,
} from "../lib/core/limits.ts";
import { chunkPeriods } from "../lib/resources/enums.ts";
import type {
  ConfigurationParams,
  DeviceChunkParams,
  DeviceCreateInfo,
  DeviceDataBackupParams,
  DeviceEditInfo,
  DeviceInfo,
  GenericID,
  TokenData,
} from "../lib/resources/index.ts";
import { id, type Nullish, permission, tags, wholeNumber } from "./common.ts";

const name = z
  .string()
  .min(DEVICE_NAME_MIN_CHARS, `At least ${DEVICE_NAME_MIN_CHARS} characters`)
  .max(DEVICE_NAME_MAX_CHARS, `At most ${DEVICE_NAME_MAX_CHARS} characters`);

/** The platform stores the number 0 as an empty string. */
const paramValue = z.union([
  z.string().max(PARAM_VALUE_MAX_CHARS),
  z.number().transform((value) => (value === 0 ? "" : String(value))),
  z.boolean().transform(String),
]);

const param = z.object({
  key: z.string().min(1).max(PARAM_KEY_MAX_CHARS),
  value: paramValue,
  sent: z.boolean().exactOptional(),
});

/** Variables of a hybrid device that match are stored as mutable. */
const regex = z.string().max(MUTABLE_PATTERN_MAX_CHARS).refine(isRegex, "Invalid regular expression");

function isRegex(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

/** Code of a payload parser, and its base64. */
const PARSER_CHARS = 64 * 1024;
const BASE64_PARSER_CHARS = Math.ceil(PARSER_CHARS / 3) * 4;
const PARSER_LIMIT = "At most 64 kB of code";

const settings = {
  connector: id.exactOptional(),
  network: id.exactOptional(),
  description: z.string().max(LONG_TEXT_MAX_CHARS).nullable().exactOptional(),
  active: z.boolean().exactOptional(),
  visible: z.boolean().exactOptional(),
  tags: tags.exactOptional(),
  payload_decoder: z.string().max(BASE64_PARSER_CHARS, PARSER_LIMIT).nullable().exactOptional(),
  parse_function: z.string().max(PARSER_CHARS, PARSER_LIMIT).exactOptional(),
  connector_parse: z.boolean().exactOptional(),
  serie_number: z.string().max(DEVICE_SERIAL_MAX_CHARS).exactOptional(),
  chunk_retention: wholeNumber(0, Math.max(...Object.values(MAX_CHUNK_RETENTION))).exactOptional(),
  mutable_variable_regex: regex.exactOptional(),
};

const storage = {
  type: z.enum(["mutable", "immutable", "hybrid"]).exactOptional(),
  chunk_period: z.enum(chunkPeriods).exactOptional(),
  chunk_retention: settings.chunk_retention,
};

interface Storage {
  readonly type?: string;
  readonly chunk_period?: keyof typeof MAX_CHUNK_RETENTION;
  readonly chunk_retention?: number;
}

/** Immutable and hybrid storage need a period and a retention within its limit. */
function checkStorage({ value, issues }: z.core.ParsePayload<Storage>): void {
  if (value.type !== "immutable" && value.type !== "hybrid") return;
  for (const field of ["chunk_period", "chunk_retention"] as const) {
    if (value[field] === undefined) issues.push({ code: "custom", message: "Required", path: [field], input: value });
  }
  const most = value.chunk_period === undefined ? undefined : MAX_CHUNK_RETENTION[value.chunk_period];
  if (most === undefined || (value.chunk_retention ?? 0) <= most) return;
  issues.push({ code: "custom", message: `At most ${most}`, path: ["chunk_retention"], input: value });
}

/** Body of `POST /device`. */
export const deviceCreate = z
  .object({
    ...settings,
    ...storage,
    name,
    configuration_params: z.array(param).max(60, "At most 60 parameters").exactOptional(),
  })
  .check(checkStorage) satisfies z.ZodType<DeviceCreateInfo>;

/** Body of `POST /device/:id/convert`. */
export const deviceConvert = z
  .object({ ...storage, type: storage.type.unwrap() })
  .check(checkStorage) satisfies z.ZodType<Pick<DeviceInfo, "type" | "chunk_period" | "chunk_retention">>;

/** Body of `PUT /device/:id`: type, period and parameters cannot change. */
export const deviceEdit = z.object({ ...settings, name: name.exactOptional() }) satisfies z.ZodType<DeviceEditInfo>;

const paramChange = z.object({
  id: id.nullish(),
  key: z.string().min(1).max(PARAM_KEY_MAX_CHARS).optional(),
  value: paramValue.optional(),
  sent: z.boolean().optional(),
});

/** Body of `POST /device/:id/params`: one parameter or a list; those with an id are changed. */
export const deviceParams = z.union([
  z.array(paramChange).max(60),
  paramChange.transform((item) => [item]),
]) satisfies z.ZodType<Nullish<Partial<ConfigurationParams>>[]>;

/** Body of `PUT /device/params/:id`; without one the parameter becomes sent. */
export const deviceParamSent = z.object({ sent: z.boolean().default(true) }).prefault({}) satisfies z.ZodType<
  Pick<ConfigurationParams, "sent">
>;

/** Fields of every kind of token. */
export const tokenMembers = {
  name: z.string().min(1).max(NAME_MAX_CHARS),
  permission: permission.default("full"),
  expire_time: z.string().nullish(),
  serie_number: z.string().max(DEVICE_SERIAL_MAX_CHARS).nullish(),
  verification_code: z.string().max(VERIFICATION_CODE_MAX_CHARS).nullish(),
  middleware: z.string().optional(),
};

/** Body of `POST /device/token`. */
export const deviceTokenCreate = z.object({ ...tokenMembers, device: id }) satisfies z.ZodType<
  Nullish<TokenData> & { device: GenericID }
>;

const fileAddress = z.string().trim().min(1, "Required").max(1_000);

/** Body of `POST /device/:id/data/backup`. */
export const deviceDataBackup = z.object({
  file_address: fileAddress,
  headers: z.unknown().optional(),
}) satisfies z.ZodType<Pick<DeviceDataBackupParams, "file_address">>;

/** Body of `POST /device/:id/chunk/backup` and `chunk/copy`. */
export const deviceChunkBackup = deviceDataBackup.extend({
  chunk_id: z.string().min(1, "Required"),
}) satisfies z.ZodType<Pick<DeviceChunkParams, "file_address"> & { chunk_id: DeviceChunkParams["chunkID"] }>;

/** Body of `POST /device/:id/data/restore`. */
export const deviceDataRestore = z.object({ file_address: fileAddress }) satisfies z.ZodType<
  Pick<DeviceDataBackupParams, "file_address">
>;
