import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Dictionary } from "../../../src/lib/clients/dictionary.ts";
import { CancelledError, InputError } from "../../../src/lib/core/errors.ts";
import { type FaultServer, ok, refuse, silence, startFaultServer } from "../../helpers/fault-server.ts";

const token = "6c781040-9545-5ac6-d738-52b3fee6d3cc";
const texts = { HELLO: "Hello", ARGS: "Hi $0 and $1", EMPTY: "" };

describe("Dictionary", () => {
  let server: FaultServer;
  let names = 0;

  beforeEach(async () => {
    names += 1;
    server = await startFaultServer(ok(texts));
  });

  afterEach(() => server.close());

  /** The cache lives as long as the process, so each test reads a dictionary of its own. */
  const slug = (): string => `DICT${names}`;

  function reader(params: { language?: string; runURL?: string; withoutToken?: boolean } = {}): Dictionary {
    const { withoutToken, ...rest } = params;
    const region = { api: server.url, sse: server.url };
    return new Dictionary({ ...(withoutToken ? {} : { token }), region, attempts: 1, ...rest });
  }

  it("reads a language with fallback, by default the language of the object", async () => {
    await expect(reader({ language: "pt-BR" }).getLanguagesData(slug())).resolves.toEqual(texts);
    expect(server.requests[0]).toMatchObject({ method: "GET", path: `/dictionary/${slug()}/pt-BR?fallback=true` });
    expect(server.requests[0]?.headers["token"]).toBe(token);
  });

  it("reads anonymously through the host of a portal, also without a token", async () => {
    await reader({ runURL: "my.run.example" }).getLanguagesData(slug(), "fr");
    await reader({ runURL: "my.run.example", withoutToken: true }).getLanguagesData(slug(), "en-US");
    expect(server.requests.map(({ path }) => path)).toEqual([
      `/dictionary/my.run.example/${slug()}/fr`,
      `/dictionary/my.run.example/${slug()}/en-US`,
    ]);
    for (const { headers } of server.requests) expect(headers["token"]).toBeUndefined();
  });

  it("requests a language once for any number of callers", async () => {
    const dictionary = reader();
    await Promise.all([dictionary.getLanguagesData(slug()), dictionary.getValueFromKey("en-US", slug(), "HELLO")]);
    await dictionary.getLanguagesData(slug());
    expect(server.requests).toHaveLength(1);
    await dictionary.getLanguagesData(slug(), "fr");
    expect(server.requests).toHaveLength(2);
  });

  it("returns a separate object to every caller", async () => {
    const dictionary = reader();
    const first = await dictionary.getLanguagesData(slug());
    if (first !== null) first["HELLO"] = "changed";
    await expect(dictionary.getValueFromKey("en-US", slug(), "HELLO")).resolves.toBe("Hello");
  });

  it("returns null when the request fails, and requests again the next time", async () => {
    server.react(refuse(404, "Dictionary not found"));
    const dictionary = reader();
    await expect(dictionary.getLanguagesData(slug())).resolves.toBeNull();
    await expect(dictionary.getValueFromKey("en-US", slug(), "HELLO")).resolves.toBe(`#${slug()}.HELLO#`);
    server.react(ok(texts));
    await expect(dictionary.getValueFromKey("en-US", slug(), "HELLO")).resolves.toBe("Hello");
  });

  it("returns null when the server is unreachable", async () => {
    await server.close();
    await expect(reader().getLanguagesData(slug())).resolves.toBeNull();
  });

  it("rejects with CancelledError when the caller aborts", async () => {
    server.react(silence);
    const controller = new AbortController();
    const read = reader().getLanguagesData(slug(), "en-US", { signal: controller.signal });
    controller.abort();
    await expect(read).rejects.toBeInstanceOf(CancelledError);
  });

  it.each([
    ["HELLO", "Hello"],
    ["EMPTY", ""],
    ["NOPE", "#{slug}.NOPE#"],
    ["constructor", "#{slug}.constructor#"],
  ])("reads the key %s", async (key, expected) => {
    await expect(reader().getValueFromKey("en-US", slug(), key)).resolves.toBe(expected.replace("{slug}", slug()));
  });

  it("rejects missing parameters before sending anything", async () => {
    const dictionary = reader();
    const calls = [
      dictionary.getLanguagesData(""),
      dictionary.getLanguagesData("DICT", ""),
      dictionary.getValueFromKey("", "DICT", "KEY"),
      dictionary.getValueFromKey("en-US", "", "KEY"),
      dictionary.getValueFromKey("en-US", "DICT", ""),
      dictionary.resolveExpression(undefined as never),
      dictionary.resolveExpression({ language: "en-US" } as never),
      dictionary.resolveExpression({ language: "", expression: { dictionary: "DICT", key: "KEY" } }),
    ];
    for (const call of calls) await expect(call).rejects.toThrow("Missing parameters");
    expect(server.requests).toHaveLength(0);
  });

  it("resolves an expression, with and without params", async () => {
    const dictionary = reader();
    const resolve = (key: string, params?: string[]): Promise<string> =>
      dictionary.resolveExpression({
        language: "en-US",
        expression: { dictionary: slug(), key, ...(params === undefined ? {} : { params }) },
      });
    await expect(resolve("ARGS", ["one", "$0"])).resolves.toBe("Hi one and $0");
    await expect(resolve("ARGS")).resolves.toBe("Hi $0 and $1");
    await expect(resolve("HELLO")).resolves.toBe("Hello");
  });

  it("replaces all expressions of a string and leaves the rest unchanged", async () => {
    const text = `Say #${slug()}.HELLO#! #${slug()}.ARGS,a,"b, c"# #NOT an expression #${slug()}.NOPE# $&`;
    await expect(reader().applyToString(text)).resolves.toBe(
      `Say Hello! Hi a and b, c #NOT an expression #${slug()}.NOPE# $&`,
    );
    await expect(reader().applyToString("")).resolves.toBe("");
    await expect(reader().applyToString("plain text")).resolves.toBe("plain text");
    expect(server.requests).toHaveLength(1);
  });

  it("applies to nothing and to values that are no string as the official SDK", async () => {
    const dictionary = reader();
    const applied = (value: unknown) => dictionary.applyToString(value as string);
    expect([await applied(undefined), await applied(null)]).toEqual(["", ""]);
    for (const value of [5, true, { a: 1 }, []]) expect(await applied(value)).toBe(value);
  });

  it("gives numbers as they are, and writes them into strings", async () => {
    server.react(ok({ N: 1, NULL: null }));
    const dictionary = reader();
    expect(await dictionary.getValueFromKey("en-US", slug(), "N")).toBe(1);
    expect(await dictionary.getValueFromKey("en-US", slug(), "NULL")).toBe(`#${slug()}.NULL#`);
    expect(await dictionary.applyToString(`<#${slug()}.N#>`)).toBe("<1>");
    const expression = { dictionary: slug(), key: "N", params: ["a"] };
    expect(await dictionary.resolveExpression({ language: "en-US", expression })).toBe("1");
  });

  it.each([undefined, null, "text"])("shows the expression where an own getLanguagesData returns %s", async (data) => {
    const dictionary = reader();
    dictionary.getLanguagesData = async () => data as null;
    expect(await dictionary.getValueFromKey("en-US", "A", "B")).toBe("#A.B#");
    expect(await dictionary.applyToString("<#A.B#>")).toBe("<#A.B#>");
  });

  it("parses expressions without a request", async () => {
    const dictionary = reader();
    expect(dictionary.parseExpression("#A.B,1#")).toEqual({ dictionary: "A", key: "B", params: ["1"] });
    expect(dictionary.parseExpression("A.B")).toBeNull();
    await expect(dictionary.getExpressionsFromString("#A.B# #A.C#")).resolves.toEqual([
      { dictionary: "A", key: "B" },
      { dictionary: "A", key: "C" },
    ]);
    expect(server.requests).toHaveLength(0);
  });

  it("is made without a token, and then reads nothing", async () => {
    expect(new Dictionary().language).toBe("en-US");
    expect(new Dictionary(null).runURL).toBeUndefined();
    expect(new Dictionary({ token: "", language: "fr" }).language).toBe("fr");
    server.react(refuse(401, "Authorization Denied"));
    await expect(reader({ withoutToken: true, language: "pt-BR" }).getLanguagesData(slug())).resolves.toBeNull();
    expect(server.requests[0]?.headers["token"]).toBeUndefined();
  });

  it("rejects a token that cannot be sent", () => {
    expect(() => new Dictionary({ token: "a\nb" })).toThrow(InputError);
  });
});
