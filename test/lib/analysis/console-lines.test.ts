import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { createLineSender, lineText, MAX_WAITING_LINES } from "../../../src/lib/analysis/console-lines.ts";
import { scripted, success } from "../../helpers/scripted-transport.ts";
import { waitFor } from "../../helpers/wait-for.ts";

const circle: Record<string, unknown> = { a: 1 };
circle["self"] = circle;
const shared = { b: 2 };
const hostile = {
  toJSON(): never {
    throw new Error("no");
  },
};

describe("the format of a console line", () => {
  it.each<[string, unknown[], string]>([
    ["texts and numbers", ["hello", 1, true], "hello 1 true"],
    ["an object", ["hello", { a: 1 }], 'hello {"a":1}'],
    ["a list", [[1, "x"]], '[1,"x"]'],
    ["nothing", [undefined, null], "undefined null"],
    ["no values", [], ""],
    ["a big integer", [10n, { a: 10n }], '10 {"a":"10"}'],
    ["a symbol", [Symbol("s")], "Symbol(s)"],
    ["a circle", [circle], '{"a":1,"self":"[Circular]"}'],
    [
      "an object that appears twice",
      [{ x: shared, y: [shared, { z: shared }] }],
      '{"x":{"b":2},"y":[{"b":2},{"z":{"b":2}}]}',
    ],
    ["a date", [{ at: new Date(0) }], '{"at":"1970-01-01T00:00:00.000Z"}'],
    ["an object that cannot be told", [hostile, "next"], "[object Object] next"],
    ["an object without a prototype", [Object.create(null)], "{}"],
  ])("tells %s", (_what, values, text) => {
    expect(lineText(values)).toBe(text);
  });

  it("prints errors with their stack, also inside objects", () => {
    expect(lineText(["failed:", new TypeError("boom")])).toMatch(/^failed: TypeError: boom\n\s+at /);
    expect(lineText([{ cause: new Error("inner") }])).toMatch(/^\{"cause":"Error: inner\\n\s+at /);
  });

  it("prints errors of another realm with their stack, as Node's own are under Jest", () => {
    const foreign: unknown = runInNewContext("new TypeError('boom')");
    expect(lineText([foreign])).toMatch(/^TypeError: boom\n\s+at /);
    expect(lineText([{ cause: foreign }])).toMatch(/^\{"cause":"TypeError: boom\\n\s+at /);
  });

  it("prints an error without a stack as its message", () => {
    const error = new Error("bare");
    delete (error as { stack?: string }).stack;
    expect(lineText([error])).toBe("Error: bare");
  });
});

describe("queued console lines", () => {
  it("are bounded in number while the platform does not respond; a line reports how many were dropped", async () => {
    const sent: string[] = [];
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const transport = scripted(async ({ body }) => {
      sent.push((JSON.parse(String(body)) as { message: string }).message);
      await held;
      return success("ok");
    });
    const send = createLineSender({ token: "t", transport, region: "us-e1" });
    for (let i = 0; i < 5_000; i += 1) send(`line ${i}`);
    answer();
    // The first line is on its way, so it does not wait.
    await waitFor(() => sent.length === MAX_WAITING_LINES + 2, "the last line");
    expect(sent.slice(0, 2)).toEqual(["line 0", "line 1"]);
    expect(sent.at(-2)).toBe(`line ${MAX_WAITING_LINES}`);
    expect(sent.at(-1)).toBe(`${5_000 - MAX_WAITING_LINES - 1} lines were left out: too many were waiting`);
    send("later");
    await waitFor(() => sent.at(-1) === "later", "a later line");
  });

  it("are bounded in size", async () => {
    const sent: number[] = [];
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const transport = scripted(async ({ body }) => {
      sent.push((JSON.parse(String(body)) as { message: string }).message.length);
      await held;
      return success("ok");
    });
    const send = createLineSender({ token: "t", transport, region: "us-e1" });
    for (let i = 0; i < 20; i += 1) send("x".repeat(1024 * 1024));
    answer();
    await waitFor(() => sent.length === 6, "the last line");
    expect(sent.filter((length) => length === 1024 * 1024)).toHaveLength(5);
  });
});
