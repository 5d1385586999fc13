import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ProgramHere, programHere } from "../helpers/program-here.ts";

interface Rule {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly targets: readonly (readonly string[])[];
  readonly permissions: readonly { effect: string; action: string[]; resource: string[] }[];
}

let program: ProgramHere;
beforeAll(async () => {
  program = await programHere();
});
afterAll(() => program.close());

describe("access list", () => {
  it("says who may do what", async () => {
    const table = await program.ok(["access", "list", "--fields", "name,targets,permissions", "--no-header"]);
    expect(table.split("\n")).toEqual(
      expect.arrayContaining([
        "Everybody: devices of the own site\tusers with the same site\taccess: devices with the same site",
        "Nobody: the settings device\tall users\tnever access: device 65a1000000000000000d0008",
        expect.stringContaining(
          "analyses with access=restricted\taccess, get_data: all devices; access, upload: files under reports",
        ),
      ]),
    );
  });

  it("names users and devices with --resolve", async () => {
    const table = await program.ok(["access", "list", "--resolve", "--fields", "targets,permissions", "--no-header"]);
    expect(table).toContain("all users\tnever access: device Plant settings");
    expect(table).toContain("user Oda Operator\taccess: dashboard ");
  });

  it("names users and devices on a terminal, with one request for all of a kind", async () => {
    const before = program.here.requests().length;
    const { stdout } = await program.run(["access", "list", "--fields", "targets,permissions"], { terminal: 200 });
    expect(stdout).toMatch(/all users +never access: device Plant settings/);
    // The list, its six rules, and the kinds named.
    expect(program.here.requests().slice(before).length).toBeLessThanOrEqual(7 + 3);
  });

  it("asks one question with --brief, and one more per rule without", async () => {
    const count = async (...flags: string[]): Promise<number> => {
      const before = program.here.requests().length;
      await program.ok(["am", "list", ...flags]);
      return program.here.requests().length - before;
    };
    expect(await count("--brief")).toBe(1);
    expect(await count("--fields", "name")).toBe(1);
    expect(await count()).toBe(7);
  });
});

describe("access create, update and delete", () => {
  it("makes a rule from flags, changes it, and deletes it", async () => {
    const rule = await program.json<Rule>([
      ...["access", "create", "--name", "Drivers", "--who", "run_user:tag:role=driver"],
      ...["--allow", "access,edit device:tag:device_type=truck", "--deny", "access device:id:65a1000000000000000d0008"],
      ...["--allow", "access file:path:reports/2024", "--allow", "access device:same:site"],
    ]);
    expect(rule.targets).toEqual([["run_user", "tag.key", "role", "tag.value", "driver"]]);
    expect(rule.permissions).toEqual([
      {
        effect: "allow",
        action: ["access", "edit"],
        resource: ["device", "tag.key", "device_type", "tag.value", "truck"],
      },
      { effect: "allow", action: ["access"], resource: ["file", "path", "reports/2024"] },
      { effect: "allow", action: ["access"], resource: ["device", "tag_match", "site"] },
      { effect: "deny", action: ["access"], resource: ["device", "id", "65a1000000000000000d0008"] },
    ]);
    const changed = await program.json<Rule>(["access", "update", rule.id, "--inactive", "--who", "run_user"]);
    expect(changed).toMatchObject({ active: false, targets: [["run_user"]], permissions: rule.permissions });
    const { code, stderr } = await program.run(["access", "delete", "name:Drivers", "--yes"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Deleted access rule "Drivers"') });
  });

  it("takes a rule from stdin", async () => {
    const stdin = JSON.stringify({
      name: "Dashboards",
      targets: [["run_user"]],
      permissions: [{ effect: "allow", action: ["access"], resource: ["dashboard"] }],
    });
    expect(await program.json(["access", "create", "--input", "-"], { stdin })).toMatchObject({ name: "Dashboards" });
  });

  it("takes every action that the platform lists", async () => {
    const { settings } = (await program.json(["api", "GET", "/am/settings"])) as {
      settings: Record<string, Record<string, { value: string }[]>>;
    };
    const actions = Object.values(settings).flatMap((byResource) => Object.values(byResource).flat());
    const names = [...new Set(actions.map(({ value }) => value))];
    expect(names).toContain("get_data");
    const line = ["access", "create", "--name", "X", "--who", "run_user", "--allow", `${names.join(",")} device`];
    expect(await program.run([...line, "--dry-run"])).toMatchObject({ code: 0 });
  });

  it.each([
    ["no name", ["--who", "run_user", "--allow", "access device"]],
    ["nobody", ["--name", "X", "--allow", "access device"]],
    ["nothing", ["--name", "X", "--who", "run_user"]],
    ["a permission without a resource", ["--name", "X", "--who", "run_user", "--allow", "access"]],
    ["an unknown target", ["--name", "X", "--who", "nobody", "--allow", "access device"]],
    ["an unknown resource", ["--name", "X", "--who", "run_user", "--allow", "access plane"]],
    ["an unknown action", ["--name", "X", "--who", "run_user", "--deny", "fly device"]],
    ["a resource nobody understands", ["--name", "X", "--who", "run_user", "--allow", "access device:near:me"]],
  ])("ends with 2 for %s", async (_, flags) => {
    expect((await program.run(["access", "create", ...flags])).code).toBe(2);
  });
});
