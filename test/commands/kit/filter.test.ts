import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseFilter, passes, platformFilter } from "../../../src/commands/kit/resource/filter.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../../helpers/sandbox.ts";

const nowMs = Date.UTC(2026, 0, 31);
const row = {
  name: "Pump 3",
  size: 9,
  at: new Date("2026-01-29T00:00:00Z"),
  active: true,
  last: null,
  tag: { site: "A" },
};

describe("a filter", () => {
  it.each([
    ["name=pump*", true],
    ["name!=Pump*", false],
    ["name!=Valve", true],
    ["name<Pump 10", true],
    ["size<10", true],
    ["size>=9", true],
    ["size>9", false],
    ["at<-24h", true],
    ["at>-24h", false],
    ["at<=2026-01-29T00:00:00Z", true],
    ["active!=true", false],
    ["last<-24h", false],
    ["last>-24h", false],
    ["last!=x", true],
    ["tag.site=A", true],
    ["size=1 or name=Pump 3", true],
    ["size=1 or name=Pump 4", false],
  ])("%s: %s", (text, holds) => {
    expect(passes(row, [parseFilter(text)], nowMs)).toBe(holds);
  });

  it("holds only where all of several hold", () => {
    const filters = ["size>1", "name=Valve*"].map((text) => parseFilter(text));
    expect(passes(row, filters, nowMs)).toBe(false);
    expect(passes(row, filters.slice(0, 1), nowMs)).toBe(true);
  });

  it("is left to the platform where it finds such rows itself", () => {
    expect(platformFilter(parseFilter("name=this or that"))).toEqual(["name", "this or that"]);
    expect(platformFilter(parseFilter("name!=this"))).toBeUndefined();
    expect(platformFilter(parseFilter("name=a or name=b"))).toBeUndefined();
  });

  it.each(["name", "name~x", "=x", "name=a or name!="])("is refused when it is %s", (text) => {
    expect(() => parseFilter(text)).toThrow();
  });
});

describe("iot device list --filter", () => {
  let here: SandboxUnderTest;
  beforeAll(async () => {
    here = await sandboxUnderTest();
  });
  afterAll(() => here.close());

  const names = async (...args: readonly string[]) =>
    (await here.json<readonly { name: string }[]>(["device", "list", "--all", ...args])).map(({ name }) => name);

  it("compares on this machine, also fields that are not shown", async () => {
    const all = await names();
    const freezers = await names("--filter", "name=*r*");
    expect(freezers.length).toBeGreaterThan(1);
    expect(await names("--filter", "name!=*r*")).toEqual(all.filter((name) => !freezers.includes(name)));
    expect(await names("--filter", "created_at>now", "--fields", "name")).toEqual([]);
    expect(await names("--filter", "created_at<=now", "--fields", "name")).toEqual(all);
    expect(await names("--filter", `name=${freezers[0]} or name=${freezers[1]}`)).toEqual(freezers.slice(0, 2));
  });

  it("refuses a field that the rows do not have, and a time it cannot read", async () => {
    const wrong = await here.iot(["device", "list", "--filter", "nmae!=x"]);
    expect({ code: wrong.code, stdout: wrong.stdout }).toEqual({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain('Did you mean "name"?');
    expect((await here.iot(["device", "list", "--filter", "created_at<soon"])).code).toBe(2);
  });
});
