import { beforeEach, describe, expect, it } from "vitest";
import { Accounts } from "../../src/sandbox/accounts/accounts.ts";
import { manualClock } from "../../src/sandbox/core/clock.ts";
import { IdSource } from "../../src/sandbox/core/ids.ts";
import { authenticatorCode } from "../../src/sandbox/core/one-time-code.ts";
import { migrations } from "../../src/sandbox/migrations.ts";
import { openEphemeral } from "../../src/sandbox/store/open.ts";
import { Outbox } from "../../src/sandbox/store/outbox.ts";

const clock = manualClock(Date.parse("2026-05-01T00:00:00Z"));
const who = { email: "pat@example.test", password: "secret" };

let accounts: Accounts;
let outbox: Outbox;

beforeEach(() => {
  const { db } = openEphemeral(migrations, clock.now());
  const ids = new IdSource(clock);
  outbox = new Outbox(db, clock, ids);
  accounts = new Accounts(db, clock, ids, outbox);
  accounts.create({ ...who, name: "Pat", phone: "+100", otp: { email: true, sms: true } });
});

const sentCode = (): string => String(outbox.list().at(-1)?.["pin_code"]);

describe("one-time codes", () => {
  it("are asked for, sent to the outbox, and open the account once", () => {
    expect(() => accounts.verify(who)).toThrow('{"otp_enabled":true,"otp_autosend":"sms"}');
    accounts.sendPin(who, "email");
    expect(outbox.list()).toMatchObject([{ kind: "email", to: who.email }]);
    const credentials = { ...who, otp_type: "email", pin_code: sentCode() };
    expect(accounts.verify(credentials)).toMatchObject({ email: who.email });
    expect(() => accounts.verify(credentials)).toThrow("Invalid pin code");
  });

  it("belong to one kind of factor and end after ten minutes", () => {
    accounts.sendPin(who, "sms");
    expect(outbox.list()).toMatchObject([{ kind: "sms", to: "+100" }]);
    const pin_code = sentCode();
    expect(() => accounts.verify({ ...who, otp_type: "email", pin_code })).toThrow("Invalid pin code");
    clock.advance(10 * 60_000);
    expect(() => accounts.verify({ ...who, otp_type: "sms", pin_code })).toThrow("Invalid pin code");
  });

  it("are not sent for a factor that is off, nor without the password", () => {
    expect(() => accounts.sendPin(who, "authenticator")).toThrow("Error on Body parameters");
    expect(() => accounts.sendPin({ ...who, password: "wrong" }, "email")).toThrow("Invalid credentials");
    expect(outbox.list()).toEqual([]);
  });
});

describe("authenticator codes", () => {
  it("are those of RFC 6238, to the last six digits", () => {
    // Appendix B of the RFC: the SHA-1 secret is the ASCII text 12345678901234567890.
    const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
    const expected = {
      59: "287082",
      1111111109: "081804",
      1111111111: "050471",
      1234567890: "005924",
      2000000000: "279037",
    };
    for (const [seconds, code] of Object.entries(expected)) {
      expect(authenticatorCode(secret, Number(seconds) * 1_000)).toBe(code);
    }
  });
});

describe("accounts", () => {
  it("have one e-mail each, whatever its case", () => {
    expect(() => accounts.create({ ...who, email: "PAT@example.test", name: "Other" })).toThrow(
      "Error on Body parameters",
    );
  });
});
