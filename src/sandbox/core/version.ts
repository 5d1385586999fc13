import { VERSION } from "../../lib/core/version.ts";

/** What `/status` and the health route answer. */
export const SANDBOX_NAME = "iotdeck-sandbox";
export const SANDBOX_VERSION = VERSION;
