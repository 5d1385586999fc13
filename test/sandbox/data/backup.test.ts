import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, manualClock, type Sandbox } from "../../../src/sandbox/index.ts";
import { SEED_DEVICES } from "../../helpers/seed.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { call, type NewDevice, newDevice, ok } from "../client.ts";
import { buildChild, startChild } from "../process.ts";

const NOW_MS = Date.parse("2026-05-14T10:30:00.000Z");
const clock = manualClock(NOW_MS);
const said: string[] = [];
let sandbox: Sandbox;
let token: string;
beforeAll(async () => {
  sandbox = await createSandbox({ clock, log: (text) => said.push(text) });
  token = sandbox.tokens.profile;
});
afterAll(() => sandbox.close());

/** A file of the profile, once it is there. */
async function file(path: string): Promise<string> {
  const address = `${sandbox.url}/file/${sandbox.profileId}/${path}`;
  for (let turn = 0; turn < 2_000; turn += 1) {
    const response = await fetch(address, { headers: { token } });
    if (response.status === 200) return response.text();
    await response.arrayBuffer();
    expect(response.status).toBe(404);
  }
  throw new Error(`${path} was not written`);
}

const upload = (filename: string, text: string): Promise<unknown> =>
  ok(sandbox, "POST", "/files", {
    token,
    body: [{ filename, file: Buffer.from(text).toString("base64"), public: false }],
  });
const amount = (id: string): Promise<number> => ok(sandbox, "GET", `/device/${id}/data_amount`, { token });
const restore = (id: string, file_address: string): Promise<unknown> =>
  ok(sandbox, "POST", `/device/${id}/data/restore`, { token, body: { file_address } });
const rows = (id: string): Promise<Record<string, unknown>[]> =>
  ok(sandbox, "GET", `/device/${id}/data?qty=10000&ordination=ascending`, { token });

async function holds(id: string, expected: number): Promise<void> {
  for (let turn = 0; turn < 2_000 && (await amount(id)) !== expected; turn += 1);
  expect(await amount(id)).toBe(expected);
}

describe("a backup", () => {
  it("is a CSV of all rows, oldest first, in a file named by a template", async () => {
    const { token: own, device_id: id } = await newDevice(sandbox);
    const sent = [
      {
        variable: "a",
        value: 21.5,
        unit: "C",
        group: "g1",
        time: "2026-05-02T00:00:00Z",
        metadata: { note: 'x "y", z' },
      },
      { variable: "b", value: "21.5", group: "g2", time: "2026-05-01T00:00:00Z", location: { lat: 1, lng: -2 } },
      { variable: "c", value: true, group: "line\nbreak", time: "2026-05-03T00:00:00Z" },
    ];
    await ok(sandbox, "POST", "/data", { token: own, body: sent });
    const address = "/$ORGID$/$ENVIRONMENT$/$DEVICE$/$FROM$_$TO$ $CHUNK$ $TIMESTAMP$ $OTHER$";
    const body = { file_address: address, headers: true };
    const path = `${sandbox.profileId}/sandbox/${id}/2026-05-01_2026-05-03 all ${NOW_MS} $OTHER$.csv`;
    expect(await ok(sandbox, "POST", `/device/${id}/data/backup`, { token, body })).toEqual({
      file_address: path,
      status: "scheduled",
    });
    expect(await file(path)).toBe(
      [
        "variable,value,group,unit,location,metadata,time",
        'b,"21.5",g2,,"{""type"":""Point"",""coordinates"":[-2,1]}",,2026-05-01T00:00:00.000Z',
        'a,21.5,g1,C,,"{""note"":""x \\""y\\"", z""}",2026-05-02T00:00:00.000Z',
        'c,true,"line\nbreak",,,,2026-05-03T00:00:00.000Z\n',
      ].join("\n"),
    );
  });

  it("comes back the same, but for ids", { tags: ["slow"] }, async () => {
    const copy = await newDevice(sandbox);
    const { freezer } = SEED_DEVICES;
    const body = { file_address: "freezer.csv", headers: true };
    await ok(sandbox, "POST", `/device/${freezer}/data/backup`, { token, body });
    await file("freezer.csv");
    expect(await restore(copy.device_id, "/freezer.csv")).toBe("Data import added to the queue successfully!");
    await holds(copy.device_id, await amount(freezer));
    const bare = (list: Record<string, unknown>[]) => list.map(({ id: _id, device: _device, ...row }) => row);
    expect(bare(await rows(copy.device_id))).toEqual(bare(await rows(freezer)));
  });

  it("of a chunk holds its rows alone, by two routes, without a header row when none is asked for", async () => {
    const { waterMeter } = SEED_DEVICES;
    const [chunk] = await ok<{ id: string; amount: number; from: string }[]>(
      sandbox,
      "GET",
      `/device/${waterMeter}/chunk`,
      { token },
    );
    for (const route of ["backup", "copy"]) {
      const body = { chunk_id: chunk?.id, file_address: `/${route}/$CHUNK$/$CHUNK_START$`, headers: [] };
      const path = `${route}/${chunk?.id}/${chunk?.from.slice(0, 10)}.csv`;
      const answer = await ok(sandbox, "POST", `/device/${waterMeter}/chunk/${route}`, { token, body });
      expect(answer).toEqual({ file_address: path, chunk_id: chunk?.id, status: "scheduled" });
      const lines = (await file(path)).trimEnd().split("\n");
      expect(lines.length).toBe(chunk?.amount);
      expect(lines.every((line) => line.includes(`,${chunk?.from.slice(0, 10)}T`))).toBe(true);
    }
  });

  it.each([
    ["data", {}, 400, "Error on Body parameters"],
    ["chunk", { file_address: "a" }, 400, "Error on Body parameters"],
    ["chunk", { file_address: "a", chunk_id: "1_2" }, 404, "Chunk Not Found"],
  ])("by the %s route with %j is refused", async (route, body, status, message) => {
    const answer = await call(sandbox, "POST", `/device/${SEED_DEVICES.waterMeter}/${route}/backup`, { token, body });
    expect([answer.status, answer.body.message]).toEqual([status, message]);
  });
});

describe("what was ordered before rows go", () => {
  it("holds the rows of the chunk", { tags: ["slow"] }, async () => {
    const { device_id: id, token: own } = await newDevice(sandbox, {
      type: "immutable",
      chunk_period: "month",
      chunk_retention: 3,
    });
    const list = Array.from({ length: 1_000 }, (_, value) => ({ variable: "a", value }));
    for (let turn = 0; turn < 12; turn += 1) await ok(sandbox, "POST", "/data", { token: own, body: list });
    const [chunk] = await ok<{ id: string }[]>(sandbox, "GET", `/device/${id}/chunk`, { token });
    const body = { chunk_id: chunk?.id, file_address: "gone.csv" };
    await ok(sandbox, "POST", `/device/${id}/chunk/backup`, { token, body });
    await ok(sandbox, "DELETE", `/device/${id}/chunk/${chunk?.id}`, { token });
    expect(await amount(id)).toBe(0);
    expect((await file("gone.csv")).trimEnd().split("\n").length).toBe(12_000);
  });
});

describe("an import that kill -9 interrupts", () => {
  it("is gone on with at the next start, with no row twice", { tags: ["slow", "posix"] }, async () => {
    const program = await buildChild();
    const dataDir = mkdtempSync(join(tmpdir(), "iot-import-"));
    const total = 20_000;
    let child = await startChild(program, { dataDir, seed: "empty" });
    try {
      const admin = child.ready.tokens.profile;
      const body = { name: "Imported", type: "mutable" };
      const { device_id: id } = await ok<NewDevice>(child.ready, "POST", "/device", { token: admin, body });
      const csv = `variable,value\n${Array.from({ length: total }, (_, value) => `a,${value}`).join("\n")}\n`;
      await ok(child.ready, "POST", "/files", {
        token: admin,
        body: [{ filename: "rows.csv", file: Buffer.from(csv).toString("base64") }],
      });
      const held = (): Promise<number> => ok(child.ready, "GET", `/device/${id}/data_amount`, { token: admin });
      const order = () =>
        ok(child.ready, "POST", `/device/${id}/data/restore`, { token: admin, body: { file_address: "rows.csv" } });
      await order();
      while ((await held()) === 0);
      child.process.kill("SIGKILL");
      await child.ended;
      child = await startChild(program, { dataDir, seed: "empty" });
      const before = await held();
      expect(before).toBeGreaterThan(0);
      expect(before).toBeLessThan(total);
      // Ordered again before it is done, it is the same import.
      await order();
      for (let now = before; now < total; now = await held());
      const counted = await ok(child.ready, "GET", `/device/${id}/data?query=count`, { token: admin });
      const most = await ok<{ value: number }[]>(child.ready, "GET", `/device/${id}/data?query=max`, {
        token: admin,
      });
      expect([counted, most[0]?.value]).toEqual([total, total - 1]);
    } finally {
      child.process.kill("SIGKILL");
      await child.ended;
      program.remove();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

describe("an import", () => {
  it("takes columns in any order, ignores others, and reads values as they look", async () => {
    const { device_id: id } = await newDevice(sandbox);
    const text = [
      "time,extra,Value,location,variable",
      '2026-05-01 10:00:00,x,-1.5e2,"-3.5, 40",Level',
      '1777629600001,,"007",,"quoted"',
      ",,text,,plain",
      '2026-05-01,,"12",,kept',
      "",
    ].join("\r\n");
    await upload("mixed.csv", `\uFEFF${text}`);
    await restore(id, "mixed.csv");
    await holds(id, 4);
    const read = await rows(id);
    expect(read.map(({ variable, value, time }) => [variable, value, time])).toEqual([
      ["kept", "12", "2026-05-01T00:00:00.000Z"],
      ["level", -150, "2026-05-01T10:00:00.000Z"],
      ["quoted", 7, "2026-05-01T10:00:00.001Z"],
      ["plain", "text", "2026-05-14T10:30:00.000Z"],
    ]);
    expect(read[1]?.["location"]).toEqual({ type: "Point", coordinates: [40, -3.5] });
  });

  async function expectNothing(name: string, text: string, problem: string): Promise<void> {
    const { device_id: id } = await newDevice(sandbox);
    await upload(`${name}.csv`, text);
    const before = said.length;
    await restore(id, `${name}.csv`);
    await waitFor(() => said.length > before, "the failure");
    expect(said.at(-1)).toContain(problem);
    expect(said.at(-1)).toContain(id);
    expect(await amount(id)).toBe(0);
  }

  const NOTHING = "of a file %s stores nothing, and says why";
  it.each([
    ["without a header row", "a,1\nb,2\n", "The first line must name the columns, variable among them"],
    ["that is empty", "", "The file is empty"],
    ["with a bad row", `variable,value\n${"a,1\n".repeat(1500)}a b,2\n`, "Line 1502: variable: variable must not"],
    ["with broken quotes", 'variable,value\n"a,1\n', "Quote"],
    ["with metadata that is not JSON", "variable,metadata\na,{\n", "Line 2: metadata must be JSON"],
  ])(NOTHING, expectNothing);
  it.each([["with more rows than fit", `variable\n${"a\n".repeat(50_001)}`, "reached the limit of 50000"]])(
    NOTHING,
    { tags: ["slow"] },
    expectNothing,
  );

  it("into chunks keeps their time range", async () => {
    const { device_id: id } = await newDevice(sandbox, { type: "immutable", chunk_period: "day", chunk_retention: 2 });
    await upload("old.csv", "variable,time\na,2026-05-12\na,2026-05-11T23:59:59.999Z\n");
    const before = said.length;
    await restore(id, "old.csv");
    await waitFor(() => said.length > before, "the failure");
    expect(said.at(-1)).toContain("Time must be between 2026-05-12T00:00:00.000Z and 2026-05-15T23:59:59.999Z");
    expect(await amount(id)).toBe(0);
    await upload("new.csv", "variable,time\na,2026-05-12\na,2026-05-15\n");
    await restore(id, "new.csv");
    await holds(id, 2);
  });

  it("of a file that is not there is refused", async () => {
    const path = `/device/${SEED_DEVICES.settings}/data/restore`;
    const answer = await call(sandbox, "POST", path, { token, body: { file_address: "/none.csv" } });
    expect([answer.status, answer.body.message]).toEqual([404, "file can't be found"]);
  });
});
