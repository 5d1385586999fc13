import { VERSION } from "../../lib/core/version.ts";

/** Version in the responses of `/status` and the health route. */
export const SANDBOX_NAME = "iotdeck-sandbox";
export const SANDBOX_VERSION = VERSION;
