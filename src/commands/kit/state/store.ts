import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type JsonObject, onFile, parseObject, realTarget, sweepTemporaries, temporaryName } from "../files/files.ts";
import { replaceFile } from "../files/replace-file.ts";
import { showPath } from "../settings/paths.ts";
import { underLock } from "./lock.ts";

/**
 * Changes a stored JSON file of the user, as it is on the disk now, while no other process does.
 *
 * @param clearInvalidConfig treats a file that is not JSON as empty; else it is reported and left as it is
 * @returns the new content
 */
export async function changeStored(
  path: string,
  change: (now: JsonObject) => JsonObject,
  clearInvalidConfig = false,
): Promise<JsonObject> {
  const Conf = await loadConf();
  return underLock(path, () => {
    const target = realTarget(path);
    sweepTemporaries([target]);
    sweepConfTemporaries(target);
    const store = new Conf({
      cwd: dirname(target),
      configName: basename(target),
      fileExtension: "",
      configFileMode: 0o600,
      serialize: textOf,
      ...(clearInvalidConfig ? { clearInvalidConfig } : { deserialize: (text) => parseObject(text, showPath(path)) }),
    });
    const next = change(store.store);
    onFile(path, () =>
      orAsBefore(target, textOf(next), () => {
        store.store = { ...next };
      }),
    );
    return next;
  });
}

/** Removes temporary files that conf left when its process was killed. Call it under the lock: nobody else is writing. */
function sweepConfTemporaries(path: string): void {
  const folder = dirname(path);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const [, base] = /^(.+)\.tmp-\d{10}[0-9a-f]{6}$/.exec(name) ?? [];
    if (base === basename(path)) rmSync(join(folder, name), { force: true });
  }
}

const textOf = (content: JsonObject): string => `${JSON.stringify(content, null, 2)}\n`;

/**
 * Loads conf when something is written: it takes 20 ms. A package below it (when-exit) handles each signal once, by
 * sending it again, which would make two of one Ctrl-C; its handlers are removed.
 */
async function loadConf() {
  const before = onceHandlers().map(([, handler]) => handler);
  const { default: Conf } = await import("conf");
  for (const [name, handler] of onceHandlers()) {
    if (before.includes(handler)) continue;
    // Node ignores this one, but only as long as it has never lost a handler: a file that grows too large is an error.
    if (name === "SIGXFSZ") process.on(name, () => undefined);
    process.off(name, handler);
  }
  return Conf;
}

const isOnce = (handler: object): handler is NodeJS.SignalsListener => "listener" in handler;

function onceHandlers() {
  const signals = process.eventNames().filter((name) => String(name).startsWith("SIG"));
  return signals.flatMap((name) =>
    process
      .rawListeners(name)
      .filter(isOnce)
      .map((handler) => [name, handler] as const),
  );
}

/**
 * Lets conf write, and puts the old file back when the new one is not whole: conf does not notice that a full disk has
 * cut it off.
 */
function orAsBefore(path: string, text: string, write: () => void): void {
  const old = existsSync(path) ? temporaryName(path) : undefined;
  if (old !== undefined) copyFileSync(path, old);
  try {
    write();
    if (readFileSync(path, "utf8") !== text) throw Object.assign(new Error("cut off"), { code: "ENOSPC" });
  } catch (error) {
    if (old === undefined) rmSync(path, { force: true });
    else replaceFile(old, path);
    throw error;
  } finally {
    if (old !== undefined) rmSync(old, { force: true });
  }
}
