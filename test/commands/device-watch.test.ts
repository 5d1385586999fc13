import type { ChildProcess } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Device } from "../../src/index.ts";
import { startCli } from "../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { waitFor } from "../helpers/wait-for.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

interface Watch {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  stdout(): string;
  stderr(): string;
}

async function watch(...args: string[]): Promise<Watch> {
  const child = await startCli(["device", "watch", ...args], { env: { ...here.env, IOT_RETRIES: "4" } });
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
  });
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  await waitFor(() => stderr.includes("Watching"), "the stream to open");
  return { child, ended, stdout: () => stdout, stderr: () => stderr };
}

const device = (): Device =>
  new Device({ token: here.sandbox.tokens.device, region: { api: here.sandbox.url, sse: here.sandbox.eventsUrl } });

describe("device watch", () => {
  it("prints one JSON line per record as it arrives, until --count", async () => {
    const { ended, stdout, stderr } = await watch("name:Freezer 1", "--count", "3");
    for (const value of [1, 2, 3, 4]) await device().sendData({ variable: "temperature", value });
    expect(await ended).toBe(0);
    const rows = stdout()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { value: number; variable: string });
    expect(rows.map(({ value }) => value)).toEqual([1, 2, 3]);
    expect(stderr()).toContain("3 records received");
  });

  it("shows each record at once, not at the end", { tags: ["posix"] }, async () => {
    const { child, ended, stdout } = await watch("name:Freezer 1");
    await device().sendData({ variable: "temperature", value: 7 });
    await waitFor(() => stdout().includes('"value":7'), "the record");
    child.kill("SIGINT");
    expect(await ended).toBe(130);
  });

  it("keeps to the variables asked for and the format chosen", async () => {
    const { ended, stdout } = await watch(
      "name:Freezer 1",
      "--variable",
      "door",
      "--count",
      "1",
      "-o",
      "csv",
      "--fields",
      "variable,value",
    );
    await device().sendData([
      { variable: "temperature", value: 1 },
      { variable: "door", value: true },
    ]);
    expect(await ended).toBe(0);
    expect(stdout().replaceAll("\r", "")).toBe("variable,value\ndoor,true\n");
  });

  it("ends with 0 after --for, also when nothing came", { tags: ["slow"] }, async () => {
    const { ended, stdout } = await watch("name:Silo east", "--for", "100ms");
    expect(await ended).toBe(0);
    expect(stdout()).toBe("");
  });

  it("says once on stderr why nothing arrives, naming the devices where there are several", {
    tags: ["slow", "posix"],
  }, async () => {
    const { id } = await here.json<{ readonly id: string }>(["device", "create", "--name", "Gone quiet"]);
    expect((await here.iot(["device", "update", id, "--inactive"])).code).toBe(0);
    const one = await watch(id);
    await waitFor(() => one.stderr().includes("The device is inactive: its data is rejected."), "the reason");
    one.child.kill("SIGINT");
    await one.ended;
    expect(one.stdout()).toBe("");
    expect(one.stderr().match(/is inactive/g)).toHaveLength(1);
    const two = await watch(id, "name:Freezer 1");
    await waitFor(() => two.stderr().includes('"Gone quiet" is inactive: its data is rejected.'), "the reason by name");
    await waitFor(() => /Waiting for data\. Last input .+ ago\./.test(two.stderr()), "the last input");
    two.child.kill("SIGINT");
    await two.ended;
  });

  it("ends with 143 when it is told to terminate", { tags: ["posix"] }, async () => {
    const { child, ended } = await watch("name:Silo east");
    child.kill("SIGTERM");
    expect(await ended).toBe(143);
  });

  it("tries again when the connection is lost, and says so", { tags: ["slow"] }, async () => {
    here.sandbox.faults.set([{ route: "GET /events", kind: "drop", count: 1 }]);
    const { ended, stderr } = await watch("name:Freezer 1", "--count", "1");
    await device().sendData({ variable: "temperature", value: 5 });
    expect(await ended).toBe(0);
    expect(stderr()).toContain("retrying in");
  });
});
