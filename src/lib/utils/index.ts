import { getAPIVersion } from "./api-version.ts";

/** Small helpers around the platform. */
export const Utils = { getAPIVersion };
