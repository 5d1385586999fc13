import { describe, expect, it, vi } from "vitest";
import {
  Account,
  Analysis,
  Device,
  Dictionary,
  InputError,
  Network,
  Resources,
  RunUser,
  Services,
  SSE,
  Utils,
} from "../../src/index.ts";
import { HttpClient } from "../../src/lib/api/client.ts";
import { failureOf } from "../helpers/fault-client.ts";
import { allRoutes } from "../helpers/routes.ts";
import { manualClock, scripted, success } from "../helpers/scripted-transport.ts";

const token = "3f0b9c1e-4a5d-4c6b-8e7f-0123456789ab";
const id = "65a1000000000000000d0001";

function bench() {
  const transport = scripted(success("done"));
  const params = { token, transport, region: "us-e1", clock: manualClock() } as const;
  return { transport, params, resources: new Resources(params), device: new Device(params) };
}

/** A value of a kind the types do not allow. */
const wrong = <T>(value: unknown): T => value as T;

describe("a part of a path", () => {
  const withParts = allRoutes.filter(({ route }) => route.path.includes(":"));
  const client = () => {
    const { transport, params } = bench();
    return { transport, client: new HttpClient(params) };
  };
  const paramsOf = (path: string, value: unknown) =>
    Object.fromEntries([...path.matchAll(/:([A-Za-z_]+)/g)].map(([, name = ""]) => [name, value])) as Record<
      string,
      string
    >;

  it.each(withParts)("of $name is refused when it names nothing, or another place", async ({ route }) => {
    const bad = [undefined, null, "", ".", "..", {}, [], ["a"], true, Symbol("s"), () => "a", "\ud800"];
    for (const value of bad) {
      const { transport, client: http } = client();
      const error = await failureOf(http.call(route, { params: paramsOf(route.path, value) }));
      expect(error, String(value)).toBeInstanceOf(InputError);
      expect(transport.requests).toEqual([]);
    }
  });

  it.each(withParts)("of $name arrives as it is, whatever its text", async ({ route }) => {
    const odd = [
      "a/b",
      "a b",
      "50%",
      "q?x=1",
      "ref#3",
      "a\\b",
      "ü 計 🚰",
      "a%2Fb",
      "...",
      "..a",
      "__proto__",
      "constructor",
      ":id",
      "a&b=c",
      "x".repeat(5_000),
    ];
    for (const value of odd) {
      const { transport, client: http } = client();
      await http.call({ ...route, result: "any" }, { params: paramsOf(route.path, value) });
      const { pathname, search, hash } = new URL(transport.requests[0]?.url ?? "");
      const wanted = route.path.split("/").map((part) => (part.startsWith(":") ? value : part));
      expect(pathname.split("/").map(decodeURIComponent)).toEqual(wanted);
      expect(search + hash).toBe("");
    }
  });
});

describe("what would delete or ask for something else", () => {
  type Call = (on: ReturnType<typeof bench>, value: unknown) => Promise<unknown>;
  const calls: readonly (readonly [name: string, call: Call])[] = [
    ["Device#deleteData ids", ({ device }, ids) => device.deleteData({ ids: wrong(ids) })],
    [
      "devices.deleteDeviceData ids",
      ({ resources }, ids) => resources.devices.deleteDeviceData(id, { ids: wrong(ids) }),
    ],
    [
      "entities.deleteEntityData ids",
      ({ resources }, ids) => resources.entities.deleteEntityData(id, { ids: wrong(ids) }),
    ],
    ["widgets.deleteData idPairs", ({ resources }, ids) => resources.dashboards.widgets.deleteData(id, id, wrong(ids))],
    ["files.delete files", ({ resources }, files) => resources.files.delete(wrong(files))],
  ];
  const empty = [undefined, null, "", [], [""], [undefined], [id, ""], [null]];

  it.each(calls.flatMap(([name, call]) => empty.map((value) => ({ name, call, value }))))(
    "$name: $value is refused, and nothing is sent",
    async ({ call, value }) => {
      const on = bench();
      expect(await failureOf(call(on, value))).toBeInstanceOf(InputError);
      expect(on.transport.requests).toEqual([]);
    },
  );

  it.each(calls)("%s: an id is sent", async (_name, call) => {
    const on = bench();
    await call(on, [id]);
    expect(on.transport.requests).toHaveLength(1);
  });

  it.each(["variables", "variable", "groups", "series", "values"])(
    "an empty condition %s of a deletion is refused",
    async (name) => {
      for (const value of [[], "", [""], [undefined]]) {
        const { device, transport } = bench();
        expect(await failureOf(device.deleteData({ [name]: value }))).toBeInstanceOf(InputError);
        expect(transport.requests).toEqual([]);
      }
    },
  );

  it.each([id, [id], 5, true])("a deletion that is not an object, %j, is refused", async (query) => {
    const { device, transport } = bench();
    expect(await failureOf(device.deleteData(wrong(query)))).toBeInstanceOf(InputError);
    expect(transport.requests).toEqual([]);
  });

  const others: readonly (readonly [name: string, call: Call])[] = [
    ["devices.tokenCreate", ({ resources }, value) => resources.devices.tokenCreate(wrong(value), { name: "t" })],
    [
      "networks.tokenCreate",
      ({ resources }, value) => resources.integration.networks.tokenCreate(wrong(value), wrong({ name: "t" })),
    ],
    [
      "run.notificationCreate",
      ({ resources }, value) => resources.run.notificationCreate(wrong(value), wrong({ title: "t" })),
    ],
    [
      "tagocores.standaloneDeviceInfo",
      ({ resources }, value) => resources.tagocores.standaloneDeviceInfo(wrong(value), id),
    ],
    [
      "tagocores.standaloneDeviceList",
      ({ resources }, value) => resources.tagocores.standaloneDeviceList(wrong(value)),
    ],
    ["paymentMethods.delete", ({ resources }, value) => resources.paymentMethods.delete(wrong(value))],
    ["notifications.markAsRead", ({ resources }, value) => resources.notifications.markAsRead(wrong(value))],
    ["notifications.markAsUnread", ({ resources }, value) => resources.notifications.markAsUnread(wrong(value))],
    [
      "RunUser#notificationMarkRead",
      ({ params }, value) => new RunUser(params).notificationMarkRead("a.run", wrong(value)),
    ],
    ["billing.checkDiscountCoupon", ({ resources }, value) => resources.billing.checkDiscountCoupon(wrong(value))],
    ["profiles.auditLogQuery", ({ resources }, value) => resources.profiles.auditLogQuery(id, wrong(value))],
  ];
  it.each(others)("%s needs its id", async (_name, call) => {
    for (const value of [undefined, null, ""]) {
      const on = bench();
      expect(await failureOf(call(on, value))).toBeInstanceOf(InputError);
      expect(on.transport.requests).toEqual([]);
    }
  });
});

describe("the messages of the specification, section 5", () => {
  const { params, resources, device } = bench();
  const services = new Services(params);
  const rows: readonly (readonly [message: string, call: () => unknown])[] = [
    ["Invalid Token", () => new Resources(wrong({}))],
    ["Invalid Params", () => new Device(wrong(undefined))],
    ["Invalid Params", () => new Network(wrong(null))],
    ["Invalid Token", () => new Dictionary({ token: "a b" })],
    ["Invalid Token", () => new RunUser(wrong("t"))],
    ["Invalid Token", () => new Services(wrong(null))],
    ["Invalid region mars", () => new Resources({ ...params, region: wrong("mars") }).devices.list()],
    ["Invalid region __proto__", () => new Resources({ ...params, region: wrong("__proto__") }).devices.list()],
    ["Invalid region mars", () => Account.login({ email: "a@b.c", password: "p" }, wrong("mars"))],
    [
      "The maximum of poolingRecordQty is 10000",
      () => device.getDataStreaming({}, { poolingRecordQty: 10_001 }).next(),
    ],
    [
      "The maximum of poolingRecordQty is 10000",
      () => resources.devices.getDeviceDataStreaming(id, {}, { poolingRecordQty: 10_001 }).next(),
    ],
    [
      "The maximum of poolingRecordQty is 10000",
      () => resources.entities.getEntityDataStreaming(id, {}, { poolingRecordQty: 10_001 }).next(),
    ],
    [
      "The maximum of poolingRecordQty is 1000",
      () => resources.devices.listStreaming({}, { poolingRecordQty: 1_001 }).next(),
    ],
    ["Only data array is allowed", () => device.sendDataStreaming(wrong({ variable: "a" }))],
    ["Only data array is allowed", () => resources.devices.sendDeviceDataStreaming(id, wrong("a"))],
    [
      "Either bucket or device must be provided",
      () => new Network(params).publishToRelay(wrong({ topic: "t", message: "m" })),
    ],
    ["Either bucket or device must be provided", () => services.mqtt.publish({ topic: "t", message: "m" })],
    [
      "Chunk sizes cannot be lower than 5mb if the upload will have multiple parts",
      () => resources.files.uploadFile(new Uint8Array(2), "/a", { chunkSize: 1 }),
    ],
    ["Missing parameters", () => new Dictionary(params).getLanguagesData("")],
    ["Missing parameters", () => new Dictionary(params).getValueFromKey("en-US", "D", "")],
    ["Missing parameters", () => new Dictionary(params).getValueFromKey("", "D", "K")],
    ["x is not a valid URL for TagoIO Files", () => resources.files.getFileMD5("x")],
    [
      "ftp://api.tago.io/file/a uses an invalid protocol for TagoIO Files",
      () => resources.files.getFileMD5("ftp://api.tago.io/file/a"),
    ],
    [
      "https://api.tago.io/a uses an invalid path for TagoIO Files",
      () => resources.files.getFileURLSigned("https://api.tago.io/a"),
    ],
    ["Invalid analysis function", () => new Analysis(wrong<() => void>("fn"), { token, autostart: false })],
    ["Invalid analysis function", () => Analysis.use(wrong<() => void>(undefined), { token, autostart: false })],
    ["SQS Secret is not a valid JSON", () => services.aws_sqs.sendMessage({ sqs_secret: "{", data: [] })],
    ["SMTP Secret is not a valid JSON", () => services.smtp.send({ smtp_secret: "no", to: "a@b.c" })],
    ["QR Code must be a string", () => Utils.parseLorawanQRCode(wrong(5))],
    ["QR Code must be a string", () => Utils.parseLorawanQRCode(wrong(undefined))],
    ["Invalid QR Code", () => Utils.parseLorawanQRCode("")],
    ["Invalid QR Code", () => Utils.parseLorawanQRCode("LW:D0:1")],
    [
      "Invalid file path: folder",
      () =>
        Utils.uploadFile(new Resources({ ...params, transport: scripted(success({ info: { id } })) }), {
          filename: "a",
          file_base64: "",
          path: "folder",
        }),
    ],
    [
      "The parameter 'resource' must be an instance of a TagoIO Resource.",
      () => Utils.uploadFile(wrong({}), { filename: "a", file_base64: "" }),
    ],
    [
      "The parameter 'resource' must be an instance of a TagoIO Resource.",
      () => Utils.sendDownlink(wrong(null), id, { payload: "0", port: 1 }),
    ],
    ["The parameter 'account' must be an instance of a TagoIO Account.", () => Utils.getDevice(wrong({}), id)],
    ["Account parameter must be an instance of TagoIO Account.", () => Utils.getTokenByName(wrong(device), id)],
    [
      "The parameter 'account' must be an instance of a TagoIO Account.",
      () => new Utils.AnalysisRouter(wrong<never>({ scope: [], environment: {}, account: {} })),
    ],
    ["Token is required for SSE connection", () => SSE.openSSEListening({ channel: "notification" }, wrong({}))],
  ];

  it.each(rows)("%s", async (message, call) => {
    const run = async () => call();
    const error = await failureOf(run());
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toBe(message);
  });

  it("email with html and message warns on the console", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    try {
      const email = { to: "a@b.c", subject: "s", html: "<p>", message: "m" };
      await services.email.send(email);
      await services.smtp.send({ ...email, smtp_secret: "{}" });
      await services.sendgrid.send({ ...email, sendgrid_api_key: "k" });
      expect(warn.mock.calls).toEqual(Array.from({ length: 3 }, () => ["HTML field will overwrite message field"]));
    } finally {
      warn.mockRestore();
    }
  });
});
