import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { CommandContext, Target } from "../../kit/context.ts";
import { isObject, readTextIfThere, writeWhole } from "../../kit/files/files.ts";
import { fingerprintOf } from "../../kit/state/snapshots.ts";
import { statePath } from "../../kit/state/state-file.ts";
import type { DashboardContent } from "./canonical.ts";

/** What the files and the platform said when they were last the same. */
interface Base {
  readonly files: string;
  readonly platform: string;
}

/**
 * What was there after an export, an import or an apply. It tells whether somebody else changed the dashboard since, and
 * whether the files were changed.
 */
export interface Bases {
  read(folder: string, dashboard: string): Base | undefined;
  keep(folder: string, dashboard: string, base: Base): void;
}

/** Remembers them on this machine: in the folder itself they would differ between people without a change. */
export function openBases(ctx: Pick<CommandContext, "env" | "cwd">, { api }: Pick<Target, "api">): Bases {
  const pathOf = (folder: string, dashboard: string): string =>
    statePath(ctx.env, "dashboards", [api, real(resolve(ctx.cwd, folder)), dashboard]);
  return {
    read(folder, dashboard) {
      try {
        const value: unknown = JSON.parse(readTextIfThere(pathOf(folder, dashboard)) ?? "{}");
        const { files, platform } = isObject(value) ? value : {};
        return typeof files === "string" && typeof platform === "string" ? { files, platform } : undefined;
      } catch {
        return undefined;
      }
    },
    keep(folder, dashboard, { files, platform }) {
      const text = `${JSON.stringify({ dashboard, files, platform })}\n`;
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
