import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CliResult } from "../helpers/cli.ts";
import { type HereOptions, runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { SEED_PROFILES } from "../helpers/seed.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const billing = (args: readonly string[], options: HereOptions = {}): Promise<CliResult> =>
  runHere(["billing", ...args], { ...options, env: here.env });

async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await billing([...args, "--json"]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}

const sent = (): string[] => here.requests().filter((line) => !line.startsWith("GET "));

describe("billing", () => {
  it("shows what is bought, what it costs and how it is paid", async () => {
    expect(await json("subscription")).toMatchObject({ plan: "scale", processing: false });
    expect(await json("payment-method")).toMatchObject({ card: { last4: "4242" } });
    expect(await json("coupon", "DEMO20")).toMatchObject({ percentage_off: 20 });
    expect(await billing(["coupon", "NONE"])).toMatchObject({ code: 6 });
  });

  it("sums up plan, price, next invoice, add-ons, use and payment on one page", async () => {
    const found = await json("summary");
    expect(found).toMatchObject({
      ...{ plan: "scale", price: 199, currency: "usd", past_due: false, processing: false, schedule: false },
      next_invoice: { total: 199, date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
      profile: { name: "Demo Plant" },
      usage: { input: { used: expect.any(Number), limit: expect.any(Number), unit: "records per month" } },
    });
    const { stdout } = await runHere(["billing", "summary", "--accessible"], {
      env: { ...here.env, NO_COLOR: "1" },
      terminal: 100,
    });
    expect(stdout).toContain("price: 199.00 USD per month\n");
    expect(stdout).toMatch(/^next_invoice: 199\.00 USD on [\d-]+$/m);
    expect(stdout).toMatch(/^input: [\d,]+ of [\d,]+ records per month \([\d.]+%\)$/m);
  });

  it("puts the price of a month and of what is left of it side by side", async () => {
    const prices = await json<{ kind: string; name: string; price: number; prorated: number }[]>("pricing");
    expect(prices.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["plan", "addon", "service"]));
    const scale = prices.find(({ name }) => name === "scale");
    expect(scale?.price).toBe(199);
    expect(scale?.prorated).toBeLessThanOrEqual(199);
    expect(await json("pricing", "--name", "sms")).toHaveLength(4);
  });

  it("lists payments over several pages of the platform, as many as asked for", async () => {
    const all = await json<{ created_at: string; stripe_id: string }[]>("history", "--all");
    expect(all.length).toBeGreaterThanOrEqual(13);
    expect(new Set(all.map(({ stripe_id: id }) => id)).size).toBe(all.length);
    expect(await billing(["history", "--limit", "2"])).toMatchObject({ stderr: expect.stringContaining("more exist") });
    expect(await json("history", "--unpaid")).toEqual([]);
  });

  it("shows the prorated price before a paid change, and --yes alone does not confirm it", async () => {
    const before = sent().length;
    const change = ["subscription", "update", "--service", "sms=10000"];
    for (const flags of [[], ["--yes"], ["--confirm", "sms"]]) {
      const { code, stdout, stderr } = await billing([...change, ...flags]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(
        /^warning: sms 10000: \d+\.\d\d USD for the rest of this month \(prorated, until [\d-]+\)/,
      );
    }
    const planned = await billing([...change, "--dry-run"]);
    expect(planned).toMatchObject({ code: 0, stdout: expect.stringContaining('"sms":{"limit":10000}') });
    expect(planned.stderr).toContain("prorated");
    expect(sent().slice(before)).toEqual([]);
    expect(await billing([...change, "--confirm", "billing"])).toMatchObject({ code: 0 });
    expect(sent().slice(before)).toEqual(["POST /account/subscription"]);
  });

  it("asks for the name of the environment where there is one", async () => {
    const { IOT_TOKEN: _, IOT_API_URL: __, IOT_EVENTS_URL: ___, ...env } = here.env;
    await runHere(["env", "add", "box", "--api-url", here.sandbox.url], { env });
    await runHere(["auth", "login", "--with-token", "--env", "box"], { env, stdin: here.sandbox.tokens.profile });
    const { code, stderr } = await runHere(["billing", "pending", "retry", "--env", "box", "--yes"], { env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--confirm "box"') });
  });

  it("keeps the add-on of other profiles when one more gets it", async () => {
    const plan = async (...flags: string[]): Promise<unknown> => {
      const { stdout } = await billing(["subscription", "update", ...flags, "--dry-run", "--json"]);
      return (JSON.parse(stdout) as { body: unknown }[])[0]?.body;
    };
    expect(await plan("--addon", "mobile=name:Empty")).toEqual({ addons: { mobile: [SEED_PROFILES.empty] } });
    expect(await plan("--remove-addon", "mobile=current")).toEqual({ addons: { mobile: [] } });
    expect(await billing(["subscription", "update", "--plan", "free", "--service", "sms=1"])).toMatchObject({
      code: 2,
    });
    expect(await billing(["subscription", "update"])).toMatchObject({ code: 2 });
    expect(await billing(["subscription", "update", "--addon", "mobil=current"])).toMatchObject({ code: 2 });
  });

  it("schedules a downgrade and takes it back, saying what that costs", async () => {
    const { stderr } = await billing(["subscription", "update", "--plan", "starter", "--confirm", "billing"]);
    expect(stderr).toMatch(/no refund; 150\.00 USD less per month from [\d-]+\./);
    expect(await json("schedule")).toMatchObject({ subscription: { plan: "starter" } });
    expect(await billing(["schedule", "cancel", "--yes"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("150.00 USD more per month"),
    });
    expect(await json("schedule", "cancel", "--confirm", "billing")).toMatchObject({ release_at: null });
    expect(await billing(["schedule", "cancel", "--confirm", "billing"])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("nothing to cancel"),
    });
  });

  it("changes what a profile gets, by name, without a charge", async () => {
    const rows = await json<{ name: string; sms: number }[]>("allocation", "update", "name:Empty", "--set", "sms=42");
    expect(rows).toMatchObject([{ name: "Empty", sms: 42 }]);
    const shares = await json<typeof rows>("allocation");
    expect(shares.map(({ name }) => name)).toEqual(["Demo Plant", "Empty"]);
  });

  it("takes the token of a card from stdin only, and never shows it", async () => {
    const stdin = "tok_secret_visa\n";
    const planned = await billing(["payment-method", "update", "--token-stdin", "--dry-run"], { stdin });
    expect(planned.code).toBe(0);
    expect(planned.stdout + planned.stderr).not.toContain("tok_secret");
    expect(await billing(["payment-method", "update"])).toMatchObject({ code: 2 });
    const changed = await billing(["payment-method", "update", "--token-stdin", "--yes", "--json"], { stdin });
    expect(JSON.parse(changed.stdout)).toMatchObject({ card: { last4: "4242" } });
    expect(await json("payment-method", "delete", "--yes")).toMatchObject({ card: null });
  });
});
