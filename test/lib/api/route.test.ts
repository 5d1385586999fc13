import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { del, encodePart, fillPath, get, post, put } from "../../../src/lib/api/route.ts";
import { InputError } from "../../../src/lib/core/errors.ts";

describe("routes", () => {
  it("say method, path and what else the wire knows of them", () => {
    expect(get("/device/:deviceID", { dates: ["created_at"] })).toEqual({
      method: "GET",
      path: "/device/:deviceID",
      dates: ["created_at"],
      result: "object",
    });
    expect([post("/a"), put("/b"), del("/c")].map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /a",
      "PUT /b",
      "DELETE /c",
    ]);
  });
});

describe("path parts", () => {
  it.each([
    ["plant/7", "plant%2F7"],
    ["q?x=1", "q%3Fx%3D1"],
    ["ref#3", "ref%233"],
    ["a\tb", "a%09b"],
    ["a\\b", "a%5Cb"],
    ["50%", "50%25"],
    ["a%2Fb", "a%252Fb"],
    ["line\r\nbreak", "line%0D%0Abreak"],
    ["größe 😀", "gr%C3%B6%C3%9Fe%20%F0%9F%98%80"],
    ["%2e%2e", "%252e%252e"],
    ["...", "..."],
    [".hidden", ".hidden"],
    [":deviceID", "%3AdeviceID"],
    ["null", "null"],
  ])("%j goes out as %s", (part, expected) => {
    expect(encodePart(part, "deviceID")).toBe(expected);
  });

  it("may be numbers", () => {
    expect(encodePart(0, "page")).toBe("0");
    expect(encodePart(12, "page")).toBe("12");
  });

  it.each<[unknown, string]>([
    ["", 'Invalid deviceID: "" cannot be part of an address'],
    [".", 'Invalid deviceID: "." cannot be part of an address'],
    ["..", 'Invalid deviceID: ".." cannot be part of an address'],
    [undefined, "Invalid deviceID: undefined cannot be part of an address"],
    [null, "Invalid deviceID: object cannot be part of an address"],
    [{ toString: () => ".." }, "Invalid deviceID: object cannot be part of an address"],
    [["a"], "Invalid deviceID: object cannot be part of an address"],
    [true, "Invalid deviceID: boolean cannot be part of an address"],
    ["\ud800", "Invalid deviceID: the string is not valid Unicode"],
  ])("%j is refused", (part, message) => {
    const refused = () => encodePart(part, "deviceID");
    expect(refused).toThrow(InputError);
    expect(refused).toThrow(expect.objectContaining({ message, field: "deviceID" }));
  });

  it("reach the address they name and no other, whatever they hold", () => {
    const part = fc
      .oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: fc.constantFrom(..."./%\\?#:@2eE\t\n ") }))
      .filter((text) => text !== "" && text !== "." && text !== "..");
    fc.assert(
      fc.property(part, part, (first, second) => {
        const url = new URL(`https://api.example${fillPath("/device/:a/params/:b", { a: first, b: second })}`);
        const names = url.pathname.split("/");
        expect(url.origin + url.search + url.hash).toBe("https://api.example");
        expect(names.map(decodeURIComponent)).toEqual(["", "device", first, "params", second]);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("paths", () => {
  it("are filled by name", () => {
    const params = { analysisID: "a1", dashboardID: "d/2", widgetID: "w3" };
    expect(fillPath("/analysis/:analysisID/run/:dashboardID/:widgetID", params)).toBe("/analysis/a1/run/d%2F2/w3");
  });

  it("keep a slash at their end", () => {
    expect(fillPath("/dashboard/:dashboardID/widget/", { dashboardID: "d1" })).toBe("/dashboard/d1/widget/");
  });

  it("without parts stay, whatever is given", () => {
    expect(fillPath("/device", undefined)).toBe("/device");
    expect(fillPath("/device", { deviceID: ".." })).toBe("/device");
  });

  it("miss no part", () => {
    expect(() => fillPath("/device/:deviceID", undefined)).toThrow("Invalid deviceID");
    expect(() => fillPath("/device/:deviceID/params/:paramID", { deviceID: "d1" })).toThrow(
      expect.objectContaining({ field: "paramID" }),
    );
  });

  it("are not filled again by what was filled in", () => {
    expect(fillPath("/a/:b/:c", { b: ":c", c: "x" })).toBe("/a/%3Ac/x");
  });
});
