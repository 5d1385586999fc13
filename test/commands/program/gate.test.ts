import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { batchClient } from "../../../src/commands/kit/client/batch-client.ts";
import type { CommandContext } from "../../../src/commands/kit/context.ts";
import type { Io } from "../../../src/commands/kit/io.ts";
import { isWriting } from "../../../src/commands/kit/resource/writing.ts";
import { createContext } from "../../../src/commands/program/create-context.ts";
import { settleSettings } from "../../../src/commands/program/settle.ts";
import { rawRequest } from "../../../src/index.ts";
import { cliEnvironment, temporaryFolder } from "../../helpers/cli.ts";
import { runHere } from "../../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../../helpers/sandbox.ts";

let here: SandboxUnderTest;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  here = await sandboxUnderTest();
  env = { IOT_CONFIG_DIR: temporaryFolder() };
  const { url, eventsUrl, tokens } = here.sandbox;
  const addresses = ["--api-url", url, "--events-url", eventsUrl];
  await runHere(["env", "add", "prod", ...addresses, "--protected", "--use"], { env });
  await runHere(["auth", "login", "--with-token"], { env, stdin: tokens.profile });
});
afterAll(() => here.close());

const io: Io = {
  stdin: Readable.from([]),
  write: async () => undefined,
  writeError: () => undefined,
  stdoutIsTerminal: false,
  stderrIsTerminal: false,
  stdinIsTerminal: false,
  columns: () => 80,
};

/** What a command gets whose stated effect was never asked about. */
function context(): CommandContext {
  const cwd = temporaryFolder();
  const all = cliEnvironment(env);
  return createContext({
    io,
    env: all,
    cwd,
    signal: new AbortController().signal,
    ...settleSettings({}, all, cwd, false),
  });
}

describe("the client of a protected environment", () => {
  const device = { name: "Unasked", type: "mutable" as const };
  const writes: readonly (readonly [string, (ctx: CommandContext) => Promise<unknown>])[] = [
    ["the client", async (ctx) => (await ctx.client()).devices.create(device)],
    ["the client of batches", async (ctx) => (await batchClient(ctx)).devices.create(device)],
    [
      "a device's own client",
      async (ctx) => (await ctx.deviceClient("d".repeat(36))).sendData({ variable: "a", value: 1 }),
    ],
    [
      "a raw request",
      async (ctx) => {
        const { api, events, token } = await ctx.connection();
        const params = { ...ctx.clientOptions(), token, region: { api, sse: events } };
        return rawRequest(params, { method: "DELETE", path: "/device/65a1000000000000000d0001" });
      },
    ],
    [
      "a GET that makes a new token",
      async (ctx) => (await ctx.client()).analysis.tokenGenerate("65a1000000000000000a0001"),
    ],
  ];

  it.each(writes)("sends no change before its name was given: %s", async (_, write) => {
    const before = here.requests().length;
    await expect(write(context())).rejects.toMatchObject({ code: "confirm.not_asked", exit: 70 });
    expect(here.requests()).toHaveLength(before);
  });

  it("reads, and changes once the name was given", async () => {
    const ctx = context();
    expect(await (await ctx.client()).devices.list({ amount: 1 })).toHaveLength(1);
    await expect(ctx.gate.answer("staging")).rejects.toMatchObject({ exit: 130 });
    await expect((await ctx.client()).devices.create(device)).rejects.toMatchObject({ code: "confirm.not_asked" });
    await ctx.gate.answer("prod");
    expect(await (await ctx.client()).devices.create(device)).toHaveProperty("device_id");
  });
});

describe("a request counts as a change", () => {
  it.each([
    ["POST", "/device"],
    ["PUT", "/device/1"],
    ["PATCH", "/device/1"],
    ["DELETE", "/profile/65a1/token/x"],
    ["GET", "/analysis/1/token"],
    ["GET", "/ana%6cysis/1/token/"],
    ["GET", "//account/./confirm/x?a=1"],
    ["POST", "/account/loginx"],
    ["POST", "/account/login/../device"],
    ["POST", "/unheard/of"],
  ])("%s %s", (method, path) => {
    expect(isWriting(method, path)).toBe(true);
  });
});

describe("a request counts as reading", () => {
  it.each([
    ["GET", "/device?token=1"],
    ["GET", "/analysis/1"],
    ["POST", "/account/login"],
    ["POST", "/run/acme.example.org/login"],
    ["POST", "/sql/1/execute"],
    ["DELETE", "/profile/current/token/x"],
  ])("%s %s", (method, path) => {
    expect(isWriting(method, path)).toBe(false);
  });
});
