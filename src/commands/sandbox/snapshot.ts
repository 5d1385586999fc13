import type { SnapshotInfo } from "../../sandbox/index.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { one, rows } from "../kit/command/result.ts";
import { isObject } from "../kit/files/files.ts";
import { COPY_MS, inspect, placeOf, sandboxOptions, withStopped } from "./place.ts";

const columns: readonly Column<SnapshotInfo>[] = [
  { key: "name", kind: "id" },
  { key: "created_at", kind: "time" },
  { key: "bytes", kind: "number" },
];

const nameColumns = [{ key: "name", kind: "id" }] as const;

function isInfo(value: unknown): value is SnapshotInfo {
  return isObject(value) && typeof value["name"] === "string";
}

const nameArgument = { name: "name", summary: "name of the snapshot", required: true } as const;

export const snapshotCreate: Command = defineCommand({
  path: ["snapshot", "create"],
  asks: "nothing",
  result: one(columns),
  effect: "local",
  summary: "Save a snapshot of a sandbox",
  details:
    "Includes all data and files. Snapshots are stored with the data; those of an in-memory sandbox are lost when it stops.",
  args: [{ name: "name", summary: "name of the snapshot (default: a timestamp)" }],
  options: sandboxOptions,
  examples: [
    "iot sandbox start --detach --port 0 --ephemeral && iot sandbox snapshot create calm && iot sandbox stop --all",
    "iot sandbox seed --data-dir plant --seed empty && iot sandbox snapshot create first --data-dir plant",
  ],
  exitCodes: [6, 7],
  related: ["iot sandbox snapshot restore", "iot sandbox export"],
  async run(ctx, input) {
    const place = await placeOf(ctx, input);
    const name = input.args.name;
    const made =
      place.running === undefined
        ? await withStopped(place.dataDir, false, ({ snapshots }) => snapshots.create(name))
        : await inspect(place.running, "POST", "snapshots", { timeoutMs: COPY_MS, ...(name && { body: { name } }) });
    if (!isInfo(made)) return;
    await ctx.out.item(made, { columns, idKey: "name" });
    ctx.say.info(`Saved snapshot ${made.name} of ${place.name}.`);
  },
});

export const snapshotList: Command = defineCommand({
  path: ["snapshot", "list"],
  asks: "nothing",
  result: rows(columns),
  aliases: ["ls"],
  effect: "reads",
  summary: "List the snapshots of a sandbox",
  options: sandboxOptions,
  groups: ["limit"],
  examples: [
    "iot sandbox seed --data-dir plant --seed empty && iot sandbox snapshot list --data-dir plant",
    "iot sandbox start --detach --port 0 --ephemeral && iot sandbox snapshot list --json && iot sandbox stop --all",
  ],
  exitCodes: [6],
  related: ["iot sandbox snapshot create"],
  async run(ctx, input) {
    const place = await placeOf(ctx, input);
    const found =
      place.running === undefined
        ? await withStopped(place.dataDir, false, ({ snapshots }) => Promise.resolve(snapshots.list()))
        : await inspect(place.running, "GET", "snapshots");
    const rows = Array.isArray(found) ? found.filter(isInfo) : [];
    await ctx.out.list(rows, { columns, empty: "No snapshots.", idKey: "name" });
  },
});

export const snapshotRestore: Command = defineCommand({
  path: ["snapshot", "restore"],
  asks: "nothing",
  result: one(nameColumns),
  effect: "local",
  summary: "Restore a sandbox from a snapshot",
  details: "Data stored since then is lost, and tokens are restored as well. The snapshot is kept.",
  args: [nameArgument],
  options: sandboxOptions,
  groups: ["confirm"],
  examples: [
    "iot sandbox seed --data-dir plant --seed empty && iot sandbox snapshot create before --data-dir plant && iot sandbox snapshot restore before --data-dir plant --yes",
    "iot sandbox start --detach --port 0 --ephemeral && iot sandbox snapshot create calm && iot sandbox snapshot restore calm --yes && iot sandbox stop --all",
  ],
  exitCodes: { only: [6] },
  related: ["iot sandbox snapshot list", "iot sandbox reset"],
  async run(ctx, input) {
    const place = await placeOf(ctx, input);
    const name = input.args.name;
    const action = `Replace all data in ${place.name} with snapshot ${name}`;
    await ctx.confirm({ level: 1, action, where: "on this machine", name });
    if (place.running === undefined) {
      await withStopped(place.dataDir, false, ({ snapshots }) => snapshots.restore(name));
    } else {
      await inspect(place.running, "POST", `snapshots/${encodeURIComponent(name)}/restore`, { timeoutMs: COPY_MS });
    }
    await ctx.out.item({ name }, { columns: nameColumns, idKey: "name" });
    ctx.say.info(`Restored ${place.name} from snapshot ${name}.`);
  },
});

export const snapshotDelete: Command = defineCommand({
  path: ["snapshot", "delete"],
  asks: "nothing",
  result: one(nameColumns),
  aliases: ["rm"],
  effect: "local",
  summary: "Delete a snapshot",
  args: [nameArgument],
  options: sandboxOptions,
  groups: ["confirm"],
  examples: [
    "iot sandbox seed --data-dir plant --seed empty && iot sandbox snapshot create old --data-dir plant && iot sandbox snapshot delete old --data-dir plant --yes",
    "iot sandbox start --detach --port 0 --ephemeral && iot sandbox snapshot create old && iot sandbox snapshot delete old --yes && iot sandbox stop --all",
  ],
  exitCodes: { only: [6] },
  related: ["iot sandbox snapshot list"],
  async run(ctx, input) {
    const place = await placeOf(ctx, input);
    const name = input.args.name;
    await ctx.confirm({
      level: 1,
      action: `Delete snapshot ${name} of ${place.name}`,
      where: "on this machine",
      name,
    });
    if (place.running === undefined) {
      await withStopped(place.dataDir, false, ({ snapshots }) => snapshots.remove(name));
    } else {
      await inspect(place.running, "DELETE", `snapshots/${encodeURIComponent(name)}`);
    }
    await ctx.out.item({ name }, { columns: nameColumns, idKey: "name" });
    ctx.say.info(`Deleted snapshot ${name}.`);
  },
});
