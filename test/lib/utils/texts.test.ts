import { describe, expect, it } from "vitest";
import { InputError, Utils } from "../../../src/index.ts";
import { frozen } from "../../helpers/operations.ts";

const wrong = <T>(value: unknown) => value as T;

describe("the variables of an analysis", () => {
  it("become an object", () => {
    const list = frozen([
      { key: "a", value: "1" },
      { key: "b", value: "" },
      { key: "a", value: "2" },
    ]);
    expect(Utils.envToJson(list)).toEqual({ a: "2", b: "" });
    expect(Utils.envToJson([])).toEqual({});
  });

  it("may have any key", () => {
    const made = Utils.envToJson([{ key: "__proto__", value: "x" }]);
    expect(Object.entries(made)).toEqual([["__proto__", "x"]]);
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
  });

  it.each([[undefined], [null], ["text"], [{}], [[null, {}, 5]]])("give no members when they are %j", (list) => {
    expect(Utils.envToJson(wrong(list))).toEqual({});
  });
});

describe("a LoRaWAN QR code", () => {
  const five = { type: "LW", schema_id: "D0", join_eui: "1122", dev_eui: "3344", profile_id: "5566" };

  it.each<[string, object]>([
    ["LW:D0:1122:3344", { type: "LW", schema_id: "D0", join_eui: "1122", dev_eui: "3344" }],
    ["LW:D0:1122:3344:5566", five],
    ["LW:D0:1122:3344:5566:O1:S1:P1", five],
    [
      "LW:D0:1122:3344:5566:O1:S1:P1:C1",
      { ...five, owner_token: "O1", sn_number: "S1", proprietary: "P1", checksum: "C1" },
    ],
    [
      "LW:D0:1122:3344:5566:O1:S1:P1:C1:more",
      { ...five, owner_token: "O1", sn_number: "S1", proprietary: "P1", checksum: "C1" },
    ],
    ["LW:D0:1122:3344:5566::::", { ...five, owner_token: "", sn_number: "", proprietary: "", checksum: "" }],
  ])("%s is read", (text, parts) => {
    expect(Utils.parseLorawanQRCode(text)).toStrictEqual(parts);
  });

  it.each<[unknown, string]>([
    ["a:b:c", "Invalid QR Code"],
    ["", "Invalid QR Code"],
    [42, "QR Code must be a string"],
    [null, "QR Code must be a string"],
    [["LW:D0:1:2:3"], "QR Code must be a string"],
  ])("%j is refused", (text, message) => {
    expect(() => Utils.parseLorawanQRCode(wrong(text))).toThrow(InputError);
    expect(() => Utils.parseLorawanQRCode(wrong(text))).toThrow(expect.objectContaining({ message }));
  });
});
