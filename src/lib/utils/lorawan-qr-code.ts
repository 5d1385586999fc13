import { InputError } from "../core/errors.ts";

/** Content of the QR code of a LoRaWAN device. */
export interface LorawanQRCode {
  /** `LW`. */
  type: string;
  /** Schema of the code, such as `D0`. */
  schema_id: string;
  /** JoinEUI, 16 hexadecimal digits. */
  join_eui: string;
  /** DevEUI of the device, 16 hexadecimal digits. */
  dev_eui: string;
  /** Absent when the code has only four parts. */
  profile_id?: string;
  /** Token of the owner. Only set for codes of nine parts or more. */
  owner_token?: string;
  /** Serial number of the vendor. Only set for codes of nine parts or more. */
  sn_number?: string;
  /** Data of the vendor. Only set for codes of nine parts or more. */
  proprietary?: string;
  /** Checksum, not verified. Only set for codes of nine parts or more. */
  checksum?: string;
}

/**
 * Parses the string of a LoRaWAN QR code.
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
