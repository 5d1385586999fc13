import type { CallOptions } from "../api/client.ts";
import { Device } from "../clients/device.ts";
import { InputError } from "../core/errors.ts";
import type { GenericID, GenericToken } from "../resources/data-types.ts";
import { ProfileResources } from "../resources/profile-resources.ts";

/**
 * Finds a token of a device.
 *
 * @param account an `Account` or `Resources`
 * @param names the token's name contains one of these; without names the newest token is returned
 * @returns null when the device has no token
 * @throws InputError `Can't find Token for {id} in {names}`, `Account parameter must be an instance of TagoIO Account.`
 * @example
 * ```ts
 * const token = await Utils.getTokenByName(new Resources({ token: context.token }), deviceID, ["Default"]);
 * ```
 */
export async function getTokenByName(
  account: ProfileResources,
  deviceID: GenericID,
  names?: string | readonly string[],
  options?: CallOptions,
): Promise<GenericToken | null> {
  if (!(account instanceof ProfileResources))
    throw new InputError("Account parameter must be an instance of TagoIO Account.", "account");
  const tokens = await account.devices.tokenList(deviceID, undefined, options);
  if (tokens.length === 0) return null;
  const wanted = typeof names === "string" ? [names] : (names ?? []);
  const isWanted = (name: string) => wanted.length === 0 || wanted.some((part) => name.includes(part));
  const found = tokens.find(({ name }) => isWanted(name ?? ""));
  if (found === undefined) throw new InputError(`Can't find Token for ${deviceID} in ${wanted.join(",")}`, "names");
  return found.token;
}

/**
 * Creates a `Device` for a device of the profile, with its first token and the region of the account.
 *
 * @param account an `Account` or `Resources`
 * @throws InputError `Token not found for the device id {id}`,
 *   `The parameter 'account' must be an instance of a TagoIO Account.`
 * @example
 * ```ts
 * const device = await Utils.getDevice(new Resources({ token: context.token }), deviceID);
 * await device.sendData({ variable: "level", value: 3 });
 * ```
 */
export async function getDevice(
  account: ProfileResources,
  device_id: GenericID,
  options?: CallOptions,
): Promise<Device> {
  if (!(account instanceof ProfileResources))
    throw new InputError("The parameter 'account' must be an instance of a TagoIO Account.", "account");
  const token = await getTokenByName(account, device_id, undefined, options);
  if (!token) throw new InputError(`Token not found for the device id ${device_id}`, "device_id");
  return new Device({ ...account.client.options, token });
}
