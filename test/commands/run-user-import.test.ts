import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startCli, temporaryFolder } from "../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { waitFor } from "../helpers/wait-for.ts";

interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly active: boolean;
  readonly timezone: string;
  readonly company?: string;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
}
interface Result {
  readonly row: number;
  readonly email: string;
  readonly user: string;
  readonly result: string;
  readonly reason: string;
}
interface Planned {
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | null;
}

let here: SandboxUnderTest;
let cwd: string;
let host: string;
beforeAll(async () => {
  here = await sandboxUnderTest({ seed: "empty" });
  host = (await here.json<{ url: string }>(["run", "get"])).url;
});
afterAll(() => here.close());
beforeEach(() => {
  here.sandbox.faults.set([]);
  cwd = temporaryFolder();
});

const iot = (...args: string[]) => here.iot(["run", "user", ...args], { cwd });
const json = <T>(...args: string[]): Promise<T> => here.json<T>(["run", "user", ...args], { cwd });
const file = (name: string, text: string): string => {
  writeFileSync(join(cwd, name), text);
  return name;
};
const read = (name: string): string => readFileSync(join(cwd, name), "utf8");
const fields = "id,name,email,active,timezone,company,tags";
const users = (email: string) => json<User[]>("list", "--email", email, "--all", "--fields", fields);
const tagsOf = ({ tags }: User) => tags.map(({ key, value }) => `${key}=${value}`).sort();
const mails = (to: string) => here.sandbox.outbox({ to }).length;
const results = (rows: readonly Result[]) => rows.map(({ result }) => result);
const changes = (from: number): string[] =>
  here
    .requests()
    .slice(from)
    .filter((line) => !line.startsWith("GET") || line.includes("passwordreset"));

describe("run user import", () => {
  it("creates users with a random password, and invites the active ones only with --invite", async () => {
    const text =
      "mail,name,timezone,tag.role,active\nAda@one.test,Ada,Europe/Lisbon,operator,\nbo@one.test,Bo,,driver,no\n";
    const args = ["import", file("new.csv", text), "--map", "mail=email", "--tag", "site=7", "--invite"];
    const asked = await iot(...args);
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining("1 new user") });
    expect(await users("*@one.test")).toEqual([]);
    const rows = await json<Result[]>(...args, "--yes");
    expect(results(rows)).toEqual(["created", "created"]);
    const [ada, bo] = (await users("*@one.test")).sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(ada).toMatchObject({ email: "ada@one.test", active: true, timezone: "Europe/Lisbon" });
    expect(tagsOf(ada as User)).toEqual(["role=operator", "site=7"]);
    expect(bo).toMatchObject({ active: false, timezone: "UTC" });
    expect([mails("ada@one.test"), mails("bo@one.test")]).toEqual([1, 0]);
    expect(here.sandbox.outbox({ to: "ada@one.test" })[0]).toMatchObject({ template: "password_recover" });
    await json("import", file("quiet.csv", "email,name\ncy@one.test,Cy\n"));
    expect(mails("cy@one.test")).toBe(0);
  });

  it("exits with 7 before anything is changed when a user exists, or skips or updates", async () => {
    await json("import", file("first.csv", "email,name,company,tag.a\none@two.test,One,Old,1\n"));
    const input = file("second.csv", "email,name,company,tag.b\nnew@two.test,New,,\nONE@two.test,,Acme,2\n");
    const strict = await iot("import", input);
    expect(strict).toMatchObject({ code: 7, stderr: expect.stringContaining("Row 2") });
    expect(await users("new@two.test")).toEqual([]);
    expect(results(await json("import", input, "--on-conflict", "skip"))).toEqual(["created", "skipped"]);
    expect(results(await json("import", input, "--on-conflict", "update"))).toEqual(["unchanged", "updated"]);
    const [one] = await users("one@two.test");
    expect(one).toMatchObject({ name: "One", company: "Acme" });
    expect(tagsOf(one as User)).toEqual(["a=1", "b=2"]);
    const from = here.requests().length;
    expect(results(await json("import", input, "--on-conflict", "update", "--invite"))).toEqual([
      "unchanged",
      "unchanged",
    ]);
    expect(changes(from)).toEqual([]);
  });

  it("names the row that is no user, and skips it with --report", async () => {
    const bad =
      "email,name,active,password\nok@three.test,Ok,,\nnobody,No,,\nx@three.test,X,maybe,\ny@three.test,Y,,pw\n";
    const input = file("bad.csv", bad);
    const strict = await iot("import", input);
    expect(strict.code).toBe(3);
    for (const word of ["row 2", "email", "active", "password"]) expect(strict.stderr).toContain(word);
    expect(await users("*@three.test")).toEqual([]);
    const { code } = await iot("import", input, "--report", "report.csv");
    expect(code).toBe(8);
    const report = parse(read("report.csv"), { columns: true }) as Result[];
    expect(results(report)).toEqual(["created", "invalid", "invalid", "invalid"]);
    const twice = await iot("import", file("twice.csv", "email,name\na@x.test,A\nA@x.test,B\n"));
    expect(twice).toMatchObject({ code: 3, stderr: expect.stringContaining("Rows 1 and 2") });
  });

  it("prints the requests with --dry-run: no password, and nothing sent", async () => {
    const from = here.requests().length;
    const input = file(
      "dry.json",
      JSON.stringify([{ email: "dry@four.test", name: "Dry", tags: [{ key: "a", value: "1" }] }]),
    );
    const planned = await json<Planned[]>("import", input, "--invite", "--dry-run");
    expect(planned).toMatchObject([
      {
        method: "POST",
        path: "/run/users",
        body: { email: "dry@four.test", password: "…", active: true, tags: [{ key: "a", value: "1" }] },
      },
      { method: "GET", path: `/run/${host}/passwordreset/dry%40four.test` },
    ]);
    expect(changes(from)).toEqual([]);
  });

  it("goes on after an invitation that the platform refused, and sends it with --resume", async () => {
    here.sandbox.faults.set([{ route: `GET /run/${host}/passwordreset/a%40five.test`, kind: "status", status: 400 }]);
    const input = file("five.csv", "email,name\na@five.test,A\nb@five.test,B\n");
    const args = ["import", input, "--invite", "--yes"];
    const { code, stdout } = await iot(...args, "--skip-invalid", "--json");
    expect(code).toBe(8);
    expect(JSON.parse(stdout)).toMatchObject([
      { result: "failed", reason: expect.stringContaining("not invited") },
      { result: "created", reason: "invited" },
    ]);
    expect(await users("*@five.test")).toHaveLength(2);
    here.sandbox.faults.set([]);
    expect(results(await json(...args, "--resume"))).toEqual(["created", "done before"]);
    expect([mails("a@five.test"), mails("b@five.test")]).toEqual([1, 1]);
  });

  it.each(["fail", "update"])("creates and invites after a lost response, each user once (%s)", async (way) => {
    const domain = `${way}.six.test`;
    const text = Array.from({ length: 4 }, (_, n) => `u${n}@${domain},U${n}\n`).join("");
    const args = ["import", file("six.csv", `email,name\n${text}`), "--invite", "--on-conflict", way, "--yes"];
    here.sandbox.faults.set([{ route: "POST /run/users", kind: "truncate" }]);
    expect((await iot(...args)).code).not.toBe(0);
    expect(await users(`*@${domain}`)).toHaveLength(1);
    here.sandbox.faults.set([]);
    expect(results(await json(...args, "--resume"))).toEqual(Array(4).fill("created"));
    expect(await users(`*@${domain}`)).toHaveLength(4);
    expect(Array.from({ length: 4 }, (_, n) => mails(`u${n}@${domain}`))).toEqual([1, 1, 1, 1]);
    expect(await iot(...args, "--resume")).toMatchObject({ code: 0, stderr: expect.stringContaining("nothing to do") });
  });

  it("killed with -9, it is finished with --resume: every user once, and everyone invited", {
    tags: ["slow"],
  }, async () => {
    const text = Array.from({ length: 8 }, (_, n) => `k${n}@seven.test,K${n}\n`).join("");
    const args = ["run", "user", "import", file("seven.csv", `email,name\n${text}`), "--invite", "--yes"];
    here.sandbox.faults.set([{ route: "POST /run/users", kind: "latency", delayMs: 40 }]);
    const before = here.requests().length;
    const child = await startCli(args, { env: here.env, cwd });
    const ended = new Promise((resolve) => child.once("close", (code, signal) => resolve(signal ?? code)));
    child.stdout?.resume();
    child.stderr?.resume();
    await waitFor(() => changes(before).length >= 5 || child.exitCode !== null, "the moment to kill");
    child.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
    here.sandbox.faults.set([]);
    expect((await here.iot([...args, "--resume"], { cwd })).code).toBe(0);
    expect((await users("*@seven.test")).map(({ email }) => email).sort()).toEqual(
      Array.from({ length: 8 }, (_, n) => `k${n}@seven.test`),
    );
    for (let n = 0; n < 8; n += 1) expect(mails(`k${n}@seven.test`)).toBeGreaterThanOrEqual(1);
  });
});

describe("run user export", () => {
  it.each(["csv", "json"])("writes a file that import finds nothing to change in (%s)", async (format) => {
    const options = JSON.stringify({ time_format: "24" });
    const more = [{ email: `full@${format}.test`, name: "Full", phone: "+351210000000", options: JSON.parse(options) }];
    await json("import", file("more.json", JSON.stringify(more)));
    const out = `users.${format}`;
    const [done] = await json<{ file: string; users: number }[]>("export", "--out", out);
    const text = read(out);
    expect(text).toContain(`full@${format}.test`);
    expect(text).not.toMatch(/password|token|otp/i);
    const rows = await json<Result[]>("import", out, "--on-conflict", "update");
    expect(rows).toHaveLength(done?.users ?? 0);
    expect(new Set(results(rows))).toEqual(new Set(["unchanged"]));
  });

  it("narrows by tag and state, and asks before a file is replaced", async () => {
    const csv = "email,name,tag.crew,active\na@eight.test,A,9,yes\nb@eight.test,B,9,no\n";
    await json("import", file("eight.csv", csv));
    const { stdout } = await iot("export", "--tag", "crew=9", "--active");
    expect((parse(stdout, { columns: true }) as User[]).map(({ email }) => email)).toEqual(["a@eight.test"]);
    file("kept.csv", "mine");
    expect((await iot("export", "--out", "kept.csv")).code).toBe(2);
    expect(read("kept.csv")).toBe("mine");
    expect((await iot("export", "--out", join("none", "x.csv"))).code).toBe(3);
    expect(existsSync(join(cwd, "none"))).toBe(false);
  });
});
