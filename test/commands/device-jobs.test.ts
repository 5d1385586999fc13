import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runHere } from "../helpers/in-process.ts";
import { quickClock } from "../helpers/quick-clock.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

const meter = "name:Water meter";
let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());
beforeEach(() => here.sandbox.faults.set([]));

const iot = (...args: string[]) => runHere(args, { env: here.env, clock: quickClock() });
const json = async <T>(...args: string[]): Promise<T> => {
  const { code, stdout, stderr } = await iot(...args, "--json");
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
};
interface Chunk {
  readonly id: string;
  readonly amount: number;
}
interface Job {
  readonly file_address: string;
  readonly status: string;
  readonly size: number;
}

describe("device data backup and restore", () => {
  it("writes a file on the server, waits for it, and reads it into another device", { tags: ["slow"] }, async () => {
    const job = await json<Job>(
      "device",
      "data",
      "backup",
      "name:Silo north",
      "--path",
      "/b/silo",
      "--header",
      "--wait",
      "--yes",
    );
    expect(job).toMatchObject({ file_address: "b/silo.csv", status: "done" });
    expect(job.size).toBeGreaterThan(1_000);
    const copy = (await iot("device", "create", "--name", "Restored", "-o", "id")).stdout.trim();
    const restored = await json<{ records: number }>(
      ...["device", "data", "restore", copy, "--path", "b/silo.csv", "--wait", "--confirm", "Restored"],
    );
    expect(restored.records).toBe(await json<number>("device", "data", "count", "name:Silo north"));
  });

  it("waits for the new file where an old one of that name is there", async () => {
    here.sandbox.faults.set([]);
    const args = ["device", "data", "backup", "name:Truck 7", "--path", "/twice/truck", "--wait", "--yes"];
    const first = await json<Job>(...args);
    const second = await json<Job>(...args, "--header");
    expect(second.size).toBeGreaterThan(first.size);
  });

  it("tells the cost and, without a terminal, needs --yes or --max-records", async () => {
    const args = ["device", "data", "backup", "name:Freezer 1", "--path", "/b/cost"];
    const refused = await iot(...args);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/The server exports about [\d,]+ records.*left this month/);
    expect((await iot(...args, "--max-records", "1")).code).toBe(2);
    expect((await iot(...args, "--max-records", "1000000")).code).toBe(0);
  });

  it("stops waiting after --wait-timeout with 10", async () => {
    // The platform takes the order and finds out later that the file is no data.
    const broken = JSON.stringify([{ filename: "b/broken.csv", file: Buffer.from("no header").toString("base64") }]);
    expect((await runHere(["api", "post", "/files", "--input", "-"], { env: here.env, stdin: broken })).code).toBe(0);
    const args = ["device", "data", "restore", meter, "--path", "b/broken.csv", "--confirm", "Water meter"];
    const late = await iot(...args, "--wait", "--wait-timeout", "300ms");
    expect(late.code, late.stderr).toBe(10);
    expect((await iot("device", "data", "restore", meter, "--path", "b/silo.csv", "--yes")).code).toBe(2);
  });
});

describe("device chunk", () => {
  it("lists, copies, backs up and deletes chunks, named by id or by age", async () => {
    const chunks = await json<Chunk[]>("device", "chunk", "list", meter);
    expect(chunks.length).toBeGreaterThan(3);
    const [oldest] = chunks;
    const backup = await json<Job>("device", "chunk", "backup", meter, "oldest", "--header", "--wait", "--yes");
    expect(backup.file_address).toContain(oldest?.id);
    const copied = await json<Job>(
      "device",
      "chunk",
      "copy",
      meter,
      chunks.at(-1)?.id ?? "",
      "--path",
      "/c/$CHUNK$",
      "--wait",
      "--yes",
    );
    expect(copied.status).toBe("done");
    expect((await iot("device", "chunk", "delete", meter, "oldest", "--yes")).code).toBe(2);
    await iot("device", "chunk", "delete", meter, "oldest", chunks[1]?.id ?? "", "--confirm", "Water meter");
    expect(await json<Chunk[]>("device", "chunk", "list", meter)).toEqual(chunks.slice(2));
    expect((await iot("device", "chunk", "backup", meter, "1_2", "--yes")).code).toBe(6);
  });
});

describe("device downlink", () => {
  const probe = "name:Soil probe";
  interface Param {
    readonly key: string;
    readonly value: string;
    readonly sent: boolean;
  }

  it("sets the parameters and hands the message to the network", async () => {
    const sent = await json<{ message: string }>(
      "device",
      "downlink",
      probe,
      "--payload",
      "01 FF",
      "--port",
      "7",
      "--confirmed",
    );
    expect(sent).toMatchObject({
      payload: "01FF",
      port: 7,
      confirmed: true,
      message: expect.stringContaining("accepted"),
    });
    const params = await json<Param[]>("device", "param", "list", probe);
    expect(params.find(({ key }) => key === "downlink")).toMatchObject({ value: "01FF", sent: false });
    expect(params.find(({ key }) => key === "port")?.value).toBe("7");
  });

  it("waits until the device has taken it, or the time is over", async () => {
    const late = await iot("device", "downlink", probe, "--payload", "02", "--wait", "--wait-timeout", "300ms");
    expect(late.code).toBe(10);
    const waiting = iot("device", "downlink", probe, "--payload", "03", "--wait", "--wait-timeout", "10m");
    const isSet = async () =>
      (await json<Param[]>("device", "param", "list", probe)).some(({ value }) => value === "03");
    while (!(await isSet()));
    const token = (await iot("device", "token", "list", probe, "-o", "id", "--reveal")).stdout.split("\n")[0] ?? "";
    const taken = ["device", "param", "set", "self", "downlink", "--sent"];
    expect(await runHere(taken, { env: { ...here.env, IOT_TOKEN: token } })).toMatchObject({ code: 0 });
    expect((await waiting).code).toBe(0);
  });

  it("refuses what is no hexadecimal, and says why a device cannot be reached", async () => {
    for (const flags of [["--payload", "0g"], ["--payload", "012"], [], ["--payload", "01", "--port", "x"]])
      expect((await iot("device", "downlink", probe, ...flags)).code).toBe(2);
    const other = await iot("device", "downlink", "name:Freezer 1", "--payload", "01");
    expect({ code: other.code, says: other.stderr.includes("uplink") }).toEqual({ code: 1, says: true });
  });
});

describe("device inspect", () => {
  it("prints the notes about a request, and ends after --count", async () => {
    const running = iot("device", "inspect", "name:Freezer 1", "--count", "2", "--for", "10m", "-o", "ndjson");
    const id = (await json<{ id: string }>("device", "get", "name:Freezer 1")).id;
    const isWatched = () => here.requests().some((line) => line.includes("device_inspector"));
    while (!isWatched()) await iot("device", "get", id, "-o", "id");
    for (let n = 0; n < 2; n += 1) await iot("device", "data", "send", id, `door=${n}`);
    const { code, stdout } = await running;
    const notes = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { title: string; device_id: string });
    expect(code).toBe(0);
    expect(notes[0]).toMatchObject({ title: "[POST] HTTP Request", device_id: id });
  });
});
