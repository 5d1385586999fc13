import { describe, expect, it } from "vitest";
import { targetOf } from "../../../src/lib/http/target.ts";

const paths = [
  "",
  "/",
  "/device/a%2Fb?fields%5B0%5D=id&q=a%20b%26c",
  "/device?filter[name]=*pump*&at=10:30@x;y,z",
  "/file/$(a)!~b_c+d=e",
  "//device",
  "/a/../b",
  "/a/./b",
  "/a/%2e%2E/b",
  "/.hidden",
  "/ü?name=ü",
  "/a b?c d",
  "/a\\b",
  "/a|b^c`d{e}\"f'<g>?a|b^c`d{e}\"f'<g>",
  "/a\tb\n",
  "/a#b",
  "?a=/b",
  "#/b",
];

describe("the target of a request", () => {
  it.each([
    "http://127.0.0.1:8080",
    "https://api.tago.io",
    "https://API.tago.io:443",
    "http://[::1]:80",
    "http://ann:p%40ss@host",
  ])("is what a URL parser makes of an address of %s", (base) => {
    for (const path of paths) {
      const { protocol, hostname, port, username, origin, pathname, search } = new URL(base + path);
      const target = targetOf(base + path);
      const auth = username === "" ? undefined : "ann:p@ss";
      expect(target.origin).toEqual({ protocol, hostname: hostname.replace(/[[\]]/g, ""), port, auth, origin });
      expect(target.path).toBe(pathname + search);
    }
  });

  it("has an origin that is parsed once", () => {
    expect(targetOf("https://once.example/a").origin).toBe(targetOf("https://once.example/b?c=d").origin);
  });

  it("is found for more origins than are stored", () => {
    for (let n = 0; n < 200; n += 1)
      expect(targetOf(`https://many.example:${1000 + n}/a`).origin.port).toBe(`${1000 + n}`);
  });

  it("is not found in what is no address", () => {
    for (const text of ["", "/device", "http://", "http:///", "http://a b/c"])
      expect(() => targetOf(text)).toThrow("Invalid URL");
  });
});
