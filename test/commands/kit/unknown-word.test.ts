import { describe, expect, it } from "vitest";
import { didYouMean, unknownWord } from "../../../src/commands/kit/failures/unknown-word.ts";

const known = ["sms", "email", "data_records"];

describe("a word that is not known", () => {
  it("is told with the words there are, and the one it looks like", () => {
    expect(unknownWord("service", "emial", known)).toMatchObject({
      message: 'Service "emial" not found.',
      code: "usage.invalid_value",
      exit: 2,
      why: "The services are sms, email, data_records.",
      next: 'Did you mean "email"?',
    });
  });

  it("keeps what the caller says where it looks like none", () => {
    const details = { code: "env.unknown", why: "None.", next: "List them." };
    expect(unknownWord("environment", "x", known, details)).toMatchObject(details);
    expect(didYouMean("x", known)).toEqual({});
    expect(didYouMean("smss", known, "List them.")).toEqual({ next: 'Did you mean "sms"?' });
  });
});
