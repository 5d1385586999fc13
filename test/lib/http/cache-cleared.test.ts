import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Cache, Dictionary } from "../../../src/index.ts";
import { waitFor } from "../../helpers/wait-for.ts";

describe("a read that is under way when the cache is cleared", () => {
  const waiting: ServerResponse[] = [];
  const server = createServer((_request, response) => waiting.push(response));

  beforeEach(async () => {
    Cache.clearCache();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  function answer(text: string): void {
    waiting.shift()?.end(JSON.stringify({ status: true, result: { KEY: text } }));
  }

  it("is given to its caller and not kept: the next one asks again", async () => {
    const { port } = server.address() as AddressInfo;
    const region = { api: `http://127.0.0.1:${port}`, sse: "" };
    const dictionary = new Dictionary({ token: "t", region, language: "en-US" });
    const first = dictionary.getLanguagesData("TEST");
    await waitFor(() => waiting.length === 1, "the first request");
    Cache.clearCache();
    answer("old");
    expect(await first).toEqual({ KEY: "old" });
    const second = dictionary.getLanguagesData("TEST");
    await waitFor(() => waiting.length === 1, "the second request");
    answer("new");
    expect(await second).toEqual({ KEY: "new" });
    expect(await dictionary.getLanguagesData("TEST")).toEqual({ KEY: "new" });
  });
});
