import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type CliResult, temporaryFolder } from "../helpers/cli.ts";
import { relay } from "../helpers/relay.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { SEED_DEVICES } from "../helpers/seed.ts";

const cwd = temporaryFolder();
let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());
afterEach(() => here.sandbox.faults.set([]));

const iot = (args: readonly string[], stdin = ""): Promise<CliResult> => here.iot(args, { cwd, stdin });

function file(name: string, text: string): string {
  writeFileSync(join(cwd, name), text);
  return name;
}

interface Told {
  readonly code: string;
  readonly exit: number;
  readonly message: string;
  readonly why: string;
  readonly next: string;
  readonly row?: number;
  readonly column?: string;
}
/** The error object, the last line of stderr. */
const told = ({ stderr }: CliResult): Told =>
  (JSON.parse(stderr.trim().split("\n").at(-1) ?? "null") as { error: Told }).error;

const writes = (): string[] => here.requests().filter((line) => !line.startsWith("GET "));

/** What a command line sends that changes something. */
async function sentBy(work: () => Promise<unknown>): Promise<string[]> {
  const before = writes().length;
  await work();
  return writes().slice(before);
}

let made = 0;
async function device(...flags: string[]): Promise<string> {
  made += 1;
  return (await iot(["device", "create", "--name", `Checked ${made}`, ...flags, "-o", "id"])).stdout.trim();
}

const count = async (id: string): Promise<number> => Number((await iot(["device", "data", "count", id])).stdout);
const importLine = (id: string, input: string, ...more: string[]): string[] => [
  "device",
  "data",
  "import",
  id,
  "--input",
  input,
  ...more,
  "--json",
];

/** A field that the platform would refuse, as a record in JSON and as a cell in CSV. */
const badFields: readonly (readonly [what: string, field: string, value: unknown, says: RegExp])[] = [
  ["a time that is none", "time", "bad", /time must be an ISO 8601 date or milliseconds since 1970; it is "bad"\./],
  ["a day that no month has", "time", "2026-02-30", /time must be an ISO 8601 date/],
  ["a time that people write", "time", "31.01.2026", /time must be an ISO 8601 date/],
  ["a variable with a space", "variable", "not good", /variable must not contain spaces or any of/],
  ["a variable that is too long", "variable", "v".repeat(101), /variable must have at most 100 characters\./],
  ["a unit that is too long", "unit", "u".repeat(26), /unit must have at most 25 characters/],
  ["a group that is too long", "group", "g".repeat(101), /group must have at most 100 characters/],
  ["a value that is too long", "value", "é".repeat(3_100), /value must have at most 6 kB/],
  ["a place that is not on Earth", "location", { lat: 91, lng: 0 }, /latitude must be a number from -90 to 90/],
  ["metadata that is too long", "metadata", { a: "m".repeat(10_300) }, /metadata must have at most 10 kB/],
];
const badValues: readonly (readonly [what: string, field: string, value: unknown, says: RegExp])[] = [
  ["a value that is an object", "value", { a: 1 }, /value must be a string, a number or a boolean/],
  ["a unit that is a number", "unit", 7, /unit must be a string; it is 7/],
  ["metadata that is a number", "metadata", 7, /metadata must be an object/],
  ["a place without coordinates", "location", {}, /location must be \{lat, lng\} or a GeoJSON point/],
  ["no variable", "variable", undefined, /variable is required/],
];
const badCells: readonly (readonly [what: string, field: string, cell: string, says: RegExp])[] = [
  ["metadata that is not JSON", "metadata", "{a", /it must be JSON; it is "\{a"/],
  ["a place that is none", "location", "north", /it must be latitude and longitude in degrees/],
  ["no variable", "variable", "", /variable is required/],
];

const columns = ["variable", "value", "time", "unit", "group", "location", "metadata"] as const;
const cellOf = (value: unknown): string =>
  `"${(typeof value === "string" ? value : JSON.stringify(value)).replaceAll('"', '""')}"`;
const csvOf = (rows: readonly Readonly<Record<string, unknown>>[]): string =>
  `${[columns.join(","), ...rows.map((row) => columns.map((name) => (row[name] === undefined ? "" : cellOf(row[name]))).join(","))].join("\n")}\n`;

describe("device data import", () => {
  let id = "";
  beforeAll(async () => {
    id = await device();
  });
  const good = (value: number) => ({ variable: "ok", value, time: "2026-01-31T08:00:00Z" });

  it.each([...badFields, ...badValues])(
    "finds in JSON %s before anything is sent, with row and column",
    async (_, field, value, says) => {
      const rows = [good(1), { ...good(2), [field]: value }, good(3)];
      const input = file("bad.json", JSON.stringify(rows));
      const sent = await sentBy(async () => {
        const { code, stdout, stderr } = await iot(importLine(id, input));
        expect([code, stdout]).toEqual([3, ""]);
        expect(told({ code, stdout, stderr })).toMatchObject({
          exit: 3,
          row: 2,
          column: field,
          why: expect.stringMatching(says),
        });
        expect(stderr).not.toContain("resume");
        const dry = await iot(importLine(id, input, "--dry-run"));
        expect({ code: dry.code, error: told(dry) }).toEqual({ code: 3, error: told({ code, stdout, stderr }) });
      });
      expect(sent).toEqual([]);
    },
  );

  it.each([...badFields, ...badCells])(
    "finds in CSV %s before anything is sent, with row and column",
    async (_, field, value, says) => {
      const input = file("bad.csv", csvOf([good(1), good(2), { ...good(3), [field]: value }]));
      const sent = await sentBy(async () => {
        const failed = await iot(importLine(id, input));
        expect(failed.code).toBe(3);
        expect(told(failed)).toMatchObject({ row: 3, column: field, why: expect.stringMatching(says) });
      });
      expect(sent).toEqual([]);
    },
  );

  it("names the column as the file does, and the rows of stdin too", async () => {
    const input = "name,at,degrees\nok,2026-01-31,1\nok,yesterday,2\n";
    const map = ["--map", "name=variable", "--map", "at=time", "--map", "degrees=value"];
    const failed = await iot(importLine(id, "-", ...map), input);
    expect(failed.code).toBe(3);
    expect(told(failed)).toMatchObject({
      row: 2,
      column: "at",
      why: expect.stringContaining('Column "at": time must be'),
    });
    expect(told(failed).message).toBe('Row 2 of "stdin" is invalid.');
  });

  it("takes every form of a time that the platform takes", async () => {
    const own = await device();
    const times = [
      "2026-01-31",
      "2026-01-31 08:00:00",
      "2026-01-31T08:00:00.5+02:00",
      1_769_846_400_000,
      " 2026-01-31T08:00Z ",
    ];
    const rows = times.map((time, value) => ({ variable: "ok", value, time }));
    expect(await iot(importLine(own, file("times.json", JSON.stringify(rows))))).toMatchObject({ code: 0 });
    expect(await count(own)).toBe(times.length);
  });

  it("shows several bad rows at once, and skips them with --skip-invalid", async () => {
    const own = await device();
    const input = file(
      "some.csv",
      csvOf([good(1), { ...good(2), time: "x" }, good(3), { ...good(4), unit: "u".repeat(30) }]),
    );
    const failed = await iot(importLine(own, input));
    expect(told(failed)).toMatchObject({ exit: 3, row: 2, column: "time" });
    expect(told(failed).message).toContain("2 of 4 rows of");
    expect(told(failed).why).toMatch(/row 2: Column "time".*; row 4: Column "unit"/);
    const dry = await iot(importLine(own, input, "--skip-invalid", "--dry-run"));
    expect(dry.code).toBe(8);
    expect(JSON.parse(dry.stdout)).toMatchObject([{ method: "POST", path: "/data", body: { records: 2 } }]);
    expect(dry.stderr).toMatch(
      /Row 2: Column "time"[\s\S]*Row 4: Column "unit"[\s\S]*2 of 4 records would not be sent/,
    );
    expect(await count(own)).toBe(0);
    const skipped = await iot(importLine(own, input, "--skip-invalid"));
    expect([skipped.code, await count(own)]).toEqual([8, 2]);
    expect(skipped.stderr).toMatch(/Row 2: Column "time"[\s\S]*Row 4: Column "unit"/);
  });

  it("names the row of a device that is not there, or that several have", async () => {
    await iot(["device", "create", "--name", "Two of them"]);
    await iot(["device", "create", "--name", "Two of them"]);
    const input = file("devices.csv", "variable,value,sensor\na,1,Freezer 1\na,2,Nobody\na,3,Two of them\n");
    const sent = await sentBy(async () => {
      const failed = await iot(["device", "data", "import", "--input", input, "--map", "sensor=device_name", "--json"]);
      expect(told(failed)).toMatchObject({ exit: 3, row: 2, column: "sensor" });
      expect(told(failed).why).toMatch(
        /row 2: Column "sensor": No device matches.*row 3: Column "sensor":.*several devices/,
      );
    });
    expect(sent).toEqual([]);
  });

  it("compares times with what immutable storage takes", async () => {
    const flags = ["--type", "immutable", "--chunk-period", "month", "--chunk-retention", "1"];
    const own = await device(...flags);
    const now = new Date().toISOString();
    const input = file(
      "old.csv",
      csvOf([
        { ...good(1), time: now },
        { ...good(2), time: "2001-01-01" },
      ]),
    );
    const failed = await iot(importLine(own, input));
    expect(told(failed)).toMatchObject({ exit: 3, row: 2, column: "time" });
    expect(told(failed).why).toMatch(
      /immutable storage of the device takes times from 20.*; it is 2001-01-01T00:00:00\.000Z/,
    );
    expect([(await iot(importLine(own, input, "--skip-invalid"))).code, await count(own)]).toEqual([8, 1]);
  });
});

describe("the room of mutable storage", () => {
  const logger = "name:Vibration logger";
  const rows = (records: number): string =>
    `variable,value\n${Array.from({ length: records }, (_, value) => `room,${value}`).join("\n")}\n`;

  it("is compared with the records before the first is sent, and the message says how many fit", async () => {
    const input = file("room.csv", rows(12));
    for (const more of [[], ["--dry-run"], ["--skip-invalid"]]) {
      const sent = await sentBy(async () => {
        const failed = await iot(importLine(logger, input, ...more));
        expect([failed.code, failed.stdout.replace("[]\n", "")]).toEqual([7, ""]);
        expect(told(failed)).toMatchObject({ code: "device.full", message: "The records do not fit into the device." });
        expect(told(failed).why).toContain('"Vibration logger" has 49,990 records, so 10 of 12 fit.');
        expect(failed.stderr).not.toMatch(/skip-invalid|resume/);
      });
      expect(sent).toEqual([]);
    }
  });

  it("of an import that is resumed is that of the records which are not there yet", { tags: ["slow"] }, async () => {
    const id = (await here.json<{ id: string }>(["device", "get", logger])).id;
    const own = [
      "device",
      "data",
      "delete",
      logger,
      "--last",
      "3650d",
      "--limit",
      "1490",
      "--confirm",
      "Vibration logger",
    ];
    expect(await here.json(own)).toMatchObject({ deleted: 1_490 });
    const input = file("resumed.csv", rows(1_500));
    let isBroken = true;
    const server = await relay(here.sandbox.url, async ({ method }) =>
      method === "POST" && isBroken && (await count(id)) > 48_500
        ? { status: 500, body: JSON.stringify({ status: false, message: "Later" }) }
        : undefined,
    );
    const run = (...more: string[]): Promise<CliResult> =>
      here.iot([...importLine(id, input, ...more), "--retries", "0"], { cwd, env: { IOT_API_URL: server.url } });
    const broken = await run();
    expect([broken.code, await count(id)]).toEqual([1, 49_500]);
    expect(broken.stderr).toContain(
      "Interrupted after 1,000 of 1,500 records; run the same command with --resume to continue.",
    );
    isBroken = false;
    expect([(await run("--resume")).code, await count(id)]).toEqual([0, 50_000]);
    await server.close();
  });

  it("that is used up meanwhile ends the import, and is no matter of bad rows", async () => {
    const id = await device();
    const server = await relay(here.sandbox.url, async ({ method }) =>
      method === "POST"
        ? {
            status: 400,
            body: JSON.stringify({
              status: false,
              message: "The device has reached the limit of 50000 data registers",
            }),
          }
        : undefined,
    );
    for (const more of [[], ["--skip-invalid", "--again"]]) {
      const failed = await here.iot([...importLine(id, file("late.csv", rows(4))), ...more], {
        cwd,
        env: { IOT_API_URL: server.url },
      });
      expect(told(failed)).toMatchObject({
        exit: 7,
        code: "device.full",
        why: expect.stringContaining("limit of 50000"),
      });
      expect(failed.stderr).toContain("--resume to continue");
      expect(failed.stderr).not.toContain("--skip-invalid");
    }
    expect(server.seen.filter(({ method }) => method === "POST")).toHaveLength(2);
    await server.close();
  });
});

describe("a row that the platform refuses nevertheless", () => {
  /** A server that refuses the request with this record, as the platform does: places are counted from 0. */
  const refusing = (marker: string, field: string) =>
    relay(here.sandbox.url, async ({ method, body }) => {
      if (method !== "POST" || !body.includes(marker)) return undefined;
      const records = JSON.parse(body) as readonly { value: unknown }[];
      const at = records.findIndex(({ value }) => value === marker);
      const errors = { [`${at}.${field}`]: ["is not wanted."] };
      return {
        status: 400,
        body: JSON.stringify({ status: false, message: "Error on Body parameters", field_errors: errors }),
      };
    });
  const lines = (records: number, bad: number): string =>
    `at,variable,value\n${Array.from({ length: records }, (_, n) => `2026-01-31,ok,${n + 1 === bad ? "BAD" : n}`).join("\n")}\n`;
  const run = (url: string, args: readonly string[]): Promise<CliResult> =>
    here.iot([...args, "--map", "at=time"], { cwd, env: { IOT_API_URL: url } });

  it("is named by the row and the column of the file, and leaves nothing to resume", async () => {
    const id = await device();
    const server = await refusing("BAD", "time");
    const failed = await run(server.url, importLine(id, file("third.csv", lines(5, 3))));
    expect(told(failed)).toMatchObject({ exit: 3, row: 3, column: "at" });
    expect(told(failed)).toMatchObject({
      message: expect.stringMatching(/^The platform rejected row 3 of ".*third\.csv"\.$/),
      why: 'row 3, column "at": is not wanted.',
    });
    expect(failed.stderr).not.toContain("resume");
    // Nothing was sent of it, so the corrected file needs no word about an earlier run.
    const fixed = await run(server.url, importLine(id, file("third.csv", lines(5, 0))));
    expect([fixed.code, await count(id)]).toEqual([0, 5]);
    await server.close();
  });

  it("leads on to --resume --skip-invalid when rows before it were sent", { tags: ["slow"] }, async () => {
    const id = await device();
    const server = await refusing("BAD", "value");
    const args = importLine(id, file("later.csv", lines(1_010, 1_005)));
    const failed = await run(server.url, args);
    expect(told(failed)).toMatchObject({ exit: 3, row: 1_005, column: "value" });
    expect(failed.stderr).toContain(
      "Stopped after 1,000 of 1,010 records; run the same command with --resume --skip-invalid to continue.",
    );
    const rest = await run(server.url, [...args, "--resume", "--skip-invalid"]);
    expect([rest.code, await count(id)]).toEqual([8, 1_009]);
    expect(rest.stderr).toContain('warning: Row 1005: column "value": is not wanted');
    await server.close();
  });

  it("is named by its number where the records are sent at once", async () => {
    const id = await device();
    const server = await refusing("BAD", "value");
    const failed = await here.iot(["device", "data", "send", id, "a=1", "b=BAD", "--json"], {
      env: { IOT_API_URL: server.url },
    });
    expect(told(failed)).toMatchObject({ exit: 3, row: 2, message: "The platform rejected record 2." });
    await server.close();
  });
});

describe("device data send", () => {
  it("checks the records of a file with the rules of imports, and the storage", { tags: ["slow"] }, async () => {
    const id = await device();
    const input = file("send.csv", "variable,value,time\na,1,2026-01-31\na,2,bad\n");
    const sent = await sentBy(async () => {
      for (const line of [
        ["device", "data", "send", id, "--input", input],
        ["device", "data", "send", id, "--input", input, "--dry-run"],
      ])
        expect(told(await iot([...line, "--json"]))).toMatchObject({ exit: 3, row: 2, column: "time" });
      const token = (await iot(["device", "token", "list", id, "-o", "id", "--reveal"])).stdout.trim();
      const own = ["device", "data", "send", "self", "--input", input, "--json"];
      const asDevice = await here.iot(own, { cwd, env: { IOT_TOKEN: token } });
      expect(told(asDevice)).toMatchObject({ exit: 3, row: 2, column: "time" });
      const old = file("old.json", '[{"variable":"a","value":1,"time":"2001-01-01"}]');
      expect(told(await iot(["device", "data", "send", "name:Water meter", "--input", old, "--json"]))).toMatchObject({
        exit: 3,
        row: 1,
        column: "time",
      });
      const many = file(
        "many.json",
        JSON.stringify(Array.from({ length: 50_001 }, () => ({ variable: "a", value: 1 }))),
      );
      expect(told(await iot(["device", "data", "send", id, "--input", many, "--json"]))).toMatchObject({
        code: "device.full",
        why: expect.stringContaining("so 50,000 of 50,001 fit"),
      });
    });
    expect(sent).toEqual([]);
  });

  it("checks changes of stored records, which need no variable", async () => {
    const input = file("changes.json", '[{"id":"000000000000000000000000","time":"never"}]');
    const failed = await iot(["device", "data", "update", "name:Freezer 1", "--input", input, "--json"]);
    expect(told(failed)).toMatchObject({ exit: 3, row: 1, column: "time" });
  });
});

describe("device import", () => {
  const bad: readonly (readonly [what: string, header: string, cells: string, column: string, says: RegExp])[] = [
    ["a name that is too short", "name", "ab", "name", /must have 3 to 100 characters; it is "ab"/],
    ["a name that is too long", "name", "n".repeat(101), "name", /must have 3 to 100 characters; it has 101/],
    ["no name", "name,description", ",x", "name", /every device needs a name/],
    [
      "a storage type that is none",
      "name,type",
      "Wrong,cloud",
      "type",
      /one of mutable, immutable, hybrid; it is "cloud"/,
    ],
    ["a period that is none", "name,chunk_period", "Wrong,hour", "chunk_period", /one of day, week, month, quarter/],
    ["a retention that is none", "name,chunk_retention", "Wrong,many", "chunk_retention", /must be a whole number/],
    [
      "a retention that is too long",
      "name,type,chunk_period,chunk_retention",
      "Wrong,immutable,day,32",
      "chunk_retention",
      /at most 31 with the period day; it is 32/,
    ],
    ["storage without its period", "name,type", "Wrong,immutable", "chunk_period", /immutable storage needs it/],
    [
      "a pattern that is none",
      "name,mutable_variable_regex",
      "Wrong,a(",
      "mutable_variable_regex",
      /regular expression/,
    ],
    ["a switch that is none", "name,active", "Wrong,maybe", "active", /must be true or false/],
    ["tags that are none", "name,tags", "Wrong,site", "tags", /"site" is not key=value/],
    ["a network that is not there", "name,network", "Wrong,Nowhere", "network", /No network matches/],
    ["a connector that is not there", "name,connector", "Wrong,Nothing", "connector", /No connector matches/],
    [
      "a network id that no network has",
      "name,network",
      `Wrong,${"0a".repeat(12)}`,
      "network",
      /Network 0a.* not found/,
    ],
    [
      "a connector id that no connector has",
      "name,connector",
      `Wrong,${"0b".repeat(12)}`,
      "connector",
      /Connector 0b.* not found/,
    ],
    ["a serial number that is too long", "name,serial", `Wrong,${"s".repeat(256)}`, "serial", /at most 255 .* has 256/],
    [
      "a description that is too long",
      "name,description",
      `Wrong,${"d".repeat(10_001)}`,
      "description",
      /at most 10,000 .* has 10,001/,
    ],
    [
      "a parameter that is too long",
      "name,param.a",
      `Wrong,${"p".repeat(10_001)}`,
      "param.a",
      /at most 10,000 .* has 10,001/,
    ],
    ["a tag that is too long", "name,tag.site", `Wrong,${"t".repeat(1_025)}`, "tag.site", /at most 1,024 .* has 1,025/],
    [
      "too many tags",
      "name,tags",
      `Wrong,"${Array.from({ length: 31 }, (_, n) => `k${n}=v`).join(",")}"`,
      "tags",
      /at most 30 tags; it has 31/,
    ],
  ];

  it.each(bad)("finds %s before anything is sent, with row and column", async (_, header, cells, column, says) => {
    made += 1;
    const first = header
      .split(",")
      .map((name) => (name === "name" ? `Fine ${made}` : ""))
      .join(",");
    const input = file("fleet.csv", `${header}\n${first}\n${cells}\n`);
    const sent = await sentBy(async () => {
      const failed = await iot(["device", "import", input, "--json"]);
      expect(failed.code).toBe(3);
      expect(told(failed)).toMatchObject({ row: 2, column, why: expect.stringMatching(says) });
      expect(failed.stderr).not.toContain("resume");
      const dry = await iot(["device", "import", input, "--json", "--dry-run"]);
      expect(told(dry)).toEqual(told(failed));
    });
    expect(sent).toEqual([]);
  });

  it("names the column as the file does, and skips bad rows when asked to", async () => {
    made += 1;
    const input = file("fleet.csv", `device name\nKept ${made}\nab\n`);
    const line = ["device", "import", input, "--map", "device name=name", "--json"];
    expect(told(await iot(line))).toMatchObject({ row: 2, column: "device name" });
    const skipped = await iot([...line, "--skip-invalid"]);
    expect(skipped.code).toBe(8);
    expect(JSON.parse(skipped.stdout)).toMatchObject([
      { row: 1, result: "created" },
      { row: 2, result: "invalid" },
    ]);
  });

  it("leaves the storage of devices that exist alone, so a row of one needs no period", async () => {
    const input = file("fleet.csv", "name,type,description\nFreezer 1,immutable,Checked\n");
    expect(await iot(["device", "import", input, "--on-conflict", "update"])).toMatchObject({ code: 0 });
  });

  it("has the rule of the name in common with LoRaWAN codes", async () => {
    const line = ["lorawan", "qr", "parse", "--create-device", "--connector", "name:Soil Probe S2", "--name", "x"];
    const failed = await iot([...line, "AABBCCDDEEFF0011", "--json"]);
    expect(told(failed)).toMatchObject({ exit: 3, row: 1, column: "name" });
  });
});

describe("run user import and entity data import", () => {
  it("find a user that cannot be created before the first one is", async () => {
    const input = file("users.csv", "mail,name\none@checks.test,One\ntwo@checks.test,\n");
    const sent = await sentBy(async () => {
      const failed = await iot(["run", "user", "import", input, "--map", "mail=email", "--json"]);
      expect(told(failed)).toMatchObject({ exit: 3, row: 2, column: "name", why: "A new user needs a name." });
      const long = file("users.csv", `mail,name\none@checks.test,One\ntwo@checks.test,${"n".repeat(101)}\n`);
      expect(told(await iot(["run", "user", "import", long, "--map", "mail=email", "--json"]))).toMatchObject({
        row: 2,
        column: "name",
        why: expect.stringContaining("at most 100 characters; it has 101"),
      });
      const wrong = file("users.csv", "mail,name\none@checks.test,One\ntwo,Two\n");
      expect(told(await iot(["run", "user", "import", wrong, "--map", "mail=email", "--json"]))).toMatchObject({
        row: 2,
        column: "mail",
      });
    });
    expect(sent).toEqual([]);
  });

  it("name the column of a value that the schema does not take", async () => {
    await iot(["entity", "create", "--name", "checked", "--field", "n:int"]);
    const input = file("rows.csv", "number\n1\nseven\n");
    const failed = await iot(["entity", "data", "import", "name:checked", input, "--map", "number=n", "--json"]);
    expect(told(failed)).toMatchObject({ exit: 3, row: 2, column: "number" });
  });
});

describe("a dry run of changes to many devices", () => {
  it("names the device that cannot be changed, and ends with 8", async () => {
    const ids = file("ids.txt", `${SEED_DEVICES.freezer}\n${SEED_DEVICES.siloNorth}\n`);
    here.sandbox.faults.set([{ route: `GET /device/${SEED_DEVICES.siloNorth}`, kind: "status", status: 400 }]);
    const dry = await iot(["device", "update", "--ids", ids, "--set-tag", "a=b", "--dry-run", "--json"]);
    expect(dry.code).toBe(8);
    expect(JSON.parse(dry.stdout)).toMatchObject([{ path: `/device/${SEED_DEVICES.freezer}` }]);
    expect(dry.stderr).toContain("1 of 2 devices would not be sent.");
  });
});

describe("columns that are not imported", () => {
  const warned = async (args: readonly string[], text: string): Promise<string | undefined> => {
    const { code, stderr } = await iot([...args, "--input", "-", "--dry-run"], text);
    expect(code, stderr).toBe(0);
    return /Columns that are not imported: (.*?)\. --map/.exec(stderr)?.[1];
  };
  const data = ["device", "data", "import", SEED_DEVICES.freezer];

  it("are named, whatever is imported", async () => {
    expect(await warned(["device", "import"], "name,serail,tag.site\nPump 77,1,plant\n")).toBe('"serail"');
    expect(await warned(data, "variable,value,tme,untt\nv,1,2026-01-01,C\n")).toBe('"tme", "untt"');
    expect(await warned(["run", "user", "import"], "email,name,compny\nx@example.test,X,Y\n")).toBe('"compny"');
  });

  it("are named when one that every row needs is missing", async () => {
    const { code, stderr } = await iot(["device", "import", "-"], "nmae\nPump 77\n");
    expect(code).toBe(3);
    expect(stderr).toContain('"stdin" has no column "name".\n  why: Columns found: nmae.');
  });

  it("are not named if they are mapped, left out on purpose or part of an export", async () => {
    expect(
      await warned([...data, "--map", "t=time", "--map", "note="], "variable,value,t,note\nv,1,2026-01-01,x\n"),
    ).toBe(undefined);
    const { stdout } = await iot(["device", "export", "--tag", "device_type=freezer", "--params", "-o", "csv"]);
    expect(await warned(["device", "import", "--on-conflict", "skip"], stdout)).toBe(undefined);
  });

  it("are at most ten", async () => {
    const row = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`x${n}`, n]));
    const names = await warned(data, JSON.stringify([{ variable: "v", value: 1, ...row }]));
    expect(names).toMatch(/^"x0", .*"x9" and more$/);
  });
});

describe("JSON that a command writes to a file", () => {
  const hostile = "\u009b31m\u202egnp";
  const raw = /[\u0080-\u009f\u202a-\u202e]/;
  const textOf = (name: string): string => readFileSync(join(cwd, name), "utf8");

  it("escapes what commands a terminal in reports of imports and conversions", async () => {
    here.sandbox.faults.set([{ route: "POST /data", kind: "status", status: 400, message: hostile }]);
    const rows = file("hostile.csv", "variable,value\nlevel,1\n");
    const data = ["device", "data", "import", SEED_DEVICES.freezer, "--input", rows, "--report", "rows.ndjson"];
    expect(await iot(data)).toMatchObject({ code: 8 });
    expect((JSON.parse(textOf("rows.ndjson")) as { reason: string }).reason).toContain(hostile);
    const widget = file("widget.json", JSON.stringify({ type: "note", label: hostile, display: { value: "x" } }));
    const convert = ["widget", "convert", widget, "--report-file", "widgets.json", "--out", "new.json"];
    expect(await iot(convert)).toMatchObject({ code: 0 });
    const { widgets } = JSON.parse(textOf("widgets.json")) as { widgets: { label: string }[] };
    expect(widgets).toMatchObject([{ label: hostile }]);
    for (const name of ["rows.ndjson", "widgets.json"]) expect(textOf(name)).not.toMatch(raw);
  });

  it("escapes it in exports", async () => {
    const id = await device();
    const record = JSON.stringify([{ variable: "level", value: hostile }]);
    expect(await iot(["device", "data", "send", id, "--input", "-"], record)).toMatchObject({ code: 0 });
    for (const name of ["records.ndjson", "records.json"]) {
      expect(await iot(["device", "data", "export", id, "--out", name, "--yes"])).toMatchObject({ code: 0 });
      expect(textOf(name)).not.toMatch(raw);
      const [first] = [JSON.parse(textOf(name))].flat() as { value: string }[];
      expect(first?.value).toBe(hostile);
    }
  });
});
