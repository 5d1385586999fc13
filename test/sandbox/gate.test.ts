import { describe, expect, it } from "vitest";
import { Gate, type StreamRule } from "../../src/sandbox/stream/gate.ts";

const MAX_HELD_BYTES = 100;
const frame = { plain: Buffer.alloc(40) };

/** A stream without a connection, under one rule from its beginning. */
function gateUnder(rule: StreamRule["rule"]) {
  const seen = { written: 0, cuts: 0 };
  const always: StreamRule = {
    rule,
    matches: () => true,
    isChosen: () => true,
    inject: () => true,
    delayMs: () => 0,
  };
  const gate = new Gate({ rules: () => [always], onChange: () => () => undefined }, ["ui"], {
    maxHeldBytes: MAX_HELD_BYTES,
    write: () => {
      seen.written += 1;
    },
    cut: () => {
      seen.cuts += 1;
    },
  });
  gate.open();
  return { gate, seen };
}

describe("a stream that sends nothing", () => {
  it("is cut when more waits for it than may be held back", () => {
    const { gate, seen } = gateUnder({ kind: "stall" });
    gate.send("ui", frame);
    gate.send("ui", frame);
    expect(seen).toEqual({ written: 0, cuts: 0 });
    gate.send("ui", frame);
    expect(seen).toEqual({ written: 0, cuts: 1 });
    gate.close();
  });
});
