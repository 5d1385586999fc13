import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ActionCreateInfo, Analysis, Device, Resources, Services } from "../../../src/index.ts";
import { createSandbox, manualClock, type Sandbox } from "../../../src/sandbox/index.ts";
import { SEED_ACTIONS, SEED_ANALYSES, SEED_DEVICE_TOKENS, SEED_DEVICES, SEED_TOKENS } from "../../helpers/seed.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { call } from "../client.ts";
import { consoleOf, until } from "./helpers.ts";
import { openStream } from "./stream.ts";

let sandbox: Sandbox;
const before = process.env["T_ANALYSIS_TOKEN"];

beforeEach(() => {
  delete process.env["T_ANALYSIS_TOKEN"];
});
afterEach(async () => {
  if (before === undefined) delete process.env["T_ANALYSIS_TOKEN"];
  else process.env["T_ANALYSIS_TOKEN"] = before;
  await sandbox.close();
});

const regionOf = ({ url, eventsUrl }: Sandbox) => ({ api: url, sse: eventsUrl });

describe("a program with the library", () => {
  it("is started by an action because a device sent data, and its mail is in the outbox", async () => {
    sandbox = await createSandbox({ seed: "empty" });
    const region = regionOf(sandbox);
    const resources = new Resources({ token: sandbox.tokens.profile, region });
    const made = await resources.analysis.create({ name: "Too warm", run_on: "external" });
    const { device_id, token } = await resources.devices.create({ name: "Freezer", type: "mutable" } as never);
    const trigger = { device: device_id, variable: "temperature", value_type: "number" } as const;
    const action: ActionCreateInfo = {
      name: "Too warm",
      type: "condition",
      trigger: [
        { ...trigger, is: ">", value: "8" },
        { ...trigger, is: "<", value: "5", unlock: true },
      ],
      action: { type: "script", script: [made.id] },
    };
    const { action: actionId } = await resources.actions.create(action);
    const stream = await openStream(sandbox, `channels=analysis_console.${made.id}&token=${sandbox.tokens.profile}`);

    const seen: unknown[] = [];
    const analysis = Analysis.use(
      async (context, scope) => {
        seen.push(context.environment, scope);
        const [row] = scope;
        context.log("It is", row?.value, row?.unit);
        await Services.email.send({ to: "jo@example.test", subject: "Too warm", message: `It is ${row?.value}` });
        context.log("Mail sent");
      },
      { token: made.token, region },
    );
    await until(
      async () => {
        await resources.analysis.run(made.id);
        return seen.length;
      },
      (amount) => amount > 0,
      "the program to be connected",
    );
    await waitFor(() => sandbox.outbox({ kind: "email" }).length > 0, "the first mail");
    seen.length = 0;
    const sentBefore = sandbox.outbox({ kind: "email" }).length;

    const device = new Device({ token, region });
    for (const value of [4, 9.5, 12]) await device.sendData({ variable: "temperature", value, unit: "C" });
    await waitFor(() => sandbox.outbox({ kind: "email" }).length > sentBefore, "the mail");
    analysis.stop();
    stream.close();

    expect(sandbox.outbox({ kind: "email" }).at(-1)).toMatchObject({
      to: "jo@example.test",
      subject: "Too warm",
      message: "It is 9.5",
      analysis: made.id,
    });
    expect(seen[0]).toEqual(
      expect.arrayContaining([
        { key: "_action_id", value: actionId },
        { key: "_action_type", value: "condition" },
        { key: "_device_id", value: device_id },
      ]),
    );
    expect(seen[1]).toMatchObject([{ variable: "temperature", value: 9.5, device: device_id }]);
    const messages = (): unknown[] => (stream.payloads() as { message: string }[]).map(({ message }) => message);
    expect(messages()).toContain("It is 9.5 C");
    expect(await resources.actions.info(actionId)).toMatchObject({ lock: true, last_triggered: expect.any(Date) });
  });
});

describe("the demo account", () => {
  it("has a script that reports on the freezer every morning, by a clock that the test moves", {
    tags: ["slow"],
  }, async () => {
    const clock = manualClock(Date.parse("2026-05-04T03:00:00Z"));
    sandbox = await createSandbox({ clock });
    await call(sandbox, "PUT", "/__sandbox/clock", { body: { advance: 3_600_000 } });
    await waitFor(() => sandbox.outbox({ kind: "email" }).length > 0, "the report");
    expect(sandbox.outbox({ kind: "email" })).toMatchObject([
      { to: "demo@example.test", subject: "Daily report", analysis: SEED_ANALYSES.report },
    ]);
    const isReport = (line: string): boolean => /^The freezer is at -?[\d.]+ degrees$/.test(line);
    await consoleOf(sandbox, SEED_ANALYSES.report, (lines) => lines.some(isReport), "the line of the report");

    const resources = new Resources({ token: SEED_TOKENS.full, region: regionOf(sandbox) });
    const names = (await resources.actions.list({ amount: 50 })).map(({ id }) => id);
    expect(names.sort()).toEqual(Object.values(SEED_ACTIONS).sort());
    const runtimes = await resources.analysis.list({ amount: 50, fields: ["run_on", "runtime", "active"] });
    expect(runtimes).toHaveLength(5);
    expect((await resources.notifications.list()).length).toBeGreaterThan(2);
    expect((await resources.serviceAuthorization.tokenList()).length).toBe(2);

    const truck = new Device({ token: SEED_DEVICE_TOKENS.truck, region: regionOf(sandbox) });
    await truck.sendData({ variable: "location", value: "away", location: { lat: 44, lng: 9 } });
    expect(sandbox.outbox({ action: SEED_ACTIONS.truckLeft })).toMatchObject([{ subject: "Truck 7 left" }]);
    expect(sandbox.outbox({ action: SEED_ACTIONS.truckLeft })[0]?.["message"]).toContain("44,9");
    await resources.devices.create({ name: "Another one", type: "mutable" } as never);
    const [newest] = await resources.notifications.list();
    expect(newest).toMatchObject({ title: "New device", read: false });
    expect(SEED_DEVICES.freezer).toHaveLength(24);
  });
});
