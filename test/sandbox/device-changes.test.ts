import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditChanges } from "../../src/sandbox/accounts/audit.ts";
import type { App } from "../../src/sandbox/app.ts";
import { registerRoutes } from "../../src/sandbox/sandbox.ts";
import type { SignalMap } from "../../src/sandbox/signals.ts";
import {
  SEED_CATALOGUE,
  SEED_DEVICE_TOKENS,
  SEED_DEVICES,
  SEED_PROFILES,
  SEED_SERVICE_TOKEN,
  SEED_TCORES,
  SEED_TOKENS,
} from "../helpers/seed.ts";
import { type CallOptions, call, type NewDevice, ok, type Target } from "./client.ts";
import { seededApp } from "./seeds/seeded-app.ts";

type Change = SignalMap["resourceChanged"];

interface Served extends Target {
  readonly app: App;
  /** Changes since the last call. */
  takeChanges(): Change[];
  close(): Promise<void>;
}

async function serve(strict: boolean): Promise<Served> {
  const { app, close } = seededApp(7, { strict: { isOn: strict } });
  let changes: Change[] = [];
  app.signals.on("resourceChanged", (change) => changes.push(change));
  auditChanges(app);
  registerRoutes(app);
  const port = await app.server.listen(0);
  return {
    app,
    url: `http://127.0.0.1:${port}`,
    takeChanges: () => {
      const taken = changes;
      changes = [];
      return taken;
    },
    close: async () => {
      await app.server.close();
      await close();
    },
  };
}

let sandbox: Served;
let strict: Served;
beforeAll(async () => {
  [sandbox, strict] = await Promise.all([serve(false), serve(true)]);
});
afterAll(async () => {
  await Promise.all([sandbox.close(), strict.close()]);
});

const token = SEED_TOKENS.full;
const place = { connector: SEED_CATALOGUE.httpsConnector, network: SEED_CATALOGUE.httpsNetwork, type: "mutable" };
const device = `/device/${SEED_DEVICES.freezer}`;
const hybrid = `/device/${SEED_DEVICES.truck}`;

describe("changes", () => {
  it("of a device are reported once each, with who made them, and are in the audit log once", async () => {
    const storage = { type: "immutable", chunk_period: "month", chunk_retention: 1 };
    const made = { ...place, ...storage, name: "Reported once", configuration_params: [{ key: "a", value: "1" }] };
    const { device_id: id } = await ok<NewDevice>(sandbox, "POST", "/device", { token, body: made });
    await ok(sandbox, "PUT", `/device/${id}`, { token, body: { chunk_retention: 3, serie_number: "5" } });
    await ok(sandbox, "POST", `/device/${id}/convert`, { token, body: { type: "mutable" } });
    await ok(sandbox, "DELETE", `/device/${id}`, { token });
    const changes = sandbox.takeChanges();
    expect(changes.map(({ event, document }) => [event, document.id, document["data_retention"]])).toEqual([
      ["create", id, "1 month"],
      ["edit", id, "3 month"],
      ["edit", id, "forever"],
      ["delete", id, "forever"],
    ]);
    expect(changes.map(({ kind, principal }) => [kind, principal?.key])).toEqual(
      changes.map(() => ["device", token.slice("p-".length)]),
    );
    const search = { resourceID: id, startMs: 0, endMs: Number.MAX_SAFE_INTEGER, limit: 10 };
    const { events } = sandbox.app.audit.search(SEED_PROFILES.demoPlant, search);
    expect(events.map(({ message }) => message.replace("Device Reported once was ", ""))).toEqual([
      "deleted",
      "updated",
      "updated",
      "created",
    ]);
  });

  it("of tokens, parameters and data of a device are not changes of the device", async () => {
    const body = { device: SEED_DEVICES.freezer, name: "Other" };
    const made = await ok<{ token: string }>(sandbox, "POST", "/device/token", { token, body });
    await ok(sandbox, "DELETE", `/device/token/${made.token}`, { token });
    await ok(sandbox, "POST", `${device}/params`, { token, body: { key: "a", value: "1" } });
    await ok(sandbox, "POST", "/data", { token: SEED_DEVICE_TOKENS.freezer, body: { variable: "a", value: 1 } });
    expect(sandbox.takeChanges()).toEqual([]);
  });

  it("of a core instance are reported without its token, and a new token is not reported", async () => {
    const path = `/tcore/instance/${SEED_TCORES.hall}`;
    const made = await ok<{ token: string }>(sandbox, "GET", `${path}/token`, { token });
    expect(await ok(sandbox, "GET", path, { token })).toMatchObject({ token: made.token });
    expect(sandbox.takeChanges()).toEqual([]);
    await ok(sandbox, "PUT", path, { token, body: { name: "Hall" } });
    const changes = sandbox.takeChanges();
    expect(changes.map(({ kind, event, document }) => [kind, event, document["name"]])).toEqual([
      ["tcore", "edit", "Hall"],
    ]);
    expect(JSON.stringify(changes)).not.toContain(made.token);
  });

  it("of connectors and networks are reported once each", async () => {
    for (const kind of ["connector", "network"] as const) {
      const body = { name: "Reported once" };
      const made = await ok<Record<string, string>>(sandbox, "POST", `/integration/${kind}/`, { token, body });
      const path = `/integration/${kind}/${made[kind]}`;
      await ok(sandbox, "PUT", path, { token, body: { description: "Other" } });
      await ok(sandbox, "DELETE", path, { token });
      expect(sandbox.takeChanges().map((each) => [each.kind, each.event])).toEqual([
        [kind, "create"],
        [kind, "edit"],
        [kind, "delete"],
      ]);
    }
  });
});

const readings = `${device}/data?variables[]=temperature`;
const aDay = "start_date=2026-05-13T00:00:00Z&end_date=2026-05-14T00:00:00Z";

type Sent = readonly [method: string, path: string, options?: CallOptions];

/** Requests whose response rests on an assumption, with the subject they must name. */
const assumed: readonly (readonly [subject: string, ...Sent])[] = [
  ["POST /device without type", "POST", "/device", { body: { ...place, type: undefined, name: "No type" } }],
  ["POST /device without connector or network", "POST", "/device", { body: { type: "mutable", name: "No place" } }],
  ["PUT /device with serie_number", "PUT", device, { body: { serie_number: "7" } }],
  ["Change of network or connector rejected", "PUT", device, { body: { network: SEED_CATALOGUE.loraNetwork } }],
  ["resolveConnectorName", "GET", "/device?resolveConnectorName=true"],
  ["POST /device/{id}/convert", "POST", `/device/${SEED_DEVICES.inactive}/convert`, { body: { type: "mutable" } }],
  ["Parameter downlink", "POST", `${device}/params`, { body: { key: "downlink", value: "01" } }],
  ["Serial masks", "POST", "/device/token", { body: { device: SEED_DEVICES.soil, name: "Other", serie_number: "X" } }],
  ["mutable_variable_regex", "PUT", hybrid, { body: { mutable_variable_regex: "(?=a)" } }],
  ["Devices of a TCore", "GET", `/device?tcore=${SEED_TCORES.hall}`],
  ["Unknown TCore", "GET", "/tcore/instance/65a1000000000000000a2fff"],
  ["GET /tags/keys", "GET", "/tags/keys/secret"],
  ["GET /info?details=true", "GET", "/info?details=true"],
  ["Connectors and networks of the catalogue", "DELETE", `/integration/network/${SEED_CATALOGUE.loraNetwork}`],
  ["Connector without a network", "POST", "/integration/connector/", { body: { name: "Alone" } }],
  [
    "GET /integration/network/resolve with an authorization; Unknown serial number, with an authorization",
    "GET",
    `/integration/network/resolve/NONE/${SEED_SERVICE_TOKEN}`,
    { token: SEED_TOKENS.loraNetwork },
  ],
  ["Unknown query", "GET", `${readings}&query=median`],
  ["Unknown timezone", "GET", `${readings}&${aDay}&timezone=Mars`],
  ["Unreadable qty, skip, ordination", "GET", `${readings}&qty=many`],
  ["Commas", "GET", `${device}/data?variables=temperature,door`],
  ["Per-variable queries without variables", "GET", `${device}/data?query=last_value`],
  ["avg, sum: about one month", "GET", `${readings}&query=avg&start_date=2026-04-14T00:00:00Z`],
  ["aggregate", "GET", `${readings}&query=aggregate&interval=century&function=avg`],
  ["avg_by_variable and its kin", "GET", `${readings}&query=avg_by_variable`],
  ["conditional", "GET", `${device}/data?query=conditional&function=gt&value=5&${aDay}`],
  ["Unknown chunk", "DELETE", `/device/${SEED_DEVICES.mainMeter}/chunk/1_2`],
  ["Edits and deletions on a hybrid device", "DELETE", `${hybrid}/data?ids[]=65a1000000000000000fffff`],
  ["DELETE with queries that return no rows", "DELETE", `${device}/data?query=count`],
  ["Data backup: marks of the address", "POST", `${device}/data/backup`, { body: { file_address: "$CHUNK$.csv" } }],
  [
    "Row that breaks a rule",
    "POST",
    "/data",
    { token: SEED_DEVICE_TOKENS.freezer, body: { variable: "two words", value: 1 } },
  ],
];

/** Requests that rest on nothing assumed. */
const ordinary: readonly Sent[] = [
  ["GET", "/device"],
  ["POST", "/device", { body: { ...place, name: "Ordinary" } }],
  ["GET", device],
  ["PUT", device, { body: { name: "Cold room" } }],
  ["GET", `${device}/params`],
  ["POST", `${device}/params`, { body: { key: "b", value: "1" } }],
  ["GET", readings],
  ["GET", `${readings}&query=last_value`],
  ["GET", `${readings}&query=avg&${aDay}`],
  ["GET", `${readings}&query=aggregate&interval=hour&function=avg&${aDay}`],
  ["GET", `${device}/data_amount`],
  ["POST", `${device}/data/backup`, { body: { file_address: "backups/$DEVICE$" } }],
  ["GET", `/device/${SEED_DEVICES.mainMeter}/chunk`],
  ["POST", "/data", { token: SEED_DEVICE_TOKENS.freezer, body: [{ variable: "door", value: true }] }],
  ["GET", "/info", { token: SEED_DEVICE_TOKENS.freezer }],
  ["GET", "/integration/connector/"],
  ["GET", `/integration/network/${SEED_CATALOGUE.loraNetwork}`],
  ["GET", `/integration/network/${SEED_CATALOGUE.loraNetwork}/devices`],
  ["GET", "/tags/keys/device"],
  ["GET", "/tcore/instance"],
  ["GET", "/serviceauth"],
];

const titled = (sent: readonly Sent[]) => sent.map((each) => ({ title: `${each[0]} ${each[1]}`, each }));
const cases = assumed.map(([subject, ...each]) => ({ subject, title: `${each[0]} ${each[1]}`, each }));

describe("assumptions", () => {
  it.each(cases)("are named: $subject ($title)", async ({ subject, each: [method, path, options] }) => {
    const { headers } = await call(sandbox, method, path, { token, ...options });
    expect(headers["x-sandbox-gap"]).toBe(subject);
  });

  it.each(cases)("are refused by a strict sandbox: $subject ($title)", async ({ subject, each }) => {
    const [method, path, options] = each;
    const devices = strict.app.collection("device").all(SEED_PROFILES.demoPlant);
    const { status, body } = await call(strict, method, path, { token, ...options });
    expect([status, body.message]).toEqual([501, expect.stringContaining(subject.split("; ")[0] ?? "")]);
    expect(strict.app.collection("device").all(SEED_PROFILES.demoPlant)).toEqual(devices);
  });

  it.each(titled(ordinary))("are not in the way of $title", async ({ each: [method, path, options] }) => {
    const { status, headers, body } = await call(strict, method, path, { token, ...options });
    expect([body.status, status < 300, headers["x-sandbox-gap"]]).toEqual([true, true, undefined]);
  });
});
