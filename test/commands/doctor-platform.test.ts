import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lacking, type Machine } from "../../src/commands/doctor/platform.ts";
import { keychainLack } from "../../src/commands/kit/settings/keychain.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";

describe("what a machine lacks", () => {
  const whole = temporaryFolder();
  for (const name of ["less", "sh"]) writeFileSync(join(whole, name), "");
  const machine: Machine = { platform: "linux", env: { PATH: whole }, keychain: undefined, canLink: true };

  it("is nothing where everything is there", () => {
    expect(lacking(machine)).toEqual([]);
  });

  it.each<[string, Partial<Machine>]>([
    ["no keychain (no session bus)", { keychain: "no session bus" }],
    ["no less", { env: { PATH: "" } }],
    ["no sh", { env: { PATH: "" } }],
    ["no symbolic links", { canLink: false }],
    ["no file modes", { platform: "win32" }],
    ["no SIGTERM", { platform: "win32" }],
    ["no memory limit", { platform: "win32" }],
    ["no Windows Terminal", { platform: "win32" }],
  ])("is named: %s", (word, change) => {
    expect(lacking(machine).join("; ")).not.toContain(word);
    expect(lacking({ ...machine, ...change }).join("; ")).toContain(word);
  });

  it("does not name a pager where the user has one, nor the terminal in Windows Terminal", () => {
    expect(lacking({ ...machine, env: { PATH: "", PAGER: "most" } }).join()).not.toContain("less");
    expect(lacking({ ...machine, platform: "win32", env: { WT_SESSION: "1" } }).join()).not.toContain("Terminal");
  });

  it("includes the keychain without a session bus on Linux, and without its package anywhere", () => {
    const folder = temporaryFolder();
    const load = (): unknown => ({});
    const missing = (): unknown => {
      throw new Error("Cannot find module");
    };
    expect(keychainLack({}, "linux", load)).toBe("no session bus");
    expect(keychainLack({ DBUS_SESSION_BUS_ADDRESS: "unix:path=/x" }, "linux", load)).toBeUndefined();
    mkdirSync(join(folder, "bus"));
    expect(keychainLack({ XDG_RUNTIME_DIR: folder }, "linux", load)).toBeUndefined();
    expect(keychainLack({}, "darwin", load)).toBeUndefined();
    expect(keychainLack({}, "win32", missing)).toContain("@napi-rs/keyring is not installed");
  });

  it.runIf(process.platform === "linux")(
    "is in a row of iot doctor, a warning if tokens are to be stored in a keychain",
    async () => {
      const folder = temporaryFolder();
      const env = { IOT_CONFIG_DIR: folder, PATH: whole, PAGER: "" };
      const row = async (): Promise<unknown> => {
        const { stdout } = await runHere(["doctor", "--offline", "--json"], { env });
        return (JSON.parse(stdout) as { readonly check: string }[]).find(({ check }) => check === "platform");
      };
      const detail = expect.stringContaining("no keychain (no session bus)");
      expect(await row()).toMatchObject({ state: "ok", detail });
      await runHere(["config", "set", "credential-store", "keychain"], { env });
      expect(await row()).toMatchObject({
        state: "warning",
        detail,
        next: expect.stringContaining("credential-store file"),
      });
    },
  );
});
