import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { CliResult } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";
import { quickClock } from "../helpers/quick-clock.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

let here: SandboxUnderTest;

beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterEach(() => here.sandbox.faults.set([]));
afterAll(() => here.close());

// With repetitions: it is their absence that is tested.
const iot = (...args: string[]): Promise<CliResult> =>
  runHere(args, { env: { ...here.env, IOT_RETRIES: "4" }, clock: quickClock() });
const cut = (route: string, count = 1) => here.sandbox.faults.set([{ route, kind: "truncate", count }]);

/** How often a request was sent while the program ran. */
async function sentBy(request: string, run: () => Promise<CliResult>): Promise<CliResult & { readonly sent: number }> {
  const before = here.requests().length;
  const result = await run();
  const sent = here.requests().slice(before);
  return { ...result, sent: sent.filter((one) => one === request).length };
}

async function count(...args: string[]): Promise<number> {
  const { stdout } = await iot(...args, "-o", "id");
  return stdout.split("\n").filter((line) => line !== "").length;
}

describe("a change whose answer is lost", () => {
  it("is made once, ends with 10 and names the command that shows it: a device", async () => {
    cut("POST /device");
    const result = await sentBy("POST /device", () =>
      iot("device", "create", "--name", "Dup one", "--type", "mutable", "-o", "id"),
    );
    expect(result.sent).toBe(1);
    expect(result.stdout).toBe("");
    expect(result.stderr).toMatch(
      /^error: POST \/device may have arrived at IOT_API_URL .*, but the response was lost\.\n/,
    );
    expect(result.stderr).toContain(`iot device list --name 'Dup one'`);
    expect(result.code).toBe(10);
    expect(await count("device", "list", "--name", "Dup one")).toBe(1);
  });

  it("is made once: records of a device", async () => {
    cut("POST /data");
    const result = await sentBy("POST /data", () => iot("device", "data", "send", "name:Freezer 1", "lost=1"));
    expect(result.sent).toBe(1);
    expect(result.stderr).toContain("iot device data list 'name:Freezer 1'");
    expect(result.code).toBe(10);
    expect((await iot("device", "data", "count", "name:Freezer 1", "--variable", "lost")).stdout.trim()).toBe("1");
  });

  it("is made once: any request", async () => {
    cut("POST /device");
    const result = await sentBy("POST /device", () =>
      iot("api", "POST", "/device", "--field", "name=Dup two", "--json"),
    );
    expect(result.sent).toBe(1);
    expect(result.code).toBe(10);
    expect(JSON.parse(result.stderr)).toMatchObject({
      error: { code: "network.maybe_sent", exit: 10, next: expect.stringContaining("iot api GET /device") },
    });
  });

  it("is made once: one of several things, and the others are still done", async () => {
    const ids: string[] = [];
    for (const name of ["Batch 1", "Batch 2"]) {
      ids.push((await iot("device", "create", "--name", name, "--type", "mutable", "-o", "id")).stdout.trim());
    }
    cut("DELETE /device/*");
    const result = await iot("device", "delete", ...ids, "--confirm", "devices");
    expect(result.stderr).toContain('Device "Batch 1": It may have arrived, but the response was lost');
    expect(result.code).toBe(8);
    expect(await count("device", "list", "--name", "Batch*")).toBe(0);
  });

  it("is not repeated after a failure of the platform either", async () => {
    here.sandbox.faults.set([{ route: "POST /device", kind: "status", status: 503, count: 1 }]);
    const result = await sentBy("POST /device", () =>
      iot("device", "create", "--name", "Dup three", "--type", "mutable"),
    );
    expect(result.sent).toBe(1);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("The change may have been made: check with");
  });
});

describe("what is still repeated", () => {
  it("a change that was refused for its rate was not made", async () => {
    here.sandbox.faults.set([{ route: "POST /device", kind: "status", status: 429, retryAfterSeconds: 0, count: 1 }]);
    const result = await sentBy("POST /device", () =>
      iot("device", "create", "--name", "Dup four", "--type", "mutable"),
    );
    expect(result.sent).toBe(2);
    expect(result.code).toBe(0);
    expect(await count("device", "list", "--name", "Dup four")).toBe(1);
  });

  it("a read whose answer was lost, and a plain line says so", async () => {
    cut("GET /device");
    const result = await sentBy("GET /device", () => iot("device", "list"));
    expect(result.code).toBe(0);
    expect(result.stderr).toMatch(/info: Retrying in 1\.5 s \(1 of 4\): .+, GET \/device\.\n/);
  });
});
