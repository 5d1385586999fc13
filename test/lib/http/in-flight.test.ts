import { describe, expect, it } from "vitest";
import { ApiError, CancelledError, RequestError } from "../../../src/lib/core/errors.ts";
import { InFlight } from "../../../src/lib/http/in-flight.ts";
import { manualClock } from "../../helpers/scripted-transport.ts";

const place = { url: "https://api.example/a", method: "GET" };
const noAnswer = () => new RequestError("No answer", { ...place, code: "NETWORK_ERROR" });
const refused = () =>
  new ApiError("Not allowed", { ...place, status: 403, statusText: "", code: "HTTP_ERROR", data: undefined });

/** A request whose end the test decides. */
interface Open {
  readonly signal: AbortSignal;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

function bench() {
  const inFlight = new InFlight();
  const clock = manualClock();
  const opened: Open[] = [];
  const start = (signal: AbortSignal) =>
    new Promise((resolve, reject) => {
      opened.push({ signal, resolve, reject });
      signal.addEventListener("abort", () => reject(new CancelledError(undefined, signal.reason)));
    });
  const call = (key = "key", signal?: AbortSignal) => inFlight.run(key, signal, clock, (result) => result, start);
  const request = (number: number): Open => {
    const found = opened[number - 1];
    if (found === undefined) throw new Error(`There is no request ${number}`);
    return found;
  };
  return { call, opened, request, clock };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("reads in flight", () => {
  it("are one request for 1,000 callers", async () => {
    const { call, opened, request } = bench();
    const calls = Array.from({ length: 1_000 }, () => call());
    expect(opened).toHaveLength(1);
    request(1).resolve("answer");
    expect(new Set(await Promise.all(calls))).toEqual(new Set(["answer"]));
  });

  it("are sent again once they are answered", async () => {
    const { call, opened, request } = bench();
    const first = call();
    request(1).resolve(1);
    await first;
    const second = call();
    expect(opened).toHaveLength(2);
    request(2).resolve(2);
    await expect(second).resolves.toBe(2);
  });

  it("are different requests under different keys", async () => {
    const { call, opened, request } = bench();
    const calls = [call("Aa"), call("BB")];
    expect(opened).toHaveLength(2);
    request(1).resolve("a");
    request(2).resolve("b");
    await expect(Promise.all(calls)).resolves.toEqual(["a", "b"]);
  });

  it("that are refused are refused to all callers, without another request", async () => {
    const { call, opened, request, clock } = bench();
    const calls = Array.from({ length: 20 }, () => call());
    request(1).reject(refused());
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { message: "Not allowed" } });
    }
    expect(opened).toHaveLength(1);
    expect(clock.waits).toEqual([]);
  });

  it("that get no answer end for the first caller; each other waits 100 ms and goes on", async () => {
    const { call, opened, request, clock } = bench();
    const [first, ...others] = Array.from({ length: 5 }, () => call());
    request(1).reject(noAnswer());
    await expect(first).rejects.toThrow("No answer");
    await settled();
    expect(clock.waits).toEqual([100, 100, 100, 100]);
    expect(opened).toHaveLength(2);
    request(2).resolve("second try");
    await expect(Promise.all(others)).resolves.toEqual(Array.from({ length: 4 }, () => "second try"));
  });

  it("that get no answer twice end for everybody", async () => {
    const { call, opened, request } = bench();
    const outcomes = Promise.allSettled([call(), call(), call()]);
    request(1).reject(noAnswer());
    await settled();
    request(2).reject(noAnswer());
    for (const outcome of await outcomes) expect(outcome.status).toBe("rejected");
    expect(opened).toHaveLength(2);
  });

  it("go on for the others when one caller leaves", async () => {
    const { call, opened, request } = bench();
    const controller = new AbortController();
    const leaving = [call("key", controller.signal), call("key", controller.signal)];
    const staying = call("key", new AbortController().signal);
    controller.abort("left the page");
    for (const outcome of await Promise.allSettled(leaving)) {
      expect(outcome).toMatchObject({ reason: { name: "CancelledError", cause: "left the page" } });
    }
    expect(request(1).signal.aborted).toBe(false);
    request(1).resolve("answer");
    await expect(staying).resolves.toBe("answer");
    expect(opened).toHaveLength(1);
  });

  it("go on for a caller without a signal when all others leave", async () => {
    const { call, request } = bench();
    const controller = new AbortController();
    const leaving = call("key", controller.signal);
    const staying = call();
    controller.abort();
    await expect(leaving).rejects.toThrow(CancelledError);
    expect(request(1).signal.aborted).toBe(false);
    request(1).resolve("answer");
    await expect(staying).resolves.toBe("answer");
  });

  it("end when the last caller leaves", async () => {
    const { call, request } = bench();
    const controllers = [new AbortController(), new AbortController()];
    const outcomes = Promise.allSettled(controllers.map(({ signal }) => call("key", signal)));
    controllers[0]?.abort();
    await settled();
    expect(request(1).signal.aborted).toBe(false);
    controllers[1]?.abort("the last one");
    expect(request(1).signal.aborted).toBe(true);
    expect(request(1).signal.reason).toBe("the last one");
    for (const outcome of await outcomes) expect(outcome.status).toBe("rejected");
  });

  it("that others gave up are asked anew by a caller who still wants them", async () => {
    const { call, opened, request } = bench();
    const controller = new AbortController();
    const leaving = call("key", controller.signal);
    controller.abort();
    // The request that is ending is still known at this moment.
    const wanting = call();
    await expect(leaving).rejects.toThrow(CancelledError);
    await settled();
    expect(opened).toHaveLength(2);
    request(2).resolve("answer");
    await expect(wanting).resolves.toBe("answer");
  });

  it("stop waiting for their own try when the caller leaves", async () => {
    const { call, opened, request } = bench();
    const controller = new AbortController();
    const first = call();
    const second = call("key", controller.signal);
    request(1).reject(noAnswer());
    controller.abort();
    await expect(first).rejects.toThrow("No answer");
    await expect(second).rejects.toThrow(CancelledError);
    expect(opened).toHaveLength(1);
  });

  it("of a caller who has left before are not begun by him alone", async () => {
    const { call, request } = bench();
    await expect(call("key", AbortSignal.abort())).rejects.toThrow(CancelledError);
    expect(request(1).signal.aborted).toBe(true);
  });

  it("leave no listeners on the caller's signal", async () => {
    const { call, request } = bench();
    const { signal } = new AbortController();
    let listening = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listening += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listening -= 1;
      remove(...args);
    };
    const calls = [call("key", signal), call("key", signal)];
    expect(listening).toBe(2);
    request(1).resolve(1);
    await Promise.all(calls);
    expect(listening).toBe(0);
  });
});
