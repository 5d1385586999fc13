import { describe, expect, it, vi } from "vitest";
import { canDraw } from "../../../src/commands/kit/ask/terminal.ts";

function asked(flags: { readonly input: boolean }) {
  const say = { info: vi.fn(), warning: vi.fn(), hint: vi.fn(), detail: vi.fn() };
  const io = { stdoutIsTerminal: true, stdinIsTerminal: true };
  const ctx = { io, env: {}, flags: { accessible: false, ...flags }, say };
  const isDrawn = canDraw(ctx as unknown as Parameters<typeof canDraw>[0], { columns: 10_000, rows: 10_000 });
  return { isDrawn, say };
}

describe("a screen that cannot be drawn", () => {
  it("says so where the window is too small, and only with --verbose where nobody wants one", () => {
    const small = asked({ input: true });
    expect(small.isDrawn).toBe(false);
    expect(small.say.info.mock.calls.flat().join()).toMatch(/^No screen: the window has \d+x\d+ cells/);
    const plain = asked({ input: false });
    expect(plain.isDrawn).toBe(false);
    expect(plain.say.info).not.toHaveBeenCalled();
    expect(plain.say.detail).toHaveBeenCalledWith("No screen: --no-input is set.");
  });
});
