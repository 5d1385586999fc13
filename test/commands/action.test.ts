import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ProgramHere, programHere } from "../helpers/program-here.ts";
import { waitFor } from "../helpers/wait-for.ts";

interface Action {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly active: boolean;
  readonly trigger: readonly Record<string, unknown>[];
  readonly action: Record<string, unknown>;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
}

const freezer = "65a1000000000000000d0001";
let program: ProgramHere;
beforeAll(async () => {
  program = await programHere();
});
afterAll(() => program.close());

const notify = ["--notify", "--subject", "Note", "--message", "It happened"];
const create = (...flags: string[]): Promise<Action> => program.json(["action", "create", "--name", "Test", ...flags]);

describe("action list", () => {
  it("says in words when each action fires and what it does", async () => {
    const table = await program.ok(["action", "list", "--fields", "name,trigger,action", "--no-header"]);
    expect(table).toContain(
      `Freezer too warm\ttemperature > 8 of ${freezer}; unlocks at temperature < 5 of ${freezer}\trun analysis 65a1000000000000000a0001`,
    );
    expect(table).toContain("Report every morning\t0 6 * * * Europe/Rome\trun analysis");
    expect(table).toContain("New device\tdevice created\tnotify: New device");
    expect(table).toContain("location outside 10 km around 9.18,45.46");
    expect(table).toContain("data_records > 90 %");
  });

  it("keeps the platform's own form in JSON", async () => {
    const [row] = await program.json<Action[]>(["action", "list", "--type", "usage_alert"]);
    expect(row?.trigger).toEqual([{ service_or_resource: "data_records", condition: ">", condition_value: 90 }]);
  });

  it("names devices and analyses with --resolve, and of one action always", async () => {
    const words = "temperature > 8 of Freezer 1; unlocks at temperature < 5 of Freezer 1";
    const table = await program.ok(["action", "list", "--resolve", "--fields", "trigger,action", "--no-header"]);
    expect(table).toContain(`${words}\trun analysis alert`);
    const shown = await program.run(["action", "get", "name:Freezer too warm"], { terminal: 120 });
    expect(shown.stdout).toContain(words);
    const { trigger } = await program.json<Action>(["action", "get", "name:Freezer too warm"]);
    expect(trigger[0]).toMatchObject({ device: freezer });
  });

  it("names devices and analyses on a terminal, with one request for all of a kind", async () => {
    const before = program.here.requests().length;
    const { stdout } = await program.run(["action", "list", "--fields", "trigger,action"], { terminal: 200 });
    expect(stdout).toMatch(/of Freezer 1; unlocks at temperature < 5 of Freezer 1 +run analysis alert/);
    const asked = program.here
      .requests()
      .slice(before)
      .map((line) => line.replace(/\?.*/, ""));
    expect(asked.toSorted()).toEqual(["GET /action", "GET /analysis/", "GET /device"]);
  });

  it("finds actions by type, state, tag and name", async () => {
    const names = (...flags: string[]) =>
      program.ok(["action", "list", "--fields", "name", "--no-header", "--sort", "name", ...flags]);
    expect(await names("--type", "schedule")).toBe("Report every morning");
    expect(await names("--inactive")).toBe("");
    expect(await names("--tag", "purpose=alert")).toBe("Freezer too warm");
    expect(await names("--name", "truck*")).toBe("Truck left the plant");
  });
});

describe("action create", () => {
  it("makes a condition with a rule that unlocks it", async () => {
    const flags = ["--condition", "temperature>8", "--unlock", "temperature<5", "--device", "name:Freezer 1"];
    const { type, trigger, tags } = await create(...flags, "--tag", "a=b", ...notify);
    const rule = { device: freezer, variable: "temperature", value_type: "number" };
    expect(type).toBe("condition");
    expect(trigger).toEqual([
      { ...rule, is: ">", value: "8" },
      { ...rule, is: "<", value: "5", unlock: true },
    ]);
    expect(tags).toEqual([{ key: "a", value: "b" }]);
  });

  it.each([
    ["door=open", { variable: "door", is: "=", value: "open", value_type: "string" }],
    ["open != true", { variable: "open", is: "!", value: "true", value_type: "boolean" }],
    ["level><2,8", { variable: "level", is: "><", value: "2", second_value: "8", value_type: "number" }],
    ["door=*", { variable: "door", is: "*", value: "*", value_type: "*" }],
    ["note=a>b", { variable: "note", is: "=", value: "a>b", value_type: "string" }],
  ])("reads the condition %s", async (text, rule) => {
    expect((await create("--condition", text, "--device-tag", "site=7", ...notify)).trigger).toEqual([
      { tag_key: "site", tag_value: "7", ...rule },
    ]);
  });

  it.each([
    [
      ["--schedule", "0 6 * * *", "--timezone", "Europe/Rome"],
      "schedule",
      { cron: "0 6 * * *", timezone: "Europe/Rome" },
    ],
    [["--interval", "5m"], "interval", { interval: "5 minutes" }],
    [["--interval", "2 days"], "interval", { interval: "2 days" }],
    [
      ["--resource", "file:delete", "--resource-tag", "a=b"],
      "resource",
      { resource: "file", when: "delete", tag_key: "a", tag_value: "b" },
    ],
    [["--usage", "sms=100"], "usage_alert", { service_or_resource: "sms", condition: "=", condition_value: 100 }],
    [
      ["--topic", "plant/#", "--device-tag", "site=7"],
      "mqtt_topic",
      { topic: "plant/#", tag_key: "site", tag_value: "7" },
    ],
    [
      ["--outside", "9.18,45.46,10"],
      "condition_geofence",
      { variable: "location", is: "OUT", value: { center: [9.18, 45.46], radius: 10 } },
    ],
  ])("reads %j", async (flags, type, trigger) => {
    expect(await create(...flags, ...notify)).toMatchObject({ type, trigger: [trigger] });
  });

  it.each([
    [["--analysis", "name:report"], { type: "script", script: ["65a1000000000000000a0002"] }],
    [
      ["--email", "a@x.test", "--email", "b@x.test", "--subject", "S", "--message", "M"],
      { type: "email", to: "a@x.test;b@x.test", subject: "S", message: "M" },
    ],
    [["--sms", "+15550100", "--message", "M"], { type: "sms", to: "+15550100", message: "M" }],
    [["--post", "http://127.0.0.1:9/x"], { type: "post", url: "http://127.0.0.1:9/x" }],
    [
      ["--publish", "a/b", "--message", "on", "--to-device", "name:Freezer 1"],
      { type: "mqtt", bucket: freezer, topic: "a/b", payload: "on" },
    ],
  ])("does %j", async (flags, action) => {
    expect((await create("--interval", "1h", ...flags)).action).toEqual(action);
  });

  it("takes everything else from a file, and a flag over it", async () => {
    const stdin = JSON.stringify({
      name: "From a file",
      type: "interval",
      trigger: [{ interval: "3 hours" }],
      action: { type: "queue-sqs", sqs_secret: "65a100000000000000090001" },
    });
    const made = await program.json<Action>(["action", "create", "--input", "-", "--name", "Over it"], { stdin });
    expect(made).toMatchObject({ name: "Over it", type: "interval", action: { type: "queue-sqs" } });
  });

  it.each([
    ["nothing to start it", notify],
    ["nothing to do", ["--interval", "5m"]],
    ["two ways to start", ["--interval", "5m", "--schedule", "0 6 * * *", ...notify]],
    ["two things to do", ["--interval", "5m", "--post", "http://x.test", ...notify]],
    ["a topic without a tag", ["--topic", "plant/#", ...notify]],
    ["an unlock rule with a tag", ["--condition", "a>1", "--unlock", "a<1", "--device-tag", "a=b", ...notify]],
    ["a condition without a value", ["--condition", "temperature>", ...notify]],
    ["a flag without its company", ["--interval", "5m", "--timezone", "UTC", ...notify]],
    ["a message without something that sends it", ["--interval", "5m", "--message", "x"]],
    ["a notification without a message", ["--interval", "5m", "--notify", "--subject", "S"]],
  ])("ends with 2 for %s", async (_, flags) => {
    const { code, stdout } = await program.run(["action", "create", "--name", "Bad", ...flags]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });

  it("shows the request with --dry-run and sends none", async () => {
    const before = program.here.requests().length;
    const shown = await program.json<unknown[]>([
      "action",
      "create",
      "--name",
      "Dry",
      "--interval",
      "5m",
      ...notify,
      "--dry-run",
    ]);
    expect(shown).toEqual([
      {
        method: "POST",
        path: "/action",
        body: {
          name: "Dry",
          type: "interval",
          trigger: [{ interval: "5 minutes" }],
          action: { type: "notification", subject: "Note", message: "It happened" },
        },
      },
    ]);
    expect(program.here.requests()).toHaveLength(before);
  });
});

describe("action update, enable, disable and delete", () => {
  it("replaces what is named and keeps the rest", async () => {
    const { id } = await create("--interval", "5m", "--tag", "a=1", "--tag", "b=2", ...notify);
    const flags = ["--schedule", "0 7 * * *", "--tag", "a=3", "--remove-tag", "b"];
    const changed = await program.json<Action>(["action", "update", id, ...flags]);
    expect(changed).toMatchObject({ type: "schedule", trigger: [{ cron: "0 7 * * *" }], action: { subject: "Note" } });
    expect(changed.tags).toEqual([{ key: "a", value: "3" }]);
  });

  it("switches several off and on", async () => {
    const { id } = await create("--interval", "5m", ...notify);
    const args = [id, "name:Truck left the plant"];
    expect(await program.json(["action", "disable", ...args])).toEqual([
      { id, name: "Test", active: false },
      { id: "65a1000000000000000a1004", name: "Truck left the plant", active: false },
    ]);
    expect((await program.json<Action>(["action", "get", id])).active).toBe(false);
    const { stderr } = await program.run(["action", "enable", ...args]);
    expect(stderr).toContain("Enabled 2 actions in");
    expect((await program.json<Action>(["action", "get", id])).active).toBe(true);
  });

  it("asks before it deletes", async () => {
    const { id } = await create("--interval", "5m", ...notify);
    expect((await program.run(["action", "delete", id])).code).toBe(2);
    expect((await program.run(["action", "delete", id, "--yes"])).code).toBe(0);
    expect((await program.run(["action", "get", id])).code).toBe(6);
  });
});

describe("action trigger", () => {
  const outbox = (kind: string) => program.here.sandbox.outbox({ kind });

  it("sends a record that meets the condition, and the action fires", async () => {
    const email = ["--email", "trigger@x.test", "--subject", "Warm", "--message", "$VALUE$ degrees"];
    const condition = ["--condition", "probe>40", "--device", "name:Freezer 1"];
    const { id } = await create(...condition, ...email);
    expect(await program.json(["action", "trigger", id])).toMatchObject({
      id,
      by: "data",
      device: freezer,
      record: { variable: "probe", value: 41 },
    });
    await waitFor(() => JSON.stringify(outbox("email")).includes("41 degrees"), "the mail of the action");
    expect((await program.json<{ last_triggered: string }>(["action", "get", id])).last_triggered).toMatch(/^2/);
  });

  it.each([
    ["level<2", 1],
    ["level><2,8", 5],
    ["level=3", 3],
    ["door!=open", "not open"],
    ["open!=true", false],
    ["any=*", 1],
  ])("finds a value for %s", async (text, value) => {
    const { id } = await create("--condition", text, "--device", "name:Freezer 1", ...notify);
    const [sent] = await program.json<{ body: object[] }[]>(["action", "trigger", id, "--dry-run"]);
    expect(sent?.body).toMatchObject([{ value }]);
  });

  it("sends a place outside of the area", async () => {
    const before = outbox("email").length;
    const { record } = await program.json<{ record: object }>(["action", "trigger", "name:Truck left the plant"]);
    expect(record).toMatchObject({ variable: "location", location: { lng: 9.18 } });
    await waitFor(() => outbox("email").length > before, "the mail of the truck");
  });

  it("runs the analyses of an action that waits for no data", async () => {
    expect(await program.json(["action", "trigger", "name:Report every morning"])).toMatchObject({
      by: "analysis",
      analyses: ["65a1000000000000000a0002"],
    });
  });

  it("says what cannot be fired, and asks which device is meant", async () => {
    const usage = await program.run(["action", "trigger", "name:Data records nearly used up"]);
    expect({ code: usage.code, stderr: usage.stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining("data_records > 90 %"),
    });
    const { id } = await create("--condition", "level>2", "--device-tag", "site=7", ...notify);
    expect((await program.run(["action", "trigger", id])).code).toBe(2);
    expect((await program.run(["action", "trigger", id, "--device", "name:Freezer 1"])).code).toBe(0);
    await program.ok(["action", "disable", id]);
    expect((await program.run(["action", "trigger", id, "--device", "name:Freezer 1"])).code).toBe(1);
  });
});
