import { InputError } from "../core/errors.ts";

/** What the QR code of a LoRaWAN device says. */
export interface LorawanQRCode {
  /** `LW`. */
  type: string;
  /** Form of the code, such as `D0`. */
  schema_id: string;
  /** 16 hexadecimal digits. */
  join_eui: string;
  /** Id of the device, 16 hexadecimal digits. */
  dev_eui: string;
  /** Missing when the code has only four parts. */
  profile_id?: string;
  /** This and what follows: only when the code has nine parts or more. */
  owner_token?: string;
  /** Serial number of the maker. */
  sn_number?: string;
  /** The maker's own text. */
  proprietary?: string;
  /** Not checked. */
  checksum?: string;
}

/**
 * Reads the text of a LoRaWAN QR code (specification, section 3).
 *
 * @throws InputError `QR Code must be a string`, `Invalid QR Code`
 * @example
 * ```ts
 * const { dev_eui } = Utils.parseLorawanQRCode("LW:D0:1122334455667788:AABBCCDDEEFF0011:AABB1122");
 * ```
 */
export function parseLorawanQRCode(qrCode: string): LorawanQRCode {
  if (typeof qrCode !== "string") throw new InputError("QR Code must be a string", "qrCode");
  const parts = qrCode.split(":");
  const [type, schema_id, join_eui, dev_eui, profile_id] = parts;
  if (type === undefined || schema_id === undefined || join_eui === undefined || dev_eui === undefined)
    throw new InputError("Invalid QR Code", "qrCode");
  const code: LorawanQRCode = { type, schema_id, join_eui, dev_eui };
  if (profile_id !== undefined) code.profile_id = profile_id;
  if (parts.length < 9) return code;
  const [owner_token = "", sn_number = "", proprietary = "", checksum = ""] = parts.slice(5);
  return { ...code, owner_token, sn_number, proprietary, checksum };
}
