import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { get } from "../../src/lib/api/route.ts";
import { list } from "../../src/sandbox/access/demands.ts";
import type { RouteOptions } from "../../src/sandbox/http/handler.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { demoSandbox } from "../helpers/demo-sandbox.ts";
import {
  SEED_ANALYSIS,
  SEED_CATALOGUE,
  SEED_DASHBOARDS,
  SEED_DEVICES,
  SEED_SERVICE_TOKEN,
  SEED_TCORES,
  SEED_TEMPLATE,
  SEED_TOKENS,
} from "../helpers/seed.ts";
import { ok } from "./client.ts";
import { bareApp } from "./seeds/seeded-app.ts";

/** Routes that need no token: sign-up, login, links of emails and signed addresses. */
const ANONYMOUS = [
  "GET /account/confirm/:token",
  "GET /account/passwordreset/:email",
  "GET /account/resend_confirmation/:email",
  "GET /dictionary/:runURL/:dictionary/:language",
  "GET /pricing",
  "GET /profile/team/accept/:token",
  "GET /profile/team/decline/:token",
  "GET /run/:url",
  "GET /run/:url/confirm/:token",
  "GET /run/:url/passwordreset/:email",
  "GET /status",
  "POST /account",
  "POST /account/login",
  "POST /account/login/otp",
  "POST /account/profile/token",
  "POST /middleware/downlink",
  "POST /run/:url/login",
  "POST /run/:url/login/otp",
  "POST /run/:url/signup",
];

const OWN_PORTAL = [
  "DELETE /run/:url/delete",
  "DELETE /run/:url/notification/:notificationID",
  "DELETE /run/:url/sdb/:key",
  "GET /run/:url/info",
  "GET /run/:url/notification",
  "GET /run/:url/sdb/:key",
  "POST /run/:url/otp/:typeOTP/confirm",
  "POST /run/:url/otp/:typeOTP/disable",
  "POST /run/:url/otp/:typeOTP/enable",
  "POST /run/:url/passwordreset",
  "POST /run/:url/sdb/:key",
  "PUT /run/:url/info",
  "PUT /run/:url/notification",
  "PUT /run/:url/notification/:notificationID/:buttonID",
  "PUT /run/:url/notification/markallread",
];

/** What each kind of token reaches besides, when no access rule names it. */
const REACHED = {
  // The public catalogue.
  nobody: ["GET /integration/connector", "GET /integration/network"],
  // The lists are empty then.
  run_user: [
    ...OWN_PORTAL,
    "GET /dashboard",
    "GET /device",
    "GET /entity",
    "GET /events",
    "GET /info",
    "GET /run/users",
    "GET /sql",
    "POST /pdf",
  ],
  analysis: [
    "GET /events",
    "GET /info",
    "POST /analysis/services/attachment/upload",
    "POST /analysis/services/console/send",
    "POST /analysis/services/email-sendgrid/send",
    "POST /analysis/services/email-smtp/send",
    "POST /analysis/services/email/send",
    "POST /analysis/services/mqtt/publish",
    "POST /analysis/services/notification/send",
    "POST /analysis/services/queue-sqs/send",
    "POST /analysis/services/sms-twilio/send",
    "POST /analysis/services/sms/send",
    "POST /analysis/services/whatsapp-twilio/send",
    "POST /pdf",
    "POST /tip/cmd",
  ],
  device: [
    "DELETE /data",
    "GET /data",
    "GET /device/params",
    "GET /events",
    "GET /info",
    "POST /data",
    "PUT /data",
    "PUT /device/params/:parameterID",
  ],
  network: [
    "GET /info",
    "GET /integration/network/:connectorID/devices",
    "GET /integration/network/resolve/:serieNumber",
    "POST /integration/network/:deviceID/params",
    "POST /integration/network/data",
    "POST /integration/network/publish",
  ],
  service: ["GET /info", "POST /tip/cmd"],
  dashboard: ["GET /data/:dashboardID/:widgetID"],
} as const;

type Kind = keyof typeof REACHED;

let sandbox: Sandbox;
let tokens: Readonly<Record<Kind, string | undefined>>;
/** Existing ids for the parts of paths: nothing is refused for want of a record. */
let parts: Readonly<Record<string, string>>;

const admin = <T>(method: string, path: string, body?: unknown): Promise<T> =>
  ok<T>(sandbox, method, path, { token: sandbox.tokens.profile, ...(body !== undefined && { body }) });

beforeAll(async () => {
  sandbox = await demoSandbox({ access: "enforced" });
  const { current } = SEED_DASHBOARDS;
  const person = { name: "Una", email: "una@example.test", password: "Secret-123", timezone: "UTC", active: true };
  const { user } = await admin<{ user: string }>("POST", "/run/users", person);
  const login = await admin<{ token: string }>("GET", `/run/users/${user}/login`);
  const analysis = await admin<{ token: string }>("POST", "/analysis", { name: "Unnamed", run_on: "external" });
  const key = await admin<{ token: string }>("GET", `/dashboard/${current}/share/public`);
  const { url } = await admin<{ url: string }>("GET", "/run");
  const { arrangement } = await admin<{ arrangement: { widget_id: string }[] }>("GET", `/dashboard/${current}`);
  tokens = {
    nobody: undefined,
    run_user: login.token,
    analysis: analysis.token,
    device: sandbox.tokens.device,
    network: SEED_TOKENS.network,
    service: SEED_SERVICE_TOKEN,
    dashboard: key.token,
  };
  parts = {
    analysisID: SEED_ANALYSIS,
    connectorID: SEED_CATALOGUE.privateConnector,
    dashboardID: current,
    deviceID: SEED_DEVICES.weather,
    networkID: SEED_CATALOGUE.privateNetwork,
    profileID: sandbox.profileId,
    tagoCoreID: SEED_TCORES.hall,
    templateID: SEED_TEMPLATE,
    type: "device",
    typeOTP: "email",
    url,
    userID: user,
    widgetID: arrangement[0]?.widget_id ?? "",
  };
});
afterAll(() => sandbox.close());

/** The status of a call; its content is not waited for, so that a stream ends too. */
function status(method: string, path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${sandbox.url}${path}`, { method, headers, agent: false }, (reply) => {
      resolve(reply.statusCode ?? 0);
      reply.destroy();
    });
    sent.on("error", reject);
    sent.end(method === "GET" || method === "DELETE" ? undefined : "{}");
  });
}

const filled = (path: string): string =>
  path
    .replace("*", `${sandbox.profileId}/reports/annual`)
    .replaceAll(/:([A-Za-z_]+)/g, (_, name: string) => parts[name] ?? "65a1000000000000000000ff");

/** Routes that do not answer 401. */
async function reached(token: string | undefined): Promise<string[]> {
  const routes = sandbox.routes
    .filter(({ path }) => !path.startsWith("/__sandbox/"))
    // The last one deletes the portal user.
    .sort((a, b) => Number(a.path.endsWith("/delete")) - Number(b.path.endsWith("/delete")));
  const headers = { "content-type": "application/json", ...(token !== undefined && { token }) };
  const isOpen = async ({ method, path }: Sandbox["routes"][number]) =>
    (await status(method, filled(path), headers)) !== 401;
  const last = routes.splice(-1);
  const answers = await Promise.all(routes.map(isOpen));
  answers.push(...(await Promise.all(last.map(isOpen))));
  return [...routes, ...last]
    .filter((_, index) => answers[index])
    .map(({ method, path }) => `${method} ${path.replace(/(.)\/$/, "$1")}`)
    .sort();
}

describe("without an access rule that names it, a call", () => {
  async function expectReach(kind: Kind): Promise<void> {
    expect(await reached(tokens[kind])).toEqual([...ANONYMOUS, ...REACHED[kind]].sort());
  }

  const TITLE = "of kind %s reaches the routes listed here and no other";
  const quick: readonly Kind[] = ["nobody", "device"];
  it.each(quick)(TITLE, expectReach);
  it.each((Object.keys(REACHED) as Kind[]).filter((kind) => !quick.includes(kind)))(
    TITLE,
    { tags: ["slow"] },
    expectReach,
  );
});

describe("a portal user without an access rule", () => {
  it("is answered empty lists, of the devices of a core instance too", async () => {
    const { user } = await admin<{ user: string }>("POST", "/run/users", {
      ...{ name: "Ulf", email: "ulf@example.test", password: "Secret-123", timezone: "UTC", active: true },
    });
    const { token } = await admin<{ token: string }>("GET", `/run/users/${user}/login`);
    const core = `/device?tcore=${SEED_TCORES.hall}`;
    expect(await admin("GET", core)).not.toEqual([]);
    for (const path of ["/device", "/dashboard", core]) expect(await ok(sandbox, "GET", path, { token })).toEqual([]);
  });
});

describe("the inspection routes", () => {
  it("refuse every web page but the sandbox's own", async () => {
    const routes = sandbox.routes.filter(({ path }) => path.startsWith("/__sandbox/"));
    const headers = { origin: "http://evil.example", "content-type": "application/json" };
    const answers = await Promise.all(routes.map(({ method, path }) => status(method, filled(path), headers)));
    expect(routes.length).toBeGreaterThan(20);
    expect(new Set(answers)).toEqual(new Set([403]));
  });
});

describe("a route", () => {
  const { app, close } = bareApp();
  afterAll(close);
  const handler = (): string => "reached";

  it("is refused when nothing states what a token other than a profile's may do there", () => {
    const bind = (path: string, options: RouteOptions) => () => app.on(get(path), options, handler);
    const rule = list("device", "device", "access");
    for (const kind of ["device", "network", "service", "dashboard", "link"] as const) {
      expect(bind(`/unruled/${kind}`, { rule, tokens: ["profile", kind] })).toThrow(`lets in ${kind} tokens`);
    }
    const unruled: unknown = {};
    expect(bind("/unruled/a", unruled as RouteOptions)).toThrow("GET /unruled/a has no rule");
    expect(bind("/unruled/b", { rule: "anyone" })).toThrow('the rule "anyone" goes with a route marked anonymous');
    expect(bind("/ruled/a", { rule: "owner" })).not.toThrow();
    expect(bind("/ruled/b", { rule, tokens: ["profile", "analysis", "run_user"] })).not.toThrow();
    expect(bind("/ruled/c", { tokens: ["run_user", "device"], rule: "own" })).not.toThrow();
    expect(bind("/ruled/d", { tokens: ["analysis", "device"], rule: [rule, "own"] })).not.toThrow();
  });
});
