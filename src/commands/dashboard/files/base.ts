import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import type { CommandContext, Target } from "../../kit/context.ts";
import { isObject, readTextIfThere, writeWhole } from "../../kit/files.ts";
import { userFolders } from "../../kit/paths.ts";
import { fingerprintOf } from "../../kit/snapshots.ts";
import type { DashboardContent } from "./canonical.ts";

/**
 * What a dashboard of the platform looked like when its folder was last the same: after an export, an import or an
 * apply. It tells whether somebody else changed the dashboard since.
 */
export interface Bases {
  read(folder: string, dashboard: string): string | undefined;
  keep(folder: string, dashboard: string, fingerprint: string): void;
}

/** Remembers them on this machine: in the folder itself they would differ between people without a change. */
export function openBases(ctx: Pick<CommandContext, "env" | "cwd">, { api }: Pick<Target, "api">): Bases {
  const pathOf = (folder: string, dashboard: string): string => {
    const key = JSON.stringify([api, real(resolve(ctx.cwd, folder)), dashboard]);
    const name = createHash("sha256").update(key).digest("hex").slice(0, 24);
    return join(userFolders(ctx.env).state, "dashboards", `${name}.json`);
  };
  return {
    read(folder, dashboard) {
      try {
        const value: unknown = JSON.parse(readTextIfThere(pathOf(folder, dashboard)) ?? "{}");
        const fingerprint = isObject(value) ? value["fingerprint"] : undefined;
        return typeof fingerprint === "string" ? fingerprint : undefined;
      } catch {
        return undefined;
      }
    },
    keep(folder, dashboard, fingerprint) {
      const text = `${JSON.stringify({ dashboard, fingerprint })}\n`;
      writeWhole(pathOf(folder, dashboard), text, { file: 0o600, folder: 0o700 });
    },
  };
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** One word for what a dashboard's files say. */
export function markOf({ dashboard, widgets }: DashboardContent): string {
  return fingerprintOf(dashboard, widgets);
}
