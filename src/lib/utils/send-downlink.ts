import type { CallOptions } from "../api/client.ts";
import { sendExternal } from "../api/external-request.ts";
import { ApiError, DownlinkError, InputError, RequestError } from "../core/errors.ts";
import { parseJson } from "../core/json.ts";
import { DOWNLINK_TOKEN_AMOUNT } from "../core/limits.ts";
import type { TransportReply } from "../http/transport.ts";
import type { ConfigurationParams, GenericID } from "../resources/data-types.ts";
import { ProfileResources } from "../resources/profile-resources.ts";

/** Characters of a response that become part of a message; `data` of the error has all of it. */
const maxShownLength = 4000;

/** A downlink message. */
export interface DownlinkOptions {
  /** Hexadecimal or base64, as the network requires. */
  payload: string;
  /** Port of the device (LoRaWAN: FPort). */
  port: number | string;
  /** Whether the device must acknowledge the message. */
  confirmed?: boolean;
}

interface Uplink {
  readonly device: string;
  readonly authorization: string;
}

function checkOptions(options: unknown): DownlinkOptions {
  if (typeof options !== "object" || options === null)
    throw new InputError("Invalid dn_options: it must be an object", "dn_options");
  const { payload, port } = options as Partial<DownlinkOptions>;
  if (typeof payload !== "string") throw new InputError("Invalid payload: it must be a string", "payload");
  if (typeof port !== "string" && typeof port !== "number")
    throw new InputError("Invalid port: it must be a number or a text", "port");
  return options as DownlinkOptions;
}

/** The first uplink of the network server sets the device and the authorization. */
async function lastUplink(resource: ProfileResources, id: GenericID, options?: CallOptions): Promise<Uplink> {
  const fields = ["name", "serie_number", "last_authorization"] as const;
  const tokens = await resource.devices.tokenList(id, { page: 1, fields, amount: DOWNLINK_TOKEN_AMOUNT }, options);
  const token = tokens.find(({ serie_number, last_authorization }) => serie_number && last_authorization);
  if (!token?.serie_number || !token.last_authorization) {
    throw new DownlinkError(
      "Can't perform the downlink. Wait for at least 1 uplink from the NS to use this operation.",
      { step: "device" },
    );
  }
  const { serie_number: device, last_authorization: seen } = token;
  return { device, authorization: seen instanceof Date ? seen.toISOString() : seen };
}

const isLoopback = (host: string): boolean => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(host);

/** URL of the middleware for downlinks: https, or http on localhost. */
function downlinkAddress(endpoint: string): string {
  const host = endpoint
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/\/+$/, "");
  const text = `https://${host}/downlink`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username || url.password || url.search || url.hash) {
    throw new DownlinkError(
      "This device network doesn't support downlinks. Its middleware endpoint is not a host name.",
      {
        step: "network",
      },
    );
  }
  return isLoopback(url.hostname) ? `http://${host}/downlink` : url.href;
}

async function middlewareOf(resource: ProfileResources, id: GenericID, options?: CallOptions): Promise<string> {
  // Checked at run time: the types only say what the platform documents.
  const device: { network?: GenericID } | null = await resource.devices.info(id, options);
  const network = device?.network;
  if (!network) throw new DownlinkError("Device is not using a network.", { step: "network" });
  const fields = ["id", "middleware_endpoint", "name"] as const;
  const found: { middleware_endpoint?: unknown } | null = await resource.integration.networks.info(
    network,
    fields,
    options,
  );
  const endpoint = found?.middleware_endpoint;
  if (typeof endpoint !== "string" || endpoint === "")
    throw new DownlinkError("This device network doesn't support downlinks.", { step: "network" });
  return downlinkAddress(endpoint);
}

/** Sets both parameters in one request, so that never just one of them is set. */
async function setParameters(
  resource: ProfileResources,
  id: GenericID,
  { payload, port }: DownlinkOptions,
  options?: CallOptions,
): Promise<void> {
  const known = await resource.devices.paramList(id, undefined, options);
  const parameter = (key: string, value: string): Partial<ConfigurationParams> => {
    const old = known.find((one) => one.key === key);
    return { ...(old === undefined ? {} : { id: old.id }), key, value, sent: false };
  };
  await resource.devices.paramSet(
    id,
    [parameter("downlink", payload), parameter("port", String(port))],
    undefined,
    options,
  );
}

function judge({ status, text }: TransportReply): string {
  if (status >= 200 && status <= 299) return `Downlink accepted with status ${status}`;
  const data = parseJson(text);
  const details = { step: "send", status, data } as const;
  if (text.includes("Authorization is missing")) {
    throw new DownlinkError(
      "Additional parameter is missing with in the TagoIO Authorization used for this device",
      details,
    );
  }
  const shown = JSON.stringify(data);
  const short = shown.length > maxShownLength ? `${shown.slice(0, maxShownLength)}…` : shown;
  throw new DownlinkError(`Downlink failed with status ${status}: ${short}`, details);
}

/**
 * Sends a downlink message to a device through its network. Sets the parameters `downlink` and `port` of the device
 * first. One attempt.
 *
 * @param resource a `Resources` or `Account`
 * @returns `Downlink accepted with status {status}`
 * @throws DownlinkError when the device, its network or the middleware rejects it; ApiError, RequestError, InputError
 * @example
 * ```ts
 * const resources = new Resources({ token: context.token });
 * await Utils.sendDownlink(resources, deviceID, { payload: "0109", port: 5, confirmed: true });
 * ```
 */
export async function sendDownlink(
  resource: ProfileResources,
  device_id: GenericID,
  dn_options: DownlinkOptions,
  options?: CallOptions,
): Promise<string> {
  if (!(resource instanceof ProfileResources))
    throw new InputError("The parameter 'resource' must be an instance of a TagoIO Resource.", "resource");
  const message = checkOptions(dn_options);
  const uplink = await lastUplink(resource, device_id, options);
  const url = await middlewareOf(resource, device_id, options);
  await setParameters(resource, device_id, message, options);
  const { payload, port, confirmed } = message;
  const body = JSON.stringify({ ...uplink, payload, port, confirmed });
  return judge(await post(resource, url, body, options));
}

async function post(
  resource: ProfileResources,
  url: string,
  body: string,
  options?: CallOptions,
): Promise<TransportReply> {
  const { client } = resource;
  const headers = { "content-type": "application/json" };
  try {
    return await sendExternal(client, { method: "POST", url, headers, body, timeoutMs: client.timeoutMs }, options);
  } catch (error) {
    if (!(error instanceof RequestError || error instanceof ApiError)) throw error;
    const { status } = error;
    const message = `Downlink failed with status ${status}: ${error.message}`;
    throw new DownlinkError(message, { step: "send", status, cause: error });
  }
}
