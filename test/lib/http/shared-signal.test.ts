import { describe, expect, it } from "vitest";
import { smallServer } from "../../helpers/small-server.ts";
import { transports } from "../../helpers/transports.ts";

// What fetch does with a signal is for the platform to say.
const own = transports.filter(({ name }) => name !== "fetch");

describe.each(own)("one signal for many calls, $name", ({ transport }) => {
  it("is nothing to warn of", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): unknown => warnings.push(warning);
    process.on("warning", note);
    const server = await smallServer((_, response) => response.end("{}"));
    const { signal } = new AbortController();
    const request = { method: "GET", url: `${server.url}/`, headers: {}, signal, timeoutMs: 5_000 } as const;
    await Promise.all(Array.from({ length: 30 }, () => transport.send(request)));
    await new Promise((resolve) => setImmediate(resolve));
    await server.close();
    process.off("warning", note);
    expect(warnings).toEqual([]);
  });
});
