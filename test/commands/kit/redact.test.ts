import { expect, it } from "vitest";
import { redact, rememberSecret } from "../../../src/commands/kit/say/redact.ts";

it("a short secret inside a longer one leaves nothing of the longer one readable", () => {
  rememberSecret("77788");
  rememberSecret("p-0123abcd-4567-4cde-89ab-777889abcdef");
  const shown = redact("The token p-0123abcd-4567-4cde-89ab-777889abcdef is not liked");
  expect(shown).toBe("The token 0123…cdef is not liked");
});

it("a token is recognized after an encoded sign, and with letters too many", () => {
  const token = `at${"0123abcd".repeat(4)}`;
  expect(redact(`GET /files?path=%2F${token}%2F`)).toBe("GET /files?path=%2Fat01…abcd%2F");
  expect(redact(`DELETE /serviceauth/${token}xx`)).toBe("DELETE /serviceauth/at01…abcdxx");
  expect(redact(`cat${token}`)).toBe(`cat${token}`);
});
