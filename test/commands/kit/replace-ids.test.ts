import { describe, expect, it } from "vitest";
import { replaceIds } from "../../../src/commands/kit/folders/replace-ids.ts";

const [old, now, other] = ["65a1000000000000000a0001", "70b2000000000000000b0002", "65a1000000000000000a0009"];
const ids = new Map([
  [old, now],
  ["short", "long"],
]);

describe("replacing ids in a document", () => {
  it.each([
    ["a whole string", old, now],
    ["an address", `https://h/d/${old}/x?id=${old}`, `https://h/d/${now}/x?id=${now}`],
    ["a name of hexadecimal digits before the id", `feed${old}`, `feed${now}`],
    ["two ids in a row", `${old}${old}0a`, `${now}${now}0a`],
    ["another id", other, other],
    ["a short name as the whole string", "short", "long"],
    ["a short name inside a string", "a short one", "a short one"],
  ])("finds %s", (_, text, expected) => {
    expect(replaceIds({ list: [text] }, ids)).toEqual({ list: [expected] });
  });

  it("replaces them in keys, too: legacy tables join device and variable there", () => {
    expect(replaceIds({ [`${old}temperature`]: { short: 1 } }, ids)).toEqual({ [`${now}temperature`]: { short: 1 } });
  });
});
