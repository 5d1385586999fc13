import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

interface Usage {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly where: string;
}

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const usage = (device: string, ...flags: readonly string[]): Promise<Usage[]> =>
  here.json(["device", "usage", device, ...flags]);

describe("device usage", () => {
  it("names the widgets, and the fields of actions, access rules and queries", async () => {
    const freezer = await usage("name:Freezer 1");
    const of = (name: string): string | undefined => freezer.find((row) => row.name === name)?.where;
    expect(of("Warm freezer")).toBe("query");
    expect(of("Freezer too warm")).toBe("trigger[0].device, trigger[1].device");
    expect(new Set(freezer.map(({ kind }) => kind))).toEqual(new Set(["query", "dashboard", "action"]));
    expect(await usage("name:Plant settings")).toContainEqual({
      kind: "access",
      id: "65a100000000000000060004",
      name: "Nobody: the settings device",
      where: "permissions[0].resource[2]",
    });
  });

  it("lists the dashboards that the platform lists for the device, each with its widgets", async () => {
    const dashboards = (await usage("name:Freezer 1")).filter(({ kind }) => kind === "dashboard");
    expect(dashboards.length).toBeGreaterThan(0);
    for (const { id, where } of dashboards) {
      const related = await here.json<{ name: string }[]>(["dashboard", "devices", id]);
      expect(related.map(({ name }) => name)).toContain("Freezer 1");
      expect(where).toMatch(/^widget ".+"/);
    }
  });

  it("finds the id as a key, and as part of one", async () => {
    const { stdout } = await here.iot(["device", "create", "--name", "Keyed", "-o", "id"]);
    const id = stdout.trim();
    const send = (method: string, path: string, body: object): Promise<Record<string, string>> =>
      here.json(["api", method, path, "--input", "-"], { stdin: JSON.stringify(body) });
    const { dashboard } = await send("POST", "/dashboard", { label: "Keys", type: "dashboard" });
    const display = { vars_labels: { [`${id}level`]: "Level" }, theme: { [id]: 1 } };
    const { widget } = await send("POST", `/dashboard/${dashboard}/widget`, { label: "By key", type: "card", display });
    const arrangement = [{ widget_id: widget, x: 0, y: 0, width: 1, height: 1 }];
    await here.iot(["api", "PUT", `/dashboard/${dashboard}`, "--input", "-"], {
      stdin: JSON.stringify({ arrangement }),
    });
    expect(await usage(id)).toEqual([expect.objectContaining({ kind: "dashboard", where: 'widget "By key"' })]);
  });

  it("only reads, and says when nothing names the device", async () => {
    const { stdout } = await here.iot(["device", "create", "--name", "Unused", "-o", "id"]);
    const before = here.requests().length;
    const { code, stderr } = await here.iot(["device", "usage", stdout.trim(), "--concurrency", "2"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("names the device") });
    const sent = here.requests().slice(before);
    expect(sent.filter((request) => !request.startsWith("GET "))).toEqual([]);
  });

  it("ends with 6 for a device that does not exist", async () => {
    expect((await here.iot(["device", "usage", "65a1000000000000000dffff"])).code).toBe(6);
  });
});
