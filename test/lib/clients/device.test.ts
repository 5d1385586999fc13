import { describe, expect, it, vi } from "vitest";
import { type DataQuery, Device, type ParameterStatus, type SendStreamOptions } from "../../../src/index.ts";
import { failureOf } from "../../helpers/fault-client.ts";
import { collect, frozen, methodsOf, type Operation, testOperations } from "../../helpers/operations.ts";
import { manualClock, type Step, scripted, success } from "../../helpers/scripted-transport.ts";

const moment = "2024-03-05T10:20:30.000Z";
const date = new Date(moment);
const record = { id: "r1", variable: "level", value: 1, time: moment, created_at: moment };
const recordWithDates = { ...record, time: date, created_at: date };

const operations: Operation<Device>[] = [
  {
    method: "info",
    call: (device, options) => device.info(options),
    sends: "GET /info",
    answers: { id: "d1", created_at: moment, updated_at: moment, last_input: moment, last_output: "never" },
    gives: { id: "d1", created_at: date, updated_at: date, last_input: date, last_output: "never" },
  },
  {
    method: "sendData",
    call: (device, options) => device.sendData(frozen([{ variable: "a", time: date }, { variable: "b" }]), options),
    sends: "POST /data",
    body: [{ variable: "a", time: moment }, { variable: "b" }],
    answers: "2 Data Added",
  },
  {
    method: "sendData",
    when: "with one record",
    call: (device, options) => device.sendData(frozen({ variable: "a" }), options),
    sends: "POST /data",
    body: [{ variable: "a" }],
  },
  {
    method: "getData",
    call: (device, options) => device.getData(undefined, options),
    sends: "GET /data",
    answers: [record],
    gives: [recordWithDates],
  },
  {
    method: "getData",
    when: "with a query",
    call: (device, options) =>
      device.getData(frozen({ query: "last_value", variables: ["a"], start_date: date, qty: 0 }), options),
    sends: `GET /data?variables[0]=a&start_date=${moment}&qty=0&query=last_value`,
    answers: [],
  },
  {
    method: "getData",
    when: "of the default kind",
    call: (device, options) => device.getData(frozen({ query: "default", qty: 1 }), options),
    sends: "GET /data?qty=1",
    answers: [],
  },
  {
    method: "getData",
    when: "of a kind that gives a number",
    call: (device, options) => device.getData(frozen({ query: "sum", variables: "level" }), options),
    sends: "GET /data?variables=level&query=sum",
    answers: 12.5,
    gives: [{ time: expect.any(Date), value: 12.5 }],
  },
  {
    method: "editData",
    call: (device, options) => device.editData(frozen([{ id: "r1", value: 2 }]), options),
    sends: "PUT /data",
    body: [{ id: "r1", value: 2 }],
  },
  {
    method: "editData",
    when: "with one record",
    call: (device, options) => device.editData(frozen({ id: "r1", value: 2 }), options),
    sends: "PUT /data",
    body: [{ id: "r1", value: 2 }],
  },
  {
    method: "deleteData",
    call: (device, options) => device.deleteData(undefined, options),
    sends: "DELETE /data?query=last_item",
  },
  {
    method: "deleteData",
    when: "with null, as JavaScript programs say for nothing",
    call: (device, options) => device.deleteData(null as unknown as DataQuery, options),
    sends: "DELETE /data?query=last_item",
  },
  {
    method: "deleteData",
    when: "with a query",
    call: (device, options) => device.deleteData(frozen({ query: "default", ids: ["r1"], qty: 9 }), options),
    sends: "DELETE /data?ids[0]=r1&qty=9",
  },
  ...(
    [
      [undefined, ""],
      ["all", ""],
      ["onlyRead", "?sent_status=true"],
      ["onlyUnRead", "?sent_status=false"],
      [true, "?sent_status=false"],
      [false, ""],
    ] as [ParameterStatus | boolean | undefined, string][]
  ).map(
    ([status, query]): Operation<Device> => ({
      method: "getParameters",
      when: `of status ${status}`,
      call: (device, options) => device.getParameters(status, options),
      sends: `GET /device/params${query}`,
      answers: [{ id: "p1", key: "a", value: "b", sent: false }],
    }),
  ),
  {
    method: "setParameterAsRead",
    call: (device, options) => device.setParameterAsRead("p/1", options),
    sends: "PUT /device/params/p/1",
    body: { sent: true },
  },
  {
    method: "getDataStreaming",
    call: (device, options) => collect(device.getDataStreaming(undefined, { ...options } as SendStreamOptions)),
    sends: "GET /data?qty=1000&skip=0&ordination=ascending",
    answers: [record],
    gives: [[recordWithDates]],
  },
  {
    method: "sendDataStreaming",
    call: (device, options) =>
      device.sendDataStreaming(frozen([{ variable: "a" }]), { ...options } as SendStreamOptions),
    sends: "POST /data",
    body: [{ variable: "a" }],
    gives: "1 Data added.",
  },
];

function offline(...steps: readonly [Step, ...Step[]]) {
  const transport = scripted(...steps);
  const clock = manualClock();
  return { transport, clock, device: new Device({ token: "t", transport, clock }) };
}

interface Stored {
  readonly variable: string;
  readonly value: number;
}

/** A device's data as the platform gives them: `qty` and `skip` count for each named variable by itself. */
function stored(amounts: Readonly<Record<string, number>>): Step {
  return ({ url }) => {
    const query = new URL(url).searchParams;
    const qty = Number(query.get("qty"));
    const skip = Number(query.get("skip"));
    const named = [...query].filter(([name]) => name.startsWith("variables")).map(([, value]) => value);
    const all = Object.entries(amounts).map(([variable, amount]) =>
      Array.from({ length: amount }, (_, value): Stored => ({ variable, value })),
    );
    if (named.length === 0) return success(all.flat().slice(skip, skip + qty));
    const chosen = all.filter(([first]) => first !== undefined && named.includes(first.variable));
    return success(chosen.flatMap((rows) => rows.slice(skip, skip + qty)));
  };
}

describe("Device", () => {
  testOperations((params) => new Device(params), operations);

  it("has no method that is not in the table", () => {
    expect([...new Set(operations.map(({ method }) => method))].sort()).toEqual(methodsOf(Device).sort());
  });

  it("returns a number with the current time", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: date });
    try {
      const { device } = offline(success(3));
      await expect(device.getData({ query: "count" })).resolves.toEqual([{ time: date, value: 3 }]);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each(["ids", "variables", "variable", "groups", "series", "values"] as const)(
    "deletes nothing for an empty list of %s",
    async (name) => {
      const { device, transport } = offline(success("done"));
      expect(await failureOf(device.deleteData({ [name]: [] }))).toMatchObject({ name: "InputError", field: name });
      expect(transport.requests).toHaveLength(0);
    },
  );
});

describe("getDataStreaming", () => {
  const queryOf = ({ url }: { readonly url: string }) => decodeURIComponent(url.split("?")[1] ?? "");
  const skips = (requests: readonly { readonly url: string }[]) =>
    requests.map(({ url }) => Number(new URL(url).searchParams.get("skip")));

  it.each([
    [0, [0]],
    [9, [0]],
    [10, [0, 10]],
    [25, [0, 10, 20]],
  ])("of %i records gives each once, the oldest first", async (amount, expected) => {
    const { device, transport, clock } = offline(stored({ level: amount }));
    const pages = await collect(device.getDataStreaming({}, { poolingRecordQty: 10 }));
    expect(pages.flat().map(({ value }) => value)).toEqual(Array.from({ length: amount }, (_, index) => index));
    for (const page of pages) expect(page.length).toBeGreaterThan(0);
    expect(skips(transport.requests)).toEqual(expected);
    expect(clock.waits).toEqual(expected.slice(1).map(() => 1000));
  });

  it.each([
    { a: 12, b: 3, c: 0 },
    { a: 4, b: 4, c: 4 },
    { a: 1, b: 1, c: 1 },
    { a: 0, b: 0, c: 9 },
    { a: 0, b: 0, c: 0 },
    { a: 8, b: 8, c: 8 },
  ])("of several variables gives every record once: %j", async (amounts) => {
    const { device, transport } = offline(stored(amounts));
    const variables = frozen(Object.keys(amounts));
    const seen = (
      await collect(device.getDataStreaming({ variables }, { poolingRecordQty: 10, poolingTime: 0 }))
    ).flat();
    const names = seen.map(({ variable, value }) => `${variable} ${value}`);
    const expected = Object.entries(amounts).flatMap(([name, amount]) =>
      Array.from({ length: amount }, (_, index) => `${name} ${index}`),
    );
    expect(names.sort()).toEqual(expected.sort());
    // A third of ten, rounded up.
    for (const request of transport.requests) expect(queryOf(request)).toContain("qty=4");
  });

  it("sends the query without `query` and `ordination`, and does not mutate it", async () => {
    const { device, transport } = offline(success([]));
    const query = frozen({ query: "last_item", variables: ["a"], qty: 3, skip: 7, ordination: "descending" } as const);
    await collect(device.getDataStreaming(query));
    expect(transport.requests.map(queryOf)).toEqual(["variables[0]=a&qty=1000&skip=0&ordination=ascending"]);
  });

  it("starts at the given skip", async () => {
    const { device, transport } = offline(stored({ level: 25 }));
    const rows = (await collect(device.getDataStreaming({}, { poolingRecordQty: 10, initialSkip: 12 }))).flat();
    expect(rows.map(({ value }) => value)).toEqual([12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24]);
    expect(skips(transport.requests)).toEqual([12, 22]);
  });

  it("continues after the last page with neverStop, until the caller leaves", async () => {
    let amount = 3;
    const { device, transport, clock } = offline((request) => {
      const answer = stored({ level: amount });
      amount += 1;
      return typeof answer === "function" ? answer(request) : success([]);
    });
    const seen: unknown[] = [];
    for await (const page of device.getDataStreaming({}, { poolingRecordQty: 10, neverStop: true })) {
      seen.push(...page.map(({ value }) => value));
      if (seen.length === 6) break;
    }
    expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
    expect(skips(transport.requests)).toEqual([0, 3, 4, 5]);
    expect(clock.waits).toEqual([1000, 1000, 1000]);
  });

  it("misses no later record when several variables are read", async () => {
    let level = 2;
    const { device } = offline((request) => {
      const answer = stored({ level, pressure: 5 });
      level += 1;
      return typeof answer === "function" ? answer(request) : success([]);
    });
    const seen: string[] = [];
    const query = { variables: ["level", "pressure"] };
    for await (const page of device.getDataStreaming(query, { poolingRecordQty: 10, neverStop: true })) {
      seen.push(...page.map(({ variable, value }) => `${variable} ${value}`));
      if (seen.includes("level 7")) break;
    }
    const levels = Array.from({ length: 8 }, (_, index) => `level ${index}`);
    const pressures = Array.from({ length: 5 }, (_, index) => `pressure ${index}`);
    expect([...seen].sort()).toEqual([...levels, ...pressures]);
  });

  it("stops when the loop is left", async () => {
    const { device, transport } = offline(stored({ level: 100 }));
    for await (const _page of device.getDataStreaming({}, { poolingRecordQty: 10 })) break;
    expect(transport.requests).toHaveLength(1);
  });

  it("does not wait between pages with poolingTime 0", async () => {
    const { device, clock } = offline(stored({ level: 30 }));
    await collect(device.getDataStreaming({}, { poolingRecordQty: 10, poolingTime: 0 }));
    expect(clock.waits).toEqual([]);
  });

  it.each([
    [10_001, "The maximum of poolingRecordQty is 10000"],
    [0, "The minimum of poolingRecordQty is 1"],
  ])("refuses %i records at once", async (poolingRecordQty, message) => {
    const { device, transport } = offline(success([]));
    expect(await failureOf(collect(device.getDataStreaming({}, { poolingRecordQty })))).toMatchObject({
      name: "InputError",
      message,
    });
    expect(transport.requests).toHaveLength(0);
  });

  it("stops waiting when the caller's signal is aborted", async () => {
    const controller = new AbortController();
    const { device, transport } = offline(stored({ level: 100 }));
    const call = (async () => {
      for await (const _page of device.getDataStreaming({}, { poolingRecordQty: 10, signal: controller.signal })) {
        controller.abort("enough");
      }
    })();
    expect(await failureOf(call)).toMatchObject({ name: "CancelledError", cause: "enough" });
    expect(transport.requests).toHaveLength(1);
  });
});

describe("sendDataStreaming", () => {
  const records = Array.from({ length: 25 }, (_, value) => ({ variable: "level", value }));

  it("sends every record once, in batches, with waits between them only", async () => {
    const { device, transport, clock } = offline(success("ok"));
    await expect(device.sendDataStreaming(frozen(records), { poolingRecordQty: 10 })).resolves.toBe("25 Data added.");
    const bodies = transport.requests.map(({ body }) => JSON.parse(String(body)) as unknown[]);
    expect(bodies.map(({ length }) => length)).toEqual([10, 10, 5]);
    expect(bodies.flat()).toEqual(records);
    expect(clock.waits).toEqual([1000, 1000]);
    for (const { method, headers } of transport.requests) {
      expect([method, headers["content-type"]]).toEqual(["POST", "application/json"]);
    }
  });

  it("sends batches of 1000 by default, without a maximum", async () => {
    const many = Array.from({ length: 30_001 }, (_, value) => ({ variable: "level", value }));
    const { device, transport, clock } = offline(success("ok"));
    await device.sendDataStreaming(many.slice(0, 1001), { poolingTime: 0 });
    expect(transport.requests).toHaveLength(2);
    await device.sendDataStreaming(many, { poolingRecordQty: 30_000, poolingTime: 0 });
    expect(transport.requests).toHaveLength(4);
    expect(clock.waits).toEqual([]);
  });

  it("sends nothing for an empty list", async () => {
    const { device, transport } = offline(success("ok"));
    await expect(device.sendDataStreaming([])).resolves.toBe("0 Data added.");
    expect(transport.requests).toHaveLength(0);
  });

  it.each([{ variable: "a" }, "text", null, undefined])("takes only a list, not %j", async (data) => {
    const { device, transport } = offline(success("ok"));
    const call = device.sendDataStreaming(data as unknown as []);
    expect(await failureOf(call)).toMatchObject({ name: "InputError", message: "Only data array is allowed" });
    expect(transport.requests).toHaveLength(0);
  });
});
