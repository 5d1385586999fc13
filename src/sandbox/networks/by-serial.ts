import type { Gap } from "../core/gap.ts";
import { denied, PlatformError } from "../core/platform-error.ts";
import type { Collections, EntityDocument } from "../store/document.ts";
import type { StoredToken, Tokens } from "../store/tokens.ts";

interface SerialParts extends Collections {
  readonly tokens: Tokens;
}

export const serialGaps = {
  unknownSerial: {
    subject: "Unknown serial number, with an authorization",
    choice: "404 as without one; the platform may make an unassigned device",
  },
} as const satisfies Readonly<Record<string, Gap>>;

/**
 * The service authorization with this token; it grants access to devices of its own profile. @throws PlatformError 401
 */
export function needAuthorization({ tokens }: Pick<SerialParts, "tokens">, text: string): StoredToken {
  const found = text === "" ? undefined : tokens.authorize(text);
  if (found?.kind !== "service") throw denied();
  return found;
}

/** Devices of a profile with a token that has the serial number, newest first. */
export function devicesWithSerial(app: SerialParts, profile: string, serial: string): EntityDocument[] {
  const devices = app.collection("device");
  return app.tokens
    .devicesWithSerial(profile, serial)
    .flatMap((id) => devices.get(id) ?? [])
    .sort((a, b) => (a.id < b.id ? 1 : -1));
}

/** Error for a serial number without a device. */
export function unknownSerial(authorization: StoredToken | undefined): PlatformError {
  const error = new PlatformError(404, "Device Not Found");
  return authorization === undefined ? error : error.assumed(serialGaps.unknownSerial);
}
