import { parse as parseCsv } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { dashboardColumns } from "../../../src/commands/dashboard/dashboard.ts";
import type { Column } from "../../../src/commands/kit/command/columns.ts";
import { dataColumns } from "../../../src/commands/kit/devices/data-read.ts";
import { CommandError } from "../../../src/commands/kit/failures/command-error.ts";
import type { Io } from "../../../src/commands/kit/io.ts";
import { createOutput } from "../../../src/commands/kit/output/create-output.ts";
import type { OutputSetup } from "../../../src/commands/kit/output/setup.ts";
import { createMessages } from "../../../src/commands/kit/say/messages.ts";
import { foundColumns } from "../../../src/commands/widget/detect.ts";
import { amount } from "../../helpers/amount.ts";

interface Row {
  readonly id: string;
  readonly name?: string;
  readonly count?: number;
  readonly at?: Date | string;
  readonly active?: boolean;
  readonly tags?: readonly { readonly key: string; readonly value: string }[];
  readonly extra?: unknown;
}

const columns: readonly Column<Row>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "count", kind: "number" },
  { key: "at", header: "last input", kind: "time" },
  { key: "tags", kind: "tags", hidden: true },
];
const rows: readonly Row[] = [
  {
    name: "Pump 3",
    id: "65a1000000000000000d0001",
    count: 7,
    at: new Date("2026-01-31T08:00:00Z"),
    extra: { z: 1, a: 2 },
  },
  {
    id: "65a1000000000000000d0002",
    name: "Tab\there\nand there",
    count: 12_345,
    at: "never",
    tags: [{ key: "site", value: "7" }],
  },
];
const options = { columns, empty: "No devices match." };

interface Captured {
  readonly setup: OutputSetup;
  text(): string;
  talk(): string;
}

function capture(change: Partial<OutputSetup> & { terminal?: boolean; width?: number } = {}): Captured {
  let written = "";
  let said = "";
  const { terminal = false, width = 80, ...rest } = change;
  const io: Io = {
    stdin: process.stdin,
    write: (text) => {
      written += typeof text === "string" ? text : Buffer.from(text).toString("utf8");
      return Promise.resolve();
    },
    writeError: (text) => {
      said += text;
    },
    stdoutIsTerminal: terminal,
    stderrIsTerminal: terminal,
    stdinIsTerminal: terminal,
    columns: () => width,
  };
  const setup: OutputSetup = {
    io,
    say: createMessages(io, { quiet: false, verbose: false }),
    format: "table",
    isAsked: rest.format !== undefined,
    header: true,
    csvSafe: false,
    csvBom: false,
    reveal: false,
    bold: false,
    ascii: false,
    links: false,
    accessible: false,
    time: { form: "iso", nowMs: Date.UTC(2026, 0, 31, 9) },
    ...rest,
  };
  return { setup, text: () => written, talk: () => said };
}

async function listed(
  change: Parameters<typeof capture>[0],
  given: readonly Row[] | AsyncIterable<Row> = rows,
): Promise<Captured> {
  const captured = capture(change);
  await createOutput(captured.setup).list(given, options);
  return captured;
}

async function* streamed(given: readonly Row[]): AsyncGenerator<Row> {
  for (const row of given) yield row;
}

describe("a list in a pipe", () => {
  it("is tab-separated text with a header, full values, and marks for tabs and line breaks", async () => {
    expect((await listed({})).text()).toBe(
      "id\tname\tcount\tat\n65a1000000000000000d0001\tPump 3\t7\t2026-01-31T08:00:00.000Z\n65a1000000000000000d0002\tTab\\there\\nand there\t12345\tnever\n",
    );
  });

  it("commands no terminal that it may lead to, and keeps the letters of every language", async () => {
    const hostile = "AA \u001b[31m E\u009b2J \u001b]0;own\u0007 \u202ez\u007f\r";
    const kept = "\u0646\u200c\u0645 \u{1f468}\u200d\u{1f469} \u00e4";
    const row: Row = { id: hostile, name: kept };
    const clean = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/u;
    const people: Parameters<typeof capture>[0][] = [
      {},
      { format: "tsv" },
      { format: "md" },
      { format: "id" },
      { format: "template", template: "{{id}} {{name}}" },
      { jq: ".[] | .id, .name" },
    ];
    for (const change of people) {
      const text = (await listed(change, [row])).text();
      expect(text).not.toMatch(clean);
      expect(text).toContain("␛[31m E␛[2J ␛]0;own␇ U+202Ez␡");
      if (change?.format !== "id" && change?.format !== "md") expect(text).toContain(kept);
    }
    const captured = capture({});
    await createOutput(captured.setup).value(hostile);
    expect(captured.text()).not.toMatch(clean);
    // For the next program, which gets them whole.
    expect(
      parseCsv((await listed({ format: "csv", fields: ["id", "name"] }, [row])).text(), { columns: true }),
    ).toEqual([row]);
  });

  it("drops the header with --no-header", async () => {
    expect((await listed({ header: false })).text().split("\n")[0]).toMatch(/^65a1/);
  });

  it("takes the asked fields, in order, by path", async () => {
    const { text } = await listed({ fields: ["count", "extra.z", "tags"] });
    expect(text()).toBe("count\textra.z\ttags\n7\t1\t\n12345\t\tsite=7\n");
  });

  it("is the same text from an array and from a stream, in every format", async () => {
    for (const format of ["table", "json", "ndjson", "csv", "tsv", "yaml", "md", "id"] as const) {
      expect((await listed({ format }, streamed(rows))).text()).toBe((await listed({ format })).text());
    }
  });
});

describe("a list on a terminal", () => {
  it("is a table with right-aligned numbers that fits its width", async () => {
    const { text } = await listed({ terminal: true, width: 74 });
    const lines = text().trimEnd().split("\n");
    expect(lines[0]).toMatch(/^id +name +count +last input$/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(74);
    expect(lines[1]).toMatch(/ {4}7 {2}2026/);
    expect(text()).toContain("65a1000000000000000d0001");
    expect(text()).toContain("…");
  });

  it("never cuts ids, and leaves columns out from the right when there is no room", async () => {
    const { text, talk } = await listed({ terminal: true, width: 30 });
    expect(text()).toContain("65a1000000000000000d0001");
    expect(text()).not.toContain("last input");
    expect(talk().replace(/\s+/g, " ")).toContain("hint: Columns hidden for lack of space:");
  });

  /** What `device data list` prints: the ranks are those of its columns. */
  const records = Array.from({ length: 3 }, (_, i) => ({
    id: `65a1000000000000000e000${i}`,
    group: `65a1000000000000000f000${i}`,
    time: new Date(Date.UTC(2026, 0, 31, 8, i)),
    variable: "cold_room_temperature",
    value: 4.5 + i,
    unit: "°C",
  }));
  it.each([
    [60, "time variable value unit"],
    [80, "time variable value unit"],
    [90, "time variable value unit group"],
    [130, "time variable value unit group id"],
    [40, "variable value unit"],
    [30, "variable value"],
  ])("of records shows, in %i columns, %s", async (width, header) => {
    const { setup, text } = capture({ terminal: true, width, time: { form: "local", zone: "UTC", nowMs: 0 } });
    await createOutput(setup).list(records, { columns: dataColumns, empty: "" });
    expect(text().split("\n")[0]?.trim().split(/ +/).join(" ")).toBe(header);
    for (const line of text().split("\n")) expect(line.length).toBeLessThanOrEqual(width);
    expect(text()).toContain("cold_room_temperature");
  });

  it("leaves out an empty column, then one with the same text everywhere, before it cuts a name", async () => {
    const dashboards = ["Plant, old widgets (migrated)", "Silo"].map((label, i) => ({
      id: `65a1000000000000000b000${i}`,
      label,
      type: "dashboard",
      updated_at: new Date(Date.UTC(2026, 0, 31, 8, i)),
    }));
    const { setup, text } = capture({ terminal: true, time: { form: "auto", nowMs: Date.UTC(2026, 0, 31, 9) } });
    await createOutput(setup).list(dashboards, { columns: dashboardColumns, empty: "" });
    expect(text().split("\n")[1]).toBe("65a1000000000000000b0000  Plant, old widgets (migrated)  dashboard  1 h ago");
  });

  it("of found widgets leaves out the file that all are from, not the labels", async () => {
    const found = ["Temperature of the cold room", "Humidity"].map((label, place) => {
      const [from, to] = place === 0 ? ["gauge/angular", "angular"] : ["display", "card"];
      const id = String(place);
      return {
        id,
        file: "examples/legacy-widgets.json",
        place,
        label,
        verdict: "converts",
        from,
        to,
        keys: [],
        notes: [],
      };
    });
    const { setup, text } = capture({ terminal: true, width: 70 });
    await createOutput(setup).list(found, { columns: foundColumns, empty: "" });
    expect(text().split("\n")[0]?.trim().split(/ +/)).toEqual(["label", "verdict", "from", "to"]);
    expect(text()).toContain("Temperature of the cold room");
  });

  it("measures wide characters by what they take on the screen", async () => {
    const wide: Row[] = [
      { id: "a", name: "日本語", count: 1 },
      { id: "b", name: "abcdef", count: 2 },
    ];
    const lines = (await listed({ terminal: true }, wide)).text().split("\n");
    expect(lines[1]).toBe("a   日本語      1");
    expect(lines[2]).toBe("b   abcdef      2");
  });

  it("shows no control characters of the data", async () => {
    const { text } = await listed({ terminal: true }, [{ id: "\u001b[31mred", name: "a\u202eb\nc" }]);
    for (const control of ["\u001b", "\u202e"]) expect(text()).not.toContain(control);
    expect(text()).toContain("␛[31mred");
    expect(text()).toContain("⏎");
  });

  it("makes the header bold only when colour is wanted", async () => {
    expect((await listed({ terminal: true, bold: true })).text()).toContain("\u001b[1mid");
  });

  it("has clickable https addresses where the terminal knows links, and their width is that of the text", async () => {
    const some: readonly Row[] = [
      { id: "a", name: "https://a.example/b", count: 1 },
      { id: "b", name: "none", count: 2 },
    ];
    const plain = (await listed({ terminal: true }, some)).text();
    const { text } = await listed({ terminal: true, links: true }, some);
    const end = "\u001b]8;;\u001b\\";
    const start = "\u001b]8;;https://a.example/b\u001b\\";
    expect(text()).toContain(`${start}https://a.example/b${end}`);
    expect(text().replace(start, "").replace(end, "")).toBe(plain);
  });

  it("has a clickable address where that is the result, on a terminal and for people only", async () => {
    const address = "http://127.0.0.1:4000/dashboard/65a1";
    const written = async (change: Parameters<typeof capture>[0]): Promise<string> => {
      const { setup, text } = capture(change);
      await createOutput(setup).value(address);
      return text();
    };
    const linked = `\u001b]8;;${address}\u001b\\${address}\u001b]8;;\u001b\\\n`;
    expect(await written({ terminal: true, links: true })).toBe(linked);
    expect(await written({ terminal: true })).toBe(`${address}\n`);
    for (const format of ["csv", "tsv", "json"] as const)
      expect(await written({ terminal: true, links: true, format })).not.toContain("\u001b");
  });

  it("is blocks of field and value with --accessible", async () => {
    const { text } = await listed({ terminal: true, accessible: true });
    expect(text()).toContain("id: 65a1000000000000000d0001\nname: Pump 3\ncount: 7\n");
  });

  it("keeps to the first widths for the rows that follow", async () => {
    const many = Array.from({ length: 450 }, (_, i) => ({
      id: `id-${String(i).padStart(4, "0")}`,
      name: i === 449 ? "x".repeat(500) : "n",
    }));
    const lines = (await listed({ terminal: true, width: 60 }, streamed(many))).text().trimEnd().split("\n");
    expect(lines).toHaveLength(451);
    expect(lines.filter((line) => line.startsWith("id ")).length).toBe(1);
    expect(lines.at(-1)).toMatch(/^id-0449 {2}/);
  });

  it("shows one resource as fields, hidden ones too", async () => {
    const captured = capture({ terminal: true });
    await createOutput(captured.setup).item(rows[1] ?? { id: "" }, { columns });
    expect(captured.text()).toMatch(/^id: +65a1000000000000000d0002\nname: +Tab␉here⏎and there\n/);
    expect(captured.text()).toMatch(/tags: +site=7/);
  });
});

describe("machine formats", () => {
  it("json is one document with keys in a fixed order and ISO times", async () => {
    const { text } = await listed({ format: "json" });
    expect(Object.keys(JSON.parse(text())[0])).toEqual(["id", "name", "count", "at", "extra"]);
    expect(JSON.parse(text())[0].at).toBe("2026-01-31T08:00:00.000Z");
  });

  it("json takes fields by path and keeps their nesting", async () => {
    const { text } = await listed({ format: "json", fields: ["name", "extra.a"] });
    expect(JSON.parse(text())).toEqual([
      { name: "Pump 3", extra: { a: 2 } },
      { name: "Tab\there\nand there", extra: { a: null } },
    ]);
  });

  it("json, ndjson and yaml escape what commands a terminal or tricks an eye, in a pipe as well", async () => {
    const trick: Row[] = [{ id: "a\u202eb\u009b31m\u001b]0;own\u0007", extra: { "\u202ekey": "\u{e0041}" } }];
    for (const terminal of [true, false]) {
      for (const format of ["json", "ndjson", "yaml"] as const) {
        const text = (await listed({ format, terminal }, trick)).text();
        expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u);
        expect(text).toContain("a\\u202");
        const read: unknown = format === "yaml" ? parseYaml(text) : JSON.parse(text);
        expect([read].flat()).toEqual(trick);
      }
    }
  });

  it("ndjson, csv, yaml and json give every text back exactly", { tags: ["slow"] }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ id: fc.string({ minLength: 1, unit: "binary" }), name: fc.string({ unit: "binary" }) }), {
          minLength: 1,
          maxLength: 5,
        }),
        async (given) => {
          const text = async (format: "json" | "ndjson" | "csv" | "yaml") =>
            (await listed({ format, fields: ["id", "name"] }, given)).text();
          const wellFormed = given.map((row) => ({ id: row.id, name: row.name }));
          expect(JSON.parse(await text("json"))).toEqual(wellFormed);
          expect(
            (await text("ndjson"))
              .trimEnd()
              .split("\n")
              .map((line) => JSON.parse(line)),
          ).toEqual(wellFormed);
          expect(parseCsv(await text("csv"), { columns: true, record_delimiter: "\r\n" })).toEqual(wellFormed);
          expect(parseYaml(await text("yaml"))).toEqual(wellFormed);
        },
      ),
      { numRuns: amount(40, 200) },
    );
  });

  it("csv marks formulas with --csv-safe, numbers excepted, and starts with a mark with --csv-bom", async () => {
    const formulas: Row[] = [
      { id: "=1+1", name: "-x", count: -5 },
      { id: "@a", name: "+b", count: 1 },
    ];
    const { text } = await listed(
      { format: "csv", csvSafe: true, csvBom: true, fields: ["id", "name", "count"] },
      formulas,
    );
    expect(text()).toBe("\ufeffid,name,count\r\n'=1+1,'-x,-5\r\n'@a,'+b,1\r\n");
  });

  it("id prints one id per line, and refuses rows without one", async () => {
    expect((await listed({ format: "id" })).text()).toBe("65a1000000000000000d0001\n65a1000000000000000d0002\n");
    await expect(listed({ format: "id" }, [{ id: "" }])).rejects.toMatchObject({ exit: 3 });
  });

  it("md escapes pipes, tags and line breaks", async () => {
    const { text } = await listed({ format: "md", fields: ["id", "count"] }, [{ id: "a|b<script>\nc", count: 1 }]);
    expect(text()).toBe("| id | count |\n| --- | --: |\n| a\\|b&lt;script><br>c | 1 |\n");
  });
});

describe("an empty result", () => {
  it.each([
    ["table", ""],
    ["ndjson", ""],
    ["csv", ""],
    ["id", ""],
    ["md", ""],
    ["json", "[]\n"],
    ["yaml", "[]\n"],
  ] as const)("in %s is %j, and a sentence for people", async (format, expected) => {
    const { text, talk } = await listed({ format }, []);
    expect(text()).toBe(expected);
    expect(talk()).toBe("info: No devices match.\n");
  });
});

describe("--fields and --jq", () => {
  it("help lists the columns and reads nothing", async () => {
    const { text } = await listed(
      { fields: ["help"] },
      (async function* (): AsyncGenerator<Row> {
        yield* [];
        throw new Error("the rows were read");
      })(),
    );
    expect(text()).toBe(
      "field\theader\tshown\nid\t\ttrue\nname\t\ttrue\ncount\t\ttrue\nat\tlast input\ttrue\ntags\t\tfalse\n",
    );
  });

  it("a field that no row has is refused, with the nearest named", async () => {
    await expect(listed({ fields: ["id", "nmae"] })).rejects.toMatchObject({ exit: 2, next: 'Did you mean "name"?' });
  });

  it("a field that no row of a page has is refused before anything is printed", async () => {
    const { setup, text } = capture({ fields: ["id", "nmae"] });
    const list = createOutput(setup).list(streamed(rows), options);
    await expect(list).rejects.toMatchObject({ exit: 2, next: 'Did you mean "name"?' });
    expect(text()).toBe("");
  });

  it("a field that only a later row of the page has is printed", async () => {
    const some: readonly Row[] = [{ id: "a" }, { id: "b", extra: 7 }];
    expect((await listed({ fields: ["id", "extra"], format: "csv" }, streamed(some))).text()).toBe(
      "id,extra\r\na,\r\nb,7\r\n",
    );
  });

  it("an unknown field of a live stream is refused at its first row", async () => {
    async function* live(): AsyncGenerator<Row> {
      yield { id: "a" };
      await new Promise(() => undefined);
    }
    await expect(listed({ fields: ["nosuch"] }, live())).rejects.toMatchObject({ exit: 2 });
  });

  it("a path never reaches the prototype of objects", async () => {
    await expect(listed({ format: "json", fields: ["id", "__proto__.polluted"] })).rejects.toMatchObject({ exit: 2 });
    await listed({ format: "json", fields: ["id", "tags.__proto__.polluted"] }, streamed(rows));
    expect({}).not.toHaveProperty("polluted");
  });

  it("jq filters the JSON; texts are bare unless json was asked for", async () => {
    expect((await listed({ jq: ".[].name" })).text()).toBe("Pump 3\nTab\there\nand there\n");
    expect((await listed({ jq: ".[].name", format: "json" })).text()).toBe('"Pump 3"\n"Tab\\there\\nand there"\n');
    expect((await listed({ jq: ".count", format: "ndjson" })).text()).toBe("7\n12345\n");
  });

  it.each([".[", "nosuch", ".[].name | error", "-1 +", ") | ("])(
    "the wrong jq expression %j ends with 2",
    async (jq) => {
      const failure = await listed({ jq }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(CommandError);
      expect(failure).toMatchObject({ exit: 2, code: "usage.jq" });
    },
  );
});

describe("times", () => {
  const one: readonly Row[] = [{ id: "a", at: new Date("2026-01-31T08:00:00Z") }];
  it.each([
    [{ form: "local", zone: "UTC", nowMs: 0 }, "2026-01-31 08:00:00"],
    [{ form: "local", zone: "Asia/Tokyo", nowMs: 0 }, "2026-01-31 17:00:00"],
    [{ form: "iso", nowMs: 0 }, "2026-01-31T08:00:00.000Z"],
    [{ form: "relative", nowMs: Date.UTC(2026, 0, 31, 11) }, "3 h ago"],
    [{ form: "relative", nowMs: Date.UTC(2026, 0, 29, 7) }, "in 2 d"],
    [{ form: "utc", zone: "Asia/Tokyo", nowMs: 0 }, "2026-01-31 08:00:00"],
    [{ form: "auto", nowMs: Date.UTC(2026, 0, 31, 8, 7) }, "7 min ago"],
    [{ form: "auto", zone: "UTC", nowMs: Date.UTC(2027, 0, 31) }, "2026-01-31"],
  ] as const)("on a terminal with %j are %s", async (time, shown) => {
    expect((await listed({ terminal: true, time }, one)).text()).toContain(shown);
  });

  const auto = { form: "auto", zone: "UTC", nowMs: Date.UTC(2026, 0, 31, 8, 7) } as const;

  it("that are the point of a table are exact unless --time relative asks otherwise", async () => {
    const shownAs = async (form: "auto" | "relative"): Promise<string> => {
      const { setup, text } = capture({ terminal: true, time: { ...auto, form } });
      await createOutput(setup).list(one, { columns: [{ key: "at", kind: "time", exact: true }], empty: "" });
      return text();
    };
    expect(await shownAs("auto")).toContain("2026-01-31 08:00:00\n");
    expect(await shownAs("relative")).toContain("7 min ago");
  });

  it("of one resource are exact, with how long ago they were", async () => {
    const { setup, text } = capture({ terminal: true, time: auto });
    await createOutput(setup).item({ id: "a", at: new Date("2026-01-31T08:00:00Z") }, { columns });
    expect(text()).toContain("2026-01-31 08:00:00 (7 min ago)");
  });

  it.each(["json", "ndjson", "csv", "tsv", "yaml", "md"] as const)("are exact with -o %s", async (format) => {
    expect((await listed({ terminal: true, format, time: auto }, one)).text()).toContain("2026-01-31T08:00:00.000Z");
  });
});
