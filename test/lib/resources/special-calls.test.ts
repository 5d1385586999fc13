import { describe, expect, it } from "vitest";
import { Account, Cache, type EntityDataStreamOptions, Network, Resources, RunUser } from "../../../src/index.ts";
import { failureOf, modes, token } from "../../helpers/fault-client.ts";
import { ok, startFaultServer } from "../../helpers/fault-server.ts";
import { collect } from "../../helpers/operations.ts";
import { failed, lost, manualClock, reply, type Step, scripted, success } from "../../helpers/scripted-transport.ts";

function offline(...steps: readonly [Step, ...Step[]]) {
  const transport = scripted(...steps);
  const clock = manualClock();
  const params = { token, transport, clock, region: "us-e1", attempts: 1 } as const;
  return { transport, clock, params, resources: new Resources(params) };
}

describe("deletes without a list", () => {
  it.each([
    ["entity rows", (it: Resources) => it.entities.deleteEntityData("e1", { ids: [] }), "ids"],
    ["entity rows at all", (it: Resources) => it.entities.deleteEntityData("e1", {} as { ids: string[] }), "ids"],
    ["files", (it: Resources) => it.files.delete([]), "files"],
  ] as const)("of %s send nothing", async (_name, call, field) => {
    const { resources, transport } = offline(success("done"));
    expect(await failureOf(call(resources))).toMatchObject({ name: "InputError", field });
    expect(transport.requests).toHaveLength(0);
  });
});

describe("a part of the path that is missing", () => {
  it.each([
    ["checkDiscountCoupon", (it: Resources) => it.billing.checkDiscountCoupon()],
    ["auditLogQuery", (it: Resources) => it.profiles.auditLogQuery("p1")],
    ["removeAddOn", (it: Resources) => it.profiles.removeAddOn("p1", "")],
    ["info", (it: Resources) => it.actions.info(undefined as unknown as string)],
    ["getSnippetFile", (it: Resources) => it.analysis.getSnippetFile("node-rt2025", "..")],
  ] as const)("is refused by %s, never sent as a text", async (_name, call) => {
    const { resources, transport } = offline(success("done"));
    expect(await failureOf(call(resources))).toMatchObject({ name: "InputError" });
    expect(transport.requests).toHaveLength(0);
  });

  it("of resolveToken leaves the authorization out", async () => {
    const { params, transport } = offline(success("t1"));
    await new Network(params).resolveToken("SN/1", "");
    expect(transport.requests[0]?.url).toBe("https://api.tago.io/integration/network/resolve/SN%2F1");
  });
});

describe("parts of the path", () => {
  it("are encoded one by one", async () => {
    const { params, resources, transport } = offline(success("done"));
    await resources.dictionaries.languageDelete("100%25", "a+b@c.io/d");
    await resources.profiles.removeAddOn("north wing 7", "plant/7?x=1#y");
    await new RunUser(params).SDB.removeItem("ção", "50%");
    expect(transport.requests.map(({ url }) => url.replace("https://api.tago.io", ""))).toEqual([
      "/dictionary/100%2525/a%2Bb%40c.io%2Fd",
      "/profile/north%20wing%207/plant%2F7%3Fx%3D1%23y",
      "/run/%C3%A7%C3%A3o/sdb/50%25",
    ]);
  });
});

describe("Network.publishToRelay", () => {
  it("needs a device", async () => {
    const { params, transport } = offline(success("done"));
    const call = new Network(params).publishToRelay({ topic: "t", message: "m" } as never);
    expect(await failureOf(call)).toMatchObject({
      name: "InputError",
      message: "Either bucket or device must be provided",
    });
    expect(transport.requests).toHaveLength(0);
  });
});

describe("addresses of files", () => {
  it.each([
    ["https://example.org/nothing", "uses an invalid path for TagoIO Files"],
    ["https://api.tago.io/file/../account", "uses an invalid path for TagoIO Files"],
    ["https://api.tago.io/file/%2e%2e/account", "uses an invalid path for TagoIO Files"],
    ["ftp://api.tago.io/file/p1/a", "uses an invalid protocol for TagoIO Files"],
    ["/file/p1/a", "is not a valid URL for TagoIO Files"],
    [undefined as unknown as string, "is not a valid URL for TagoIO Files"],
  ])("refuse %s", async (url, reason) => {
    const { resources, transport } = offline(success("https://signed"));
    for (const call of [resources.files.getFileURLSigned(url), resources.files.getFileMD5(url)]) {
      expect(await failureOf(call)).toMatchObject({ name: "InputError", message: `${url} ${reason}`, field: "url" });
    }
    expect(transport.requests).toHaveLength(0);
  });

  it("lead to the region of the client, whatever their host: the token goes nowhere else", async () => {
    const { resources, transport } = offline(success("https://signed"));
    await resources.files.getFileURLSigned("https://evil.example/file/p1/a%20b.txt?x=1");
    expect(transport.requests[0]?.url).toBe("https://api.tago.io/file/p1/a%20b.txt?noRedirect=true");
  });
});

describe("RunUser.SDB.setItem", () => {
  it.each(modes)("sends a text as it is over $name, also an empty one", async ({ options }) => {
    const server = await startFaultServer(ok("done"));
    try {
      const { SDB } = new RunUser({ token, region: { api: server.url, sse: "" }, attempts: 1, ...options });
      await SDB.setItem("my.run", "k", "value 1");
      await SDB.setItem("my.run", "k", "");
      expect(server.requests.map(({ body }) => body)).toEqual(["value 1", ""]);
      expect(server.requests[0]?.headers["content-type"]).toBe("text/plain;charset=UTF-8");
    } finally {
      await server.close();
    }
  });
});

describe("the response cache", () => {
  const texts = { dictionary: { KEY: "Text" }, active: true };
  const writes: readonly [string, (it: Resources) => Promise<unknown>][] = [
    ["dictionaries.delete", (it) => it.dictionaries.delete("w1")],
    ["dictionaries.languageEdit", (it) => it.dictionaries.languageEdit("w1", "en-US", texts)],
    ["dictionaries.languageDelete", (it) => it.dictionaries.languageDelete("w1", "en-US")],
    ["sql.create", (it) => it.sql.create({ name: "Q", query: "SELECT 1" })],
    ["sql.edit", (it) => it.sql.edit("q1", { query: "SELECT 2" })],
    ["sql.delete", (it) => it.sql.delete("q1")],
  ];
  const key = { url: "kept" };

  it.each(writes)("is cleared by %s", async (_name, write) => {
    Cache.addCache(key, 1);
    await write(offline(success({ id: "q1" })).resources);
    expect(Cache.getCache(key)).toBeUndefined();
  });

  it.each(writes)("is cleared by %s that lost its answer: it may have been carried out", async (_name, write) => {
    Cache.addCache(key, 1);
    await failureOf(write(offline(lost()).resources));
    expect(Cache.getCache(key)).toBeUndefined();
  });

  it("stays for reads", async () => {
    Cache.addCache(key, 1);
    const { resources } = offline(success({ id: "w1" }));
    await resources.dictionaries.info("w1");
    await resources.sql.execute("q1");
    expect(Cache.getCache(key)).toBe(1);
    Cache.clearCache();
  });
});

describe("snippets", () => {
  const catalogue = { runtime: "node-rt2025", schema_version: 1, snippets: [] };

  it("come from their own host, without a token and without the envelope", async () => {
    const { resources, transport } = offline(reply({ text: JSON.stringify(catalogue) }), reply({ text: "print(1)" }));
    await expect(resources.analysis.listSnippets("node-rt2025")).resolves.toEqual(catalogue);
    await expect(resources.analysis.getSnippetFile("node-rt2025", "a b.ts")).resolves.toBe("print(1)");
    expect(transport.requests.map(({ url }) => url)).toEqual([
      "https://snippets.tago.io/node-rt2025.json",
      "https://snippets.tago.io/node-rt2025/a%20b.ts",
    ]);
    for (const { method, headers, timeoutMs } of transport.requests) {
      expect([method, timeoutMs]).toEqual(["GET", 10_000]);
      expect(JSON.stringify(headers)).not.toContain(token);
    }
  });

  it.each([
    ["snippets", (it: Resources) => it.analysis.listSnippets("node-rt2025")],
    ["snippet file", (it: Resources) => it.analysis.getSnippetFile("node-rt2025", "a.ts")],
  ] as const)("fail with the status when %s cannot be had, after one attempt", async (what, call) => {
    const { resources, transport } = offline(reply({ status: 503, statusText: "Service Unavailable", text: "down" }));
    expect(await failureOf(call(resources))).toMatchObject({
      name: "ApiError",
      message: `Failed to fetch ${what}: 503 Service Unavailable`,
      status: 503,
      code: "HTTP_ERROR",
      data: "down",
    });
    expect(transport.requests).toHaveLength(1);
  });

  it("fail with a request error when there is no answer, after one attempt", async () => {
    const { resources, transport } = offline(lost());
    const error = await failureOf(resources.analysis.listSnippets("deno-rt2025"));
    expect(error).toMatchObject({ name: "RequestError", code: "NETWORK_ERROR", method: "GET" });
    expect(error.message).toContain("https://snippets.tago.io/deno-rt2025.json");
    expect(transport.requests).toHaveLength(1);
  });

  it("fail with an invalid reply when the catalogue is no JSON", async () => {
    const { resources } = offline(reply({ text: "<html>" }));
    expect(await failureOf(resources.analysis.listSnippets("deno-rt2025"))).toMatchObject({
      name: "ApiError",
      code: "INVALID_REPLY",
      data: "<html>",
    });
  });

  it("are not asked for once the signal has ended, the call's or the client's", async () => {
    const { params, resources, transport } = offline(reply({ text: "{}" }));
    const signal = AbortSignal.abort("enough");
    const calls = [
      resources.analysis.listSnippets("deno-rt2025", { signal }),
      new Resources({ ...params, signal }).analysis.listSnippets("deno-rt2025"),
      new Resources({ ...params, signal: new AbortController().signal }).analysis.getSnippetFile("deno-rt2025", "a", {
        signal,
      }),
    ];
    for (const call of calls) expect(await failureOf(call)).toMatchObject({ name: "CancelledError", cause: "enough" });
    expect(transport.requests).toHaveLength(0);
  });
});

describe("getEntityDataStreaming", () => {
  /** An entity of which each call gives one page. */
  const table =
    (size: number): Step =>
    ({ url }) => {
      const query = new URL(url).searchParams;
      const amount = Number(query.get("amount"));
      const first = (Number(query.get("page")) - 1) * amount;
      const length = Math.max(0, Math.min(amount, size - first));
      return success(Array.from({ length }, (_, index) => ({ id: `r${first + index}` })));
    };
  const read = (resources: Resources, options: EntityDataStreamOptions) =>
    resources.entities.getEntityDataStreaming("e1", {}, options);

  it.each([
    [0, 1],
    [3, 1],
    [10, 2],
    [25, 3],
  ])("of %i rows gives each once", async (size, requests) => {
    const { resources, transport, clock } = offline(table(size));
    const rows = (await collect(read(resources, { poolingRecordQty: 10 }))).flat();
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: size }, (_, index) => `r${index}`));
    expect(transport.requests).toHaveLength(requests);
    expect(clock.waits).toEqual(Array.from({ length: requests - 1 }, () => 1000));
  });

  it("stops when the loop is left", async () => {
    const { resources, transport } = offline(table(100));
    for await (const page of read(resources, { poolingRecordQty: 10, poolingTime: 0 })) {
      if (page.some(({ id }) => id === "r15")) break;
    }
    expect(transport.requests).toHaveLength(2);
  });

  it("refuses more than 10000 rows at once", async () => {
    const { resources, transport } = offline(table(1));
    expect(await failureOf(collect(read(resources, { poolingRecordQty: 10_001 })))).toMatchObject({
      name: "InputError",
      message: "The maximum of poolingRecordQty is 10000",
    });
    expect(transport.requests).toHaveLength(0);
  });

  it("ends with the error of a page, after the pages before it", async () => {
    const { resources } = offline(table(100), failed(403, "Authorization Denied"));
    let pages = 0;
    const call = (async () => {
      for await (const _page of read(resources, { poolingRecordQty: 10 })) pages += 1;
    })();
    expect(await failureOf(call)).toMatchObject({ name: "ApiError", status: 403 });
    expect(pages).toBe(1);
  });
});

describe("request settings in the place of options", () => {
  it("change nothing of what is asked for", async () => {
    const { resources, transport } = offline(success([]));
    const settings = { path: "/account", method: "DELETE", params: { id: "x" }, query: { a: 1 }, body: "b" };
    await resources.entities.list({}, settings as object);
    await resources.entities.getEntityData("e1", {}, settings as object);
    expect(transport.requests.map(({ method, url, body }) => [method, new URL(url).pathname, body])).toEqual([
      ["GET", "/entity", undefined],
      ["GET", "/entity/e1/data", undefined],
    ]);
  });
});

describe("Resources and Account", () => {
  const shared = [
    "accessManagement",
    "actions",
    "analysis",
    "billing",
    "buckets",
    "dashboards",
    "devices",
    "dictionaries",
    "files",
    "integration",
    "notifications",
    "paymentHistory",
    "paymentMethods",
    "plan",
    "profiles",
    "run",
    "serviceAuthorization",
    "tagocores",
    "tags",
    "template",
  ] as const;
  const own = ["account", "entities", "secrets", "sql"] as const;

  it.each(shared)("share %s, made once for each object", (name) => {
    const resources = new Resources({ token });
    const account = new Account({ token });
    expect(resources[name]).toBe(resources[name]);
    expect(account[name]).toBe(account[name]);
    expect(account[name].constructor).toBe(resources[name].constructor);
  });

  it.each([...shared, ...own])("Resources.%s uses the token of the analysis that is running", async (name) => {
    const before = process.env["T_ANALYSIS_TOKEN"];
    process.env["T_ANALYSIS_TOKEN"] = "a-token";
    try {
      expect(Resources[name].constructor).toBe(new Resources({ token })[name].constructor);
      delete process.env["T_ANALYSIS_TOKEN"];
      expect(() => Resources[name]).toThrow("Invalid Token");
    } finally {
      if (before === undefined) delete process.env["T_ANALYSIS_TOKEN"];
      else process.env["T_ANALYSIS_TOKEN"] = before;
    }
  });

  it("differ in what the older class never had", () => {
    const account = new Account({ token });
    for (const name of own) expect(name in account).toBe(false);
    expect(account.ServiceAuthorization).toBe(account.serviceAuthorization);
  });

  it("the older class asks for params and a token", () => {
    const make = Account as unknown as new (params?: object) => Account;
    expect(() => new make()).toThrow("Invalid Params");
    expect(() => new make({})).toThrow("Invalid Token");
  });
});
