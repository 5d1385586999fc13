import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Resources } from "../../src/index.ts";
import type { CliResult } from "../helpers/cli.ts";
import { relay } from "../helpers/relay.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import type { SmallServer } from "../helpers/small-server.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

interface Deleted {
  readonly device: string;
  readonly deleted: number;
  readonly remaining: number | null;
}

async function deviceWith(name: string, records: number): Promise<string> {
  const id = (await here.iot(["device", "create", "--name", name, "-o", "id"])).stdout.trim();
  const stdin = JSON.stringify(Array.from({ length: records }, (_, value) => ({ variable: "lv", value })));
  await here.json(["device", "data", "send", id, "--input", "-"], { stdin });
  return id;
}

const client = (): Resources => {
  const { url: api, eventsUrl: sse, tokens } = here.sandbox;
  return new Resources({ token: tokens.profile, region: { api, sse } });
};

/** Runs a command line through a server between the program and the sandbox. */
async function through(server: SmallServer, args: readonly string[], stdin = ""): Promise<CliResult> {
  try {
    return await here.iot(args, { env: { IOT_API_URL: server.url }, stdin });
  } finally {
    await server.close();
  }
}

describe("a deletion of records", () => {
  const remove = (id: string, ...flags: string[]): string[] => [
    "device",
    "data",
    "delete",
    id,
    "--variable",
    "lv",
    ...flags,
  ];

  it("says how many records still match, and how to delete them", async () => {
    const id = await deviceWith("Left over", 40);
    const { code, stdout, stderr } = await here.iot([...remove(id, "--confirm", "Left over"), "--json"]);
    expect({ code, ...(JSON.parse(stdout) as Deleted) }).toEqual({ code: 0, device: id, deleted: 15, remaining: 25 });
    expect(stderr).toContain('Deleted 15 records of device "Left over"; 25 still match in ');
    expect(stderr).toContain("Add --all to delete the 25 that still match, or --limit N.");
    expect((await here.iot(["device", "data", "count", id])).stdout).toBe("25\n");
  });

  it("shows before the question how many of the matching records are deleted", async () => {
    const id = await deviceWith("Asked", 40);
    expect((await here.iot(remove(id))).stderr).toContain('Delete up to 15 of 40 matching records of device "Asked"');
    const several = await here.iot(remove(id, "--variable", "other"));
    expect(several.stderr).toContain("Delete up to 15 per variable of 40 matching records");
    expect((await here.iot(remove(id, "--all"))).stderr).toContain("Delete all 40 matching records");
  });

  it("warns of nothing where the limit was chosen, or nothing is left", async () => {
    const id = await deviceWith("Chosen", 20);
    const limited = await here.iot(remove(id, "--limit", "5", "--confirm", "Chosen"));
    expect(limited.stderr).toContain("15 still match");
    expect(limited.stderr).not.toContain("warning:");
    const rest = await here.iot(remove(id, "--confirm", "Chosen"));
    expect(rest.stderr).toContain('Deleted 15 records of device "Chosen" in ');
    expect(rest.stderr).not.toMatch(/warning:|hint:|still match/);
  });

  it("refuses --limit with --all", async () => {
    const id = await deviceWith("Both", 1);
    expect(await here.iot(remove(id, "--limit", "5", "--all"))).toMatchObject({ code: 2, stdout: "" });
  });

  it("deletes more than one request takes with --all", { tags: ["slow"] }, async () => {
    const id = await deviceWith("Many", 11_000);
    const gone = await here.json<Deleted>([...remove(id, "--all", "--confirm", "Many")]);
    expect(gone).toEqual({ device: id, deleted: 11_000, remaining: 0 });
  });

  it("counts after the deletion what came meanwhile", async () => {
    const id = await deviceWith("Late", 3);
    const server = await relay(here.sandbox.url, async ({ method }, pass) => {
      const reply = await pass();
      if (method === "DELETE") await here.json(["device", "data", "send", id, "lv=99"]);
      return reply;
    });
    const { code, stdout, stderr } = await through(server, [...remove(id, "--all", "--confirm", "Late"), "--json"]);
    expect({ code, ...(JSON.parse(stdout) as Deleted) }).toEqual({ code: 0, device: id, deleted: 3, remaining: 1 });
    expect(stderr).toContain("1 matching record is there after the deletion: new, or the platform is still deleting");
  });

  it("is reported, with null as the rest, when the rest cannot be counted", async () => {
    const id = await deviceWith("Uncounted", 3);
    let isDeleted = false;
    const server = await relay(here.sandbox.url, async ({ method, url }, pass) => {
      if (method === "DELETE") {
        const reply = await pass();
        isDeleted = true;
        return reply;
      }
      if (!isDeleted || !url.includes("/data")) return undefined;
      return { status: 400, body: JSON.stringify({ status: false, message: "Not now" }) };
    });
    const { code, stdout, stderr } = await through(server, [...remove(id, "--confirm", "Uncounted"), "--json"]);
    expect({ code, ...(JSON.parse(stdout) as Deleted) }).toEqual({ code: 0, device: id, deleted: 3, remaining: null });
    expect(stderr).toContain("warning: The records that are left could not be counted: Not now");
  });

  it("says what was deleted when a later request of --all fails", async () => {
    const id = await deviceWith("Broken", 30);
    let requests = 0;
    const server = await relay(here.sandbox.url, async ({ method, url }) => {
      if (method !== "DELETE") return undefined;
      requests += 1;
      if (requests > 1) return { status: 400, body: JSON.stringify({ status: false, message: "Not now" }) };
      // The platform deletes fewer at a time than asked for.
      const few = await fetch(`${here.sandbox.url}${url.replace("qty=10000", "qty=20")}`, {
        method,
        headers: { authorization: here.sandbox.tokens.profile },
      });
      return { status: few.status, body: await few.text() };
    });
    const { code, stdout, stderr } = await through(server, [...remove(id, "--all", "--confirm", "Broken"), "--json"]);
    expect({ code, ...(JSON.parse(stdout) as Deleted) }).toEqual({ code: 8, device: id, deleted: 20, remaining: 10 });
    expect(JSON.parse(stderr.trim().split("\n").at(-1) ?? "")).toMatchObject({
      error: { code: "batch.partial", message: "The deletion stopped after 20 records.", why: "Not now" },
    });
  });

  it("of a device says what is left, too", async () => {
    const id = await deviceWith("Emptied", 4);
    const empty = ["device", "data", "empty", id, "--confirm", "Emptied", "--json"];
    const server = await relay(here.sandbox.url, async ({ method }, pass) => {
      const reply = await pass();
      if (method === "POST") await here.json(["device", "data", "send", id, "lv=1", "lv=2"]);
      return reply;
    });
    const { code, stdout, stderr } = await through(server, empty);
    expect({ code, ...(JSON.parse(stdout) as Deleted) }).toEqual({ code: 0, device: id, deleted: 4, remaining: 2 });
    expect(stderr).toContain("2 records are there after the deletion");
    expect(await here.json(empty)).toEqual({ device: id, deleted: 2, remaining: 0 });
  });
});

describe("a deletion of rows, files and parts", () => {
  it("of entity rows counts what the platform has deleted", async () => {
    await here.json(["entity", "create", "--name", "short", "--field", "n:int"]);
    const rows = Array.from({ length: 105 }, (_, n) => ({ n }));
    const add = ["entity", "data", "add", "name:short", "--input", "-"];
    const added = await here.json<{ id: string }[]>(add, { stdin: JSON.stringify(rows) });
    const ids = [...added.map(({ id }) => id), "no-such-row"];
    const { code, stdout, stderr } = await here.iot(
      ["entity", "data", "delete", "name:short", "-", "--confirm", "short", "--json"],
      { stdin: ids.join("\n") },
    );
    expect(code).toBe(8);
    expect(JSON.parse(stdout)).toHaveLength(100);
    expect(stderr).toContain('Deleted 105 rows of entity "short"');
    expect(stderr).toContain("5 of these 6 rows were deleted, the others were not there: ");
    expect(stderr).toContain("no-such-row");
    expect(await here.json(["entity", "count", "name:short"])).toBe(0);
  });

  it("of an entity says how many rows are left", async () => {
    await here.json(["entity", "create", "--name", "refilled", "--field", "n:int"]);
    await here.json(["entity", "data", "add", "name:refilled", "n=1"]);
    const server = await relay(here.sandbox.url, async ({ method }, pass) => {
      const reply = await pass();
      if (method === "POST") await here.json(["entity", "data", "add", "name:refilled", "n=2"]);
      return reply;
    });
    const { code, stdout } = await through(server, [
      ...["entity", "empty", "name:refilled", "--confirm", "refilled", "--json"],
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ name: "refilled", deleted: 1, remaining: 1 });
  });

  const upload = (name: string): Promise<unknown> =>
    client().files.uploadBase64([{ filename: name, file: "eA==", public: false }]);

  it("of files leaves those that the platform would mistake for others, and names them", async () => {
    for (const name of ["dots/a.txt", "dots/b..c.txt", "dots/bc.txt.old"]) await upload(name);
    const { code, stdout, stderr } = await here.iot([...["file", "delete", "dots/", "--confirm", "dots/", "--json"]]);
    expect(code).toBe(8);
    expect(JSON.parse(stdout)).toEqual([{ filename: "dots/a.txt" }, { filename: "dots/bc.txt.old" }]);
    expect(stderr).toContain("dots/b..c.txt");
    const left = await here.json<{ filename: string }[]>(["file", "list", "dots/"]);
    expect(left.map(({ filename }) => filename)).toEqual(["dots/b..c.txt"]);
  });

  it("of a folder names the files that came meanwhile", async () => {
    await upload("busy/a.txt");
    const server = await relay(here.sandbox.url, async ({ method }, pass) => {
      const reply = await pass();
      if (method === "DELETE") await upload("busy/later.txt");
      return reply;
    });
    const { code, stderr } = await through(server, ["file", "delete", "busy/", "--confirm", "busy/"]);
    expect(code).toBe(0);
    expect(stderr).toContain('warning: Added to "busy/" meanwhile, and not deleted: busy/later.txt.');
  });

  it("of several parts goes on after one that fails, and ends with 8", async () => {
    const id = await deviceWith("Parts", 1);
    await here.json(["device", "param", "set", id, "a=1", "b=2"]);
    const [first] = await here.json<{ id: string; key: string }[]>(["device", "param", "list", id]);
    const refusing = (part: string) =>
      relay(here.sandbox.url, async ({ method, url }) =>
        method === "DELETE" && url.includes(part)
          ? { status: 400, body: JSON.stringify({ status: false, message: "Not this one" }) }
          : undefined,
      );
    const params = ["device", "param", "delete", id, "a", "b", "a", "--confirm", "Parts", "--json"];
    const gone = await through(await refusing(first?.id ?? ""), params);
    expect(gone.code).toBe(8);
    expect(JSON.parse(gone.stdout)).toHaveLength(1);
    expect(gone.stderr).toContain("Not this one");

    const chunks = await here.json<{ id: string }[]>(["device", "chunk", "list", "name:Water meter"]);
    const [oldest, next] = chunks.map((chunk) => chunk.id);
    const chunkLine = ["device", "chunk", "delete", "name:Water meter", oldest ?? "", next ?? ""];
    const rest = await through(await refusing(oldest ?? ""), [...chunkLine, "--confirm", "Water meter", "--json"]);
    expect(rest.code).toBe(8);
    expect((JSON.parse(rest.stdout) as { id: string }[]).map((chunk) => chunk.id)).toEqual([next]);
  });
});
