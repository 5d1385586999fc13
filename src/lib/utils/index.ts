import { AnalysisRouter, type AnalysisRouterParams, type AnalysisRouter as Router } from "../analysis/router.ts";
import { getAPIVersion } from "./api-version.ts";
import { getDevice, getTokenByName } from "./device-token.ts";
import { envToJson } from "./env-to-json.ts";
import { parseLorawanQRCode } from "./lorawan-qr-code.ts";
import { sendDownlink } from "./send-downlink.ts";
import { updateMultipleDropdown } from "./update-multiple-dropdown.ts";
import { uploadFile } from "./upload-file.ts";

/** Types of the helpers. */
export declare namespace Utils {
  /** See the class of the same name. */
  export type AnalysisRouter<Params extends AnalysisRouterParams = AnalysisRouterParams> = Router<Params>;
}

/** Helper functions for common tasks. */
export const Utils = {
  AnalysisRouter,
  envToJson,
  getAPIVersion,
  getDevice,
  getTokenByName,
  parseLorawanQRCode,
  sendDownlink,
  updateMultipleDropdown,
  uploadFile,
};
