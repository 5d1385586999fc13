import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Column } from "../../../src/commands/kit/command/columns.ts";
import { rowFilter } from "../../../src/commands/kit/resource/filter.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../../helpers/sandbox.ts";

const nowMs = Date.UTC(2026, 0, 31);
const row = {
  name: "Pump 3",
  size: 9,
  at: new Date("2026-01-29T08:30:15.250Z"),
  text: "2026-01-29T08:30:15.250Z",
  active: true,
  last: null,
  expires: "never",
  place: { site: "A" },
  tags: [
    { key: "Site", value: "Plant" },
    { key: "device-type", value: "pump" },
    { key: "a.b c", value: "9" },
    { key: "zone", value: "1" },
    { key: "zone", value: "2" },
  ],
};
const columns: readonly Column<typeof row>[] = [
  { key: "name" },
  { key: "size", kind: "number" },
  { key: "at", kind: "time" },
  { key: "text", kind: "time" },
  { key: "active", kind: "flag" },
  { key: "last", kind: "time" },
  { key: "expires", kind: "time" },
  { key: "place", kind: "json", value: ({ place }) => `at ${place.site}` },
  { key: "tags", kind: "tags" },
];
const holds = (text: string): boolean => rowFilter(text, "--filter", columns).test(row, nowMs);

describe("a filter", () => {
  it.each([
    ["name=pump*", true],
    ["name!=Pump*", false],
    ["name!=Valve", true],
    ["name<Pump 10", true],
    ["name=this or that", false],
    ["size<10", true],
    ["size=9.0", true],
    ["size>=9", true],
    ["size>9", false],
    ["size!=8", true],
    ["at<-24h", true],
    ["at>-24h", false],
    ["at=2026-01-29T08:30:15.250Z", true],
    ["at=2026-01-29T08:30:15.251Z", false],
    ["at=2026-01-29T08:30:15Z", true],
    ["at=2026-01-29T08:30Z", true],
    ["at=2026-01-29T08:31Z", false],
    ["at=2026-01-27", false],
    ["at=today", false],
    ["at!=2026-01-27", true],
    ["at!=never", true],
    ["text<-24h", true],
    ["text=2026-01-29T08:30Z", true],
    ["active=TRUE", true],
    ["active!=true", false],
    ["last<-24h", false],
    ["last>-24h", false],
    ["last=never", true],
    ["last!=2026-01-29", true],
    ["expires=never", true],
    ["place=at a", true],
    ["place.site=A", true],
    ["place.nosuch=A", false],
    ["tags.site=plant", true],
    ["tags.Site!=plant", false],
    ["tags.si*=pl*", true],
    ["tags.site=road", false],
    ["tags.device-type=pump", true],
    ["tags.a.b c<10", true],
    ["tags.zone=2", true],
    ["tags.zone!=2", false],
    ["tags.zone!=3", true],
    ["tags.nosuch=*", false],
    ["tags.nosuch!=1", true],
    ["size=1 or name=Pump 3", true],
    ["size=1 or tags.device-type=pump", true],
    ["size=1 or name=Pump 4", false],
  ])("%s: %s", (text, isMet) => {
    expect(holds(text)).toBe(isMet);
  });

  it("takes a day as the whole day, in local time", () => {
    const day = new Date(2026, 0, 29);
    const at = (hour: number) => ({ ...row, at: new Date(day.getTime() + hour * 3_600_000) });
    const { test } = rowFilter("at=2026-01-29", "--filter", columns);
    expect([-1, 0, 23, 24].map((hour) => test(at(hour), nowMs))).toEqual([false, true, true, false]);
  });

  it.each(["name", "name~x", "=x", "name=a or name!=", "tags=plant", "tags.=x", "name.x=1", "nosuch!=1", "Name=x"])(
    "is refused when it is %s",
    (text) => {
      expect(() => holds(text)).toThrow();
    },
  );

  it.each([
    "active=flase",
    "active=*",
    "active<true",
    "size=big",
    "size>1*",
    "at=soon",
    "at>soon",
    "at=2026-02-30",
    "at=-24h",
    "at=now",
    "at<never",
    "text=1 day",
    "name=a or active=yes",
  ])("is refused when its value does not fit the field: %s", (text) => {
    expect(() => holds(text)).toThrow(expect.objectContaining({ exit: 2 }));
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

  it("asks the platform only what it filters by, and nothing where a filter is wrong", async () => {
    const sent = async (...args: readonly string[]): Promise<string> => {
      const before = here.requests().length;
      await names(...args);
      return decodeURIComponent(here.requests().slice(before).join("\n"));
    };
    expect(await sent("--filter", "name=Silo*", "--filter", "active=TRUE")).toMatch(
      /filter\[name\]=Silo\*&filter\[active\]=true/,
    );
    expect(await sent("--filter", "tags.site=plant")).toContain("filter[tags][0][key]=site");
    expect(await sent("--filter", "type=hybrid", "--filter", "created_at=2020-01-01")).not.toContain("filter[");
    expect(await sent("--sort", "last_input:desc")).toContain("orderBy=last_input,desc");
    expect(await sent("--sort", "description")).not.toContain("orderBy=description");
  });

  it("counts the rows of a page after the filter", async () => {
    const found = await here.json<object[]>(["device", "list", "--all", "--filter", "type!=hybrid"]);
    const page = (number: number) =>
      here.json<object[]>(["device", "list", "--filter", "type!=hybrid", "--limit", "2", "--page", String(number)]);
    expect(await page(1)).toEqual(found.slice(0, 2));
    expect(await page(2)).toEqual(found.slice(2, 4));
  });

  it("compares names that --resolve adds", async () => {
    expect(await names("--resolve", "--filter", "bucket_name=Freezer 1")).toEqual(["Freezer 1"]);
    expect((await here.iot(["device", "list", "--filter", "bucket_name=x"])).code).toBe(2);
  });

  it("does not hand the whole fleet to the next command of a pipe", async () => {
    const all = await names();
    const { stdout, code } = await here.iot(["device", "list", "--filter", "actve=false", "-o", "id"]);
    expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
    const words = ["device", "delete", "--ids", "-", "--yes", "--dry-run", "--json"];
    expect((await here.iot(words, { stdin: stdout })).stdout.trim()).toBe("[]");
    expect(await names()).toEqual(all);
  });
});
