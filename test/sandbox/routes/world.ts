import type { Sandbox } from "../../../src/sandbox/index.ts";
import { demoSandbox } from "../../helpers/demo-sandbox.ts";
import { SEED_ACCOUNTS } from "../../helpers/seed.ts";
import { newDevice, ok } from "../client.ts";
import type { World } from "./case.ts";

const PASSWORD = "Secret-123";

/** The newest message of the outbox as text, without what the sandbox itself wrote on it. */
function newestMail(sandbox: Sandbox): string {
  const { id: _, created_at: _at, ...mail } = sandbox.outbox().at(-1) ?? { id: "", created_at: "" };
  return JSON.stringify(mail);
}

function found(pattern: RegExp, mail: string): string {
  const [match] = pattern.exec(mail) ?? [];
  if (match === undefined) throw new Error(`Nothing like ${pattern} in ${mail}`);
  return match;
}

/** A demo sandbox for cases that are run one after the other. */
export async function createWorld(): Promise<World & { close(): Promise<void> }> {
  const sandbox = await demoSandbox();
  const send = <T>(method: string, path: string, body?: unknown, token: string = sandbox.tokens.profile) =>
    ok<T>(sandbox, method, path, { token, body });
  const { url: runUrl } = await send<{ url: string }>("GET", "/run");
  let count = 0;
  const address = (): string => {
    count += 1;
    return `person${count}@example.test`;
  };

  const world: World = {
    sandbox,
    runUrl,
    send,
    newDevice: async (members) => {
      const { device_id: id, token } = await newDevice(sandbox, { ...members });
      return { id, token };
    },
    newDashboard: async () => (await send<{ dashboard: string }>("POST", "/dashboard", { label: "Board" })).dashboard,
    newWidget: async (members = {}) => {
      const dashboardID = await world.newDashboard();
      const body = { label: "Widget", type: "card", display: {}, ...members };
      const { widget } = await send<{ widget: string }>("POST", `/dashboard/${dashboardID}/widget`, body);
      return { dashboardID, widgetID: widget };
    },
    newUser: async () => {
      const email = address();
      const body = { name: "Person", email, password: PASSWORD, timezone: "UTC", active: true };
      const { user: id } = await send<{ user: string }>("POST", "/run/users", body);
      const { token } = await send<{ token: string }>("GET", `/run/users/${id}/login`);
      return { id, email, password: PASSWORD, token };
    },
    newAccount: async () => {
      const email = address();
      const credentials = { email, password: PASSWORD };
      await ok(sandbox, "POST", "/account", { body: { ...credentials, name: "Person", timezone: "UTC" } });
      await ok(sandbox, "GET", `/account/confirm/${world.mailedToken()}`);
      const { profiles } = await ok<{ profiles: { id: string }[] }>(sandbox, "POST", "/account/login", {
        body: credentials,
      });
      const profile = profiles[0]?.id ?? "";
      const body = { ...credentials, profile_id: profile, name: "Session" };
      const { token } = await ok<{ token: string }>(sandbox, "POST", "/account/profile/token", { body });
      return { ...credentials, profile, token };
    },
    code: () => found(/(?<!\d)\d{6}(?!\d)/, newestMail(sandbox)),
    mailedToken: () => found(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,}|[\w-]{40,}/, newestMail(sandbox)),
  };
  return { ...world, close: () => sandbox.close() };
}

export const DEMO = { email: SEED_ACCOUNTS.demo.email, password: SEED_ACCOUNTS.demo.password };
