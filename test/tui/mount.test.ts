import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { mountScreen, type ScreenOptions } from "../../src/tui/mount.tsx";

it("does not open a screen whose command was stopped while it was prepared", async () => {
  const stop = new AbortController();
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const streams = { stdin, stdout } as unknown as ScreenOptions["streams"] & object;
  const opened = mountScreen(() => null, { signal: stop.signal, streams, color: false, ascii: false });
  stop.abort();
  expect(await opened).toBeUndefined();
  expect(stdout.read()).toBeNull();
});
