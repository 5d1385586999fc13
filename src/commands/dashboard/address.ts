import type { Target } from "../kit/context.ts";

/**
 * Where people see a dashboard. The address of the platform's own pages is known; that of other servers is the one of
 * their interface.
 */
export function addressOf({ api }: Pick<Target, "api">, id: string): string {
  const isPlatform = /(^|\.)tago\.io$/.test(hostOf(api));
  return isPlatform ? `https://admin.tago.io/dashboards/info/${id}` : `${api.replace(/\/$/, "")}/dashboard/${id}`;
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : "";
}
