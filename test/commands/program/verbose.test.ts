import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SandboxUnderTest, sandboxUnderTest } from "../../helpers/sandbox.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

describe("--verbose", () => {
  it("shows a line for each request, and nothing of its headers", async () => {
    const { stderr } = await here.iot(["device", "list", "--limit", "1", "-v"]);
    expect(stderr).toMatch(/^info: GET \/device 200 \d+ ms$/m);
    expect(stderr).not.toContain("debug:");
    expect(stderr.match(/GET \/device /g)).toHaveLength(1);
  });

  it("shows a response that is an error", async () => {
    here.sandbox.faults.set([{ route: "GET /device", kind: "status", status: 500, count: 1 }]);
    const { code, stderr } = await here.iot(["device", "list", "-v"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^info: GET \/device 500 \d+ ms$/m);
  });

  it("shows one line for what --debug shows in full", async () => {
    const { stderr } = await here.iot(["device", "list", "-v", "--debug"]);
    expect(stderr).toMatch(/^debug: GET http/m);
    expect(stderr).not.toMatch(/^info: GET/m);
  });

  it("is silent about requests without it", async () => {
    expect((await here.iot(["device", "list"])).stderr).not.toContain("GET");
  });
});
