import { expect, it } from "vitest";
import { redact, rememberSecret } from "../../../src/commands/kit/say/redact.ts";

it("a short secret inside a longer one leaves nothing of the longer one readable", () => {
  rememberSecret("77788");
  rememberSecret("p-0123abcd-4567-4cde-89ab-777889abcdef");
  const shown = redact("The token p-0123abcd-4567-4cde-89ab-777889abcdef is not liked");
  expect(shown).toBe("The token 0123…cdef is not liked");
});
