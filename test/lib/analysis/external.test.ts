import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  Analysis,
  type AnalysisFunction,
  type AnalysisParams,
  InputError,
  Resources,
  type ScopeRow,
} from "../../../src/index.ts";
import {
  eventStream,
  type FaultServer,
  html,
  ok,
  type Reaction,
  refuse,
  resetBeforeHeaders,
  silence,
  startFaultServer,
} from "../../helpers/fault-server.ts";
import { transports } from "../../helpers/transports.ts";
import { waitFor } from "../../helpers/wait-for.ts";

const token = "a-6c781040-secret";
const runToken = "a-39cde8a5-secret";
const external = { id: "465c7438210d1e7ae5d4ecf5", name: "Pump", active: true, run_on: "external" };
const payload = {
  analysis_id: external.id,
  environment: [{ key: "MODE", value: "x" }],
  data: [{ variable: "temperature", value: 21 }],
  token: runToken,
};
const eventOf = (value: unknown): string =>
  `data: ${JSON.stringify({ channel: "analysis_trigger", payload: value })}\n\n`;
const trigger = eventOf(payload);

interface Line {
  readonly message: string;
  readonly timestamp: number;
}

let server: FaultServer;
let printed: string[];
const running: Analysis<never>[] = [];

beforeEach(async () => {
  server = await startFaultServer(silence);
  printed = [];
  for (const kind of ["log", "info", "warn", "error"] as const) {
    vi.spyOn(console, kind).mockImplementation((...values) => void printed.push(`${kind}: ${values.join(" ")}`));
  }
});

afterEach(async () => {
  for (const analysis of running.splice(0)) analysis.stop();
  vi.unstubAllEnvs();
  await server.close();
});

/** A platform that knows the analysis, sends the pieces on its event stream and takes console lines. */
function platform(pieces: readonly string[], changes: Readonly<Record<string, Reaction>> = {}): Reaction {
  const reactions: Record<string, Reaction> = {
    "/info": ok(external),
    "/events": eventStream(pieces),
    "/analysis/services/console/send": ok("logged"),
    ...changes,
  };
  return (exchange) => {
    const [path = ""] = exchange.request.path.split("?");
    return (reactions[path] ?? refuse(404, "Unknown route"))(exchange);
  };
}

const sent = (path: string) => server.requests.filter((request) => request.path.split("?")[0] === path);
const linesOf = (): Line[] => sent("/analysis/services/console/send").map(({ body }) => JSON.parse(body) as Line);
const messages = (): string[] => linesOf().map(({ message }) => message);
const shows = (text: string): boolean => printed.some((line) => line.includes(text));

describe.each(transports)("an external analysis over $name", ({ transport }) => {
  function start<Scope = ScopeRow[]>(
    analysis: AnalysisFunction<Scope>,
    params: Partial<AnalysisParams> = {},
  ): Analysis<Scope> {
    const region = { api: server.url, sse: server.url };
    const made = new Analysis(analysis, {
      token,
      region,
      transport,
      reconnectMs: 10,
      retryDelayMs: 5,
      attempts: 2,
      ...params,
    });
    running.push(made as unknown as Analysis<never>);
    return made;
  }

  it("reads its info, listens to its channel and runs with the context and data of the trigger", async () => {
    server.react(platform([trigger]));
    const calls: unknown[][] = [];
    start((context, data) => void calls.push([context, data]));
    await waitFor(() => calls.length === 1, "the run");
    expect(calls[0]).toEqual([
      {
        log: expect.any(Function),
        token: runToken,
        environment: payload.environment,
        analysis_id: payload.analysis_id,
      },
      payload.data,
    ]);
    expect(server.requests.map(({ method, path, headers }) => [method, path, headers["token"]])).toEqual([
      ["GET", "/info", token],
      ["GET", `/events?channels=analysis_trigger&token=${token}`, undefined],
    ]);
  });

  it("prints that it is connected, without its token", async () => {
    server.react(platform([": hello\n\n"]));
    const analysis = start(() => undefined);
    await waitFor(() => shows("Waiting for triggers"), "the ready lines");
    expect(printed).toEqual(["info: Analysis [Pump] is connected.\nWaiting for triggers ..."]);
    expect(analysis.started).toBe(true);
  });

  it("strips control characters from the name it prints", async () => {
    server.react(platform([], { "/info": ok({ ...external, name: "Pump\u001b[2J" }) }));
    start(() => undefined);
    await waitFor(() => shows("Waiting for triggers"), "the ready lines");
    expect(printed[0]).toContain("[Pump[2J]");
  });

  it.each([
    ["is unknown", refuse(404, "Analysis not found")],
    ["may not be used", refuse(401, "Authorization Denied")],
    ["is refused with status 200", answerRefused("Analysis not found")],
    ["is not active", ok({ ...external, active: false })],
    ["is described by nothing", ok(null)],
    ["is described by a text", ok("analysis")],
  ])("prints that it was not found when it %s, and opens no stream", async (_when, info) => {
    server.react(platform([trigger], { "/info": info }));
    const analysis = start(() => undefined);
    await waitFor(() => printed.length > 0, "the line");
    await waitFor(() => !analysis.started, "the end");
    expect(printed).toEqual(["error: Analysis not found or not active."]);
    expect(sent("/events")).toEqual([]);
  });

  it.each([
    ["cannot be reached", resetBeforeHeaders],
    ["fails", refuse(503, "Busy")],
    ["answers with a page", html(200)],
  ])("does not call the analysis unknown when the platform %s", async (_when, info) => {
    server.react(platform([trigger], { "/info": info }));
    const analysis = start(() => undefined);
    await waitFor(() => !analysis.started, "the end");
    expect(printed).toHaveLength(1);
    expect(printed[0]).toContain("The analysis stopped waiting for triggers: ");
    expect(printed[0]).not.toContain(token);
    expect(sent("/events")).toEqual([]);
  });

  it("prints why the platform rejected the stream, and stops", async () => {
    server.react(platform([], { "/events": refuse(401, "Authorization Denied") }));
    const analysis = start(() => undefined);
    await waitFor(() => !analysis.started, "the end");
    expect(printed).toEqual(["error: The analysis stopped waiting for triggers: Authorization Denied"]);
  });

  it("warns when the analysis does not run on external, and still listens", async () => {
    server.react(platform([trigger], { "/info": ok({ ...external, run_on: "tago" }) }));
    let runs = 0;
    start(() => {
      runs += 1;
    });
    await waitFor(() => runs === 1, "the run");
    expect(printed[0]).toContain("warn: Warning: analysis [Pump] does not run on external");
  });

  it("forwards lines in order, with the token of the run and the time they were written", async () => {
    const bodies = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    let open = 0;
    let mostOpen = 0;
    const slow: Reaction = async (exchange) => {
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      // Lines sent side by side would all be here before the first one is answered.
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      await ok("logged")(exchange);
    };
    server.react(platform([trigger], { "/analysis/services/console/send": slow }));
    const before = Date.now();
    start((context) => {
      for (const text of bodies) context.log(text);
    });
    await waitFor(() => linesOf().length === bodies.length, "all lines");
    const after = Date.now();
    expect(messages()).toEqual(bodies);
    expect(mostOpen).toBe(1);
    for (const { timestamp } of linesOf()) {
      expect(timestamp).toBeGreaterThanOrEqual(before);
      expect(timestamp).toBeLessThanOrEqual(after);
    }
    expect(new Set(sent("/analysis/services/console/send").map(({ headers }) => headers["token"]))).toEqual(
      new Set([runToken]),
    );
    expect(printed).toContain("log: line 29");
  });

  it("does not echo lines when the platform's T_ANALYSIS_AUTO_RUN is set", async () => {
    vi.stubEnv("T_ANALYSIS_AUTO_RUN", "1");
    server.react(platform([trigger]));
    start((context) => {
      context.log("quiet");
      throw new Error("also quiet");
    });
    await waitFor(() => linesOf().length === 2, "both lines");
    expect(printed.some((line) => line.includes("quiet"))).toBe(false);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("boom");
      },
    ],
    ["rejects", () => Promise.reject(new Error("boom"))],
  ])("logs the error of a function that %s with its stack, and runs for the next trigger", async (_how, fail) => {
    server.react(platform([trigger, trigger]));
    let runs = 0;
    start(() => {
      runs += 1;
      return fail();
    });
    await waitFor(() => linesOf().length === 2, "both errors");
    expect(runs).toBe(2);
    for (const message of messages()) expect(message).toMatch(/^Error: boom\n\s+at .*external\.test/);
    expect(printed.filter((line) => line.startsWith("error: Error: boom\n"))).toHaveLength(2);
  });

  it("survives a function that throws a value that is not an error", async () => {
    server.react(platform([trigger, trigger]));
    const thrown: unknown[] = ["a text", undefined];
    start(() => {
      throw thrown.shift();
    });
    await waitFor(() => linesOf().length === 2, "both lines");
    expect(messages().sort()).toEqual(["a text", "undefined"]);
  });

  it("continues when lines cannot be sent, and reports it once per run", async () => {
    server.react(platform([trigger], { "/analysis/services/console/send": refuse(401, "Authorization Denied") }));
    start((context) => {
      context.log("one");
      context.log("two");
    });
    await waitFor(() => linesOf().length === 2, "both tries");
    await waitFor(() => shows("did not reach"), "the report");
    expect(printed.filter((line) => line.startsWith("error:"))).toEqual([
      "error: A line did not reach the console of the analysis: Authorization Denied",
    ]);
  });

  it("starts the next run while another is running", async () => {
    server.react(platform([trigger, trigger]));
    let under = 0;
    let finish = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    start(async () => {
      under += 1;
      await held;
    });
    await waitFor(() => under === 2, "two runs at once");
    finish();
  });

  it("reconnects after a loss, reports it, and runs for later triggers", async () => {
    let streams = 0;
    const lossy: Reaction = (exchange) => {
      streams += 1;
      return eventStream([trigger], streams === 1 ? "reset" : "keep")(exchange);
    };
    server.react(platform([], { "/events": lossy }));
    let runs = 0;
    start(() => {
      runs += 1;
    });
    await waitFor(
      () => streams === 2 && runs >= 1 && printed.filter((l) => l.startsWith("info:")).length === 2,
      "both",
    );
    expect(
      printed.filter((line) => line.includes("Connection to the event stream lost, connecting again")),
    ).toHaveLength(1);
    expect(printed.join("\n")).not.toContain("secret");
  });

  it("accepts triggers with invalid fields, and skips events that are not triggers", async () => {
    const odd = [undefined, null, 7, "text", [payload], {}, { token: "ü\n", environment: "x", data: 5 }];
    server.react(platform(["data: not JSON\n\n", ...odd.map(eventOf), eventOf({ ...payload, data: { a: 1 } })]));
    const seen: unknown[] = [];
    start((context, data: unknown) => void seen.push([context.token, context.environment, data]));
    await waitFor(() => seen.length === 3, "the runs");
    expect(seen).toEqual([
      [token, [], []],
      [token, [], []],
      [runToken, payload.environment, { a: 1 }],
    ]);
    expect(printed.filter((line) => line === "warn: An event that is no trigger was left out.")).toHaveLength(6);
  });

  it("stops at stop(), sends the lines of the current run, and can be started again", async () => {
    server.react(platform([trigger]));
    let finish = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let runs = 0;
    const analysis = start(async (context) => {
      runs += 1;
      await held;
      if (runs === 1) context.log("late");
    });
    await waitFor(() => runs === 1, "the run");
    const stream = streamSocket();
    analysis.stop();
    expect(analysis.started).toBe(false);
    await waitFor(() => !server.openSockets.has(stream), "the stream to close");
    finish();
    await waitFor(() => messages().includes("late"), "the late line");
    analysis.start();
    await waitFor(() => runs === 2, "a run of the second start");
    expect(printed.filter((line) => line.startsWith("error:"))).toEqual([]);
  });

  it("stops when the signal is aborted, also while it reads its info", async () => {
    const controller = new AbortController();
    server.react(platform([], { "/info": silence }));
    const analysis = start(() => undefined, { signal: controller.signal });
    await waitFor(() => sent("/info").length === 1, "the look-up");
    controller.abort();
    await waitFor(() => !analysis.started, "the end");
    expect(printed).toEqual([]);
    expect(sent("/events")).toEqual([]);
  });

  it("sends lines of a run that continues after the signal is aborted", async () => {
    const controller = new AbortController();
    server.react(platform([trigger]));
    let write: (() => void) | undefined;
    const analysis = start(
      (context) => {
        write = () => context.log("after");
      },
      { signal: controller.signal },
    );
    await waitFor(() => write !== undefined, "the run");
    controller.abort();
    await waitFor(() => !analysis.started, "the end");
    write?.();
    await waitFor(() => messages().includes("after"), "the line");
  });

  it("starts once", async () => {
    server.react(platform([]));
    const analysis = start(() => undefined, { autostart: false });
    expect(analysis.started).toBe(false);
    expect(server.requests).toEqual([]);
    analysis.start();
    analysis.start();
    await waitFor(() => shows("Waiting for triggers"), "the ready lines");
    expect(sent("/info")).toHaveLength(1);
    expect(sent("/events")).toHaveLength(1);
  });

  function streamSocket(): Socket {
    const last = [...server.openSockets].at(-1);
    if (last === undefined) throw new Error("No connection is open");
    return last;
  }
});

function answerRefused(message: string): Reaction {
  return refuse(200, message);
}

describe("the arguments of an analysis", () => {
  const region = { api: "http://127.0.0.1:9", sse: "http://127.0.0.1:9" };

  it.each([undefined, null, "function", {}])("refuses %s as a function", (value) => {
    const make = (): unknown => new Analysis(value as never, { token, region });
    expect(make).toThrow(InputError);
    expect(make).toThrow("Invalid analysis function");
    expect(() => Analysis.use(value as never, { token, region })).toThrow("Invalid analysis function");
  });

  it("rejects parameters without a token", () => {
    expect(() => new Analysis(() => undefined, { region, autostart: false } as never)).toThrow("Invalid Token");
  });

  it("throws immediately when a local run has no token", () => {
    const make = (): unknown => new Analysis(() => undefined);
    expect(make).toThrow(InputError);
    expect(make).toThrow("To run analysis locally, you needs a token");
  });

  it("throws immediately when the region has no event stream URL", () => {
    const make = (): unknown => new Analysis(() => undefined, { token, region: { api: region.api, sse: "" } });
    expect(make).toThrow("Invalid region configuration: missing SSE endpoint");
  });

  it("throws immediately when the region is unknown", () => {
    expect(() => new Analysis(() => undefined, { token, region: "mars" as never })).toThrow("Invalid region mars");
  });

  it("changes no defaults when Analysis.use throws", () => {
    vi.stubEnv("T_ANALYSIS_TOKEN", "");
    vi.stubEnv("TAGOIO_API", region.api);
    expect(() => Analysis.use(() => undefined, { token, region: "mars" as never })).toThrow("Invalid region mars");
    expect(() => new Resources()).toThrow("Invalid Token");
    expect(() => new Analysis(() => undefined, { token })).toThrow(
      "Invalid region configuration: missing SSE endpoint",
    );
  });
});
