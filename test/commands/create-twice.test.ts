import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CliResult } from "../helpers/cli.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const idIn = ({ stdout }: CliResult): string => (JSON.parse(stdout) as { id: string }).id;
const writes = (): string[] => here.requests().filter((line) => !line.startsWith("GET "));

/** Command lines that create one thing of each kind, and what tells two of them apart. */
const kinds: readonly (readonly [kind: string, line: readonly string[]])[] = [
  ["device", ["device", "create", "--name", "Twin"]],
  ["analysis", ["analysis", "create", "--name", "Twin"]],
  ["dashboard", ["dashboard", "create", "--label", "Twin"]],
  ["entity", ["entity", "create", "--name", "Twin", "--field", "n:int"]],
  ["network", ["network", "create", "--name", "Twin"]],
  ["connector", ["connector", "create", "--name", "Twin"]],
  ["action", ["action", "create", "--name", "Twin", "--interval", "1h", "--analysis", "name:report"]],
  ["access rule", ["access", "create", "--name", "Twin", "--who", "run_user", "--allow", "access device"]],
  ["stored query", ["sql", "create", "--name", "Twin", "--query", "SELECT d.id FROM devices() AS d"]],
  ["profile", ["profile", "create", "--name", "Twin"]],
];

describe("a creation with a name that is taken", () => {
  it.each(kinds)("of the kind %s warns, and names the one that has it", async (kind, line) => {
    const first = await here.iot([...line, "--json"]);
    expect(first).toMatchObject({ code: 0, stderr: expect.not.stringContaining("already taken") });
    const second = await here.iot([...line, "--json"]);
    expect(second.code).toBe(0);
    expect(idIn(second)).not.toBe(idIn(first));
    expect(second.stderr).toContain(
      `warning: The name "Twin" is already taken by ${kind} ${idIn(first)}, so name:Twin will match several. --if-missing uses the existing one instead.`,
    );
  });

  it.each(kinds)("of the kind %s prints the existing one with --if-missing", async (kind, line) => {
    const own = line.map((word) => (word === "Twin" ? "Only" : word));
    const first = await here.iot([...own, "--if-missing", "--json"]);
    expect(first.code).toBe(0);
    const before = writes().length;
    const again = await here.iot([...own, "--if-missing", "--json"]);
    expect(again).toMatchObject({ code: 0, stdout: first.stdout });
    expect(again.stderr).toContain(`Created nothing: the ${kind} "Only" already exists (${idIn(first)})`);
    expect((await here.iot([...own, "--if-missing", "-o", "id"])).stdout).toBe(`${idIn(first)}\n`);
    expect(writes().slice(before)).toEqual([]);
  });

  it("ends with 7 when --if-missing could mean several", async () => {
    await here.iot(["device", "create", "--name", "Several"]);
    await here.iot(["device", "create", "--name", "Several"]);
    const before = writes().length;
    const { code, stdout, stderr } = await here.iot([
      "device",
      "create",
      "--name",
      "Several",
      "--if-missing",
      "--json",
    ]);
    expect([code, stdout]).toEqual([7, ""]);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "device.ambiguous", exit: 7 } });
    expect(stderr).toContain('2 devices have the name \\"Several\\".');
    expect(writes().slice(before)).toEqual([]);
  });

  it("takes a star in a name as a star, and other letters as another name", async () => {
    await here.iot(["device", "create", "--name", "Star x"]);
    for (const name of ["Star *", "STAR X"]) {
      const { code, stderr } = await here.iot(["device", "create", "--name", name, "--if-missing"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`Created device "${name}"`) });
      expect(stderr).not.toContain("already taken");
    }
  });

  it("sends nothing in a dry run, which looks for another one only with --if-missing", async () => {
    const name = ["device", "create", "--name", "Freezer 1", "--network", "65a1000000000000000e0001"];
    const line = [...name, "--connector", "65a1000000000000000c0001", "--dry-run"];
    const before = here.requests().length;
    expect(await here.iot(line)).toMatchObject({ code: 0, stdout: expect.stringContaining("POST /device") });
    expect(here.requests().slice(before)).toEqual([]);
    const { code, stdout, stderr } = await here.iot([...line, "--if-missing"]);
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toMatch(/The device "Freezer 1" already exists \(\w{24}\); nothing would be sent\./);
  });

  it("is made by a token that may not read, without a warning", async () => {
    const env = { IOT_TOKEN: here.sandbox.tokens.write };
    const before = writes().length;
    const { stderr } = await here.iot(["analysis", "create", "--name", "report"], { env });
    expect(writes().slice(before)).toEqual(["POST /analysis"]);
    expect(stderr).not.toContain("already taken");
  });
});

describe("what the platform refuses to have twice", () => {
  it("is found with --if-missing: the key of a secret, before its value is asked for", async () => {
    const create = ["secret", "create", "--key", "once_only", "--if-missing", "--json"];
    const first = await here.iot([...create, "--value-stdin"], { stdin: "not-a-real-one" });
    expect(first.code).toBe(0);
    expect(await here.iot(create)).toMatchObject({ code: 0, stdout: first.stdout });
    expect(await here.iot([...create, "--value-stdin"], { stdin: "another-one" })).toMatchObject({
      code: 0,
      stdout: first.stdout,
    });
  });

  it("is found with --if-missing: the slug of a dictionary, whatever its name", async () => {
    const create = (name: string, ...more: string[]) =>
      here.iot(["dictionary", "create", "--name", name, "--slug", "portal", "--fallback", "en-US", "--json", ...more]);
    const first = await create("Portal");
    expect(first.code).toBe(0);
    expect(await create("Another", "--if-missing")).toMatchObject({ code: 0, stdout: first.stdout });
    expect((await create("Another")).code).not.toBe(0);
    const named = await here.iot([
      ...["dictionary", "create", "--name", "Portal", "--slug", "OTHER", "--fallback", "en-US"],
    ]);
    expect(named.code).toBe(0);
    expect(named.stderr).toContain(`The name "Portal" is already taken by dictionary ${idIn(first)}`);
    expect(named.stderr).not.toContain("--if-missing");
  });

  it("is found with --if-missing: the address of a portal user, before the password is asked for", async () => {
    const line = ["run", "user", "create", "--name", "Oda Two", "--email", "Operator@example.test", "--if-missing"];
    const { code, stdout } = await here.iot([...line, "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ name: "Oda Operator", email: "operator@example.test" });
  });

  it("leaves networks of the catalogue alone: they are not the profile's", async () => {
    const [shared] = await here.json<{ id: string; name: string }[]>(["network", "list", "--catalogue"]);
    const { code, stdout, stderr } = await here.iot([
      ...["network", "create", "--name", shared?.name ?? "", "--if-missing", "--json"],
    ]);
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as { id: string }).id).not.toBe(shared?.id);
    expect(stderr).toContain(`is already taken by network ${shared?.id}`);
  });

  it("warns of nothing for notifications, which say the same again", async () => {
    const line = ["notification", "create", "--title", "Door", "--message", "open"];
    await here.iot(line);
    expect(await here.iot(line)).toMatchObject({ code: 0, stderr: expect.not.stringContaining("warning") });
    expect(await here.iot([...line, "--if-missing"])).toMatchObject({ code: 2 });
  });
});
