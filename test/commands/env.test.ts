import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";

let folder: string;
beforeEach(() => {
  folder = join(temporaryFolder(), "config");
});

const run = (args: readonly string[], env: Record<string, string> = {}) =>
  runHere(args, { env: { IOT_CONFIG_DIR: folder, ...env } });
const current = async (args: readonly string[] = [], env: Record<string, string> = {}) =>
  JSON.parse((await run(["env", "current", "--json", ...args], env)).stdout);

describe("environments", () => {
  it("start with the platform's first region, without a file", async () => {
    expect(await current()).toEqual({
      name: "default",
      api: "https://api.tago.io",
      events: "https://sse.tago.io/events",
      protected: false,
      origin: "default",
    });
  });

  it("are added, listed, used, changed and removed", async () => {
    expect((await run(["env", "add", "prod", "--region", "eu-w1", "--protected", "--label", "Production"])).code).toBe(
      0,
    );
    expect((await run(["env", "add", "local", "--api-url", "http://127.0.0.1:4000/", "--use"])).code).toBe(0);
    expect(await current()).toMatchObject({
      name: "local",
      api: "http://127.0.0.1:4000",
      events: "http://127.0.0.1:4000/events",
    });
    await run(["env", "use", "prod"]);
    expect(await current()).toMatchObject({ name: "prod", api: "https://api.eu-w1.tago.io", protected: true });
    const list = JSON.parse((await run(["env", "ls", "--json"])).stdout);
    expect(list).toMatchObject([
      { name: "local", current: false, api: "http://127.0.0.1:4000" },
      { name: "prod", current: true, api: "https://api.eu-w1.tago.io" },
    ]);
    await run(["env", "edit", "prod", "--unprotected", "--region", "us-e1"]);
    expect(await current()).toMatchObject({ api: "https://api.tago.io", protected: false });
    expect((await run(["env", "remove", "prod"])).code).toBe(2);
    expect((await run(["env", "rm", "prod", "--yes"])).code).toBe(0);
    expect(await current()).toMatchObject({ name: "default" });
    expect(readFileSync(join(folder, "config.json"), "utf8")).not.toContain("prod");
  });

  it("warn of an address that tokens would be sent to unencrypted, and are not protected with one", async () => {
    const plain = "http://192.0.2.5:8080";
    const warned = await run(["env", "add", "lan", "--api-url", plain]);
    expect(warned.code).toBe(0);
    expect(warned.stderr).toContain(
      `warning: Tokens for "lan" will cross the network unencrypted: ${plain} is plain http`,
    );
    const events = ["--api-url", "https://api.example.test", "--events-url", `${plain}/events`];
    for (const words of [
      ["env", "add", "prod", "--protected", "--api-url", plain],
      ["env", "add", "prod", "--protected", ...events],
      ["env", "update", "lan", "--protected"],
    ]) {
      const { code, stderr } = await run(words);
      expect(code, words.join(" ")).toBe(2);
      expect(stderr).toContain(`why: ${plain}`);
    }
    const list = JSON.parse((await run(["env", "list", "--json"])).stdout);
    const added = list.filter((row: { name: string }) => row.name !== "default");
    expect(added).toMatchObject([{ name: "lan", protected: false }]);
    for (const here of ["http://localhost:4000", "http://127.0.0.1:4000", "http://[::1]:4000"]) {
      const { code, stderr } = await run(["env", "update", "lan", "--protected", "--api-url", here]);
      expect(code).toBe(0);
      expect(stderr).not.toContain("unencrypted");
    }
  });

  it("yield to variables, and those to the flag", async () => {
    await run(["env", "add", "prod", "--region", "eu-w1", "--use"]);
    const env = { IOT_API_URL: "http://127.0.0.1:4000" };
    expect(await current([], env)).toMatchObject({ name: "", api: "http://127.0.0.1:4000", origin: "IOT_API_URL" });
    expect(await current(["--env", "prod"], env)).toMatchObject({ name: "prod", origin: "flag" });
    expect(await current([], { IOT_REGION: "us-e1" })).toMatchObject({
      api: "https://api.tago.io",
      origin: "IOT_REGION",
    });
    expect(await current([], { TAGOIO_API: "http://127.0.0.1:4001" })).toMatchObject({ name: "prod" });
    const warned = await run(["env", "use", "default"], env);
    expect(warned.stderr).toContain("warning: IOT_API_URL is set");
  });

  it.each([
    [["env", "add", "a b"], 2, "name"],
    [["env", "add", "__proto__"], 2, "name"],
    [["env", "add", "../x"], 2, "name"],
    [["env", "add", "x", "--api-url", "ftp://h"], 2, "http"],
    [["env", "add", "x", "--api-url", "http://u:p@h"], 2, "password"],
    [["env", "add", "x", "--region", "mars"], 2, "eu-w1"],
    [["env", "add", "x", "--region", "eu-w1", "--api-url", "http://h"], 2, "cannot be used together"],
    [["env", "add", "x", "--events-url", "http://h"], 2, "--api-url"],
    [["env", "use", "nowhere"], 2, "iot env"],
    [["env", "update", "default"], 2, "No changes given."],
    [["env", "update", "nowhere", "--label", "x"], 2, "iot env"],
    [["env", "remove", "nowhere", "--yes"], 2, "iot env"],
  ])("%j is refused", async (args, code, mention) => {
    const result = await run(args);
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(mention);
    expect(result.stderr).not.toContain("u:p@h");
  });

  it("are not added twice", async () => {
    await run(["env", "add", "prod"]);
    expect((await run(["env", "add", "prod"])).code).toBe(7);
  });

  it("that are protected want their name before they go", async () => {
    await run(["env", "add", "prod", "--protected"]);
    expect((await run(["env", "remove", "prod", "--yes"])).code).toBe(2);
    expect((await run(["env", "remove", "prod", "--confirm", "dev"])).code).toBe(2);
    expect((await run(["env", "remove", "prod", "--confirm", "prod"])).code).toBe(0);
  });
});
