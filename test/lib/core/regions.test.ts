import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { InputError } from "../../../src/lib/core/errors.ts";
import {
  type Region,
  regionsDefinition,
  resolveApi,
  resolveRegion,
  setRuntimeRegion,
} from "../../../src/lib/core/regions.ts";

const us = { api: "https://api.tago.io", sse: "https://sse.tago.io/events" };
const eu = { api: "https://api.eu-w1.tago.io", sse: "https://sse.eu-w1.tago.io/events" };

beforeEach(() => {
  vi.stubEnv("TAGOIO_API", undefined);
  vi.stubEnv("TAGOIO_SSE", undefined);
});

afterEach(() => {
  setRuntimeRegion(undefined);
  vi.unstubAllEnvs();
});

/** The addresses of a region; the one of the API alone has to be the same. */
function resolved(region: Region | undefined): ReturnType<typeof resolveRegion> {
  const addresses = resolveRegion(region);
  expect(resolveApi(region)).toBe(addresses.api);
  return addresses;
}

describe("a region", () => {
  it.each<[string, Region | undefined, { api: string; sse: string }]>([
    ["us-e1", "us-e1", us],
    ["the older name of us-e1", "usa-1", us],
    ["eu-w1", "eu-w1", eu],
    ["not given", undefined, us],
    ["null, as older programs say for not given", null as unknown as undefined, us],
    [
      "own addresses",
      { api: "http://127.0.0.1:8080", sse: "http://127.0.0.1:8080/events" },
      {
        api: "http://127.0.0.1:8080",
        sse: "http://127.0.0.1:8080/events",
      },
    ],
    [
      "own addresses with final slashes",
      { api: "https://iot.example/api//", sse: "https://iot.example/sse/" },
      {
        api: "https://iot.example/api",
        sse: "https://iot.example/sse",
      },
    ],
    ["an own API alone", { api: "https://iot.example", sse: "" }, { api: "https://iot.example", sse: "" }],
    [
      "a deploy project",
      { tdeploy: "68951c0e023862b2aea00f3f" },
      {
        api: "https://api.68951c0e023862b2aea00f3f.tagoio.net",
        sse: "https://sse.68951c0e023862b2aea00f3f.tagoio.net/events",
      },
    ],
    ["a name with space around it", " eu-w1\n" as "eu-w1", eu],
    ["own addresses beside a missing deploy id", { tdeploy: undefined, ...eu } as Region, eu],
    ["own addresses beside a deploy id that is null", { tdeploy: null, ...eu } as unknown as Region, eu],
    ["own addresses beside an empty deploy id", { tdeploy: "", ...eu }, eu],
    ["own addresses beside a blank deploy id", { tdeploy: "  ", ...eu }, eu],
    [
      "a deploy project with space around its id",
      { tdeploy: " p1\n" },
      { api: "https://api.p1.tagoio.net", sse: "https://sse.p1.tagoio.net/events" },
    ],
  ])("%s has its addresses", (_name, region, addresses) => {
    expect(resolved(region)).toEqual(addresses);
  });

  it("env reads the URLs from the environment on every access", () => {
    vi.stubEnv("TAGOIO_API", "http://127.0.0.1:1/");
    vi.stubEnv("TAGOIO_SSE", "http://127.0.0.1:1/events");
    expect(resolved("env")).toEqual({ api: "http://127.0.0.1:1", sse: "http://127.0.0.1:1/events" });
    expect({ ...regionsDefinition.env }).toEqual({ api: "http://127.0.0.1:1/", sse: "http://127.0.0.1:1/events" });
    vi.stubEnv("TAGOIO_API", "http://127.0.0.1:2");
    expect(resolved("env").api).toBe("http://127.0.0.1:2");
  });

  it("defaults to the one of the environment, before us-e1", () => {
    vi.stubEnv("TAGOIO_API", "http://127.0.0.1:3");
    expect(resolved(undefined)).toEqual({ api: "http://127.0.0.1:3", sse: "" });
    vi.stubEnv("TAGOIO_API", "");
    expect(resolved(undefined)).toEqual(us);
  });

  it("defaults to the runtime region, before the one of the environment", () => {
    vi.stubEnv("TAGOIO_API", "http://127.0.0.1:3");
    setRuntimeRegion("eu-w1");
    expect(resolved(undefined)).toEqual(eu);
    expect(resolved("us-e1")).toEqual(us);
    setRuntimeRegion(undefined);
    expect(resolved(undefined).api).toBe("http://127.0.0.1:3");
  });
});

describe("an invalid region", () => {
  const wrong = (value: unknown) => value as Region;

  it.each<[string, Region, string]>([
    ["an unknown name", wrong("mars-1"), "Invalid region mars-1"],
    ["an empty name", wrong(""), "Invalid region "],
    ["a name every object has", wrong("toString"), "Invalid region toString"],
    ["a name of the prototype", wrong("__proto__"), "Invalid region __proto__"],
    ["another case", wrong("EU-W1"), "Invalid region EU-W1"],
    ["a number", wrong(7), "Invalid region 7"],
    ["an object without addresses", wrong({}), "Invalid region"],
    ["an event address alone", wrong({ sse: "https://sse.example" }), "Invalid region"],
    ["an API address that is no text", wrong({ api: 5 }), "Invalid region"],
    ["a deploy id that changes the host", { tdeploy: "evil.example/x?" }, "Invalid region"],
    ["an empty deploy id", { tdeploy: "" }, "Invalid region"],
    ["a blank deploy id", { tdeploy: "  " }, "Invalid region"],
    ["a deploy id that is no text, with addresses", wrong({ tdeploy: 5, ...us }), "Invalid region"],
    ["a deploy id that is no text", wrong({ tdeploy: 5 }), "Invalid region"],
    ["env without an environment", "env", "Invalid region"],
    [
      "an address of another kind",
      { api: "ftp://iot.example", sse: "" },
      "Invalid region: its api address must be an http or https address without credentials",
    ],
    [
      "an address with credentials",
      { api: "https://iot.example", sse: "https://me:secret@iot.example" },
      "Invalid region: its sse address must be an http or https address without credentials",
    ],
    [
      "text that is no address",
      { api: "iot.example", sse: "" },
      "Invalid region: its api address must be an http or https address without credentials",
    ],
  ])("%s is refused", (_name, region, message) => {
    const resolve = () => resolveRegion(region);
    expect(resolve).toThrow(InputError);
    expect(resolve).toThrow(expect.objectContaining({ message, field: "region" }));
    expect(() => resolveApi(region)).toThrow(expect.objectContaining({ message, field: "region" }));
  });

  it("is still rejected after a runtime region was set", () => {
    setRuntimeRegion("eu-w1");
    expect(() => resolved(wrong("mars-1"))).toThrow("Invalid region mars-1");
  });
});
