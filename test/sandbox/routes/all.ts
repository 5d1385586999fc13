import { SEED_TOKENS } from "../../helpers/seed.ts";
import { automationCases } from "./automation.ts";
import type { Caller, World } from "./case.ts";
import { dashboardCases } from "./dashboards.ts";
import { deviceCases } from "./devices.ts";
import { peopleCases } from "./people.ts";
import { tableCases } from "./tables.ts";

/** A good call of every route of the client, by name: `device.list`. */
export const cases = { ...deviceCases, ...dashboardCases, ...automationCases, ...tableCases, ...peopleCases };

/** The token of a caller; nobody has none. */
export function tokenOf({ sandbox }: World, caller: Caller = "profile"): string | undefined {
  const { profile, analysis, device } = sandbox.tokens;
  return { profile, analysis, device, network: SEED_TOKENS.network, nobody: undefined }[caller];
}
