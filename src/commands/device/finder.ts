export { deviceFinder, integrationFinder, listIntegrations } from "../kit/finders/device.ts";
