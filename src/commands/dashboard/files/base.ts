import { realpathSync } from "node:fs";
import type { CommandContext, Target } from "../../kit/context.ts";
import type { DashboardContent } from "../../kit/dashboards/content.ts";
import { objectOf } from "../../kit/files/files.ts";
import { readNote, statePath, writeNote } from "../../kit/state/notes.ts";
import { fingerprintOf } from "../../kit/state/snapshots.ts";

/** What the files and the platform said when they were last the same. */
interface Base {
  readonly files: string;
  readonly platform: string;
}

/**
 * What was there after an export, an import or an apply. It shows whether somebody else changed the dashboard since,
 * and whether the files were changed.
 */
export interface Bases {
  read(folder: string, dashboard: string): Base | undefined;
  keep(folder: string, dashboard: string, base: Base): void;
}

/** Remembers them on this machine: in the folder itself they would differ between people without a change. */
export function openBases(ctx: Pick<CommandContext, "env" | "path">, { api }: Pick<Target, "api">): Bases {
  const pathOf = (folder: string, dashboard: string): string =>
    statePath(ctx.env, "dashboards", [api, real(ctx.path(folder)), dashboard]);
  return {
    read(folder, dashboard) {
      const { files, platform } = objectOf(readNote(pathOf(folder, dashboard)));
      return typeof files === "string" && typeof platform === "string" ? { files, platform } : undefined;
    },
    keep(folder, dashboard, { files, platform }) {
      writeNote(pathOf(folder, dashboard), { dashboard, files, platform });
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
export function documentMark({ dashboard, widgets }: DashboardContent): string {
  return fingerprintOf(dashboard, widgets);
}
