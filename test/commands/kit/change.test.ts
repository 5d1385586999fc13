import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ProgramHere, programHere } from "../../helpers/program-here.ts";

let program: ProgramHere;
beforeAll(async () => {
  program = await programHere();
});
afterAll(() => program.close());

const device = "name:Freezer 1";
const params = ["first", "second"];
const remove = ["device", "param", "delete", device, ...params];

const writesOf = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
  const before = program.here.requests().length;
  await work();
  return program.here
    .requests()
    .slice(before)
    .filter((request) => !request.startsWith("GET "));
};

describe("a change of several things", () => {
  let ids: readonly string[];
  beforeAll(async () => {
    await program.ok(["device", "param", "set", device, ...params.map((key) => `${key}=1`)]);
    const all = await program.json<{ id: string; key: string }[]>(["device", "param", "list", device]);
    ids = params.map((key) => all.find((row) => row.key === key)?.id ?? "");
  });

  it("is printed request by request with --dry-run, as one document, and nothing is sent", async () => {
    let planned: readonly { method: string; path: string }[] = [];
    const writes = await writesOf(async () => {
      planned = await program.json([...remove, "--dry-run"]);
    });
    expect(planned.map(({ method, path }) => `${method} ${path.split("/").at(-1)}`)).toEqual(
      ids.map((id) => `DELETE ${id}`),
    );
    expect(writes).toEqual([]);
  });

  it("says once that nothing is sent", async () => {
    const { stdout, stderr } = await program.run([...remove, "--dry-run"]);
    expect(stdout.trim().split("\n")).toHaveLength(2);
    expect(stderr.match(/Dry run: nothing is sent to /g)).toHaveLength(1);
  });

  it("stays undone without an answer", async () => {
    let code = 0;
    const writes = await writesOf(async () => {
      ({ code } = await program.run(remove));
    });
    expect({ code, writes }).toEqual({ code: 2, writes: [] });
  });

  it("is sent after the answer, in order, then shown, then told with the place", async () => {
    let ended = { code: -1, stdout: "", stderr: "" };
    const writes = await writesOf(async () => {
      ended = await program.run([...remove, "--confirm", "Freezer 1", "--json"]);
    });
    expect(writes.map((request) => request.split("/").at(-1))).toEqual(ids);
    expect(JSON.parse(ended.stdout)).toMatchObject(params.map((key) => ({ key })));
    expect(ended.stderr).toMatch(/^info: Deleted 2 parameters in IOT_API_URL \(http:\/\/\S+\)\.\n$/);
  });
});
