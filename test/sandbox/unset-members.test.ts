import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { manualClock, type Sandbox } from "../../src/sandbox/index.ts";
import { demoSandbox } from "../helpers/demo-sandbox.ts";
import { call, newDevice, ok } from "./client.ts";

const clock = manualClock(Date.parse("2026-05-10T00:00:00Z"));
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await demoSandbox({ clock });
});
afterAll(() => sandbox.close());

const send = <T = unknown>(method: string, path: string, body?: object) =>
  ok<T>(sandbox, method, path, { token: sandbox.tokens.profile, body });

describe("members nobody set", () => {
  it("of a dashboard and a widget are null or empty, and a new widget answers 200", async () => {
    const { dashboard } = await send<{ dashboard: string }>("POST", "/dashboard", { label: "Board" });
    expect(await send("GET", `/dashboard/${dashboard}`)).toMatchObject({
      group_by: [],
      blueprint_device_behavior: null,
      blueprint_selector_behavior: null,
    });
    const body = { label: "Card", type: "card", display: {} };
    const made = await call(sandbox, "POST", `/dashboard/${dashboard}/widget`, { token: sandbox.tokens.profile, body });
    expect(made.status).toBe(200);
    const { widget } = made.body.result as { widget: string };
    const unset = { analysis_run: null, resource: [], token: null };
    expect(await send("GET", `/dashboard/${dashboard}/widget/${widget}`)).toMatchObject({ ...body, ...unset });
    expect(await send("GET", `/data/${dashboard}/${widget}`)).toMatchObject({ widget: unset });
  });

  it("of a profile name the times of its add-ons and the requests per minute of its plan", async () => {
    const { profileId } = sandbox;
    const createdAt = "2024-01-12T09:01:52.000Z";
    const unset = { custom_dns: false, profile: profileId, updated_at: createdAt };
    expect(await send("GET", `/profile/${profileId}/summary`)).toMatchObject({ addons: unset });
    expect(await send("GET", `/profile/${profileId}`)).toMatchObject({
      addons: unset,
      info: { rpm: { data_input: 15_000, data_output: 15_000 } },
    });
    await send("POST", `/profile/${profileId}/addons`, { mobile: true });
    expect(await send("GET", `/profile/${profileId}`)).toMatchObject({
      addons: { mobile: true, updated_at: "2026-05-10T00:00:00.000Z" },
    });
  });

  it("of the portal say when it was changed", async () => {
    expect(await send("GET", "/run")).toMatchObject({ updated_at: "2024-01-12T09:01:52.000Z" });
    clock.advance(1_000);
    await send("PUT", "/run", { name: "Edited" });
    expect(await send("GET", "/run")).toMatchObject({ updated_at: "2026-05-10T00:00:01.000Z" });
  });
});

describe("POST /device/:id/data", () => {
  it("takes the token of this device, and neither one of another nor of a profile", async () => {
    const device = await newDevice(sandbox);
    const other = await newDevice(sandbox);
    const answer = async (token: string) => {
      const options = { token, body: { variable: "a", value: 1 } };
      const { status, body } = await call(sandbox, "POST", `/device/${device.device_id}/data`, options);
      return [status, body.status ? body.result : body.message];
    };
    expect(await answer(device.token)).toEqual([200, "1 Data Added"]);
    const denied = [401, "Authorization Denied"];
    expect([await answer(other.token), await answer(sandbox.tokens.profile)]).toEqual([denied, denied]);
  });
});
