import type { Sandbox } from "../options.ts";

type SandboxFacts = Pick<Sandbox, "url" | "tokens" | "inspectionHeaders"> & {
  readonly tip?: Sandbox["tip"];
  readonly certificate?: Omit<NonNullable<Sandbox["certificate"]>, "pem">;
};

/** The variables a program needs to talk to a sandbox. */
export function variablesOf({
  url,
  tokens,
  inspectionHeaders,
  certificate,
  tip,
}: SandboxFacts): Record<string, string> {
  return {
    IOT_API_URL: url,
    IOT_EVENTS_URL: `${url}/events`,
    IOT_TOKEN: tokens.profile,
    TAGOIO_API: url,
    TAGOIO_SSE: `${url}/events`,
    T_ANALYSIS_TOKEN: tokens.analysis,
    ...(tokens.device === "" ? {} : { IOT_SANDBOX_DEVICE_TOKEN: tokens.device }),
    IOT_SANDBOX_ANALYSIS_TOKEN: tokens.analysis,
    IOT_SANDBOX_SECRET: inspectionHeaders.authorization.replace("Bearer ", ""),
    ...certificate?.variables,
    ...(tip !== undefined && tipVariables(tip)),
  };
}

/** `IOT_TIP_UDP` and so on. */
const tipVariables = (tip: NonNullable<Sandbox["tip"]>): Record<string, string> =>
  Object.fromEntries(Object.entries(tip).map(([name, value]) => [`IOT_TIP_${name.toUpperCase()}`, value]));
