import { z } from "zod";
import type { PublishOptions } from "../lib/clients/network.ts";
import { DEVICE_SERIAL_MAX_CHARS, LONG_TEXT_MAX_CHARS, VERIFICATION_CODE_MAX_CHARS } from "../lib/core/limits.ts";
import type {
  ConnectorCreateInfo,
  ConnectorEditInfo,
  NetworkCreateInfo,
  NetworkEditInfo,
  TokenData,
} from "../lib/resources/index.ts";
import type { DownlinkOptions } from "../lib/utils/send-downlink.ts";
import { id, type Nullish, name, permission, wholeNumber } from "./common.ts";

const text = z.string().max(LONG_TEXT_MAX_CHARS, `At most ${LONG_TEXT_MAX_CHARS} characters`).exactOptional();
/** Base64 of a parser. */
const source = z
  .string()
  .max(1024 * 1024)
  .nullable()
  .exactOptional();

const parameter = z.looseObject({
  name: z.string().max(255).exactOptional(),
  label: z.string().max(255).exactOptional(),
  type: z.enum(["text", "dropdown", "switch", "number"]).exactOptional(),
  group: z.enum(["default", "main", "advanced", "hide"]).exactOptional(),
  options: z.array(z.unknown()).exactOptional(),
});

const common = {
  description: text,
  logo_url: text,
  device_parameters: z.array(parameter).max(100, "At most 100 parameters").exactOptional(),
  payload_encoder: source,
  payload_decoder: source,
  public: z.boolean().exactOptional(),
};

const connector = {
  ...common,
  networks: z.array(id).max(100, "At most 100 networks").exactOptional(),
  install_text: text,
  install_end_text: text,
  device_annotation: text,
};

const network = {
  ...common,
  icon_url: text,
  banner_url: text,
  documentation_url: text,
  middleware_endpoint: z.string().max(255).exactOptional(),
  serial_number: z
    .looseObject({
      mask: z.string().max(255).exactOptional(),
      label: text,
      image: text,
      case: text,
      help: text,
      required: z.boolean().exactOptional(),
    })
    .exactOptional(),
  require_devices_access: z.boolean().exactOptional(),
};

export const connectorCreate = z.object({ ...connector, name }) satisfies z.ZodType<Nullish<ConnectorCreateInfo>>;
export const connectorEdit = z.object({ ...connector, name: name.exactOptional() }) satisfies z.ZodType<
  Nullish<ConnectorEditInfo>
>;
export const networkCreate = z.object({ ...network, name }) satisfies z.ZodType<Nullish<NetworkCreateInfo>>;
export const networkEdit = z.object({ ...network, name: name.exactOptional() }) satisfies z.ZodType<
  Nullish<NetworkEditInfo>
>;

/** Body of `POST /integration/network/token`. */
export const networkTokenCreate = z.object({
  network: id,
  name,
  permission: permission.default("full"),
  expire_time: z.string().exactOptional(),
  serie_number: z.string().max(DEVICE_SERIAL_MAX_CHARS).exactOptional(),
  verification_code: z.string().max(VERIFICATION_CODE_MAX_CHARS).exactOptional(),
}) satisfies z.ZodType<TokenData>;

/** Body of `POST /integration/network/publish`. */
export const relayPublish = z.object({
  topic: z.string().min(1, "Required").max(1000),
  message: z.unknown(),
  qos: z.union([z.literal(0), z.literal(1), z.literal(2)]).exactOptional(),
  retain: z.boolean().exactOptional(),
  device: id,
}) satisfies z.ZodType<Omit<PublishOptions, "message">>;

/** Body of the sandbox's own `POST /middleware/downlink`. */
export const downlink = z.object({
  device: z.string().min(1, "Required").max(255),
  authorization: z.string().max(255).default(""),
  payload: z.string().max(LONG_TEXT_MAX_CHARS),
  port: wholeNumber(0, 255).exactOptional(),
  confirmed: z.boolean().exactOptional(),
}) satisfies z.ZodType<Partial<DownlinkOptions>>;
