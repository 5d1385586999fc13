import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import {
  addCredential,
  type Credential,
  readCredentials,
  sourceOf,
  writeCredentials,
} from "../../../src/commands/kit/settings/credentials.ts";
import { accountOf, type Keychain, systemKeychain } from "../../../src/commands/kit/settings/keychain.ts";
import { runCli, temporaryFolder } from "../../helpers/cli.ts";

const token = "11111111-2222-3333-4444-555555555555";
const inKeychain: Credential = {
  env: "prod",
  origin: "https://api.example.test",
  store: "keychain",
  token,
  profile: { id: "p1", name: "Plant" },
  created: "2026-01-01T00:00:00.000Z",
};
const inFile: Credential = { env: "local", origin: "http://127.0.0.1:3001", token: "plain-token", created: "now" };

const locked = new Error("it is locked");

function memoryKeychain() {
  const tokens = new Map<string, string>();
  let isLocked = false;
  let reads = 0;
  const check = () => {
    if (isLocked) throw locked;
  };
  const keychain: Keychain = {
    get(account) {
      check();
      reads += 1;
      return tokens.get(account);
    },
    set(account, value) {
      check();
      tokens.set(account, value);
    },
    delete(account) {
      check();
      tokens.delete(account);
    },
  };
  const lock = () => {
    isLocked = true;
  };
  return { keychain, tokens, reads: () => reads, lock };
}

let folder: string;
let env: Record<string, string>;
let memory: ReturnType<typeof memoryKeychain>;

beforeEach(() => {
  folder = join(temporaryFolder(), "config");
  env = { IOT_CONFIG_DIR: folder };
  memory = memoryKeychain();
});

const text = () => readFileSync(join(folder, "credentials.json"), "utf8");
const read = () => readCredentials(env, () => undefined, memory.keychain);
const write = (list: readonly Credential[]) => writeCredentials(env, list, memory.keychain);

describe("a credential in the keychain", () => {
  it("has its token there, under environment, origin and profile, and everything else in the file", () => {
    write([inKeychain, inFile]);
    expect([...memory.tokens]).toEqual([["prod https://api.example.test p1", token]]);
    expect(text()).not.toContain(token);
    expect(JSON.parse(text()).credentials[0]).toEqual({
      env: "prod",
      origin: "https://api.example.test",
      store: "keychain",
      profile: { id: "p1", name: "Plant" },
      created: "2026-01-01T00:00:00.000Z",
    });
    expect(read().map((one) => one.token)).toEqual([token, "plain-token"]);
    expect(read().map(sourceOf)).toEqual(["keychain", "credentials file"]);
  });

  it("opens the keychain only where the token is used", () => {
    write([inKeychain]);
    const before = memory.reads();
    write(addCredential(read(), inFile));
    expect(memory.reads()).toBe(before);
    expect(read().map((one) => one.env)).toEqual(["prod", "local"]);
    expect(memory.tokens.size).toBe(1);
  });

  it("leaves the keychain when it is forgotten", () => {
    write([inKeychain, inFile]);
    write(read().filter((one) => one.env !== "prod"));
    expect(memory.tokens.size).toBe(0);
    expect(read()).toHaveLength(1);
  });

  it("is filed under the new profile when it changes", () => {
    write([inKeychain]);
    write(read().map((one) => ({ ...one, profile: { id: "p2", name: "Other" } })));
    expect([...memory.tokens]).toEqual([["prod https://api.example.test p2", token]]);
  });

  it("tells that the token is gone when another program deleted it", () => {
    write([inKeychain]);
    memory.tokens.clear();
    expect(() => read()[0]?.token).toThrow(expect.objectContaining({ code: "auth.missing", exit: 4 }));
  });

  it("stays in the file while the keychain does not let it go", () => {
    write([inKeychain, inFile]);
    const before = text();
    memory.lock();
    expect(() => write([inFile])).toThrow(locked);
    expect(text()).toBe(before);
  });

  it("gives way to a login in a plain text file even when the keychain is out of reach", () => {
    write([inKeychain]);
    memory.lock();
    const { store: _, ...plain } = inKeychain;
    write(addCredential(read(), { ...plain, token: "new-token" }));
    expect(read().map((one) => one.token)).toEqual(["new-token"]);
  });

  it("is not written at all when the keychain cannot be used", () => {
    memory.lock();
    expect(() => write([inKeychain])).toThrow(locked);
    expect(existsSync(join(folder, "credentials.json"))).toBe(false);
  });
});

describe("the keychain of the system", () => {
  it("says that the optional package is missing, and suggests a plain text file", () => {
    const keychain = systemKeychain(() => {
      throw new Error("Cannot find module");
    });
    expect(() => keychain.get(accountOf(inKeychain))).toThrow(
      expect.objectContaining({
        code: "auth.keychain",
        exit: 4,
        why: expect.stringContaining("@napi-rs/keyring is not installed"),
        next: expect.stringMatching(/credential-store file.*plain text file/),
      }),
    );
  });

  // Only Linux lets a variable take the store away.
  describe.runIf(process.platform === "linux")("without a session bus", () => {
    const run = (args: readonly string[], stdin = "") =>
      runCli(args, { stdin, env: { ...env, DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent/bus" } });

    it("ends a login with 4 before anything is sent, and writes nothing", async () => {
      await run(["env", "add", "local", "--api-url", "http://127.0.0.1:9", "--use"]);
      expect(await run(["config", "set", "credential-store", "keychain"])).toMatchObject({ code: 0 });
      const result = await run(["auth", "login", "--with-token", "--json"], `${token}\n`);
      expect(result).toMatchObject({ code: 4, stdout: "" });
      expect(JSON.parse(result.stderr).error).toMatchObject({ code: "auth.keychain" });
      expect(result.stderr).toContain("plain text file");
      expect(result.stderr).not.toContain(token);
      expect(existsSync(join(folder, "credentials.json"))).toBe(false);
    });

    it("ends a command that needs the token with 4, and lets lists work", { tags: ["slow"] }, async () => {
      await run(["env", "add", "prod", "--api-url", "https://api.example.test", "--use"]);
      write([inKeychain]);
      const before = text();
      expect(await run(["auth", "token"])).toMatchObject({ code: 4, stdout: "" });
      const logout = await run(["auth", "logout"]);
      expect(logout.code).toBe(4);
      expect(logout.stderr).toContain("The system keychain is not available");
      expect(text()).toBe(before);
      const all = await run(["auth", "status", "--all", "--json"]);
      expect(all.code).toBe(8);
      expect(JSON.parse(all.stdout)).toMatchObject([{ source: "keychain", state: "not readable", token: "" }]);
      expect(JSON.parse((await run(["env", "list", "--json"])).stdout)).toMatchObject([{ logged_in: true }]);
    });
  });
});
