import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStatusLine } from "../../../src/commands/kit/say/status-line.ts";
import { showLimit, shownTransport, showRetry } from "../../../src/commands/kit/say/waiting.ts";
import { ApiError, RequestError, type Transport, type TransportReply } from "../../../src/index.ts";
import { recordedIo } from "../../helpers/status-io.ts";

const CLEAR = "\r\u001b[2K";
const usual = { accessible: false, progress: true, quiet: false };

function lineOn(isTerminal: boolean, flags = usual, env: Record<string, string> = {}) {
  const { io, written } = recordedIo(isTerminal);
  const status = createStatusLine(io, flags, env);
  const said: string[] = [];
  const say = { info: (text: string) => said.push(text), warning: vi.fn(), hint: vi.fn(), detail: vi.fn() };
  return { status, written, said, ctx: { status, say, flags: { ascii: true } } };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the status line", () => {
  it("is cleared before anything else is written, and drawn again afterwards", async () => {
    const { status, written } = lineOn(true);
    status.show("progress", () => "Importing 3 rows");
    await status.io.write("row\n");
    status.io.writeError("info: said\n");
    vi.advanceTimersByTime(100);
    expect(written).toEqual([`${CLEAR}Importing 3 rows`, CLEAR, "row\n", "info: said\n", `${CLEAR}Importing 3 rows`]);
  });

  it("is drawn below a line that something else has begun, such as a row of a JSON list, which then continues", async () => {
    const { status, written } = lineOn(true);
    await status.io.write('[\n  {"id": 1}');
    status.show("progress", () => "Reading");
    await status.io.write(",\n  {");
    vi.advanceTimersByTime(100);
    await status.io.write("}\n]\n");
    vi.advanceTimersByTime(100);
    const back = (columns: number): string => `${CLEAR}\u001b[1A\u001b[${columns}C`;
    expect(written).toEqual([
      '[\n  {"id": 1}',
      `\n${CLEAR}Reading`,
      back(11),
      ",\n  {",
      `\n${CLEAR}Reading`,
      back(3),
      "}\n]\n",
      `${CLEAR}Reading`,
    ]);
  });

  it.each([
    ["fills the terminal", "x".repeat(80)],
    ["has signs of unknown width", "  \u{1f321} 21"],
    ["controls the terminal", "\u001b[2C21"],
    ["is bytes", new Uint8Array([120])],
  ])("leaves a line alone that %s", async (_, text) => {
    const { status, written } = lineOn(true);
    await status.io.write(text);
    await status.io.write("more");
    status.show("progress", () => "Reading");
    vi.advanceTimersByTime(1_000);
    expect(written).toHaveLength(2);
    await status.io.write("\n");
    vi.advanceTimersByTime(100);
    expect(written.at(-1)).toBe(`${CLEAR}Reading`);
  });

  it("shows a wait rather than progress, and a request that takes long after the progress", () => {
    const { status, written } = lineOn(true);
    status.show("request", () => "Waiting for GET /device");
    status.show("progress", () => "Importing");
    status.show("wait", () => "RETRY");
    status.show("wait", undefined);
    status.show("progress", undefined);
    expect(written).toEqual(
      [
        "Importing  Waiting for GET /device",
        "RETRY",
        "Importing  Waiting for GET /device",
        "Waiting for GET /device",
      ].map((text) => CLEAR + text),
    );
  });

  it("draws nothing while something else has the terminal", () => {
    const { status, written } = lineOn(true);
    const giveBack = status.lend();
    status.show("wait", () => "RETRY");
    vi.advanceTimersByTime(1_000);
    expect(written).toEqual([]);
    giveBack();
    vi.advanceTimersByTime(100);
    expect(written).toEqual([`${CLEAR}RETRY`]);
  });

  it("begins a line of its own after a question, whose answer ended with Enter", () => {
    const { status, written } = lineOn(true);
    const giveBack = status.lend();
    status.io.writeError("Number, 1 to 2: ");
    giveBack();
    status.show("wait", () => "RETRY");
    status.show("wait", undefined);
    vi.advanceTimersByTime(200);
    expect(written).toEqual(["Number, 1 to 2: ", `${CLEAR}RETRY`, CLEAR]);
  });

  it.each([
    ["without a terminal", false, usual, {}],
    ["with --quiet", true, { ...usual, quiet: true }, {}],
    ["with --no-progress", true, { ...usual, progress: false }, {}],
    ["with --accessible", true, { ...usual, accessible: true }, {}],
    ["with TERM=dumb", true, usual, { TERM: "dumb" }],
  ])("is never drawn %s", (_, isTerminal, flags, env) => {
    const { status, written } = lineOn(isTerminal, flags, env);
    expect(status.isShown).toBe(false);
    status.show("wait", () => "RETRY");
    vi.advanceTimersByTime(1_000);
    expect(written).toEqual([]);
  });

  it("is taken away for good by Ctrl-C, together with what the terminal wrote after it", () => {
    const { status, written } = lineOn(true);
    status.show("progress", () => "Importing");
    status.interrupt();
    expect(written.slice(1).join("")).toBe(CLEAR + CLEAR);
    status.show("progress", () => "Importing more");
    expect(written).toHaveLength(3);
  });

  it("does not erase what stands on an unfinished line when Ctrl-C is pressed", async () => {
    const { status, written } = lineOn(true);
    await status.io.write("[");
    status.interrupt();
    expect(written).toEqual(["[", "\n"]);
    const { status: other, written: after } = lineOn(true);
    await other.io.write("[");
    other.show("progress", () => "Reading");
    other.interrupt();
    expect(after.slice(2)).toEqual([`${CLEAR}\u001b[1A\u001b[1C`, "\n"]);
  });

  it("keeps no timer once it is closed", () => {
    const { status } = lineOn(true);
    status.show("request", () => undefined);
    status.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a request under way", () => {
  const reply: TransportReply = { status: 200, statusText: "", header: () => undefined, text: "" };
  const token = "0123abcd-4567-4cde-89ab-0123456789ab";
  const request = {
    method: "GET",
    url: `https://api.example/device/token/${token}?a=1`,
    headers: {},
    timeoutMs: 0,
  } as const;

  it("is named after half a second, without its query and tokens, and forgotten when it is answered", async () => {
    const { ctx, written } = lineOn(true);
    let answer: (reply: TransportReply) => void = () => undefined;
    const inner: Transport = {
      name: "http",
      send: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
      stream: () => Promise.reject(new Error("not used")),
    };
    const { send } = shownTransport(ctx as unknown as Parameters<typeof shownTransport>[0], async () => inner);
    const sent = send(request);
    await vi.advanceTimersByTimeAsync(400);
    expect(written).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(written.at(-1)).toMatch(/[|/\\-] Waiting for api\.example: GET \/device\/token\/0123\S+, 2 s$/);
    expect(written.join("")).not.toContain(token);
    answer(reply);
    await sent;
    await vi.advanceTimersByTimeAsync(200);
    expect(written.at(-1)).toBe(CLEAR);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is shown where many quick ones follow each other, and not for one of them after a pause", async () => {
    const { ctx, written } = lineOn(true);
    const quick = (): Promise<TransportReply> => new Promise((resolve) => setTimeout(() => resolve(reply), 300));
    const inner: Transport = { name: "http", send: quick, stream: () => Promise.reject(new Error("not used")) };
    const { send } = shownTransport(ctx as unknown as Parameters<typeof shownTransport>[0], async () => inner);
    const sendThree = async (): Promise<void> => {
      for (let i = 0; i < 3; i += 1) await send(request);
    };
    const sent = sendThree();
    await vi.advanceTimersByTimeAsync(1_000);
    await sent;
    expect(written.join("")).toContain("Waiting for api.example");
    await vi.advanceTimersByTimeAsync(1_000);
    written.length = 0;
    const alone = send(request);
    await vi.advanceTimersByTimeAsync(400);
    await alone;
    expect(written).toEqual([]);
  });

  it.each([
    ["--accessible", { ...usual, accessible: true }, {}],
    ["TERM=dumb", usual, { TERM: "dumb" }],
  ])("is said in a line after a second, and every 30 s, on a terminal with %s", async (_, flags, env) => {
    const { ctx, said } = lineOn(true, flags, env);
    const slow = (): Promise<TransportReply> => new Promise((resolve) => setTimeout(() => resolve(reply), 800));
    const inner: Transport = { name: "http", send: slow, stream: () => new Promise(() => undefined) };
    const { send, stream } = shownTransport(ctx as unknown as Parameters<typeof shownTransport>[0], async () => inner);
    const sendThree = async (): Promise<void> => {
      for (let i = 0; i < 3; i += 1) await send({ ...request, url: "https://api.example/device" });
    };
    const sent = sendThree();
    await vi.advanceTimersByTimeAsync(990);
    expect(said).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    await sent;
    expect(said).toEqual(["Waiting for api.example: GET /device."]);
    void stream({ ...request, url: "https://api.example/events" });
    await vi.advanceTimersByTimeAsync(40_000);
    expect(said.slice(1)).toEqual(["Waiting for api.example: GET /events, 28 s."]);
  });
});

describe("a repetition", () => {
  const place = { url: "https://api.example/device", method: "GET" };
  const lost = new RequestError("lost", {
    ...place,
    code: "NETWORK_ERROR",
    cause: Object.assign(new Error("x"), { code: "ECONNRESET" }),
  });
  const event = { ...place, attempt: 1, of: 5, delayMs: 1_500, reason: "", isWrite: false, error: lost };

  it("is counted down on a terminal", () => {
    const { ctx, written } = lineOn(true);
    showRetry(ctx, event);
    expect(written).toEqual([`${CLEAR}Retrying in 1.5 s (1 of 4): connection reset`]);
    vi.advanceTimersByTime(1_000);
    expect(written.at(-1)).toBe(`${CLEAR}Retrying in 0.5 s (1 of 4): connection reset`);
    vi.advanceTimersByTime(1_000);
    expect(written.at(-1)).toBe(CLEAR);
  });

  it("is one plain line elsewhere", () => {
    const { ctx, said } = lineOn(false);
    showRetry(ctx, { ...event, attempt: 2 });
    showRetry(ctx, { ...event, delayMs: 0 });
    expect(said).toEqual(["Retrying in 1.5 s (2 of 4): connection reset, GET /device."]);
  });

  it("for a rate limit counts the seconds down", () => {
    const { ctx, written } = lineOn(true);
    const limited = new ApiError("Slow down", { ...place, status: 429, statusText: "", code: "HTTP_ERROR", data: {} });
    showRetry(ctx, { ...event, delayMs: 30_000, error: limited });
    vi.advanceTimersByTime(10_000);
    expect(written.at(-1)).toBe(`${CLEAR}Rate limit reached; retrying in 20 s`);
    vi.advanceTimersByTime(21_000);
    expect(written.at(-1)).toBe(CLEAR);
  });

  it("writes nothing while a screen is open", () => {
    const { ctx, written, said } = lineOn(true, { ...usual, progress: false });
    ctx.status.lend();
    showRetry(ctx, event);
    showLimit(ctx, 10_000);
    expect([written, said]).toEqual([[], []]);
  });
});
