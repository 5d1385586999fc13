import { afterEach, describe, expect, it } from "vitest";
import { ApiError, Device, RequestError, Resources, type RetryEvent } from "../../../src/index.ts";
import { type SmallServer, sendJson, smallServer } from "../../helpers/small-server.ts";

const token = "3f0b9c1e-4a5d-4c6b-8e7f-0123456789ab";
let server: SmallServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A server that answers with these statuses one after the other, then with a success. 0 closes the connection. */
async function failing(statuses: readonly number[]): Promise<SmallServer> {
  let next = 0;
  server = await smallServer((_request, response) => {
    const status = statuses[next];
    next += 1;
    if (status === 0) response.destroy();
    else if (status === undefined) sendJson(response, 200, { status: true, result: "done" });
    else sendJson(response, status, { status: false, message: "Busy" });
  });
  return server;
}

const settings = (url: string) => ({ token, region: { api: url, sse: url }, retryDelayMs: 5 });

describe("onRetry", () => {
  it("is called once per repetition of a write, with cause, wait and address", async () => {
    const { url, seen } = await failing([503, 0]);
    const events: RetryEvent[] = [];
    const device = new Device({ ...settings(url), onRetry: (event) => events.push(event) });
    await expect(device.sendData({ variable: "level", value: 1 })).resolves.toBe("done");
    expect(seen).toHaveLength(3);
    const common = { of: 5, method: "POST", url: `${url}/data`, isWrite: true };
    expect(events).toMatchObject([
      { ...common, attempt: 1, delayMs: 5, reason: "HTTP 503" },
      { ...common, attempt: 2 },
    ]);
    expect(events[0]?.error).toBeInstanceOf(ApiError);
    expect(events[1]?.error).toBeInstanceOf(RequestError);
    expect(events[1]?.reason).toMatch(/^[A-Z_]+$/);
  });

  it("is not called for the attempt that ends the call", async () => {
    const { url } = await failing([500, 500]);
    const events: RetryEvent[] = [];
    const device = new Device({ ...settings(url), attempts: 2, onRetry: (event) => events.push(event) });
    await expect(device.info()).rejects.toThrow("Busy");
    expect(events).toMatchObject([{ attempt: 1, of: 2, isWrite: false, method: "GET" }]);
  });

  it("is called before the wait, not after it", async () => {
    const { url, seen } = await failing([500]);
    const requestsBefore: number[] = [];
    const device = new Device({ ...settings(url), onRetry: () => requestsBefore.push(seen.length) });
    await device.sendData({ variable: "level", value: 1 });
    expect(requestsBefore).toEqual([1]);
  });

  it("shows neither the query nor a whole token of the path", async () => {
    const { url } = await failing([500]);
    const events: RetryEvent[] = [];
    const { devices } = new Resources({ ...settings(url), onRetry: (event) => events.push(event) });
    await devices.tokenDelete("9a0b9c1e-4a5d-4c6b-8e7f-0123456789ff");
    expect(events[0]?.url).toBe(`${url}/device/token/9a0b...89ff`);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("broken hook");
      },
    ],
    ["rejects", () => Promise.reject(new Error("broken hook"))],
  ])("does not break the call when it %s", async (_how, onRetry) => {
    const { url } = await failing([500]);
    const device = new Device({ ...settings(url), onRetry });
    await expect(device.sendData({ variable: "level", value: 1 })).resolves.toBe("done");
  });
});

describe("an error of a write", () => {
  const create = (url: string) => new Device({ ...settings(url), attempts: 2 }).sendData({ variable: "a", value: 1 });

  it.each([
    [[0, 400], true, [true, false]],
    [[503, 400], true, [true, false]],
    [[400], false, [false]],
    [[500, 500], true, [true, true]],
  ])("after %j says for each attempt whether it may have been carried out", async (statuses, whole, each) => {
    const { url } = await failing(statuses);
    const error = (await create(url).catch((caught: unknown) => caught)) as ApiError;
    expect(error).toBeInstanceOf(ApiError);
    expect(error.mayHaveArrived).toBe(whole);
    expect(error.attempts.map(({ mayHaveArrived }) => mayHaveArrived)).toEqual(each);
  });

  it("that never connected says that nothing arrived", async () => {
    const { url, close } = await failing([]);
    await close();
    const error = (await create(url).catch((caught: unknown) => caught)) as RequestError;
    expect(error).toBeInstanceOf(RequestError);
    expect(error.mayHaveArrived).toBe(false);
  });
});
