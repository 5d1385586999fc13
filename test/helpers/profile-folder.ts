import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** How many of each kind a made-up profile has. */
export interface FolderSize {
  readonly device: number;
  readonly dictionary: number;
  readonly entity: number;
  readonly analysis: number;
  readonly dashboard: number;
  readonly action: number;
  readonly access: number;
}

/** A thousand resources. */
export const THOUSAND: FolderSize = {
  device: 500,
  dictionary: 40,
  entity: 30,
  analysis: 150,
  dashboard: 150,
  action: 100,
  access: 30,
};

export const SMALL: FolderSize = {
  device: 8,
  dictionary: 2,
  entity: 2,
  analysis: 3,
  dashboard: 3,
  action: 3,
  access: 2,
};

const totalOf = (size: FolderSize): number => Object.values(size).reduce((sum, count) => sum + count, 0);

const starts = ["device", "dictionary", "entity", "analysis", "dashboard", "action", "access", "widget"] as const;

/** The id of the nth resource of a kind, the same in every folder. */
export const folderId = (kind: (typeof starts)[number], n: number): string =>
  `77${String(starts.indexOf(kind)).padStart(4, "0")}${n.toString(16).padStart(18, "0")}`;

/**
 * Writes the files of a profile in which everything refers to something else: widgets to devices and to the next
 * dashboard, scripts to dashboards, actions to analyses.
 *
 * @returns how many resources it has
 */
export function writeProfileFolder(folder: string, size: FolderSize): number {
  const put = (kind: keyof FolderSize, n: number, document: object): void => {
    mkdirSync(join(folder, kind), { recursive: true });
    const id = folderId(kind, n);
    writeFileSync(join(folder, kind, `r${n}--${id}.json`), JSON.stringify({ id, name: `${kind} ${n}`, ...document }));
  };
  const makers: { readonly [Kind in keyof FolderSize]: (n: number) => object } = {
    device: (n) => ({
      type: "mutable",
      active: true,
      visible: true,
      network: "65a1000000000000000e0001",
      connector: "65a1000000000000000c0001",
      params: [{ key: "rate", value: String(n) }],
      tags: [{ key: "site", value: String(n % 7) }],
    }),
    dictionary: (n) => ({
      slug: `D${n}`,
      fallback: "en-US",
      languages: [{ code: "en-US", active: true }],
      texts: { "en-US": { HELLO: `Hello ${n}` } },
    }),
    entity: () => ({ schema: { label: { type: "string" } } }),
    analysis: (n) => {
      const script = `r${n}--${folderId("analysis", n)}.js`;
      mkdirSync(join(folder, "analysis"), { recursive: true });
      writeFileSync(join(folder, "analysis", script), `// ${folderId("dashboard", n % size.dashboard)}\n`);
      return { active: true, run_on: "tago", runtime: "node-rt2025", file_name: "main.js", script_file: script };
    },
    dashboard: (n) => {
      const widgets = [0, 1].map((i) => ({
        id: folderId("widget", n * 2 + i),
        label: `Widget ${i}`,
        type: "display",
        display: { link: `/dashboards/info/${folderId("dashboard", (n + 1) % size.dashboard)}` },
        data: [{ origin: folderId("device", (n * 2 + i) % size.device), query: "last_value", variables: ["t"] }],
      }));
      const arrangement = widgets.map(({ id }, i) => ({ widget_id: id, x: i * 2, y: 0, width: 2, height: 2 }));
      return { label: `dashboard ${n}`, name: undefined, type: "dashboard", visible: true, arrangement, widgets };
    },
    action: (n) => ({
      type: "resource",
      active: true,
      lock: false,
      trigger_when_unlock: false,
      action: { type: "script", script: [folderId("analysis", n % size.analysis)] },
      trigger: [{ resource: "device", when: "create", tag_key: "site", tag_value: String(n) }],
    }),
    access: (n) => ({
      active: true,
      permissions: [{ effect: "allow", action: ["access"], resource: ["device", "id", folderId("device", n)] }],
      targets: [["analysis", "id", folderId("analysis", n % size.analysis)]],
    }),
  };
  mkdirSync(folder, { recursive: true });
  for (const [kind, make] of Object.entries(makers) as [keyof FolderSize, (n: number) => object][])
    for (let n = 0; n < size[kind]; n += 1) put(kind, n, make(n));
  const profile = { id: "77ffff000000000000000000", name: "Made up" };
  writeFileSync(join(folder, "profile.json"), JSON.stringify({ format: "iotdeck/profile", version: 1, profile }));
  return totalOf(size);
}
