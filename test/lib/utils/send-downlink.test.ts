import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  Account,
  CancelledError,
  DownlinkError,
  type DownlinkOptions,
  InputError,
  Resources,
  Utils,
} from "../../../src/index.ts";
import { failureOf, modes, token } from "../../helpers/fault-client.ts";
import {
  answer,
  type FaultServer,
  html,
  ok,
  type Reaction,
  resetBeforeHeaders,
  silence,
  startFaultServer,
} from "../../helpers/fault-server.ts";
import { frozen } from "../../helpers/operations.ts";
import { reply, scripted, success } from "../../helpers/scripted-transport.ts";
import { waitFor } from "../../helpers/wait-for.ts";

const wrong = <T>(value: unknown) => value as T;
const id = "65a1000000000000000d0001";
const network = "65a1000000000000000e0001";
const message = frozen({ payload: "0109", port: 5, confirmed: true });
const uplink = { name: "t", serie_number: "SN1", last_authorization: "auth1" };

let server: FaultServer;

beforeEach(async () => {
  server = await startFaultServer(silence);
});

afterEach(() => server.close());

/** What the platform and the middleware answer, by method and start of the path. */
interface Answers {
  tokens?: unknown;
  device?: unknown;
  network?: unknown;
  params?: unknown;
  set?: Reaction;
  send?: Reaction;
}

function playing(answers: Answers): Reaction {
  const { tokens = [{ name: "a" }, uplink], device = { id, network }, params = [] } = answers;
  const host = server.url.replace("http://", "");
  return (exchange) => {
    const { method, path } = exchange.request;
    const reaction = path.startsWith("/device/token/")
      ? ok(tokens)
      : path.startsWith("/integration/network/")
        ? ok(answers.network ?? { id: network, name: "N", middleware_endpoint: host })
        : path === "/downlink"
          ? (answers.send ?? answer({ status: 202, body: "{}" }))
          : path !== `/device/${id}/params`
            ? ok(device)
            : method === "GET"
              ? ok(params)
              : (answers.set ?? ok("set"));
    return reaction(exchange);
  };
}

const seen = () => server.requests.map(({ method, path }) => `${method} ${decodeURIComponent(path)}`);
const sent = (path: string) =>
  server.requests
    .filter((request) => request.method === "POST" && request.path === path)
    .map(({ body }) => JSON.parse(body) as unknown);

describe.each(modes)("a downlink over $name", ({ options }) => {
  const resources = () => new Resources({ token, region: { api: server.url, sse: "" }, attempts: 1, ...options });

  it("sets both parameters, then calls the middleware without the token", async () => {
    server.react(playing({}));
    await expect(Utils.sendDownlink(resources(), id, message)).resolves.toBe("Downlink accepted with status 202");
    expect(seen()).toEqual([
      `GET /device/token/${id}?page=1&fields[0]=name&fields[1]=serie_number&fields[2]=last_authorization&amount=10&orderBy=created_at,desc`,
      `GET /device/${id}`,
      `GET /integration/network/${network}?fields[0]=id&fields[1]=middleware_endpoint&fields[2]=name`,
      `GET /device/${id}/params`,
      `POST /device/${id}/params`,
      "POST /downlink",
    ]);
    expect(sent(`/device/${id}/params`)).toEqual([
      [
        { key: "downlink", value: "0109", sent: false },
        { key: "port", value: "5", sent: false },
      ],
    ]);
    expect(sent("/downlink")).toEqual([{ device: "SN1", authorization: "auth1", ...message }]);
    const last = server.requests.at(-1);
    expect(last?.headers["token"]).toBeUndefined();
    expect(JSON.stringify(last)).not.toContain(token);
  });

  it("updates existing parameters", async () => {
    const params = [
      { id: "p0", key: "other", value: "x", sent: true },
      { id: "p2", key: "port", value: "1", sent: true },
    ];
    server.react(playing({ params }));
    await Utils.sendDownlink(resources(), id, message);
    expect(sent(`/device/${id}/params`)).toEqual([
      [
        { key: "downlink", value: "0109", sent: false },
        { id: "p2", key: "port", value: "5", sent: false },
      ],
    ]);
  });

  it("is not sent when the parameters cannot be set", async () => {
    server.react(playing({ set: answer({ status: 400, body: '{"status":false,"message":"No room"}' }) }));
    const error = await failureOf(Utils.sendDownlink(resources(), id, message));
    expect(error).toMatchObject({ name: "ApiError", message: "No room" });
    expect(sent("/downlink")).toEqual([]);
  });

  it.each<[string, Answers, string]>([
    [
      "a device that never sent",
      {
        tokens: [
          { name: "t", serie_number: "1" },
          { name: "u", last_authorization: "x" },
        ],
      },
      "Can't perform the downlink. Wait for at least 1 uplink from the NS to use this operation.",
    ],
    [
      "a device without tokens",
      { tokens: [] },
      "Can't perform the downlink. Wait for at least 1 uplink from the NS to use this operation.",
    ],
    ["a device of no network", { device: { id } }, "Device is not using a network."],
    [
      "a middleware that is no text",
      { network: { id: network, middleware_endpoint: 5 } },
      "This device network doesn't support downlinks.",
    ],
    ["a network without middleware", { network: { id: network } }, "This device network doesn't support downlinks."],
  ])("is refused for %s before anything is set", async (_what, answers, text) => {
    server.react(playing(answers));
    const error = await failureOf(Utils.sendDownlink(resources(), id, message));
    expect(error).toBeInstanceOf(DownlinkError);
    expect(error.message).toBe(text);
    expect(server.requests.every(({ method }) => method === "GET")).toBe(true);
  });

  it.each<[string, Reaction, string, object]>([
    [
      "an object",
      answer({ status: 400, body: '{ "param": "value" }' }),
      'Downlink failed with status 400: {"param":"value"}',
      { status: 400, data: { param: "value" } },
    ],
    ["text", answer({ status: 500, body: "broken" }), 'Downlink failed with status 500: "broken"', { data: "broken" }],
    ["nothing", answer({ status: 503, body: "" }), 'Downlink failed with status 503: ""', { data: "" }],
    [
      "a page",
      html(502),
      'Downlink failed with status 502: "<html><body><h1>Proxy error</h1></body></html>"',
      { status: 502 },
    ],
    [
      "a missing authorization",
      answer({ status: 400, body: '"Authorization is missing"' }),
      "Additional parameter is missing with in the TagoIO Authorization used for this device",
      { status: 400, data: "Authorization is missing" },
    ],
  ])("that the middleware refuses with %s fails with its words, after one attempt", async (_what, send, text, more) => {
    server.react(playing({ send }));
    const error = await failureOf(Utils.sendDownlink(resources(), id, message));
    expect(error).toBeInstanceOf(DownlinkError);
    expect(error.message).toBe(text);
    expect(error).toMatchObject({ step: "send", ...more });
    expect(sent("/downlink")).toHaveLength(1);
  });

  it("fails without a response, after one attempt", async () => {
    server.react(playing({ send: resetBeforeHeaders }));
    const error = await failureOf(Utils.sendDownlink(resources(), id, message));
    expect(error).toBeInstanceOf(DownlinkError);
    expect(error.message).toMatch(/^Downlink failed with status -1: No response from POST /);
    expect(error).toMatchObject({ step: "send", status: -1, cause: { name: "RequestError" } });
    expect(sent("/downlink")).toHaveLength(1);
  });

  it("ends with the caller's signal", async () => {
    server.react(playing({ send: silence }));
    const controller = new AbortController();
    const outcome = failureOf(Utils.sendDownlink(resources(), id, message, { signal: controller.signal }));
    await waitFor(() => seen().includes("POST /downlink"), "the downlink");
    controller.abort();
    expect(await outcome).toBeInstanceOf(CancelledError);
  });
});

describe("the middleware", () => {
  const addressOf = async (middleware_endpoint: string) => {
    const transport = scripted(
      success([uplink]),
      success({ id, network }),
      success({ middleware_endpoint }),
      success([]),
      success("set"),
      reply({ status: 200 }),
    );
    await Utils.sendDownlink(new Account({ token, transport, attempts: 1 }), id, message);
    return transport.requests.at(-1)?.url;
  };

  it.each([
    ["mw.example.org", "https://mw.example.org/downlink"],
    ["mw.example.org:8443/lora/", "https://mw.example.org:8443/lora/downlink"],
    ["https://mw.example.org", "https://mw.example.org/downlink"],
    ["http://mw.example.org", "https://mw.example.org/downlink"],
    ["localhost", "http://localhost/downlink"],
    ["localhost:3000", "http://localhost:3000/downlink"],
    ["lora.localhost:3000", "http://lora.localhost:3000/downlink"],
    ["127.0.0.1:3000/middleware", "http://127.0.0.1:3000/middleware/downlink"],
    ["[::1]:3000", "http://[::1]:3000/downlink"],
    ["127.0.0.1.example.org", "https://127.0.0.1.example.org/downlink"],
    ["localhost.example.org", "https://localhost.example.org/downlink"],
  ])("at %s is reached as %s", async (endpoint, url) => {
    expect(await addressOf(endpoint)).toBe(url);
  });

  it.each(["a b", "jo:secret@mw.example.org", "mw.example.org?x=1", "mw.example.org#x", "mw.example.org:port"])(
    "cannot be at %s",
    async (endpoint) => {
      const error = await failureOf(addressOf(endpoint));
      expect(error).toBeInstanceOf(DownlinkError);
      expect(error.message).toMatch(/^This device network doesn't support downlinks\./);
      expect(error.message).not.toContain("secret");
    },
  );
});

describe("a wrong argument", () => {
  const refused = async (resource: unknown, options: unknown) =>
    failureOf(Utils.sendDownlink(wrong(resource), id, wrong<DownlinkOptions>(options)));

  it.each([undefined, null, {}, "token"])("such as the resource %j is refused", async (resource) => {
    const error = await refused(resource, message);
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toBe("The parameter 'resource' must be an instance of a TagoIO Resource.");
  });

  it.each<[unknown, string]>([
    [undefined, "Invalid dn_options: it must be an object"],
    [{ port: 1 }, "Invalid payload: it must be a string"],
    [{ payload: "00" }, "Invalid port: it must be a number or a text"],
  ])("such as the message %j is refused before anything is sent", async (options, text) => {
    const transport = scripted(success([]));
    const error = await refused(new Resources({ token, transport }), options);
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toBe(text);
    expect(transport.requests).toEqual([]);
  });
});
