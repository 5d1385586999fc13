import type { Target } from "../kit/context.ts";
import { eventsBeside } from "../kit/settings/connect.ts";
import type { Credential } from "../kit/settings/credentials.ts";

/** The address a stored token belongs to, whatever the environment says today. */
export function homeOf(credential: Credential): Target {
  const { origin, env } = credential;
  return { envName: env, label: `${env} (${origin})`, api: origin, events: eventsBeside(origin), isProtected: false };
}
